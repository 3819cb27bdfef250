#!/bin/sh
# Unit tests mirror the library: tests/unit/<folder>/test_<file>.c, or test_<file>_<aspect>.c, tests libfs/<folder>/<file>.c
# or a header of that name.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1
failed=0 tests=0

for t in $(find tests/unit -name 'test_*.c' | sort); do
	folder=$(dirname "${t#tests/unit/}")
	name=$(basename "$t" .c)
	file=${name#test_}
	while [ ! -e "libfs/$folder/$file.c" ] && [ ! -e "libfs/$folder/$file.h" ]; do
		case $file in
		*_*) file=${file%_*} ;;
		*)
			echo "$t: no libfs/$folder/$file.c or .h"
			failed=1
			break
			;;
		esac
	done
	tests=$((tests + 1))
done
[ "$failed" = 0 ] && echo "mirror: $tests unit tests, each of a file that is there"
exit "$failed"
