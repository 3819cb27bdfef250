/* Runs of neighbours among the nodes that may be chosen (select/cons_tres/job_test.c: _eval_nodes), and the one to be
 * taken next. Where nodes are left out one size after the other the runs are not made anew from their nodes but parted
 * there. */
#include "plan/choose/choosing.h"

#include <string.h>

/* The run that begins with candidate k. */
static struct fsi_plan_run read_run(const struct fsi_choosing *g, uint32_t k)
{
	struct fsi_plan_run r = { .first = k, .required = FSI_NO_INDEX };
	int64_t cpus = 0;
	uint32_t left = 0;

	do {
		const uint32_t i = g->cand[k];
		const int64_t weight = g->s->weight[i];

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
		g->nruns += r->left > 0;
		k = r->end;
	}
}

static bool has_gpus(const struct fsi_choosing *g, const struct fsi_plan_run *r)
{
	int64_t gpus = 0;

	for (uint32_t k = r->first; g->q->gpus_in_all && k < r->end; k++)
		if (!fsi_choosing_required(g, g->cand[k]))
			gpus += g->s->gpus[g->cand[k]];
	return !g->q->gpus_in_all || gpus >= g->gpus_left;
}

bool fsi_runs_suffice(const struct fsi_choosing *g, const struct fsi_plan_run *r)
{
	return r->cpus >= g->cpus_left && fsi_choosing_enough(g, r->left) && has_gpus(g, r);
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

/* Is it not to be taken before the best, whether it suffices or not? Most are seen so. */
static bool smaller(const struct fsi_plan_run *r, const struct fsi_plan_run *best, int64_t cpus_left)
{
	return best && r->cpus <= best->cpus && r->cpus < cpus_left && r->weight == best->weight &&
	       r->required == FSI_NO_INDEX;
}

struct fsi_plan_run *fsi_runs_best(struct fsi_choosing *g)
{
	const int64_t cpus_left = g->cpus_left;
	struct fsi_plan_run *best = NULL;
	bool best_fits = false;

	for (struct fsi_plan_run *r = g->s->run; r < g->s->run + g->nruns; r++) {
		bool fits;

		if (!r->left || smaller(r, best, cpus_left))
			continue;
		fits = fsi_runs_suffice(g, r);
		if (better(g, r, fits, best, best_fits)) {
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
	s->before[0] = 0;
	for (uint32_t k = 0; k < g->n; k++)
		s->before[k + 1] = s->before[k] + g->left[g->cand[k]];
	g->smallest = 0;
	return true;
}

/* Puts what a run has from one place to before another, if there is anything, behind the runs that stay. */
static void put_part(struct fsi_choosing *g, const struct fsi_plan_run *of, uint32_t first, uint32_t end)
{
	struct fsi_plan_run *r = &g->s->parted[g->nruns];

	*r = *of;
	r->first = first;
	r->end = end;
	r->left = end - first;
	r->cpus = g->s->before[end] - g->s->before[first];
	g->nruns += first < end;
}

/* Leaves out those of a size from a run; both stand by rising place. */
static void part_run(struct fsi_choosing *g, const struct fsi_plan_run *r, uint32_t *of_size)
{
	uint32_t from = r->first;

	for (; *of_size && *of_size <= r->end && g->leave && g->stay > g->q->min_nodes;
	     *of_size = g->s->same[from - 1]) {
		put_part(g, r, from, *of_size - 1);
		from = *of_size;
		g->stay--;
		g->leave--;
	}
	put_part(g, r, from, r->end);
}

static void leave_out(struct fsi_choosing *g, uint32_t *of_size)
{
	struct fsi_plan_choice *s = g->s;
	struct fsi_plan_run *const run = s->run;
	const uint32_t nruns = g->nruns;

	g->nruns = 0;
	for (uint32_t n = 0; n < nruns; n++)
		if (*of_size && *of_size <= run[n].end) {
			part_run(g, &run[n], of_size);
		} else {
			s->parted[g->nruns] = run[n];
			s->parted[g->nruns++].left = run[n].end - run[n].first;
		}
	s->run = s->parted;
	s->parted = run;
}

int64_t fsi_runs_leave_out(struct fsi_choosing *g, int64_t max)
{
	uint32_t *of = g->s->of_cpus;

	g->leave = UINT32_MAX;
	for (; g->smallest < FSI_PLAN_COUNTED; g->smallest++) {
		if (g->smallest <= max && of[g->smallest] && g->stay > g->q->min_nodes)
			leave_out(g, &of[g->smallest]);
		if (of[g->smallest])
			break;
	}
	return g->smallest > max ? g->smallest : max + 1;
}

void fsi_runs_leave_smallest(struct fsi_choosing *g, uint32_t most)
{
	uint32_t *of = g->s->of_cpus;

	while (g->smallest < FSI_PLAN_COUNTED && !of[g->smallest])
		g->smallest++;
	g->leave = most;
	if (g->smallest < FSI_PLAN_COUNTED)
		leave_out(g, &of[g->smallest]);
}

uint32_t fsi_runs_join(struct fsi_choosing *g, uint32_t *kept)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->nruns; i++)
		for (uint32_t k = g->s->run[i].first; k < g->s->run[i].end; k++)
			kept[n++] = g->cand[k];
	return n;
}
