#!/bin/sh
# Identifiers consist of known words: those of the glossary (man/fs-words.7), the plain words of words.txt, and their
# forms: plurals, -ed, -ing, -er, -est, -ly, un- (not), n (number of). A word is a part of an identifier between
# underscores, digits or changes of case; one or two letters are free. Prints each unknown word with the place of its
# first use. No static function has the same name in more than 4 files. Usage: words.sh [-l] [TREE]; -l prints the
# unknown words alone.
set -u

list=0
[ "${1-}" != -l ] || { list=1; shift; }
cd "${1:-$(dirname "$0")/../..}" || exit 1

# Words without a meaning of their own in the field: refused, even as forms of known words.
refused="told tell tells said say says kept odd rare begun apart anew gratis thin stray strays astray ageless magnets \
whom whose stands standings room rooms forget forgets donor giver anybody everybody theirs them ours mine looked looks \
heed heeds lent gone limb limbs noun nouns lean wish trouble obey vain tip untold"

# shellcheck disable=SC2046 # no blanks in file names
awk -v list=$list -v refused="$refused" '
BEGIN {
	n = split(refused, part, " ")
	for (i = 1; i <= n; i++)
		refuse[part[i]] = 1
}
function learn(text,   part, n, i) {
	n = split(tolower(text), part, /[^a-z]+/)
	for (i = 1; i <= n; i++)
		known[part[i]] = 1
}
# Returns true if `base` is known, or becomes so with a final e, without its doubled consonant, or with y for i.
function is_stem(base, depth,   n) {
	n = length(base)
	return is_form(base, depth) || is_form(base "e", depth) ||
	       (n > 3 && substr(base, n) == substr(base, n - 1, 1) && is_form(substr(base, 1, n - 1), depth)) ||
	       (base ~ /i$/ && is_form(substr(base, 1, n - 1) "y", depth))
}
# Returns true if the word is known, or is a known word with at most `depth` endings.
function is_form(word, depth,   n) {
	n = length(word)
	if (n < 3 || word in known)
		return n > 2
	if (!depth)
		return 0
	return (word ~ /[^s]s$/ && is_form(substr(word, 1, n - 1), depth - 1)) ||
	       (word ~ /es$/ && is_form(substr(word, 1, n - 2), depth - 1)) ||
	       (word ~ /ies$/ && is_form(substr(word, 1, n - 3) "y", depth - 1)) ||
	       (word ~ /ly$/ && is_form(substr(word, 1, n - 2), depth - 1)) ||
	       (word ~ /est$/ && is_stem(substr(word, 1, n - 3), depth - 1)) ||
	       (word ~ /e[dr]$/ && is_stem(substr(word, 1, n - 2), depth - 1)) ||
	       (word ~ /ing$/ && is_stem(substr(word, 1, n - 3), depth - 1))
}
function is_known(word) {
	return !(word in refuse) && (is_form(word, 2) || (word ~ /^n/ && is_form(substr(word, 2), 2)) ||
	       (word ~ /^un/ && is_form(substr(word, 3), 2)))
}
# Returns the identifier with an underscore before each capital letter that begins a word.
function split_case(name,   out) {
	while (match(name, /[a-z][A-Z]/)) {
		out = out substr(name, 1, RSTART) "_"
		name = substr(name, RSTART + 1)
	}
	return out name
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
FILENAME == "tests/lint/words.txt" {
	if (/[A-Z_]/ && !/^#/)
		checked[$0] = 1
	else if (!/^#/)
		learn($0)
	next
}
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
		n = split(tolower(split_case(name)), part, /[_0-9]+/)
		for (i = 1; i <= n; i++) {
			total++
			if (length(part[i]) < 3 || part[i] in reported || is_known(part[i]))
				continue
			reported[part[i]] = 1
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
