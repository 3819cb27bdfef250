/* Runs of neighbours among the nodes that may be chosen (select/cons_tres/job_test.c: _eval_nodes), and the one to be
 * taken next. Where nodes are left out one size after the other the runs are not made anew but parted: the shorter part
 * becomes a run of its own, so that a node is moved to another run only as often as the runs halve. */
#include "plan/choosing.h"

#include <string.h>

/* The run that begins with candidate k. */
static struct fsi_plan_run read_run(const struct fsi_choosing *g, uint32_t k)
{
	struct fsi_plan_run r = { .first = k, .required = FSI_NO_INDEX };
	int64_t cpus = 0;
	uint32_t left = 0;

	do {
		const uint32_t i = g->cand[k], weight = g->c->weight[i];

		if (left && weight != r.weight && !g->q->contiguous)
			break;
		if (fsi_choosing_required(g, i)) {
			r.required = r.required == FSI_NO_INDEX ? k : r.required;
			continue;
		}
		cpus += g->left[i];
		r.weight = weight;
		left++;
	} while (++k < g->n && g->cand[k] == g->cand[k - 1] + 1);
	r.end = k;
	r.cpus = cpus;
	r.left = left;
	return r;
}

/* Runs of required nodes alone are left out. */
void fsi_runs_make(struct fsi_choosing *g)
{
	g->nruns = 0;
	for (uint32_t k = 0; k < g->n;) {
		struct fsi_plan_run *r = &g->s->run[g->nruns];

		*r = read_run(g, k);
		r->before = g->nruns ? g->nruns - 1 : FSI_NO_INDEX;
		g->nruns += r->left > 0;
		r->next = g->nruns;
		k = r->end;
	}
	g->first_run = g->nruns ? 0 : FSI_NO_INDEX;
	if (g->nruns)
		g->s->run[g->nruns - 1].next = FSI_NO_INDEX;
}

bool fsi_runs_suffice(const struct fsi_choosing *g, const struct fsi_plan_run *r)
{
	return r->cpus >= g->cpus_left && fsi_choosing_enough(g, r->left);
}

/* Is r to be taken before best? Each with whether it suffices. One of more CPUs that does not, for want of nodes, goes
 * before one that does: it matters in which order they are compared. */
static bool better(const struct fsi_choosing *g, const struct fsi_plan_run *r, bool fits,
		   const struct fsi_plan_run *best, bool best_fits)
{
	if (best && g->q->contiguous && fits && !best_fits)
		return true;
	if (!best || (best->required == FSI_NO_INDEX && r->required != FSI_NO_INDEX) ||
	    r->weight < best->weight)
		return true;
	if (r->weight != best->weight)
		return false;
	return (fits && !best_fits) || (fits ? r->cpus < best->cpus : r->cpus > best->cpus);
}

struct fsi_plan_run *fsi_runs_best(struct fsi_choosing *g)
{
	struct fsi_plan_run *best = NULL;
	bool best_fits = false;

	for (uint32_t k = g->first_run; k != FSI_NO_INDEX; k = g->s->run[k].next) {
		struct fsi_plan_run *r = &g->s->run[k];
		const bool fits = r->left && fsi_runs_suffice(g, r);

		if (r->left && better(g, r, fits, best, best_fits)) {
			best = r;
			best_fits = fits;
		}
	}
	return best;
}

/* ---- parting runs */

bool fsi_runs_part(struct fsi_choosing *g)
{
	struct fsi_plan_choice *s = g->s;

	memset(s->of_cpus, 0, FSI_PLAN_COUNTED * sizeof(*s->of_cpus));
	for (uint32_t k = g->n; k-- > 0;) {
		const int64_t size = fsi_choosing_size(g, g->cand[k]);

		if (size >= FSI_PLAN_COUNTED)
			return false;
		s->same[k] = s->of_cpus[size];
		s->of_cpus[size] = k + 1;
	}
	for (uint32_t n = 0; n < g->nruns; n++)
		for (uint32_t k = s->run[n].first; k < s->run[n].end; k++)
			s->run_of[k] = n;
	g->smallest = 0;
	return true;
}

void fsi_runs_again(struct fsi_choosing *g)
{
	for (uint32_t n = 0; n < g->nruns; n++)
		g->s->run[n].left = g->s->run[n].end - g->s->run[n].first;
}

/* Puts the last run before or behind run n. */
static void link_run(struct fsi_choosing *g, uint32_t n, bool before)
{
	struct fsi_plan_run *v = g->s->run, *r = &v[n];
	const uint32_t new = g->nruns - 1;

	v[new].before = before ? r->before : n;
	v[new].next = before ? n : r->next;
	if (v[new].before == FSI_NO_INDEX)
		g->first_run = new;
	else
		v[v[new].before].next = new;
	if (v[new].next != FSI_NO_INDEX)
		v[v[new].next].before = new;
}

static void unlink_run(struct fsi_choosing *g, uint32_t n)
{
	struct fsi_plan_run *v = g->s->run;

	if (v[n].before == FSI_NO_INDEX)
		g->first_run = v[n].next;
	else
		v[v[n].before].next = v[n].next;
	if (v[n].next != FSI_NO_INDEX)
		v[v[n].next].before = v[n].before;
}

/* Leaves out the candidate at place k; the shorter side of its run becomes a run of its own. */
static void take_out(struct fsi_choosing *g, uint32_t k)
{
	struct fsi_plan_choice *s = g->s;
	const uint32_t n = s->run_of[k];
	struct fsi_plan_run *r = &s->run[n], side = *r;
	const bool in_front = k - r->first < r->end - k - 1;

	*(in_front ? &side.end : &side.first) = in_front ? k : k + 1;
	*(in_front ? &r->first : &r->end) = in_front ? k + 1 : k;
	side.cpus = 0;
	for (uint32_t i = side.first; i < side.end; i++) {
		side.cpus += g->left[g->cand[i]];
		s->run_of[i] = g->nruns;
	}
	r->cpus -= side.cpus + g->left[g->cand[k]];
	if (side.first < side.end) {
		s->run[g->nruns++] = side;
		link_run(g, n, in_front);
	}
	if (g->s->run[n].first == g->s->run[n].end)
		unlink_run(g, n);
	s->run_of[k] = FSI_NO_INDEX;
	g->stay--;
}

int64_t fsi_runs_leave_out(struct fsi_choosing *g, int64_t max)
{
	uint32_t *of = g->s->of_cpus;

	for (; g->smallest < FSI_PLAN_COUNTED; g->smallest++) {
		while (g->smallest <= max && of[g->smallest] && g->stay > g->q->min_nodes) {
			const uint32_t k = of[g->smallest] - 1;

			of[g->smallest] = g->s->same[k];
			take_out(g, k);
		}
		if (of[g->smallest])
			break;
	}
	return g->smallest > max ? g->smallest : max + 1;
}
