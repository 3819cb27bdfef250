/* Jobs by the ids that commands take. */
#include "base/tasks.h"
#include "model/job/word.h"
#include "scenario/slurm/slurm.h"

#include <stdio.h>
#include <string.h>

/* 12, 12_3 and 12_[3,5-7] tasks of an array, 12+1 a component of a het job. */
struct name {
	struct fsi_job_word word;
	char tasks[FSI_COMMAND_MAX]; /* "": it names none */
};

static bool is_list(const char *tasks)
{
	struct fsi_tasks t;
	int rc;

	while ((rc = fsi_tasks_next(&tasks, &t)) > 0)
		;
	return !rc;
}

static int parse(const fs_snapshot *m, const char *text, size_t len, struct name *out)
{
	const char *under = memchr(text, '_', len), *tasks = under ? under + 1 : text + len, *end = text + len;
	const bool bracket = end - tasks > 1 && *tasks == '[' && end[-1] == ']';
	char word[64];

	snprintf(out->tasks, sizeof(out->tasks), "%.*s", (int)(end - tasks) - 2 * bracket, tasks + bracket);
	if (under && (!*out->tasks || !is_list(out->tasks)))
		return -1;
	len = under ? (size_t)(under - text) : len;
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1), text);
	return fsi_job_word_parse(m, word, &out->word);
}

/* The id of a het job, which is its first component's, means all of them (src/slurmctld/job_mgr.c: update_job_str), but
 * not to scontrol top, which takes no 12+1 (job_set_top). */
static bool is(const fs_snapshot *m, const struct fsi_job *j, const struct name *name, enum fsi_tasks_are tasks)
{
	const uint64_t id = name->word.id;
	const bool top = tasks == FSI_TASKS_TOGETHER;

	if (name->word.has_offset)
		return !top && fsi_job_word_fit(m, j, &name->word) == 3;
	if (!*name->tasks)
		return j->id == id || (FSI_HAS(j, JOB, array_job_id) && j->array_job_id == id) ||
		       (id && !top && fsi_job_rare(m, j)->het_job_id == id);
	if (j->array_job_id != id)
		return false;
	if (FSI_HAS(j, JOB, array_task_id))
		return fsi_task_listed(name->tasks, j->array_task_id);
	const enum fsi_tasks_named named = fsi_slurm_named(m, j, name->tasks);

	return named == FSI_NAMED_ALL || (named && top);
}

/* fn may take the job away. */
static int each(struct fsi_scenario *s, const struct name *name, enum fsi_tasks_are tasks, fsi_job_edit_fn fn,
		void *ctx, size_t *found)
{
	fs_snapshot *m = s->m;
	int rc = *name->tasks && tasks == FSI_TASKS_APART ? fsi_slurm_split(s, name->word.id, name->tasks) : 0;

	for (size_t i = m->job.n; i-- && !rc;)
		if (is(m, &m->job.v[i], name, tasks)) {
			*found += !*name->tasks || FSI_HAS(&m->job.v[i], JOB, array_task_id)
					  ? 1
					  : fsi_count_tasks(fsi_str(m, m->job.v[i].array_tasks));
			rc = fn(s, &m->job.v[i], ctx);
		}
	return rc;
}

/* To the comma behind the next name: "12_[3,5],14". */
static size_t name_len(const char *list)
{
	const size_t len = strcspn(list, ",["), inside = list[len] == '[' ? strcspn(list + len, "]") : 0;

	return len + inside + strcspn(list + len + inside, ",");
}

int fsi_slurm_each_job(struct fsi_scenario *s, const char *list, enum fsi_tasks_are tasks, fsi_job_edit_fn fn,
		       void *ctx)
{
	struct name *name = fsi_arena_array(&s->arena, 1, sizeof(*name));
	int rc = name ? 0 : fsi_nomem(s->err);

	if (!*list)
		return fsi_scenario_refuse(s, "a job id is expected");
	for (; *list && !rc; list += strspn(list, ",")) {
		const size_t len = name_len(list);
		const int shown = (int)(len < 60 ? len : 60);
		size_t found = 0;

		if (parse(s->m, list, len, name))
			return fsi_scenario_refuse(s, "\"%.*s\" is no job id", shown, list);
		rc = each(s, name, tasks, fn, ctx, &found);
		fsi_scenario_close_up(s);
		if (!rc && !found)
			rc = fsi_scenario_refuse(s, "job %.*s is not in the snapshot", shown, list);
		else if (!rc && *name->tasks && tasks == FSI_TASKS_APART && found < fsi_count_tasks(name->tasks))
			fsi_scenario_note(s, "not all tasks of %.*s are in the snapshot", shown, list);
		list += len;
	}
	return rc;
}

bool fsi_slurm_held(const struct fsi_job *j)
{
	return j->state == FSI_STATE_REQUEUE_HOLD || j->state == FSI_STATE_SPECIAL_EXIT ||
	       (FSI_HAS(j, JOB, priority) && !j->priority);
}
