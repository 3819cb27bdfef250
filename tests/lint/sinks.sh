#!/bin/sh
# Only the files listed in `doors` print text that is not a command's own: the render modules, the terminal of fs-top,
# and the copying of streams. Nothing else in cmd/ prints such text.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk '
BEGIN {
	n = split("render/emit render/text render/doc top/terminal files/ustar", doors, " ")
	for (i = 1; i <= n; i++)
		door["cmd/" doors[i] ".c"] = 1
}
FILENAME in door { next }
FILENAME ~ "^cmd/capture/" { gsub(/dprintf\(/, "") } # into files that are kept
/(^|[^a-zA-Z0-9_])(v?f?printf|v?dprintf|f?puts|fwrite|perror|psignal|v?warnx?|v?errx?|writev)[(]/ {
	printf "%s:%d: prints around render/emit.h: %s\n", FILENAME, FNR, $0
	failed = 1
}
/(^|[^a-zA-Z0-9_])(f?putc|putchar)[(]/ && !/put(c|char)[(][\x27(]/ {
	printf "%s:%d: prints a byte it does not know: %s\n", FILENAME, FNR, $0
	failed = 1
}
/emit_raw_text[(]/ { own++ }
/emit(_to|_to_stream|_text|_safe_text|_line|_safe_line|_cut|_cut_text|_args|_format_args)?[(]/ { count++ }
END {
	if (!failed)
		printf "sinks: %d prints through one door, %d of them of our own bytes\n", count, own
	exit failed
}' $(find cmd -name '*.c' | sort)
