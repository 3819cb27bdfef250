#!/bin/sh
# A fourth scheduler, first come first served, is added to a copy of the tree by two files and a line in each registry
# (libfs/scheduler, cmd/dialect, cmd/snap), and works in all commands. Last line: "N passed, N failed".
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
sed -i 's/^} import_formats\[\] = {/&\n\t{ "fcfs", "fcfs writes times in UTC", NULL, NULL },/' "$work/cmd/snap/snap.c"
make -s -C "$work" CFLAGS=-O0 program >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

bin=$work/build/bin snapshot=$work/snapshot.jsonl here=tests/fourth passed=0 failed=0

expect() { # STATUS TEXT COMMAND...
	want=$1 text=$2 status=0
	shift 2
	"$bin/$@" >"$work/out" 2>&1 || status=$?
	if [ "$status" = "$want" ] && tr -s ' \n' '  ' <"$work/out" | grep -qF -- "$text"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not ok: $*: expected status $want and \"$text\", got status $status and"
		cat "$work/out"
	fi
}

export FS_SNAPSHOT="$snapshot" FS_USER=root
"$bin/fs-snap" import fcfs $here/capture -o "$snapshot"
expect 0 '"records":{"association":3,"partition":1,"node":2,"job":3}' fs-snap import fcfs $here/capture
expect 3 'broken/fcfs_-l.txt:3: cpus: expected a number from 0 to 4294967295, got "many"' fs-snap import fcfs $here/broken
expect 1 'no output of fcfs -l' fs-snap import fcfs $here
expect 2 'unknown format '"'"'pbs'"'"'; known: fcfs, slurm, flux, maui, text' fs-snap import pbs $here/capture
expect 0 'valid: cluster counter, fcfs 1.0, 3 associations, 3 jobs' fs-snap check "$snapshot"
expect 0 'root|bob||0|0.500000' fs-share -aP -o 'Account,User,RawShares,RawUsage,FairShare' --noheader
expect 0 '7 ann 100 100 8 bob 500 500' fs-prio
expect 0 '1 bob 2 ann' fs-showq
expect 0 '8 main bob planned 2023-11-14T23:10:00 0:40:00 1 n1 CPUs; 6 ends 7 main ann planned 2023-11-14T23:10:00' fs-showq --plan
expect 0 'When 2023-11-14 23:10:00, if jobs run to their time limits and no job arrives.' fs-explain 7
expect 0 'Ahead 8 of bob (root), by 400 points: AGE 500 against 100.' fs-explain 7
expect 0 'pending 2 running 1 blocked 0' fs-top --once
expect 0 'PENDING JOBS: 0 of 2 rows differ' fs-diff "$snapshot" "$snapshot"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
