/* scancel and scontrol requeue (src/slurmctld/job_mgr.c: job_signal_id, _job_requeue_op, batch_requeue_fini). */
#include "scenario/slurm.h"

#include <stdlib.h>
#include <string.h>

static int cancel_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (fsi_job_finished(j))
		return 0;
	fsi_scenario_only(s, FSI_OWNER, j->user, j->account, fsi_slurm_of_job(s, j));
	return fsi_scenario_cancel(s, j);
}

int fsi_slurm_scancel(struct fsi_scenario *s, size_t at)
{
	for (size_t i = at; i < s->n; i++)
		if (s->word[i][0] == '-')
			return fsi_scenario_refuse(s, "scancel takes job ids here, not %.60s", s->word[i]);
	return fsi_slurm_each_word(s, at, cancel_job, NULL);
}

/* ---- scontrol requeue */

/* How long a job that is requeued waits at least: until the credentials of its last run are void
 * (src/slurmctld/job_mgr.c: batch_requeue_fini; src/common/slurm_cred.c), unless requeue_delay says it, from 25.11. */
static int64_t requeue_delay(const fs_snapshot *m)
{
	static const char key[] = "requeue_delay=";
	const int64_t credential_s = 120;
	const char *params = fs_snapshot_config_text(m, "SchedulerParameters");
	const char *told = params && m->info.version >= FS_SLURM_VERSION(25, 11) ? strstr(params, key) : NULL;

	return told ? strtol(told + strlen(key), NULL, 10) : credential_s + 1;
}

static int requeue_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (j->state == FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is pending already", (unsigned long long)j->id);
	if (fsi_job_finished(j))
		return fsi_scenario_refuse(s, "job %llu has ended: what it asked for is not known any more", (unsigned long long)j->id);
	fsi_scenario_only(s, FSI_OWNER, j->user, j->account, fsi_slurm_of_job(s, j));
	fsi_scenario_note(s, "%sonly a batch job that may be requeued", fsi_slurm_of_job(s, j));
	if (fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	j->state = FSI_STATE_PENDING;
	j->submit_time = s->m->info.time;
	j->eligible_time = s->m->info.time + requeue_delay(s->m);
	j->restarts++;
	FSI_SET(j, JOB, submit_time);
	FSI_SET(j, JOB, eligible_time);
	FSI_SET(j, JOB, restarts);
	FSI_FORGET(j, JOB, accrue_time);
	FSI_FORGET(j, JOB, accruing);
	FSI_FORGET(j, JOB, tres_alloc);
	FSI_FORGET(j, JOB, node_list);
	FSI_FORGET(j, JOB, looked_at_by);
	fsi_slurm_untold(s, j);
	return 0;
}

int fsi_slurm_requeue(struct fsi_scenario *s, size_t at)
{
	return fsi_slurm_each_word(s, at, requeue_job, NULL);
}
