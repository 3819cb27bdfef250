#!/usr/bin/env bats
# The README's pictures equal the current output of the programs.

load lib

@test "the README shows each picture as the programs draw it now" {
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
