/* One try of a choice (select/cons_tres/job_test.c: _eval_nodes, _cpus_to_use; from 24.11 topology/common/eval_nodes.c,
 * alike).
 *
 * Required nodes first. The others fall into runs of neighbours of one weight. The run of least weight is taken, among
 * those the smallest that suffices or else the largest, and again until there is enough. When one more node would do
 * and one node of the run can give all that is missing, the one with fewest CPUs does; otherwise the run's nodes in
 * order, or around its required nodes. A node gives what is missing, less a core for each node that must still come.
 *
 * With topology/tree switches decide: topology.c. bf_busy_nodes, LLN and pack_serial_at_end have another order: rank.c.
 * For --contiguous weights part no runs, and one run must do. */
#include "plan/choose/choosing.h"

static void take_required(struct fsi_choosing *g)
{
	for (uint32_t k = 0; g->q->required && k < g->n; k++)
		if (fsi_choosing_required(g, g->cand[k]) && g->room > 0)
			fsi_choosing_take(g, g->cand[k]);
}

/* The node of the run that can give all that is missing, with the fewest CPUs; FSI_NO_INDEX if none can. */
static uint32_t single_node(const struct fsi_choosing *g, const struct fsi_plan_run *r)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = r->first; g->nodes_left <= 1 && k < r->end; k++) {
		const uint32_t i = g->cand[k];

		if (g->left[i] < g->cpus_left || g->s->given[i] >= 0 ||
		    (g->q->gpus_in_all && g->s->gpus[i] < g->gpus_left))
			continue;
		if (g->left[i] == g->cpus_left)
			return i;
		if (best == FSI_NO_INDEX || g->left[i] < g->left[best])
			best = i;
	}
	return best;
}

static bool may_take(const struct fsi_choosing *g)
{
	return g->room > 0 && !fsi_choosing_done(g);
}

static void take_next(struct fsi_choosing *g, uint32_t i)
{
	if (may_take(g) && g->s->given[i] < 0 && g->left[i] > 0)
		fsi_choosing_take(g, i);
}

static void take_run(struct fsi_choosing *g, struct fsi_plan_run *r)
{
	const bool around = r->required != FSI_NO_INDEX;
	const uint32_t one = around ? FSI_NO_INDEX : single_node(g, r);

	r->left = 0;
	if (one != FSI_NO_INDEX) {
		take_next(g, one);
		return;
	}
	for (uint32_t k = around ? r->required : r->first; k < r->end && may_take(g); k++) {
		const uint32_t i = g->cand[k];

		if (around || g->room != 1 || g->left[i] >= g->cpus_left)
			take_next(g, i);
	}
	for (uint32_t k = around ? r->required : r->first; k-- > r->first && may_take(g);)
		take_next(g, g->cand[k]);
}

/* The last node must give all that is missing: a run without such a node would be gone through for nothing. */
static void drop_too_small(struct fsi_choosing *g)
{
	for (uint32_t n = 0; n < g->nruns; n++) {
		struct fsi_plan_run *r = &g->s->run[n];
		uint32_t k = r->first;

		if (!r->left || r->required != FSI_NO_INDEX)
			continue;
		while (k < r->end &&
		       (g->s->given[g->cand[k]] >= 0 || g->left[g->cand[k]] < g->cpus_left))
			k++;
		if (k == r->end)
			r->left = 0;
	}
}

static bool take_ranked(void *ctx, uint32_t i)
{
	struct fsi_choosing *g = ctx;

	take_next(g, i);
	return may_take(g);
}

/* false: they are in runs, or switches decide. */
static bool ranked(const struct fsi_choosing *g, enum fsi_plan_rank *by)
{
	if (g->s->busy_first && !g->q->contiguous)
		*by = FSI_RANK_BUSY;
	else if (g->q->least_loaded)
		*by = FSI_RANK_LEAST_LOADED;
	else if (g->c->serial_at_end && g->q->cpus == 1 && g->want == 1)
		*by = FSI_RANK_LAST;
	else
		return false;
	return true;
}

static bool evaluate_ranked(struct fsi_choosing *g, enum fsi_plan_rank by)
{
	fsi_plan_rank(g->s, g->cand, g->n, g->c, by, take_ranked, g);
	return g->cpus_left <= 0 && g->gpus_left <= 0 && g->min_left <= 0 && fsi_choice_keep(g->s);
}

static int64_t cpus_of_tasks(const struct fsi_choosing *g)
{
	const struct fsi_plan_request *q = g->q;

	if (q->max_nodes == 1 || g->c->tasks_bound_gres)
		return q->tasks * q->step;
	return q->tasks == 1 || (q->tasks == q->min_nodes && q->tasks == q->max_nodes) ? q->step
										      : INT64_MAX;
}

/* A job with generic resources gets CPUs on a node for whole tasks, and no more tasks than it may have there; but
 * those that its GPUs bring (gres_select_filter_sock_core: req_cpus; _select_cores). */
static int64_t max_on_node(const struct fsi_choosing *g)
{
	const int64_t most = g->q->wants_gres && g->q->tasks ? cpus_of_tasks(g) : INT64_MAX;

	return most > g->q->min ? most : g->q->min;
}

static const int64_t *may_give(const struct fsi_choosing *g)
{
	struct fsi_plan_choice *s = g->s;

	if (!g->q->wants_gres || g->q->whole)
		return s->cpus;
	for (uint32_t k = 0; k < g->n; k++) {
		const uint32_t i = g->cand[k];
		const int64_t cpus = s->cpus[i] < g->per_node ? s->cpus[i] : g->per_node;

		s->left[i] = cpus - cpus % g->q->step;
	}
	return s->left;
}

/* Is more missing than as many nodes as may be taken could give, if each of them had the most CPUs? */
static bool too_few(const struct fsi_choosing *g)
{
	return g->cpus_left > g->most && g->cpus_left / g->most >= g->room && g->cpus_left > g->room * g->most;
}

/* With TopologyParam=TopoOptional switches count only where a job asks for them. */
static bool by_switches(const struct fsi_choosing *g)
{
	return g->c->nswitches && !g->q->contiguous && (!g->c->topology_optional || g->q->max_switches);
}

bool fsi_choosing_by_runs(const struct fsi_choosing *g)
{
	enum fsi_plan_rank by;

	return !g->q->contiguous && !ranked(g, &by) && !by_switches(g);
}

static bool evaluate_for(struct fsi_choosing *g, int64_t want)
{
	const struct fsi_plan_request *q = g->q;
	enum fsi_plan_rank by;
	struct fsi_plan_run *r;

	g->cpus_left = q->cpus;
	g->room_cpus = q->cpus_of_gpus > q->cpus ? q->cpus_of_gpus : q->cpus; /* _get_rem_max_cpus */
	g->min_left = q->min_nodes;
	g->nodes_left = g->want = want;
	g->gpus_left = q->gpus_in_all;
	if (q->gpus_in_all)
		g->nodes_left = q->min_nodes;
	g->room = fsi_plan_max_nodes(q);
	g->per_node = max_on_node(g);
	g->reduced = false;
	fsi_choice_give_back(g->s);
	g->left = may_give(g);
	take_required(g);
	if (fsi_choosing_done(g))
		return fsi_choice_keep(g->s);
	if (ranked(g, &by))
		return evaluate_ranked(g, by);
	if (by_switches(g))
		return fsi_choosing_by_switches(g) && fsi_choice_keep(g->s);
	if (!g->parts)
		fsi_runs_make(g);
	while (may_take(g) && !too_few(g)) {
		if (g->room == 1 && !q->contiguous)
			drop_too_small(g);
		r = fsi_runs_best(g);
		if (!r || (q->contiguous && !fsi_runs_suffice(g, r)))
			break;
		take_run(g, r);
	}
	return (fsi_choosing_done(g) || (g->cpus_left <= 0 && g->gpus_left <= 0 && fsi_choosing_enough(g, 0))) &&
	       fsi_choice_keep(g->s);
}

/* More nodes than there are candidates are too spread in the same way as one more than these. */
bool fsi_choosing_try(struct fsi_choosing *g)
{
	const int64_t min = g->q->min_nodes, n = g->n;
	int64_t want = g->q->want_nodes > min ? g->q->want_nodes : min;

	do {
		g->too_spread = false;
		if (evaluate_for(g, want))
			return true;
		want = want <= n ? want - 1 : n;
	} while (g->too_spread && g->c->tree_by_cpus && want >= min);
	return false;
}
