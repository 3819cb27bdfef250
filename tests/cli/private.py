"""private.py BIN DEMO: what a user may not see is given other names, and nothing that any command prints to him changes.
Under PrivateData=jobs those are the names of others' jobs and the numbers of those that have ended; under all four flags
the names of the users as well."""
import json, os, subprocess, sys, tempfile

bin_dir, demo = os.path.abspath(sys.argv[1]), sys.argv[2]
env = {"PATH": bin_dir + ":/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
records = [json.loads(line) for line in open(demo)]
VIEWERS = ["anna", "head_of_physics", "nobody"]
FLAGS = [["jobs"], ["accounts", "jobs", "usage", "users"]]
bad = runs = 0


def known():
    return sorted({r["user"] for r in records if r["type"] == "association" and r.get("user")})


def renamed(flags, viewer):
    """All names of others, in the same order as before."""
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
    for j in own[:4]:
        c += [["fs-explain", j], ["fs-explain", j, "--json"], ["fs-explain", j, "--ahead"], ["fs-showq", "--start=" + j]]
    for edit in ["scontrol hold " + j for j in own[:1]] + ["sacctmgr modify account physics set fairshare=3"]:
        for o in (["fs-prio", "-l"], ["fs-prio", "--json"], ["fs-showq", "--plan"], ["fs-share", "-a", "--json"], ["fs-diff"],
                  ["fs-diff", "--json"]):
            c.append(o + ["--if", edit])
    for j in [j for j in jobs if j not in own][:4]:
        c += [["fs-explain", j], ["fs-explain", j, "--json"], ["fs-showq", "--start=" + j], ["fs-prio", "-j", j]]
        c += [["fs-explain", o, "--versus", j] for o in own[:1]]
    return c


with tempfile.TemporaryDirectory() as tmp:
    one, two = (os.path.join(tmp, d, "s.jsonl") for d in ("a", "b"))
    for d in ("a", "b"):
        os.mkdir(os.path.join(tmp, d))
    for flags in FLAGS:
        plain = [dict(r, PrivateData=flags) if r["type"] == "config" else r for r in records]
        write(one, plain)
        for viewer in VIEWERS:
            if viewer == "root" or any(r["type"] == "user" and r.get("name") == viewer and r.get("admin", "none") != "none"
                                       for r in records):
                continue
            write(two, renamed(flags, viewer))
            for c in commands(viewer):
                seen = []
                for d in ("a", "b"):
                    r = subprocess.run(c + ["-f", "s.jsonl", "--as", viewer], cwd=os.path.join(tmp, d), env=env,
                                       capture_output=True)
                    seen.append((r.returncode, r.stdout, r.stderr))
                runs += 1
                if seen[0] != seen[1]:
                    bad += 1
                    pairs = zip(*[(s[1] + s[2]).split(b"\n") for s in seen])
                    line = next((p for p in pairs if p[0] != p[1]), ("", ""))
                    print("PrivateData=%s, %s: %s: %s | %s" % (",".join(flags), viewer, " ".join(c), *line))
print("%d commands before and after, %d of them told the difference" % (runs, bad))
sys.exit(bad > 0)
