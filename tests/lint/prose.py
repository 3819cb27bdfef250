"""prose.py TREE: prints the phrases of PATTERNS that comments, messages and manuals contain; see prose.sh."""
import os
import re
import sys

# A sentence begins at the start of the text, or after the end of another sentence.
START = r"(?:^|[.!?:] )"
PATTERNS = [
    START + r"Of (?:an?|the|what|those|it|them|jobs|nodes)\b",
    START + r"Where (?:no|the|an?|it|they)\b",
    START + r"Likewise\b",
    START + r"So does\b",
    START + r"Looked at\b",
    r"\b(?:is|are|was|were) told\b",
    r"\btells? (?:of|what|how|who|whether|that|an?|the|it)\b",
    r"\b(?:is|are) said to\b",
    r"\bheed(?:s|ed)?\b",
    r"\blies ready\b",
    r"\bwho (?:asks?|has|waits?)\b",
    r"\bgives? way\b",
    r"\bof (?:these|those|which)\b",
    r"\bthose that\b",
    r"\bstands? (?:in|for|at|beside|before|behind|there)\b",
]
EXCEPTIONS = "tests/lint/prose.txt"
FOLDERS = "libfs", "cmd", "man", "tests", ".ci", ".packaging"
FILES = "README.md", "CHANGELOG.md", "Makefile"
SCRIPTS = (".sh", ".bash", ".bats", ".py", ".awk", ".mk", "Makefile", "/run", ".tsv")
QUESTION = "a question above a function"
FUNCTION = re.compile(r"\s*\n(?:static |const |inline |FS_API )*(?:struct |enum )?\w+ \**\w+\([^;]*\)\s*[{;]")


def c_texts(source):
    """Yields (offset, text) of comments, and of string literals, adjacent ones joined."""
    token = re.compile(r"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\])*'|(?:\"(?:\\.|[^\"\\])*\"(?:\s|PRI\w+)*)+", re.S)
    for found in token.finditer(source):
        text = found.group()
        if text.startswith("/"):
            text = re.sub(r"\n[ \t]*\* ?", "\n", text[2:].removesuffix("*/"))
            yield found.start(), text
            if text.rstrip().endswith("?") and FUNCTION.match(source, found.end()):
                yield found.start(), QUESTION
        elif text.startswith('"'):
            yield found.start(), re.sub(r'"\s*(PRI\w+)?\s*"', "", text)[1:].rstrip().removesuffix('"')


def script_texts(source):
    """Yields (offset, text) of blocks of # comments, of doc strings, and of names of bats tests."""
    for found in re.finditer(r'(?:^[ \t]*#[^\n]*\n)+|"""(.*?)"""|^@test "([^\n]*)" \{$', source, re.M | re.S):
        yield found.start(), found.group(1) or found.group(2) or re.sub(r"^[ \t]*#+ ?", "", found.group(), flags=re.M)


def manual_texts(source):
    """Yields (offset, text) of each paragraph of a manual page, without its macros."""
    for found in re.finditer(r"(?:^(?!\.(?:Pp|Sh|Ss|It|Bl|El|Bd|Ed)\b)[^\n]*\n)+", source, re.M):
        yield found.start(), re.sub(r"^\.(?:\\\".*|[A-Z][a-z] ?)", "", found.group(), flags=re.M)


def plain_texts(source):
    """Yields (offset, text) of each paragraph, list entry or table row outside of code blocks."""
    source = re.sub(r"^```.*?^```$", lambda found: "\n" * found.group().count("\n"), source, flags=re.M | re.S)
    for found in re.finditer(r"[^\n]+(?:\n(?![-|#\n])[^\n]+)*", source):
        yield found.start(), re.sub(r"^(?:- |#+ )", "", found.group())


def texts(path, source):
    if path.endswith((".c", ".h")):
        return c_texts(source)
    if re.search(r"^man/.*\.[0-9]$", path):
        return manual_texts(source)
    if path.endswith(".md"):
        return plain_texts(source)
    return script_texts(source) if path.endswith(SCRIPTS) else ()


def paths(tree):
    yield from (name for name in FILES if os.path.exists(os.path.join(tree, name)))
    for folder in FOLDERS:
        for parent, folders, names in os.walk(os.path.join(tree, folder)):
            folders.sort()
            for name in sorted(names):
                yield os.path.relpath(os.path.join(parent, name), tree)


def main(tree):
    pattern = re.compile("|".join("(?:%s)" % p for p in PATTERNS))
    allowed = set()
    if os.path.exists(os.path.join(tree, EXCEPTIONS)):
        with open(os.path.join(tree, EXCEPTIONS)) as lines:
            allowed = {tuple(line.split("\t")[:2]) for line in lines if not line.startswith("#")}
    used, failed, read = set(), 0, 0
    for path in paths(tree):
        if path == "tests/lint/prose.py" or os.path.islink(os.path.join(tree, path)):
            continue
        with open(os.path.join(tree, path), errors="replace") as file:
            source = file.read()
        for offset, text in texts(path, source):
            read += 1
            text = " ".join(text.split())
            hits = [QUESTION] if text == QUESTION else [h.lstrip(".!?: ") for h in pattern.findall(text)]
            for hit in hits:
                if (path, hit) in allowed:
                    used.add((path, hit))
                    continue
                failed += 1
                at = max(text.find(hit) - 40, 0)
                print("%s:%d: %s: ...%s" % (path, source.count("\n", 0, offset) + 1, hit, text[at:at + 100]))
    for path, hit in sorted(allowed - used):
        print("%s: %s has no '%s'" % (EXCEPTIONS, path, hit))
    if not failed and allowed == used and len(allowed) <= 20:
        print("prose: %d texts, %d exceptions" % (read, len(allowed)))
        return 0
    return 1


sys.exit(main(sys.argv[1]))
