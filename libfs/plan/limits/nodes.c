/* A node counts once however many of the jobs are on it. Of those found for a job the ones that the others have do not
 * count; where the start is to come, only if the job insists on them, or insists on none and the version knows those
 * found (src/slurmctld/acct_policy.c: _get_unique_job_node_cnt; a job has job_resrcs only while it is started). One
 * that adds no node is not asked. */
#include "plan/limits/nodes.h"

#include "plan/bits.h"

#include <string.h>

static bool has_such(const fs_snapshot *m, const struct fsi_rec *rec, const struct fsi_limit_kind *k, uint32_t node)
{
	uint32_t set;

	if (k->type != FSI_TRES || !fsi_known(rec, k->bit) || fsi_special(rec, k->bit))
		return false;
	memcpy(&set, (const char *)rec + k->offset, sizeof(set));
	return k->measure == FSI_NODE_TRES ? set != 0 : k->measure == FSI_RUNNING_TRES && fsi_amount_of(m, set, node);
}

bool fsi_plan_limits_nodes(const fs_snapshot *m)
{
	const uint32_t node = fsi_name_find(m, "node");

	for (size_t k = 0; k < fsi_qos_limit_count; k++)
		for (size_t i = 0; i < m->qos.n; i++)
			if (has_such(m, &m->qos.v[i].rec, &fsi_qos_limits[k], node))
				return true;
	for (size_t k = 0; k < fsi_assoc_limit_count; k++)
		for (size_t i = 0; i < m->association.n; i++)
			if (has_such(m, &m->association.v[i].rec, &fsi_assoc_limits[k], node))
				return true;
	return false;
}

/* Enters the nodes of those that count; how many they are. */
static uint32_t enter_used(const struct fs_plan *p, const struct fsi_job *whose, const struct fsi_limit_met *l,
			   const int64_t *end_of, uint64_t *used)
{
	const struct fsi_plan_cluster *c = &p->c;
	uint32_t n = 0;

	memset(used, 0, c->words * sizeof(*used));
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end *e = &c->end.v[i];
		const struct fsi_job *j = &c->m->job.v[e->job];

		if (!fsi_job_holds(j) || end_of[e->job] <= c->now || !fsi_limit_counts(c->m, l->kind, &l->at, whose, j))
			continue;
		for (uint32_t k = 0; k < e->n; k++) {
			n += !fsi_bit(used, e->node[k]);
			fsi_bit_set(used, e->node[k]);
		}
	}
	return n;
}

bool fsi_plan_too_many_nodes(const struct fs_plan *p, const struct fsi_plan_request *q, const struct fsi_limit_met *l,
			     const int64_t *end_of, uint64_t *used)
{
	const struct fsi_plan_choice *s = &p->found.choice;
	const uint32_t before = enter_used(p, &p->c.m->job.v[q->job], l, end_of, used);
	const bool known =
		p->found.start <= p->c.now || (!q->required && fs_slurm_has(p->compat, FS_SLURM_NEW_NODES_LATER));
	uint32_t added = 0;

	for (uint32_t k = 0; k < s->nnodes; k++)
		added += !fsi_bit(used, s->node[k]) || !(known || (q->required && fsi_bit(q->required, s->node[k])));
	return added && (double)before + added > l->value;
}
