"""One line of the table of maui_plan.sh: maui_plan.py CASE DIR PLAN."""
import json
import sys

case, folder, plan_file = sys.argv[1:]
MINUTE = 60


def table(name):
    """Numbers of a file by the first of each line."""
    return {int(words[0]): int(words[1]) for words in (line.split() for line in open(f"{folder}/{name}"))}


doc = json.load(open(plan_file))
now = doc["snapshot"]["time"]
starts, told = table("starts.txt"), table("showstart.txt")
jobs = met = theirs = 0
for row in doc["rows"]:
    start = starts.get(row["jobid"])
    if "plan" not in row or start is None:
        continue
    planned = row["plan"]["start_time"]
    jobs += 1
    met += planned is not None and abs(planned - start) <= MINUTE
    theirs += row["jobid"] in told and abs(now + told[row["jobid"]] - start) <= MINUTE
print("%-36s %5d %5d %9d" % (case, jobs, met, theirs))
