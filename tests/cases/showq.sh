#!/bin/bash
# Replays the recorded command lines of the showq of Harvard, TACC and Elemnir (tests/cases/showq/*.tar.xz): as showq
# and with --strict-compat byte for byte. Without that option the output is equal byte for byte if the tool shows none
# of the fixed defects, and otherwise free of them. Usage: showq.sh BIN_DIR [CASE]...
. "$(dirname "$0")/lib.sh"
shift
ln -s "$bin/fs-tools" "$work/showq"

# showq WORD...: runs our showq in the current case
showq() {
	FS_EXTENSIONS=1 "$work/showq" -f "$work/s.jsonl" --as "$user" --style "$style" "$@" 2>"$work/err" </dev/null
}

# real WORD...: runs ours under the tool's own name
real() {
	FS_SNAPSHOT=$work/s.jsonl FS_USER=$user FS_SHOWQ_STYLE=$style "$work/showq" "$@" 2>"$work/err" </dev/null
}

# Prints the four numbers of the last line, and a note if they do not add up.
totals() {
	awk '/^Total Jobs:/ { if ($3 != $6 + $9 + $12) print "do not add up"; print $3, $6, $9, $12 }' "$1"
}

# Returns 0 if the fixed defects are absent: the table has no foreign rows, and every pending and running job of the
# listing is counted.
check_mended() {
	local want_total=$1 got_total
	got_total=$(totals "$work/got")
	grep -qE '\[Warn\]|-nan' "$work/got" && return 1
	case $got_total in *add*) return 1 ;; esac
	# shellcheck disable=SC2086 # four words
	set -- $want_total $got_total
	[ $# = 8 ] && [ "$5" -ge "$1" ] && [ "$6" -ge "$2" ] && [ "$7" -ge "$3" ] && [ "$8" -ge "$4" ]
}

check_line() {
	local case=$1 file=$2 status=$3 name="$1: showq $4" want=$work/case/out/$2
	# shellcheck disable=SC2086 # words of the command line
	set -- $4
	real "$@" >"$work/got"
	local got=$?
	case $file in
	*--help.txt | *-u_-U_bob.txt) # our usage text is our own
		[ $got = 0 ] && [ -s "$work/got" ] || { fail "$name" "exit $got"; return; } ;;
	*-s_-p_*) # the tool crashed
		[ "$status" = -11 ] && [ $got = 0 ] && grep -q '^Total Jobs' "$work/got" ||
			{ fail "$name" "exit $got"; return; } ;;
	*)
		[ $got = "$status" ] && cmp -s "$want" "$work/got" ||
			{ fail "$name" "exit $got, recorded $status" "$want" "$work/got"; return; }
		passed=$((passed + 1))
		showq --strict-compat "$@" >"$work/got"
		cmp -s "$want" "$work/got" || { fail "$name" "--strict-compat" "$want" "$work/got"; return; }
		showq "$@" >"$work/got"
		if grep -qE '\[Warn\]|-nan' "$want"; then
			check_mended "$(totals "$want")" || { fail "$name" "not mended"; return; }
		else
			cmp -s "$want" "$work/got" || { fail "$name" "without --strict-compat" "$want" "$work/got"; return; }
		fi ;;
	esac
	passed=$((passed + 1))
}

run_case() {
	local case=$1 before=$((passed + failed)) file status args
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$here/showq/$case.tar.xz" -C "$work/case" --strip-components=1 || exit 1
	rm -f "$work/showq.conf"
	[ ! -f "$work/case/showq.conf" ] || cp "$work/case/showq.conf" "$work/"
	"$bin/fs-snap" import slurm "$work/case/in" -o "$work/s.jsonl" 2>"$work/err" ||
		{ fail "$case" "import: $(cat "$work/err")"; return; }
	while IFS=$'\t' read -r file style user status args; do
		check_line "$case" "$file" "$status" "$args"
	done <"$work/case/cmds.tsv"
	echo "$case: $((passed + failed - before)) checks"
}

if [ $# -gt 0 ]; then
	for c; do run_case "$c"; done
else
	for archive in "$here"/showq/*.tar.xz; do
		run_case "$(basename "$archive" .tar.xz)"
	done
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
