#!/bin/bash
# Builds the fuzz targets with sanitizers in build/fuzz and runs each for FUZZ_SECONDS (20) from seeds; with FUZZ_RUNS
# instead that many inputs in total from a fixed start, so that runs are repeatable and do not depend on the machine: an
# input may take FUZZ_TIMEOUT seconds (20, with FUZZ_RUNS 200). FUZZ_TARGETS: only these targets. Then prints which
# lines of libfs all inputs executed. Last line: "N passed, N failed". Failing inputs are stored in build/fuzz.
set -eu

cd "$(dirname "$0")/../.."
top=$PWD
all='snapshot index slurm maui flux paste edits text format command top'
targets=${FUZZ_TARGETS:-$all}
least=${FUZZ_COVERAGE:-85}
timeout=${FUZZ_TIMEOUT:-$([ -n "${FUZZ_RUNS:-}" ] && echo 200 || echo 20)}
out=$top/build/fuzz
cc=${FUZZ_CC:-clang}
defines='-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -g -DFSI_ARENA_DEBUG'
of_library='-Ilibfs -Ilibfs/include' of_commands='-Ilibfs/include -Icmd'
inside='-Dmain=fuzz_main -Dopen=fuzz_open -Dfopen=fuzz_fopen'
sanitize='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
curses=$(pkg-config --cflags ncursesw)
curses_libs=$(pkg-config --libs ncursesw)
command -v "${LLVM_COV:-llvm-cov}" >/dev/null && cover='-fprofile-instr-generate -fcoverage-mapping' || cover=

mkdir -p "$out"
echo 'int LLVMFuzzerTestOneInput(const char *s, long n) { return !s && n ? -1 : 0; }' >"$out/probe.c"
if ! $cc -fsanitize=fuzzer,address,undefined -o "$out/probe" "$out/probe.c" 2>/dev/null; then
	echo "fuzz: skipped: $cc cannot link -fsanitize=fuzzer (Debian: clang libclang-rt-14-dev)"
	echo '0 passed, 0 failed'
	exit 0
fi

of_program() { case $1 in command | format | top) true ;; *) false ;; esac; }

build() {
	objects=$out/objects
	mkdir -p "$objects"
	rm -f "$objects"/*.o
	for source in $(find libfs -name "*.c") tests/fuzz/fuzz_*.c; do
		echo "$source $objects/$(echo "$source" | tr / +).o $defines $of_library -Icmd $sanitize $cover"
	done >"$objects/list"
	for source in $(find cmd -name "*.c") build/release/cmd/demo.c; do
		case $source in
		cmd/no_*.c | cmd/files/no_*.c) continue ;; # for builds without a library
		cmd/top/terminal.c) more=$curses ;;
		*) more= ;;
		esac
		echo "$source $objects/$(echo "$source" | tr / +).o $defines $of_commands $inside $more $sanitize $cover"
	done >>"$objects/list"
	xargs -P "$(nproc)" -L 1 sh -c "source=\$0 object=\$1; shift; $cc \"\$@\" -c -o \"\$object\" \"\$source\"" <"$objects/list"
	for target in $all; do
		commands=
		# shellcheck disable=SC2086 # flags are words
		if of_program "$target"; then
			commands="$(echo "$objects"/cmd+*.o) $objects/build+release+cmd+demo.c.o"
		fi
		# shellcheck disable=SC2086
		$cc -fsanitize=fuzzer,address,undefined $cover -o "$out/fuzz_$target" "$objects/tests+fuzz+fuzz_$target.c.o" $commands \
			"$objects"/libfs+*.o -lcjson $curses_libs -lzstd -lpthread -lm
	done
}

# Words worth trying: field and record names, file names, keys of the commands' outputs, options.
dictionary() {
	{
		sed -n 's/^[[:space:]]*X[#_RAE]*(\([a-z_]*\), .*/\1/p' libfs/model/records/records.h libfs/model/records/fields_*.h
		sed -n 's/.*{ "\([A-Za-z\/ ]*\)", FSI_.*/\1/p' libfs/import/*.c libfs/import/*/*.c
		sed -n 's/.*{ "\([A-Za-z]*\)", .*FSI_\(OWNER\|OPERATOR\|ADMINISTRATOR\|COORDINATOR\), .*/\1=/p' libfs/scenario/*.c libfs/scenario/*/*.c
		sed -n 's/.*{ [^,]*, "\([a-z-]*\)", .*/--\1/p' cmd/*/*.c
		cat tests/fuzz/seeds/* | sed -n 's/^@@/@@/p'
		printf '%s\n' unlimited parent PENDING RUNNING UNLIMITED Unknown N/A '(null)' ' UserId=' ' Network=' \
			9007199254740993 18446744073709551615 4294967295 -2147483648 1e308 '{\"type\":\"' 'scontrol update job ' \
			'scontrol hold ' 'sacctmgr modify ' 'scancel ' ' where ' ' set ' '+1hour' 'now' 'key ' 'type ' 'dump' 'size '
	} | sort -u | sed 's/.*/"&"/'
}

runs_of() { # of one target: slow targets get fewer
	case $1 in
	text | format) echo "$((FUZZ_RUNS / 4))" ;;
	command | edits) echo "$((FUZZ_RUNS / 10))" ;; # their seeds are half of that
	snapshot | index | flux) echo "$((FUZZ_RUNS / 8))" ;;
	paste) echo "$((FUZZ_RUNS / 100))" ;;
	*) echo "$((FUZZ_RUNS / 40))" ;;
	esac
}

run() { # TARGET
	mkdir -p "$out/corpus_$1"
	limit=-max_total_time=${FUZZ_SECONDS:-20}
	[ -z "${FUZZ_RUNS:-}" ] || limit="-runs=$(runs_of "$1") -seed=1"
	# shellcheck disable=SC2086 # the limit is words
	if LLVM_PROFILE_FILE=$out/profiles/$1.profraw "$out/fuzz_$1" $limit -max_len=160000 -rss_limit_mb=2048 -timeout="$timeout" -close_fd_mask=1 \
		-dict="$out/dictionary" -artifact_prefix="$out/$1-" -print_final_stats=1 \
		"$out/corpus_$1" "$out/seeds/$1" >"$out/$1.log" 2>&1 </dev/null; then
		printf '%-10s %s runs\n' "$1" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$1.log")"
		return 0
	fi
	grep -a -m 1 -B 2 -A 30 -e 'not so:' -e 'ERROR:' -e 'runtime error:' "$out/$1.log" || tail -n 30 "$out/$1.log"
	echo "$1: failed; see $out/$1.log and $(sed -n 's/.*Test unit written to //p' "$out/$1.log")"
	return 1
}

# Lines of libfs that the inputs of all targets executed, except replanning, which no public function calls.
coverage() {
	set --
	for target in $all; do
		set -- "$@" -object "$out/fuzz_$target"
	done
	"${LLVM_PROFDATA:-llvm-profdata}" merge -o "$out/all.profdata" "$out"/profiles/*.profraw
	shift
	"${LLVM_COV:-llvm-cov}" report -ignore-filename-regex='plan/(kept|saved_state)[.]c' \
		-instr-profile="$out/all.profdata" "$@" libfs >"$out/coverage"
	awk '/^TOTAL/ { print $10 + 0 }' "$out/coverage"
}

${MAKE:-make} -s build/release/cmd/demo.c
build
dictionary >"$out/dictionary"
rm -rf "$out/seeds" "$out/profiles"
python3 tests/fuzz/seeds.py . "$out/seeds"
mkdir -p "$out/seeds/index"
for seed in "$out"/seeds/snapshot/*; do # only snapshots; written by the program, so that the lines count
	FUZZ_SEED=1 LLVM_PROFILE_FILE=$out/profiles/write-%4m.profraw "$out/fuzz_index" <"$seed" >"$out/seeds/index/${seed##*/}" 2>/dev/null ||
		rm "$out/seeds/index/${seed##*/}"
done
true >"$out/failed"
for target in $targets; do # as many at a time as there are processors
	[ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n || true
	{ run "$target" || echo "$target" >>"$out/failed"; } &
done
wait
failed=$(wc -l <"$out/failed")
passed=$(($(wc -w <<<"$targets") - failed))
if [ -n "$cover" ] && [ "$targets" = "$all" ]; then
	percent=$(coverage)
	echo "coverage: $percent % of the lines of libfs"
	if awk "BEGIN { exit !($percent >= $least) }"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "coverage: less than $least %; see $out/coverage"
	fi
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
