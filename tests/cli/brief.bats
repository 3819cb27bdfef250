#!/usr/bin/env bats
# fs-explain --brief: four lines for every job and scheduler that agree with the plan and the advice.

load lib

# labels: prints the labels of the lines that are not indented.
labels() {
	grep -v '^ ' | sed 's/   *.*//' | sed 's/^What you can do .*/What you can do/' | paste -sd,
}

@test "--brief prints four items of at most six lines for each job" {
	for job in $(fs-showq --demo --as root --json | python3 -c 'import json, sys
print(*[r["jobid"] for r in json.load(sys.stdin)["rows"]])'); do
		fs-explain --demo --as root "$job" --brief >out
		[ "$(labels <out)" = 'Why,When,Ahead,What you can do' ] || { echo "$job"; cat out; return 1; }
		awk '/^[^ ]/ { n = 0 } ++n > 6 { exit 1 }' out || { cat out; return 1; }
		[ "$(wc -L <out)" -le 80 ]
	done
}

@test "--brief shows the plan's start and the command of --advise" {
	fs-explain --demo 812160 --as dana --brief >out
	grep -q '^When  *2026-11-21 13:10:00, if jobs run to their time limits and no$' out
	command=$(fs-explain --demo 812160 --as dana --advise --json | python3 -c 'import json, sys
print(json.load(sys.stdin)["advice"][0]["command"])')
	grep -qx "What you can do  Run:" out
	grep -qxF "                 $command" out
	grep -qF '812154 of dana (quantum), by 4653' out
}

@test "--brief shows other users whom to ask for a change" {
	local other
	for other in gita root; do
		fs-explain --demo 812160 --as "$other" --brief | tail -5 | tr -s ' \n' ' ' >out
		grep -q '^What you can do dana can run: scontrol update job 812160 TimeLimit=13:06:00 Planned start 2026-11-20 16:01:00, ' out
		grep -q 'Time limit 16:00:00 .* 13:06:00: the job is killed after 13:06:00 instead of 16:00:00\.' out
	done
	snapshot '{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"priority":0,"priority_set":0,"reason":"JobHeldUser"}'
	fs-explain -f s.jsonl --as u 9 --brief | grep -qx 'What you can do  Release it\.'
	fs-explain -f s.jsonl --as v 9 --brief | grep -qx 'What you can do  For u: release it\.'
}

@test "a job that can never start gets a cause and a command" {
	snapshot '{"type":"config","AccountingStorageEnforce":["limits","qos"]}' '{"type":"tres","id":1,"name":"cpu"}' \
		'{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"qos","name":"lim","priority":1,"max_tres":{"cpu":2}}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"qos":["lim"],"priority":7,"nodes":1,"cpus":3,"tres_req":{"cpu":3,"node":1}}'
	fs-explain -f s.jsonl --as u 9 --brief >out
	grep -q '^Why  *It can never start: it asks for 3 CPUs' out
	grep -q '^When  *Never' out
	grep -q '^Ahead  *It is not eligible: it cannot start' out
	grep -q '^  *scontrol update job 9 NumCPUs=2' out
}

# The limit is 4 minutes and more than 8 are used, so no shorter time limit gives the job a start.
@test "an amount that the plan did not try is not proposed" {
	snapshot '{"type":"config","AccountingStorageEnforce":["associations","limits","safe","qos"]}' '{"type":"tres","id":1,"name":"cpu"}' \
		'{"type":"association","id":1,"account":"root"}' \
		'{"type":"association","id":2,"account":"lab","parent":"root","grp_wall_s":240,"usage_wall_min":8.11}' \
		'{"type":"association","id":3,"account":"lab","user":"u"}' '{"type":"user","name":"u"}' '{"type":"qos","name":"q"}' \
		'{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","reason":"AssocGrpWallLimit","user":"u","account":"lab","association":3,"eligible_time":5,"partitions":["p"],"qos":["q"],"priority":7,"nodes":1,"cpus":2,"time_limit_s":360,"tres_req":{"cpu":2,"node":1}}'
	run -0 fs-explain -f s.jsonl --as u 9 --brief
	[[ $(tr -s " \n" " " <<<"$output") == *"account lab allows 4:00 in all (GrpWall)"*"An operator can run: sacctmgr modify account where name=lab set GrpWall=15 "* ]]
	[[ $output != *"at most"* && $output != *"a shorter time limit"* ]]
	run -0 fs-explain -f s.jsonl --as u 9 --advise
	[[ $output == *"changes were tried; none that you can make gives it a start."*"set GrpWall=15"* && $output != *"at most"* ]]
	run -0 fs-showq -f s.jsonl --as u --start 9
	[[ $output == *"It needs a shorter time limit"* && $output != *"at most"* ]]
}

@test "a Maui job larger than each node partition needs a smaller request" {
	head='{"type":"snapshot","format":1,"time":1600000060,"cluster":"c","scheduler":"maui"}'
	snapshot '{"type":"credential","kind":"user","name":"u"}' '{"type":"node","name":"n1","state":"IDLE","cpus":4}' \
		'{"type":"node","name":"n2","state":"IDLE","cpus":6,"maui_partition":"p2"}' \
		'{"type":"job","id":2,"name":"2","state":"PENDING","position":2,"submit_time":1600000000,"time_limit_s":100,"cpus":8,"tasks":8,"user":"u"}'
	run -0 fs-explain -f s.jsonl --as u 2 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == *"it asks for 8 processors in one node partition, the most suitable, p2, has 6 processors."* ]]
	[[ $output == *"t needs a smaller request."* && $output != *"No single change"* ]]
}

@test "--brief escapes control characters in user names" {
	snapshot '{"type":"job","id":9,"state":"PENDING","user":"u\u001b[31m","eligible_time":5,"partitions":["p"],"priority":7}' \
		'{"type":"job","id":8,"state":"PENDING","user":"u\u001b[31m","eligible_time":5,"partitions":["p"],"priority":9}'
	run -0 fs-explain -f s.jsonl --as root 9 --brief
	[[ $output != *$'\x1b'* ]]
	[ "$(labels <<<"$output")" = 'Why,When,Ahead,What you can do' ]
}

@test "the page begins with the brief lines; --verbose adds sentences" {
	fs-explain --demo --as dana 812154 --brief >four
	[ -s four ]
	for o in '' --verbose; do
		fs-explain --demo --as dana 812154 $o >page
		sed -n '/^Why/,/^$/p' page | sed '/^$/d' | diff four -
		grep -q '^PRIORITY in gpu' page
	done
	grep -q '^It waits for its turn' page
	fs-explain --demo --as dana 812154 | absent -q '^It waits' -
	fs-explain --demo 812160 --verbose --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
assert d["brief"]["why"] and d["advice"]'
	for o in --brief --ahead --advise; do run -2 fs-explain --demo 812154 --verbose $o; done
}

@test "a page refers to --advise if the advice takes long" {
	local jobs='' id
	for ((id = 10; id < 2610; id++)); do
		jobs+="{\"type\":\"job\",\"id\":$id,\"state\":\"PENDING\",\"user\":\"u\",\"eligible_time\":5,\"partitions\":[\"p\"],\"priority\":$id,\"nodes\":1,\"cpus\":3,\"tres_req\":{\"cpu\":3,\"node\":1}}"$'\n'
	done
	snapshot '{"type":"tres","id":1,"name":"cpu"}' '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' "$jobs"
	fs-explain -f s.jsonl --as root 500 >page
	grep -q '^Why ' page
	tr -s ' \n' ' ' <page | grep -qF 'run fs-explain 500 --advise'
	fs-explain --demo --as root 812154 --at +1d | tr -s ' \n' ' ' | grep -qF "When Unknown: not computed with --at or --usage"
}

@test "--brief supports JSON and Markdown and refuses conflicting options" {
	fs-explain --demo 812154 --brief --json | python3 -c 'import json, sys
b = json.load(sys.stdin)["brief"]
assert list(b) == ["why", "when", "ahead", "what_you_can_do"] and all(b.values())'
	fs-explain --demo 812154 --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["brief"] is None'
	run -0 fs-explain --demo 812154 --brief --markdown
	[[ $output == *'**Why** '* ]]
	for o in --ahead '--versus 812168' '--at +1d' --advise; do run -2 fs-explain --demo 812154 --brief $o; done
	run -2 fs-explain --demo dana --brief
}

@test "--brief names bf_max_job_test or bf_window as the cause of no start" {
	local node='{"type":"node","name":"n","state":"IDLE","cpus":4}' part='{"type":"partition","name":"p","state":"UP","nodes":"n"}' id jobs=()
	for id in 7 8 9; do
		jobs+=("{\"type\":\"job\",\"id\":$id,\"state\":\"PENDING\",\"user\":\"u\",\"eligible_time\":5,\"partitions\":[\"p\"],\"priority\":$((20 - id)),\"nodes\":1,\"cpus\":4,\"time_limit_s\":86400}")
	done
	snapshot '{"type":"config","SchedulerParameters":"bf_max_job_test=2"}' "$node" "$part" "${jobs[@]}"
	fs-explain -f s.jsonl --as root 9 --brief | tr -s ' \n' ' ' >out
	grep -qF 'Why A scheduling cycle ends before it reaches this job in the queue (bf_max_job_test=2). With a higher bf_max_job_test:' out
	# the priority is below bf_min_prio_reserve, so the job is tried only for an immediate start
	snapshot '{"type":"config","SchedulerParameters":"bf_min_prio_reserve=12"}' "$node" "$part" "${jobs[@]}"
	fs-explain -f s.jsonl --as root 9 --brief | tr -s ' \n' ' ' >out
	grep -qF 'Why 2 jobs are ahead of it. With the highest priority: now. When Likely ' out
	fs-showq -f s.jsonl --as root --plan | grep -q '^9 .* no start .* no start found$'
	# the nodes are reserved for longer than the window
	snapshot '{"type":"config","SchedulerParameters":"bf_window=60"}' "$node" "$part" "${jobs[0]}" \
		'{"type":"reservation","name":"r","start_time":2000,"end_time":9000000,"nodes":"n","flags":["MAINT"]}'
	fs-explain -f s.jsonl --as root 7 --brief | tr -s ' \n' ' ' >out
	grep -qF 'Without reservation r: now. When Likely 1970-04-15 04:00:00,' out
}

@test "--brief shows the recorded reason ReqNodeNotAvail with its detail" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":9,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":3,"time_limit_s":60,"reason":"ReqNodeNotAvail,_Reserved_for_maintenance"}'
	fs-explain -f s.jsonl --as u 9 --brief | tr -s ' \n' ' ' | grep -qF 'The recorded reason is ReqNodeNotAvail, Reserved for maintenance, but the plan starts it now.'
}

@test "the brief page of a long queue says that no changes were tried" {
	snapshot '{"type":"node","name":"n","state":"IDLE","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		"$(seq 5001 | sed 's/.*/{"type":"job","id":&,"state":"PENDING","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":4,"time_limit_s":60}/')" \
		'{"type":"job","id":6000,"state":"PENDING","user":"u","partitions":["p"],"nodes":1,"reason":"Dependency","dependency":"afterok:4000(unfulfilled)"}'
	run -0 fs-explain -f s.jsonl --as u 6000 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'remove the dependency. Changes: not computed because the queue is long; run fs-explain 6000 --advise.'* ]]
	run -0 fs-explain -f s.jsonl --as u 4000 --brief
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'Unknown: not computed because the queue is long; run fs-explain 4000 --advise.'* ]]
}
