#!/bin/sh
# A comment cites only what exists: names of the library (fs_, fsi_, and in capitals), and files of libfs and cmd, with
# or without that folder. No comment begins with a file name: it describes this file, or the file has a path. In
# fs_T_free, fs_X_name and fs_X_text the capital represents a word.
set -u

cd "${1:-$(dirname "$0")/../..}" || exit 1

# shellcheck disable=SC2046 # no blanks in file names
awk -v folders="$(cd libfs && echo */) $(cd cmd && echo */)" '
BEGIN {
	gsub("/", "", folders)
	count = split(folders, folder, " ")
	for (i = 1; i <= count; i++)
		ours[folder[i]] = folder[i] != "include"
}
function there(path) {
	if (!(path in known)) {
		known[path] = (getline line < path) >= 0
		close(path)
	}
	return known[path]
}
# Splits the line into code and comment; strings may contain both.
function split_line(s,   i) {
	code = said = ""
	while (s != "") {
		i = index(s, inside ? "*/" : "/*")
		if (!i) {
			if (inside) said = said s; else code = code s
			break
		}
		if (inside) said = said substr(s, 1, i - 1); else code = code substr(s, 1, i - 1)
		inside = !inside
		s = substr(s, i + 2)
	}
}
FNR == 1 { inside = 0 }
{
	split_line($0)
	while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
		exists[substr(code, RSTART, RLENGTH)] = 1
		code = substr(code, RSTART + RLENGTH)
	}
	if (said ~ /^[ *]*(---- )?[a-z_]+[.][ch](: |$)/ && $0 ~ /^\/\*/) {
		printf "%s:%d: a comment that begins with the name of a file\n", FILENAME, FNR
		failed = 1
	}
	rest = said
	while (match(rest, /(fsi?|FSI?)_[A-Za-z0-9_]+[*.]*/)) {
		name = substr(rest, RSTART, RLENGTH)
		before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
		rest = substr(rest, RSTART + RLENGTH)
		sub(/[.]$/, "", name)
		if (before !~ /[A-Za-z0-9_]/ && name !~ /_$/ && name !~ /[*.]/ && name !~ /^fs_[TX]_/) {
			cited[++n] = name
			where[n] = FILENAME ":" FNR
		}
	}
	while (match(said, /[a-z_\/-]+\/[a-z0-9_]+\.[ch]/)) {
		path = substr(said, RSTART, RLENGTH)
		said = substr(said, RSTART + RLENGTH)
		split(path, part, "/")
		if (path ~ /^(select\/cons_|backfill\/backfill\.c)/) # a file of Slurm, below src/plugins
			continue
		if ((path ~ /^(libfs|cmd)\// && !there(path)) ||
		    (ours[part[1]] && !there("libfs/" path) && !there("cmd/" path))) {
			printf "%s:%d: no file %s\n", FILENAME, FNR, path
			failed = 1
		}
	}
}
END {
	for (i = 1; i <= n; i++)
		if (!(cited[i] in exists)) {
			printf "%s: nothing is called %s\n", where[i], cited[i]
			failed = 1
		}
	if (!failed)
		printf "cited: %d names in comments, all of things that are there\n", n
	exit failed
}' $(find libfs cmd -name '*.[ch]')
