#!/bin/bash
# Captures of running controllers in tests/cases/living/*.tar.xz, each with what the controller itself printed and did:
#   in/ the capture · truth_before/, truth/ sshare and sprio right before and after it, by root · user/ the same by the
#   ordinary user who captured, under PrivateData · truth/bf_cycle.log one cycle of backfill · tend/ jobs some time
# later
# The checks are in living.py. Usage: living.sh BIN_DIR [CASE]...
. "$(dirname "$0")/lib.sh"
shift
[ $# -gt 0 ] || set -- "$here"/living/*.tar.xz
for archive in "$@"; do
	case=$(basename "$archive" .tar.xz)
	tar -C "$work" -xJf "$here/living/$case.tar.xz" || exit 1
	if python3 "$here/living.py" "$bin" "$work/$case"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
	rm -rf "${work:?}/$case"
done
echo "living: $passed passed, $failed failed"
[ $failed = 0 ]
