/* Where each kind of record comes from, how many there are and whether they are whole, and what is not known without. */
#include "dialect/dialect.h"
#include "render/emit.h"
#include "snap/snap.h"

#include <stdio.h>
#include <string.h>

/* ": FILE, FILE in part, no FILE" of those that the snapshot names. */
static void print_files(const fs_snapshot *s, const char *type)
{
	const size_t n = strlen(type);
	const char *before = ": ", *source;

	for (size_t i = 0; (source = fs_snapshot_source(s, i)); i++) {
		const char *file = source + n + 1, *state;

		if (strncmp(source, type, n) != 0 || source[n] != ' ' || !(state = strchr(file, ' ')))
			continue;
		emit("%s%s%.*s%s", before, strcmp(state, " missing") ? "" : "no ", (int)(state - file), file,
		     strcmp(state, " partial") ? "" : " in part");
		before = ", ";
	}
}

void snap_print_sources(const fs_snapshot *s)
{
	const struct source_row *row = dialect_of(s)->sources;

	if (row)
		emit("%-12s %8s %-10s %s\n", "type", "records", "", "from");
	for (; row && row->type; row++) {
		const bool hidden = fs_snapshot_hidden(s, row->type);
		const size_t n = fs_snapshot_records(s, row->type);
		const bool lacking = hidden || !n;

		emit("%-12s %8zu %-10s %s", row->type, n, hidden ? "not whole" : "", row->from);
		print_files(s, row->type);
		emit("%s%s\n", lacking ? "; without: " : "", lacking ? row->without : "");
	}
}
