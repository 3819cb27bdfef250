#!/bin/sh
# circles.sh OBJECT...: object files, named or in a named folder, use each other in one direction only, by the symbols
# of the linker. A circle of files is one file in several parts.
set -u

edges=$(mktemp)
trap 'rm -f "$edges" "$edges.loops"' EXIT INT TERM

# Prints "user owner" for each pair of objects, without the build folder.
find "$@" -name '*.o' | sort | xargs nm -A -g 2>/dev/null | awk '
{
	file = $1
	sub(/:.*$/, "", file)
	kind = NF == 2 ? $1 : $(NF - 1)
	sub(/^.*:/, "", kind)
	if (NF == 3 && $2 == "U")
		kind = "U"
	name = $NF
	if (kind == "U")
		uses[file, name] = 1
	else
		owner[name] = file
}
END {
	for (pair in uses) {
		split(pair, p, SUBSEP)
		if (p[2] in owner && owner[p[2]] != p[1])
			print p[1], owner[p[2]]
	}
}' | sort -u >"$edges"

[ -s "$edges" ] || { echo "circles: no object files in $*"; exit 1; }
tsort "$edges" >/dev/null 2>"$edges.loops"
if [ -s "$edges.loops" ]; then
	sed 's/^tsort: //' "$edges.loops"
	exit 1
fi
echo "circles: $(wc -l <"$edges") uses between files, none of them round"
