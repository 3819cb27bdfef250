#!/bin/bash
# Compares our sshare and sprio with the real ones: starts a separate Slurm on this machine, runs a small scene on it,
# captures its state and compares the output of every line of commands.txt byte for byte. Then it does the same for two
# tables of a big cluster, with the time they take.
#
# SLURM=DIR uses a Slurm that was built elsewhere, with its bin and sbin there.
#
# Needs root on Debian 12, and prints "check-slurm: skipped: why" elsewhere. Installs Debian's Slurm if it is missing.
# The last line is "N passed, N failed"; the exit status is 1 if any failed.
#
# Environment:
#   SLURM       where another Slurm is installed (default: Debian's)
#   FS_BIN      where fs-tools is (default: build/bin of this source tree)
#   FS_CAPTURE  shell: capture by capture.sh instead of by fs-snap capture
#   FS_KEEP     not empty: keep the working directory
#   FS_BULK     0: leave out the big cluster and its figures
#   FS_FIGURES  not empty: only the figures of the big cluster
#   FS_BULK_USERS, FS_BULK_JOBS  its size (default: 2000, 5000)
set -u
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
FS_BIN=$(realpath -m "${FS_BIN:-$here/../../build/bin}")
FS_BULK=${FS_BULK-1} FS_BULK_USERS=${FS_BULK_USERS:-2000} FS_BULK_JOBS=${FS_BULK_JOBS:-5000}
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

for part in packages daemons scene edits capture compare bulk; do
	# shellcheck source=/dev/null
	. "$here/$part.sh"
done

cleanup() {
	stop_daemons
	if [ -n "${FS_KEEP-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}

# done_or_report WHAT COMMAND...: a step that all comparisons need
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

capture() { # NAME
	if [ "${FS_CAPTURE-}" = shell ]; then
		capture_raw "$work/$1.raw"
		done_or_report "fs-snap import, $1" \
			"$FS_BIN/fs-snap" import slurm "$work/$1.raw" -o "$work/$1.jsonl"
	else
		done_or_report "fs-snap capture, $1" \
			"$FS_BIN/fs-snap" capture --raw "$work/$1.raw" -o "$work/$1.jsonl"
	fi
}

# target WHAT VALUE least|most BOUND
target() {
	awk -v what="$1" -v value="$2" -v way="$3" -v bound="$4" 'BEGIN {
		printf "%-60s %7.2f  target, at %s: %s: %s\n", what, value, way, bound,
			(way == "least" ? value >= bound : value <= bound) ? "met" : "MISSED" }'
}

ratio() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'
}

# figures_of TITLE SNAPSHOT REAL OURS FROM_FILE INDEXED LIVE: the commands, the minimum factor by which ours are faster
# from a file and from an indexed one, and the maximum factor by which they are slower when they query the controller
figures_of() {
	local title=$1 file=$2 copy=$work/indexed.jsonl real=$3 ours=$4 theirs from indexed live
	cp "$file" "$copy"
	"$FS_BIN/fs-snap" index "$copy" || die "index of $copy"
	read -rd '' theirs from indexed live < <(export FS_USER=root
		medians "$real" "$FS_BIN/$ours -f $file" "$FS_BIN/$ours -f $copy" "$FS_BIN/$ours --fresh")
	echo "$title: medians: $real $theirs ms; $ours $from ms, indexed $indexed ms, asking the controller $live ms"
	target "$title: $real / $ours" "$(ratio "$theirs" "$from")" least "$5"
	target "$title: $real / $ours, indexed" "$(ratio "$theirs" "$indexed")" least "$6"
	target "$title: $ours, asking the controller / $real" "$(ratio "$live" "$theirs")" most "$7"
}

figures() { # NAME TITLE
	figures_of "$2" "$work/$1.jsonl" 'sshare -alP' 'fs-share -alP' 5 12 2
	figures_of "$2" "$work/$1.jsonl" 'sprio -l' 'fs-prio -l' 2 4 2.5
}

# observe NAME TITLE COMMAND: captures, lets COMMAND store the real output and ends the controller; leaves NAME.jsonl
# and, with full usage, NAME-exact.jsonl
observe() {
	standing_still >"$work/before"
	capture "$1"
	"$3"
	standing_still >"$work/after"
	if ! cmp -s "$work/before" "$work/after"; then
		diff "$work/before" "$work/after" | head -n 20
		die 'priorities moved during the capture'
	fi
	# The controller writes its full usage when it ends; a minute later the usage has changed.
	stop slurmctld
	exact_usage "$work/state/assoc_usage" >"$work/usage"
	done_or_report "fs-snap check, $1" "$FS_BIN/fs-snap" check "$work/$1.jsonl"
	done_or_report "fs-snap import --exact-usage, $1" "$FS_BIN/fs-snap" import slurm \
		--exact-usage "$work/usage" "$work/$1.raw" -o "$work/$1-exact.jsonl"
	start_controller
	figures "$1" "$2"
	stop slurmctld
}

figures_alone() {
	stop slurmctld # it writes its state
	grow
	capture big
	figures big "$(bulk_title)"
	report
}

main() {
	export TZ=UTC LC_ALL=C.UTF-8
	work=$(mktemp -d /tmp/check-slurm.XXXXXX) || die 'no working directory'
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'echo "check-slurm: stopped, or out of time" >&2; exit 143' TERM
	start_daemons
	play_scene
	[ -z "${FS_FIGURES-}" ] || figures_alone
	try_edits
	observe scene 'the small scene' real_answers
	our_answers
	compare_answers
	[ "$FS_BULK" = 0 ] || run_bulk
	report
}

if [ "${1-}" = bounded ]; then
	main
else
	[ -x "$FS_BIN/fs-tools" ] || die "no fs-tools in $FS_BIN: run make first"
	need_packages
	exec timeout -k 30 900 "${BASH_SOURCE[0]}" bounded
fi
