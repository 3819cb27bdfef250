#!/bin/sh
# Builds the fuzz targets with sanitizers in build/fuzz and runs each for FUZZ_SECONDS (20) from small seeds; with
# FUZZ_RUNS instead that many inputs from a fixed start, so that a second run tries what the first did.
# Last line: "N passed, N failed". What a target fails on is kept in build/fuzz.
set -eu

cd "$(dirname "$0")/../.."
limit=${FUZZ_RUNS:+-runs=$FUZZ_RUNS -seed=1}
limit=${limit:--max_total_time=${FUZZ_SECONDS:-20}}
out=build/fuzz
cc=${FUZZ_CC:-clang}
flags='-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -g -Ilibfs -Ilibfs/include -DFSI_ARENA_DEBUG'
sanitize='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'

mkdir -p "$out/obj"
echo 'int LLVMFuzzerTestOneInput(const char *s, long n) { return !s && n ? -1 : 0; }' >"$out/probe.c"
if ! $cc -fsanitize=fuzzer,address,undefined -o "$out/probe" "$out/probe.c" 2>/dev/null; then
	echo "fuzz: skipped: $cc cannot link -fsanitize=fuzzer (Debian: clang libclang-rt-14-dev)"
	echo '0 passed, 0 failed'
	exit 0
fi

# shellcheck disable=SC2086 # flags are words
build() {
	rm -f "$out"/obj/*.o
	for source in libfs/*/*.c tests/fuzz/fuzz_*.c; do
		echo "$source" "$out/obj/$(echo "$source" | tr / _).o"
	done | xargs -P "$(nproc)" -L 1 sh -c "$cc $flags $sanitize -c -o \"\$1\" \"\$0\""
	for target in snapshot import; do
		$cc -fsanitize=fuzzer,address,undefined -o "$out/fuzz_$target" "$out/obj/tests_fuzz_fuzz_$target.c.o" \
			"$out"/obj/libfs_*.o -lcjson -lm
	done
}

# Words worth trying: field and record names, file names, keys of the commands' outputs.
dictionary() {
	{
		sed -n 's/^[[:space:]]*X(\([a-z_]*\), .*/\1/p' libfs/model/records.h
		sed -n 's/.*{ "\([A-Za-z\/ ]*\)", FSI_.*/\1/p' libfs/import/*.c
		sed -n 's/^@@/@@/p' tests/fuzz/seeds/*
		printf '%s\n' unlimited parent PENDING RUNNING UNLIMITED Unknown N/A '(null)' ' UserId=' ' Network=' \
			9007199254740993 18446744073709551615 4294967295 -2147483648 1e308 '{\"type\":\"'
	} | sort -u | sed 's/.*/"&"/'
}

# The first records of each type of the demo, without the counts that a mutation would break.
seeds() {
	mkdir -p "$out/seeds_snapshot" "$out/seeds_import"
	cp tests/fuzz/seeds/snapshot-* "$out/seeds_snapshot"
	cp tests/fuzz/seeds/import-* "$out/seeds_import"
	tar -xJf tests/cases/flux/tree.tar.xz -C "$out"
	cp "$out/tree/user_and_bank_same_weight/tree.json" "$out/seeds_import/flux-tree.json"
	sed 's/,"records":{[^}]*}//' cmd/demo.jsonl |
		awk '{ split($0, f, "\""); if (++seen[f[4]] <= 4 && length($0) < 1000) print }' \
			>"$out/seeds_snapshot/demo"
}

run() { # TARGET
	mkdir -p "$out/corpus_$1"
	# shellcheck disable=SC2086 # the limit is words
	if "$out/fuzz_$1" $limit -max_len=8192 -rss_limit_mb=1024 -timeout=10 \
		-dict="$out/dictionary" -artifact_prefix="$out/$1-" -print_final_stats=1 \
		"$out/corpus_$1" "$out/seeds_$1" >"$out/$1.log" 2>&1; then
		printf '%-10s %s runs\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$1.log")"
		return 0
	fi
	grep -a -m 1 -B 2 -A 30 -e 'not so:' -e 'ERROR:' -e 'runtime error:' "$out/$1.log" || tail -n 30 "$out/$1.log"
	echo "$1: failed; see $out/$1.log and $(sed -n 's/.*Test unit written to //p' "$out/$1.log")"
	return 1
}

build
dictionary >"$out/dictionary"
seeds
passed=0 failed=0
for target in snapshot import; do
	if run "$target"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
