#!/bin/bash
# Compares what two revisions print. Builds BASE beside the working tree, imports every capture of tests/cases with both
# builds, and runs the recorded command lines, the kept pages and the commands of same.tsv. Standard output, messages and
# exit status must be equal byte for byte. If both builds have the same object files, counts those whose code or
# constants differ (renamed and re-commented files have neither).
# Usage: same.sh BASE BIN_DIR. Last line: "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C.UTF-8 FS_USER=root TZ=UTC
unset FS_SNAPSHOT PAGER

# ---- one archive, in a process of its own: same.sh --archive FILE WORK

# differs WHAT: the two results are kept for the report
differs() {
	failed=$((failed + 1))
	echo "DIFFERS $name: $1"
	diff base.out new.out | head -5
	diff base.err new.err | head -5
}

# both LINE: runs the command line with the programs of each build
both() {
	local side
	for side in base new; do
		PATH=$work/$side:$PATH bash -c "$1" >$side.out 2>$side.err </dev/null
		echo "status $?" >>$side.err
	done
	compare "$1"
}

compare() {
	passed=$((passed + 1))
	if ! cmp -s base.out new.out || ! cmp -s base.err new.err; then
		differs "$1"
	fi
}

scheduler_of() { # FOLDER
	if [ -e "$1/maui.cfg" ]; then
		echo maui
	elif [ -e "$1/scontrol_config.txt" ] || [ -e "$1/sshare.txt" ] || [ -e "$1/scontrol_job.txt" ]; then
		echo slurm
	else
		echo flux
	fi
}

# import KIND FOLDER OPTION...: the snapshot of the new build is s.jsonl
import() {
	local side
	for side in base new; do
		rm -f s.jsonl
		"$work/$side/fs-snap" import "$@" -o s.jsonl >$side.out 2>$side.err
		echo "status $?" >>$side.err
		[ ! -e s.jsonl ] || cp s.jsonl $side.out
	done
	compare "fs-snap import $*"
	[ -s s.jsonl ]
}

# commands_of SNAPSHOT: those of same.tsv, and pages of some of its waiting jobs
commands_of() {
	local command id
	while read -r command; do
		case $command in '' | \#*) continue ;; esac
		both "${command//SNAPSHOT/$1}"
	done <"$here/same.tsv"
	for id in $("$work/new/fs-showq" -f "$1" --json 2>/dev/null | python3 -c '
import json, sys
try:
    rows = [r["jobid"] for r in json.load(sys.stdin)["rows"] if r["verdict"] not in ("running", "ended")]
except (ValueError, KeyError):
    rows = []
rows = sorted(set(map(str, rows)))
print(*rows[::max(1, len(rows) // 8)])'); do
		both "fs-explain -f $1 $id --verbose"
		both "fs-explain -f $1 $id --json"
	done
}

# capture FOLDER: where the outputs of the scheduler's commands are
capture() {
	local user argv kind
	kind=$(scheduler_of "$1")
	import "$kind" "$1" || import "$kind" "$1" --at 1600000060 || return
	commands_of s.jsonl
	[ -e "${1%/in}/cmds.tsv" ] && [ "$kind" = slurm ] || return
	while IFS=$'\t' read -r _ user _ argv; do
		both "export FS_USER=$user FS_SNAPSHOT=s.jsonl; $argv"
	done <"${1%/in}/cmds.tsv"
}

archive() {
	local folder
	name=${1#"$here"/cases/} passed=0 failed=0
	cd "$(mktemp -d -p "$work")" || exit 1
	tar -xJf "$1" || exit 1
	find . -name '*.gz' -exec gunzip -f {} +
	find . -type d -name in | sort >folders
	[ -s folders ] || find . -name 'export-db*' -printf '%h\n' | sort -u >folders
	while read -r folder; do
		capture "${folder#./}"
	done <folders
	echo "$name: $passed commands, $failed differ"
	echo "$passed $failed" >>"$work/counts"
	cd "$work" && rm -rf "$OLDPWD"
}

if [ "$1" = --archive ]; then
	work=$3
	archive "$2"
	exit 0
fi

# ---- the whole

base=${1:?usage: make same BASE=REVISION}
new=$(cd "$2" && pwd) || exit 1
top=$(git -C "$here" rev-parse --show-toplevel) || exit 1
work=$(mktemp -d) || exit 1
trap 'git -C "$top" worktree remove --force "$work/tree" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# programs SIDE BIN_DIR: its commands, and those of the emulated tools
programs() {
	local tool
	mkdir "$work/$1"
	for tool in fs-share fs-prio fs-showq fs-explain fs-diff fs-top fs-snap fs-tools sshare sprio showq; do
		ln -s "$2/fs-tools" "$work/$1/$tool"
	done
}

# sections OBJECT: a sum of its code and constants
sections() {
	objcopy -O binary --only-section='.text*' --only-section='.rodata*' "$1" "$work/sections" 2>/dev/null && cksum <"$work/sections"
}

compare_objects() {
	local object equal=0 other=0
	(cd "$work/tree/build/release" && find libfs cmd -name '*.o' | sort) >"$work/base.objects"
	(cd "$new/.." && find libfs cmd -name '*.o' | sort) >"$work/new.objects"
	cmp -s "$work/base.objects" "$work/new.objects" || { echo "objects: the builds have different ones, not compared"; return; }
	while read -r object; do
		if [ "$(sections "$work/tree/build/release/$object")" = "$(sections "$new/../$object")" ]; then
			equal=$((equal + 1))
		else
			other=$((other + 1))
			echo "code differs: $object"
		fi
	done <"$work/new.objects"
	echo "objects: $equal with the same code and constants, $other others"
}

git -C "$top" worktree add -q --detach "$work/tree" "$base" || exit 1
make -s -C "$work/tree" -j"$(nproc)" program >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
programs base "$work/tree/build/release/bin"
programs new "$new"
compare_objects
"$here/cases/archives.sh" slurm living limits plan showq maui maui-plan flux >"$work/archives"
xargs -P "$(nproc)" -I '{}' "$here/same.sh" --archive '{}' "$work" <"$work/archives" >"$work/report"
grep -v ' 0 differ$' "$work/report"
cd "$work" && passed=0 failed=0 name=pages
both "$here/pages/run.sh \"\$(dirname \"\$(command -v fs-explain)\")\""
both 'fs-explain --demo --as root --verbose 812154; fs-showq --demo --as root --plan; fs-top --demo --as root --ascii --once'
echo "$passed $failed" >>counts
awk '{ n += $1; f += $2 } END { print n - f " passed, " f + 0 " failed"; exit f > 0 }' counts
