/* scontrol hold, uhold and release (src/slurmctld/job_mgr.c: _update_job). */
#include "scenario/slurm/slurm.h"

#include <string.h>

static void only(struct fsi_scenario *s, const struct fsi_job *j, enum fsi_who who)
{
	fsi_scenario_note_who(s, who, j->user, j->account, fsi_scenario_of_job(s, j));
}

struct hold {
	const char *reason; /* that the job has then */
};

void fsi_slurm_hold_for(struct fsi_scenario *s, struct fsi_job *j, uint32_t reason)
{
	j->reason = reason;
	FSI_SET(j, JOB, reason);
	j->priority = 0;
	FSI_SET(j, JOB, priority);
	FSI_FORGET(j, JOB, priority_set);
	FSI_FORGET(j, JOB, eligible_time);
	fsi_slurm_age(s, j, FSI_AGE_LOST);
	fsi_slurm_forget_recorded(s, j);
}

static int hold_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const struct hold *h = ctx;
	const uint32_t reason = fsi_name(s->m, h->reason);

	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is not pending", (unsigned long long)j->id);
	if (reason == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	only(s, j, FSI_OWNER);
	fsi_slurm_hold_for(s, j, reason);
	return 0;
}

static int release_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const bool by_admin = !strncmp(fsi_str(s->m, j->reason), "JobHeldAdmin", strlen("JobHeldAdmin"));

	(void)ctx;
	if (!fsi_slurm_held(j)) {
		fsi_scenario_note(s, "%sit is not held", fsi_scenario_of_job(s, j));
		return 0;
	}
	only(s, j, by_admin ? FSI_OPERATOR : FSI_OWNER);
	j->state = FSI_STATE_PENDING;
	FSI_FORGET(j, JOB, priority);
	FSI_FORGET(j, JOB, priority_set);
	if (!FSI_HAS(j, JOB, eligible_time) && !j->dependency) {
		j->eligible_time = s->m->info.time;
		FSI_SET(j, JOB, eligible_time);
	}
	fsi_slurm_age(s, j, FSI_AGE_LOST);
	fsi_slurm_forget_recorded(s, j);
	return 0;
}

int fsi_slurm_each_word(struct fsi_scenario *s, size_t at, enum fsi_tasks_are tasks, fsi_job_edit_fn fn, void *ctx)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "a job id is expected");

	for (; at < s->n && !rc; at++) {
		const char *word = s->word[at], *equals = strchr(word, '=');
		const bool named = equals && fsi_same_any_case(word, (size_t)(equals - word), "JobId");

		rc = fsi_slurm_each_job(s, named ? equals + 1 : word, tasks, fn, ctx);
	}
	return rc;
}

int fsi_slurm_hold(struct fsi_scenario *s, size_t at)
{
	struct hold h = { fsi_scenario_may(s, FSI_OPERATOR, 0, 0) ? "JobHeldAdmin" : "JobHeldUser" };

	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, hold_job, &h);
}

int fsi_slurm_uhold(struct fsi_scenario *s, size_t at)
{
	struct hold h = { "JobHeldUser" };

	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, hold_job, &h);
}

int fsi_slurm_release(struct fsi_scenario *s, size_t at)
{
	return fsi_slurm_each_word(s, at, FSI_TASKS_APART, release_job, NULL);
}
