#!/usr/bin/env bats
# Limits in fs-explain, on captures in which jobs wait for every kind of limit; text and JSON agree.

load lib

cases=$BATS_TEST_DIRNAME/../cases/limits

# capture NAME: imports a packed capture to s.jsonl.
capture() {
	mkdir -p case
	tar -xJf "$cases/$1.tar.xz" -C case --strip-components=1
	fs-snap import slurm case/in -o s.jsonl
	export FS_SNAPSHOT=$PWD/s.jsonl FS_USER=root
}

# job REASON USER [ACCOUNT]: prints the id of the user's first pending job with this reason.
job() {
	python3 - "$@" <<-'PY'
	import json, sys
	for r in map(json.loads, open("s.jsonl")):
	    if r["type"] == "job" and r["state"] == "PENDING" and [r["reason"], r["user"]] == sys.argv[1:3] \
	            and (len(sys.argv) < 4 or r["account"] == sys.argv[3]):
	        print(r["id"])
	        break
	PY
}

# limits JOB: prints the job's limits from fs-explain, one per line.
limits() {
	fs-explain --no-pager "$1" | awk '/^LIMITS/ { on = 1; next } on && !NF { exit } on' | paste -sd' ' |
		sed 's/ \(GrpT\|GrpJ\|GrpS\|GrpW\|MaxT\|MaxW\|MaxJ\|MinT\)/\n\1/g'
}

@test "each limit is shown with its usage and its users" {
	capture 22.05-limits
	[ "$(limits "$(job QOSGrpCpuLimit irc)")" = \
		"GrpTRES of QOS grpc: 6 of 8 CPUs in use, by daemon (6 CPUs in 1 job); this job would add 3 CPUs." ]
	[ "$(limits "$(job QOSMaxJobsPerUserLimit irc)")" = \
		"MaxJobsPU of QOS pu, for irc: 2 of 2 jobs running, by irc (2 jobs)." ]
	[ "$(limits "$(job MaxCpuPerAccount irc)")" = \
		"MaxTRESPA of QOS pa, for phys: 4 of 5 CPUs in use, by daemon (4 CPUs in 1 job); this job would add 2 CPUs." ]
	[ "$(limits "$(job QOSMaxCpuPerNode daemon)")" = \
		"MaxTRESPerNode of QOS node: a job may ask for at most 4 CPUs on a node; this job asks for 8 CPUs." ]
	[ "$(limits "$(job QOSGrpWallLimit irc)")" = "GrpWall of QOS wall: 1:12 of 1:00 used." ]
	[ "$(limits "$(job AssocGrpWallLimit lp)")" = "GrpWall of account walls: 1:12 of 1:00 used." ]
	[ "$(limits "$(job QOSGrpCPUMinutesLimit backup)")" = "GrpTRESMins of QOS mins: 2 of 2 CPU minutes used." ]
	[[ "$(limits "$(job AssocGrpCPURunMinutesLimit man)")" == \
		"GrpTRESRunMins of account runs: 23"?" of 300 CPU minutes in use, by man (23"?" CPU minutes in 1 job); this job would add 120 CPU minutes." ]]
	[ "$(limits "$(job AssocGrpCpuLimit uucp)" | cut -d: -f1 | paste -sd,)" = \
		"GrpTRES of account sub,GrpTRES of account chem" ]
	[[ "$(limits "$(job QOSMinCpuNotSatisfied daemon)")" == *"no less than 2 CPUs; this job asks for 1 CPU." ]]
}

@test "fs-explain and fs-showq report which jobs can never start" {
	local job
	capture 22.05-limits
	for job in "QOSMaxCpuPerNode daemon" "AssocMaxWallDurationPerJobLimit sys" "AssocMaxCpuMinutesPerJobLimit games" \
		"QOSGrpCPURunMinutesLimit daemon"; do
		# shellcheck disable=SC2086
		fs-explain --verbose $(job $job) >text
		grep -qi "it can never start: " text
		absent "What clears it\|own estimate" text
		# shellcheck disable=SC2086
		fs-showq --start "$(job $job)" >text
		grep -q "it can never start: .*\. It needs .*\.$" text
		absent "estimate\|recorded\|squeue" text
	done
	fs-showq --plan >text
	grep -q " never .*it can never start: " text
	absent " never .*squeue shows" text
	for job in "AssocMaxJobsLimit bin" "AssocGrpCpuLimit mail" "QOSGrpCPURunMinutesLimit irc" "AssocGrpWallLimit lp"; do
		# shellcheck disable=SC2086
		fs-explain $(job $job) >text
		absent "never start" text
	done
	[[ "$(limits "$(job QOSGrpCPURunMinutesLimit daemon)")" == *"would add 6000 CPU minutes. This exceeds the whole limit: the job cannot start even if nothing else runs." ]]
}

@test "safe limits count the remaining usage of running jobs" {
	capture 22.05-limits-safe
	[[ "$(limits "$(job AssocGrpCPUMinutesLimit www-data)")" == \
		"GrpTRESMins of account safe: 2 of 600 CPU minutes used; running jobs may still use 47"?" CPU minutes; this job would add 240 CPU minutes." ]]
	[[ "$(limits "$(job AssocGrpWallLimit backup)")" == \
		"GrpWall of account safew: "??"s of 1:40:00 used; this job would add 2:00:00. This exceeds the whole limit"* ]]
}

@test "limits name the partition and the QOS in which they count" {
	local id
	capture 22.05-limits
	id=$(python3 -c 'import json
for r in map(json.loads, open("s.jsonl")):
    if r["type"] == "job" and r["state"] == "PENDING" and len(r["partitions"]) > 1 and r["qos"] == ["grpc"]: print(r["id"])')
	[[ "$(limits "$id")" == "GrpTRES of the partition's QOS part in partition pq: 12 of 10 CPUs in use, "*"
GrpTRES of QOS grpc in partition normal: 6 of 8 CPUs in use, "* ]]
	# The job fits QOS grpc in partition normal if it asks for 2 CPUs.
	sed -i "/\"id\":$id,/s/\"cpu\":12/\"cpu\":2/g" s.jsonl
	fs-explain "$id" >text
	grep -q "GrpTRES of the partition's QOS part in partition pq: 12 of 10 CPUs in use" text
	[[ "$(limits "$id")" == *"GrpTRES of QOS grpc in partition normal: 6 of 8 CPUs in use, "*"would add 2 CPUs. It fits the limit now: "* ]]
	paste -sd' ' text | grep -q "Nothing listed above blocks it in partition normal with QOS grpc\."
}

@test "fs-explain prints the same limits as text and as JSON" {
	local name
	for name in 22.05-limits 22.05-limits-safe; do
		rm -rf case
		capture $name
		python3 - <<-'PY'
		import json, re, subprocess
		def run(*args):
		    return subprocess.run(["fs-explain", *args], check=True, capture_output=True, text=True).stdout
		def seconds(text):
		    n = 0
		    for part in re.split("[:-]", text.rstrip("s")):
		        n = n * (24 if n and "-" in text and part == text.split("-")[1].split(":")[0] else 60) + int(part)
		    return n
		seen = 0
		for r in map(json.loads, open("s.jsonl")):
		    if r["type"] != "job" or r["state"] != "PENDING":
		        continue
		    doc = json.loads(run("--json", str(r["id"])))
		    text = " ".join(run(str(r["id"])).split())
		    for l in doc["limits"]:
		        start = text.index("%s of " % l["limit"], text.index("LIMITS"))
		        parts = [p for p in re.findall(r"%s of .*?(?=(?: (?:Grp|Max|Min)[A-Z]\w+ of (?:the|account|QOS))| PRIORITY|$)" % l["limit"],
		                                       text[start:])]
		        mine = [p for p in parts if " %s" % l["of"] in p]
		        if l["limit"] in ("GrpWall", "MaxWall"):
		            said = [re.findall(r"\d[\d:]*s?", p.split(": ", 1)[1]) for p in mine]
		            want = [l["used"], l["value"]] if l["used"] is not None else [l["value"], l["wants"]]
		            assert any([seconds(v) for v in s[:2]] == [int(v) for v in want] for s in said), (mine, l)
		        else:
		            said = [[int(v) for v in re.findall(r"(?<![\w.])\d+(?![\w]*:)", p.split(": ", 1)[1])] for p in mine]
		            want = [l["used"], l["value"]] if l["used"] is not None else [l["value"], l["wants"]]
		            assert any(s[:2] == want for s in said), (mine, l)
		            for h in l["holders"][:4]:
		                assert any(h["user"] in p and int(h["amount"]) in s for p, s in zip(mine, said)), (mine, h)
		        seen += 1
		assert seen > 25, seen
		PY
	done
}

@test "PrivateData hides the other users of a limit" {
	capture 22.05-limits
	sed -i 's/"PrivateData":\[\]/"PrivateData":["jobs"]/' s.jsonl
	FS_USER=irc run -0 fs-explain "$(job MaxCpuPerAccount irc)"
	[[ ${output//$'\n'/ } == *"at least 4 of 5 CPUs in use, by others (4 CPUs in 1 job)"* ]]
}
