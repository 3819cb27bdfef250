#!/usr/bin/env bats
# fs-explain --advise: what is printed is what the plan gives, for whom, and what is refused.

load lib

@test "each command printed, given to the plan, gives the start printed" {
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

@test "without --advise there is none" {
	fs-explain --demo 812154 --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] is None'
}

@test "nothing that helps is said" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":8}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'Nothing that you can change helps'* || $output == *NumCPUs=4* ]]
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"DOWN","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":1}'
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *'Nothing that you can change helps'* ]]
	fs-explain -f s.jsonl --as u 9 --advise --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] == []'
}

@test "jobs that do not wait, and schedulers without commands" {
	run -0 fs-explain --demo 812046 --as root --advise
	[[ $output == *'Unknown: '*'does not wait'* ]]
	fs-explain --demo 812046 --as root --advise --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["advice"] is None'
}

@test "what does not go together" {
	for o in --ahead '--versus 812168' '--at +1d' --usage=computed; do
		run -2 fs-explain --demo 812154 --advise $o
		[[ $output == *'--advise'* ]]
	done
	run -2 fs-explain --demo dana --advise
	[[ $output == *'--advise is for jobs'* ]]
}
