/* Which of the nodes with room a job gets (select/cons_tres/job_test.c: choose_nodes; from 24.11
 * topology/common/common_topo.c): they are tried together (try.c), and where they do not suffice without those that
 * give least (without.c). From 26.05 on a job of one node at most gets the first by weight that can take it
 * (_get_one_res). */
#include "plan/choose/choosing.h"

#include <string.h>

static int64_t max_cpus(const struct fsi_choosing *g)
{
	int64_t most = 0;

	for (uint32_t k = 0; k < g->n; k++) {
		const int64_t cpus = g->s->cpus[g->cand[k]];

		most = cpus > most ? cpus : most;
	}
	return most;
}

/* Would as many nodes as may be taken give too little, if they were those with most CPUs and gave all they have?
 * Nodes with very many count as the largest of all. */
static bool hopeless(const struct fsi_choosing *g)
{
	int64_t room = fsi_plan_max_nodes(g->q), missing = g->q->cpus, top;
	const int64_t most = g->most;
	uint32_t *of = g->s->of_cpus;

	if (most >= missing)
		return false;
	top = most < FSI_PLAN_COUNTED ? most : FSI_PLAN_COUNTED;
	memset(of, 0, ((size_t)top + 1) * sizeof(*of));
	for (uint32_t k = 0; k < g->n; k++) {
		const int64_t cpus = g->s->cpus[g->cand[k]];

		of[cpus < top ? cpus : top]++;
	}
	for (int64_t i = top; i > 0 && room > 0 && missing > 0; i--) {
		const int64_t n = of[i] < room ? of[i] : room, cpus = i == top ? most : i;

		if (cpus >= missing && n)
			return false;
		missing -= n * cpus;
		room -= n;
	}
	return missing > 0;
}

static void read_sizes(const struct fsi_choosing *g)
{
	struct fsi_plan_choice *s = g->s;

	for (uint32_t k = 0; k < g->n; k++)
		s->size[g->cand[k]] = s->cpus[g->cand[k]] * (g->q->gpus ? s->gpus[g->cand[k]] : 1);
}

/* The first by weight that can take a job of one node. */
static bool choose_one(const struct fsi_choosing *g)
{
	for (int64_t weight = -1; fsi_plan_next_weight(g->s, g->cand, g->n, FSI_PLAN_NO_GPUS, &weight);)
		for (uint32_t k = 0; k < g->n; k++) {
			const uint32_t i = g->cand[k];
			struct fsi_choosing one = { .s = g->s, .c = g->c, .q = g->q, .cand = &i, .n = 1, .stay = 1 };

			one.most = g->s->cpus[i];
			if ((g->s->weight[i] | FSI_PLAN_NO_GPUS) == weight && one.most >= g->q->cpus &&
			    (!g->q->required || fsi_choosing_required(g, i)) && fsi_choosing_try(&one))
				return true;
		}
	return false;
}

bool fsi_plan_choose(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c,
		     const struct fsi_plan_request *q)
{
	struct fsi_choosing g = { .s = s, .c = c, .q = q, .cand = s->candidate, .n = s->n, .stay = s->n };

	if (c->requests.linear)
		return fsi_plan_choose_linear(s, q);
	if (c->first_of_one && q->max_nodes == 1)
		return choose_one(&g);
	g.most = max_cpus(&g);
	fsi_choosing_weigh(&g);
	if (!g.n || g.n < q->min_nodes || hopeless(&g))
		return false;
	if (c->leaves_out_singly)
		read_sizes(&g);
	return fsi_choosing_try(&g) || fsi_choosing_without(&g);
}
