#!/usr/bin/env python3
"""Runs the commands of the tables in this folder, and compares the messages that they print.

Usage: run.py BIN [TABLE:LINE]

A table has a row for each case, with tabs between its columns: what the case shows (a sentence), shell command, exit status, and the
text that the output of the command must contain. Output is standard output and standard error, in which runs of blanks
and line breaks count as one blank. Lines that begin with # are comments.

Each command runs in an empty folder with bash. The programs are on PATH. $T is the folder tests/, and $DEMO is a file
with the snapshot of --demo. Functions for the commands: edit FILE SED-PROGRAM writes the changed file to standard
output and fails if nothing changed.
"""
import concurrent.futures
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PRELUDE = """
edit() { sed -E "$2" "$1" >.edited && ! cmp -s "$1" .edited && cat .edited || { echo "edit: no change: $2" >&2; return 99; }; }
"""


def read_cases(wanted):
    for path in sorted(glob.glob(os.path.join(HERE, "*.tsv"))):
        with open(path, encoding="utf-8") as file:
            for number, row in enumerate(file, 1):
                if not row.strip() or row.startswith("#"):
                    continue
                cells = row.rstrip("\n").split("\t")
                place = f"{os.path.basename(path)}:{number}"
                if len(cells) != 4:
                    sys.exit(f"{place}: expected 4 columns, got {len(cells)}")
                if wanted in ("", place):
                    yield place, *cells


def run_case(cells, environment):
    """Returns a list of what is wrong."""
    _, _, command, status, expected = cells
    folder = tempfile.mkdtemp(prefix="fs-messages.")
    try:
        done = subprocess.run(["bash", "-c", PRELUDE + command], cwd=folder, env=dict(environment, HOME=folder),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return ["took more than 120 seconds"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    output = done.stdout + done.stderr
    wrong = [] if str(done.returncode) == status else [f"exit status {done.returncode}, expected {status}"]
    if " ".join(expected.split()) not in " ".join(output.split()):
        wrong.append(f"the output lacks '{expected}'; it is: {' '.join(output.split())[:400]}")
    return wrong


def main():
    binaries, wanted = os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    cases = list(read_cases(wanted))
    with tempfile.TemporaryDirectory(prefix="fs-messages.") as home:
        demo = os.path.join(home, "demo.jsonl")
        environment = dict(os.environ, PATH=binaries + ":" + os.environ["PATH"], T=os.path.dirname(HERE), DEMO=demo,
                           TZ="UTC", LC_ALL="C.UTF-8", FS_PAGER="cat", COLUMNS="100")
        shutil.copy(os.path.join(HERE, "../../cmd/demo.jsonl"), demo)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda cells: run_case(cells, environment), cases))
    failed = 0
    for cells, wrong in zip(cases, results):
        if wrong:
            failed += 1
            print(f"FAIL {cells[0]}: {cells[1]}: {'; '.join(wrong)}")
    print(f"messages: {len(cases) - failed} passed, {failed} failed")
    return failed > 0 or not cases


sys.exit(main())
