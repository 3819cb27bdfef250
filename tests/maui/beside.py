"""beside.py BIN_DIR CAPTURE...: compares captures of Maui with what Maui itself printed and did.

The import gets what an ordinary capture has. The outputs used for comparison are left out: showq -i and -b, showq -r
-v, diagnose, showstart, and of checkjob everything except what no other page has: system priorities, and how long
blocked jobs had waited. No expected values are computed here. Prints for each item how many of how many agree, with -v
a line for each difference, and exits with 1 unless all outputs and each blocked job's limit agree."""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter

POLL, START, MINUTE = 60, 1600000000, 60
GIVEN = ("showq.txt", "showq_-r.txt", "showres.txt", "showres_-n.txt", "diagnose_-j.txt", "diagnose_-u.txt", "diagnose_-r.txt")
CHECKJOB = ("checking job", "State:", "SystemPriority:", "  (Time Queued")
OUTPUTS = {"showq": ["fs-showq"], "showq_-i": ["fs-showq", "-i"], "showq_-r": ["fs-showq", "-r"],
           "showq_-r_-v": ["fs-showq", "-r", "-v"], "showq_-b": ["fs-showq", "-b"], "diagnose_-p": ["fs-prio"],
           "diagnose_-f": ["fs-share"]}
LIMIT = re.compile(r"violates (\w+ \w+ \w+) limit of (\d+) for (\w+) (\S+)\s+(\w*)\s*\(R: (\d+), U: (\d+)\)")


def seconds(text):
    sign = -1 if text.startswith("-") else 1
    parts = [int(p) for p in text.lstrip("-").split(":")]
    return sign * sum(p * unit for p, unit in zip(reversed(parts), (1, 60, 3600, 86400)))


class Capture:
    def __init__(self, bin_dir, folder, given=GIVEN):
        self.bin, self.folder, self.name = bin_dir, folder, os.path.basename(folder)
        self.work = tempfile.mkdtemp()
        for part in ("maui.cfg", "traces", "stats", "fs_in"):
            if os.path.exists(folder + "/" + part):
                copy = shutil.copytree if os.path.isdir(folder + "/" + part) else shutil.copy
                copy(folder + "/" + part, self.work + "/in/" + part) if os.path.isdir(self.work + "/in") else (
                    os.makedirs(self.work + "/in"), copy(folder + "/" + part, self.work + "/in/" + part))
        os.makedirs(self.work + "/in/out")
        for name in os.listdir(folder + "/out"):
            if given is None or name in given:
                shutil.copy(folder + "/out/" + name, self.work + "/in/out")
            elif name.startswith("checkjob"):
                with open(folder + "/out/" + name, encoding="latin1") as f, open(self.work + "/in/out/" + name, "w") as out:
                    out.writelines(line for line in f if line.startswith(CHECKJOB) or "SystemPriority:" in line)
        done = self.run("fs-snap", "import", "maui", self.work + "/in", "-o", self.work + "/s.jsonl")
        if done.returncode:
            sys.exit("%s: import: %s" % (self.name, done.stderr))
        self.warnings = done.stderr

    def run(self, program, *argv):
        return subprocess.run([self.bin + "/" + program, *argv], capture_output=True, text=True,
                              env=dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8", FS_USER="root"), timeout=120)

    def ours(self, program, *argv):
        return self.run(program, *argv, "-f", self.work + "/s.jsonl").stdout

    def told(self, name):
        try:
            with open(self.folder + "/" + name, encoding="latin1") as f:
                return f.read()
        except FileNotFoundError:
            return None

    def document(self, *argv):
        return json.loads(self.ours(*argv, "--json"))


def clock(c):
    step = c.name.partition("@")[2]
    if not step.isdigit():
        return
    with open(c.work + "/s.jsonl") as f:
        now = json.loads(f.readline())["time"]
    yield "clock", now == START + POLL * int(step), "%d for %d" % (now, START + POLL * int(step))


def outputs(c):
    for name, command in OUTPUTS.items():
        real = c.told("out/%s.txt" % name)
        if real is None:
            continue
        ours = c.ours(*command)
        differ = [(a, b) for a, b in zip(ours.splitlines(), real.splitlines()) if a != b][:3]
        yield name, ours == real, "".join("\n  ours %s\n  real %s" % d for d in differ) or "lengths differ"


IDLE = re.compile(r"^\s*(\d+)(\*?)\s+(-?\d+)\s+(-?[\d.]+)\s", re.M)


def places(c):
    real, ours = (IDLE.findall(t or "") for t in (c.told("out/showq_-i.txt"), c.ours("fs-showq", "-i")))
    have = {row[0]: (i, row) for i, row in enumerate(ours)}
    for i, row in enumerate(real):
        place, mine = have.get(row[0], (-1, ("", "", "", "")))
        yield "priority", mine[2] == row[2], "job %s: ours %s, real %s" % (row[0], mine[2], row[2])
        yield "place", place == i, "job %s: ours %d, real %d" % (row[0], place, i)
        yield "reserved", mine[1] == row[1], "job %s: ours %r, real %r" % (row[0], mine[1], row[1])


def blocked(c):
    "what checkjob says of each job that is blocked against what fs-explain says"
    starts = {line.split()[0] for line in (c.told("truth/starts.txt") or "").splitlines()}
    for row in c.document("fs-showq")["rows"]:
        text = c.told("out/checkjob_-v_%s.txt" % row["jobid"])
        if not text or row["state"] != "PENDING":
            continue
        doc = c.document("fs-explain", str(row["jobid"]))
        words = " ".join(c.ours("fs-explain", str(row["jobid"])).split())
        found = LIMIT.search(text)
        if found:
            what, value, kind, name, per, need, used = found.groups()
            kind, name = ("a", "job") if kind == "par" else (kind, name)  # one of all jobs
            limit = "%s limit of %s for %s %s" % (what, value, kind, name)
            alone = re.search(r"can never start: it asks for ([\d,:]+)(?: .*)?, %s %s (?:allows|may have) ([\d,:]+)(?: .*)?(?: in all)? \(%s\)" % (kind, re.escape(name), what), words)
            other = doc["verdict"] == "never" and str(row["jobid"]) not in starts  # a cause that does not clear when a limit does
            good = limit in words or (bool(alone) and int(need) > int(value)) or (other and not alone)
            yield "limit", good, "job %s: real %s, ours: %s" % (row["jobid"], limit, words[:260])
        holds = re.search(r"^Holds:\s+(\S.*?)\s*$", text, re.M)
        if holds:
            yield "hold", doc["verdict"] in ("held", "never"), "job %s: %s, ours %s: %s" % (row["jobid"], holds[1], doc["verdict"], words[:200])
        if "cannot select job" in text and "FairShare" in text:
            yield "cap", "cap" in words.lower() or "negative" in words, "job %s: %s" % (row["jobid"], words[:200])
        start = c.told("out/showstart_%s.txt" % row["jobid"]) or ""
        if "cannot determine earliest start" in start:
            yield "never", doc["verdict"] == "never", "job %s: ours %s: %s" % (row["jobid"], doc["verdict"], words[:200])
        elif doc["verdict"] == "never":
            yield "never", str(row["jobid"]) not in starts, "job %s started, ours: %s" % (row["jobid"], words[:260])


def plan(c, far):
    starts = dict(line.split()[:2] for line in (c.told("truth/starts.txt") or "").splitlines())
    doc = c.document("fs-showq", "--plan")
    now = doc["snapshot"]["time"]
    for row in doc["rows"]:
        job = str(row["jobid"])
        if "plan" not in row:
            continue
        planned = row["plan"]["start_time"]
        if job not in starts:
            yield "no start", planned is None, "job %s never started, ours +%s" % (job, planned and planned - now)
            continue
        really = int(starts[job])
        if really <= now:
            continue
        error = abs(planned - really) if planned is not None else 10 ** 9
        found = re.search(r"Earliest start in\s+(\S+)", c.told("out/showstart_%s.txt" % job) or "")
        theirs = abs(now + seconds(found[1]) - really) if found else 10 ** 9
        far["ours"].append(error)
        far["showstart"].append(theirs)
        yield "plan", error <= MINUTE, "job %s: really +%d, ours %s" % (job, really - now, planned and planned - now)
        yield "showstart", theirs <= MINUTE, ""


INFORM = ("plan", "showstart", "no start")


def main():
    verbose = "-v" in sys.argv
    folders = [a for a in sys.argv[2:] if a != "-v"]
    total, met, far = Counter(), Counter(), {"ours": [], "showstart": []}
    for folder in folders:
        c = Capture(os.path.abspath(sys.argv[1]), folder.rstrip("/"))
        line = Counter()
        for check in (clock, outputs, places, blocked, lambda x: plan(x, far)):
            for item, good, why in check(c):
                total[item] += 1
                met[item] += good
                line[item, good] += 1
                if verbose and not good and item != "showstart":
                    print("%s: %s: %s" % (c.name, item, why))
        wrong = ["%s %d/%d" % (i, line[i, True], line[i, True] + line[i, False]) for i in total if line[i, False] and i != "showstart"]
        print("%-44s %s" % (c.name, ", ".join(wrong) or "all met"), flush=True)
        shutil.rmtree(c.work)
    for item in total:
        print("%-14s %5d of %5d" % (item, met[item], total[item]))
    if far["ours"]:
        print("plan: median error %d s, showstart's %d s" % (statistics.median(far["ours"]), statistics.median(far["showstart"])))
    return any(met[i] < total[i] for i in total if i not in INFORM)


if __name__ == "__main__":
    sys.exit(main())
