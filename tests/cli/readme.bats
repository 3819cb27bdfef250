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

@test "the README is a newcomer's page" {
	[ "$(sed '/^## More/,$d' "$BATS_TEST_DIRNAME/../../README.md" | LC_ALL=C.UTF-8 wc -w)" -le 900 ]
}
