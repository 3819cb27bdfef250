"""compare.py KIND EXPECTED ACTUAL: recorded results against fs-share/1 rows; status 1 when they differ.

walk, stored, range, ranks, column:NAME   rows of fs-share --json
jobs                                      lines of fs-prio
tree CSV JSON, unpack JSON FOLDER         make the inputs
"""
import csv
import gzip
import json
import sys


def opened(path):
    return gzip.open(path, "rt") if path.endswith(".gz") else open(path)


def rows(path):
    with open(path) as f:
        return {(r["parent"] or "", r["user"] or r["account"]): r for r in json.load(f)["rows"]}


def number(text):
    return float(text) if text else None


def weight_of(text):
    """A recorded weight as fs-share prints it: for no usage Flux holds the largest integer (2^64), which is shown as inf."""
    return "inf" if number(text) == 2.0 ** 64 else number(text)


def same(what, name, want, got):
    if want == got:
        return 0
    print(f"{name}: {what}: recorded {want!r}, ours {got!r}")
    return 1


def lines(path):
    with opened(path) as f:
        return [line.rstrip("\n").split("\t") for line in f]


def walk(expected, actual):
    ours, bad = rows(actual), 0
    for parent, name, kind, weight, share, rank in lines(expected):
        r = ours[parent, name]
        if parent:
            bad += same("weight", name, weight_of(weight), r["level_fs"])
        bad += same("fairshare", name, number(share), r["fairshare"])
        if kind == "user":
            bad += same("rank", name, int(rank), r["rank"])
    return bad


def stored(expected, actual):
    ours = rows(actual)
    return sum(same("stored", user, number(share), float("%f" % ours[bank, user]["fairshare"]))
               for bank, user, share in lines(expected) if ours[bank, user]["counted"])


def ranges(expected, actual):
    ours, bad = rows(actual), 0
    for parent, name, low, factor, position, tied in lines(expected):
        r = ours[parent, name]
        for key, want in (("low", float(low)), ("high", float(factor)), ("fairshare", float(factor)),
                          ("position", float(position)), ("tied", int(tied))):
            bad += same(key, name, want, r[key])
    return bad


def ranks(expected, actual):
    ours, all_rows = rows(actual), lines(expected)
    return sum(same("rank", user, (int(rank), int(rank) / len(all_rows)),
                    (ours[bank, user]["rank"], ours[bank, user]["fairshare"])) for bank, user, rank in all_rows)


def column(name, expected, actual):
    ours = rows(actual)
    with opened(expected) as f:
        table = csv.DictReader([f.readline().lstrip("#").split()[0] + "\n"] + f.readlines())
        bad = 0
        for row in table:
            path = row["path"].split("/")
            bad += same(name, path[-1], number(row[name].strip("'")), ours[path[-2], path[-1]]["fairshare"])
    return bad


def jobs(expected, actual):
    with open(expected) as f:
        want = [line.split() for line in f][1:]
    with open(actual) as f:
        got = {r[0]: r for r in (line.rstrip("\n").split("|") for line in f)}
    bad = 0
    for r in want:
        bad += same("queue and urgency", r[0], [r[1], r[3]], got[r[0]][1:3])
        if r[4].isdigit():
            bad += same("priority", r[0], r[4], got[r[0]][3])
    return bad


def tree(source, target):
    stack = []
    with opened(source) as f:
        for line in f:
            if line[:1] in "#\n":
                continue
            level, bank, user, shares, usage = line.strip().split(",")
            node = {"shares": int(shares), "usage": float(usage)}
            node["bank" if user.startswith("%") else "username"] = bank if user.startswith("%") else user
            del stack[int(level):]
            if stack:
                stack[-1].setdefault("children", []).append(node)
            stack.append(node)
    with open(target, "w") as f:
        json.dump({"root": stack[0]}, f)
    return 0


def unpack(source, folder):
    with open(source) as f:
        case = json.load(f)
    nodes = (case.get("upstream_db_walk") or case["upstream_cpp_walk"])["nodes"]
    with open(folder + "/tree.json", "w") as f:
        json.dump(case["input"], f)
    with open(folder + "/walk.tsv", "w") as f:
        for n in nodes:
            share = n.get("fairshare")
            f.write("\t".join([n["parent"], n["name"], n["type"], repr(float(n["weight"])),
                               "" if share is None else repr(float(share)), str(n.get("rank", ""))]) + "\n")
    return 0


kind, first, second = sys.argv[1:]
if kind.startswith("column:"):
    sys.exit(column(kind[7:], first, second) > 0)
sys.exit({"walk": walk, "stored": stored, "range": ranges, "ranks": ranks, "jobs": jobs, "tree": tree,
          "unpack": unpack}[kind](first, second) > 0)
