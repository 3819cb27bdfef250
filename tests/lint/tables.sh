#!/bin/sh
# Rows of a table are printed by cmd/columns/column.h, which has the widths, the headings and the order of a table once. What
# prints with a width of its own is listed here, with the reason.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# Pages of other tools, byte for byte; and what is no table.
reasons='
columns/text     the tables themselves
share/forms      sshare, diagnose -f, a picture of ranges
share/share      sshare -e
prio/prio        sprio --helpformat
prio/print       diagnose -p
showq/rows       showq of Harvard and TACC, showq -r of Maui
showq/layout     showq of Harvard and TACC
showq/maui       showq of Maui
showq/plan       the words above a plan and a start
page/page        a picture
history/show     a number for each measure that the history has, as wide as its numbers
options/options  --help
main             --help
top/screen       lines that are broken
input/input      a line that is wiped
'

# shellcheck disable=SC2046 # no blanks in file names
awk -v reasons="$reasons" '
BEGIN {
	n = split(reasons, line, "\n")
	for (i = 1; i <= n; i++)
		if (split(line[i], word, " ") > 1)
			listed["cmd/" word[1] ".c"] = 1
}
# A call is looked at whole, to its semicolon; a text may have one cell of some width, but not two.
FNR == 1 { call = "" }
call != "" || /(^|[^a-zA-Z0-9_])(emit|emit_to|lines_add|snprintf)\(/ { call = call $0 }
/;$/ {
	width = "%[-+ #]*([1-9][0-9]*|\\*)(\\.([0-9]+|\\*))?(ll|l|z|h)?[a-z]"
	if (call ~ "\"[^\"]*" width && (call !~ /snprintf/ || call ~ "\"[^\"]*" width "[^\"]*" width)) {
		if (FILENAME in listed) {
			found[FILENAME] = 1
			count++
		} else {
			printf "%s:%d: a width outside a column table\n", FILENAME, FNR
			failed = 1
		}
	}
	call = ""
}
END {
	for (file in listed)
		if (!found[file]) {
			printf "%s: listed in tests/lint/tables.sh, but prints no widths\n", file
			failed = 1
		}
	if (!failed)
		printf "tables: %d prints with a width of their own, none of a table of ours\n", count
	exit failed
}' $(find cmd -name '*.c' | sort)
