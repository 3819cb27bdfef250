/* Jobs by the ids that commands take. */
#include "model/job/word.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* 12, 12_3 a task of an array, 12+1 a component of a het job. */
static int parse(const fs_snapshot *m, const char *text, size_t len, struct fsi_job_word *out)
{
	char word[64];

	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
	return fsi_job_word_parse(m, word, out) || out->of_array != out->has_task ? -1 : 0;
}

/* The id of a het job, which is its first component's, means all of them (src/slurmctld/job_mgr.c: update_job_str). */
static bool is(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_word *name)
{
	if (name->has_task || name->has_offset)
		return fsi_job_word_fit(m, j, name) == 3;
	return j->id == name->id || (FSI_HAS(j, JOB, array_job_id) && j->array_job_id == name->id) ||
	       (name->id && fsi_job_rare(m, j)->het_job_id == name->id);
}

/* fn may take the job away. */
static int each(struct fsi_scenario *s, const struct fsi_job_word *name, fsi_job_edit_fn fn, void *ctx, size_t *found)
{
	fs_snapshot *m = s->m;
	int rc = 0;

	for (size_t i = m->job.n; i-- && !rc;)
		if (is(m, &m->job.v[i], name)) {
			(*found)++;
			rc = fn(s, &m->job.v[i], ctx);
		}
	return rc;
}

int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, fsi_job_edit_fn fn, void *ctx)
{
	int rc = 0;

	if (!*list)
		return fsi_scenario_refuse(s, "a job id is expected");
	for (; *list && !rc; list += strspn(list, ",")) {
		const size_t len = strcspn(list, ",");
		const int shown = (int)(len < 60 ? len : 60);
		struct fsi_job_word name;
		size_t found = 0;

		if (parse(s->m, list, len, &name))
			return fsi_scenario_refuse(s, "\"%.*s\" is no job id", shown, list);
		rc = each(s, &name, fn, ctx, &found);
		fsi_scenario_close_up(s);
		if (!rc && !found)
			rc = fsi_scenario_refuse(s, "job %.*s is not in the snapshot%s", shown, list,
						 name.of_array ? " by itself: its array has not split it off" : "");
		list += len;
	}
	return rc;
}

bool fsi_slurm_held(const struct fsi_job *j)
{
	return j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT ||
	       (FSI_HAS(j, JOB, priority) && !j->priority);
}
