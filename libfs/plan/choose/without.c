/* The choice without the nodes that give least, where all of them do not suffice together
 * (select/cons_tres/job_test.c: choose_nodes; from 24.11 topology/common/common_topo.c: common_topo_choose_nodes).
 * Those with the fewest CPUs are left out, up to 1, 2, 3, ... CPUs, and it is tried again while more than the least
 * nodes remain; from 25.11 on one after the other, by CPUs times GPUs. */
#include "plan/choose/choosing.h"

/* Leaves out nodes of at most that size, until only the least number of nodes remains; returns the next size by
 * which some can be left out. */
static int64_t leave_out(struct fsi_choosing *g, int64_t max)
{
	int64_t next = INT64_MAX;
	uint32_t n = 0;

	if (g->parts)
		return fsi_runs_leave_out(g, max);
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];
		const int64_t size = fsi_choosing_size(g, i);

		if (size <= max && g->stay > g->q->min_nodes && !fsi_choosing_required(g, i)) {
			g->stay--;
			continue;
		}
		g->s->kept[n++] = i;
		if (size < next && !fsi_choosing_required(g, i))
			next = size;
	}
	g->cand = g->s->kept;
	g->n = n;
	return next > max ? next : max + 1;
}

/* From now on runs are parted where nodes are left out, and not made anew: where they alone decide, and all nodes still
 * give what they gave. */
static void part_runs(struct fsi_choosing *g)
{
	g->parts = !g->reduced && !g->q->required && fsi_choosing_by_runs(g) && fsi_runs_part(g);
}

/* An evaluation changed what a node gives: the runs are made anew, of the nodes not left out. */
static void join_runs(struct fsi_choosing *g)
{
	g->n = fsi_runs_join(g, g->s->kept);
	g->cand = g->s->kept;
	g->parts = false;
}

/* Tries without the smallest nodes, without those and the next smallest, and so on. */
static bool by_size(struct fsi_choosing *g)
{
	int64_t max = 0;

	for (uint32_t k = 0; k < g->n; k++)
		max = fsi_choosing_size(g, g->cand[k]) > max ? fsi_choosing_size(g, g->cand[k]) : max;
	part_runs(g);
	for (int64_t count = 1, next; count < max; count = next) {
		const uint32_t stay = g->stay;

		next = leave_out(g, count);
		if (g->stay == stay && (count > 1 || !g->reduced))
			continue;
		if (fsi_choosing_try(g))
			return true;
		if (g->stay <= g->q->min_nodes)
			break;
		if (g->reduced) /* a node may be among the smaller ones now */
			next = count + 1;
		if (g->reduced && g->parts)
			join_runs(g);
	}
	return false;
}

/* Leaves out so many of the smallest size at most, the first ones; false when there are none, or no others that may
 * go. */
static bool leave_smallest(struct fsi_choosing *g, uint32_t most)
{
	int64_t smallest = INT64_MAX;
	uint32_t n = 0, others = 0;

	if (g->parts) {
		fsi_runs_leave_smallest(g, most);
		return true;
	}
	for (uint32_t k = 0; k < g->n; k++)
		if (!fsi_choosing_required(g, g->cand[k])) {
			smallest = g->s->size[g->cand[k]] < smallest ? g->s->size[g->cand[k]] : smallest;
			others++;
		}
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];

		if (most && g->stay > g->q->min_nodes && g->s->size[i] == smallest && !fsi_choosing_required(g, i)) {
			g->stay--;
			most--;
			others--;
		} else {
			g->s->kept[n++] = i;
		}
	}
	g->cand = g->s->kept;
	g->n = n;
	return others > 0;
}

/* So many runs or nodes are looked at one by one, which at some hundreds of nodes is all of them; at a large site what
 * is left of a size then goes at once. */
enum { SINGLY = 1 << 13 };

static bool singly(struct fsi_choosing *g)
{
	uint64_t work = 0;

	part_runs(g);
	while (!fsi_choosing_try(g)) {
		if (g->stay <= g->q->min_nodes)
			return false;
		if (g->reduced && g->parts)
			join_runs(g);
		work += g->parts ? g->nruns : g->n;
		if (!leave_smallest(g, work < SINGLY ? 1 : UINT32_MAX))
			return false;
	}
	return true;
}

bool fsi_choosing_without(struct fsi_choosing *g)
{
	if (g->c->leaves_out_singly)
		return singly(g);
	return g->n == g->q->min_nodes ? fsi_choosing_try(g) : by_size(g);
}
