#!/bin/bash
# Snapshots of difficult shapes: four times the size must not take much more than four times as long.
# Usage: shapes.sh FS_TOOLS
# Environment: SHAPES_SIZE   records of the smaller snapshot (default: 250000)
#              SHAPES_CHAIN  of the chain (default: 2500)
#              SHAPES_MOST   maximum of the time divided by four times that of a quarter (default: 1.6)
set -u
export LC_ALL=C FS_THREADS=1
TIMEFORMAT='%3U %3S'
tools=$1
size=${SHAPES_SIZE:-250000}
chain=${SHAPES_CHAIN:-2500}
most=${SHAPES_MOST:-1.6}
work=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# snapshot SHAPE N
snapshot() {
	awk -v shape="$1" -v n="$2" '
	function association(id, parent, account, user, shares, usage) {
		printf "{\"type\":\"association\",\"id\":%d,", id
		if (parent != "")
			printf "\"parent\":\"%s\",", parent
		printf "\"account\":\"%s\",", account
		if (user != "")
			printf "\"user\":\"%s\",", user
		printf "\"shares\":%d,\"usage_tres_s\":%d}\n", shares, usage
	}
	function job(id, user, of, more) {
		printf "{\"type\":\"job\",\"id\":%d,\"state\":\"PENDING\",\"submit_time\":1,%s", id, more
		printf "\"user\":\"%s\",\"account\":\"a\",\"association\":%d,\"partitions\":[\"p\"],\"tres_req\":{\"cpu\":1}}\n",
			user, of
	}
	BEGIN {
		print "{\"type\":\"snapshot\",\"format\":1,\"time\":1700000000,\"cluster\":\"c\",\"scheduler\":\"slurm 25.05.3\"}"
		print "{\"type\":\"config\",\"PriorityType\":\"priority/multifactor\",\"PriorityWeightFairShare\":1000,\"PriorityWeightAge\":1000,\"PriorityDecayHalfLife\":604800,\"PriorityMaxAge\":604800}"
		association(1, "", "root", "", 1, 1000)
		association(2, "root", "a", "", 1, 1000)
		if (shape == "wide" || shape == "ties")
			for (i = 3; i <= n; i++)
				association(i, "", "a", "u" i, shape == "ties" ? 1 : i % 97 + 1, shape == "ties" ? 5 : i * 7 % 1009)
		if (shape == "chain")
			for (i = 3; i <= n; i++)
				association(i, i == 3 ? "a" : "a" (i - 1), "a" i, "", 1, 1000)
		if (shape == "jobs" || shape == "gone")
			association(3, "", "a", "u", 1, 10)
		for (i = 1; i <= n && shape == "jobs"; i++)
			job(i, "u", 3, "\"eligible_time\":1,")
		for (i = 1; i <= n && shape == "gone"; i++)
			job(i, "u", 3, "\"reason\":\"Dependency\",\"dependency\":\"afterok:" n + i "(unfulfilled)\",")
	}' /dev/null
}

# prepare COMMAND: makes the other inputs of the command
prepare() {
	case $1 in
	paste)
		{ echo '$ sshare -a -l' && "$tools" share -al -f "$work/s"; } >"$work/paste" ;;
	history)
		rm -rf "$work/history" && mkdir "$work/history" &&
			sed '1s/1700000000/1699990000/' "$work/s" >"$work/older" &&
			"$tools" snap keep "$work/history" "$work/older" && "$tools" snap keep "$work/history" "$work/s" ;;
	keep)
		rm -rf "$work/history" && mkdir "$work/history" ;;
	esac
}

# command_of COMMAND OPTION: the measured command
command_of() {
	case $1 in
	paste) "$tools" snap import text --at 2023-11-14T22:13:20 "$work/paste" ;;
	history) "$tools" share "--history=$work/history" -a ;;
	keep) "$tools" snap keep "$work/history" "$work/s" ;;
	diff) "$tools" diff "$work/s" "$work/s" ;;
	scancel) "$tools" showq --if 'scancel -u u' -f "$work/s" ;;
	forecast) "$tools" explain u50 --forecast -f "$work/s" ;;
	*) "$tools" "$1" ${2:+"$2"} -f "$work/s" ;;
	esac
}

# cost COMMAND SHAPE N OPTION: CPU seconds
cost() {
	local seconds
	snapshot "$2" "$3" >"$work/s" || return 1
	prepare "$1" || return 1
	seconds=$({ time command_of "$1" "$4" >/dev/null 2>"$work/errors"; } 2>&1) || {
		cat "$work/errors" >&2
		return 1
	}
	awk '{ print $1 + $2 }' <<<"$seconds"
}

# shape WHAT COMMAND SHAPE N OPTION
shape() {
	local small large
	small=$(cost "$2" "$3" "$4" "$5") && large=$(cost "$2" "$3" $(($4 * 4)) "$5") || return 1
	awk -v what="$1, $(($4 * 4))" -v small="$small" -v large="$large" -v most="$most" 'BEGIN {
		printf "%-42s %7.2f  %.2f s; 4 times a quarter: target %s: %s\n", what, large / (4 * small + 1e-9), large, most,
			large <= 4 * most * small + 0.05 ? "met" : "MISSED" }'
}

echo
shape "associations in one account" share wide "$size" -a
shape "the same, all tied" share ties "$size" -a
shape "a chain of accounts" share chain "$chain" -a
shape "jobs of one user" prio jobs "$size" -l
shape "jobs of one user, queue" showq jobs "$size" ''
shape "jobs that wait for jobs long gone" showq gone "$size" --why
few=$((size / 4))
shape "jobs of one user, report of weights" prio jobs "$size" --weights-report
shape "jobs of one user, compared" diff jobs "$few" ''
shape "jobs of one user, all cancelled" scancel jobs "$few" ''
shape "jobs of one user, into a history" keep jobs "$few" ''
shape "a history of ties" history ties "$few" ''
shape "a user's forecast among ties" forecast ties "$few" ''
shape "a pasted table of one account" paste ties "$few" ''
