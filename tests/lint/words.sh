#!/bin/sh
# Identifiers consist of known words: those of the glossary (man/fs-words.7) and the plain words of words.txt, one a line.
# A word is a part of an identifier between underscores, digits left out; one or two letters are free. Prints each unknown
# word with the place of its first use. No static function has the same name in more than 4 files.
# Usage: words.sh [-l] [TREE]; -l prints the unknown words alone.
set -u

list=0
[ "${1-}" != -l ] || { list=1; shift; }
cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk -v list=$list '
function learn(text,   part, n, i) {
	n = split(tolower(text), part, /[^a-z]+/)
	for (i = 1; i <= n; i++)
		known[part[i]] = 1
}
# The line without comments and string literals.
function code_of(s,   out, i, c, open) {
	out = ""
	while (s != "") {
		if (inside) {
			i = index(s, "*/")
			if (!i)
				return out
			inside = 0
			s = substr(s, i + 2)
		}
		if (!match(s, /\/\*|"|\047/))
			return out s
		out = out substr(s, 1, RSTART - 1) " "
		open = substr(s, RSTART, 1)
		s = substr(s, RSTART + RLENGTH)
		if (open == "/") {
			inside = 1
			continue
		}
		for (i = 1; (c = substr(s, i, 1)) != "" && c != open; i++)
			i += c == "\\"
		s = substr(s, i + 1)
	}
	return out
}
FILENAME == "man/fs-words.7" { if (/^\.It /) learn(substr($0, 5)); next }
FILENAME == "tests/lint/words.txt" { if (!/^#/) learn($0); next }
FNR == 1 { inside = 0 }
/^#include/ { next }
{
	line = code_of($0)
	if (match(line, /^static .*[ *][a-z][a-z_0-9]*\(/)) {
		name = substr(line, RSTART, RLENGTH - 1)
		sub(/^.*[ *]/, "", name)
		if (seen[name] != FILENAME && files[name]++ == 4) {
			printf "%s: static functions of this name are in more than 4 files, also in %s\n", name, FILENAME
			failed = 1
		}
		seen[name] = FILENAME
	}
	while (match(line, /[A-Za-z0-9_]+/)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (name ~ /^[0-9]/ || name in checked)
			continue
		checked[name] = 1
		n = split(tolower(name), part, /[_0-9]+/)
		for (i = 1; i <= n; i++) {
			total++
			if (length(part[i]) < 3 || part[i] in known)
				continue
			known[part[i]] = 1
			if (list)
				print part[i]
			else
				printf "%s:%d: unknown word: %s (in %s)\n", FILENAME, FNR, part[i], name
			failed = 1
		}
	}
}
END {
	if (!failed && !list)
		printf "words: %d words of identifiers, all known\n", total
	exit failed
}' man/fs-words.7 tests/lint/words.txt $(find libfs cmd -name '*.[ch]' | sort)
