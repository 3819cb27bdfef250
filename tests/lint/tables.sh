#!/bin/sh
# Table rows are printed by cmd/columns/column.h, which has the widths, headings and order of a table in one place.
# Other code that prints with a width is listed here: file, function, reason.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# Pages of other tools, byte for byte; and output that is not a table.
reasons='
columns/column   write_row_text            the tables themselves
history/show     print_table_heading       one number for each measure, as wide as its numbers
history/show     print_table_point         the same
input/input      erase_progress_line       a line that is wiped
main             print_command_list        --help
options/options  options_print_help              --help
page/page        add_plot_labels           a picture
prio/maui        print_jobs_over_cap       a sentence about fair share
prio/maui        print_maui_job_columns    diagnose -p
prio/prio        print_format_letter       sprio --helpformat
share/forms      print_bars_row            a picture of ranges
share/forms      print_bars_scale          a picture of ranges
share/forms      print_padded_name         a picture of ranges
share/forms      print_share_table_header  sshare
share/maui       print_maui_credential     diagnose -f
share/maui       print_maui_first_columns  diagnose -f
share/maui       print_maui_windows_header diagnose -f
share/share      print_column_names        sshare -e
showq/layout     print_active_section      showq of Harvard and TACC
showq/layout     print_fasrc_utilisation   showq of Harvard
showq/layout     print_used_share          showq of Harvard
showq/layout     showq_print_layout        showq of Harvard and TACC
showq/maui       print_maui_running_list   showq of Maui
showq/maui       print_maui_total          showq of Maui
showq/plan       print_start_page          the words above a start
showq/plan       showq_print_plan          the words above a plan
showq/rows       print_aligned_number      showq of Harvard and TACC
showq/rows       print_clock_duration      showq of Harvard and TACC
showq/rows       print_cut_text            showq of Harvard and TACC
showq/rows       print_row_cell            showq of Harvard and TACC
showq/rows       print_tacc_utilisation    showq of TACC
top/screen       lines_add_wrapped_text                lines that are broken
'

# shellcheck disable=SC2046 # no blanks in file names
awk -v reasons="$reasons" '
BEGIN {
	n = split(reasons, line, "\n")
	for (i = 1; i <= n; i++)
		if (split(line[i], word, " ") > 2)
			listed["cmd/" word[1] ".c " word[2]] = 1
}
# A call is checked as a whole, up to its semicolon; a string may have one cell with a width, but not two.
FNR == 1 { call = of = "" }
/^[a-z].*\(/ && !/;$/ {
	of = $0
	sub(/\(.*/, "", of)
	sub(/.*[ *]/, "", of)
}
call != "" || /(^|[^a-zA-Z0-9_])(emit|emit_to_stream|lines_add_formatted|snprintf)\(/ { call = call $0 }
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
