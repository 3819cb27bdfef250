"""One line of the table of maui_plan.sh: maui_plan.py CASE DIR PLAN. Prints the number of jobs, the starts met by the
plan and by showstart, and the median error of each in seconds, over the jobs with a start in both."""
import json
import statistics
import sys

case, folder, plan_file = sys.argv[1:]
MINUTE = 60


def table(name):
    """Returns the numbers of a file, by the first word of each line."""
    return {int(words[0]): int(words[1]) for words in (line.split() for line in open(f"{folder}/{name}"))}


doc = json.load(open(plan_file))
now = doc["snapshot"]["time"]
starts, told = table("starts.txt"), table("showstart.txt")
jobs = met = theirs = 0
off, off_theirs = [], []
for row in doc["rows"]:
    start = starts.get(row["jobid"])
    if "plan" not in row or start is None:
        continue
    planned = row["plan"]["start_time"]
    jobs += 1
    met += planned is not None and abs(planned - start) <= MINUTE
    if row["jobid"] not in told:
        continue
    theirs += abs(now + told[row["jobid"]] - start) <= MINUTE
    if planned is not None:
        off.append(abs(planned - start))
        off_theirs.append(abs(now + told[row["jobid"]] - start))
print("%-36s %5d %5d %9d %6.0f %9.0f"
      % (case, jobs, met, theirs, statistics.median(off or [0]), statistics.median(off_theirs or [0])))
