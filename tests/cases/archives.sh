#!/bin/sh
# Prints the captures (*.tar.xz) of the given folders, one per line. With EVERY_CASE=N in the environment, prints only
# every Nth, for builds that take many times as long. Usage: archives.sh FOLDER...
cd "$(dirname "$0")" || exit 1
for folder; do
	for archive in "$PWD/$folder"/*.tar.xz; do
		echo "$archive"
	done
done | awk -v every="${EVERY_CASE:-1}" 'NR % every == 0 || every == 1'
