#!/usr/bin/env bats
# Array jobs in tables, in verdicts and under --if.

load lib

@test "fs-prio sorts equal keys in the controller's order, tasks before their array" {
	cat >s.jsonl <<-'EOF'
	{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 22.05.8"}
	{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1000,"PriorityMaxAge":1000}
	{"type":"partition","name":"p"}
	{"type":"job","id":3,"state":"PENDING","array_job_id":3,"array_tasks":"3-5","user":"u","partitions":["p"],"eligible_time":500}
	{"type":"job","id":4,"state":"PENDING","user":"u","partitions":["p"],"eligible_time":500}
	{"type":"job","id":5,"state":"PENDING","array_job_id":3,"array_task_id":1,"user":"u","partitions":["p"],"eligible_time":500}
	{"type":"job","id":6,"state":"PENDING","array_job_id":3,"array_task_id":2,"user":"u","partitions":["p"],"eligible_time":500}
	EOF
	run -0 fs-prio -f s.jsonl -h -o %i -S -Y
	[ "${lines[*]// /}" = "5 4 6 3" ]
	run -0 fs-prio -f s.jsonl -h -o %i
	[ "${lines[*]// /}" = "3 4 5 6" ]
}

# throttled: writes s.jsonl with an array at its throttle %1: task 1 has ended, task 2 runs, tasks 3 and 4 wait.
throttled() {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","SchedulerType":"sched/backfill","PriorityWeightAge":1000}' \
		'{"type":"partition","name":"p","nodes":"n1","state":"UP","max_time_s":3600,"total_nodes":1,"total_cpus":8}' \
		'{"type":"node","name":"n1","state":"MIXED","cpus":8,"alloc_cpus":1,"partitions":["p"]}' \
		'{"type":"job","id":3,"state":"PENDING","array_job_id":3,"array_tasks":"3-4%1","user":"u","account":"a","partitions":["p"],"reason":"JobArrayTaskLimit","priority":5,"nodes":1,"cpus":1,"tasks":1,"time_limit_s":600,"submit_time":500}' \
		'{"type":"job","id":4,"state":"COMPLETED","array_job_id":3,"array_task_id":1,"user":"u","account":"a","partitions":["p"],"nodes":1,"cpus":1,"submit_time":500,"start_time":600,"end_time":700}' \
		'{"type":"job","id":5,"state":"RUNNING","array_job_id":3,"array_task_id":2,"user":"u","account":"a","partitions":["p"],"nodes":1,"cpus":1,"time_limit_s":600,"submit_time":500,"start_time":700,"end_time":1300,"node_list":"n1","tres_alloc":{"cpu":1,"node":1}}'
}

# verdict COMMAND...: prints the verdict of job 3 after the commands.
verdict() {
	fs-explain -f s.jsonl 3 --as root --json "${@/#/--if=}" 2>err |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["verdict"])'
}

@test "raising an array's throttle or cancelling a task starts the next task" {
	throttled
	for command in 'scontrol update JobId=3 ArrayTaskThrottle=2' 'scontrol update JobId=3 ArrayTaskThrottle=0' \
		'scancel 5'; do
		[ "$(verdict "$command")" = now ]
	done
	[ "$(verdict 'scontrol update JobId=5 TimeLimit=9')" != now ]
	[ "$(verdict 'scontrol update JobId=3 ArrayTaskThrottle=1')" != now ]
	[ "$(verdict 'scontrol update JobId=3 ArrayTaskThrottle=2' 'scontrol update JobId=3 ArrayTaskThrottle=1')" != now ]
}

@test "changing an array skips running and ended tasks with a message" {
	throttled
	run -0 --separate-stderr fs-explain -f s.jsonl 3 --as root --brief --if 'scontrol update JobId=3 NumCPUs=2'
	[[ $stderr == *': job 3: 2 tasks are not changed, because they are running or ended' ]]
	run -2 fs-explain -f s.jsonl 5 --as root --if 'scontrol update JobId=5 NumCPUs=2'
	[[ $output == *'job 5 is running: its NumCPUs can no longer change' ]]
	run -2 fs-explain -f s.jsonl 4 --as root --if 'scontrol update JobId=4 TimeLimit=5'
	[[ $output == *'job 4 has ended and cannot be changed' ]]
}
