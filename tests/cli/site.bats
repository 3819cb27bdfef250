#!/usr/bin/env bats
# fs-explain --site: the page of the whole cluster.

load lib

# Two partitions, a limit that blocks jobs 3 and 4, a job that can never start, and a drained node.
site() {
	local head='{"type":"snapshot","format":1,"time":1700000000,"cluster":"c","scheduler":"slurm 26.11.0"}'

	snapshot "$@" '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":100,"PriorityWeightFairShare":100,"PriorityWeightQOS":0,"PriorityDecayHalfLife":0,"PriorityUsageResetPeriod":"NONE","SchedulerType":"sched/backfill","SchedulerParameters":"bf_window=60,bf_max_job_test=1","AccountingStorageEnforce":["associations","limits","qos"]}' \
		'{"type":"tres","id":1,"name":"cpu"}' '{"type":"tres","id":4,"name":"node"}' \
		'{"type":"node","name":"n1","state":"IDLE","cpus":4,"alloc_cpus":0,"mem_mb":4000,"partitions":["p"]}' \
		'{"type":"node","name":"n2","state":"IDLE+DRAIN","cpus":8,"alloc_cpus":0,"mem_mb":4000,"partitions":["p"],"reason":"fan"}' \
		'{"type":"partition","name":"p","state":"UP","tier":1,"nodes":"n[1-2]","max_time_s":7200}' \
		'{"type":"qos","name":"normal","priority":5}' \
		'{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"a","parent":"root","shares":1,"grp_tres":{"cpu":1}}' \
		'{"type":"association","id":3,"account":"a","user":"u","shares":1,"qos":["normal"],"default_qos":"normal"}' \
		'{"type":"association","id":4,"account":"b","parent":"root","shares":1}' \
		'{"type":"association","id":5,"account":"b","user":"w","shares":1,"qos":["normal"],"default_qos":"normal"}' \
		'{"type":"job","id":1,"state":"RUNNING","start_time":1699999800,"end_time":1700003400,"time_limit_s":3600,"user":"u","account":"a","association":3,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":1,"node_list":"n1","tres_req":{"cpu":1,"node":1},"tres_alloc":{"cpu":1,"node":1}}' \
		'{"type":"job","id":2,"state":"PENDING","reason":"Priority","submit_time":1000,"eligible_time":1000,"user":"w","account":"b","association":5,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":1,"time_limit_s":9000,"priority":9,"tres_req":{"cpu":1,"node":1}}' \
		'{"type":"job","id":3,"state":"PENDING","reason":"AssocGrpCpuLimit","submit_time":1000,"eligible_time":1000,"user":"u","account":"a","association":3,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":1,"time_limit_s":3600,"priority":8,"tres_req":{"cpu":1,"node":1}}' \
		'{"type":"job","id":4,"state":"PENDING","reason":"AssocGrpCpuLimit","submit_time":2000,"eligible_time":2000,"user":"u","account":"a","association":3,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":1,"time_limit_s":3600,"priority":7,"tres_req":{"cpu":1,"node":1}}' \
		'{"type":"job","id":5,"state":"PENDING","reason":"Resources","submit_time":2000,"eligible_time":2000,"user":"w","account":"b","association":5,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":4,"time_limit_s":3600,"priority":6,"tres_req":{"cpu":4,"node":1}}' \
		'{"type":"job","id":6,"state":"PENDING","reason":"Resources","submit_time":2000,"eligible_time":2000,"user":"w","account":"b","association":5,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":4,"time_limit_s":3600,"priority":5,"tres_req":{"cpu":4,"node":1}}'
}

@test "--site finds each fault of a small site" {
	site
	run -0 fs-explain -f s.jsonl --as root --site
	[[ $output == *'5 jobs wait: 6.5 node-hours.'* ]]
	[[ $output == *'a limit '*' 2 '*' 2.0 '* ]]
	[[ $output == *'  2    w     b        it asks for 2:30:00, partition p allows 2:00:00'* ]]
	[[ $output == *'1  IDLE+DRAIN '*'n2     fan'* ]]
	[[ $output == *'GrpTRES cpu '*' 2  1 of 1 CPU in use  account a'* ]]
	[[ $output == *'sacctmgr modify account where name=a set GrpTRES=cpu=-1'* ]]
	for s in PriorityWeightQOS PriorityDecayHalfLife bf_window bf_max_job_test; do
		[[ $output == *"$s: "* ]]
	done
	[[ $output != *PriorityWeightAge* && $output != *PriorityWeightPartition* ]]
}

@test "the removal of a limit has the effect that fs-showq --if shows" {
	site
	fs-explain -f s.jsonl --as root --site --json >doc
	fs-showq -f s.jsonl --as root --plan --json --if 'sacctmgr modify account where name=a set GrpTRES=cpu=1' >before
	fs-showq -f s.jsonl --as root --plan --json \
		--if "$(python3 -c 'import json; print(json.load(open("doc"))["caps"][0]["remove"])')" >after
	python3 -c 'import json
cap, now = json.load(open("doc"))["caps"][0], json.load(open("doc"))["snapshot"]["time"]
before, after = ({r["jobid"]: r["plan"]["start_time"] or 1 << 60 for r in json.load(open(f))["rows"] if r.get("plan")}
                 for f in ("before", "after"))
assert cap["starting"] == sum(after[j] < now + 60 <= before[j] for j in before) > 0, cap
assert cap["earlier"] == sum(after[j] <= before[j] - 60 for j in before)
assert cap["later"] == sum(before[j] <= after[j] - 60 for j in before)'
}

@test "jobs and node-hours of the causes add up, and the document has exactly the keys of its schema" {
	site
	fs-explain -f s.jsonl --as root --site --json >one
	fs-explain --demo --as root --site --json --if 'scancel 812154' >two
	fs-explain -f s.jsonl --as root --partition=p --json >three
	python3 -c 'import json, sys
schema = json.load(open(sys.argv[1]))
defs = schema["$defs"]
for name in "one", "two", "three":
    d = json.load(open(name))
    assert set(schema["required"]) <= set(d) <= set(schema["properties"]), set(d) ^ set(schema["properties"])
    assert ("if" in d) == (name == "two")
    for key, rows in ("waiting", [d["waiting"]]), ("verify", [d["verify"]]), ("cause", d["causes"]), ("never", d["never"]), ("nodes", d["nodes"]), ("cap", d["caps"]), ("setting", d["settings"]), ("user", d["users"]), ("event", d["ends"] + d["starts"]):
        assert name != "one" or rows or key in ("user", "event"), key
        for r in rows:
            assert set(r) == set(defs[key]["properties"]) == set(defs[key]["required"]), key
    for key in "jobs", "node_hours", "unmeasured":
        assert abs(sum(c[key] for c in d["causes"]) - d["waiting"][key]) < 1e-6
assert not json.load(open("two"))["verify"]["compared"]
d = json.load(open("three"))
assert d["part"] == "partition" and d["name"] == "p" and d["users"] and [e["jobid"] for e in d["ends"]] == [1]' "$BATS_TEST_DIRNAME/../../man/fs-site-1.schema.json"
}

@test "a user sees neither private jobs nor private nodes" {
	site '{"type":"config","PrivateData":["jobs","nodes"]}'
	run -0 fs-explain -f s.jsonl --as w --site
	[[ $output == *'3 jobs wait'* && $output == *'Hidden and missing jobs are not counted.'* ]]
	[[ $output == *'Nodes are hidden from you (PrivateData).'* ]]
	[[ $output != *' u '* && $output != *n2* && $output != *GrpTRES* ]]
	run -0 fs-explain -f s.jsonl --as root --site
	[[ $output == *'5 jobs wait'* && $output != *'Hidden'* ]]
}

@test "--site as Markdown and HTML, and its conflicts" {
	site
	run -0 fs-explain -f s.jsonl --as root --site --markdown
	[[ $output == *'| a limit '* ]]
	run -0 fs-explain -f s.jsonl --as root --site --html=-
	[[ $output == '<!DOCTYPE html>'*'a limit'*'</html>' ]]
	run -2 fs-explain -f s.jsonl --site 3
	[[ $output == *'give only one of WORD, --job, --me, --site'* ]]
	run -2 fs-explain -f s.jsonl --site --brief
	[[ $output == *'--site cannot be combined with'* ]]
	run -2 fs-explain -f s.jsonl --site --at +1d
	[[ $output == *'--site cannot be combined with --at'* ]]
}

@test "a snapshot without nodes has causes by verdict, and no trials" {
	snapshot '{"type":"job","id":2,"state":"PENDING","reason":"JobHeldUser","submit_time":1000,"user":"w","priority":0}'
	run -0 fs-explain -f s.jsonl --as root --site
	[[ $output == *'No job has a planned start: '* && $output == *'held '* ]]
}

@test "--if keeps the reason of a drained node" {
	site
	run -0 fs-explain -f s.jsonl --as root --site --if 'scontrol update nodename=n1 state=drain reason="bad disk"'
	[[ $output == *'1  IDLE+DRAIN '*'n1     bad disk'* && $output == *'n2     fan'* ]]
}

@test "a word or option explains a partition, QOS, node or reservation" {
	site '{"type":"reservation","name":"n1","start_time":1700000000,"end_time":1700007200,"nodes":"n2"}'
	run -0 fs-explain -f s.jsonl --as root p
	[[ $output == 'Partition p '*'State: UP.'*'5 jobs wait'*'n2     fan'*'  u     a              1     1        2'*'ends  1    u     n1'* ]]
	[[ $output != *SETTINGS* ]]
	run -0 fs-explain -f s.jsonl --as root normal
	[[ $output == 'QOS normal '*'5 jobs wait'* ]]
	run -0 fs-explain -f s.jsonl --as root --node=n1
	[[ $output == 'Node n1 '*'State: IDLE.'*'ends  1    u     n1'* && $output != *fan* ]]
	run -0 fs-explain -f s.jsonl --as root --reservation=n1
	[[ $output == 'Reservation n1 '*'nodes: n2.'*'0 jobs wait'* ]]
	run -2 fs-explain -f s.jsonl --as root n1
	[[ $output == *'"n1" has several meanings; use one of --node, --reservation'* ]]
	run -4 fs-explain -f s.jsonl --as root --qos=none
	[[ $output == *'no QOS "none" that root may see'* ]]
	run -2 fs-explain -f s.jsonl --as root --qos=normal --versus 3
	[[ $output == *'--versus requires a job, user or account'* ]]
	run -2 fs-explain -f s.jsonl --as root --qos=normal --at +1d
	[[ $output == *'cannot be combined with --at, --usage'* ]]
	run -2 fs-explain -f s.jsonl --as root --qos=normal --partition=p
	[[ $output == *'give only one of WORD'* ]]
}

@test "--site explains each cluster of SLURM_CLUSTERS" {
	mkdir many
	snapshot && sed 's/"cluster":"c"/"cluster":"one"/' s.jsonl >many/1.jsonl
	sed 's/"cluster":"c"/"cluster":"two"/' s.jsonl >many/2.jsonl
	SLURM_CLUSTERS=all run -0 fs-explain -f many --as root --site
	[[ $output == 'Site one '*$'\n\nSite two '* ]]
	SLURM_CLUSTERS=two run -0 fs-explain -f many --as root --site
	[[ $output == 'Site two '* && $output != *'Site one'* ]]
	SLURM_CLUSTERS=all run -2 fs-explain -f many --as root --site --json
	[[ $output == *'SLURM_CLUSTERS with several clusters cannot be combined with --json or --html'* ]]
}

@test "a user cannot explain nodes that PrivateData hides" {
	site '{"type":"config","PrivateData":["nodes"]}'
	run -4 fs-explain -f s.jsonl --as w --node=n1
	run -4 fs-explain -f s.jsonl --as w n1
	[[ $output != *fan* ]]
}
