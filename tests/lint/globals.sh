#!/bin/sh
# globals.sh OBJECT...: names used in one file only are static. Exceptions are the public functions (fs_) and the names
# that unit tests call, in tests/lint/tested.txt; a name there that other files use as well must be removed.
set -u

list=$(dirname "$0")/tested.txt
nm -A -g "$@" | awk -v list="$list" '
BEGIN {
	while ((getline line < list) > 0)
		if (line !~ /^#/)
			tested[line] = 1
}
{
	file = $1
	sub(/:.*$/, "", file)
	if ($(NF - 1) ~ /U$/)
		used[$NF] = 1
	else if ($NF !~ /^fs_/ && $NF != "main")
		owner[$NF] = file
}
END {
	for (name in owner)
		if (!(name in used) && !(name in tested)) {
			printf "%s: %s is used in this file alone, and not static\n", owner[name], name
			failed = 1
		}
	for (name in tested)
		if (!(name in owner) || name in used) {
			printf "%s: %s is %s\n", list, name, name in owner ? "used by other files" : "not defined"
			failed = 1
		} else
			n++
	if (!failed)
		printf "globals: each used by another file, or one of %d that unit tests call\n", n
	exit failed
}'
