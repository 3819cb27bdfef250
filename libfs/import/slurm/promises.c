/* What the minutes promised to running jobs tell of the time T of the last calculation. Of an association
 *
 *   GrpTRESRunMins = floor(sum over its running jobs of amount * (limit - (T - start)) / 60)
 *
 * (priority_multifactor.c: _handle_assoc_tres_run_secs), which narrows T to a second as soon as a job holds 60 of
 * anything, memory for one. Where a usage factor is no whole number fractions were lost on the way, and from a job that
 * the controller found running at its start some versions have not taken off all: those tell nothing. */
#include "import/last_run.h"
#include "model/job/last_run.h"

#include <math.h>
#include <stdlib.h>

struct promised {
	uint32_t association, row;
};

static int cmp_promised(const void *x, const void *y)
{
	const struct promised *a = x, *b = y;

	return (a->association > b->association) - (a->association < b->association);
}

/* What the jobs of one association hold of one TRES, in which T is the only unknown: seconds * 60 are at_zero - per_s *
 * T, with T counted from the capture's clock. */
struct line {
	int64_t at_zero, per_s;
	int64_t last_start; /* the latest start among its jobs, counted from the same clock */
};

static int64_t whole_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->qos, &n);

	for (size_t i = 0; n && i < m->qos.n; i++)
		if (m->qos.v[i].name == names[0]) {
			const struct fsi_qos *q = &m->qos.v[i];
			const double f = FSI_HAS(q, QOS, usage_factor) ? q->usage_factor : 1;

			return f >= 0 && f <= 1000 && floor(f) == f ? (int64_t)f : -1;
		}
	return -1;
}

/* Adds the job; false when it makes the minutes useless. */
static bool add_job(const fs_snapshot *m, const struct fsi_job *job, uint32_t tres, struct line *l)
{
	const int64_t factor = whole_factor(m, job), start = job->start_time - m->head.time,
		      amount = fsi_amount_of(m, job->tres_alloc, tres) * factor;
	int64_t boot;

	if (factor < 0 || job->state != FSI_STATE_RUNNING || !FSI_HAS(job, JOB, start_time) ||
	    !FSI_HAS(job, JOB, time_limit_s) || FSI_SPECIAL(job, JOB, time_limit_s) ||
	    start + job->time_limit_s <= 0)
		return false;
	if (fs_slurm_has(m->info.version, FS_SLURM_PROMISES_AGAIN) &&
	    (!fsi_start_time(m, &boot) || job->start_time <= boot))
		return false;
	l->at_zero += amount * (start + job->time_limit_s);
	l->per_s += amount;
	if (start > l->last_start)
		l->last_start = start;
	return true;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && a < 0);
}

static int add_span(struct fsi_last_run *x, const fs_snapshot *m, const struct line *l, int64_t minutes)
{
	const int64_t minute_s = 60, min = minutes * minute_s, max = min + minute_s - 1;
	struct fsi_last_run_span s;

	if (l->per_s <= 0)
		return 0;
	s.from = -floor_divide(-(l->at_zero - max), l->per_s);
	s.to = floor_divide(l->at_zero - min, l->per_s);
	if (s.from > s.to || s.from <= l->last_start)
		return 0;
	if (FSI_VEC_ROOM(&x->spans))
		return -1;
	x->spans.v[x->spans.n++] =
		(struct fsi_last_run_span){ s.from + m->head.time, s.to + m->head.time };
	return 0;
}

static int add_association(struct fsi_last_run *x, const fs_snapshot *m, uint32_t minutes,
			   const struct promised *p, size_t n)
{
	size_t tres;
	const struct fsi_amount *a = fsi_amounts(m, minutes, &tres);

	for (size_t k = 0; k < tres; k++) {
		struct line l = { .last_start = INT64_MIN };
		bool whole = true;

		for (size_t i = 0; whole && i < n; i++)
			whole = add_job(m, &m->job.v[p[i].row], a[k].tres, &l);
		if (whole && add_span(x, m, &l, a[k].n))
			return -1;
	}
	return 0;
}

/* Lists jobs that hold something by association; false where the association has no such job that is known. */
static bool list_jobs(const fs_snapshot *m, struct promised *p, size_t *n)
{
	*n = 0;
	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];

		if (job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED)
			continue;
		if (!FSI_HAS(job, JOB, association) || !job->association)
			return false;
		p[(*n)++] = (struct promised){ job->association, i };
	}
	qsort(p, *n, sizeof(*p), cmp_promised);
	return true;
}

static size_t first_of(const struct promised *p, size_t n, uint32_t association)
{
	size_t lo = 0;

	while (lo < n) {
		const size_t mid = lo + (n - lo) / 2;

		if (p[mid].association < association)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

int fsi_last_run_promises(struct fsi_last_run *x, const fs_snapshot *m)
{
	struct promised *p = malloc((m->job.n + 1) * sizeof(*p));
	size_t n;
	int rc = p ? 0 : -1;

	if (p && list_jobs(m, p, &n))
		for (size_t i = 0; !rc && i < m->association.n; i++) {
			const struct fsi_association *a = &m->association.v[i];
			const size_t first = a->user ? first_of(p, n, a->id) : n;
			size_t end = first;

			while (end < n && p[end].association == a->id)
				end++;
			if (end > first && FSI_HAS(a, ASSOCIATION, run_by_tres_min))
				rc = add_association(x, m, a->run_by_tres_min, p + first, end - first);
		}
	free(p);
	return rc;
}
