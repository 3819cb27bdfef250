#!/usr/bin/env bats
# The README's examples print what it shows.

load lib

@test "every example of the README is real" {
	readme=$BATS_TEST_DIRNAME/../../README.md
	examples=0
	export LC_ALL=C.UTF-8
	while IFS= read -r line; do
		case $line in
		'```') if [ -n "$command" ]; then
				diff <(printf '%s' "$expected") <(eval "$command")
				examples=$((examples + 1))
				command=
			fi ;;
		'$ '*) command=${line#'$ '} expected= ;;
		*) [ -z "$command" ] || expected+=$line$'\n' ;;
		esac
	done <"$readme"
	[ "$examples" -ge 2 ]
}

# Prints the README up to the section for those who want more.
first_part() {
	sed '/^## More/,$d' "$BATS_TEST_DIRNAME/../../README.md"
}

# tests/fresh/run.sh runs the lines that start with make.
@test "the README's commands work in their order, after the line that puts the programs on PATH" {
	first_part | awk '/^```/ { fenced = !fenced } !fenced && /^    / && !/^    make /' >commands.sh
	run -0 head -1 commands.sh
	[ "$output" = '    export PATH="$PWD/build/bin:$PATH"' ]
	[ "$(grep -c '^    fs-' commands.sh)" -ge 3 ]
	mkdir build
	ln -s "$FS_BIN" build/bin
	env PATH=/usr/local/bin:/usr/bin:/bin sh -ex commands.sh
	# no example of a command comes before that line
	first_part | sed '/export PATH=/,$d' >before
	absent '^\$ ' before
}

@test "the README is a newcomer's page" {
	[ "$(first_part | LC_ALL=C.UTF-8 wc -w)" -le 950 ]
}
