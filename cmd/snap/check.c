#include "columns/column.h"
#include "dialect/dialect.h"
#include "fs/import.h"
#include "fs/priority.h"
#include "input/input.h"
#include "render/emit.h"
#include "render/text.h"
#include "snap/snap.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- table of sources, with a row for each type of record. A row shows the captured files that contain the records,
 * and the number of records. It also shows whether all records were captured, and which values are unknown because
 * records are missing. */

/* Returns the name of the next file of a record type among the snapshot's sources, or NULL if there is none. A source
 * is a text "TYPE FILE STATE". The search starts at source *i and sets *i to the index after the source found. Sets
 * *state to the state with its leading blank, for example " whole". The file name ends at *state. */
static const char *find_next_file(const fs_snapshot *s, const char *type, size_t *i, const char **state)
{
	const size_t n = strlen(type);
	const char *source;

	while ((source = fs_snapshot_source(s, (*i)++)))
		if (!strncmp(source, type, n) && source[n] == ' ' && (*state = strchr(source + n + 1, ' ')))
			return source + n + 1;
	return NULL;
}

static bool has_partial_file(const fs_snapshot *s, const char *type)
{
	const char *state;

	for (size_t i = 0; find_next_file(s, type, &i, &state);)
		if (!strcmp(state, " partial"))
			return true;
	return false;
}

/* Prints the files of a record type that the snapshot lists: ": FILE, FILE (incomplete), no FILE". */
static void print_source_files(const fs_snapshot *s, const char *type)
{
	const char *before = ": ", *file, *state;

	for (size_t i = 0; (file = find_next_file(s, type, &i, &state));) {
		emit("%s%s%.*s%s", before, strcmp(state, " missing") ? "" : "no ", (int)(state - file), file,
		     strcmp(state, " partial") ? "" : " (incomplete)");
		before = ", ";
	}
}

/* Returns a text that names the values that are unknown if the file is missing or partial; "" if there are none.
 * `type`: the record type of the file; `n`: length of the file name. */
static const char *find_missing_effect(const fs_snapshot *s, const char *type, const char *file, size_t n)
{
	const struct fs_output *o;

	for (size_t i = 0; (o = fs_output_get(find_scheduler_dialect(s)->name, i)); i++)
		if (o->type && !strcmp(o->type, type) && strlen(o->file) == n && !strncmp(o->file, file, n))
			return o->without ? o->without : "";
	return "";
}

/* Prints "; not available without FILE: WHAT" for each missing file of a record type, and "; uncertain because FILE is
 * incomplete: WHAT" for each partial file. WHAT names the values that are unknown. */
static void print_source_gaps(const fs_snapshot *s, const char *type)
{
	const char *file, *state;

	for (size_t i = 0; (file = find_next_file(s, type, &i, &state));) {
		const size_t n = (size_t)(state - file);
		const char *what = strcmp(state, " whole") ? find_missing_effect(s, type, file, n) : "";

		if (*what && !strcmp(state, " missing"))
			emit("; not available without %.*s: %s", (int)n, file, what);
		else if (*what)
			emit("; uncertain because %.*s is incomplete: %s", (int)n, file, what);
	}
}

/* A row of the table of sources, which has one row for each type of record. */
struct source_table_row {
	const char *type, *from;
	/* text that names the values that are unknown because records are missing or incomplete; "": none */
	const char *without;
	const char *state;   /* "incomplete" if records are missing, else "" */
	uint64_t records;
	bool complete, missing, partial;
};

static struct source_table_row make_source_row(const fs_snapshot *s, const struct source_row *row)
{
	struct source_table_row l = { .type = row->type, .from = row->from, .without = row->without, .state = "" };

	l.records = fs_snapshot_records(s, row->type);
	l.complete = !fs_snapshot_hidden(s, row->type);
	l.missing = !l.complete || !l.records;
	l.partial = has_partial_file(s, row->type);
	if (!l.complete)
		l.state = "incomplete";
	if (!l.missing && !l.partial)
		l.without = "";
	return l;
}

/* Writes a JSON array. It has one object for each file that the snapshot lists for the record type of the row. The
 * members of an object are "file", "state" and "without". */
static void write_source_files(struct fs_json *j, const void *of, const void *row)
{
	const struct source_table_row *l = row;
	const char *file, *state;

	fs_json_array(j);
	for (size_t i = 0; (file = find_next_file(of, l->type, &i, &state));) {
		char name[256];

		snprintf(name, sizeof(name), "%.*s", (int)(state - file), file);
		fs_json_object(j);
		json_write_text(j, "file", name);
		json_write_text(j, "state", state + 1);
		json_write_text(j, "without",
				strcmp(state, " whole") ? find_missing_effect(of, l->type, file, (size_t)(state - file))
							: "");
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define SOURCE_MEMBER(m) COLUMN_MEMBER(struct source_table_row, m)

/* Columns of the table with one row for each type of record. The page shows below each row the files that contain the
 * records, and the values that are unknown because files are missing or partial. */
static const struct column source_columns[] = {
	{ "type", "type", -12, SOURCE_MEMBER(type), .help = "type of record" },
	{ "records", "records", 8, SOURCE_MEMBER(records), .help = "number of records" },
	{ "", NULL, -10, SOURCE_MEMBER(state), .help = "empty: complete; else incomplete or missing" },
	{ NULL, "whole", SOURCE_MEMBER(complete), .help = "true: no record is missing" },
	{ "from", "from", SOURCE_MEMBER(from), .help = "commands or files that contain the records" },
	{ NULL, "files", .write_json = write_source_files, .help = "captured files, with their states" },
	{ NULL, "without", SOURCE_MEMBER(without), .help = "values that are not available without the records" },
};

/* Writes the table of sources as "rows", the last member of the document. */
static void write_sources_json(const fs_snapshot *s, struct fs_json *j)
{
	const struct source_row *row = find_scheduler_dialect(s)->sources;

	json_begin_rows(j);
	for (; row && row->type; row++) {
		const struct source_table_row l = make_source_row(s, row);

		columns_write_object(j, COLUMNS(source_columns), s, &l);
		json_end_row(j);
	}
	json_end_rows(j);
}

/* Prints the table of sources. The table lists the record types that snapshots of this scheduler have. */
static void print_sources_table(const fs_snapshot *s)
{
	const struct column_page page = { COLUMNS(source_columns), s, .width_in_characters = true };
	const struct source_row *row = find_scheduler_dialect(s)->sources;

	if (!row)
		return;
	columns_print_heading(&page);
	for (; row->type; row++) {
		const struct source_table_row l = make_source_row(s, row);

		columns_print_row(&page, &l);
		print_source_files(s, l.type);
		if (l.missing || l.partial)
			emit("; %s: %s", l.missing ? "not available" : "uncertain", l.without);
		if (!l.missing)
			print_source_gaps(s, l.type);
		putchar('\n');
	}
}

/* ---- fs-snap check: reads a snapshot and reports problems */

enum { NOTE_SIZE = 9000 }; /* size of a buffer for a note, which may be a message with two paths */

/* The report of fs-snap check. A note is composed in `text` and then printed or stored. */
struct check_notes {
	struct snap_notes notes;
	char text[NOTE_SIZE];
};

__attribute__((format(printf, 2, 3))) static void append_note_text(struct check_notes *f, const char *fmt, ...)
{
	const size_t len = strlen(f->text);
	va_list ap;

	va_start(ap, fmt);
	format_args(f->text + len, sizeof(f->text) - len, fmt, ap);
	va_end(ap);
}

static void print_or_store_note(struct check_notes *f)
{
	if (!*f->text)
		return;
	if (f->notes.store_all)
		snap_add_note(&f->notes, f->text);
	else
		emit("%s%s\n", f->notes.prefix, f->text);
	*f->text = '\0';
}

static void note_hidden_records(struct check_notes *f, const fs_snapshot *s)
{
	const char *type;

	for (size_t i = 0; fs_format_type(i, &type); i++)
		if (fs_snapshot_hidden(s, type)) {
			append_note_text(f, "%s records are missing or incomplete in this capture", type);
			print_or_store_note(f);
		}
	if (fs_snapshot_hidden(s, "config")) {
		append_note_text(f, "the configuration is missing or incomplete in this capture");
		print_or_store_note(f);
	}
}

static void append_time_source(struct check_notes *f, const char *source, const struct fs_snapshot_info *info)
{
	if (info->priority_time_error_s > 0)
		append_note_text(f, " (time derived from %s, accurate to within %lld s)", source, (long long)info->priority_time_error_s);
	else
		append_note_text(f, " (time derived from %s, accurate to the second)", source);
}

/* Appends three facts about the last time at which the scheduler computed priorities: the time, the data from which the
 * time is derived, and the possible error of the time. */
static void note_last_calculation(struct check_notes *f, const fs_snapshot *s)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char at[FS_TIME_TEXT];

	if (!find_scheduler_dialect(s)->has_priority_runs)
		return;
	if (!info->priority_time_known) {
		append_note_text(f, "the time of the last priority calculation is unknown");
		return;
	}
	fs_time_format(s, info->priority_time, at);
	append_note_text(f, "priorities were last computed at %s", at);
	if (!strcmp(info->priority_time_from, "start"))
		append_note_text(f, " (time derived from the controller's start; the seconds are uncertain)");
	else if (!strcmp(info->priority_time_from, "no ages"))
		append_note_text(f, " or earlier: no job had aged, and the controller's start is unknown");
	else if (!strcmp(info->priority_time_from, "ages"))
		append_time_source(f, "the ages of jobs", info);
	else if (!strcmp(info->priority_time_from, "promises"))
		append_time_source(f, "the run minutes of running jobs", info);
	else if (!strcmp(info->priority_time_from, "shares"))
		append_time_source(f, "the recorded shares", info);
	else
		append_note_text(f, " (time stated in the snapshot)");
}

/* Adds notes about values that are older than the other values. Under the classic fair-share algorithms, these are the
 * values of accounts, and of users without a pending job. */
static void note_mixed_times(struct check_notes *f, const fs_snapshot *s, const fs_shares *shares)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	char before[FS_TIME_TEXT], asked[FS_TIME_TEXT];

	if (!fs_shares_mix_moments(shares))
		return;
	fs_time_format(s, info->priority_time_before, before);
	append_note_text(
		f, "classic shares of accounts include usage only until %s, the time of the previous calculation", before);
	if (strcmp(info->priority_time_before_from, "shares") != 0)
		append_note_text(f, ", if that was one PriorityCalcPeriod before the last calculation (no recorded "
				    "share shows this)");
	else if (info->priority_time_before_error_s > 0)
		append_note_text(f, " (time derived from the recorded shares, accurate to within %lld s)",
				 (long long)info->priority_time_before_error_s);
	else
		append_note_text(f, " (time derived from the recorded shares, accurate to the second)");
	print_or_store_note(f);
	if (!strcmp(fs_shares_algorithm(shares), "depth_oblivious"))
		append_note_text(
			f,
			"effective usage and factors may be wrong: DEPTH_OBLIVIOUS uses siblings' shares of the previous "
			"calculation, which are unknown");
	print_or_store_note(f);
	fs_time_format(s, info->shares_time, asked);
	if (info->shares_time != info->time)
		append_note_text(
			f,
			"the classic shares of users without a pending job date from %s or shortly after, as the recorded "
			"shares show",
			asked);
	print_or_store_note(f);
}

/* Adds a note on the ranks that are uncertain under Fair Tree before Slurm 23.11 (fs_share_row.other_rank). */
static void note_uncertain_ranks(struct check_notes *f, const fs_shares *shares)
{
	size_t n = 0;

	for (size_t i = 0; i < fs_shares_count(shares); i++)
		n += fs_shares_row(shares, i)->rank != fs_shares_row(shares, i)->other_rank;
	if (n)
		append_note_text(
			f,
			"the rank%s of %zu user%s depend%s on the unknown order of equal accounts: the order of the "
			"accounting database or, after a change of an association, the order of names",
			n == 1 ? "" : "s", n, n == 1 ? "" : "s", n == 1 ? "s" : "");
	print_or_store_note(f);
}

static void note_index_use(struct check_notes *f, const char *file)
{
	const struct fs_read_options o = { 0 };
	struct stat st;
	/* a pipe is not opened again, because fopen would wait for another writer */
	FILE *stream = !stat(file, &st) && S_ISREG(st.st_mode) ? fopen(file, "rb") : NULL;
	fs_snapshot *s = NULL;
	char why[INDEX_WHY];

	if (!stream)
		return;
	if (!index_open_snapshot(stream, file, &o, &s, why))
		append_note_text(f, "the index %s.fsx is used", file);
	else if (*why)
		append_note_text(f, "the index %s.fsx is not used: %s", file, why);
	fs_snapshot_free(s);
	fclose(stream);
}

static void collect_all_notes(struct check_notes *f, const fs_snapshot *s, const char *file)
{
	fs_shares *shares;
	struct fs_error err;

	note_hidden_records(f, s);
	note_last_calculation(f, s);
	print_or_store_note(f);
	if (!fs_shares_compute(&shares, s, NULL, &err)) {
		note_mixed_times(f, s, shares);
		note_uncertain_ranks(f, shares);
		fs_shares_free(shares);
	}
	note_index_use(f, file);
	print_or_store_note(f);
	fs_snapshot_check(s, snap_add_note, &f->notes);
}

static void print_check_text(struct check_notes *f, const fs_snapshot *s, const char *file)
{
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		emit("warning: %s\n", fs_snapshot_warning(s, i));
	print_sources_table(s);
	collect_all_notes(f, s, file);
	snap_print_notes_end(&f->notes);
}

static int check_print_json(struct check_notes *f, const fs_snapshot *s, const char *file, enum json_form form)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);
	struct fs_json j;

	f->notes.store_all = true;
	collect_all_notes(f, s, file);
	if (f->notes.failed)
		return FS_ENOMEM;
	json_begin_document(&j, "fs-check/1", s, form);
	json_write_text(&j, "file", file);
	json_write_whole(&j, "sharers", true, info->credentials + info->associations);
	json_write_whole(&j, "jobs", true, info->jobs);
	json_begin_list(&j, "warnings");
	for (size_t i = 0; i < fs_snapshot_warnings(s); i++)
		fs_json_string(&j, fs_snapshot_warning(s, i));
	fs_json_end_array(&j);
	snap_write_notes_json(&f->notes, &j);
	write_sources_json(s, &j);
	return json_end_document(&j);
}

/* Prints the line that reports that the snapshot is valid. */
static int print_valid_snapshot_line(const fs_snapshot *s, const char *file)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(s);

	emit("%s: valid: cluster %s, %s, %zu %s, %zu jobs\n", file, info->cluster, info->scheduler,
	     info->credentials + info->associations, find_scheduler_dialect(s)->vocabulary.share_holders, info->jobs);
	return EXIT_DONE;
}

int snap_run_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct check_notes f = { .notes.prefix = "note: " };
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "check", argc, argv, &s);
	if (status)
		return status;
	if (!o->json)
		print_check_text(&f, s, argv[0]);
	if (snap_try_commands(s, &err))
		status = cmd_report_error(inv, &err);
	else
		status = o->json ? check_print_json(&f, s, argv[0], o->json) : print_valid_snapshot_line(s, argv[0]);
	names_free_all(&f.notes.stored);
	fs_snapshot_free(s);
	return status < 0 ? cmd_report_no_memory(inv) : status;
}

/* ---- fs-snap verify: compares computed values with recorded values */

#define VERIFY_MEMBER(m) COLUMN_MEMBER(struct fs_verify_column, m)

static const struct column verify_columns[] = {
	{ "column", "column", -18, VERIFY_MEMBER(name), .help = "name of the value" },
	{ "compared", "compared", 10, VERIFY_MEMBER(compared), .help = "number of compared values" },
	{ "differ", "differ", 10, VERIFY_MEMBER(differ), .help = "number of compared values that differ" },
	{ NULL, "unknown", VERIFY_MEMBER(unknown), .help = "number of recorded values that cannot be computed" },
};

/* Prints how many values differ, the names of their columns, and the options whose results may be wrong as well. */
static void print_differing_values(const char *file, const struct fs_verify_result *r, size_t differ, size_t compared)
{
	const char *separator = "";

	emit("%s: %zu of %zu values differ: ", file, differ, compared);
	for (size_t i = 0; i < r->columns; i++)
		if (r->column[i].differ) {
			emit("%s%s", separator, r->column[i].name);
			separator = ", ";
		}
	emit("; the others agree; --if, --at and forecasts use computed values, which may be wrong by as much\n");
}

static int print_verify_table(const struct invocation *inv, const char *file, const fs_snapshot *snapshot,
			      const struct fs_verify_result *r)
{
	const struct column_page page = { COLUMNS(verify_columns), .width_in_characters = true };
	size_t compared = 0, differ = 0, unknown = 0;

	if (r->columns)
		columns_print_heading(&page);
	for (size_t i = 0; i < r->columns; i++) {
		const struct fs_verify_column *c = &r->column[i];

		columns_print_row(&page, c);
		putchar('\n');
		compared += c->compared;
		differ += c->differ;
		unknown += c->unknown;
	}
	if (unknown)
		emit("%zu value%s could not be computed: inputs are missing in the snapshot\n", unknown,
		     unknown == 1 ? "" : "s");
	if (fs_snapshot_hidden(snapshot, "association"))
		emit("Part of the tree was hidden from the capture: for this part, recorded shares and factors are "
		     "used.\n");
	if (!compared) {
		cmd_print_message(
			inv, "%s: nothing to compare%s", file,
			unknown ? ": no recorded value can be computed, because the snapshot lacks inputs"
				: ": the snapshot has no recorded values (sshare, sprio, or Flux's fairshare and "
				  "priorities)");
		return EXIT_NOTHING;
	}
	if (differ)
		print_differing_values(file, r, differ, compared);
	else
		emit("%s: all %zu values agree\n", file, compared);
	return differ ? EXIT_NOTHING : EXIT_DONE;
}

/* Writes the comparison as JSON. The document is complete even if values differ; only the exit status shows that they
 * differ. */
static int verify_print_json(const fs_snapshot *s, const char *file, const struct snap_notes *notes,
			     const struct fs_verify_result *r, enum json_form form)
{
	size_t compared = 0, differ = 0;
	struct fs_json j;

	for (size_t i = 0; i < r->columns; i++) {
		compared += r->column[i].compared;
		differ += r->column[i].differ;
	}
	json_begin_document(&j, "fs-verify/1", s, form);
	json_write_text(&j, "file", file);
	json_write_whole(&j, "compared", true, compared);
	json_write_whole(&j, "differ", true, differ);
	json_write_flag(&j, "tree_hidden", fs_snapshot_hidden(s, "association"));
	snap_write_notes_json(notes, &j);
	json_begin_rows(&j);
	for (size_t i = 0; i < r->columns; i++) {
		columns_write_object(&j, COLUMNS(verify_columns), NULL, &r->column[i]);
		json_end_row(&j);
	}
	json_end_rows(&j);
	if (json_end_document(&j))
		return EXIT_FAILED;
	return differ || !compared ? EXIT_NOTHING : EXIT_DONE;
}

int snap_run_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv)
{
	struct snap_notes notes = { .prefix = "", .store_all = o->json != JSON_NONE };
	struct fs_verify_result result;
	fs_snapshot *s = NULL;
	struct fs_error err;
	int status;

	status = snap_read_one(inv, "verify", argc, argv, &s);
	if (status)
		return status;
	if (fs_snapshot_verify(s, snap_add_note, &notes, &result, &err)) {
		status = cmd_report_error(inv, &err);
	} else if (notes.failed) {
		status = cmd_report_no_memory(inv);
	} else if (o->json) {
		status = verify_print_json(s, argv[0], &notes, &result, o->json);
	} else {
		snap_print_notes_end(&notes);
		status = print_verify_table(inv, argv[0], s, &result);
	}
	names_free_all(&notes.stored);
	fs_snapshot_free(s);
	return status;
}
