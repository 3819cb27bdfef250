#!/usr/bin/env bats
# Running and ended jobs: their wait, run times and cost, from job and usage records.

load lib

# Job 7 runs. Job 8 has ended and still has a job record. Job 9 has only usage records, of two runs. Job 10 has one
# usage record and belongs to another user. Usage does not decay. QOS twice has a UsageFactor of 2.
past_head() {
	head='{"type":"snapshot","format":1,"time":1795000000,"cluster":"c","scheduler":"slurm 26.11.0","priority_time":1795000000}
{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityDecayHalfLife":0,"PriorityCalcPeriod":60,"AccountingStorageEnforce":["limits"],"PrivateData":["jobs"]}
{"type":"tres","id":1,"name":"cpu"}
{"type":"tres","id":5,"name":"billing"}
{"type":"partition","name":"p"}
{"type":"qos","name":"twice","usage_factor":2}
{"type":"association","id":1,"account":"root","shares":1,"usage_tres_s":0}
{"type":"association","id":2,"account":"a","parent":"root","shares":3,"usage_tres_s":0}
{"type":"association","id":3,"account":"a","user":"u","shares":1,"usage_tres_s":0}
{"type":"association","id":4,"account":"a","user":"v","shares":1,"usage_tres_s":0}'
	local of='"user":"u","account":"a","qos":'
	snapshot \
		'{"type":"job","id":7,"state":"RUNNING",'"$of"'["twice"],"partitions":["p"],"submit_time":1794999000,"eligible_time":1794999900,"start_time":1794999950,"time_limit_s":600,"cpus":4,"tres_alloc":{"cpu":4},"node_list":"n1"}' \
		'{"type":"job","id":8,"state":"COMPLETED",'"$of"'[],"partitions":["p"],"submit_time":1794999000,"eligible_time":1794999010,"start_time":1794999100,"end_time":1794999130,"cpus":3,"tres_alloc":{"cpu":3},"node_list":"n1"}' \
		'{"type":"usage","job":8,'"$of"'"","partition":"p","state":"COMPLETED","start_time":1794999100,"end_time":1794999130,"tres":{"cpu":3}}' \
		'{"type":"usage","job":9,'"$of"'"twice","partition":"p","state":"NODE_FAIL","submit_time":1794000000,"eligible_time":1794000000,"start_time":1794000060,"end_time":1794000070,"tres":{"cpu":5}}' \
		'{"type":"usage","job":9,'"$of"'"twice","partition":"p","state":"TIMEOUT","submit_time":1794000000,"eligible_time":1794000080,"start_time":1794000100,"end_time":1794000200,"tres":{"cpu":5}}' \
		'{"type":"usage","job":10,"user":"v","account":"a","partition":"p","state":"FAILED","start_time":1794000100,"end_time":1794000200,"tres":{"cpu":5}}'
}

told() {
	fs-explain -f s.jsonl "$@" | tr -s ' \n' '  '
}

runs() {
	fs-explain -f s.jsonl "$@" --json | python3 -c 'import json, sys
d = json.load(sys.stdin)
print(d["kind"], [(r["state"], r["tres_seconds"], r["still_counts"]) for r in d["runs"]])'
}

@test "a running job's page shows its cost so far" {
	past_head
	[[ $(told 7 --as u) == *"it waited 50s."*"COST in TRES seconds from to ran cost still counts 2026-11-18 11:05:50 runs 50s 400.00 Charged to u in account a: 4 a second times the UsageFactor 2 of QOS twice. That is 1 for each CPU. It is charged while it runs."* ]]
	[ "$(runs 7 --as u)" = "job [('RUNNING', 400, None)]" ]
}

@test "an ended job with a job record shows wait and cost" {
	past_head
	[[ $(told 8 --as u) == *"It has ended (COMPLETED); it waited 1:30."*"It ran 30s, from 2026-11-18 10:51:40 to 10:52:10, and cost 90.00 TRES seconds."* ]]
	[[ $(told 8 --as u) == *"10:52:10 30s 90.00 90.00 Charged to u in account a: 3 a second."* ]]
	[ "$(runs 8 --as u)" = "job [('COMPLETED', 90, 90)]" ]
}

# The job was requeued; its earlier run counts.
@test "a requeued job shows the cost of its earlier run" {
	past_head
	snapshot \
		'{"type":"job","id":9,"state":"PENDING","user":"u","account":"a","qos":[],"partitions":["p"],"priority":5,"submit_time":1794999000,"eligible_time":1794999000,"cpus":5,"tres_req":{"cpu":5},"reason":"Priority"}' \
		'{"type":"usage","job":9,"user":"u","account":"a","partition":"p","state":"NODE_FAIL","start_time":1794000060,"end_time":1794000070,"tres":{"cpu":5}}'
	[[ $(told 9 --as u) == *COST*"10s 50.00 50.00"* ]]
	[ "$(runs 9 --as u)" = "job [('NODE_FAIL', 50, 50)]" ]
}

@test "a job known only from usage records shows each run" {
	past_head
	[[ $(told 9 --as u) == *"Job 9"*"account a"*"QOS twice"*" It has ended (TIMEOUT). It waited 20s. COST"*"10s 100.00 100.00 "*"1:40 1000.00 1000.00 Charged"* ]]
	[ "$(runs 9 --as u)" = "ended [('NODE_FAIL', 100, 100), ('TIMEOUT', 1000, 1000)]" ]
	[[ $(told 10 --as root) == *"How long it waited is unknown: its record has no submit time before the start."* ]]
	fs-explain -f s.jsonl 9 --brief --as u | grep -q 'It has ended (TIMEOUT)'
	run -2 fs-explain -f s.jsonl 9 --versus 7 --as u
	run -2 fs-explain -f s.jsonl 9 --ahead --as u
	# a pipe gives the same page as a file on standard input
	[ "$(fs-explain -f - 9 --as u <s.jsonl)" = "$(cat s.jsonl | fs-explain -f - 9 --as u)" ]
}

@test "runs of other users are hidden, and unknown jobs are not found" {
	past_head
	run -4 fs-explain -f s.jsonl 10 --as u
	[[ $output == *'no job, user or account "10" that u may see'* ]]
	run -4 fs-explain -f s.jsonl --job=11 --as root
	run -4 fs-explain -f s.jsonl 11 --json --as root
}

@test "a page omits the cost if the charge is unknown" {
	past_head
	grep -v '"type":"config"' s.jsonl >t.jsonl
	run -0 --separate-stderr fs-explain -f t.jsonl 7 --as u
	[[ $output != *COST* && -z $stderr ]]
	sed 's/"PriorityDecayHalfLife":0/"PriorityDecayHalfLife":-5/' s.jsonl >t.jsonl
	run -0 --separate-stderr fs-explain -f t.jsonl 7 --as u
	[[ $output != *COST* && -z $stderr ]]
}

# Job 11 was suspended after 4 s. Job 12 was suspended after 4 s and resumed 40 s ago. Job 13 has no recorded suspend
# time. Job 14 costs nothing.
suspended_jobs() {
	past_head
	local of='"user":"u","account":"a","qos":[],"submit_time":1794999890,"eligible_time":1794999890,"start_time":1794999900,"end_time":1795000500,"time_limit_s":600,"cpus":4,"tres_alloc":{"cpu":4},"node_list":"n1"'
	snapshot '{"type":"partition","name":"q","billing_weights":"CPU=0"}' \
		'{"type":"job","id":11,"state":"SUSPENDED","partitions":["p"],"suspend_time":1794999904,"pre_suspend_s":4,'"$of}" \
		'{"type":"job","id":12,"state":"RUNNING","partitions":["p"],"suspend_time":1794999960,"pre_suspend_s":4,'"$of}" \
		'{"type":"job","id":13,"state":"SUSPENDED","partitions":["p"],'"$of}" \
		'{"type":"job","id":14,"state":"RUNNING","partitions":["q"],'"$of}"
}

@test "a suspended job shows since when, its run time and no end" {
	suspended_jobs
	[[ $(told 11 --as u) == *"It has been suspended since 2026-11-18 11:05:04 on n1; it has run 4s; it waited 10s. When Unknown: it is suspended, with 9:56 of its time limit left. Ahead Nobody: it is suspended. What you can do Wait until it is resumed. COST"* ]]
	[[ $(told 11 --as u) == *"11:05:00 suspended 4s 400.00 Charged"*"It is also charged while it is suspended."* ]]
	[[ $(told 11 --as u --verbose) == *"It is suspended, since 2026-11-18 11:05:04: started 2026-11-18 11:05:00 on n1, ran 4s."* ]]
	[[ $(told 12 --as u) == *"11:05:00 runs 44s 400.00 Charged"* ]]
	[[ $(told 13 --as u) == *"It is suspended (since when is not recorded); it started 2026-11-18 11:05:00 on n1; it waited 10s. When Unknown: it is suspended, and its time limit does not run down. Ahead Nobody: it is suspended."* ]]
	[[ $(told 13 --as u) == *"11:05:00 suspended unknown 400.00"* && $(told 13 --as u) != *"ends by"* ]]
}

@test "--if can suspend and resume a job" {
	suspended_jobs
	[[ $(told 12 --as root --if 'scontrol suspend 12') == *"It has been suspended since 2026-11-18 11:06:40 on n1; it has run 44s;"* ]]
	[[ $(told 11 --as root --if 'scontrol resume 11') == *"It ends by 2026-11-18 11:16:36."*"11:05:00 runs 4s "* ]]
}

@test "a job without cost has a charge of 0 a second" {
	suspended_jobs
	[[ $(told 14 --as u) == *": 0 a second. That is nothing. It is charged while it runs."* ]]
}
