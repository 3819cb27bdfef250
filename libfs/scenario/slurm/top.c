/* scontrol top (src/slurmctld/job_mgr.c: job_set_top, _set_top). */
#include "scenario/slurm/slurm.h"

#include <string.h>

enum { MAX_TOP = 512 };

struct top {
	struct fsi_scenario *s;
	struct fsi_job *job[MAX_TOP]; /* as they are named */
	size_t n;
	/* those they may change places with, in the order of the controller's list, which is by id */
	struct fsi_job **other;
	size_t nother;
	uint32_t *priority; /* of all of them, highest first */
};

static int add_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	struct top *t = ctx;
	size_t n;

	(void)s;
	fsi_list(t->s->m, j->partitions, &n);
	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(t->s, "job %llu is not pending", (unsigned long long)j->id);
	if (n > 1)
		return fsi_scenario_refuse(t->s, "job %llu asks for several partitions: it cannot be moved to the top", (unsigned long long)j->id);
	if (fsi_slurm_held(j))
		return fsi_scenario_refuse(t->s, "job %llu is held", (unsigned long long)j->id);
	if (!FSI_HAS(j, JOB, priority))
		return fsi_scenario_refuse(t->s, "the priority that the scheduler holds of job %llu is not known",
					   (unsigned long long)j->id);
	for (size_t i = 0; i < t->n; i++)
		if (t->job[i] == j)
			return 0;
	if (t->n == MAX_TOP)
		return fsi_scenario_refuse(t->s, "more than %d jobs", MAX_TOP);
	t->job[t->n++] = j;
	return 0;
}

/* Is it a job of the same user, association, partition and QOS, which a lower priority would not hold? */
static bool is_other(const struct top *t, const struct fsi_job *j)
{
	const struct fsi_job *first = t->job[0];
	size_t n;

	for (size_t i = 0; i < t->n; i++)
		if (t->job[i] == j)
			return false;
	fsi_list(t->s->m, j->partitions, &n);
	return n <= 1 && j->state == FSI_STATE_PENDING && FSI_HAS(j, JOB, priority) && j->priority > 1 &&
	       fsi_job_assoc(t->s->m, j) == fsi_job_assoc(t->s->m, first) && j->account == first->account &&
	       j->partitions == first->partitions && j->qos == first->qos && j->user == first->user;
}

static int highest_first(const void *a, const void *b, const void *ctx)
{
	uint32_t x, y;

	(void)ctx;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x == y ? 0 : x > y ? -1 : 1;
}

static int find_others(struct top *t)
{
	fs_snapshot *m = t->s->m;

	t->other = fsi_arena_array(&t->s->arena, m->job.n + 1, sizeof(struct fsi_job *));
	t->priority = fsi_arena_array(&t->s->arena, m->job.n + 1, sizeof(*t->priority));
	if (!t->other || !t->priority)
		return fsi_nomem(t->s->err);
	for (size_t i = 0; i < t->n; i++)
		t->priority[i] = t->job[i]->priority;
	for (size_t i = 0; i < m->job.n; i++)
		if (is_other(t, &m->job.v[i])) {
			t->priority[t->n + t->nother] = m->job.v[i].priority;
			t->other[t->nother++] = &m->job.v[i];
		}
	return fs_sort(t->priority, t->n + t->nother, sizeof(*t->priority), highest_first, NULL) ? fsi_nomem(t->s->err)
												 : 0;
}

/* Moves the job's priority by so much, and its nice value against it. */
static void move(struct top *t, struct fsi_job *j, int64_t by)
{
	const int64_t priority = (int64_t)j->priority + by;

	j->nice -= (int32_t)by;
	FSI_SET(j, JOB, nice);
	if (FSI_HAS(j, JOB, priority_set) && j->priority_set)
		j->priority = j->priority_set = (uint32_t)priority;
	fsi_slurm_forget_recorded(t->s, j);
}

static void change_places(struct top *t)
{
	int64_t total = 0, last = 0;

	for (size_t i = 0; i < t->n; i++) {
		int64_t next = t->priority[i], by;

		if (i && next == last && last > 2)
			next = last - 1;
		last = next;
		by = next - t->job[i]->priority;
		total += by;
		move(t, t->job[i], by);
	}
	for (size_t i = 0; i < t->nother; i++) {
		const int64_t was = t->other[i]->priority;
		int64_t less = total / (int64_t)(t->nother - i);

		if (was - less >= last)
			less = was - (last - 1);
		total -= less;
		move(t, t->other[i], -less);
	}
}

bool fsi_slurm_users_top(const fs_snapshot *m)
{
	const char *params = fs_snapshot_config_text(m, "SchedulerParameters");

	return params && strstr(params, "enable_user_top");
}

int fsi_slurm_top(struct fsi_scenario *s, size_t at)
{
	struct top t = { .s = s };
	int rc = fsi_slurm_each_word(s, at, FSI_TASKS_TOGETHER, add_job, &t);

	if (!rc)
		rc = find_others(&t);
	if (rc)
		return rc;
	for (size_t i = 0; i < t.n; i++)
		fsi_scenario_note_who(s, fsi_slurm_users_top(s->m) ? FSI_OWNER : FSI_OPERATOR, t.job[i]->user, 0,
				      fsi_scenario_of_job(s, t.job[i]));
	change_places(&t);
	return 0;
}
