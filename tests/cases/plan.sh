#!/bin/bash
# How the plan agrees with the starts that real controllers had recorded (StartTime of pending jobs in the captures of
# tests/cases/slurm): a table, and a floor. A start agrees when it is off by at most bf_resolution.
#
# In none of the captures had the backfill scheduler run a cycle since the controller started (sdiag: "Last cycle when:
# N/A"), so the only starts recorded are those of jobs with a begin time; where the plan has a start and the controller
# none, that is why. A capture with cycles must agree on what it recorded. Usage: plan.sh BIN_DIR
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
floor=8 # starts recorded and agreed upon, all captures together

printf '%-34s %7s %8s %5s %7s %9s %9s %6s\n' capture pending recorded agree differ 'both none' 'plan only' cycles
for archive in "$here"/slurm/*.tar.xz; do
	case=$(basename "$archive" .tar.xz)
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$archive" -C "$work/case" --strip-components=1 || exit 1
	"$bin/fs-snap" import slurm "$work/case/in" -o "$work/s.jsonl" 2>/dev/null || exit 1
	"$bin/fs-showq" -f "$work/s.jsonl" --as root --plan --json >"$work/plan.json" || exit 1
	cycles=$(awk '/^Backfilling/ { inside = 1 } inside && /Total cycles/ { print $3; exit }' "$work/case/in/sdiag.txt")
	python3 - "$case" "${cycles:-?}" "$work/plan.json" <<-'PY'
	import json, sys
	case, cycles, file = sys.argv[1:]
	doc = json.load(open(file))
	jobs = {r["jobid"]: r for r in doc["rows"] if "plan" in r}.values()
	recorded = [r for r in jobs if r["start_time"] is not None]
	agree = [r for r in recorded if r["plan"]["start_time"] is not None
	         and abs(r["plan"]["start_time"] - r["start_time"]) <= doc["bf_resolution_s"]]
	none = [r for r in jobs if r["start_time"] is None and r["plan"]["start_time"] is None]
	plan = [r for r in jobs if r["start_time"] is None and r["plan"]["start_time"] is not None]
	print("%-34s %7d %8d %5d %7d %9d %9d %6s" % (case, len(jobs), len(recorded), len(agree),
	      len(recorded) - len(agree), len(none), len(plan), cycles))
	PY
done | tee "$work/table"
awk -v floor=$floor '{ recorded += $3; agree += $4; none += $6; only += $7; if (NF != 8 || ($7 > 0 && $8 > 0)) bad = 1 }
	END {
		printf "Of the other jobs %d have a start neither recorded nor planned, %d only a planned one.\n", none, only
		printf "%d passed, %d failed: recorded starts\n", agree, recorded - agree
		exit agree < floor || agree < recorded || bad || !NR
	}' "$work/table"
