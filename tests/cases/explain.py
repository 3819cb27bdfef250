"""Compares the explanation of every pending job (every_job) with itself, fs-showq, fs-prio and fs-top. The numbers of
the text, the Markdown and the JSON are equal and add up as printed; the terms are those of fs-prio; reason, section and
place are those of the queue; all pages have the same verdict, and the plan does not contradict it.
Usage: every_job SNAPSHOT | explain.py SHOWQ_JSON PLAN_JSON PRIO_JSON SNAPSHOT NAME"""
import json
import re
import sys
from decimal import Decimal

import amounts

CELL = re.compile(r"\s{2,}")
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
checked = {"jobs": 0, "sums": 0}
before_a_start = set()


# Words of Slurm that mean nothing elsewhere.
FOREIGN = {"flux": re.compile(r"Slurm|TRES|artition|PrivateData|CPU|LevelFS|QOS|\baccounts?\b(?!-)"),
           "maui": re.compile(r"Slurm|TRES|artition|PrivateData|CPU|LevelFS|PriorityMaxAge")}


class Wrong(Exception):
    pass


def need(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def until(mark, stream):
    """Returns the lines up to that one; None at the end."""
    lines = []
    for line in stream:
        if line == mark + "\n":
            return lines
        lines.append(line.rstrip("\n"))
    need(not "".join(lines).strip(), "cut off before", mark)
    return None


def explained(stream):
    """Yields (document, text page, Markdown page, pane of fs-top) of each job."""
    while (document := until("@text", stream)) is not None:
        yield json.loads("\n".join(document)), until("@markdown", stream), until("@top", stream), until("@end", stream)


LABELS = ["Why", "When", "Ahead", "What you can do"]


def below_labels(lines):
    """Returns the page without its four summaries."""
    at = next(i for i, line in enumerate(lines) if line.startswith("Why "))
    end = lines.index("", at)
    found = []
    for line in lines[at:end]:
        if line[0] == " ":
            found[-1][1] += 1
        else:
            found.append([line[:17].strip(), 1])
    need([label for label, _ in found] == LABELS, "labels", found)
    # the longest reason of the scheduler takes three lines, the cause two, and its size one
    need(all(n <= (6 if label == "Why" else 3) for label, n in found if label != "What you can do"),
         "too many lines", lines[at:end])
    return lines[:at] + lines[end + 1:]


def text_rows(lines):
    """Yields the cells of the rows of the sum; the continuation of a note is no row."""
    for line in lines:
        if line.startswith("  ") and not line.startswith("     ") and not set(line.strip()) <= {"-"}:
            yield CELL.split(line.strip())


def markdown_rows(lines):
    for line in lines:
        if line.startswith("| ") and not line.startswith("| ---"):
            yield [re.sub(r"\\(.)", r"\1", c) for c in line.strip("| ").split(" | ")]


def table(rows):
    """Returns the printed sum: its terms, its other lines, the total."""
    terms, rest, total, head, total_seen, in_sum = [], [], None, False, False, None
    for cells in rows:
        cells = [c.strip() for c in cells if c.strip() not in ("", "|")]
        if not cells:
            continue
        if cells[0] == "factor":
            head = True
        elif not head:
            continue
        elif cells[0] == "sum":
            in_sum = Decimal(cells[1]) if NUMBER.match(cells[1]) else None
        elif cells[0] == "PRIORITY":
            return terms, in_sum, rest, Decimal(cells[1]) if NUMBER.match(cells[1]) else None
        elif in_sum is None:
            terms.append((cells[0], cells[1], cells[2], cells[3]))
        else:
            rest.append((cells[0], Decimal(cells[1])))
    return None


def name_of(factor):
    return "TRES " + factor[5:] if factor.startswith("tres/") else factor.upper()


def check_terms(terms, doc_sum, digits):
    """Each printed line is factor times weight, and a term of the JSON; the part cut by a cap is next to its term."""
    printed = {}
    for name, value, weight, points in terms:
        product = float(value) * float(weight)
        need(abs(product - float(points)) <= 0.51 * 10 ** -digits + 1e-12 * abs(product), name, value, weight, points)
        need(name not in printed, name, "is there twice")
        printed[name] = Decimal(points)
    cuts = {name_of(c["factor"]): c["cut"] for c in doc_sum["caps"]}
    for t in doc_sum["terms"]:
        if t["factor"] == "unexplained":  # a line below the sum
            continue
        name = name_of(t["factor"])
        points = printed.pop(name, Decimal(0))
        if name in cuts:
            points += printed.pop(name + "/CAP", Decimal(0))
        need(abs(float(points) - t["points"]) <= 0.51 * 10 ** -digits + 1e-12 * abs(t["points"]), name, points, t["points"])
    need(not printed, "not in the JSON:", printed)


def check_sum(doc, text, markdown):
    s = doc["sums"][0] if doc["sums"] else None
    a, b = table(text_rows(text)), table(markdown_rows(markdown))
    need(a == b, "text and Markdown differ:", a, b)
    if s is None or not s["terms"] or (s["direct"] and a is None):
        need(a is None, "a sum is printed that the JSON does not have")
        return
    need(a is not None, "no sum is printed")
    terms, total_of_terms, rest, total = a
    if s["sum"] is None:
        need(total is None, "the total is unknown, but printed")
        return
    digits = -total_of_terms.as_tuple().exponent
    need(sum((Decimal(t[3]) for t in terms), Decimal(0)) == total_of_terms, "terms do not add up to", total_of_terms)
    need(total_of_terms + sum((v for _, v in rest), Decimal(0)) == total, "lines do not add up to", total)
    need(total == Decimal(s["total"]), "JSON has", s["total"])
    check_terms(terms, s, digits)
    checked["sums"] += 1


def check_prio(doc, rows):
    """rows: the rows of the job in fs-prio: terms, sums and totals."""
    sums = {(s["partition"], s["qos"]): s for s in doc["sums"]}
    need(not rows or len(rows) == len(sums), "sums", len(sums), "fs-prio", len(rows))
    for r in rows:
        s = sums[r["partition"], r["qos"]]
        for key in ("terms", "caps", "sum", "direct"):
            need(s[key] == r[key], key, s[key], "fs-prio", r[key])
        need(s["total"] == (r["priority"] and min(r["priority"], 2**32 - 1)), "total", s["total"], "fs-prio", r["priority"])
        need(s["direct"] or not s["steps"] or s["steps"][-1]["value"] == s["total"], "steps", s["steps"], s["total"])


MANY = re.compile(r"(?<![\d.,:/-])1 (jobs|CPUs|nodes|minutes|CPU minutes|node minutes|tasks|processors|cores|points|users|"
                  r"accounts|entries|banks|processor seconds)\b")
JOINED = re.compile(r"[\w']*[a-z]_\w+")


# Algorithms, and limits as flux-accounting's tables name them.
GIVEN = {"depth_oblivious", "fair_tree", "flux_exact", "flux_range", "max_running_jobs", "max_active_jobs", "max_nodes",
         "max_cores", "max_sched_jobs", "max_sched_nodes", "max_sched_cores", "max_nodes_per_assoc"}


def names_of(snapshot):
    """Returns words with _ that are names: all texts of the snapshot except the scheduler's reasons. Pages may cut or
    break them anywhere."""
    with open(snapshot, encoding="utf-8") as f:
        text = re.sub(r'"\w+":', "", re.sub(r'"reason":"[^"]*"', "", f.read()))
    return set(JOINED.findall(text))


def check_style(text, names):
    """Reasons are printed in words, and a single one is not called one of many."""
    page = " ".join(" ".join(text).split())
    found = MANY.search(page)
    need(not found, "one of many:", found)
    for word in JOINED.findall(page):
        need(word in names or word in GIVEN or any(word in n for n in names), "a reason in one word:", word)


def check_words(doc, text):
    page = "\n".join(line for line in text if not line.startswith("Computed from"))
    foreign = FOREIGN.get(doc["snapshot"]["scheduler"].split()[0])
    found = foreign and foreign.search(page)
    need(not found, "a word of Slurm:", found)
    amounts.check_page(text)
    need(not re.search(r"\bnan\b|\(null\)|  \.", page), "a hole in the page")
    need(all(len(line) <= 80 for line in text), "wider than 80 columns")


def check_queue(doc, rows, lines):
    """rows: the rows of the job in fs-showq. lines: the number of jobs in each list."""
    need(rows, "fs-showq does not list it")
    slurm = doc["snapshot"]["scheduler"].startswith("slurm")
    for r in rows:
        need(doc["section"] == r["section"], "section", doc["section"], "fs-showq", r["section"])
        need((doc["job"]["reason_text"] if slurm else doc["reason"] and doc["reason"]["name"]) == r["reason"],
             "reason", doc["reason"], "fs-showq", r["reason"])
    place = {(r["partition"], r["qos"]): r for r in rows}
    one_line = doc["snapshot"]["scheduler"].startswith("maui")
    for s in doc["sums"]:
        r = place[s["partition"], s["qos"]] if (s["partition"], s["qos"]) in place else rows[0]
        at = r["position" if one_line else "partition_position"] if r["eligible"] and doc["verdict"] != "waits" else None
        need(s["position"] == at, "place", s["position"], r)
        if s["position"]:
            need(s["eligible"] == lines["" if one_line else s["partition"]], "of", s["eligible"], lines)
    need(not doc["ahead"] or doc["verdict"] != "waits", "ahead of an unknown place", doc["ahead"])
    if doc["ahead"]:
        need(doc["ahead"]["entries"] <= doc["sums"][0]["position"] - 1, "ahead", doc["ahead"]["entries"])


ORDINAL = re.compile(r"(?:first|[Ff]irst|(\d+)(?:st|nd|rd|th)) of (?:the )?(\d+)")

def said(verdict, page):
    """Finds it as a sentence or a part of one: its first letter may be a capital."""
    return verdict in page or verdict[0].upper() + verdict[1:] in page


def check_verdict(doc, rows, planned, text):
    """The verdict is the same everywhere."""
    for r in rows + planned:
        for key in ("verdict", "verdict_cause", "verdict_text"):
            need(doc[key] == r[key], key, doc[key], "fs-showq", r[key])
    page = " ".join(" ".join(text).split())
    words = " ".join(doc["verdict_text"].split())
    need(words, "no verdict")
    if doc["verdict"] == "behind":
        need("waits for its turn" in page, "the page does not say that it waits for its turn")
        place = ORDINAL.search(page)
        need(place, "the page does not say its place")
        behind = re.match(r"behind (?:at least )?(\d+) ", words)
        need(words.startswith("behind ") and "(" in words or
             behind and int(behind.group(1)) == int(place.group(1)) - 1, "place", words, place)
    else:
        need(said(words, page), "the page does not say", words)
    # Maui's plan applies limits at each iteration: a job that is blocked now may start after others have ended.
    ends = doc["verdict"] == "limit" and (doc["snapshot"]["scheduler"].startswith("maui") or doc["job"]["jobid"] in before_a_start)
    stuck = doc["verdict"] in ("never", "held", "dependency", "limit")
    for r in planned:
        if "plan" in r and stuck:
            start = r["plan"]["start_time"]
            need(start is None or ends and start > doc["snapshot"]["time"], "planned to start:", doc["verdict"], r["plan"])
        if "plan" in r and doc["verdict"] == "now":
            need(r["plan"]["state"] == "now", "there is room, and the plan does not start it", r["plan"])


# Phrases of other verdicts, and estimates, which must not appear with "never".
BESIDE = re.compile(r"What clears it|estimate|tried again|waits for its turn|next pass|next scheduling cycle|There is room|stand(s)? before it|(is|are) ahead of it|squeue shows")


def check_alone(doc, text, pane):
    if doc["verdict"] != "never":
        return
    page = " ".join(" ".join(text).split())
    for said_there in page, " ".join(" ".join(pane).split()):
        found = BESIDE.search(said_there)
        need(not found, "beside never:", found)
    alone = page.split("It can never start: ")
    need(len(alone) == 2 and re.search(r"\. (It needs|Its|The configuration)", alone[1]), "what must differ:", page[:300])
    need(not re.search(r"[Aa]sk for at", page.split("LIMITS")[0]), "an amount that was not tried:", page[:300])


def looked_at_before_a_start(snapshot):
    "pending jobs that the scheduler looked at in a cycle that started another, or before it"
    jobs = [r for r in map(json.loads, open(snapshot, encoding="utf-8")) if r["type"] == "job"]
    started = max((j.get("start_time", 0) for j in jobs if j["state"] == "RUNNING"), default=0)
    return {j["id"] for j in jobs if j["state"] == "PENDING" and 0 < j.get("last_sched_eval", 0) <= started}


def main(showq_file, plan_file, prio_file, snapshot, name):
    names = names_of(snapshot)
    before_a_start.update(looked_at_before_a_start(snapshot))
    rows, lines, planned, prios, wrong = {}, {}, {}, {}, 0
    for r in json.load(open(prio_file, encoding="utf-8"))["rows"]:
        prios.setdefault(r["jobid"], []).append(r)
    for r in json.load(open(plan_file, encoding="utf-8"))["rows"]:
        if r["state"] == "PENDING":
            planned.setdefault(r["jobid"], []).append(r)
    for r in json.load(open(showq_file, encoding="utf-8"))["rows"]:
        if r["state"] == "PENDING":
            rows.setdefault((r["jobid"]), []).append(r)
        if r["position"] and r["eligible"]:
            lines[""] = lines.get("", 0) + 1
        if r["eligible"]:
            lines[r["partition"]] = lines.get(r["partition"], 0) + 1
    for doc, text, markdown, pane in explained(sys.stdin):
        checked["jobs"] += 1
        try:
            check_sum(doc, text, markdown)
            check_prio(doc, prios.get(doc["job"]["jobid"], []))
            check_words(doc, text)
            check_style(text, names)
            text = below_labels(text)
            check_alone(doc, text, pane)
            of_job = rows.pop(doc["job"]["jobid"], None)
            check_queue(doc, of_job, lines)
            check_verdict(doc, of_job, planned.get(doc["job"]["jobid"], []), text)
        except (Wrong, LookupError, ValueError, ArithmeticError, amounts.Wrong) as e:
            wrong += 1
            if wrong <= 3:
                print(f"FAIL {name} job {doc['job']['name']}: {e!r}")
    if rows:
        print(f"FAIL {name}: not explained: {sorted(rows)[:5]}")
    print(checked["jobs"], checked["sums"], wrong + bool(rows), file=sys.stderr)


main(*sys.argv[1:])
