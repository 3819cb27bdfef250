/* Where each kind of record comes from, how many there are and whether they are whole, and what is not known
 * without. */
#include "dialect/dialect.h"
#include "render/emit.h"
#include "snap/snap.h"

#include <stdio.h>
#include <string.h>

/* The next file of the type that the snapshot names, from source *i on, and its state. */
static const char *next_file(const fs_snapshot *s, const char *type, size_t *i, const char **state)
{
	const size_t n = strlen(type);
	const char *source;

	while ((source = fs_snapshot_source(s, (*i)++)))
		if (!strncmp(source, type, n) && source[n] == ' ' && (*state = strchr(source + n + 1, ' ')))
			return source + n + 1;
	return NULL;
}

static bool has_part(const fs_snapshot *s, const char *type)
{
	const char *state;

	for (size_t i = 0; next_file(s, type, &i, &state);)
		if (!strcmp(state, " partial"))
			return true;
	return false;
}

/* ": FILE, FILE in part, no FILE" of those that the snapshot names. */
static void print_files(const fs_snapshot *s, const char *type)
{
	const char *before = ": ", *file, *state;

	for (size_t i = 0; (file = next_file(s, type, &i, &state));) {
		emit("%s%s%.*s%s", before, strcmp(state, " missing") ? "" : "no ", (int)(state - file), file,
		     strcmp(state, " partial") ? "" : " in part");
		before = ", ";
	}
}

/* "; without FILE: WHAT" of files that are missing where others of the type are not. */
static void print_gaps(const fs_snapshot *s, const char *type)
{
	const char *file, *state;

	for (size_t i = 0; (file = next_file(s, type, &i, &state));) {
		const struct source_gap *g = dialect_of(s)->gaps;
		const size_t n = (size_t)(state - file);

		while (g && g->type &&
		       (strcmp(g->type, type) != 0 || strlen(g->file) != n || strncmp(g->file, file, n) != 0))
			g++;
		if (g && g->type && !strcmp(state, " missing"))
			emit("; without %s: %s", g->file, g->without);
	}
}

/* "files": [{"file", "state"}] of those that the snapshot names. */
static void json_files(const fs_snapshot *s, const char *type, struct fs_json *j)
{
	const char *file, *state;

	fs_json_key(j, "files");
	fs_json_array(j);
	for (size_t i = 0; (file = next_file(s, type, &i, &state));) {
		char name[256];

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
		const bool whole = !fs_snapshot_hidden(s, row->type), part = has_part(s, row->type);

		fs_json_object(j);
		json_text(j, "type", row->type);
		json_whole(j, "records", true, n);
		json_flag(j, "whole", whole);
		json_text(j, "from", row->from);
		json_files(s, row->type, j);
		json_text(j, "without", whole && n && !part ? "" : row->without);
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
		const bool lacking = hidden || !n, part = !lacking && has_part(s, row->type);

		emit("%-12s %8zu %-10s %s", row->type, n, hidden ? "not whole" : "", row->from);
		print_files(s, row->type);
		emit("%s%s", lacking ? "; without: " : part ? "; uncertain: " : "", lacking || part ? row->without : "");
		if (!lacking)
			print_gaps(s, row->type);
		emit("\n");
	}
}
