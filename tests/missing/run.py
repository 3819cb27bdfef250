"""run.py SERVE TOP [all] [CASE]...: runs each command of commands.tsv on snapshots that lack something: all records of a
type, all but one, all other types, or one field in all records. No command may crash, print a number that means "no
value" (nan, NO_VAL, time 0), or print invalid JSON. A CASE is the name of a reduced snapshot, such as slurm/no-job or
flux/job.priority. Each command reads the snapshots without a type; every 2nd reads those with one record or one type,
every 40th those without a field. With `all` or a CASE, each command reads all of them. SERVE is the program of
tests/deletions/serve.c. Last line: "missing: N passed, N failed"."""
import concurrent.futures, json, os, re, shlex, subprocess, sys, tempfile, zlib

serve, top = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
cases = [w for w in sys.argv[3:] if w != "all"]
EVERY = 1 if sys.argv[3:] else 40
env = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "FS_THREADS": "1", "TZ": "UTC0",
       "ASAN_OPTIONS": "detect_leaks=0"}
SOURCES = {"slurm": "cmd/demo.jsonl", "flux": "tests/cli/examples/flux.jsonl", "maui": "tests/top/maui.jsonl",
           "other": "cmd/demo.jsonl"}
# options that do not change a report, or need other files
NO_REPORT = set("--accounts --at --all-reserv --cluster --color --config --demo --every --federation --file --format --fresh --help "
                "--helpformat --index --key --limit --local --mode --no-color --no-pager --outside --raw --records --text "
                "--theme --timeout --tz --version --exact-usage --output".split())
# not a number; NO_VAL, INFINITE and -1 of 32 and 64 bits; time 0; the largest double
NO_NUMBER = re.compile(rb"(?<![\w.])-?nan(?![\w.])|1\.8446\d*e\+19|1844674407370955\d{4}|922337203685477\d{4}|(?<!Priority=)429496729[2-6]|"
                       rb"-?2147483648|1970-01-01|e\+30[0-9]")
INFINITE = re.compile(rb"(?<![\w.])-?inf(?![\w.])")
# a level of an association without usage is "inf" (sshare's LevelFS)
HAS_LEVEL = ("fs-share", "fs-explain", "fs-diff", "fs-top", "fs-snap")


class Server:
    """A process that runs command after command; after a crash another process is started."""

    process = None

    def ask(self, args):
        """Returns status, output and messages; the status is None after a crash."""
        if not self.process:
            self.process = subprocess.Popen([serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        self.process.stdin.write("".join("%s\n" % w for w in (len(args), *args)).encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 3:
            self.end()
            return None, b"", b""
        status, out, err = map(int, head)
        read = self.process.stdout.read
        answer = status, read(out), read(err)
        if args[0] == "fs-tools":  # an alarm ends the process
            self.end()
        return answer

    def end(self):
        self.process.communicate()
        self.process = None


def records_of(scheduler):
    with open(os.path.join(top, SOURCES[scheduler])) as f:
        records = [json.loads(line) for line in f]
    if scheduler == "other":
        records[0]["scheduler"] = "pbs 23.06"
    del records[0]["records"]
    return records


def reductions(records):
    """Yields (name, records) of the whole snapshot and of each reduced one."""
    yield "whole", records
    head, rest = records[:1], records[1:]
    yield "empty", head
    for t in sorted({r["type"] for r in rest}):
        yield "no-" + t, head + [r for r in rest if r["type"] != t]
        yield "hidden-" + t, [dict(head[0], hidden=[t])] + [r for r in rest if r["type"] != t]
        yield "only-" + t, head + [r for r in rest if r["type"] in (t, "config")]
        first = next(r for r in rest if r["type"] == t)
        yield "one-" + t, head + [r for r in rest if r["type"] != t or r is first]
    for t, key in sorted({(r["type"], key) for r in records for key in r} - {("snapshot", "format")}):
        if key != "type":
            yield t + "." + key, [{k: v for k, v in r.items() if r["type"] != t or k != key} for r in records]


def first(records, t, key, k=0, test=lambda r: True):
    found = list(dict.fromkeys(str(r[key]) for r in records if r["type"] == t and r.get(key) and test(r)))
    return found[min(k, len(found) - 1)] if found else "nobody"


def read_table():
    with open(os.path.join(top, "tests/missing/commands.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line.strip() and not line.startswith("#")]
    return [(kind, shlex.split(command)) for kind, command in rows]


def commands(table, scheduler, records, places):
    """Yields the command lines of a scheduler, with the names of its whole snapshot."""
    users = [first(records, "job", "user", k, lambda r: r["state"] == "PENDING") for k in (0, 1)]
    account = first(records, "job", "account", 0, lambda r: r.get("user") == users[0])
    jobs = [first(records, "job", "id", k, lambda r: r["state"] == state) for state, k in (("PENDING", 0), ("PENDING", 99), ("RUNNING", 0))]
    words = dict(places, user=users[0], user2=users[1], account=account, job2=jobs[1],
                 partition=first(records, "partition", "name"))
    for kind, command in table:
        if kind not in ("*", scheduler):
            continue
        more = [] if command[0] == "fs-snap" or any(re.search("{[AFH]}", w) for w in command) else ["-f", "{F}"]
        for job in jobs if "{job}" in " ".join(command) else jobs[:1]:
            yield [re.sub(r"{(\w+)}", lambda m: str(dict(words, job=job)[m.group(1)]), w) for w in command + more]


def find_fault(args, status, out, err):
    """Returns what is wrong with the result of a command, or None."""
    if status is None:
        return "the program crashed"
    if status not in range(5):
        return "status %s" % status
    if not out and not err and status:
        return "status %d without a message" % status
    for text in (out, err):
        bad = NO_NUMBER.search(text) or (args[0] not in HAS_LEVEL and INFINITE.search(text))
        if bad:
            line = text[max(text.rfind(b"\n", 0, bad.start()) + 1, bad.start() - 80) : bad.end() + 40].split(b"\n")[0]
            return "prints %s: %s" % (bad.group().decode(), line.decode("utf-8", "replace").strip())
    try:
        if not status and any(w.startswith("--json") for w in args):
            for text in out.splitlines() if "--jsonl" in args else [out]:
                json.loads(text, parse_constant=lambda word: 1 / 0)
    except (ValueError, ZeroDivisionError) as e:
        return "invalid JSON: %s" % e
    return None


def write(path, records):
    with open(path, "w") as f:
        f.writelines(json.dumps(r) + "\n" for r in records)


def run_scheduler(scheduler, table):
    """Returns the lines of failed cases and the number of commands."""
    server, failed, runs = Server(), [], 0
    records = records_of(scheduler)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as where:
        places = dict(F=where + "/f.jsonl", A=where + "/a.jsonl", H=where + "/history", T=where + "/t.tar", keys=where + "/keys")
        write(places["A"], records)
        os.mkdir(places["H"])
        write(places["H"] + "/a.jsonl", records)
        with open(places["keys"], "w") as f:
            f.write("dump a\nkey f\ndump b\nkey Esc Tab j j j\ndump c\nkey f\ndump d\nkey Esc Tab\ndump e\nkey Tab\ndump f\n")
        lines = list(commands(table, scheduler, records, places))
        for name, reduced in reductions(records):
            if cases and scheduler + "/" + name not in cases:
                continue
            write(places["F"], reduced)
            write(places["H"] + "/f.jsonl", [dict(r, time=r["time"] + 60) if "time" in r else r for r in reduced[:1]] + reduced[1:])
            for args in lines:
                every = EVERY if "." in name else 1 if name.startswith(("whole", "empty", "no-")) else min(EVERY, 2)
                if zlib.crc32(("%s %s" % (name, args[:4])).encode()) % every:
                    continue
                runs += 1
                bad = find_fault(args, *server.ask(args))
                if bad:
                    shown = shlex.join(w.replace(where + "/", "") for w in args)
                    failed.append("FAIL %s/%s: %s: %s" % (scheduler, name, shown, bad))
    return failed, runs


def untested_options(table):
    """Yields options of the commands' help that are neither in the table nor in NO_REPORT."""
    server = Server()
    for command in ("fs-share", "fs-prio", "fs-showq", "fs-explain", "fs-diff", "fs-top", "fs-snap"):
        used = " ".join(" ".join(c) for _, c in table if c[0] == command)
        for short, option in re.findall(r"^ +(-\w)?,? *(--[a-z-]+)", server.ask([command, "--help"])[1].decode(), re.M):
            if option not in NO_REPORT and not re.search(option + r"\b", used) and not (short and re.search(r" -\w*" + short[1], used)):
                yield "FAIL %s %s: not in tests/missing/commands.tsv" % (command, option)


def main():
    table = read_table()
    failed, runs = list(untested_options(table)), 1
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for lines, n in pool.map(lambda s: run_scheduler(s, table), SOURCES):
            failed += lines
            runs += n
    print(*failed, sep="\n")
    print("missing: %d passed, %d failed" % (runs - len(failed), len(failed)))
    sys.exit(len(failed) > 0)


main()
