#!/bin/bash
# Checks the properties of causes.py and delays.py on captures: every Nth, or all with EVERY_CASE=1. Usage: causes.sh BIN_DIR [CASE]
. "$(dirname "$0")/lib.sh"
set -o pipefail
export LC_ALL=C.UTF-8
jobs=0 causes=0 planned=0 delayed=0 failed=0

# check NAME
check() {
	local counts
	python3 "$here/causes.py" "$bin" "$work/s.jsonl" 6 >"$work/counts" 2>"$work/failures"
	read -r -a counts <"$work/counts" && [ "${#counts[@]}" = 3 ] || counts=(0 0 1)
	jobs=$((jobs + counts[0])) causes=$((causes + counts[1])) failed=$((failed + counts[2]))
	[ "${counts[2]}" = 0 ] || sed "s/^FAIL /FAIL $1: /" "$work/failures"
	python3 "$here/delays.py" "$bin" "$work/s.jsonl" 3 >"$work/counts" 2>"$work/failures"
	read -r -a counts <"$work/counts" && [ "${#counts[@]}" = 4 ] || counts=(0 0 0 1)
	planned=$((planned + counts[0])) delayed=$((delayed + counts[1])) failed=$((failed + counts[3]))
	[ "${counts[3]}" = 0 ] || sed "s/^FAIL /FAIL $1: /" "$work/failures"
}

every=${EVERY_CASE:-12}
[ -z "${2-}" ] || every=1
for archive in $(EVERY_CASE=$every "$here/archives.sh" slurm living limits plan); do
	name=$(basename "$archive" .tar.xz)
	[ -z "${2-}" ] || [ "$name" = "$2" ] || continue
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$archive" -C "$work/case" || exit 1
	in=("$work"/case/*/in)
	"$bin/fs-snap" import slurm "${in[0]}" -o "$work/s.jsonl" 2>/dev/null && check "$name"
done
echo "causes: $jobs jobs, $causes causes; $planned planned starts, $delayed with jobs that delay them"
echo "causes: $jobs passed, $failed failed"
[ "$failed" = 0 ]
