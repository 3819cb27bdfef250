#!/bin/bash
# CPU time of fs-showq: the list compared with fs-prio's table of the same file, and the plan for increasing numbers of
# pending jobs and nodes. Measures only. Usage: plan.sh FS-TOOLS GENERATE
set -u
export LC_ALL=C
tools=$1 generate=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/fs-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/bench/seconds.sh
. "$(dirname "${BASH_SOURCE[0]}")/seconds.sh"

# cluster PENDING NODES: two running jobs on each node, pending ones of 1 to 16 nodes, all within the plan's reach.
cluster() {
	awk -v pending="$1" -v nodes="$2" '
	function below(n) { seed = (seed * 16807) % 2147483647; return seed % n }
	function put(more) { print "{\"type\":" more "}" }
	BEGIN {
		seed = 20260
		put("\"snapshot\",\"format\":1,\"time\":1760000000,\"cluster\":\"c\",\"scheduler\":\"slurm 26.05.0\"")
		put("\"config\",\"SchedulerParameters\":\"bf_max_job_test=1000000,bf_window=10080\"")
		put("\"tres\",\"id\":1,\"name\":\"cpu\"")
		put("\"tres\",\"id\":2,\"name\":\"mem\"")
		put("\"tres\",\"id\":4,\"name\":\"node\"")
		for (i = 1; i <= nodes; i++)
			put(sprintf("\"node\",\"name\":\"n%05d\",\"state\":\"MIXED\",\"cpus\":64,\"mem_mb\":256000", i))
		put(sprintf("\"partition\",\"name\":\"all\",\"tier\":1,\"nodes\":\"n[00001-%05d]\"", nodes))
		put(sprintf("\"partition\",\"name\":\"half\",\"tier\":2,\"nodes\":\"n[00001-%05d]\"", nodes / 2))
		for (i = 1; i <= 2 * nodes; i++) {
			c = 16 * (1 + below(2))
			put(sprintf("\"job\",\"id\":%d,\"state\":\"RUNNING\",\"node_list\":\"n%05d\",\"cpus\":%d,\"partitions\":[\"all\"],\"end_time\":%d,\"tres_alloc\":{\"cpu\":%d,\"mem\":%d}",
				i, (i + 1) / 2, c, 1760000060 + below(172800), c, c * 2000))
		}
		for (i = 1; i <= pending; i++) {
			k = below(2) ? 1 : 2 ^ below(5); c = k * 4 ^ below(4)
			put(sprintf("\"job\",\"id\":%d,\"state\":\"PENDING\",\"eligible_time\":1,\"submit_time\":%d,\"priority\":%d,\"partitions\":[\"%s\"],\"cpus\":%d,\"nodes\":%d,\"time_limit_s\":%d,\"tres_req\":{\"cpu\":%d,\"mem\":%d,\"node\":%d}%s",
				2 * nodes + i, i, below(1000000), below(3) ? "all" : "half", c, k, 1800 * 2 ^ below(6), c, c * 2000,
				k, below(3) ? "" : ",\"tasks\":" c ",\"mem_per_cpu_mb\":2000"))
		}
	}'
}

"$generate" job 100000 10000 1 >"$work/file" || exit 1
prio=$(seconds "$tools" prio -f "$work/file")
list=$(seconds "$tools" showq --as root -f "$work/file")
why=$(seconds "$tools" showq --as root --why -f "$work/file")
"$generate" job 100000 10000 2 >"$work/other" || exit 1
diff=$(seconds "$tools" diff --as root "$work/file" "$work/other")
bare=$(seconds "$tools" diff --as root --no-plan "$work/file" "$work/other")
prio_elapsed=$(elapsed "$tools" prio -f "$work/file")
diff_elapsed=$(elapsed "$tools" diff --as root "$work/file" "$work/other")
awk -v prio="$prio" -v diff="$diff" -v bare="$bare" -v both="$prio_elapsed $diff_elapsed" 'BEGIN {
	split(both, elapsed, " ")
	printf "\n100000 jobs: fs-prio %.2f s, fs-diff of two states %.2f s, without plans %.2f s\n", prio, diff, bare
	printf "%-42s %7.2f  target 2.3: %s\n", "fs-diff / fs-prio", diff / prio, diff <= 2.3 * prio ? "met" : "MISSED"
	printf "%-42s %7.2f\n", "fs-diff --no-plan / fs-prio", bare / prio
	printf "%-42s %7.2f\n", "fs-diff / fs-prio, elapsed", elapsed[2] / elapsed[1]
}'
awk -v prio="$prio" -v list="$list" -v why="$why" 'BEGIN {
	printf "\n100000 jobs: fs-prio %.2f s, fs-showq %.2f s, fs-showq --why %.2f s\n", prio, list, why
	printf "%-42s %7.2f  target 1.3: %s\n\n", "list / fs-prio", list / prio, list <= 1.3 * prio ? "met" : "MISSED"
	printf "%8s %6s %8s %16s\n", "pending", "nodes", "plan s", "ns / job / node"
}'
for size in "1000 500" "2500 1250" "5000 2500" "10000 2500" "10000 5000" "50000 10000"; do
	read -r pending nodes <<<"$size"
	cluster "$pending" "$nodes" >"$work/file"
	plan=$(seconds "$tools" showq --as root --plan -f "$work/file")
	awk -v p="$pending" -v n="$nodes" -v s="$plan" 'BEGIN {
		printf "%8d %6d %8.2f %16.1f\n", p, n, s, s * 1e9 / p / n
		if (p == 10000 && n == 5000)
			printf "%-42s %7.2f  target 0.5: %s\n", "plan of 10000 jobs on 5000 nodes", s, s <= 0.5 ? "met" : "MISSED"
		if (p == 50000)
			printf "%-42s %7.2f  target 5.0: %s\n", "plan of 50000 jobs on 10000 nodes", s, s <= 5 ? "met" : "MISSED"
	}'
	if [ "$pending $nodes" = "10000 5000" ]; then
		# priorities that are set, so that a job that is tried with a change stays where it is
		sed -E 's/"priority":([0-9]+),/&"priority_set":\1,/' "$work/file" >"$work/set"
		page=$(seconds "$tools" explain 16635 --as root -f "$work/set" --advise)
		awk -v p="$plan" -v s="$page" 'BEGIN {
			printf "%-42s %7.2f  target 6.0: %s\n", "fs-explain --advise of one job / the plan", s / p,
				s <= 6 * p ? "met" : "MISSED"
		}'
	fi
done
