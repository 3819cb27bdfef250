#!/bin/sh
# Tests that cannot fail: bash does not end a test at `! command` that fails, unless it is the last line. Commands that
# must fail are run as `run ! command`; `! command || ...` is a decision and allowed.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk '
/(^|[;|{(]|&&|(^|[ \t;])(do|then|else))[ \t]*![ \t]/ && !/[|][|]/ && !/^[ \t]*run / {
	printf "%s:%d: a test goes on after this, whatever it finds; use absent, differ or run !: %s\n", FILENAME, FNR, $0
	failed = 1
}
/^[ \t]*run / { count++ }
END {
	if (!failed)
		printf "negations: none beside %d commands run\n", count
	exit failed
}' $(find tests -name '*.bats' -o -name '*.bash' | sort)
