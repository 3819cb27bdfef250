#!/bin/sh
# The commands on the demo snapshot and on a capture, under valgrind: no error, no leak.
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
quiet() {
	if valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect,possible \
		"$@" >/dev/null 2>"$work/err"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $*"
		head -20 "$work/err"
	fi
}
mkdir "$work/case"
tar -xJf "$here/../cases/slurm/26.11-s3-base.tar.xz" -C "$work/case" --strip-components=1
quiet "$bin/fs-snap" import slurm "$work/case/in" --exact-usage "$work/case/truth/assoc_usage.txt" -o "$work/s.jsonl"
quiet "$bin/fs-snap" check "$work/s.jsonl"
printf '%s\n' dump 'key j Enter' dump 'key Esc Space j Space c' dump 'key Esc Tab j Space Enter' dump 'key Esc / a Enter n a a ? Esc q' >"$work/keys"
for f in "--demo" "-f $work/s.jsonl"; do
	# shellcheck disable=SC2086 # two words
	for o in "-a -l" "--json" "--json=slurm -a" "--sort=-FairShare -a -o Account%0,TRESRunMins%0" "-e"; do
		quiet "$bin/fs-share" $f $o
	done
	# shellcheck disable=SC2086
	for o in "-l" "-n -S -Y,u" "--json" "-w" "-o %i|%.3T|%y"; do
		quiet "$bin/fs-prio" $f $o
	done
	partition=normal
	[ "$f" != --demo ] || partition=gpu
	# shellcheck disable=SC2086
	for o in "-l -b -o" "--style=tacc --why" "-p $partition -s" "--plan" "--json --plan" "--start 31"; do
		[ "$o$f" = "--start 31--demo" ] || quiet "$bin/fs-showq" --as root $f $o
	done
	quiet "$bin/fs-top" $f --script "$work/keys"
done
for o in "12" "12 --json" "12 --ahead --markdown" "12 --versus 30" "bob" "physics --algorithm=classic" "--versus carol bob"; do
	# shellcheck disable=SC2086 # several words
	quiet "$bin/fs-explain" -f "$work/s.jsonl" --as root $o
done
tar -xJf "$here/../cases/maui/maui-3.5.tar.xz" -C "$work"
tar -xJf "$here/../cases/flux/sample.tar.xz" -C "$work"
quiet "$bin/fs-snap" import maui "$work/maui-3.5/27_running_12min/in" -o "$work/maui.jsonl"
quiet "$bin/fs-snap" import flux "$work/sample" -o "$work/flux.jsonl"
for o in --why -i "-r -v -u ann" "-b --why" --json; do
	# shellcheck disable=SC2086 # words
	quiet "$bin/fs-showq" --as root -f "$work/maui.jsonl" $o
done
for o in --why --json; do
	quiet "$bin/fs-showq" --as root -f "$work/flux.jsonl" $o
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
