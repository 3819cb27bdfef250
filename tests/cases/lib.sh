# Common beginning of the scripts of tests/cases, sourced with their arguments: the first is the folder of the programs.
# The user's environment variables have no effect.
# shellcheck shell=bash disable=SC2034 # what is set here is used there
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset FS_SNAPSHOT
passed=0 failed=0

# fail WHAT WHY [WANTED GOT]
fail() {
	failed=$((failed + 1))
	echo "FAIL $1: $2"
	[ $# -lt 4 ] || diff "$3" "$4" | head -6
}
