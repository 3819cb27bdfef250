#!/bin/bash
# Imports every recorded state of a Maui 3.5 in tests/cases/maui/*.tar.xz and compares `diagnose -f`, `diagnose -p` and
# `showq`, as it printed them, with fs-share, fs-prio and fs-showq byte for byte. A case has its inputs in in/. For each
# output, cmds.tsv has the time of its state (-: the time in the inputs) and our command.
# Usage: maui.sh BIN_DIR [CASE]...
. "$(dirname "$0")/lib.sh"
shift

check_line() {
	local dir=$1 case=$2 file=$3 at=$4 command=$5 options=()
	[ "$at" = - ] || options=(--at "$at")
	"$bin/fs-snap" import maui "$dir/in" "${options[@]}" -o "$work/s.jsonl" 2>"$work/err" ||
		{ fail "$case" "import: $(cat "$work/err")"; return; }
	(PATH=$bin:$PATH && eval "$command -f $work/s.jsonl") >"$work/got" 2>"$work/err"
	[ ! -s "$work/err" ] && cmp -s "$dir/$file" "$work/got" ||
		{ fail "$case: $command ($file)" "$(cat "$work/err")" "$dir/$file" "$work/got"; return; }
	passed=$((passed + 1))
}

for archive in "$here"/maui/*.tar.xz; do
	tar -xJf "$archive" -C "$work" || exit 1
	for dir in "$work/$(basename "$archive" .tar.xz)"/*/; do
		case=$(basename "$dir")
		[ $# -eq 0 ] || [[ " $* " == *" $case "* ]] || continue
		while IFS=$'\t' read -r file at command; do
			check_line "${dir%/}" "$case" "$file" "$at" "$command"
		done <"$dir/cmds.tsv"
	done
done
echo "maui: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
