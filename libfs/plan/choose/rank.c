/* Nodes one after the other by weight (select/cons_tres/job_test.c: _eval_nodes_busy, _eval_nodes_lln,
 * _eval_nodes_serial): those in use before idle ones, in order; those with the greatest part of their CPUs free, the
 * first of equals; or the last first. */
#include "plan/plan.h"

struct ranking {
	const struct fsi_plan_choice *s;
	const uint32_t *cand;
	uint32_t n;
	const struct fsi_plan_cluster *c;
	enum fsi_plan_rank by;
	int64_t weight;
	uint32_t last; /* place of the node given last, FSI_NO_INDEX: none of this weight yet */
	int64_t cpus_of_last; /* what it could give then: it gives less once it is taken */
};

/* avail_res_t.max_cpus, which stays as _cpus_to_use takes avail_cpus down. */
static int64_t cpus_of(const struct ranking *r, uint32_t place)
{
	return place == r->last ? r->cpus_of_last : r->s->cpus[r->cand[place]];
}

/* Does candidate a go before b, which has the same weight? Places decide when nothing else does. */
static bool before(const struct ranking *r, uint32_t a, uint32_t b)
{
	const uint32_t i = r->cand[a], k = r->cand[b];
	const struct fsi_plan_node *m = &r->c->node[i], *n = &r->c->node[k];

	if (r->by == FSI_RANK_LAST)
		return a > b;
	if (r->by == FSI_RANK_LEAST_LOADED) {
		const int64_t x = cpus_of(r, a) * n->total[FSI_RES_CPU],
			      y = cpus_of(r, b) * m->total[FSI_RES_CPU];

		if (x != y)
			return x > y;
	} else if ((m->hold.n == 0) != (n->hold.n == 0)) {
		return n->hold.n == 0;
	}
	return a < b;
}

static uint32_t next_of_weight(const struct ranking *r)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = 0; k < r->n; k++)
		if (r->s->weight[r->cand[k]] == r->weight && r->s->given[r->cand[k]] < 0 &&
		    (r->last == FSI_NO_INDEX || before(r, r->last, k)) &&
		    (best == FSI_NO_INDEX || before(r, k, best)))
			best = k;
	return best;
}

bool fsi_plan_next_weight(const struct fsi_plan_choice *s, const uint32_t *cand, uint32_t n, int64_t without,
			  int64_t *last)
{
	int64_t weight = INT64_MAX;

	for (uint32_t k = 0; k < n; k++) {
		const int64_t w = s->weight[cand[k]] | without;

		if (w > *last && w < weight)
			weight = w;
	}
	*last = weight;
	return weight != INT64_MAX;
}

void fsi_plan_rank(const struct fsi_plan_choice *s, const uint32_t *cand, uint32_t n,
		   const struct fsi_plan_cluster *c, enum fsi_plan_rank by,
		   bool (*take)(void *ctx, uint32_t node), void *ctx)
{
	struct ranking r = { .s = s, .cand = cand, .n = n, .c = c, .by = by, .weight = -1 };
	while (fsi_plan_next_weight(s, cand, n, 0, &r.weight)) {
		r.last = FSI_NO_INDEX;
		while ((r.last = next_of_weight(&r)) != FSI_NO_INDEX) {
			r.cpus_of_last = s->cpus[cand[r.last]];
			if (!take(ctx, cand[r.last]))
				return;
		}
	}
}
