#!/usr/bin/env python3
"""Tests written as data: small clusters or outputs of schedulers, commands of the programs, and the lines they print.

Usage: run.py [-w] [-k FOLDER] SERVE [FILE:LINE]

Runs the cases of the *.txt files in this folder, or only the case that begins at FILE:LINE. SERVE is the program of
tests/deletions/serve.c. With -w, writes the printed lines into the files, for review as a diff. With -k, runs in FOLDER
and leaves the files of the last case there.

A file is a sequence of parts. The text of a part is the rest of its line, or the indented lines below, without the tab.
  # TEXT              a comment
  define NAME(A, B) TEXT
                      a text that @NAME(a, b) includes, with $A (or ${A}) and $B replaced. The last argument may contain
                      commas, the other arguments only in brackets. Missing arguments are empty.
  test SENTENCE       a case; what it shows
  given TEXT          records: TYPE 'KEY':VALUE,... A line may also include one or more defined texts.
  snapshot TEXT       file s: the records of the last `given` of the case, and these records
  file NAME TEXT      the text of file in/NAME; a file above the first test belongs to all cases
  without NAME        no file in/NAME
  QUERY -> TEXT       a query, and the lines that it prints. A query may include defined texts.
Files stay until the next case. $SNAPSHOT is s, and the user is root. These are the queries:
  $ COMMAND           the output of the command; a first line "status N: " if the exit status is not 0
  $ COMMAND | TEXT    the lines of the output that contain TEXT
  plan [since T] [OPTIONS]      fs-showq --plan: JOB:START/NODES or JOB:STATE in scheduling order; T: start 0
  order [OPTIONS]               fs-showq --why: JOB/PARTITION:KEY in scheduling order; (JOB/PARTITION): not eligible
  import SCHEDULER [OPTIONS]    fs-snap import of the folder in/ to s: the messages, except lists of missing fields
  records TYPE KEY...           these keys of the records of s that have this type
  PATH KEY... of COMMAND        these keys of the objects at PATH (.: the whole) in the JSON output of the command
"""
import concurrent.futures
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "FS_USER": "root", "FS_SNAPSHOT": "s", "FS_THREADS": "1",
               "TZ": "UTC0", "FS_PAGER": "cat", "COLUMNS": "100", "ASAN_OPTIONS": "detect_leaks=0"}
CALL = re.compile(r"@([A-Z][A-Z0-9_]*)")
PARAMETER = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
DEFINE = re.compile(r"define (\w+)(?:\(([^)]*)\))? ?(.*)")
MISSING = re.compile(r": (fields|columns|lines) are missing")
COMMON = "common.txt"  # definitions for all files
WIDTH = 120


class Part:
    """A part of a file: its first line without the answer, its number, its text, and the answer on the first line."""

    def __init__(self, head, number):
        query = not re.match("#|define |given |snapshot |file ", head)
        self.head, _, self.answer = head.partition(" -> ") if query else (head, "", "")
        self.number, self.text = number, []
        self.printed = None  # list of lines that a query printed

    def expected(self):
        return [self.answer] if self.answer else self.text

    def lines(self):
        """Returns the lines of the part, with the printed lines if it is a query that ran."""
        if self.printed is None:
            head = self.head + (" -> " + self.answer if self.answer else "")
            return [head] + ["\t" + line if line else "" for line in self.text]
        one = f"{self.head} -> {self.printed[0]}" if len(self.printed) == 1 else ""
        return [one] if one and len(one) <= WIDTH else [self.head] + ["\t" + line for line in self.printed]


def read_parts(path):
    """Returns the parts of a file. An empty line belongs to a text if more lines of the text follow."""
    parts, empty = [], 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            if line.startswith("\t"):
                del parts[len(parts) - empty:]
                parts[-1].text += [""] * empty + [line[1:]]
                empty = 0
            else:
                empty = 0 if line else empty + 1
                parts.append(Part(line, number))
    return parts[:-1]


def split_arguments(text, names):
    """Returns the arguments before the matching parenthesis, and the rest of the text after it."""
    depth, start, found, quoted = 0, 0, [], False
    for i, c in enumerate(text):
        quoted ^= c == "'"
        if not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            if depth == 0:
                return found + [text[start:i]], text[i + 1:]
            depth -= 1
        elif c == "," and depth == 0 and not quoted and len(found) < names - 1:
            found.append(text[start:i])
            start = i + 1
    raise ValueError(f"no closing parenthesis: {text}")


def include(text, match, defines):
    """Returns the text that the call at `match` includes, and the rest of the text after the call."""
    if match.group(1) not in defines:
        sys.exit(f"{text}: @{match.group(1)} is not defined")
    names, body = defines[match.group(1)]
    rest = text[match.end():]
    if names:
        arguments, rest = split_arguments(rest[1:], len(names))
        values = dict.fromkeys(names, "") | dict(zip(names, (argument.strip() for argument in arguments)))
        body = PARAMETER.sub(lambda m: values.get(m.group(1) or m.group(2), m.group()), body)
    return body, rest


def expand(text, defines):
    """Returns the text with the texts that it includes."""
    out = ""
    while match := CALL.search(text):
        body, rest = include(text, match, defines)
        out += text[:match.start()] + expand(body, defines)
        text = rest
    return out + text


def list_records(lines, defines):
    """Returns the records of a snapshot's lines as JSON."""
    records = []
    for line in lines:
        while match := CALL.match(line):
            body, line = include(line, match, defines)
            records += list_records(body.split("\n"), defines)
            line = line.lstrip()
        if line:
            kind, _, members = expand(line, defines).replace("'", '"').partition(" ")
            records.append('{"type":"' + kind + '",' + members + "}")
    return records


class Server:
    """The programs in one process, which runs in its own folder."""

    def __init__(self, serve, folder):
        self.serve, self.folder, self.process = serve, folder, None

    def ask(self, words):
        """Returns exit status, output and messages; the status is None after a crash."""
        if not self.process:
            self.process = subprocess.Popen([self.serve], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            env=ENVIRONMENT, cwd=self.folder)
        self.process.stdin.write("".join(f"{word}\n" for word in (len(words), *words)).encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if len(head) != 3:
            self.end()
            return None, "", ""
        status, out, err = map(int, head)
        output, messages = self.process.stdout.read(out), self.process.stdout.read(err)
        return status, output.decode(errors="replace"), messages.decode(errors="replace")

    def end(self):
        if self.process:
            self.process.communicate()
        self.process = None


def remove(path):
    if os.path.exists(path):
        os.remove(path)


def write_file(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def flatten(values):
    return [v for value in values for v in (value if isinstance(value, list) else [value])]


def values_at(document, path):
    """Returns the values at the path in the document: names of members, separated by dots. Lists are flattened."""
    values = [document]
    for name in path.split(".") if path != "." else []:
        values = [value[name] for value in flatten(values) if isinstance(value, dict) and name in value]
    return values


def format_value(values):
    """Returns the value as one word; "-" if it is missing."""
    if not values:
        return "-"
    value = values[0] if len(values) == 1 else values
    if isinstance(value, str) and value and not re.search(r"[\s\"]|^-$", value):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace('"', "'")


def format_table(objects, keys):
    """Returns a line for each object, with aligned columns; of a single key, one line; of no key, the objects."""
    if not keys or not objects:
        return [value if isinstance(value, str) else format_value([value]) for value in objects]
    rows = [[format_value(values_at(row, key)) for key in keys] for row in objects]
    if len(keys) == 1:
        return [" ".join(row[0] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def format_plan(document, since):
    """Returns one line with the planned starts, in scheduling order."""
    words, seen = [], set()
    for row in document["rows"]:
        plan = row.get("plan")
        if not plan or row["jobid"] in seen:
            continue
        seen.add(row["jobid"])
        start, nodes = plan["start_time"], plan["nodes"] or []
        if start is None or plan["state"] in ("beyond window", "not before"):
            words.append(f"{row['jobid']}:{plan['state']}")
        else:
            words.append(f"{row['jobid']}:{start - since}" + ("/" + ",".join(nodes) if nodes else ""))
    return [" ".join(words)]


def format_order(document):
    """Returns one line with the records in scheduling order."""
    words = []
    for row in document["rows"]:
        word = (f"{row['jobid']}/{row['partition']}" + (f":{row['why']}" if row["why"] else "")).replace(" ", "_")
        words.append(word if row["eligible"] else f"({word})")
    return [" ".join(words)]


def output_of(answer):
    """Returns the lines of the messages and the output. The first line begins with the exit status if it is not 0."""
    status, out, err = answer
    lines = (err + out).splitlines()
    return [f"status {status}: {lines[0] if lines else ''}", *lines[1:]] if status else lines


def import_files(words, server):
    """Imports in/ to s, checks s, and returns the messages, except lists of missing fields."""
    remove(os.path.join(server.folder, "s"))
    answer = server.ask(["fs-snap", "import", words[0], "in", "-o", "s", *words[1:]])
    lines = [line for line in output_of(answer) if not MISSING.search(line)]
    if answer[0] == 0 and (checked := server.ask(["fs-snap", "check", "s"]))[0]:
        lines += output_of(checked)[:1]
    return [line.replace("fs-snap: ", "", 1).replace("in/", "", 1) for line in lines]


def split_words(words):
    """Returns the words before the last "of", and the words after it."""
    last = len(words) - 1 - words[::-1].index("of")
    return words[:last], words[last + 1:]


def run_query(query, server):
    """Returns the lines that the query prints."""
    if query.startswith("$ "):
        command, _, part = query[2:].partition(" | ")
        return [line for line in output_of(server.ask(shlex.split(command))) if part in line]
    words = shlex.split(query)
    if words[0] == "import":
        return import_files(words[1:], server)
    if words[0] == "records":
        with open(os.path.join(server.folder, "s"), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        return format_table([r for r in records if r["type"] == words[1]], words[2:])
    since = int(words[2]) if words[1:2] == ["since"] else 0
    if words[0] in ("plan", "order"):
        command = ["fs-showq", "--plan" if words[0] == "plan" else "--why", *words[3 if since else 1:]]
    else:
        keys, command = split_words(words[1:])
    answer = server.ask([*command, "--json"])
    if answer[0]:
        return output_of(answer)
    document = json.loads(answer[1])
    if words[0] == "plan":
        return format_plan(document, since)
    if words[0] == "order":
        return format_order(document)
    return format_table(flatten(values_at(document, words[0])), keys)


def run_case(parts, defines, server):
    """Runs the parts of one case; returns the queries with other lines than expected."""
    wrong, given = [], []
    remove(os.path.join(server.folder, "s"))
    shutil.rmtree(os.path.join(server.folder, "in"), ignore_errors=True)
    os.makedirs(os.path.join(server.folder, "in"))
    for part in parts:
        word, _, rest = part.head.partition(" ")
        if word == "given":
            given = [rest, *part.text]
        elif word == "snapshot":
            records = list_records([*given, rest, *part.text], defines)
            write_file(os.path.join(server.folder, "s"), "".join(record + "\n" for record in records))
        elif word == "file":
            name, _, line = rest.partition(" ")
            text = expand("\n".join([line] * (line != "") + part.text), defines)
            write_file(os.path.join(server.folder, "in", name), text + "\n" if text else "")
        elif word == "without":
            remove(os.path.join(server.folder, "in", rest))
        elif part.head and word not in ("#", "test"):
            try:
                part.printed = run_query(expand(part.head, defines), server)
            except (OSError, ValueError, LookupError, TypeError) as error:
                part.printed = [f"no answer: {error}"]
            if [line.split() for line in part.printed] != [line.split() for line in part.expected()]:
                wrong.append(part)
    return wrong


def split_cases(parts, defines):
    """Adds the definitions of a file; returns the files above its first case, and its cases as lists of parts."""
    common, cases = [], []
    for part in parts:
        if part.head.startswith("define "):
            name, names, line = DEFINE.match(part.head).groups()
            text = "\n".join([line] * (line != "") + part.text)
            defines[name] = names.replace(" ", "").split(",") if names else [], text
        elif part.head.startswith("test "):
            cases.append([part])
        elif cases:
            cases[-1].append(part)
        elif part.head.startswith("file "):
            common.append(part)
    return common, cases


def run_file(path, wanted, serve, folder, write):
    """Runs the cases of a file; returns the number of cases, and a text for each failed case."""
    name, parts, defines = os.path.basename(path), read_parts(path), {}
    split_cases(read_parts(os.path.join(HERE, COMMON)), defines)
    common, cases = split_cases(parts, defines)
    server, count, failures = Server(serve, folder), 0, []
    for case in cases:
        place = f"{name}:{case[0].number}"
        if wanted not in ("", place):
            continue
        count += 1
        wrong = run_case(common + case, defines, server)
        for part in [] if write else wrong:
            failures.append((place, f"FAIL {place}: {case[0].head[5:]}\n  {name}:{part.number}: {part.head}\n"
                             + "".join(f"  expected: {line}\n" for line in part.expected())
                             + "".join(f"  printed:  {line}\n" for line in part.printed)
                             + f"  run again: {sys.argv[0]} -k FOLDER {serve} {place}"))
    server.end()
    if write:
        write_file(path, "".join(line + "\n" for part in parts for line in part.lines()))
    return count, failures


def main():
    arguments, write, keep = sys.argv[1:], False, None
    while arguments and arguments[0] in ("-w", "-k"):
        write |= arguments[0] == "-w"
        keep = arguments.pop(1) if arguments[0] == "-k" else keep
        arguments.pop(0)
    serve, wanted = os.path.abspath(arguments[0]), arguments[1] if len(arguments) > 1 else ""
    names = [os.path.basename(f) for f in sorted(glob.glob(os.path.join(HERE, "*.txt")))]
    files = [os.path.join(HERE, n) for n in names if n != COMMON and wanted.split(":")[0] in ("", n)]
    with tempfile.TemporaryDirectory(prefix="fs-clusters.") as work:
        folders = [keep or os.path.join(work, str(i)) for i in range(len(files))]
        for folder in folders:
            os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(1 if keep else os.cpu_count()) as pool:
            results = list(pool.map(lambda f, d: run_file(f, wanted, serve, d, write), files, folders))
    failures = [failure for _, failed in results for failure in failed]
    print("\n".join(text for _, text in failures), end="\n" if failures else "")
    count, failed = sum(n for n, _ in results), len({place for place, _ in failures})
    print(f"clusters: {count - failed} passed, {failed} failed")
    return failed > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
