"""Slurm's output in the forms that terminals show, from a capture."""
import os, random, re

CASES = ["22.05-s3-base", "24.11-s3-base", "26.11-s2-classic-damp5", "22.05-s1-fairtree"]
ARCHIVES = {case: "slurm/" + case for case in CASES}
KIND = "slurm"


def folder_of(where, case):
    return next(d for d, _, names in os.walk(where) if "scontrol_config.txt" in names)


def read(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def records(text, indent="   "):
    """Returns the lines of scontrol -o as scontrol prints them without -o: some keys per line."""
    out = []
    for line in text.splitlines():
        parts = re.split(r" (?=[A-Za-z][A-Za-z0-9:/._()%\[\]-]*=)", line)
        rows, row = [], []
        for part in parts:
            row.append(part)
            if len(" ".join(row)) > 60:
                rows.append(" ".join(row))
                row = []
        rows.append(" ".join(row))
        out.append(("\n" + indent).join(r for r in rows if r) + "\n")
    return "\n".join(out)


def outputs(folder, snapshot, run):
    """Yields (command, text) of everything that this capture can show."""
    fs = lambda *a: run(*a, "-f", snapshot).stdout.decode("utf-8", "replace")
    jobs = [l for l in read(folder, "scontrol_job_o.txt").splitlines() if "JobState=PENDING" in l]
    some = random.sample(jobs, min(3, len(jobs)))
    yield "scontrol show config", read(folder, "scontrol_config.txt")
    yield "scontrol show partition", records(read(folder, "scontrol_partition_o.txt"))
    yield "scontrol -o show partition", read(folder, "scontrol_partition_o.txt")
    yield "scontrol show node", records(read(folder, "scontrol_node_o.txt"))
    yield "scontrol show job", records("\n".join(some))
    yield "scontrol -o show job", "\n".join(jobs) + "\n"
    yield "scontrol show assoc_mgr", read(folder, "scontrol_assoc_mgr.txt") or read(folder, "scontrol_assoc_mgr_o.txt")
    for options in ("-a", "-al", "-alP", "-aU", "-am"):
        yield "sshare " + options, fs("fs-share", options)
    for options in ("", "-l", "-n", "-nl"):
        yield "sprio " + options, fs("fs-prio", *options.split())
    yield "sprio -o", fs("fs-prio", "-o", "%.12i %12r %.10Y %.9A %.9F %.20T")
    yield "sprio -o", fs("fs-prio", "-o", "%10i|%20r|%.10Y|%a|%f|%j|%p|%q")
    for name in ("squeue_start.txt", "squeue_all.txt", "squeue_O.txt", "sinfo_plain.txt"):
        yield name.split("_")[0], read(folder, name)
    yield "sacctmgr -P show qos", read(folder, "sacctmgr_qos_all.txt")
    yield "sacctmgr -P show assoc", read(folder, "sacctmgr_assoc.txt")
    yield "sacctmgr -P show tres", read(folder, "sacctmgr_tres.txt")
    yield "squeue", squeue(jobs, 18, 9, 8, 8)
    yield "squeue -o", squeue(jobs, 12, 20, 12, 12)


def squeue(jobs, *wide):
    """The default format: %.18i %.9P %.8j %.8u %.2t %.10M %.6D %R."""
    get = lambda line, key: (re.search(r"(?:^| )%s=(\S*)" % re.escape(key), line) or [None, ""])[1]
    out = ["%*s %*s %*s %*s ST       TIME  NODES NODELIST(REASON)" % (wide[0], "JOBID", wide[1], "PARTITION", wide[2], "NAME", wide[3], "USER")]
    for line in jobs:
        tasks = get(line, "ArrayTaskId")
        ident = get(line, "ArrayJobId") + "_[%s]" % tasks if tasks and not tasks.isdigit() else get(line, "JobId")
        nodes = get(line, "NumNodes").split("-")[0]
        cells = [ident, get(line, "Partition"), get(line, "JobName"), get(line, "UserId").split("(")[0]]
        if tasks.isdigit():
            continue
        out.append(" ".join("%*s" % (w, c[:w]) for w, c in zip(wide, cells)) + " PD       0:00 %6s (%s)" % (nodes, get(line, "Reason")))
    return "\n".join(out) + "\n"


def told_in_doubt(stderr, numbers, direct):
    """Drops numbers that the import reported as uncertain."""
    if b"an administrator set" in stderr:
        numbers = {n: v for n, v in numbers.items() if not n.startswith(("fs-prio", "fs-showq")) or n.split()[1] not in direct}
    if b"configuration: lines are missing or empty" in stderr:
        numbers = {n: v for n, v in numbers.items() if not n.startswith("fs-prio") and not n.endswith(".priority")}
    if b"do not match the time" in stderr:
        numbers = {n: v for n, v in numbers.items() if ".age." not in n}
    return numbers
