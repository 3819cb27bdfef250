/* From when on a node has room, and what it has room for, kept from one request to the next that asks for the same. */
#include "plan/room/fits.h"

enum { FEW = 12 }; /* jobs on a node, of which going through all costs no more */

static const struct fsi_plan_moment before_all = { INT64_MIN, 0 };

int64_t fsi_fits_room(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      uint32_t node, struct fsi_plan_moment when)
{
	struct fsi_fits_room *kept = &f->room[node];
	struct fsi_plan_room r;

	if (when.when > kept->from && when.when < kept->until) {
		if (c->looks)
			*c->looks += fsi_plan_looks(kept->holds);
		return kept->cpus;
	}
	r = fsi_plan_room_at(c, node, q, when);
	*kept = (struct fsi_fits_room){ r.from.when, r.until.when, r.cpus, (uint32_t)c->node[node].hold.n };
	return r.cpus;
}

/* Does what a node gives the request only grow as jobs end? CPUs taken off by the core, until memory by CPU suffices,
 * may be one more for fewer (fsi_plan_room_of). */
static bool only_grows(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
		       const struct fsi_plan_request *q)
{
	return !c->any_share && !(q->mem_per_cpu && c->whole_cores && n->threads > 1);
}

/* Goes through the ends of the node's jobs. */
static void go_through_ends(struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			    struct fsi_fits_node *n)
{
	struct fsi_plan_moment at = before_all;

	for (;;) {
		const struct fsi_plan_room r = fsi_plan_room_at(c, n->node, q, at);

		if (r.cpus > 0 && n->any.when == INT64_MAX)
			n->any = at;
		if (r.cpus >= f->share && n->much.when == INT64_MAX)
			n->much = at;
		f->max = r.cpus > f->max ? r.cpus : f->max;
		if (r.until.when == INT64_MAX)
			return;
		at = r.until;
	}
}

/* When so many of the node's jobs have ended. */
static struct fsi_plan_moment after_ends(const struct fsi_plan_node *n, size_t ended)
{
	return ended ? fsi_plan_end_of(&n->hold.v[ended - 1]) : before_all;
}

/* The moment from which on the node gives so many CPUs, which it does when `ends` jobs have ended. */
static struct fsi_plan_moment first_with(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
					 uint32_t node, int64_t cpus, size_t ends)
{
	const struct fsi_plan_node *n = &c->node[node];
	size_t lo = 0;

	while (lo < ends) {
		const size_t mid = lo + (ends - lo) / 2;

		if (fsi_plan_room_at(c, node, q, after_ends(n, mid)).cpus >= cpus)
			ends = mid;
		else
			lo = mid + 1;
	}
	return after_ends(n, lo);
}

/* The same by halves. It counts as much as going through: where a plan is given up does not depend on how. */
static void halve_ends(struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		       struct fsi_fits_node *n)
{
	const struct fsi_plan_node *node = &c->node[n->node];
	const uint64_t looks = c->looks ? *c->looks : 0;
	size_t ends = node->hold.n;
	int64_t most;

	while (ends && node->hold.v[ends - 1].end == INT64_MAX)
		ends--;
	most = fsi_plan_room_at(c, n->node, q, after_ends(node, ends)).cpus;
	f->max = most > f->max ? most : f->max;
	if (most > 0)
		n->any = first_with(c, q, n->node, 1, ends);
	if (most >= f->share)
		n->much = f->share == 1 ? n->any : first_with(c, q, n->node, f->share, ends);
	if (c->looks)
		*c->looks = looks + (ends + 1) * fsi_plan_looks(node->hold.n);
}

struct fsi_fits_node fsi_fits_node(struct fsi_fits *f, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q, uint32_t i)
{
	const struct fsi_plan_moment never = { INT64_MAX, UINT64_MAX };
	struct fsi_fits_node n = { i, never, never };

	if (c->node[i].hold.n >= FEW && only_grows(c, &c->node[i], q))
		halve_ends(f, c, q, &n);
	else
		go_through_ends(f, c, q, &n);
	return n;
}
