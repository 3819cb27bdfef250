/* fs-showq --openmetrics: what runs and waits, why, and each user's best place. */
#include "render/metrics.h"
#include "showq/showq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct metrics_run {
	struct showq_run *r;
	fs_queue *queue;
	bool *seen; /* by job row */
	struct metric_record *v;
	size_t n;
};

static void add(struct metrics_run *x, const char *a, const char *b, const char *c, double value)
{
	x->v[x->n++] = (struct metric_record){ { a, b, c }, value };
}

static int print_family(struct metrics_run *x, const struct metric_family *f)
{
	const int status = metrics_family(x->r->snapshot, f, x->v, x->n);

	x->n = 0;
	return status;
}

/* Returns how many tasks a row stands for; NAN if the list of an array's tasks was cut when it was captured. */
static double tasks_of(const struct metrics_run *x, uint32_t row)
{
	bool exact;
	const uint64_t n = fs_job_tasks(x->r->snapshot, row, &exact);

	return exact ? (double)n : (double)NAN;
}

static bool wanted(const struct metrics_run *x, uint32_t row, const char *partition, struct fs_job *job)
{
	fs_snapshot_job(x->r->snapshot, row, job);
	return x->seen[row] && showq_of_user(x->r, job) &&
	       (!x->r->partition || (partition ? !strcmp(partition, x->r->partition)
					       : showq_in_partition(x->r, row)));
}

static int write_sections(struct metrics_run *x)
{
	static const struct metric_family jobs = { "fs_showq_jobs", "fs-showq: jobs by section, tasks of arrays counted.",
						   { "section" }, METRIC_SUM };
	const struct fs_reason *reason;
	struct fs_job job;

	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (wanted(x, i, NULL, &job))
			add(x, fs_section_name(fs_job_section(x->r->snapshot, i, &reason)), "", "", tasks_of(x, i));
	return print_family(x, &jobs);
}

static int write_running(struct metrics_run *x)
{
	static const struct metric_family cpus = { "fs_showq_running_cpus", "fs-showq: CPUs of running jobs.",
						   { "account", "user" }, METRIC_SUM };
	struct fs_job job;

	for (uint32_t i = 0; i < x->r->info->jobs; i++)
		if (wanted(x, i, NULL, &job) && fs_job_runs(x->r->snapshot, i))
			add(x, job.account, job.user, "", job.cpus == FS_UNKNOWN ? (double)NAN : (double)job.cpus);
	return print_family(x, &cpus);
}

/* The next record of the queue that is wanted, from *i on; false: there is none. */
static bool next_waiting(const struct metrics_run *x, size_t *i, struct fs_queue_row *q, struct fs_job *job)
{
	while (*i < fs_queue_count(x->queue)) {
		fs_queue_row(x->queue, (*i)++, q);
		if (q->visible && wanted(x, q->job_row, q->partition, job))
			return true;
	}
	return false;
}

static int write_reasons(struct metrics_run *x)
{
	static const struct metric_family jobs = {
		"fs_showq_waiting_jobs", "fs-showq: jobs that wait, tasks of arrays counted, by partition, reason and verdict.",
		{ "partition", "reason", "verdict" }, METRIC_SUM
	};
	struct fs_queue_row q;
	struct fs_job job;

	for (size_t i = 0; next_waiting(x, &i, &q, &job);)
		add(x, q.partition, q.reason ? q.reason->name : "other",
		    fs_verdict_name(fs_queue_verdict_kind(x->queue, q.job_row)), tasks_of(x, q.job_row));
	return print_family(x, &jobs);
}

static int write_places(struct metrics_run *x)
{
	static const struct metric_family place = {
		"fs_showq_best_place", "fs-showq: place in the partition's line of the user's foremost job, the first being 1.",
		{ "partition", "account", "user" }, MIN_METRIC
	};
	struct fs_queue_row q;
	struct fs_job job;

	for (size_t i = 0; next_waiting(x, &i, &q, &job);)
		if (q.partition_position)
			add(x, q.partition, job.account, job.user, q.partition_position);
	return print_family(x, &place);
}

static int print(struct metrics_run *x)
{
	int status;

	metrics_begin(x->r->snapshot, "fs_showq");
	status = write_sections(x);
	if (!status)
		status = write_running(x);
	if (!status)
		status = write_reasons(x);
	if (!status)
		status = write_places(x);
	return status ? no_memory(x->r->inv) : metrics_end();
}

int showq_metrics(struct showq_run *r)
{
	const struct fs_queue_options o = { .view = input_view(&r->input) };
	struct metrics_run x = { .r = r };
	struct fs_error err;
	int status;

	if (fs_queue_compute(&x.queue, r->snapshot, &o, &err))
		return report(r->inv, &err);
	x.seen = calloc(r->info->jobs + 1, sizeof(*x.seen));
	x.v = calloc(r->info->jobs + fs_queue_count(x.queue) + 1, sizeof(*x.v));
	if (x.seen && x.v) {
		fs_snapshot_visible_jobs(r->snapshot, input_viewer(&r->input), x.seen);
		status = print(&x);
	} else {
		status = no_memory(r->inv);
	}
	free(x.seen);
	free(x.v);
	fs_queue_free(x.queue);
	return status;
}
