#!/usr/bin/env python3
"""Checks the causes of jobs: the command `remove` of each cause gives the start that the cause reports.

Usage: causes.py BIN SNAPSHOT [JOBS]

Takes every Nth job of the queue, so that at most JOBS jobs (8) are checked. For each cause that has a command, plans the
snapshot with that command as --if, and compares the start of the job with `start_without`: both must be within 60 s.
Also checks that `cause` is the kind of the first cause, that a cause has either a command or a reason why it has none,
that a job with the cause `none` starts within a minute, and that every cause with a start is a gain of a minute.
"""
import json
import subprocess
import sys

BIN, SNAPSHOT, JOBS = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8
GAIN_S = 60


def run(program, *options):
    command = [f"{BIN}/{program}", "-f", SNAPSHOT, "--as", "root", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else None


def plan(*commands):
    """Returns the earliest planned start of each job, by job id."""
    document = run("fs-showq", "--plan", *(word for command in commands for word in ("--if", command)))
    starts = {}
    for row in document["rows"] if document else []:
        start = (row.get("plan") or {}).get("start_time")
        if start is not None:
            starts[row["jobid"]] = min(start, starts.get(row["jobid"], start))
    return starts


def check_cause(job, cause, now):
    """Yields what is wrong with one cause."""
    if (cause["remove"] is None) == (cause["why_not"] is None):
        yield "neither remove nor why_not, or both"
    if cause["kind"] == "none" and not (cause["start"] is not None and cause["start"] < now + GAIN_S):
        yield "cause none, but the job does not start within a minute"
    without = cause["start_without"]
    if without is None:
        return
    if cause["start"] is not None and without > cause["start"] - GAIN_S:
        yield f"no gain: {cause['start']} to {without}"
    if cause["remove"]:
        got = plan(cause["remove"]).get(job)
        if got is None or abs(got - without) > GAIN_S:
            yield f"{cause['remove'][:80]} gives {got}, not {without}"


def main():
    queue = run("fs-showq")
    jobs = list(dict.fromkeys(row["jobid"] for row in queue["rows"] if row["section"] != "running"))
    checked = causes = failed = 0
    for job in jobs[:: max(1, -(-len(jobs) // JOBS))]:
        document = run("fs-explain", "--job", str(job))
        if not document or document.get("cause") is None:
            continue
        checked += 1
        if document["cause"] != document["causes"][0]["kind"]:
            print(f"FAIL {job}: cause {document['cause']} is not the first of its causes", file=sys.stderr)
            failed += 1
        for cause in document["causes"]:
            causes += 1
            for what in check_cause(job, cause, queue["snapshot"]["time"]):
                print(f"FAIL {job}: {cause['kind']}: {what}", file=sys.stderr)
                failed += 1
    print(checked, causes, failed)
    return failed > 0


sys.exit(main())
