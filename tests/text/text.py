"""text.py BIN TOP [few|all] [CASE]...: what people paste, made at random from the outputs of a capture, against the snapshot of
the whole capture. Each number that the paste's snapshot prints has to be that of the whole, or unknown, or of a row that
the import told to be in doubt. A paste is outputs in any order and number, each whole or with its end or its columns
cut, folded at a width, quoted, coloured, between prompts and prose; the seed is printed and may be given as FS_SEED.
Last line: "text: N passed, N failed"."""
import json, os, random, re, subprocess, sys, tarfile, tempfile

bin_dir, top = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
words = sys.argv[3:]
rounds = 60 if "all" in words else 6
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "FS_THREADS": "1"}
CASES = ["22.05-s3-base", "24.11-s3-base", "26.11-s2-classic-damp5", "22.05-s1-fairtree"]
keep_dir = os.environ.get("FS_KEEP")
seed = int(os.environ.get("FS_SEED", "1"))


def run(*args, **more):
    return subprocess.run(args, capture_output=True, env=env, timeout=20, **more)


# ---- outputs in the forms that terminals show


def read(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def records(text, indent="   "):
    """The lines of scontrol -o as scontrol prints them without -o: some keys a line."""
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


def outputs(folder, snapshot):
    """(command, text) of all that this capture can show."""
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


# ---- what happens to them on the way


def fold(text, width):
    return "".join("\n".join(line[i : i + width].rstrip() for i in range(0, max(len(line), 1), width)) + "\n" for line in text.splitlines())


def chop(text, width):
    return "".join(line[:width] + "\n" for line in text.splitlines())


def end(text):
    lines = text.splitlines()
    return "".join(line + "\n" for line in lines[: random.randint(1, len(lines))]) if lines else text


def beginning(text):
    lines = text.splitlines()
    return "".join(line + "\n" for line in lines[random.randint(0, max(len(lines) - 1, 0)) :])


def colour(text):
    return "".join("\x1b[1;3%dm%s\x1b[0m\r\n" % (random.randint(1, 7), line) for line in text.splitlines())


def quote(text):
    return "".join("> " + line + "\n" for line in text.splitlines())


def some_rows(text):
    lines = text.splitlines()
    return "".join(line + "\n" for i, line in enumerate(lines) if i < 2 or random.random() < 0.6)


WAYS = [lambda t: t] * 4 + [lambda t: fold(t, 80), lambda t: fold(t, 120), lambda t: chop(t, 80), lambda t: chop(t, 100), end, beginning, some_rows]
DRESS = [lambda t: t] * 3 + [colour, quote, lambda t: t.replace("\n", "\r\n"), lambda t: quote(quote(t))]
PROSE = ["", "Hello,\n\nmy jobs do not start since Monday, please help.\n\n", "-- \nDana, Physics\n", "See below:\n", "\n\n",
         "On Monday Dana wrote:\n"]
PROMPTS = ["$ %s\n", "[dana@login1 ~]$ %s\n", "dana@login1:~$ %s\n", "login1% %s\n", "", ""]


def paste(all_outputs):
    text = ""
    for command, output in random.sample(all_outputs, random.randint(1, min(7, len(all_outputs)))):
        prompt = random.choice(PROMPTS)
        text += random.choice(PROSE) + (prompt.replace("%s", command) if prompt else "") + random.choice(WAYS)(output)
    text = random.choice(DRESS)(text + random.choice(PROSE))
    return text[: random.randint(1, len(text))] if random.random() < 0.2 else text


# ---- numbers


def take(out, row, value, path):
    if isinstance(value, dict):
        name = value.get("factor")
        for k, v in value.items():
            take(out, row, v, path + "." + (name + "." if isinstance(name, str) else "") + k)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            take(out, row, v, path if isinstance(v, dict) and "factor" in v else "%s.%d" % (path, i))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        out[row + path] = value


def numbers(made):
    out = {}
    for name, keys in (("fs-share", ("account", "user", "partition")), ("fs-prio", ("jobid", "partition"))):
        r = run(name, "-f", made, "--json", *(["-a"] if name == "fs-share" else []))
        if r.returncode not in (0, 3, 1, 4) or (r.stdout and r.stderr.count(b"Sanitizer")):
            out["%s: status %d" % (name, r.returncode)] = r.returncode
        for row in json.loads(r.stdout)["rows"] if r.returncode == 0 and r.stdout else []:
            key = name + " " + " ".join(str(row.get(k)) for k in keys)
            if key in {k.split(".")[0] for k in ()}:
                continue
            take(out, key, row, "")
    return out


def same(what, a, b):
    """To the digits that sshare and sprio print."""
    if a == b:
        return True
    end = what.rsplit(".", 1)[-1]
    if end in ("raw_usage", "listed_usage"):
        return abs(a - b) <= 1.01
    if end in ("points", "sum"):
        return abs(a - b) <= 1.0
    return abs(a - b) <= max(2e-6 * max(abs(a), abs(b)), 1.1e-6) or (end == "value" and abs(a - b) < 1e-3)


def differs(good, what, v):
    """A row whose partition is not known is one of the job's."""
    if what in good:
        return None if same(what, good[what], v) else "%s: %s instead of %s" % (what, v, good[what])
    m = re.match(r"(fs-prio \d+) None(\..*)", what)
    rows = [g for n, g in good.items() if m and n.startswith(m.group(1) + " ") and n.endswith(m.group(2))]
    return None if any(same(what, g, v) for g in rows) else "%s: %s, and no such row" % (what, v)


def try_case(case, count):
    with tempfile.TemporaryDirectory() as where:
        with tarfile.open(os.path.join(top, "tests/cases/slurm", case + ".tar.xz")) as t:
            t.extractall(where)
        folder = next(d for d, _, names in os.walk(where) if "scontrol_config.txt" in names)
        whole, made, file = (os.path.join(where, n) for n in ("whole.jsonl", "made.jsonl", "paste.txt"))
        assert run("fs-snap", "import", "slurm", folder, "-o", whole).returncode == 0
        good = numbers(whole)
        direct = {str(r["jobid"]) for r in json.loads(run("fs-prio", "-f", whole, "--json").stdout)["rows"] if r["direct"]}
        shown = [(c, t) for c, t in outputs(folder, whole) if t]
        for k in range(rounds):
            random.seed("%s %d %d" % (case, seed, k))
            with open(file, "w", encoding="utf-8", newline="") as f:
                f.write(paste(shown))
            if os.path.exists(made):
                os.unlink(made)
            if keep_dir:
                os.system("cp %s %s/last.txt" % (file, keep_dir))
            r = run("fs-snap", "import", "text", file, "-o", made, "--at", str(json.loads(open(whole).readline())["time"]))
            count["tried"] += 1
            wrong = []
            if r.returncode not in (0, 1):
                wrong = ["status %d: %s" % (r.returncode, r.stderr.decode("utf-8", "replace")[-300:])]
            elif r.returncode == 0:
                now = numbers(made)
                if b"an administrator set" in r.stderr:  # told: those jobs are not compared
                    now = {n: v for n, v in now.items() if not n.startswith("fs-prio") or n.split()[1] not in direct}
                if b"scontrol_config.txt: it is not whole" in r.stderr:
                    now = {n: v for n, v in now.items() if not n.startswith("fs-prio")}
                if b"do not agree on the time" in r.stderr:
                    now = {n: v for n, v in now.items() if ".age." not in n}
                wrong = [w for w in (differs(good, n, v) for n, v in now.items()) if w]
                count["numbers"] += len(now)
            else:
                count["nothing"] += 1
            if wrong:
                count["failed"] += 1
                print("%s seed %d round %d: %s (%d)" % (case, seed, k, wrong[0], len(wrong)))
                keep = os.environ.get("FS_KEEP")
                if keep:
                    os.system("cp %s %s/%s-%d.txt; cp %s %s/%s.jsonl" % (file, keep, case, k, whole, keep, case))


def main():
    count = dict(tried=0, failed=0, numbers=0, nothing=0)
    for case in [w for w in words if w not in ("all", "few")] or CASES:
        random.seed("%s %d" % (case, seed))
        try_case(case, count)
    print("text: %(tried)d pastes, %(nothing)d with nothing to take, %(numbers)d numbers compared" % count)
    print("text: %d passed, %d failed" % (count["tried"] - count["failed"], count["failed"]))
    sys.exit(count["failed"] > 0)


main()
