#!/bin/sh
# both_ways.sh TESTS_OF_BASE: every JSON file of the captures, and a million damaged lines (FS_MUTATIONS), read by
# both readers.
set -u

test=${1:?usage: both_ways.sh TESTS_OF_BASE}
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
i=0
# shellcheck disable=SC2044 # no blanks in our names
for archive in $(find "$top/tests" -name '*.tar.xz'); do
	i=$((i + 1))
	mkdir "$work/$i" && tar -xJf "$archive" -C "$work/$i" || exit 1
done
find "$work" "$top/tests" "$top/cmd" -type f \( -name '*.json' -o -name '*.jsonl' \) -size +0 >"$work/list"
echo "$(wc -l <"$work/list") files"
FS_FILES=$work/list FS_MUTATIONS=${FS_MUTATIONS:-1000000} "$test" test_json_quick
