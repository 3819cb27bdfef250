#!/bin/bash
# Pages of fs-explain over captures of tests/cases, stored as texts for review: run.sh BIN_DIR compares them, run.sh -w
# BIN_DIR writes them again, for review as a diff.
set -u
write=
[ "${1-}" != -w ] || { write=1; shift; }
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset FS_SNAPSHOT FS_USER PAGER
export LC_ALL=C.UTF-8
cd "$work" || exit 1
same=0 failed=0

# snapshot CAPTURE FOLDER SCHEDULER: makes the snapshot once, and prints its name
snapshot() {
	local name=${1##*/}-$(basename "${2%/in}").jsonl

	echo "$name"
	[ -e "$name" ] && return
	[ -d "from-${1##*/}" ] || { mkdir "from-${1##*/}" && tar -xJf "$here/../cases/$1.tar.xz" -C "from-${1##*/}"; }
	"$bin/fs-snap" import "$3" "from-${1##*/}/$2" -o "$name" 2>/dev/null ||
		"$bin/fs-snap" import "$3" "from-${1##*/}/$2" --at 1600000060 -o "$name" 2>/dev/null
}

while IFS=$'\t' read -r name capture folder scheduler arguments; do
	[[ -z $name || $name == \#* ]] && continue
	# shellcheck disable=SC2086 # arguments are words
	"$bin/fs-explain" -f "$(snapshot "$capture" "$folder" "$scheduler")" $arguments >"$name.txt" 2>&1
	if [ "$write" ]; then
		cp "$name.txt" "$here/$name.txt"
	elif ! diff -u --label "$name.txt" --label now "$here/$name.txt" "$name.txt"; then
		failed=$((failed + 1)); echo "FAIL $name: another page"
		continue
	fi
	same=$((same + 1))
done <"$here/list"
echo "pages: $same passed, $failed failed"
[ "$failed" = 0 ] && [ "$same" -ge 40 ]
