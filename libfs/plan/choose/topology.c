/* Nodes of a job under topology/tree (until 23.11 select/cons_tres/job_test.c: _eval_nodes_topo; from 24.05
 * topology/tree/eval_nodes_tree.c, with what differs named below).
 *
 * Of the switches that can hold the job the highest counts, of those as high one with nodes of least weight, and of
 * these the last; with required nodes the highest that has one. Only its nodes are used. Nodes come in by rising weight
 * until they suffice (23.02: until there are all that are wanted); those of all weights but the last are taken at once.
 * Then the leaves in use are filled, and further leaves one after the other: the nearest to those in use, of equally
 * near the one that alone would do with fewest nodes, or else with most (_topo_compare_switches, which asks the
 * switches above when neither would do). A leaf's nodes are taken in their order.
 *
 * A job that asks for so many switches at most (--switches) does not start on more while it has not waited long enough;
 * 23.02 tries one node less, down to the least. */
#include "plan/bits.h"
#include "plan/choose/choosing.h"

#include <string.h>

enum { MAP, BEST, EARLIER }; /* sets: nodes taken; nodes that may be; nodes of all weights but the last */

struct tree {
	struct fsi_choosing *g;
	const struct fsi_plan_cluster *c;
	struct fsi_plan_choice *s;
	struct fsi_plan_at_switch *at;
	uint32_t top;
	bool earlier; /* are there nodes of weights before the last? */
};

static bool is_required(const struct tree *t, uint32_t i)
{
	return t->g->q->required && fsi_bit(t->g->q->required, i);
}

/* ---- the highest switch */

/* The least weight of the switch's nodes. */
static int64_t min_weight(const struct tree *t, uint32_t sw)
{
	int64_t min = INT64_MAX;

	FSI_BITS_EACH(i, t->at[sw].nodes, t->c->words)
	{
		if (t->s->weight[i] < min)
			min = t->s->weight[i];
	}
	return min;
}

static void count_nodes(struct tree *t, uint32_t sw)
{
	struct fsi_plan_at_switch *a = &t->at[sw];

	a->count = fsi_bits_count(a->nodes, t->c->words);
	a->cpus = 0;
	FSI_BITS_EACH(i, a->nodes, t->c->words)
	{
		a->cpus += t->s->cpus[i];
	}
}

static bool holds(const struct tree *t, uint32_t sw)
{
	return fsi_choosing_enough(t->g, t->at[sw].count) && (!t->c->tree_by_cpus || t->g->cpus_left <= t->at[sw].cpus);
}

static void find_top(struct tree *t)
{
	const uint64_t *required = t->g->q->required;
	int64_t weight = 0;

	if (t->c->looks)
		*t->c->looks += (uint64_t)t->c->nswitches * t->c->words;
	t->top = FSI_NO_INDEX;
	for (uint32_t k = 0; k < t->c->nswitches; k++) {
		const uint32_t level = t->c->sw[k].level;

		memcpy(t->at[k].nodes, t->c->sw[k].nodes, t->c->words * sizeof(*t->at[k].nodes));
		fsi_bits_and(t->at[k].nodes, t->s->set[MAP], t->c->words);
		count_nodes(t, k);
		t->at[k].in_use = required && fsi_bits_meet(required, t->at[k].nodes, t->c->words);
		if (required) {
			if (t->at[k].in_use && (t->top == FSI_NO_INDEX || level > t->c->sw[t->top].level))
				t->top = k;
			continue;
		}
		if (!holds(t, k) || !t->at[k].count)
			continue;
		if (t->top == FSI_NO_INDEX ||
		    (level >= t->c->sw[t->top].level && min_weight(t, k) <= weight)) {
			t->top = k;
			weight = min_weight(t, k);
		}
	}
}

/* ---- nodes by rising weight */

/* The next weight above that among the candidates, INT64_MAX: there is none. */
static int64_t next_weight(const struct tree *t, int64_t above)
{
	int64_t next = INT64_MAX;

	for (uint32_t k = 0; k < t->g->n; k++) {
		const int64_t w = t->s->weight[t->g->cand[k]];

		if (w > above && w < next)
			next = w;
	}
	return next;
}

/* Fills BEST and EARLIER; false when all nodes together do not suffice. */
static bool find_best(struct tree *t)
{
	const struct fsi_choosing *g = t->g;
	uint64_t *best = t->s->set[BEST];
	int64_t nodes = 0, cpus = 0, gpus = 0;
	bool enough = false, all = false;

	for (int64_t w = next_weight(t, -1); w != INT64_MAX && !all; w = next_weight(t, w)) {
		t->earlier = nodes > 0;
		memcpy(t->s->set[EARLIER], best, t->c->words * sizeof(*best));
		for (uint32_t k = 0; k < g->n; k++) {
			const uint32_t i = g->cand[k];

			if (t->s->weight[i] != w || is_required(t, i) || !fsi_bit(t->at[t->top].nodes, i) ||
			    g->left[i] <= 0)
				continue;
			fsi_bit_set(best, i);
			nodes++;
			cpus += g->left[i];
			gpus += g->q->gpus_in_all ? t->s->gpus[i] : 0;
		}
		enough = cpus >= g->cpus_left && gpus >= g->gpus_left && fsi_choosing_enough(g, nodes);
		all = t->c->tree_by_cpus ? enough && nodes >= g->nodes_left : enough;
	}
	return enough;
}

/* ---- taking */

static void take_node(struct tree *t, uint32_t i)
{
	fsi_choosing_take(t->g, i);
	fsi_bit_set(t->s->set[MAP], i);
}

static void take_earlier(struct tree *t)
{
	FSI_BITS_EACH(i, t->s->set[EARLIER], t->c->words)
	{
		if (t->g->room > 0)
			take_node(t, i);
	}
	for (uint32_t k = 0; k < t->c->nswitches; k++)
		t->at[k].in_use = t->at[k].in_use || fsi_bits_meet(t->s->set[EARLIER], t->at[k].nodes, t->c->words);
}

/* Takes nodes of a leaf until there are enough; returns how many. */
static uint32_t take_leaf(struct tree *t, uint32_t leaf)
{
	uint32_t n = 0;

	FSI_BITS_EACH(i, t->at[leaf].nodes, t->c->words)
	{
		if (fsi_choosing_done(t->g) || t->g->room <= 0)
			return n;
		if (!fsi_bit(t->s->set[MAP], i) && t->g->left[i] > 0) {
			take_node(t, i);
			n++;
		}
	}
	return n;
}

/* From 24.05.3 the switches above a leaf have fewer nodes left too. */
static void count_taken(struct tree *t, uint32_t sw, int64_t n)
{
	for (; t->c->tree_by_left && sw != FSI_NO_INDEX; sw = t->c->sw[sw].parent)
		t->at[sw].count -= t->at[sw].count < n ? t->at[sw].count : n;
}

static void fill_used(struct tree *t)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->c->nswitches && !fsi_choosing_done(t->g); k++)
		if (t->at[k].in_use && !t->c->sw[k].level) {
			n += take_leaf(t, k);
			count_taken(t, k, n);
		}
}

/* ---- more leaves */

static void add_distances(struct tree *t, uint32_t sw)
{
	for (uint32_t k = 0; k < t->c->nswitches; k++) {
		const uint32_t d = t->c->sw_dist[(size_t)sw * t->c->nswitches + k];

		t->at[k].dist = d == FSI_NO_INDEX || t->at[k].dist == FSI_NO_INDEX ? FSI_NO_INDEX : t->at[k].dist + d;
	}
}

/* Until 24.05.2 fewer CPUs than none are taken for very many. */
static bool alone_does(const struct tree *t, uint32_t sw)
{
	const bool cpus = t->at[sw].cpus >= t->g->cpus_left && (t->c->tree_by_left || t->g->cpus_left >= 0);

	return t->at[sw].count >= t->g->nodes_left && (!t->c->tree_by_cpus || cpus);
}

static int sign(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* 1: a is the better one, -1: b is. *a_does: does a suffice, as it or a switch above it was last asked? */
static int compare(const struct tree *t, uint32_t a, uint32_t b, bool *a_does)
{
	const struct fsi_plan_switch *sw = t->c->sw;

	for (;;) {
		const bool b_does = alone_does(t, b);

		*a_does = alone_does(t, a);
		if (*a_does && b_does && t->at[a].count != t->at[b].count)
			return sign(t->at[b].count, t->at[a].count);
		if (*a_does != b_does)
			return *a_does ? 1 : -1;
		if (*a_does || sw[a].parent == sw[b].parent || sw[a].parent == FSI_NO_INDEX ||
		    sw[b].parent == FSI_NO_INDEX)
			break;
		a = sw[a].parent;
		b = sw[b].parent;
	}
	return t->at[a].count != t->at[b].count ? sign(t->at[a].count, t->at[b].count) : sign(sw[b].level, sw[a].level);
}

static bool is_better(const struct tree *t, uint32_t a, uint32_t best)
{
	bool does;
	const int c = compare(t, a, best, &does);

	if (t->at[a].dist == t->at[best].dist)
		return c > 0;
	return t->at[a].dist < t->at[best].dist && (t->c->tree_by_left ? does : c >= 0);
}

static uint32_t best_leaf(const struct tree *t)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = 0; k < t->c->nswitches; k++) {
		const struct fsi_plan_at_switch *a = &t->at[k];

		if (a->in_use || t->c->sw[k].level || !a->count || a->dist == FSI_NO_INDEX)
			continue;
		if (best == FSI_NO_INDEX || is_better(t, k, best))
			best = k;
	}
	return best;
}

static void add_leaves(struct tree *t)
{
	int64_t before = t->g->nodes_left + 1;

	while (!fsi_choosing_done(t->g) && before != t->g->nodes_left) {
		const uint32_t leaf = best_leaf(t);

		before = t->g->nodes_left;
		if (leaf == FSI_NO_INDEX)
			return;
		add_distances(t, leaf);
		take_leaf(t, leaf);
		count_taken(t, leaf, t->at[leaf].count);
		t->at[leaf].count = 0;
	}
}

/* ---- all of it */

/* From now on only nodes of the best switch count, and those taken. */
static void narrow_switches(struct tree *t)
{
	uint64_t *best = t->s->set[BEST];

	for (uint32_t w = 0; w < t->c->words; w++)
		best[w] |= t->s->set[MAP][w];
	for (uint32_t k = 0; k < t->c->nswitches; k++) {
		fsi_bits_and(t->at[k].nodes, best, t->c->words);
		t->at[k].count = fsi_bits_count(t->at[k].nodes, t->c->words);
		t->at[k].dist = 0;
	}
}

static bool too_many_leaves(struct tree *t)
{
	uint32_t leaves = 0;

	for (uint32_t k = 0; k < t->c->nswitches; k++)
		leaves += !t->c->sw[k].level && fsi_bits_meet(t->at[k].nodes, t->s->set[MAP], t->c->words);
	t->g->too_spread = t->g->q->max_switches && leaves > t->g->q->max_switches;
	return t->g->too_spread;
}

static void begin(struct tree *t)
{
	const size_t size = t->c->words * sizeof(uint64_t);

	memset(t->s->set[MAP], 0, size);
	memset(t->s->set[BEST], 0, size);
	for (uint32_t k = 0; k < t->g->n; k++)
		fsi_bit_set(t->s->set[MAP], t->g->cand[k]);
	find_top(t);
	memset(t->s->set[MAP], 0, size);
	if (t->g->q->required)
		memcpy(t->s->set[MAP], t->g->q->required, size);
	for (uint32_t k = 0; k < t->c->nswitches && t->top != FSI_NO_INDEX; k++)
		if (k != t->top)
			fsi_bits_and(t->at[k].nodes, t->at[t->top].nodes, t->c->words);
}

bool fsi_choosing_by_switches(struct fsi_choosing *g)
{
	struct tree t = { .g = g, .c = g->c, .s = g->s, .at = g->s->at };

	begin(&t);
	if (t.top == FSI_NO_INDEX || g->room <= 0 ||
	    (g->q->required && !fsi_bits_within(g->q->required, t.at[t.top].nodes, t.c->words)) || !find_best(&t))
		return false;
	if (t.earlier) {
		take_earlier(&t);
		if (!fsi_choosing_done(g) && g->room <= 0)
			return false;
	}
	narrow_switches(&t);
	if (g->q->required || t.earlier)
		fill_used(&t);
	for (uint32_t k = 0; k < t.c->nswitches; k++)
		if (t.at[k].in_use)
			add_distances(&t, k);
	add_leaves(&t);
	return (fsi_choosing_done(g) || (g->cpus_left <= 0 && g->gpus_left <= 0 && g->min_left <= 0)) &&
	       !too_many_leaves(&t);
}
