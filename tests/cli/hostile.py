"""hostile.py BIN TOP [STEP]: sends hostile text through every field, command, format and both streams, and checks the
output: no control characters except newlines, nothing invisible, and no invalid UTF-8 except a character that a column
cuts. STEP: every STEP-th string goes through all fields together (1: all strings)."""
import html.parser, json, os, random, shutil, subprocess, sys, tarfile, tempfile, unicodedata, xml.etree.ElementTree

HOSTILE = [
    "\x1b[2J", "\x1b]0;title\x07", "\x1b[31m", "\x1bP1$r0m\x1b\\", "\x1bc", "\x9b31m", "\x9d0;t\x9c", "\x85", "\x80\x9f",
    "a\nb", "\r", "a\rb", "\tx", "\b\b\b", "\x7f", "\x00".replace("\x00", "\x01"), "\x0e\x0f", "\x0b\x0c", "\u2028", "\u2029",
    "\u202egnp.exe", "\u202a\u202b\u202c\u202d", "\u2066\u2067\u2068\u2069", "\u200e\u200f", "\u061c", "\u200b", "\u200c\u200d",
    "\u2060\u2063", "\ufeff", "\u00ad", "\u034f", "\u180e", "\u115f\u3164\uffa0", "\ufff9\ufffa\ufffb", "\U000e0041\U000e007f",
    "\U0001d173", "\ufffe\uffff", "\U0010fffe", "%s%n%1000000d", "'\"; $(id) `id` <script>|&\\",
]
assert len(HOSTILE) == 40
FINE = "é日本😀"
bin_dir, top = sys.argv[1:3]
step = int(sys.argv[3]) if len(sys.argv) > 3 else 1
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "TERM": "dumb", "HOME": "/nonexistent"}
counts = dict(runs=0, bytes=0, bad=0, done=0)


def wrong(data):
    """Returns a description of the first forbidden character of the output, or None."""
    i = 0
    while i < len(data):
        lead = data[i]
        n = 1 if lead < 0x80 else 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 0
        if not n:
            return "byte %#x" % lead
        have = 1
        while have < n and i + have < len(data) and data[i + have] & 0xC0 == 0x80:
            have += 1
        if have == n:
            try:
                c = data[i : i + n].decode()
            except UnicodeDecodeError:
                return repr(data[i : i + n])
            kind = unicodedata.category(c)
            if kind in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp") and c not in "\n\t" or c in "\u034f\u115f\u3164\uffa0":
                return "%s U+%04X" % (kind, ord(c))
        i += have
    return None


class Page(html.parser.HTMLParser):
    """Raises ValueError for a tag outside of TAGS, or with an attribute that loads or runs something."""

    TAGS = set("html head meta title style body main h1 h2 h3 p a span b i em strong code pre table caption colgroup col thead "
               "tbody tr th td ul ol li dl dt dd br hr section header footer div details summary small abbr figure figcaption "
               "svg g path rect line text circle polyline polygon tspan title desc defs".split())

    def handle_starttag(self, tag, attrs):
        bad = [a for a, v in attrs if a.startswith("on") or a in ("src", "srcset", "action") or "script:" in (v or "")]
        if tag not in self.TAGS or bad:
            raise ValueError("<%s %s>" % (tag, bad))


def document(data):
    """Returns the error in an HTML page or a picture, or None."""
    try:
        if data.lstrip().startswith((b"<?xml", b"<Data")):
            xml.etree.ElementTree.fromstring(data)
        elif data.startswith(b"<!DOCTYPE html>"):
            Page().feed(data.decode())
    except (xml.etree.ElementTree.ParseError, ValueError) as e:
        return "document: %s" % e
    return None


def run(args, stdin=b"", tabs=False):
    r = subprocess.run(args, input=stdin, capture_output=True, env=env, timeout=60)
    counts["runs"] += 1
    counts["done"] += r.returncode == 0
    for name, data in (("stdout", r.stdout), ("stderr", r.stderr)):
        counts["bytes"] += len(data)
        bad = wrong(data) or document(data)
        if not bad and b"\t" in data and not tabs and b"requested:" not in data:
            bad = "a tab"
        if bad or r.returncode < 0 or r.returncode > 4:
            counts["bad"] += 1
            print("%r: %s: %s (status %d)" % (args[:8], name, bad, r.returncode), file=sys.stderr)
            if counts["bad"] > 20:
                sys.exit("too many")
    if "--json" in args and r.returncode == 0 and r.stdout:
        json.loads(r.stdout)
    return r


FIXED = {"type", "scheduler", "usage_source", "state", "kind", "admin", "target_mode", "oversubscribe", "policy", "shares", "flags"}


def shift(value, key, names, k):
    if isinstance(value, str) and key not in FIXED:
        if value in ("unlimited", "root") or not value or key in ("array_tasks", "nodes", "node_list", "sched_nodes", "tres"):
            return value
        return names.setdefault(value, value + HOSTILE[(len(names) + k) % 40] + FINE)
    if isinstance(value, list):
        return [shift(v, key, names, k) for v in value]
    return value


def renamed(records, k):
    names = {}
    out = []
    for r in records:
        fixed = r["type"] in ("config", "window", "tres")
        out.append(r if fixed else {a: shift(v, a, names, k) for a, v in r.items()})
    return out, names


def commands(kind, jobs, users, accounts, ended=(), few=False):
    c = [["fs-share", "-a"], ["fs-share", "-alm"], ["fs-share", "-aP", "-l"], ["fs-share", "-a", "--json"],
         ["fs-share", "-a", "-o", "Account%40,User%-5,Cluster,GrpTRESRaw%80,GrpTRESMins%100,TRESRunMins%100"],
         ["fs-prio", "-l"], ["fs-prio", "-o", "%i %.60u %60r %o %P %n %c %20T %t"], ["fs-prio", "--json"], ["fs-prio", "-w"],
         ["fs-showq"], ["fs-showq", "-l", "-b"], ["fs-showq", "--why"], ["fs-showq", "--json"],
         ["fs-share", "-a", "--openmetrics"], ["fs-prio", "--openmetrics"], ["fs-showq", "--openmetrics"],
         ["fs-prio", "--weights-report"], ["fs-explain"], ["fs-diff", "--at=+1h"], ["fs-diff", "--at=+1h", "--markdown"],
         ["fs-prio", "--jsonl"], ["fs-share", "-a", "--jsonl"], ["fs-prio", "--svg=-"],
         ["fs-top", "--once", "--size", "200x40"], ["fs-snap", "check"], ["fs-snap", "verify"]]
    c += [["fs-tools", "--complete", k] for k in ("jobs", "users", "accounts", "partitions", "qos")]
    c += [["fs-share", "-a", "--forecast"], ["fs-prio", "--weights-report", "--json"], ["fs-snap", "check", "--json"], ["fs-snap", "verify", "--json"],
          ["fs-showq", "--plan"], ["fs-showq", "--jsonl"], ["fs-showq", "--why", "--json"]]
    for j in ended:
        c += [["fs-explain", str(j)], ["fs-explain", str(j), "--brief"], ["fs-explain", str(j), "--html=-"], ["fs-explain", str(j), "--json"]]
    if kind == "flux":
        c += [["fs-share", "--ranges", "--svg=-"]]
    if kind == "slurm":
        c += [["fs-showq", "--plan", "--svg=-"],
              ["fs-share", "--ranges", "--svg=-"]]
        c += [["fs-share", "-a", "--json=slurm"], ["fs-share", "-a", "--yaml"], ["fs-share", "-a", "--ranges"],
              ["fs-share", "-aU", "-v"], ["fs-share", "--grants"], ["fs-share", "--spent"],
              ["fs-share", "--bill=cpu=1,mem=2G"], ["fs-share", "--usage=compare", "-a"], ["fs-prio", "-n"],
              ["fs-prio", "-v", "-P"], ["fs-showq", "--plan"], ["fs-showq", "--plan", "--json"],
              ["fs-showq", "--style=tacc", "-l"], ["fs-showq", "--strict-compat", "-l"]]
    for j in jobs[:1] if kind == "slurm" else []:
        edit = "scontrol update job %s Nice=100" % j
        c += [["fs-diff", "--if", edit], ["fs-diff", "--json", "--if", edit], ["fs-prio", "-l", "--if", edit],
              ["fs-showq", "--plan", "--if", edit], ["fs-explain", str(j), "--if", edit],
              ["fs-prio", "--if", "scontrol update job %s Account=%s" % (j, (accounts or users or [j])[0])]]
    if kind == "maui":
        c += [["fs-showq", "-i"], ["fs-showq", "-r", "-v"], ["fs-showq", "-b"]]
    for j in jobs:
        c += [["fs-explain", str(j)], ["fs-explain", str(j), "--markdown"], ["fs-explain", str(j), "--json"],
              ["fs-explain", str(j), "--brief"], ["fs-explain", str(j), "--html=-"]]
        if kind == "slurm":
            c += [["fs-showq", "--start=%s" % j, "--svg=-"], ["fs-explain", str(j), "--forecast"],
                  ["fs-explain", str(j), "--forecast", "--svg=-"], ["fs-explain", str(j), "--advise"]]
            c += [["fs-showq", "--start=%s" % j], ["fs-explain", str(j), "--ahead"],
                  ["fs-explain", str(j), "--versus", str(jobs[0])]]
    for u in users:
        c += [["fs-explain", "--user", u, "--forecast"], ["fs-share", "-A", accounts[-1] if accounts else u, "-u", u, "--solve", "shares factor=0.5"],
              ["fs-explain", "--user", u], ["fs-share", "-u", u], ["fs-prio", "-u", u], ["fs-showq", "-U", u],
              ["fs-showq", "--as=" + u]]
    for a in accounts:
        c += [["fs-explain", "--account", a], ["fs-share", "-A", a], ["fs-share", "--spent=" + a], ["fs-share", "--grants=" + a]]
    return c[:: 3 if few else 1]


def run_all(path, records, kind, few=False):
    jobs = [r["id"] for r in records if r.get("type") == "job" and r.get("state") == "PENDING"][: 1 if few else 3]
    users = [r["user"] for r in records if r.get("type") == "association" and r.get("user")][: 0 if few else 2]
    accounts = [r["account"] for r in records if r.get("type") == "association"][: 0 if few else 2]
    with open(path, "w") as f:
        for r in records:
            print(json.dumps(r), file=f)
    if not few:
        histories(path, jobs, users)
        files(path, jobs)
    ended = [r["id"] for r in records if r.get("type") == "job" and r.get("state") not in ("PENDING", "RUNNING", None)][:1]
    ended += [r["job"] for r in records if r.get("type") == "usage" and r.get("job")][:1]
    for c in commands(kind, jobs, users, accounts, [] if few else ended, few):
        if c[0] == "fs-snap":
            run(c + [path])
        else:
            run(c + ["-f", path])


def histories(path, jobs, users):
    """Runs the history commands on a folder with only this snapshot, under a hostile name."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, os.path.join(folder, "\u202ea\x1b[2Jb.jsonl"))
        for form in ([], ["--csv"], ["--plot"], ["--json"], ["--svg=-"]):
            run(["fs-share", "--history", folder, "-a"] + form)
            for u in users[:1]:
                run(["fs-share", "--history", folder, "-u", u] + form)
            for j in jobs[:1]:
                run(["fs-prio", "--history", folder, "-j", str(j)] + form)


def files(path, jobs):
    """Checks output that others read: a ticket's pages, an anonymised snapshot, differences, and imports of pastes."""
    with tempfile.TemporaryDirectory() as folder:
        ticket, other = folder + "/t.tar", folder + "/o.jsonl"
        for j in jobs[:1]:
            if not run(["fs-snap", "ticket", str(j), path, "-o", ticket]).returncode:
                with tarfile.open(ticket) as t:
                    for name in t.getnames():
                        data = t.extractfile(name).read()
                        bad = None if name == "snapshot.jsonl" else wrong(data) or document(data)
                        if bad:
                            counts["bad"] += 1
                            print("ticket: %s: %s" % (name, bad), file=sys.stderr)
                run(["fs-explain", "-f", ticket, str(j)])
        if not run(["fs-snap", "anonymise", path, "-o", other]).returncode:
            run(["fs-diff", path, other])
            run(["fs-diff", path, other, "--json"])
        run(["fs-snap", "keep", folder + "/\x1b[2Jkept\u202e", path])
        for tool in (["fs-prio", "-l"], ["fs-share", "-a"], ["fs-showq"]):
            pasted = run(tool + ["-f", path]).stdout
            for j in jobs[:1]:
                run(["fs-explain", "--text", "-", str(j)], stdin=b"$ squeue\n" + pasted)
            run(["fs-snap", "import", "text", "-"], stdin=b"$ s\x1b[2Jprio -l\n" + pasted)


def of_file(path):
    return [json.loads(line) for line in open(path)]


def every_field(path, records, kind):
    """Puts hostile strings into one field at a time, whatever its meaning; many are refused with a message."""
    keys = sorted({(r["type"], k) for r in records for k, v in r.items() if isinstance(v, (str, list, dict)) and k != "type"})
    for n, (t, k) in enumerate(keys[:: (step + 3) // 4]):
        out = []
        for i, r in enumerate(records):
            r = dict(r)
            if r["type"] == t and k in r:
                h = HOSTILE[(i + n) % 40]
                v = r[k]
                r[k] = v + h if isinstance(v, str) else v + [h] if isinstance(v, list) else {**v, h: 1} if isinstance(v, dict) else h
            out.append(r)
        run_all(path, out, kind, few=True)
    for k in ("type", "nosuch"):  # unknown keys and types
        for h in HOSTILE[::step]:
            run_all(path, records[:1] + [{k: h, h: h}], kind, few=True)


def words(path):
    """Passes the hostile strings on the command line."""
    snaps = [["fs-snap", "import", "slurm"], ["fs-snap", "import"], ["fs-snap", "check"], ["fs-snap"], ["fs-tools"]]
    options = ["--user", "--as", "-o", "--sort", "--algorithm", "--compat", "--at", "--style", "--position", "--decay",
               "--usage", "--start", "-j", "-u", "-A", "-p", "-M", "--bill", "--spent", "--state", "-f", "--size", "--config"]
    for h in HOSTILE[::step]:
        for c in snaps:
            run(c + [h])
        for c in ("fs-share", "fs-prio", "fs-showq", "fs-explain", "fs-top"):
            run([c, "-f", path, h])
            run([c, "--" + h])
            run([c, "-" + h])
            for o in options[:: 1 if step == 1 else 3]:
                tail = h if o.startswith("--") else h
                # the text of a format is printed unchanged
                run([c, "--once", "-f", path, o, tail], tabs=True) if c == "fs-top" else run(
                    [c, "-f", path, o, tail], tabs=True) if not (c == "fs-prio" and o == "-o") else None


def captures(folder):
    """Inserts the hostile strings into files of captures: messages quote invalid values."""
    draw = random.Random(17)
    for name, kind in (("slurm/22.05-s1-fairtree", "slurm"), ("maui/maui-3.5", "maui"), ("flux/sample", "flux")):
        source = os.path.join(folder, kind)
        with tarfile.open(os.path.join(top, "tests/cases", name + ".tar.xz")) as t:
            t.extractall(source)
        dirs = [d for d, _, files in os.walk(source) if files and not d.endswith("out")]
        base = next((d for d in dirs if d.endswith("/in")), dirs[0])
        files = [os.path.join(base, f) for f in sorted(os.listdir(base)) if os.path.isfile(os.path.join(base, f))]
        for file in files:
            with open(file, "rb") as f:
                good = f.read()
            for h in HOSTILE[:: 2 * step]:
                at = draw.randrange(len(good) + 1)
                with open(file, "wb") as f:
                    f.write(good[:at] + h.encode() + good[at:])
                made = os.path.join(folder, "made.jsonl")
                if run(["fs-snap", "import", kind, base, "-o", made]).returncode == 0:
                    run(["fs-snap", "check", made])
            with open(file, "wb") as f:
                f.write(good)


with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "s.jsonl")
    worlds = [(of_file(os.path.join(top, "cmd/demo.jsonl")), "slurm"), (of_file(os.path.join(top, "tests/top/maui.jsonl")), "maui")]
    with tarfile.open(os.path.join(top, "tests/cases/flux/sample.tar.xz")) as t:
        t.extractall(os.path.join(tmp, "sample"))
    folder = next(d for d, _, files in os.walk(os.path.join(tmp, "sample")) if len(files) > 3)
    flux = os.path.join(tmp, "flux.jsonl")
    if subprocess.run(["fs-snap", "import", "flux", folder, "-o", flux], env=env).returncode == 0:
        worlds.append((of_file(flux), "flux"))
    assert len(worlds) == 3
    for records, kind in worlds:
        for k in range(0, 40, step):
            before = dict(counts)
            run_all(path, renamed(records, k)[0], kind)
            done, runs = (counts[n] - before[n] for n in ("done", "runs"))
            assert done * 10 >= runs * 6, "%s: %d of %d commands did their work" % (kind, done, runs)
        every_field(path, records, kind)
    words(os.path.join(top, "cmd/demo.jsonl"))
    captures(tmp)
print("%(runs)d runs with hostile text, %(bytes)d bytes read, %(bad)d of them wrong" % counts)
sys.exit(counts["bad"] > 0)
