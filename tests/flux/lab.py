#!/usr/bin/env python3
"""The site and its jobs, inside the instance; then our results from its capture, compared with what it prints and does
itself.

Usage: lab.py BIN_DIR WORK SEED [SHAPE]... Users are numbers that no user of this machine has. Shapes: narrow limits of
all kinds, a stopped queue, a drained node; backfill for sched-backfill; a policy of Fluxion (fcfs, easy, hybrid,
conservative) for Fluxion, if it is installed, as the scheduler instead of sched-simple (run.sh).
"""
import base64
import json
import os
import random
import statistics
import subprocess
import sys
import time

import flux
import flux.job

BIN, WORK, SEED, SHAPES = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
DB = WORK + "/accounting.db"
draw = random.Random(SEED)
failed = 0


def run(*argv, check=True):
    p = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if check and p.returncode:
        sys.exit(f"flux: {' '.join(argv)}: {p.stderr or p.stdout}")
    return p.stdout


def account(*argv):
    return run("flux", "account", *argv)


def tell(what, right, of, extra=""):
    global failed
    failed += right != of
    print(f"flux: {what}: {right} of {of}{extra}")


# ---- the site


def make_site():
    run("flux", "queue", "start", "--all")
    run("flux", "account", "-p", DB, "create-db")
    subprocess.Popen(["flux", "account-service", "-p", DB, "-t"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if subprocess.run(["flux", "account", "list-banks"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            break
        time.sleep(0.1)
    run("flux", "jobtap", "load", "-r", ".priority-default", "mf_priority.so")
    account("add-bank", "root", "1")
    for name, parent in (("a", "root"), ("b", "root"), ("aa", "a"), ("ab", "a")):
        account("add-bank", f"--parent-bank={parent}", name, str(draw.randint(1, 9)), f"--priority={draw.randint(-3, 3)}")
    narrow = "narrow" in SHAPES
    account("add-queue", "batch", "--priority=0", "--max-running-jobs=3", "--max-sched-jobs=4",
            *(("--max-nodes-per-assoc=4", "--max-sched-nodes-per-assoc=4", "--max-sched-cores-per-assoc=16") if narrow else ()))
    account("add-queue", "debug", f"--priority={draw.randint(1, 6)}", "--max-running-jobs=2")
    account("add-queue", "standby", f"--priority={draw.randint(-2, -1)}")
    account("edit-factor", "--factor=bank", "--weight=700")
    users = []
    for k in range(8):
        bank = draw.choice(("aa", "ab", "b"))
        account("add-user", "-u", str(50001 + k), "-i", str(50001 + k), "-B", bank, "--queues=batch,debug,standby", f"--shares={draw.randint(0, 5)}",
                "--max-active-jobs=50", f"--max-running-jobs={draw.choice((1, 2, 5))}",
                *((f"--max-nodes={draw.choice((2, 3, 4))}", f"--max-cores={draw.choice((9, 12, 16))}", f"--max-sched-jobs={draw.choice((1, 2, 3))}")
                  if narrow else ()))
        users.append(50001 + k)
    run("flux", "account-priority-update", "-p", DB)
    return users


# ---- jobs


def sign(uid, payload):
    head = base64.b64encode(f"version\0i1\0userid\0i{uid}\0mechanism\0snone\0".encode()).decode()
    return f"{head}.{base64.b64encode(payload.encode()).decode()}.none"


def submit(uid, *options, urgency=16):
    spec = run("flux", "submit", "--dry-run", *options)
    os.environ["FLUX_HANDLE_USERID"] = str(uid)
    handle = flux.Flux()
    try:
        return int(flux.job.submit(handle, sign(uid, spec), urgency=urgency, pre_signed=True))
    except OSError:
        return None  # refused by a limit
    finally:
        del handle
        del os.environ["FLUX_HANDLE_USERID"]


def lasting(seconds):
    return (f"-t{seconds}s", f"--setattr=system.exec.test.run_duration={seconds - 0.2}s")


def shape():
    return draw.choice((("-N1", "-n8"), ("-N1", "-n4"), ("-N2", "-n2"), ("-n3",), ("-n5",), ("-N1", "-n1"), ("-N3", "-n24"),
                        ("-N1", "-n1", "-g1"), ("-n3", "-g1"), ("-N1", "-n2", "-g1"), ("-N1", "-n1", "--exclusive"), ("-N2", "-n2", "--requires=big"),
                        ("-n2", "--requires=-old"), ("-N1", "-n4", "--requires=big&-old"), ("-N1", "-n2", "--requires=old|hosts:fake1")))


def fill(users):
    """Creates usage of ended jobs, then jobs that fill the nodes, then a queue."""
    for uid in users[:6]:
        submit(uid, "-N1", "-n1", "-t1m", "--setattr=system.exec.test.run_duration=0.3s", "past")
    time.sleep(2)
    run("flux", "account-update-usage", "-p", DB)
    run("flux", "account-update-fshare", "-p", DB)
    run("flux", "account-priority-update", "-p", DB)
    fillers = [submit(users[k], "-N1", "-n8", *lasting(60 + 3 * k), "filler") for k in range(3)]
    for k, filler in enumerate(fillers):
        submit(users[k], "-N1", "-n2", f"--dependency=afterany:{filler}", *lasting(4), "dependent")
    submit(users[3], "-N1", "-n8", "--queue=debug", *lasting(61), "filler")
    for _ in range(24):
        queue = draw.choice(("batch", "batch", "debug", "standby"))
        asked = ("-N1", "-n4") if queue == "debug" else shape()
        submit(draw.choice(users), *asked, f"--queue={queue}", *lasting(draw.randint(3, 9)), "w", urgency=draw.choice((16, 16, 16, 20, 10)))
    submit(users[4], "-N4", "-n4", *lasting(5), "toobig")
    submit(users[5], "-N1", "-n9", *lasting(5), "toowide")
    submit(users[7], "-N1", "-n1", "-g3", *lasting(5), "toomany")
    submit(users[0], "-N2", "-n2", "--requires=old", *lasting(5), "tooold")
    submit(users[1], "-N4", "-n4", "--exclusive", *lasting(5), "toowhole")
    submit(users[6], "-n1", *lasting(5), "held", urgency=0)
    submit(users[6], "-n1", "--begin-time=+75s", *lasting(5), "later")
    submit(users[7], "-n1", "--begin-time=+300000s", *lasting(5), "muchlater")
    for uid in draw.sample(users, 4):  # the last job that they submit ends at once
        gone = submit(uid, "-n1", f"--queue={draw.choice(('batch', 'debug', 'standby'))}", *lasting(5), "gone", urgency=0)
        if gone:
            run("flux", "cancel", str(gone))
    if "stopped" in SHAPES:
        run("flux", "queue", "stop", "-q", "standby")
    if "drained" in SHAPES:
        run("flux", "resource", "drain", "2")


# ---- beside


def ours(tool, *options):
    return json.loads(run(BIN + "/" + tool, "-f", WORK + "/s.jsonl", *options, "--json"))["rows"]


def capture(name):
    run(BIN + "/fs-snap", "capture", "flux", f"--raw={WORK}/{name}", "-o", WORK + "/s.jsonl")
    jobs = json.load(open(f"{WORK}/{name}/flux-jobs_-A_--json.json", encoding="utf-8"))["jobs"]
    return {j["id"]: j for j in jobs}


def compare_tables():
    want = account("view-bank", "root", "-t").rstrip("\n").split("\n")
    got = run(BIN + "/fs-share", "-f", WORK + "/s.jsonl", "--style=flux").rstrip("\n").split("\n")
    tell("lines of view-bank", sum(a == b for a, b in zip(want, got)), max(len(want), len(got)))


def compare_priorities(jobs):
    rows = {r["jobid"]: r for r in ours("fs-prio")}
    given = [j for j in jobs.values() if j["state"] == "SCHED"]
    tell("priorities after an update of them", sum(rows[j["id"]]["priority"] == j["priority"] for j in given), len(given))
    return {i: r["priority"] for i, r in rows.items() if jobs[i]["state"] == "DEPEND"}


def compare_never(rows, jobs):
    want = {i for i, j in jobs.items() if j["name"].startswith("too") and j["state"] in ("SCHED", "DEPEND")}
    got = {r["jobid"] for r in rows if r["verdict"] == "never"}
    tell("jobs that can never start", len(want & got), len(want | got), "".join(f", {jobs[i]['name']} {i}" for i in want ^ got))


def compare_begins(rows, jobs):
    """Compares begin times, in whole seconds."""
    want = {i: int(float(d.split("=")[1])) for i, j in jobs.items() for d in raw_dependencies(i, j) if d.startswith("begin-time=")}
    got = {r["jobid"]: json.loads(run(BIN + "/fs-explain", "-f", WORK + "/s.jsonl", "--json", str(r["jobid"])))["job"]["eligible_time"] for r in rows if r["jobid"] in want}
    tell("begin times", sum(got.get(i) == t for i, t in want.items()), len(want))


def raw_dependencies(i, job):
    """Returns dependencies as in the job-manager: `flux jobs` converts a begin time to a time of day."""
    log = run("flux", "job", "eventlog", str(i), check=False) if job["state"] == "DEPEND" else ""
    return [line.split('description="')[1].rstrip('"') for line in log.split("\n") if " dependency-add " in line]


def compare_stopped(rows, jobs):
    """Every job in a stopped queue or on a drained node waits for that, and has no start."""
    stopped = {i for i, j in jobs.items() if j.get("queue") == "standby" and j["state"] == "SCHED" and j["priority"]}
    told = {r["jobid"] for r in rows if r["reason"] == "queue-stopped" and not (r.get("plan") or {}).get("start_time")}
    tell("jobs of a stopped queue", len(stopped & told), len(stopped | told))


def compare_forecast(rows, jobs):
    """Compares the last forecast for the first 8 jobs of the scheduler. It does not know jobs that will be released;
    these may come before others after the first start."""
    first = min((r["plan"]["start_time"] for r in rows if jobs[r["jobid"]]["state"] == "DEPEND" and (r.get("plan") or {}).get("start_time")), default=1e99)
    line = sorted((r for r in rows if r.get("plan") and r["eligible"]), key=lambda r: (-r["priority"], r["jobid"]))[:8]
    told = [(r["jobid"], r["plan"]["start_time"], jobs[r["jobid"]].get("annotations", {}).get("sched", {}).get("t_estimate")) for r in line]
    both = [(i, a, b) for i, a, b in told if a and b and a < first]
    wrong = "".join(f", {i}: planned {a}, forecast {b:.1f}" for i, a, b in both if abs(a - int(b)) > 1)
    tell("starts as Flux forecast them", len(both) - wrong.count("planned"), len(both), wrong)


def all_jobs():
    return {j["id"]: j for j in json.loads(run("flux", "jobs", "-A", "-a", "--json", "--count=1000"))["jobs"]}


def real_starts(ids, until):
    """Returns what `flux jobs` prints about them after they have run."""
    while time.time() < until:
        jobs = all_jobs()
        if all(jobs[i].get("t_run") or jobs[i]["state"] == "INACTIVE" for i in ids):
            break
        time.sleep(1)
    return {i: jobs[i].get("t_run") for i in ids}, jobs


def compare_starts(rows):
    planned = {r["jobid"]: r["plan"]["start_time"] for r in rows if (r.get("plan") or {}).get("start_time") and r["plan"]["state"] != "not before" and r["plan"]["start_time"] < time.time() + 300}
    if not planned:
        sys.exit("flux: nothing waits")
    real, jobs = real_starts(planned, max(planned.values()) + 30)
    errors = [abs(real[i] - planned[i]) for i in planned if real[i]]
    near = sum(e <= 5 for e in errors)
    print(f"flux: {near} of {len(planned)} real starts within 5 s of the plan, median {statistics.median(errors):.1f} s"
          if errors else "flux: none started")
    for far, i in sorted(((abs(real[i] - planned[i]), i) for i in planned if real[i]), reverse=True)[:3]:
        print(f"flux:   {i} planned {planned[i]}, started {real[i]:.1f}, {far:.1f} s off")
    order = sorted((i for i in planned if real[i]), key=lambda i: (planned[i], i))
    pairs = [(a, b) for k, a in enumerate(order) for b in order[k + 1:] if planned[a] < planned[b]]
    print(f"flux: {sum(real[a] <= real[b] + 0.5 for a, b in pairs)} of {len(pairs)} pairs start in the plan's order")
    return jobs


def compare_predictions(predicted, jobs):
    """Compares the first priority of a job after its dependency was met; no job was submitted since."""
    right = of = 0
    for i, want in predicted.items():
        for _ in range(30):
            if jobs[i].get("t_priority") or jobs[i]["state"] == "INACTIVE":
                break
            time.sleep(1)
            jobs = all_jobs()
        log = run("flux", "job", "eventlog", str(i), check=False)
        given = [line for line in log.split("\n") if " priority priority=" in line]
        if given and want is not None:
            of += 1
            right += int(given[0].rsplit("=", 1)[1]) == want
    tell("priorities foretold of dependent jobs", right, of)


def main():
    users = make_site()
    fill(users)
    run("flux", "account-priority-update", "-p", DB)
    time.sleep(1)
    jobs = capture("in")
    print(f"flux: seed {SEED}: {len(jobs)} jobs, {sum(j['state'] == 'DEPEND' for j in jobs.values())} of them dependent")
    compare_tables()
    predicted = compare_priorities(jobs)
    rows = [r for r in ours("fs-showq", "--plan") if r["state"] == "PENDING"]
    compare_never(rows, jobs)
    compare_begins(rows, jobs)
    if "stopped" in SHAPES:
        compare_stopped(rows, jobs)
    compare_forecast(rows, jobs)
    jobs = compare_starts(rows)
    compare_predictions(predicted, jobs)
    sys.exit(1 if failed else 0)


main()
