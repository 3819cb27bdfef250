#!/usr/bin/env python3
"""Measures how well pasted output is read after the edits that people make.

Usage: edits.py BIN TOP [few|one|all] [-v] [OUTPUT/EDIT]...

Each output of a Slurm command is made from a capture below TOP/tests/cases, changed by one kind of edit, and imported
as text. Each value of the result is compared with the import of the whole capture: it is right, wrong or missing. For
pending jobs, fs-explain must print the pasted reason. The result must have no records that the capture lacks. Last
line: "edits: N passed, N failed". A pair of output and edit fails if a value is wrong, if more than a fifth of the values
is missing or if a page lacks its reason; an edit that removes values may have missing ones. few: a third of the pairs of
one capture; one: all pairs of one capture; all: all pairs of several captures.
"""
import html
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import tempfile

REMOVING = {"grep", "last line cut", "no UserId", "redacted user", "redacted account"}
CASES = {"few": ["24.11-s3-base"], "one": ["24.11-s3-base"], "all": ["24.11-s3-base", "22.05-s3-base", "26.11-s2-classic-damp5", "25.11-s7-ties"]}
# longer names than the captures have: some fill their columns, some do not fit
NAMES = {"alice": "alice_long_name", "bob": "bobslegh", "physics": "physics_department_2", "a_tier": "a100_multi", "b_tier": "nvl"}
AT = "2026-11-22T03:00:00"


def rename(value):
    if isinstance(value, str):
        return re.sub(r"\b(%s)\b" % "|".join(NAMES), lambda m: NAMES[m.group(1)], value)
    if isinstance(value, list):
        return [rename(v) for v in value]
    return value


class Capture:
    def __init__(self, bin_dir, folder):
        self.folder = folder
        done = subprocess.run([bin_dir + "/fs-snap", "import", "slurm", folder], capture_output=True, check=True)
        self.records = read_records(done.stdout.decode("utf-8", "replace"))
        self.jobs = [self.keys(line) for line in self.lines("scontrol_job_o.txt")]
        self.pending = [j for j in self.jobs if j["JobState"] == "PENDING"]

    def lines(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as f:
            return [rename(line.rstrip("\n")) for line in f if line.strip()]

    def keys(self, line):
        words = re.split(r" (?=[A-Z][A-Za-z:/]*=)", line.strip())
        out = dict(w.split("=", 1) for w in words if "=" in w)
        out["words"] = words
        return out


# ---- the outputs

def job_id(j):
    tasks = j.get("ArrayTaskId", "")
    return j["ArrayJobId"] + "_[%s]" % tasks if tasks and not tasks.isdigit() else j["JobId"]


def short_time(text):
    return re.sub(r"^00:(?=\d\d:\d\d$)", "", text).lstrip("0") if text not in ("00:00:00",) else "0:00"


def job_cells(j):
    running = j["JobState"] == "RUNNING"
    return {
        "i": job_id(j), "P": j["Partition"], "j": j["JobName"], "u": j["UserId"].split("(")[0], "a": j["Account"],
        "t": "R" if running else "PD", "T": j["JobState"], "M": short_time(j["RunTime"]), "l": short_time(j["TimeLimit"]),
        "D": j["NumNodes"].split("-")[0], "r": j["Reason"].replace("_", " ") if "," in j["Reason"] else j["Reason"], "Q": j["Priority"], "q": j["QOS"],
        "R": j["NodeList"] if running else "(%s)" % j["Reason"], "C": j["NumCPUs"].split("-")[0], "V": j["SubmitTime"]}


HEADINGS = {"i": "JOBID", "P": "PARTITION", "j": "NAME", "u": "USER", "a": "ACCOUNT", "t": "ST", "T": "STATE", "M": "TIME",
            "l": "TIME_LIMIT", "D": "NODES", "r": "REASON", "Q": "PRIORITY", "q": "QOS", "R": "NODELIST(REASON)", "C": "CPUS",
            "V": "SUBMIT_TIME"}


def squeue(fmt, heading=True):
    def make(c, pick):
        some = [j for j in c.jobs if j["JobState"] in ("PENDING", "RUNNING") and not j.get("ArrayTaskId", "").isdigit()]
        rows = [HEADINGS] * heading + [job_cells(j) for j in pick(some, 6)]
        line = lambda row: re.sub(r"%(\.?)(\d*)([a-zA-Z])", lambda m: pad(row[m.group(3)], m), fmt)
        pad = lambda v, m: v if not m.group(2) else (v.rjust if m.group(1) else v.ljust)(int(m.group(2)))[: int(m.group(2))]
        return "\n".join(line(r).rstrip() for r in rows) + "\n"
    return make


def scontrol(name, n, indent="   ", one_line=False):
    def make(c, pick):
        lines = [l for l in c.lines(name) if not l.startswith("JobId") or "JobState=PENDING" in l or "JobState=RUNNING" in l]
        out = []
        for line in pick(lines, n):
            words, rows = c.keys(line)["words"], []
            for w in words:
                if rows and len(rows[-1]) + len(w) < 66 and w.split("=")[0] not in ("UserId", "Priority", "JobState", "Account"):
                    rows[-1] += " " + w
                else:
                    rows.append(w)
            out.append(" ".join(words) + "\n" if one_line else ("\n" + indent).join(rows) + "\n")
        return ("" if one_line else "\n").join(out)
    return make


SPRIO = ["JOBID", "PARTITION", "USER", "ACCOUNT", "PRIORITY", "SITE", "AGE", "ASSOC", "FAIRSHARE", "JOBSIZE", "PARTITION", "QOSNAME", "QOS",
         "NICE", "TRES"]


def sprio(*columns):
    def make(c, pick):
        widths = [15, 9, 8, 8] + [10] * 8 + [11, 11, 20]
        rows = [SPRIO] + [line.split("|") for line in pick(c.lines("sprio.txt"), 6)]
        for row in rows:
            if len(row) == 21:  # Slurm 22.05 has neither the account nor the name of the QOS
                row[3:3], row[11:11] = [""], [""]
        cell = lambda r, i: r[i].ljust(9) if i == 1 else r[i].rjust(widths[i])[: widths[i]]
        return "\n".join(" ".join(cell(r, i) for i in columns).rstrip() for r in rows) + "\n"
    return make


def sshare(*columns):
    def make(c, pick):
        widths = [20, 10, 10, 11, 11, 11, 13, 10, 10]
        rows = [line.split("|") for line in c.lines("sshare.txt")]
        cut = lambda v, w: v if len(v) <= w else v[: w - 1] + "+"
        cell = lambda r, i: cut(r[i], widths[i]).ljust(20) if i == 0 else cut(r[i], widths[i]).rjust(widths[i])
        text = [" ".join(cell(r, i) for i in columns) for r in rows[:1] + rows[1:14]]
        text.insert(1, " ".join("-" * widths[i] for i in columns))
        return "\n".join(text) + "\n"
    return make


def sinfo(c, pick):
    rows = [("PARTITION", "AVAIL", "TIMELIMIT", "NODES", "STATE", "NODELIST")]
    states = {}
    for line in c.lines("scontrol_node_o.txt"):
        n = c.keys(line)
        state = {"IDLE": "idle", "DOWN": "down", "ALLOCATED": "alloc", "MIXED": "mix"}.get(n["State"], "drain")
        states.setdefault(state, []).append(n["NodeName"])
    for line in c.lines("scontrol_partition_o.txt"):
        p = c.keys(line)
        for state, names in states.items():
            rows.append((p["PartitionName"] + "*" * (p["Default"] == "YES"), p["State"].lower(), p["MaxTime"].replace("UNLIMITED", "infinite"),
                         str(len(names)), state, ",".join(names)))
    wide = max(len(r[0]) for r in rows)
    return "".join("%-*s %5s %10s %6s %6s %s\n" % (wide, *r) for r in rows)


def sinfo_nodes(c, pick):
    out = "NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON\n"
    for line in pick(c.lines("scontrol_node_o.txt"), 6):
        n = c.keys(line)
        state = {"IDLE": "idle", "DOWN": "down", "ALLOCATED": "allocated", "MIXED": "mixed"}.get(n["State"], "drained")
        out += "%-10s %5d %9s %11s %-4s %8s %6s %8s %6s %8s %s\n" % (
            n["NodeName"], 1, n["Partitions"].split(",")[0][:9], state, n["CPUTot"], "%s:%s:%s" % (n["Sockets"].strip(), n["CoresPerSocket"].strip(), n["ThreadsPerCore"].strip()),
            n["RealMemory"], n["TmpDisk"], n["Weight"], "(null)", re.sub(r" \[.*", "", n.get("Reason", "none")))
    return out


def sacct(c, pick):
    rows = ["%12s %10s %10s %10s %10s %10s %8s " % ("JobID", "JobName", "Partition", "Account", "AllocCPUS", "State", "ExitCode")]
    rows.append(" ".join("-" * w for w in (12, 10, 10, 10, 10, 10, 8)) + " ")
    cut = lambda v, w: (v if len(v) <= w else v[: w - 1] + "+").rjust(w)
    for j in pick([j for j in c.pending if not j.get("ArrayTaskId")], 5):
        rows.append(" ".join([j["JobId"].ljust(12), cut(j["JobName"], 10), cut(j["Partition"], 10), cut(j["Account"], 10),
                              cut(j["NumCPUs"].split("-")[0], 10), cut(j["JobState"], 10), "     0:0"]))
    return "\n".join(rows) + "\n"


def squeue_json(c, pick):
    jobs = [{"account": j["Account"], "job_id": int(j["JobId"]), "job_state": [j["JobState"]], "name": j["JobName"], "partition": j["Partition"],
             "priority": {"set": True, "infinite": False, "number": int(j["Priority"])}, "state_reason": j["Reason"],
             "user_name": j["UserId"].split("(")[0], "qos": j["QOS"]} for j in pick(c.pending, 3)]
    return json.dumps({"jobs": jobs, "meta": {"command": ["squeue", "--json"]}}, indent=2) + "\n"


def config(c, pick):
    return "".join(line + "\n" for line in c.lines("scontrol_config.txt") if line.startswith("Priority"))


def without_heading(make, lines):
    return lambda c, pick: "".join(l + "\n" for l in make(c, pick).splitlines()[lines:])


DEFAULT = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R"
OUTPUTS = {
    "squeue": ("squeue", squeue(DEFAULT)),
    "squeue -l": ("squeue -l", squeue("%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R")),
    "squeue site": ("squeue -o '%.12i %.12P %.20j %.18u %.22a %.8T %.20r %.10Q'", squeue("%.12i %.12P %.20j %.18u %.22a %.8T %.20r %.10Q")),
    "squeue left": ("squeue -o '%10i %20P %16u %.2t %10D %r'", squeue("%10i %20P %16u %.2t %10D %r")),
    "squeue -O": ("squeue -O JobID,Partition,UserName,State,Reason,PriorityLong", squeue("%20i%20P%20u%20T%20r%20Q")),
    "squeue bars": ("squeue -o '%i|%P|%u|%T|%r|%Q'", squeue("%i|%P|%u|%T|%r|%Q")),
    "squeue bare": ("squeue -h -o '%i %P %u %t %Q %r'", squeue("%i %P %u %t %Q %r", False)),
    "squeue bare -O": ("squeue -h -O JobID,Partition,UserName,State,Reason,PriorityLong", squeue("%20i%20P%20u%20T%20r%20Q", False)),
    "squeue --json": ("squeue --json", squeue_json),
    "job": ("scontrol show job", scontrol("scontrol_job_o.txt", 3)),
    "job -o": ("scontrol -o show job", scontrol("scontrol_job_o.txt", 3, one_line=True)),
    "partition": ("scontrol show partition", scontrol("scontrol_partition_o.txt", 4)),
    "node": ("scontrol show node", scontrol("scontrol_node_o.txt", 3)),
    "sprio": ("sprio", sprio(0, 1, 4, 5, 6, 8, 9, 10, 12)),
    "sprio -l": ("sprio -l", sprio(*range(15))),
    "sshare": ("sshare -a", sshare(0, 1, 2, 3, 4, 6, 7)),
    "sshare -l": ("sshare -al", sshare(*range(9))),
    "sinfo": ("sinfo", sinfo),
    "sinfo -Nl": ("sinfo -Nl", sinfo_nodes),
    "sinfo bare": ("sinfo -h", without_heading(sinfo, 1)),
    "sacct": ("sacct", sacct),
    "sacct bare": ("sacct -n", without_heading(sacct, 2)),
    "config": ("scontrol show config | grep ^Priority", config),
}

# ---- the edits


def each_line(change):
    return lambda text, c: "".join(change(line) + "\n" for line in text.splitlines())


def fold(text, width):
    return "".join("\n".join(l[i : i + width].rstrip() for i in range(0, max(len(l), 1), width)) + "\n" for l in text.splitlines())


def wrap(line, width=72):
    out = []
    while len(line) > width and " " in line[1:width].strip():
        at = line.rindex(" ", 1, width)
        if not line[:at].strip():
            break
        out.append(line[:at])
        line = line[at + 1 :]
    return "\n".join(out + [line])


def insert(text, where, line):
    lines = text.splitlines()
    at = min(where, len(lines))
    return "".join(l + "\n" for l in lines[:at] + [line] + lines[at:])


def shift(text, n):
    lines = text.splitlines()
    at = min(2, len(lines) - 1)
    lines[at] = " " * n + lines[at] if n > 0 else lines[at][-n:] if not lines[at][:-n].strip() else lines[at]
    return "\n".join(lines) + "\n"


EDITS = {
    "none": lambda t, c: t,
    "quote": each_line(lambda l: "> " + l),
    "quote twice": each_line(lambda l: "> > " + l),
    "prompt": lambda t, c: "[dana@login1 ~]$ %s\n%s[dana@login1 ~]$ \n" % (c, t),
    "fence": lambda t, c: "```\n%s```\n" % t,
    "fence and prompt": lambda t, c: "```bash\n$ %s\n%s```\n" % (c, t),
    "tabs": each_line(lambda l: re.sub(r" {8}", "\t", l) if l.find(" " * 8) % 8 == 0 else l),
    "no-break": lambda t, c: t.replace(" ", "\u00a0"),
    "no indentation": each_line(lambda l: l.lstrip()),
    "blanks collapsed": each_line(lambda l: re.sub(" +", " ", l.strip())),
    "each run a tab": each_line(lambda l: re.sub("  +| ", "\t", l.strip()) if "=" not in l else l),
    "indented": each_line(lambda l: "    " + l),
    "no UserId": lambda t, c: "".join(l + "\n" for l in t.splitlines() if "UserId=" not in l or l.count("=") > 9),
    "grep": lambda t, c: "".join(l + "\n" for l in t.splitlines() if not re.search("[A-Z][a-z]+=", l) or re.search("JobId|JobState|Reason|Name=|Partition|Priority", l)),
    "elision": lambda t, c: insert(t, 3, "..."),
    "elision 2": lambda t, c: insert(t, 3, "[...]"),
    "elision 3": lambda t, c: insert(t, 4, "<output cut>"),
    "snip": lambda t, c: t + "<snip>\n~~~\n",
    "blank line": lambda t, c: insert(t, 3, ""),
    "double spaced": each_line(lambda l: l + "\n"),
    "chat": lambda t, c: "Hello,\nmy jobs do not start, can you help?\n\n%s\nBest regards\nDana\n" % t,
    "chat close": lambda t, c: "my jobs do not start, see:\n%sBest regards\nDana\n" % t,
    "two commands": lambda t, c: "$ date\nSun Nov 22 02:08:45 UTC 2026\n$ %s\n%s$ squeue -j 9999\n%s" % (
        c, t, "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"),
    "shift 1": lambda t, c: shift(t, 1),
    "shift 2": lambda t, c: shift(t, 2),
    "shift 3": lambda t, c: shift(t, 3),
    "shift back 1": lambda t, c: shift(t, -1),
    "&nbsp;": lambda t, c: html.escape(t).replace("  ", " &nbsp;").replace("  ", "&nbsp;&nbsp;"),
    "&nbsp; only": lambda t, c: t.replace(" ", "&nbsp;"),
    "&gt;": lambda t, c: "".join("&gt; %s\n" % html.escape(l) for l in t.splitlines()),
    "html tail": lambda t, c: t.rstrip("\n") + "</code></pre></div>\n<p>Thanks!</p>\n",
    "html": lambda t, c: "<pre><code>%s</code></pre>\n" % html.escape(t),
    "br": lambda t, c: t.replace("\n", "<br>\n"),
    "folded": lambda t, c: fold(t, 80),
    "folded 100": lambda t, c: fold(t, 100),
    "wrapped": each_line(wrap),
    "last line cut": lambda t, c: t.rstrip("\n")[: -max(4, len(t.rstrip("\n").splitlines()[-1]) // 2)],
    "redacted user": lambda t, c: re.sub(r"UserId=\w+\(\d+\)", "UserId=xxxx(****)", re.sub(r"\b(alice_long_name|bobslegh)\b", lambda m: "x" * len(m.group(0)), t)),
    "redacted account": lambda t, c: re.sub(r"Account=\w+", "Account=<account>", re.sub(r"\bphysics_department_2\b", "*" * 20, t)),
    "cat -n": lambda t, c: "".join("%6d\t%s\n" % (i, l) for i, l in enumerate(("$ %s\n%s" % (c, t)).splitlines(), 1)),
    "grep -n": lambda t, c: "".join("%d:%s\n" % (i, l) for i, l in enumerate(("$ %s\n%s" % (c, t)).splitlines(), 31)),
    "bars before": lambda t, c: "".join("%3d| %s\n" % (i, l) for i, l in enumerate(("$ %s\n%s" % (c, t)).splitlines(), 1)),
    "crlf": lambda t, c: t.replace("\n", "\r\n"),
}

# ---- the comparison


def read_records(text):
    out = {}
    associations = {}
    lines = [json.loads(l) for l in text.splitlines() if l.startswith("{")]
    for r in lines:
        kind = r.get("type")
        if kind == "association":
            associations[r.get("id")] = "%s/%s" % (rename(r.get("account")), rename(r.get("user")))
            key = associations[r.get("id")]
        elif kind == "recorded":
            key = "%s %s" % (r.get("job"), rename(r.get("partition"))) if "job" in r else associations.get(r.get("association"), "?")
        elif kind == "config":
            key = ""
        else:
            key = str(r.get("id", r.get("name"))) if kind == "job" else rename(str(r.get("name")))
        out[kind, key] = {k: rename(v) for k, v in r.items()}
    return out


def agrees(a, b, field):
    """1: equal, 0: not comparable or a prefix that is marked as one, -1: different"""
    if isinstance(a, list) and isinstance(b, list):
        return 1 if a == b else 1 if agrees(",".join(a), ",".join(b), field) == 1 else 0 if set(a) < set(b) else -1
    if isinstance(a, str) and isinstance(b, str):
        a, b = re.sub(r"[ _]+", "_", a), re.sub(r"[ _]+", "_", b)
        return 1 if a == b or (a.endswith("+") and b.startswith(a[:-1]) and len(a) > 1) else -1
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return 1 if abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)) or (field in ("raw_usage",) and abs(a - b) <= 1) else -1
    if isinstance(a, dict) and isinstance(b, dict):
        return min([agrees(v, b[k], k) if k in b else -1 for k, v in a.items()] or [1])
    return 1 if a == b else -1


# not printed by the command, derived by the importer, or numbered by it
DERIVED = {"type", "id", "parent", "association", "position", "tier", "associations", "usage_tres_s", "left", "order", "time_limit_min",
           "qos_seen", "is_hidden", "conf", "limits", "shares"}
TABLES = {"job", "partition", "node", "recorded", "association", "qos", "reservation", "config", "user"}


def known(records, whole, base):
    """Returns right, wrong, missing, and texts of the wrong values. base: values of the unedited output."""
    right = wrong = 0
    faults = []
    for (kind, key), r in records.items():
        if kind not in TABLES:
            continue
        want = whole.get((kind, key))
        if want is None and key.split("+")[0] != key:
            near = [w for (k, n), w in whole.items() if k == kind and matches_prefix(key, n)]
            want = near[0] if near else None
        if want is None:
            if kind == "job" and int(key) == 9999:
                continue
            if kind in ("association", "recorded", "user") and re.search(r"None|/$|^root|xxx|\*\*\*", key):
                continue
            wrong += 1
            faults.append("%s %s: no such record" % (kind, key))
            continue
        for f, v in r.items():
            if f in DERIVED or v is None or v == "UNKNOWN" or f not in want:
                continue
            if kind == "association" and f not in ("account", "user"):
                continue
            a = agrees(v, want[f], f)
            right += a == 1
            if a < 0:
                wrong += 1
                faults.append("%s %s: %s is %r instead of %r" % (kind, key, f, v, want[f]))
    return right, wrong, faults


def matches_prefix(pattern, name):
    return re.fullmatch("".join(".*" if p == "+" else re.escape(p) for p in re.split(r"(\+)", pattern)), name) is not None


class Bench:
    def __init__(self, bin_dir):
        self.bin_dir = bin_dir
        self.file = tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8", newline="")
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="200", FS_PAGER="cat", FS_USER="root")

    def run(self, *args):
        return subprocess.run([self.bin_dir + "/" + args[0], *args[1:]], capture_output=True, env=self.environment, timeout=60,
                              stdin=subprocess.DEVNULL)

    def read(self, text):
        self.file.seek(0)
        self.file.truncate()
        self.file.write(text)
        self.file.flush()
        done = self.run("fs-snap", "import", "text", self.file.name, "--at", AT)
        if done.returncode not in (0, 1):
            return None, done.stderr.decode("utf-8", "replace")[-600:]
        return read_records(done.stdout.decode("utf-8", "replace")), done.stderr.decode("utf-8", "replace")

    def shows_reason(self, job, reason):
        page = self.run("fs-explain", "--text", self.file.name, job, "--brief", "--no-pager").stdout.decode("utf-8", "replace")
        flat = lambda s: re.sub(r"[\s_]+", " ", s)
        # a part of the reason is enough: the column may have cut it
        return flat(reason)[:18].lower() in flat(page).lower()


def measure(bench, case, output, edit, verbose):
    command, make = OUTPUTS[output]
    pick = lambda v, n: random.Random(output + case.folder[-8:]).sample(v, min(n, len(v))) if v else []
    plain = make(case, pick)
    dressed = "bare" in output
    prefix = "$ %s\n" % command if dressed else ""
    base, _ = bench.read(prefix + plain)
    text = EDITS[edit](prefix + plain, command)
    got, err = bench.read(text)
    if got is None:
        return dict(right=0, wrong=1, missing=0, pages=0, pages_right=0, faults=["status: " + err], text=text)
    best = max(known(base or {}, case.records, None)[0], 1)
    right, wrong, faults = known(got, case.records, None)
    out = dict(right=right, wrong=wrong, missing=max(0, best - right), pages=0, pages_right=0, faults=faults, text=text, err=err)
    if output.startswith("squeue") or output in ("job", "job -o"):
        ids = {k[1] for k in (base or {}) if k[0] == "job"}
        for j in [j for j in case.pending if j["JobId"] in ids][:2]:
            out["pages"] += 1
            good = bench.shows_reason(j["JobId"], j["Reason"])
            out["pages_right"] += good
            if not good:
                out["faults"].append("the page of job %s lacks %s" % (j["JobId"], j["Reason"]))
    return out


def main():
    bin_dir, top = os.path.abspath(sys.argv[1]), sys.argv[2]
    words = [w for w in sys.argv[3:] if w != "-v"]
    extent = next((w for w in words if w in CASES), "one")
    only = [w for w in words if "/" in w]
    sums, failed, passed = {}, 0, 0
    bench = Bench(bin_dir)
    with tempfile.TemporaryDirectory() as where:
        for name in CASES[extent]:
            with tarfile.open("%s/tests/cases/slurm/%s.tar.xz" % (top, name)) as t:
                t.extractall(where)
            case = Capture(bin_dir, next(d for d, _, names in os.walk(os.path.join(where, name)) if "scontrol_config.txt" in names))
            for i, output in enumerate(OUTPUTS):
                for k, edit in enumerate(EDITS):
                    if extent == "few" and (i + k) % 3:
                        continue
                    if only and "%s/%s" % (output, edit) not in only and output + "/" not in only and "/" + edit not in only:
                        continue
                    m = measure(bench, case, output, edit, False)
                    bad = m["wrong"] or (edit not in REMOVING and (m["pages_right"] < m["pages"] or m["missing"] * 5 > m["right"] + m["missing"]))
                    failed += bool(bad)
                    passed += not bad
                    for key in ("all", "output " + output, "edit " + edit):
                        s = sums.setdefault(key, dict.fromkeys(("right", "wrong", "missing", "pages", "pages_right"), 0))
                        for k in s:
                            s[k] += m[k]
                    if bad and "-v" not in sys.argv:
                        print("FAIL %s/%s: %s" % (output, edit, "; ".join(m["faults"][:1]) or "%d values missing" % m["missing"]))
                    if bad and "-v" in sys.argv:
                        print("%s %s/%s: right %d wrong %d missing %d pages %d/%d %s" % (
                            name, output, edit, m["right"], m["wrong"], m["missing"], m["pages_right"], m["pages"], "; ".join(m["faults"][:3])))
                        if only:
                            print(m["text"], m.get("err", ""), "\n".join(m["faults"]))
    for key, s in sums.items():
        if key != "all" and "-v" not in sys.argv:
            continue
        n = max(1, s["right"] + s["wrong"] + s["missing"])
        print("%-26s right %6.2f %% wrong %5.2f %% missing %6.2f %%  pages %d/%d" % (
            key, 100 * s["right"] / n, 100 * s["wrong"] / n, 100 * s["missing"] / n, s["pages_right"], s["pages"]))
    print("edits: %d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


main()
