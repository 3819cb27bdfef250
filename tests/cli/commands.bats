#!/usr/bin/env bats
# Dispatch, options, sources of the snapshot, exit statuses.

load lib

@test "each command prints its name with --help" {
	for c in fs-share fs-prio fs-showq fs-explain fs-snap; do
		run -0 "$c" --help
		[[ $output == "Usage: $c "* ]]
	done
}

@test "fs-tools dispatches verbs with and without fs-" {
	run -0 fs-tools share --demo -A root
	[ "${#lines[@]}" -ge 3 ]
	run -0 fs-tools fs-prio --demo -w
	[[ ${lines[1]} == *Weights* ]]
	run -2 fs-tools nosuch
	run -2 fs-tools
}

@test "a link named sshare or sprio runs as that tool" {
	ln -s "$FS_BIN/fs-tools" sshare
	ln -s "$FS_BIN/fs-tools" sprio
	FS_SNAPSHOT=s.jsonl
	export FS_SNAPSHOT
	snapshot
	run -0 ./sshare -V
	[ "$output" = "slurm 26.11.0" ]
	run -1 ./sprio --nosuch
}

@test "base-58 job ids are valid only for Flux snapshots" {
	ln -s "$FS_BIN/fs-tools" sprio
	FS_SNAPSHOT=s.jsonl
	export FS_SNAPSHOT
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1}'
	run -1 ./sprio -j fA
	[[ $output == *'Invalid job id: fA'* ]]
	head='{"type":"snapshot","format":1,"time":1000,"cluster":"c","scheduler":"flux 0.88.0"}'
	snapshot '{"type":"job","id":9,"state":"PENDING","user":"ann","urgency":16}'
	run -0 fs-prio -h -j fA
	[[ $output == *fA* ]]
}

@test "unknown options exit 2 with one line naming the option and --help" {
	for c in fs-share fs-prio fs-showq fs-explain fs-snap; do
		run -2 --separate-stderr "$c" --nosuch
		[ "${#stderr_lines[@]}" = 1 ]
		[[ $stderr == *--nosuch*--help* ]]
		[ -z "$output" ]
	done
	run -2 --separate-stderr fs-share -Z
	[[ $stderr == *-Z* ]]
	run -2 --separate-stderr fs-prio --format
	[[ $stderr == *--format* ]]
}

@test "every command reports an extra argument with the same message" {
	local c
	for c in fs-share fs-prio fs-showq fs-top "fs-explain 812154" "fs-diff --demo a"; do
		run -2 $c nosuch
		[[ $output == "${c%% *}: unexpected argument \"nosuch\"; see ${c%% *}"*" --help" ]] || { echo "$output"; return 1; }
	done
}

@test "a command without a snapshot lists the ways to give one" {
	run -1 --separate-stderr env PATH="$FS_BIN" fs-share
	[[ $stderr == *"-f FILE"*FS_SNAPSHOT*--demo* ]]
}

@test "-f overrides FS_SNAPSHOT, and - means standard input" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}'
	FS_SNAPSHOT=/nonexistent run -0 fs-share -f s.jsonl -P -h
	[[ $output == root* ]]
	run -0 fs-share -f - -P -h <s.jsonl
	[[ $output == root* ]]
	FS_SNAPSHOT=s.jsonl run -0 fs-share -P -h
	[[ $output == root* ]]
}

@test "a snapshot without associations or configuration is refused" {
	snapshot
	run -1 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *"no associations"* ]]
	run -1 --separate-stderr fs-prio -f s.jsonl
	[[ $stderr == *configuration* ]]
}

@test "-j may be repeated and reads its list from the next word" {
	run -0 fs-prio --demo -h -j 812097 -j 812103 -o %i
	[ "$output" = $'812097\n812103' ]
	run -2 fs-prio --demo -j 812097 extra
	run -0 fs-prio --demo --json -v
	[[ $output == "{"* ]]
}

@test "writing to a full disk is an error" {
	run -1 bash -c 'fs-share --demo -a >/dev/full'
	run -1 bash -c 'fs-prio --demo >/dev/full'
	run -1 bash -c 'fs-share --demo -a --json >/dev/full'
}

@test "fs-share escapes control characters in names" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"root","user":"a\u001b[31mb\u009b","shares":1}'
	run -0 fs-share -f s.jsonl -a -P
	[[ $output == *'a^[[31mb\x9b'* ]]
	[[ $output != *$'\e'* ]]
}

@test "--compat treats an unknown version as the nearest, with a warning" {
	run --separate-stderr fs-prio --demo --compat=27.05
	[ "$status" = 0 ]
	[ "$stderr" = 'fs-prio: warning: --compat=27.05 is newer than all known versions; treated as 26.11' ]
	run --separate-stderr fs-prio --demo --compat=20.11.9
	[ "$stderr" = 'fs-prio: warning: --compat=20.11.9 is older than all known versions; treated as 22.05' ]
	run --separate-stderr fs-prio --demo --compat=24.05.3
	[ "$stderr" = '' ]
}

@test "an unknown Slurm version is treated as the nearest, with a warning" {
	head=${head/26.11.0/28.05.1}
	snapshot
	run fs-snap check s.jsonl
	[ "$status" = 0 ]
	[[ $output == *'warning: s.jsonl: slurm 28.05.1 is newer than all known versions; treated as Slurm 26.11'* ]]
}

# ended [MORE]: writes s.jsonl with two jobs of QOS high: job 7 ended at time 200, job 8 waits. MORE is added to the
# configuration.
ended() {
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightQOS":100,"PriorityFlags":["CALCULATE_RUNNING"]'"${1-}"'}' \
		'{"type":"qos","id":1,"name":"high","priority":100}' '{"type":"partition","name":"p"}' \
		'{"type":"job","id":7,"state":"COMPLETED","user":"ann","partitions":["p"],"qos":["high"],"submit_time":100,"eligible_time":100,"end_time":200,"cpus":1}' \
		'{"type":"job","id":8,"state":"PENDING","user":"ann","partitions":["p"],"qos":["high"],"submit_time":100,"eligible_time":100,"cpus":1}'
}

@test "a job that ended before the controller's start has no QOS" {
	ended
	run -0 fs-prio -f s.jsonl -ho '%i|%n|%10n|%.10n|%.3n|%5n|%Q'
	[ "${lines[0]}" = '7|(null)|(null)    |    (null)|(nu|     |0' ]
	[ "${lines[1]}" = '8|high|high      |      high|hig|high |100' ]
	fs-prio -f s.jsonl --json >out.json
	run -0 python3 -c 'import json; print([(r["jobid"], r["qos"]) for r in json.load(open("out.json"))["rows"]])'
	[ "$output" = "[(7, None), (8, 'high')]" ]
	run -0 fs-explain -f s.jsonl 7
	[[ $output == *"no QOS (job ended): 0, highest is 100"* ]]
	run -0 fs-explain -f s.jsonl 8
	[[ $output == *'high 100, highest is 100'* ]]
	ended ',"BOOT_TIME":201'
	run -0 fs-prio -f s.jsonl -ho '%i|%n|%Q'
	[ "${lines[0]}" = '7|(null)|0' ]
	ended ',"BOOT_TIME":199'
	run -0 fs-prio -f s.jsonl -ho '%i|%n|%Q'
	[ "${lines[0]}" = '7|high|100' ]
}

@test "only the emulated sprio warns of weights whose sum exceeds 32 bits" {
	ended
	ln -s "$FS_BIN/fs-tools" sprio
	sed -i 's/"PriorityWeightQOS":100/"PriorityWeightQOS":4294967295/' s.jsonl
	FS_SNAPSHOT=s.jsonl run -0 --separate-stderr ./sprio
	[ -z "$stderr" ]
	sed -i 's/"PriorityWeightQOS"/"PriorityWeightAge":1,&/' s.jsonl
	FS_SNAPSHOT=s.jsonl run -0 --separate-stderr ./sprio
	[ "$stderr" = "sprio: error: PriorityWeight values too high, job priority value may overflow" ]
	[[ $output != *'too high'* ]]
	run -0 --separate-stderr fs-prio -f s.jsonl
	[ -z "$stderr" ]
}

@test "-j of an unknown job exits 4, in the emulated sprio 0" {
	ended
	run -4 --separate-stderr fs-prio -f s.jsonl -j 99
	[ "${#lines[@]}" = 1 ]
	run -4 fs-prio -f s.jsonl -j 99 --json
	run -4 --separate-stderr fs-prio -f s.jsonl -j 99,8
	[ "${#lines[@]}" = 2 ]
	ln -s "$FS_BIN/fs-tools" sprio
	FS_SNAPSHOT=s.jsonl run -0 ./sprio -j 99
	[ "${#lines[@]}" = 1 ]
	head='{"type":"snapshot","format":1,"time":1600000600,"cluster":"c","scheduler":"maui 3.5"}'
	snapshot '{"type":"credential","kind":"user","name":"ann"}' \
		'{"type":"job","id":7,"name":"7","state":"PENDING","user":"ann","cpus":4,"time_limit_s":60,"eligible_time":1600000000}'
	run -4 fs-prio -f s.jsonl -j 99
	run -4 fs-prio -f s.jsonl -j 99 --json
	run -0 fs-prio -f s.jsonl -j 7
}

@test "a command whose reader closes the pipe ends silently with status 141" {
	{
		echo "$head"
		echo '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1}'
		seq -f '{"type":"job","id":%.0f,"state":"PENDING","user":"u","partitions":["p"],"priority":7,"eligible_time":5}' 5000
	} >s.jsonl
	local before command
	for before in : "trap '' PIPE"; do
		for command in "fs-prio -l" "fs-prio --json" "fs-prio --jsonl" "fs-showq --as root"; do
			run bash -c "$before; { $command -f s.jsonl 2>errors; echo \$? >status; } | head -c 1 >/dev/null"
			[ ! -s errors ] || { cat errors; return 1; }
			[ "$(cat status)" = 141 ] || { echo "$command: $(cat status)"; return 1; }
		done
	done
}

@test "reading for more than a second shows progress on a terminal" {
	snapshot '{"type":"config","PriorityType":"priority/multifactor"}'
	python3 - <<-'EOF' >seen
	import os, pty, sys, time
	reading, writing = os.pipe()
	child, terminal = pty.fork()
	if not child:
	    os.dup2(reading, 0)
	    os.close(writing)
	    os.execvp("fs-snap", ["fs-snap", "check", "/dev/stdin"])
	for line in open("s.jsonl"):
	    os.write(writing, line.encode())
	for i in range(1, 30):
	    os.write(writing, b'{"type":"tres","id":%d,"name":"%s"}\n' % (i, b"x" * 100000))
	    time.sleep(0.06)
	os.close(writing)
	try:
	    while True:
	        sys.stdout.buffer.write(os.read(terminal, 4096))
	except OSError:
	    pass
	EOF
	grep -q 'read [0-9]* MB' seen
	fs-snap check s.jsonl 2>&1 | absent 'MB'
}

@test "widths of columns have a maximum" {
	local width
	for width in 2147483647 2147483648 -2147483648 4294967297 99999999999999999999 -99999999999999999999; do
		[ "$(fs-share --demo --as root -a -h -o "Account%$width" | awk '{ if (length($0) > n) n = length($0) } END { print n }')" -le 100001 ]
		[ "$(fs-prio --demo --as root -h -o "%${width#-}i" | awk '{ if (length($0) > n) n = length($0) } END { print n }')" -le 1000000 ]
	done
}
