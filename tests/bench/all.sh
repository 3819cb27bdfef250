#!/bin/bash
# Runs all measurements, and then prints one table of targets: target, figure, met or missed. For an idle machine of two
# processors, where it takes some minutes. Measures only: the exit status is 0 unless a command failed.
#
# Environment: BENCH_JOBS  also with this number of jobs (4000000 needs 2.5 GB in TMPDIR and some minutes more)
#              BENCH_TOP   sizes for fs-top only, and the variables of the other scripts
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export BENCH_SIZES="${BENCH_SIZES:-10000 100000 1000000}${BENCH_JOBS:+ $BENCH_JOBS}"
tools=$here/../../build/bench/bin/fs-tools
all=$(mktemp "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || exit 1
trap 'rm -f "$all"' EXIT
trap 'exit 1' INT TERM
status=0

part() {
	echo
	"$@" 2>&1 | tee -a "$all"
	[ "${PIPESTATUS[0]}" -eq 0 ] || status=1
}

quiet() {
	awk -v n="$(nproc)" '{ printf "%d processors, load %s before and %s after%s\n", n, from, $1,
		(from + 0 > 0.5) ? ": NOT QUIET, wall times mean little" : "" }' from="$1" /proc/loadavg
}

load=$(cut -d' ' -f1 /proc/loadavg)
part "$here/run.sh"
BENCH_SIZES="${BENCH_TOP:-10000 1000000}" part "$here/top.sh"
part "$here/import.sh" "$tools" "${tools%/bin/*}/bench"
part "$here/live.sh" "$tools"
awk '
/target/ && match($0, / +-?[0-9]+\.[0-9]+ /) {
	what = substr($0, 1, RSTART - 1)
	figure = substr($0, RSTART, RLENGTH)
	gsub(/ /, "", figure)
	wanted = $0
	sub(/.*target,? */, "", wanted)
	verdict = wanted
	sub(/.*: */, "", verdict)
	sub(/:[^:]*$/, "", wanted)
	sub(/^at /, "", wanted)
	gsub(/:/, "", wanted)
	if (!n++)
		printf "\n%-72s %9s  %-10s\n", "target", "figure", "wanted"
	printf "%-72s %9s  %-10s  %s\n", what, figure, wanted ~ /^[0-9]/ ? "<= " wanted : wanted, verdict
	missed += verdict == "MISSED"
}
/skipped/ { skipped = skipped "\n" $0 }
END { printf "%d of %d met%s\n", n - missed, n, skipped }' "$all"
quiet "$load"
echo "$SECONDS s in all"
exit $status
