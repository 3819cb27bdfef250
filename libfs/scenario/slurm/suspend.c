/* scontrol suspend and resume (src/slurmctld/job_mgr.c: job_suspend2, _job_suspend_op). Unless it takes turns with
 * others, a suspended job gives its CPUs to them and keeps the rest of its nodes (select/cons_tres:
 * select_p_job_suspend); its time stands still. */
#include "scenario/slurm/slurm.h"

#include <string.h>

static int refuse(struct fsi_scenario *s, const struct fsi_job *j, const char *why)
{
	return fsi_scenario_refuse(s, "job %llu %s", (unsigned long long)j->id, why);
}

static int move_cpus(struct fsi_scenario *s, const struct fsi_job *j, bool back)
{
	const char *mode = fs_snapshot_config_text(s->m, "PreemptMode");

	return mode && (strstr(mode, "SUSPEND") || strstr(mode, "GANG")) ? 0 : fsi_scenario_move_cpus(s, j, back);
}

/* Records that the job is suspended or resumed now, after having run so long. -1 without memory. */
static int note_run(struct fsi_scenario *s, struct fsi_job *j, int64_t ran)
{
	if (ran == FS_UNKNOWN || ran > UINT32_MAX) {
		FSI_CLEAR_RARE(s->m, j, pre_suspend_s);
		FSI_CLEAR_RARE(s->m, j, suspend_time);
		return 0;
	}
	if (FSI_SET_RARE(s->m, j, suspend_time, s->m->info.time))
		return -1;
	return FSI_SET_RARE(s->m, j, pre_suspend_s, (uint32_t)ran);
}

static int stop_clock(struct fsi_scenario *s, struct fsi_job *j)
{
	return note_run(s, j, fsi_job_ran_s(s->m, j));
}

/* The rest of the time limit runs from now on. */
static int start_clock(struct fsi_scenario *s, struct fsi_job *j)
{
	const int64_t ran = fsi_job_ran_s(s->m, j);

	if (ran == FS_UNKNOWN)
		fsi_scenario_note(s,
				  "%sits end is later than is shown by the time that it stood still, which is not known here",
				  fsi_scenario_of_job(s, j));
	else if (FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		FSI_PUT(j, JOB, end_time, s->m->info.time + j->time_limit_s - ran);
	return note_run(s, j, ran);
}

static int suspend_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (j->state != FSI_STATE_RUNNING)
		return refuse(s, j, "does not run");
	fsi_scenario_note_who(s, FSI_OPERATOR, 0, 0, fsi_scenario_of_job(s, j));
	fsi_scenario_note(s, "%sits time stands still: until it is resumed its end is later than is shown",
			  fsi_scenario_of_job(s, j));
	if (stop_clock(s, j))
		return fsi_nomem(s->err);
	j->state = FSI_STATE_SUSPENDED;
	j->priority = 0;
	FSI_SET(j, JOB, priority);
	fsi_slurm_forget_all_recorded(s);
	return move_cpus(s, j, false);
}

static int resume_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	(void)ctx;
	if (j->state != FSI_STATE_SUSPENDED)
		return refuse(s, j, "is not suspended");
	fsi_scenario_note_who(s, FSI_OPERATOR, 0, 0, fsi_scenario_of_job(s, j));
	if (start_clock(s, j))
		return fsi_nomem(s->err);
	j->state = FSI_STATE_RUNNING;
	FSI_FORGET(j, JOB, priority);
	fsi_slurm_forget_all_recorded(s);
	return move_cpus(s, j, true);
}

int fsi_slurm_suspend(struct fsi_scenario *s, size_t at)
{
	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, suspend_job, NULL);
}

int fsi_slurm_resume(struct fsi_scenario *s, size_t at)
{
	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, resume_job, NULL);
}
