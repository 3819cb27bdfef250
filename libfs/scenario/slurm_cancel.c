/* scancel and scontrol requeue (src/slurmctld/job_mgr.c: job_signal_id, _job_requeue_op, batch_requeue_fini). */
#include "base/hostlist.h"
#include "scenario/slurm.h"

#include <stdlib.h>
#include <string.h>

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
	fsi_scenario_only(s, FSI_OWNER, j->user, j->account, fsi_slurm_of_job(s, j));
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
	if (free_nodes(s, j))
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
