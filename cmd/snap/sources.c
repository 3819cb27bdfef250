/* Where each kind of record comes from, how many there are and whether they are whole, and what is not known
 * without. */
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

/* "files": [{"file", "state"}] of those that the snapshot names. */
static void json_files(const fs_snapshot *s, const char *type, struct fs_json *j)
{
	const size_t n = strlen(type);
	const char *source;

	fs_json_key(j, "files");
	fs_json_array(j);
	for (size_t i = 0; (source = fs_snapshot_source(s, i)); i++) {
		const char *file = source + n + 1, *state;
		char name[256];

		if (strncmp(source, type, n) != 0 || source[n] != ' ' || !(state = strchr(file, ' ')))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)(state - file), file);
		fs_json_object(j);
		json_text(j, "file", name);
		json_text(j, "state", state + 1);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

void snap_json_sources(const fs_snapshot *s, struct fs_json *j)
{
	const struct source_row *row = dialect_of(s)->sources;

	json_rows(j);
	for (; row && row->type; row++) {
		const size_t n = fs_snapshot_records(s, row->type);
		const bool whole = !fs_snapshot_hidden(s, row->type);

		fs_json_object(j);
		json_text(j, "type", row->type);
		json_whole(j, "records", true, n);
		json_flag(j, "whole", whole);
		json_text(j, "from", row->from);
		json_files(s, row->type, j);
		json_text(j, "without", whole && n ? "" : row->without);
		fs_json_end_object(j);
		json_row_done(j);
	}
	json_end_rows(j);
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
