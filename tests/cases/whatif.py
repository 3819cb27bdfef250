"""Properties of any snapshot: it does not differ from itself; an edit and its inverse give the same as the inverse
alone; the terms of a difference add up to it; advice gives a gain, and the plan with its command has the same start;
statements about later times hold with a stepped clock (clock.py).
Usage: whatif.py BIN_DIR SNAPSHOT JOBS NAME. NAME is the name of the capture in whatif-known.tsv. Prints the number of
checks of each kind and the failures; the first failure goes to standard error, on one line."""
import json
import os
import subprocess
import sys

from clock import Clock

BIN, SNAPSHOT, JOBS, NAME = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
KINDS = ("self", "inverse", "terms", "advice", "points", "events", "nevers", "verdicts", "later", "known", "failed")
counts = dict.fromkeys(KINDS, 0)


def run(command, *words):
    p = subprocess.run([f"{BIN}/{command}", *words, "--as", "root", "--json"], capture_output=True, text=True, timeout=60)
    return json.loads(p.stdout) if p.stdout.startswith("{") else None


def fail(*words):
    counts["failed"] += 1
    print("FAIL", SNAPSHOT, *words)


def differences(*words):
    d = run("fs-diff", SNAPSHOT, *words)
    return d and {"jobs": d["jobs"], "shares": d["shares"]}


def records():
    with open(SNAPSHOT, encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.startswith(('{"type":"job"', '{"type":"snapshot"'))]


def edits(scheduler, job):
    """Returns pairs: a change and its inverse (None: none)."""
    i = job["id"]
    if scheduler.startswith("flux"):
        urgency = job.get("urgency", 16)
        return [(f"flux job urgency {i} {(urgency + 3) % 31}", f"flux job urgency {i} {urgency}")]
    if scheduler.startswith("maui"):
        return []
    limit, pairs = job.get("time_limit_s"), [("PriorityWeightAge=12345", None)]
    if isinstance(limit, int) and limit >= 120:
        pairs.append((f"scontrol update job {i} TimeLimit={limit // 60 - 1}", f"scontrol update job {i} TimeLimit={limit // 60}"))
    if not job.get("priority_set"):
        pairs.append((f"scontrol update job {i} Nice=777", f"scontrol update job {i} Nice={job.get('nice', 0)}"))
    return pairs


def check_terms(found, command):
    for row in found["jobs"]:
        p, terms, rest = row.get("priority") or {}, row.get("terms"), row.get("rest_change")
        if not terms or rest is None or None in (p.get("before"), p.get("after")) or any(t["change"] is None for t in terms):
            continue
        counts["terms"] += 1
        total = sum(t["change"] for t in terms) + rest
        if abs(total - (p["after"] - p["before"])) > 1e-6 * max(1, abs(total)):
            fail(command, "terms", json.dumps(row))


def known():
    with open(os.path.join(os.path.dirname(__file__), "whatif-known.tsv"), encoding="utf-8") as f:
        rows = [line.split("\t") for line in f if not line.startswith("#")]
    return {command for name, command, _ in rows if name == NAME}


def check_edits(scheduler, job):
    for change, inverse in edits(scheduler, job):
        found = differences("--if", change)
        if found:
            check_terms(found, change)
        if not inverse:
            continue
        counts["inverse"] += 1
        if differences("--if", change, "--if", inverse) != differences("--if", inverse):
            fail(change, "and", inverse)


def planned(job, *words):
    plan = run("fs-showq", "-f", SNAPSHOT, "--plan", *words)
    return [(r.get("plan") or {}).get("start_time") for r in plan["rows"] if r["jobid"] == job["id"]] if plan else []


def check_advice(job):
    page = run("fs-explain", "-f", SNAPSHOT, str(job["id"]), "--advise")
    for advice in page and page.get("advice") or []:
        counts["advice"] += 1
        before, after = advice["start"]["before"], advice["start"]["after"]
        if after is None or (before is not None and after >= before):
            fail(advice["command"], "gains nothing")
            continue
        clock.check_advice(job["id"], advice)
        waits = page["verdict"] == "begin" and page["verdict_cause"] is None
        begun = ["--if", f"scontrol update job {job['id']} StartTime=now"] if waits else []
        starts = planned(job, *begun, "--if", advice["command"])
        if waits:
            begins = max(start for start in planned(job) if start)
            starts = [start and max(start, begins) for start in starts]
        if after not in starts:
            fail(advice["command"], f"is said to start {after}, its plan says {starts}")


clock = Clock(SNAPSHOT, run, fail, counts, known())
head, *jobs = records()
counts["self"] += 1
if differences(SNAPSHOT) != {"jobs": [], "shares": []}:
    fail("differs from itself")
pending = [j for j in jobs if j["state"] == "PENDING"]
for j in pending[:: max(1, len(pending) // JOBS)][:JOBS]:
    check_edits(head["scheduler"], j)
    check_advice(j)
    if not head["scheduler"].startswith(("flux", "maui")):
        clock.check_forecast(j["id"])
        clock.check_verdict(j["id"])
print(*counts.values(), file=sys.stderr)
