#!/bin/sh
# changelog.sh: prints the releases of CHANGELOG.md in Debian's format.
set -eu
cd "$(dirname "$0")/.."

entries() { # VERSION
	awk -v version="$1" '
		/^## / { inside = $2 == version }
		inside && /^- / { if (entry) print entry; entry = substr($0, 3) }
		inside && /^  / { entry = entry " " substr($0, 3) }
		END { print entry }' CHANGELOG.md
}

awk '$1 == "##" && $2 ~ /^[0-9]/ { print $2, $3 }' CHANGELOG.md | while read -r version day; do
	printf 'fs-tools (%s-1) unstable; urgency=medium\n\n' "$version"
	entries "$version" | while read -r entry; do
		echo "$entry" | fold -s -w 70 | sed '1s/^/  * /; 2,$s/^/    /; s/ *$//'
	done
	printf '\n -- The fs-tools authors <fs-tools@fs-tools.invalid>  %s\n\n' "$(LC_ALL=C date -u -R -d "$day")"
done
