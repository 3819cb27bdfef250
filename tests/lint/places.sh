#!/bin/sh
# The place of an argument of a public function shows its owner: `T **out` is first, is created by the call and freed by
# the caller; all other outputs are last, before the error, each followed by its size. A function that gives row i of
# something returns a pointer to stored data, or fills in a copy and returns if there is such a row.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

awk '
function bad(what) { printf "%s: %s: %s\n", file, name, what; failed++ }
# Returns true if the call fills it in: a pointer to a type that is not const, and no callback, context, object or
# error.
function filled(a) {
	return (a ~ /\*[a-z_]+$/ || a ~ /\[[A-Z_0-9a-z]*\]$/) && a !~ /^const [a-z_0-9 ]*\*[a-z]/ && a !~ /(_fn |struct fs_error|void \*[a-z_]*ctx)/
}
function check(n, i, last) {
	last = n
	if (arg[last] ~ /^struct fs_error \*/)
		last--
	if (last && arg[last] ~ /^size_t (max|size|room)$/)
		last--
	for (i = 1; i <= n; i++) {
		if (i < last - 1 && arg[i] ~ /^struct fs_error/)
			bad("the error stands last")
		if (arg[i] ~ /^[a-z_ ]+\*\*[a-z]+$/ && arg[i] !~ /^const /) {
			if (i != 1)
				bad(arg[i] " is made and stands first")
			continue
		}
		if (i == 1 && arg[i] ~ /[ *](out|buf)(\[.*)?$/ && last > 1)
			bad(arg[i] " is filled in and stands last, before the error")
		if (!filled(arg[i]) || i == last)
			continue
		# the first argument is the object of the call; two outputs may be adjacent
		if (i == 1 || (arg[1] ~ /\*\*/ && arg[i] ~ /size_t \*size/) || (i == last - 1 && filled(arg[last])))
			continue
		bad(arg[i] " is filled in and stands last, before the error")
	}
	if (kind ~ /void/ && name ~ /_(row|place|job|label|brief|inputs)$/ && n > 1)
		bad("says nothing of a row past the end")
}
{ sub(/\/\*.*\*\//, ""); }
/\/\*/ { inside = 1; sub(/\/\*.*/, "") }
inside && /\*\// { inside = 0; next }
inside { next }
/^#/ { next }
/^FS_API/ { text = ""; open = 1 }
open { text = text " " $0 }
open && /;/ {
	open = 0
	file = FILENAME
	gsub(/[ \t]+/, " ", text)
	kind = text
	sub(/\(.*/, "", kind)
	name = kind
	sub(/.*[ *]/, "", name)
	sub(/^[^(]*\(/, "", text)
	sub(/\) ?;.*/, "", text)
	n = split(text, arg, /, ?/)
	if (n == 1 && arg[1] == "void")
		n = 0
	functions++
	check(n)
}
END {
	if (!failed)
		printf "places: %d public functions, each argument in its place\n", functions
	exit failed > 0
}' libfs/include/fs/*.h
