"""json_pairs.py BIN: every option and every two options of each command beside --json. What is printed is JSON and the status
0 or 4, or nothing is printed, standard error says why, and the status is 1, 2 or 4. No other file is written beside it."""
import itertools, json, os, re, subprocess, sys, tempfile

env = {"PATH": sys.argv[1] + ":/usr/bin:/bin", "LC_ALL": "C", "FS_USER": "root", "HOME": "/nonexistent"}
VALUES = {"accounts": "quantum", "users": "dana", "subtree": "quantum", "sort": "user", "kind": "user", "cluster": "odyssey",
          "at": "+1h", "decay": "exact", "decay-runs": "1795190000", "bill": "cpu=1", "jobs": "812154", "user": "dana",
          "partition": "gpu", "state": "PENDING", "of-user": "dana", "queue": "gpu", "start": "812154", "versus": "812160",
          "color": "never", "usage": "recorded"}
# where the snapshot comes from, other documents, and what is no document at all
OTHERS = {"file", "demo", "fresh", "as", "if", "algorithm", "position", "style", "maui-dialect", "compat", "version", "help",
          "helpformat", "json", "jsonl", "yaml", "history", "csv", "plot", "text", "format", "config"}
AFTER = {"fs-explain": ["812154"], "fs-diff": ["--if", "scontrol update job 812154 Nice=5"]}
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


with tempfile.TemporaryDirectory() as folder:
    VALUES["svg"] = os.path.join(folder, "x.svg")
    for c in ("fs-share", "fs-prio", "fs-showq", "fs-explain", "fs-diff"):
        text = subprocess.run([c, "--help"], capture_output=True, env=env, text=True).stdout
        options = {}
        for name, value in re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)(\[?=\S+)?", text, re.M):
            wants = value and (not value.startswith("[") or name == "usage")
            if name not in OTHERS and (not wants or name in VALUES):
                options[name] = "--%s=%s" % (name, VALUES[name]) if wants else "--" + name
        for two in itertools.chain(itertools.combinations(options, 1), itertools.combinations(options, 2)):
            command = [c, "--demo", "--json"] + AFTER.get(c, []) + [options[o] for o in two]
            runs += 1
            if not honours(command) or os.listdir(folder):
                bad += 1
                print("not JSON alone: %s" % " ".join(command))
                for f in os.listdir(folder):
                    os.unlink(os.path.join(folder, f))
assert runs > 500, runs
print("%d command lines with --json, %d of them without its document" % (runs, bad))
sys.exit(bad > 0)
