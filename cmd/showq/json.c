/* fs-showq/1: a row for each job that does not wait, and for each partition and QOS of one that does. */
#include "showq/plan.h"

#include "dialect/dialect.h"
#include "render/json.h"
#include "render/verdict.h"

#include <stdlib.h>
#include <string.h>

struct json_run {
	struct showq_run *r;
	struct fs_json j;
	fs_plan *plan;
	fs_queue *queue;
	uint32_t *plan_row; /* by job row: 1 + row of the plan */
};

static void text_or_null(struct fs_json *j, const char *key, const char *value)
{
	json_text(j, key, value);
}

/* Times, counts: FS_UNKNOWN is null, FS_UNLIMITED the string. */
static void whole(struct fs_json *j, const char *key, int64_t value)
{
	fs_json_key(j, key);
	if (value == FS_UNKNOWN)
		fs_json_null(j);
	else if (value == FS_UNLIMITED)
		fs_json_string(j, "unlimited");
	else
		fs_json_i64(j, value);
}

static void names(struct fs_json *j, const char *key, const fs_plan *p, size_t i)
{
	const char *name;

	fs_json_key(j, key);
	fs_json_array(j);
	for (uint32_t k = 0; (name = fs_plan_node(p, i, k)); k++)
		fs_json_string(j, name);
	fs_json_end_array(j);
}

static void unmodelled(struct fs_json *j, unsigned bits)
{
	static const char *const words[] = { "features",    "licenses",  "gres",
					     "reservation", "max_nodes" };

	fs_json_key(j, "unmodelled");
	fs_json_array(j);
	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (bits >> i & 1)
			fs_json_string(j, words[i]);
	fs_json_end_array(j);
}

static void write_plan(struct json_run *x, size_t i)
{
	struct fs_json *j = &x->j;
	struct fs_plan_row p;

	fs_plan_row(x->plan, i, &p);
	fs_json_key(j, "plan");
	fs_json_object(j);
	json_text(j, "state", fs_plan_state_name(p.state));
	json_text(j, "partition", p.partition);
	whole(j, "start_time", p.start_time);
	whole(j, "end_time", p.end_time);
	names(j, "nodes", x->plan, i);
	json_text(j, "waits_for", fs_plan_wait_name(p.wait));
	json_whole(j, "frees", p.frees != 0, p.frees);
	json_whole(j, "held_by", p.blocked_by != 0, p.blocked_by);
	json_whole(j, "tasks_planned", true, p.tasks_planned);
	whole(j, "last_start_time", p.last_start_time);
	whole(j, "shown_start_time", p.shown_start_time);
	unmodelled(j, p.unmodelled);
	fs_json_end_object(j);
}

static void write_job(struct json_run *x, uint32_t row, const struct fs_job *job,
		      enum fs_section section, const struct fs_reason *reason)
{
	const struct showq_run *r = x->r;
	struct fs_json *j = &x->j;
	const bool pending = !strcmp(job->state, "PENDING");
	const bool named = r->dialect->waiting_reasons || !reason;
	bool exact;
	const uint64_t tasks = fs_job_tasks(r->snapshot, row, &exact);

	fs_json_key(j, "jobid");
	fs_json_u64(j, job->id);
	json_f58(j, r->snapshot, job->id);
	text_or_null(j, "jobname", job->name);
	text_or_null(j, "user", job->user);
	text_or_null(j, "account", job->account);
	text_or_null(j, "state", job->state);
	json_text(j, "section", fs_section_name(section));
	text_or_null(j, "reason", !pending ? "" : named ? job->reason : reason->name);
	text_or_null(j, "meaning", pending && reason ? reason->meaning : "");
	text_or_null(j, "clears", pending && reason ? reason->clears : "");
	text_or_null(j, "limit", pending && reason ? reason->limit : "");
	fs_json_key(j, "tasks");
	fs_json_u64(j, tasks);
	json_flag(j, "tasks_exact", exact);
	whole(j, "nodes", job->nodes);
	whole(j, "cpus", job->cpus);
	whole(j, "gpus", showq_gpus(r->snapshot, row));
	whole(j, "time_limit_s", job->time_limit_s);
	whole(j, "submit_time", job->submit_time);
	whole(j, "start_time", job->start_time);
	whole(j, "end_time", pending ? FS_UNKNOWN : job->end_time);
	text_or_null(j, "nodelist", job->node_list);
}

static void write_running(struct json_run *x, uint32_t row)
{
	struct fs_json *j = &x->j;
	const char *partition = fs_job_partition(x->r->snapshot, row, 0),
		   *qos = fs_job_qos(x->r->snapshot, row, 0);
	const struct fs_reason *reason;
	const enum fs_section section = fs_job_section(x->r->snapshot, row, &reason);
	struct fs_job job;

	fs_snapshot_job(x->r->snapshot, row, &job);
	fs_json_object(j);
	write_job(x, row, &job, section, reason);
	json_text(j, "partition", partition ? partition : "");
	json_text(j, "qos", qos ? qos : "");
	whole(j, "priority", job.priority);
	whole(j, "position", FS_UNKNOWN);
	whole(j, "partition_position", FS_UNKNOWN);
	json_flag(j, "eligible", false);
	json_flag(j, "in_line", false);
	whole(j, "tasks_ahead", FS_UNKNOWN);
	json_text(j, "why", "");
	json_text(j, "partition_why", "");
	json_text(j, "verdict", "");
	json_text(j, "verdict_cause", "");
	json_text(j, "verdict_text", "");
	fs_json_end_object(j);
	json_row_done(j);
}

static void write_verdict(struct json_run *x, uint32_t job_row)
{
	struct fs_verdict v = { .kind = FS_VERDICT_NONE };
	char words[VERDICT_TEXT];

	if (x->queue && fs_queue_verdict(x->queue, job_row, &v))
		*x->r->starved = true;
	json_text(&x->j, "verdict", fs_verdict_name(v.kind));
	json_text(&x->j, "verdict_cause", fs_verdict_cause_name(v.cause));
	json_text(&x->j, "verdict_text", verdict_words(words, &x->r->dialect->nouns, x->r->snapshot, &v));
	fs_verdict_release(&v);
}

static void write_waiting(struct json_run *x, const struct fs_queue_row *q)
{
	struct fs_json *j = &x->j;
	struct fs_job job;

	fs_snapshot_job(x->r->snapshot, q->job_row, &job);
	fs_json_object(j);
	write_job(x, q->job_row, &job, q->section, q->reason);
	json_text(j, "partition", q->partition);
	json_text(j, "qos", q->qos);
	json_number(j, "priority", q->priority);
	json_whole(j, "position", q->position != 0, q->position);
	json_whole(j, "partition_position", q->partition_position != 0, q->partition_position);
	json_flag(j, "eligible", q->eligible);
	json_flag(j, "in_line", q->eligible);
	json_whole(j, "tasks_ahead", q->partition_position != 0, q->partition_tasks_ahead);
	json_text(j, "why", fs_queue_key_name(q->key));
	json_text(j, "partition_why", fs_queue_key_name(q->partition_key));
	write_verdict(x, q->job_row);
	if (x->plan && x->plan_row[q->job_row])
		write_plan(x, x->plan_row[q->job_row] - 1);
	fs_json_end_object(j);
	json_row_done(j);
}

static bool wanted(const struct json_run *x, uint32_t row, const char *partition)
{
	const struct showq_run *r = x->r;
	struct fs_job job;

	fs_snapshot_job(r->snapshot, row, &job);
	return showq_of_user(r, &job) &&
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

static int load_plan(struct json_run *x)
{
	struct fs_plan_row row;
	const int status = plan_compute(x->r, FS_PLAN_BACKFILL, &x->plan);

	if (status)
		return status;
	x->plan_row = calloc(x->r->info->jobs + 1, sizeof(*x->plan_row));
	if (!x->plan_row)
		return no_memory(x->r->inv);
	for (size_t i = 0; i < fs_plan_count(x->plan); i++) {
		fs_plan_row(x->plan, i, &row);
		x->plan_row[row.job_row] = (uint32_t)i + 1;
	}
	return 0;
}

static void write_assumptions(struct json_run *x)
{
	const char *s;

	if (!x->plan)
		return;
	fs_json_key(&x->j, "bf_resolution_s");
	fs_json_i64(&x->j, fs_plan_resolution_s(x->plan));
	fs_json_key(&x->j, "assumptions");
	fs_json_array(&x->j);
	for (size_t i = 0; (s = fs_plan_assumption(x->plan, i)); i++)
		fs_json_string(&x->j, s);
	fs_json_end_array(&x->j);
}

int showq_json(struct showq_run *r)
{
	struct json_run x = { .r = r };
	bool *seen = calloc(r->info->jobs + 1, sizeof(*seen));
	int status = seen ? 0 : no_memory(r->inv);

	if (!status && r->plan)
		status = load_plan(&x);
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
	free(x.plan_row);
	fs_plan_free(x.plan);
	return status;
}
