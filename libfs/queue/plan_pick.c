/* When, and on which of the nodes that can take a request, it gets a start. Slurm takes running jobs off them, by their
 * ends, a few at a time and ever more, until there is room (select/cons_tres: will_run), and the nodes of that moment:
 * required ones, then of runs of neighbours the smallest that suffices, or else the largest and again; in the last one
 * the single node that fits best, if one does (_eval_nodes). Neighbours are so in the cluster's order of nodes. */
#include "queue/plan.h"

#include <string.h>

struct picking {
	struct fsi_plan_search *s;
	const struct fsi_plan_request *q;
	int64_t *cpus;	      /* by node index: that it could give at that moment */
	int64_t *given;	      /* by node index: units it gives, 0 none */
	uint32_t n, nruns;    /* candidates, in s->order by index; their runs */
	int64_t cpus_left, nodes_left, room; /* room: nodes it may still take */
};

static bool enough(const struct picking *p, const struct fsi_plan_neighbours *r)
{
	return r->cpus >= p->cpus_left && r->end - r->first >= p->nodes_left;
}

static struct fsi_plan_neighbours *best_run(const struct picking *p)
{
	struct fsi_plan_neighbours *best = NULL;

	for (uint32_t k = 0; k < p->nruns; k++) {
		struct fsi_plan_neighbours *r = &p->s->run[k];
		const bool fits = enough(p, r), best_fits = best && enough(p, best);

		if (r->end == r->first)
			continue;
		if (!best || (fits && !best_fits) ||
		    (fits == best_fits && (fits ? r->cpus < best->cpus : r->cpus > best->cpus)))
			best = r;
	}
	return best;
}

/* Units that a node gives: what is left to give, but the least for each node that must still come. */
static int64_t share_of(const struct picking *p, uint32_t i)
{
	const struct fsi_plan_request *q = p->q;
	int64_t v = p->cpus_left - (p->nodes_left > 1 ? (p->nodes_left - 1) * q->least : 0);

	if (!q->shared_out)
		return 1;
	if (v > p->cpus[i])
		v = p->cpus[i];
	return v > q->least ? v : q->least;
}

static void take(struct picking *p, uint32_t i)
{
	p->given[i] = share_of(p, i);
	p->cpus_left -= p->q->shared_out ? p->given[i] : p->q->per_node[FSI_RES_CPU];
	p->nodes_left--;
	p->room--;
}

static bool done(const struct picking *p)
{
	return p->nodes_left <= 0 && (p->cpus_left <= 0 || !p->q->shared_out);
}

/* And leaves the run empty. */
static void take_run(struct picking *p, struct fsi_plan_neighbours *r)
{
	uint32_t best = FSI_NO_INDEX;

	for (uint32_t k = r->first; p->nodes_left <= 1 && k < r->end; k++) {
		const uint32_t i = p->s->order[k];

		if (p->cpus[i] >= p->cpus_left &&
		    (best == FSI_NO_INDEX || p->cpus[i] < p->cpus[best]))
			best = i;
	}
	if (best != FSI_NO_INDEX)
		take(p, best);
	for (uint32_t k = r->first; best == FSI_NO_INDEX && k < r->end && !done(p) && p->room > 0;
	     k++)
		take(p, p->s->order[k]);
	r->end = r->first;
}

/* And takes the required ones; false when one of them has no room. */
static bool list_candidates(struct picking *p, const struct fsi_plan_cluster *c, int64_t when)
{
	const struct fsi_plan_part *part = &c->part[p->q->partition];
	uint32_t required = 0;

	for (uint32_t k = 0; k < part->n; k++) {
		const uint32_t i = part->node[k];

		const int64_t units =
			p->s->mask[i] ? fsi_plan_units(&c->node[i], p->q, c->nres, when) : 0;

		p->given[i] = 0;
		if (!units)
			continue;
		p->cpus[i] = p->q->shared_out ? units : fsi_plan_cpus(&c->node[i], c->nres, when);
		p->s->order[p->n++] = i;
		if (p->q->required && p->q->required[i]) {
			take(p, i);
			required++;
		}
	}
	return required == p->q->nrequired;
}

static void make_runs(struct picking *p)
{
	const uint32_t *order = p->s->order;
	struct fsi_plan_neighbours *r = NULL;

	for (uint32_t k = 0; k < p->n; k++) {
		if (p->given[order[k]])
			continue;
		if (!r || r->end != k || order[k] != order[k - 1] + 1) {
			r = &p->s->run[p->nruns++];
			*r = (struct fsi_plan_neighbours){ k, k, 0 };
		}
		r->end++;
		r->cpus += p->cpus[order[k]];
	}
}

static void keep(const struct picking *p)
{
	struct fsi_plan_search *s = p->s;

	s->nnodes = 0;
	for (uint32_t k = 0; k < p->n; k++)
		if (p->given[s->order[k]]) {
			s->node[s->nnodes] = s->order[k];
			s->units[s->nnodes++] = p->given[s->order[k]];
		}
}

static bool pick(struct picking *p, const struct fsi_plan_cluster *c, int64_t when)
{
	struct fsi_plan_neighbours *r;

	p->n = p->nruns = 0;
	p->cpus_left = p->q->cpus;
	p->nodes_left = p->q->min_nodes;
	p->room = p->q->max_nodes ? p->q->max_nodes : INT64_MAX;
	if (!list_candidates(p, c, when))
		return false;
	make_runs(p);
	while (!done(p) && p->room > 0 && (r = best_run(p)))
		take_run(p, r);
	if (done(p))
		keep(p);
	return done(p);
}

/* The end of the jobs that are taken off together: the first to end after `when` and those within the window. */
static int64_t next_ends(const struct picking *p, const struct fsi_plan_cluster *c, int64_t when,
			 int64_t window_s)
{
	const struct fsi_plan_part *part = &c->part[p->q->partition];
	int64_t first = INT64_MAX, last;

	for (uint32_t k = 0; k < part->n; k++)
		if (p->s->mask[part->node[k]]) {
			const int64_t end = fsi_plan_release(&c->node[part->node[k]], when);

			first = end < first ? end : first;
		}
	last = first;
	for (uint32_t k = 0; first != INT64_MAX && k < part->n; k++)
		if (p->s->mask[part->node[k]]) {
			const int64_t end =
				fsi_plan_last_release(&c->node[part->node[k]], first + window_s);

			last = end > last ? end : last;
		}
	return last;
}

int64_t fsi_plan_pick(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		      const struct fsi_plan_request *q, int64_t until)
{
	const struct fsi_plan_part *part = &c->part[q->partition];
	struct picking p = { .s = s, .q = q, .cpus = s->sorted, .given = s->given };
	int64_t when = c->now, window_s = c->ends_window_s;

	for (uint32_t k = 0; k < part->n; k++)
		s->mask[part->node[k]] = s->now_units[part->node[k]] > 0;
	while (when <= until && !pick(&p, c, when)) {
		when = next_ends(&p, c, when, window_s);
		window_s *= 2;
	}
	return when <= until ? when : INT64_MAX;
}
