"""The output of Maui's clients, from captures of a simulation stopped at a step."""
import os, re

CASES = ["m07_limits_45", "m03_greedy_d1_cur_45", "m10_caps_45", "m01_firstfit_d1_cur_5", "s1_04_k5_GREEDY_CURRENTHIGHEST_2_5",
         "s2_11_k1_FIRSTFIT_HIGHEST_3_5", "18_full_priority", "08_multicred_percent", "33_caps_block_running"]
ARCHIVES = {c: "maui/" + ("living" if c[0] == "m" else "fresh" if c[0] == "s" else "maui-3.5") for c in CASES}
KIND = "maui"


def folder_of(where, case):
    return next(os.path.join(d, "in") for d, names, _ in os.walk(where) if os.path.basename(d) == case and "in" in names)


def outputs(folder, snapshot, run):
    for where in (os.path.join(folder, "out"), os.path.join(os.path.dirname(folder), "out")):
        for name in sorted(os.listdir(where)):
            if not re.search(r"\.[0-9]\.txt$", name):
                with open(os.path.join(where, name), encoding="utf-8", errors="replace") as f:
                    yield name[:-4].replace("_", " "), f.read()


def same(what, a, b):
    """Points have one decimal or are cut to five characters; percentages have two; diagnose -p rounds and showq -i
    truncates."""
    end = what.rsplit(".", 1)[-1]
    if end == "points":
        return abs(a - b) <= 0.051 or (abs(b) >= 1000 and abs(a - b) < 1)
    if end in ("sum", "priority"):
        return abs(a - b) <= 1
    return end in ("norm_usage", "effective_usage", "norm_shares") and abs(a - b) <= 0.000051


def told_in_doubt(stderr, numbers, direct):
    """Drops row numbers, which depend on the list, and job ids, as it may be unknown which jobs are blocked."""
    return {n: v for n, v in numbers.items() if not (n.startswith("fs-share") and n.endswith(".id")) and not (n.startswith("fs-prio") and n.endswith(".jobid"))}


def elsewhere(good, what, value):
    """Weights apply to all jobs, also to blocked jobs, which have no points without a weight. checkjob and showq -r -v
    show a priority of blocked and running jobs that no list has."""
    if what.endswith((".weight", ".points")):
        found = [v for n, v in good.items() if n.endswith(what[what.index(".") :])]
        return found if what.endswith(".weight") else [v for v in found if v == 0]
    end = what[what.rindex(".") :]  # showres -n shows when a reservation begins
    job = what.split()[1] if end in (".priority", ".start_time") else ""
    known = [n for n in good if n.startswith(("fs-prio %s " % job, "fs-showq %s " % job))]
    return [value] if job and known and not any(n.endswith(end) for n in known) else []
