/* Which of the nodes with room a job gets (select/cons_tres/job_test.c: choose_nodes, _eval_nodes, _cpus_to_use; from
 * 24.11 topology/common/common_topo.c and eval_nodes.c, alike).
 *
 * Required nodes first. The others fall into runs of neighbours of one weight. The run of least weight is taken, among
 * those the smallest that suffices or else the largest, and again until there is enough. When one more node would do
 * and one node of the run can give all that is missing, the one with fewest CPUs does; otherwise the run's nodes in
 * order, or around its required nodes. A node gives what is missing, less a core for each node that must still come.
 *
 * If that fails the nodes with the fewest CPUs are left out, up to 1, 2, 3, ... CPUs, and it is tried again while more
 * than the least nodes remain; from 25.11 on one after the other (common_topo_choose_nodes). From 26.05 on a job of one
 * node at most gets the first by weight that can take it (_get_one_res).
 *
 * With topology/tree switches decide: topology.c. bf_busy_nodes, LLN and pack_serial_at_end have another order: rank.c.
 * For --contiguous weights part no runs, and one run must do. */
#include "plan/choose/choosing.h"

#include <stdlib.h>
#include <string.h>

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
static bool evaluate(struct fsi_choosing *g)
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
	enum fsi_plan_rank by;

	if (g->reduced || g->q->required || g->q->contiguous || ranked(g, &by) || by_switches(g))
		return;
	g->parts = fsi_runs_part(g);
}

/* An evaluation changed what a node gives: the runs are made anew, of the nodes not left out. */
static void join_runs(struct fsi_choosing *g)
{
	g->n = fsi_runs_join(g, g->s->kept);
	g->cand = g->s->kept;
	g->parts = false;
}

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

/* Tries without the smallest nodes, without those and the next smallest, and so on. */
static bool choose_without(struct fsi_choosing *g)
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
		if (evaluate(g))
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

static bool choose_singly(struct fsi_choosing *g)
{
	uint64_t work = 0;

	part_runs(g);
	while (!evaluate(g)) {
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

static void read_sizes(const struct fsi_choosing *g)
{
	struct fsi_plan_choice *s = g->s;

	for (uint32_t k = 0; k < g->n; k++)
		s->size[g->cand[k]] = s->cpus[g->cand[k]] * (g->q->gpus ? s->gpus[g->cand[k]] : 1);
}

static bool next_weight(const struct fsi_choosing *g, int64_t *weight)
{
	int64_t next = INT64_MAX;

	for (uint32_t k = 0; k < g->n; k++) {
		const int64_t w = g->s->weight[g->cand[k]] >> 8;

		if (w > *weight && w < next)
			next = w;
	}
	*weight = next;
	return next != INT64_MAX;
}

/* The first by weight that can take a job of one node. */
static bool choose_one(const struct fsi_choosing *g)
{
	for (int64_t weight = -1; next_weight(g, &weight);)
		for (uint32_t k = 0; k < g->n; k++) {
			const uint32_t i = g->cand[k];
			struct fsi_choosing one = { .s = g->s, .c = g->c, .q = g->q, .cand = &i, .n = 1, .stay = 1 };

			one.most = g->s->cpus[i];
			if (g->s->weight[i] >> 8 == weight && one.most >= g->q->cpus &&
			    (!g->q->required || fsi_choosing_required(g, i)) && evaluate(&one))
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
	if (!g.n || g.n < q->min_nodes || hopeless(&g))
		return false;
	fsi_choosing_weigh(&g);
	if (c->leaves_out_singly)
		read_sizes(&g);
	if (evaluate(&g))
		return true;
	if (c->leaves_out_singly)
		return choose_singly(&g);
	return g.n == q->min_nodes ? evaluate(&g) : choose_without(&g);
}
