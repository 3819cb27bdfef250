#!/usr/bin/env python3
"""Checks the pages of pasted command output against the known cause of each case.

Usage: run.py BIN [CASE]

cases.tsv has one line for each case: the paste, the command (FILE is the paste), regular expressions that the
page must contain, regular expressions that it must not contain (both separated by " && "; the case of letters does not
matter), and the cause in a sentence. A page is the standard output of the command, with each run of blanks and line
breaks made one blank. The pastes have the layout of real tools; names, accounts, numbers and times are invented.
"""
import csv
import os
import re
import shlex
import subprocess
import sys

BIN = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="100", FS_PAGER="cat")


def read_page(case):
    words = [case["file"] if word == "FILE" else word for word in shlex.split(case["command"])]
    done = subprocess.run([f"{BIN}/{words[0]}", *words[1:]], cwd=HERE, env=ENVIRONMENT, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=60, check=False)
    return re.sub(r"\s+", " ", done.stdout)


def list_faults(case, page):
    for pattern in filter(None, case["must"].split(" && ")):
        if not re.search(pattern, page, re.I):
            yield f"lacks /{pattern}/"
    for pattern in filter(None, case["must_not"].split(" && ")):
        found = re.search(pattern, page, re.I)
        if found:
            yield f'has "{found.group(0)}"'


def main():
    with open(f"{HERE}/cases.tsv", encoding="utf-8") as file:
        cases = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    failed = tried = 0
    for case in cases:
        if len(sys.argv) > 2 and case["file"] != sys.argv[2]:
            continue
        tried += 1
        page = read_page(case)
        faults = list(list_faults(case, page))
        failed += bool(faults)
        if faults:
            print(f"FAIL {case['file']}: {'; '.join(faults)}\n  cause: {case['cause']}\n  page: {page[:600]}")
    print(f"pastes: {tried - failed} passed, {failed} failed")
    return failed > 0 or not tried


sys.exit(main())
