#!/bin/bash
# fs-snap import slurm of a recorded capture with repeated jobs, compared with a plain cJSON pass over the snapshot that
# it writes. Usage: import.sh FS-TOOLS BENCH
# Environment: BENCH_IMPORT  jobs (default: 100000)
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tools=$1 bench=$2 jobs=${BENCH_IMPORT:-100000}
work=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/bench/seconds.sh
. "$here/seconds.sh"

# Repeats the output of scontrol and sprio for each job, with other ids; lists of other commands that name jobs are left
# out.
tar -xJf "$here/../cases/slurm/22.05-s13-fresh.tar.xz" -C "$work" || exit 1
raw=$work/22.05-s13-fresh/in
rm -f "$raw"/squeue* "$raw"/scontrol_job_d.txt "$raw"/sacct*.txt
awk -v jobs="$jobs" '
{ line[n++] = $0 }
END {
	for (i = 0; i < jobs; i++) {
		s = line[i % n]
		k = int(i / n) * 1000
		at = ""
		while (match(s, /(JobId|HetJobId)=[0-9]+/)) {
			word = substr(s, RSTART, RLENGTH)
			split(word, of, "=")
			at = at substr(s, 1, RSTART - 1) of[1] "=" of[2] + k
			s = substr(s, RSTART + RLENGTH)
		}
		print at s
	}
}' "$raw/scontrol_job_o.txt" >"$work/jobs" && mv "$work/jobs" "$raw/scontrol_job_o.txt" || exit 1
seconds=$(seconds "$tools" snap import slurm "$raw" -o "$work/s") || {
	cat "$work/errors" >&2
	exit 1
}
sed -e '1s/,"records":{[^}]*}//' -e '/"type":"job"/d' "$work/s" >"$work/base"
read -r found _ bare _ < <("$bench" "$work/s" "$work/base")
awk -v found="$found" -v bare="$bare" -v seconds="$seconds" 'BEGIN {
	printf "%-42s %7.2f  %d jobs, %.2f s: target 1.5: %s\n", "fs-snap import slurm / bare", seconds / bare, found,
		seconds, seconds <= 1.5 * bare ? "met" : "MISSED"
}'
