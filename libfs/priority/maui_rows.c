/* Which jobs of Maui have priorities, and the order in which its lists have them. */
#include "priority/maui.h"

#include <math.h>
#include <string.h>

double fsi_prio_maui_earlier(const struct fs_prios *p, size_t i)
{
	return p->values[i * VALUES + EARLIER];
}

struct ranked {
	double priority, earlier;
	uint32_t position, row;
};

/* Jobs go by falling priority, then by the priority they were sorted by before, then by the order of the job table
 * (MQueue.c:MQueuePrioritizeJobs). */
static int compare(const void *x, const void *y, const void *ctx)
{
	const struct ranked *a = x, *b = y;

	(void)ctx;
	if (a->priority != b->priority)
		return (a->priority < b->priority) - (a->priority > b->priority);
	if (a->earlier != b->earlier)
		return (a->earlier < b->earlier) - (a->earlier > b->earlier);
	if (a->position != b->position)
		return (a->position > b->position) - (a->position < b->position);
	return (a->row > b->row) - (a->row < b->row);
}

static int order_rows(struct fs_prios *p)
{
	const size_t n = p->row.n;
	struct ranked *v = fsi_arena_array(&p->arena, n + 1, sizeof(*v));
	struct fsi_prio_row *rows = fsi_arena_array(&p->arena, n + 1, sizeof(*rows));
	double *values = fsi_arena_array(&p->arena, n + 1, VALUES * sizeof(*values));

	if (!v || !rows || !values)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_job *job = &p->m->job.v[p->row.v[i].job];
		struct fs_prio_row row;

		fsi_prio_row_init(&row, p->row.v[i].job);
		p->scheduler->row(p, i, &row);
		v[i] = (struct ranked){ row.priority,
					fsi_prio_maui_earlier(p, i),
					FSI_HAS(job, JOB, position) ? fsi_job_rare(p->m, job)->position : UINT32_MAX,
					i };
		if (isnan(row.priority))
			v[i].priority = v[i].earlier = -INFINITY;
	}
	if (fs_sort(v, n, sizeof(*v), compare, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		rows[i] = p->row.v[v[i].row];
		memcpy(values + i * VALUES, p->values + (size_t)v[i].row * VALUES,
		       VALUES * sizeof(*values));
	}
	if (n) {
		memcpy(p->row.v, rows, n * sizeof(*rows));
		memcpy(p->values, values, n * VALUES * sizeof(*values));
	}
	return 0;
}

/* The priority that row i had an iteration ago; v is the job's. A plan sorts by what it is now, since its waits are
 * those of the iteration before. */
static double earlier_priority(struct fs_prios *p, size_t i, const struct fsi_maui_view *v)
{
	struct fsi_maui_view before = *v;
	struct fs_prio_row row;
	const double waited = (double)p->m->info.time - fsi_maui_queued_since(v);

	if (!p->m->waited && waited > (double)v->conf->poll_s)
		before.unseen_s = (double)v->conf->poll_s;
	fsi_maui_job_factors(&before, p->values + i * VALUES);
	fsi_prio_row_init(&row, p->row.v[i].job);
	p->scheduler->row(p, i, &row);
	return row.priority;
}

/* Does the job wait for nothing but its turn: idle, not held, not blocked by a policy or a fair-share cap? */
static bool eligible(const fs_windows *w, const struct fsi_job *job, uint32_t i)
{
	struct fs_cap_row cap;

	return job->state == FSI_STATE_PENDING && !job->reason && !fs_windows_capped(w, i, &cap);
}

/* A job that was started in the iteration that first saw it has kept no time: it waits on. */
static double since_start(const struct fsi_maui_view *v)
{
	const double start = (double)v->job->start_time;

	return FSI_HAS(v->job, JOB, start_time) && start > fsi_maui_queued_since(v) ? (double)v->m->info.time - start
										     : 0;
}

/* The part of its time in the queue that does not count yet, or no longer: a blocked job counts with what it had waited
 * when nothing blocked it last, and where something always did with all of its time. */
static double unseen(const struct fsi_maui_view *v, uint32_t i)
{
	const double in_queue = (double)v->m->info.time - fsi_maui_queued_since(v);
	const uint32_t last = FSI_HAS(v->job, JOB, eligible_s) ? fsi_job_rare(v->m, v->job)->eligible_s : 0;

	if (v->conf->system_queue_time && v->m->waited && v->m->waited[i] != FS_UNKNOWN)
		return in_queue - (double)v->m->waited[i];
	if (v->job->state == FSI_STATE_RUNNING)
		return since_start(v);
	return last && !eligible(v->w, v->job, i) ? in_queue - last : 0;
}

static int add_job(struct fs_prios *p, const fs_windows *w, const struct fsi_maui_conf *c, uint32_t i, bool blocked_too)
{
	struct fsi_maui_view v = { .m = p->m, .w = w, .conf = c, .job = &p->m->job.v[i] };
	struct fs_prio_row row;
	const size_t start = p->row.n;

	if (fsi_prio_add_rows(p, i))
		return -1;
	fsi_job_creds(p->m, &w->w.creds, v.job, v.creds);
	v.unseen_s = unseen(&v, i);
	for (size_t k = start; k < p->row.n; k++) {
		const double earlier = earlier_priority(p, k, &v);

		fsi_maui_job_factors(&v, p->values + k * VALUES);
		p->values[k * VALUES + EARLIER] = earlier;
	}
	fsi_prio_row_init(&row, i);
	p->scheduler->row(p, start, &row);
	if (c->reject_negative && row.priority < 0 && !blocked_too && v.job->state == FSI_STATE_PENDING)
		p->row.n = start;
	return 0;
}

int fsi_maui_add_jobs(struct fs_prios *p, const fs_windows *w, const struct fsi_maui_conf *c,
		      const struct fs_prios_options *o)
{
	const bool blocked_too = o && o->blocked, running_too = o && o->running;
	int rc = 0;

	for (uint32_t i = 0; i < p->m->job.n && !rc; i++) {
		const struct fsi_job *job = &p->m->job.v[i];

		if (!fsi_prio_wanted(o, i))
			continue;
		if (job->state == FSI_STATE_RUNNING ? running_too
		    : blocked_too		    ? job->state == FSI_STATE_PENDING
						    : eligible(w, job, i))
			rc = add_job(p, w, c, i, blocked_too);
	}
	return rc ? rc : order_rows(p);
}
