#!/bin/sh
# A fourth scheduler, first come first served: added to a copy of the tree by two files and a line in each registry, it
# works in all commands. Last line: "N passed, N failed".
set -eu

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir "$work/tests"
cp -r Makefile .packaging libfs cmd man completions "$work"
cp tests/deps.sh tests/deps.mk tests/demo.sh "$work/tests"
cp tests/fourth/libfs.c "$work/libfs/scheduler/fcfs.c"
cp tests/fourth/cmd.c "$work/cmd/dialect/fcfs.c"
sed -i 's/^static .* fsi_maui_scheduler;/&\nextern const struct fsi_scheduler fsi_fcfs;/' "$work/libfs/scheduler/scheduler.c"
sed -i 's/&fsi_maui_scheduler }/\&fsi_maui_scheduler, \&fsi_fcfs }/' "$work/libfs/scheduler/scheduler.c"
sed -i 's/^static .* dialect_other;/&\nextern const struct dialect dialect_fcfs;/' "$work/cmd/dialect/dialect.c"
sed -i 's/&dialect_maui }/\&dialect_maui, \&dialect_fcfs }/' "$work/cmd/dialect/dialect.c"
make -s -C "$work" CFLAGS=-O0 program >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

bin=$work/build/bin snapshot=tests/fourth/queue.jsonl passed=0 failed=0

expect() { # TEXT COMMAND...
	text=$1
	shift
	if "$bin/$@" >"$work/out" 2>&1 && tr -s ' \n' '  ' <"$work/out" | grep -qF -- "$text"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $*: expected \"$text\" in"
		cat "$work/out"
	fi
}

export FS_SNAPSHOT=$snapshot FS_USER=root
expect 'root|bob||0|0.500000' fs-share -aP -o 'Account,User,RawShares,RawUsage,FairShare' --noheader
expect '7 ann 100 100 8 bob 500 500' fs-prio
expect '1 bob 2 ann' fs-showq
expect 'Ahead 8 of bob (root), by 400 points: AGE 500 against 100.' fs-explain 7
expect 'pending 2 running 0 blocked 0' fs-top --once
expect 'PENDING JOBS: 0 of 2 rows differ' fs-diff "$snapshot" "$snapshot"
expect 'valid: cluster counter, fcfs 1.0, 3 associations, 2 jobs' fs-snap check "$snapshot"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
