/* When Maui reserves nodes for a job, which is not always when they first have room for it.
 *
 *   available  of each node the stretches with room for a task, cut where the number of tasks changes; one that ends too early
 *              for the job counts with those that follow or precede it at once (src/MJob.c:MJobGetSNRange)
 *   starts     of each stretch the times at which the job may begin: up to its limit before the end of all that follow at once,
 *              with the fewest tasks of these. They are looked at until they last for the limit beyond the stretch itself, so
 *              that less room later takes away from starts that would be over by then (src/MRes.c:MRLSFromA)
 *   earliest   the first time at which the starts of all nodes together have the tasks: node after node is added, as MRLMerge
 *              does, where one moment at which a node may begin counts together with starts that end there only if that node
 *              has no others that end there too. A node then gives what the stretch that begins there has, though what
 *              follows may have less (MJobGetRange) */
#include "plan/timeline.h"

#include <stdlib.h>

struct range {
	int64_t start, end; /* INT64_MAX: for ever */
	int64_t tasks;
	uint32_t nodes;
};

struct ranges {
	FSI_VEC(struct range) v;
};

static int put_range(struct ranges *r, const struct range *one)
{
	if (FSI_VEC_ROOM(&r->v))
		return -1;
	r->v.v[r->v.n++] = *one;
	return 0;
}

static int add_range(struct ranges *r, int64_t start, int64_t tasks)
{
	const struct range one = { start, INT64_MAX, tasks, 1 };

	return put_range(r, &one);
}

static struct range *last_of(struct ranges *r)
{
	return &r->v.v[r->v.n - 1];
}

static bool begins_at(const struct fsi_line_node *n, int64_t when)
{
	for (size_t k = 0; k < n->hold.n; k++)
		if (n->hold.v[k].start == when)
			return true;
	return false;
}

/* There is no room any more: a stretch too short for the job is forgotten unless it goes on from another. */
static void close_last(struct ranges *r, int64_t when, int64_t limit_s)
{
	const struct range *before = r->v.n > 1 ? last_of(r) - 1 : NULL;

	last_of(r)->end = when;
	if (when - last_of(r)->start < limit_s && !(before && before->end == last_of(r)->start))
		r->v.n--;
}

/* Does another number of tasks begin a stretch of its own? Not where there are enough before and after, unless something
 * ended and they have become more. */
static bool counts_as_change(int64_t had, int64_t has, int64_t asked, bool taken_away)
{
	if (has == had)
		return false;
	return has < had ? taken_away || has < asked || had < asked : !taken_away || has < asked || had < asked;
}

static int available(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from, struct ranges *r)
{
	const struct fsi_line_node *n = &t->node[i];
	bool open = fsi_line_room_at(n, w, from) > 0, taken_away = true;

	r->v.n = 0;
	if (!n->up || (w->may && !w->may[i]))
		return 0;
	if (fsi_line_changes(t, n, from) || (open && add_range(r, from, fsi_line_room_at(n, w, from))))
		return -1;
	for (size_t k = 0; k < t->ends.n; k++) {
		const int64_t when = t->ends.v[k], has = fsi_line_room_at(n, w, when);

		taken_away = taken_away || begins_at(n, when);
		if (open && !has) {
			close_last(r, when, w->limit_s);
			open = false;
		} else if (open && counts_as_change(last_of(r)->tasks, has, w->tasks, taken_away)) {
			last_of(r)->end = when;
			if (add_range(r, when, has))
				return -1;
		} else if (!open && has) {
			if (add_range(r, when, has))
				return -1;
			open = true;
		}
		taken_away = false;
	}
	return 0;
}

/* The length of all that hang together with stretch i; INT64_MAX for ever. */
static int64_t together(const struct ranges *r, size_t i)
{
	size_t first = i, last = i;

	while (first && r->v.v[first - 1].end == r->v.v[first].start)
		first--;
	while (last + 1 < r->v.n && r->v.v[last].end == r->v.v[last + 1].start)
		last++;
	return r->v.v[last].end == INT64_MAX ? INT64_MAX : r->v.v[last].end - r->v.v[first].start;
}

static void forget_short(struct ranges *r, int64_t limit_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->v.n; i++)
		if (together(r, i) >= limit_s)
			r->v.v[kept++] = r->v.v[i];
	r->v.n = kept;
}

static int64_t plus(int64_t length, const struct range *r)
{
	return length == INT64_MAX || r->end == INT64_MAX ? INT64_MAX : length + (r->end - r->start);
}

/* The starts that stretch i allows. false: none. */
static bool starts_of(const struct ranges *r, size_t i, int64_t limit_s, struct range *out)
{
	const int64_t own = plus(0, &r->v.v[i]);
	int64_t length = own;

	*out = r->v.v[i];
	for (size_t k = i + 1; k < r->v.n && r->v.v[k - 1].end == r->v.v[k].start; k++) {
		length = plus(length, &r->v.v[k]);
		if (r->v.v[k].tasks < out->tasks)
			out->tasks = r->v.v[k].tasks;
		if (own == INT64_MAX || length > own + limit_s)
			break;
	}
	if (length < limit_s)
		return false;
	if (length != INT64_MAX && out->start + length - limit_s < out->end)
		out->end = out->start + length - limit_s;
	return true;
}

/* ---- all nodes: one list of starts and another become one */

enum event { EVENT_NONE, EVENT_START, EVENT_END, EVENT_INSTANT };

struct side {
	const struct range *v;
	size_t n, i;
	bool inside; /* v[i] has begun */
};

static enum event next_event(const struct side *s, int64_t *when)
{
	if (s->i == s->n)
		return EVENT_NONE;
	*when = s->inside ? s->v[s->i].end : s->v[s->i].start;
	if (s->v[s->i].start == s->v[s->i].end)
		return EVENT_INSTANT;
	return s->inside ? EVENT_END : EVENT_START;
}

static enum event event_at(const struct side *s, int64_t at)
{
	int64_t when = 0;
	const enum event e = next_event(s, &when);

	return e != EVENT_NONE && when == at ? e : EVENT_NONE;
}

struct merged {
	struct ranges out;
	int64_t start, tasks; /* of the range that is open; tasks 0: none is */
	int64_t nodes;
	struct side a, b; /* what there is; the node that is added */
};

static int put(struct merged *g, int64_t start, int64_t end, int64_t tasks, int64_t nodes)
{
	if (add_range(&g->out, start, tasks))
		return -1;
	last_of(&g->out)->end = end;
	last_of(&g->out)->nodes = (uint32_t)nodes;
	return 0;
}

static void begin(struct merged *g, struct side *s)
{
	g->tasks += s->v[s->i].tasks;
	g->nodes += s->v[s->i].nodes;
	s->inside = true;
}

static void end(struct merged *g, struct side *s)
{
	g->tasks -= s->v[s->i].tasks;
	g->nodes -= s->v[s->i].nodes;
	s->inside = false;
	s->i++;
}

static int close_open(struct merged *g, int64_t at)
{
	const int rc = g->tasks > 0 ? put(g, g->start, at, g->tasks, g->nodes) : 0;

	g->start = at;
	return rc;
}

/* The moment of one side meets what the other does at that time. */
static int at_instant(struct merged *g, struct side *one, struct side *other, int64_t at, bool added)
{
	const enum event e = event_at(other, at);
	const struct range *moment = &one->v[one->i], *with = NULL;
	int64_t tasks = g->tasks, nodes = g->nodes;
	int rc = 0;

	one->i++;
	if (e == EVENT_END) {
		rc = close_open(g, at);
		end(g, other);
		if (event_at(other, at) != EVENT_NONE)
			with = &other->v[other->i];
	} else {
		/* what was open before the moment of an earlier node is lost */
		if (added)
			rc = close_open(g, at);
		if (e != EVENT_NONE)
			with = &other->v[other->i];
	}
	if (with) {
		tasks = with->tasks;
		nodes = with->nodes;
		if (with->start == with->end)
			other->i++;
	}
	if (with && with->start == with->end && !added)
		g->tasks = g->nodes = 0;
	g->start = at;
	return rc || put(g, at, at, moment->tasks + tasks, moment->nodes + nodes) ? -1 : 0;
}

static int at_time(struct merged *g, int64_t at)
{
	const enum event a = event_at(&g->a, at), b = event_at(&g->b, at);

	if (a == EVENT_INSTANT)
		return at_instant(g, &g->a, &g->b, at, false);
	if (b == EVENT_INSTANT)
		return at_instant(g, &g->b, &g->a, at, true);
	if ((a == EVENT_END || b == EVENT_END || at > g->start) && close_open(g, at))
		return -1;
	if (a == EVENT_END || b == EVENT_END) {
		if (a == EVENT_END)
			end(g, &g->a);
		if (b == EVENT_END)
			end(g, &g->b);
		return 0;
	}
	if (a == EVENT_START)
		begin(g, &g->a);
	if (b == EVENT_START)
		begin(g, &g->b);
	return 0;
}

/* all becomes all and s. */
static int merge(struct ranges *all, const struct ranges *s)
{
	struct merged g = { .a = { .v = all->v.v, .n = all->v.n }, .b = { .v = s->v.v, .n = s->v.n } };
	int rc = 0;

	while (!rc && (g.a.i < g.a.n || g.b.i < g.b.n)) {
		int64_t a = INT64_MAX, b = INT64_MAX;

		next_event(&g.a, &a);
		next_event(&g.b, &b);
		rc = at_time(&g, a < b ? a : b);
	}
	FSI_VEC_FREE(&all->v);
	*all = g.out;
	return rc;
}

/* The starts of all nodes, node after node, and the same by when they begin and by when they end. */
struct starts {
	struct ranges all, by_start, by_end;
	FSI_VEC(size_t) until; /* by node: its last in all, and one */
};

static void release(struct starts *s)
{
	FSI_VEC_FREE(&s->all.v);
	FSI_VEC_FREE(&s->by_start.v);
	FSI_VEC_FREE(&s->by_end.v);
	FSI_VEC_FREE(&s->until);
}

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int by_end(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

static int sorted(struct ranges *out, const struct ranges *r, int (*cmp)(const void *a, const void *b))
{
	for (size_t i = 0; i < r->v.n; i++)
		if (put_range(out, &r->v.v[i]))
			return -1;
	if (out->v.n)
		qsort(out->v.v, out->v.n, sizeof(*out->v.v), cmp);
	return 0;
}

static int starts_of_node(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from, struct ranges *r,
			  struct starts *s)
{
	if (available(t, i, w, from, r) || FSI_VEC_ROOM(&s->until))
		return -1;
	forget_short(r, w->limit_s);
	for (size_t k = 0; k < r->v.n; k++) {
		struct range one;

		if (!starts_of(r, k, w->limit_s, &one))
			continue;
		if (add_range(&s->all, one.start, one.tasks))
			return -1;
		last_of(&s->all)->end = one.end;
	}
	s->until.v[s->until.n++] = s->all.v.n;
	return 0;
}

static int collect(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from, struct starts *s)
{
	struct ranges r = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < t->n && !rc; i++)
		rc = starts_of_node(t, i, w, from, &r, s);
	FSI_VEC_FREE(&r.v);
	return rc || sorted(&s->by_start, &s->all, by_start) || sorted(&s->by_end, &s->all, by_end) ? -1 : 0;
}

/* The first that suffices when node after node is added, of those up to a time; INT64_MAX none, -1 without memory. What
 * begins later changes nothing before. */
static int64_t merged_until(const struct starts *s, const struct fsi_line_want *w, int64_t most)
{
	struct ranges all = { 0 }, node = { 0 };
	int64_t found = INT64_MAX;
	int rc = 0;

	for (size_t i = 0, k = 0; i < s->until.n && !rc; i++) {
		node.v.n = 0;
		for (; k < s->until.v[i] && !rc; k++)
			if (s->all.v.v[k].start <= most)
				rc = put_range(&node, &s->all.v.v[k]);
		if (!rc && node.v.n)
			rc = merge(&all, &node);
	}
	for (size_t i = 0; i < all.v.n && found == INT64_MAX; i++)
		if (all.v.v[i].start <= most && all.v.v[i].tasks >= w->tasks && all.v.v[i].nodes >= w->nodes)
			found = all.v.v[i].start;
	FSI_VEC_FREE(&all.v);
	FSI_VEC_FREE(&node.v);
	return rc ? -1 : found;
}

struct sum {
	int64_t tasks;
	uint32_t nodes;
};

static bool suffices(const struct sum *s, const struct fsi_line_want *w)
{
	return s->tasks >= w->tasks && s->nodes >= w->nodes;
}

/* The sum without moments is that of a plain count, where an end counts no more; with one before, or at, the time that could
 * suffice at best, the nodes are added one by one. */
static int64_t first_sufficient(const struct starts *s, const struct fsi_line_want *w)
{
	const struct range *start = s->by_start.v.v, *ends = s->by_end.v.v;
	struct sum best = { 0 };
	bool moment = false;
	size_t gone = 0;

	for (size_t i = 0; i < s->by_start.v.n;) {
		const int64_t at = start[i].start;
		struct sum plain;
		int64_t found;

		for (; i < s->by_start.v.n && start[i].start == at; i++) {
			best.tasks += start[i].tasks;
			best.nodes++;
			moment = moment || start[i].end == at;
		}
		for (; gone < s->by_end.v.n && ends[gone].end < at; gone++) {
			best.tasks -= ends[gone].tasks;
			best.nodes--;
		}
		if (!suffices(&best, w))
			continue;
		plain = best;
		for (size_t k = gone; k < s->by_end.v.n && ends[k].end == at; k++) {
			plain.tasks -= ends[k].tasks;
			plain.nodes--;
		}
		if (!moment && !suffices(&plain, w))
			continue;
		found = moment ? merged_until(s, w, at) : at;
		if (found != INT64_MAX)
			return found;
	}
	return INT64_MAX;
}

int64_t fsi_line_earliest(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from)
{
	struct starts s = { 0 };
	const int64_t found = collect(t, w, from, &s) ? -1 : first_sufficient(&s, w);

	release(&s);
	return found;
}

int fsi_line_reservable(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room)
{
	struct ranges r = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < t->n && !rc; i++) {
		struct range s;

		room[i] = 0;
		rc = available(t, i, w, at, &r);
		if (rc)
			break;
		forget_short(&r, w->limit_s);
		if (r.v.n && starts_of(&r, 0, w->limit_s, &s) && s.start <= at)
			room[i] = r.v.v[0].tasks;
	}
	FSI_VEC_FREE(&r.v);
	return rc;
}
