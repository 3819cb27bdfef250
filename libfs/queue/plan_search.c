/* The earliest time at which enough nodes can take a request together.
 *
 * What running jobs leave only grows with time, so a node can take its share from one moment on, cut into gaps by
 * what is planned there. A heap of the nodes' next changes is swept forward in time: each node is looked at once,
 * and again only when the sweep passes a change of its own. */
#include "queue/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- the heap: earliest first, at one time stops before starts, then by node */

static bool before(const struct fsi_plan_event *a, const struct fsi_plan_event *b)
{
	if (a->when != b->when)
		return a->when < b->when;
	if (a->stop != b->stop)
		return a->stop;
	return a->node < b->node;
}

static void sift_down(struct fsi_plan_search *s, uint32_t i)
{
	const struct fsi_plan_event e = s->heap[i];

	for (uint32_t k; (k = 2 * i + 1) < s->nheap; i = k) {
		if (k + 1 < s->nheap && before(&s->heap[k + 1], &s->heap[k]))
			k++;
		if (!before(&s->heap[k], &e))
			break;
		s->heap[i] = s->heap[k];
	}
	s->heap[i] = e;
}

/* The top gets its node's next event, or goes. */
static void replace_top(struct fsi_plan_search *s, int64_t when, bool stop)
{
	if (when == INT64_MAX) {
		s->heap[0] = s->heap[--s->nheap];
	} else {
		s->heap[0].when = when;
		s->heap[0].stop = stop;
	}
	if (s->nheap)
		sift_down(s, 0);
}

/* ---- the sweep */

struct sweep {
	const struct fsi_plan_cluster *c;
	const struct fsi_plan_request *q;
	enum fsi_plan_obey obey;
	int64_t latest; /* last start allowed */
	int64_t reach;	/* last end of a planned job looked at */
	int64_t units;	/* in all */
	uint32_t nodes, required;
};

/* When node i, which fits from `fit` on, can next take the request. */
static int64_t start_from(struct fsi_plan_search *s, const struct sweep *w, uint32_t i, int64_t fit)
{
	int64_t from;

	if (fit == INT64_MAX)
		return INT64_MAX;
	from = fsi_plan_gap(&w->c->node[i], w->q, fit, w->obey, &s->last[i]);
	if (from > w->latest || (from > fit && from > w->reach))
		return INT64_MAX;
	if (s->last[i] > w->latest && w->latest != INT64_MAX)
		s->last[i] = w->latest;
	return from;
}

static bool candidate(const struct sweep *w, uint32_t i)
{
	return w->c->node[i].up && (!w->q->allowed || w->q->allowed[i]);
}

static void fill_heap(struct fsi_plan_search *s, const struct sweep *w, int64_t from)
{
	const struct fsi_plan_part *p = &w->c->part[w->q->partition];

	s->nheap = 0;
	for (uint32_t k = 0; k < p->n; k++) {
		const uint32_t i = p->node[k];
		const int64_t not_before = w->c->node[i].from;
		int64_t when;

		s->now_units[i] = 0;
		s->fit[i] = INT64_MAX;
		if (!candidate(w, i))
			continue;
		s->fit[i] = fsi_plan_fit(&w->c->node[i], w->q, w->c->nres,
					 from > not_before ? from : not_before);
		when = start_from(s, w, i, s->fit[i]);
		if (when != INT64_MAX)
			s->heap[s->nheap++] = (struct fsi_plan_event){ when, i, false };
	}
	for (uint32_t i = s->nheap / 2; i-- > 0;)
		sift_down(s, i);
}

static void set_units(struct fsi_plan_search *s, struct sweep *w, uint32_t i, int64_t units)
{
	const int64_t old = s->now_units[i];

	s->now_units[i] = units;
	w->units += units - old;
	w->nodes += (units > 0);
	w->nodes -= (old > 0);
	if (w->q->required && w->q->required[i]) {
		w->required += (units > 0);
		w->required -= (old > 0);
	}
}

/* Takes the top event and puts the node's next one in its place. */
static void advance(struct fsi_plan_search *s, struct sweep *w)
{
	const struct fsi_plan_event e = s->heap[0];
	const struct fsi_plan_node *n = &w->c->node[e.node];
	int64_t more = INT64_MAX;

	if (e.stop) {
		set_units(s, w, e.node, 0);
		replace_top(s, start_from(s, w, e.node, fsi_plan_fit(n, w->q, w->c->nres, e.when)),
			    false);
		return;
	}
	set_units(s, w, e.node, fsi_plan_units(n, w->q, w->c->nres, e.when));
	if (w->q->shared_out)
		more = fsi_plan_release(n, e.when);
	if (s->last[e.node] != INT64_MAX && more > s->last[e.node])
		replace_top(s, s->last[e.node] + 1, true);
	else
		replace_top(s, more, false);
}

/* ---- choosing */

/* The most that `most` nodes can give: needed only when there is such a limit. */
static int by_units(const void *x, const void *y, const void *ctx)
{
	const int64_t *units = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (units[a] != units[b])
		return units[a] > units[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static int required_first(const void *x, const void *y, const void *ctx)
{
	const bool *required = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	if (required[a] != required[b])
		return required[a] ? -1 : 1;
	return 0;
}

static uint32_t list_candidates(struct fsi_plan_search *s, const struct sweep *w)
{
	const struct fsi_plan_part *p = &w->c->part[w->q->partition];
	uint32_t n = 0;

	for (uint32_t k = 0; k < p->n; k++)
		if (s->now_units[p->node[k]] > 0)
			s->order[n++] = p->node[k];
	if (w->q->shared_out && w->q->max_nodes)
		fs_sort(s->order, n, sizeof(*s->order), by_units, s->now_units);
	if (w->q->required)
		fs_sort(s->order, n, sizeof(*s->order), required_first, w->q->required);
	return n;
}

static void choose_fixed(struct fsi_plan_search *s, const struct sweep *w, uint32_t n)
{
	for (s->nnodes = 0; s->nnodes < w->q->min_nodes && s->nnodes < n; s->nnodes++) {
		s->node[s->nnodes] = s->order[s->nnodes];
		s->units[s->nnodes] = 1;
	}
}

/* Each node gives what it can, but leaves the fewest CPUs of a node for each that must still come. */
static bool choose_shared(struct fsi_plan_search *s, const struct sweep *w, uint32_t n)
{
	const struct fsi_plan_request *q = w->q;
	int64_t left = q->cpus;

	s->nnodes = 0;
	for (uint32_t k = 0; k < n && left > 0 && (!q->max_nodes || s->nnodes < q->max_nodes);
	     k++) {
		const int64_t still = (int64_t)q->min_nodes - s->nnodes - 1;
		int64_t give = left - (still > 0 ? still * q->least : 0);

		if (give > s->now_units[s->order[k]])
			give = s->now_units[s->order[k]];
		if (give < q->least)
			give = left < q->least ? left : q->least;
		s->node[s->nnodes] = s->order[k];
		s->units[s->nnodes++] = give;
		left -= give;
	}
	return left <= 0 && s->nnodes >= q->min_nodes;
}

static bool choose(struct fsi_plan_search *s, const struct sweep *w)
{
	const struct fsi_plan_request *q = w->q;
	uint32_t n;

	if (w->nodes < q->min_nodes || w->required < q->nrequired ||
	    (q->shared_out && w->units < q->cpus))
		return false;
	n = list_candidates(s, w);
	if (q->shared_out)
		return choose_shared(s, w, n);
	choose_fixed(s, w, n);
	return true;
}

/* Its own reservation is open only for a time. */
static int64_t window_of(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			 int64_t *from)
{
	const struct fsi_reservation *r;

	if (q->reservation == FSI_NO_INDEX)
		return INT64_MAX;
	r = &c->m->reservation.v[q->reservation];
	if (FSI_HAS(r, RESERVATION, start_time) && r->start_time > *from)
		*from = r->start_time;
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time - q->limit_s : INT64_MAX;
}

void fsi_plan_earliest(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		       const struct fsi_plan_request *q, int64_t from, enum fsi_plan_obey obey)
{
	struct sweep w = { .c = c, .q = q, .obey = obey };

	s->began = from;
	s->start = INT64_MAX;
	s->nnodes = 0;
	w.latest = window_of(c, q, &from);
	if (q->impossible || w.latest < from || (q->max_nodes && q->min_nodes > q->max_nodes))
		return;
	w.reach = obey == FSI_OBEY_ALL ? q->reach : INT64_MAX;
	fill_heap(s, &w, from);
	while (s->nheap) {
		const int64_t when = s->heap[0].when;

		while (s->nheap && s->heap[0].when == when)
			advance(s, &w);
		if (choose(s, &w)) {
			s->start = when;
			return;
		}
	}
}

/* The k-th smallest of n numbers, k from 1, which it reorders: quickselect. */
static int64_t kth_smallest(int64_t *v, uint32_t n, uint32_t k)
{
	uint32_t lo = 0, hi = n - 1;

	while (lo < hi) {
		const int64_t pivot = v[lo + (hi - lo) / 2];
		uint32_t i = lo, j = hi;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			const int64_t swap = v[i];

			v[i++] = v[j];
			v[j--] = swap;
		}
		if (k - 1 <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[lo];
}

/* With holds alone in the way a node that fits goes on fitting: the start is the k-th smallest fit. */
void fsi_plan_without_plans(struct fsi_plan_search *s, const struct fsi_plan_search *before,
			    const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			    int64_t from)
{
	const struct fsi_plan_part *p = &c->part[q->partition];
	uint32_t n = 0;

	if (q->shared_out || q->required || q->reservation != FSI_NO_INDEX ||
	    before->began != from) {
		fsi_plan_earliest(s, c, q, from, FSI_OBEY_HOLDS);
		return;
	}
	s->start = INT64_MAX;
	s->nnodes = 0;
	for (uint32_t k = 0; k < p->n; k++)
		if (before->fit[p->node[k]] != INT64_MAX)
			s->sorted[n++] = before->fit[p->node[k]];
	if (n < q->min_nodes)
		return;
	s->start = kth_smallest(s->sorted, n, q->min_nodes);
	for (uint32_t k = 0; k < p->n && s->nnodes < q->min_nodes; k++)
		if (before->fit[p->node[k]] <= s->start) {
			s->node[s->nnodes] = p->node[k];
			s->units[s->nnodes++] = 1;
		}
}

int fsi_plan_search_init(struct fsi_plan_search *s, const struct fsi_plan_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_plan_search){
		.heap = calloc(n, sizeof(*s->heap)),
		.now_units = calloc(n, sizeof(*s->now_units)),
		.last = calloc(n, sizeof(*s->last)),
		.fit = calloc(n, sizeof(*s->fit)),
		.sorted = calloc(n, sizeof(*s->sorted)),
		.given = calloc(n, sizeof(*s->given)),
		.run = calloc(n, sizeof(*s->run)),
		.mask = calloc(n, sizeof(*s->mask)),
		.order = calloc(n, sizeof(*s->order)),
		.node = calloc(n, sizeof(*s->node)),
		.units = calloc(n, sizeof(*s->units)),
	};
	return s->heap && s->now_units && s->last && s->fit && s->sorted && s->order && s->given &&
			       s->run && s->mask && s->node && s->units
		       ? 0
		       : -1;
}

void fsi_plan_search_release(struct fsi_plan_search *s)
{
	free(s->heap);
	free(s->now_units);
	free(s->last);
	free(s->fit);
	free(s->sorted);
	free(s->order);
	free(s->given);
	free(s->run);
	free(s->mask);
	free(s->node);
	free(s->units);
}
