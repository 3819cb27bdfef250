"""private.py BIN DEMO: renames everything that a user may not see, and checks that no command's output for this user
changes. Under PrivateData=jobs, jobs of others get other names, and their ended jobs other ids; under all four flags,
users get other names as well. Commands of hidden_names.tsv must not show that a hidden name exists."""
import json, os, shlex, shutil, subprocess, sys, tarfile, tempfile

bin_dir, demo = os.path.abspath(sys.argv[1]), sys.argv[2]
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
records = [json.loads(line) for line in open(demo)]
VIEWERS = ["anna", "head_of_physics", "nobody"]
FLAGS = [["jobs"], ["accounts", "jobs", "usage", "users"]]
bad = runs = 0


def known():
    return sorted({r["user"] for r in records if r["type"] == "association" and r.get("user")})


def renamed(flags, viewer):
    """Returns the records with all hidden names replaced. The order of the names stays the same."""
    coordinated = {a for r in records if r["type"] == "user" and r.get("name") == viewer for a in r.get("coordinates", [])}
    open_to = {r.get("user") for r in records if r["type"] in ("association", "job", "usage") and r.get("account") in coordinated}
    users = {u: u + "-x" for u in known() if u not in (viewer, "root") and u not in open_to} if "users" in flags else {}
    out = []
    for r in records:
        r = json.loads(json.dumps(r))
        if r["type"] == "config":
            r["PrivateData"] = flags
        if r["type"] in ("job", "usage") and r.get("user") != viewer and r.get("account") not in coordinated:
            for key in ("name", "comment", "admin_comment", "workdir"):
                if key in r:
                    r[key] = r[key] + "-x"
            if r["type"] == "usage" and "job" in r:
                r["job"] += 10000000
        for key in ("user", "name") if r["type"] == "user" else ("user",):
            if r.get(key) in users:
                r[key] = users[r[key]]
        out.append(r)
    return out


def write(path, rows):
    with open(path, "w") as f:
        for r in rows:
            print(json.dumps(r), file=f)


def commands(viewer):
    jobs = [str(r["id"]) for r in records if r["type"] == "job"]
    own = [str(r["id"]) for r in records if r["type"] == "job" and r.get("user") == viewer]
    c = [["fs-share"], ["fs-share", "-a", "-l"], ["fs-share", "-a", "--json"], ["fs-share", "-a", "--json=slurm"],
         ["fs-share", "--spent"], ["fs-share", "--spent", "--json"], ["fs-share", "--grants"], ["fs-share", "-a", "--usage=compare"],
         ["fs-prio", "-l"], ["fs-prio", "--json"], ["fs-showq"], ["fs-showq", "-l", "--why"], ["fs-showq", "--json"],
         ["fs-showq", "--plan"], ["fs-showq", "--plan", "--json"], ["fs-showq", "--style=tacc", "-l"],
         ["fs-top", "--once", "--size", "160x40"], ["fs-explain", "--user", viewer], ["fs-explain", "--user", viewer, "--json"]]
    c += [["fs-share", "-a", *o.split()] for o in ("--ranges", "--ranges --json", "--bill=cpu=4,mem=8G", "--yaml", "--openmetrics", "--jsonl",
                                          "--forecast", "-U", "-m", "--spent=physics", "--usage=computed")]
    c += [["fs-share", "--history=h"], ["fs-share", "--history=h", "-a"], ["fs-share", "--history=h", "-a", "--csv"], ["fs-share", "--history=h", "-a", "--plot"],
          ["fs-share", "--history=h", "-a", "--json"], ["fs-prio", "--history=h", "-j", ",".join(jobs[:8])],
          ["fs-prio", "--history=h", "-j", ",".join(jobs[:8]), "--json"], ["fs-prio", "--history=h", "-j", ",".join(jobs[:8]), "--csv"],
          ["fs-prio", "--weights-report"], ["fs-prio", "--weights-report", "--json"], ["fs-prio", "--openmetrics"], ["fs-prio", "--jsonl"],
          ["fs-prio", "-n"], ["fs-showq", "--openmetrics"], ["fs-showq", "--jsonl"], ["fs-showq", "--why", "--json"],
          ["fs-share", "-a", "--ranges", "--svg=-"], ["fs-prio", "--svg=-"], ["fs-showq", "--plan", "--svg=-"],
          ["fs-diff", "s.jsonl", "later.jsonl"], ["fs-diff", "s.jsonl", "later.jsonl", "--json"],
          ["fs-diff", "s.jsonl", "later.jsonl", "--markdown"], ["fs-explain", "--user", viewer, "--forecast"],
          ["fs-explain", "--user", viewer, "--forecast", "--json"], ["fs-explain", "--account", "physics", "--forecast"],
          ["fs-explain", "--account", "physics"], ["fs-explain", "--account", "physics", "--json"]]
    for o in ([], ["--json"], ["--csv"]) if own else []:
        c.append(["fs-prio", "--history=h", "-j", ",".join(own[:3]), *o])
    c += [["fs-tools", "--complete", k] for k in ("jobs", "users", "accounts", "partitions", "qos")]
    c += [["fs-share", "-A", "physics", "-u", viewer, "--solve", "shares factor=0.5"], ["fs-diff", "--at=+1h"],
          ["fs-diff", "--at=+1h", "--json"], ["fs-explain", "--me"], ["fs-explain", "--me", "--json"],
          ["fs-share", "-a", "--usage=compare", "--json"], ["fs-prio", "-w"], ["fs-prio", "-v", "-P"]]
    past = [str(r["job"]) for r in records if r["type"] == "usage" and r.get("user") == viewer and "job" in r]
    for j in past[:2]:
        c += [["fs-explain", j], ["fs-explain", j, "--json"], ["fs-explain", j, "--brief"]]
    for j in own[:2]:
        c += [["fs-explain", j, o] for o in ("--advise", "--forecast", "--brief", "--markdown", "--html=-", "--verbose")]
        c += [["fs-explain", j, "--forecast", "--svg=-"], ["fs-explain", j, "--advise", "--json"], ["fs-explain", j, "--ahead", "--json"],
              ["fs-explain", j, "--forecast", "--json"], ["fs-showq", "--start=" + j, "--json"], ["fs-showq", "--start=" + j, "--svg=-"],
              ["fs-diff", "s.jsonl", "later.jsonl", "--job=" + j]]
    for j in own[:4]:
        c += [["fs-explain", j], ["fs-explain", j, "--json"], ["fs-explain", j, "--ahead"], ["fs-showq", "--start=" + j]]
        c.append(["fs-snap", "ticket", j, "s.jsonl", "-o", "t.tar"])
    for edit in ["scontrol hold " + j for j in own[:1]] + ["sacctmgr modify account physics set fairshare=3"]:
        for o in (["fs-prio", "-l"], ["fs-prio", "--json"], ["fs-showq", "--plan"], ["fs-share", "-a", "--json"], ["fs-diff"],
                  ["fs-diff", "--json"]):
            c.append(o + ["--if", edit])
    for j in [j for j in jobs if j not in own][:4]:
        c += [["fs-explain", j], ["fs-explain", j, "--json"], ["fs-showq", "--start=" + j], ["fs-prio", "-j", j]]
        c += [["fs-explain", o, "--versus", j] for o in own[:1]]
    return c


def states(folder, rows):
    """Writes the snapshot, the same one hour later, and a history of both."""
    write(folder + "/s.jsonl", rows)
    write(folder + "/later.jsonl", [dict(r, time=r["time"] + 3600, priority_time=r["priority_time"] + 3600) if r["type"] == "snapshot" else r for r in rows])
    shutil.rmtree(folder + "/h", ignore_errors=True)
    for f in ("s.jsonl", "later.jsonl"):
        subprocess.run(["fs-snap", "keep", "h", f], cwd=folder, env=env, check=True, capture_output=True)


def look(folder, c, viewer):
    """Returns the status and the output of a command. The output of a ticket, which is for the job's owner, includes its
    files, except for the snapshot."""
    own_files = c[0] == "fs-snap" or (c[0] == "fs-diff" and "later.jsonl" in c) or any(w.startswith("--history") for w in c)
    eyes = [] if c[0] == "fs-snap" else ["--as", viewer]
    who = dict(env, FS_USER=viewer) if c[0] == "fs-tools" else env  # fs-tools --complete reads no option except -f
    r = subprocess.run(c + ([] if own_files else ["-f", "s.jsonl"]) + eyes, cwd=folder, env=who, capture_output=True)
    out = r.stdout
    if c[0] == "fs-snap":
        with tarfile.open(folder + "/t.tar") as t:
            out += b"".join(b"%s\n%s\n" % (m.name.encode(), t.extractfile(m).read()) for m in t if m.isfile() and not m.name.endswith(".jsonl"))
    return r.returncode, out, r.stderr


# names that anna may not see under all flags, and as many names that the snapshot does not have
HIDDEN = {"job": ["812308", "812059", "812233"], "user": ["tutor"], "account": ["teaching"]}
MISSING = {"job": ["899999", "899998", "899997"], "user": ["nobod"], "account": ["nosuchac"]}


def hidden_name_differs(folder, command, k):
    """Returns the lines that differ if the command names something hidden instead of something missing."""
    own = next(str(r["id"]) for r in records if r["type"] == "job" and r.get("user") == "anna" and r["state"] == "PENDING")
    outputs = []
    for names in (HIDDEN, MISSING):
        words = {key: found[k % len(found)] for key, found in names.items()}
        c = [w.replace("{own}", own) for w in command]
        for key, name in words.items():
            c = [w.replace("{%s}" % key, name) for w in c]
        status, out, err = look(folder, c, "anna")
        for key, name in words.items():
            out, err = (text.replace(name.encode(), b"NAME") for text in (out, err))
        outputs.append(b"%d\n" % status + out + err)
    return next((p for p in zip(*[o.split(b"\n") for o in outputs]) if p[0] != p[1]), outputs[0] != outputs[1])


def check_hidden_names(folder):
    global bad, runs
    with open(os.path.join(os.path.dirname(sys.argv[0]), "hidden_names.tsv")) as f:
        table = [shlex.split(line) for line in f if not line.startswith("#")]
    states(folder, [dict(r, PrivateData=FLAGS[1]) if r["type"] == "config" else r for r in records])
    for command in table:
        for k in range(3 if "{job}" in " ".join(command) else 1):
            runs += 1
            difference = hidden_name_differs(folder, command, k)
            if difference:
                bad += 1
                print("hidden %s: %s: %s" % (HIDDEN["job"][k], " ".join(command), difference))


used = {}
with tempfile.TemporaryDirectory() as tmp:
    one, two = (os.path.join(tmp, d) for d in ("a", "b"))
    for d in (one, two):
        os.mkdir(d)
    for flags in FLAGS:
        states(one, [dict(r, PrivateData=flags) if r["type"] == "config" else r for r in records])
        for viewer in VIEWERS:
            if viewer == "root" or any(r["type"] == "user" and r.get("name") == viewer and r.get("admin", "none") != "none"
                                       for r in records):
                continue
            states(two, renamed(flags, viewer))
            for c in commands(viewer):
                seen = [look(d, c, viewer) for d in (one, two)]
                used.setdefault(c[0] + " " + " ".join(w for w in c[1:] if w.startswith("--")), set()).update(s[0] for s in seen)
                runs += 1
                if seen[0] != seen[1]:
                    bad += 1
                    pairs = zip(*[(s[1] + s[2]).split(b"\n") for s in seen])
                    line = next((p for p in pairs if p[0] != p[1]), ("", ""))
                    print("PrivateData=%s, %s: %s: %s | %s" % (",".join(flags), viewer, " ".join(c), *line))
    check_hidden_names(one)
for c, statuses in sorted(used.items()):
    if statuses == {2}:
        bad += 1
        print("never runs: %s" % c)
print("%d commands before and after, %d of them told the difference" % (runs, bad))
sys.exit(bad > 0)
