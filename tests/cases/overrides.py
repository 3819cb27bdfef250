#!/usr/bin/env python3
"""Priorities of a state that differs from the captured one: overrides.py BIN_DIR [FOLDER_WITH_CAPTURES].

Under each override the queue is ordered by the priorities that fs-prio prints, and fs-explain shows the differences of
the same priorities.
"""
import json
import os
import subprocess
import sys
import tempfile

OVERRIDES = [
    ["--algorithm=classic"],
    ["--algorithm=fair_tree"],
    ["--algorithm=depth_oblivious"],
    ["--algorithm=flux_range", "--position=ratio"],
    ["--algorithm=flux_range", "--position=rank"],
    ["--position=rank"],
    ["--usage=computed"],
    ["--decay=exact"],
    ["--at=+1h"],
    ["--compat=22.05"],
    ["--if=PriorityWeightFairShare=1"],
    ["--if=PriorityWeightAge=0"],
]
CAPTURES = ["classic-a", "v1a", "v5b"]
SORTED_BY = "partition", "partition_position"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.strip() else None


def key(row):
    return row["jobid"], row["partition"], row["qos"]


def check_difference(bin_dir, name, options, queue, total):
    """fs-diff gives the later state the priorities of fs-prio and the places of fs-showq."""
    compared = run(f"{bin_dir}/fs-diff", "--no-plan", *options)
    place = {key(row): row["partition_position"] for row in queue["rows"]}
    for row in compared["jobs"] if compared else []:
        job = row["jobid"], row["partition"], row["qos"]["after"]
        if job in total and row["priority"]["after"] != total[job]:
            yield f"{name} {options}: job {row['jobid']}: {row['priority']['after']} by fs-diff, {total[job]} by fs-prio"
        if job in place and row["partition_position"]["after"] != place[job]:
            yield f"{name} {options}: job {row['jobid']}: place {row['partition_position']['after']} by fs-diff, {place[job]} in the queue"


def check_screen(bin_dir, name, options, total):
    """fs-top shows the priorities of fs-prio. Its rows are cut at the width of a column."""
    size = ["--once", "--size=200x900", "--no-color", "--ascii"]
    screen = subprocess.run([f"{bin_dir}/fs-top", *size, *options[:-1]], capture_output=True, text=True).stdout.splitlines()
    shown = {(job, partition[:12]): priority for (job, partition, qos), priority in total.items()}
    number = {key: sum(key == (job, partition[:12]) for job, partition, qos in total) for key in shown}
    heading = screen[2] if len(screen) > 2 else ""
    if "JOBID" not in heading or "PRIORITY" not in heading or "PARTITION" not in heading:
        return
    end = heading.index("PRIORITY") + len("PRIORITY")
    for row in screen[3:]:
        words = row[7:heading.index("USER")].split(), row[heading.index("PARTITION"):].split(), row[:end].split()
        if not all(words) or not words[0][0].isdigit() or not words[2][-1].isdigit():
            continue
        of = int(words[0][0]), words[1][0][:12]
        if number.get(of) == 1 and shown[of] is not None and int(words[2][-1]) != int(shown[of]):
            yield f"{name} {options}: job {of}: {words[2][-1]} by fs-top, {shown[of]} by fs-prio"


def check(bin_dir, name, source, override):
    """Returns the number of compared jobs, and the errors."""
    wrong = []
    options = source + ["--as", "root"] + override + ["--json"]
    queue = run(f"{bin_dir}/fs-showq", *options)
    prios = run(f"{bin_dir}/fs-prio", *options)
    if not queue or not prios:
        return 0, []
    total = {key(row): row["priority"] for row in prios["rows"]}
    line = sorted((row for row in queue["rows"] if row["eligible"] and row["partition_position"]),
                  key=lambda row: tuple(row[k] for k in SORTED_BY))
    for before, row in zip([None] + line, line):
        if key(row) in total and row["priority"] != total[key(row)]:
            wrong.append(f"{name} {override}: job {row['jobid']}: {row['priority']} in the queue, {total[key(row)]} by fs-prio")
        if not before or before["partition"] != row["partition"] or row["partition_why"] != "priority":
            continue
        if before["priority"] is not None and row["priority"] is not None and before["priority"] <= row["priority"]:
            wrong.append(f"{name} {override}: job {row['jobid']} with {row['priority']} is behind {before['priority']}")
    wrong += check_difference(bin_dir, name, options, queue, total)
    wrong += check_screen(bin_dir, name, options, total)
    for a, b in zip(line[0:12:2], line[1:12:2]):
        if a["jobid"] == b["jobid"] or a["partition"] != b["partition"] or key(a) not in total or key(b) not in total:
            continue
        if sum(row["jobid"] in (a["jobid"], b["jobid"]) for row in prios["rows"]) > 2:
            continue  # jobs with several partitions or QOS are compared in the first common one
        told = run(f"{bin_dir}/fs-explain", str(a["jobid"]), "--versus", str(b["jobid"]), *options)
        difference = told and told.get("queue_difference")
        if difference is not None and difference != total[key(a)] - total[key(b)]:
            wrong.append(f"{name} {override}: {a['jobid']} versus {b['jobid']}: {difference} points, "
                         f"{total[key(a)]} and {total[key(b)]} by fs-prio")
    return len(line), wrong


def snapshots(bin_dir, folder, work):
    yield "demo", ["--demo"]
    for name in CAPTURES if folder else []:
        subprocess.run(["tar", "-xJf", f"{folder}/{name}.tar.xz", "-C", work], check=True)
        path = f"{work}/{name}.jsonl"
        subprocess.run([f"{bin_dir}/fs-snap", "import", "slurm", f"{work}/{name}/in", "-o", path], check=True,
                       capture_output=True)
        yield name, ["-f", path]


def main():
    bin_dir, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    compared, wrong = 0, []
    for variable in "FS_SNAPSHOT", "FS_USER":
        os.environ.pop(variable, None)
    with tempfile.TemporaryDirectory() as work:
        for name, source in snapshots(bin_dir, folder, work):
            for override in OVERRIDES:
                n, errors = check(bin_dir, name, source, override)
                compared += n
                wrong += errors
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    print(f"overrides: {compared - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or compared < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
