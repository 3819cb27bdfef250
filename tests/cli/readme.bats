#!/usr/bin/env bats
# The commands in the README work when they are pasted in order, and print the output that the README shows.

load lib

# Runs the commands of the README's `sh` blocks in order, in one shell. Compares the output of each block with the
# `text` block that follows it, if there is one. tests/fresh/run.sh runs the lines that start with make.
@test "the README's commands work in order and print the output shown" {
	export LC_ALL=C.UTF-8
	awk -v dir="$PWD" '
		/^```sh$/ { file = dir "/block" ++n; printf "" >file; next }
		/^```text$/ { file = dir "/block" n ".shown"; next }
		/^```$/ { file = ""; next }
		file != "" && !/^make / { print >file }' "$BATS_TEST_DIRNAME/../../README.md"
	mkdir build
	ln -s "$FS_BIN" build/bin
	PATH=/usr/local/bin:/usr/bin:/bin
	for i in $(seq "$(ls block* | grep -vc shown)"); do
		. "$PWD/block$i" >"block$i.printed"
		if [ -e "block$i.shown" ]; then
			diff "block$i.shown" "block$i.printed"
			compared=$((${compared:-0} + 1))
		fi
	done
	[ "$compared" -ge 3 ]
}

@test "the README sets PATH before its first example" {
	awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$BATS_TEST_DIRNAME/../../README.md" >commands
	run -0 grep -m1 -v '^make ' commands
	[ "$output" = 'export PATH="$PWD/build/bin:$PATH"' ]
}

@test "the README has at most 900 words" {
	[ "$(LC_ALL=C.UTF-8 wc -w <"$BATS_TEST_DIRNAME/../../README.md")" -le 900 ]
}
