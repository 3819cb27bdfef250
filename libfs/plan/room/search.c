/* The earliest time at which enough nodes can take a request together.
 *
 * What running jobs leave only grows with time, so a node can take its share from one moment on, cut into gaps by
 * what is planned there. A heap of the nodes' next changes is swept forward in time: each node is looked at once,
 * and again only when the sweep passes a change of its own. */
#include "plan/room/search.h"

#include "plan/bits.h"

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

/* Replaces the top by its node's next event, or drops it. */
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
	int64_t cpus;   /* in all */
	uint32_t nodes, required;
};

/* The next time at which node i, which fits from `fit` on, can take the request. */
static int64_t start_from(struct fsi_plan_search *s, const struct sweep *w, uint32_t i, int64_t fit)
{
	int64_t from;

	if (fit == INT64_MAX)
		return INT64_MAX;
	from = fsi_plan_gap(&w->c->node[i], w->q, fit, w->obey, &s->last[i]);
	if (from > w->latest)
		return INT64_MAX;
	if (s->last[i] > w->latest && w->latest != INT64_MAX)
		s->last[i] = w->latest;
	return from;
}

static bool candidate(const struct sweep *w, uint32_t i)
{
	return w->c->node[i].up && (!w->q->allowed || fsi_bit(w->q->allowed, i));
}

static void fill_heap(struct fsi_plan_search *s, const struct sweep *w, int64_t from)
{
	const struct fsi_plan_part *p = &w->c->part[w->q->partition];

	s->nheap = 0;
	for (uint32_t k = 0; k < p->n; k++) {
		const uint32_t i = p->node[k];
		const int64_t not_before = w->c->node[i].from;
		int64_t when;

		s->now_cpus[i] = 0;
		if (!candidate(w, i))
			continue;
		when = start_from(
			s, w, i,
			fsi_plan_fit(w->c, i, w->q, from > not_before ? from : not_before));
		if (when != INT64_MAX)
			s->heap[s->nheap++] = (struct fsi_plan_event){ when, i, false };
	}
	for (uint32_t i = s->nheap / 2; i-- > 0;)
		sift_down(s, i);
}

static void set_cpus(struct fsi_plan_search *s, struct sweep *w, uint32_t i, int64_t cpus)
{
	const int64_t old = s->now_cpus[i];

	s->now_cpus[i] = cpus;
	w->cpus += cpus - old;
	w->nodes += (cpus > 0);
	w->nodes -= (old > 0);
	if (w->q->required && fsi_bit(w->q->required, i)) {
		w->required += (cpus > 0);
		w->required -= (old > 0);
	}
}

/* Takes the top event and puts the node's next one in its place. */
static void advance(struct fsi_plan_search *s, struct sweep *w)
{
	const struct fsi_plan_event e = s->heap[0];
	const struct fsi_plan_node *n = &w->c->node[e.node];
	int64_t more;

	if (e.stop) {
		set_cpus(s, w, e.node, 0);
		replace_top(s, start_from(s, w, e.node, fsi_plan_fit(w->c, e.node, w->q, e.when)),
			    false);
		return;
	}
	set_cpus(s, w, e.node,
		 fsi_plan_room(w->c, e.node, w->q, (struct fsi_plan_moment){ e.when, UINT64_MAX }));
	more = fsi_plan_release(n, e.when);
	if (s->last[e.node] != INT64_MAX && more > s->last[e.node])
		replace_top(s, s->last[e.node] + 1, true);
	else
		replace_top(s, more, false);
}

static bool choose(const struct fsi_plan_search *s, const struct sweep *w, int64_t when,
		   struct fsi_plan_choice *choice)
{
	const struct fsi_plan_request *q = w->q;
	const struct fsi_plan_part *p = &w->c->part[q->partition];
	const struct fsi_plan_moment at = { when, UINT64_MAX };

	if (w->nodes < q->min_nodes || w->required < q->nrequired || w->cpus < q->cpus)
		return false;
	choice->n = 0;
	for (uint32_t k = 0; k < p->n; k++)
		if (s->now_cpus[p->node[k]] > 0) {
			const uint32_t i = p->node[k];

			choice->cpus[i] = s->now_cpus[i];
			choice->candidate[choice->n++] = i;
			if (q->gpus)
				choice->gpus[i] = fsi_plan_room_at(w->c, i, q, at).gpus;
		}
	return fsi_plan_choose(choice, w->c, q);
}

/* The last start that the job's own reservation admits, which is open only for a time. */
static int64_t window_of(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			 int64_t *from)
{
	const struct fsi_reservation *r;

	if (q->reservation == FSI_NO_INDEX)
		return INT64_MAX;
	r = &c->m->reservation.v[q->reservation];
	if (FSI_HAS(r, RESERVATION, start_time) && r->start_time > *from)
		*from = r->start_time;
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time : INT64_MAX;
}

int64_t fsi_plan_earliest(struct fsi_plan_search *s, struct fsi_plan_choice *choice,
			  const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			  int64_t from, enum fsi_plan_obey obey)
{
	struct sweep w = { .c = c, .q = q, .obey = obey };

	choice->busy_first = false;
	w.latest = window_of(c, q, &from);
	if (q->impossible || w.latest < from || (q->max_nodes && q->min_nodes > q->max_nodes))
		return INT64_MAX;
	fill_heap(s, &w, from);
	while (s->nheap) {
		const int64_t when = s->heap[0].when;

		while (s->nheap && s->heap[0].when == when)
			advance(s, &w);
		if (choose(s, &w, when, choice))
			return when;
	}
	return INT64_MAX;
}

int fsi_plan_search_init(struct fsi_plan_search *s, const struct fsi_plan_cluster *c)
{
	const size_t n = (size_t)c->nnodes + 1;

	*s = (struct fsi_plan_search){
		.heap = calloc(n, sizeof(*s->heap)),
		.now_cpus = calloc(n, sizeof(*s->now_cpus)),
		.last = calloc(n, sizeof(*s->last)),
	};
	return s->heap && s->now_cpus && s->last ? 0 : -1;
}

void fsi_plan_search_release(struct fsi_plan_search *s)
{
	free(s->heap);
	free(s->now_cpus);
	free(s->last);
}
