"""run.py [FROM [TO]] or run.py '?': changes the program at each place in sites.tsv, one at a time, in a copy of the
tree, and runs the test that must then fail. If it does not fail, or is `?`, it runs the unit tests of the folder,
(unless UNIT=1) the cases of the scheduler, then all unit tests. With `?` only these sites are tried, without the tests
of the folder. A test ends at its first failure. Takes an hour: run it by hand. Prints the line of each site with the
test that failed, or SURVIVED. Last line: "mutation: N killed, N survived"."""
import os, re, shutil, signal, subprocess, sys, tempfile

top = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
unproven = sys.argv[1:] == ["?"]
first, last = (1, 10**9) if unproven else (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((1, 1), (2, 10**9)))
FAILED = re.compile(r"FAIL\b|.*: (failed|differs)\b|.* [1-9]\d* failed\b")
SOME = "cases/run.sh 24.11-s4-running 26.11-s2-classic-damp5 23.02-s10-accrue"
CASES = [("maui", ["cases/maui.sh", "cases/maui_plan.sh", "cases/showq.sh"]), ("flux", ["cases/flux/run.sh"]), *((f, ["cases/plan.sh"]) for f in ("plan/", "backfill/", "select/", "nodes/")),
         ("", [SOME, "cases/maui.sh", "cases/flux/run.sh", "cases/run.sh"])]
work = tempfile.mkdtemp(prefix="mutation-")
os.environ.update(NO_INSTALL="1", CCACHE_NOHASHDIR="1")


def quiet(*args, seconds=600):
    try:
        return subprocess.run(args, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return 1


def fails_early(*args, seconds=900):
    """Returns true if the output reports a failure or the status is not 0. Ends the command at the first failure."""
    p = subprocess.Popen(args, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(p.pid, signal.SIGKILL))
    signal.alarm(seconds)
    bad = any(FAILED.match(line) for line in p.stdout)
    if bad and p.poll() is None:
        os.killpg(p.pid, signal.SIGKILL)
    signal.alarm(0)
    return p.wait() != 0 or bad


def binaries(folder):
    where = os.path.join(top, "tests/unit", folder)
    names = sorted(n[:-2] for n in os.listdir(where) if n.startswith("test_") and n.endswith(".c")) if os.path.isdir(where) else []
    return ["unit/%s/%s" % (folder, n) for n in names]


def fails(test):
    """Returns true if the test fails. A change that does not compile is not counted."""
    if test.startswith("unit/"):
        folder, name = os.path.split(test[5:])
        b = "build/release/tests/%s/all" % folder
        assert quiet("make", "-s", b) == 0, test
        return quiet(b, name, seconds=120) != 0
    if test == "check-unit":
        return fails_early("make", "-s", "-k", "check-unit")
    assert quiet("make", "-s", "program") == 0
    if test in ("clusters", "deletions"):
        command = {"clusters": ["tests/clusters/run.py", "build/release/tests/serve"],
                   "deletions": ["tests/deletions/deletions.py", "build/release/tests/serve", ".", "few"]}[test]
        assert quiet("make", "-s", "build/release/tests/serve") == 0
        return quiet("python3", *command) != 0
    script, *of = test.split()
    return fails_early("tests/" + script, "build/bin", *of)


def candidates(file, test):
    """Returns the named test, the unit tests of the folder with those of the same name first, the cases, all unit
    tests."""
    name = os.path.basename(file)[:-2].split("_")[0]
    own = [] if unproven else sorted(binaries(file.split("/")[1]), key=lambda b: name not in b)
    cases = [] if os.environ.get("UNIT") else ["clusters", *next(c for word, c in CASES if word in file), "check-unit"]
    return ([] if test == "?" else [test]) + own + cases


def main():
    shutil.copytree(top, work, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git", "fuzz", "asan", "*.log"))
    with open(os.path.join(top, "tests/mutation/sites.tsv")) as f:
        sites = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    killed = survived = 0
    for i, (file, text, other, test) in enumerate(sites, 1):
        if not first <= i <= last or (unproven and test != "?"):
            continue
        path = os.path.join(work, file)
        with open(path) as f:
            good = f.read()
        if good.count(text) != 1:
            print("%d: %s: the text is not there once: %s" % (i, file, text), flush=True)
            survived += 1
            continue
        with open(path, "w") as f:
            f.write(good.replace(text, other))
        by = next((t for t in candidates(file, test) if fails(t)), None)
        with open(path, "w") as f:
            f.write(good)
        killed += by is not None
        survived += by is None
        print("\t".join([file, text, other, by or "SURVIVED"]), flush=True)
    shutil.rmtree(work, ignore_errors=True)
    print("mutation: %d killed, %d survived" % (killed, survived))
    sys.exit(survived > 0)


main()
