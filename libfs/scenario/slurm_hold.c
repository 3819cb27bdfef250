/* scontrol hold, uhold and release, and scancel (src/slurmctld/job_mgr.c: _update_job, job_signal_id). */
#include "base/hostlist.h"
#include "scenario/slurm.h"

#include <string.h>

static void only(struct fsi_scenario *s, const struct fsi_job *j, enum fsi_who who)
{
	fsi_scenario_only(s, who, j->user, j->account, fsi_slurm_of_job(s, j));
}

struct hold {
	const char *reason; /* it has then */
};

static int hold_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const struct hold *h = ctx;
	const uint32_t reason = fsi_name(s->m, h->reason);

	if (j->state != FSI_STATE_PENDING)
		return fsi_scenario_refuse(s, "job %llu is not pending", (unsigned long long)j->id);
	if (reason == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	only(s, j, FSI_OWNER);
	j->reason = reason;
	FSI_SET(j, JOB, reason);
	j->priority = 0;
	FSI_SET(j, JOB, priority);
	FSI_FORGET(j, JOB, priority_set);
	FSI_FORGET(j, JOB, eligible_time);
	fsi_slurm_age(s, j, FSI_AGE_LOST);
	fsi_slurm_untold(s, j);
	return 0;
}

static int release_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	const bool by_admin = !strncmp(fsi_str(s->m, j->reason), "JobHeldAdmin", strlen("JobHeldAdmin"));

	(void)ctx;
	if (!fsi_slurm_held(j)) {
		fsi_scenario_note(s, "%sit is not held", fsi_slurm_of_job(s, j));
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
	fsi_slurm_untold(s, j);
	return 0;
}

/* Ids by blanks or commas, also as jobid=12. */
static int each_word(struct fsi_scenario *s, size_t at, fsi_job_edit_fn fn, void *ctx)
{
	int rc = at < s->n ? 0 : fsi_scenario_refuse(s, "a job id is expected");

	for (; at < s->n && !rc; at++) {
		const char *word = s->word[at], *equals = strchr(word, '=');
		const bool named = equals && fsi_scenario_same(word, (size_t)(equals - word), "JobId");

		rc = fsi_slurm_each_job(s, named ? equals + 1 : word, fn, ctx);
	}
	return rc;
}

int fsi_slurm_hold(struct fsi_scenario *s, size_t at)
{
	struct hold h = { fsi_scenario_may(s, FSI_OPERATOR, 0, 0) ? "JobHeldAdmin" : "JobHeldUser" };

	return each_word(s, at, hold_job, &h);
}

int fsi_slurm_uhold(struct fsi_scenario *s, size_t at)
{
	struct hold h = { "JobHeldUser" };

	return each_word(s, at, hold_job, &h);
}

int fsi_slurm_release(struct fsi_scenario *s, size_t at)
{
	return each_word(s, at, release_job, NULL);
}

/* ---- scancel */

struct freed {
	struct fsi_scenario *s;
	const struct fsi_job *job;
	uint32_t nodes, i;
	bool failed;
};

static int64_t part_of(const struct freed *f, int64_t all)
{
	return all / f->nodes + (f->i < all % f->nodes);
}

static void less(uint64_t *have, int64_t by)
{
	*have = *have > (uint64_t)by ? *have - (uint64_t)by : 0;
}

/* What a job had on several nodes is taken to be spread evenly, as the plan does. */
static int free_node(void *ctx, const char *name, size_t len)
{
	struct freed *f = ctx;
	fs_snapshot *m = f->s->m;
	const uint32_t id = fsi_intern_find(&m->names, name, len);
	size_t row = 0, n;
	struct fsi_node *node;

	while (row < m->node.n && m->node.v[row].name != id)
		row++;
	for (size_t k = 0; id && row < m->node.n; k++) {
		const struct fsi_amount *a = fsi_amounts(m, f->job->tres_alloc, &n);
		uint64_t cpus;
		int64_t by;

		if (k == n)
			break;
		node = &m->node.v[row];
		by = part_of(f, a[k].n);
		cpus = node->alloc_cpus;
		if (!strcmp(fsi_str(m, a[k].tres), "cpu"))
			less(&cpus, by);
		node->alloc_cpus = (uint32_t)cpus;
		if (!strcmp(fsi_str(m, a[k].tres), "mem"))
			less(&node->alloc_mem_mb, by);
		if (FSI_HAS(node, NODE, alloc_tres)) {
			const int64_t left = fsi_amount_of(m, node->alloc_tres, a[k].tres) - by;
			const uint32_t set = fsi_scenario_amount(m, node->alloc_tres, a[k].tres, left > 0 ? left : 0);

			f->failed = f->failed || set == FSI_INTERN_FAILED;
			node->alloc_tres = set == FSI_INTERN_FAILED ? 0 : set;
		}
	}
	f->i++;
	return 0;
}

static int free_nodes(struct fsi_scenario *s, const struct fsi_job *j)
{
	const char *list = fsi_str(s->m, j->node_list);
	const int64_t n = *list ? fsi_hostlist_count(list, s->m->node.n + 1) : 0;
	struct freed f = { .s = s, .job = j, .nodes = n > 0 ? (uint32_t)n : 0 };

	if (n > 0)
		fsi_hostlist_each(list, (uint64_t)n, free_node, &f);
	return f.failed ? fsi_nomem(s->err) : 0;
}

static int cancel_job(struct fsi_scenario *s, struct fsi_job *j, void *ctx)
{
	fs_snapshot *m = s->m;
	const size_t row = (size_t)(j - m->job.v);

	(void)ctx;
	if (fsi_job_finished(j))
		return 0;
	only(s, j, FSI_OWNER);
	if (j->state != FSI_STATE_PENDING && free_nodes(s, j))
		return FS_ENOMEM;
	fsi_scenario_forget(m, j->id);
	memmove(j, j + 1, (m->job.n - row - 1) * sizeof(*j));
	m->info.jobs = --m->job.n;
	return 0;
}

int fsi_slurm_scancel(struct fsi_scenario *s, size_t at)
{
	for (size_t i = at; i < s->n; i++)
		if (s->word[i][0] == '-')
			return fsi_scenario_refuse(s, "scancel takes job ids here, not %.60s", s->word[i]);
	return each_word(s, at, cancel_job, NULL);
}
