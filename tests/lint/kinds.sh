#!/bin/sh
# Which scheduler a snapshot is of is asked in the registries alone: whatever else depends on it asks struct
# fsi_scheduler (libfs/scheduler) or struct dialect (cmd/dialect).
set -u

cd "$(dirname "$0")/../.." || exit 1

kinds=$(grep -rnE --include='*.[ch]' '\bFS_(SLURM|FLUX|MAUI|OTHER_SCHEDULER)\b' libfs cmd |
	grep -v -e '^libfs/include/' -e '^libfs/scheduler/')
names=$(grep -rnE --include='*.[ch]' 'str(n)?cmp\([^"]*(algorithm|scheduler)[^"]*"(maui|slurm|flux)"' libfs cmd)
# Members that one scheduler alone fills, asked for in place of it; its own files may, and what prints the value.
hidden=$(grep -rnE --include='*.c' 'isnan\([a-z]+->urgency\)|(\(|&& |\|\| |!)[a-z]+->groups( |\))' cmd |
	grep -v -e '^cmd/explain/\(flux\|maui\)' -e '"unknown: not captured"')
if [ -n "$kinds$names$hidden" ]; then
	printf '%s\n' "$kinds" "$names" "$hidden" | sed '/^$/d; s/$/   <- asks which scheduler it is/'
	exit 1
fi
echo "kinds: asked in the registries alone"
