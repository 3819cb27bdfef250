#!/usr/bin/env bats
# fs-prio --weights-report: the weights that decide the order.

load lib

@test "a weight is dead if the order without it is the same" {
	fs-prio --demo --as root --weights-report --json >doc
	fs-prio --demo --as root --json >rows
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" s.jsonl
	python3 - <<'PY'
import json
rows = json.load(open("rows"))["rows"]
submitted = {j["id"]: (j["submit_time"], j["id"]) for j in map(json.loads, open("s.jsonl")) if j["type"] == "job"}
report = {r["factor"]: r for r in json.load(open("doc"))["rows"]}
kept = lambda terms: max(1, int(sum(terms.values())))
sums = [(r["partition"], {t["factor"]: t["points"] for t in r["terms"]}, submitted[r["jobid"]]) for r in rows if not r["direct"]]
first = lambda a, b, of_a, of_b: a > b if a != b else of_a < of_b
for factor, r in report.items():
    flips = 0
    for i, (p, a, of_a) in enumerate(sums):
        for q, b, of_b in sums[:i]:
            if p == q:
                rest_a, rest_b = ({k: v for k, v in x.items() if k != factor} for x in (a, b))
                flips += first(kept(a), kept(b), of_a, of_b) != first(kept(rest_a), kept(rest_b), of_a, of_b)
    assert r["flips"] == flips and r["dead"] == (flips == 0), (r, flips)
PY
}

@test "--weights-report --if shows the weights before and after" {
	fs-prio --demo --weights-report --json --if PriorityWeightAge=0 | python3 -c 'import json, sys
r = {x["factor"]: x for x in json.load(sys.stdin)["rows"]}
assert r["age"]["weight"] == 0 and r["age"]["dead"] and r["age"]["before"]["weight"] == 10000 and not r["age"]["before"]["dead"]'
	run -0 fs-prio --demo --weights-report --if PriorityWeightAge=0
	[[ $output == *'before'* ]]
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":5}'
	run -2 fs-prio -f - --weights-report --if PriorityWeightAge=0 <s.jsonl
	[[ $output == *'requires -f FILE or --demo'* ]]
	run -0 fs-prio -f s.jsonl --weights-report --if PriorityWeightAge=0
}

@test "the document has exactly the keys of its schema" {
	fs-prio --demo --weights-report --json --if PriorityWeightAge=0 | python3 -c 'import json, sys
doc, schema = json.load(sys.stdin), json.load(open(sys.argv[1]))
assert set(doc) == set(schema["properties"]) == set(schema["required"]) | {"if"}
for r in doc["rows"]:
    assert set(r) == set(schema["$defs"]["row"]["required"]) == set(schema["$defs"]["row"]["properties"])
    assert set(r["before"]) == set(schema["$defs"]["numbers"]["required"])' "$BATS_TEST_DIRNAME/../../man/fs-weights-2.schema.json"
}

@test "--weights-report refuses options of rows and columns" {
	for o in -l -n -w '-o %i' '-S i' '-u dana' -P '--at +1d'; do run -2 fs-prio --demo --weights-report $o; done
}

@test "--weights-report notes usage without a half-life and its resets" {
	run -0 --separate-stderr fs-prio --demo --as root --weights-report
	[[ $output != *half-life* ]]
	run -0 --separate-stderr fs-prio --demo --as root --weights-report --if PriorityDecayHalfLife=0 --if PriorityUsageResetPeriod=NONE
	[[ $output == *'Usage has no half-life: it never decays.'* ]]
	run -0 --separate-stderr fs-prio --demo --as root --weights-report --if PriorityDecayHalfLife=0 --if PriorityUsageResetPeriod=MONTHLY
	[[ $output == *'Usage has no half-life: it never decays, but is reset periodically.'* ]]
}

@test "priorities set by an administrator do not count, also in releases whose sprio prints terms for them" {
	export FS_USER=root
	sed '1s/slurm 26.11.0/slurm 22.05.8/; /"id":812154,/s/"partitions":\["gpu"\]/"partitions":["gpu","debug"]/; /"id":812154,/s/"priority":[0-9]*/"priority":500,"priority_set":500/' \
		"$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
	fs-prio -f s.jsonl -j 812154 | grep -q 214748364
	fs-prio -f s.jsonl --weights-report | absent 214748364
	diff <(fs-prio -f s.jsonl --weights-report | grep -o 'compares [0-9]* rows') \
		<(fs-prio --demo --weights-report | grep -o 'compares [0-9]* rows' | awk '{ print $1, $2 - 1, $3 }')
}
