/* Two lists of starts become one as Maui's do (src/MRes.c:MRLMerge): what both allow at a time adds up, an end no
 * longer counts, and a moment, a range that begins and ends at once, meets what the other list does at that time. */
#include "plan/timeline/ranges.h"

int fsi_ranges_put(struct fsi_ranges *r, const struct fsi_range *one)
{
	if (FSI_VEC_ROOM(&r->v))
		return -1;
	r->v.v[r->v.n++] = *one;
	return 0;
}

enum event { EVENT_NONE, EVENT_START, EVENT_END, EVENT_INSTANT };

struct side {
	const struct fsi_range *v;
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
	struct fsi_ranges out;
	int64_t start, tasks; /* the range that is open; tasks 0: none is */
	int64_t nodes;
	struct side a, b; /* a: what there is; b: the node that is added */
};

static int put_range(struct merged *g, int64_t start, int64_t end, int64_t tasks, int64_t nodes)
{
	const struct fsi_range r = { start, end, tasks, (uint32_t)nodes };

	return fsi_ranges_put(&g->out, &r);
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
	const int rc = g->tasks > 0 ? put_range(g, g->start, at, g->tasks, g->nodes) : 0;

	g->start = at;
	return rc;
}

/* The moment of one side meets what the other has at that time. */
static int at_instant(struct merged *g, struct side *one, struct side *other, int64_t at, bool added)
{
	const enum event e = event_at(other, at);
	const struct fsi_range *moment = &one->v[one->i], *with = NULL;
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
	return rc || put_range(g, at, at, moment->tasks + tasks, moment->nodes + nodes) ? -1 : 0;
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

int fsi_ranges_merge(struct fsi_ranges *all, const struct fsi_ranges *s)
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
