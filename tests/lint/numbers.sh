#!/bin/sh
# Commands do not print with %g: it rounds and uses exponents, so that printed numbers do not add up. render/text.h has
# text_format_number. Exceptions are JSON (every digit), and formats that another tool prints or reads.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

found=$(grep -nE '%[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*))?[lL]?[gG]' -r cmd --include='*.[ch]' |
	grep -v -e '^cmd/render/doc\.c:' -e '^cmd/showq/jobs\.c:.*%\.4g%c' -e '^cmd/prio/print\.c:.*return')
[ -z "$found" ] || { echo "$found"; echo "numbers: %g in a command"; exit 1; }
# An unknown double prints as '?' (render/text.h), which snprintf does not do. Exceptions are code that reads the number
# first, and one of our file formats.
found=$(grep -nE 'vsnprintf\(|(^|[^a-z_])s?n?printf\(.*%[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*))?[fe]' -r cmd --include='*.[ch]' |
	grep -v -e '^cmd/render/\(text\|doc\|emit\|format\)\.c:' -e '^cmd/history/lines\.c:.*vsnprintf(b->text')
[ -z "$found" ] || { echo "$found"; echo "numbers: a double formatted without render/text.h"; exit 1; }
echo "numbers: no %g in a sentence, and no number that is not known"
