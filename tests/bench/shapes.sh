#!/bin/bash
# Snapshots of difficult shapes: four times the size must not take much more than four times as long. In small snapshots,
# one kind of record is numerous (an axis): four times the number must take at most five times as long, and at
# most 5 s. These snapshots have about 1 MB.
# Usage: shapes.sh FS_TOOLS
# Environment: SHAPES_SIZE   records of the smaller snapshot (default: 250000)
#              SHAPES_CHAIN  of the chain (default: 2500)
#              SHAPES_MOST   maximum of the time divided by four times that of a quarter (default: 1.6)
#              SHAPES_AXIS   smaller number of records of an axis (default: 400)
set -u
export LC_ALL=C FS_THREADS=1
TIMEFORMAT='%3U %3S'
tools=$1
size=${SHAPES_SIZE:-250000}
chain=${SHAPES_CHAIN:-2500}
most=${SHAPES_MOST:-1.6}
axis=${SHAPES_AXIS:-400}
seconds_max=60
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

# axis_snapshot AXIS N: a snapshot with N records of one kind. job_partitions: 40 jobs in N partitions each; dependency:
# a job that depends on N jobs; dependencies: N jobs, each depends on the job before; hostlists: partitions and jobs whose
# node lists have N ranges.
axis_snapshot() {
	awk -v axis="$1" -v n="$2" '
	function rec(type, text) { print "{\"type\":\"" type "\"," text "}" }
	function quote(name) { return "\"" name "\"" }
	function list(begin, n,   i, s) { for (i = 1; i <= n; i++) s = s (i > 1 ? "," : "") begin i; return s }
	function names(begin, n,   i, s) { for (i = 1; i <= n; i++) s = s (i > 1 ? "," : "") quote(begin i); return s }
	function amounts(n,   i, s) { s = "\"cpu\":4,\"mem\":4000,\"node\":1"; for (i = 1; i <= n; i++) s = s ",\"gres/g" i "\":1"; return s }
	function hosts(n,   i, s) { for (i = 1; i <= n; i++) s = s (i > 1 ? "," : "") 2 * i - 1; return "n[" s "]" }
	function job(id, more) {
		rec("job", "\"id\":" id ",\"state\":\"PENDING\",\"submit_time\":1,\"eligible_time\":1,\"priority\":" (100000 - id) ",\"account\":\"a\",\"time_limit_s\":3600,\"cpus\":4,\"nodes\":1,\"tasks\":4,\"mem_per_cpu_mb\":1000," more)
	}
	function running(id, node, more) {
		rec("job", "\"id\":" id ",\"state\":\"RUNNING\",\"submit_time\":1,\"start_time\":1699999000,\"end_time\":" (1700000000 + id * 60) ",\"account\":\"a\",\"time_limit_s\":" (1000 + id * 60) ",\"node_list\":\"n" node "\",\"cpus\":4,\"nodes\":1,\"tres_alloc\":{\"cpu\":4,\"mem\":4000,\"node\":1}," more)
	}
	BEGIN {
		jobs = axis == "jobs" ? n : axis == "dependency" ? 2 : 40
		nodes = axis == "nodes" ? n : axis == "hostlists" ? 2 * n : 64
		partitions = axis == "partitions" || axis == "job_partitions" ? n : 1
		qos = axis == "qos" ? n : 1
		users = axis == "associations" ? n : 1
		tres = axis == "tres" ? n : 0
		if (axis == "partitions" || axis == "qos" || axis == "associations" || axis == "dependencies")
			jobs = n
		rec("snapshot", "\"format\":1,\"time\":1700000000,\"priority_time\":1699999900,\"cluster\":\"c\",\"scheduler\":\"slurm 25.05.3\"")
		rec("config", "\"PriorityType\":\"priority/multifactor\",\"PriorityWeightFairShare\":1000,\"PriorityWeightAge\":1000,\"PriorityWeightPartition\":1000,\"PriorityWeightQOS\":1000,\"PriorityWeightTRES\":\"CPU=1000\",\"PriorityDecayHalfLife\":604800,\"PriorityMaxAge\":604800,\"PriorityCalcPeriod\":300,\"AccountingStorageEnforce\":[\"associations\",\"limits\",\"qos\"],\"SchedulerType\":\"sched/backfill\",\"SelectType\":\"select/cons_tres\",\"PreemptType\":\"preempt/qos\",\"PreemptMode\":\"REQUEUE\",\"SchedulerParameters\":\"bf_window=2880,bf_max_job_test=100000\"")
		rec("tres", "\"id\":1,\"name\":\"cpu\""); rec("tres", "\"id\":2,\"name\":\"mem\""); rec("tres", "\"id\":4,\"name\":\"node\"")
		for (i = 1; i <= tres; i++)
			rec("tres", "\"id\":" 1000 + i ",\"name\":\"gres/g" i "\"")
		rec("association", "\"id\":1,\"account\":\"root\",\"shares\":1,\"usage_tres_s\":0")
		rec("association", "\"id\":2,\"account\":\"a\",\"parent\":\"root\",\"shares\":1,\"usage_tres_s\":0,\"grp_tres\":{" amounts(tres) "},\"grp_jobs\":50")
		for (i = 1; i <= users; i++)
			rec("association", "\"id\":" i + 2 ",\"account\":\"a\",\"user\":\"u" i "\",\"shares\":1,\"usage_tres_s\":" i ",\"max_jobs\":9,\"qos\":[" names("q", qos) "]")
		for (i = 1; i <= qos; i++)
			rec("qos", "\"id\":" i ",\"name\":\"q" i "\",\"priority\":" i ",\"grp_jobs\":50,\"max_tres_per_user\":{\"cpu\":1000}" (i == 1 && qos > 1 ? ",\"preempt\":[\"q2\"]" : ""))
		for (i = 1; i <= partitions; i++)
			rec("partition", "\"name\":\"p" i "\",\"state\":\"UP\",\"tier\":" i % 7 ",\"job_factor\":" i % 5 ",\"nodes\":\"" (axis == "hostlists" ? hosts(n) : "n[1-" nodes "]") "\",\"total_cpus\":" nodes * 8 ",\"total_nodes\":" nodes ",\"max_time_s\":86400")
		for (i = 1; i <= nodes; i++)
			rec("node", "\"name\":\"n" i "\",\"state\":\"" (i <= 40 ? "MIXED" : "IDLE") "\",\"cpus\":8,\"mem_mb\":8000,\"weight\":" i % 3)
		for (i = 1; i <= (axis == "reservations" ? n : 0); i++)
			rec("reservation", "\"name\":\"r" i "\",\"state\":\"INACTIVE\",\"start_time\":" 1700003600 + i * 100 ",\"end_time\":" 1700007200 + i * 100 ",\"nodes\":\"n" (i % nodes + 1) "\",\"node_count\":1,\"users\":[\"root\"],\"flags\":[\"SPEC_NODES\"]")
		for (i = 1; i <= 40; i++)
			running(i, i, "\"user\":\"u" (i % users + 1) "\",\"association\":" i % users + 3 ",\"partitions\":[\"p1\"],\"qos\":[\"q1\"]")
		for (i = 1; i <= jobs; i++)
			job(1000 + i, "\"user\":\"u" (i % users + 1) "\",\"association\":" i % users + 3 ",\"qos\":[\"q" (i % qos + 1) "\"],\"partitions\":[" (axis == "job_partitions" ? names("p", n) : quote("p" (i % partitions + 1))) "],\"tres_req\":{" amounts(tres) "}" \
				(axis == "dependency" && i == 2 ? ",\"reason\":\"Dependency\",\"dependency\":\"afterok:" list("", n) "\"" : "") \
				(axis == "dependencies" && i > 1 ? ",\"reason\":\"Dependency\",\"dependency\":\"afterok:" 1000 + i - 1 "(unfulfilled)\"" : "") \
				(axis == "hostlists" ? ",\"req_nodes\":\"n" i "\",\"exc_nodes\":\"" hosts(n) "\"" : ""))
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
	check) "$tools" snap check "$work/s" ;;
	plan) "$tools" showq --plan -f "$work/s" ;;
	explain) "$tools" explain 1002 --verbose -f "$work/s" ;;
	future) "$tools" explain 1002 --forecast -f "$work/s" ;;
	why) "$tools" showq --why -f "$work/s" ;;
	top) "$tools" top --once --as root -f "$work/s" ;;
	*) "$tools" "$1" ${2:+"$2"} -f "$work/s" ;;
	esac
}

# cost COMMAND SHAPE N OPTION: CPU seconds
cost() {
	local seconds
	case $2 in
	axis-*) axis_snapshot "${2#axis-}" "$3" ;;
	*) snapshot "$2" "$3" ;;
	esac >"$work/s" || return 1
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
	awk -v what="$1, $(($4 * 4))" -v small="$small" -v large="$large" -v most="$most" -v seconds="$seconds_max" 'BEGIN {
		printf "%-42s %7.2f  %.2f s; 4 times a quarter: target %s, %s s: %s\n", what, large / (4 * small + 1e-9), large, most,
			seconds, large <= 4 * most * small + 0.05 && large <= seconds ? "met" : "MISSED" }'
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
most=1.25
seconds_max=5
for kind in jobs job_partitions partitions qos associations nodes tres reservations dependency dependencies hostlists; do
	for command in check prio plan why explain future diff top; do
		shape "$kind, $command" "$command" "axis-$kind" "$axis" ''
	done
done
