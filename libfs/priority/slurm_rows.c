/* Rows of the multifactor plugin.
 *
 * Which jobs (priority_multifactor.c:_foreach_priority_factor_job): pending (with CALCULATE_RUNNING all), not held,
 * eligible at the snapshot's time. One row for each partition, tiers falling, and QOS of its list. */
#include "priority/slurm.h"

/* The plugin asks for the state below the flags. What is shown as COMPLETING and has not started was requeued, and is
 * pending while its nodes are cleared (job_mgr.c:pack_job tells a start that is past only of jobs that have
 * started). */
static bool pending(const struct fs_prios *p, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING ||
	       (job->state == FSI_STATE_COMPLETING &&
		(!FSI_HAS(job, JOB, start_time) || job->start_time > p->m->info.time));
}

static bool listed(const struct fs_prios *p, const struct fsi_job *job)
{
	const struct fsi_slurm_conf *c = &fsi_slurm_of(p)->conf;

	if (fsi_slurm_of(p)->told)
		return true;
	if (job->state == FSI_STATE_REVOKED)
		return false;
	if (!pending(p, job) && !c->calculate_running)
		return false;
	if (FSI_HAS(job, JOB, priority) && !job->priority)
		return false;
	if (c->accrue_always)
		return FSI_HAS(job, JOB, submit_time) && job->submit_time <= p->now;
	return fsi_slurm_job_begins(p->m, job, p->now);
}

static uint32_t tier(const fs_snapshot *m, uint32_t partition)
{
	return partition == FSI_NO_INDEX ? 0 : m->partition.v[partition].tier;
}

/* Is the tier of a row unknown, but the order of the job's partitions told? Then the rows stand in it. */
static bool order_is_told(const struct fs_prios *p, size_t start)
{
	bool unknown = false;

	for (size_t i = start; i < p->row.n; i++)
		unknown = unknown || p->row.v[i].partition == FSI_NO_INDEX;
	return unknown && FSI_HAS(&p->m->job.v[p->row.v[start].job], JOB, row_order);
}

/* Rows from `start` on are one job's: stable insertion sort by tier, then QOS priority, both falling. */
static void order_rows(struct fs_prios *p, size_t start)
{
	const bool told = start < p->row.n && order_is_told(p, start);

	for (size_t i = start + 1; i < p->row.n; i++) {
		const struct fsi_prio_row r = p->row.v[i];
		size_t k = i;

		for (; k > start; k--) {
			const struct fsi_prio_row *q = &p->row.v[k - 1];
			const uint32_t a = told ? 0 : tier(p->m, q->partition), b = told ? 0 : tier(p->m, r.partition);

			if (a > b ||
			    (a == b && (q->partition_name != r.partition_name ||
					fsi_qos_priority(p->m, q->qos) >= fsi_qos_priority(p->m, r.qos))))
				break;
			p->row.v[k] = *q;
		}
		p->row.v[k] = r;
	}
}

int fsi_slurm_add_jobs(struct fs_prios *p, const struct fs_prios_options *o)
{
	for (uint32_t i = 0; i < p->m->job.n; i++) {
		const size_t start = p->row.n;

		if (!fsi_prio_wanted(o, i) || !listed(p, &p->m->job.v[i]))
			continue;
		if (fsi_prio_add_rows(p, i))
			return -1;
		order_rows(p, start);
	}
	return 0;
}
