#!/usr/bin/env python3
"""Checks plan.delayed_by of fs-showq --plan --why: without each of the jobs, the row starts earlier.

Usage: delays.py BIN SNAPSHOT [JOBS]

Cancels at most JOBS (8) of the jobs that appear in a list, one at a time, with --if. Each row whose list has the job
must start at least a minute earlier, and no other row may. Prints the numbers of rows with a planned start after the
snapshot's time, of rows with a list that is not empty, of cancelled jobs, and of failures.
"""
import json
import subprocess
import sys

BIN, SNAPSHOT, JOBS = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8
GAIN_S = 60


def plan(*options):
    command = [f"{BIN}/fs-showq", "-f", SNAPSHOT, "--as", "root", "--json", "--plan", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else {"rows": []}


def starts(document):
    """Returns the plan of each job, by job id."""
    return {row["jobid"]: row["plan"] for row in document["rows"] if row.get("plan")}


def main():
    document = plan("--why")
    before = starts(document)
    now = document["snapshot"]["time"] if before else 0
    later = [p for p in before.values() if p["start_time"] and p["start_time"] > now + GAIN_S]
    jobs = sorted({job for p in before.values() for job in p["delayed_by"] or []})
    tried = jobs[:: max(1, -(-len(jobs) // JOBS))]
    cancel = "canceljob" if document["snapshot"]["scheduler"].startswith("maui") else "scancel"
    failed = 0
    for job in tried:
        after = starts(plan("--if", f"{cancel} {job}"))
        for row, was in before.items():
            got = after.get(row, {}).get("start_time")
            earlier = got is not None and (was["start_time"] is None or got <= was["start_time"] - GAIN_S)
            if earlier != (job in (was["delayed_by"] or [])) and row != job:
                print(f"FAIL {row}: without {job}: {was['start_time']} to {got}", file=sys.stderr)
                failed += 1
    print(len(later), sum(bool(p["delayed_by"]) for p in later), len(tried), failed)
    return failed > 0


sys.exit(main())
