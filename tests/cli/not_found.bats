#!/usr/bin/env bats
# Unknown names are reported on standard error with exit status 4, for every form of output.

load lib

# lacks MESSAGE COMMAND...: the command prints MESSAGE and exits with status 4, as text and as JSON.
lacks() {
	local message=$1 form
	shift
	for form in "" --json; do
		run -4 --separate-stderr "$@" $form
		[[ "$stderr" == *"${1}: $message"* ]] || { echo "$* $form: $stderr"; return 1; }
		[ -z "$form" ] || [ -z "$output" ] || python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
	done
}

@test "every command reports an unknown user, account, partition or job" {
	export FS_USER=root
	local edit='scontrol hold 812154'
	lacks 'cannot find shares of user "nosuch"' fs-share --demo -u nosuch
	lacks 'cannot find shares of user "nosuch"' fs-share --demo -u dana,nosuch
	lacks 'cannot find shares of user "4000000001"' fs-share --demo -u 4000000001
	lacks 'cannot find shares of account "nosuch"' fs-share --demo -A nosuch
	lacks 'cannot find shares of account "nosuch"' fs-share --demo -a -A nosuch,quantum
	lacks '--subtree: no account "nosuch"' fs-share --demo --subtree=nosuch
	lacks 'no account "nosuch"' fs-share --demo --spent=nosuch
	lacks 'cannot find grants for account "nosuch"' fs-share --demo --grants=nosuch
	lacks 'no user "nosuch"' fs-prio --demo -u nosuch
	lacks 'no user "nosuch"' fs-prio --demo -u nosuch,dana
	lacks 'no partition "nosuch"' fs-prio --demo -p nosuch
	lacks 'no account "nosuch"' fs-prio --demo --subtree=nosuch
	lacks 'cannot find a priority of job 99999' fs-prio --demo -j 99999
	lacks 'cannot find a priority of job 99999' fs-prio --demo -j 99999,812154
	lacks 'no user "nosuch"' fs-showq --demo -U nosuch
	lacks 'no user "nosuch"' fs-showq --demo -U nosuch --plan
	lacks 'no user "nosuch"' fs-showq --demo -U nosuch --why
	lacks 'no partition "nosuch"' fs-showq --demo -p nosuch
	lacks 'no partition "nosuch"' fs-showq --demo -q nosuch
	lacks '--start: cannot find the pending job 99999' fs-showq --demo --start=99999
	lacks 'no user "nosuch"' fs-diff --demo --if "$edit" --user=nosuch
	lacks 'no account "nosuch"' fs-diff --demo --if "$edit" --account=nosuch
	lacks '--job: no job 99999 before or after the changes' fs-diff --demo --if "$edit" --job=99999
	lacks 'no user "nosuch"' fs-explain --demo --user=nosuch
	lacks 'no account "nosuch"' fs-explain --demo --account=nosuch
	lacks 'no job "99999"' fs-explain --demo --job=99999
	lacks 'no job, user or account "nosuch"' fs-explain --demo nosuch
	lacks 'no job, user or account "nosuch"' fs-explain --demo dana --versus=nosuch
}

@test "--history reports users, accounts and jobs that no snapshot has" {
	mkdir d
	cp "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" d/a.jsonl
	lacks 'd: no snapshot has shares of user "nosuch"' fs-share --history=d -u nosuch
	lacks 'd: no snapshot has shares of user "nosuch"' fs-share --history=d -u dana,nosuch
	lacks 'd: no snapshot has shares of account "nosuch"' fs-share --history=d -A nosuch
	lacks 'd: no snapshot has shares of user "dana" in the requested accounts' fs-share --history=d -u dana -A astro
	lacks 'd: no snapshot has priorities of job 99999' fs-prio --history=d -j 99999
	lacks 'd: no snapshot has priorities of job 99999' fs-prio --history=d -j 99999,812154
}

@test "--as warns if the snapshot does not have the user" {
	local c
	for c in "fs-share -a" fs-prio fs-showq fs-explain "fs-diff --at=+1h"; do
		run -0 --separate-stderr $c --demo --as=nosuch
		[[ "$stderr" == *'warning: --as: no user "nosuch" in the snapshot'* ]] || { echo "$c: $stderr"; false; }
		run -0 --separate-stderr $c --demo --as=dana
		[ -z "$stderr" ]
		run -0 --separate-stderr $c --demo --as=root
		[ -z "$stderr" ]
	done
}

@test "a known user without rows is not an error" {
	export FS_USER=root
	fs-prio --demo -u dana -p gpu
	fs-share --demo -u dana -A quantum
	fs-showq --demo -U dana
}

@test "fs-prio says why a job has no priority" {
	export FS_USER=root
	reason() { # JOB TEXT [FIELD...]: the reason for a job with these fields
		local job=$1 text=$2
		shift 2
		snapshot '{"type":"config","PriorityType":"priority/multifactor"}' \
			"{\"type\":\"job\",\"id\":7,\"user\":\"u\",\"partitions\":[\"p\"],$(IFS=,; echo "$*")}"
		lacks "cannot find a priority of job $job: $text" fs-prio -f s.jsonl -l -j "$job"
	}
	reason 8 'the snapshot shows no such job' '"state":"PENDING"'
	reason 8_1 'the snapshot shows no such job' '"state":"PENDING"'
	reason 7 'it is not pending (state RUNNING)' '"state":"RUNNING"'
	reason 7 'it is held: its priority is 0 (reason JobHeldUser)' '"state":"PENDING"' '"priority":0' '"reason":"JobHeldUser"'
	reason 7 'it is not eligible before 1970-01-01 00:33:20' '"state":"PENDING"' '"eligible_time":2000' '"reason":"BeginTime"'
	reason 7 'it is not eligible; it waits for its dependency afterok:3' '"state":"PENDING"' \
		'"reason":"Dependency"' '"dependency":"afterok:3"'
	reason 7 'its eligible time is unknown (reason Reservation)' '"state":"PENDING"' '"reason":"Reservation"'
	reason 6 'it is an array; name one of its tasks, such as 6_2' '"state":"PENDING"' '"eligible_time":5' \
		'"array_job_id":6' '"array_task_id":2'
	sed -i '2s/"PriorityType"/"PrivateData":["jobs"],"PriorityType"/' s.jsonl
	lacks 'cannot find a priority of job 7: the snapshot shows no such job' fs-prio -f s.jsonl -j 7 --as other
}
