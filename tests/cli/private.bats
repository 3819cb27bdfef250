#!/usr/bin/env bats
# Captures of users who may see only part of the cluster: the rest is unknown, never zero.

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

@test "a partial tree imports, and says what is hidden" {
	private_capture
	run -0 fs-snap check s.jsonl
	[[ $output == *"association records are missing or incomplete"* ]]
	[[ $output == *"job records are missing or incomplete"* ]]
	[[ $output == *"qos records are missing or incomplete"* ]]
}

@test "what the daemon printed is taken as given where the tree is hidden" {
	private_capture
	run -0 fs-share -f s.jsonl -a -P -h -l
	[ "$output" = "physics|alice|3|0.142857|5999|0.222222|0.240000|0.444444|0.595238||" ]
}

@test "an unknown factor makes the priority unknown, not smaller" {
	private_capture
	run -0 fs-prio -f s.jsonl --json
	jq() { python3 -c 'import json,sys; r=json.load(sys.stdin)["rows"][0]; t={x["factor"]:x for x in r["terms"]}; print(r["priority"], t["fairshare"]["value"], t["qos"]["value"])' <<<"$output"; }
	[ "$(jq)" = "None 0.444444 None" ]
	run -0 fs-prio -f s.jsonl -h -o '%i %Y %F %Q'
	[ "$output" = "5 ? 4444 ?" ]
}
