"""living.py BIN_DIR CASE_DIR: compares one capture of a running controller with what the controller printed and did.

Each check is a function of a Case that yields one sentence for each error; CHECKS lists them by name. Expected values
are the controller's own output; none are computed here. A check that does not apply to a case (no such file) yields
nothing."""
import json
import os
import re
import subprocess
import sys


class Case:
    def __init__(self, bin_dir, directory):
        self.bin, self.dir, self.name = bin_dir, directory, os.path.basename(directory)
        self.env = dict(os.environ, LC_ALL="C", TZ="UTC")
        self.snapshot = directory + "/s.jsonl"
        self.links = directory + "/links"
        os.mkdir(self.links)
        for tool in ("sshare", "sprio"):
            os.symlink(bin_dir + "/fs-tools", self.links + "/" + tool)
        done = self.run(bin_dir + "/fs-snap", "import", "slurm", directory + "/in", "-o", self.snapshot)
        if done.returncode:
            sys.exit("FAIL %s: import: %s" % (self.name, done.stderr))

    def run(self, *argv, **env):
        return subprocess.run(argv, capture_output=True, text=True, env=dict(self.env, **env), timeout=300)

    def lines(self, *path):
        try:
            with open(os.path.join(self.dir, *path)) as f:
                return f.read().splitlines()
        except FileNotFoundError:
            return None

    def tool(self, user, *argv):
        return self.run(self.links + "/" + argv[0], *argv[1:], FS_SNAPSHOT=self.snapshot, FS_USER=user).stdout.splitlines()


def nearest(got, *truths):
    "the truth of the two moments around the capture that has more of the lines"
    known = [t for t in truths if t is not None]
    return max(known, key=lambda t: sum(a == b for a, b in zip(got, t)), default=None)


def different(what, got, want):
    if want is None:
        return
    for a, b in zip(got, want):
        if a != b:
            yield "%s\n  ours %s\n  real %s" % (what, a, b)
    if len(got) != len(want):
        yield "%s: %d lines, really %d" % (what, len(got), len(want))


def sprio_lines(case):
    for option in ("-l", "-n"):
        name = "sprio_%s.txt" % option[1:]
        got = case.tool("root", "sprio", option)
        yield from different("sprio " + option, got, nearest(got, case.lines("truth", name), case.lines("truth_before", name)))


def user_lines(case):
    "the user's own outputs, byte for byte where only he is seen; where all are, the usage has only two decimals"
    caller = (case.lines("in", "caller") or [""])[0]
    with open(case.snapshot) as f:
        alone = "association" in json.loads(f.readline()).get("hidden", [])
    for argv in (["sshare", "-a"], ["sshare", "-alP"], ["sprio", "-l"], ["sprio", "-n"]):
        want = case.lines("user", argv[0] + "_" + argv[1][1:] + ".txt")
        if alone or argv[0] == "sprio":
            yield from different(" ".join(argv), case.tool(caller, *argv), want)
        elif argv[0] == "sshare" and argv[1] == "-alP":
            yield from near_shares(case.tool(caller, *argv), want)


def near_shares(got, want):
    "usage is captured with two decimals, and what follows from it is fs-snap verify's to judge"
    if want is None:
        return
    if len(got) != len(want):
        yield "sshare: %d rows, really %d" % (len(got), len(want))
        return
    head = want[0].split("|")
    for a, b in zip(got[1:], want[1:]):
        for column, x, y in zip(head, a.split("|"), b.split("|")):
            if x == y:
                continue
            if column in ("NormUsage", "EffectvUsage", "LevelFS"):
                continue
            ok = column == "RawUsage" and abs(int(x) - int(y)) <= 1
            if not ok:
                yield "sshare %s: %s\n  ours %s\n  real %s" % (column, b.split("|")[1] or b.split("|")[0], x, y)


def share_lines(case):
    got = case.tool("root", "sshare", "-alP")
    yield from near_shares(got, nearest(got, case.lines("truth", "sshare_alP.txt"), case.lines("truth_before", "sshare_alP.txt")))


def classic_lines(case):
    "classic shares as they are printed tell how far usage of two decimals lies off, so that nothing is left to judge"
    flags = [l.split("=")[1].strip() for l in case.lines("in", "scontrol_config.txt") if l.startswith("PriorityFlags")]
    if flags and "NO_FAIR_TREE" in flags[0] and "DEPTH_OBLIVIOUS" not in flags[0]:
        got = case.tool("root", "sshare", "-alP")
        yield from different("sshare -alP", got, nearest(got, case.lines("truth", "sshare_alP.txt"), case.lines("truth_before", "sshare_alP.txt")))


def verified(case):
    out = case.run(case.bin + "/fs-snap", "verify", case.snapshot).stdout.splitlines()
    rows = [line.split() for line in out if len(line.split()) == 3 and line.split()[2].isdigit()]
    differ = {name for name, _, n in rows if int(n)}
    if differ:
        yield "fs-snap verify: %s\n  " % sorted(differ) + "\n  ".join(out[:8])


def long_after_the_start(case):
    "sshare leaves out jobs that shares do not follow from when the controller has run for long: the same lines then"
    with open(case.snapshot) as f:
        text = f.read()
    boot, now = (int(re.search('"%s":([0-9]+)' % key, text).group(1)) for key in ("BOOT_TIME", "time"))
    if now - boot < 200:
        return # the first calculations of a controller are of their own
    before = case.tool("root", "sshare", "-alP")
    with open(case.snapshot, "w") as f:
        f.write(text.replace('"BOOT_TIME":%d' % boot, '"BOOT_TIME":%d' % (boot - 86400)))
    yield from different("sshare -alP, long after the start", case.tool("root", "sshare", "-alP"), before)
    with open(case.snapshot, "w") as f:
        f.write(text)


def het_names(case):
    "the ids of all components stand behind a component's name, and are no part of it"
    with open(case.snapshot) as f:
        for job in (json.loads(line) for line in f if '"het_job_id"' in line):
            if "HetJobIdSet" in job.get("name", ""):
                yield "job %d is named %s" % (job["id"], job["name"])


TESTED = re.compile(r"BACKFILL: test for JobId=(?:\d+_[^\s(]+\((?P<task>\d+)\)|(?P<het>\d+)\+(?P<offset>\d+)\((?P<component>\d+)\)|(?P<id>\d+)(?:_\S+)?)"
                    r" Prio=\d+ Partition=(?P<partition>\S+)")
STARTED = re.compile(r"Started JobId=(?:\d+_[^\s(]+\((\d+)\)|\d+\+\d+\((\d+)\)|(\d+))")


def tested(case):
    "(job, partition) in the order in which one cycle of backfill looked at them, and the jobs that it started"
    order, started = {}, set()
    for line in case.lines("truth", "bf_cycle.log") or []:
        found = TESTED.search(line)
        if found:
            order.setdefault((int(found["task"] or found["component"] or found["id"]), found["partition"]))
        found = STARTED.search(line)
        if found:
            started.add(int(next(filter(None, found.groups()))))
    return list(order), started


def queue_rows(case):
    return json.loads(case.run(case.bin + "/fs-showq", "-f", case.snapshot, "--as", "root", "--json").stdout)["rows"]


def tried(case):
    "(job, partition) that the scheduler looks at, in our order: those that a limit then keeps back too"
    return [(r["jobid"], r["partition"]) for r in queue_rows(case) if r["partition_position"]]


def in_order(case):
    "each job and partition stands where the cycle came to it"
    order, _ = tested(case)
    place = {k: i for i, k in enumerate(tried(case))}
    common = [k for k in order if k in place]
    for i, a in enumerate(common):
        for b in common[i + 1:]:
            if place[a] > place[b]:
                yield "%s was tested before %s" % (a, b)


def eligible(case):
    "those that have a place are those that were tested, but for what the cycle itself started"
    order, started = tested(case)
    ours = set(tried(case))
    if order:
        yield from ("%s was tested and has no place" % (k,) for k in order if k not in ours and k[0] not in started)
        yield from ("%s has a place and was not tested" % (k,) for k in sorted(ours.difference(order)))
        yield from ("%s started and is not eligible" % (r["jobid"],) for r in queue_rows(case)
                    if r["jobid"] in started and r["partition_position"] and not r["eligible"])


def never_started(case):
    "no job that can never start did"
    never = {r["jobid"] for r in queue_rows(case) if r.get("verdict") == "never"}
    for line in case.lines("tend", "scontrol_job_o.txt") or []:
        fields = dict(x.split("=", 1) for x in line.split(" ") if "=" in x)
        if int(fields.get("JobId", 0)) in never and fields["JobState"] not in ("PENDING", "CANCELLED", "DEADLINE"):
            yield "job %s could never start, and is %s" % (fields["JobId"], fields["JobState"])


CHECKS = {"sprio": sprio_lines, "sshare": share_lines, "classic": classic_lines, "user": user_lines, "verify": verified, "names": het_names,
          "order": in_order, "line": eligible, "never": never_started, "long": long_after_the_start}


def main():
    case = Case(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    wrong = 0
    for name, check in CHECKS.items():
        for sentence in check(case):
            wrong += 1
            if wrong <= 12:
                print("FAIL %s: %s: %s" % (case.name, name, sentence))
    print("%s: %s" % (case.name, "%d differ" % wrong if wrong else "agrees"))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
