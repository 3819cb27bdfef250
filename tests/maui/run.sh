#!/bin/bash
# Sites generated from a seed, run by Maui's own simulation (MAUI: a folder with bin/maui and its commands), stopped
# twice and then stepped on, compared with our import of an ordinary capture: see lab.py and beside.py. Usage: run.sh
# BIN_DIR [SEED]
set -u
here=$(cd "$(dirname "$0")" && pwd)
bin=$(cd "$1" && pwd)
if [ ! -x "${MAUI:-}/bin/maui" ]; then
	echo "maui: skipped: MAUI=DIR names no Maui (DIR/bin/maui)"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O2 -shared -fPIC -o "$work/frozen.so" "$here/frozen.c" || exit 1
FROZEN=$work/frozen.so python3 "$here/lab.py" "$MAUI" "$work" "${2:-1}" 5 45 || exit 1
python3 "$here/beside.py" "$bin" "$work"/*@*
