/* fs-diff: evaluates two states of a cluster and prints their differences as text, Markdown or JSON.
 *
 * The second state is a second snapshot, or the first one with commands (--if), another time (--at) or another fair
 * share algorithm applied to it. open_both_states evaluates both; fs_compare computes the differences. */
#include "cmd.h"
#include "columns/column.h"
#include "columns/share.h"
#include "fs/compare.h"
#include "input/input.h"
#include "options/options.h"
#include "page/page.h"
#include "render/text.h"
#include "render/emit.h"
#include "render/format.h"
#include "render/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of the two states: a snapshot and the values computed from it. */
struct diff_side {
	struct input input;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct fs_eval eval;
	fs_plan *plan; /* NULL: not requested, or not possible for both states */
};

struct diff_run {
	const struct invocation *inv;
	struct input input;	    /* input options as given; split_input_options divides them between the states */
	const char *other;	    /* snapshot file of the second state; NULL: derived from the first state */
	const char *job, *user, *account;
	uint64_t job_id; /* id of `job`, if that is not NULL */
	enum json_form json;
	bool markdown, no_plan;
	struct diff_side side[2];
	fs_comparison *compared;
	const struct fs_compared_job *of_job; /* first row of the job of --job that differs; NULL: none */
};

struct table;

/* ---- columns of compared jobs and shares */

/* column.part: whether a column has one value for both states, or one value for each state. */
enum { DIFF_ONE, DIFF_EACH };

/* Columns of compared jobs, in the order of the JSON document; DIFF_CHANGE is only on the page. */
enum diff_job_column {
	DIFF_JOBID, DIFF_F58, DIFF_FATE, DIFF_WHERE, DIFF_PARTITIONS, DIFF_QOS, DIFF_USER, DIFF_ACCOUNT, DIFF_PRIORITY,
	DIFF_POSITION, DIFF_PARTITION_POSITION, DIFF_START, DIFF_SUM_CHANGE, DIFF_REST_CHANGE, DIFF_TERMS, DIFF_CHANGE,
	DIFF_JOB_COLUMNS
};

/* A column of compared shares. It has one value for each state. */
struct diff_share_column {
	const char *name; /* heading; NULL: the column is only in JSON */
	enum share_column column;
	bool whole;    /* the page shows a whole number */
	bool if_moved; /* the page shows the column only if a row has different values in it */
};
enum { DIFF_SHARE_COLUMNS = 7 };

/* ---- tables of text cells, printed as aligned columns or as Markdown */

enum { TABLE_COLUMNS = 12, TABLE_CELL = 1024 };

struct table {
	struct table_column {
		const char *name;
		bool right; /* cells are right-aligned */
	} column[TABLE_COLUMNS];
	size_t columns;
	char *bytes; /* the cells by row: for each a struct table_cell, the text and a NUL */
	size_t used, room;
	size_t n;    /* number of cells */
	int width[TABLE_COLUMNS];
	bool failed; /* out of memory */
};

/* Size of a cell: bytes, and columns of the terminal; both less than TABLE_CELL_SIZE. */
struct table_cell {
	uint16_t len, width;
};

static void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- values of compared jobs and shares */

static void write_f58(struct fs_json *j, const void *of, const void *row)
{
	json_f58_value(j, ((const struct diff_run *)of)->side[FS_AFTER].snapshot,
		       ((const struct fs_compared_job *)row)->job);
}

static void set_text(struct value *out, const char *text)
{
	out->type = VALUE_TEXT;
	out->text = text;
}

static void get_fate(const void *of, const void *row, struct value *out)
{
	(void)of;
	set_text(out, fs_fate_name(((const struct fs_compared_job *)row)->fate));
}

/* Sets *out to the job's partition in the second state, or in the first state if the second names none. */
static void get_where(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	set_text(out, j->partition[*j->partition[FS_AFTER] ? FS_AFTER : FS_BEFORE]);
}

static void get_change(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	out->type = VALUE_NUMBER;
	out->number = j->priority[FS_AFTER] - j->priority[FS_BEFORE];
}

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	static const struct column columns[] = {
		{ NULL, "factor", COLUMN_MEMBER(struct fs_term_change, name), .help = "name of the factor" },
		{ NULL, "change", COLUMN_MEMBER(struct fs_term_change, change), .help = "of its points" },
	};
	const struct fs_compared_job *job = row;

	fs_json_array(j);
	for (size_t i = 0; i < job->nterms; i++) {
		columns_object(j, COLUMNS(columns), of, &job->terms[i]);
	}
	fs_json_end_array(j);
}

#define ONE(m) COLUMN_MEMBER(struct fs_compared_job, m)
#define EACH(m) COLUMN_MEMBER(struct fs_compared_job, m[0]), .part = DIFF_EACH

/* A row is a struct fs_compared_job, and belongs to a struct diff_run. */
static const struct column diff_job_columns[DIFF_JOB_COLUMNS] = {
	[DIFF_JOBID] = { "JOBID", "jobid", ONE(job), .help = "the job" },
	[DIFF_F58] = { NULL, "f58", .json = write_f58, .help = "the job's id as Flux writes it" },
	[DIFF_FATE] = { "WHAT", "fate", .get = get_fate, .help = "what became of it" },
	[DIFF_WHERE] = { NULL, "partition", .get = get_where, .help = "the partition, afterwards if it is there" },
	[DIFF_PARTITIONS] = { "PARTITION", "partitions", EACH(partition), .help = "the partition" },
	[DIFF_QOS] = { NULL, "qos", EACH(qos), .help = "quality of service" },
	[DIFF_USER] = { "USER", "user", ONE(user), .help = "who submitted it" },
	[DIFF_ACCOUNT] = { "ACCOUNT", "account", ONE(account), .help = "the account that is charged" },
	[DIFF_PRIORITY] = { "PRIORITY", "priority", 1, EACH(priority), .help = "its priority" },
	[DIFF_POSITION] = { NULL, "position", EACH(position), .none_at_0 = true, .help = "place among all eligible jobs" },
	[DIFF_PARTITION_POSITION] = { "PLACE", "partition_position", EACH(partition_position), .none_at_0 = true,
				      .help = "place among those of the partition" },
	[DIFF_START] = { "START", "start", EACH(start_time), .unit = UNIT_TIME, .help = "planned start" },
	[DIFF_SUM_CHANGE] = { NULL, "sum_change", ONE(sum_change), .help = "what the terms add up to" },
	[DIFF_REST_CHANGE] = { NULL, "rest_change", ONE(rest_change), .help = "what was dropped or rounded" },
	[DIFF_TERMS] = { "TERMS", "terms", .json = write_terms, .help = "by which terms the priority changed" },
	[DIFF_CHANGE] = { "CHANGE", NULL, 1, .get = get_change, .help = "of the priority" },
};

/* Sets *out to the value of a job column in one state (side: FS_BEFORE or FS_AFTER). A column with one value for both
 * states ignores `side`. If the state lacks the job, *out is VALUE_NONE, an empty text, NAN or FS_UNKNOWN. */
static void diff_job_value(const struct column *c, const struct fs_compared_job *j, int side, struct value *out)
{
	column_element(c, c->part == DIFF_EACH ? (size_t)side : 0, NULL, j, out);
}

/* Columns of compared shares, in the order of the JSON document. */
static const struct diff_share_column diff_share_columns[DIFF_SHARE_COLUMNS] = {
	{ "SHARES", SHARE_RAW_SHARES, true, false },
	{ "NORMSHARES", SHARE_NORM_SHARES, false, true },
	{ "RAWUSAGE", SHARE_RAW_USAGE, true, false },
	{ "EFFECTVUSAGE", SHARE_EFFECTIVE_USAGE, false, false },
	{ "FAIRSHARE", SHARE_FAIRSHARE, false, false },
	{ NULL, SHARE_LEVEL_FS, false, false },
	{ "RANK", SHARE_RANK, true, false },
};

/* Sets *out to the value of a share column in one state; VALUE_NONE if the state lacks the row. */
static void diff_share_value(const struct diff_share_column *c, const struct fs_compared_share *s, int side,
			     struct value *out)
{
	out->type = VALUE_NONE;
	if (s->row[side])
		column_value(&share_columns[c->column], NULL, s->row[side], out);
}

/* ---- selection of rows by --job, --user and --account */

/* Returns true if the options select the row of this job. */
static bool diff_wants_job(const struct diff_run *r, const struct fs_compared_job *j)
{
	return (!r->job || j->job == r->job_id) && (!r->user || !strcmp(j->user, r->user)) &&
	       (!r->account || !strcmp(j->account, r->account));
}

/* Sets r->selected_job. */
static void diff_find_job(struct diff_run *r)
{
	r->of_job = NULL;
	for (size_t i = 0; r->job && !r->of_job && i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			r->of_job = fs_comparison_job(r->compared, i);
}

/* Returns true if a row of the job of --job is in the partition in the second state. */
static bool in_partition(const struct diff_run *r, const char *partition)
{
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++) {
		const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

		if (diff_wants_job(r, j) && !strcmp(j->partition[FS_AFTER], partition))
			return true;
	}
	return false;
}

/* Returns true if the job of --job gets its fair-share factor from the share row. */
static bool is_of_job(const struct diff_run *r, const struct fs_share_row *row)
{
	const struct fs_compared_job *j = r->of_job;

	return j && *row->user && !strcmp(j->user, row->user) && !strcmp(j->account, row->account) &&
	       (!*row->partition || in_partition(r, row->partition));
}

/* Returns true if the options select the share row. --job selects the row of the job's user in the job's account. */
static bool diff_wants_share(const struct diff_run *r, const struct fs_compared_share *s)
{
	const struct fs_share_row *row = s->row[FS_AFTER] ? s->row[FS_AFTER] : s->row[FS_BEFORE];

	return (!r->job || is_of_job(r, row)) && (!r->user || !strcmp(row->user, r->user)) &&
	       (!r->account || !strcmp(row->account, r->account));
}

/* ---- JSON document: schema fs-diff/1 */

/* Keys of the two states, by FS_BEFORE and FS_AFTER. */
static const char *const sides[] = { "before", "after" };

static void put_job(struct fs_json *j, const struct diff_run *r, const struct fs_compared_job *row)
{
	struct value v;

	fs_json_object(j);
	for (const struct column *c = diff_job_columns; c < diff_job_columns + DIFF_JOB_COLUMNS; c++) {
		if (c->part != DIFF_EACH) {
			columns_json(j, c, 1, r, row);
			continue;
		}
		json_object(j, c->key);
		for (int k = 0; k < 2; k++) {
			diff_job_value(c, row, k, &v);
			fs_json_key(j, sides[k]);
			value_json(j, &v);
		}
		fs_json_end_object(j);
	}
	fs_json_end_object(j);
}

/* Writes the account, user and partition of a share row of either state; empty names if the viewer may not see it. */
static void put_sibling(struct fs_json *j, const char *key, const struct fs_share_row *const row[2])
{
	static const struct fs_share_row unseen = { .account = "", .user = "", .partition = "" };
	const struct fs_share_row *r = row[FS_AFTER] ? row[FS_AFTER] : row[FS_BEFORE];

	share_json_name(j, key, !r || r->visible ? r : &unseen);
}

/* Writes the causes of the rank change of share row i. Returns -1 if out of memory. */
static int put_causes(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	size_t n;
	const int rc = fs_comparison_rank_causes(r->compared, i, &c, &n);

	json_list(j, "causes");
	for (size_t k = 0; !rc && k < n; k++) {
		fs_json_object(j);
		json_text(j, "kind", fs_rank_cause_name(c[k].kind));
		put_sibling(j, "own", c[k].own);
		put_sibling(j, "other", c[k].other);
		json_integer(j, "users", c[k].users);
		json_number(j, "change", c[k].change);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	return rc;
}

/* Writes compared share row i with its rank causes. Returns -1 if out of memory. */
static int put_share(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_compared_share *s = fs_comparison_share(r->compared, i);
	const struct fs_share_row *a = s->row[FS_BEFORE], *b = s->row[FS_AFTER], *row = b ? b : a;
	struct value v;
	int rc;

	fs_json_object(j);
	json_text(j, "account", row->account);
	json_text(j, "user", row->user);
	json_text(j, "partition", row->partition);
	json_text(j, "fate", !a ? "new" : !b ? "gone" : "changed");
	for (const struct diff_share_column *c = diff_share_columns; c < diff_share_columns + DIFF_SHARE_COLUMNS; c++) {
		json_object(j, share_columns[c->column].key);
		for (int k = 0; k < 2; k++) {
			diff_share_value(c, s, k, &v);
			if (v.type == VALUE_TEXT) /* "parent": in this document shares are a number or null */
				v.type = VALUE_NONE;
			fs_json_key(j, sides[k]);
			value_json(j, &v);
		}
		fs_json_end_object(j);
	}
	rc = put_causes(j, r, i);
	fs_json_end_object(j);
	return rc;
}

/* Writes the object "after": cluster, time and commands (--if) of the second state. */
static void put_after(struct fs_json *j, const struct diff_run *r)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(r->side[FS_AFTER].snapshot);
	struct fs_usage_info usage;

	json_object(j, "after");
	json_text(j, "cluster", info->cluster);
	if (r->side[FS_AFTER].usage)
		fs_usage_info(r->side[FS_AFTER].usage, &usage);
	json_integer(j, "time", r->side[FS_AFTER].usage ? usage.at : info->time);
	json_list(j, "if");
	for (size_t i = 0; i < r->input.edits.n; i++)
		fs_json_string(j, r->input.edits.command[i]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static int diff_json(const struct diff_run *r)
{
	struct fs_json j;
	int failed = 0;

	json_begin_changed(&j, "fs-diff/1", r->side[FS_BEFORE].snapshot, r->side[FS_AFTER].snapshot, r->json);
	put_after(&j, r);
	json_flag(&j, "planned", r->side[FS_AFTER].plan != NULL);
	json_list(&j, "jobs");
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			put_job(&j, r, fs_comparison_job(r->compared, i));
	fs_json_end_array(&j);
	json_list(&j, "shares");
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i)))
			failed |= put_share(&j, r, i);
	fs_json_end_array(&j);
	return failed ? no_memory(r->inv) : json_end(&j);
}

/* ---- reading and evaluating the two states */

/* Returns true if the input can be read a second time: the demo or a file, not standard input or a live capture. */
static bool is_lasting(const struct input *in)
{
	const char *file;
	const enum input_source source = input_source(in, &file);

	return source == INPUT_DEMO || (source == INPUT_FILE && strcmp(file, "-") != 0);
}

/* Makes the second state: a copy of the first snapshot with the commands of --if applied. */
static int copy_first(struct diff_run *r)
{
	struct diff_side *b = &r->side[FS_AFTER];
	struct fs_error err;

	if (fs_snapshot_copy(&b->snapshot, r->side[FS_BEFORE].snapshot, &err))
		return report(r->inv, &err);
	return edits_apply(r->inv, &b->input.edits, input_viewer(&b->input), b->snapshot);
}

/* Opens the snapshot of the second state: its own file, the input of the first state read again (if usage is computed
 * or the algorithm differs), or a copy of the first snapshot. Returns 0, or the exit status after an error message. */
static int open_other(struct diff_run *r)
{
	const struct input *a = &r->side[FS_BEFORE].input;
	struct diff_side *b = &r->side[FS_AFTER];
	const bool computed = usage_wanted(&b->input) && b->input.usage != USAGE_RECORDED;

	if (r->other || ((computed || b->input.algorithm) && is_lasting(a)))
		return input_open(r->inv, &b->input, &b->snapshot);
	if (!computed)
		return copy_first(r);
	complain(r->inv, "--usage=computed reads job records a second time: give a file");
	return EXIT_USAGE;
}

/* Divides the input options between the two states. Commands (--if) and the time (--at) apply only to the second
 * state. The other options apply to both states if the second state has its own file, else only to the second state. */
static void divide_input(struct diff_run *r)
{
	struct input *a = &r->side[FS_BEFORE].input, *b = &r->side[FS_AFTER].input;

	*a = *b = r->input;
	a->edits.n = 0;
	a->at = NULL;
	if (r->other) {
		b->file = r->other;
		b->demo = false;
		return;
	}
	a->algorithm = NULL;
	a->position = FS_POSITION_POW2;
	a->compat = 0;
	a->usage = USAGE_RECORDED;
	a->decay_given = false;
	a->decay_runs = NULL;
}

/* Evaluation of both states, on a thread each. */
struct side_task {
	const struct diff_run *r;
	struct diff_side *side;
	struct fs_view view[2]; /* made before the threads start, because getpwuid is not thread-safe */
	bool planned; /* compute plans: not with --usage or --at, because a plan starts at the time of its snapshot */
	struct fs_error eval_error[2], plan_error[2];
};

/* Evaluates state k. Leaves errors in the task. */
static void compute(void *arg, size_t k)
{
	struct side_task *c = arg;
	struct diff_side *s = &c->side[k];
	const struct fs_view view = c->view[k];
	struct fs_plan_options o = { .view = view, .starts_alone = true };

	if (fs_eval_compute(s->snapshot, &view, &s->eval, &c->eval_error[k]) || !c->planned)
		return;
	o.queue = s->eval.queue;
	fs_plan_compute(&s->plan, s->snapshot, &o, &c->plan_error[k]);
}

/* Returns 0 if there is no error or only data is missing (FS_ENODATA), else the exit status after an error message. */
static int fatal(const struct diff_run *r, const struct fs_error *err)
{
	return err->code && err->code != FS_ENODATA ? report(r->inv, err) : 0;
}

/* Reports the first error of state k. Returns 0 if there is none, else the exit status. */
static int failed(const struct side_task *c, size_t k)
{
	const struct fs_eval *e = &c->side[k].eval;
	int status = c->eval_error[k].code ? report(c->r->inv, &c->eval_error[k]) : fatal(c->r, &e->shares_error);

	if (!status)
		status = fatal(c->r, &e->prios_error);
	if (!status)
		status = fatal(c->r, &e->queue_error);
	return status ? status : fatal(c->r, &c->plan_error[k]);
}

/* Evaluates both states in parallel. Returns 0, or the exit status after an error message. */
static int compute_both(struct diff_run *r)
{
	struct side_task c = { .r = r, .side = r->side,
			       .planned = !r->no_plan && !usage_wanted(&r->side[FS_AFTER].input) };
	bool computed = false;
	int status = 0;

	for (int k = 0; k < 2 && !status; k++) {
		struct diff_side *s = &r->side[k];

		if (usage_wanted(&s->input))
			status = usage_load(r->inv, &s->input, s->snapshot, NULL, NULL, &s->usage);
		c.view[k] = input_view(&s->input);
		c.view[k].usage = s->usage;
		computed = computed || fs_view_differs(s->snapshot, &c.view[k]);
	}
	if (status)
		return status;
	/* recorded and computed priorities are not comparable */
	c.view[FS_BEFORE].computed = c.view[FS_AFTER].computed = computed;
	if (threads_wanted() > 1) {
		threads_run(2, compute, &c);
	} else {
		compute(&c, 0);
		compute(&c, 1);
	}
	status = failed(&c, 0);
	return status ? status : failed(&c, 1);
}

/* Opens and evaluates both states. Discards the plans unless both states have one. Returns 0, or the exit status
 * after an error message. */
static int diff_open(struct diff_run *r)
{
	struct diff_side *a = &r->side[FS_BEFORE], *b = &r->side[FS_AFTER];
	int status;

	divide_input(r);
	status = input_open(r->inv, &a->input, &a->snapshot);
	if (!status)
		status = open_other(r);
	if (!status)
		status = compute_both(r);
	if (!status && (!a->plan || !b->plan)) {
		fs_plan_free(a->plan);
		fs_plan_free(b->plan);
		a->plan = b->plan = NULL;
	}
	return status;
}

/* Frees the comparison and both states. */
static void diff_release(struct diff_run *r)
{
	fs_comparison_free(r->compared);
	for (int k = 0; k < 2; k++) {
		struct diff_side *s = &r->side[k];

		fs_plan_free(s->plan);
		fs_eval_release(&s->eval);
		fs_usage_free(s->usage);
		input_release(&s->input);
		fs_snapshot_free(s->snapshot);
	}
}

/* ---- filling and printing tables */

/* Adds a column. Must not be called after the first cell. */
static void table_column(struct table *t, const char *name, bool right)
{
	t->width[t->columns] = text_width(name);
	t->column[t->columns++] = (struct table_column){ name, right };
}

/* Ensures that `more` bytes are free in the buffer. Returns false if out of memory. */
static bool make_room(struct table *t, size_t more)
{
	const size_t room = t->room ? t->room * 2 : 65536;
	char *bytes;

	if (t->room - t->used >= more)
		return true;
	bytes = realloc(t->bytes, room);
	t->failed = t->failed || !bytes;
	if (!bytes)
		return false;
	t->bytes = bytes;
	t->room = room;
	return true;
}

/* Adds the next cell of the row; the text is cut to at most `most` bytes. */
static void table_cut(struct table *t, const char *s, size_t most)
{
	const size_t len = strnlen(s, most < TABLE_CELL ? most : TABLE_CELL - 1);
	int *widest = &t->width[t->n % t->columns];
	struct table_cell cell = { .len = (uint16_t)len };
	char *to;

	if (!make_room(t, sizeof(cell) + len + 1))
		return;
	to = t->bytes + t->used + sizeof(cell);
	memcpy(to, s, len);
	to[len] = '\0';
	cell.width = (uint16_t)text_width(to);
	memcpy(t->bytes + t->used, &cell, sizeof(cell));
	*widest = cell.width > *widest ? cell.width : *widest;
	t->used += sizeof(cell) + len + 1;
	t->n++;
}

/* Adds the next cell of the row; the text is cut to TABLE_CELL_SIZE - 1 bytes. */
static void table_text(struct table *t, const char *s)
{
	table_cut(t, s, TABLE_CELL - 1);
}

/* Adds the next cell of the row, formatted like printf; the text is cut to TABLE_CELL_SIZE - 1 bytes. */
static void table_add(struct table *t, const char *fmt, ...)
{
	char text[TABLE_CELL];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	table_text(t, text);
}

/* Returns the text of the cell at *next, sets *cell to its size and advances *next to the next cell. */
static const char *take_cell(const char **next, struct table_cell *cell)
{
	const char *text = *next + sizeof(*cell);

	memcpy(cell, *next, sizeof(*cell));
	*next = text + cell->len + 1;
	return text;
}

/* Prints a cell with `pad` blanks to fill its column. */
static void put_cell(struct emit_row *r, const char *s, int pad, bool to_right, bool last)
{
	const size_t blanks = pad > 0 ? (size_t)pad : 0;

	if (to_right)
		emit_row_blanks(r, blanks);
	emit_row_cut(r, s, TABLE_CELL);
	if (last)
		emit_row_end(r);
	else
		emit_row_blanks(r, (to_right ? 0 : blanks) + 2);
}

static void print_columns(const struct table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct emit_row r;
	struct table_cell cell;

	emit_row_begin(&r, stdout);
	for (size_t c = 0; c < n; c++) {
		const struct table_column *of = &t->column[c];

		put_cell(&r, of->name, t->width[c] - text_width(of->name), of->right, c + 1 == n);
	}
	for (size_t i = 0; i < t->n; i++) {
		const char *text = take_cell(&next, &cell);

		put_cell(&r, text, t->width[i % n] - cell.width, t->column[i % n].right, (i + 1) % n == 0);
	}
}

/* Prints a cell of a Markdown table. A bar would end the cell and is escaped. */
static void put_marked(const char *s, bool first, bool last)
{
	char piece[TABLE_CELL];

	emit(first ? "| " : " ");
	while (*s) {
		const size_t len = strcspn(s, "|");

		snprintf(piece, sizeof(piece), "%.*s", (int)len, s);
		emit("%s", piece);
		s += len;
		if (*s) {
			emit("\\|");
			s++;
		}
	}
	emit(last ? " |\n" : " |");
}

static void print_markdown(const struct table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct table_cell cell;

	for (size_t c = 0; c < n; c++)
		put_marked(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].right ? "---:" : "---");
	emit("\n");
	for (size_t i = 0; i < t->n; i++)
		put_marked(take_cell(&next, &cell), i % n == 0, (i + 1) % n == 0);
}

/* Prints the table on standard output, unless it has no rows, and frees its cells. Returns -1 and prints nothing if
 * memory for a cell was missing. */
static int table_print(struct table *t, bool markdown)
{
	const bool failed = t->failed;

	if (t->n && !failed && markdown)
		print_markdown(t);
	else if (t->n && !failed)
		print_columns(t);
	free(t->bytes);
	t->bytes = NULL;
	t->used = t->room = t->n = 0;
	return failed ? -1 : 0;
}

/* Calls `add` for each compared job; `add` adds the cells of one row, or none. Returns the number of rows. */
static size_t table_fill(struct table *t, const struct diff_run *r,
			 void (*add)(struct table *t, const struct diff_run *r, const struct fs_compared_job *j))
{
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		add(t, r, fs_comparison_job(r->compared, i));
	return t->n / t->columns;
}

/* ---- causes of rank changes, as sentences */

enum { NAME_TEXT = 140, SHOWN = 6 }; /* size of a name buffer; number of causes shown for each user */

/* Formats the name of a share row: the user, or the account if the row has no user. */
static const char *name_of(char buf[NAME_TEXT], const struct fs_share_row *r)
{
	if (!r->visible)
		snprintf(buf, NAME_TEXT, "a %s that is not shown", *r->user ? "user" : "sibling");
	else if (*r->user)
		snprintf(buf, NAME_TEXT, "%.60s%s%.60s", r->user, *r->partition ? "/" : "", r->partition);
	else
		snprintf(buf, NAME_TEXT, "%.120s", r->account);
	return buf;
}

/* Returns the logarithm of after / before; 0 if it is not finite. */
static double moved(double before, double after)
{
	const double d = log(after / before);

	return isfinite(d) ? d : 0;
}

/* Formats a change of usage (use: fractions of the siblings' usage) or of shares. */
static void put_moved(char *buf, size_t size, const char *whose, bool use, double before, double after)
{
	const char *way = after > before ? "rose" : "fell";

	if (use)
		format_text(buf, size, "%s use %s from %.1f to %.1f %%", whose, way, before * 100, after * 100);
	else
		format_text(buf, size, "%s shares %s from %.0f to %.0f", whose, way, before, after);
}

/* One of the four numbers that decide which of two siblings is ahead: shares and usage of each. */
struct part {
	const char *whose;
	bool use;
	double before, after; /* values as shown; of usage: the fraction of the siblings' usage */
	double moved;	      /* logarithm of after / before; of usage: of the raw usage */
	double pull;	      /* 1: an increase moves `other` of the cause ahead of `own`; -1: it moves `other` back */
};

/* Returns the usage of a sibling. left: fraction of the first state's usage that decay has left. */
static struct part use_of(const char *whose, const struct fs_share_row *const r[2], double left, double pull)
{
	return (struct part){ whose, true, r[0]->effective_usage, r[1]->effective_usage,
			      moved(r[0]->raw_usage * left, r[1]->raw_usage), pull };
}

static struct part shares_of(const char *whose, const struct fs_share_row *const r[2], double pull)
{
	const double before = r[0]->raw_shares, after = r[1]->raw_shares;

	return (struct part){ whose, false, before, after, moved(before, after), pull };
}

/* Returns the number whose change contributed most to the change of order; NULL if none did. way: 1 if `other` moved
 * ahead of `own`, -1 if it moved back. Numbers whose shown values changed in the opposite direction are skipped.
 * by_shown: compare the changes of the shown values; else compare log_change. */
static const struct part *greatest(const struct part *part, size_t n, double way, bool by_shown)
{
	const struct part *best = NULL;
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		const double shown = way * part[i].pull * moved(part[i].before, part[i].after);
		const double pull = by_shown ? shown : way * part[i].pull * part[i].moved;

		if (shown > 0 && pull > max) {
			max = pull;
			best = &part[i];
		}
	}
	return best;
}

/* Formats the change that decided between two siblings; "" if there is none. */
static void cause_text(char *buf, size_t size, const struct fs_rank_cause *c, double left)
{
	const double way = c->kind == FS_RANK_PASSED ? 1 : -1;
	const struct part part[] = { use_of("their", c->other, left, -1), use_of("its own", c->own, left, 1),
				     shares_of("their", c->other, 1), shares_of("its own", c->own, -1) };
	const size_t n = sizeof(part) / sizeof(*part);
	const struct part *best = greatest(part, n, way, false);

	if (!best)
		best = greatest(part, n, way, true);
	*buf = 0;
	if (best)
		put_moved(buf, size, best->whose, best->use, best->before, best->after);
}

/* Returns the account in which a row competes with its siblings. Accounts with shares "parent" are skipped. */
static const char *place_of(const struct diff_run *r, const struct fs_share_row *row)
{
	const fs_shares *s = r->side[FS_AFTER].eval.shares;

	do
		row = fs_shares_row(s, row->parent_row);
	while (row->shares_kind == FS_SHARES_PARENT && row->parent_row != FS_NO_ROW);
	return row->account;
}

/* Formats one cause of a rank change as a sentence without a full stop. */
static void cause_words(char *buf, size_t size, const struct diff_run *r, const struct fs_rank_cause *c)
{
	const struct fs_share_row *other = c->other[1] ? c->other[1] : c->other[0];
	char name[NAME_TEXT], own[NAME_TEXT], why[NAME_TEXT];

	switch (c->kind) {
	case FS_RANK_PASSED:
	case FS_RANK_PASSES:
		cause_text(why, sizeof(why), c, fs_comparison_left(r->compared));
		snprintf(buf, size, "%s %s %s at %.60s%s%s", name_of(own, c->own[1]),
			 c->kind == FS_RANK_PASSED ? "was passed by" : "passed", name_of(name, other), place_of(r, c->own[1]),
			 *why ? ": " : "", why);
		break;
	case FS_RANK_MEMBERS:
		snprintf(buf, size, "%s, ahead, has %lld users %s", name_of(name, other),
			 (long long)(c->users < 0 ? -c->users : c->users), c->users < 0 ? "fewer" : "more");
		break;
	case FS_RANK_TIES:
		snprintf(buf, size, "users of equal standing share a rank");
		break;
	case FS_RANK_TREE:
		snprintf(buf, size, "it stands elsewhere in the tree");
		break;
	case FS_RANK_OWN_USE:
		snprintf(buf, size, "what it used itself");
		break;
	case FS_RANK_SIBLINGS_USE:
		snprintf(buf, size, "what others in the accounts above it used");
		break;
	case FS_RANK_OTHERS_USE:
		snprintf(buf, size, "what all others used");
		break;
	case FS_RANK_SHARES:
		snprintf(buf, size, "shares");
		break;
	case FS_RANK_REST:
		snprintf(buf, size, "usage of accounts as of another calculation, and rounding");
		break;
	default:
		snprintf(buf, size, "there are %lld users %s", (long long)(c->users < 0 ? -c->users : c->users),
			 c->users < 0 ? "fewer" : "more");
	}
}

/* Returns true if the row is a user in both states and the user's factor changed. */
static bool names_user(const struct fs_compared_share *s)
{
	return s->row[0] && s->row[1] && *s->row[1]->user && s->row[0]->fairshare != s->row[1]->fairshare;
}

/* Adds the cells of one cause; of: row of the user, NULL in later rows of the same user. */
static void add_row(struct table *t, const struct fs_share_row *of, double change, const char *what)
{
	table_add(t, "%.60s", of ? of->user : "");
	table_add(t, "%.60s", of ? of->account : "");
	table_add(t, "%+.6f", change);
	table_add(t, "%s", what);
}

/* Adds a row for each of the greatest causes of share row i, and one row for the sum of the others. Returns -1 if out
 * of memory. */
static int add_user(struct table *t, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	double rest = 0;
	char text[4 * NAME_TEXT];
	size_t n;

	if (fs_comparison_rank_causes(r->compared, i, &c, &n))
		return -1;
	for (size_t k = 0; k < n; k++) {
		if (k >= SHOWN && n > SHOWN + 1) {
			rest += c[k].change;
			continue;
		}
		cause_words(text, sizeof(text), r, &c[k]);
		add_row(t, k ? NULL : fs_comparison_share(r->compared, i)->row[1], c[k].change, text);
	}
	if (n > SHOWN + 1) {
		snprintf(text, sizeof(text), "%zu causes more", n - SHOWN);
		add_row(t, NULL, rest, text);
	}
	return 0;
}

/* Adds rows for each selected user whose factor changed: USER, ACCOUNT, FACTOR, WHY. Returns -1 if out of memory. */
static int diff_ranks(const struct diff_run *r, struct table *t)
{
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (names_user(s) && diff_wants_share(r, s) && add_user(t, r, i))
			return -1;
	}
	return 0;
}

/* ---- page, as text or Markdown */

enum { CELL = 160 }; /* size of the text of a cell, in bytes */

/* Returns the time of a state: the time of its computed usage, or of the snapshot. */
static int64_t clock_of(const struct diff_side *s)
{
	struct fs_usage_info usage;

	if (!s->usage)
		return fs_snapshot_info(s->snapshot)->time;
	fs_usage_info(s->usage, &usage);
	return usage.at;
}

static void put_state(const char *label, const struct diff_side *s)
{
	char when[FS_TIME_TEXT];

	fs_time_format(s->snapshot, clock_of(s), when);
	emit("%s %s, %s", label, fs_snapshot_info(s->snapshot)->file, when);
	if (s->eval.shares)
		emit(", %s", fs_shares_algorithm(s->eval.shares));
	emit("\n");
}

static void put_heading(const struct diff_run *r)
{
	what_if_print(r->side[FS_AFTER].snapshot);
	put_state("before", &r->side[FS_BEFORE]);
	put_state("after ", &r->side[FS_AFTER]);
}

static void heading(const struct diff_run *r, const char *title)
{
	emit(r->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* ---- cells of the page */

/* Formats "before -> after", each cut to 75 bytes; only "after" if both are equal. */
static const char *change(char buf[CELL], const char *before, const char *after)
{
	static const char arrow[] = " -> ";
	const size_t max = 75, len = strnlen(before, max), more = strnlen(after, max);

	if (!strcmp(before, after))
		return after;
	memcpy(buf, before, len);
	memcpy(buf + len, arrow, sizeof(arrow) - 1);
	memcpy(buf + len + sizeof(arrow) - 1, after, more);
	buf[len + sizeof(arrow) - 1 + more] = '\0';
	return buf;
}

/* Formats a planned start: "-" if unknown, "now" if not after the time of the snapshot. */
static const char *start(char *buf, const struct diff_side *s, int64_t t)
{
	if (t == FS_UNKNOWN)
		return "-";
	if (t <= fs_snapshot_info(s->snapshot)->time)
		return "now";
	fs_time_format(s->snapshot, t, buf);
	return buf;
}

/* Formats a value. whole: without decimals, else with 6; time: the value is a planned start. */
static const char *value_text(char buf[CELL], const struct diff_side *s, const struct value *v, bool whole, bool time)
{
	double n;

	if (v->type == VALUE_TEXT)
		return v->text;
	n = value_number(v);
	if (time && v->type == VALUE_INTEGER)
		return start(buf, s, v->integer);
	else if (isnan(n))
		return "-";
	else if (isinf(n) && !whole)
		return "inf";
	else
		digits_fixed(buf, n, whole ? 0 : 6, false);
	return buf;
}

static const char *job_text(char buf[FS_JOB_ID_TEXT], const struct diff_run *r, uint64_t id)
{
	return fs_job_id_format(r->side[FS_AFTER].snapshot, id, false, buf);
}

/* Maximum length of a user-chosen name in a cell, in bytes. */
enum { NAME_MAX = 60 };
#define NAME "%.60s"

/* ---- jobs */

/* Copies the name of a term as sprio's headings write it: in capitals, but names with a slash unchanged ("FAIRSHARE",
 * "TRES/cpu"). */
static void upper(char *to, size_t size, const char *name)
{
	const bool as_it_is = strchr(name, '/') != NULL;
	size_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		to[i] = name[i] >= 'a' && name[i] <= 'z' && !as_it_is ? (char)(name[i] - 'a' + 'A') : name[i];
	to[i] = '\0';
}

/* Formats ", FAIRSHARE +3.500", without the comma if `first`. Writes "" if it does not fit. Returns its full length. */
static size_t term_text(char *buf, size_t size, const struct fs_term_change *term, bool first)
{
	char text[2 * CELL] = ", ";
	const size_t from = first ? 2 : 0;
	size_t len = 2, whole;

	upper(text + len, 64, term->name);
	len += strlen(text + len);
	text[len++] = ' ';
	whole = len + digits_fixed(text + len, term->change, 3, true) - from;
	if (whole < size)
		memcpy(buf, text + from, whole + 1);
	else
		buf[0] = '\0';
	return whole;
}

/* Lists the terms that changed, by falling absolute change, until buf is full. A cell holds about twenty. */
static void terms_text(char *buf, size_t size, const struct fs_compared_job *j)
{
	size_t len = 0;
	double above = INFINITY;

	*buf = '\0';
	for (size_t told = 0; told < j->nterms && len < size;) {
		double next = -1;

		for (size_t i = 0; i < j->nterms; i++)
			if (fabs(j->terms[i].change) < above && fabs(j->terms[i].change) > next)
				next = fabs(j->terms[i].change);
		if (next < 0)
			return;
		for (size_t i = 0; i < j->nterms && len < size; i++) {
			if (fabs(j->terms[i].change) != next)
				continue;
			len += term_text(buf + len, size - len, &j->terms[i], told++ == 0);
		}
		above = next;
	}
}

/* A column of a job table on the page. */
struct shown {
	enum diff_job_column column;
	bool right;
};

static void add_change(struct table *t, double moved)
{
	char text[DIGITS_TEXT];

	if (moved == 0 || isnan(moved)) {
		table_text(t, isnan(moved) ? "-" : "0");
		return;
	}
	digits_fixed(text, moved, 0, true);
	table_text(t, text);
}

/* What a cell shows: FS_BEFORE, FS_AFTER, or both states. */
enum { BOTH = 2 };

/* Adds the cell of one column. side: the state to show of a column with a value for each state, or BOTH_STATES. */
static void add_cell(struct table *t, const struct diff_run *r, enum diff_job_column column,
		     const struct fs_compared_job *j, int side)
{
	const struct column *c = &diff_job_columns[column];
	char text[2][CELL], id[FS_JOB_ID_TEXT], cell[CELL], why[TABLE_CELL];
	const char *on[2];
	struct value v;

	if (column == DIFF_JOBID) {
		table_text(t, job_text(id, r, j->job));
		return;
	}
	if (column == DIFF_TERMS) {
		terms_text(why, sizeof(why), j);
		table_text(t, why);
		return;
	}
	for (int k = 0; k < 2; k++) {
		diff_job_value(c, j, k, &v);
		on[k] = value_text(text[k], &r->side[k], &v, true, c->unit == UNIT_TIME);
	}
	if (column == DIFF_CHANGE)
		add_change(t, v.number);
	else if (c->part == DIFF_EACH && side == BOTH)
		table_cut(t, change(cell, on[0], on[1]), CELL - 10);
	else
		table_cut(t, on[side % 2], NAME_MAX);
}

static void begin_jobs(struct table *t, const struct shown *shown, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table_column(t, diff_job_columns[shown[i].column].name, shown[i].right);
}

static const struct shown of_pending[] = { { DIFF_JOBID, false }, { DIFF_PARTITIONS, false }, { DIFF_USER, false },
					   { DIFF_PRIORITY, true }, { DIFF_CHANGE, true },
					   { DIFF_PARTITION_POSITION, false }, { DIFF_START, false },
					   { DIFF_TERMS, false } };

static void add_pending(struct table *t, const struct diff_run *r, const struct fs_compared_job *j)
{
	if (j->fate != FS_FATE_PENDING || !diff_wants_job(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_cell(t, r, of_pending[c].column, j, BOTH);
}

static int put_pending(const struct diff_run *r)
{
	struct table t = { 0 };
	char title[80];
	size_t n;

	begin_jobs(&t, COLUMNS(of_pending));
	n = table_fill(&t, r, add_pending);
	snprintf(title, sizeof(title), "PENDING JOBS: %zu of %zu rows differ", n, fs_comparison_pending(r->compared));
	heading(r, title);
	return table_print(&t, r->markdown);
}

static const struct shown of_others[] = { { DIFF_JOBID, false }, { DIFF_FATE, false }, { DIFF_PARTITIONS, false },
					  { DIFF_USER, false }, { DIFF_ACCOUNT, false }, { DIFF_PRIORITY, true },
					  { DIFF_PARTITION_POSITION, true } };

static void add_other(struct table *t, const struct diff_run *r, const struct fs_compared_job *j)
{
	if (j->fate == FS_FATE_PENDING || !diff_wants_job(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_cell(t, r, of_others[c].column, j, j->fate == FS_FATE_NEW ? FS_AFTER : FS_BEFORE);
}

static int put_others(const struct diff_run *r)
{
	struct table t = { 0 };

	begin_jobs(&t, COLUMNS(of_others));
	if (table_fill(&t, r, add_other))
		heading(r, "JOBS IN ONE OF THE TWO");
	return table_print(&t, r->markdown);
}

/* ---- sum of one job: computed in millionths of a point, so that the printed numbers add up */

static void add_units(struct table *t, const char *name, int64_t units)
{
	table_add(t, "%s", name);
	table_add(t, "%s%lld.%06lld", units < 0 ? "-" : "+", (long long)(units / 1000000 < 0 ? -(units / 1000000) : units / 1000000),
		  (long long)(units % 1000000 < 0 ? -(units % 1000000) : units % 1000000));
}

/* Prints the terms of the job's priority change and their sum. Prints nothing if the sum is unknown or too large. */
static int put_sum(const struct diff_run *r, const struct fs_compared_job *j)
{
	struct table t = { 0 };
	const double moved = j->priority[1] - j->priority[0];
	int64_t sum = 0;
	char title[CELL], name[64], id[FS_JOB_ID_TEXT], where[CELL];

	if (isnan(j->sum_change) || fabs(moved) > 1e12)
		return 0;
	snprintf(title, sizeof(title), "SUM of %s in %.100s", job_text(id, r, j->job),
		 change(where, j->partition[0], j->partition[1]));
	heading(r, title);
	table_column(&t, "FACTOR", false);
	table_column(&t, "CHANGE", true);
	for (size_t i = 0; i < j->nterms; i++) {
		const int64_t units = llround(j->terms[i].change * 1e6);

		upper(name, sizeof(name), j->terms[i].name);
		add_units(&t, name, units);
		sum += units;
	}
	add_units(&t, "sum", sum);
	if (llround(moved) * 1000000 != sum)
		add_units(&t, "dropped or rounded", llround(moved) * 1000000 - sum);
	table_add(&t, "PRIORITY");
	table_add(&t, "%+.0f", moved);
	return table_print(&t, r->markdown);
}

/* ---- shares */

/* Formats the values of a share column in both states; "-" if there is none. on[k] may point into text[k]. */
static void share_texts(const char *on[2], char text[2][CELL], const struct diff_run *r,
			const struct diff_share_column *c, const struct fs_compared_share *s)
{
	struct value v;

	for (int k = 0; k < 2; k++) {
		diff_share_value(c, s, k, &v);
		on[k] = value_text(text[k], &r->side[k], &v, c->whole, false);
		on[k] = *on[k] ? on[k] : "-";
	}
}

/* Returns true if the page shows the share column. */
static bool shows(const struct diff_run *r, const struct diff_share_column *c)
{
	char text[2][CELL];
	const char *on[2];

	for (size_t i = 0; c->name && c->if_moved && i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (!diff_wants_share(r, s) || !s->row[0] || !s->row[1])
			continue;
		share_texts(on, text, r, c, s);
		if (strcmp(on[0], on[1]) != 0)
			return true;
	}
	return c->name && !c->if_moved;
}

/* Adds the cells of one row. has: the columns that the page shows. */
static void add_share(struct table *t, const struct diff_run *r, const struct fs_compared_share *s,
		      const bool has[DIFF_SHARE_COLUMNS])
{
	const struct fs_share_row *row = s->row[1] ? s->row[1] : s->row[0];
	char text[2][CELL], cell[CELL];
	const char *on[2];

	table_add(t, NAME, row->account);
	table_add(t, *row->partition ? NAME " (" NAME ")" : NAME "%s", row->user, row->partition);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		if (!has[i])
			continue;
		share_texts(on, text, r, &diff_share_columns[i], s);
		table_add(t, "%s", change(cell, on[0], on[1]));
	}
}

static int put_shares(const struct diff_run *r)
{
	struct table t = { 0 };
	bool has[DIFF_SHARE_COLUMNS];
	char title[64];
	size_t n = 0;

	if (r->job)
		return 0;
	table_column(&t, "ACCOUNT", false);
	table_column(&t, "USER", false);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		has[i] = shows(r, &diff_share_columns[i]);
		if (has[i])
			table_column(&t, diff_share_columns[i].name, false);
	}
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (diff_wants_share(r, fs_comparison_share(r->compared, i))) {
			add_share(&t, r, fs_comparison_share(r->compared, i), has);
			n++;
		}
	snprintf(title, sizeof(title), "SHARES: %zu row%s", n, n == 1 ? " differs" : "s differ");
	heading(r, title);
	return table_print(&t, r->markdown);
}

static int put_ranks(const struct diff_run *r)
{
	struct table t = { 0 };

	table_column(&t, "USER", false);
	table_column(&t, "ACCOUNT", false);
	table_column(&t, "FACTOR", true);
	table_column(&t, "WHY", false);
	if (diff_ranks(r, &t))
		t.failed = true;
	if (!t.n)
		return t.failed ? -1 : 0;
	heading(r, fs_shares_has_levels(r->side[FS_AFTER].eval.shares) ? "WHY RANKS MOVED: what each adds to the factor" :
									 "WHY FACTORS MOVED: what each adds");
	return table_print(&t, r->markdown);
}

/* Prints the page. Returns -1 if out of memory. */
static int diff_text(const struct diff_run *r)
{
	int rc;

	put_heading(r);
	rc = put_pending(r);
	if (!rc)
		rc = put_others(r);
	for (size_t i = 0; !rc && r->job && i < fs_comparison_jobs(r->compared); i++)
		if (diff_wants_job(r, fs_comparison_job(r->compared, i)))
			rc = put_sum(r, fs_comparison_job(r->compared, i));
	if (!rc)
		rc = put_shares(r);
	return rc ? rc : put_ranks(r);
}

/* ---- command line */

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_NO_PLAN
};

#define SET(member) OPTION_SETS(struct diff_run, member)
#define SET_OF(member, values) OPTION_SETS_OF(struct diff_run, member, values)
static const struct option_row option_rows[] = {
	HEADING("What to compare"),
	{ OPT_JOB, "job", "ID", "this job alone, with the sum of its change", SET_OF(job, ":jobs") },
	{ OPT_USER, "user", "NAME", "this user's jobs and shares alone", SET_OF(user, ":users") },
	{ OPT_ACCOUNT, "account", "NAME", "this account's jobs and shares alone", SET_OF(account, ":accounts") },
	{ OPT_NO_PLAN, "no-plan", NULL, "plan no starts", SET(no_plan) },
	HEADING("Output"),
	MARKDOWN_OPTION(SET(markdown)),
	JSON_OPTION("schema fs-diff/1"),
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table diff_option_table = { .synopsis = "[OPTION]... [A] [B]",
						  .about = "What changed from snapshot A to B, or would change in A.",
						  OPTIONS(option_rows) };

/* Reads the file arguments: A, unless --file or --demo gives the first state, then B. Returns -1 to continue, or the
 * exit status after an error message. */
static int take_files(struct diff_run *r, int n, char **names)
{
	int i = 0;

	if (n && !r->input.file && !r->input.demo)
		r->input.file = names[i++];
	if (i < n)
		r->other = names[i++];
	if (i == n)
		return -1;
	return options_unexpected(r->inv, names[i]);
}

/* Checks combinations of options. Returns -1 to continue, or EXIT_USAGE after an error message. */
static int check(const struct diff_run *r)
{
	const struct input *in = &r->input;

	if (r->json && r->markdown)
		complain(r->inv, "--json and --markdown exclude each other");
	else if (!r->other && !in->edits.n && !in->algorithm && !in->compat && !in->position && !usage_wanted(in))
		complain(r->inv, "a second state is needed: a file, or --if, --at, --algorithm; see %s --help",
			 r->inv->name);
	else
		return -1;
	return EXIT_USAGE;
}

/* Parses the command line into *r. Returns -1 to continue, or the exit status. */
static int parse(struct diff_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json };
	int next = argc, status = options_parse(&to, &diff_option_table, argc, argv, &next);

	if (status < 0)
		status = take_files(r, argc - next, argv + next);
	return status < 0 ? check(r) : status;
}

/* Sets *id to the id of the job. Returns 0, 1 if the snapshot has no such job, or -1 if `word` is not a job id. */
static int job_id(const fs_snapshot *s, const char *word, uint64_t *id)
{
	struct fs_job j;
	uint32_t row;

	if (fs_job_find(s, word, &row))
		return -1;
	if (row == FS_NO_ROW)
		return 1;
	fs_snapshot_job(s, row, &j);
	*id = j.id;
	return 0;
}

/* Sets r->job_id from --job. Returns 0, or the exit status after an error message. */
static int find_job(struct diff_run *r)
{
	int rc;

	if (!r->job)
		return 0;
	rc = job_id(r->side[FS_AFTER].snapshot, r->job, &r->job_id);
	if (rc < 0) {
		complain(r->inv, "\"%s\" is no job id", r->job);
		return EXIT_USAGE;
	}
	if (!rc || !job_id(r->side[FS_BEFORE].snapshot, r->job, &r->job_id))
		return 0;
	complain(r->inv, "job %s is in neither state", r->job);
	return EXIT_NOTHING;
}

/* Returns true, after an error message, if neither state has the name. */
static bool is_missing(const struct diff_run *r, enum missing_kind kind, const char *name)
{
	return name && missing_from(r->side[FS_BEFORE].snapshot, kind, name) &&
	       missing_name(r->inv, r->side[FS_AFTER].snapshot, kind, name);
}

static int find_names(const struct diff_run *r)
{
	const bool user = is_missing(r, MISSING_USER, r->user), account = is_missing(r, MISSING_ACCOUNT, r->account);

	return user || account ? EXIT_NOTHING : 0;
}

/* Returns the time of the computed usage; 0 if usage is not computed. */
static int64_t usage_time(const struct diff_side *s)
{
	struct fs_usage_info info = { 0 };

	if (s->usage)
		fs_usage_info(s->usage, &info);
	return info.at;
}

/* Evaluates and compares both states, and prints the result. Returns the exit status. */
static int show(struct diff_run *r)
{
	struct diff_side *a = &r->side[FS_BEFORE], *b = &r->side[FS_AFTER];
	struct fs_error err;
	int status = diff_open(r);

	if (!status)
		status = find_job(r);
	if (!status)
		status = find_names(r);
	if (status)
		return status;
	const struct fs_compared before = { &a->eval, a->plan, usage_time(a) },
				 after = { &b->eval, b->plan, usage_time(b) };

	if (fs_compare(&r->compared, &before, &after, &err))
		return report(r->inv, &err);
	diff_find_job(r);
	if (r->json)
		return diff_json(r);
	return diff_text(r) ? no_memory(r->inv) : EXIT_DONE;
}

static int run_diff(const struct invocation *inv, int argc, char **argv)
{
	struct diff_run r = { .inv = inv };
	int status = parse(&r, argc, argv);

	if (status < 0)
		status = show(&r);
	diff_release(&r);
	return status;
}

const struct command diff_command = { "fs-diff", NULL, "what changed from one state to another, or would", "", false, run_diff };
