#!/usr/bin/env bats
# fs-explain --advise: the plan confirms each advised start; conflicting options are refused.

load lib

@test "each advised command, tried with --if, gives the printed start" {
	fs-explain --demo 812160 --as dana --advise --json >doc
	python3 - <<'PY'
import json, subprocess
doc = json.load(open("doc"))
assert doc["advice"], doc
for a in doc["advice"]:
    out = subprocess.run(["fs-showq", "--demo", "--as", "root", "--plan", "--json", "--if", a["command"]],
                         capture_output=True, text=True, check=True).stdout
    row = [r for r in json.loads(out)["rows"] if r["jobid"] == 812160][0]
    assert row["plan"]["start_time"] == a["start"]["after"] < a["start"]["before"], (a, row)
PY
	run -0 fs-explain --demo 812160 --as dana --advise
	[[ $output == *'WHAT YOU CAN DO'*'scontrol update job 812160 '* ]]
	[[ $output != *'PRIORITY in gpu'* ]]
	run -0 fs-explain --demo 812160 --as root --advise
	[[ $output == *'WHAT dana CAN DO'* ]]
}

@test "the JSON advice is null without --advise" {
	fs-explain --demo 812154 --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] is None'
}

@test "the page says that no single change helps" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":8}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'No single change by you gives it a reliable start'* || $output == *NumCPUs=4* ]]
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"DOWN","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":1}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'No single change by you gives it a reliable start'* ]]
	fs-explain -f s.jsonl --as u 9 --advise --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] == []'
}

# planned ARCHIVE CASE [KIND]: imports the case as s.jsonl and checks that the plan confirms each advice for six jobs.
planned() {
	tar -xJf "$BATS_TEST_DIRNAME/../cases/$1.tar.xz" || return
	fs-snap import "${3:-slurm}" "$2" -o s.jsonl 2>/dev/null || return
	python3 - <<'PY'
import json, subprocess

def run(*words):
    return json.loads(subprocess.run([*words, "-f", "s.jsonl", "--as", "root", "--json"], capture_output=True, text=True, check=True).stdout)

def starts(*words):
    return {str(r["jobid"]): r["plan"]["start_time"] for r in run("fs-showq", "--plan", *words)["rows"] if r.get("plan")}

now, told = starts(), 0
for job in sorted(now, key=lambda j: -(now[j] or 0))[:6]:
    for a in run("fs-explain", job, "--advise")["advice"] or []:
        then = starts("--if", a["command"])[job]
        assert then == a["start"]["after"], (job, a, then)
        assert now[job] is None or then + 60 <= now[job], (job, a, now[job])
        told += 1
assert told, now
PY
}

@test "in Slurm captures, the plan confirms the start of each advice" {
	planned plan/22.05-mixed-site 22.05-mixed-site/in
}

@test "in Flux captures, the plan confirms the start of each advice" {
	planned flux/living stopped flux
	run -0 fs-explain -f s.jsonl --as root --advise ƒ2qQCPUUP
	[[ $output == *'WHAT THE INSTANCE OWNER CAN DO'*'flux job urgency '*' expedite'* ]]
}

@test "in Maui captures, the plan confirms the start of each advice" {
	planned maui-plan/early maui-plan/m07_limits@5/in maui
	run -0 fs-explain -f s.jsonl --as root --advise 32
	[[ $output == *'qalter -l walltime='*'WHAT AN ADMINISTRATOR CAN DO'*'setspri 1000 32'* ]]
}

@test "a running job gets no advice" {
	run -0 fs-explain --demo 812046 --as root --advise
	[[ $output == *'Unknown: '*'is not pending'* ]]
	fs-explain --demo 812046 --as root --advise --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] is None'
}

@test "--advise requires a job and refuses conflicting options" {
	for o in --ahead '--versus 812168' '--at +1d' --usage=computed; do
		run -2 fs-explain --demo 812154 --advise $o
		[[ $output == *'--advise'* ]]
	done
	run -2 fs-explain --demo dana --advise
	[[ $output == *'--advise requires a job'* ]]
}

# site RECORD...: a snapshot of Slurm 25.11.2 with two nodes of 4 CPUs. Job 1 uses all CPUs of n1 for an hour. n2 is in
# partition other.
site() {
	head='{"type":"snapshot","format":1,"time":1700000000,"cluster":"c","scheduler":"slurm '${version:-25.11.2}'"}'
	snapshot '{"type":"config","PriorityType":"priority/basic","SchedulerType":"sched/backfill","AccountingStorageEnforce":["associations","limits","qos"]}' \
		'{"type":"tres","id":1,"name":"cpu"}' '{"type":"tres","id":2,"name":"mem"}' '{"type":"tres","id":4,"name":"node"}' \
		'{"type":"qos","name":"normal"}' '{"type":"qos","name":"quick","max_wall_s":600}' \
		'{"type":"association","id":1,"account":"root"}' '{"type":"association","id":2,"account":"a","parent":"root"}' \
		'{"type":"association","id":3,"account":"b","parent":"root"}' \
		'{"type":"association","id":4,"account":"a","user":"u","qos":["normal","quick"]}' \
		'{"type":"association","id":5,"account":"b","user":"u","qos":["normal","quick"]}' '{"type":"user","name":"u"}' \
		'{"type":"node","name":"n1","state":"ALLOCATED","cpus":4,"alloc_cpus":4,"mem_mb":4000}' \
		'{"type":"partition","name":"p","state":"UP","tier":1,"nodes":"n1","max_time_s":7200}' \
		'{"type":"job","id":1,"state":"RUNNING","start_time":1699999000,"end_time":1700003600,"time_limit_s":4600,"user":"u","account":"a","association":4,"partitions":["p"],"qos":["normal"],"nodes":1,"cpus":4,"node_list":"n1","tres_req":{"cpu":4,"node":1},"tres_alloc":{"cpu":4,"node":1}}' \
		"$@"
}

pending='"state":"PENDING","submit_time":1000,"eligible_time":1000,"user":"u","account":"a","association":4,"partitions":["p"],"qos":["normal"],"priority":10,"nodes":1,"time_limit_s":3600'

# In the releases 25.05.6 to 25.05.8 and 25.11.1 to 25.11.4, a new QOS alone also sets the time limit to its MaxWall.
@test "a change of the QOS keeps the time limit where Slurm would change it" {
	site '{"type":"node","name":"n2","state":"IDLE","cpus":4,"mem_mb":4000}' \
		'{"type":"qos","name":"free","grp_tres":{"cpu":99}}' \
		'{"type":"association","id":6,"account":"c","parent":"root","grp_tres":{"cpu":1}}' \
		'{"type":"association","id":7,"account":"c","user":"u","qos":["normal","free"]}' \
		'{"type":"partition","name":"q","state":"UP","tier":1,"nodes":"n2","max_time_s":7200}' \
		'{"type":"job","id":9,"state":"PENDING","submit_time":1000,"eligible_time":1000,"user":"u","account":"c","association":7,"partitions":["q"],"qos":["normal"],"priority":10,"nodes":1,"time_limit_s":3600,"cpus":2,"tres_req":{"cpu":2,"node":1}}'
	run -0 fs-explain -f s.jsonl --as root 9 --advise
	[[ $output == *'scontrol update job 9 QOS=free TimeLimit=1:00:00'* ]]
	fs-explain -f s.jsonl --as root 9 --json --if 'scontrol update job 9 QOS=free' |
		python3 -c 'import json, sys; assert json.load(sys.stdin)["job"]["time_limit_s"] in (None, "unlimited")'
	fs-explain -f s.jsonl --as root 9 --json --if 'scontrol update job 9 QOS=quick' |
		python3 -c 'import json, sys; assert json.load(sys.stdin)["job"]["time_limit_s"] == 600'
	sed -i 's/slurm 25.11.2/slurm 25.11.5/' s.jsonl
	run -0 fs-explain -f s.jsonl --as root 9 --advise
	[[ $output == *'scontrol update job 9 QOS=free'* && $output != *'QOS=free TimeLimit'* ]]
	fs-explain -f s.jsonl --as root 9 --json --if 'scontrol update job 9 QOS=free' |
		python3 -c 'import json, sys; assert json.load(sys.stdin)["job"]["time_limit_s"] == 3600'
}

@test "a change of the account that leaves the job's reservation is not proposed" {
	site '{"type":"node","name":"n2","state":"IDLE","cpus":4,"mem_mb":4000}' \
		'{"type":"association","id":6,"account":"c","parent":"root","grp_tres":{"cpu":1}}' \
		'{"type":"association","id":7,"account":"c","user":"u","qos":["normal"]}' \
		'{"type":"reservation","name":"r","start_time":1699990000,"end_time":1700090000,"nodes":"n2","accounts":["c"]}' \
		'{"type":"partition","name":"q","state":"UP","tier":1,"nodes":"n2","max_time_s":7200}' \
		'{"type":"job","id":9,"state":"PENDING","submit_time":1000,"eligible_time":1000,"user":"u","account":"c","association":7,"partitions":["q"],"qos":["normal"],"priority":10,"nodes":1,"time_limit_s":3600,"cpus":2,"reservation":"r","tres_req":{"cpu":2,"node":1}}'
	run -0 fs-explain -f s.jsonl --as root 9 --advise
	[[ $output == *'NumCPUs=1'* && $output != *'Account='* ]]
	run -0 fs-explain -f s.jsonl --as root 9 --brief --if 'scontrol update job 9 Account=a'
	[[ $output == *'Its reservation does not admit its user and account.'*'Not while its reservation excludes it.'* ]]
	[[ $output == *'run it without the reservation'* ]]
}

@test "a dependency on a job that is not in the snapshot is named and can be removed" {
	run -0 fs-explain --demo 812299 --as hugo --advise
	[[ $output == *'waits for job 812100 (not in the snapshot)'* ]]
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'scontrol update job 812299 Dependency='*'the job does not wait for results that it may need'* ]]
}

@test "advice compares a time limit and memory with the owner's completed jobs" {
	local runs=() id
	for id in 101 102 103 104 105; do
		runs+=("{\"type\":\"usage\",\"job\":$id,\"user\":\"u\",\"account\":\"a\",\"partition\":\"p\",\"state\":\"COMPLETED\",\"start_time\":1699000000,\"end_time\":$((1699000000 + 600 * (id - 100))),\"max_rss_mb\":$((id * 10))}")
	done
	site '{"type":"node","name":"n2","state":"MIXED","cpus":4,"alloc_cpus":2,"mem_mb":4000,"alloc_mem_mb":2000}' \
		'{"type":"partition","name":"q","state":"UP","tier":1,"nodes":"n2","max_time_s":7200}' "${runs[@]}" \
		'{"type":"job","id":2,"state":"RUNNING","start_time":1699999000,"end_time":1700003600,"time_limit_s":4600,"user":"u","account":"a","association":4,"partitions":["q"],"qos":["normal"],"nodes":1,"cpus":2,"node_list":"n2","tres_req":{"cpu":2,"mem":2000,"node":1},"tres_alloc":{"cpu":2,"mem":2000,"node":1}}' \
		'{"type":"job","id":8,'"${pending/\"p\"/\"q\"},\"cpus\":4,\"tres_req\":{\"cpu\":4,\"mem\":100,\"node\":1}}" \
		'{"type":"job","id":9,'"${pending/\"p\"/\"q\"},\"cpus\":1,\"time_limit_s\":6000,\"tres_req\":{\"cpu\":1,\"mem\":100,\"node\":1}}"
	sed -i 's/"time_limit_s":3600,"cpus":1,"time_limit_s":6000/"time_limit_s":6000,"cpus":1/; s/"id":8,\(.*\)"priority":10/"id":8,\1"priority":20/' s.jsonl
	run -0 fs-explain -f s.jsonl --as root 9 --advise
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'TimeLimit=0:5'*'Of 5 completed jobs of u, 0 ran longer; the longest ran 50:00.'* ]]
	fs-explain -f s.jsonl --as root 9 --advise --json | python3 -c 'import json, sys
a = [a for a in json.load(sys.stdin)["advice"] if "TimeLimit" in a["command"]][0]
assert a["history"] == {"jobs": 5, "partition": None, "exceeding": 0, "greatest": 3000}, a
assert a["price"] == "request" and a["changes"][0]["value"] == "time_limit" and a["changes"][0]["from"] == 6000, a'
}

@test "a move to nodes with GPUs or large memory is last and says so" {
	site '{"type":"node","name":"n2","partitions":["gpu"],"state":"IDLE","cpus":4,"mem_mb":4000,"gres":"gpu:a100:4"}' \
		'{"type":"node","name":"n3","partitions":["big"],"state":"IDLE","cpus":4,"mem_mb":64000}' '{"type":"node","name":"n4","partitions":["more"],"state":"IDLE","cpus":4,"mem_mb":4000}' \
		'{"type":"partition","name":"gpu","state":"UP","tier":1,"nodes":"n2","max_time_s":7200}' \
		'{"type":"partition","name":"big","state":"UP","tier":1,"nodes":"n3","max_time_s":7200}' \
		'{"type":"partition","name":"more","state":"UP","tier":1,"nodes":"n4","max_time_s":7200}' \
		'{"type":"job","id":9,'"$pending,\"cpus\":2,\"tres_req\":{\"cpu\":2,\"node\":1}}"
	fs-explain -f s.jsonl --as root 9 --advise --json | python3 -c 'import json, sys
got = [(a["command"].split("=")[1], a["price"]) for a in json.load(sys.stdin)["advice"] if a["who"] == "owner"]
assert got == [("p,more", "nothing"), ("p,big", "unsuitable_partition"), ("p,gpu", "unsuitable_partition")], got'
	run -0 fs-explain -f s.jsonl --as root 9 --advise
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'All nodes of big have large memory, which this job does not need: ask before you use them.'* ]]
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'All nodes of gpu have GPUs, which this job does not need: ask before you use them.'* ]]
}

@test "no page says that nothing helps beside a command" {
	local job
	for job in $(fs-showq --demo --as root --plan --json | python3 -c 'import json, sys
print(*sorted({r["jobid"] for r in json.load(sys.stdin)["rows"] if r["state"] == "PENDING"}))'); do
		fs-explain --demo --as root "$job" --brief >page
		fs-explain --demo --as root "$job" --advise >list
		if grep -q 'No single change' page; then
			absent -qE 'scontrol|sacctmgr' page
			sed -n '/^WHAT .* CAN DO/,/^WHAT A/p' list | grep -q 'No single change' || { cat page list; return 1; }
		fi
	done
}

@test "advice about a job with very many partitions is partial, and says so" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' \
		"$(seq 1200 | sed 's/.*/{"type":"partition","name":"p&","state":"UP","nodes":"n"}/')" \
		"$(seq 1600 | sed 's/.*/{"type":"job","id":&,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p1"],"priority":7,"nodes":1,"cpus":4,"time_limit_s":60}/')"
	run -0 timeout 60 fs-explain -f s.jsonl --as u 700 --advise
	[[ $output == *'the advice is partial, after '* ]]
	run -0 timeout 60 fs-explain -f s.jsonl --as u 700 --advise --json
	[[ $output == *'"advice_partial":true'* ]]
	run -0 fs-explain --demo 812160 --as dana --advise --json
	[[ $output == *'"advice_partial":false'* ]]
}
