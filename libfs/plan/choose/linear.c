/* Which of the nodes with room a job gets from select/linear, whole as always
 * (src/plugins/select/linear/select_linear.c: _job_test; from 22.05 to 26.11 alike).
 *
 * Required nodes first. Where nodes differ in their CPUs and the wanted number of the least of them would not do, those
 * with most CPUs, of equal ones the last. Otherwise runs of neighbours: those with required nodes first, among those
 * that suffice the one with fewest CPUs, else the one with most; its nodes in order, or around its first required one.
 * Weights do not count, and no node is left out and tried again. */
#include "plan/bits.h"
#include "plan/choose/choosing.h"

enum { NONE = -1 };

struct linear {
	struct fsi_plan_choice *s;
	const struct fsi_plan_request *q;
	int64_t cpus, nodes, room; /* CPUs missing; nodes missing; nodes that may still be taken */
	uint32_t nruns;
};

static bool is_required(const struct linear *l, uint32_t i)
{
	return l->q->required && fsi_bit(l->q->required, i);
}

static bool done(const struct linear *l)
{
	return l->nodes <= 0 && l->cpus <= 0;
}

static void take_node(struct linear *l, uint32_t i)
{
	struct fsi_plan_choice *s = l->s;

	s->given[i] = s->cpus[i];
	s->taken[s->ntaken++] = i;
	l->cpus -= s->cpus[i];
	l->nodes--;
	l->room--;
}

static void try_node(struct linear *l, uint32_t i)
{
	if (l->room > 0 && !done(l) && l->s->given[i] < 0)
		take_node(l, i);
}

/* Would so many nodes more do, where more than the least are wanted? */
static bool enough(const struct linear *l, int64_t n)
{
	const int64_t want = l->q->want_nodes, min = l->q->min_nodes;

	return n >= (want > min ? l->nodes + min - want : l->nodes);
}

/* ---- runs of neighbours: left counts their nodes that are not required, 0 when it is used up */

static void make_runs(struct linear *l)
{
	struct fsi_plan_choice *s = l->s;

	for (uint32_t k = 0; k < s->n; k++) {
		const uint32_t i = s->candidate[k];
		const bool more = k && s->candidate[k - 1] + 1 == i;
		struct fsi_plan_run *r;

		if (!more)
			s->run[l->nruns++] = (struct fsi_plan_run){ .first = k, .required = FSI_NO_INDEX };
		r = &s->run[l->nruns - 1];
		r->end = k + 1;
		if (is_required(l, i)) {
			r->required = r->required == FSI_NO_INDEX ? k : r->required;
		} else {
			r->cpus += s->cpus[i];
			r->left++;
		}
	}
}

static bool suffices(const struct linear *l, const struct fsi_plan_run *r)
{
	return r->cpus >= l->cpus && enough(l, r->left);
}

static bool better(const struct linear *l, const struct fsi_plan_run *r, const struct fsi_plan_run *best)
{
	const bool will = suffices(l, r);

	return !best || (best->required == FSI_NO_INDEX && r->required != FSI_NO_INDEX) ||
	       (will && !suffices(l, best)) || (will && r->cpus < best->cpus) || (!will && r->cpus > best->cpus);
}

static struct fsi_plan_run *best_run(const struct linear *l)
{
	const bool one = l->q->contiguous && l->q->required;
	struct fsi_plan_run *best = NULL;
	uint32_t with_required = 0;

	for (uint32_t k = 0; k < l->nruns; k++) {
		struct fsi_plan_run *r = &l->s->run[k];

		if (!r->left || (one && r->required == FSI_NO_INDEX))
			continue;
		with_required += r->required != FSI_NO_INDEX;
		if (better(l, r, best))
			best = r;
	}
	return one && with_required > 1 ? NULL : best;
}

static void take_run(struct linear *l, struct fsi_plan_run *r)
{
	const uint32_t from = r->required == FSI_NO_INDEX ? r->first : r->required;

	for (uint32_t k = from; k < r->end; k++)
		try_node(l, l->s->candidate[k]);
	for (uint32_t k = from; k-- > r->first;)
		try_node(l, l->s->candidate[k]);
	r->left = 0;
}

static void by_runs(struct linear *l)
{
	struct fsi_plan_run *r;

	make_runs(l);
	while (l->room > 0 && !done(l) && (r = best_run(l))) {
		if (l->q->contiguous && !suffices(l, r))
			return;
		take_run(l, r);
		if (l->q->contiguous)
			return;
	}
}

/* ---- the largest nodes */

static bool least_would_not_do(const struct linear *l)
{
	const struct fsi_plan_choice *s = l->s;
	int64_t least = INT64_MAX, most = 0;

	for (uint32_t k = 0; k < s->n; k++) {
		const int64_t cpus = s->cpus[s->candidate[k]];

		least = cpus < least ? cpus : least;
		most = cpus > most ? cpus : most;
	}
	return least != most && l->cpus > least * l->nodes;
}

static void by_size(struct linear *l)
{
	const struct fsi_plan_choice *s = l->s;

	while (l->room > 0 && !done(l)) {
		int64_t best = NONE;

		for (uint32_t k = 0; k < s->n; k++) {
			const uint32_t i = s->candidate[k];

			if (s->given[i] < 0 && (best == NONE || s->cpus[i] >= s->cpus[best]))
				best = i;
		}
		if (best == NONE)
			return;
		take_node(l, (uint32_t)best);
	}
}

bool fsi_plan_choose_linear(struct fsi_plan_choice *s, const struct fsi_plan_request *q)
{
	struct linear l = { .s = s,
			    .q = q,
			    .cpus = q->cpus,
			    .nodes = q->want_nodes > q->min_nodes ? q->want_nodes : q->min_nodes,
			    .room = fsi_plan_max_nodes(q) };

	fsi_choice_give_back(s);
	if (s->n < q->min_nodes)
		return false;
	for (uint32_t k = 0; q->required && k < s->n; k++)
		if (is_required(&l, s->candidate[k]) && l.room > 0)
			take_node(&l, s->candidate[k]);
	if (least_would_not_do(&l))
		by_size(&l);
	else
		by_runs(&l);
	return l.cpus <= 0 && enough(&l, 0) && fsi_choice_keep(s);
}
