"""Reads back the numbers that pages of fs-explain print: every sum, product and part must be exact to the last printed
digit. Usage: amounts.py BIN_DIR SNAPSHOT flux|maui"""
import json
import re
import subprocess
import sys
from decimal import Decimal

NUMBER = r"-?\d+(?:\.\d+)?"
EXPONENT = re.compile(r"(?<![\w.])\d+(?:\.\d+)?e[+-]?\d+\b")


class Wrong(Exception):
    pass


def need(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


def near(a, b, tolerance, *what):
    need(abs(Decimal(a) - Decimal(b)) <= Decimal(tolerance), *what, a, "is not", b)


def cells(line):
    return re.split(r"\s{2,}", line.strip())


def last_digit(number):
    """Returns half a unit of the last place."""
    return Decimal(5).scaleb(Decimal(number).as_tuple().exponent - 1)


# ---- Maui


def check_caps(page):
    n = 0
    for cap, used, wanted, together in re.findall(
            rf"is capped at ({NUMBER}) \S.*?: ({NUMBER}) used, this job would add ({NUMBER}), ({NUMBER}) in total\.", page):
        need(Decimal(used) + Decimal(wanted) == Decimal(together), used, "and", wanted, "are not", together)
        need(Decimal(together) > Decimal(cap), together, "is not over the cap", cap)
        need("asks for less" not in page or Decimal(used) <= Decimal(cap), "less would not help", used, cap)
        n += 1
    return n


def check_factors(page):
    n = 0
    for factor, target, percent, mode in re.findall(
            rf"Factor ({NUMBER}) from ({NUMBER}) - ({NUMBER})(, at least 0|, at most 0)?\.(?= |$)", page):
        value = Decimal(target) - Decimal(percent)
        value = max(value, Decimal(0)) if "least" in mode else min(value, Decimal(0)) if "most" in mode else value
        near(factor, value, "1.01e-6", "factor")
        n += 1
    for factor, percent, target, mode in re.findall(
            rf"Factor ({NUMBER}) from 1 - ({NUMBER}) / ({NUMBER}) \(FSPOLICY with a %\)(, at least 0|, at most 0)?\.(?= |$)", page):
        value = 1 - Decimal(percent) / Decimal(target)
        value = max(value, Decimal(0)) if "least" in mode else min(value, Decimal(0)) if "most" in mode else value
        near(factor, value, "1.01e-6", "factor")
        n += 1
    for value, weight, points in re.findall(rf"gives ({NUMBER}) × ({NUMBER}) = ({NUMBER}) points", page):
        near(Decimal(value) * Decimal(weight), points, "6e-7", "points")
        n += 1
    return n


def check_windows(lines, page):
    """Checks usage times weight in each line, their sums, and the part of the total."""
    n, own, every, counting = 0, Decimal(0), Decimal(0), False
    for line in lines:
        c = cells(line)
        if c[0] == "window":
            own, every, counting = Decimal(0), Decimal(0), True
        elif counting and len(c) == 5 and re.match(r"\d{4}-", c[0]):
            near(Decimal(c[1]) * Decimal(c[2]), c[3], last_digit(c[3]) * Decimal("1.001"), "usage times weight")
            own, every = own + Decimal(c[3]), every + Decimal(c[4])
        elif counting and c[0] == "usage":
            need(own == Decimal(c[1]) and every == Decimal(c[2]), "windows add up to", own, every, "not", c)
            of_all = re.search(rf"{c[1]} of {c[2]} is ({NUMBER}) %", page)
            need(of_all, "no part of all for", c)
            if every:
                error = 100 * (last_digit(c[1]) + last_digit(c[2]) * abs(own / every)) * 12 / abs(every)
                near(of_all[1], 100 * own / every, Decimal("0.51e-6") + error, "part of all")
            counting, n = False, n + 1
    return n


def check_beside(lines):
    """Checks a comparison of two credentials: sums of the windows, differences, factor times weight."""
    n, sums, factor, weight = 0, [Decimal(0), Decimal(0)], None, None
    for line in lines:
        c = cells(line)
        if len(c) == 3 and " × " in c[0]:
            sums = [s + Decimal(v) for s, v in zip(sums, c[1:])]
        elif len(c) == 4 and re.fullmatch(rf"\+?{NUMBER}", c[3]):
            need(Decimal(c[1]) - Decimal(c[2]) == Decimal(c[3]), "difference", c)
            if c[0] == "usage":
                need(sums == [Decimal(c[1]), Decimal(c[2])], "windows add up to", sums, "not", c)
                n += 1
            elif c[0] == "factor":
                factor = c[1:3]
            elif c[0].startswith("points") and factor:
                for f, w, points in zip(factor, weight, c[1:3]):
                    near(Decimal(f) * Decimal(w), points, "6e-7", "points")
        elif c[0] == "weight":
            weight = c[1:3]
    return n


def check_page(lines):
    """Checks the page of a job or credential; returns the number of checks."""
    page = re.sub(r"\s+", " ", " ".join(lines))
    found = EXPONENT.search(page)
    need(not found, "an exponent:", found and found[0])
    return check_caps(page) + check_factors(page) + check_windows(lines, page)


# ---- flux_range


def slices(lines):
    """Returns name, from and to of each level; and its name, position and factor with its note on one line."""
    found, positions, table = [], [], None
    for line in lines:
        c = cells(line)
        if c[0] in ("slice of", "level"):
            table = c[0]
        elif table == "slice of" and len(c) >= 3 and re.fullmatch(NUMBER, c[1]):
            found.append(c[:3])
        elif table == "level" and len(c) == 4 and re.fullmatch(NUMBER, c[1]):
            positions.append(c)
        elif table == "level" and line.startswith("          ") and positions:
            positions[-1][3] += " " + line.strip()
        else:
            table = None
    return found, positions


def check_position(kind, level):
    name, position, factor, note = level
    note = re.sub(r"\s+", " ", note)
    weight = re.search(rf"weight \((\d+) of (\d+) shares\) / \(({NUMBER}) of ({NUMBER}) used\) = ({NUMBER}); "
                       rf"\S+( \+ weight\))? = ({NUMBER});", note)
    place = re.search(rf"place (\d+) of (\d+) from below: ({NUMBER});", note)
    if kind == "rank" and place:
        near(Decimal(place[1]) / Decimal(place[2]), position, "0.51e-6", name, "place")
        value = place[3]
    elif weight:
        shares, of, used, every, printed = map(Decimal, weight.groups()[:5])
        exact = shares / of / (used / every)
        rounded = last_digit(weight[3]) / used + last_digit(weight[4]) / every
        near(exact, printed, Decimal("0.6e-9") + exact * rounded, name, "weight")
        value = weight[7]
        at = printed if not printed else Decimal(2) ** (-1 / printed) if kind == "pow2" else printed / (1 + printed)
        near(at, value, "1.5e-9", name, "position")
    else:
        value = re.search(r"no (shares|usage): ([01]);", note)[2]
    low, of_slice, high, again = re.search(rf"factor ({NUMBER}) \+ ({NUMBER}) × \(({NUMBER}) − ({NUMBER})\)", note).groups()
    need(low == again and value == of_slice, name, note)
    near(Decimal(low) + Decimal(value) * (Decimal(high) - Decimal(low)), factor, "0.51e-6", name, "factor")
    near(value, position, "0.51e-6", name, "position")
    return low, high


def check_ranges(kind, lines, rows):
    """rows: (from, to, parent) of every bank and user, from fs-share."""
    page = re.sub(r"\s+", " ", " ".join(lines))
    found, positions = slices(lines)
    need(len(found) == len(positions) and found, "no slices")
    above = ("0", "1")
    for (name, low, high), level in zip(found, positions):
        outer = check_position(kind, level)
        near(outer[0], above[0], "0.51e-6", name, "begins in")
        near(outer[1], above[1], "0.51e-6", name, "ends in")
        near(high, level[2], 0, name, "slice ends at its factor")
        said = re.search(rf"The slice of {re.escape(name.rstrip('+'))}\S* is ({NUMBER}) to ({NUMBER}), inside ({NUMBER}) to ({NUMBER}), the slice of (.*?)(?= The slice of \S+ is |$)", page)
        need(said, name, "has no sentence about its slice")
        near(said[1], low, 0, name, "slice from")
        near(said[2], high, 0, name, "slice to")
        near(said[3], above[0], 0, name, "of what begins at")
        near(said[4], above[1], 0, name, "of what ends at")
        lower = re.search(r"It begins where (\S+?)(?: ends,|, which has no shares, ends)", said[5])
        need(lower or "It begins at the bottom of the slice" in said[5], name, "begins anywhere")
        if lower:
            need(any(n == lower[1] and abs(Decimal(h) - Decimal(low)) < Decimal("1.1e-6") for n, _, h in rows),
                 name, "begins at no factor of", lower[1])
        higher = re.search(r"The next slice above is that of (\S+)\.", said[5])
        if higher:
            need(any(n == higher[1] and abs(Decimal(at) - Decimal(high)) < Decimal("1.1e-6") for n, at, _ in rows),
                 name, "ends where no slice begins of", higher[1])
        need(re.search("It (also )?ends", said[5]), name, "ends anywhere")
        above = (low, high)
    return len(found)


# ---- every page of a snapshot


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def flux(bin_dir, snapshot):
    n = 0
    for kind in ("pow2", "ratio", "rank"):
        options = ["-f", snapshot, "--algorithm=flux_range", "--position=" + kind]
        rows = [[c.strip() for c in r.split("|")] for r in run(bin_dir + "/fs-share", *options, "-aPh", "-o", "Account,User,Low,High")]
        named = [(u or a, low, high) for a, u, low, high in rows if high]
        for account, user, low, high in rows:
            if high and account != rows[0][0]:
                who = ["--user", user, "--account", account] if user else ["--account", account]
                n += check_ranges(kind, run(bin_dir + "/fs-explain", *options, *who), named)
    return n


def maui(bin_dir, snapshot):
    n, by_kind = 0, {}
    for line in open(snapshot, encoding="utf-8"):
        r = json.loads(line)
        if r["type"] == "credential":
            by_kind.setdefault(r["kind"], []).append(r["kind"] + ":" + r["name"])
    explain = [bin_dir + "/fs-explain", "-f", snapshot]
    for names in by_kind.values():
        for name in names:
            n += check_page(run(*explain, name))
        if len(names) > 1:
            n += check_beside(run(*explain, names[0], "--versus", names[-1]))
    return n


if __name__ == "__main__":
    print({"flux": flux, "maui": maui}[sys.argv[3]](sys.argv[1], sys.argv[2]))
