/* Nodes that jobs do not share with those of other users (src/slurmctld/node_scheduler.c: filter_by_node_owner): one
 * that must have them for its user gets none on which a job of another user runs, and nobody else gets a node that such
 * a job has. Until 24.05 what runs now counts, whenever the job would start.
 *
 * From 24.11 (src/plugins/sched/backfill/backfill.c: _filter_exclusive_user_mcs_nodes, _rm_node_or_delay_start;
 * 8f7b80d6eb) a node counts until the last job on it has ended, and the one that is free last is taken out first. As
 * many stay as the job needs: if one of these is kept from it, it is tried again when that one is free. There a node
 * that is not DOWN stays, though it be drained or not respond (up_node_bitmap), and the job does without the others. */
#include "base/sort.h"
#include "model/job/wish.h"
#include "plan/bits.h"
#include "plan/run.h"

#include <stdlib.h>

static bool keeps_others_out(const struct fs_plan *p, const struct fsi_job *j)
{
	const struct fsi_partition *part = fsi_first_partition(p->c.m, j);

	return fsi_request_own_user(p->c.m, j, part);
}

/* Does the running job keep nodes from the one that asks? */
static bool in_the_way(const struct fs_plan *p, const struct fsi_plan_request *q, uint32_t running)
{
	const struct fsi_job *j = &p->c.m->job.v[q->job], *o = &p->c.m->job.v[running];

	return o->user != j->user && (q->own_user || keeps_others_out(p, o));
}

static void take_out(const struct fs_plan *p, const struct fsi_plan_request *q, uint64_t *nodes)
{
	for (size_t i = 0; i < p->c.end.n; i++) {
		const struct fsi_plan_end *e = &p->c.end.v[i];

		for (uint32_t k = 0; in_the_way(p, q, e->job) && k < e->n; k++)
			fsi_bit_clear(nodes, e->node[k]);
	}
}

/* A node that is kept from the job, and until when. */
struct kept {
	int64_t until;
	uint32_t node;
};

static int by_end(const void *x, const void *y, const void *ctx)
{
	const struct kept *a = x, *b = y;

	(void)ctx;
	return (a->until < b->until) - (a->until > b->until);
}

/* Lists those of the nodes; returns how many. */
static uint32_t list_kept(const struct fs_plan *p, const struct fsi_plan_request *q, int64_t start,
			  const uint64_t *nodes, struct kept *v)
{
	uint32_t n = 0;

	FSI_BITS_EACH(i, nodes, p->c.words)
	{
		const struct fsi_plan_node *node = &p->c.node[i];
		struct kept one = { INT64_MIN, i };
		bool kept = false;

		for (size_t k = 0; k < node->hold.n; k++) {
			const struct fsi_plan_alloc *h = &node->hold.v[k];

			kept = kept || (h->job != FSI_NO_INDEX && in_the_way(p, q, h->job));
			one.until = h->end > one.until ? h->end : one.until;
		}
		if (kept && one.until > start)
			v[n++] = one;
	}
	return n;
}

int fsi_plan_owned(const struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, uint64_t *nodes,
		   struct fsi_plan_owned *out)
{
	struct kept *v;
	int64_t left;
	uint32_t n;

	*out = (struct fsi_plan_owned){ 0 };
	if (!q->own_user && !p->users_own)
		return 0;
	if (!p->params.looks_on) {
		take_out(p, q, nodes);
		return 0;
	}
	fsi_bits_and(nodes, p->c.not_down, p->c.words);
	if (q->named)
		fsi_bits_and(nodes, q->named, p->c.words);
	v = malloc((p->c.nnodes + (size_t)1) * sizeof(*v));
	n = v ? list_kept(p, q, start, nodes, v) : 0;
	if (!v || fs_sort(v, n, sizeof(*v), by_end, NULL)) {
		free(v);
		return -1;
	}
	left = fsi_bits_count(nodes, p->c.words);
	for (uint32_t i = 0; i < n && !out->delays; i++) {
		out->until = v[i].until;
		out->delays = left <= q->min_nodes || (q->required && fsi_bit(q->required, v[i].node));
		if (!out->delays)
			fsi_bit_clear(nodes, v[i].node);
		left--;
	}
	free(v);
	return 0;
}

bool fsi_plan_users_own(const struct fs_plan *p)
{
	for (size_t i = 0; i < p->c.end.n; i++)
		if (keeps_others_out(p, &p->c.m->job.v[p->c.end.v[i].job]))
			return true;
	return false;
}
