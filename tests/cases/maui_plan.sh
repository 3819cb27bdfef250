#!/bin/bash
# The plan of Maui against the starts of a real one: captures of a Maui 3.5 in simulation, stopped and then stepped on, whose
# jobs run for their limits (tests/cases/maui-plan/*.tar.xz; a NOTE in each). A start is met when it is off by at most a
# minute; 19 of 20 must be, and those that showstart told are counted beside. Where HIGHEST meets limits the plan goes astray
# once a job that a limit blocks keeps its reservation longer, or less long, than it does here.
# Usage: maui_plan.sh BIN_DIR [CASE]...
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

printf '%-36s %5s %5s %9s\n' capture jobs met showstart
for archive in "$here"/maui-plan/*.tar.xz; do
	tar -xJf "$archive" -C "$work" || exit 1
	for dir in "$work"/maui-plan/*/; do
		dir=${dir%/}
		case=${dir##*/}
		[ $# -eq 0 ] || [[ " $* " == *" $case "* ]] || continue
		"$bin/fs-snap" import maui "$dir/in" -o "$work/s.jsonl" 2>"$work/err" || { cat "$work/err"; exit 1; }
		"$bin/fs-showq" -f "$work/s.jsonl" --plan --json >"$work/plan.json" || exit 1
		python3 "$here/maui_plan.py" "$case" "$dir" "$work/plan.json" || exit 1
	done
done | tee "$work/table"
awk '{ jobs += $2; met += $3; theirs += $4 }
	END {
		printf "maui plan: %d of %d starts met; showstart %d\n", met, jobs, theirs
		exit met * 20 < jobs * 19 || !jobs
	}' "$work/table"
