#!/bin/bash
# Our sshare and sprio against the real ones: starts a Slurm of its own on
# this machine, plays a small scene on it, captures its state and compares
# the answers to every line of commands.txt byte for byte.
#
# Needs root on Debian 12 and says "check-slurm: skipped: why" elsewhere.
# Without Debian's Slurm it installs it. Ends in a line "N passed, N failed";
# exit status 1 when any failed.
#
# Environment:
#   FS_BIN      where fs-tools is (default: build/bin of this source tree)
#   FS_CAPTURE  shell: capture by capture.sh instead of by fs-snap capture
#   FS_KEEP     not empty: keep the working directory
set -u
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
FS_BIN=$(realpath -m "${FS_BIN:-$here/../../build/bin}")
work=
passed=0
failed=0

skip() {
	echo "check-slurm: skipped: $*"
	exit 0
}

die() {
	echo "check-slurm: $*" >&2
	[ -z "$work" ] || tail -n 5 "$work"/log/* >&2
	exit 1
}

for part in packages daemons scene capture compare; do
	# shellcheck source=/dev/null
	. "$here/$part.sh"
done

cleanup() {
	stop_daemons
	if [ -n "${FS_KEEP-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}

# done_or_report WHAT COMMAND...: a step without which nothing can be compared
done_or_report() {
	local what=$1
	shift
	timeout 60 "$@" >"$work/log/step" 2>&1 </dev/null
	judge $? "$what" && return
	cat "$work/log/step"
	report
}

report() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
}

standing_still() {
	sshare -alP
	sprio -l
}

capture() {
	if [ "${FS_CAPTURE-}" = shell ]; then
		capture_raw "$work/raw"
		done_or_report 'fs-snap import' \
			"$FS_BIN/fs-snap" import slurm "$work/raw" -o "$work/captured.jsonl"
	else
		done_or_report 'fs-snap capture' \
			"$FS_BIN/fs-snap" capture --raw "$work/raw" -o "$work/captured.jsonl"
	fi
}

main() {
	local sshare_ms sprio_ms
	export TZ=UTC LC_ALL=C.UTF-8
	work=$(mktemp -d /tmp/check-slurm.XXXXXX) || die 'no working directory'
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'echo "check-slurm: stopped, or out of time" >&2; exit 143' TERM
	start_daemons
	play_scene

	standing_still >"$work/before"
	capture
	real_answers
	standing_still >"$work/after"
	diff "$work/before" "$work/after" || die 'priorities moved during the capture'
	sshare_ms=$(median sshare -alP)
	sprio_ms=$(median sprio -l)

	# At its end the controller writes its usage in full.
	stop slurmctld
	exact_usage "$work/state/assoc_usage" >"$work/usage"
	done_or_report 'fs-snap check' "$FS_BIN/fs-snap" check "$work/captured.jsonl"
	done_or_report 'fs-snap import --exact-usage' "$FS_BIN/fs-snap" import slurm \
		--exact-usage "$work/usage" "$work/raw" -o "$work/exact.jsonl"
	our_answers
	compare_answers

	echo "median of 5 runs, real and ours:" \
		"sshare -alP $sshare_ms ms," \
		"fs-share -alP $(from_snapshot "$work/exact.jsonl" median "$FS_BIN/fs-share" -alP) ms;" \
		"sprio -l $sprio_ms ms," \
		"fs-prio -l $(from_snapshot "$work/exact.jsonl" median "$FS_BIN/fs-prio" -l) ms"
	report
}

if [ "${1-}" = bounded ]; then
	main
else
	[ -x "$FS_BIN/fs-tools" ] || die "no fs-tools in $FS_BIN: run make first"
	need_packages
	exec timeout -k 30 200 "${BASH_SOURCE[0]}" bounded
fi
