#!/bin/bash
# The time of fs-top to its first screen and from a key to the screen, with the numbers of jobs in BENCH_SIZES (default:
# 10000 1000000), and whether that meets the targets below. Measures only.
set -u
export LC_ALL=C.UTF-8
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
objects=$top/build/bench

die() {
	echo "bench: $*" >&2
	exit 1
}

make -s -C "$top" V=bench CFLAGS='-O2 -g' build/bench/libcmd.a build/bench/libfs.a >/dev/null || die "build failed"
libs=$(pkg-config --libs libcjson 2>/dev/null) || libs=-lcjson
# shellcheck disable=SC2206 # in words: "ccache cc"
compile=(${CC:-cc} -pthread -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -g -Wall -Wextra)
# shellcheck disable=SC2086 # libraries, in words
"${compile[@]}" -I"$top/libfs" -I"$top/libfs/include" -I"$top/cmd" -o "$objects/top" "$here/top.c" \
	"$objects/libcmd.a" "$objects/libfs.a" $libs -lzstd -lm || die "build failed"
"${compile[@]}" -o "$objects/generate" "$here/generate.c" "$here/site.c" || die "build failed"

work=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || die "no temporary directory"
trap 'rm -rf "$work"' EXIT
for size in ${BENCH_SIZES:-10000 1000000}; do
	"$objects/generate" job "$size" $((size < 50000 ? 1000 : 20000)) 1 >"$work/file" || die "generate failed"
	{
		"$objects/top" -1 "$work/file" && "$objects/top" -1 "$work/file" && "$objects/top" "$work/file"
	} | awk -v size="$size" '
	function verdict(what, value, most, unit) {
		printf "%-42s %8.2f  target %g %s: %s\n", what, value, most, unit, value <= most ? "met" : "MISSED"
	}
	/^read/ {
		printf "%d jobs: read %.3f s, first screen after %.3f s, the queue after %.3f s (%.3f and %.3f s of CPU)\n",
			size, $2, $4, $6, $8, $9
		if (!ordered || $6 / $2 < ordered)
			ordered = $6 / $2
		if (!read || $4 / $2 < first / read) {
			read = $2; first = $4
		}
	}
	/^key/ && !keys++ { printf "%-32s %8s %8s %8s\n", "key", "drawn ms", "slice ms", "done ms" }
	/^key/ {
		print substr($0, 5)
		for (i = NF - 2; i < NF; i++)
			if ($i > worst)
				worst = $i
		if (/first time/ && $NF > sort)
			sort = $NF
	}
	/^words/ { words = $2 }
	/^reload/ { made = $2; taken = $3 }
	END {
		if (size <= 10000)
			verdict("first screen", first * 1e3, 100, "ms")
		verdict("first screen / read, the best of three", first / read, 1.15, "")
		printf "%-42s %8.2f\n", "first screen with the queue / read", ordered
		verdict("longest from a key to the screen", worst, 16, "ms")
		printf "%-42s %8.2f  ms, once a column and snapshot, in slices\n", "sorting", sort
		printf "%-42s %8.2f  ms, in a thread of its own\n", "what fs-explain says of the last job", words
		printf "%-42s %8.2f  s after reading it, in the loader\n", "a new snapshot compared and sorted", made
		verdict("taking it over, to the screen", taken, 16, "ms")
		print ""
	}'
done
