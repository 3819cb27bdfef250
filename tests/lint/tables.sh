#!/bin/sh
# Rows of a table are printed by cmd/columns/column.h, which has the widths, the headings and the order of a table once. What
# prints with a width of its own is listed here: file, function, reason.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# Pages of other tools, byte for byte; and what is no table.
reasons='
columns/text     put                 the tables themselves
history/show     print_heading       one number for each measure, as wide as its numbers
history/show     print_point         the same
input/input      progress_end        a line that is wiped
main             list_commands       --help
options/options  options_help        --help
page/page        ends                a picture
prio/maui        put_first           diagnose -p
prio/maui        print_blocked       a sentence about fair share
prio/prio        help_letter         sprio --helpformat
share/forms      print_name          a picture of ranges
share/forms      print_scale         a picture of ranges
share/forms      ranges_print_row    a picture of ranges
share/forms      table_print_header  sshare
share/maui       put_first           diagnose -f
share/maui       print_windows_header diagnose -f
share/maui       print_window_row    diagnose -f
share/share      help_format         sshare -e
showq/layout     layout_active       showq of Harvard and TACC
showq/layout     showq_layout        showq of Harvard and TACC
showq/layout     share_of            showq of Harvard
showq/layout     utilisation         showq of Harvard
showq/maui       maui_put_running    showq of Maui
showq/maui       put_total           showq of Maui
showq/plan       showq_plan          the words above a plan
showq/plan       put_start           the words above a start
showq/rows       put_text            showq of Harvard and TACC
showq/rows       put_number          showq of Harvard and TACC
showq/rows       rows_put_time       showq of Harvard and TACC
showq/rows       put_cell            showq of Harvard and TACC
showq/rows       utilisation         showq of TACC
top/screen       lines_wrap          lines that are broken
'

# shellcheck disable=SC2046 # no blanks in file names
awk -v reasons="$reasons" '
BEGIN {
	n = split(reasons, line, "\n")
	for (i = 1; i <= n; i++)
		if (split(line[i], word, " ") > 2)
			listed["cmd/" word[1] ".c " word[2]] = 1
}
# A call is looked at whole, to its semicolon; a text may have one cell of some width, but not two.
FNR == 1 { call = of = "" }
/^[a-z].*\(/ && !/;$/ {
	of = $0
	sub(/\(.*/, "", of)
	sub(/.*[ *]/, "", of)
}
call != "" || /(^|[^a-zA-Z0-9_])(emit|emit_to|lines_add|snprintf)\(/ { call = call $0 }
/;$/ {
	width = "%[-+ #]*([1-9][0-9]*|\\*)(\\.([0-9]+|\\*))?(ll|l|z|h)?[a-z]"
	if (call ~ "\"[^\"]*" width && (call !~ /snprintf/ || call ~ "\"[^\"]*" width "[^\"]*" width)) {
		if ((FILENAME " " of) in listed) {
			found[FILENAME " " of] = 1
			count++
		} else {
			printf "%s:%d: a width outside a column table\n", FILENAME, FNR
			failed = 1
		}
	}
	call = ""
}
END {
	for (place in listed)
		if (!found[place]) {
			printf "%s: listed in tests/lint/tables.sh, but prints no widths\n", place
			failed = 1
		}
	if (!failed)
		printf "tables: %d prints with a width of their own, none of a table of ours\n", count
	exit failed
}' $(find cmd -name '*.c' | sort)
