"""Checks the output of --openmetrics strictly: gauges with help, in order, no sample twice, finite numbers.
Usage: openmetrics.py METRICS [share|prio|showq DOCUMENT]; with DOCUMENT, the samples must equal the JSON document's."""
import json
import math
import re
import sys

NAME = r"[a-z_][a-z0-9_]*"
VALUE = r'"((?:[^"\\\n]|\\["\\n])*)"'
SAMPLE = re.compile(r"(%s)\{((?:%s=%s,?)*)\} (\S+)" % (NAME, NAME, VALUE))
LABEL = re.compile(r"(%s)=%s" % (NAME, VALUE))


def read(path):
    families, samples, name = [], {}, None
    lines = open(path, encoding="utf-8").read().split("\n")
    assert lines[-2:] == ["# EOF", ""], "no end"
    for line in lines[:-2]:
        if line.startswith("# HELP "):
            name = line.split(" ")[2]
            assert name not in families, "family twice: " + name
            assert "\\" not in line and '"' not in line, line
            families.append(name)
        elif line.startswith("# TYPE "):
            assert line == "# TYPE %s gauge" % name, line
        else:
            m = SAMPLE.fullmatch(line)
            assert m and m[1] == name, line
            labels = LABEL.findall(m[2])
            assert "cluster" in dict(labels) and all(v for k, v in labels[1:]), line
            assert not {"job", "jobid", "instance", "__name__"} & dict(labels).keys(), line
            key = (name, tuple(sorted(labels)))
            assert key not in samples, "sample twice: " + line
            assert math.isfinite(float(m[4])), line
            samples[key] = float(m[4])
    return families, samples


def known(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def labels_of(row, names, cluster):
    pairs = [(n, row[n]) for n in names if row.get(n)]
    return tuple(sorted([("cluster", cluster)] + pairs))


def of_shares(doc):
    want, cluster = {}, doc["snapshot"]["cluster"]
    for row in doc["rows"]:
        for key in ("raw_shares norm_shares raw_usage norm_usage effective_usage fairshare level_fs rank low high").split():
            if known(row[key]):
                want["fs_share_" + key, labels_of(row, ("account", "user", "partition"), cluster)] = row[key]
    return want


def gather(rows, names, value, cluster):
    groups = {}
    for row in rows:
        groups.setdefault(labels_of(row, names, cluster), []).append(value(row))
    return groups


def of_priorities(doc):
    want, cluster = {}, doc["snapshot"]["cluster"]
    for labels, v in gather(doc["rows"], ("partition", "account"), lambda r: r["priority"], cluster).items():
        want["fs_prio_jobs", labels] = len(v)
        if all(known(x) for x in v):
            want["fs_prio_highest_priority", labels] = max(v)
            want["fs_prio_lowest_priority", labels] = min(v)
    terms = [dict(t, partition=r["partition"]) for r in doc["rows"] if not r["direct"] for t in r["terms"]]
    for labels, v in gather(terms, ("partition", "factor"), lambda t: t["points"], cluster).items():
        if all(known(x) for x in v):
            want["fs_prio_mean_points", labels] = sum(v) / len(v)
    return want


def of_queue(doc):
    want, cluster = {}, doc["snapshot"]["cluster"]
    placed = [r for r in doc["rows"] if known(r["partition_position"])]
    for labels, v in gather(placed, ("partition", "account", "user"), lambda r: r["partition_position"], cluster).items():
        want["fs_showq_best_place", labels] = min(v)
    return want


OF = {"share": of_shares, "prio": of_priorities, "showq": of_queue}
# Samples that the rows of a document do not have.
BESIDE = ("_snapshot_time_seconds", "fs_prio_weight", "fs_showq_jobs", "fs_showq_running_cpus", "fs_showq_waiting_jobs")

families, samples = read(sys.argv[1])
if len(sys.argv) > 2:
    want = OF[sys.argv[2]](json.load(open(sys.argv[3])))
    got = {k: v for k, v in samples.items() if not k[0].endswith(BESIDE)}
    assert got.keys() == want.keys(), sorted(got.keys() ^ want.keys())[:5]
    for key, v in want.items():
        assert math.isclose(got[key], v, rel_tol=1e-12, abs_tol=1e-12), (key, got[key], v)
print(len(samples))
