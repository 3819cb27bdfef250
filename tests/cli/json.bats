#!/usr/bin/env bats
# JSON output is valid by the installed schemas, has exact integers and no tokens outside of JSON, and its sums add up.

load lib

schemas=$BATS_TEST_DIRNAME/../../man

# PY: a python that has jsonschema, or an empty string
setup_file() {
	for PY in python3 /usr/bin/python3 ''; do
		[ -z "$PY" ] || ! "$PY" -W ignore -c 'import jsonschema' 2>/dev/null || break
	done
	export PY
}

py() {
	[ "$PY" ] || skip "python3-jsonschema is not installed"
	"$PY" -W ignore "$@"
}

# follows NAME: out.json is valid by the schema NAME.
follows() {
	py -m jsonschema -i out.json "$schemas/$1"-[0-9].schema.json 2>errors || { cut -c1-300 errors; return 1; }
}

# valid COMMAND...: the command's JSON is valid by the schema of its name. Leaves it in out.json.
valid() {
	"$@" --json >out.json
	follows "$1"
}

# finds_nothing COMMAND...: the command exits with status 4 and prints valid JSON. Leaves it in out.json.
finds_nothing() {
	run -4 --separate-stderr "$@" --json
	printf '%s\n' "$output" >out.json
	follows "$1"
}

# reports OPTION...: the report of fs-share is valid JSON. Leaves it in out.json.
reports() {
	fs-share "$@" --json >out.json
	follows fs-usage
}

# ask EXPRESSION: prints the value of a python expression on out.json (`doc`) and its `rows`. Refuses NaN, Infinity and
# duplicate keys.
ask() {
	python3 -c '
import json, sys

def no_constant(word):
    raise ValueError(word + " in JSON")

def no_duplicates(pairs):
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)

with open("out.json", encoding="utf-8") as f:
    doc = json.load(f, parse_constant=no_constant, object_pairs_hook=no_duplicates)
rows = doc.get("rows")
print(eval(sys.argv[1]))
' "$1"
}

# is EXPRESSION VALUE: python prints VALUE for the expression.
is() {
	run -0 ask "$1"
	[ "$output" = "$2" ] || { echo "$1 is $output, not $2"; return 1; }
}

root='{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}'
weights='{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityWeightFairShare":1000,"PriorityWeightJobSize":100,"PriorityWeightTRES":"cpu=10"}'
cpu='{"type":"tres","id":1,"name":"cpu"}'

@test "fs-share and fs-prio print valid JSON for every algorithm and selection" {
	local a
	for a in fair_tree classic depth_oblivious; do
		valid fs-share --demo -a --algorithm "$a"
		is 'doc["algorithm"], len(rows), doc["ranked_users"]' "('$a', 38, 27)"
		valid fs-prio --demo --algorithm "$a"
		is 'len(rows) > 40' True
	done
	valid fs-share --demo -a -U --sort -levelfs,user
	finds_nothing fs-share --demo -A nosuch
	is rows '[]'
	finds_nothing fs-prio --demo -u nosuch
	is rows '[]'
}

@test "fs-explain --json is valid for jobs, users, accounts and comparisons" {
	local id
	for id in $(fs-prio --demo -h -o '%i ' | tr ' ' '\n' | sort -un | sed -n '1~9p') 812233 812287 812295 812299 812002; do
		valid fs-explain --demo "$id"
		is 'doc["kind"], doc["job"]["jobid"]' "('job', $id)"
	done
	valid fs-explain --demo 812154 --algorithm depth_oblivious
	valid fs-explain --demo 812154 --versus 812168
	is 'doc["first"], doc["key"], doc["factor"], doc["parting_level"]' "('b', 'priority', 'fairshare', 2)"
	valid fs-explain --demo anna
	is 'doc["kind"], [a["account"] for a in doc["associations"]]' "('user', ['biology', 'genomics', 'astro'])"
	valid fs-explain --demo physics --algorithm classic
	valid fs-explain --demo emil --versus carla
	is 'doc["first"], doc["parting_level"]' "('a', 0)"
}

@test "fs-explain --json is valid for Flux and Maui" {
	local cases=$BATS_TEST_DIRNAME/../cases id
	export FS_USER=root
	tar -xJf "$cases/flux/sample.tar.xz"
	fs-snap import flux sample -o f.jsonl
	for id in f2dTAM4jKm 212841399320576 212652420759552 212978838274048 213081917489152; do
		valid fs-explain -f f.jsonl "$id"
	done
	valid fs-explain -f f.jsonl boris --algorithm flux_range
	valid fs-explain -f f.jsonl physics
	tar -xJf "$cases/maui/maui-3.5.tar.xz"
	fs-snap import maui maui-3.5/06_caps_boundary/in --at 1600000060 -o m.jsonl
	valid fs-explain -f m.jsonl 302
	is 'doc["verdict"], doc["blocked_by_cap"]["need"]' "('limit', 240)"
	fs-snap import maui maui-3.5/19_caps_components/in --at 1600000060 -o m.jsonl
	valid fs-explain -f m.jsonl 101
	valid fs-explain -f m.jsonl john
}

@test "the document begins with schema and snapshot" {
	valid fs-share --demo
	is 'list(doc)' "['schema', 'snapshot', 'algorithm', 'ranked_users', 'rows']"
	is 'doc["schema"], doc["snapshot"]["cluster"], doc["snapshot"]["time"]' "('fs-share/1', 'odyssey', 1795190460)"
	valid fs-prio --demo
	is 'list(doc)' "['schema', 'snapshot', 'rows', 'blocked']"
	is 'doc["schema"]' fs-prio/1
}

@test "the schemas reject unknown keys and values outside of their range" {
	fs-share --demo -a --json >share.json
	fs-prio --demo --json >prio.json
	fs-share --demo --spent --json >usage.json
	py -c '
import glob, json, jsonschema, sys
for line in sys.stdin:
    name, key, value = line.split()
    doc = json.load(open(name + ".json"))
    schema = json.load(open(glob.glob(sys.argv[1] + "/fs-" + name + "-[0-9].schema.json")[0]))
    jsonschema.validate(doc, schema)
    exec("doc" + key + " = " + value)
    try:
        jsonschema.validate(doc, schema)
    except jsonschema.ValidationError:
        continue
    sys.exit(line.strip() + " passes")' "$schemas" <<-'EOF'
	share ["rows"][1]["new"] 1
	share ["rows"][1]["norm_usage"] "inf"
	share ["rows"][1]["fairshare"] 1.5
	share ["rows"][1]["level_fs"] "infinite"
	share ["rows"][1]["rank"] 0
	share ["rows"][1]["id"] 1.5
	share ["schema"] "fs-share/2"
	prio ["rows"][1]["new"] 1
	prio ["rows"][1]["sum"] "inf"
	prio ["rows"][1]["priority"] 1.5
	prio ["rows"][1]["priority"] -1
	prio ["rows"][1]["terms"][0]["factor"] "luck"
	prio ["rows"][1]["terms"][0]["new"] 1
	prio ["rows"][1]["accrue"]["state"] "asleep"
	prio ["rows"][1]["jobid"] "7"
	prio ["rows"][1]["jobid"] 18446744073709551616
	usage ["rows"][1]["new"] 1
	usage ["rows"][1]["tres_s"] None
	usage ["rows"][1]["tres_s"] -1
	usage ["rows"][1]["top_jobs"][0]["jobid"] "7"
	usage ["rows"][1]["top_jobs"][0]["new"] 1
	usage ["rows"][1]["after_half_lives"]["3"] 1
	usage ["report"] "bill"
	usage ["schema"] "fs-usage/1"
	EOF
}

@test "unknown or inapplicable values of shares are null" {
	snapshot "$cpu" '{"type":"association","id":1,"account":"root"}' \
		'{"type":"association","id":2,"account":"a","parent":"root","shares":1}' \
		'{"type":"association","id":3,"account":"a","user":"u","shares":1}' \
		'{"type":"association","id":4,"account":"a","user":"v","shares":"parent","usage_tres_s":5}'
	valid fs-share -f s.jsonl -a
	is '[r["raw_usage"] for r in rows]' '[None, None, None, 5]'
	is '[r["fairshare"] for r in rows]' '[None, None, None, None]'
	is '[r["rank"] for r in rows]' '[None, None, None, None]'
	is '[r["raw_shares"] for r in rows]' "[None, 1, 1, 'parent']"
	is '[(r["user"], r["partition"], r["parent"]) for r in rows[:2]]' "[(None, None, None), (None, None, 'root')]"
	is 'rows[0]["tres_run_mins"], rows[0]["grp_tres_raw"]' '(None, None)'
	is 'doc["snapshot"]["priority_time"], doc["snapshot"]["usage_source"]' '(None, None)'
}

@test "one unknown factor makes sum and priority null, not other factors" {
	snapshot "$cpu" "$weights" "$root" '{"type":"association","id":2,"account":"root","user":"u","shares":1,"usage_tres_s":1}' \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"user":"u","account":"root"}'
	valid fs-prio -f s.jsonl
	is 'rows[0]["sum"], rows[0]["priority"], rows[0]["partition"], rows[0]["qos"]' '(None, None, None, None)'
	is '{t["factor"]: t["points"] for t in rows[0]["terms"] if t["weight"] > 1}' \
		"{'age': 0, 'fairshare': 1000, 'jobsize': None, 'tres/cpu': None}"
}

@test "only infinite levels are the string inf" {
	snapshot "$root" '{"type":"association","id":2,"account":"root","user":"u","shares":1,"usage_tres_s":0}' \
		'{"type":"association","id":3,"account":"root","user":"v","shares":1,"usage_tres_s":9}'
	valid fs-share -f s.jsonl -a
	is '[r["level_fs"] for r in rows]' "[None, 'inf', 0.5]"
	run -0 fs-share -f s.jsonl -a --json=slurm
	[[ $output != *[Ii]nfinity* ]]
}

@test "integers of 64 bits stay exact" {
	local big=9007199254740993 max=18446744073709551615
	snapshot "$cpu" "$weights" \
		"{\"type\":\"association\",\"id\":1,\"account\":\"root\",\"shares\":1,\"usage_tres_s\":0,\"grp_tres_min\":{\"cpu\":$big}}" \
		"{\"type\":\"job\",\"id\":$big,\"state\":\"PENDING\",\"eligible_time\":900}" \
		"{\"type\":\"job\",\"id\":$max,\"state\":\"PENDING\",\"eligible_time\":900}"
	valid fs-prio -f s.jsonl
	is '[r["jobid"] for r in rows]' "[$big, $max]"
	valid fs-share -f s.jsonl
	is 'rows[0]["grp_tres_mins"]' "{'cpu': $big}"
}

@test "a priority set by an administrator is direct and has zero terms" {
	snapshot "$cpu" "$weights" "$root" \
		'{"type":"job","id":7,"state":"PENDING","eligible_time":900,"priority":4000000000,"priority_set":4000000000,"nice":5}'
	valid fs-prio -f s.jsonl
	is 'rows[0]["direct"], rows[0]["priority"], rows[0]["sum"]' '(True, 4000000000, 4000000000)'
	is 'set(t["points"] for t in rows[0]["terms"])' '{0}'
	valid fs-prio --demo
	is '[r["jobid"] for r in rows if r["direct"]]' '[812306]'
}

@test "points equal value times weight and add up to the priority" {
	valid fs-prio --demo
	is 'max(abs(sum(t["points"] for t in r["terms"]) - r["sum"]) for r in rows if not r["direct"]) < 1e-6' True
	is 'max(abs(t["value"] * t["weight"] - t["points"]) for r in rows for t in r["terms"]) < 1e-6' True
	is '[r["jobid"] for r in rows if r["priority"] != max(1, int(r["sum"]))]' '[]'
	is 'len(set(tuple(t["factor"] for t in r["terms"]) for r in rows))' 1
}

@test "JSON and the table show the same numbers" {
	valid fs-share --demo -a
	fs-share --demo -a -P -h -o ID,NormShares,NormUsage,EffectvUsage,FairShare >table
	ask '"\n".join("|".join([str(r["id"])] + ["" if r[k] is None else "%f" % r[k] for k in ("norm_shares", "norm_usage", "effective_usage", "fairshare")]) for r in rows)' >numbers
	diff table numbers
	valid fs-prio --demo
	fs-prio --demo -h -o '%i|%r|%u|%o|%n|%Y|%F' >table
	ask '"\n".join("%d|%s|%s|%s|%s|%d|%.0f" % (r["jobid"], r["partition"], r["user"], r["account"], r["qos"], r["priority"], r["terms"][2]["points"]) for r in rows)' >numbers
	diff table numbers
}

@test "names with quotes and control bytes stay valid JSON" {
	snapshot "$root" '{"type":"association","id":2,"account":"root","user":"q\"\\\u001b\u007fé","shares":1,"usage_tres_s":1}'
	valid fs-share -f s.jsonl -a
	is 'ascii(rows[1]["user"])' "'q\"\\\\\\x1b\\x7f\\xe9'"
	fs-share -f s.jsonl -a --json=slurm >out.json
	is 'ascii(doc["shares"]["shares"][1]["name"])' "'q\"\\\\\\x1b\\x7f\\xe9'"
}

@test "accrue names the limit that stops a job from ageing" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","AccountingStorageEnforce":["limits"]}' \
		"$root" '{"type":"qos","name":"q","priority":1,"max_jobs_accrue_per_user":1}' \
		'{"type":"job","id":5,"state":"PENDING","user":"u","account":"root","qos":["q"],"eligible_time":900,"accrue_time":900}' \
		'{"type":"job","id":6,"state":"PENDING","user":"u","account":"root","qos":["q"],"eligible_time":900}' \
		'{"type":"job","id":7,"state":"PENDING","user":"u","account":"root","qos":["q"],"eligible_time":900}' \
		'{"type":"job","id":8,"state":"PENDING","user":"v","account":"root","eligible_time":900}'
	valid fs-prio -f s.jsonl
	is '[r["accrue"]["state"] for r in rows]' "['ageing', 'waiting', 'waiting', 'room']"
	is 'list(rows[2]["accrue"].values())' "['waiting', 'MaxJobsAccruePerUser', 'q', 1, 1, 1]"
	is 'list(rows[3]["accrue"].values())' "['room', None, None, None, None, None]"
}

@test "Maui documents are valid, and points add up to the sum" {
	head='{"type":"snapshot","format":1,"time":1600000600,"cluster":"c","scheduler":"maui"}'
	snapshot '{"type":"config","FSPOLICY":"DEDICATEDPS","FSUSERWEIGHT":10,"FSCAP":3,"QUEUETIMECAP":5,"ENABLENEGJOBPRIORITY":true}' \
		'{"type":"credential","kind":"user","name":"ann","target":20}' \
		'{"type":"credential","kind":"user","name":"bob","target":20}' \
		'{"type":"window","start":1599998400,"kind":"user","name":"ann","usage_s":50}' \
		'{"type":"window","start":1599998400,"kind":"user","name":"bob","usage_s":-5}' \
		'{"type":"window","start":1599998400,"kind":"sched","usage_s":60}' \
		'{"type":"job","id":7,"state":"PENDING","user":"ann","cpus":1,"time_limit_s":60,"eligible_time":1600000000}' \
		'{"type":"job","id":8,"state":"PENDING","user":"bob","cpus":1,"time_limit_s":60,"eligible_time":1600000000}'
	valid fs-share -f s.jsonl -a
	is 'round(rows[2]["fairshare"], 3)' -63.333
	valid fs-prio -f s.jsonl
	is '[abs(sum(t["points"] for t in r["terms"]) - r["sum"]) < 1e-9 for r in rows]' '[True, True]'
	is '[round(r["sum"], 3) for r in rows]' '[8, -628.333]'
}

@test "reports of fs-share are valid and name their kind" {
	local a
	reports --demo --usage=compare -a
	is 'list(doc)[:3], doc["schema"], doc["report"]' "(['schema', 'snapshot', 'report'], 'fs-usage/2', 'compare')"
	is 'len(rows), doc["snapshot"]["cluster"]' "(38, 'odyssey')"
	for a in --decay=slurm --decay=exact --at=+2w --at=+10w; do
		reports --demo --usage=compare -a "$a"
		is 'len(rows)' 38
		reports --demo --spent "$a"
		is 'doc["report"], len(rows) > 10' "('spent', True)"
	done
	reports --demo --usage=compare -U -u dana -A astro
	is 'rows' '[]'
	reports --demo --spent=catalysis
	is '[r["user"] for r in rows]' "['gita']"
	reports --demo --grants
	is 'doc["report"], [r["account"] for r in rows]' "('grants', ['physics', 'chemistry'])"
	reports --demo --bill cpu=1,mem=1G
	is 'doc["report"], [r["rate"] for r in rows]' "('bill', [1, 1, 1, 1])"
}

@test "the terms of each report add up to its sums" {
	local near='lambda a, b: abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1)'
	reports --demo --spent
	is "(lambda near: all(near(t['tres_s'], t['rate'] * t['usage_factor'] * t['seconds']) for r in rows for t in r['top_jobs']))($near)" True
	is "(lambda near: near(doc['tres_s'], sum(r['tres_s'] for r in rows)))($near)" True
	is "(lambda near: all(near(r['tres_s'], sum(t['tres_s'] for t in r['top_jobs'])) for r in rows if r['jobs'] == len(r['top_jobs'])))($near)" True
	is 'all(r["tres_s"] > v["1"] > v["2"] > v["4"] > 0 for r in rows for v in [r["after_half_lives"]])' True
	reports --demo --usage=compare -a
	is "(lambda near: all(near(r['difference'], r['computed'] - r['recorded']) for r in rows))($near)" True
	is "(lambda near: near(rows[0]['computed'], sum(r['computed'] for r in rows if r['user']) + doc['deleted_user_tres_s']))($near)" True
	reports --demo --grants
	is "(lambda near: all(near(r['sum'], sum(g['shares'] for g in r['grants'])) for r in rows))($near)" True
	is "(lambda near: all(near(g['shares'], g['pool'] * g['fraction']) for r in rows for g in r['grants']))($near)" True
	snapshot "$cpu" '{"type":"tres","id":2,"name":"mem"}' '{"type":"config","PriorityFlags":["MAX_TRES"]}' \
		'{"type":"partition","name":"p","billing_weights":"CPU=1.5,Mem=0.3G"}' '{"type":"partition","name":"q"}'
	reports -f s.jsonl --bill cpu=3,mem=17G
	is "(lambda near: all(near(t['points'], t['amount'] * t['weight']) for r in rows for t in r['terms']))($near)" True
	is "(lambda near: all(near(r['rate'], sum(t['points'] for t in r['terms'] if t['counts'])) for r in rows))($near)" True
	is '[[t["counts"] for t in r["terms"]] for r in rows]' '[[False, True], [True]]'
}

@test "unknown values of reports are null" {
	snapshot "$cpu" "$weights" "$root" '{"type":"association","id":2,"account":"root","user":"u","shares":1}' \
		'{"type":"usage","job":18446744073709551615,"user":"u","account":"root","start_time":10,"end_time":20,"tres":{"billing":3}}' \
		'{"type":"grant","account":"lab","kind":"lab"}' '{"type":"tres","id":5,"name":"billing"}'
	reports -f s.jsonl --usage=compare -a
	is '[(r["recorded"], r["difference"]) for r in rows]' '[(None, None), (None, None)]'
	is 'doc["records"], doc["recorded_rate_jobs"], doc["oldest"]' '(1, 1, 10)'
	reports -f s.jsonl --spent
	is 'rows[0]["top_jobs"][0]["jobid"], rows[0]["top_jobs"][0]["rate"]' '(18446744073709551615, 3)'
	reports -f s.jsonl --grants
	is 'rows[0]["sum"], rows[0]["raw_shares"], list(rows[0]["grants"][0].values())' \
		"(None, None, ['lab', None, None, None, 1, None, None, None, 'the record has neither shares nor partitions'])"
	snapshot "$cpu" "$weights" "$root"
	reports -f s.jsonl --usage=compare -a
	is 'doc["oldest"], doc["records"]' '(None, 0)'
}

@test "--json=slurm prints the members of sshare's document" {
	fs-share --demo -a --json=slurm >out.json
	is 'sorted(doc)' "['errors', 'meta', 'shares', 'warnings']"
	is 'sorted(doc["shares"]), len(doc["shares"]["shares"])' "(['shares', 'total_shares'], 38)"
	is 'sorted(doc["meta"])' "['client', 'command', 'plugin', 'slurm']"
	is 'set(tuple(r) for r in doc["shares"]["shares"])' \
		"{('id', 'cluster', 'name', 'parent', 'partition', 'shares_normalized', 'shares', 'tres', 'effective_usage', 'usage_normalized', 'usage', 'fairshare', 'type')}"
	is 'doc["shares"]["shares"][1]["fairshare"]["level"]["infinite"]' True
	# sshare 24.05 prints infinity as a bare word, which is not JSON.
	fs-share --demo -a --json=slurm --compat 24.05 >bare.json
	sed 's/"level": Infinity$/"level": null/' bare.json >out.json
	differ bare.json out.json
	is 'doc["shares"]["shares"][1]["fairshare"]["level"]' None
}

@test "an unknown value of --json is a usage error" {
	run -2 --separate-stderr fs-share --demo --json=xml
	[[ $stderr == *xml* ]]
	[ -z "$output" ]
}

on_terminal() { # COMMAND...
	python3 -c 'import os, pty, sys
child, terminal = pty.fork()
if not child:
    os.execvp(sys.argv[1], sys.argv[1:])
try:
    while True:
        os.write(1, os.read(terminal, 4096))
except OSError:  # the command has closed its terminal
    pass' "$@"
}

@test "--json prints one line to files, and indents on terminals" {
	local c pretty
	for c in "fs-share --demo -a" "fs-prio --demo" "fs-showq --demo --plan" "fs-explain --demo 812154" \
		"fs-share --demo -a --spent" "fs-diff --demo --at +1d"; do
		$c --json >out.json
		[ "$(wc -l <out.json)" = 1 ]
		$c --json=pretty >pretty.json
		[ "$(sed -n 2p pretty.json | cut -c1-12)" = '  "schema": ' ]
		ask 'doc == json.load(open("pretty.json"))' | grep -qx True
		on_terminal $c --json | tr -d '\r' | cmp - pretty.json
		[[ $c == *explain* || $c == *share* ]] || run -2 $c --json=slurm
	done
}

@test "--jsonl prints the document without rows, then one row per line" {
	local c
	for c in "fs-share --demo -a" "fs-prio --demo" "fs-showq --demo --plan" "fs-share --demo --spent" \
		"fs-share --demo --grants" "fs-share --demo --bill cpu=3" "fs-share --demo -a --usage=compare"; do
		$c --json >out.json
		$c --jsonl >lines
		is 'rows == [json.loads(l) for l in open("lines")][1:] and rows != []' True
		is '{k: v for k, v in doc.items() if k != "rows"} == json.loads(open("lines").readline())' True
	done
	run -4 --separate-stderr fs-prio --demo -j 1 --jsonl
	[ "${#lines[@]}" = 1 ]
}

@test "fs-share --solve prints valid JSON" {
	local q
	for q in 'shares rank=20' 'shares rank=27' 'usage rank=20' 'shares rank=10 of=chemistry from=physics' 'time rank=20' \
		'job tres=cpu=1 time=1h partition=gpu' 'hardware tres=cpu=8 partition=gpu'; do
		fs-share --demo --as root -A quantum -u dana --json --solve "$q" >out.json
		follows fs-solve
	done
	fs-share --demo --as root -A chemistry --json --solve 'shares level=2' >out.json
	follows fs-solve
}

@test "fs-explain and fs-showq print unlimited for a job without time limit" {
	snapshot "$cpu" '{"type":"partition","name":"p"}' \
		'{"type":"job","id":1,"state":"PENDING","user":"u","account":"a","partitions":["p"],"time_limit_s":"unlimited","name":"1"}'
	fs-explain -f s.jsonl 1 --json >out.json
	follows fs-explain
	is 'doc["job"]["time_limit_s"]' unlimited
	fs-showq -f s.jsonl --json >out.json
	is '[r["time_limit_s"] for r in rows]' "['unlimited']"
}

@test "fs-share --forecast prints valid JSON for Slurm, Flux and Maui" {
	fs-share --demo --as root -a --forecast=+7d --json >out.json
	follows fs-forecast
	is 'list(doc), len(rows) > 20' "(['schema', 'snapshot', 'algorithm', 'ranked_users', 'rows'], True)"
	fs-share -f "$BATS_TEST_DIRNAME/examples/flux.jsonl" --as root -a --forecast --json >out.json
	follows fs-forecast
	tar -xJf "$BATS_TEST_DIRNAME/../cases/maui/maui-3.5.tar.xz"
	fs-snap import maui maui-3.5/06_caps_boundary/in --at 1600000060 -o m.jsonl
	fs-share -f m.jsonl --as root -a --forecast --json >out.json
	follows fs-forecast
}
