#!/usr/bin/env bats
# fs-share --solve: its commands reach the goal, its sums equal scalc's under scalc's assumptions, and it reports goals
# that are out of reach.

load lib

# classic DECAY_S RATE: an account below the root has 1363 of 1000000 shares and 0.000572 of all usage. A job of the other
# account uses RATE CPUs.
classic() {
	cat <<-END
		{"type":"snapshot","format":1,"time":1700000000,"priority_time":1700000000,"cluster":"c","scheduler":"slurm 22.05.8","usage_source":"exact"}
		{"type":"config","PriorityType":"priority/multifactor","PriorityFlags":["NO_FAIR_TREE"],"PriorityDecayHalfLife":$1,"PriorityCalcPeriod":300,"PriorityWeightFairShare":1000,"PriorityMaxAge":604800,"AccountingStorageEnforce":["limits"]}
		{"type":"tres","name":"cpu","id":1}
		{"type":"tres","name":"billing","id":5}
		{"type":"node","name":"n","cpus":1000,"partitions":["p"],"tres":{"cpu":1000}}
		{"type":"partition","name":"p","job_factor":1,"tier":1,"max_time_s":"unlimited","tres":{"cpu":1000}}
		{"type":"association","account":"root","id":1,"usage_tres_s":0}
		{"type":"association","account":"test_lab","id":2,"parent":"root","shares":1363,"usage_tres_s":0}
		{"type":"association","account":"test_lab","id":3,"user":"me","shares":1,"usage_tres_s":5720000000}
		{"type":"association","account":"others","id":4,"parent":"root","shares":998637,"usage_tres_s":0}
		{"type":"association","account":"others","id":5,"user":"you","shares":1,"usage_tres_s":9994280000000}
		{"type":"job","id":9,"state":"RUNNING","start_time":1600000000,"time_limit_s":"unlimited","user":"you","account":"others","association":5,"partitions":["p"],"cpus":$2,"tres_alloc":{"cpu":$2,"billing":$2}}
	END
}

# still: the same without new usage
still() { classic 604800 0 >still.jsonl; }

solve() { # QUESTION [OPTION...]
	local q=$1
	shift
	fs-share --as root --json --solve "$q" "$@"
}

field() { python3 -c 'import json, sys
d = json.load(open("doc"))
s = {x["moment"]: x for x in d["states"]}
print(eval(sys.argv[1]))' "$1"; }


@test "fs-share --if confirms each answer, and one share less misses" {
	local q who
	while IFS='|' read -r who q; do
		# shellcheck disable=SC2086 # words
		solve "$q" --demo $who >doc
		# shellcheck disable=SC2086
		python3 - $who <<'PY'
import json, subprocess, sys
d = json.load(open("doc"))
s = {x["moment"]: x for x in d["states"]}
assert d["possible"] and d["commands"], d
words = [w for c in d["commands"] for w in ("--if", c)]
rows = json.loads(subprocess.run(["fs-share", "--demo", "--as", "root", "-a", "--json", *words],
                                 capture_output=True, text=True, check=True).stdout)["rows"]
row = [r for r in rows if r["account"] == d["subject"]["account"] and r["user"] == d["subject"]["user"]][0]
key = {"factor": "fairshare", "rank": "rank", "level": "level_fs"}[d["goal"]["kind"]]
assert row[key] == s["then"][key] >= d["goal"]["value"] > s["now"][key], (row, d)
assert s["then"]["amount"] == s["short"]["amount"] + 1 and s["short"][key] < d["goal"]["value"], s
PY
	done <<-'END'
		-A quantum -u dana|shares factor=0.74
		-A quantum -u dana|shares rank=20
		-A genomics -u lena|shares rank=10 of=biology
		-A genomics -u lena|shares rank=10 of=biology from=physics
		-A genomics|shares level=1
	END
	solve 'shares rank=10 of=biology from=physics' --demo -A genomics -u lena >doc
	[ "$(field 's["now"]["amount"] + s["now"]["from"] == s["then"]["amount"] + s["then"]["from"]')" = True ]
}

@test "--solve answers for Flux's banks and users" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/flux/living.tar.xz"
	fs-snap import flux main -o flux.jsonl 2>/dev/null
	solve 'shares factor=0.66' -f flux.jsonl -A cfd -u gus >doc
	[ "$(field 'd["commands"]')" = "['flux account edit-user gus --bank=cfd --shares=6']" ]
	solve 'shares factor=0.7 of=eng' -f flux.jsonl -A cfd -u gus >doc
	[ "$(field 'd["commands"]')" = "['flux account edit-bank eng --shares=41']" ]
	fs-share -f flux.jsonl --as root -a --json --if 'flux account edit-bank eng --shares=41' 2>/dev/null >rows
	python3 -c 'import json
r, = [r for r in json.load(open("rows"))["rows"] if r["account"] == "cfd" and r["user"] == "gus"]
s = {x["moment"]: x for x in json.load(open("doc"))["states"]}
assert r["fairshare"] == s["then"]["fairshare"] >= 0.7 > s["short"]["fairshare"], (r, s)'
}

@test "shares for a factor and for hardware equal scalc's sums" {
	still
	# scalc keeps the total of shares: the other account gives the shares.
	solve 'shares factor=0.9 from=others' -f still.jsonl -A test_lab >doc
	# ceil(-0.000572 * 1000000 / log2(0.9))
	[ "$(field 'int(s["then"]["amount"])')" = 3764 ]
	[ "$(field '0 <= s["then"]["fairshare"] - 0.9 < 1e-4')" = True ]
	# Without from= the total grows.
	solve 'shares factor=0.9' -f still.jsonl -A test_lab >doc
	[ "$(field 'int(s["then"]["amount"])')" = 3773 ]
	# 2 ** -(0.000572 * 1000000 / 488)
	fs-share -f still.jsonl --as root -A test_lab --json --if 'sacctmgr modify account test_lab set fairshare=488' \
		--if 'sacctmgr modify account others set fairshare=999512' >doc
	python3 -c 'import json; r = json.load(open("doc"))["rows"][0]; assert abs(r["fairshare"] - 2 ** -(572 / 488)) < 1e-9, r'
	# A tenth of the hardware is worth a tenth of a million shares.
	solve 'hardware tres=cpu=10 have=cpu=100' -f still.jsonl -A test_lab >doc
	[ "$(field 's["then"]["amount"] - s["now"]["amount"]')" = 100000 ]
}

@test "the time to a factor equals scalc's at constant total usage" {
	local half
	for half in 3:4.396 7:10.258; do
		# In each period the other job adds the usage that decays.
		python3 -c "q = (1 - 0.693 / (${half%:*} * 86400)) ** 300; print(round(1e13 * (1 - q) / (300 * q)))" >rate
		classic "$((${half%:*} * 86400))" "$(cat rate)" >steady.jsonl
		solve 'time factor=0.9' -f steady.jsonl -A test_lab >doc
		python3 -c "import json
t = {x['assumption']: x for x in json.load(open('doc'))['times']}
assert t['idle']['never'] and t['idle']['time'] is None, t
days = (t['as_now']['time'] - 1700000000) / 86400
assert abs(days - ${half#*:}) < 0.01, (days, t)
assert t['as_now']['fairshare_before'] < 0.9 <= t['as_now']['fairshare'], t"
	done
}

@test "fs-share --at shows the rank at the time --solve prints" {
	solve 'time rank=14' --demo -A plasma -u carla >doc
	python3 - <<'PY'
import json, subprocess
d = json.load(open("doc"))
came = 0
for t in d["times"]:
    if t["time"] is None or t["assumption"] != "running":
        continue
    came += 1
    for at, rank in ((t["time"], t["rank"]), (t["time"] - 300, t["rank_before"])):
        rows = json.loads(subprocess.run(["fs-share", "--demo", "--as", "root", "-a", "--json", "--at", str(at)],
                                         capture_output=True, text=True, check=True).stdout)["rows"]
        r, = [r for r in rows if (r["account"], r["user"]) == ("plasma", "carla")]
        assert r["rank"] == rank, (t, r["rank"])
assert came, d
PY
}

@test "a job's cost and the factor after it equal scalc's" {
	still
	solve 'job tres=cpu=16 time=1-06:00:00 jobs=3' -f still.jsonl -A test_lab >doc
	[ "$(field 'd["cost"]["tres_s"]')" = 5184000 ]
	python3 -c 'import json
d = json.load(open("doc"))
s = {x["moment"]: x for x in d["states"]}
assert s["then"]["raw_usage"] == 5720000000 + 5184000
assert abs(s["then"]["fairshare"] - 2 ** -((5720000000 + 5184000) / 1e13 / 0.001363)) < 1e-6, s'
}

@test "the usage in the answer meets the goal, one second more misses" {
	still
	solve 'usage factor=0.9' -f still.jsonl -A test_lab >doc
	# u / (T - U + u) = -log2(0.9) * S
	[ "$(field 'abs(s["then"]["amount"] - (lambda x: x * 9994280000000 / (1 - x))(0.15200309344504997 * 0.001363)) <= 1')" = True ]
	[ "$(field 's["then"]["fairshare"] >= 0.9 > s["short"]["fairshare"]')" = True ]
	solve 'usage rank=20' --demo -A quantum -u dana >doc
	[ "$(field 's["then"]["rank"] >= 20 > s["short"]["rank"]')" = True ]
	solve 'usage rank=1' --demo -A quantum -u dana >doc
	[ "$(field 'd["possible"] and "short" not in s')" = True ]
}

@test "an unreachable goal prints the best possible value and why" {
	still
	run -0 fs-share --demo --as root -A quantum -u dana --solve 'shares rank=27'
	[[ $output == *'No number of shares of dana in quantum reaches rank 27: the best rank is 20'*'elsewhere in the tree'* ]]
	[[ $output != *sacctmgr* ]]
	solve 'shares rank=27' --demo -A quantum -u dana >doc
	[ "$(field '(d["possible"], d["commands"])')" = '(False, [])' ]
	run -0 fs-share --demo --as root -A quantum -u dana --solve 'time rank=27'
	[[ $output == *'no job runs from now on'*never* ]]
	# The factor of an idle user is at most that of the user's account.
	run -0 fs-share -f still.jsonl --as root -A test_lab -u me --solve 'shares factor=0.99'
	[[ ${output//$'\n'/ } == *'the highest possible factor is 0.747599;'* ]]
}

@test "--solve is refused for Maui's targets and windows" {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/maui/maui-3.5.tar.xz" --strip-components=1
	fs-snap import maui 01_john_seed/in --at 1600000060 -o s.jsonl
	run -1 fs-share -f s.jsonl --as root -u john --solve 'usage factor=2'
	[[ $output == *'not support'* ]]
}

@test "invalid questions are refused with a message" {
	local q
	while IFS='|' read -r q; do
		run -2 --separate-stderr fs-share --demo --as root -A quantum -u dana --solve "$q"
		[ -n "$stderr" ] && [ -z "$output" ]
	done <<-'END'
		when factor=0.5
		shares
		shares factor=2
		shares factor=nan
		shares factor
		shares rank=1.5
		shares nice=3
		time level=1
		job tres=cpu=1 time=1h
		job tres=cpu=1 partition=gpu
		job tres=zebra=1 time=1h partition=gpu
		job tres=cpu=1 time=1h partition=none
		hardware partition=gpu
		shares factor=0.5 from=
	END
	sed '/"type":"partition"/d; 1s/,"records":{[^}]*}//' "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" >no_partitions.jsonl
	run -1 --separate-stderr fs-share -f no_partitions.jsonl --as root -A quantum -u dana --solve 'job tres=cpu=1 time=1h'
	[[ $stderr == *"cannot compute a cost: the snapshot has no partitions"* ]]
	run -2 fs-share --demo --as root -A quantum --solve 'shares factor=0.5'
	run -2 fs-share --demo --as root -a --solve 'shares factor=0.5'
	run -4 fs-share --demo --as root -A quantum -u dana --solve 'shares factor=0.5 of=nobody'
	run -4 fs-share --demo --as root -A quantum -u dana --solve 'shares factor=0.5 from=nobody'
	run -2 fs-share --demo --solve 'shares factor=0.5' --forecast
	run -2 fs-share --demo --solve 'shares factor=0.5' --at +1d
	run -2 fs-share --demo --solve 'shares factor=0.5' --json=slurm
}

@test "the document has exactly the keys of its schema" {
	local q
	for q in 'shares rank=20' 'time rank=20' 'job tres=cpu=1 time=1h partition=gpu' 'hardware tres=cpu=8 partition=gpu'; do
		solve "$q" --demo -A quantum -u dana >out.json
		python3 -c 'import json, sys
def keys(v, schema, root):
    schema = root["$defs"][schema["$ref"].split("/")[-1]] if "$ref" in schema else schema
    if isinstance(v, dict) and "properties" in schema:
        known = set(schema["properties"]) - {"if"}
        assert set(v) == known == set(schema["required"]), (set(v) ^ known)
        for k in v: keys(v[k], schema["properties"][k], root)
    if isinstance(v, list):
        for x in v: keys(x, schema["items"], root)
s = json.load(open(sys.argv[1]))
keys(json.load(open("out.json")), s, s)' "$BATS_TEST_DIRNAME/../../man/fs-solve-1.schema.json"
	done
}

@test "answers say 1 share, and suggest an account above only if possible" {
	run -0 fs-share --demo -u dana -A quantum --solve 'hardware tres=cpu=128,mem=1T partition=shared'
	[[ ${output//$'\n'/ } == *'worth 1 share more to dana in quantum.'* ]]
	run -0 fs-share --demo -u dana -A quantum --solve 'shares factor=0.85 of=chemistry from=physics'
	[[ $output == *'the best rank is 19 of'* && $output != *'account above'* ]]
	run -0 fs-share --demo -u emil -A quantum --solve 'shares level=0.1'
	[[ $output == *'LevelFS 0.1 requires 1 share of emil in quantum (now 1).'* ]]
	run -0 fs-share --demo -u dana -A quantum --solve 'shares rank=20'
	[[ $output == *'Rank 20 requires '* ]]
	run -0 fs-share --demo -u dana -A quantum --solve 'shares factor=0.9'
	[[ ${output//$'\n'/ } == *'an account above'* ]]
}
