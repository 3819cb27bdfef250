/* What a job id on a command line stands for (Slurm: src/common/proc_args.c, slurm_parse_array_tok and
 * unfmt_job_id_string: "28_3" a task, "31+1" a component). */
#include "model/job/word.h"

#include "base/num.h"
#include "base/tasks.h"
#include "model/scheduler.h"

#include <string.h>

int fsi_job_word_parse(const fs_snapshot *m, const char *s, struct fsi_job_word *w)
{
	const char *end = s + strcspn(s, "_+");

	*w = (struct fsi_job_word){ .of_array = *end == '_' };
	if (m->scheduler->parse_job_id && !m->scheduler->parse_job_id(s, &w->id))
		return 0;
	if (fsi_parse_u64(s, (size_t)(end - s), &w->id))
		return -1;
	w->has_offset = *end == '+';
	w->has_task = *end == '_' && end[1] != '[' && end[1] != '*';
	if (w->has_offset)
		return fsi_parse_u64(end + 1, strlen(end + 1), &w->offset);
	return w->has_task ? fsi_parse_u64(end + 1, strlen(end + 1), &w->task) : 0;
}

static int fit_task(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_word *w)
{
	if (j->array_job_id != w->id)
		return 0;
	if (FSI_HAS(j, JOB, array_task_id))
		return j->array_task_id == w->task ? 3 : 0;
	return fsi_task_listed(fsi_str(m, j->array_tasks), w->task) ? 2 : 0;
}

int fsi_job_word_fit(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_word *w)
{
	const struct fsi_job_rare *rare = fsi_job_rare(m, j);
	const bool split = FSI_HAS(j, JOB, array_task_id);

	if (j->state == FSI_STATE_FUTURE)
		return 0;
	if (w->has_offset)
		return rare->het_job_id == w->id && FSI_HAS(j, JOB, het_offset) && rare->het_offset == w->offset ? 3
														 : 0;
	if (w->has_task)
		return fit_task(m, j, w);
	if (j->id == w->id && (!w->of_array || !split))
		return 3;
	return w->id && j->array_job_id == w->id ? (split ? 1 : 2) : 0;
}

uint32_t fsi_job_word_row(const fs_snapshot *m, const struct fsi_job_word *w)
{
	const uint32_t row = w->has_task || w->has_offset ? FSI_NO_INDEX : fsi_job_row(m, w->id);

	return row != FSI_NO_INDEX && fsi_job_word_fit(m, &m->job.v[row], w) == 3 ? row : FSI_NO_INDEX;
}

uint32_t fsi_job_word_find(const fs_snapshot *m, const struct fsi_job_word *w)
{
	uint32_t found = fsi_job_word_row(m, w);
	int best = found == FSI_NO_INDEX ? 0 : 3;

	for (uint32_t i = 0; i < m->job.n && best < 3; i++) {
		const int f = fsi_job_word_fit(m, &m->job.v[i], w);

		if (f > best) {
			best = f;
			found = i;
		}
	}
	return found;
}
