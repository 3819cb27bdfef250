/* What a run of the plan starts with: a row for each pending job, and the counters of bf_max_job_*. */
#include "queue/plan_run.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *x, const void *y)
{
	const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* The array ids of running tasks, sorted; NULL without memory. */
static uint64_t *running_arrays(const fs_snapshot *m, size_t *n)
{
	uint64_t *v = calloc(m->job.n + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 0; v && i < m->job.n; i++)
		if (m->job.v[i].array_job_id && m->job.v[i].state == FSI_STATE_RUNNING)
			v[(*n)++] = m->job.v[i].array_job_id;
	if (v && *n)
		qsort(v, *n, sizeof(*v), by_id);
	return v;
}

/* How many of the sorted ids are less than id. */
static size_t less_than(const uint64_t *v, size_t n, uint64_t id)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (v[mid] < id)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* `1-9%2`: at most so many at a time; those that run count. */
static uint64_t throttle_of(const fs_snapshot *m, const struct fsi_job *j, const uint64_t *running,
			    size_t n)
{
	const char *percent = strchr(fsi_str(m, j->array_tasks), '%');
	const uint64_t id = j->array_job_id ? j->array_job_id : j->id;
	uint64_t most, busy;

	if (!percent)
		return UINT64_MAX;
	most = strtoull(percent + 1, NULL, 10);
	busy = less_than(running, n, id + 1) - less_than(running, n, id);
	return most > busy ? most - busy : 0;
}

static int make_rows(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;
	size_t nrunning;
	uint64_t *running = running_arrays(m, &nrunning);

	p->row_of = calloc(m->job.n + 1, sizeof(*p->row_of));
	p->row = calloc(p->queue->record.n + 1, sizeof(*p->row));
	if (!running || !p->row_of || !p->row) {
		free(running);
		return -1;
	}
	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];

		if (p->row_of[r->job])
			continue;
		p->row[p->nrows] = (struct fsi_plan_row){
			.job = r->job,
			.state = FS_PLAN_NOT_REACHED,
			.section = r->section,
			.reason = r->reason,
			.partition_name = r->partition_name,
			.start = FS_UNKNOWN,
			.last_start = FS_UNKNOWN,
			.limit_s = FS_UNKNOWN,
			.tasks = r->tasks,
			.throttle = throttle_of(m, &m->job.v[r->job], running, nrunning),
			.frees = FSI_NO_INDEX,
			.held_by = FSI_NO_INDEX,
		};
		p->row_of[r->job] = (uint32_t)++p->nrows;
	}
	free(running);
	return 0;
}

static int make_counters(struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	p->names = m->names.count;
	p->of_user = calloc((size_t)p->names + 1, sizeof(uint32_t));
	p->of_part = calloc((size_t)p->names + 1, sizeof(uint32_t));
	p->reserved_part = calloc((size_t)p->names + 1, sizeof(uint32_t));
	p->of_assoc = calloc(m->association.n + 1, sizeof(uint32_t));
	return p->of_user && p->of_part && p->reserved_part && p->of_assoc ? 0 : -1;
}

int fsi_plan_setup(struct fs_plan *p)
{
	int rc = fsi_plan_cluster_init(&p->c, p->c.m);

	fsi_plan_params(p->c.m, &p->params);
	p->c.stops_short = p->params.stops_short;
	p->c.ends_window_s = p->ends_window_s;
	if (!rc)
		rc = fsi_plan_search_init(&p->found, &p->c);
	if (!rc)
		rc = fsi_plan_search_init(&p->other, &p->c);
	if (!rc)
		rc = make_rows(p);
	return rc ? rc : make_counters(p);
}
