#!/usr/bin/env bats
# The demo snapshot is a possible state of a scheduler.

load lib

demo=$BATS_TEST_DIRNAME/../../cmd/demo.jsonl

# could_be SNAPSHOT: prints what contradicts the plan of fs-showq or the sums over running jobs; fails if anything does.
could_be() {
	fs-showq -f "$1" --json --plan >plan.json
	python3 - "$1" <<'EOF'
import collections, json, sys

snapshot = [json.loads(line) for line in open(sys.argv[1])]
of = collections.defaultdict(list)
for record in snapshot:
    of[record["type"]].append(record)
now = snapshot[0]["time"]
running = [j for j in of["job"] if j["state"] == "RUNNING"]
pending = {j["id"]: j for j in of["job"] if j["state"] == "PENDING"}
wrong = []

# In each partition's queue, the first job that cannot start now has the reason Resources. Jobs ahead of it have the
# reason None, jobs after it Priority.
lines = collections.defaultdict(list)
for row in json.load(open("plan.json"))["rows"]:
    if row["partition_position"]:
        lines[row["partition"]].append(row)
told = {}
for partition, line in lines.items():
    line.sort(key=lambda row: row["partition_position"])
    states = [row["plan"]["state"] == "now" for row in line]
    first = states.index(False) if False in states else len(line)
    for at, row in enumerate(line):
        reasons = told.setdefault(row["jobid"], set())
        reasons.add("Resources" if at == first else "Priority" if at > first else "None")
for job, reasons in sorted(told.items()):
    if pending[job]["reason"] not in reasons:
        wrong.append("job %d waits for %s, not %s" % (job, pending[job]["reason"], " or ".join(sorted(reasons))))
if not any(told.values()):
    wrong.append("nobody is eligible")

# The running jobs of each node add up to its allocation and fit its resources.
for node in of["node"]:
    cpus = sum(j["tres_alloc"]["cpu"] for j in running if j["node_list"] == node["name"])
    mem = sum(j["tres_alloc"]["mem"] for j in running if j["node_list"] == node["name"])
    gpus = sum(j["tres_alloc"].get("gres/gpu", 0) for j in running if j["node_list"] == node["name"])
    state = "ALLOCATED" if cpus == node["effective_cpus"] else "MIXED" if cpus else "IDLE"
    if (cpus, mem, state) != (node["alloc_cpus"], node["alloc_mem_mb"], node["state"]):
        wrong.append("node %s: %d CPUs, %d MB, %s by its jobs" % (node["name"], cpus, mem, state))
    if cpus > node["cpus"] or mem > node["mem_mb"] or gpus > node["tres"].get("gres/gpu", 0):
        wrong.append("node %s gives more than it has" % node["name"])

# The remaining run minutes of running jobs add up to run_by_tres_min, level by level.
parent = {a["account"]: a.get("parent") for a in of["association"] if "user" not in a}
left = collections.Counter()
for job in running:
    minutes = (job["end_time"] - now) // 60
    owner, account = (job["account"], job["user"]), job["account"]
    while owner:
        for name, count in job["tres_alloc"].items():
            left[owner, name] += count * minutes
        owner = (account, None) if account else None
        account = parent.get(account)
for a in of["association"]:
    for name, minutes in a["run_by_tres_min"].items():
        if left[(a["account"], a.get("user")), name] != minutes:
            wrong.append("association %d: %s minutes left differ" % (a["id"], name))

# An array with the reason JobArrayTaskLimit has as many running tasks as its limit allows.
for job in pending.values():
    if job["reason"] == "JobArrayTaskLimit":
        tasks = [j for j in running if j.get("array_job_id") == job["id"]]
        if len(tasks) != int(job["array_tasks"].split("%")[1]):
            wrong.append("array %d: %d tasks run" % (job["id"], len(tasks)))
print("\n".join(wrong))
sys.exit(bool(wrong))
EOF
}

@test "each demo job has the reason that a scheduler would record" {
	could_be "$demo"
	run -0 fs-snap check "$demo"
	[[ $output == *": valid: "* ]]
}

@test "an inconsistent demo snapshot is reported" {
	sed 's/"id":812168,\(.*\)"reason":"Resources"/"id":812168,\1"reason":"Priority"/' "$demo" >reason.jsonl
	run -1 could_be reason.jsonl
	[ "$output" = "job 812168 waits for Priority, not Resources" ]
	grep -v '"id":812057,' "$demo" | sed '1s/"job":67/"job":66/' >freed.jsonl
	run -1 could_be freed.jsonl
	[[ $output == *"job 812168 waits for Resources, not None"*"node gpu02: "*"association 22: cpu minutes left differ"* ]]
	sed 's/"array_tasks":"4-40%4"/"array_tasks":"4-40%5"/' "$demo" >array.jsonl
	run -1 could_be array.jsonl
	[[ $output == *"array 812233: 4 tasks run"* ]]
}
