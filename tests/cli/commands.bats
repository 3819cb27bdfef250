#!/usr/bin/env bats
# Dispatch, options, where the snapshot comes from, exit statuses.

load lib

@test "each command knows --help and names itself" {
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

@test "a link named sshare or sprio is that tool" {
	ln -s "$FS_BIN/fs-tools" sshare
	ln -s "$FS_BIN/fs-tools" sprio
	FS_SNAPSHOT=s.jsonl
	export FS_SNAPSHOT
	snapshot
	run -0 ./sshare -V
	[ "$output" = "slurm 26.11.0" ]
	run -1 ./sprio --nosuch
}

@test "a job id is one of the snapshot's scheduler: base 58 is Flux's alone" {
	ln -s "$FS_BIN/fs-tools" sprio
	FS_SNAPSHOT=s.jsonl
	export FS_SNAPSHOT
	snapshot '{"type":"config","PriorityType":"priority/multifactor","PriorityWeightAge":1}'
	run -1 ./sprio -j fA
	[[ $output == *'invalid job id "fA"'* ]]
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

@test "no snapshot at all names the ways to give one" {
	run -1 --separate-stderr env PATH="$FS_BIN" fs-share
	[[ $stderr == *"-f FILE"*FS_SNAPSHOT*--demo* ]]
}

@test "-f beats FS_SNAPSHOT, - is standard input" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}'
	FS_SNAPSHOT=/nonexistent run -0 fs-share -f s.jsonl -P -h
	[[ $output == root* ]]
	run -0 fs-share -f - -P -h <s.jsonl
	[[ $output == root* ]]
	FS_SNAPSHOT=s.jsonl run -0 fs-share -P -h
	[[ $output == root* ]]
}

@test "a snapshot without associations or configuration is said, not computed" {
	snapshot
	run -1 --separate-stderr fs-share -f s.jsonl
	[[ $stderr == *"no associations"* ]]
	run -1 --separate-stderr fs-prio -f s.jsonl
	[[ $stderr == *configuration* ]]
}

@test "-j takes its list from the next word, more than once" {
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

@test "names with control bytes never reach the terminal raw" {
	snapshot '{"type":"association","id":1,"account":"root","shares":1}' \
		'{"type":"association","id":2,"account":"root","user":"a\u001b[31mb\u009b","shares":1}'
	run -0 fs-share -f s.jsonl -a -P
	[[ $output == *'a^[[31mb\x9b'* ]]
	[[ $output != *$'\e'* ]]
}

@test "--compat: a version that is not known is taken for the nearest, and that is said" {
	run --separate-stderr fs-prio --demo --compat=27.05
	[ "$status" = 0 ]
	[ "$stderr" = 'fs-prio: warning: --compat=27.05 is newer than any version known here: it is taken for 26.11' ]
	run --separate-stderr fs-prio --demo --compat=20.11.9
	[ "$stderr" = 'fs-prio: warning: --compat=20.11.9 is older than any version known here: it is taken for 22.05' ]
	run --separate-stderr fs-prio --demo --compat=24.05.3
	[ "$stderr" = '' ]
}

@test "a snapshot of a version that is not known is read as the nearest, and that is said" {
	head=${head/26.11.0/28.05.1}
	snapshot
	run fs-snap check s.jsonl
	[ "$status" = 0 ]
	[[ $output == *'warning: s.jsonl: slurm 28.05.1 is newer than any version known here: it is taken for Slurm 26.11'* ]]
}
