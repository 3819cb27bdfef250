"""deletions.py SERVE TOP [few|all] [~N] [N/M] [@FILE] [CASE]...: deletes something from a capture (a file, a line, a
column, a key everywhere, one field), imports the rest, and compares every printed number with that of the whole
capture. It must be equal or unknown, or the import or `fs-snap check` must report that something is missing. Each file,
key and column is tried, and some of the lines, line ends and fields; with `few` at most two of each class of each file,
with `all` every one, of every capture; with `all` and ~N a random N of the lines, line ends and fields of each file,
others with another SEED. N/M: the Nth of M parts of the captures. @FILE: only deletions that were silent in an earlier
run, whose output is FILE. SERVE is serve.c's program, which runs the commands in its own process. A CASE is a name in
tests/cases or the path of an archive. Defaults that a scheduler documents are in defaults.tsv.
LESS=FILE,... in the environment: captures without these files from the start.
Last line: "deletions: N passed, N failed"."""
import hashlib, json, os, random, re, subprocess, sys, tarfile, tempfile

serve, top = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
words = [w for w in sys.argv[3:] if not re.fullmatch(r"\d+/\d+", w)]
part, parts = ([int(n) for w in sys.argv[3:] if w not in words for n in w.split("/")] + [1, 1])[:2]
again = [line for w in words if w.startswith("@") for line in open(w[1:])]
words = [w for w in words if not w.startswith("@")]
drawn = next((int(w[1:]) for w in words if w.startswith("~")), None)
words = [w for w in words if not w.startswith("~")]
everything, few = "all" in words, "few" in words
env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "FS_THREADS": "1"}
SOME = ["slurm/24.11-s3-base", "slurm/26.11-s2-classic-damp5", "maui/maui-3.5", "flux/sample"]
FEW = SOME
CACHED = 64  # outcomes in the cache; each has thousands of numbers


class Server:
    """One process that runs command after command; after a crash of the program another process is started."""

    process = None

    def ask(self, args):
        if not self.process:
            self.process = subprocess.Popen([serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.process.stdin.write("".join("%s\n" % w for w in (len(args), *args)).encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 3:
            raise SystemExit("deletions: the program ended in %s" % " ".join(args))
        status, out, err = map(int, head)
        read = self.process.stdout.read
        return status, read(out), read(err)


server = Server()


def run(*args):
    return server.ask(args)


# ---- deletions: (class, name, new bytes or None for no file)


def lines_of(text):
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n")


def joined(lines):
    return "".join(line + "\n" for line in lines)


def pick(items):
    """Returns all of them, or the first, a middle one and the last."""
    return items if everything or len(items) <= 3 else [items[0], items[len(items) // 2], items[-1]]


def by_line(lines):
    for i in pick(range(len(lines))):
        state = re.search(r" JobState=\w+", lines[i])
        yield "line", lines[i][:60] + (state.group() if state else ""), joined(lines[:i] + lines[i + 1 :])


ENDED = re.compile("JobId=.* (JobState=(COMPLETED|CANCELLED|FAILED|TIMEOUT|DEADLINE|NODE_FAIL|PREEMPTED|BOOT_FAIL|OUT_OF_MEMORY)) ")


def by_end(lines):
    """Yields the file up to the end of each line, as after a full disk or a broken connection."""
    for i in pick(range(1, len(lines))):
        ended = {m and m.group(1) for m in map(ENDED.match, lines[i:])}
        of = "all from %s%s" % (lines[i][:60], "" if None in ended else " " + min(ended))
        yield "end", of, joined(lines[:i])


KEY = re.compile(r"(?:^|(?<=[ \t]))([A-Za-z][A-Za-z0-9:/._()%\[\]-]*)=")


def without_key(line, key):
    """`Key=Value` up to the next key."""
    at = [m for m in KEY.finditer(line)]
    for i, m in enumerate(at):
        if m.group(1) == key:
            end = at[i + 1].start() if i + 1 < len(at) else len(line)
            return (line[: m.start()] + line[end:]).rstrip()
    return line


def by_key(lines):
    where = {}
    for i, line in enumerate(lines):
        for m in KEY.finditer(line):
            where.setdefault(m.group(1), []).append(i)
    for key in where:
        yield "key", key, joined(without_key(line, key) for line in lines)
        rows = sorted(set(where[key]))
        draw = random.Random(key)
        for i in rows if everything else [draw.choice(rows)]:
            cut = list(lines)
            cut[i] = without_key(cut[i], key)
            yield "field", "%s of %s" % (key, lines[i][:40]), joined(cut)


def by_column(lines):
    """Tables of `a|b|c` under a heading."""
    heading = lines[0].split("|")
    for k, name in enumerate(heading):
        if not name:
            continue
        yield "column", name, joined("|".join(c for j, c in enumerate(line.split("|")) if j != k) for line in lines)
        rows = [i for i in range(1, len(lines)) if len(lines[i].split("|")) > k and lines[i].split("|")[k].strip()]
        draw = random.Random(name)
        for i in rows if everything else [draw.choice(rows)] if rows else []:
            cells = lines[i].split("|")
            cells[k] = " " * (len(cells[k]) - len(cells[k].lstrip())) if k == 0 and "sshare" in name else ""
            yield "field", "%s of %s" % (name, lines[i][:40]), joined(lines[:i] + ["|".join(cells)] + lines[i + 1 :])


def by_word(lines):
    """Tables of words between blanks."""
    widest = max((len(line.split()) for line in lines), default=0)
    for k in range(min(widest, 60)):
        yield "column", "word %d" % (k + 1), joined(" ".join(w for j, w in enumerate(line.split()) if j != k) for line in lines)
    if everything:
        for i, line in enumerate(lines):
            for k, word in enumerate(line.split()):
                cut = " ".join(w for j, w in enumerate(line.split()) if j != k)
                yield "field", "%s of %s" % (word[:20], line[:40]), joined(lines[:i] + [cut] + lines[i + 1 :])


def by_value(lines):
    """`Name = value` lines whose value is gone; all of them in full runs."""
    for i, line in enumerate(lines):
        name, equals, value = line.partition("=")
        if equals and value.strip() and (everything or READ.search(line)):
            yield "field", line[:60], joined(lines[:i] + [name + equals] + lines[i + 1 :])


def json_keys(value, keys):
    if isinstance(value, dict):
        for k, v in value.items():
            keys[k] = True
            json_keys(v, keys)
    elif isinstance(value, list):
        for v in value:
            json_keys(v, keys)


def without_json_key(value, key):
    if isinstance(value, dict):
        return {k: without_json_key(v, key) for k, v in value.items() if k != key}
    if isinstance(value, list):
        return [without_json_key(v, key) for v in value]
    return value


def json_places(value):
    """Yields everything in a list or an object: its container and its place."""
    for place in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, place
        if isinstance(value[place], (dict, list)):
            yield from json_places(value[place])


def by_json(text):
    try:
        documents = [json.loads(text)]
        form = lambda d: json.dumps(d[0])
    except ValueError:
        try:
            documents = [json.loads(line) for line in lines_of(text)]
            form = lambda d: joined(json.dumps(x) for x in d)
        except ValueError:
            return
    keys = {}
    for d in documents:
        json_keys(d, keys)
    for key in keys:
        yield "key", key, form([without_json_key(d, key) for d in documents])
    if everything:
        for holder, place in (found for d in documents for found in json_places(d)):
            taken = holder[place]
            del holder[place]
            yield "field", "%s: %s" % (place, json.dumps(taken)[:40]), form(documents)
            holder.insert(place, taken) if isinstance(holder, list) else holder.__setitem__(place, taken)


ERRORS = ["slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n", "\x01\x02random\n\xff | x\n"]


def deletions(name, data):
    yield "file", "", None
    yield "empty", "all of it", ""
    for error in ERRORS:
        yield "failed", error.strip()[:20], error
    text = data.decode("utf-8", "surrogateescape")
    lines = lines_of(text)
    if not text:
        return
    if text.lstrip()[:1] in "{[":
        yield from by_json(text)
        if not text.lstrip().startswith("["):
            yield from by_line(lines) if len(lines) > 3 else ()
            yield from by_end(lines) if len(lines) > 3 else ()
        return
    yield from by_line(lines)
    yield from by_end(lines)
    yield "cut", "half a line", text[: len(text) * 2 // 3]
    if name == "scontrol_config.txt" or name == "slurm.conf" or name == "maui.cfg":
        if not everything:
            for i, line in enumerate(lines):
                if READ.search(line):
                    yield "line", line[:60], joined(lines[:i] + lines[i + 1 :])
        yield from by_value(lines)
    elif "|" in lines[0]:
        yield from by_column(lines)
    elif name.startswith("scontrol_"):
        yield from by_key(lines)
    else:
        yield from by_word(lines)


def tried(case, name, data):
    """Yields the deletions to try: all, or with ~N some of the lines and fields."""
    if drawn is None:
        yield from deletions(os.path.basename(name), data)
        return
    places = {}
    for i, (what, _, _) in enumerate(deletions(os.path.basename(name), data)):
        if what in ("line", "end", "field"):
            places.setdefault(what, []).append(i)
    draw = random.Random("%s%s/%s" % (os.environ.get("SEED", ""), case, name))
    left_out = set()
    for found in places.values():
        left_out |= set(found) - set(draw.sample(found, min(drawn, len(found))))
    for i, one in enumerate(deletions(os.path.basename(name), data)):
        if i not in left_out:
            yield one


READ = re.compile(r"^(Priority|FairShare|Private|Scheduler(Type|Parameters)|SelectType|AccountingStorageEnforce|Enforce|SLURM_VERSION|"
                  r"ClusterName|MaxArraySize|BOOT_TIME|FS|[A-Z]+WEIGHT|[A-Z]+CFG|Configuration)")

# ---- printed output


def plain(text):
    """Returns its lines; the order of lines in a file does not matter."""
    return {re.sub(rb":\d+: ", b": ", line) for line in text.split(b"\n") if line}


def same(what, a, b):
    """Returns true if the numbers agree in the digits that sshare prints: other files have more."""
    return a == b or abs(a - b) <= max(2e-6 * max(abs(a), abs(b)), 0.5 if what.endswith(".raw_usage") else 0)


COUNTED = re.compile(rb"(?<=[a-z_] ) *[0-9]+ |.*: valid: .*")


class Outcome:
    cache = {}

    def __init__(self, kind, folder):
        status, self.snapshot, err = run("fs-snap", "import", kind, folder)
        self.failed = status != 0
        self.told = plain(err)
        self.kind = kind
        self.numbers = {}
        self.digest = None if self.failed else hashlib.sha256(self.snapshot).hexdigest()

    def look(self, made):
        if self.failed:
            return
        if self.digest in Outcome.cache:
            self.numbers, more = Outcome.cache[self.digest]
            self.told |= more
            return
        with open(made, "wb") as f:
            f.write(self.snapshot)
        more = set()
        status, out, err = run("fs-snap", "check", made)
        more |= {COUNTED.sub(b"", line, 1) for line in plain(out + err)}  # a count tells of nothing
        for name, keys in (("fs-share", ("account", "user", "partition", "name", "kind")), ("fs-prio", ("jobid", "partition", "qos")),
                           ("fs-showq", ("jobid", "partition", "qos"))):
            status, out, err = run(name, "-f", made, "--json", *(["-a"] if name == "fs-share" else []))
            more |= {name.encode() + b" " + line for line in err.split(b"\n") if line}
            if status:
                self.numbers[name] = None
                more.add(b"%s: status %d" % (name.encode(), status))
                continue
            for row in json.loads(out)["rows"]:
                self.take(name + " " + " ".join(str(row.get(k)) for k in keys), row, "")
        if len(Outcome.cache) >= CACHED:
            Outcome.cache.clear()
        Outcome.cache[self.digest] = self.numbers, more
        self.told |= more

    def take(self, row, value, path):
        if isinstance(value, dict):
            for k, v in value.items():
                if k == "factor" and isinstance(v, str):
                    path += "." + v
            for k, v in value.items():
                if k != "id" or self.kind != "flux":  # ids of banks are the importer's own
                    self.take(row, v, path + "." + k)
        elif isinstance(value, list):
            for i, v in enumerate(value):
                self.take(row, v, path if isinstance(v, dict) and "factor" in v else "%s.%d" % (path, i))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            self.numbers[row + path] = value


def changed(good, now):
    """Returns the keys of numbers that differ."""
    return [k for k, v in now.numbers.items() if k in good.numbers and not same(k, good.numbers[k], v)]


def rows(outcome):
    return {k.split(".")[0] for k in outcome.numbers}


def gone_rows(good, now):
    """Returns the missing rows. A row counts as present if it is printed with an unknown field in its name."""
    have = rows(now)
    less = [row.split(" ") for row in have if "None" in row.split(" ")]
    there = lambda row: any(len(row) == len(o) and all(b in (a, "None") for a, b in zip(row, o)) for o in less)
    return {row for row in rows(good) - have if not there(row.split(" "))}


# ---- all captures


def defaults():
    out = []
    with open(os.path.join(top, "tests/deletions/defaults.tsv")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                out.append([re.compile(w) for w in line.rstrip("\n").split("\t")[:2]])
    return out


def documented(table, file, what):
    return any(f.fullmatch(file) and w.match(what) for f, w in table)


def try_capture(case, folder, kind, table, count, made):
    files = {}
    for name in filter(None, os.environ.get("LESS", "").split(",")):
        if os.path.exists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    for base, _, names in os.walk(folder):
        for n in names:
            path = os.path.join(base, n)
            with open(path, "rb") as f:
                files[os.path.relpath(path, folder)] = f.read()
    good = Outcome(kind, folder)
    assert not good.failed, (folder, good.told)
    good.look(made)
    for name, data in sorted(files.items()):
        path = os.path.join(folder, name)
        os.unlink(path)
        if Outcome(kind, folder).digest == good.digest:  # nobody reads it
            with open(path, "wb") as f:
                f.write(data)
            continue
        classes = {}
        for what, of, left in tried(case, name, data):
            classes[what] = classes.get(what, 0) + 1
            if few and classes[what] > 2:
                continue
            if again and not any(line.startswith("%s/%s: without %s %s: " % (case, name, what, of)) for line in again):
                continue
            if os.path.exists(path):
                os.unlink(path)
            if left is not None:
                with open(path, "wb") as f:
                    f.write(left.encode("utf-8", "surrogateescape"))
            now = Outcome(kind, folder)
            count["tried"] += 1
            if now.failed or now.digest == good.digest or now.told - good.told:
                continue
            now.look(made)
            if now.told - good.told:
                continue
            other = changed(good, now)
            gone = gone_rows(good, now)
            if not other and not gone:
                continue
            if documented(table, name, of):
                count["documented"] += 1
                continue
            count["silent"] += 1
            first = other[0] if other else sorted(gone)[0]
            print("FAIL %s: %s: without %s %s: %s: %s instead of %s (%d others, %d rows gone)" % (
                case, name, what, of, first, now.numbers.get(first), good.numbers.get(first), len(other), len(gone)))
        with open(path, "wb") as f:
            f.write(data)


def folders(case, where):
    with tarfile.open(case if os.path.isfile(case) else os.path.join(top, "tests/cases", case + ".tar.xz")) as t:
        t.extractall(where)
    kind = next((k for k in ("maui", "flux") if re.search(r"(^|/)(living-)?" + k, case)), "slurm")
    mark = {"maui": "maui.cfg", "slurm": "scontrol_config.txt", "flux": None}[kind]
    found = sorted(d for d, _, names in os.walk(where) if (mark in names if mark else len(names) > 3))
    if kind == "flux":
        found = [d for d in found if not any(e != d and d.startswith(e + "/") for e in found)]
    return kind, found if everything else found[:1]


def main():
    count = dict(tried=0, silent=0, documented=0)
    table = defaults()
    cases = [w for w in words if w not in ("all", "few")]
    cases = cases or (FEW if few else [] if everything else SOME)
    if not cases:
        cases = sorted(os.path.relpath(os.path.join(d, n), os.path.join(top, "tests/cases"))[: -len(".tar.xz")]
                       for d, _, names in os.walk(os.path.join(top, "tests/cases")) for n in names if n.endswith(".tar.xz")
                       and not re.search("flux/(large|tree|range)", os.path.join(d, n)))
    shm = "/dev/shm" if os.path.isdir("/dev/shm") else None
    for case in cases[part - 1 :: parts]:
        with tempfile.TemporaryDirectory(dir=shm) as where:
            kind, found = folders(case, where)
            for folder in found:
                try_capture(case, folder, kind, table, count, where + "/made.jsonl")
        if everything:
            print("%s: %d tried so far, %d silent" % (case, count["tried"], count["silent"]), flush=True)
    print("deletions: %(tried)d tried, %(documented)d of documented defaults, %(silent)d silent" % count)
    print("deletions: %d passed, %d failed" % (count["tried"] - count["silent"], count["silent"]))
    sys.exit(count["silent"] > 0)


main()
