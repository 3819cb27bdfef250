#include "columns/column.h"
#include "dialect/dialect.h"
#include "fs/priority.h"
#include "input/input.h"
#include "render/emit.h"
#include "render/format.h"
#include "snap/snap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sources: per type of record the files it comes from, its number, whether it is complete, and what is unknown
 * without it */

/* Finds the next file of a record type among the snapshot's sources, which read "TYPE FILE STATE". Starts at source *i
 * and advances it. Returns the file's name, which ends before *state; *state is " whole", " partial" or " missing".
 * Returns NULL at the end. */
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

/* Prints ": FILE, FILE in part, no FILE" for the files of a type that the snapshot lists. */
static void print_files(const fs_snapshot *s, const char *type)
{
	const char *before = ": ", *file, *state;

	for (size_t i = 0; (file = next_file(s, type, &i, &state));) {
		emit("%s%s%.*s%s", before, strcmp(state, " missing") ? "" : "no ", (int)(state - file), file,
		     strcmp(state, " partial") ? "" : " in part");
		before = ", ";
	}
}

/* Returns what is unknown without the file, even if other files of its type are there; "": nothing. */
static const char *without(const fs_snapshot *s, const char *type, const char *file, size_t n)
{
	const struct source_gap *g = dialect_of(s)->gaps;

	while (g && g->type && (strcmp(g->type, type) != 0 || strlen(g->file) != n || strncmp(g->file, file, n) != 0))
		g++;
	return g && g->type ? g->without : "";
}

/* Prints "; without FILE: WHAT" for each missing file of a type whose other files are there, and "; FILE in part: WHAT"
 * for each partial file. */
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

/* A row of the table: a type of record. */
struct sources_line {
	const char *type, *from;
	const char *without; /* what is unknown because records are missing or incomplete; "": nothing */
	const char *state;   /* as printed on the page */
	uint64_t records;
	bool whole, lacking, part;
};

static struct sources_line line_of(const fs_snapshot *s, const struct source_row *row)
{
	struct sources_line l = { .type = row->type, .from = row->from, .without = row->without, .state = "" };

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

/* Writes [{"file", "state", "without"}] for the files of the row's type that the snapshot lists. */
static void write_files(struct fs_json *j, const void *of, const void *row)
{
	const struct sources_line *l = row;
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

#define LINE(m) COLUMN_MEMBER(struct sources_line, m)

/* On the page a row is followed by its files and by what is unknown without them. */
static const struct column columns[] = {
	{ "type", "type", -12, LINE(type), .help = "type of record" },
	{ "records", "records", 8, LINE(records), .help = "how many there are" },
	{ "", NULL, -10, LINE(state), .help = "are they whole" },
	{ NULL, "whole", LINE(whole), .help = "are they whole" },
	{ "from", "from", LINE(from), .help = "where they come from" },
	{ NULL, "files", .json = write_files, .help = "the files that the snapshot names" },
	{ NULL, "without", LINE(without), .help = "what is not known without" },
};

/* Writes the table as "rows", the last member of the document. */
static void snap_json_sources(const fs_snapshot *s, struct fs_json *j)
{
	const struct source_row *row = dialect_of(s)->sources;

	json_rows(j);
	for (; row && row->type; row++) {
		const struct sources_line l = line_of(s, row);

		columns_object(j, COLUMNS(columns), s, &l);
		json_row_done(j);
	}
	json_end_rows(j);
}

/* Prints the table of sources. It lists the record types that snapshots of this scheduler have. */
static void snap_print_sources(const fs_snapshot *s)
{
	const struct column_page page = { COLUMNS(columns), s, .characters = true };
	const struct source_row *row = dialect_of(s)->sources;

	if (!row)
		return;
	columns_heading(&page);
	for (; row->type; row++) {
		const struct sources_line l = line_of(s, row);

		columns_row(&page, &l);
		print_files(s, l.type);
		if (l.lacking || l.part)
			emit("; %s: %s", l.lacking ? "without" : "uncertain", l.without);
		if (!l.lacking)
			print_gaps(s, l.type);
		putchar('\n');
	}
}

/* ---- fs-snap check: reads a snapshot and reports problems */

enum { SENTENCE = 9000 }; /* enough for a message with two paths */

/* Collects the report. A note is built up in `text` and then printed or stored. */
struct findings {
	struct snap_notes notes;
	char text[SENTENCE];
};

__attribute__((format(printf, 2, 3))) static void say(struct findings *f, const char *fmt, ...)
{
	const size_t len = strlen(f->text);
	va_list ap;

	va_start(ap, fmt);
	format_args(f->text + len, sizeof(f->text) - len, fmt, ap);
	va_end(ap);
}

static void said(struct findings *f)
{
	if (!*f->text)
		return;
	if (f->notes.keep)
		snap_note(&f->notes, f->text);
	else
		emit("%s%s\n", f->notes.begin, f->text);
	*f->text = '\0';
}

static void find_hidden(struct findings *f, const fs_snapshot *s)
{
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++)
		if (fs_snapshot_hidden(s, type)) {
			say(f, "%s records are missing or incomplete in this capture", type);
			said(f);
		}
	if (fs_snapshot_hidden(s, "config")) {
		say(f, "the configuration is missing or incomplete in this capture");
		said(f);
	}
}

static void say_error(struct findings *f, const char *how, const struct fs_snapshot_info *info)
{
	if (info->priority_time_error_s > 0)
		say(f, "%s, to within %lld s", how, (long long)info->priority_time_error_s);
	else
		say(f, "%s, to the second", how);
}

/* Appends when priorities were last computed, where that time comes from, and its error. */
static void find_last_run(struct findings *f, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[FS_TIME_TEXT];

	if (!dialect_of(s)->runs)
		return;
	if (!info->priority_time_known) {
		say(f, "when priorities were last computed is not known");
		return;
	}
	fs_time_format(s, info->priority_time, at);
	say(f, "priorities were last computed at %s", at);
	if (!strcmp(info->priority_time_from, "start"))
		say(f, ", counted from the controller's start: the seconds are a guess");
	else if (!strcmp(info->priority_time_from, "no ages"))
		say(f, " or earlier: nothing had aged, and the controller's start is not known");
	else if (!strcmp(info->priority_time_from, "ages"))
		say_error(f, ", by the ages of jobs", info);
	else if (!strcmp(info->priority_time_from, "promises"))
		say_error(f, ", by the minutes promised to running jobs", info);
	else if (!strcmp(info->priority_time_from, "shares"))
		say_error(f, ", by the shares that were printed", info);
	else
		say(f, ", as the snapshot says");
}

/* Notes the times for which classic factors are computed. Factors of accounts, and of users without a pending job, may
 * be older. */
static void find_moments(struct findings *f, const fs_snapshot *s, const fs_shares *shares)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char before[FS_TIME_TEXT], asked[FS_TIME_TEXT];

	if (!fs_shares_mix_moments(shares))
		return;
	fs_time_format(s, info->priority_time_before, before);
	say(f, "classic shares of accounts lack what jobs used from %s on, when priorities were computed before", before);
	if (strcmp(info->priority_time_before_from, "shares") != 0)
		say(f, ", if that was a PriorityCalcPeriod earlier: no printed share tells");
	else if (info->priority_time_before_error_s > 0)
		say(f, ", by the shares that were printed, to within %lld s", (long long)info->priority_time_before_error_s);
	else
		say(f, ", by the shares that were printed, to the second");
	said(f);
	if (!strcmp(fs_shares_algorithm(shares), "depth_oblivious"))
		say(f, "DEPTH_OBLIVIOUS weighs siblings by their shares of the calculation before as well, which are lost: "
		     "effective usage and factors may be off");
	said(f);
	fs_time_format(s, info->shares_time, asked);
	if (info->shares_time != info->time)
		say(f, "classic shares of users without a pending job are of %s or a little later, by those that were printed",
		     asked);
	said(f);
}

/* Notes which ranks are uncertain under Fair Tree before 23.11 (fs_share_row.other_rank). */
static void find_uncertain_ranks(struct findings *f, const fs_shares *shares)
{
	size_t n = 0;

	for (size_t i = 0; i < fs_shares_count(shares); i++)
		n += fs_shares_row(shares, i)->rank != fs_shares_row(shares, i)->other_rank;
	if (n)
		say(f, "the rank%s of %zu user%s hang%s on the order of equal accounts, which nothing captured tells: that of "
		     "the accounting database, or by name once an association has been changed",
		     n == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
	said(f);
}

static void find_index(struct findings *f, const char *file)
{
	const struct fs_read_options o = { 0 };
	FILE *stream = fopen(file, "rb");
	fs_snapshot *s = NULL;
	char why[INDEX_WHY];

	if (!stream)
		return;
	if (!index_open_snapshot(stream, file, &o, &s, why))
		say(f, "read by its index, %s.fsx", file);
	else if (*why)
		say(f, "%s.fsx is not used: %s", file, why);
	fs_snapshot_free(s);
	fclose(stream);
}

static void find_all(struct findings *f, const fs_snapshot *s, const char *file)
{
	fs_shares *shares;
	struct fs_error err;

	find_hidden(f, s);
	find_last_run(f, s);
	said(f);
	if (!fs_shares_compute(&shares, s, NULL, &err)) {
		find_moments(f, s, shares);
		find_uncertain_ranks(f, shares);
		fs_shares_free(shares);
	}
	find_index(f, file);
	said(f);
	fs_snapshot_check(s, snap_note, &f->notes);
}

static void print_text(struct findings *f, const fs_snapshot *s, const char *file)
{
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		emit("warning: %s\n", fs_snapshot_warning(s, i));
	snap_print_sources(s);
	find_all(f, s, file);
	snap_notes_end(&f->notes);
}

static int check_print_json(struct findings *f, const fs_snapshot *s, const char *file, enum json_form form)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	struct fs_json j;

	f->notes.keep = true;
	find_all(f, s, file);
	if (f->notes.failed)
		return FS_ENOMEM;
	json_begin(&j, "fs-check/1", s, form);
	json_text(&j, "file", file);
	json_whole(&j, "sharers", true, info->credentials + info->associations);
	json_whole(&j, "jobs", true, info->jobs);
	json_list(&j, "warnings");
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		fs_json_string(&j, fs_snapshot_warning(s, i));
	fs_json_end_array(&j);
	snap_notes_json(&f->notes, &j);
	snap_json_sources(s, &j);
	return json_end(&j);
}

/* Prints the result line of a valid snapshot. */
static int print_valid(const fs_snapshot *s, const char *file)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	emit("%s: valid: cluster %s, %s, %zu %s, %zu jobs\n", file, info->cluster,
	       info->scheduler, info->credentials + info->associations, dialect_of(s)->nouns.sharers, info->jobs);
	return EXIT_DONE;
}

int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct findings f = { .notes.begin = "note: " };
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "check", argc, argv, &s);
	if (status)
		return status;
	if (!o->json)
		print_text(&f, s, argv[0]);
	if (snap_try_commands(s, &err))
		status = report(inv, &err);
	else
		status = o->json ? check_print_json(&f, s, argv[0], o->json) : print_valid(s, argv[0]);
	names_free(&f.notes.kept);
	fs_snapshot_free(s);
	return status < 0 ? no_memory(inv) : status;
}

/* ---- fs-snap verify: compares computed values with those the scheduler printed */

#define VERIFY(m) COLUMN_MEMBER(struct fs_verify_column, m)

static const struct column verify_columns[] = {
	{ "column", "column", -18, VERIFY(name), .help = "what both have" },
	{ "compared", "compared", 10, VERIFY(compared), .help = "values compared" },
	{ "differ", "differ", 10, VERIFY(differ), .help = "of those, values that differ" },
	{ NULL, "unknown", VERIFY(unknown), .help = "recorded, but not computable" },
};

static int print_table(const struct invocation *inv, const char *file, const fs_snapshot *snapshot,
		       const struct fs_verify_result *r)
{
	const struct column_page page = { COLUMNS(verify_columns), .characters = true };
	size_t compared = 0, differ = 0, unknown = 0;

	if (r->columns)
		columns_heading(&page);
	for (size_t i = 0; i < r->columns; i++) {
		const struct fs_verify_column *c = &r->column[i];

		columns_row(&page, c);
		putchar('\n');
		compared += c->compared;
		differ += c->differ;
		unknown += c->unknown;
	}
	if (unknown)
		emit("%zu values could not be computed: something they need is not in the snapshot\n", unknown);
	if (fs_snapshot_hidden(snapshot, "association"))
		emit("Part of the tree was hidden from the capture: its shares and factors are taken as they were printed.\n");
	if (!compared) {
		complain(
			inv, "%s: nothing to compare%s", file,
			unknown ? ""
				: ": it holds nothing that the scheduler computed (sshare, sprio; Flux's fairshare and priorities)");
		return EXIT_NOTHING;
	}
	if (differ)
		emit("%s: %zu of %zu values differ\n", file, differ, compared);
	else
		emit("%s: all %zu values agree\n", file, compared);
	return differ ? EXIT_NOTHING : EXIT_DONE;
}

/* Writes the comparison as JSON. The document is complete even if values differ; the exit status reports that. */
static int verify_print_json(const fs_snapshot *s, const char *file, const struct snap_notes *notes,
			     const struct fs_verify_result *r, enum json_form form)
{
	size_t compared = 0, differ = 0;
	struct fs_json j;

	for (size_t i = 0; i < r->columns; i++) {
		compared += r->column[i].compared;
		differ += r->column[i].differ;
	}
	json_begin(&j, "fs-verify/1", s, form);
	json_text(&j, "file", file);
	json_whole(&j, "compared", true, compared);
	json_whole(&j, "differ", true, differ);
	json_flag(&j, "tree_hidden", fs_snapshot_hidden(s, "association"));
	snap_notes_json(notes, &j);
	json_rows(&j);
	for (size_t i = 0; i < r->columns; i++) {
		columns_object(&j, COLUMNS(verify_columns), NULL, &r->column[i]);
		json_row_done(&j);
	}
	json_end_rows(&j);
	if (json_end(&j))
		return EXIT_FAILED;
	return differ || !compared ? EXIT_NOTHING : EXIT_DONE;
}

int snap_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct snap_notes notes = { .begin = "", .keep = o->json != JSON_NONE };
	struct fs_verify_result result;
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "verify", argc, argv, &s);
	if (status)
		return status;
	if (fs_snapshot_verify(s, snap_note, &notes, &result, &err)) {
		status = report(inv, &err);
	} else if (notes.failed) {
		status = no_memory(inv);
	} else if (o->json) {
		status = verify_print_json(s, argv[0], &notes, &result, o->json);
	} else {
		snap_notes_end(&notes);
		status = print_table(inv, argv[0], s, &result);
	}
	names_free(&notes.kept);
	fs_snapshot_free(s);
	return status;
}
