/* A command names tasks of an array that have no job record of their own yet. If they are all that wait, their common
 * record is meant; else each gets one (src/slurmctld/job_mgr.c: update_job_str, job_array_split). */
#include "base/tasks.h"
#include "scenario/slurm/slurm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than MaxArraySize can be; as many records as nobody has. */
enum { MOST_TASKS = 4000001, MOST_RECORDS = 100000 };

enum fsi_tasks_named fsi_slurm_named(const fs_snapshot *m, const struct fsi_job *j, const char *named)
{
	const char *at = fsi_str(m, j->array_tasks);
	bool all = true, any = false;
	struct fsi_tasks t;
	int rc = 0;

	while ((rc = fsi_tasks_next(&at, &t)) > 0)
		for (uint64_t i = 0; i < fsi_tasks_count(&t) && t.last <= MOST_TASKS; i++) {
			const bool is = fsi_task_listed(named, t.first + i * t.step);

			all = all && is;
			any = any || is;
		}
	return !any ? FSI_NAMED_NONE : all && !rc ? FSI_NAMED_ALL : FSI_NAMED_SOME;
}

static uint32_t waiting_tasks(const fs_snapshot *m, uint64_t array)
{
	for (uint32_t i = 0; i < m->job.n; i++)
		if (m->job.v[i].array_job_id == array && m->job.v[i].array_tasks &&
		    m->job.v[i].state == FSI_STATE_PENDING)
			return i;
	return FSI_NO_INDEX;
}

/* What is left of a list, as the controller writes it. */
struct left {
	char text[4096];
	size_t len;
	uint64_t first, last, n; /* of the range that is not written yet; how many tasks in all */
	bool open, full;
};

static void put(struct left *l, const char *text)
{
	const size_t len = strlen(text);

	l->full = l->full || l->len + len >= sizeof(l->text);
	if (!l->full)
		memcpy(l->text + l->len, text, len + 1);
	l->len += l->full ? 0 : len;
}

static void close_range(struct left *l)
{
	char text[64];

	if (!l->open)
		return;
	snprintf(text, sizeof(text), l->first == l->last ? "%s%" PRIu64 : "%s%" PRIu64 "-%" PRIu64, l->len ? "," : "",
		 l->first, l->last);
	put(l, text);
	l->open = false;
}

static void keep(struct left *l, uint64_t task)
{
	if (l->open && task != l->last + 1)
		close_range(l);
	if (!l->open)
		l->first = task;
	l->last = task;
	l->open = true;
	l->n++;
}

/* Adds a job that is the same but for its id. */
static int add_copy(struct fsi_scenario *s, uint32_t row, uint64_t task)
{
	fs_snapshot *m = s->m;
	const struct fsi_job_rare rare = *fsi_job_rare(m, &m->job.v[row]);
	struct fsi_job *j;

	if (FSI_VEC_ROOM(&m->job))
		return fsi_nomem(s->err);
	j = &m->job.v[m->job.n];
	*j = m->job.v[row];
	j->rare = 0;
	if (m->job.v[row].rare) {
		if (!fsi_job_rare_own(m, j))
			return fsi_nomem(s->err);
		*fsi_job_rare_own(m, j) = rare;
	}
	j->id = m->job.v[m->job.n - 1].id + 1;
	j->array_task_id = (uint32_t)task;
	FSI_SET(j, JOB, array_task_id);
	FSI_FORGET(j, JOB, array_tasks);
	m->info.jobs = ++m->job.n;
	fsi_scenario_note(s, "task %" PRIu64 " of array %" PRIu64 " becomes job %" PRIu64, task, j->array_job_id,
			  j->id);
	return 0;
}

/* The last task that is left has a record of its own too. `rest` is what stands behind those that can be read. */
static int put_left(struct fsi_scenario *s, uint32_t row, struct left *l, const char *rest)
{
	struct fsi_job *j = &s->m->job.v[row];

	if (FSI_HAS(j, JOB, gpu_cpus)) { /* it is tested as if for the first time */
		FSI_CLEAR_RARE(s->m, j, gpu_cpus);
		FSI_CLEAR_RARE(s->m, j, size_factor);
	}
	close_range(l);
	if (*rest && *rest != '%')
		put(l, l->len ? "," : "");
	else if (l->n == 1) {
		j->array_task_id = (uint32_t)l->last;
		FSI_SET(j, JOB, array_task_id);
		FSI_FORGET(j, JOB, array_tasks);
		return 0;
	}
	put(l, rest);
	if (l->full)
		return fsi_scenario_refuse(s, "what is left of array %" PRIu64 " is a list too long", j->array_job_id);
	j->array_tasks = fsi_name(s->m, l->text);
	return j->array_tasks == FSI_INTERN_FAILED ? fsi_nomem(s->err) : 0;
}

/* Copies the job for each task that is named and keeps the others; *rest is then behind what can be read. */
static int sort_out(struct fsi_scenario *s, uint32_t row, const char *named, struct left *l, const char **rest)
{
	struct fsi_tasks t;
	int rc = 0;

	for (const char *at = *rest; !rc && fsi_tasks_next(&at, &t) > 0; *rest = at)
		for (uint64_t i = 0; i < fsi_tasks_count(&t) && !rc; i++) {
			const uint64_t task = t.first + i * t.step;

			if (fsi_task_listed(named, task))
				rc = add_copy(s, row, task);
			else
				keep(l, task);
		}
	return rc;
}

int fsi_slurm_split(struct fsi_scenario *s, uint64_t array, const char *named)
{
	const uint32_t row = waiting_tasks(s->m, array);
	struct left *l;
	int rc = 0;

	if (row == FSI_NO_INDEX || fsi_slurm_named(s->m, &s->m->job.v[row], named) != FSI_NAMED_SOME)
		return 0;
	if (fsi_count_tasks(named) > MOST_RECORDS)
		return fsi_scenario_refuse(s, "%u tasks are too many to get records of their own",
					   fsi_count_tasks(named));
	l = calloc(1, sizeof(*l));
	if (!l)
		return fsi_nomem(s->err);
	const char *rest = fsi_str(s->m, s->m->job.v[row].array_tasks);
	rc = sort_out(s, row, named, l, &rest);
	if (!rc)
		rc = put_left(s, row, l, rest);
	free(l);
	return rc;
}
