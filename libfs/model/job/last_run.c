/* When Slurm's decay thread ran (src/plugins/priority/multifactor/priority_multifactor.c:_decay_thread): at the
 * controller's start, then each PriorityCalcPeriod, counted from the start and not from the last run's end.
 * BOOT_TIME is a little earlier than the thread's start, by what it took to load the controller's state. */
#include "model/job/last_run.h"

enum { DEFAULT_PERIOD_S = 300 };

int64_t fsi_calc_period(const fs_snapshot *m)
{
	const int64_t period_s = fsi_config_int(m, "PriorityCalcPeriod", DEFAULT_PERIOD_S);

	return period_s > 0 ? period_s : DEFAULT_PERIOD_S;
}

bool fsi_start_time(const fs_snapshot *m, int64_t *out)
{
	const struct fsi_config_entry *e = fsi_config_find(m, "BOOT_TIME");

	if (!e || e->kind != FSI_CONFIG_INT || e->i < 0 || e->i > m->head.time)
		return false;
	*out = e->i;
	return true;
}

bool fsi_run_by_start(const fs_snapshot *m, int64_t *out)
{
	const int64_t period_s = fsi_calc_period(m);
	int64_t start;

	if (!fsi_start_time(m, &start))
		return false;
	*out = start + (m->head.time - start) / period_s * period_s;
	return true;
}

void fsi_set_last_run(fs_snapshot *m)
{
	struct fs_snapshot_info *i = &m->info;
	const bool told = FSI_HAS(&m->head, SNAPSHOT, priority_time);
	const bool before = FSI_HAS(&m->head, SNAPSHOT, priority_time_before);

	i->priority_time = told ? m->head.priority_time : m->head.time;
	i->priority_time_known = told || fsi_run_by_start(m, &i->priority_time);
	i->priority_time_from = told ? fsi_str(m, m->head.priority_time_from)
				: i->priority_time_known ? FSI_RUN_FROM_START
							 : "";
	i->priority_time_error_s = told && FSI_HAS(&m->head, SNAPSHOT, priority_time_error_s)
					   ? m->head.priority_time_error_s
					   : FS_UNKNOWN;
	i->priority_time_before = before ? m->head.priority_time_before
					 : i->priority_time - fsi_calc_period(m);
	i->priority_time_before_from = before ? fsi_str(m, m->head.priority_time_before_from)
					      : FSI_RUN_FROM_PERIOD;
	i->priority_time_before_error_s =
		before && FSI_HAS(&m->head, SNAPSHOT, priority_time_before_error_s)
			? m->head.priority_time_before_error_s
			: FS_UNKNOWN;
	i->shares_time = FSI_HAS(&m->head, SNAPSHOT, shares_time) ? m->head.shares_time : m->head.time;
}

bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job)
{
	int64_t start;

	return fsi_job_finished(job) &&
	       (!fsi_start_time(m, &start) || !FSI_HAS(job, JOB, end_time) || job->end_time <= start);
}
