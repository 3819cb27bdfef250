#!/bin/sh
# Finds phrases that are hard to read in comments, messages, manuals, the README and the changelog (prose.py lists them),
# and questions as comments of functions. tests/lint/prose.txt may list exceptions: file, phrase and reason, at most 20.
# Usage: prose.sh [TREE]
here=$(dirname "$0")
exec python3 "$here/prose.py" "${1:-$here/../..}"
