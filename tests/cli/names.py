"""names.py BIN: checks that documents preserve each name of names.json: as user, account, partition, QOS and job name, in
JSON, JSONL, Slurm's JSON and YAML, OpenMetrics and CSV. A name that is a list is a text and how often it is repeated.
CSV and OpenMetrics write control and invisible characters as the manual fs-share(1) describes."""
import csv, io, json, os, re, subprocess, sys, tempfile

try:
    import yaml
except ImportError:
    yaml = None
bin_dir = os.path.abspath(sys.argv[1])
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root"}
csv.field_size_limit(1 << 20)
with open(os.path.join(os.path.dirname(sys.argv[0]), "names.json")) as f:
    NAMES = [n if isinstance(n, str) else n[0] * n[1] for n in json.load(f)]
bad = checks = 0


def snapshot(names):
    yield dict(type="snapshot", format=1, time=100000, cluster="c", scheduler="slurm 25.05.0", captured_by="root")
    yield dict(type="config", PriorityType="priority/multifactor", PriorityWeightAge=10, PriorityWeightFairShare=100,
               PriorityDecayHalfLife=1000, PriorityMaxAge=1000)
    yield dict(type="association", id=1, account="root")
    yield dict(type="tres", id=1, name="cpu")
    for k, name in enumerate(names):
        yield dict(type="association", id=2 * k + 2, account=name, parent="root", shares=1, usage_tres_s=5)
        yield dict(type="association", id=2 * k + 3, account=name, user=name, shares=1, usage_tres_s=5)
        yield dict(type="partition", name=name, state="UP")
        yield dict(type="qos", name=name)
        yield dict(type="job", id=k + 1, state="PENDING", user=name, account=name, association=2 * k + 3, partitions=[name],
                   qos=[name], name=name, nodes=1, cpus=1, time_limit_s=60, submit_time=9000, eligible_time=9000, tres_req={"cpu": 1})


def run(*args):
    r = subprocess.run(args, env=env, capture_output=True)
    if r.returncode:
        print("%s: status %d: %s" % (" ".join(args), r.returncode, r.stderr.decode()[:300]))
    return r.stdout.decode()


def unescape(text):
    """Replaces each \\xHH, \\uHHHH and \\UHHHHHHHH by the character."""
    return re.sub(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})", lambda m: chr(int(m[1] or m[2] or m[3], 16)), text)


def expect(what, found, names):
    global bad, checks
    checks += len(names)
    for name in names:
        if name not in found:
            bad += 1
            near = [f for f in found if f not in names]
            print("%s: lost %s of %d characters; others: %s" % (what, ascii(name)[:40], len(name), [ascii(n)[:40] for n in near][:3]))


def labels(text, key):
    found = re.findall(key + r'="((?:[^"\\\n]|\\["\\n])*)"', text)
    return [unescape(re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], v)) for v in found]


def rows(text, lines):
    return [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)["rows"]


def check_yaml(text, names):
    doc = yaml.safe_load(text)
    expect("fs-share --yaml", [r["name"] for r in doc["shares"]["shares"]], names)


def check(folder, names):
    path = folder + "/s.jsonl"
    with open(path, "w") as f:
        f.writelines(json.dumps(r) + "\n" for r in snapshot(names))
    for form in ("--json", "--jsonl"):
        lines = form == "--jsonl"
        share = rows(run("fs-share", "-f", path, "-a", form), lines)
        prio = rows(run("fs-prio", "-f", path, form), lines)
        queue = rows(run("fs-showq", "-f", path, form), lines)
        for command, found, keys in (("fs-share", share, ("user", "account")), ("fs-prio", prio, ("user", "account", "partition", "qos", "jobname")),
                                     ("fs-showq", queue, ("user", "account"))):
            for key in keys:
                expect("%s %s %s" % (command, form, key), [r.get(key) for r in found], names)
    expect("fs-share --json=slurm", [r["name"] for r in json.loads(run("fs-share", "-f", path, "-a", "--json=slurm"))["shares"]["shares"]], names)
    if yaml:
        check_yaml(run("fs-share", "-f", path, "-a", "--yaml"), names)
    for command in (["fs-share", "-a"], ["fs-prio"], ["fs-showq"]):
        text = run(*command, "-f", path, "--openmetrics")
        for key in ("account", "user") if command[0] == "fs-share" else ("account",) if "account=" in text else ():
            expect("%s --openmetrics %s" % (command[0], key), labels(text, key), names)
    for keep in (False, True):
        history = folder + "/history%d" % keep
        os.makedirs(history, exist_ok=True)
        if keep:
            run("fs-snap", "keep", history, path)
        else:
            with open(history + "/s.jsonl", "w") as f, open(path) as g:
                f.write(g.read())
        for command in (["fs-share", "-a"], ["fs-prio", "-j", ",".join(str(k + 1) for k in range(len(names)))]):
            head, *table = csv.reader(io.StringIO(run(*command, "--history=" + history, "--csv"), newline=""))
            for key in ("user", "account") + (("partition", "qos") if command[0] == "fs-prio" else ()):
                expect("%s --csv %s" % (command[0], key), [unescape(r[head.index(key)]) for r in table], names)
            found = [v for v in re.findall(r'"account": ?("(?:[^"\\]|\\.)*")', run(*command, "--history=" + history, "--json"))]
            expect("%s --history --json" % command[0], [json.loads(v) for v in found], names)


with tempfile.TemporaryDirectory() as tmp:
    check(tmp, NAMES)
print("%d names in documents, %d lost" % (checks, bad))
sys.exit(bad > 0)
