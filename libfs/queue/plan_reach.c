/* How far ahead old versions look for a start. Slurm's backfill tries a job now, and then where planned jobs end and
 * leave nodes free to its partition; but it sees such an end only if the last change of its map but one before that
 * comes while the job, tried where it was last, would still run. Past a longer stretch without any it gives the job
 * up, unless running jobs that end later leave it room (src/plugins/sched/backfill/backfill.c: _attempt_backfill, the
 * loop that sets later_start; _add_reservation, which drops changes that change nothing). Seen in 22.05.8; later
 * sources look on. */
#include "queue/plan.h"

#include <string.h>

/* The first place in v of a time at or after t. */
static size_t place_of(const struct fsi_plan_edges *v, int64_t t)
{
	size_t lo = 0, hi = v->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (v->v[mid].when < t)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Adds n to the count at t. */
static int count_at(struct fsi_plan_edges *v, int64_t t, int n)
{
	const size_t i = place_of(v, t);

	if (i == v->n || v->v[i].when != t) {
		if (FSI_VEC_ROOM(v))
			return -1;
		memmove(&v->v[i + 1], &v->v[i], (v->n - i) * sizeof(*v->v));
		v->n++;
		v->v[i] = (struct fsi_plan_edge){ t, 0 };
	}
	v->v[i].count += n;
	if (!v->v[i].count)
		memmove(&v->v[i], &v->v[i + 1], (--v->n - i) * sizeof(*v->v));
	return 0;
}

static bool is_planned(const struct fsi_plan_node *n, int64_t end, int64_t start)
{
	for (size_t i = 0; i < n->block.n; i++)
		if (n->block.v[i].job != FSI_NO_INDEX &&
		    (n->block.v[i].end == end || n->block.v[i].start == start))
			return true;
	return false;
}

int fsi_plan_note_block(struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_block *b)
{
	const bool ended = is_planned(&c->node[node], b->start, INT64_MIN);
	const bool begins = is_planned(&c->node[node], INT64_MIN, b->end);

	if (count_at(&c->change, b->start, ended ? -1 : 1) ||
	    count_at(&c->change, b->end, begins ? -1 : 1))
		return -1;
	for (size_t p = 0; p < c->m->partition.n; p++)
		if (c->part[p].has[node] &&
		    ((ended && count_at(&c->part[p].free_again, b->start, -1)) ||
		     (!begins && count_at(&c->part[p].free_again, b->end, 1))))
			return -1;
	return 0;
}

/* From one end to the next; *more: there are others, but too far off. */
static int64_t follow(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      int64_t from, bool *more)
{
	const struct fsi_plan_edges *ends = &c->part[q->partition].free_again;

	*more = false;
	for (size_t i = place_of(ends, from + 1); i < ends->n && !*more; i++) {
		const size_t before = place_of(&c->change, ends->v[i].when);

		*more = before > 1 && c->change.v[before - 2].when > from + q->limit_s;
		if (!*more)
			from = ends->v[i].when;
	}
	return from;
}

/* When running jobs leave it room on the nodes that are not planned for others if it starts at `from`. */
static int64_t will_run(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
			const struct fsi_plan_request *q, int64_t from)
{
	const struct fsi_plan_part *part = &c->part[q->partition];
	struct fsi_plan_request only = *q;
	int64_t last;

	for (uint32_t k = 0; k < part->n; k++) {
		const uint32_t i = part->node[k];

		s->mask[i] = (!q->allowed || q->allowed[i]) &&
			     fsi_plan_gap(&c->node[i], q, from, FSI_OBEY_ALL, &last) == from;
	}
	only.allowed = s->mask;
	fsi_plan_earliest(s, c, &only, from, FSI_OBEY_HOLDS);
	return s->start;
}

int64_t fsi_plan_reach(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		       const struct fsi_plan_request *q, int64_t from)
{
	bool more = true;

	if (!c->stops_short)
		return INT64_MAX;
	for (;;) {
		int64_t then;

		from = follow(c, q, from, &more);
		then = more ? will_run(s, c, q, from) : INT64_MAX;
		if (then == INT64_MAX || then <= from)
			return more ? from : INT64_MAX;
		from = then;
	}
}

int64_t fsi_plan_next_end(const struct fsi_plan_cluster *c, uint32_t partition, int64_t from)
{
	const struct fsi_plan_edges *ends = &c->part[partition].free_again;
	const size_t i = place_of(ends, from + 1);

	return i < ends->n ? ends->v[i].when : INT64_MAX;
}
