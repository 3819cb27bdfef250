#!/bin/sh
# Each promise of fs-tools(7) names existing test files, and for bats files existing tests.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

awk '
function bad(why) {
	printf "%s:%d: %s\n", FILENAME, FNR, why
	failed = 1
}
function end_promise() {
	if (promise && !held)
		bad("no test holds the promise \"" promise "\"")
	promise = ""
}
/^\.Sh / { end_promise(); inside = $2 == "PROMISES" }
!inside { next }
/^\.It / { end_promise(); promise = substr($0, 5); gsub(/"/, "", promise); promises++; held = 0; file = "" }
/^\.Pa tests\// && !/defaults/ {
	file = $2
	held++
	if ((getline line < file) < 0)
		bad("no file " file)
	close(file)
}
/^\.Dq "/ {
	name = $0
	sub(/^\.Dq "/, "", name)
	sub(/"[ .,:]*$/, "", name)
	found = 0
	while (file && (getline line < file) > 0)
		if (index(line, "@test \"" name "\"") == 1)
			found = 1
	close(file)
	tests++
	if (!found)
		bad("no test \"" name "\" in " file)
}
END {
	end_promise()
	if (!promises)
		bad("no promises")
	if (!failed)
		printf "promises: %d, held by %d tests named\n", promises, tests
	exit failed
}' man/fs-tools.7
