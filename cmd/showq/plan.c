/* Prints planned starts: --plan, --start, the object "plan" of fs-showq/1, and the SVG pictures of --svg. */
#include "dialect/dialect.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"
#include "showq/showq.h"
#include "words/verdict.h"

#include <stdlib.h>
#include <string.h>

/* ---- text after a planned start: what the job waits for */

enum { WORDS_TEXT = 64 }; /* size of the name of an account or QOS, in bytes */

/* Formats a job id as the scheduler does. */
static const char *plan_id_text(char buf[FS_JOB_ID_TEXT], const struct showq_run *r, uint64_t id)
{
	return fs_job_id_format(r->snapshot, id, !text_utf8(), buf);
}

/* Prints "; " between the parts of the text; nothing before the first part. */
static void part(bool *any)
{
	emit_text(*any ? "; " : "");
	*any = true;
}

/* Prints why the job does not start now: the verdict if the job is not eligible, else the result of the plan. */
static void put_state(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(fs_plan_queue(p), row->job_row);

	if (kind != FS_VERDICT_NONE && kind < FS_VERDICT_NODES)
		showq_put_verdict(r, fs_plan_queue(p), row->job_row);
	else if (row->wait == FS_PLAN_WAIT_COMPONENT)
		emit_text(fs_plan_wait_name(row->wait));
	else if (row->state == FS_PLAN_NEVER)
		emit("no nodes that are up fit it");
	else if (row->state == FS_PLAN_NOT_REACHED)
		emit("a cycle ends before it (%s=%lld)", row->cycle_limit, (long long)row->cycle_limit_value);
	else if (row->state == FS_PLAN_NO_START && row->window_s != FS_UNKNOWN)
		emit("no start found within %lld min (bf_window)", (long long)row->window_s / 60);
	else if (row->state == FS_PLAN_NO_START)
		emit("no start found");
	else if (row->state == FS_PLAN_GIVEN_UP)
		emit("the plan took too long to come to it");
	else if (row->state == FS_PLAN_BLOCKED)
		showq_put_verdict(r, fs_plan_queue(p), row->job_row);
	else
		emit_text(fs_plan_wait_name(row->wait));
}

/* Prints when the limit of an association or QOS allows the start. */
static void put_limit(const struct showq_run *r, const struct fs_plan_row *row)
{
	char when[24], of[WORDS_TEXT], id[FS_JOB_ID_TEXT];
	const char *colon = *row->limit_tres ? " of " : "";

	text_visible(of, WORDS_TEXT, row->limit_of);
	if (row->limit_start_time == FS_UNKNOWN) {
		emit("not while %s%s%s of %s is used up", row->limit, colon, row->limit_tres, of);
		return;
	}
	showq_iso_time(when, row->limit_start_time + fs_snapshot_utc_offset(r->snapshot, row->limit_start_time));
	emit("%s%s%s of %s lets it start %s", row->limit, colon, row->limit_tres, of, when);
	if (row->limit_frees)
		emit(", after %s", plan_id_text(id, r, row->limit_frees));
}

/* Prints what the start waits for: the reason, the job whose end frees the resources, the planned job that must not be
 * delayed, and limits. */
static void plan_put_why(const struct showq_run *r, const fs_plan *p, const struct fs_plan_row *row)
{
	bool any = row->state != FS_PLAN_NOW;
	char shown[24], id[FS_JOB_ID_TEXT];

	if (any)
		put_state(r, p, row);
	if (row->frees) {
		part(&any);
		emit("%s ends", plan_id_text(id, r, row->frees));
	}
	if (row->blocked_by && row->blocked_by != row->frees) {
		part(&any);
		emit("held back by %s", plan_id_text(id, r, row->blocked_by));
	}
	if (row->tasks > 1 && row->tasks_planned) {
		part(&any);
		emit("%llu of %llu tasks", (unsigned long long)row->tasks_planned, (unsigned long long)row->tasks);
	}
	if (*row->limit && row->state != FS_PLAN_NEVER) {
		part(&any);
		put_limit(r, row);
	}
	if (row->shown_start_time != FS_UNKNOWN && row->state != FS_PLAN_NEVER) {
		showq_iso_time(shown,
			       row->shown_start_time + fs_snapshot_utc_offset(r->snapshot, row->shown_start_time));
		part(&any);
		emit("squeue shows %s all the same", shown);
	}
	if (row->unmodelled & FS_UNMODELLED_WAIT) {
		part(&any);
		emit("its wait before it was blocked is unknown");
	}
	/* FS_UNMODELLED_MAX_NODES applies to many jobs and is explained in the assumptions below the page */
	if (row->unmodelled & ~(unsigned)(FS_UNMODELLED_MAX_NODES | FS_UNMODELLED_WAIT)) {
		part(&any);
		emit("not all of its request is modelled");
	}
}

/* Prints the assumptions of the plan, below the page. */
static void plan_put_assumptions(const fs_plan *p)
{
	const char *s;

	emit("\nThe plan assumes:\n");
	for (size_t i = 0; (s = fs_plan_assumption(p, i)); i++)
		emit("  %s\n", s);
}

/* ---- columns of planned starts: of --plan, of --start, and of the object "plan" in fs-showq/1 */

enum { NAME = 24, NODES = 40 }; /* sizes of names and node lists on the page, in bytes */

static void write_nodes(struct fs_json *j, const void *of, const void *row)
{
	const fs_plan *p = ((const struct plan_source *)of)->plan;
	const char *name;

	fs_json_array(j);
	for (uint32_t k = 0; (name = fs_plan_node(p, ((const struct plan_line *)row)->at, k)); k++)
		fs_json_string(j, name);
	fs_json_end_array(j);
}

/* Writes the names of the request's parts that the plan does not model (FS_UNMODELLED_FEATURES and later bits). */
static void write_unmodelled(struct fs_json *j, const void *of, const void *row)
{
	static const char *const words[] = { "features", "licenses", "gres", "reservation", "max_nodes", "wait" };
	const unsigned bits = ((const struct plan_line *)row)->row.unmodelled;

	(void)of;
	fs_json_array(j);
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (bits >> i & 1)
			fs_json_string(j, words[i]);
	fs_json_end_array(j);
}

/* Formats a time in the time zone of the snapshot; "-" if FS_UNKNOWN. */
static const char *plan_when_text(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t time)
{
	if (time == FS_UNKNOWN)
		return strcpy(buf, "-");
	showq_iso_time(buf, time + fs_snapshot_utc_offset(r->snapshot, time));
	return buf;
}

/* Formats the time from the snapshot to `time`: "0:05:00", "2-03:00:00"; "-" if FS_UNKNOWN. */
static void in_text(char buf[COLUMN_TEXT], const struct showq_run *r, int64_t time)
{
	const int64_t s = time == FS_UNKNOWN ? 0 : time - r->info->time, day = 86400;
	const int minutes = (int)(s / 60 % 60), seconds = (int)(s % 60);

	if (time == FS_UNKNOWN)
		strcpy(buf, "-");
	else if (s < day)
		snprintf(buf, COLUMN_TEXT, "%lld:%02d:%02d", (long long)(s / 3600), minutes, seconds);
	else
		snprintf(buf, COLUMN_TEXT, "%lld-%02d:%02d:%02d", (long long)(s / day), (int)(s / 3600 % 24), minutes,
			 seconds);
}

static const char *partition_heading(const void *of)
{
	return ((const struct plan_source *)of)->r->dialect->nouns.partition_heading;
}

COLUMN_CELL(id_cell, struct plan_source, struct plan_line, plan_id_text(buf, of->r, row->row.job))

COLUMN_CELL(partition_cell, void, struct plan_line, text_visible(buf, NAME, row->row.partition))
COLUMN_CELL(user_cell, void, struct plan_line, text_visible(buf, NAME, row->job.user))
COLUMN_CELL(start_cell, struct plan_source, struct plan_line, plan_when_text(buf, of->r, row->row.start_time))
COLUMN_CELL(in_cell, struct plan_source, struct plan_line, in_text(buf, of->r, row->row.start_time))

static void where_cell(char buf[COLUMN_TEXT], const void *of, const void *row)
{
	char nodes[NODES];

	fs_plan_nodes(((const struct plan_source *)of)->plan, ((const struct plan_line *)row)->at, nodes,
			sizeof(nodes));
	text_visible(buf, COLUMN_TEXT, nodes);
}

#define MEMBER(m) COLUMN_MEMBER(struct plan_line, row.m)
#define TIME(m) MEMBER(m), .unit = UNIT_TIME

/* Columns of a planned start, in the order of the JSON document. */
enum {
	JOBID, USER, STATE, PARTITION, START, IN, END, NODE_COUNT, WHERE, WAITS, WAITS_FOR, FREES,
	BLOCKED_BY, HELD_BY, TASKS_PLANNED, LAST_START, SHOWN_START, LIMIT, LIMIT_TRES, LIMIT_OF, LIMIT_START,
	LIMIT_FREES, LIKELY_START, LIKELY_LOW, LIKELY_HIGH, UNMODELLED, PLAN_COLUMNS
};

static const struct column plan_columns[PLAN_COLUMNS] = {
	[JOBID] = { "JOBID", NULL, -10, .text = id_cell, .help = "the job" },
	[USER] = { "USER", NULL, -15, .text = user_cell, .help = "who submitted it" },
	[STATE] = { "PLAN", "state", -13, MEMBER(state), .word = fs_plan_state_name, .help = "what becomes of it" },
	[PARTITION] = { "PARTITION", "partition", -12, MEMBER(partition), .text = partition_cell,
			.heading = partition_heading, .help = "where it is planned" },
	[START] = { "START", "start_time", -20, TIME(start_time), .text = start_cell, .help = "its planned start" },
	[IN] = { "IN", NULL, 12, .text = in_cell, .help = "how long until then" },
	[END] = { NULL, "end_time", TIME(end_time), .help = "its planned end, by its time limit" },
	[NODE_COUNT] = { "NODES", NULL, 5, MEMBER(nodes), .help = "how many nodes it gets" },
	[WHERE] = { "WHERE", "nodes", -18, .text = where_cell, .json = write_nodes, .help = "which" },
	[WAITS] = { "WAITS FOR", NULL, .width = 0, .help = "what it waits for, and who makes room" },
	[WAITS_FOR] = { NULL, "waits_for", MEMBER(wait), .word = fs_plan_wait_name, .help = "what it waits for, in a word" },
	[FREES] = { NULL, "frees", MEMBER(frees), .none_at_0 = true, .help = "the job whose end makes room" },
	[BLOCKED_BY] = { NULL, "blocked_by", MEMBER(blocked_by), .none_at_0 = true,
			 .help = "the job that it may not delay" },
	[HELD_BY] = { NULL, "held_by", MEMBER(blocked_by), .none_at_0 = true, .help = "the same" },
	[TASKS_PLANNED] = { NULL, "tasks_planned", MEMBER(tasks_planned), .help = "how many of its tasks start so" },
	[LAST_START] = { NULL, "last_start_time", TIME(last_start_time), .help = "the start of the last of them" },
	[SHOWN_START] = { NULL, "shown_start_time", TIME(shown_start_time), .help = "what squeue shows all the same" },
	[LIMIT] = { NULL, "limit", MEMBER(limit), .help = "the limit that it waits for" },
	[LIMIT_TRES] = { NULL, "limit_tres", MEMBER(limit_tres), .help = "of which TRES" },
	[LIMIT_OF] = { NULL, "limit_of", MEMBER(limit_of), .help = "of whom" },
	[LIMIT_START] = { NULL, "limit_start_time", TIME(limit_start_time), .help = "when the limit lets it start" },
	[LIMIT_FREES] = { NULL, "limit_frees", MEMBER(limit_frees), .none_at_0 = true,
			  .help = "after which job" },
	[LIKELY_START] = { NULL, "likely_start_time", TIME(likely_start_time), .help = "by the simulation" },
	[LIKELY_LOW] = { NULL, "likely_low_time", TIME(likely_low_time), .help = "one run of ten starts it before" },
	[LIKELY_HIGH] = { NULL, "likely_high_time", TIME(likely_high_time), .help = "one run of ten starts it after" },
	[UNMODELLED] = { NULL, "unmodelled", .json = write_unmodelled, .help = "parts of its request that are not modelled" },
};

static struct column_page plan_page(const struct plan_source *of)
{
	static const unsigned char pick[] = { JOBID, PARTITION, USER, STATE, START, IN, NODE_COUNT, WHERE, WAITS };

	return (struct column_page){ plan_columns, sizeof(pick), of, .pick = pick, .characters = true };
}

void plan_line_json(struct fs_json *j, const struct plan_source *of, const struct plan_line *line)
{
	columns_json(j, plan_columns, PLAN_COLUMNS, of, line);
}

/* ---- columns of --start: a row for each estimate */

COLUMN_CELL(estimate_start_cell, struct showq_run, struct estimate_line, plan_when_text(buf, of, row->start_time))
COLUMN_CELL(estimate_in_cell, struct showq_run, struct estimate_line, in_text(buf, of, row->start_time))

#define ESTIMATE(m) COLUMN_MEMBER(struct estimate_line, m)

/* Returns the table of start estimates. The text below ASSUMES is printed after each row. */
static struct column_page estimate_page(const struct showq_run *r)
{
	static const struct column columns[] = {
		{ "ESTIMATE", NULL, -18, ESTIMATE(name), .help = "whose it is" },
		{ "START", NULL, -20, .text = estimate_start_cell, .help = "the start" },
		{ "IN", NULL, 12, .text = estimate_in_cell, .help = "how long until then" },
		{ "PLAN", NULL, -13, ESTIMATE(plan), .help = "what becomes of it" },
		{ "WHERE", NULL, -18, ESTIMATE(nodes), .help = "on which nodes" },
		{ "ASSUMES", NULL, .width = 0, .help = "what it rests on" },
	};

	return (struct column_page){ COLUMNS(columns), r, .characters = true };
}

/* ---- page of --plan */

/* Returns true if the viewer may see the job and the options select it. */
static bool wanted(const struct showq_run *r, const struct fs_plan_row *row, const struct fs_job *job)
{
	return row->visible && showq_of_user(r, job) && showq_in_partition(r, row->job_row);
}

/* Prints row i of the plan, if it is selected. */
static void put_row(const struct plan_source *of, const struct column_page *page, size_t i)
{
	struct plan_line line = { .at = i };

	fs_plan_row(of->plan, i, &line.row);
	fs_snapshot_job(of->r->snapshot, line.row.job_row, &line.job);
	if (!wanted(of->r, &line.row, &line.job))
		return;
	columns_row(page, &line);
	putchar(' ');
	plan_put_why(of->r, of->plan, &line.row);
	putchar('\n');
}

int plan_compute(const struct showq_run *r, enum fs_plan_mode mode, fs_plan **out)
{
	const struct fs_plan_options o = { .view = input_view(&r->input), .mode = mode,
					   .likely = mode == FS_PLAN_BACKFILL };
	struct fs_error err;

	return fs_plan_compute(out, r->snapshot, &o, &err) ? report(r->inv, &err) : 0;
}

int showq_plan(struct showq_run *r)
{
	char when[COLUMN_TEXT];
	fs_plan *p = NULL;
	const int status = plan_compute(r, FS_PLAN_BACKFILL, &p);

	if (status)
		return status;
	const struct plan_source of = { r, p };
	const struct column_page page = plan_page(&of);

	emit("PLANNED STARTS from %-20s \n", plan_when_text(when, r, r->info->time));
	columns_heading(&page);
	for (size_t i = 0; i < fs_plan_count(p); i++)
		put_row(&of, &page, i);
	plan_put_assumptions(p);
	fs_plan_free(p);
	return EXIT_DONE;
}

/* ---- page of --start: estimates of one job's start */

enum { START_TEXT = 64 };

/* Returns the index of the job's first plan row that the viewer may see; -1 if there is none. */
static ptrdiff_t find_row(const fs_plan *p, uint64_t id)
{
	struct fs_plan_row row;

	for (size_t i = 0; i < fs_plan_count(p); i++) {
		fs_plan_row(p, i, &row);
		if (row.job == id && row.visible)
			return (ptrdiff_t)i;
	}
	return -1;
}

/* Prints the row of an estimate and a blank. The caller prints the assumptions and the newline. */
static void put_line(const struct showq_run *r, const struct estimate_line *line)
{
	const struct column_page page = estimate_page(r);

	columns_row(&page, line);
	putchar(' ');
}

/* Prints the start that the scheduler recorded. A start before the time of the snapshot counts as none. */
static void put_recorded(const struct showq_run *r, const struct fs_job *job)
{
	const bool known = job->start_time != FS_UNKNOWN && job->start_time >= r->info->time;
	struct fs_job last;
	char when[24];

	put_line(r, &(struct estimate_line){ "recorded", known ? "estimate" : "none",
					     *job->sched_nodes ? job->sched_nodes : "-", known ? job->start_time : FS_UNKNOWN });
	if (!known)
		emit("no start is recorded: blocked, not reached, or no backfill cycle had run");
	else if (job->last_sched_eval != FS_UNKNOWN)
		emit("what the scheduler expected; it looked at the job %lld s before the snapshot",
		       (long long)(r->info->time - job->last_sched_eval));
	else
		emit("what the scheduler expected, it is not known when");
	if (known && later_component(r->snapshot, job, &last)) {
		showq_iso_time(when, last.start_time + fs_snapshot_utc_offset(r->snapshot, last.start_time));
		emit("; component %llu has %s, and none starts before it", (unsigned long long)last.id, when);
	}
	putchar('\n');
}

/* Prints the start in row i of a plan. assumes: the main assumption of the planning method. */
static void put_estimate(const struct showq_run *r, const char *name, const fs_plan *p, size_t i, const char *assumes)
{
	struct fs_plan_row row;
	char nodes[40];

	fs_plan_row(p, i, &row);
	fs_plan_nodes(p, i, nodes, sizeof(nodes));
	put_line(r, &(struct estimate_line){ name, fs_plan_state_name(row.state), *nodes ? nodes : "-", row.start_time });
	emit("%s; waits for: ", assumes);
	plan_put_why(r, p, &row);
	if (row.state == FS_PLAN_NOW)
		emit("nothing");
	putchar('\n');
}

static void put_time(const struct showq_run *r, const char *before, int64_t t)
{
	char when[24];

	showq_iso_time(when, t + fs_snapshot_utc_offset(r->snapshot, t));
	emit("%s%s", before, when);
}

/* Prints the likely start: the median of the simulated runs, and the range of four fifths of them. */
static void put_likely(const struct showq_run *r, const fs_plan *p, size_t i)
{
	struct fs_plan_runs runs;
	struct fs_plan_row row;

	fs_plan_runs(p, &runs);
	fs_plan_row(p, i, &row);
	if (!runs.simulated)
		return;
	put_line(r, &(struct estimate_line){ "likely", row.likely_start_time == FS_UNKNOWN ? "none" : "simulated", "-",
					     row.likely_start_time });
	emit("jobs share nodes, limits are kept account of; ");
	if (!runs.runs) {
		emit("run times are time limits: fewer than 20 records tell of any user's\n");
		return;
	}
	emit("%u runs (seed %llu), run times of %u of %u jobs drawn from records, up to %u a job", runs.runs,
	     (unsigned long long)runs.seed, runs.drawn, runs.jobs, runs.records);
	if (row.likely_low_time != FS_UNKNOWN)
		put_time(r, "; four of five between ", row.likely_low_time);
	if (row.likely_low_time != FS_UNKNOWN)
		row.likely_high_time == FS_UNKNOWN ? emit(" and never") : put_time(r, " and ", row.likely_high_time);
	putchar('\n');
}

/* Prints the verdict on a job that can never start, and the remedy, instead of estimates. */
static int put_never(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	const struct nouns *nouns = &r->dialect->nouns;
	char words[VERDICT_TEXT];
	struct fs_verdict v;

	if (fs_queue_verdict(fs_plan_queue(p), job_row, &v))
		return no_memory(r->inv);
	emit("\n");
	emit_text(verdict_words(words, nouns, r->snapshot, &v));
	emit(". ");
	emit_text(verdict_remedy(words, nouns, &v));
	putchar('\n');
	fs_verdict_release(&v);
	return EXIT_DONE;
}

int plan_find(const struct showq_run *r, const fs_plan *p, uint64_t id, size_t *row)
{
	const ptrdiff_t i = find_row(p, id);

	if (i < 0) {
		char text[FS_JOB_ID_TEXT];

		complain(r->inv, "no pending job %s", plan_id_text(text, r, id));
		return EXIT_NOTHING;
	}
	*row = (size_t)i;
	return 0;
}

int plan_job_id(const struct showq_run *r, uint64_t *id)
{
	struct fs_job job;
	char seen[64];
	uint32_t row;

	if (!fs_job_find(r->snapshot, r->start, &row)) {
		if (row == FS_NO_ROW) {
			complain(r->inv, "no pending job %s", text_visible(seen, sizeof(seen), r->start));
			return EXIT_NOTHING;
		}
		fs_snapshot_job(r->snapshot, row, &job);
		*id = job.id;
		return 0;
	}
	complain(r->inv, "--start: invalid job id \"%s\"", r->start);
	return usage_status(r->inv);
}

/* Prints the page of --start from the plans by priority (`first`) and with backfill. Returns the exit status. */
static int put_start(const struct showq_run *r, const fs_plan *first, const fs_plan *backfill, uint64_t id)
{
	size_t a, b;
	struct fs_plan_row row;
	struct fs_job job;
	char text[START_TEXT], name[FS_JOB_ID_TEXT], when[COLUMN_TEXT];
	const struct column_page page = estimate_page(r);

	if (plan_find(r, first, id, &a) || plan_find(r, backfill, id, &b))
		return EXIT_NOTHING;
	fs_plan_row(backfill, b, &row);
	fs_snapshot_job(r->snapshot, row.job_row, &job);
	emit("JOB %s of %s in %s", plan_id_text(name, r, id), text_visible(text, START_TEXT, job.user), row.partition);
	emit(", seen from %-20s ", plan_when_text(when, r, r->info->time));
	if (fs_queue_verdict_kind(fs_plan_queue(backfill), row.job_row) == FS_VERDICT_NEVER)
		return put_never(r, backfill, row.job_row);
	putchar('\n');
	columns_heading(&page);
	put_recorded(r, &job);
	put_estimate(r, "plan by priority", first, a, "nobody passes a job that cannot start");
	put_estimate(r, "plan with backfill", backfill, b, "jobs pass where they delay none ahead");
	put_likely(r, backfill, b);
	plan_put_assumptions(backfill);
	return EXIT_DONE;
}

int showq_start(struct showq_run *r)
{
	fs_plan *first = NULL, *backfill = NULL;
	uint64_t id;
	int status = plan_job_id(r, &id);

	if (!status)
		status = plan_compute(r, FS_PLAN_BY_PRIORITY, &first);
	if (!status)
		status = plan_compute(r, FS_PLAN_BACKFILL, &backfill);
	if (!status)
		status = put_start(r, first, backfill, id);
	fs_plan_free(first);
	fs_plan_free(backfill);
	return status;
}

/* ---- picture of --svg: the jobs on each node over time */

enum { MAX_LANES = 64 }; /* maximum number of nodes in the picture */

/* Draws the nodes on which a job (FS_NO_ROW: any job) is planned to start into the file of --svg. Returns the exit
 * status. */
static int draw(const struct showq_run *r, const fs_plan *p, uint32_t job_row)
{
	struct markup v = { .state = r->snapshot };
	struct timeline t;
	int status;

	if (timeline_make(&t, r->snapshot, p, input_viewer(&r->input), job_row, MAX_LANES))
		return no_memory(r->inv);
	if (t.lanes) {
		timeline_draw(&v, r->snapshot, &t, job_row, false);
		status = markup_save(r->inv, &v, r->svg);
	} else {
		complain(r->inv, "--svg: no start on any node is planned%s", job_row == FS_NO_ROW ? "" : " for this job");
		status = EXIT_NOTHING;
	}
	timeline_free(&t);
	return status;
}

static int draw_job(const struct showq_run *r, const fs_plan *p)
{
	struct fs_plan_row row;
	uint64_t id;
	size_t i;
	int status = plan_job_id(r, &id);

	if (!status)
		status = plan_find(r, p, id, &i);
	if (status)
		return status;
	fs_plan_row(p, i, &row);
	return draw(r, p, row.job_row);
}

int showq_plan_picture(struct showq_run *r)
{
	fs_plan *p = NULL;
	int status = plan_compute(r, FS_PLAN_BACKFILL, &p);

	if (!status)
		status = r->start ? draw_job(r, p) : draw(r, p, FS_NO_ROW);
	fs_plan_free(p);
	return status;
}
