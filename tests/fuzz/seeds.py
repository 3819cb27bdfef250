"""seeds.py TOP OUT: inputs for the fuzz targets in OUT/TARGET/: the small ones of tests/fuzz/seeds, captures of
tests/cases with shortened tables, snapshots made from them, and inputs of the tests: commands, edits, formats, keys,
times."""
import gzip, json, os, re, sys, tarfile

top, out = sys.argv[1:3]
SLURM = """slurm/22.05-s1-fairtree slurm/22.05-s2-classic-damp1 slurm/22.05-s2-depth-damp1 slurm/22.05-s3-base slurm/22.05-s3-basic
 slurm/22.05-s3-favorsmall slurm/22.05-s4-hl5 slurm/22.05-s6-private slurm/23.02-s10-accrue slurm/24.11-s12-multiqos slurm/24.11-s14-qos-tried
 slurm/24.11-s3-base slurm/24.11-s4-maxtres slurm/24.11-s9-backfill-60 slurm/26.11-s2-classic-damp5 slurm/26.11-s2-depth-first-cycle
 slurm/26.11-s3-base slurm/26.11-s4-maxtres slurm/26.11-s7-ties plan/24.11-reservation plan/22.05-plain-site
 plan/22.05-gpu-mixed plan/24.11-shared-rows plan/22.05-reserved-cores plan/22.05-quotas-by-node plan/26.05-kept-for-users
 plan/22.05-linear
 limits/22.05-limits
 living/v1pA living/hyper-u5 showq/T3-tacc-maint showq/H3-harvard-conf""".split()
MAUI = ["maui/maui-3.5", "maui/living", "maui-plan/limits"]
FLUX = ["flux/sample", "flux/tree", "flux/range", "flux/living"]
# Inputs that no capture has, derived from a similar one.
OTHERS = {"plan/22.05-plain-site": (("linear", rb"select/cons_tres", rb"select/linear"), ("shared", rb"OverSubscribe=NO", rb"OverSubscribe=FORCE:2")),
          "limits/22.05-limits": (("gang", rb"PreemptMode( *)= *\w+", rb"PreemptMode\1= GANG,SUSPEND"),)}
KEEP = {"scontrol_job_o.txt": 14, "squeue_O.txt": 15, "sprio.txt": 15, "sacct.txt": 20, "scontrol_node_o.txt": 8, "usage": 40,
        "scontrol_assoc_mgr_o.txt": 60}
UNREAD = re.compile(r"scontrol_job_d|cmds.tsv|NOTE$|sacctmgr_account.txt|sacctmgr_qos.txt|scontrol_.*json|sacctmgr.*json|squeue.json|"
                    r"^meta|sacctmgr_event|export-db|list-users.txt|date_end|slurm.conf|\.tsv$")


def put(target, name, data):
    folder = os.path.join(out, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def files_of(case):
    """Folder -> {name: bytes} of the captures in an archive; a capture is a folder `in`, or else the top one."""
    found, whole = {}, {}
    with tarfile.open(os.path.join(top, "tests/cases", case + ".tar.xz")) as t:
        for m in t:
            if not m.isfile():
                continue
            where, inside, name = m.name.partition("/in/")
            if inside:
                found.setdefault(where, {})[name] = t.extractfile(m).read()
            elif m.name.endswith("/truth/assoc_usage.txt"):
                found.setdefault(m.name[: -len("/truth/assoc_usage.txt")], {})["usage"] = t.extractfile(m).read()
            else:
                where, _, name = m.name.rpartition("/")
                whole.setdefault(where, {})[name] = t.extractfile(m).read()
    return found or whole


def some(lines, most):
    """Returns the first ones, and one of the other jobs for each state and reason."""
    kept, seen = lines[:most], set()
    for line in lines[most:]:
        m = re.search(rb"JobState=(\S+) Reason=(\S+)", line)
        if m and m.groups() not in seen and len(seen) < 20:
            seen.add(m.groups())
            kept.append(line)
    return kept


def text_of(files, keep=True):
    parts = []
    for name, data in sorted(files.items()):
        if UNREAD.search(name) or len(data) > 90000 and name not in KEEP:
            continue
        if name.endswith(".gz"):
            name, data = name[:-3], gzip.decompress(data)
            if name.endswith("sshare_a.json") and data:
                data = json.dumps(json.loads(data), separators=(",", ":")).encode()
            if len(data) > 40000:
                continue
        lines = data.split(b"\n")
        if keep and os.path.basename(name) in KEEP:
            lines = some(lines, KEEP[os.path.basename(name)]) + [b""]
        parts.append(b"@@" + name.encode() + b"\n" + b"\n".join(lines).rstrip(b"\n") + b"\n")
    return b"".join(parts)


def captures():
    for cases, kind, most in ((SLURM, "slurm", 2), (MAUI, "maui", 12), (FLUX, "flux", 14)):
        for case in cases:
            for i, (where, files) in enumerate(sorted(files_of(case).items())[: most]):
                text = text_of(files)
                put(kind, "%s-%d" % (case.replace("/", "-"), i), text)
                for name, was, becomes in OTHERS.get(case, ()):
                    put(kind, "%s-%d-%s" % (case.replace("/", "-"), i, name), re.sub(was, becomes, text))
                if "tree.json" in files:
                    put(kind, "%s-%d-tree" % (case.replace("/", "-"), i), files["tree.json"])


def folded(text):
    """Returns the lines of scontrol -o, one key per line."""
    return "\n".join(re.sub(r" (?=[A-Za-z][A-Za-z0-9:/._()-]*=)", "\n   ", line) + "\n" for line in text.splitlines())


def pastes():
    """Returns a capture as shown by a terminal: commands after prompts, quoted or cut."""
    shown = (("scontrol show config", "scontrol_config.txt", 400, False), ("scontrol show partition", "scontrol_partition_o.txt", 3, True),
             ("scontrol show node", "scontrol_node_o.txt", 3, True), ("scontrol show job", "scontrol_job_o.txt", 5, True),
             ("scontrol -o show job", "scontrol_job_o.txt", 5, False), ("sacctmgr -P show qos", "sacctmgr_qos_all.txt", 6, False),
             ("sacctmgr -P show assoc", "sacctmgr_assoc.txt", 20, False), ("sdiag", "sdiag.txt", 60, False),
             ("sshare -alP", "sshare.txt", 20, False), ("sprio", "sprio.txt", 6, False),
             ("scontrol show assoc_mgr", "scontrol_assoc_mgr_o.txt", 30, False))
    for case in SLURM[::3]:
        for where, files in sorted(files_of(case).items())[:1]:
            parts = []
            for command, name, most, fold in shown:
                lines = "\n".join(files.get(name, b"").decode("utf-8", "replace").split("\n")[:most])
                parts.append("[u@login ~]$ %s\n%s\n" % (command, folded(lines) if fold else lines))
            text = "".join(parts)
            put("paste", case.replace("/", "-"), text)
            put("paste", case.replace("/", "-") + "-quoted", "".join("> %s\n" % line[:100] for line in text[:20000].split("\n")))
    with open(os.path.join(top, "tests/fuzz/seeds/paste-tables.txt")) as f:
        put("paste", "tables", f.read())
    other_pastes()


def other_pastes():
    """Returns the output of Flux's and Maui's own commands."""
    with tarfile.open(os.path.join(top, "tests/text/pages.tar.xz")) as t:
        pages = {m.name: t.extractfile(m).read().decode("utf-8") for m in t.getmembers() if m.isfile()}
    for kind, archive, case in (("flux", "flux/living", "main"), ("maui", "maui/living", "m07_limits_45")):
        with tarfile.open(os.path.join(top, "tests/cases", archive + ".tar.xz")) as t:
            for m in t.getmembers():
                name = os.path.basename(m.name)
                if m.isfile() and "/" + case + "/" in "/" + m.name and re.match(r"(diagnose|show|list|view|flux).*\.(txt|json)$", name):
                    pages[case + "/" + name] = t.extractfile(m).read().decode("utf-8", "replace")
        shown = ["$ %s\n%s" % (n.split("/")[1], p[:3000]) for n, p in sorted(pages.items()) if n.startswith(case + "/")]
        for i in range(0, len(shown), 4):
            text = "\n".join(shown[i : i + 4])
            put("paste", "%s-%d" % (kind, i), text)
            put("paste", "%s-%d-cut" % (kind, i), "".join(line[:80] + "\n" for line in text.split("\n")))
            put("paste", "%s-%d-folded" % (kind, i), "".join(line[k : k + 80] + "\n" for line in text.split("\n") for k in range(0, max(len(line), 1), 80)))


def short(path, jobs=8):
    """Returns a snapshot with few jobs of each state and no counts of records."""
    kept, seen = [], {}
    with open(os.path.join(top, path)) as f:
        for line in f:
            r = json.loads(line)
            kind = r["type"], r.get("state") if r["type"] == "job" else None
            seen[kind] = seen.get(kind, 0) + 1
            r.pop("records", None)
            if seen[kind] <= (jobs if r["type"] in ("job", "usage") else 60):
                kept.append(json.dumps(r, separators=(",", ":"), ensure_ascii=False))
    return "\n".join(kept) + "\n"


def first(snapshot, kind, key, state=None):
    for line in snapshot.splitlines():
        r = json.loads(line)
        if r["type"] == kind and r.get(key) and (not state or r.get("state") == state):
            return str(r[key])
    return "none"


def account_of(snapshot):
    """Returns the account of the first user."""
    for line in snapshot.splitlines():
        r = json.loads(line)
        if r["type"] == "association" and r.get("user") and r.get("account"):
            return str(r["account"])
    return "none"


def last(snapshot, kind, key):
    return first("\n".join(reversed(snapshot.splitlines())), kind, key)


COMMANDS = """fs-share -a
fs-share -al -m
fs-share -aP -o Account%40,User%-5,Cluster,GrpTRESRaw%80,GrpTRESMins%100,TRESRunMins%100
fs-share -a --json
fs-share -a --json=slurm
fs-share -a --yaml
fs-share -a --ranges
fs-share --grants
fs-share --spent
fs-share --bill cpu=1,mem=2G
fs-share -a --usage=compare
fs-share -a --usage=computed --decay=instant
fs-share -a --algorithm=classic
fs-share -a --algorithm=maui
fs-share -a --sort=-FairShare,User
fs-share --position=after
fs-prio -l
fs-prio -w
fs-prio -n
fs-prio --json
fs-prio -S -Y,u
fs-prio -j JOB -v -P
fs-prio -o %i|%.20u|%y|%20T
fs-showq
fs-showq -l -b
fs-showq -i
fs-showq -r -v
fs-showq --why
fs-showq --plan
fs-showq --plan --json
fs-showq --start JOB
fs-showq --style=tacc -l
fs-showq --style=fasrc
fs-showq --json
fs-showq -U USER
fs-showq --as USER
fs-explain JOB
fs-explain JOB --json
fs-explain JOB --markdown
fs-explain JOB --ahead
fs-explain JOB --advise
fs-explain JOB --brief
fs-explain JOB --advise --json
fs-explain --me
fs-explain ReqNodeNotAvail
fs-explain JOB --forecast
fs-explain JOB --forecast --json
fs-explain USER --forecast=+2d
fs-explain ACCOUNT --forecast
fs-prio --weights-report
fs-prio --weights-report --json --if EDIT
fs-showq --start JOB --json
fs-explain JOB --brief --json
fs-share -a --openmetrics
fs-prio --openmetrics
fs-showq --openmetrics
fs-showq --jsonl
fs-snap anonymise snapshot
fs-explain JOB --versus OTHER
fs-explain --user USER
fs-explain --account ACCOUNT --json
fs-explain JOB --verbose
fs-diff snapshot other
fs-diff snapshot other --json
fs-diff snapshot other --shares
fs-diff snapshot other --algorithm=classic --json
fs-diff --if RANKS --algorithm=classic --user USER
fs-top --once --size 120x30
fs-snap check snapshot
fs-snap verify snapshot
fs-share -a --at 2026-11-22T12:00
fs-share -a --if EDIT
fs-prio -l --if EDIT
fs-showq --plan --if EDIT
fs-diff --if EDIT
fs-explain JOB --html=x.html
fs-showq --plan --svg=x.svg
fs-showq --start JOB --svg=x.svg
fs-prio --svg=x.svg
fs-share -a --ranges --svg=x.svg
fs-diff --if RANKS
fs-diff --if RANKS --json
fs-diff --if RANKS --user USER
fs-diff --if EDIT --markdown
fs-showq --plan --if RANKS
fs-snap ticket JOB -o t.tar
fs-explain ACCOUNT --forecast --json
sshare -alm
sprio -l
showq
fs-tools --help
fs-explain --help""".split("\n")
EDITS = """scontrol hold JOB
scontrol uhold JOB
scontrol release JOB
scontrol update job JOB Priority=700
scontrol update job JOB Nice=-7
scontrol update JobId=JOB Partition=PART
scontrol update JobId=JOB Partition=PART,OTHERPART
scontrol update JobId=JOB Account=ACCOUNT
scontrol update JobId=JOB QOS=QOSNAME
scontrol update job JOB TimeLimit=1-0 Nice=50
scontrol update job JOB NumNodes=3
scontrol update job JOB NumNodes=1-2
scontrol update job JOB NumCPUs=12
scontrol update job JOB NumTasks=6
scontrol update job JOB MinMemoryCPU=2000
scontrol update job JOB MinMemoryNode=8000
scontrol update job JOB Gres=gpu:2
scontrol update job JOB StartTime=now+2hours
scontrol update job JOB StartTime=now
scontrol update job JOB StartTime=2026-12-01T10:00
scontrol update job JOB ResetAccrueTime
scontrol update job JOB Dependency=afterok:OTHER
scontrol update job JOB Features=a
scontrol update job JOB Licenses=x:2
scontrol update job JOB NumNodes=999 TimeLimit=UNLIMITED
scontrol update Switches 1@10:00 wait-for-switch 60 JobId=JOB
scontrol update job JOB CpusPerTres=gres:gpu:2 ReqCores=1 StdErr=x
scontrol update job JOB CPUsPerTask=2 MinCPUsNode=2 NumNodes=2
scontrol update job JOB ArrayTaskThrottle=3 TresPerJob=gres:gpu:2
scontrol update job RUNNING EndTime=now+20minutes Comment=x
scontrol update job RUNNING EndTime=2020-01-01
scontrol update PartitionName=PART JobDefaults=DefCpuPerGPU=2 Exclusive=NODE ReqResv=YES
sacctmgr modify user USER set AdminLevel=Operator DefaultAccount=ACCOUNT
sacctmgr modify account ACCOUNT set Description=x Parent=root
sbatch --gpus=2 --cpus-per-gpu=3 --hint=x -M c job.sh
sbatch --test-only job.sh
scontrol update PartitionName=PART State=DOWN
scontrol update PartitionName=PART PriorityTier=7 PriorityJobFactor=77
scontrol update PartitionName=PART MaxTime=60
scontrol update PartitionName=PART AllowAccounts=ACCOUNT
scontrol update NodeName=NODE State=DRAIN Reason=x
scontrol update NodeName=NODE State=RESUME
scontrol update NodeName=NODE State=DOWN
scancel JOB
scancel JOB OTHER
sacctmgr modify account ACCOUNT set fairshare=30 priority=20
sacctmgr -i modify account ACCOUNT set GrpTRES=cpu=4 GrpJobs=1
sacctmgr modify user USER where account=ACCOUNT set fairshare=parent
sacctmgr modify user USER set MaxJobs=2 MaxWall=60
sacctmgr modify qos QOSNAME set priority=3
sacctmgr modify qos QOSNAME set MaxWall=60 GrpTRESMins=cpu=60
PriorityDecayHalfLife=1-0
PriorityMaxAge=2-0
PriorityWeightTRES=CPU=5,Mem=7
PriorityFavorSmall=YES
PriorityFlags=DEPTH_OBLIVIOUS
PriorityUsageResetPeriod=WEEKLY
SchedulerParameters=bf_window=60,bf_resolution=10
PriorityWeightQOS=77
scontrol top JOB
scontrol top OTHER,JOB
scontrol requeue RUNNING
scontrol requeue hold RUNNING
scontrol update job JOB Features=[a*2&b*1]
scontrol update job JOB Features=(a|b)&c
scontrol update job JOB SubmitTime=now
scancel RUNNING
sbatch job.sh
sbatch -A ACCOUNT -p PART -N 2 -n4 --mem=4G -t 1:00 --array=1-9%2 x.sh
sbatch -p PART -q QOSNAME -n 16 -c 2 --gres=gpu:2 --mem-per-cpu=100 -t 2:00:00 --begin=now+1hour job.sh
sbatch --nodes=1-3 --ntasks-per-node=3 --exclusive --contiguous --constraint=a&b -w NODE --nice=5 --hold
sbatch --gpus-per-node=1 --licenses=x:2 --dependency=afterok:OTHER --deadline=tomorrow --time-min=5 --reservation=r --wrap=x
sbatch -n 4 --exclude NODE --comment=c --job-name=j --output=o --error=e -N2-1""".split("\n")
FLUX_EDITS = """flux job urgency JOB 5
flux job urgency JOB 31
flux job urgency OTHER hold
flux job urgency JOB expedite
flux job urgency RUNNING default
flux update JOB duration=90m
flux update JOB duration=+1.5h queue=PART
flux update RUNNING duration=-90s
flux update JOB attributes.system.duration=infinity name=x
flux update JOB queue=PART bank=ACCOUNT
flux update JOB bank=none
flux cancel JOB
flux cancel RUNNING JOB
flux account edit-bank ACCOUNT --shares=7 --priority 9
flux account edit-user USER --bank=ACCOUNT --shares=9 --max-running-jobs=1 --max-nodes=2
flux account edit-user USER --max-cores=8 --max-active-jobs 3 --max-sched-jobs=2 --queues=PART,OTHERPART
flux account edit-queue PART --priority=70 --max-nodes-per-job=2 --min-nodes-per-job=2 --max-running-jobs=1
flux account edit-queue PART --max-nodes-per-assoc=1 --max-sched-jobs=1
flux account edit-factor --factor=bank --weight=1000
flux account edit-factor --factor fairshare --weight 2
flux account edit-factor --factor=urgency --weight=x""".split("\n")
MAUI_EDITS = """setspri 5 JOB
setspri -r 70 JOB
sethold -u JOB
sethold -a JOB OTHER
sethold -b OTHER
sethold -s JOB
releasehold -a JOB
releasehold -u OTHER JOB
releasehold JOB
canceljob RUNNING
canceljob JOB OTHER
FSWEIGHT 70
USERCFG[USER] FSTARGET=33 PRIORITY=9 MAXJOB=1
GROUPCFG[DEFAULT] MAXPROC=4,9
QUEUETIMEWEIGHT 3
BACKFILLPOLICY BESTFIT
FSPOLICY DEDICATEDPS
NODEALLOCATIONPOLICY MINRESOURCE
RESERVATIONDEPTH 3""".split("\n")
# One after the other.
TOGETHER = ["""scontrol create reservation ReservationName=r Nodes=NODE StartTime=now+2hours Duration=60 Users=USER Flags=OVERLAP,IGNORE_JOBS
scontrol update ReservationName=r StartTime=now+3hours
scontrol update res=r Duration+=60
scontrol update reservation=r Nodes+=NODE
scontrol update ReservationName=r Users+=root Flags+=MAINT
scontrol update job JOB ReservationName=r
scontrol delete ReservationName=r
scontrol update job JOB ReservationName=
scontrol delete res=r""", """scontrol create res StartTime=now+1hour EndTime=now+3hours Accounts=ACCOUNT PartitionName=PART Flags=MAINT,DAILY
scontrol create reservation StartTime=now Duration=60 Users=USER Nodes=NODE
scontrol create reservation StartTime=now Users=USER Nodes=NODE
scontrol create reservation StartTime=now+1hour Duration=5 Nodes=NODE
scontrol create reservation StartTime=now+1hour Duration=5 Users=USER
scontrol create reservation StartTime=now+1hour Duration=5 Users=USER NodeCnt=2
scontrol create reservation StartTime=now+1hour Duration=5 Users=USER Nodes=ALL Flags=MAIN2
scontrol create reservation StartTime=now+1hour Duration=5 Users=-USER Accounts=-ACCOUNT Nodes=ALL Licenses=x:2""",
"""scontrol update PartitionName=PART Nodes-=NODE
scontrol update PartitionName=PART Nodes+=NODE
scontrol update PartitionName=PART Nodes=NODE
scontrol update PartitionName=PART Nodes=-NODE
scontrol update PartitionName=PART Nodes=+NODE
scontrol update PartitionName=PART Nodes=ALL
scontrol update PartitionName=PART Nodes=
scontrol update PartitionName=PART Nodes=none9
scontrol update NodeName=NODE Features=a,b Weight=7""", """sacctmgr modify qos QOSNAME set MaxJobsPU=2 GrpJ=3 MaxTRESPU=cpu=4 MaxSubmitPA=7
sacctmgr modify qos QOSNAME set maxtresrunminspu=cpu=60 grpcpus=9 MaxWall=-1
sacctmgr modify qos QOSNAME set MaxTRESPerNode=cpu=2 MinTRES=cpu=2 Preempt= Flags=DenyOnLimit
sacctmgr modify user USER set maxj=2 maxs=3 grpw=60 MaxTRESMins=cpu=5
sacctmgr modify account ACCOUNT set grpj=1 grptresrunm=cpu=4 DefaultQOS=QOSNAME QosLevel=QOSNAME""", """scontrol suspend RUNNING
scontrol resume RUNNING
scontrol requeue RUNNING
scontrol requeuehold JOB
scontrol top JOB
scontrol top OTHER,JOB
scancel -u USER -t PENDING -p PART
scancel --name=x -A ACCOUNT -q QOSNAME
scancel -w NODE --state=RUNNING""", """scontrol hold ARRAY_5,ARRAY_[6-8]
scontrol update job ARRAY_[1-99] Nice=3
scontrol update job ARRAY_9 TimeLimit=9
scontrol top ARRAY_12
scancel ARRAY_13-19:2
sbatch -n1 --array=1-9%2 x.sh""", """scontrol update job JOB TresPerTask=gres/gpu:1 NumTasks=4
scontrol update job JOB CpusPerTres=gres/gpu:2 MemPerTres=gres/gpu:100
scontrol update job JOB TresPerJob=gres/gpu:4
scontrol update job JOB Gres=gpu:2,gpu:a100:1
scontrol update job JOB Gres=
scontrol update job JOB TresPerSocket=gres/gpu:1 ReqSockets=2
scontrol update job JOB TresPerTask=gres/gpu:2
scontrol update job JOB Partition=OTHERPART
scontrol update job JOB CoreSpec=1 ThreadSpec=-1 TasksPerNode=2 ReqThreads=1 Contiguous=1
scontrol update job JOB Prefer=a Licenses=none:1
scontrol update job JOB ReqNodeList=NODE ExcNodeList=none BurstBuffer=x""", """sbatch --gpus-per-task=1 -n2 --gpus=2 x.sh
sbatch --gpus-per-task=2 --gpus=3 x.sh
sbatch --ntasks-per-gpu=2 -n4 --mem-per-gpu=5 x.sh
sbatch --gpus-per-node=2 -N2 --cpus-per-gpu=1 --gres=none -S 1 x.sh"""]
EDITS_OF = {"flux": FLUX_EDITS, "maui": MAUI_EDITS}


def filled(text, snapshot):
    jobs = [str(json.loads(line)["id"]) for line in snapshot.splitlines()
            if '"type":"job"' in line and '"PENDING"' in line] or ["1"]
    runs = [str(json.loads(line)["id"]) for line in snapshot.splitlines()
            if '"type":"job"' in line and '"RUNNING"' in line] or ["1"]
    arrays = [str(json.loads(line)["id"]) for line in snapshot.splitlines() if '"array_tasks":' in line] or ["1"]
    text = re.sub("ARRAY_", arrays[0] + "_", text)
    for word, value in (("JOB", jobs[0]), ("OTHER", jobs[-1]), ("RUNNING", runs[0]), ("USER", first(snapshot, "association", "user")),
                        ("ACCOUNT", account_of(snapshot)), ("PART", first(snapshot, "partition", "name")),
                        ("OTHERPART", last(snapshot, "partition", "name")),
                        ("NODE", first(snapshot, "node", "name")), ("QOSNAME", first(snapshot, "qos", "name"))):
        text = re.sub(r"\b%s\b" % word, value, text)
    return text


def later(snapshot):
    """Returns the same snapshot some hours later: with more usage, and one pending job less."""
    records = [json.loads(line) for line in snapshot.splitlines()]
    for r in records:
        r["time"] = r["time"] + 7200 if r["type"] == "snapshot" else r.get("time")
        for key in ("usage_tres_s", "priority"):
            if r["type"] in ("association", "job") and r.get(key):
                r[key] = int(r[key]) + len(records) * (r["id"] % 7)
    return "".join(json.dumps({k: v for k, v in r.items() if v is not None}, separators=(",", ":")) + "\n"
                   for r in records[:-1] if r["type"] != "recorded")


def words():
    kinds = [(n, short(p)) for n, p in (("demo", "cmd/demo.jsonl"), ("maui", "tests/top/maui.jsonl"),
                                        ("flux", "tests/cli/examples/flux.jsonl"), ("classic", "tests/top/odyssey.jsonl"))]
    for name, snapshot in kinds:
        put("snapshot", name, snapshot)
    for name in ("sizes", "shared"):
        with open(os.path.join(top, "tests/fuzz/seeds/snapshot-%s.txt" % name)) as f:
            kinds.append((name, f.read()))
    for name, snapshot in kinds:
        edits = EDITS_OF.get(name, EDITS)
        edit = filled(edits[len(name) % 3], snapshot)
        ranks = filled({"flux": "flux account edit-bank ACCOUNT --shares=300", "maui": "FSUSERWEIGHT 90"}.get(
            name, "sacctmgr -i modify account ACCOUNT set fairshare=300"), snapshot)
        for i, c in enumerate(COMMANDS):
            line = "\n".join({"EDIT": edit, "RANKS": ranks}.get(w, w) for w in filled(c, snapshot).split(" "))
            other = later(snapshot) if "other" in c else ""
            put("command", "%s-%d" % (name, i), "@@words\n%s\n@@snapshot\n%s%s" % (line, snapshot, other and "@@other\n" + other))
        for i, e in enumerate(edits):
            put("edits", "%s-%d" % (name, i), "@@viewer\n%s\n@@edits\n%s\n@@snapshot\n%s" % (
                first(snapshot, "association", "user") if e.startswith("sbatch") else "", filled(e, snapshot), snapshot))
        for i, e in enumerate([] if name in EDITS_OF else TOGETHER):
            put("edits", "%s-together-%d" % (name, i), "@@edits\n%s\n@@snapshot\n%s" % (filled(e, snapshot), snapshot))
        put("edits", name + "-all", "@@edits\n%s\n@@snapshot\n%s" % ("\n".join(filled(e, snapshot) for e in edits), snapshot))
    for kind in ("slurm", "maui", "flux"):
        folder = os.path.join(out, kind)
        for name in sorted(os.listdir(folder))[:4]:
            with open(os.path.join(folder, name), "rb") as f:
                put("command", "import-%s-%s" % (kind, name), b"@@words\nfs-snap\nimport\n%s\n.\n" % kind.encode() + f.read())
    for name in sorted(os.listdir(os.path.join(top, "tests/top"))):
        if name.endswith(".keys"):
            with open(os.path.join(top, "tests/top", name)) as f:
                put("top", name, "@@keys\n" + f.read())
            with open(os.path.join(top, "tests/top", name)) as f:
                put("top", "maui-" + name, "@@keys\n" + f.read() + "@@snapshot\n" + kinds[1][1])
    for i, keys in enumerate(["jjj\nGg?q", "/a\nnN", "\ts\nSr", "hlw", "u\nf\n\x1b", "eE\n", "oO123+-*", "vVbBcCdDiIkK"]):
        put("top", "bytes-%d" % i, keys)


def formats():
    for i, f in enumerate(["Account%30,User,FairShare,LevelFS", "acc,u,raws,norms,rawu,normu,eff,f,l", "User%5,Account%-12,RawUsage%4",
                           "%.15i %9r %.8u %.10Y %.10A %.10F %.10J %.10P %.10Q %.11N %.20T", "%i|%a|%b|%f|%j|%p|%q|%t|%y",
                           "-Y,u,+i", "-FairShare,User", "%%%q%-3", "Account%999", "%.9999i"]):
        for k in range(8):
            put("format", "%d-%d" % (i, k), chr(k) + f)


def texts():
    for i, t in enumerate("""2026-11-22T12:00:00 2026-11-22 12:00 now now+1hour tomorrow noon 11/22 1-02:03:04 90 10:00 unlimited
 cpu=4,mem=16G,gres/gpu=2 1.5K 2.5T n[1-3,05-7],m a[1-2]b[3-4] n0-0-[0-99] x[ ]] 1e308 -0.0 0.1 9007199254740993 18446744073709551615
 7_[1-3%2] 7_1 ƒA2B3c f2k9Xq 24.11.3 26.05.1 JobArrayTaskLimit QOSMaxJobsPerUserLimit""".split()):
        put("text", str(i), t)


for name in sorted(os.listdir(os.path.join(top, "tests/fuzz/seeds"))):
    with open(os.path.join(top, "tests/fuzz/seeds", name), "rb") as f:
        data = f.read()
    put(name.split("-")[0], "small-" + name, data)
    if name == "snapshot-sizes.txt": # by the older rules
        put("snapshot", "small-older-" + name, data.replace(b"slurm 26.05", b"slurm 22.05"))
captures()
pastes()
words()
formats()
texts()
