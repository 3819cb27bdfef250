#!/bin/bash
# Checks the properties of whatif.py on captures: a sample of them, or all with EVERY_CASE=1. Usage: whatif.sh BIN_DIR
# [JOBS]: with JOBS jobs of each capture (3).
. "$(dirname "$0")/lib.sh"
set -o pipefail
export LC_ALL=C.UTF-8
captures=0 sums=(0 0 0 0 0 0 0 0 0 0 0)

# check NAME
check() {
	local counts i
	captures=$((captures + 1))
	if python3 "$here/whatif.py" "$bin" "$work/s.jsonl" "${jobs:-3}" "$1" 2>"$work/counts" && read -r -a counts <"$work/counts" &&
		[ "${#counts[@]}" = "${#sums[@]}" ]; then
		for i in "${!sums[@]}"; do sums[i]=$((sums[i] + counts[i])); done
	else
		sums[10]=$((sums[10] + 1))
		echo "FAIL $1: $(tail -1 "$work/counts")"
	fi
}

jobs=${2-}
# A capture whose last cycle started jobs itself, and every Nth of the others.
for archive in "$here/plan/22.05-started-in-the-cycle.tar.xz" $(EVERY_CASE=${EVERY_CASE:-30} "$here/archives.sh" slurm living limits plan) "$here/flux/sample.tar.xz"; do
	rm -rf "$work/case"
	mkdir "$work/case"
	tar -xJf "$archive" -C "$work/case" || exit 1
	case $archive in
	*/flux/*) "$bin/fs-snap" import flux "$work/case/sample" -o "$work/s.jsonl" 2>/dev/null ;;
	*)
		in=("$work"/case/*/in)
		"$bin/fs-snap" import slurm "${in[0]}" -o "$work/s.jsonl" 2>/dev/null
		;;
	esac && check "$(basename "$archive" .tar.xz)"
done
echo "what-if: $captures captures, ${sums[0]} with themselves, ${sums[1]} inverses, ${sums[2]} sums, ${sums[3]} pieces of advice, ${sums[4]} points," \
	"${sums[5]} events, ${sums[6]} that never come, ${sums[7]} later verdicts, ${sums[8]} later commands (${sums[9]} known to do harm)"
echo "what-if: $((sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7] + sums[8])) passed, ${sums[10]} failed"
[ "${sums[10]}" = 0 ] || exit 1
