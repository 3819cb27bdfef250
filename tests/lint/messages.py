"""messages.py TREE: prints the messages of the program that no test expects; see messages.sh."""
import os
import re
import sys

# Functions that print or store a message: a word of this list is in the name.
CALL = re.compile(r"\b\w*(?:fail|warn|refuse|note|report|error|message|complain)\w*\(")
WORD = re.compile(r'"(?:\\.|[^"\\])*"|PRI\w+')
LITERALS = re.compile(r'"(?:\\.|[^"\\])*"(?:\s*(?:PRI\w+\s*)?"(?:\\.|[^"\\])*")*(?:\s*PRI\w+)?')
PLACEHOLDER = re.compile(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
WORDS = 4  # a test expects a message if it contains this many consecutive words of it
EXCEPTIONS = "tests/lint/messages.txt"


def files(top, *endings):
    for folder, folders, names in os.walk(top):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(endings))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def join_literals(source):
    """Returns the text of adjacent C string literals."""
    text = "".join("d" if word.startswith("PRI") else word[1:-1] for word in WORD.findall(source))
    return text.replace('\\"', '"').replace("\\n", " ").replace("%%", "%")


def end_of_call(source, start):
    """Returns the offset after the ')' that ends the call whose '(' is directly before `start`."""
    depth = 1
    for found in re.finditer(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[()]', source[start:]):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if not depth:
            return start + found.end()
    return len(source)


def messages(path):
    """Yields (line, text) of each message in a source file."""
    source = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), read(path), flags=re.S)
    done = 0
    for call in CALL.finditer(source):
        if call.start() < done:
            continue
        done = end_of_call(source, call.end())
        for found in LITERALS.finditer(source, call.end(), done):
            text = " ".join(join_literals(found.group()).split())
            if " " in text and re.search(r"[a-z]{3}", text):
                yield source.count("\n", 0, found.start()) + 1, text


def is_expected(text, corpus):
    """Returns true if the tests contain WORDS consecutive words of the message, or a shorter message as a whole."""
    runs = [part.split() for part in PLACEHOLDER.split(text)]
    size = min(WORDS, max(len(run) for run in runs))
    return any(" ".join(run[i:i + size]) in corpus for run in runs for i in range(len(run) - size + 1))


def read_exceptions():
    """Returns {message: reason}."""
    rows = read(EXCEPTIONS).splitlines() if os.path.exists(EXCEPTIONS) else []
    return dict(row.split("\t") for row in rows if row and not row.startswith("#"))


def main(tree):
    os.chdir(tree)
    tests = (read(path) for path in files("tests", "") if not path.startswith("tests/lint/"))
    corpus = "\0".join(" ".join(re.sub(r'"\s*"', "", text).replace('\\"', '"').split()) for text in tests)
    exceptions = read_exceptions()
    used, findings, count = set(), 0, 0
    for path in [*files("libfs", ".c", ".h"), *files("cmd", ".c", ".h")]:
        for line, text in messages(path):
            count += 1
            if is_expected(text, corpus):
                continue
            if text in exceptions:
                used.add(text)
                continue
            print(f"{path}:{line}: no test expects: {text}")
            findings += 1
    for text in sorted(exceptions.keys() - used):
        print(f"{EXCEPTIONS}: not needed: {text}")
        findings += 1
    print(f"messages.sh: {count} messages, {len(used)} that no test can provoke, {findings} findings")
    return findings > 0


sys.exit(main(sys.argv[1]))
