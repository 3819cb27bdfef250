"""Sites generated from a seed for Maui's simulation: settings, nodes, jobs and actions of an administrator."""
import random

START = 1600000000
USERS = [("ann", "staff", "phys"), ("bob", "staff", "chem"), ("cyd", "stud", "phys"),
         ("dan", "stud", "chem"), ("eve", "guest", "bio"), ("fay", "guest", "bio")]
WEIGHTS = "QUEUETIMEWEIGHT 1\nXFACTORWEIGHT 10\nRESWEIGHT 1\nPROCWEIGHT 2\n"
SHARES = """FSPOLICY DEDICATEDPS
FSINTERVAL 00:30:00
FSDEPTH 4
FSDECAY 0.7
FSWEIGHT 1
FSUSERWEIGHT 20
FSGROUPWEIGHT 5
USERCFG[DEFAULT] FSTARGET=15
USERCFG[ann] FSTARGET=30
USERCFG[eve] FSTARGET=5-
GROUPCFG[stud] FSTARGET=20
"""
CAPS = """FSPOLICY DEDICATEDPS
FSINTERVAL 00:30:00
FSDEPTH 4
FSDECAY 0.7
FSUSERWEIGHT 20
CREDWEIGHT 1
USERWEIGHT 1
REJECTNEGPRIOJOBS TRUE
USERCFG[ann] FSTARGET=60000^
USERCFG[bob] FSTARGET=12% MAXJOB=2
USERCFG[cyd] FSTARGET=2 PRIORITY=-30
GROUPCFG[guest] FSTARGET=25%
"""
LIMITS = [
    "USERCFG[ann] MAXJOB=2\nUSERCFG[bob] MAXPROC=8\nUSERCFG[dan] MAXJOB=1,3 MAXPROC=4,12\nGROUPCFG[guest] MAXPROC=10\nACCOUNTCFG[phys] MAXJOB=4\n",
    "USERCFG[DEFAULT] MAXJOB=2,4\nCLASSCFG[long] MAXJOBPERUSER=1\nCLASSCFG[batch] MAXPROCPERUSER=6,10\nGROUPCFG[stud] MAXPS=60000\n",
    "USERCFG[cyd] MAXIJOB=2\nUSERCFG[ann] MAXWC=9000\nACCOUNTCFG[bio] MAXIPROC=6\nCREDWEIGHT 1\nQOSWEIGHT 1\nUSERCFG[bob] QLIST=hi,lo QDEF=hi\n"
    "USERCFG[eve] QLIST=lo QDEF=lo\nQOSCFG[hi] PRIORITY=100 MAXJOB=2 QTWEIGHT=5\nQOSCFG[lo] PRIORITY=10 MAXPROC=12 XFWEIGHT=7 OMAXJOB=3\n",
    "USERCFG[ann] MAXIJOB=1\nUSERCFG[bob] MAXIPROC=5 MAXJOB=1,2\nGROUPCFG[stud] MAXIPROC=9\nACCOUNTCFG[bio] MAXIJOB=3\n",
]


# Jobs of two QOS with separate reservations, and flags of QOS.
BUCKETS = [
    "RESERVATIONDEPTH[0] 1\nRESERVATIONQOSLIST[0] hi\nRESERVATIONDEPTH[1] 2\nRESERVATIONQOSLIST[1] lo DEFAULT\n",
    "RESERVATIONDEPTH[0] 2\nRESERVATIONQOSLIST[0] hi\n",
    "RESERVATIONDEPTH[2] 3\nRESERVATIONQOSLIST[2] lo\nRESERVATIONQOSLIST[0] DEFAULT\n",
    "RESERVATIONDEPTH[1] 4\n",
]
FLAGS = ["QOSCFG[hi] PRIORITY=50 QFLAGS=NOBF\nQOSCFG[lo] PRIORITY=20\n",
         "QOSCFG[hi] PRIORITY=1\nQOSCFG[lo] PRIORITY=20 QFLAGS=RESERVEALWAYS\n",
         "QOSCFG[hi] PRIORITY=90 QFLAGS=IGNUSER\nQOSCFG[lo] PRIORITY=20 QFLAGS=NOBF,IGNJOBPERUSER\nUSERCFG[DEFAULT] MAXJOB=2\n"
         "USERCFG[ann] MAXPROC=8\n",
         "QOSCFG[hi] PRIORITY=90 QFLAGS=NORESERVATION\nQOSCFG[lo] PRIORITY=20 QFLAGS=IGNALL\nUSERCFG[DEFAULT] MAXJOB=1,2 MAXPS=40000\n"]
WHOSE = "CREDWEIGHT 1\nQOSWEIGHT 10\nUSERCFG[ann] QLIST=hi,lo QDEF=hi\nUSERCFG[bob] QLIST=hi QDEF=hi\n" \
        "USERCFG[cyd] QLIST=lo QDEF=lo\nUSERCFG[dan] QLIST=lo QDEF=lo\n"


# Settings that need a site each.
WEIGHED = ["QUEUETIMEWEIGHT", "XFACTORWEIGHT", "BYPASSWEIGHT", "SPVIOLATIONWEIGHT", "NODEWEIGHT", "PROCWEIGHT", "MEMWEIGHT",
           "PEWEIGHT", "WALLTIMEWEIGHT", "CREDWEIGHT", "USERWEIGHT", "GROUPWEIGHT", "CLASSWEIGHT", "ACCOUNTWEIGHT",
           "SERVICEWEIGHT", "RESWEIGHT"]
CAPPED = ["QUEUETIMECAP", "XFACTORCAP", "SERVICEWCAP", "RESCAP", "CREDCAP", "PROCCAP", "WALLTIMECAP"]
CREDS = "USERCFG[ann] PRIORITY=30\nUSERCFG[bob] PRIORITY=-20\nGROUPCFG[guest] PRIORITY=15\nCLASSCFG[long] PRIORITY=40\n" \
        "ACCOUNTCFG[chem] PRIORITY=7\nUSERCFG[DEFAULT] PRIORITY=3\n"
STANDING = ["SRCFG[s] HOSTLIST=node0[0-1] USERLIST=ann,bob PERIOD=INFINITY\n",
            "SRCFG[s] HOSTLIST=node00,node01 CLASSLIST=long PERIOD=DAY STARTTIME=13:00:00 ENDTIME=15:00:00\n",
            "SRCFG[s] HOSTLIST=node0[0-2] GROUPLIST=stud PERIOD=DAY STARTTIME=14:00:00 ENDTIME=16:00:00\n"
            "SRCFG[t] HOSTLIST=node07 QOSLIST=hi PERIOD=INFINITY\n"]
OLDER = ["MAXJOBPERUSERCOUNT 2\n", "MAXJOBPERUSERPOLICY ON\nMAXJOBPERUSERCOUNT 4\nSMAXJOBPERUSERCOUNT 2\n",
         "MAXPROCPERUSERCOUNT 9\n", "MAXJOBPERGROUPCOUNT 3\nMAXJOBPERACCOUNTCOUNT 4\n", "MAXPROCSECONDPERUSERCOUNT 50000\n",
         "MAXPROCPERGROUPCOUNT 4\nMAXJOBPERUSERPOLICY OFF\nMAXJOBPERUSERCOUNT 1\n", "MAXJOBQUEUEDPERUSERCOUNT 2\n"]
OF_CLASSES = ["CLASSCFG[batch] MAXPROC=12\nCLASSCFG[long] MAXJOB=2,4\n",
              "CLASSCFG[long] MAXPROCPERUSER=6\nCLASSCFG[batch] MAXJOBPERUSER=2\n",
              "CLASSCFG[long] MAXNODE=4\nUSERCFG[DEFAULT] MAXNODE=5\n", "CLASSCFG[DEFAULT] MAXJOB=3\nUSERCFG[DEFAULT] MAXPE=9\n"]
DEPTHS = ["BACKFILLDEPTH 2\n", "BACKFILLDEPTH 4\nBACKFILLMETRIC SECONDS\n", "BACKFILLMETRIC PROCSECONDS\n",
          "RESERVATIONTHRESHOLDTYPE QUEUETIME\nRESERVATIONTHRESHOLDVALUE 3600\n",
          "RESERVATIONTHRESHOLDTYPE BYPASS\nRESERVATIONTHRESHOLDVALUE 2\n"]


def weights(r):
    return "".join(f"{w} {r.choice([0, 1, 2, 5, 20])}\n" for w in WEIGHED) + CREDS + \
           "".join(f"{w} {r.choice([5, 50, 300])}\n" for w in r.sample(CAPPED, 2))


def job(number, who, limit, procs, run, submit, job_class="batch", memory=0, nodes=0, feature="[NONE]", per_node=-1):
    user, group, account = who
    words = [number, nodes, procs, user, group, limit, "Completed", f"[{job_class}:1]", submit, submit + 10, submit + 10,
             submit + 10 + run, "[NONE]", "[NONE]", "[NONE]", ">=", 0, ">=", 0, feature, submit, procs, per_node, "[NONE]",
             "[NONE]", account, "[NONE]", "[NONE]", 0, 0, "[DEFAULT]", 1, memory, 0, 0, 0, 0, "[NONE]", "DEFAULT", "[NONE]",
             "[NONE]", "[NONE]", "[NONE]", "[NONE]"]
    return " ".join(map(str, words))


def jobs(r, n, whole_limits=True, late=0, odd=False):
    lines = []
    for number in range(1, n + 1):
        limit = r.choice([600, 1200, 1800, 3600, 5400, 7200, 10800])
        procs = r.choice([1, 1, 1, 2, 2, 3, 4, 4, 6, 8, 8, 12, 16])
        run = limit if whole_limits or r.random() < .3 else max(60, int(limit * r.random()) // 60 * 60)
        submit = START + (r.randint(1, 60) * 60 if number > n - late else 0)
        options = {"job_class": r.choice(["batch", "batch", "long"])}
        if odd:
            kind = r.random()
            if kind < .06:
                options["job_class"] = "gone"
            elif kind < .12:
                options["memory"] = 99999
            elif kind < .2:
                options["memory"] = r.choice([300, 700, 1500])
            elif kind < .26:
                options["feature"] = "[ib]"
            elif kind < .3:
                options["feature"] = "[nowhere]"
            elif kind < .33:
                procs = 99
        lines.append(job(number, r.choice(USERS), limit, procs, run, submit, **options))
    return lines


def nodes(n=8, procs=4):
    return [f"COMPUTENODE AVAILABLE {START} node{i:02d} DEFAULT 4096 2048 10000 {procs} -1 -1 1 Linux x86 "
            f"{'[ib]' if i < n // 2 else '[NONE]'} [batch:{procs}][long:{procs}] [NONE] [NONE] [NONE] [NONE] [NONE]"
            for i in range(n)]


def unlike_nodes(r):
    lines = []
    for line in nodes():
        words, procs = line.split(), r.choice([2, 4, 4, 8])
        words[6], words[8], words[15] = str(r.choice([1024, 2048, 4096])), str(procs), f"[batch:{procs}][long:{procs}]"
        lines.append(" ".join(words))
    return lines


def asking(r, n):
    "jobs of which some ask for memory, for so many tasks a node, or end early"
    lines = jobs(r, n, whole_limits=False, late=8)
    for i, line in enumerate(lines):
        words = line.split()
        if r.random() < .3:
            words[32] = str(r.choice([300, 700, 900]))
        if r.random() < .2:
            words[22] = str(r.choice([1, 2]))
            words[2] = words[21] = str(int(words[22]) * r.choice([1, 2, 3, 4]))
        lines[i] = " ".join(words)
    return lines


def more_sites(seed):
    "of one setting each"
    r = random.Random(-seed)
    kinds = [("allocation", f"NODEALLOCATIONPOLICY {r.choice(['PRIORITY', 'FASTEST', 'MINRESOURCE', 'FIRSTAVAILABLE'])}\n"),
             ("access", f"NODEACCESSPOLICY {r.choice(['SINGLEJOB', 'SINGLETASK', 'SINGLEUSER'])}\n"),
             ("standing", r.choice(STANDING)), ("older", r.choice(OLDER)), ("class", r.choice(OF_CLASSES)),
             ("depth", r.choice(DEPTHS)), ("weights", weights(r)),
             ("partitions", "".join(f"NODECFG[node0{i}] PARTITION=p2\n" for i in range(4, 8)))]
    for kind, setting in kinds:
        backfill, reserve = r.choice([("FIRSTFIT", "CURRENTHIGHEST"), ("BESTFIT", "CURRENTHIGHEST"), ("FIRSTFIT", "HIGHEST"),
                                      ("FIRSTFIT", "NEVER"), ("NONE", "CURRENTHIGHEST")])
        settings = (WEIGHTS if kind != "weights" else "") + setting + \
            f"BACKFILLPOLICY {backfill}\nRESERVATIONPOLICY {reserve}\nRESERVATIONDEPTH {r.choice([1, 1, 2, 3])}\n"
        yield f"m{seed}_{kind}_{backfill}_{reserve}", settings, unlike_nodes(r) if kind == "allocation" else nodes(), \
            asking(r, 34) if kind == "allocation" else jobs(r, 34, whole_limits=False, late=8), []


def sites(seed):
    "name, settings, nodes, jobs, what is done at the start"
    yield from first_sites(seed)
    yield from more_sites(seed)


def first_sites(seed):
    r = random.Random(seed)
    policies = [("FIRSTFIT", "CURRENTHIGHEST", 1), ("BESTFIT", "HIGHEST", 2), ("FIRSTFIT", "HIGHEST", 3),
                ("NONE", "CURRENTHIGHEST", 1), ("GREEDY", "CURRENTHIGHEST", 2), ("BESTFIT", "CURRENTHIGHEST", 3),
                ("FIRSTFIT", "NEVER", 1)]
    hold = lambda: [["sethold", "-u", str(r.randint(20, 38))], ["sethold", "-s", str(r.randint(20, 38))],
                    ["sethold", "-b", str(r.randint(20, 38))]]
    maint = [["setres", "-s", "+02:00:00", "-d", "01:00:00", "-n", "maint", "node0[0-3]"],
             ["setres", "-u", "bob", "-s", "+00:20:00", "-d", "03:00:00", "node07"]]
    admits = [["-u", "ann:cyd"], ["-g", "stud"], ["-a", "chem"], ["-c", "long"], ["-u", "eve", "-a", "phys"]]
    kept = lambda: [["setres", *who, "-s", f"+00:{r.randint(0, 5)}0:00", "-d", f"0{r.randint(1, 6)}:00:00", f"node0[{first}-{first + 2}]"]
                    for who, first in zip(r.sample(admits, 2), (0, 4))]
    spri = lambda: [["setspri", "500", str(r.randint(10, 38))]]
    for number in range(1, 20):
        kind = (number + seed) % 6 if number < 13 else 6 if number < 17 else 7
        backfill, reserve, depth = r.choice(policies)
        settings, actions, how = WEIGHTS, [], {}
        if kind == 0:
            how, actions = {"late": 8}, hold()
        elif kind == 1:
            settings += LIMITS[r.randrange(len(LIMITS))]
            actions = spri()
        elif kind == 2:
            settings += SHARES
            how = {"late": 8, "whole_limits": False}
        elif kind == 3:
            settings += CAPS
        elif kind == 4:
            actions, how = maint, {"odd": True}
        elif kind == 7:
            actions, how = kept(), {"late": 8}
        elif kind == 6:
            settings += WHOSE + FLAGS[number - 13] + BUCKETS[r.randrange(len(BUCKETS))]
        else:
            settings += SHARES + LIMITS[r.randrange(len(LIMITS))]
            how = {"odd": True}
        if r.random() < .3:
            settings += "JOBPRIOACCRUALPOLICY " + r.choice(["FULLPOLICY", "QUEUEPOLICY", "ALWAYS"]) + "\n"
        settings += f"BACKFILLPOLICY {backfill}\nRESERVATIONPOLICY {reserve}\n"
        settings += f"RESERVATIONDEPTH {depth}\n" if kind != 6 else ""
        yield f"s{seed}_{number:02d}_k{kind}_{backfill}_{reserve}_{depth}", settings, nodes(), jobs(r, 40, **how), actions
