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
