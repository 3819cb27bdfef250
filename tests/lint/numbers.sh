#!/bin/sh
# No %g in what commands say: it rounds and turns to exponents, so that what is printed does not add up. render/text.h
# has text_format_number. Excepted are JSON (every digit), and what another tool prints or reads in that form.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

found=$(grep -nE '%[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*))?[lL]?[gG]' -r cmd --include='*.[ch]' |
	grep -v -e '^cmd/render/doc\.c:' -e '^cmd/showq/jobs\.c:.*%\.4g%c' -e '^cmd/prio/print\.c:.*return')
[ -z "$found" ] || { echo "$found"; echo "numbers: %g in a command"; exit 1; }
# A double that is not known prints as '?' (render/text.h), which snprintf does not do. Excepted are what reads the
# number first, and a file format of ours.
found=$(grep -nE 'vsnprintf\(|(^|[^a-z_])s?n?printf\(.*%[-+ #0]*([0-9]+|\*)?(\.([0-9]+|\*))?[fe]' -r cmd --include='*.[ch]' |
	grep -v -e '^cmd/render/\(text\|doc\|emit\|format\)\.c:' -e '^cmd/history/lines\.c:.*vsnprintf(b->text')
[ -z "$found" ] || { echo "$found"; echo "numbers: a double formatted without render/text.h"; exit 1; }
echo "numbers: no %g in a sentence, and no number that is not known"
