#!/usr/bin/env bats
# fs-diff: sources of its states, sums of terms, refused arguments.

load lib

top=$BATS_TEST_DIRNAME/../top

# adds_up FILE: the changes of each job's terms add up to sum_change; sum_change and rest_change to the priority change.
adds_up() {
	python3 - "$1" <<-'END'
	import json, sys
	n = 0
	for job in json.load(open(sys.argv[1]))["jobs"]:
	    if job["sum_change"] is None:
	        continue
	    n += 1
	    before, after = job["priority"]["before"], job["priority"]["after"]
	    assert abs(sum(t["change"] for t in job["terms"]) - job["sum_change"]) < 1e-6, job
	    assert abs(job["sum_change"] + job["rest_change"] - (after - before)) < 1e-6, job
	    assert before != after and abs(job["rest_change"]) < 1.000001, job
	assert n > 0
	END
}

@test "comparing a state with itself shows no difference" {
	for f in odyssey maui later; do
		fs-diff "$top/$f.jsonl" "$top/$f.jsonl" --json >doc
		python3 -c 'import json, sys; d = json.load(open("doc")); sys.exit(bool(d["jobs"] or d["shares"]))'
	done
	fs-diff --demo --at +0 --json >doc
	python3 -c 'import json, sys; d = json.load(open("doc")); sys.exit(bool(d["jobs"] or d["shares"]))'
	cp "$BATS_TEST_DIRNAME"/examples/flux.jsonl .
	fs-diff flux.jsonl flux.jsonl | grep -q '^PENDING JOBS: 0 of 7 rows differ$'
}

# Slurm computes the priority of a job again at each update, with the age of that time.
@test "an edit and its inverse change only the age" {
	fs-diff --demo --as root --json --no-plan --if 'scontrol update job 812154 TimeLimit=60 NumNodes=2 Nice=3' \
		--if 'scontrol update job 812154 TimeLimit=1-0 NumNodes=1 Nice=0' >doc
	python3 -c 'import json
d = json.load(open("doc"))
assert not d["shares"] and [j["jobid"] for j in d["jobs"]] == [812154], d
assert [t["factor"] for t in d["jobs"][0]["terms"] if t["change"]] == ["age"], d["jobs"]'
}

@test "terms add up to the change for every kind of second state" {
	fs-diff "$top/odyssey.jsonl" "$top/later.jsonl" --json >doc && adds_up doc
	fs-diff --demo --at +2d --json >doc && adds_up doc
	fs-diff --demo --algorithm=classic --json >doc && adds_up doc
	fs-diff --demo --as root --json --if PriorityWeightAge=70000 --if 'sacctmgr modify qos high set priority=3' >doc
	adds_up doc
	fs-diff --demo --as root --json --if 'scontrol update job 812154 Priority=5' >doc && adds_up doc
}

@test "the printed terms of a job add up to the last digit" {
	fs-diff --demo --as root --job 812154 --if 'scontrol update job 812154 Partition=shared Nice=77' --if PriorityWeightAge=33 |
		sed -n '/^FACTOR/,/^PRIORITY/p' >sum
	python3 - <<-'END'
	from decimal import Decimal
	rows = [line.rsplit(None, 1) for line in open("sum")][1:]
	values = {name.strip(): Decimal(value) for name, value in rows}
	total, rest = values.pop("PRIORITY"), values.pop("dropped or rounded", Decimal(0))
	sum_ = values.pop("sum")
	assert len(values) > 4 and sum(values.values()) == sum_ and sum_ + rest == total, rows
	END
}

@test "jobs are marked as new, started or gone" {
	job='"type":"job","state":"PENDING","submit_time":1,"eligible_time":1,"user":"u","partitions":["p"]'
	config='{"type":"config","PriorityType":"priority/multifactor","PriorityWeightPartition":10}'
	snapshot "$config" "{\"id\":1,$job}" "{\"id\":2,$job}" "{\"id\":3,$job}"
	mv s.jsonl a.jsonl
	snapshot "$config" "{\"id\":2,$job}" "{\"id\":3,${job/PENDING/RUNNING}}" "{\"id\":4,$job}"
	run -0 fs-diff a.jsonl s.jsonl
	[[ $output == *'1      gone     p '* ]]
	[[ $output == *'3      started  p '* ]]
	[[ $output == *'4      new      p '* ]]
	[[ $output == *'PENDING JOBS: 1 of 1 rows differ'* ]] # job 2 is first now
}

@test "a pipe is read only once" {
	fs-diff --as root -f "$top/odyssey.jsonl" --if 'scontrol hold 812154' >file
	fs-diff --as root - --if 'scontrol hold 812154' <"$top/odyssey.jsonl" >pipe
	diff <(sed 1,3d file) <(sed 1,3d pipe)
	run -2 fs-diff - --usage=computed <"$top/odyssey.jsonl"
}

@test "fs-diff requires exactly two valid states" {
	run -2 fs-diff --demo
	[[ $output == *'nothing to compare: '* ]]
	run -2 fs-diff a b c
	[[ $output == *'unexpected argument "c"'* ]]
	run -2 fs-diff --demo "$top/odyssey.jsonl" x
	run -0 fs-diff --demo "$top/odyssey.jsonl"
	run -1 fs-diff "$top/odyssey.jsonl" nosuch
	run -3 fs-diff "$top/odyssey.jsonl" "$top/broken.jsonl"
	run -2 fs-diff --demo --if nonsense
	run -2 fs-diff --demo --at +1d --json --markdown
	FS_SNAPSHOT=$top/odyssey.jsonl run -0 fs-diff --at +1d
}

@test "--job, --user and --account select rows" {
	edit='sacctmgr modify account quantum set fairshare=30'
	run -4 fs-diff --demo --job 1 --if "$edit" --as root
	[ "$output" = 'fs-diff: --job: no job 1 before or after the changes' ]
	run -2 fs-diff --demo --job x --if "$edit" --as root
	fs-diff --demo --as root --user emil --json --if PriorityWeightAge=0 >doc
	python3 -c 'import json; d = json.load(open("doc")); assert d["jobs"] and {j["user"] for j in d["jobs"]} == {"emil"}'
	fs-diff --demo --as root --account astro --json --if PriorityWeightAge=0 >doc
	python3 -c 'import json; d = json.load(open("doc")); assert d["jobs"] and {j["account"] for j in d["jobs"]} == {"astro"}'
}

@test "fs-diff --markdown escapes control and table characters in user text" {
	job='"type":"job","id":1,"state":"PENDING","submit_time":1,"eligible_time":1,"nice":5,"user":"a|b\u001b[31m","partitions":["p|q"]'
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}' "{$job,\"priority\":9}"
	run -0 --separate-stderr fs-diff --as root s.jsonl --markdown --if 'scontrol update job 1 Priority=700'
	[[ $output != *$'\x1b'* ]]
	[[ $output == *'| p\|q | a\|b^[[31m |'* ]]
}

@test "fs-diff attributes a rank change to the account whose usage rose" {
	# the usage of astro grew more than that of plasma, so plasma's fraction of their total fell
	run -0 fs-diff --demo --as root --at +2d --user anna
	[[ $output == *'astro was passed by plasma in physics: usage of astro rose from 57.9 to 60.4 %'* ]]
	run -0 fs-diff --demo --as root --at +2d --user bob
	[[ $output == *'plasma passed astro in physics: usage of astro rose from 57.9 to 60.4 %'* ]]
}

@test "a job's page shows why its fair-share factor changed" {
	run -0 fs-diff --demo --as root --at +2d --job 812064
	[[ $output == *'anna  astro    -0.111111  astro was passed by plasma in physics: '* ]]
	[[ $output != *SHARES* ]]
	fs-diff --demo --as root --at +2d --job 812064 --json >doc
	python3 -c 'import json; s, = json.load(open("doc"))["shares"]; assert (s["account"], s["user"], len(s["causes"])) == ("astro", "anna", 1)'
}

@test "a share row shows only the columns that differ" {
	run -0 fs-diff --demo --as root --if 'sacctmgr modify account chemistry set fairshare=60'
	[[ $output == *'ACCOUNT    USER       SHARES    NORMSHARES            RAWUSAGE  EFF'* ]]
	[[ $output == *'biology               20        0.186916 -> 0.145985  81224771 '* ]]
	run -0 fs-diff --demo --as root --user dana --at +1h
	[[ $output == *'SHARES: 1 row differs'* && $output != *NORMSHARES* ]]
}

@test "a cause of a rank change does not show numbers of a user hidden by PrivateData" {
	state() { # FILE SHARES USAGE: ann (usage 40) and bob in account a
		snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightFairShare":1000,"PriorityDecayHalfLife":604800,"PrivateData":["usage","accounts"]}' \
			'{"type":"association","id":1,"account":"root","usage_tres_s":100}' \
			'{"type":"association","id":2,"account":"a","parent":"root","shares":1,"usage_tres_s":100}' \
			'{"type":"association","id":3,"account":"a","user":"ann","shares":1,"usage_tres_s":40}' \
			'{"type":"association","id":4,"account":"a","user":"bob","shares":'"$2"',"usage_tres_s":'"$3"'}'
		mv s.jsonl "$1"
	}
	state before.jsonl 1 60
	state shares.jsonl 20 60
	state usage.jsonl 1 5
	run -0 fs-diff before.jsonl shares.jsonl --as ann
	[[ $output == *"ann was passed by a hidden user in a: shares of a hidden user rose"* && $output != *"rose from"* ]]
	run -0 fs-diff before.jsonl usage.jsonl --as ann
	[[ $output == *"ann was passed by a hidden user in a: usage of a hidden user fell"* && $output != *"fell from"* ]]
	run -0 fs-diff before.jsonl shares.jsonl --as root
	[[ $output == *"ann was passed by bob in a: shares of bob rose from 1 to 20"* ]]
}

@test "the first line warns if the snapshots are of different clusters" {
	snapshot '{"type":"job","id":1,"state":"PENDING","user":"u","submit_time":5}'
	sed '1s/"cluster":"[^"]*"/"cluster":"other"/' s.jsonl >other.jsonl
	run -0 fs-diff s.jsonl other.jsonl --as root
	[[ ${lines[0]} == "DIFFERENT CLUSTERS: "*" and other. Jobs with the same number are not the same jobs." ]]
	run -0 fs-diff s.jsonl s.jsonl --as root
	[[ ${lines[0]} == "before "* ]]
}

@test "jobs that are not eligible keep a computed priority" {
	sed '/"id":812299,/s/"reason":"Dependency"/&,"priority":77/' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >s.jsonl
	fs-diff --as root -f s.jsonl --if 'scontrol update JobId=812299 Nice=100' --json >doc
	adds_up doc
	python3 - <<-'END'
	import json
	j, = json.load(open("doc"))["jobs"]
	assert j["jobid"] == 812299 and j["sum_change"] == -100, j
	assert j["priority"]["before"] - j["priority"]["after"] == 100, j
	END
	fs-diff --as root -f s.jsonl --if 'sacctmgr modify account astro set fairshare=1' | awk '{ print $4, $5, $6 }' | absent '[0-9] -> -$'
}
