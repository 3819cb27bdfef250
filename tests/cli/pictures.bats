#!/usr/bin/env bats
# The README's pictures are what the programs draw today.

load lib

@test "pictures of the README: made anew they are the same, and the README shows each" {
	top=$BATS_TEST_DIRNAME/../..
	mkdir now
	"$top/tests/pictures/make.sh" "$FS_BIN" now
	for picture in "$top"/man/pictures/*; do
		name=${picture##*/}
		diff -q "$picture" "now/$name"
		grep -qF "(man/pictures/$name)" "$top/README.md"
		python3 -c 'import sys, xml.etree.ElementTree as E; E.parse(sys.argv[1])' "$picture"
	done
	[ "$(ls now)" = "$(ls "$top/man/pictures")" ]
}
