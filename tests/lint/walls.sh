#!/bin/sh
# Walls around Maui and Flux: identifiers with a scheduler's name, and includes of its headers, are allowed only in
# files of that scheduler, in the registries, and in the tables of record fields. Files of a scheduler have its name in
# theirs, or are in its folder of libfs/import. All other code uses struct fsi_scheduler, struct dialect or an opaque
# pointer. Comments and strings do not count.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

registries='^(libfs/scheduler/|cmd/dialect/|libfs/model/records/|libfs/model/tables[.]h)'

# Exceptions: scheduler, files and the identifiers allowed in them; at most five lines for Maui. Flux still has parts in
# files that it shares.
allowed='
maui ^libfs/include/fs/           .*                                            public names
maui ^libfs/model/jobs[.]c        ^maui_partition$                              a field of a record, and of the public row
maui ^libfs/import/text/          ^(TEXT_MAUI|fsi_text_(import|write)_maui|import/maui/maui[.]h)$ the table of pasted outputs
maui ^libfs/forecast/forecast[.]h ^usage/maui_windows[.]h$                      the clock of windows
maui ^cmd/                        ^(STYLE_MAUI|import_maui_folder|fs_import_maui|fs_maui_import_options)$ the enum of layouts; a format of fs-snap
flux ^libfs/include/fs/           .*                                            public names
flux ^libfs/import/(text/|import[.]) .*                                         the table of pasted outputs; job ids
flux ^libfs/(snapshot|usage|fairshare|priority|queue|scenario|plan|explain)/ .*   rows of tables, and what they point to
flux ^cmd/(capture|columns|explain|input|prio|share|showq|snap)/ .*             the same of the commands
'

# shellcheck disable=SC2046 # no blanks in file names
awk -v registries="$registries" -v allowed="$allowed" -v schedulers="${WALLS:-maui flux}" '
BEGIN {
	n = split(allowed, line, "\n")
	for (i = 1; i <= n; i++)
		if (split(line[i], word, " ") > 3) {
			rows++
			of[rows] = word[1]
			files[rows] = word[2]
			names[rows] = word[3]
			of_maui += word[1] == "maui"
		}
	if (of_maui > 5) {
		print "tests/lint/walls.sh: more than five lines allowed for Maui"
		failed = 1
	}
	walls = split(schedulers, wall, " ")
}
# Returns the code of a line: strings are emptied, comments removed.
function code_of(s,   out, c, i) {
	out = ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (comment) {
			if (c == "*" && substr(s, i + 1, 1) == "/") {
				comment = 0
				i++
			}
		} else if (c == "/" && substr(s, i + 1, 1) == "*") {
			comment = 1
			i++
		} else if (c == "/" && substr(s, i + 1, 1) == "/") {
			break
		} else if (c == "\"" || c == "\047") {
			for (i++; i <= length(s) && substr(s, i, 1) != c; i++)
				if (substr(s, i, 1) == "\\")
					i++
			out = out " "
		} else {
			out = out c
		}
	}
	return out
}
function is_allowed(name, scheduler,   i) {
	for (i = 1; i <= rows; i++)
		if (of[i] == scheduler && FILENAME ~ files[i] && name ~ names[i]) {
			used[i] = 1
			return 1
		}
	return 0
}
function check(name,   i) {
	for (i = 1; i <= walls; i++)
		if (index(tolower(name), wall[i]) && index(own, wall[i]) == 0 && !is_allowed(name, wall[i])) {
			printf "%s:%d: %s: only files of %s, or a registry, may name it\n", FILENAME, FNR, name, wall[i]
			failed = 1
		}
}
FNR == 1 {
	comment = 0
	own = FILENAME ~ "^libfs/import/[a-z]+/" ? FILENAME : ""
	sub("^libfs/import/text/", "", own)
	base = FILENAME
	sub(".*/", "", base)
	own = own " " base
	skip = FILENAME ~ registries
	maui_files += index(own, "maui") > 0
}
skip { next }
comment || index(tolower($0), "maui") || index(tolower($0), "flux") || /\/\*/ {
	if (!comment && /^[ \t]*#[ \t]*include/) {
		header = $0
		gsub(/^[^"<]*["<]|[">].*/, "", header)
		count++
		check(header)
		next
	}
	rest = code_of($0)
	while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
		count++
		check(substr(rest, RSTART, RLENGTH))
		rest = substr(rest, RSTART + RLENGTH)
	}
}
END {
	for (i = 1; i <= rows; i++)
		if (!used[i] && index(" " schedulers " ", " " of[i] " ")) {
			printf "tests/lint/walls.sh: nothing needs the line for %s\n", files[i]
			failed = 1
		}
	if (!failed)
		printf "walls: Maui is named in %d files of its own, with %d exceptions\n", maui_files, of_maui
	exit failed
}' $(find libfs cmd -name '*.[ch]' | sort)
