#!/bin/sh
# run.sh [-w] [NAME...]: feeds NAME.keys to fs-top and compares the screens with NAME.screen. -w writes NAME.screen
# instead, for a review of its diff. The first line of a .keys file has the arguments.
cd "$(dirname "$0")" || exit 1
write=
[ "$1" != -w ] || { write=1; shift; }
[ $# -gt 0 ] || set -- $(ls ./*.keys | sed 's,^\./\(.*\)\.keys$,\1,')
export LC_ALL=C.UTF-8
unset NO_COLOR FS_SNAPSHOT FS_USER
screens=$(mktemp) || exit 1
trap 'rm -f "$screens"' EXIT
failed=0
for name in "$@"; do
	# shellcheck disable=SC2046 # arguments are words
	"${FS_TOP:-${FS_BIN:-../../build/bin}/fs-top}" --as root $(sed -n '1s/^# args: //p' "$name.keys") --script "$name.keys" \
		>"$screens" 2>&1 || { echo "$name: status $?"; failed=1; }
	if [ "$write" ]; then
		cp "$screens" "$name.screen"
	else
		diff -u --label "$name.screen" --label "now" "$name.screen" "$screens" || failed=1
	fi
done
exit $failed
