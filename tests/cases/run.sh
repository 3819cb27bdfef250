#!/bin/bash
# Replays every recorded command line of the captures in tests/cases/slurm/*.tar.xz with our binary under the recorded
# tool's name, and compares standard output and exit status byte for byte. known.tsv lists the allowed differences and
# their reasons. Usage: run.sh BIN_DIR [CASE]...
. "$(dirname "$0")/lib.sh"
shift
mkdir "$work/links"
ln -s "$bin/fs-tools" "$work/links/sshare"
ln -s "$bin/fs-tools" "$work/links/sprio"
declare -A kinds plain_all plain_same

# Sets kinds: the kind of each file of the case that a line of known.tsv covers. Runs once per case, not once per
# command line.
read_kinds() {
	local file kind
	kinds=()
	while IFS=$'\t' read -r file kind; do
		kinds[$file]=$kind
	done < <({ cut -f1 "$work/case/cmds.tsv" | sed 's|^out/||'; echo sshare_a.json; } |
		awk -F'\t' -v c="$1" 'FNR == NR { if (!/^#/ && c ~ "^(" $1 ")$") { file[++n] = "^(" $2 ")$"; kind[n] = $3 } next }
			{ for (i = 1; i <= n; i++) if ($0 ~ file[i]) { print $0 "\t" kind[i]; break } }' "$here/slurm/known.tsv" -)
}

# Returns 0 if the two files differ only in numbers, by at most the tolerance.
near() {
	awk -v tol="$3" -f "$here/near.awk" "$1" "$2"
}

# Prints the recorded command line, with our links in place of the tools.
replay() (
	PATH=$work/links:$PATH
	eval "$1"
)

check_line() {
	local case=$1 file=$2 status=$3 argv=$4 kind got
	kind=${kinds[${file#out/}]:-}
	replay "$argv" >"$work/got" 2>"$work/err" </dev/null
	got=$?
	case $kind in
	usage) # the usage text of the tool; ours differs
		[ $got = "$status" ] || { fail "$case: $argv" "exit $got, recorded $status"; return; } ;;
	ours) # a failure of that build only
		[ $got = 0 ] && [ -s "$work/got" ] || { fail "$case: $argv" "exit $got"; return; } ;;
	crash) # upstream crashed: the rows of the plain table, in the order asked for
		[ $got = 0 ] && cmp -s <(sort "$work/got") <(sort "$work/case/${file%/*}/$(crash_model "$argv")") &&
			in_order "$argv" "$work/got" ||
			{ fail "$case: $argv" "exit $got, or not the rows of the plain table in order"; return; } ;;
	doubles)
		[ $got = "$status" ] && awk -f "$here/doubles.awk" "$work/case/$file" "$work/got" ||
			{ fail "$case: $argv" "more than $kind" "$work/case/$file" "$work/got"; return; } ;;
	*)
		[ $got = "$status" ] && cmp -s "$work/case/$file" "$work/got" ||
			{ fail "$case: $argv" "exit $got, recorded $status" "$work/case/$file" "$work/got"; return; } ;;
	esac
	passed=$((passed + 1))
}

# Returns 0 if the column of sprio -l that one letter sorts by increases, or decreases after "-". Printed numbers are
# rounded, which keeps their order. Other sort keys are not checked here.
in_order() {
	awk -v asked="${1##*[ =]}" '
		BEGIN {
			split("a 7 f 9 j 10 p 11 q 13 n 14", c, " ")
			for (i = 1; i in c; i += 2) column[c[i]] = c[i + 1]
			letter = tolower(asked); sub(/^[-+]/, "", letter)
			if (!(letter in column)) exit
		}
		NR > 2 && (asked ~ /^-/ ? $(column[letter]) > last : $(column[letter]) < last) { bad = 1 }
		{ last = $(column[letter]) + 0 }
		END { exit bad }' "$2"
}

# Prints the recorded table whose rows a crashed sort would have shown.
crash_model() {
	case $1 in
	*' -l '*) echo sprio_l.txt ;;
	*) echo sprio.txt ;;
	esac
}

# Checks what an ordinary user can capture: usage with two decimals. Fair Tree's factor is a rank and therefore exact,
# and so are priorities; a classic factor follows the ratio, up to the last digit but one.
check_plain() {
	local case=$1 tolerance=0
	grep -q '^PriorityFlags.*NO_FAIR_TREE' "$work/case/in/scontrol_config.txt" && tolerance=0.0000015
	FS_USER=root
	"$bin/fs-snap" import slurm "$work/case/in" -o "$FS_SNAPSHOT" 2>"$work/err" ||
		{ fail "$case" "plain import: $(cat "$work/err")"; return; }
	replay "sshare -aP -o Account,User,FairShare" >"$work/got"
	awk -F'|' 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } { print $1 "|" $2 "|" $c["FairShare"] }' \
		"$work/case/out/sshare_aP.txt" >"$work/want"
	near "$work/want" "$work/got" $tolerance || { fail "$case plain" "FairShare" "$work/want" "$work/got"; return; }
	passed=$((passed + 1))
	replay "sprio -l" >"$work/got" 2>/dev/null
	cmp -s "$work/case/out/sprio_l.txt" "$work/got" ||
		{ fail "$case plain" "sprio -l" "$work/case/out/sprio_l.txt" "$work/got"; return; }
	passed=$((passed + 1))
}

# Checks the controller's RawUsage, six decimals, computed only from job records and running jobs, if the relevant decay
# runs are known (all but the last are in its log, here in decay_runs.tsv).
check_usage() {
	local case=$1 runs
	runs=$(awk -F'\t' -v c="$case" '$1 == c { print $2 }' "$here/slurm/decay_runs.tsv")
	[ -n "$runs" ] || return
	"$bin/fs-share" -a --usage=compare --decay-runs="$runs" --json >"$work/got" 2>"$work/err"
	if awk -F': *' '/"difference"/ { rows++; d = $2 + 0; if (d > 2e-6 || d < -2e-6) bad++ }
			END { exit !rows || bad }' "$work/got"; then
		passed=$((passed + 1))
	else
		fail "$case" "usage computed from records is not the recorded one: $(cat "$work/err")"
	fi
}

# The controller did not change: no further job may accrue age under a limit, and if jobs wait, the deciding limit is
# used up. (A job without a limit that accrues no age was submitted after the last cycle.)
check_accrue() {
	local case=$1
	"$bin/fs-prio" --json >"$work/got" 2>"$work/err"
	if awk -F': *' '/"state":/ { room = /"room"/ } /"limit":/ { bad += room && !/null/ } /"state": "waiting"/ { waits = 1 } /"value":/ { value = $2 + 0 }
			/"used":/ { if (waits && $2 + 0 < value) bad++; waits = 0 } END { exit bad > 0 }' "$work/got"; then
		passed=$((passed + 1))
	else
		fail "$case" "a job under a limit does not age, and has room for it"
	fi
}

# Checks that the output of `sshare -a --json` is reproduced from the capture with full usage, and from a capture that
# contains this output: with the parser of its version and with its numbers, infinities and nulls.
check_json() {
	local case=$1 kind source
	[ -f "$work/sshare_a.json" ] || return
	kind=${kinds[sshare_a.json]:-}
	FS_USER=root
	for source in truth/assoc_usage.txt in/sshare_a.json; do
		if [ $source = in/sshare_a.json ]; then
			mv "$work/sshare_a.json" "$work/case/in"
			"$bin/fs-snap" import slurm "$work/case/in" -o "$FS_SNAPSHOT" 2>"$work/err"
			mv "$work/case/in/sshare_a.json" "$work"
		fi
		replay "sshare -a --json" >"$work/got" 2>"$work/err" </dev/null
		[ "$kind" != ours ] || continue
		if awk -f "$here/doubles.awk" "$work/sshare_a.json" "$work/got"; then
			passed=$((passed + 1))
		else
			fail "$case" "sshare -a --json, usage of $source" "$work/sshare_a.json" "$work/got"
		fi
	done
}

# Counts the share of command lines that are reproduced byte for byte from what an ordinary user can capture, by
# release. Command lines that only we have or that crashed there do not count. Usage: count_plain CASE FROM..., the
# files it was imported from.
count_plain() {
	local file user status argv got from version=${1%%-*}
	shift
	while IFS=$'\t' read -r file user status argv; do
		case ${kinds[${file#out/}]:-} in usage | ours | crash) continue ;; esac
		FS_USER=$user
		replay "$argv" >"$work/got" 2>"$work/err" </dev/null
		got=$?
		[ $got = "$status" ] && cmp -s "$work/case/$file" "$work/got"
		got=$?
		for from; do
			plain_all[$version $from]=$((${plain_all[$version $from]:-0} + 1))
			[ $got != 0 ] || plain_same[$version $from]=$((${plain_same[$version $from]:-0} + 1))
		done
	done <"$work/case/cmds.tsv"
}

# Imports the tables only, and also with sshare's JSON if the capture has it: that has all digits of usage.
count_both() {
	if [ ! -f "$work/sshare_a.json" ]; then
		count_plain "$1" tables all
		return
	fi
	count_plain "$1" tables
	mv "$work/sshare_a.json" "$work/case/in"
	"$bin/fs-snap" import slurm "$work/case/in" -o "$FS_SNAPSHOT" 2>"$work/err"
	count_plain "$1" all
}

check_floor() {
	local version=$1 from=$2 floor=$3 all=${plain_all[$1 $2]:-0} same=${plain_same[$1 $2]:-0}
	[ "$all" -gt 0 ] || return
	echo "$version without exact usage, from $from: $same of $all command lines byte for byte"
	if awk -v s="$same" -v a="$all" -v f="$floor" 'BEGIN { exit !(100 * s >= f * a) }'; then
		passed=$((passed + 1))
	else
		fail "$version" "below the floor of $floor percent without exact usage, from $from"
	fi
}

# No release may be below its minimum in floors.tsv, in percent.
check_floors() {
	local version all tables
	while IFS=$'\t' read -r version all tables; do
		case $version in '#'*) continue ;; esac
		check_floor "$version" all "$all"
		check_floor "$version" tables "$tables"
	done <"$here/slurm/floors.tsv"
}

run_case() {
	local case=$1 before=$((passed + failed)) file user status argv
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$here/slurm/$case.tar.xz" -C "$work/case" --strip-components=1 || exit 1
	find "$work/case" -name '*.gz' -exec gunzip -f {} +
	rm -f "$work/sshare_a.json" # with all digits of usage: only check_json may see it
	[ ! -f "$work/case/in/sshare_a.json" ] || mv "$work/case/in/sshare_a.json" "$work"
	FS_SNAPSHOT=$work/s.jsonl
	export FS_SNAPSHOT FS_USER
	"$bin/fs-snap" import slurm "$work/case/in" --exact-usage "$work/case/truth/assoc_usage.txt" \
		-o "$FS_SNAPSHOT" 2>"$work/err" || { fail "$case" "import: $(cat "$work/err")"; return; }
	read_kinds "$case"
	while IFS=$'\t' read -r file user status argv; do
		FS_USER=$user
		check_line "$case" "$file" "$status" "$argv"
	done <"$work/case/cmds.tsv"
	check_usage "$case"
	check_accrue "$case"
	check_json "$case"
	check_plain "$case"
	count_both "$case"
	echo "$case: $((passed + failed - before)) command lines"
}

if [ $# -gt 0 ]; then
	for c; do run_case "$c"; done
else
	for archive in $("$here/archives.sh" slurm); do
		run_case "$(basename "$archive" .tar.xz)"
	done
	[ "${EVERY_CASE:-1}" -gt 1 ] || check_floors
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
