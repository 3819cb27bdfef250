/* Why a start is later than now: what it waits for, whose end makes room, who stands in its way. */
#include "plan/bits.h"
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>

/* Would the nodes do if one resource alone counted? */
static bool enough_of(const struct fs_plan *p, const struct fsi_plan_request *q, uint32_t r)
{
	const struct fsi_plan_part *part = &p->c.part[q->partition];
	struct fsi_plan_request one = *q;
	int64_t cpus = 0;
	const struct fsi_plan_moment now = { p->c.now, UINT64_MAX };
	uint32_t nodes = 0;

	memset(one.per_node, 0, sizeof(one.per_node));
	one.per_node[r] = q->per_node[r];
	if (r != FSI_RES_CPU)
		one.cpus = one.min = one.step = 1;
	one.mem_per_cpu = r == FSI_RES_MEM ? q->mem_per_cpu : 0;
	one.all_memory = r == FSI_RES_MEM && q->all_memory;
	one.whole = false;
	for (uint32_t k = 0; k < part->n && (nodes < q->min_nodes || cpus < q->cpus); k++) {
		const uint32_t i = part->node[k];
		const int64_t u = p->c.node[i].up && (!q->allowed || fsi_bit(q->allowed, i))
					  ? fsi_plan_room(&p->c, i, &one, now)
					  : 0;

		cpus += u;
		nodes += u > 0;
	}
	return nodes >= q->min_nodes && cpus >= q->cpus;
}

static enum fs_plan_wait short_of(const struct fs_plan *p, const struct fsi_plan_request *q)
{
	for (uint32_t r = 0; r < p->c.nres; r++)
		if (!enough_of(p, q, r))
			return r == FSI_RES_CPU   ? FS_PLAN_WAIT_CPUS
			       : r == FSI_RES_MEM ? FS_PLAN_WAIT_MEMORY
						  : FS_PLAN_WAIT_GRES;
	return FS_PLAN_WAIT_NODES;
}

/* The running job (or one that starts now) whose end at that moment frees one of the nodes found. */
static uint32_t freed_by(const struct fs_plan *p, const struct fsi_plan_found *s)
{
	uint32_t job = FSI_NO_INDEX;

	for (uint32_t k = 0; k < s->choice.nnodes; k++) {
		const struct fsi_plan_node *n = &p->c.node[s->choice.node[k]];

		for (size_t i = 0; i < n->hold.n; i++)
			if (n->hold.v[i].end == s->start && n->hold.v[i].job < job)
				job = n->hold.v[i].job;
	}
	return job;
}

/* The first planned job that has one of the nodes found in that time. */
static uint32_t planned_there(const struct fs_plan *p, const struct fsi_plan_found *s,
			      int64_t limit_s)
{
	const struct fsi_plan_block *first = NULL;

	for (uint32_t k = 0; k < s->choice.nnodes; k++) {
		const struct fsi_plan_node *n = &p->c.node[s->choice.node[k]];

		for (size_t i = 0; i < n->block.n; i++) {
			const struct fsi_plan_block *b = &n->block.v[i];

			if (b->job != FSI_NO_INDEX && b->end > s->start &&
			    b->start < s->start + limit_s && (!first || b->start < first->start))
				first = b;
		}
	}
	return first ? first->job : FSI_NO_INDEX;
}

/* In a plan by priority: the job that closed the nodes found, or that ends there after its own wait. */
static uint32_t closed_by(const struct fs_plan *p, const struct fsi_plan_found *s, uint32_t frees)
{
	if (frees != FSI_NO_INDEX && p->row_of[frees])
		return frees;
	for (uint32_t k = 0; k < s->choice.nnodes; k++)
		if (p->c.node[s->choice.node[k]].from == s->start)
			return p->c.node[s->choice.node[k]].from_job;
	return FSI_NO_INDEX;
}

/* The start if nothing were planned, and if nothing were reserved either, unless that counts; INT64_MAX: there is
 * none. */
static int64_t without_plans(struct fs_plan *p, const struct fsi_plan_request *q, bool reservations)
{
	const struct fsi_plan_will w = { .nodes = p->set[2], .from = p->c.now };
	struct fsi_plan_left left = { .start = p->c.now, .for_s = q->limit_s, .nodes = p->set[1], .open = p->open };

	fsi_plan_open_nodes(p, q, p->set[2]);
	if (reservations) {
		if (!fsi_plan_unreserved(p, q, &left))
			return INT64_MAX;
		fsi_bits_and(p->set[2], left.nodes, p->c.words);
	}
	if (!fsi_plan_will_run(p, q, &w, &p->other))
		p->other.start = INT64_MAX;
	return p->other.start > left.start ? p->other.start : left.start;
}

/* What does not depend on how long a request runs is the same for all that are alike but for that. */
static struct fsi_plan_alike *alike(struct fs_plan *p, const struct fsi_plan_request *q)
{
	struct fsi_plan_request of_any_length = *q;

	if (p->map.lics.n && fsi_job_rare(p->c.m, &p->c.m->job.v[q->job])->licenses)
		return NULL;
	of_any_length.limit_s = of_any_length.longest_s = 0;
	return fsi_plan_alike(&p->memo, &of_any_length);
}

/* The start if nothing were planned or reserved, as it was found for a request like it, if that still holds. */
static int64_t alone(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_alike *a)
{
	struct fsi_plan_choice *s = &p->other.choice;

	if (a && a->round == p->memo.round) {
		s->nnodes = a->n;
		memcpy(s->node, a->node, a->n * sizeof(*s->node));
		return p->other.start = a->alone;
	}
	without_plans(p, q, false);
	if (p->other.start == INT64_MAX)
		s->nnodes = 0;
	if (a) {
		free(a->node);
		a->node = malloc((s->nnodes + (size_t)1) * sizeof(*a->node));
		a->round = a->node ? p->memo.round : UINT32_MAX;
		a->n = s->nnodes;
		a->alone = p->other.start;
		if (a->node)
			memcpy(a->node, s->node, a->n * sizeof(*a->node));
	}
	return p->other.start;
}

/* Likewise what it is short of: who is short of CPUs stays so while others start. */
static enum fs_plan_wait short_now(const struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_alike *a)
{
	if (!a)
		return short_of(p, q);
	if (a->wait_round == UINT32_MAX || (a->wait_round != p->memo.round && a->wait != FS_PLAN_WAIT_CPUS)) {
		a->wait = short_of(p, q);
		a->wait_round = p->memo.round;
	}
	return (enum fs_plan_wait)a->wait;
}

void fsi_plan_why(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	const int64_t start = p->found.start;
	struct fsi_plan_alike *a;

	row->frees = freed_by(p, &p->found);
	if (p->mode == FS_PLAN_BY_PRIORITY) {
		row->blocked_by = closed_by(p, &p->found, row->frees);
		row->wait = row->blocked_by != FSI_NO_INDEX ? FS_PLAN_WAIT_AHEAD : short_of(p, q);
		return;
	}
	a = alike(p, q);
	if (alone(p, q, a) < start)
		row->blocked_by = planned_there(p, &p->other, q->limit_s);
	if (p->other.start > p->c.now)
		row->wait = short_now(p, q, a);
	else if (p->c.m->reservation.n && without_plans(p, q, true) > p->c.now)
		row->wait = FS_PLAN_WAIT_RESERVATION;
	else
		row->wait = FS_PLAN_WAIT_PLANNED;
}

bool fsi_plan_possible(struct fs_plan *p, const struct fsi_plan_request *q)
{
	const struct fsi_plan_moment never = { INT64_MAX - 1, 0 };
	struct fsi_plan_choice *s = &p->other.choice;
	struct fsi_plan_request any = *q;

	fsi_plan_open_nodes(p, q, p->set[2]);
	s->n = 0;
	s->busy_first = false;
	FSI_BITS_EACH(i, p->set[2], p->c.words)
	{
		const struct fsi_plan_room room = fsi_plan_room_at(&p->c, i, q, never);

		if (room.cpus > 0) {
			s->cpus[i] = room.cpus;
			s->gpus[i] = room.gpus;
			s->candidate[s->n++] = i;
		}
	}
	any.max_switches = 0; /* it waits for few switches only for so long */
	return !q->impossible && fsi_plan_choose(s, &p->c, &any);
}
