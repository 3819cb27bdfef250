#!/bin/bash
# The plan of Maui compared with the starts of a real one: captures of a Maui 3.5 in simulation, stopped and then
# stepped on (tests/cases/maui-plan/*.tar.xz; each with a NOTE). A start is met if it is off by at most a minute; the
# starts of showstart are counted as well.
#   limits: jobs run for their limits; 19 of 20 must be met
#   arrivals: jobs end early and others arrive, as in the simulation's trace; 19 of 20 must be met
#   early:  the same; the error of the plan must be at most half of showstart's median in each. m07_limits@5 met another
#           future: that Maui was queried at its 45th iteration, which changes waits; without queries all 25 start as
# planned
#   kinds:  one setting each: node policies, standing reservations, limits in their older form, and so on; all must be
# met
# Usage: maui_plan.sh BIN_DIR [CASE]...
. "$(dirname "$0")/lib.sh"
shift

# Prints the rows of the captures of one archive.
rows_of() {
	rm -rf "$work/maui-plan"
	tar -xJf "$here/maui-plan/$1.tar.xz" -C "$work" || return 1
	shift
	for dir in "$work"/maui-plan/*/; do
		dir=${dir%/}
		case=${dir##*/}
		[ $# -eq 0 ] || [[ " $* " == *" $case "* ]] || continue
		"$bin/fs-snap" import maui "$dir/in" -o "$work/s.jsonl" 2>"$work/err" || { cat "$work/err"; return 1; }
		"$bin/fs-showq" -f "$work/s.jsonl" --plan --json >"$work/plan.json" || return 1
		python3 "$here/maui_plan.py" "$case" "$dir" "$work/plan.json" || return 1
	done
}

printf '%-36s %5s %5s %9s %6s %9s\n' capture jobs met showstart off showstart
for group in limits arrivals kinds early; do
	{ rows_of "$group" "$@" && touch "$work/$group whole"; } | tee "$work/$group"
	[ -e "$work/$group whole" ] || exit 1
done
awk 'FILENAME ~ /early$/ { early++; half += $5 * 2 <= $6; next }
	{ jobs += $2; met += $3; theirs += $4; missed[FILENAME] += $2 - $3 * (FILENAME ~ /kinds$/ ? 1 : 20 / 19) }
	END {
		printf "maui plan: %d of %d starts met; showstart %d; jobs ending early: %d of %d captures off by at most half as much\n",
			met, jobs, theirs, half, early
		for (group in missed)
			many = many || missed[group] > 0
		bad = many || half < early || !(jobs + early)
		printf "maui plan: %d passed, %d failed\n", met + half, bad
		exit many || half < early || !(jobs + early)
	}' "$work/limits" "$work/arrivals" "$work/kinds" "$work/early"
