"""json_pairs.py BIN FLUX MAUI: runs each command with --json and every option, a sample of combinations of two and three
options, and, on the demo, every pair of options. Either standard output is JSON and the status 0 or 4, or standard output
is empty, standard error has a message, and the status is 1, 2 or 4. No other file is written."""
import itertools, json, os, re, subprocess, sys, tempfile

env = {"PATH": sys.argv[1] + ":/usr/bin:/bin", "LC_ALL": "C", "FS_USER": "root", "HOME": "/nonexistent"}
VALUES = {"accounts": "quantum", "users": "dana", "subtree": "quantum", "sort": "user", "kind": "user", "cluster": "odyssey",
          "at": "+1h", "decay": "exact", "decay-runs": "1795190000", "bill": "cpu=1", "jobs": "812154", "user": "dana",
          "partition": "gpu", "state": "PENDING", "of-user": "dana", "queue": "gpu", "start": "812154", "versus": "812160",
          "color": "never", "usage": "recorded"}
# options that choose the snapshot, another document, or no document
OTHERS = {"file", "demo", "fresh", "as", "if", "algorithm", "position", "style", "compat", "version", "help",
          "helpformat", "json", "jsonl", "yaml", "history", "csv", "plot", "text", "format", "config"}
SPREAD = 29  # one in SPREAD combinations of two and three options runs
SITES = {  # job, another job, user, account, queue, command of --if
    "demo": ("812154", "812160", "dana", "quantum", "gpu", "scontrol update job 812154 Nice=5"),
    "flux": ("f6a5ANsq", "f6a3gPbV", "dora", "phys", "batch", "flux job urgency f6a5ANsq 20"),
    "maui": ("402", "401", "bob", "user", "batch", "setspri 5 402"),
}
runs = bad = 0


def honours(command):
    r = subprocess.run(command, capture_output=True, env=env)
    if not r.stdout:
        return r.returncode in (1, 2, 4) and bool(r.stderr)
    try:
        json.loads(r.stdout)
    except ValueError:
        return False
    return r.returncode in (0, 4)


def at_site(values, site):
    job, other, user, account, queue, _ = SITES[site]
    own = {"accounts": account, "subtree": account, "users": user, "user": user, "of-user": user, "jobs": job, "start": job,
           "versus": other, "partition": queue, "queue": queue}
    return {**values, **own}


def combinations(options, site):
    several = [c for n in (2, 3) for c in itertools.combinations(options, n)]
    pairs = [c for c in several if len(c) == 2] if site == "demo" else []
    return [(o,) for o in options] + pairs + several[::SPREAD]


snapshots = {"demo": ["--demo"], "flux": ["-f", sys.argv[2]], "maui": ["-f", sys.argv[3]]}
with tempfile.TemporaryDirectory() as folder:
    for site, c in itertools.product(snapshots, ("fs-share", "fs-prio", "fs-showq", "fs-explain", "fs-diff")):
        values = at_site(dict(VALUES, svg=os.path.join(folder, "x.svg")), site)
        after = {"fs-explain": [SITES[site][0]], "fs-diff": ["--if", SITES[site][5]]}.get(c, [])
        text = subprocess.run([c, "--help"], capture_output=True, env=env, text=True).stdout
        options = {}
        for name, value in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)(\[?=\S+)?", text, re.M):
            wants = value and (not value.startswith("[") or name == "usage")
            if name not in OTHERS and (not wants or name in values):
                options[name] = "--%s=%s" % (name, values[name]) if wants else "--" + name
        for some in combinations(options, site):
            command = [c, "--json"] + snapshots[site] + after + [options[o] for o in some]
            runs += 1
            if not honours(command) or os.listdir(folder):
                bad += 1
                print("not JSON alone: %s" % " ".join(command))
                for f in os.listdir(folder):
                    os.unlink(os.path.join(folder, f))
assert runs > 1200, runs
print("%d command lines with --json, %d of them without its document" % (runs, bad))
sys.exit(bad > 0)
