"""One line of the table of plan.sh: plan.py CASE CYCLES PLAN SNAPSHOT KNOWN FLOOR."""
import json
import re
import sys

case, cycles, plan_file, snapshot_file, known_file, floor_file = sys.argv[1:]


def expanded(nodes):
    """Returns the nodes of a list such as n[01-02,06] as a set."""
    found = set()
    for part in re.split(r",(?![^\[]*\])", nodes):
        match = re.match(r"^(.*)\[(.*)\]$", part)
        if not match:
            found.add(part)
            continue
        for span in match.group(2).split(","):
            first, _, last = span.partition("-")
            for i in range(int(first), int(last or first) + 1):
                found.add(match.group(1) + str(i).zfill(len(first)))
    return found


doc = json.load(open(plan_file))
rows = {str(r["jobid"]): r for r in doc["rows"] if "plan" in r}
jobs = {str(r["id"]): r for r in map(json.loads, open(snapshot_file)) if r["type"] == "job"}
known = [line.split("\t")[:3] for line in open(known_file) if not line.startswith("#")]
counts = dict.fromkeys(("recorded", "starts", "nodes", "differ", "none", "only"), 0)
tell = []


def is_array(jobid):
    return re.search(r"[-,]", jobs.get(jobid, {}).get("array_tasks", "").split("%")[0]) is not None


def waits_for_component(jobid):
    return rows[jobid]["plan"]["waits_for"] == "a component of its het job"


def is_told_now(jobid):
    plan = rows[jobid]["plan"]
    now = max(job["last_sched_eval"] for job in jobs.values() if job.get("last_sched_eval"))
    return plan["shown_start_time"] is not None and plan["shown_start_time"] <= now


def is_at_a_limit(jobid):
    plan = rows[jobid]["plan"]
    return plan["start_time"] is None and plan["shown_start_time"] is not None


def is_shown_elsewhere(jobid):
    plan = rows[jobid]["plan"]
    return (plan["start_time"] is not None and plan["shown_start_time"] is not None and
            plan["shown_start_time"] < plan["start_time"] and len(jobs[jobid]["partitions"]) > 1)


KINDS = {"array": is_array, "component": waits_for_component, "told now": is_told_now, "elsewhere": is_shown_elsewhere,
         "limit": is_at_a_limit}


def is_known(what, jobid):
    """Returns true if a known rule covers it: the start of the capture's name, the kind of job, and what differs."""
    return any(case.startswith(start) and what == k and KINDS[kind](jobid) for start, kind, k in known)


def judge(what, jobid, agrees, recorded, planned):
    if agrees:
        counts[what] += 1
    elif not is_known(what, jobid):
        counts["differ"] += 1
        tell.append(f"DIFFERS {case} {jobid} {what}: recorded {recorded}, planned {planned}")


for jobid, row in rows.items():
    recorded, planned = row["start_time"], row["plan"]["shown_start_time"] or row["plan"]["start_time"]
    if recorded is None:
        counts["none" if planned is None else "only"] += 1
        continue
    counts["recorded"] += 1
    judge("starts", jobid, planned is not None and abs(planned - recorded) <= doc["bf_resolution_s"], recorded, planned)
    nodes = jobs.get(jobid, {}).get("sched_nodes")
    if nodes:
        judge("nodes", jobid, expanded(nodes) == set(row["plan"]["nodes"]), nodes, row["plan"]["nodes"])

floor = {line.split("\t")[0]: int(line.split("\t")[1]) for line in open(floor_file) if not line.startswith("#")}
wrong = counts["differ"]
if wrong == floor.get(case):
    counts["differ"] = 0
    tell = ["FLOOR %s: %d of %d differ" % (case, wrong, wrong + counts["starts"] + counts["nodes"])]

print("%-34s %7d %8d %6d %5d %6d %9d %9d %6s" % (case, len(rows), counts["recorded"], counts["starts"], counts["nodes"],
                                                counts["differ"], counts["none"], counts["only"], cycles))
print("\n".join(tell), end="\n" if tell else "")
