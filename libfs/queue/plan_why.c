/* Why a start is later than now: what it waits for, whose end makes room, who stands in its way. */
#include "queue/plan_run.h"

#include <string.h>

/* Nodes on which one resource alone would do; shared out: units of CPUs. */
static bool enough_of(const struct fs_plan *p, const struct fsi_plan_request *q, uint32_t r)
{
	const struct fsi_plan_part *part = &p->c.part[q->partition];
	struct fsi_plan_request one = *q;
	int64_t units = 0;
	uint32_t nodes = 0;

	memset(one.per_node, 0, sizeof(one.per_node));
	one.per_node[r] = q->per_node[r];
	one.mem_per_cpu = r == FSI_RES_MEM ? q->mem_per_cpu : 0;
	one.whole = false;
	for (uint32_t k = 0; k < part->n; k++) {
		const struct fsi_plan_node *n = &p->c.node[part->node[k]];
		const int64_t u = n->up && (!q->allowed || q->allowed[part->node[k]])
					  ? fsi_plan_units(n, &one, p->c.nres, p->c.now)
					  : 0;

		units += u;
		nodes += u > 0;
	}
	return nodes >= q->min_nodes && (!q->shared_out || units >= q->cpus);
}

static enum fs_plan_wait short_of(const struct fs_plan *p, const struct fsi_plan_request *q)
{
	for (uint32_t r = 0; r < p->c.nres; r++)
		if (!enough_of(p, q, r))
			return r == FSI_RES_CPU   ? FS_WAIT_CPUS
			       : r == FSI_RES_MEM ? FS_WAIT_MEMORY
						  : FS_WAIT_GRES;
	return FS_WAIT_NODES;
}

/* The running job (or one that starts now) whose end at that moment frees one of
 * the nodes found. */
static uint32_t freed_by(const struct fs_plan *p, const struct fsi_plan_search *s)
{
	uint32_t job = FSI_NO_INDEX;

	for (uint32_t k = 0; k < s->nnodes; k++) {
		const struct fsi_plan_node *n = &p->c.node[s->node[k]];

		for (size_t i = 0; i < n->hold.n; i++)
			if (n->hold.v[i].end == s->start && n->hold.v[i].job < job)
				job = n->hold.v[i].job;
	}
	return job;
}

/* The first planned job that has one of the nodes found in that time. */
static uint32_t planned_there(const struct fs_plan *p, const struct fsi_plan_search *s,
			      int64_t limit_s)
{
	const struct fsi_plan_block *first = NULL;

	for (uint32_t k = 0; k < s->nnodes; k++) {
		const struct fsi_plan_node *n = &p->c.node[s->node[k]];

		for (size_t i = 0; i < n->block.n; i++) {
			const struct fsi_plan_block *b = &n->block.v[i];

			if (b->job != FSI_NO_INDEX && b->end > s->start &&
			    b->start < s->start + limit_s && (!first || b->start < first->start))
				first = b;
		}
	}
	return first ? first->job : FSI_NO_INDEX;
}

/* By priority alone: the job that closed the nodes found, or that ends there after its own wait. */
static uint32_t closed_by(const struct fs_plan *p, const struct fsi_plan_search *s, uint32_t frees)
{
	if (frees != FSI_NO_INDEX && p->row_of[frees])
		return frees;
	for (uint32_t k = 0; k < s->nnodes; k++)
		if (p->c.node[s->node[k]].from == s->start)
			return p->c.node[s->node[k]].from_job;
	return FSI_NO_INDEX;
}

void fsi_plan_why(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	const int64_t start = p->found.start;

	row->frees = freed_by(p, &p->found);
	if (p->mode == FS_PLAN_BY_PRIORITY) {
		row->held_by = closed_by(p, &p->found, row->frees);
		row->wait = row->held_by != FSI_NO_INDEX ? FS_WAIT_AHEAD : short_of(p, q);
		return;
	}
	if (p->c.m->reservation.n)
		fsi_plan_earliest(&p->other, &p->c, q, p->c.now, FSI_OBEY_RESERVATIONS);
	else
		fsi_plan_without_plans(&p->other, &p->found, &p->c, q, p->c.now);
	if (p->other.start < start)
		row->held_by = planned_there(p, &p->other, q->limit_s);
	if (p->other.start <= p->c.now) {
		row->wait = FS_WAIT_PLANNED;
		return;
	}
	if (p->c.m->reservation.n)
		fsi_plan_without_plans(&p->other, &p->found, &p->c, q, p->c.now);
	row->wait = p->other.start <= p->c.now ? FS_WAIT_RESERVATION : short_of(p, q);
}
