#!/usr/bin/env bats
# Jobs of arrays in tables.

load lib

@test "sprio: what no key of -S parts stands as in the controller's list, tasks before the rest of their array" {
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
