"""text.py BIN TOP [few|all] [slurm|flux|maui]... [CASE]...: random pastes from the outputs of a capture, compared with
the snapshot of the whole capture. Each number of the paste's snapshot must be that of the whole, or unknown, or in a
row that the import reported as uncertain. A paste has outputs in any order and number, each complete or with its end or
columns cut, folded at a width, quoted, coloured, or between prompts and prose. The seed is printed and may be given as
FS_SEED. FS_KEEP: a folder for the pastes that fail. Last line: "text: N passed, N failed"."""
import json, os, random, re, shutil, subprocess, sys, tarfile, tempfile

import flux, maui, slurm
from forms import paste

bin_dir, top = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
words = sys.argv[3:]
rounds = 60 if "all" in words else 3
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "FS_THREADS": "1"}
keep_dir = os.environ.get("FS_KEEP")
seed = int(os.environ.get("FS_SEED", "1"))
SOURCES = [slurm, flux, maui]


def run(*args, **more):
    return subprocess.run(args, capture_output=True, env=env, timeout=20, **more)


# ---- numbers

COUNTS = {"position", "partition_position", "tasks_ahead", "late_usage"}  # depend on the jobs in the paste


def take(out, row, value, path):
    if isinstance(value, dict):
        name = value.get("factor")
        for k, v in value.items():
            if k not in COUNTS:
                take(out, row, v, path + "." + (name + "." if isinstance(name, str) else "") + k)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            take(out, row, v, path if isinstance(v, dict) and "factor" in v else "%s.%d" % (path, i))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        out[row + path] = value


COMMANDS = (("fs-share", ("account", "user", "partition", "kind", "name")), ("fs-prio", ("jobid", "partition")), ("fs-showq", ("jobid", "partition")))


def numbers(made):
    out = {}
    for name, keys in COMMANDS:
        r = run(name, "-f", made, "--json", *(["-a"] if name == "fs-share" else []))
        if r.returncode not in (0, 3, 1, 4) or (r.stdout and r.stderr.count(b"Sanitizer")):
            out["%s: status %d" % (name, r.returncode)] = r.returncode
        for row in json.loads(r.stdout)["rows"] if r.returncode == 0 and r.stdout else []:
            if row.get("tasks_exact") is False:
                del row["tasks"]
            if row.get("state") == "UNKNOWN":  # flux account jobs lists those that have ended, too
                continue
            take(out, name + " " + " ".join(str(row[k]) for k in keys if k in row), row, "")
    return out


def same(what, a, b):
    """Returns true if the numbers agree in the digits that the schedulers' commands print."""
    if a == b:
        return True
    end = what.rsplit(".", 1)[-1]
    if end in ("raw_usage", "listed_usage"):
        return abs(a - b) <= 1.01
    if end in ("points", "sum"):
        return abs(a - b) <= 1.0
    if end == "time_limit_s":  # four digits
        return abs(a - b) <= 5.1e-4 * max(abs(a), abs(b)) and b % 60 == 0
    return abs(a - b) <= max(2e-6 * max(abs(a), abs(b)), 1.1e-6) or (end == "value" and abs(a - b) < 1e-3)


def differs(source, good, what, v):
    """A row with an unknown partition is one of the rows of the job; a name that ends with + is the beginning of a name."""
    same = lambda w, a, b: globals()["same"](w, a, b) or (hasattr(source, "same") and source.same(w, a, b))
    if what in good:
        return None if same(what, good[what], v) else "%s: %s instead of %s" % (what, v, good[what])
    m = re.match(r"(fs-(?:prio|showq) \d+) None(\..*)", what)
    rows = [g for n, g in good.items() if m and n.startswith(m.group(1) + " ") and n.endswith(m.group(2))]
    if "+" in what:  # a name that a column has cut
        pattern = re.compile(".*".join(re.escape(part) for part in what.split("+")))
        rows += [g for n, g in good.items() if pattern.fullmatch(n)]
    if hasattr(source, "elsewhere"):
        rows += source.elsewhere(good, what, v)
    return None if any(same(what, g, v) for g in rows) else "%s: %s, and no such row" % (what, v)


def direct_jobs(whole):
    r = run("fs-prio", "-f", whole, "--json")
    return {str(r["jobid"]) for r in json.loads(r.stdout)["rows"] if r["direct"]} if r.returncode == 0 else set()


def try_paste(source, text, at, good, direct, count, files):
    file, made = files
    with open(file, "w", encoding="utf-8", newline="") as f:
        f.write(text)
    if os.path.exists(made):
        os.unlink(made)
    count["tried"] += 1
    try:
        r = run("fs-snap", "import", "text", file, "-o", made, "--at", str(at))
    except subprocess.TimeoutExpired:
        return ["it takes more than 20 s"]
    if r.returncode not in (0, 1):
        return ["status %d: %s" % (r.returncode, r.stderr.decode("utf-8", "replace")[-300:])]
    if r.returncode:
        count["nothing"] += 1
        if b"no output of a supported command" not in r.stderr:
            return ["refused: " + r.stderr.decode("utf-8", "replace")[-300:]]
        return []
    now = source.told_in_doubt(r.stderr, numbers(made), direct)
    count["numbers"] += len(now)
    return [w for w in (differs(source, good, n, v) for n, v in now.items()) if w]


def pages(case):
    """Returns the output of the schedulers' own commands at that moment, in addition to the capture."""
    with tarfile.open(os.path.join(top, "tests/text/pages.tar.xz")) as t:
        found = [m for m in t.getmembers() if m.isfile() and m.name.split("/")[0] == case]
        return [(m.name.split("/")[1][:-4].replace("_", " "), t.extractfile(m).read().decode("utf-8")) for m in found]


def try_case(source, case, count):
    with tempfile.TemporaryDirectory() as where:
        with tarfile.open(os.path.join(top, "tests/cases", source.ARCHIVES[case] + ".tar.xz")) as t:
            t.extractall(where)
        folder = source.folder_of(where, case)
        whole, made, file = (os.path.join(where, n) for n in ("whole.jsonl", "made.jsonl", "paste.txt"))
        r = run("fs-snap", "import", source.KIND, folder, "-o", whole)
        assert r.returncode == 0, r.stderr
        good, direct = numbers(whole), direct_jobs(whole)
        at = json.loads(open(whole).readline())["time"]
        shown = [(c, t) for c, t in source.outputs(folder, whole, run) if t] + pages(case)
        for k in range(rounds):
            random.seed("%s %d %d" % (case, seed, k))
            wrong = try_paste(source, paste(shown), at, good, direct, count, (file, made))
            if wrong:
                count["failed"] += 1
                count["wrong"] += len(wrong)
                print("FAIL %s: seed %d round %d: %s (%d)" % (case, seed, k, wrong[0], len(wrong)))
                for w in wrong[1 : int(os.environ.get("FS_SHOW", "1"))]:
                    print("    " + w)
                if keep_dir:
                    shutil.copy(file, "%s/%s-%d-%d.txt" % (keep_dir, case, seed, k))
                    shutil.copy(whole, "%s/%s.jsonl" % (keep_dir, case))


def main():
    count = dict(tried=0, failed=0, numbers=0, nothing=0, wrong=0)
    kinds = [w for w in words if w in [s.KIND for s in SOURCES]]
    cases = [w for w in words if w not in ("all", "few") and w not in kinds]
    for source in SOURCES:
        for case in source.CASES:
            if (not kinds or source.KIND in kinds) and (not cases or case in cases):
                random.seed("%s %d" % (case, seed))
                try_case(source, case, count)
    print("text: %(tried)d pastes, %(nothing)d with nothing to take, %(numbers)d numbers compared, %(wrong)d wrong" % count)
    print("text: %d passed, %d failed" % (count["tried"] - count["failed"], count["failed"]))
    sys.exit(count["failed"] > 0)


main()
