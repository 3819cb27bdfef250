/* When Maui reserves nodes for a job, which is not always when they first have room for it.
 *
 *   available  of each node the stretches with room for a task, cut where the number of tasks changes; one that ends
 *              too early for the job counts with those that follow or precede it at once (src/MJob.c:MJobGetSNRange)
 *   starts     of each stretch the times at which the job may begin: up to its limit before the end of all that follow
 *              at once, with the fewest tasks of these. They are looked at until they last for the limit beyond the
 *              stretch itself, so that less room later takes away from starts that would be over by then
 *              (src/MRes.c:MRLSFromA)
 *   earliest   the first time at which the starts of all nodes together have the tasks: node after node is added, as
 *              MRLMerge does, where one moment at which a node may begin counts together with starts that end there
 *              only if that node has no others that end there too, and takes away the starts of a node that is added
 *              from its last change to that moment. A node then gives what the stretch that begins there has, though
 *              what follows may have less (MJobGetRange) */
#include "plan/timeline/ranges.h"
#include "plan/timeline/timeline.h"

#include <stdlib.h>

static int add_range(struct fsi_ranges *r, int64_t start, int64_t tasks)
{
	const struct fsi_range one = { start, INT64_MAX, tasks, 1 };

	return fsi_ranges_put(r, &one);
}

/* Room ends here: a stretch too short for the job is forgotten, unless it goes on from another one. */
static void close_last(struct fsi_ranges *r, int64_t when, int64_t limit_s)
{
	const struct fsi_range *before = r->v.n > 1 ? fsi_ranges_last(r) - 1 : NULL;

	fsi_ranges_last(r)->end = when;
	if (when - fsi_ranges_last(r)->start < limit_s && !(before && before->end == fsi_ranges_last(r)->start))
		r->v.n--;
}

/* Fewer tasks than it takes of a node at a time are none, but more need not be a multiple of them. */
static int64_t room_of(const struct fsi_line_node *n, const struct fsi_line_want *w, int64_t at)
{
	const int64_t room = fsi_line_room_at(n, w, at);

	return room < w->per_node ? 0 : room;
}

static int available(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from,
		     struct fsi_ranges *r)
{
	const struct fsi_line_node *n = &t->node[i];
	const int64_t first = room_of(n, w, from);
	bool open = first > 0, taken_away = true;

	r->v.n = 0;
	if (!n->up || (w->may && !w->may[i]))
		return 0;
	if (fsi_line_changes(t, n, from) || (open && add_range(r, from, first)))
		return -1;
	for (size_t k = 0; k < t->ends.n; k++) {
		const int64_t when = t->ends.v[k], has = room_of(n, w, when);

		taken_away = taken_away || fsi_line_takes(n, w, when);
		if (open && !has) {
			close_last(r, when, w->limit_s);
			open = false;
		} else if (open && fsi_line_parts(fsi_ranges_last(r)->tasks, has, w->tasks, taken_away)) {
			fsi_ranges_last(r)->end = when;
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

/* The length of all stretches that hang together with stretch i; INT64_MAX: for ever. */
static int64_t together(const struct fsi_ranges *r, size_t i)
{
	size_t first = i, last = i;

	while (first && r->v.v[first - 1].end == r->v.v[first].start)
		first--;
	while (last + 1 < r->v.n && r->v.v[last].end == r->v.v[last + 1].start)
		last++;
	return r->v.v[last].end == INT64_MAX ? INT64_MAX : r->v.v[last].end - r->v.v[first].start;
}

static void forget_short(struct fsi_ranges *r, int64_t limit_s)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->v.n; i++)
		if (together(r, i) >= limit_s)
			r->v.v[kept++] = r->v.v[i];
	r->v.n = kept;
}

static int64_t plus(int64_t length, const struct fsi_range *r)
{
	return length == INT64_MAX || r->end == INT64_MAX ? INT64_MAX : length + (r->end - r->start);
}

/* The starts that stretch i allows. false: there are none. */
static bool starts_of(const struct fsi_ranges *r, size_t i, int64_t limit_s, struct fsi_range *out)
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

/* The starts on all nodes, node after node, and the same by when they begin and by when they end. */
struct starts {
	struct fsi_ranges all, by_start, by_end;
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
	const struct fsi_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int by_end(const void *a, const void *b)
{
	const struct fsi_range *x = a, *y = b;

	return (x->end > y->end) - (x->end < y->end);
}

static int sorted(struct fsi_ranges *out, const struct fsi_ranges *r, int (*cmp)(const void *a, const void *b))
{
	for (size_t i = 0; i < r->v.n; i++)
		if (fsi_ranges_put(out, &r->v.v[i]))
			return -1;
	if (out->v.n)
		qsort(out->v.v, out->v.n, sizeof(*out->v.v), cmp);
	return 0;
}

static int starts_of_node(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from,
			  struct fsi_ranges *r, struct starts *s)
{
	if (available(t, i, w, from, r) || FSI_VEC_ROOM(&s->until))
		return -1;
	forget_short(r, w->limit_s);
	for (size_t k = 0; k < r->v.n; k++) {
		struct fsi_range one;

		if (!starts_of(r, k, w->limit_s, &one))
			continue;
		if (add_range(&s->all, one.start, one.tasks))
			return -1;
		fsi_ranges_last(&s->all)->end = one.end;
	}
	s->until.v[s->until.n++] = s->all.v.n;
	return 0;
}

static int collect(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from, struct starts *s)
{
	struct fsi_ranges r = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < t->n && !rc; i++)
		rc = starts_of_node(t, i, w, from, &r, s);
	FSI_VEC_FREE(&r.v);
	return rc || sorted(&s->by_start, &s->all, by_start) || sorted(&s->by_end, &s->all, by_end) ? -1 : 0;
}

/* The first start that suffices when node after node is added; INT64_MAX: none, -1 without memory. */
static int64_t first_merged(struct fsi_timeline *t, const struct starts *s, const struct fsi_line_want *w)
{
	struct fsi_ranges all = { 0 }, node = { 0 };
	int64_t found = INT64_MAX;
	int rc = 0;

	for (size_t i = 0, k = 0; i < s->until.n && !rc; i++) {
		node.v.n = 0;
		for (; k < s->until.v[i] && !rc; k++)
			rc = fsi_ranges_put(&node, &s->all.v.v[k]);
		*t->looks += all.v.n + node.v.n;
		if (!rc && node.v.n)
			rc = fsi_ranges_merge(&all, &node);
	}
	for (size_t i = 0; i < all.v.n && found == INT64_MAX; i++)
		if (all.v.v[i].tasks >= w->tasks && all.v.v[i].nodes >= w->nodes)
			found = all.v.v[i].start;
	FSI_VEC_FREE(&all.v);
	FSI_VEC_FREE(&node.v);
	return rc ? -1 : found;
}

static bool any_moment(const struct starts *s)
{
	for (size_t i = 0; i < s->all.v.n; i++)
		if (s->all.v.v[i].start == s->all.v.v[i].end)
			return true;
	return false;
}

struct sum {
	int64_t tasks;
	uint32_t nodes;
};

static bool suffices(const struct sum *s, const struct fsi_line_want *w)
{
	return s->tasks >= w->tasks && s->nodes >= w->nodes;
}

/* Without moments the sum is that of a plain count, where an end counts no more. */
static int64_t first_counted(const struct starts *s, const struct fsi_line_want *w)
{
	const struct fsi_range *start = s->by_start.v.v, *ends = s->by_end.v.v;
	struct sum sum = { 0 };
	size_t gone = 0;

	for (size_t i = 0; i < s->by_start.v.n;) {
		const int64_t at = start[i].start;

		for (; i < s->by_start.v.n && start[i].start == at; i++) {
			sum.tasks += start[i].tasks;
			sum.nodes++;
		}
		for (; gone < s->by_end.v.n && ends[gone].end <= at; gone++) {
			sum.tasks -= ends[gone].tasks;
			sum.nodes--;
		}
		if (suffices(&sum, w))
			return at;
	}
	return INT64_MAX;
}

int64_t fsi_line_earliest(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from)
{
	struct starts s = { 0 };
	int64_t found = -1;

	if (!collect(t, w, from, &s))
		found = any_moment(&s) ? first_merged(t, &s, w) : first_counted(&s, w);

	release(&s);
	return found;
}

int fsi_line_reservable(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room)
{
	struct fsi_ranges r = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < t->n && !rc; i++) {
		struct fsi_range s;

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
