#!/bin/bash
# CPU time and memory of snapshots of several sizes, and whether they meet the
# targets below. Measures only: the exit status is 0 unless a command failed.
#
# Environment:
#   BENCH_SIZES  numbers of jobs (default: 10000 100000 1000000)
#   BENCH_USAGE  job records to compute usage from (default: 1000000)
#   TMPDIR       where the snapshots go, 0.7 GB for a million jobs
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/bench/seconds.sh
. "$here/seconds.sh"
top=$here/../..
objects=$top/build/bench
work=

die() {
	echo "bench: $*" >&2
	exit 1
}

build() {
	make -s -C "$top" V=bench CFLAGS='-O2 -g' build/bench/bin/fs-tools build/bench/libfs.a \
		>/dev/null || die "build failed"
	local cjson
	cjson=$(pkg-config --cflags --libs libcjson 2>/dev/null) || cjson=-lcjson
	# shellcheck disable=SC2206 # in words: "ccache cc"
	local compile=(${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g -Wall -Wextra)
	# shellcheck disable=SC2086 # options, in words
	"${compile[@]}" -I"$top/libfs" -I"$top/libfs/include" -o "$objects/bench" "$here/bench.c" "$here/phase.c" "$objects/libfs.a" \
		$cjson -lm || die "build failed"
	"${compile[@]}" -I"$top/libfs" -I"$top/libfs/include" -o "$objects/usage" "$here/usage.c" "$here/phase.c" "$objects/libfs.a" \
		$cjson -lm || die "build failed"
	"${compile[@]}" -o "$objects/generate" "$here/generate.c" "$here/site.c" ||
		die "build failed"
}

# associations that go with a number of jobs
associations() {
	if [ "$1" -lt 50000 ]; then echo 1000
	elif [ "$1" -lt 500000 ]; then echo 10000
	else echo 20000; fi
}

# KiB that a command had in memory at most, with one thread
peak() {
	FS_THREADS=1 python3 -c 'import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

measure() {
	local jobs=$1 accounts
	accounts=$(associations "$jobs")
	"$objects/generate" job "$jobs" "$accounts" 1 >"$work/file" || die "generate failed"
	"$objects/generate" job 0 "$accounts" 1 >"$work/base" || die "generate failed"
	"$objects/bin/fs-tools" snap check "$work/file" >/dev/null || die "not valid"
	local numbers prio json two share job explain
	numbers=$("$objects/bench" "$work/file" "$work/base") || die "$jobs jobs failed"
	prio=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" prio -l -f "$work/file") || die "prio failed"
	json=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" prio --json -f "$work/file") || die "prio --json failed"
	two=$(elapsed env FS_THREADS=2 "$objects/bin/fs-tools" prio -l -f "$work/file") || die "prio failed"
	share=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" share -alP -f "$work/file") || die "share failed"
	job=$("$objects/bin/fs-tools" prio -h -S y -o '%i ' -f "$work/file" | sed -n '1s/ .*//p') # the last in line
	explain=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" explain "$job" --ahead --as root -f "$work/file") || die "explain failed"
	local showq showq_peak showq_base top indexed indexed_top indexed_share indexed_job
	showq=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" showq -f "$work/file") || die "showq failed"
	showq_peak=$(peak "$objects/bin/fs-tools" showq -f "$work/file")
	showq_base=$(peak "$objects/bin/fs-tools" showq -f "$work/base")
	top=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" top --once --size 160x50 -f "$work/file") || die "top failed"
	"$objects/bin/fs-tools" snap index "$work/file" || die "index failed"
	indexed=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" explain "$job" --ahead --as root -f "$work/file") || die "explain failed"
	indexed_job=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" explain "$job" --as root -f "$work/file") || die "explain failed"
	indexed_top=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" top --once --size 160x50 -f "$work/file") || die "top failed"
	indexed_share=$(seconds env FS_THREADS=1 "$objects/bin/fs-tools" share -alP -f "$work/file") || die "share failed"
	echo "$numbers $prio $share $explain $json $two $showq $top $indexed $indexed_top $indexed_share $((showq_peak - showq_base)) $indexed_job"
}

# the table, then a line for each target: at the largest size, but that of
# explanations is for 100000 jobs
report() {
	awk '
	function verdict(what, value, most) {
		printf "%-42s %7.2f  target %.2f: %s\n", what, value, most,
			value <= most ? "met" : "MISSED"
	}
	BEGIN {
		printf "%8s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %8s %7s\n", "jobs", "MB",
			"bare s", "read s", "/bare", "comp s", "sort s", "/read", "prio s",
			"share s", "expl s", "/read", "peak MB", "B/job"
	}
	{
		bare = $3; read = $4; jobs = $1; peak = $7 * 1024 / 1e6; work = $5 + $6
		bytes = (($7 - $8) * 1024 - $9) / ($1 ? $1 : 1)
		showq_bytes = ($20 * 1024 - $9) / ($1 ? $1 : 1)
		explain = $12
		if ($1 == 100000) {
			middle = $10 / bare
			ahead = explain / bare
		}
		prio_bare = $10 / bare
		share_bare = $11 / bare
		json_bare = $13 / bare
		two_bare = $14 / bare
		showq = $15 / bare
		top = $16 / bare
		indexed_ahead = $17 / bare
		indexed_top = $18 / bare
		indexed_share = $19 / bare
		indexed_job = $21 / bare
		printf "%8d %7.1f %7.3f %7.3f %7.2f %7.3f %7.3f %7.3f %7.2f %7.2f %7.2f %7.2f %8.1f %7.0f\n",
			$1, $2 / 1e6, bare, read, read / bare, $5, $6, work / read, $10, $11, explain,
			explain / read, $7 * 1024 / 1e6, bytes
		fflush()
	}
	END {
		if (!NR)
			exit 1
		print "\nSeconds are CPU time."
		print "bare    each line parsed by cJSON and freed, nothing else"
		print "read    fs_snapshot_read; comp: shares and priorities; sort: by priority"
		print "prio    fs-prio -l as a whole process; share: fs-share -alP likewise"
		print "expl    fs-explain JOB --ahead of the last job in line, likewise"
		print "B/job   (peak memory of reading and computing - the same without jobs"
		print "        - bytes of distinct job names and users) / jobs\n"
		verdict("read / bare", read / bare, 0.7)
		verdict("fs-prio -l / bare, one thread", prio_bare, 0.9)
		verdict("fs-prio -l / bare, two threads, elapsed", two_bare, 0.55)
		verdict("fs-share -alP / bare", share_bare, 0.55)
		verdict("fs-prio --json / bare", json_bare, 1.6)
		verdict("(compute + sort) / bare", work / bare, 0.2)
		printf "%-42s %7.2f\n", "fs-showq / bare", showq
		printf "%-42s %7.2f\n", "fs-top --once / bare", top
		verdict("fs-explain JOB / bare, indexed", indexed_job, 0.12)
		verdict("fs-explain JOB --ahead / bare, indexed", indexed_ahead, 0.12)
		verdict("fs-top --once / bare, indexed", indexed_top, 0.12)
		printf "%-42s %7.2f\n", "fs-share -alP / bare, indexed", indexed_share
		if (ahead)
			verdict("fs-explain JOB --ahead / bare, 100000 jobs", ahead, 1.3)
		if (middle && jobs > 100000)
			verdict("fs-prio -l / bare, " jobs " jobs / 100000", prio_bare / middle, 1.2)
		printf "%-42s %7.0f\n", "peak memory of " jobs " jobs, MB", peak
		verdict("bytes a job, priorities", bytes, 300)
		verdict("bytes a job, fs-showq", showq_bytes, 300)
	}'
}

# usage from job records beside a bare pass over the same file
usage() {
	local records=$1
	"$objects/generate" usage "$records" 20000 1 >"$work/file" || die "generate failed"
	"$objects/usage" "$work/file" | awk '{
		printf "\nusage from %d job records: %.0f a second, peak %.1f MB\n", $1, $1 / $3, $4 * 1024 / 1e6
		printf "%-42s %7.2f  target %.1f: %s\n", "both readings and the sums / bare", $3 / $2, 1.8,
			$3 / $2 <= 1.8 ? "met" : "MISSED"
	}'
}

build
work=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || die "no temporary directory"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
set -o pipefail
for size in ${BENCH_SIZES:-10000 100000 1000000}; do
	measure "$size" || exit 1
done | report
usage "${BENCH_USAGE:-1000000}"
"$here/flux.sh" "$objects"
"$here/shapes.sh" "$objects/bin/fs-tools"
"$here/plan.sh" "$objects/bin/fs-tools" "$objects/generate"
