#!/bin/sh
# Runs the unit test programs named and adds their results up; with VALGRIND=1 under valgrind.
# Last line: "N passed, N failed". Status 1 when a test failed or a program did not finish.
set -u

out=$(mktemp)
trap 'rm -f "$out"' EXIT INT TERM
passed=0 failed=0

count() { # PATTERN: the number cmocka prints in that line
	sed -n "s/^\[  $1  \] \([0-9][0-9]*\) test(s).*/\1/p" "$out" | awk '{ n += $1 } END { print n + 0 }'
}

for program in "$@"; do
	if [ "${VALGRIND:-}" = 1 ]; then
		valgrind -q --error-exitcode=9 --leak-check=full "$program" >"$out" 2>&1
	else
		"$program" >"$out" 2>&1
	fi
	status=$?
	good=$(count PASSED)
	bad=$(count FAILED)
	if [ "$status" -ne 0 ]; then
		grep -v -e '^\[ RUN  ' -e '^\[       OK ' "$out"
		sed -n "s|^\[  FAILED  \] \([a-z_A-Z0-9]*\)\$|FAIL $program: \1|p" "$out" | sort -u
		# the program crashed, or valgrind has something to say though the tests are content
		if [ "$bad" = 0 ]; then
			echo "FAIL $program: ended with status $status"
			bad=1
		fi
	fi
	name=${program%/all}
	printf '%-20s %4d passed %4d failed\n' "${name##*/tests/}" "$good" "$bad"
	passed=$((passed + good)) failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
