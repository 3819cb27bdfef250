#!/bin/bash
# Runs test suites and prints a table of their results, then one line with the verdict. After a failure it also prints
# the failing cases, each with the command that runs it again. The output of each suite goes to BUILD/check/NAME.log.
# Runs as many suites at the same time as there are processors. Status: 0 if every case passed, else 1.
# Usage: check.sh VARIANT [SUITE]...   (the suites are in suites.tsv; without a name, all of them run)
set -u
cd "$(dirname "$0")/.." || exit 1
variant=$1
shift
build=build/$variant
logs=$build/check
rm -rf "$logs"
mkdir -p "$logs"
names=() commands=() reruns=()

# replace TEXT: fills in the words of suites.tsv.
replace() {
	local text=$1
	text=${text//\{BIN\}/$PWD/$build/bin}
	text=${text//\{BUILD\}/$build}
	text=${text//\{VARIANT\}/$variant}
	echo "${text//\{UNIT_TESTS\}/$(find "$build/tests" -name all | sort | xargs)}"
}

while IFS=$'\t' read -r name command rerun; do
	[[ $name == \#* ]] || { [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; } && continue
	names+=("$name") commands+=("$(replace "$command")") reruns+=("$(replace "$rerun")")
done <tests/suites.tsv
[ "${#names[@]}" -gt 0 ] || { echo "check.sh: unknown suite '$*'; known: $(cut -f1 tests/suites.tsv | grep -v '^#' | uniq | xargs)"; exit 2; }

# run_suite N: runs the suite in row N, and writes its log and a row "passed failed skipped seconds".
run_suite() {
	local start=$SECONDS log=$logs/${names[$1]}-$1.log status
	export FS_VARIANT=$variant FS_BIN=$PWD/$build/bin
	# The command is split into words, and its patterns are expanded.
	# shellcheck disable=SC2086
	(eval "${commands[$1]}") >"$log" 2>&1
	status=$?
	awk -v status=$status '
		/^ok [0-9]/ { if (/ # skip/) skipped++; else passed++ }
		/^not ok [0-9]/ { failed++ }
		match($0, /(^|: )[0-9]+ passed, [0-9]+ failed$/) {
			n = split(substr($0, RSTART), words, /[^0-9]+/)
			p = words[n - 2] == "" ? words[1] : words[n - 2]; f = words[n - 1]
		}
		END {
			passed += p; failed += f
			if ((status != 0 || passed == 0) && failed == 0) failed = 1
			print passed + 0, failed + 0, skipped + 0, '$((SECONDS - start))'
		}' "$log" >"$log.row"
	read -r passed failed _ seconds <"$log.row"
	printf '%-14s %6d passed %4d failed %5d s\n' "${names[$1]}" "$passed" "$failed" "$seconds"
}

for i in "${!names[@]}"; do
	[ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
	run_suite "$i" &
done
wait

# Prints the failing cases of row N: "SUITE: CASE", and the command below it.
print_failures() {
	local log=$logs/${names[$1]}-$1.log
	awk -v suite="${names[$1]}" -v rerun="${reruns[$1]}" -v log_file="$log" '
		function print_case(what, case_name, name,   command) {
			command = rerun
			gsub(/[^a-zA-Z0-9 ,:-]/, ".", name)
			gsub(/[{]CASE[}]/, case_name, command)
			gsub(/[{]NAME[}]/, name, command)
			print suite ": " what
			print "    " command
			printed++
		}
		/^FAIL / { name = $2; sub(/:$/, "", name); print_case(substr($0, 6), name, "") }
		/^not ok [0-9]/ { title = $0; sub(/^not ok [0-9]+ /, "", title) }
		title != "" && match($0, /in test file [^,]*,/) {
			print_case(title, substr($0, RSTART + 13, RLENGTH - 14), title)
			title = ""
		}
		END { if (!printed) print suite ": ended without a result; see " log_file }' "$log"
}

total_passed=0 total_failed=0 total_skipped=0
failures=$(for i in "${!names[@]}"; do
	read -r _ failed _ <"$logs/${names[$i]}-$i.log.row"
	[ "$failed" = 0 ] || print_failures "$i"
done)
echo
printf '%-14s %7s %7s %8s %8s\n' SUITE PASSED FAILED SKIPPED SECONDS
for name in $(printf '%s\n' "${names[@]}" | awk '!seen[$0]++'); do
	read -r passed failed skipped seconds < <(cat "$logs/$name"-[0-9]*.log.row |
		awk '{ p += $1; f += $2; s += $3; t += $4 } END { print p, f, s, t }')
	printf '%-14s %7d %7d %8d %8d\n' "$name" "$passed" "$failed" "$skipped" "$seconds"
	total_passed=$((total_passed + passed)) total_failed=$((total_failed + failed))
	total_skipped=$((total_skipped + skipped))
done
echo
if [ "$total_failed" -gt 0 ]; then
	echo "Failed cases, each with the command that runs it again:"
	echo "$failures"
	echo
fi
echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
[ "$total_failed" = 0 ]
