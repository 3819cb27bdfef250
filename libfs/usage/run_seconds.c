/* Seconds promised to running jobs (src/slurmctld/acct_policy.c:acct_policy_job_begin adds the time limit, src/plugins/
 * priority/multifactor/priority_multifactor.c:_apply_new_usage takes off what has run). Both are multiplied by the
 * usage factor of the job's QOS and lose the fraction: at the start the limit, then at each calculation the seconds
 * since the one before; never under priority/basic, which has no calculation. A controller that is started again
 * promises once more, and takes off at once what ran until the last calculation of the one before, which some versions
 * forget (FS_SLURM_PROMISES_AGAIN). */
#include "model/job/last_run.h"
#include "model/slurm/conf.h"
#include "usage/billing.h"
#include "usage/usage.h"

#include <math.h>

static double usage_factor(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_usage_factor(fsi_first_qos(m, job));
}

static double taken_off(const fs_snapshot *m, double ran, double factor)
{
	const double period = (double)fsi_calc_period(m);
	const double whole = floor(ran / period);

	return trunc((ran - whole * period) * factor) + whole * trunc(period * factor);
}

/* Was the job promised its limit again, without what it had run? */
static bool promised_again(const fs_snapshot *m, const struct fsi_job *job)
{
	int64_t boot;

	return fsi_is_multifactor(m) && fs_slurm_has(m->info.version, FS_SLURM_PROMISES_AGAIN) &&
	       (!fsi_start_time(m, &boot) || job->start_time <= boot);
}

double fsi_run_seconds(const fs_snapshot *m, const struct fsi_job *job)
{
	const double ran = (double)(m->info.priority_time - job->start_time),
		     limit = (double)job->time_limit_s, factor = usage_factor(m, job);

	if ((job->state != FSI_STATE_RUNNING && job->state != FSI_STATE_SUSPENDED) ||
	    !FSI_HAS(job, JOB, time_limit_s) || !FSI_HAS(job, JOB, start_time) || ran >= limit)
		return 0;
	if (promised_again(m, job))
		return NAN;
	return trunc(limit * factor) - (ran > 0 && fsi_is_multifactor(m) ? taken_off(m, ran, factor) : 0);
}

static double promised(const fs_snapshot *m, uint32_t i, uint32_t tres)
{
	double sum = 0;

	for (size_t k = 0; k < m->job.n; k++) {
		const struct fsi_job *job = &m->job.v[k];
		const int64_t amount = fsi_amount_of(m, job->tres_alloc, tres);
		const double left = amount ? fsi_run_seconds(m, job) : 0;
		const uint32_t a = left > 0 || isnan(left) ? fsi_job_assoc(m, job) : FSI_NO_INDEX;

		if (a != FSI_NO_INDEX && a >= i && a < m->tree[i].end)
			sum += (double)amount * left;
	}
	return sum;
}

int fsi_run_tres_seconds(const fs_snapshot *m, uint32_t i, double *out, size_t max)
{
	const struct fsi_association *a = &m->association.v[i];

	if (!FSI_HAS(a, ASSOCIATION, run_by_tres_min))
		return FS_ENODATA;
	for (size_t k = 0; k < m->tres.n && k < max; k++) {
		const uint32_t tres = m->tres.v[k].name;

		out[k] = promised(m, i, tres);
		if (trunc(out[k] / 60) != (double)fsi_amount_of(m, a->run_by_tres_min, tres)) /* true of NAN, too */
			return FS_ENODATA;
	}
	return (int)m->tres.n;
}
