#!/usr/bin/env bats
# Captures by users who may see only part of the cluster: hidden values are unknown, never zero.

load lib

private_capture() {
	mkdir in
	echo 1000 >in/date_begin
	echo alice >in/caller
	cat >in/scontrol_config.txt <<-EOF
	Configuration data as of 1970-01-01T00:16:40
	ClusterName             = c
	PriorityMaxAge          = 01:00:00
	PriorityType            = priority/multifactor
	PriorityWeightAge       = 1000
	PriorityWeightFairShare = 10000
	PriorityWeightQOS       = 500
	PrivateData             = jobs,usage,users
	SLURM_VERSION           = 26.11.0
	EOF
	cat >in/sacctmgr_assoc.txt <<-EOF
	Cluster|Account|User|Partition|ID|ParentName|Lineage|Share|Priority|
	c|physics|alice||7||/physics/0-alice/|3||
	EOF
	cat >in/sshare.txt <<-EOF
	Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|TRESRunMins
	physics|alice|3|0.142857|5999|0.222222|0.240000|0.444444|0.595238||
	EOF
	cat >in/scontrol_job_o.txt <<-EOF
	JobId=5 JobName=a UserId=alice(7001) GroupId=g(7) Priority=4444 Nice=0 Account=physics QOS=normal JobState=PENDING Reason=Priority TimeLimit=01:00:00 SubmitTime=1970-01-01T00:10:00 EligibleTime=1970-01-01T00:10:00 AccrueTime=1970-01-01T00:10:00 Partition=p NumNodes=1 NumCPUs=1 ReqTRES=cpu=1,node=1
	EOF
	fs-snap import slurm in -o s.jsonl
}

@test "check reports which records a partial capture lacks" {
	private_capture
	run -0 fs-snap check s.jsonl
	[[ $output == *"association records are missing or incomplete"* ]]
	[[ $output == *"job records are missing or incomplete"* ]]
	[[ $output == *"qos records are missing or incomplete"* ]]
}

@test "fs-share prints the recorded shares if the tree is hidden" {
	private_capture
	run -0 --separate-stderr fs-share -f s.jsonl -a -P -h -l
	[ "$output" = "physics|alice|3|0.142857|5999|0.222222|0.240000|0.444444|0.595238||" ]
}

@test "an unknown factor makes the priority unknown, not smaller" {
	private_capture
	run -0 --separate-stderr fs-prio -f s.jsonl --json
	jq() { python3 -c 'import json,sys; r=json.load(sys.stdin)["rows"][0]; t={x["factor"]:x for x in r["terms"]}; print(r["priority"], t["fairshare"]["value"], t["qos"]["value"])' <<<"$output"; }
	[ "$(jq)" = "None 0.444444 None" ]
	run -0 --separate-stderr fs-prio -f s.jsonl -h -o '%i %Y %F %Q'
	[ "$output" = "5 ? 4444 ?" ]
}

# The capture has only the user's own path to the root, since PrivateData is set for slurmdbd but not in slurm.conf.
own_path_capture() {
	private_capture
	sed -i '/PrivateData/d; s/PriorityWeightQOS .*/PriorityWeightAssoc = 3000/' in/scontrol_config.txt
	cat >in/sacctmgr_assoc.txt <<-EOF
	Cluster|Account|User|Partition|ID|ParentName|Lineage|Share|Priority|
	c|root|||1||/|1||
	c|physics|||3|root|/physics/|1||
	c|physics|alice||7||/physics/0-alice/|3|2|
	EOF
	printf 'Name|ID|Priority\nnormal|1|0\n' >in/sacctmgr_qos_all.txt
	printf 'PartitionName=p PriorityJobFactor=1 PriorityTier=1\n' >in/scontrol_partition_o.txt
	echo '5|p|alice|physics|5194|0|0|750|4444|0|0|normal|0|0||0.00000121|0.0000000|0.2500000|0.4444444|0.0000000|0.0000000|0.0000000|' >in/sprio.txt
	fs-snap import slurm in -o s.jsonl
}

@test "a tree with only the user's own path counts as partial" {
	own_path_capture
	run -0 fs-snap check s.jsonl
	[[ $output == *"association records are missing or incomplete"* ]]
	[[ $output == *"the only user listed is alice"* ]]
	run -0 --separate-stderr fs-share -f s.jsonl -P -h -l -u alice
	[[ $output == *"|alice|3|0.142857|5999|0.222222|0.240000|0.444444|0.595238||"* ]]
}

@test "a factor with hidden inputs has sprio's value and is marked recorded" {
	own_path_capture
	run -0 --separate-stderr fs-prio -f s.jsonl -h -o '%i %B %F %Y'
	[ "$output" = "5 750 4444 5194" ]
	run -0 --separate-stderr fs-prio -f s.jsonl --json
	python3 - "$output" <<-PY
	import json, sys
	t = {x["factor"]: x for x in json.loads(sys.argv[1])["rows"][0]["terms"]}
	assert t["assoc"]["recorded"] and t["fairshare"]["recorded"] and not t["age"]["recorded"], t
	PY
	run -0 fs-explain -f s.jsonl --job 5
	[[ $output =~ ASSOC\ +0\.25.*as\ the\ scheduler\ printed\ it ]]
}

@test "a whole tree with hidden usage shows the recorded shares" {
	own_path_capture
	echo 'c|physics|bob||8||/physics/0-bob/|18|8|' >>in/sacctmgr_assoc.txt
	fs-snap import slurm in -o s.jsonl
	run -0 fs-snap check s.jsonl
	[[ $output == *"the usage of 3 of 4 records is unknown: it was hidden from the capture"* ]]
	run -0 --separate-stderr fs-share -f s.jsonl -P -h -l -u alice
	[[ $output == *"|alice|3|0.142857|5999|0.222222|0.240000|0.444444|0.595238||"* ]]
}

@test "an operator's tree with one user counts as complete" {
	own_path_capture
	printf 'User|Def Acct|Admin|Coord Accounts\nalice|physics|Operator|\n' >in/sacctmgr_user.txt
	cat >in/sshare.txt <<-EOF
	Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|TRESRunMins
	root|||0.000000|5999||1.000000||||
	 physics||1|1.000000|5999|1.000000|1.000000||1.000000||
	  physics|alice|3|1.000000|5999|1.000000|1.000000|1.000000|1.000000||
	EOF
	fs-snap import slurm in -o s.jsonl
	run -0 fs-snap check s.jsonl
	[[ $output != *"association records are missing"* ]]
}

@test "renaming hidden records does not change any command's output" {
	command -v python3 >/dev/null || skip "no python3"
	python3 "$BATS_TEST_DIRNAME/private.py" "$FS_BIN" "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl"
}

# Jobs 2 and 3 of u wait behind a running job; jobs of others are hidden from the capture.
hidden_jobs() {
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"slurm 24.05.0","captured_by":"u","hidden":["job"]}'
	snapshot "{\"type\":\"config\",\"PriorityType\":\"priority/multifactor\"$1}" '{"type":"tres","id":1,"name":"cpu"}' \
		'{"type":"node","name":"n","state":"ALLOCATED","cpus":4}' '{"type":"partition","name":"p","state":"UP","nodes":"n"}' \
		'{"type":"job","id":1,"state":"RUNNING","user":"u","start_time":900,"end_time":1500,"time_limit_s":600,"partitions":["p"],"nodes":1,"cpus":4,"node_list":"n","tres_alloc":{"cpu":4,"node":1}}' \
		'{"type":"job","id":2,"state":"PENDING","reason":"Resources","user":"u","eligible_time":5,"partitions":["p"],"priority":9,"nodes":1,"cpus":4,"time_limit_s":600,"tres_req":{"cpu":4,"node":1}}' \
		'{"type":"job","id":3,"state":"PENDING","reason":"Priority","user":"u","eligible_time":5,"partitions":["p"],"priority":7,"nodes":1,"cpus":4,"time_limit_s":600,"tres_req":{"cpu":4,"node":1}}'
}

# page ARGUMENT...: prints a page of fs-explain in one line.
page() {
	fs-explain -f s.jsonl --as u "$@" | tr -s ' \n' ' '
}

@test "hidden jobs make the number of jobs ahead unknown or a minimum" {
	hidden_jobs ',"PrivateData":["jobs"]'
	[[ $(page 2 --brief) == *"Ahead Unknown: jobs of others are hidden from you (PrivateData)."* ]]
	[[ $(page 3 --brief) == *"Ahead At least 1 job in p; others are hidden from you (PrivateData). Closest visible: 2 of u"* ]]
	[[ $(page 3 --ahead) == *"at least one job is ahead of it"*"At least 1 job is ahead of it"* ]]
	[[ $(page 2 --ahead) != *"no job is ahead of it"* && $(page 2 --ahead) != *"0 jobs"* ]]
	fs-explain -f s.jsonl --as u 3 --html=page.html
	grep -q 'At least 1 job in p; others are hidden from you (PrivateData)' page.html
	fs-explain -f s.jsonl --as u 3 --json >doc
	python3 -c 'import json; d = json.load(open("doc")); assert d["jobs_hidden"] and d["ahead"]["at_least"] and d["verdict_text"] == "behind at least 1 job in p", d'
	hidden_jobs ''
	[[ $(page 2 --brief) == *"Ahead Unknown: jobs missing from the snapshot may be ahead of it."* ]]
	[[ $(page 3 --brief) == *"Ahead At least 1 job in p; others may be missing from the snapshot."* ]]
}

@test "plans and advice warn that they leave out hidden jobs" {
	hidden_jobs ',"PrivateData":["jobs"]'
	[[ $(page 3 --brief) == *"When "*"Jobs hidden from you (PrivateData) are not in the plan."*"What you can do Run: scontrol "*" Planned start "*", counting only visible jobs."* ]]
	[[ $(page 3 --advise) == *"Jobs hidden from you (PrivateData) are not in the plan: starts may be later."* ]]
	fs-showq -f s.jsonl --as u --plan | grep -q 'Jobs that were hidden from the capture (PrivateData) are left out: starts may be later\.'
	fs-showq -f s.jsonl --as u --start 2 | grep -q 'Jobs that were hidden from the capture (PrivateData) are left out: starts may be later\.'
	hidden_jobs ''
	fs-showq -f s.jsonl --as u --plan | grep -q 'Jobs that are missing from the snapshot are left out: starts may be later\.'
	sed -i 's/,"hidden":\["job"\]//' s.jsonl
	[[ $(page 2 --brief) == *"Ahead Nobody in p."* && $(page 2) != *"not in the plan"* ]]
}
