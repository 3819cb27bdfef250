#!/bin/sh
# Only the registries check which scheduler a snapshot is of: other code calls struct fsi_scheduler (libfs/scheduler) or
# struct dialect (cmd/dialect).
set -u

cd "$(dirname "$0")/../.." || exit 1

kinds=$(grep -rnE --include='*.[ch]' '\bFS_(SLURM|FLUX|MAUI|OTHER_SCHEDULER)\b' libfs cmd |
	grep -v -e '^libfs/include/' -e '^libfs/scheduler/')
names=$(grep -rnE --include='*.[ch]' 'str(n)?cmp\([^"]*(algorithm|scheduler)[^"]*"(maui|slurm|flux)"' libfs cmd)
# Members that only one scheduler fills, used as a substitute for that check. Its own files may use them, and code that
# prints the value.
hidden=$(grep -rnE --include='*.c' 'isnan\([a-z]+->urgency\)|(\(|&& |\|\| |!)[a-z]+->groups( |\))' cmd |
	grep -v -e '^cmd/explain/\(flux\|maui\)' -e '"unknown: not captured"')
if [ -n "$kinds$names$hidden" ]; then
	printf '%s\n' "$kinds" "$names" "$hidden" | sed '/^$/d; s/$/   <- asks which scheduler it is/'
	exit 1
fi
echo "kinds: asked in the registries alone"
