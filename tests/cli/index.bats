#!/usr/bin/env bats
# fs-snap index: all commands print the same with an index, and an untrustworthy index is not used.

load lib

top=$BATS_TEST_DIRNAME/../top

told() { # STATE: check prints this state of the index
	fs-snap check s.jsonl >checked
	grep -F "$1" checked || { cat checked; return 1; }
}

# all: the output and the failed statuses of all commands on s.jsonl
all() {
	local job
	job=$(fs-prio -f s.jsonl --as root -h -o %i | head -1 | tr -d ' ')
	fs-share -f s.jsonl -alm || echo $?
	fs-share -f s.jsonl -a --json || echo $?
	fs-share -f s.jsonl -a --spent || echo $?
	fs-share -f s.jsonl -a --usage=computed || echo $?
	fs-prio -f s.jsonl --json || echo $?
	fs-prio -f s.jsonl -l --as root || echo $?
	fs-showq -f s.jsonl --as root --why || echo $?
	fs-showq -f s.jsonl --plan --json || echo $?
	fs-explain -f s.jsonl --as root "$job" || echo $?
	fs-top -f s.jsonl --as root --once --size 160x40 || echo $?
	fs-diff -f s.jsonl --as root --at +1d --no-plan || echo $?
	fs-prio -f s.jsonl --as root --if "scontrol update job $job Priority=5" || echo $?
}

@test "every command prints the same with an index as without one" {
	local f
	for f in "$top/odyssey.jsonl" "$top/maui.jsonl" "$BATS_TEST_DIRNAME/../../cmd/demo.jsonl" \
		"$BATS_TEST_DIRNAME/examples/flux.jsonl"; do
		rm -f s.jsonl*
		cp "$f" s.jsonl
		all >want 2>&1
		fs-snap index s.jsonl
		told 'the index s.jsonl.fsx is used'
		cp s.jsonl.fsx before
		all >got 2>&1
		cmp want got
		cmp before s.jsonl.fsx
		[ "$(stat -c %a s.jsonl)" = "$(stat -c %a s.jsonl.fsx)" ]
	done
}

@test "commands read the index instead of the snapshot" {
	local i before
	{
		echo "$head"
		for ((i = 1; i < 2000; i++)); do
			echo '{"type":"job","id":'$i',"state":"PENDING","user":"u","name":"old","priority":7,"comment":"'"$(printf %0100d $i)"'"}'
		done
	} >s.jsonl
	fs-snap index s.jsonl
	before=$(stat -c %y s.jsonl)
	sed 's/old/new/' s.jsonl >changed
	dd if=changed of=s.jsonl bs=1 skip=100000 seek=100000 count=10000 conv=notrunc status=none
	touch -d "$before" s.jsonl # no accident does this: the index still has the old names
	fs-showq -f s.jsonl --as u --json | absent '"new"'
	rm s.jsonl.fsx
	fs-showq -f s.jsonl --as u --json | grep -q '"new"'
}

@test "check reports an outdated, damaged or foreign index, and commands ignore it" {
	cp "$top/odyssey.jsonl" s.jsonl
	fs-prio -f s.jsonl -l >want
	refused() { # WHY
		told "the index s.jsonl.fsx is not used: $1"
		fs-prio -f s.jsonl -l | cmp - want
	}
	fs-snap index s.jsonl
	touch s.jsonl
	refused 'the snapshot has changed since'
	fs-snap index s.jsonl
	cp -p s.jsonl t && mv t s.jsonl # another inode
	refused 'the snapshot has changed since'
	fs-snap index s.jsonl
	chmod g+w s.jsonl.fsx
	refused 'users other than its owner may write to it'
	fs-snap index s.jsonl
	printf x | dd of=s.jsonl.fsx bs=1 seek=5000 conv=notrunc status=none
	refused 'the index is damaged'
	truncate -s 3000 s.jsonl.fsx
	refused 'the index is damaged'
	echo text >s.jsonl.fsx
	refused 'the file is not an index'
	rm s.jsonl.fsx && mkdir s.jsonl.fsx
	refused 'it is empty or not a regular file'
	rmdir s.jsonl.fsx && mkfifo s.jsonl.fsx
	refused 'it is empty or not a regular file'
	rm s.jsonl.fsx
	if [ "$(id -u)" = 0 ]; then
		fs-snap index s.jsonl
		chown 12345 s.jsonl.fsx
		refused "its owner is not the snapshot's owner"
		chown 12345 s.jsonl
		fs-snap index s.jsonl
		told 'the index s.jsonl.fsx is used'
		[ "$(stat -c %u s.jsonl.fsx)" = 12345 ]
	fi
	rm s.jsonl.fsx
	fs-snap check s.jsonl | absent fsx
}

@test "index requires a valid file, and a failure leaves no index" {
	run -1 fs-snap index /dev/null
	run -1 fs-snap index nowhere.jsonl
	echo '{"type":"snapshot"}' >bad.jsonl
	run -3 fs-snap index bad.jsonl
	[ ! -e bad.jsonl.fsx ]
	run -2 fs-snap index
	run -2 --separate-stderr fs-snap capture --index
	[[ $stderr == *"requires -o FILE"* ]]
}

@test "index succeeds while another process replaces the snapshot" {
	local i failed=0
	snapshot '{"type":"association","id":1,"account":"root","shares":1}' "$(seq 2 10000 |
		sed 's/.*/{"type":"association","id":&,"account":"root","user":"u&","shares":1}/')"
	(
		while [ ! -e stop ]; do
			cp s.jsonl new && mv new s.jsonl
			sleep 0.3
		done
	) &
	for i in $(seq 10); do
		fs-snap index s.jsonl || failed=1
	done
	touch stop
	wait
	[ "$failed" = 0 ]
}
