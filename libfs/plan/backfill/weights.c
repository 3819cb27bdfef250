/* The weights with which a cycle begins. What GPUs made of them stays from one cycle to the next, until the main
 * scheduler tries a job of their partitions (src/slurmctld/node_scheduler.c: _sync_node_weight). It runs every
 * sched_interval, and some seconds after jobs were submitted or ended (batch_sched_delay). So seen with a 22.05.8.
 *
 * Where all is quiet and sched_interval is more than twice bf_interval it has more likely not run since the last cycle:
 * that one is taken to have been like this one. */
#include "plan/run.h"

static bool asks_for_gpus(const struct fs_plan *p)
{
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].state == FSI_STATE_PENDING && fsi_job_asks(m, &m->job.v[i], p->c.requests.gpu) > 0)
			return true;
	return false;
}

/* Was a job submitted or started, or did one end, long enough before the cycle for the main scheduler to have run? */
static bool stirred(const struct fs_plan *p)
{
	const int64_t delay_s = 3, from = p->c.now - p->params.interval_s, to = p->c.now - delay_s;
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool waits = j->state == FSI_STATE_PENDING, runs = j->state == FSI_STATE_RUNNING;

		if ((FSI_HAS(j, JOB, submit_time) && j->submit_time >= from && j->submit_time < to) ||
		    (!waits && FSI_HAS(j, JOB, start_time) && j->start_time >= from && j->start_time < to) ||
		    (!waits && !runs && FSI_HAS(j, JOB, end_time) && j->end_time >= from && j->end_time < to))
			return true;
	}
	return false;
}

bool fsi_plan_carries_weights(const struct fs_plan *p)
{
	return p->found.choice.keeps_weights && p->params.main_interval_s > 2 * p->params.interval_s && !stirred(p) &&
	       asks_for_gpus(p);
}
