/* Nodes that jobs do not share with those of other users (src/slurmctld/node_scheduler.c: filter_by_node_owner): one
 * that must have them for its user gets none on which a job of another user runs, and nobody else gets a node that such
 * a job has. Until 24.05 what runs now counts, whenever the job would start; from 24.11 (backfill.c:
 * _filter_exclusive_user_mcs_nodes, 8f7b80d6eb) it is tried again when that has ended. */
#include "model/job/request.h"
#include "plan/bits.h"
#include "plan/run.h"

static bool keeps_others_out(const struct fs_plan *p, const struct fsi_job *j)
{
	const struct fsi_partition *part = fsi_first_partition(p->c.m, j);

	return fsi_request_own_user(p->c.m, j, part);
}

int64_t fsi_plan_owned(const struct fs_plan *p, const struct fsi_plan_request *q, int64_t start,
		       uint64_t *nodes)
{
	const struct fsi_job *j = &p->c.m->job.v[q->job];
	int64_t later = INT64_MAX;

	if (!q->own_user && !p->users_own)
		return 0;
	for (size_t i = 0; i < p->c.end.n; i++) {
		const struct fsi_plan_end *e = &p->c.end.v[i];
		const struct fsi_job *o = &p->c.m->job.v[e->job];

		if (o->user == j->user || (p->params.looks_on && e->when <= start) ||
		    (!q->own_user && !keeps_others_out(p, o)))
			continue;
		for (uint32_t k = 0; k < e->n; k++)
			if (fsi_bit(nodes, e->node[k])) {
				fsi_bit_clear(nodes, e->node[k]);
				later = e->when < later ? e->when : later;
			}
	}
	return p->params.looks_on && later != INT64_MAX ? later : 0;
}

bool fsi_plan_users_own(const struct fs_plan *p)
{
	for (size_t i = 0; i < p->c.end.n; i++)
		if (keeps_others_out(p, &p->c.m->job.v[p->c.end.v[i].job]))
			return true;
	return false;
}
