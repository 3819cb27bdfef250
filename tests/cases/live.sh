#!/bin/bash
# The output of fs-prio and fs-share with few commands, played back by stand-ins from the captures in tests/cases/slurm:
# the recorded table of sprio byte for byte, and the shares computed from the whole capture. Usage: live.sh BIN_DIR
# [CASE]...
. "$(dirname "$0")/lib.sh"
shift
unset XDG_RUNTIME_DIR
brief=0
mkdir "$work/bin" "$work/log" "$work/tools"
cp "$here"/../cli/stand-ins/* "$work/bin" 2>/dev/null
for t in sh cat cut date env sed sleep; do
	ln -s "$(command -v "$t")" "$work/tools/$t"
done

# live COMMAND OPTION...: runs the command with the stand-ins
live() {
	rm -f "$work"/log/*
	PATH=$work/bin:$work/tools TMPDIR=$work FS_USER=root "$bin/$1" "${@:2}" --fresh 2>"$work/err"
}

# same CASE WHAT WANT
same() {
	if cmp -s "$3" "$work/got"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
		diff "$3" "$work/got" | head -6
		cat "$work/err"
	fi
}

for archive in "$here"/slurm/*.tar.xz; do
	case=$(basename "$archive" .tar.xz)
	[ $# -eq 0 ] || [[ " $* " == *" $case "* ]] || continue
	rm -rf "$work/case" && mkdir "$work/case" && tar -xJf "$archive" -C "$work/case" --strip-components=1 || exit 1
	[ -s "$work/case/in/scontrol_config.txt" ] && [ -e "$work/case/in/sprio.txt" ] || continue
	printf '%s\n' "STAND_IN_DIR='$work/case/in'" "STAND_IN_LOG='$work/log'" >"$work/bin/settings"
	# 21 fields: as the captured version prints them
	grep -qE '^([^|]*\|){22}' "$work/case/in/sprio.txt" ||
		echo '[ "$name" != sprio ] || { cat "$STAND_IN_DIR/sprio.txt"; exit 0; }' >>"$work/bin/settings"
	live fs-prio -l >"$work/got"
	[ -e "$work/log/squeue.args" ] || brief=$((brief + 1))
	[ ! -s "$work/case/out/sprio_l.txt" ] || same "$case" 'sprio -l' "$work/case/out/sprio_l.txt"
	"$bin/fs-snap" import slurm "$work/case/in" -o "$work/whole" 2>/dev/null || continue
	FS_USER=root "$bin/fs-share" -alP -f "$work/whole" >"$work/want" 2>/dev/null
	live fs-share -alP >"$work/got"
	[ -e "$work/log/sacctmgr.args" ] || brief=$((brief + 1))
	same "$case" 'shares' "$work/want"
done
echo "live: $passed passed, $failed failed; $brief of them by few commands"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
