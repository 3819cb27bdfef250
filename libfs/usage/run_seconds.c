#include "usage/usage.h"

static double usage_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	size_t n;
	const uint32_t *names = fsi_list(m, job->qos, &n);
	const struct fsi_qos *q = n ? fsi_qos_find(m, names[0]) : NULL;

	return q && FSI_HAS(q, QOS, usage_factor) ? q->usage_factor : 1;
}

/* What is left of its time limit, in seconds; 0 for one that does not run or has no limit. */
static int64_t seconds_left(const fs_snapshot *m, const struct fsi_job *job)
{
	const int64_t now = m->info.priority_time;
	int64_t ran;

	if ((job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED) ||
	    !FSI_HAS(job, JOB, time_limit_s) || !FSI_HAS(job, JOB, start_time))
		return 0;
	ran = now > job->start_time ? now - job->start_time : 0;
	return ran < job->time_limit_s ? job->time_limit_s - ran : 0;
}

double fsi_run_seconds(const fs_snapshot *m, const struct fsi_job *job)
{
	return (double)seconds_left(m, job) * usage_factor(m, job);
}

static double promised(const fs_snapshot *m, uint32_t i, uint32_t tres)
{
	double sum = 0;

	for (size_t k = 0; k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];
		const double left = fsi_run_seconds(m, job);
		const uint32_t a = left > 0 ? fsi_job_assoc(m, job) : FSI_NO_INDEX;

		if (a != FSI_NO_INDEX && a >= i && a < m->tree[i].end)
			sum += (double)fsi_amount_of(m, job->tres_alloc, tres) * left;
	}
	return sum;
}

int fsi_run_tres_seconds(const fs_snapshot *m, uint32_t i, double *out, size_t max)
{
	const struct fsi_association *a = &m->association.v[i];

	if (!FSI_HAS(a, ASSOCIATION, run_by_tres_min))
		return -1;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k] = promised(m, i, tres);
		if ((int64_t)(out[k] / 60) != fsi_amount_of(m, a->run_by_tres_min, tres))
			return -1;
	}
	return (int)m->tres.n;
}
