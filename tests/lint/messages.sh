#!/bin/sh
# Finds messages of the program that no test expects. A test expects a message if it contains four consecutive words of
# it. tests/lint/messages.txt lists the messages that no test can provoke: message, tab, reason. Usage: messages.sh [TREE]
here=$(dirname "$0")
exec python3 "$here/messages.py" "${1:-$here/../..}"
