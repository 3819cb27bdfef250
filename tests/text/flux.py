"""Flux's output in the forms that terminals show: of its own commands if a capture has them, and `flux jobs --json`
converted to the other formats of `flux jobs` (flux-core, src/cmd/flux-jobs.py)."""
import json, os, random

CASES = ["main", "stopped", "guest", "sample"]
ARCHIVES = {"main": "flux/living", "stopped": "flux/living", "guest": "flux/living", "sample": "flux/sample"}
KIND = "flux"
ABBREVIATIONS = {"DEPEND": "D", "PRIORITY": "P", "SCHED": "S", "RUN": "R", "CLEANUP": "C", "COMPLETED": "CD", "FAILED": "F", "CANCELED": "CA",
                 "TIMEOUT": "TO"}


def folder_of(where, case):
    return next(d for d, _, names in os.walk(where) if os.path.basename(d) == case and names)


def read(folder, *names):
    for name in names:
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as f:
                return f.read()
        except FileNotFoundError:
            pass
    return ""


def fsd(s):
    for unit, name in ((86400, "d"), (3600, "h"), (60, "m")):
        if s >= unit:
            return "%.4g%s" % (s / unit, name)
    return "%.4gs" % s if s >= 10 else "%.03fs" % s if s >= 1e-3 else "0s"


def info(j):
    state = j["state"]
    if state == "PRIORITY":
        return "priority-wait"
    if state == "DEPEND":
        return "depends:" + ",".join(j.get("dependencies", []))
    if state == "SCHED":
        if "t_estimate" in j.get("annotations", {}).get("sched", {}):
            return "eta:%s" % fsd(random.randint(1, 4000))
        return "held" if j.get("urgency") == 0 else "priority-hold" if j.get("priority") == 0 else ""
    return j.get("nodelist", "")


def cut(text, width):
    return text if len(text) <= width else text[: width - 1] + "+"


def base58(number):
    digits = ""
    while number:
        number, d = divmod(number, 58)
        digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[d] + digits
    return "\u0192" + (digits or "1")


def columns(jobs, formats):
    """formats: (heading, width, get); negative width: left-aligned, 0: any width."""
    pad = lambda s, w: s.ljust(-w) if w < 0 else s.rjust(w)
    out = [" ".join(pad(h, w) for h, w, _ in formats)]
    for j in jobs:
        out.append(" ".join(pad(str(get(j)), w) for _, w, get in formats).rstrip())
    return "\n".join(out) + "\n"


def flux_jobs(jobs):
    ident = ("JOBID", 12, lambda j: base58(j["id"]))
    queue = ("QUEUE", -8, lambda j: j.get("queue", "")[:8])
    user = ("USER", -8, lambda j: j["username"])
    name = ("NAME", -10, lambda j: cut(j["name"], 10))
    status = lambda j: j.get("result", "") if j["state"] == "INACTIVE" else j["state"]
    short = ("ST", 2, lambda j: ABBREVIATIONS.get(status(j), "?"))
    tasks = ("NTASKS", 6, lambda j: j["ntasks"])
    nodes = ("NNODES", 6, lambda j: j.get("nnodes", "-") or "-")
    limit = lambda j: fsd(j["duration"]) if j.get("duration") else "-"
    time = ("TIME", 8, lambda j: limit(j) if j["state"] in ("DEPEND", "PRIORITY", "SCHED") else fsd(random.randint(1, 90000)))
    rest = ("INFO", 0, info)
    yield "flux jobs -A", columns(jobs, [ident] + ([queue] if any(j.get("queue") for j in jobs) else []) + [user, name, short, tasks, nodes, time, rest])
    yield "flux jobs -o long", columns(jobs, [ident, queue, user, name, ("STATUS", 9, status), tasks, nodes, ("T_SUBMIT", 12, lambda j: "Nov24 03:51"),
                                              ("T_REMAINING", 12, lambda j: "-"), time, rest])
    yield "flux jobs -o deps", columns(jobs, [ident, queue, name, ("URG", -3, lambda j: j.get("urgency", "")), ("PRI", -12, lambda j: j.get("priority", "")),
                                              ("STATE", -8, lambda j: j["state"][:8]), ("DEPENDENCIES", 0, lambda j: ",".join(j.get("dependencies", [])))])
    yield "flux jobs -o", columns(jobs, [("JOBID", -20, lambda j: j["id"]), ("BANK", -12, lambda j: j.get("bank", "")), ("URG", 4, lambda j: j.get("urgency", "")),
                                         ("NCORES", 7, lambda j: j.get("ncores", "")), ("STATE", -9, lambda j: j["state"]),
                                         ("T_SUBMIT", -20, lambda j: j.get("t_submit", "")), ("PRI", 11, lambda j: j.get("priority", ""))])


def account_jobs(jobs, queues, banks, weights):
    """Returns the output of flux account jobs USER; each row also has the weights."""
    queue_of = {q["queue"]: q["priority"] for q in queues}
    bank_of = {b["bank"]: b["priority"] for b in banks}
    note = lambda j: j.get("annotations", {}).get("user", {}).get("fairshare", "")
    w = lambda name: (lambda j: weights.get(name, ""))
    return columns(jobs, [("JOBID", -14, lambda j: base58(j["id"])), ("USER", -8, lambda j: j["username"]), ("BANK", -7, lambda j: j.get("bank", "")),
                          ("BANKPRIO", -9, lambda j: bank_of.get(j.get("bank"), "")), ("BANKFACT", -9, w("bank")), ("QUEUE", -7, lambda j: j.get("queue", "")),
                          ("QPRIO", -6, lambda j: queue_of.get(j.get("queue"), "")), ("QFACT", -6, w("queue")), ("FAIRSHARE", -9, note),
                          ("FSFACTOR", -9, w("fairshare")), ("URGENCY", -7, lambda j: j.get("urgency", "")), ("URGFACT", -7, w("urgency")),
                          ("PRIORITY", -9, lambda j: j.get("priority", ""))])


def table(rows):
    """fluxacct/accounting/formatter.py: as_table."""
    names = list(rows[0])
    show = lambda k, v: ("true" if v == 1 else "false") if k == "active" else "unlimited" if v == 2147483647 else str(v)
    cells = [[show(k, r[k]) for k in names] for r in rows]
    wide = [max(len(c) for c in col) for col in zip(names, *cells)]
    line = lambda row: " | ".join(c.ljust(w) for c, w in zip(row, wide))
    return "\n".join([line(names), "-+-".join("-" * w for w in wide)] + [line(c) for c in cells]) + "\n"


def outputs(folder, snapshot, run):
    text = read(folder, "flux-jobs_-A_--json.json", "flux-jobs_--json.json")
    jobs = json.loads(text)["jobs"] if text else []
    load = lambda *names: json.loads(read(folder, *names) or "[]")
    users, banks = load("list-users_--json.json", "list-users_-j.json"), load("list-banks_--json.json")
    factors = load("list-factors_--json.json")
    weights = {f["factor"]: f["weight"] for f in factors}
    lines = [l.split("|") for l in read(folder, "list-queues.txt").splitlines() if l and "-+-" not in l]
    queues = [dict(zip((c.strip() for c in lines[0]), (c.strip() for c in l))) for l in lines[1:]] if lines else []
    yield "flux jobs -A --json", text
    yield "flux jobs --json", json.dumps({"jobs": random.sample(jobs, min(3, len(jobs)))}) + "\n"
    yield "flux jobs --json | jq .", json.dumps({"jobs": random.sample(jobs, min(3, len(jobs)))}, indent=2) + "\n"
    if jobs:
        yield from flux_jobs(jobs)
        whose = random.choice(jobs)["username"]
        yield "flux account jobs " + whose, account_jobs([j for j in jobs if j["username"] == whose], queues, banks, weights)
    for name in ("view-bank_root_-t.txt", "view-bank_root_-t_-P.txt", "list-queues.txt", "list-configs.txt", "list-users.txt", "list-banks.txt",
                 "list-factors.txt", "list-factors_--json.json", "list-banks_--json.json"):
        yield "flux account " + name.split(".")[0].replace("_", " "), read(folder, name)
    for name in ("flux_queue_status.txt", "flux_resource_list.txt", "flux_resource_status.txt"):
        yield name.split(".")[0].replace("_", " "), read(folder, name)
    if users:
        yield "flux account list-users", table(users)
        whose = random.choice(users)["username"]
        yield "flux account view-user " + whose, json.dumps([u for u in users if u["username"] == whose], indent=2) + "\n"
    if banks:
        yield "flux account list-banks", table(banks)
        yield "flux account list-banks --fields", table([{k: b[k] for k in ("bank", "shares", "job_usage")} for b in banks])
        yield "flux account view-bank", json.dumps([random.choice(banks)], indent=2) + "\n"
    if factors:
        yield "flux account list-factors", table(factors)


def told_in_doubt(stderr, numbers, direct):
    return numbers
