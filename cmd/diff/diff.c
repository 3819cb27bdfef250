/* fs-diff: evaluates two states of a cluster and prints their differences as text, Markdown or JSON.
 *
 * The second state is a second snapshot, or the first snapshot with other options: commands (--if), another time (--at)
 * or another fair-share algorithm. open_both_states evaluates both; fs_compare computes the differences. */
#include "cmd.h"
#include "columns/column.h"
#include "columns/share.h"
#include "fs/compare.h"
#include "input/input.h"
#include "options/options.h"
#include "page/page.h"
#include "render/text.h"
#include "render/emit.h"
#include "render/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of the two states to compare: a snapshot and the values computed from it. */
struct diff_side {
	struct input input;
	fs_snapshot *snapshot;
	fs_usage *usage;
	struct fs_eval eval;
	fs_prios *prios; /* priorities that include jobs that are not eligible; NULL: those of `eval` */
	fs_plan *plan; /* plan of starts; NULL: no plan is requested, or one of the two states has no plan */
};

struct diff_run {
	const struct invocation *inv;
	/* input options as given; split_input_options applies each option to one state or to both */
	struct input input;
	const char *second_file; /* snapshot file of the second state; NULL: derived from the first state */
	const char *job, *user, *account;
	uint64_t selected_job_id; /* id of the job given by --job; unused if `job` is NULL */
	enum json_form json;
	bool markdown, no_plan;
	struct diff_side sides[2];
	fs_comparison *compared;
	const struct fs_compared_job *selected_job; /* first compared row of the job given by --job; NULL: none */
};

struct cell_table;

/* ---- columns of compared jobs and shares */

/* Values of column.row_part, which says whether the column has one value for both states, or one value for each
 * state. */
enum { DIFF_ONE_VALUE, DIFF_VALUE_PER_STATE };

/* Columns of compared jobs, in the order of the JSON document. Only the page has the column DIFF_CHANGE. */
enum diff_job_column {
	DIFF_JOBID, DIFF_F58, DIFF_FATE, DIFF_PARTITION, DIFF_PARTITIONS, DIFF_QOS, DIFF_USER, DIFF_ACCOUNT,
	DIFF_PRIORITY, DIFF_POSITION, DIFF_PARTITION_POSITION, DIFF_START, DIFF_SUM_CHANGE, DIFF_REST_CHANGE,
	DIFF_TERMS, DIFF_CHANGE,
	DIFF_JOB_COLUMNS
};

/* A column of compared shares. It has one value for each state. */
struct diff_share_column {
	const char *name; /* heading on the page; NULL: the column is only in JSON */
	enum share_column column;
	bool as_integer;        /* the page shows the value without decimals */
	bool only_if_different; /* if the two values are equal in every row, the page omits the column */
};
enum { DIFF_SHARE_COLUMNS = 7 };

/* ---- tables of text cells, printed as aligned columns or as Markdown */

enum { TABLE_COLUMNS_MAX = 12, TABLE_CELL_SIZE = 1024 };

struct cell_table {
	struct cell_table_column {
		const char *name;
		bool is_right_aligned;
	} column[TABLE_COLUMNS_MAX];
	size_t columns;
	char *bytes; /* all cells, row after row; each cell is a struct table_cell, the text and a NUL */
	size_t used, capacity;
	size_t n; /* number of cells in the table */
	int width[TABLE_COLUMNS_MAX];
	bool oom; /* memory ran out, so cells are missing */
};

/* Size of a cell's text: `len` in bytes, `width` in terminal columns; both are less than TABLE_CELL_SIZE. */
struct table_cell {
	uint16_t len, width;
};

static void add_formatted_cell(struct cell_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- values of compared jobs and shares */

static void write_f58_job_id(struct fs_json *j, const void *of, const void *row)
{
	json_write_f58_id(j, ((const struct diff_run *)of)->sides[FS_AFTER].snapshot,
			  ((const struct fs_compared_job *)row)->job);
}

static void set_text_value(struct value *out, const char *text)
{
	out->type = VALUE_TEXT;
	out->text = text;
}

static void get_job_fate_value(const void *of, const void *row, struct value *out)
{
	(void)of;
	set_text_value(out, fs_fate_name(((const struct fs_compared_job *)row)->fate));
}

/* Sets *out to the job's partition in the second state. If the job has no partition in the second state, *out is the
 * job's partition in the first state. */
static void get_job_partition_value(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	set_text_value(out, j->partition[*j->partition[FS_AFTER] ? FS_AFTER : FS_BEFORE]);
}

static void get_priority_change(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	out->type = VALUE_DOUBLE;
	out->number = j->priority[FS_AFTER] - j->priority[FS_BEFORE];
}

static void write_term_changes(struct fs_json *j, const void *of, const void *row)
{
	static const struct column columns[] = {
		{ NULL, "factor", COLUMN_MEMBER(struct fs_term_change, name), .help = "name of the factor" },
		{ NULL, "change", COLUMN_MEMBER(struct fs_term_change, change), .help = "change in points" },
	};
	const struct fs_compared_job *job = row;

	fs_json_array(j);
	for (size_t i = 0; i < job->nterms; i++) {
		columns_write_object(j, COLUMNS(columns), of, &job->terms[i]);
	}
	fs_json_end_array(j);
}

#define JOB_VALUE(m) COLUMN_MEMBER(struct fs_compared_job, m)
#define JOB_VALUE_PER_STATE(m) COLUMN_MEMBER(struct fs_compared_job, m[0]), .row_part = DIFF_VALUE_PER_STATE

/* Columns of compared jobs. Their functions get the struct diff_run as `of` and a struct fs_compared_job as `row`. */
static const struct column compared_job_columns[DIFF_JOB_COLUMNS] = {
	[DIFF_JOBID] = { "JOBID", "jobid", JOB_VALUE(job), .help = "job id" },
	[DIFF_F58] = { NULL, "f58", .write_json = write_f58_job_id, .help = "job id in Flux's notation (f58)" },
	[DIFF_FATE] = { "WHAT", "fate", .get_value = get_job_fate_value,
			.help = "what happened to the job between the two states" },
	[DIFF_PARTITION] = { NULL, "partition", .get_value = get_job_partition_value,
			     .help = "partition in the later state; if none, partition in the earlier state" },
	[DIFF_PARTITIONS] = { "PARTITION", "partitions", JOB_VALUE_PER_STATE(partition), .help = "partition" },
	[DIFF_QOS] = { NULL, "qos", JOB_VALUE_PER_STATE(qos), .help = "quality of service" },
	[DIFF_USER] = { "USER", "user", JOB_VALUE(user), .help = "user who submitted the job" },
	[DIFF_ACCOUNT] = { "ACCOUNT", "account", JOB_VALUE(account), .help = "account that is charged for the job" },
	[DIFF_PRIORITY] = { "PRIORITY", "priority", 1, JOB_VALUE_PER_STATE(priority), .help = "priority" },
	[DIFF_POSITION] = { NULL, "position", JOB_VALUE_PER_STATE(position), .zero_is_none = true,
			    .help = "position among all eligible jobs" },
	[DIFF_PARTITION_POSITION] = { "PLACE", "partition_position", JOB_VALUE_PER_STATE(partition_position),
				      .zero_is_none = true, .help = "position in the scheduling order of the partition" },
	[DIFF_START] = { "START", "start", JOB_VALUE_PER_STATE(start_time), .unit = UNIT_TIME,
			 .help = "planned start" },
	[DIFF_SUM_CHANGE] = { NULL, "sum_change", JOB_VALUE(sum_change), .help = "sum of the changes of the terms" },
	[DIFF_REST_CHANGE] = { NULL, "rest_change", JOB_VALUE(rest_change),
			       .help = "part of the priority change that comes from dropped fractions and rounding" },
	[DIFF_TERMS] = { "TERMS", "terms", .write_json = write_term_changes,
			 .help = "terms that changed the priority" },
	[DIFF_CHANGE] = { "CHANGE", NULL, 1, .get_value = get_priority_change, .help = "change of the priority" },
};

/* Sets *out to the value of a job column in one state (side: FS_BEFORE or FS_AFTER). `side` has no effect on a column
 * with one value for both states. If the job does not exist in the state, *out is a value that means "no value". */
static void get_compared_job_value(const struct column *c, const struct fs_compared_job *j, int side, struct value *out)
{
	column_get_element(c, c->row_part == DIFF_VALUE_PER_STATE ? (size_t)side : 0, NULL, j, out);
}

/* Columns of compared shares, in the order of the JSON document. */
static const struct diff_share_column compared_share_columns[DIFF_SHARE_COLUMNS] = {
	{ "SHARES", SHARE_RAW_SHARES, true, false },
	{ "NORMSHARES", SHARE_NORM_SHARES, false, true },
	{ "RAWUSAGE", SHARE_RAW_USAGE, true, false },
	{ "EFFECTVUSAGE", SHARE_EFFECTIVE_USAGE, false, false },
	{ "FAIRSHARE", SHARE_FAIRSHARE, false, false },
	{ NULL, SHARE_LEVEL_FS, false, false },
	{ "RANK", SHARE_RANK, true, false },
};

/* Sets *out to the value of a share column in one state; VALUE_NONE if the state does not have the share row. */
static void get_compared_share_value(const struct diff_share_column *c, const struct fs_compared_share *s, int side,
				     struct value *out)
{
	out->type = VALUE_NONE;
	if (s->row[side])
		column_get_value(&share_columns[c->column], NULL, s->row[side], out);
}

/* ---- selection of rows by --job, --user and --account */

/* Returns true if --job, --user and --account select the row of this job. */
static bool is_job_selected(const struct diff_run *r, const struct fs_compared_job *j)
{
	return (!r->job || j->job == r->selected_job_id) && (!r->user || !strcmp(j->user, r->user)) &&
	       (!r->account || !strcmp(j->account, r->account));
}

/* Sets r->selected_job to the first compared row of the job given by --job. */
static void find_selected_job(struct diff_run *r)
{
	r->selected_job = NULL;
	for (size_t i = 0; r->job && !r->selected_job && i < fs_comparison_jobs(r->compared); i++)
		if (is_job_selected(r, fs_comparison_job(r->compared, i)))
			r->selected_job = fs_comparison_job(r->compared, i);
}

/* Returns true if the job given by --job is in this partition in the second state. */
static bool is_selected_job_in(const struct diff_run *r, const char *partition)
{
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++) {
		const struct fs_compared_job *j = fs_comparison_job(r->compared, i);

		if (is_job_selected(r, j) && !strcmp(j->partition[FS_AFTER], partition))
			return true;
	}
	return false;
}

/* Returns true if the job given by --job gets its fair-share factor from the share row. */
static bool is_share_of_selected_job(const struct diff_run *r, const struct fs_share_row *row)
{
	const struct fs_compared_job *j = r->selected_job;

	return j && *row->user && !strcmp(j->user, row->user) && !strcmp(j->account, row->account) &&
	       (!*row->partition || is_selected_job_in(r, row->partition));
}

/* Returns true if --job, --user and --account select the share row. --job selects the share row of the job's user in
 * the job's account. */
static bool is_share_selected(const struct diff_run *r, const struct fs_compared_share *s)
{
	const struct fs_share_row *row = s->row[FS_AFTER] ? s->row[FS_AFTER] : s->row[FS_BEFORE];

	return (!r->job || is_share_of_selected_job(r, row)) && (!r->user || !strcmp(row->user, r->user)) &&
	       (!r->account || !strcmp(row->account, r->account));
}

/* ---- JSON document: schema fs-diff/1 */

/* JSON keys of the two states, indexed by FS_BEFORE and FS_AFTER. */
static const char *const state_keys[] = { "before", "after" };

static void write_compared_job(struct fs_json *j, const struct diff_run *r, const struct fs_compared_job *row)
{
	struct value v;

	fs_json_object(j);
	for (const struct column *c = compared_job_columns; c < compared_job_columns + DIFF_JOB_COLUMNS; c++) {
		if (c->row_part != DIFF_VALUE_PER_STATE) {
			columns_write_members(j, c, 1, r, row);
			continue;
		}
		json_begin_object(j, c->key);
		for (int k = 0; k < 2; k++) {
			get_compared_job_value(c, row, k, &v);
			fs_json_key(j, state_keys[k]);
			value_write_json(j, &v);
		}
		fs_json_end_object(j);
	}
	fs_json_end_object(j);
}

/* Writes the account, user and partition of a share row, as recorded in the second state if it has the row, otherwise
 * in the first state. Writes empty names if the viewer may not see the row. `row`: the row in each state. */
static void write_sibling_row_name(struct fs_json *j, const char *key, const struct fs_share_row *const row[2])
{
	static const struct fs_share_row unseen = { .account = "", .user = "", .partition = "" };
	const struct fs_share_row *r = row[FS_AFTER] ? row[FS_AFTER] : row[FS_BEFORE];

	share_write_row_name(j, key, !r || r->visible ? r : &unseen);
}

/* Writes the causes of the rank change of share row i. Returns -1 if out of memory. */
static int write_rank_causes(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	size_t n;
	const int rc = fs_comparison_rank_causes(r->compared, i, &c, &n);

	json_begin_list(j, "causes");
	for (size_t k = 0; !rc && k < n; k++) {
		fs_json_object(j);
		json_write_text(j, "kind", fs_rank_cause_name(c[k].kind));
		write_sibling_row_name(j, "own", c[k].own);
		write_sibling_row_name(j, "other", c[k].other);
		json_write_integer(j, "users", c[k].users);
		json_write_number(j, "change", c[k].change);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
	return rc;
}

/* Writes compared share row i with its rank causes. Returns -1 if out of memory. */
static int write_compared_share(struct fs_json *j, const struct diff_run *r, size_t i)
{
	const struct fs_compared_share *s = fs_comparison_share(r->compared, i);
	const struct fs_share_row *a = s->row[FS_BEFORE], *b = s->row[FS_AFTER], *row = b ? b : a;
	struct value v;
	int rc;

	fs_json_object(j);
	json_write_text(j, "account", row->account);
	json_write_text(j, "user", row->user);
	json_write_text(j, "partition", row->partition);
	json_write_text(j, "fate", !a ? "new" : !b ? "gone" : "changed");
	for (const struct diff_share_column *c = compared_share_columns;
	     c < compared_share_columns + DIFF_SHARE_COLUMNS; c++) {
		json_begin_object(j, share_columns[c->column].key);
		for (int k = 0; k < 2; k++) {
			get_compared_share_value(c, s, k, &v);
			/* the share "parent" is written as null, because shares are numbers or null in this document */
			if (v.type == VALUE_TEXT)
				v.type = VALUE_NONE;
			fs_json_key(j, state_keys[k]);
			value_write_json(j, &v);
		}
		fs_json_end_object(j);
	}
	rc = write_rank_causes(j, r, i);
	fs_json_end_object(j);
	return rc;
}

/* Writes the object "after": the cluster, the time and the commands (--if) of the second state. */
static void write_second_state(struct fs_json *j, const struct diff_run *r)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(r->sides[FS_AFTER].snapshot);
	struct fs_usage_info usage;

	json_begin_object(j, "after");
	json_write_text(j, "cluster", info->cluster);
	if (r->sides[FS_AFTER].usage)
		fs_usage_info(r->sides[FS_AFTER].usage, &usage);
	json_write_integer(j, "time", r->sides[FS_AFTER].usage ? usage.at : info->time);
	json_begin_list(j, "if");
	for (size_t i = 0; i < r->input.edits.n; i++)
		fs_json_string(j, r->input.edits.command[i]);
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static int print_diff_json(const struct diff_run *r)
{
	struct fs_json j;
	int oom = 0;

	json_begin_changed_document(&j, "fs-diff/1", r->sides[FS_BEFORE].snapshot, r->sides[FS_AFTER].snapshot,
				    r->json);
	write_second_state(&j, r);
	json_write_flag(&j, "planned", r->sides[FS_AFTER].plan != NULL);
	json_begin_list(&j, "jobs");
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		if (is_job_selected(r, fs_comparison_job(r->compared, i)))
			write_compared_job(&j, r, fs_comparison_job(r->compared, i));
	fs_json_end_array(&j);
	json_begin_list(&j, "shares");
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (is_share_selected(r, fs_comparison_share(r->compared, i)))
			oom |= write_compared_share(&j, r, i);
	fs_json_end_array(&j);
	return oom ? cmd_report_no_memory(r->inv) : json_end_document(&j);
}

/* ---- reading and evaluating the two states */

/* Returns true if the input can be read a second time. This is true for the demo and for a file, but not for standard
 * input or a live capture. */
static bool can_reread_input(const struct input *in)
{
	const char *file;
	const enum input_source source = input_find_source(in, &file);

	return source == INPUT_DEMO || (source == INPUT_FILE && strcmp(file, "-") != 0);
}

/* Makes the snapshot of the second state: a copy of the first snapshot with the commands of --if applied. */
static int copy_first_snapshot(struct diff_run *r)
{
	struct diff_side *b = &r->sides[FS_AFTER];
	struct fs_error err;

	if (fs_snapshot_copy(&b->snapshot, r->sides[FS_BEFORE].snapshot, &err))
		return cmd_report_error(r->inv, &err);
	return edits_apply_to_snapshot(r->inv, &b->input.edits, input_get_viewer_name(&b->input), b->snapshot);
}

/* Opens the snapshot of the second state. There are three cases:
 * - The second state has its own file: reads this file.
 * - The second state has computed usage or another algorithm: reads the input of the first state again. If the input
 *   cannot be read again, reports an error if usage is computed, and copies the first snapshot otherwise.
 * - Otherwise copies the first snapshot.
 * Returns 0, or the exit status after an error message. */
static int open_second_snapshot(struct diff_run *r)
{
	const struct input *a = &r->sides[FS_BEFORE].input;
	struct diff_side *b = &r->sides[FS_AFTER];
	const bool computed = usage_is_computation_requested(&b->input) && b->input.usage != USAGE_RECORDED;

	if (r->second_file || ((computed || b->input.algorithm) && can_reread_input(a)))
		return clusters_open_snapshot(r->inv, &b->input, &b->snapshot);
	if (!computed)
		return copy_first_snapshot(r);
	cmd_print_message(r->inv, "--usage=computed reads the snapshot twice: name a file with -f");
	return EXIT_USAGE;
}

/* Divides the input options between the two states. Commands (--if) and the time (--at) apply only to the second
 * state. The other options apply to both states if the second state has its own file, else only to the second state. */
static void split_input_options(struct diff_run *r)
{
	struct input *a = &r->sides[FS_BEFORE].input, *b = &r->sides[FS_AFTER].input;

	*a = *b = r->input;
	a->edits.n = 0;
	a->at = NULL;
	if (r->second_file) {
		b->file = r->second_file;
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

/* The evaluation of both states. evaluate_one_state runs once for each state, on a thread of its own. */
struct evaluation_task {
	const struct diff_run *r;
	struct diff_side *sides;
	/* `view` is set before the threads start, because it is made with getpwuid, which is not thread-safe */
	struct fs_view view[2];
	/* true: the starts of both states are planned. False with --no-plan, and with options such as --usage and --at.
	 * These options may select the usage at another time, but a plan always begins at the snapshot's time. */
	bool with_plans;
	struct fs_error eval_error[2], plan_error[2];
};

/* Evaluates state k: computes its values and, if requested, its plan. Stores errors in eval_error[k] and
 * plan_error[k]. */
static void evaluate_one_state(void *arg, size_t k)
{
	struct evaluation_task *c = arg;
	struct diff_side *s = &c->sides[k];
	const struct fs_view view = c->view[k];
	struct fs_plan_options o = { .view = view, .starts_alone = true, .next_cycle = view.computed };
	struct fs_prios_options prios = { .view = view, .blocked = true, .recorded = view.recorded };

	if (fs_eval_compute(s->snapshot, &view, &s->eval, &c->eval_error[k]))
		return;
	prios.shares = view.compat ? NULL : s->eval.shares;
	if (s->eval.prios && fs_prios_compute(&s->prios, s->snapshot, &prios, &c->eval_error[k]))
		return;
	if (!c->with_plans)
		return;
	o.queue = s->eval.queue;
	fs_plan_compute(&s->plan, s->snapshot, &o, &c->plan_error[k]);
}

/* Returns 0 if there is no error or if data is missing (FS_ENODATA). Otherwise returns the exit status after an error
 * message. */
static int report_fatal_error(const struct diff_run *r, const struct fs_error *err)
{
	return err->code && err->code != FS_ENODATA ? cmd_report_error(r->inv, err) : 0;
}

/* Reports the first error of state k that is fatal. Missing data (FS_ENODATA) is fatal only if fs_eval_compute returns
 * this error. Returns the exit status, or 0 if there is no fatal error. */
static int report_state_errors(const struct evaluation_task *c, size_t k)
{
	const struct fs_eval *e = &c->sides[k].eval;
	int status = c->eval_error[k].code ? cmd_report_error(c->r->inv, &c->eval_error[k])
					   : report_fatal_error(c->r, &e->shares_error);

	if (!status)
		status = report_fatal_error(c->r, &e->prios_error);
	if (!status)
		status = report_fatal_error(c->r, &e->queue_error);
	return status ? status : report_fatal_error(c->r, &c->plan_error[k]);
}

/* Evaluates both states in parallel. Returns 0, or the exit status after an error message. */
static int evaluate_both_states(struct diff_run *r)
{
	struct evaluation_task c = { .r = r,
				     .sides = r->sides,
				     .with_plans = !r->no_plan &&
						   !usage_is_computation_requested(&r->sides[FS_AFTER].input) };
	bool computed = false;
	int status = 0;

	for (int k = 0; k < 2 && !status; k++) {
		struct diff_side *s = &r->sides[k];

		if (usage_is_computation_requested(&s->input))
			status = usage_load_with_options(r->inv, &s->input, s->snapshot, NULL, NULL, &s->usage);
		c.view[k] = input_get_view(&s->input);
		c.view[k].usage = s->usage;
		computed = computed || fs_view_differs(&c.view[k]) || s->input.edits.n;
	}
	if (status)
		return status;
	/* recorded and computed priorities cannot be compared; if one state needs computed priorities, both states get
	 * them */
	for (int k = 0; k < 2; k++) {
		c.view[k].computed = computed;
		c.view[k].recorded = !computed;
	}
	if (threads_get_usable_count() > 1) {
		threads_run_in_parallel(2, evaluate_one_state, &c);
	} else {
		evaluate_one_state(&c, 0);
		evaluate_one_state(&c, 1);
	}
	status = report_state_errors(&c, 0);
	return status ? status : report_state_errors(&c, 1);
}

/* Opens and evaluates both states. If only one state has a plan, discards that plan. Returns 0, or the exit status
 * after an error message. */
static int open_both_states(struct diff_run *r)
{
	struct diff_side *a = &r->sides[FS_BEFORE], *b = &r->sides[FS_AFTER];
	int status;

	split_input_options(r);
	status = clusters_open_snapshot(r->inv, &a->input, &a->snapshot);
	if (!status)
		status = open_second_snapshot(r);
	if (!status)
		status = evaluate_both_states(r);
	if (!status && (!a->plan || !b->plan)) {
		fs_plan_free(a->plan);
		fs_plan_free(b->plan);
		a->plan = b->plan = NULL;
	}
	return status;
}

/* Frees the comparison and both states. */
static void free_diff_run(struct diff_run *r)
{
	fs_comparison_free(r->compared);
	for (int k = 0; k < 2; k++) {
		struct diff_side *s = &r->sides[k];

		fs_plan_free(s->plan);
		fs_prios_free(s->prios);
		fs_eval_release(&s->eval);
		fs_usage_free(s->usage);
		input_release_resources(&s->input);
		fs_snapshot_free(s->snapshot);
	}
}

/* ---- filling and printing tables */

/* Adds a column to a table that has no cells yet. */
static void add_table_column(struct cell_table *t, const char *name, bool right_aligned)
{
	t->width[t->columns] = text_get_width(name);
	t->column[t->columns++] = (struct cell_table_column){ name, right_aligned };
}

/* Ensures that `more` bytes are free in t->bytes. Returns false if out of memory. */
static bool grow_cell_buffer(struct cell_table *t, size_t more)
{
	const size_t capacity = t->capacity ? t->capacity * 2 : 65536;
	char *bytes;

	if (t->capacity - t->used >= more)
		return true;
	bytes = realloc(t->bytes, capacity);
	t->oom = t->oom || !bytes;
	if (!bytes)
		return false;
	t->bytes = bytes;
	t->capacity = capacity;
	return true;
}

/* Adds the next cell of the current row: at most the first max_len bytes of the text. */
static void add_cut_text_cell(struct cell_table *t, const char *s, size_t max_len)
{
	const size_t len = strnlen(s, max_len < TABLE_CELL_SIZE ? max_len : TABLE_CELL_SIZE - 1);
	int *widest = &t->width[t->n % t->columns];
	struct table_cell cell = { .len = (uint16_t)len };
	char *to;

	if (!grow_cell_buffer(t, sizeof(cell) + len + 1))
		return;
	to = t->bytes + t->used + sizeof(cell);
	memcpy(to, s, len);
	to[len] = '\0';
	cell.width = (uint16_t)text_get_width(to);
	memcpy(t->bytes + t->used, &cell, sizeof(cell));
	*widest = cell.width > *widest ? cell.width : *widest;
	t->used += sizeof(cell) + len + 1;
	t->n++;
}

/* Adds the next cell of the current row. The text is cut to TABLE_CELL_SIZE - 1 bytes. */
static void add_text_cell(struct cell_table *t, const char *s)
{
	add_cut_text_cell(t, s, TABLE_CELL_SIZE - 1);
}

/* Adds the next cell of the current row, formatted like printf. The text is cut to TABLE_CELL_SIZE - 1 bytes. */
static void add_formatted_cell(struct cell_table *t, const char *fmt, ...)
{
	char text[TABLE_CELL_SIZE];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	add_text_cell(t, text);
}

/* Returns the text of the cell at *next, sets *cell to the size of the cell and advances *next to the next cell. */
static const char *read_next_cell(const char **next, struct table_cell *cell)
{
	const char *text = *next + sizeof(*cell);

	memcpy(cell, *next, sizeof(*cell));
	*next = text + cell->len + 1;
	return text;
}

/* Prints a cell, padded with `pad` blanks to the width of its column. */
static void print_aligned_cell(struct emit_row *r, const char *s, int pad, bool to_right, bool last)
{
	const size_t blanks = pad > 0 ? (size_t)pad : 0;

	if (to_right)
		emit_row_add_blanks(r, blanks);
	emit_row_add_cut(r, s, TABLE_CELL_SIZE);
	if (last)
		emit_row_end(r);
	else
		emit_row_add_blanks(r, (to_right ? 0 : blanks) + 2);
}

static void print_aligned_table(const struct cell_table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct emit_row r;
	struct table_cell cell;

	emit_row_begin(&r, stdout);
	for (size_t c = 0; c < n; c++) {
		const struct cell_table_column *of = &t->column[c];

		print_aligned_cell(&r, of->name, t->width[c] - text_get_width(of->name), of->is_right_aligned,
				   c + 1 == n);
	}
	for (size_t i = 0; i < t->n; i++) {
		const char *text = read_next_cell(&next, &cell);

		print_aligned_cell(&r, text, t->width[i % n] - cell.width, t->column[i % n].is_right_aligned,
				   (i + 1) % n == 0);
	}
}

/* Prints a cell of a Markdown table. A bar ("|") in the text is escaped, because it would end the cell. */
static void print_markdown_cell(const char *s, bool first, bool last)
{
	char piece[TABLE_CELL_SIZE];

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

static void print_markdown_table(const struct cell_table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct table_cell cell;

	for (size_t c = 0; c < n; c++)
		print_markdown_cell(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].is_right_aligned ? "---:" : "---");
	emit("\n");
	for (size_t i = 0; i < t->n; i++)
		print_markdown_cell(read_next_cell(&next, &cell), i % n == 0, (i + 1) % n == 0);
}

/* Prints the table on standard output and frees its cells. Prints nothing if the table has no rows. If a cell could not
 * be added because memory ran out, prints nothing and returns -1. */
static int print_cell_table(struct cell_table *t, bool markdown)
{
	const bool oom = t->oom;

	if (t->n && !oom && markdown)
		print_markdown_table(t);
	else if (t->n && !oom)
		print_aligned_table(t);
	free(t->bytes);
	t->bytes = NULL;
	t->used = t->capacity = t->n = 0;
	return oom ? -1 : 0;
}

/* Calls `add` for each compared job; `add` adds the cells of one row, or none. Returns the number of rows. */
static size_t fill_job_table(struct cell_table *t, const struct diff_run *r,
			     void (*add)(struct cell_table *t, const struct diff_run *r,
					 const struct fs_compared_job *j))
{
	for (size_t i = 0; i < fs_comparison_jobs(r->compared); i++)
		add(t, r, fs_comparison_job(r->compared, i));
	return t->n / t->columns;
}

/* ---- causes of rank changes, as sentences */

/* NAME_TEXT_SIZE: size of a buffer for a name. CAUSES_SHOWN_MAX: number of causes listed for a user; one more row has
 * the sum of the other causes. */
enum { NAME_TEXT_SIZE = 140, CAUSES_SHOWN_MAX = 6 };

/* Formats the name of a share row: the user, or the account if the row has no user. */
static const char *format_row_name(char buf[NAME_TEXT_SIZE], const struct fs_share_row *r)
{
	if (!r->visible)
		snprintf(buf, NAME_TEXT_SIZE, "a hidden %s", *r->user ? "user" : "sibling");
	else if (*r->user)
		snprintf(buf, NAME_TEXT_SIZE, "%.60s%s%.60s", r->user, *r->partition ? "/" : "", r->partition);
	else
		snprintf(buf, NAME_TEXT_SIZE, "%.120s", r->account);
	return buf;
}

/* Returns the logarithm of after / before; 0 if the logarithm is not finite. */
static double compute_log_change(double before, double after)
{
	const double d = log(after / before);

	return isfinite(d) ? d : 0;
}

/* One of the four numbers that determine which of two siblings ranks higher: the shares of the first, the usage of the
 * first, the shares of the second, the usage of the second. */
struct sibling_number {
	const char *name; /* name of the sibling, as the page shows it */
	/* `is_usage`: true: the number is usage, false: shares; `visible`: the viewer may see the sibling's numbers */
	bool is_usage, visible;
	/* the shares or usage in the first and in the second state, as the page shows them; usage is a fraction of the
	 * siblings' usage */
	double before, after;
	/* For shares, the logarithm of after / before. For usage, the logarithm of a / b: `a` is the raw usage in the
	 * second state; `b` is the raw usage in the first state, decayed to the time of the second state. 0 if the
	 * logarithm is not finite. */
	double log_change;
	/* The sibling whose rank improves if the number increases: 1: fs_rank_cause.other; -1: fs_rank_cause.own. */
	double effect;
};

/* Returns a struct sibling_number for a sibling's usage. r: share row of the sibling in each state. decay_factor:
 * fraction of the first state's usage that still counts at the time of the second state. */
static struct sibling_number get_usage_number(const char *name, const struct fs_share_row *const r[2],
					      double decay_factor, double effect)
{
	return (struct sibling_number){ name,
					true,
					r[1]->visible,
					r[0]->effective_usage,
					r[1]->effective_usage,
					compute_log_change(r[0]->raw_usage * decay_factor, r[1]->raw_usage),
					effect };
}

static struct sibling_number get_shares_number(const char *name, const struct fs_share_row *const r[2],
					       double effect)
{
	const double before = r[0]->raw_shares, after = r[1]->raw_shares;

	return (struct sibling_number){ name, false, r[1]->visible, before, after, compute_log_change(before, after),
					effect };
}

/* Formats a change of a sibling's usage or shares, without the amounts if the viewer may not see them. */
static void format_number_change(char *buf, size_t size, const struct sibling_number *v)
{
	const char *what = v->is_usage ? "usage" : "shares", *verb = v->after > v->before ? "rose" : "fell";

	if (!v->visible)
		format_text(buf, size, "%s of %s %s", what, v->name, verb);
	else if (v->is_usage)
		format_text(buf, size, "usage of %s %s from %.1f to %.1f %%", v->name, verb, v->before * 100,
			    v->after * 100);
	else
		format_text(buf, size, "shares of %s %s from %.0f to %.0f", v->name, verb, v->before, v->after);
}

/* Finds why one of two siblings overtook the other. Returns the element of `numbers` whose change helped the overtaking
 * sibling most. Ignores elements if the change of their shown values did not help the overtaking sibling. Returns NULL
 * if no element is left.
 * - direction: 1 if fs_rank_cause.other overtook fs_rank_cause.own; -1 if `own` overtook `other`.
 * - by_shown: true: compares the elements by their shown values; false: compares them by log_change. */
static const struct sibling_number *find_decisive_number(const struct sibling_number *numbers, size_t n,
							 double direction, bool by_shown)
{
	const struct sibling_number *best = NULL;
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		const double shown =
			direction * numbers[i].effect * compute_log_change(numbers[i].before, numbers[i].after);
		const double contribution = by_shown ? shown : direction * numbers[i].effect * numbers[i].log_change;

		if (shown > 0 && contribution > max) {
			max = contribution;
			best = &numbers[i];
		}
	}
	return best;
}

/* Formats the change of shares or usage that put one sibling ahead of another; "" if there is none. own, other: names
 * of fs_rank_cause.own and fs_rank_cause.other. */
static void format_decisive_change(char *buf, size_t size, const struct fs_rank_cause *c, double decay_factor,
				   const char *own, const char *other)
{
	const double direction = c->kind == FS_RANK_PASSED ? 1 : -1;
	const struct sibling_number numbers[] = { get_usage_number(other, c->other, decay_factor, -1),
						  get_usage_number(own, c->own, decay_factor, 1),
						  get_shares_number(other, c->other, 1),
						  get_shares_number(own, c->own, -1) };
	const size_t n = sizeof(numbers) / sizeof(*numbers);
	const struct sibling_number *best = find_decisive_number(numbers, n, direction, false);

	if (!best)
		best = find_decisive_number(numbers, n, direction, true);
	*buf = 0;
	if (best)
		format_number_change(buf, size, best);
}

/* Returns the account in which a row competes with its siblings, skipping accounts whose shares are "parent". */
static const char *get_competing_account(const struct diff_run *r, const struct fs_share_row *row)
{
	const fs_shares *s = r->sides[FS_AFTER].eval.shares;

	do
		row = fs_shares_row(s, row->parent_row);
	while (row->shares_kind == FS_SHARES_PARENT && row->parent_row != FS_NO_ROW);
	return row->account;
}

/* Formats one cause of a rank change as a sentence without a full stop. */
static void format_rank_cause(char *buf, size_t size, const struct diff_run *r, const struct fs_rank_cause *c)
{
	const struct fs_share_row *other = c->other[1] ? c->other[1] : c->other[0];
	char name[NAME_TEXT_SIZE], own[NAME_TEXT_SIZE], why[2 * NAME_TEXT_SIZE];

	switch (c->kind) {
	case FS_RANK_PASSED:
	case FS_RANK_PASSES:
		format_decisive_change(why, sizeof(why), c, fs_comparison_left(r->compared),
				       format_row_name(own, c->own[1]), format_row_name(name, other));
		snprintf(buf, size, "%s %s %s in %.60s%s%s", own,
			 c->kind == FS_RANK_PASSED ? "was passed by" : "passed", name,
			 get_competing_account(r, c->own[1]), *why ? ": " : "", why);
		break;
	case FS_RANK_MEMBERS:
		snprintf(buf, size, "users in %s, which is ahead: %lld %s", format_row_name(name, other),
			 (long long)(c->users < 0 ? -c->users : c->users), c->users < 0 ? "fewer" : "more");
		break;
	case FS_RANK_TIES:
		snprintf(buf, size, "number of users with the same rank");
		break;
	case FS_RANK_TREE:
		snprintf(buf, size, "the user's place in the tree changed");
		break;
	case FS_RANK_OWN_USE:
		snprintf(buf, size, "usage of the user");
		break;
	case FS_RANK_SIBLINGS_USE:
		snprintf(buf, size, "usage of others in the same top-level account");
		break;
	case FS_RANK_OTHERS_USE:
		snprintf(buf, size, "usage in other top-level accounts");
		break;
	case FS_RANK_SHARES:
		snprintf(buf, size, "shares");
		break;
	case FS_RANK_REST:
		snprintf(buf, size, "usage of accounts from another priority calculation, and rounding");
		break;
	default:
		snprintf(buf, size, "users in the tree: %lld %s", (long long)(c->users < 0 ? -c->users : c->users),
			 c->users < 0 ? "fewer" : "more");
	}
}

/* Returns true if the row is a user's row that exists in both states, and the user's factor differs between them. */
static bool has_changed_user_factor(const struct fs_compared_share *s)
{
	return s->row[0] && s->row[1] && *s->row[1]->user && s->row[0]->fairshare != s->row[1]->fairshare;
}

/* Adds a table row for one cause of a user's rank change. `of`: share row of the user; NULL: the user is named in a row
 * above, and the cells USER and ACCOUNT remain empty. */
static void add_rank_cause_row(struct cell_table *t, const struct fs_share_row *of, double change, const char *what)
{
	add_formatted_cell(t, "%.60s", of ? of->user : "");
	add_formatted_cell(t, "%.60s", of ? of->account : "");
	add_formatted_cell(t, "%+.6f", change);
	add_formatted_cell(t, "%s", what);
}

/* Adds a table row for each of the greatest causes of the rank change of share row i, and one row for the sum of the
 * other causes. Returns -1 if out of memory. */
static int add_user_rank_causes(struct cell_table *t, const struct diff_run *r, size_t i)
{
	const struct fs_rank_cause *c;
	double rest = 0;
	char text[4 * NAME_TEXT_SIZE];
	size_t n;

	if (fs_comparison_rank_causes(r->compared, i, &c, &n))
		return -1;
	for (size_t k = 0; k < n; k++) {
		if (k >= CAUSES_SHOWN_MAX && n > CAUSES_SHOWN_MAX + 1) {
			rest += c[k].change;
			continue;
		}
		format_rank_cause(text, sizeof(text), r, &c[k]);
		add_rank_cause_row(t, k ? NULL : fs_comparison_share(r->compared, i)->row[1], c[k].change, text);
	}
	if (n > CAUSES_SHOWN_MAX + 1) {
		snprintf(text, sizeof(text), "%zu more causes", n - CAUSES_SHOWN_MAX);
		add_rank_cause_row(t, NULL, rest, text);
	}
	return 0;
}

/* Adds table rows for each selected user whose factor changed, with the columns USER, ACCOUNT, FACTOR and WHY. Returns
 * -1 if out of memory. */
static int add_rank_cause_rows(const struct diff_run *r, struct cell_table *t)
{
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (has_changed_user_factor(s) && is_share_selected(r, s) && add_user_rank_causes(t, r, i))
			return -1;
	}
	return 0;
}

/* ---- page, as text or Markdown */

enum { CELL_TEXT_SIZE = 160 }; /* size of a buffer for the text of a cell, in bytes */

/* Returns the time of a state: the time of its computed usage, or the time of its snapshot if usage is not computed. */
static int64_t get_state_time(const struct diff_side *s)
{
	struct fs_usage_info usage;

	if (!s->usage)
		return fs_snapshot_info(s->snapshot)->time;
	fs_usage_info(s->usage, &usage);
	return usage.at;
}

static void print_state_line(const char *label, const struct diff_side *s)
{
	char when[FS_TIME_TEXT];

	fs_time_format(s->snapshot, get_state_time(s), when);
	emit("%s %s, %s", label, fs_snapshot_info(s->snapshot)->file, when);
	if (s->eval.shares)
		emit(", %s", fs_shares_algorithm(s->eval.shares));
	emit("\n");
}

/* Prints a warning if the states are of two clusters: jobs and accounts are compared by number and name. */
static void print_cluster_warning(const struct diff_run *r)
{
	const char *before = fs_snapshot_info(r->sides[FS_BEFORE].snapshot)->cluster;
	const char *after = fs_snapshot_info(r->sides[FS_AFTER].snapshot)->cluster;

	if (*before && *after && strcmp(before, after) != 0)
		emit("DIFFERENT CLUSTERS: %s and %s. Jobs with the same number are not the same jobs.\n", before, after);
}

static void print_page_heading(const struct diff_run *r)
{
	print_cluster_warning(r);
	what_if_print(r->sides[FS_AFTER].snapshot);
	print_state_line("before", &r->sides[FS_BEFORE]);
	print_state_line("after ", &r->sides[FS_AFTER]);
}

static void print_section_title(const struct diff_run *r, const char *title)
{
	emit(r->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* ---- cells of the page */

/* Formats "before -> after", each value cut to 75 bytes; only "after" if both values are equal. */
static const char *format_before_after(char buf[CELL_TEXT_SIZE], const char *before, const char *after)
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

/* Formats a planned start: "-" if unknown, "now" if the start is not after the time of the snapshot. */
static const char *format_planned_start(char *buf, const struct diff_side *s, int64_t t)
{
	if (t == FS_UNKNOWN)
		return "-";
	if (t <= fs_snapshot_info(s->snapshot)->time)
		return "now";
	fs_time_format(s->snapshot, t, buf);
	return buf;
}

/* Formats a value without decimals if `as_integer` is set, otherwise with 6 decimals. is_start: the value is a planned
 * start. */
static const char *format_column_value(char buf[CELL_TEXT_SIZE], const struct diff_side *s, const struct value *v,
				       bool as_integer, bool is_start)
{
	double n;

	if (v->type == VALUE_TEXT)
		return v->text;
	n = value_to_number(v);
	if (is_start && v->type == VALUE_SIGNED)
		return format_planned_start(buf, s, v->integer);
	else if (isnan(n))
		return "-";
	else if (isinf(n) && !as_integer)
		return "inf";
	else
		format_fixed_digits(buf, n, as_integer ? 0 : 6, false);
	return buf;
}

static const char *format_compared_job_id(char buf[FS_JOB_ID_TEXT], const struct diff_run *r, uint64_t id)
{
	return fs_job_id_format(r->sides[FS_AFTER].snapshot, id, false, buf);
}

/* Maximum length, in bytes, of a user-chosen name in a cell. */
enum { SHOWN_NAME_BYTES = 60 };
#define NAME_FORMAT "%.60s"

/* ---- the tables of jobs on the page */

/* Copies the name of a term as sprio's headings write it: in capitals, except that names with a slash remain unchanged
 * ("FAIRSHARE", "TRES/cpu"). */
static void copy_term_name(char *to, size_t size, const char *name)
{
	const bool as_it_is = strchr(name, '/') != NULL;
	size_t i = 0;

	for (; name[i] && i + 1 < size; i++)
		to[i] = name[i] >= 'a' && name[i] <= 'z' && !as_it_is ? (char)(name[i] - 'a' + 'A') : name[i];
	to[i] = '\0';
}

/* Formats the change of a term, as in ", FAIRSHARE +3.500", without the comma if `first`. Writes "" if the text does
 * not fit. Returns the full length of the text. */
static size_t format_term_change(char *buf, size_t size, const struct fs_term_change *term, bool first)
{
	char text[2 * CELL_TEXT_SIZE] = ", ";
	const size_t from = first ? 2 : 0;
	size_t len = 2, full_len;

	copy_term_name(text + len, 64, term->name);
	len += strlen(text + len);
	text[len++] = ' ';
	full_len = len + format_fixed_digits(text + len, term->change, 3, true) - from;
	if (full_len < size)
		memcpy(buf, text + from, full_len + 1);
	else
		buf[0] = '\0';
	return full_len;
}

/* Lists the terms that changed, the greatest absolute change first, until buf is full. A cell has space for about
 * twenty terms. */
static void list_term_changes(char *buf, size_t size, const struct fs_compared_job *j)
{
	size_t len = 0;
	double above = INFINITY;

	*buf = '\0';
	for (size_t listed = 0; listed < j->nterms && len < size;) {
		double next = -1;

		for (size_t i = 0; i < j->nterms; i++)
			if (fabs(j->terms[i].change) < above && fabs(j->terms[i].change) > next)
				next = fabs(j->terms[i].change);
		if (next < 0)
			return;
		for (size_t i = 0; i < j->nterms && len < size; i++) {
			if (fabs(j->terms[i].change) != next)
				continue;
			len += format_term_change(buf + len, size - len, &j->terms[i], listed++ == 0);
		}
		above = next;
	}
}

/* A column of the tables of jobs on the page. */
struct job_page_column {
	enum diff_job_column column;
	bool is_right_aligned;
};

static void add_change_cell(struct cell_table *t, double difference)
{
	char text[DIGITS_TEXT];

	if (difference == 0 || isnan(difference)) {
		add_text_cell(t, isnan(difference) ? "-" : "0");
		return;
	}
	format_fixed_digits(text, difference, 0, true);
	add_text_cell(t, text);
}

/* A third value for the parameter `side`, after FS_BEFORE and FS_AFTER: the cell shows both states. */
enum { BOTH_STATES = 2 };

/* Adds the cell of one column. side: the state to show if the column has a value for each state: FS_BEFORE, FS_AFTER or
 * BOTH_STATES. */
static void add_job_table_cell(struct cell_table *t, const struct diff_run *r, enum diff_job_column column,
			       const struct fs_compared_job *j, int side)
{
	const struct column *c = &compared_job_columns[column];
	char text[2][CELL_TEXT_SIZE], id[FS_JOB_ID_TEXT], cell[CELL_TEXT_SIZE], why[TABLE_CELL_SIZE];
	const char *on[2];
	struct value v;

	if (column == DIFF_JOBID) {
		add_text_cell(t, format_compared_job_id(id, r, j->job));
		return;
	}
	if (column == DIFF_TERMS) {
		list_term_changes(why, sizeof(why), j);
		add_text_cell(t, why);
		return;
	}
	for (int k = 0; k < 2; k++) {
		get_compared_job_value(c, j, k, &v);
		on[k] = format_column_value(text[k], &r->sides[k], &v, true, c->unit == UNIT_TIME);
	}
	if (column == DIFF_CHANGE)
		add_change_cell(t, v.number);
	else if (c->row_part == DIFF_VALUE_PER_STATE && side == BOTH_STATES)
		add_cut_text_cell(t, format_before_after(cell, on[0], on[1]), CELL_TEXT_SIZE - 10);
	else
		add_cut_text_cell(t, on[side % 2], SHOWN_NAME_BYTES);
}

static void add_job_columns(struct cell_table *t, const struct job_page_column *shown, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_table_column(t, compared_job_columns[shown[i].column].name, shown[i].is_right_aligned);
}

static const struct job_page_column pending_job_columns[] = { { DIFF_JOBID, false }, { DIFF_PARTITIONS, false },
							      { DIFF_USER, false },  { DIFF_PRIORITY, true },
							      { DIFF_CHANGE, true }, { DIFF_PARTITION_POSITION, false },
							      { DIFF_START, false }, { DIFF_TERMS, false } };

static void add_pending_job(struct cell_table *t, const struct diff_run *r, const struct fs_compared_job *j)
{
	if (j->fate != FS_FATE_PENDING || !is_job_selected(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_job_table_cell(t, r, pending_job_columns[c].column, j, BOTH_STATES);
}

static int print_pending_job_table(const struct diff_run *r)
{
	struct cell_table t = { 0 };
	char title[80];
	size_t n;

	add_job_columns(&t, COLUMNS(pending_job_columns));
	n = fill_job_table(&t, r, add_pending_job);
	snprintf(title, sizeof(title), "PENDING JOBS: %zu of %zu rows differ", n, fs_comparison_pending(r->compared));
	print_section_title(r, title);
	return print_cell_table(&t, r->markdown);
}

static const struct job_page_column other_job_columns[] = {
	{ DIFF_JOBID, false },   { DIFF_FATE, false },    { DIFF_PARTITIONS, false },       { DIFF_USER, false },
	{ DIFF_ACCOUNT, false }, { DIFF_PRIORITY, true }, { DIFF_PARTITION_POSITION, true }
};

static void add_other_job(struct cell_table *t, const struct diff_run *r, const struct fs_compared_job *j)
{
	if (j->fate == FS_FATE_PENDING || !is_job_selected(r, j))
		return;
	for (size_t c = 0; c < t->columns; c++)
		add_job_table_cell(t, r, other_job_columns[c].column, j, j->fate == FS_FATE_NEW ? FS_AFTER : FS_BEFORE);
}

static int print_other_job_table(const struct diff_run *r)
{
	struct cell_table t = { 0 };

	add_job_columns(&t, COLUMNS(other_job_columns));
	if (fill_job_table(&t, r, add_other_job))
		print_section_title(r, "JOBS PENDING IN ONE STATE ONLY");
	return print_cell_table(&t, r->markdown);
}

static void add_millionths_row(struct cell_table *t, const char *name, int64_t units)
{
	add_formatted_cell(t, "%s", name);
	add_formatted_cell(t, "%s%lld.%06lld", units < 0 ? "-" : "+",
			   (long long)(units / 1000000 < 0 ? -(units / 1000000) : units / 1000000),
			   (long long)(units % 1000000 < 0 ? -(units % 1000000) : units % 1000000));
}

/* Prints the change of each term of the job's priority, and their sum. The changes are added up in millionths of a
 * point, so that the printed numbers add up to the printed sum. Prints nothing if the sum is unknown or too large. */
static int print_job_change_sum(const struct diff_run *r, const struct fs_compared_job *j)
{
	struct cell_table t = { 0 };
	const double difference = j->priority[1] - j->priority[0];
	int64_t sum = 0;
	char title[CELL_TEXT_SIZE], name[64], id[FS_JOB_ID_TEXT], where[CELL_TEXT_SIZE];

	if (isnan(j->sum_change) || fabs(difference) > 1e12)
		return 0;
	snprintf(title, sizeof(title), "PRIORITY CHANGE of %s in %.100s", format_compared_job_id(id, r, j->job),
		 format_before_after(where, j->partition[0], j->partition[1]));
	print_section_title(r, title);
	add_table_column(&t, "FACTOR", false);
	add_table_column(&t, "CHANGE", true);
	for (size_t i = 0; i < j->nterms; i++) {
		const int64_t units = llround(j->terms[i].change * 1e6);

		copy_term_name(name, sizeof(name), j->terms[i].name);
		add_millionths_row(&t, name, units);
		sum += units;
	}
	add_millionths_row(&t, "sum", sum);
	if (llround(difference) * 1000000 != sum)
		add_millionths_row(&t, "dropped or rounded", llround(difference) * 1000000 - sum);
	add_formatted_cell(&t, "PRIORITY");
	add_formatted_cell(&t, "%+.0f", difference);
	return print_cell_table(&t, r->markdown);
}

/* ---- the table of shares on the page */

/* Sets on[k] to the text of a share column in state k; "-" if the state has no value. on[k] may point into text[k]. */
static void format_share_values(const char *on[2], char text[2][CELL_TEXT_SIZE], const struct diff_run *r,
				const struct diff_share_column *c, const struct fs_compared_share *s)
{
	struct value v;

	for (int k = 0; k < 2; k++) {
		get_compared_share_value(c, s, k, &v);
		on[k] = format_column_value(text[k], &r->sides[k], &v, c->as_integer, false);
		on[k] = *on[k] ? on[k] : "-";
	}
}

/* Returns true if the page shows the share column. */
static bool is_share_column_shown(const struct diff_run *r, const struct diff_share_column *c)
{
	char text[2][CELL_TEXT_SIZE];
	const char *on[2];

	for (size_t i = 0; c->name && c->only_if_different && i < fs_comparison_shares(r->compared); i++) {
		const struct fs_compared_share *s = fs_comparison_share(r->compared, i);

		if (!is_share_selected(r, s) || !s->row[0] || !s->row[1])
			continue;
		format_share_values(on, text, r, c, s);
		if (strcmp(on[0], on[1]) != 0)
			return true;
	}
	return c->name && !c->only_if_different;
}

/* Adds the cells of one row of compared shares. has[i]: the page shows share column i. */
static void add_compared_share_row(struct cell_table *t, const struct diff_run *r, const struct fs_compared_share *s,
				   const bool has[DIFF_SHARE_COLUMNS])
{
	const struct fs_share_row *row = s->row[1] ? s->row[1] : s->row[0];
	char text[2][CELL_TEXT_SIZE], cell[CELL_TEXT_SIZE];
	const char *on[2];

	add_formatted_cell(t, NAME_FORMAT, row->account);
	add_formatted_cell(t, *row->partition ? NAME_FORMAT " (" NAME_FORMAT ")" : NAME_FORMAT "%s", row->user,
			   row->partition);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		if (!has[i])
			continue;
		format_share_values(on, text, r, &compared_share_columns[i], s);
		add_formatted_cell(t, "%s", format_before_after(cell, on[0], on[1]));
	}
}

static int print_compared_shares(const struct diff_run *r)
{
	struct cell_table t = { 0 };
	bool has[DIFF_SHARE_COLUMNS];
	char title[64];
	size_t n = 0;

	if (r->job)
		return 0;
	add_table_column(&t, "ACCOUNT", false);
	add_table_column(&t, "USER", false);
	for (size_t i = 0; i < DIFF_SHARE_COLUMNS; i++) {
		has[i] = is_share_column_shown(r, &compared_share_columns[i]);
		if (has[i])
			add_table_column(&t, compared_share_columns[i].name, false);
	}
	for (size_t i = 0; i < fs_comparison_shares(r->compared); i++)
		if (is_share_selected(r, fs_comparison_share(r->compared, i))) {
			add_compared_share_row(&t, r, fs_comparison_share(r->compared, i), has);
			n++;
		}
	snprintf(title, sizeof(title), "SHARES: %zu row%s", n, n == 1 ? " differs" : "s differ");
	print_section_title(r, title);
	return print_cell_table(&t, r->markdown);
}

static int print_rank_causes(const struct diff_run *r)
{
	struct cell_table t = { 0 };

	add_table_column(&t, "USER", false);
	add_table_column(&t, "ACCOUNT", false);
	add_table_column(&t, "FACTOR", true);
	add_table_column(&t, "WHY", false);
	if (add_rank_cause_rows(r, &t))
		t.oom = true;
	if (!t.n)
		return t.oom ? -1 : 0;
	print_section_title(r, fs_shares_has_levels(r->sides[FS_AFTER].eval.shares)
				       ? "WHY RANKS CHANGED: effect of each cause on the factor"
				       : "WHY FACTORS CHANGED: effect of each cause");
	return print_cell_table(&t, r->markdown);
}

/* Prints the page. Returns -1 if out of memory. */
static int print_diff_page(const struct diff_run *r)
{
	int rc;

	print_page_heading(r);
	rc = print_pending_job_table(r);
	if (!rc)
		rc = print_other_job_table(r);
	for (size_t i = 0; !rc && r->job && i < fs_comparison_jobs(r->compared); i++)
		if (is_job_selected(r, fs_comparison_job(r->compared, i)))
			rc = print_job_change_sum(r, fs_comparison_job(r->compared, i));
	if (!rc)
		rc = print_compared_shares(r);
	return rc ? rc : print_rank_causes(r);
}

/* ---- command line and start of fs-diff */

enum {
	OPT_JOB = OPT_FIRST_FREE,
	OPT_USER,
	OPT_ACCOUNT,
	OPT_NO_PLAN
};

#define DIFF_SETS(member) OPTION_SETS(struct diff_run, member)
#define DIFF_SETS_OF(member, values) OPTION_SETS_OF(struct diff_run, member, values)
static const struct option_row diff_option_rows[] = {
	OPTION_HEADING("What to compare"),
	{ OPT_JOB, "job", "ID", "only this job, with its priority change by term", DIFF_SETS_OF(job, ":jobs") },
	{ OPT_USER, "user", "NAME", "only this user's jobs and shares", DIFF_SETS_OF(user, ":users") },
	{ OPT_ACCOUNT, "account", "NAME", "only this account's jobs and shares", DIFF_SETS_OF(account, ":accounts") },
	{ OPT_NO_PLAN, "no-plan", NULL, "do not plan starts", DIFF_SETS(no_plan) },
	OPTION_HEADING("Output"),
	MARKDOWN_OPTION(DIFF_SETS(markdown)),
	JSON_OPTION("schema fs-diff/1"),
	USAGE_OPTIONS,
	COMMON_OPTIONS,
	OPTION_HEADING("Other"),
	VERSION_OPTION('V'),
	HELP_OPTION(OPT_HELP),
};
static const struct option_table diff_option_table = { .synopsis = "[OPTION]... [A] [B]",
						  .about = "Show what differs between snapshots A and B, "
							   "or what options such as --if change in A.",
						  OPTION_ROWS(diff_option_rows) };

/* Reads the file arguments: the first state (unless --file or --demo gives it), then the second state. Returns -1 to
 * continue, or the exit status after an error message. */
static int parse_file_arguments(struct diff_run *r, int n, char **names)
{
	int i = 0;

	if (n && !r->input.file && !r->input.demo)
		r->input.file = names[i++];
	if (i < n)
		r->second_file = names[i++];
	if (i == n)
		return -1;
	return options_report_unexpected_argument(r->inv, names[i]);
}

/* Checks that the options can be combined. Returns -1 to continue, or EXIT_USAGE after an error message. */
static int check_diff_options(const struct diff_run *r)
{
	const struct input *in = &r->input;

	if (r->json && r->markdown)
		cmd_print_message(r->inv, "--json cannot be combined with --markdown");
	else if (!r->second_file && !in->edits.n && !in->algorithm && !in->compat && !in->position &&
		 !usage_is_computation_requested(in))
		cmd_print_message(r->inv,
				  "nothing to compare: give a second file, --if, --at or --algorithm; see %s --help",
				  r->inv->name);
	else
		return -1;
	return EXIT_USAGE;
}

/* Parses the command line into *r. Returns -1 to continue, or the exit status. */
static int parse_diff_options(struct diff_run *r, int argc, char **argv)
{
	const struct option_target to = { .inv = r->inv, .run = r, .input = &r->input, .json = &r->json };
	int next = argc, status = options_parse_command_line(&to, &diff_option_table, argc, argv, &next);

	if (status < 0)
		status = parse_file_arguments(r, argc - next, argv + next);
	return status < 0 ? check_diff_options(r) : status;
}

/* Sets *id to the id of the job that `word` names and returns 0. Returns 1 if the snapshot has no such job that the
 * viewer may see, and -1 if `word` is not a job id. */
static int find_job_id(const struct diff_run *r, const fs_snapshot *s, const char *word, uint64_t *id)
{
	struct fs_job j;
	uint32_t row;

	if (fs_job_find(s, word, &row))
		return -1;
	if (row == FS_NO_ROW)
		return 1;
	fs_snapshot_job(s, row, &j);
	if (!fs_snapshot_shows_jobs_of(s, input_get_viewer_name(&r->input), j.user, j.account))
		return 1;
	*id = j.id;
	return 0;
}

/* Sets r->selected_job_id to the id of the job given by --job. Returns 0, or the exit status after an error message. */
static int find_requested_job(struct diff_run *r)
{
	int rc;

	if (!r->job)
		return 0;
	rc = find_job_id(r, r->sides[FS_AFTER].snapshot, r->job, &r->selected_job_id);
	if (rc < 0) {
		cmd_print_message(r->inv, "--job: invalid job id \"%s\"", r->job);
		return EXIT_USAGE;
	}
	if (!rc || !find_job_id(r, r->sides[FS_BEFORE].snapshot, r->job, &r->selected_job_id))
		return 0;
	cmd_print_message(r->inv, "--job: no job %s before or after the changes", r->job);
	return EXIT_NOTHING;
}

/* Returns true, after an error message, if neither state has a user or account with this name. */
static bool is_name_missing(const struct diff_run *r, enum missing_kind kind, const char *name)
{
	const char *viewer = input_get_viewer_name(&r->input);

	return name && missing_is_unknown_name(r->sides[FS_BEFORE].snapshot, viewer, kind, name) &&
	       missing_report_unknown_name(r->inv, r->sides[FS_AFTER].snapshot, viewer, kind, name);
}

static int check_requested_names(const struct diff_run *r)
{
	const bool user = is_name_missing(r, MISSING_USER, r->user),
		   account = is_name_missing(r, MISSING_ACCOUNT, r->account);

	return user || account ? EXIT_NOTHING : 0;
}

/* Returns the time of the computed usage; 0 if usage is not computed. */
static int64_t get_usage_time(const struct diff_side *s)
{
	struct fs_usage_info info = { 0 };

	if (s->usage)
		fs_usage_info(s->usage, &info);
	return info.at;
}

/* Evaluates and compares both states, and prints the result. Returns the exit status. */
static int compare_and_print(struct diff_run *r)
{
	struct diff_side *a = &r->sides[FS_BEFORE], *b = &r->sides[FS_AFTER];
	struct fs_error err;
	int status = open_both_states(r);

	if (!status)
		status = find_requested_job(r);
	if (!status)
		status = check_requested_names(r);
	if (status)
		return status;
	const struct fs_compared before = { &a->eval, a->plan, a->prios, get_usage_time(a) },
				 after = { &b->eval, b->plan, b->prios, get_usage_time(b) };

	if (fs_compare(&r->compared, &before, &after, &err))
		return cmd_report_error(r->inv, &err);
	find_selected_job(r);
	if (r->json)
		return print_diff_json(r);
	return print_diff_page(r) ? cmd_report_no_memory(r->inv) : EXIT_DONE;
}

static int run_diff_command(const struct invocation *inv, int argc, char **argv)
{
	struct diff_run r = { .inv = inv, .input.recorded = true };
	int status = parse_diff_options(&r, argc, argv);

	if (status < 0)
		status = compare_and_print(&r);
	free_diff_run(&r);
	return status;
}

const struct command diff_command = {
	"fs-diff", NULL, "what differs between two states of a cluster", "", false, run_diff_command
};
