/* Which QOS of its list a job was last tried with.
 *
 * Slurm 24.11 prints a row for each QOS of a job. In that of a QOS of priority 0 stands the QOS term that the job has
 * of its own (priority_multifactor.c:_create_prio_list_qos): that of job_ptr->qos_ptr when priorities were last
 * computed, which the schedulers set to the QOS of each record of their queue that they try (job_scheduler.c:_schedule,
 * backfill.c:_attempt_backfill). No command prints that pointer, but the job's other rows say whose term it is. */
#include "import/import.h"

#include <string.h>

static bool is_zero(const fs_snapshot *m, const struct fsi_recorded *r)
{
	const struct fsi_qos *q = FSI_HAS(r, RECORDED, qos) ? fsi_qos_find(m, r->qos) : NULL;

	return q && FSI_HAS(q, QOS, priority) && !q->priority;
}

/* The rows of a job in one partition stand together: where those from i on end. */
static size_t end_of_job(const fs_snapshot *m, size_t i)
{
	const struct fsi_recorded *first = &m->recorded.v[i++];

	while (i < m->recorded.n && FSI_HAS(&m->recorded.v[i], RECORDED, job) &&
	       m->recorded.v[i].job == first->job && m->recorded.v[i].partition == first->partition)
		i++;
	return i;
}

/* The QOS of rows [i, end) whose own term the row `at` shows, the highest of equal ones; 0 if there is none. Where
 * an administrator set the priority every row shows zeros. */
static uint32_t term_of(const fs_snapshot *m, size_t i, size_t end, size_t at)
{
	const struct fsi_recorded *r = m->recorded.v;

	if (!FSI_HAS(&r[at], RECORDED, norm_qos))
		return 0;
	for (; i < end; i++)
		if (!is_zero(m, &r[i]) && FSI_HAS(&r[i], RECORDED, norm_qos) && r[i].norm_qos == r[at].norm_qos)
			return r[at].norm_qos > 0 ? r[i].qos : 0;
	return r[at].norm_qos == 0 ? r[at].qos : 0;
}

static int add_tried(struct fsi_import *imp, uint64_t job, uint32_t qos)
{
	struct fsi_tried *t;

	if (imp->m->tried.n && imp->m->tried.v[imp->m->tried.n - 1].job == job)
		return 0;
	t = FSI_VEC_ADD(&imp->m->tried);
	if (!t)
		return fsi_nomem(imp->err);
	FSI_PUT(t, TRIED, job, job);
	FSI_PUT(t, TRIED, qos, qos);
	return 0;
}

int fsi_slurm_tried(struct fsi_import *imp)
{
	const fs_snapshot *m = imp->m;
	int rc = 0;

	if (fsi_config_int(m, "PriorityWeightQOS", 0) <= 0)
		return 0;
	for (size_t i = 0, end; i < m->recorded.n && !rc; i = end) {
		end = end_of_job(m, i);
		for (size_t k = i; k < end && end - i > 1 && !rc; k++) {
			const uint32_t qos = is_zero(m, &m->recorded.v[k]) ? term_of(m, i, end, k) : 0;

			if (qos)
				rc = add_tried(imp, m->recorded.v[k].job, qos);
		}
	}
	return rc;
}
