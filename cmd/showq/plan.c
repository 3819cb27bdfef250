/* Prints planned starts: the pages of --plan and --start, the object "plan" of fs-showq/1, and the SVG pictures of
 * --svg. */
#include "dialect/dialect.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"
#include "showq/showq.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- the text printed after a planned start: what the job waits for */

enum { LIMIT_OWNER_SIZE = 64 }; /* size of a buffer for the name of an account or QOS, in bytes */

/* Formats a job id in the notation of the scheduler. */
static const char *format_plan_job_id(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id)
{
	return fs_job_id_format(r->snapshot, id, !text_has_utf8(), buf);
}

/* Prints "; " between two parts of the text. `any`: true if a part was printed already; the function sets it to
 * true. */
static void print_part_separator(bool *any)
{
	emit_safe_text(*any ? "; " : "");
	*any = true;
}

/* Prints the cause that prevents a start of the job now. If the job is blocked or its eligibility is unknown, prints
 * the verdict on the job (fs/verdict.h), otherwise the reason that the plan gives. */
static void print_plan_state(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(fs_plan_queue(p), row->job_row);

	if (kind != FS_VERDICT_NONE && kind < FS_VERDICT_NODES)
		showq_print_verdict(r, fs_plan_queue(p), row->job_row);
	else if (row->wait == FS_PLAN_WAIT_COMPONENT)
		emit_safe_text(fs_plan_wait_name(row->wait));
	else if (row->state == FS_PLAN_NEVER)
		emit("no nodes that are up fit the request");
	else if (row->state == FS_PLAN_NOT_REACHED)
		emit("the scheduling cycle ends before it reaches this job (%s=%lld)", row->cycle_limit.name,
		     (long long)row->cycle_limit.value);
	else if (row->state == FS_PLAN_NO_START && row->window_s != FS_UNKNOWN)
		emit("no start found within %lld min (bf_window)", (long long)row->window_s / 60);
	else if (row->state == FS_PLAN_NO_START)
		emit("no start found");
	else if (row->state == FS_PLAN_GIVEN_UP)
		emit("the plan took too long to reach this job");
	else if (row->state == FS_PLAN_BLOCKED)
		showq_print_verdict(r, fs_plan_queue(p), row->job_row);
	else
		emit_safe_text(fs_plan_wait_name(row->wait));
}

/* Prints the time at which the limit of an association or QOS allows the job to start. */
static void print_limit_start(const struct showq_run *r, const struct fs_plan_row *row)
{
	char when[24], of[LIMIT_OWNER_SIZE], id[FS_JOB_ID_TEXT];
	const char *colon = *row->limit.tres ? " of " : "";

	text_make_visible(of, LIMIT_OWNER_SIZE, row->limit.of);
	if (row->limit.start_time == FS_UNKNOWN) {
		emit("no start while %s%s%s of %s is used up", row->limit.name, colon, row->limit.tres, of);
		return;
	}
	showq_format_iso_time(when, row->limit.start_time + fs_snapshot_utc_offset(r->snapshot, row->limit.start_time));
	emit("%s%s%s of %s allows a start %s", row->limit.name, colon, row->limit.tres, of, when);
	if (row->limit.frees)
		emit(", after %s ends", format_plan_job_id(id, r, row->limit.frees));
}

/* Prints the jobs that the plan names: the job that must end, and the job that gets the nodes first. */
static void print_named_jobs(const struct showq_run *r, const struct fs_plan_row *row, bool *any)
{
	char id[FS_JOB_ID_TEXT];

	if (row->frees) {
		print_part_separator(any);
		emit("%s ends", format_plan_job_id(id, r, row->frees));
	}
	if (row->blocked_by && row->blocked_by != row->frees) {
		print_part_separator(any);
		emit("planned after %s", format_plan_job_id(id, r, row->blocked_by));
	}
}

/* Returns true if the jobs that delay the row of the plan are known: some were found, or all jobs were tried. */
static bool are_delays_known(const struct showq_plan_context *of, size_t plan_index)
{
	size_t n = 0;

	return of->delays &&
	       (fs_delays_of(of->delays, plan_index, &n) != NULL || fs_delays_are_complete(of->delays));
}

/* Prints the jobs without which the job starts earlier: at most MAX_NAMES jobs, and the number of the others. */
static void print_delaying_jobs(const struct showq_plan_context *of, size_t plan_index, bool *any)
{
	enum { MAX_NAMES = 3 };
	size_t n;
	const uint64_t *jobs = fs_delays_of(of->delays, plan_index, &n);
	char id[FS_JOB_ID_TEXT];

	if (!n)
		return;
	print_part_separator(any);
	emit("delayed by");
	for (size_t i = 0; i < n && i < MAX_NAMES; i++)
		emit(" %s", format_plan_job_id(id, of->r, jobs[i]));
	if (n > MAX_NAMES)
		emit(" and %zu more", n - MAX_NAMES);
}

/* Prints notes on the parts of the request that the plan does not model. Does not mention FS_UNMODELLED_MAX_NODES,
 * because it applies to many jobs; the assumptions printed below the page explain it. */
static void print_unmodelled_notes(const struct fs_plan_row *row, bool *any)
{
	static const unsigned named = FS_UNMODELLED_MAX_NODES | FS_UNMODELLED_WAIT | FS_UNMODELLED_NODE_SETS |
				     FS_UNMODELLED_SPREAD;

	if (row->unmodelled & FS_UNMODELLED_WAIT) {
		print_part_separator(any);
		emit("wait before the job was blocked is unknown");
	}
	if (row->unmodelled & FS_UNMODELLED_NODE_SETS) {
		print_part_separator(any);
		emit("node sets are not modelled");
	}
	if (row->unmodelled & FS_UNMODELLED_SPREAD) {
		print_part_separator(any);
		emit("--spread-job is not modelled");
	}
	if (row->unmodelled & ~named) {
		print_part_separator(any);
		emit("part of the request is not modelled");
	}
}

/* Prints the text after a planned start. Its parts, if known, are:
 * - why the job does not start now
 * - the jobs without which it starts earlier (--why), or the jobs that the plan names
 * - the number of planned array tasks
 * - the limit that delays the job
 * - notes on the planned start */
static void print_wait_text(const struct showq_plan_context *of, size_t plan_index, const struct fs_plan_row *row)
{
	const struct showq_run *r = of->r;
	bool any = row->state != FS_PLAN_NOW;
	char shown[24];

	if (any)
		print_plan_state(r, of->plan, row);
	if (are_delays_known(of, plan_index))
		print_delaying_jobs(of, plan_index, &any);
	else
		print_named_jobs(r, row, &any);
	if (row->tasks > 1 && row->tasks_planned) {
		print_part_separator(&any);
		emit("%llu of %llu tasks planned", (unsigned long long)row->tasks_planned,
		     (unsigned long long)row->tasks);
	}
	if (*row->limit.name && row->state != FS_PLAN_NEVER) {
		print_part_separator(&any);
		print_limit_start(r, row);
	}
	if (row->shown_start_time != FS_UNKNOWN && row->state != FS_PLAN_NEVER) {
		showq_format_iso_time(shown, row->shown_start_time +
						     fs_snapshot_utc_offset(r->snapshot, row->shown_start_time));
		print_part_separator(&any);
		emit("squeue shows the start %s", shown);
	}
	print_unmodelled_notes(row, &any);
}

/* Prints the assumptions of the plan below the page. */
static void print_plan_assumptions(const fs_plan *p)
{
	const char *s;

	emit("\nThe plan assumes:\n");
	for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
		emit("  %s\n", s);
}

/* ---- columns of planned starts: of --plan, of --start, and of the object "plan" in fs-showq/1 */

/* sizes of the buffers for names and node lists on the page, in bytes */
enum { SHOWN_NAME_SIZE = 24, SHOWN_NODES_SIZE = 40 };

static void write_node_names(struct fs_json *j, const void *of, const void *row)
{
	const fs_plan *p = ((const struct showq_plan_context *)of)->plan;
	const char *name;

	fs_json_array(j);
	for (uint32_t k = 0; (name = fs_plan_node(p, ((const struct showq_planned_start *)row)->plan_index, k)); k++)
		fs_json_string(j, name);
	fs_json_end_array(j);
}

/* Writes the names of the bits that are set in `unmodelled`. Each bit is a property of the job that the plan does not
 * model. */
static void write_unmodelled_parts(struct fs_json *j, const void *of, const void *row)
{
	static const char *const names[] = { "features", "licenses", "gres", "reservation", "max_nodes", "wait",
					   "node_sets", "spread" };
	const unsigned bits = ((const struct showq_planned_start *)row)->row.unmodelled;

	(void)of;
	fs_json_array(j);
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (bits >> i & 1)
			fs_json_string(j, names[i]);
	fs_json_end_array(j);
}

/* Writes the ids of the jobs that delay the planned start; null if they are not known. */
static void write_delaying_jobs(struct fs_json *j, const void *of, const void *row)
{
	const struct showq_plan_context *c = of;
	const size_t plan_index = ((const struct showq_planned_start *)row)->plan_index;
	size_t n;
	const uint64_t *jobs;

	if (!are_delays_known(c, plan_index)) {
		fs_json_null(j);
		return;
	}
	jobs = fs_delays_of(c->delays, plan_index, &n);
	fs_json_array(j);
	for (size_t i = 0; i < n; i++)
		fs_json_u64(j, jobs[i]);
	fs_json_end_array(j);
}

/* Formats a time in the time zone of the snapshot; "-" if `time` is FS_UNKNOWN. */
static const char *format_plan_time(char buf[COLUMN_TEXT_SIZE], const struct showq_run *r, int64_t time)
{
	if (time == FS_UNKNOWN)
		return strcpy(buf, "-");
	showq_format_iso_time(buf, time + fs_snapshot_utc_offset(r->snapshot, time));
	return buf;
}

/* Formats the time between the snapshot and `time`: "0:05:00", "2-03:00:00"; "-" if `time` is FS_UNKNOWN. */
static void format_time_until(char buf[COLUMN_TEXT_SIZE], const struct showq_run *r, int64_t time)
{
	const int64_t s = time == FS_UNKNOWN ? 0 : time - r->info->time, day = 86400;
	const int minutes = (int)(s / 60 % 60), seconds = (int)(s % 60);

	if (time == FS_UNKNOWN)
		strcpy(buf, "-");
	else if (s < day)
		snprintf(buf, COLUMN_TEXT_SIZE, "%lld:%02d:%02d", (long long)(s / 3600), minutes, seconds);
	else
		snprintf(buf, COLUMN_TEXT_SIZE, "%lld-%02d:%02d:%02d", (long long)(s / day), (int)(s / 3600 % 24),
			 minutes, seconds);
}

static const char *get_partition_heading(const void *of)
{
	return ((const struct showq_plan_context *)of)->r->dialect->vocabulary.partition_heading;
}

COLUMN_FORMAT_CELL(format_plan_id_cell, struct showq_plan_context, struct showq_planned_start,
		   format_plan_job_id(buf, of->r, row->row.job))

COLUMN_FORMAT_CELL(format_plan_partition_cell, void, struct showq_planned_start,
		   text_make_visible(buf, SHOWN_NAME_SIZE, row->row.partition))
COLUMN_FORMAT_CELL(format_plan_user_cell, void, struct showq_planned_start,
		   text_make_visible(buf, SHOWN_NAME_SIZE, row->job.user))
COLUMN_FORMAT_CELL(format_plan_start_cell, struct showq_plan_context, struct showq_planned_start,
		   format_plan_time(buf, of->r, row->row.start_time))
COLUMN_FORMAT_CELL(format_plan_in_cell, struct showq_plan_context, struct showq_planned_start,
		   format_time_until(buf, of->r, row->row.start_time))

static void format_plan_nodes_cell(char buf[COLUMN_TEXT_SIZE], const void *of, const void *row)
{
	char nodes[SHOWN_NODES_SIZE];

	fs_plan_nodes(((const struct showq_plan_context *)of)->plan,
		      ((const struct showq_planned_start *)row)->plan_index, nodes, sizeof(nodes));
	text_make_visible(buf, COLUMN_TEXT_SIZE, nodes);
}

#define PLAN_MEMBER(m) COLUMN_MEMBER(struct showq_planned_start, row.m)
#define PLAN_TIME_MEMBER(m) PLAN_MEMBER(m), .unit = UNIT_TIME

/* Columns of a planned start, in the order of the JSON document's members. */
enum {
	PLAN_JOBID, PLAN_USER, PLAN_STATE, PLAN_PARTITION, PLAN_START, PLAN_IN, PLAN_END, PLAN_NODE_COUNT, PLAN_NODES,
	PLAN_WAIT_TEXT, PLAN_WAITS_FOR, PLAN_FREES, PLAN_DELAYED_BY, PLAN_BLOCKED_BY, PLAN_HELD_BY,
	PLAN_TASKS_PLANNED, PLAN_LAST_START,
	PLAN_SHOWN_START, PLAN_LIMIT, PLAN_LIMIT_TRES, PLAN_LIMIT_OF, PLAN_LIMIT_START, PLAN_LIMIT_FREES,
	PLAN_LIKELY_START, PLAN_LIKELY_LOW, PLAN_LIKELY_HIGH, PLAN_UNMODELLED, PLAN_COLUMN_COUNT
};

static const struct column planned_start_columns[PLAN_COLUMN_COUNT] = {
	[PLAN_JOBID] = { "JOBID", NULL, -10, .format_cell = format_plan_id_cell, .help = "job id" },
	[PLAN_USER] = { "USER", NULL, -15, .format_cell = format_plan_user_cell, .help = "user who submitted the job" },
	[PLAN_STATE] = { "PLAN", "state", -13, PLAN_MEMBER(state), .enum_name = fs_plan_state_name,
			 .help = "state of the job in the plan" },
	[PLAN_PARTITION] = { "PARTITION", "partition", -12, PLAN_MEMBER(partition), .format_cell = format_plan_partition_cell,
			     .get_heading = get_partition_heading, .help = "partition of the planned start" },
	[PLAN_START] = { "START", "start_time", -20, PLAN_TIME_MEMBER(start_time), .format_cell = format_plan_start_cell,
			 .help = "planned start" },
	[PLAN_IN] = { "IN", NULL, 12, .format_cell = format_plan_in_cell, .help = "time until the start" },
	[PLAN_END] = { NULL, "end_time", PLAN_TIME_MEMBER(end_time),
		       .help = "planned end if the job runs to its time limit" },
	[PLAN_NODE_COUNT] = { "NODES", NULL, 5, PLAN_MEMBER(nodes), .help = "number of nodes" },
	[PLAN_NODES] = { "WHERE", "nodes", -18, .format_cell = format_plan_nodes_cell, .write_json = write_node_names,
			 .help = "names of the nodes" },
	[PLAN_WAIT_TEXT] = { "WAITS FOR", NULL, .width = 0, .help = "what the job waits for" },
	[PLAN_WAITS_FOR] = { NULL, "waits_for", PLAN_MEMBER(wait), .enum_name = fs_plan_wait_name,
			     .help = "resource or event that the job waits for" },
	[PLAN_FREES] = { NULL, "frees", PLAN_MEMBER(frees), .zero_is_none = true,
			 .help = "job whose end frees the resources" },
	[PLAN_DELAYED_BY] = { NULL, "delayed_by", .write_json = write_delaying_jobs,
			      .help = "jobs without which the job starts earlier; null: unknown, or no --why" },
	[PLAN_BLOCKED_BY] = { NULL, "blocked_by", PLAN_MEMBER(blocked_by), .zero_is_none = true,
			      .help = "planned job that prevents an earlier start" },
	[PLAN_HELD_BY] = { NULL, "held_by", PLAN_MEMBER(blocked_by), .zero_is_none = true,
			   .help = "the same as blocked_by" },
	[PLAN_TASKS_PLANNED] = { NULL, "tasks_planned", PLAN_MEMBER(tasks_planned),
				 .help = "number of array tasks with a planned start" },
	[PLAN_LAST_START] = { NULL, "last_start_time", PLAN_TIME_MEMBER(last_start_time),
			      .help = "start of the last planned task" },
	[PLAN_SHOWN_START] = { NULL, "shown_start_time", PLAN_TIME_MEMBER(shown_start_time),
			       .help = "start that squeue shows, if it differs from the planned start" },
	[PLAN_LIMIT] = { NULL, "limit", PLAN_MEMBER(limit.name), .help = "limit that delays the job" },
	[PLAN_LIMIT_TRES] = { NULL, "limit_tres", PLAN_MEMBER(limit.tres), .help = "TRES that the limit restricts" },
	[PLAN_LIMIT_OF] = { NULL, "limit_of", PLAN_MEMBER(limit.of), .help = "account or QOS that sets the limit" },
	[PLAN_LIMIT_START] = { NULL, "limit_start_time", PLAN_TIME_MEMBER(limit.start_time),
			       .help = "time at which the limit allows a start" },
	[PLAN_LIMIT_FREES] = { NULL, "limit_frees", PLAN_MEMBER(limit.frees), .zero_is_none = true,
			       .help = "job whose end makes the limit allow a start" },
	[PLAN_LIKELY_START] = { NULL, "likely_start_time", PLAN_TIME_MEMBER(likely.start_time),
				.help = "median of the simulated starts" },
	[PLAN_LIKELY_LOW] = { NULL, "likely_low_time", PLAN_TIME_MEMBER(likely.low_time),
			      .help = "10 % of the simulated starts are before this time" },
	[PLAN_LIKELY_HIGH] = { NULL, "likely_high_time", PLAN_TIME_MEMBER(likely.high_time),
			       .help = "10 % of the simulated starts are after this time" },
	[PLAN_UNMODELLED] = { NULL, "unmodelled", .write_json = write_unmodelled_parts,
			      .help = "parts of the request that are not modelled" },
};

static struct column_page make_plan_page(const struct showq_plan_context *of)
{
	static const unsigned char pick[] = { PLAN_JOBID, PLAN_PARTITION,  PLAN_USER,  PLAN_STATE,    PLAN_START,
					      PLAN_IN,    PLAN_NODE_COUNT, PLAN_NODES, PLAN_WAIT_TEXT };

	return (struct column_page){ planned_start_columns, sizeof(pick), of, .column_indices = pick,
				     .width_in_characters = true };
}

void showq_write_plan_json(struct fs_json *j, const struct showq_plan_context *of,
			   const struct showq_planned_start *planned)
{
	columns_write_members(j, planned_start_columns, PLAN_COLUMN_COUNT, of, planned);
}

/* ---- columns of --start; each row is an estimate of the start */

COLUMN_FORMAT_CELL(format_estimate_start_cell, struct showq_run, struct showq_start_estimate,
		   format_plan_time(buf, of, row->start_time))
COLUMN_FORMAT_CELL(format_estimate_in_cell, struct showq_run, struct showq_start_estimate,
		   format_time_until(buf, of, row->start_time))

#define ESTIMATE_MEMBER(m) COLUMN_MEMBER(struct showq_start_estimate, m)

/* Returns the table of start estimates. The caller prints the text of its last column, ASSUMES, after each row. */
static struct column_page make_estimate_page(const struct showq_run *r)
{
	static const struct column columns[] = {
		{ "ESTIMATE", NULL, -18, ESTIMATE_MEMBER(name), .help = "source of the estimate" },
		{ "START", NULL, -20, .format_cell = format_estimate_start_cell, .help = "estimated start" },
		{ "IN", NULL, 12, .format_cell = format_estimate_in_cell, .help = "time until the start" },
		{ "PLAN", NULL, -13, ESTIMATE_MEMBER(plan), .help = "state of the job in the plan" },
		{ "WHERE", NULL, -18, ESTIMATE_MEMBER(nodes), .help = "names of the nodes" },
		{ "ASSUMES", NULL, .width = 0, .help = "assumptions of the estimate" },
	};

	return (struct column_page){ COLUMNS(columns), r, .width_in_characters = true };
}

/* ---- page of --plan */

/* Returns true if the viewer may see the job of the plan row and the options select the job. */
static bool is_plan_row_selected(const struct showq_run *r, const struct fs_plan_row *row, const struct fs_job *job)
{
	return row->visible && showq_matches_user(r, job) && showq_matches_partition(r, row->job_row);
}

/* Prints row i of the plan if the row is selected. */
static void print_selected_plan_row(const struct showq_plan_context *of, const struct column_page *page, size_t i)
{
	struct showq_planned_start planned = { .plan_index = i };

	fs_plan_row(of->plan, i, &planned.row);
	fs_snapshot_job(of->r->snapshot, planned.row.job_row, &planned.job);
	if (!is_plan_row_selected(of->r, &planned.row, &planned.job))
		return;
	columns_print_row(page, &planned);
	putchar(' ');
	print_wait_text(of, i, &planned.row);
	putchar('\n');
}

/* The computation of a plan, or of the jobs that delay its starts. */
struct plan_work {
	const fs_snapshot *s;
	struct fs_plan_options options;
	fs_plan *plan;
	const fs_plan *delayed; /* the plan whose delays are found */
	fs_delays *delays;
	struct fs_error err;
	int rc;
};

static void compute_plan(void *arg)
{
	struct plan_work *w = arg;

	w->rc = fs_plan_compute(&w->plan, w->s, &w->options, &w->err);
}

static void find_plan_delays(void *arg)
{
	struct plan_work *w = arg;

	w->rc = fs_delays_find(&w->delays, w->s, w->delayed, &w->options.view, &w->err);
}

int showq_compute_plan(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out)
{
	struct plan_work w = { .s = r->snapshot,
			       .options = { .view = input_get_view(&r->input),
					    .mode = mode,
					    .likely = mode == FS_PLAN_BACKFILL } };

	work_run("planning starts", false, compute_plan, &w);
	*out = w.plan;
	return w.rc ? cmd_report_error(r->inv, &w.err) : 0;
}

int showq_find_delays(const struct showq_run *r, const fs_plan *p, fs_delays **out)
{
	struct plan_work w = { .s = r->snapshot, .options.view = input_get_view(&r->input), .delayed = p };

	*out = NULL;
	if (!r->why)
		return 0;
	work_run("finding what delays each job", false, find_plan_delays, &w);
	*out = w.delays;
	return w.rc ? cmd_report_error(r->inv, &w.err) : 0;
}

int showq_print_plan(struct showq_run *r)
{
	char when[COLUMN_TEXT_SIZE];
	fs_plan *p = NULL;
	fs_delays *delays = NULL;
	int status = showq_compute_plan(r, FS_PLAN_BACKFILL, &p);

	if (!status)
		status = showq_find_delays(r, p, &delays);
	if (status) {
		fs_plan_free(p);
		return status;
	}
	const struct showq_plan_context of = { r, p, delays };
	const struct column_page page = make_plan_page(&of);

	emit("PLANNED STARTS from %-20s \n", format_plan_time(when, r, r->info->time));
	columns_print_heading(&page);
	for (size_t i = 0; i < fs_plan_count(p); i++)
		print_selected_plan_row(&of, &page, i);
	print_plan_assumptions(p);
	fs_delays_free(delays);
	fs_plan_free(p);
	return EXIT_DONE;
}

/* ---- page of --start: estimates of one job's start */

enum { USER_NAME_SIZE = 64 };

/* Returns the index of the first row of the plan that is for this job and that the viewer may see; -1: none. */
static ptrdiff_t find_visible_plan_row(const fs_plan *p, uint64_t id)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (row.job == id && row.visible)
			return (ptrdiff_t)i;
	}
	return -1;
}

/* Prints the cells of an estimate, followed by a blank. The caller prints the assumptions and the newline. */
static void print_estimate_cells(const struct showq_run *r, const struct showq_start_estimate *estimate)
{
	const struct column_page page = make_estimate_page(r);

	columns_print_row(&page, estimate);
	putchar(' ');
}

/* Prints the start that the scheduler recorded. A recorded start before the time of the snapshot is treated as no
 * start. */
static void print_recorded_start(const struct showq_run *r, const struct fs_job *job)
{
	const bool known = job->times.start != FS_UNKNOWN && job->times.start >= r->info->time;
	struct fs_job last;
	char when[24];

	print_estimate_cells(r, &(struct showq_start_estimate){ "recorded", known ? "estimate" : "none",
								*job->sched_nodes ? job->sched_nodes : "-",
								known ? job->times.start : FS_UNKNOWN });
	if (!known)
		emit("the scheduler recorded no future start: the job is blocked or was not reached, or no backfill "
		     "cycle has run yet");
	else if (job->times.last_sched_eval != FS_UNKNOWN)
		emit("expected by the scheduler, which tried the job %lld s before the snapshot",
		     (long long)(r->info->time - job->times.last_sched_eval));
	else
		emit("expected by the scheduler; time of its last try unknown");
	if (known && find_latest_component(r->snapshot, job, &last)) {
		showq_format_iso_time(when, last.times.start + fs_snapshot_utc_offset(r->snapshot, last.times.start));
		emit("; all components wait for component %llu, expected %s", (unsigned long long)last.id, when);
	}
	putchar('\n');
}

/* Prints the start in row i of a plan. assumes: main assumption of the planning method, as text. */
static void print_planned_start(const struct showq_run *r, const char *name, const fs_plan *p, size_t i,
				const char *assumes)
{
	struct fs_plan_row row;
	char nodes[40];

	fs_plan_row(p, i, &row);
	fs_plan_nodes(p, i, nodes, sizeof(nodes));
	print_estimate_cells(r, &(struct showq_start_estimate){ name, fs_plan_state_name(row.state),
								*nodes ? nodes : "-", row.start_time });
	emit("%s; waits for: ", assumes);
	print_wait_text(&(struct showq_plan_context){ r, p, NULL }, i, &row);
	if (row.state == FS_PLAN_NOW)
		emit("nothing");
	putchar('\n');
}

static void print_labelled_time(const struct showq_run *r, const char *before, int64_t t)
{
	char when[24];

	showq_format_iso_time(when, t + fs_snapshot_utc_offset(r->snapshot, t));
	emit("%s%s", before, when);
}

/* Prints the likely start: the median start over all simulations, and the time range that contains four fifths of the
 * simulated starts. Prints nothing if there were no simulations. */
static void print_likely_start(const struct showq_run *r, const fs_plan *p, size_t i)
{
	struct fs_plan_runs runs;
	struct fs_plan_row row;

	fs_plan_runs(p, &runs);
	fs_plan_row(p, i, &row);
	if (!runs.simulated)
		return;
	print_estimate_cells(
		r, &(struct showq_start_estimate){ "likely", row.likely.start_time == FS_UNKNOWN ? "none" : "simulated",
						   "-", row.likely.start_time });
	emit("jobs share nodes and count against limits; ");
	if (!runs.runs) {
		emit("jobs run for their time limits: too few records of past run times\n");
		return;
	}
	emit("%u simulations (seed %llu), run times of %u of %u jobs drawn from up to %u records each", runs.runs,
	     (unsigned long long)runs.seed, runs.drawn, runs.jobs, runs.records);
	if (row.likely.low_time != FS_UNKNOWN)
		print_labelled_time(r, "; 80 % of starts between ", row.likely.low_time);
	if (row.likely.low_time != FS_UNKNOWN)
		row.likely.high_time == FS_UNKNOWN ? emit(" and never")
						   : print_labelled_time(r, " and ", row.likely.high_time);
	putchar('\n');
}

/* Prints why the job can never start, and the remedy. */
static int print_never_verdict(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	const struct vocabulary *vocabulary = &r->dialect->vocabulary;
	char words[VERDICT_TEXT];
	struct fs_verdict v;

	if (fs_queue_verdict(fs_plan_queue(p), job_row, &v))
		return cmd_report_no_memory(r->inv);
	emit("\n");
	emit_safe_text(format_verdict_clause(words, vocabulary, r->snapshot, &v));
	emit(". ");
	emit_safe_text(format_verdict_remedy(words, vocabulary, &v));
	putchar('\n');
	fs_verdict_release(&v);
	return EXIT_DONE;
}

/* Prints the job's name as the user wrote it: the id of an array task would show that a hidden array exists. Returns
 * the exit status. */
static int report_no_pending_job(const struct showq_run *r)
{
	char visible[64];

	cmd_print_message(r->inv, "--start: cannot find the pending job %s",
			  text_make_visible(visible, sizeof(visible), r->start));
	return EXIT_NOTHING;
}

int showq_find_plan_row(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row)
{
	const ptrdiff_t i = find_visible_plan_row(p, id);

	if (i < 0)
		return report_no_pending_job(r);
	*row = (size_t)i;
	return 0;
}

int showq_parse_start_job(const struct showq_run *r, uint64_t *id)
{
	struct fs_job job;
	uint32_t row;

	if (!fs_job_find(r->snapshot, r->start, &row)) {
		if (row == FS_NO_ROW)
			return report_no_pending_job(r);
		fs_snapshot_job(r->snapshot, row, &job);
		*id = job.id;
		return 0;
	}
	cmd_print_message(r->inv, "--start: invalid job id \"%s\"", r->start);
	return cmd_get_usage_status(r->inv);
}

/* Prints the page of --start. `first` is the plan by priority, `backfill` the plan with backfill. Returns the exit
 * status. */
static int print_start_page(const struct showq_run *r, const fs_plan *first, const fs_plan *backfill, uint64_t id)
{
	size_t a, b;
	struct fs_plan_row row;
	struct fs_job job;
	char text[USER_NAME_SIZE], name[FS_JOB_ID_TEXT], when[COLUMN_TEXT_SIZE];
	const struct column_page page = make_estimate_page(r);

	if (showq_find_plan_row(r, first, id, &a) || showq_find_plan_row(r, backfill, id, &b))
		return EXIT_NOTHING;
	fs_plan_row(backfill, b, &row);
	fs_snapshot_job(r->snapshot, row.job_row, &job);
	emit("JOB %s of %s in %s", format_plan_job_id(name, r, id), text_make_visible(text, USER_NAME_SIZE, job.user),
	     row.partition);
	emit(", as of %-20s ", format_plan_time(when, r, r->info->time));
	if (fs_queue_verdict_kind(fs_plan_queue(backfill), row.job_row) == FS_VERDICT_NEVER)
		return print_never_verdict(r, backfill, row.job_row);
	putchar('\n');
	columns_print_heading(&page);
	print_recorded_start(r, &job);
	print_planned_start(r, "plan by priority", first, a, "no job passes a job that cannot start");
	print_planned_start(r, "plan with backfill", backfill, b, "jobs may pass if they delay no job ahead");
	print_likely_start(r, backfill, b);
	print_plan_assumptions(backfill);
	return EXIT_DONE;
}

int showq_print_start(struct showq_run *r)
{
	fs_plan *first = NULL, *backfill = NULL;
	uint64_t id;
	int status = showq_parse_start_job(r, &id);

	if (!status)
		status = showq_compute_plan(r, FS_PLAN_BY_PRIORITY, &first);
	if (!status)
		status = showq_compute_plan(r, FS_PLAN_BACKFILL, &backfill);
	if (!status)
		status = print_start_page(r, first, backfill, id);
	fs_plan_free(first);
	fs_plan_free(backfill);
	return status;
}

/* ---- picture of --svg: the jobs on each node over time */

enum { PICTURE_NODES_MAX = 64 }; /* maximum number of nodes in the picture */

/* Writes an SVG picture of the planned starts into the file of --svg. job_row: draw only the nodes on which this job is
 * planned to start; FS_NO_ROW: the nodes of all planned starts. Returns the exit status. */
static int draw_plan_timeline(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	struct markup v = { .state = r->snapshot };
	struct timeline t;
	int status;

	if (timeline_make_bars(&t, r->snapshot, p, input_get_viewer_name(&r->input), job_row, PICTURE_NODES_MAX))
		return cmd_report_no_memory(r->inv);
	if (t.lanes) {
		timeline_draw_svg(&v, r->snapshot, &t, job_row, false);
		status = markup_save_file(r->inv, &v, r->svg);
	} else {
		cmd_print_message(r->inv, "--svg: no start is planned%s",
				  job_row == FS_NO_ROW ? "" : " for this job");
		status = EXIT_NOTHING;
	}
	timeline_free_bars(&t);
	return status;
}

static int draw_job_timeline(const struct showq_run *r, const fs_plan *p)
{
	struct fs_plan_row row;
	uint64_t id;
	size_t i;
	int status = showq_parse_start_job(r, &id);

	if (!status)
		status = showq_find_plan_row(r, p, id, &i);
	if (status)
		return status;
	fs_plan_row(p, i, &row);
	return draw_plan_timeline(r, p, row.job_row);
}

int showq_draw_plan(struct showq_run *r)
{
	fs_plan *p = NULL;
	int status = showq_compute_plan(r, FS_PLAN_BACKFILL, &p);

	if (!status)
		status = r->start ? draw_job_timeline(r, p) : draw_plan_timeline(r, p, FS_NO_ROW);
	fs_plan_free(p);
	return status;
}
