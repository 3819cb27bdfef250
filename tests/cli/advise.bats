#!/usr/bin/env bats
# fs-explain --advise: the plan confirms each advised start; conflicting options are refused.

load lib

@test "each advised command, tried with --if, gives the printed start" {
	fs-explain --demo 812154 --as dana --advise --json >doc
	python3 - <<'PY'
import json, subprocess
doc = json.load(open("doc"))
assert doc["advice"], doc
for a in doc["advice"]:
    out = subprocess.run(["fs-showq", "--demo", "--as", "root", "--plan", "--json", "--if", a["command"]],
                         capture_output=True, text=True, check=True).stdout
    row = [r for r in json.loads(out)["rows"] if r["jobid"] == 812154][0]
    assert row["plan"]["start_time"] == a["start"]["after"] < a["start"]["before"], (a, row)
PY
	run -0 fs-explain --demo 812154 --as dana --advise
	[[ $output == *'WHAT YOU CAN DO'*'scontrol update job 812154 '* ]]
	[[ $output != *'PRIORITY in gpu'* ]]
	run -0 fs-explain --demo 812154 --as root --advise
	[[ $output == *'WHAT dana CAN DO'* ]]
}

@test "the JSON advice is null without --advise" {
	fs-explain --demo 812154 --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] is None'
}

@test "the page says that no single change helps" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":8}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'No single change by you gives a start a minute or more earlier'* || $output == *NumCPUs=4* ]]
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"DOWN","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":1}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'No single change by you gives a start a minute or more earlier'* ]]
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
