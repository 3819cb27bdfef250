#!/bin/bash
# Explains every pending job of every capture in tests/cases, in one process per capture, and compares text, Markdown
# and JSON with each other, with fs-showq and with fs-prio (explain.py). Usage: explain.sh BIN_DIR EVERY_JOB
. "$(dirname "$0")/lib.sh"
set -o pipefail
every_job=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
export FS_USER=root LC_ALL=C.UTF-8
[ -x "$every_job" ] || { echo "explain: no $every_job"; exit 1; }
captures=0 jobs=0 sums=0 amounts=0

# check NAME: checks the current snapshot
check() {
	local counts
	if "$bin/fs-showq" -f "$work/s.jsonl" --json >"$work/showq.json" 2>"$work/err" &&
		{ "$bin/fs-showq" -f "$work/s.jsonl" --plan --json >"$work/plan.json" 2>/dev/null || cp "$work/showq.json" "$work/plan.json"; } &&
		{ "$bin/fs-prio" -f "$work/s.jsonl" --json >"$work/prio.json" 2>"$work/err" ||
			{ grep -q 'not priority/multifactor' "$work/err" && echo '{"rows": []}' >"$work/prio.json"; }; } &&
		"$every_job" "$work/s.jsonl" | python3 "$here/explain.py" "$work"/{showq,plan,prio}.json "$work/s.jsonl" "$1" 2>"$work/counts" &&
		read -r -a counts <"$work/counts" && [ "${#counts[@]}" = 3 ]; then
		captures=$((captures + 1)) jobs=$((jobs + counts[0])) sums=$((sums + counts[1])) failed=$((failed + counts[2]))
	else
		failed=$((failed + 1))
		echo "FAIL $1: $(cat "$work/err" "$work/counts")"
	fi
}

# amounts flux|maui NAME: checks the pages that are not of jobs
amounts() {
	local n
	if n=$(python3 "$here/amounts.py" "$bin" "$work/s.jsonl" "$1" 2>&1); then
		amounts=$((amounts + n))
	else
		failed=$((failed + 1))
		echo "FAIL $2: $(tail -1 <<<"$n")"
	fi
}

for archive in $("$here/archives.sh" slurm living limits plan) "$here/flux/sample.tar.xz" $("$here/archives.sh" maui); do
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$archive" -C "$work/case" || exit 1
	case $archive in
	*/slurm/* | */living/* | */limits/* | */plan/*)
		in=("$work"/case/*/in)
		"$bin/fs-snap" import slurm "${in[0]}" -o "$work/s.jsonl" 2>/dev/null && check "$(basename "$archive" .tar.xz)" ;;
	*/flux/*)
		"$bin/fs-snap" import flux "$work/case/sample" -o "$work/s.jsonl" 2>/dev/null && check flux && amounts flux flux ;;
	*)
		for dir in "$work"/case/*/*/; do
			"$bin/fs-snap" import maui "$dir/in" -o "$work/s.jsonl" 2>"$work/err" ||
				"$bin/fs-snap" import maui "$dir/in" --at 1600000060 -o "$work/s.jsonl" 2>"$work/err" || continue
			check "maui $(basename "$dir")"
			amounts maui "maui $(basename "$dir")"
		done ;;
	esac
done
echo "explanations: $captures captures, $jobs jobs, $sums sums, $amounts amounts"
echo "explanations: $((jobs + sums + amounts)) passed, $failed failed"
[ "$failed" = 0 ] || exit 1
[ "${EVERY_CASE:-1}" -gt 1 ] || { [ "$captures" -gt 50 ] && [ "$jobs" -gt 500 ] && [ "$amounts" -gt 500 ]; }
