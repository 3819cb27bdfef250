#!/bin/bash
# Compares the plan with the starts and nodes that real controllers had recorded (StartTime and SchedNodeList of pending
# jobs): prints a table and the differences. Only differences listed in plan/known.tsv are allowed; for the captures in
# plan/floor.tsv the number must be exactly as listed. A start agrees if it is off by at most bf_resolution.
#
# In the captures of slurm/ the backfill scheduler had not run a cycle since the controller started (sdiag: "Last cycle
# when: N/A"), so that only jobs with a begin time have a recorded start. For the captures of plan/ a Slurm with six to
# ten nodes and jobs of every shape in three partitions ran until its priorities were recalculated and backfill had run
# some cycles:
#   - 22.05.8: alone, with a reservation in the way (also 23.02.8, 24.11.7), as a plain site, with select/linear, with
#     classes of nodes, licenses and arrays, and (24.11.5 too) with weights and a future reservation, with GPUs
# requested
#     in total, by task and by type, with PreemptMode=REQUEUE by partition and by QOS, with MaxCPUsPerNode,
#     MaxTRESPerNode and other quotas, with nodes that differ in memory, disk and sockets while only CPUs are allocated
#     (25.05.8 too), with preemption by partition there, with cloud nodes that are being powered up (25.05.8 too), with
#     whole sockets (with two threads per core 25.05.8), with reservations of cores and of licenses, and with everything
#     at once, where GPUs that cannot be allocated decide on nodes; as sites whose partitions, parameters, limits and
# jobs
#     were drawn at random (memory-lost-to-gpus, arrays-at-a-limit, two-accounts, weights-anew, weights-carried,
#     least-time; of 24.11.7 flexible-reservation, of 26.05.3 tasks-by-node, limits-on-nodes and nodes-without-answer)
#   - 23.11.10: everything at once, reservations under topology/tree, and CPUs shared in rows
#   - 24.11.5: reservations of licenses in backfill's node_space; CPUs shared in rows; magnetic and flexible
# reservations,
#     preemption by QOS and het jobs; two clusters in one database with names of all scripts and a newline
#   - 26.05.3: as a plain site, and twice with preemption by QOS, weights, licenses, reservations and nodes for one user
# Usage: plan.sh BIN_DIR
. "$(dirname "$0")/lib.sh"

printf '%-34s %7s %8s %6s %5s %6s %9s %9s %6s\n' capture pending recorded starts nodes differ 'both none' 'plan only' cycles
for archive in $("$here/archives.sh" slurm plan); do
	case=$(basename "$archive" .tar.xz)
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$archive" -C "$work/case" --strip-components=1 || exit 1
	"$bin/fs-snap" import slurm "$work/case/in" -o "$work/s.jsonl" 2>/dev/null || exit 1
	"$bin/fs-showq" -f "$work/s.jsonl" --as root --plan --json >"$work/plan.json" || exit 1
	cycles=$(awk '/^Backfilling/ { inside = 1 } inside && /Total cycles/ { print $3; exit }' "$work/case/in/sdiag.txt")
	python3 "$here/plan.py" "$case" "${cycles:-?}" "$work/plan.json" "$work/s.jsonl" "$here/plan/known.tsv" "$here/plan/floor.tsv" || exit 1
done | tee "$work/table"
awk '/^(DIFFERS|FLOOR)/ { next }
	{ recorded += $3; starts += $4; nodes += $5; differ += $6; none += $7; only += $8; if (NF != 9) bad = 1 }
	END {
		printf "Of the other jobs %d have a start neither recorded nor planned, %d only a planned one.\n", none, only
		printf "recorded starts and nodes: %d passed, %d failed\n", starts + nodes, differ
		exit differ || bad || !nodes
	}' "$work/table"
