#!/usr/bin/env bats
# The systemd units: the score of their restrictions, and a capture under the restrictions that work without systemd.

load lib

units=$BATS_TEST_DIRNAME/../../.packaging/systemd

# setting UNIT NAME: prints the values of a setting, each on a line.
setting() {
	sed -n "s/^$2=//p" "$units/$1.service"
}

@test "the exposure of both units is at most 2.5" {
	command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
	systemd-analyze security --help 2>/dev/null | grep -q -e --offline || skip "systemd-analyze lacks --offline"
	for u in fs-snap fs-snap-keep; do
		sed "s,@BINDIR@/fs-snap,/bin/true," "$units/$u.service" >$u.service
		systemd-analyze security --offline=true --threshold=25 --no-pager "$PWD/$u.service"
	done
}

# allowed_calls UNIT: prints the numbers of the system calls that the unit allows.
allowed_calls() {
	local line set
	systemd-analyze syscall-filter --no-pager >sets
	: >names
	setting "$1" SystemCallFilter | while read -r line; do
		for set in ${line#'~'}; do
			list_set "$set"
		done | sort -u >change
		case $line in
		'~'*) comm -23 names change ;;
		*) sort -u names change ;;
		esac >left
		mv left names
	done
	echo '#include <asm/unistd.h>' | "${CC:-cc}" -E -dM - |
		awk 'NR == FNR { allowed["__NR_" $1]; next } $2 in allowed { print $3 }' names -
}

# list_set SET: prints the names of the system calls in the set and in the sets that the set contains.
list_set() {
	local name
	if [[ $1 != @* ]]; then
		echo "$1"
		return
	fi
	awk -v set="$1" '/^@/ { inside = $1 == set } inside && /^    [^#]/ { print $1 }' sets | while read -r name; do
		list_set "$name"
	done
}

# write_filter: reads numbers of system calls, and writes a filter under which all others fail with EPERM.
write_filter() {
	python3 -c '
import struct, sys
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, EPERM = 0x7fff0000, 0x00050001
program = [(LOAD, 0, 0, 0)]
for number in map(int, sys.stdin):
    program += [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
program.append((RETURN, 0, 0, EPERM))
sys.stdout.buffer.write(b"".join(struct.pack("HBBI", *step) for step in program))'
}

# restricted UNIT COMMAND...: runs the command as the unit does: read-only files except the state's folder, a private
# /tmp, empty home folders, few devices, the unit's capabilities and system calls.
restricted() {
	local unit=$1 cap restrict=()
	shift
	for cap in $(setting "$unit" CapabilityBoundingSet); do
		[ "$(id -u)" -ne 0 ] || restrict+=(--cap-add "$cap")
	done
	[ "$(setting "$unit" PrivateNetwork)" != yes ] || restrict+=(--unshare-net)
	[ -e "$unit.filter" ] || allowed_calls "$unit" | write_filter >"$unit.filter"
	bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /home --tmpfs /root --ro-bind "$FS_BIN" "$FS_BIN" \
		--ro-bind "$BATS_TEST_DIRNAME" "$BATS_TEST_DIRNAME" --ro-bind "$PWD" "$PWD" --bind "$PWD/state" "$PWD/state" \
		--bind "$PWD/log" "$PWD/log" --unshare-uts --unshare-ipc --new-session --cap-drop ALL "${restrict[@]}" \
		--seccomp 10 "$@" 10<"$unit.filter"
}

@test "a capture and a history work under the restrictions of the units" {
	local tool
	for tool in bwrap python3 systemd-analyze "${CC:-cc}"; do
		command -v "$tool" >/dev/null || skip "no $tool"
	done
	bwrap --ro-bind / / true 2>/dev/null || skip "bwrap may not create namespaces"
	[ "${FS_VARIANT:-}" != asan ] || skip "the leak checker needs ptrace"
	mkdir bin state log
	cp "$BATS_TEST_DIRNAME"/stand-ins/* bin 2>/dev/null || [ -e bin/sdiag ]
	printf '%s\n' "STAND_IN_DIR='$BATS_TEST_DIRNAME/stand-ins/data'" "STAND_IN_LOG='$PWD/log'" >bin/settings
	export PATH=$PWD/bin:$PATH
	unset TMPDIR
	run restricted fs-snap sh -c 'echo x >unexpected'
	[ "$status" -ne 0 ]
	[ ! -e unexpected ]
	run restricted fs-snap python3 -c 'import os; os.nice(1)'
	[[ $output == *PermissionError* ]]
	restricted fs-snap fs-snap capture --index --mode=640 -o "$PWD/state/snapshot.jsonl"
	restricted fs-snap fs-snap capture --index --mode=640 -o "$PWD/state/snapshot.jsonl"
	[ "$(stat -c %a state/snapshot.jsonl)" = 640 ]
	[ -s state/snapshot.jsonl.fsx ]
	fs-snap check state/snapshot.jsonl >/dev/null
	restricted fs-snap-keep fs-snap keep "$PWD/state/history" "$PWD/state/snapshot.jsonl"
	[ "$(ls -A state/history | wc -l)" -ge 1 ]
}
