/* Where each kind of record comes from, how many there are and whether they are whole, and what is not known
 * without. */
#include "columns/column.h"
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

/* Returns what is unknown without the file, though others of its type stand in for it; "" for nothing. */
static const char *without(const fs_snapshot *s, const char *type, const char *file, size_t n)
{
	const struct source_gap *g = dialect_of(s)->gaps;

	while (g && g->type && (strcmp(g->type, type) != 0 || strlen(g->file) != n || strncmp(g->file, file, n) != 0))
		g++;
	return g && g->type ? g->without : "";
}

/* "; without FILE: WHAT" of files that are missing where others of the type are not, and "; FILE in part: WHAT". */
static void print_gaps(const fs_snapshot *s, const char *type)
{
	const char *file, *state;

	for (size_t i = 0; (file = next_file(s, type, &i, &state));) {
		const size_t n = (size_t)(state - file);
		const char *what = strcmp(state, " whole") ? without(s, type, file, n) : "";

		if (*what && !strcmp(state, " missing"))
			emit("; without %.*s: %s", (int)n, file, what);
		else if (*what)
			emit("; %.*s in part: %s", (int)n, file, what);
	}
}

/* A line of the table: a type of record. */
struct line {
	const char *type, *from;
	const char *without; /* what is not known because it is lacking, or in part; "" nothing */
	const char *state;   /* as the page has it */
	uint64_t records;
	bool whole, lacking, part;
};

static struct line line_of(const fs_snapshot *s, const struct source_row *row)
{
	struct line l = { .type = row->type, .from = row->from, .without = row->without, .state = "" };

	l.records = fs_snapshot_records(s, row->type);
	l.whole = !fs_snapshot_hidden(s, row->type);
	l.lacking = !l.whole || !l.records;
	l.part = has_part(s, row->type);
	if (!l.whole)
		l.state = "not whole";
	if (!l.lacking && !l.part)
		l.without = "";
	return l;
}

/* [{"file", "state", "without"}] of those that the snapshot names. */
static void write_files(struct fs_json *j, const void *of, const void *row)
{
	const struct line *l = row;
	const char *file, *state;

	fs_json_array(j);
	for (size_t i = 0; (file = next_file(of, l->type, &i, &state));) {
		char name[256];

		snprintf(name, sizeof(name), "%.*s", (int)(state - file), file);
		fs_json_object(j);
		json_text(j, "file", name);
		json_text(j, "state", state + 1);
		json_text(j, "without", strcmp(state, " whole") ? without(of, l->type, file, (size_t)(state - file)) : "");
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define LINE(m) COLUMN_MEMBER(struct line, m)

/* Behind a row of the page stand its files, and what is not known without. */
static const struct column columns[] = {
	{ "type", "type", -12, LINE(type), .help = "type of record" },
	{ "records", "records", 8, LINE(records), .help = "how many there are" },
	{ "", NULL, -10, LINE(state), .help = "are they whole" },
	{ NULL, "whole", LINE(whole), .help = "are they whole" },
	{ "from", "from", LINE(from), .help = "where they come from" },
	{ NULL, "files", .json = write_files, .help = "the files that the snapshot names" },
	{ NULL, "without", LINE(without), .help = "what is not known without" },
};

void snap_json_sources(const fs_snapshot *s, struct fs_json *j)
{
	const struct source_row *row = dialect_of(s)->sources;

	json_rows(j);
	for (; row && row->type; row++) {
		const struct line l = line_of(s, row);

		columns_object(j, COLUMNS(columns), s, &l);
		json_row_done(j);
	}
	json_end_rows(j);
}

void snap_print_sources(const fs_snapshot *s)
{
	const struct column_page page = { COLUMNS(columns), s, .characters = true };
	const struct source_row *row = dialect_of(s)->sources;

	if (!row)
		return;
	columns_heading(&page);
	for (; row->type; row++) {
		const struct line l = line_of(s, row);

		columns_row(&page, &l);
		print_files(s, l.type);
		if (l.lacking || l.part)
			emit("; %s: %s", l.lacking ? "without" : "uncertain", l.without);
		if (!l.lacking)
			print_gaps(s, l.type);
		putchar('\n');
	}
}
