#!/bin/sh
# Code style, as far as it can be checked without a parser: indentation by tabs of 8, K&R braces, and no line of code or
# comment over 120 columns, except for a string or a comment after code. .clang-format formats new code; its versions
# differ from each other, so that it is not used here.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk '
function bad(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what
	failed = 1
}
function width(s,   n, i, k) {
	if (length(s) > 120 || index(s, "\t") == 0)
		return length(s)
	for (i = 1; i <= length(s); i++)
		n += substr(s, i, 1) == "\t" ? 8 - n % 8 : 1
	return n
}
FNR == 1 { before = "" }
/[ \t]$/ { bad("blanks at the end") }
/^        / { bad("indented by blanks") }
/^$/ && before == "" && FNR > 1 { bad("a second empty line") }
/^\t*(if|for|while|switch)\(/ { bad("no blank behind the keyword") }
/^\t+else/ && before ~ /^\t+\}$/ { bad("else stands behind the brace") }
/^\t+\{$/ && before ~ /^\t+(if|for|while|switch) .*\)$/ { bad("the brace stands behind the condition") }
/^(static |const |struct |enum |void |int |bool |char |double |size_t |u?int[0-9]+_t )+[*a-z_0-9]+\(.*\) \{$/ {
	bad("the brace of a function stands alone")
}
/(char|int|void|double|bool|size_t|struct [a-z_]+)\* [a-z]/ && !/\/\*|"/ { bad("the star stands before the name") }
length($0) > 100 && !/"/ && !/[^ \t*].*\/\*/ && width($0) > 120 { bad("more than 120 columns") }
{ before = $0 }
END {
	if (!failed)
		print "style: " NR " lines set alike"
	exit failed
}' $(find libfs cmd tests -name '*.[ch]')
