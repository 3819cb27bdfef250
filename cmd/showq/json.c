/* fs-showq/1: a row for each job that does not wait, and for each partition and QOS of one that does. */
#include "showq/plan/plan.h"

#include "columns/queue.h"
#include "dialect/dialect.h"
#include "render/json.h"
#include "words/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct json_run {
	struct showq_run *r;
	struct fs_json j;
	struct queue_source source;
	fs_plan *plan;
	fs_queue *queue;
	uint64_t only_job; /* --start: rows of this one alone; 0: of all */
};

/* ---- planned starts */

static void write_plan(struct json_run *x, size_t i)
{
	const struct plan_source of = { x->r, x->plan };
	struct plan_line line = { .at = i };

	fs_plan_row(x->plan, i, &line.row);
	json_object(&x->j, "plan");
	plan_line_json(&x->j, &of, &line);
	fs_json_end_object(&x->j);
}

/* ---- jobs */

/* What the queue says of a job that waits, of one that does not. */
static void fill_running(const fs_snapshot *s, uint32_t row, struct queue_line *line)
{
	const char *partition = fs_job_partition(s, row, 0), *qos = fs_job_qos(s, row, 0);
	struct fs_queue_row *q = &line->row;

	*q = (struct fs_queue_row){ .job = line->job.id,
				    .job_row = row,
				    .partition = partition ? partition : "",
				    .qos = qos ? qos : "",
				    .user = line->job.user,
				    .account = line->job.account,
				    .tier = FS_UNKNOWN,
				    .priority = line->job.priority == FS_UNKNOWN ? (double)NAN
										 : (double)line->job.priority };
	q->section = fs_job_section(s, row, &q->reason);
	q->tasks = fs_job_tasks(s, row, &q->tasks_exact);
}

/* None, or not known: of a paste that does not show what it asks for. */
static int64_t json_gpus(const fs_snapshot *s, uint32_t row)
{
	struct fs_tres t;

	return fs_snapshot_hidden(s, "job fields") && !fs_job_tres(s, row, 0, &t) ? FS_UNKNOWN : showq_gpus(s, row);
}

static void write_line(struct json_run *x, struct queue_line *line)
{
	const uint32_t row = line->row.job_row;
	struct fs_verdict v = { .kind = FS_VERDICT_NONE };
	char words[VERDICT_TEXT] = "";
	const bool waits = line->row.visible;

	line->gpus = json_gpus(x->r->snapshot, row);
	if (waits && x->queue && fs_queue_verdict(x->queue, row, &v))
		*x->r->starved = true;
	line->verdict = fs_verdict_name(v.kind);
	line->verdict_cause = fs_verdict_cause_name(v.cause);
	line->verdict_text = waits ? verdict_words(words, &x->r->dialect->nouns, x->r->snapshot, &v) : "";
	fs_json_object(&x->j);
	columns_json(&x->j, queue_columns, QUEUE_COLUMNS, &x->source, line);
	fs_verdict_release(&v);
	if (waits && x->plan && fs_plan_find(x->plan, row) != FS_NO_ROW)
		write_plan(x, fs_plan_find(x->plan, row));
	fs_json_end_object(&x->j);
	json_row_done(&x->j);
}

static void write_running(struct json_run *x, uint32_t row)
{
	struct queue_line line;

	fs_snapshot_job(x->r->snapshot, row, &line.job);
	fill_running(x->r->snapshot, row, &line);
	write_line(x, &line);
}

static void write_waiting(struct json_run *x, const struct fs_queue_row *q)
{
	struct queue_line line = { .row = *q };

	fs_snapshot_job(x->r->snapshot, q->job_row, &line.job);
	write_line(x, &line);
}

static bool wanted(const struct json_run *x, uint32_t row, const char *partition)
{
	const struct showq_run *r = x->r;
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_of_user(r, &job) && (!x->only_job || job.id == x->only_job) &&
	       (!r->partition ||
		(partition ? !strcmp(partition, r->partition) : showq_in_partition(r, row)));
}

static int write_rows(struct json_run *x, const bool *seen)
{
	const struct fs_queue_options o = { .view = input_view(&x->r->input) };
	bool *waits = calloc(x->r->info->jobs + 1, sizeof(*waits));
	struct fs_queue_row row;
	struct fs_error err;
	fs_queue *q = NULL;

	if (!waits || fs_queue_compute(&q, x->r->snapshot, &o, &err)) {
		const int status = waits ? report(x->r->inv, &err) : no_memory(x->r->inv);

		free(waits);
		return status;
	}
	x->queue = q;
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		waits[row.job_row] = true;
	}
	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (!waits[i] && seen[i] && wanted(x, i, NULL))
			write_running(x, i);
	for (size_t i = 0; i < fs_queue_count(q); i++) {
		fs_queue_row(q, i, &row);
		if (row.visible && wanted(x, row.job_row, row.partition))
			write_waiting(x, &row);
	}
	free(waits);
	fs_queue_free(q);
	return 0;
}

static void write_assumptions(struct json_run *x)
{
	const char *s;

	if (!x->plan)
		return;
	fs_json_key(&x->j, "bf_resolution_s");
	fs_json_i64(&x->j, fs_plan_resolution_s(x->plan));
	json_list(&x->j, "assumptions");
	for (size_t i = 0; (s = fs_plan_assumption(x->plan, i)); i++)
		fs_json_string(&x->j, s);
	fs_json_end_array(&x->j);
}

int showq_json(struct showq_run *r)
{
	struct json_run x = { .r = r, .source = { r->snapshot, r->dialect->waiting_reasons } };
	bool *seen = calloc(r->info->jobs + 1, sizeof(*seen));
	int status = seen ? 0 : no_memory(r->inv);
	size_t row;

	if (!status && r->start)
		status = plan_job_id(r, &x.only_job);
	if (!status && (r->plan || r->start))
		status = plan_compute(x.r, FS_PLAN_BACKFILL, &x.plan);
	if (!status && r->start)
		status = plan_find(r, x.plan, x.only_job, &row);
	if (!status) {
		fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), seen);
		json_begin(&x.j, "fs-showq/1", r->snapshot, r->json);
		write_assumptions(&x);
		json_rows(&x.j);
		status = write_rows(&x, seen);
		json_end_rows(&x.j);
		status = json_end(&x.j) ? EXIT_FAILED : status;
	}
	free(seen);
	fs_plan_free(x.plan);
	return status;
}
