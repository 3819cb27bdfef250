#include "base/sort.h"
#include "plan/choose/choosing.h"

#include "plan/bits.h"

#include <stdlib.h>
#include <string.h>

int64_t fsi_plan_max_nodes(const struct fsi_plan_request *q)
{
	const int64_t room = q->max_nodes ? q->max_nodes : INT64_MAX;

	return !q->tasks || q->tasks >= room ? room : q->tasks > q->min_nodes ? q->tasks : q->min_nodes;
}

bool fsi_choosing_required(const struct fsi_choosing *g, uint32_t i)
{
	return g->q->required && fsi_bit(g->q->required, i);
}

int64_t fsi_choosing_size(const struct fsi_choosing *g, uint32_t i)
{
	if (g->c->leaves_out_singly)
		return g->s->size[i];
	return g->s->cpus[i] + (g->q->gpus ? g->s->gpus[i] : 0);
}

bool fsi_choosing_enough(const struct fsi_choosing *g, int64_t n)
{
	const int64_t more = (int64_t)g->want - g->q->min_nodes;

	return n >= g->nodes_left - (more > 0 ? more : 0);
}

/* The GPUs of so many free ones that it can use with so many CPUs (select/cons_common/gres_select_filter.c:
 * gres_select_filter_remove_unusable, near_gpus). */
static int64_t gpus_at_hand(const struct fsi_plan_request *q, int64_t cpus, int64_t gpus)
{
	const int64_t all = q->gpus_in_all ? q->gpus_in_all : q->gpus_per_task * q->tasks;
	int64_t n = all || q->whole ? gpus : q->gpus;

	if (all && n > all && !q->whole)
		n = all;
	if (q->cpus_per_gpu && n > cpus / q->cpus_per_gpu)
		n = cpus / q->cpus_per_gpu;
	return n < FSI_PLAN_NO_GPUS ? n : FSI_PLAN_NO_GPUS;
}

void fsi_plan_weigh(struct fsi_plan_choice *s, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
		    int64_t gpus)
{
	s->weight[node] = (s->weight[node] | FSI_PLAN_NO_GPUS) - (q->gpus ? gpus_at_hand(q, cpus, gpus) : 0);
}

void fsi_choosing_weigh(struct fsi_choosing *g)
{
	for (uint32_t k = 0; (g->q->gpus || !g->s->keeps_weights) && k < g->n; k++)
		fsi_plan_weigh(g->s, g->q, g->cand[k], g->s->cpus[g->cand[k]], g->q->gpus ? g->s->gpus[g->cand[k]] : 0);
}

void fsi_plan_weigh_unused(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c,
			   const struct fsi_plan_request *q, uint32_t node, struct fsi_plan_moment at)
{
	const struct fsi_plan_room room = fsi_plan_room_beside(c, node, q, at, 0);

	if (room.cpus > 0)
		fsi_plan_weigh(s, q, node, room.cpus, room.gpus);
}

void fsi_plan_weigh_anew(struct fsi_plan_choice *s, const struct fsi_plan_part *part, const struct fsi_plan_request *q)
{
	uint32_t next = 0;

	for (uint32_t k = 0; k < part->n; k++) {
		const uint32_t i = part->node[k];

		while (q->gpus && next < s->n && s->candidate[next] < i)
			next++;
		if ((!q->gpus || next == s->n || s->candidate[next] != i) && (!q->allowed || fsi_bit(q->allowed, i)))
			s->weight[i] |= FSI_PLAN_NO_GPUS;
	}
}

/* The CPUs that are left for each node that is still to come at the least: those of a core, or of a socket of this
 * node. */
static int64_t left_for_others(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n)
{
	return c->whole_sockets && n->sockets ? n->total[FSI_RES_CPU] / n->sockets : n->threads;
}

/* The CPUs to use on node i: what may be given, less what is left for others. */
static int64_t cpus_to_use(struct fsi_choosing *g, uint32_t i)
{
	int64_t max = g->room_cpus, cpus = g->left[i];

	if (g->q->whole)
		return cpus;
	if (g->min_left > 1)
		max -= (g->min_left - 1) * left_for_others(g->c, &g->c->node[i]);
	if (cpus > max) {
		cpus = max > g->q->min ? max : g->q->min;
		g->reduced = g->reduced || g->s->cpus[i] != cpus;
		g->s->cpus[i] = cpus;
	}
	return cpus;
}

/* A node gives all GPUs that it has CPUs for, of those given where the job asked for CPUs by GPU; it then gives just
 * these (select/cons_common/gres_select_filter.c: gres_select_filter_sock_core; cons_tres/gres_sched.c:
 * gres_sched_add). */
static int64_t take_gpus(struct fsi_choosing *g, uint32_t i, int64_t cpus)
{
	const int64_t each = g->q->cpus_per_gpu, free = g->s->gpus[i],
		      of = g->q->asked_per_gpu ? cpus : g->left[i], gpus = each && of / each < free ? of / each : free;

	g->gpus_left -= gpus;
	return g->q->asked_per_gpu && gpus ? gpus * each : cpus;
}

void fsi_choosing_take(struct fsi_choosing *g, uint32_t i)
{
	int64_t cpus = cpus_to_use(g, i);

	if (g->q->gpus_in_all)
		cpus = take_gpus(g, i, cpus);
	g->s->given[i] = cpus;
	g->s->taken[g->s->ntaken++] = i;
	g->cpus_left -= cpus;
	g->room_cpus -= cpus;
	g->nodes_left--;
	g->min_left--;
	g->room--;
}

bool fsi_choice_keep(struct fsi_plan_choice *s)
{
	s->nnodes = s->ntaken;
	memcpy(s->node, s->taken, s->ntaken * sizeof(*s->node));
	qsort(s->node, s->nnodes, sizeof(*s->node), fsi_rising_u32);
	for (uint32_t k = 0; k < s->nnodes; k++)
		s->units[k] = s->given[s->node[k]];
	return true;
}

void fsi_choice_give_back(struct fsi_plan_choice *s)
{
	while (s->ntaken)
		s->given[s->taken[--s->ntaken]] = -1;
}
