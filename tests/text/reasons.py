#!/usr/bin/env python3
"""Puts reasons into a plain row of squeue: reasons.py BIN_DIR. The verdict must follow the reason
(tests/text/reasons.tsv)."""
import json
import os
import subprocess
import sys
import tempfile

HEADING = "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"


def explain(program, reason):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as paste:
        paste.write(HEADING + "              7001       cpu     wrap     dana PD       0:00      1 (%s)\n" % reason)
        paste.flush()
        run = subprocess.run([program, "--text=" + paste.name, "7001", "--brief", "--json"], capture_output=True, text=True)
    return json.loads(run.stdout)


def problems(page, verdict, words):
    if page["verdict"] != verdict:
        yield "verdict %s, not %s" % (page["verdict"], verdict)
    if words not in page["verdict_text"]:
        yield "says %r, not %r" % (page["verdict_text"], words)
    brief = " ".join(page["brief"].values())
    for said, only in (("begin time", "begin"), ("released", "held"), ("Never.", "never"), ("Nobody", "")):
        if said in brief and verdict != only:
            yield "says %r: %s" % (said, brief)


def main():
    program = os.path.join(sys.argv[1], "fs-explain")
    failed = count = 0
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reasons.tsv")) as table:
        for line in table:
            if line.startswith("#"):
                continue
            reason, verdict, words = line.rstrip("\n").split("\t")
            count += 1
            for problem in problems(explain(program, reason), verdict, words):
                print("%s: %s" % (reason, problem))
                failed += 1
    print("reasons: %d, %d problems" % (count, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
