#!/bin/sh
# Each header compiles alone: it includes what it needs.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1
cc=${CC:-cc}
flags='-std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -fsyntax-only -x c'


cjson=$(pkg-config --cflags libcjson 2>/dev/null)
count=0 failed=0

for header in $(find libfs cmd -name '*.h' | sort); do
	case $header in
	libfs/include/*) paths="-Ilibfs/include" ;;
	libfs/*) paths="-Ilibfs -Ilibfs/include" ;;
	*) paths="-Ilibfs/include -Icmd" ;;
	esac
	count=$((count + 1))
	# twice: the guard must hold
	# shellcheck disable=SC2086 # flags are words
	printf '#include "%s"\n#include "%s"\n' "$PWD/$header" "$PWD/$header" |
		$cc $flags $paths $cjson -o /dev/null - || failed=1
done
[ "$failed" = 0 ] && echo "headers: $count compile alone"
exit "$failed"
