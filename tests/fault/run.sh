#!/bin/sh
# run.sh BIN FAULT LIBRARY: runs every command on small inputs, with each of its allocations and system calls failing in
# turn. EVERY=1 tries each, a larger number every Nth and no capture. ONLY=PATTERN: only commands that match grep -E.
# Last line: "fault: N passed, N failed", of commands.
set -u

bin=$(cd "$1" && pwd)
fault=$(realpath "$2")
library=$(realpath "$3")
top=$(cd "$(dirname "$0")/../.." && pwd)
every=${EVERY:-1}
calls=$((1 + every / 10))
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work" || exit 1
unset FS_SNAPSHOT SPRIO_FORMAT NO_COLOR PAGER LD_PRELOAD
export PATH="$bin:$PATH" LC_ALL=C TZ=UTC FS_THREADS=1 FS_USER=root

reads="read-EIO read-EINTR read-short open-EMFILE open-EIO open-EINTR stat-EIO seek-EIO list-EIO close-EIO"
writes="write-ENOSPC write-EIO write-EINTR write-short"
if [ "$every" -gt 1 ]; then
	reads="read-EIO read-short open-EMFILE list-EIO"
	writes="write-ENOSPC write-short"
fi
files="fsync-EIO fsync-ENOSPC fsync-EINTR rename-EIO rename-ENOSPC mkdir-ENOSPC"
children="pipe-EMFILE fork-EAGAIN poll-EINTR wait-EINTR"

mkdir in in/slurm
cp "$top"/tests/cli/stand-ins/data/* in/slurm
tar -xJf "$top/tests/cases/maui/maui-3.5.tar.xz" -C in maui-3.5/27_running_12min/in
tar -xJf "$top/tests/cases/flux/sample.tar.xz" -C in
tar -xJf "$top/tests/cases/flux/tree.tar.xz" -C in tree/user_and_bank_same_weight
mkdir in/bin in/log in/tmp
cp "$top"/tests/cli/stand-ins/* in/bin 2>/dev/null
for t in sh cat cut date env sed sleep; do
	ln -s "$(command -v "$t")" in/bin
done
printf '%s\n' "STAND_IN_DIR='$work/in/slurm'" "STAND_IN_LOG='$work/in/log'" >in/bin/settings
mv in/maui-3.5/27_running_12min/in in/maui
mv in/tree/user_and_bank_same_weight/tree.json in
cp "$top/cmd/demo.jsonl" in/demo.jsonl
cp "$top/tests/top/maui.jsonl" in/maui.jsonl
cp "$top/tests/cli/examples/flux.jsonl" in/flux.jsonl
printf '%s\n' dump 'key j Enter' dump 'key Esc Tab j Space Enter' dump 'key Esc / a Enter n ? Esc q' >in/keys

passed=0 failed=0 tried=0
try() { # KINDS COMMAND...
	kinds=$1
	shift
	wanted "$@" || return 0
	# shellcheck disable=SC2086 # words
	line=$("$fault" -e "$every" -c "$calls" "$library" alloc oom $kinds -- "$@")
	count "$?"
}

wanted() { # COMMAND...
	echo "$*" | grep -qE "${ONLY:-.}"
}

count() { # STATUS
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$line" | sed '1s/^/FAIL /'
	fi
	tried=$((tried + $(echo "$line" | awk '/^[0-9]+ tried/ { n += $1 } END { print n + 0 }')))
}

for f in demo maui flux; do
	try "$reads $writes" fs-share -f "in/$f.jsonl" -a
	try "$writes" fs-share -f "in/$f.jsonl" -a --json
	try "$writes" fs-prio -f "in/$f.jsonl" -l
	try "$writes" fs-prio -f "in/$f.jsonl" --json
	try "$writes" fs-showq -f "in/$f.jsonl" --why
	try "$writes" fs-showq -f "in/$f.jsonl" --json
	try "$reads $writes" fs-top -f "in/$f.jsonl" --once --size 100x20
	try "$reads $writes" fs-snap check "in/$f.jsonl"
	try "$writes" fs-snap verify "in/$f.jsonl"
	job=$(sed -n 's/^{"type":"job","id":\([0-9]*\),.*"state":"PENDING".*/\1/p' "in/$f.jsonl" | head -1)
	try "$writes" fs-explain -f "in/$f.jsonl" "$job"
	try "$writes" fs-explain -f "in/$f.jsonl" "$job" --json
done
cp in/demo.jsonl in/indexed.jsonl
fs-snap index in/indexed.jsonl
try "$reads $writes" fs-share -f in/indexed.jsonl -a
try "$reads $writes" fs-top -f in/indexed.jsonl --once --size 100x20
try "$writes" fs-share --demo -alm -o 'Account%20,User,TRESRunMins%40' --sort=-FairShare
try "$writes" fs-share --demo -a --json=slurm
try "$writes" fs-share --demo -a --yaml
try "$writes" fs-share --demo --grants
try "$writes" fs-share --demo --spent
try "$reads $writes" fs-share -f in/demo.jsonl -a --usage=compare
try "$writes" fs-prio --demo -o '%i|%.20u|%y' -S -Y,u
try "$writes" fs-showq --demo --plan
try "$writes" fs-showq --demo --style=tacc -l
try "$writes" fs-explain --demo --user alice
try "$reads $writes" fs-top -f in/demo.jsonl --script in/keys
try "$reads $writes $files" fs-snap index in/demo.jsonl
try "$reads $writes $files" fs-snap import slurm in/slurm -o out
try "$reads $writes" fs-snap import slurm in/slurm
try "$reads $writes $files" fs-snap import maui in/maui -o out
try "$reads $writes $files" fs-snap import flux in/sample -o out
try "$reads $writes $files" fs-snap import flux in/tree.json -o out

job=812154
sed '1s/"time":\([0-9]*\)/"time":1790000000/' in/demo.jsonl >in/later.jsonl
for f in demo later; do
	fs-snap keep in/history "in/$f.jsonl"
done
{
	echo '$ sprio -l'
	fs-prio -f in/demo.jsonl -l
	echo '$ sshare -a'
	fs-share -f in/demo.jsonl -a
} >in/pasted
printf 'k7Qz02mXv9TjPw4eR1sYbN6cL8dHf3Ga' >in/key
try "$reads $writes $files" fs-snap keep out in/demo.jsonl
try "$reads $writes $files" fs-snap import text in/pasted --at 2026-11-20T16:01:00 -o out
try "$reads $writes $files" fs-snap anonymise in/demo.jsonl --key=in/key -o out
try "$reads $writes" fs-diff in/demo.jsonl in/later.jsonl --no-plan
try "$writes" fs-diff in/demo.jsonl in/later.jsonl --no-plan --json
try "$writes" fs-diff -f in/demo.jsonl --no-plan --if 'scontrol hold 812154'
try "$reads $writes" fs-share --history=in/history -a
try "$writes" fs-share --history=in/history -a --json
try "$writes" fs-prio --history=in/history -j "$job" --csv
try "$writes $files" fs-explain -f in/demo.jsonl "$job" --forecast --svg=out
try "$writes" fs-prio -f in/demo.jsonl --weights-report --json
try "$writes" fs-showq -f in/demo.jsonl --openmetrics
every=$((every * 20)) # plans allocate much memory
try "$reads $writes $files" fs-snap ticket "$job" in/demo.jsonl -o out
try "$writes $files" fs-explain -f in/demo.jsonl "$job" --html=out
try "$writes" fs-explain -f in/demo.jsonl "$job" --advise
try "$writes" fs-explain -f in/demo.jsonl "$job" --ahead
try "$writes" fs-showq -f in/demo.jsonl --start="$job"
try "$writes" fs-showq -f in/maui.jsonl --plan
try "$writes" fs-share -f in/demo.jsonl -A quantum -u dana --solve 'shares factor=0.74'
try "$writes" fs-share -f in/demo.jsonl -A quantum --solve 'usage level=0.9'
try "$writes" fs-diff in/demo.jsonl in/later.jsonl --markdown
every=${EVERY:-1}

# A capture takes a while, and the stand-ins of Slurm's commands must be alone on the PATH.
if [ "$every" = 1 ] && wanted fs-snap capture; then
	# shellcheck disable=SC2086 # words
	line=$(PATH="$bin:$work/in/bin" TMPDIR="$work/in/tmp" "$fault" -t "$library" alloc oom $reads $writes $files $children -- fs-snap capture -o out)
	count "$?"
fi
echo "fault: $tried failures tried"
echo "fault: $passed passed, $failed failed"
[ "$failed" = 0 ]
