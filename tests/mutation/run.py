"""run.py [FROM [TO]] or run.py \?: changes the program at each of the places in sites.tsv, one at a time, in a copy of the tree, and runs the test
that must then fail; where none is named, `?`, the unit tests of the folder and (unless UNIT=1) the cases of the
scheduler; with `?` those sites alone. Takes long: run it by hand. Prints the line of each site with the test that failed, or SURVIVED. Last line: "mutation: N killed, N survived"."""
import os, shutil, subprocess, sys, tempfile

top = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
unproven = sys.argv[1:] == ["?"]
first, last = (1, 10**9) if unproven else (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((1, 1), (2, 10**9)))
CASES = [("maui", "cases/maui.sh"), ("flux", "cases/flux/run.sh"), ("plan/", "cases/plan.sh"), ("", "cases/run.sh")]
work = tempfile.mkdtemp(prefix="mutation-")
os.environ.update(NO_INSTALL="1", CCACHE_NOHASHDIR="1")


def quiet(*args, seconds=600):
    try:
        return subprocess.run(args, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return 1


def binaries(folder):
    where = os.path.join(top, "tests/unit", folder)
    names = sorted(n[:-2] for n in os.listdir(where) if n.startswith("test_") and n.endswith(".c")) if os.path.isdir(where) else []
    return ["build/release/tests/%s/%s" % (folder, n) for n in names]


def fails(test):
    """Does the test notice? A change that does not compile is none."""
    if test.startswith("unit/"):
        b = "build/release/tests/" + test[5:]
        assert quiet("make", "-s", b) == 0, test
        return quiet(b, seconds=120) != 0
    assert quiet("make", "-s", "program") == 0
    if test == "deletions":
        assert quiet("make", "-s", "build/release/tests/serve") == 0
        return quiet("python3", "tests/deletions/deletions.py", "build/release/tests/serve", ".", "few") != 0
    return quiet("tests/" + test, "build/bin") != 0


def candidates(file):
    """The unit tests of the folder, those of the same name first, then the cases."""
    name = os.path.basename(file)[:-2].split("_")[0]
    own = sorted(binaries(file.split("/")[1]), key=lambda b: name not in b)
    cases = [] if os.environ.get("UNIT") else [next(c for word, c in CASES if word in file)]
    return ["unit/" + b[len("build/release/tests/"):] for b in own] + cases


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
        by = next((t for t in (candidates(file) if test == "?" else [test]) if fails(t)), None)
        with open(path, "w") as f:
            f.write(good)
        killed += by is not None
        survived += by is None
        print("\t".join([file, text, other, by or "SURVIVED"]), flush=True)
    shutil.rmtree(work, ignore_errors=True)
    print("mutation: %d killed, %d survived" % (killed, survived))
    sys.exit(survived > 0)


main()
