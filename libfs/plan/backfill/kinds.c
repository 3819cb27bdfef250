/* Jobs whose features are tried part by part (src/plugins/sched/backfill/backfill.c: _try_sched). Of one kind: the part
 * that can start first, of equals the one named first. Of each kind: the parts one after the other, each on nodes that
 * those before it did not take, then what is missing to the nodes wanted on any others; it starts with the last of the
 * parts. That a part fails is forgotten where nodes are missing and the others suffice.
 *
 * Other jobs are tried twice: first as if their nodes were shared with nobody, when it does not count how many tasks
 * they have on a node (select/cons_tres/job_test.c: _allocate_sc, of share_res); what is found so for now, or with all
 * gone who end before the start tried, is taken. */
#include "plan/bits.h"
#include "plan/cluster/features.h"
#include "plan/run.h"

static bool run_part(struct fs_plan *p, const struct fsi_plan_request *q,
		     const struct fsi_plan_will *w, const uint64_t *nodes,
		     struct fsi_plan_found *found)
{
	struct fsi_plan_will part = *w;

	if (fsi_bits_count(nodes, p->c.words) < q->min_nodes)
		return false;
	part.nodes = nodes;
	return fsi_plan_will_run_nodes(p, q, &part, found);
}

static bool run_kind(struct fs_plan *p, const struct fsi_plan_request *q,
		     const struct fsi_plan_will *w, uint32_t k, struct fsi_plan_found *found)
{
	uint64_t *nodes = p->kinds.nodes;

	memcpy(nodes, w->nodes, p->c.words * sizeof(*nodes));
	fsi_bits_and(nodes, q->kind[k].nodes, p->c.words);
	return run_part(p, q, w, nodes, found);
}

static bool one_kind(struct fs_plan *p, const struct fsi_plan_request *q,
		     const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	uint32_t best = FSI_NO_INDEX;
	int64_t start = 0;

	for (uint32_t k = 0; k < q->nkinds; k++)
		if (run_kind(p, q, w, k, found) && (best == FSI_NO_INDEX || found->start < start)) {
			best = k;
			start = found->start;
		}
	return best != FSI_NO_INDEX && (best + 1 == q->nkinds || run_kind(p, q, w, best, found));
}

/* ---- of each kind */

struct taken {
	uint64_t *set;
	int64_t *units; /* by node */
	int64_t start;
	uint32_t n;
};

static void add_taken(struct taken *t, const struct fsi_plan_choice *s)
{
	for (uint32_t k = 0; k < s->nnodes; k++) {
		t->n += !fsi_bit(t->set, s->node[k]);
		fsi_bit_set(t->set, s->node[k]);
		t->units[s->node[k]] = s->units[k];
	}
}

static void keep_taken(const struct fs_plan *p, const struct taken *t, struct fsi_plan_found *found)
{
	struct fsi_plan_choice *s = &found->choice;

	found->start = t->start;
	s->nnodes = 0;
	FSI_BITS_EACH(i, t->set, p->c.words)
	{
		s->node[s->nnodes] = i;
		s->units[s->nnodes++] = t->units[i];
	}
}

static uint32_t less(uint32_t n, uint32_t by)
{
	return n > by ? n - by : 0;
}

/* Takes what is missing to the nodes wanted. */
static bool rest(struct fs_plan *p, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
		 const uint64_t *nodes, struct taken *t, struct fsi_plan_found *found)
{
	struct fsi_plan_request missing = *q;

	missing.min_nodes = less(q->min_nodes, t->n);
	missing.want_nodes = less(q->want_nodes, t->n);
	missing.max_nodes = less(q->max_nodes, t->n);
	if (!run_part(p, &missing, w, nodes, found))
		return false;
	add_taken(t, &found->choice);
	return true;
}

static bool each_kind(struct fs_plan *p, const struct fsi_plan_request *q,
		      const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	struct taken t = { .set = p->kinds.taken, .units = p->kinds.units };
	struct fsi_plan_will left = *w;
	uint64_t *others = p->kinds.others;
	bool ok = true;

	memset(t.set, 0, p->c.words * sizeof(*t.set));
	memcpy(others, w->nodes, p->c.words * sizeof(*others));
	left.nodes = others;
	for (uint32_t k = 0; ok && k < q->nkinds; k++) {
		struct fsi_plan_request part = *q;

		part.min_nodes = part.want_nodes = q->kind[k].count ? q->kind[k].count : 1;
		ok = run_kind(p, &part, &left, k, found);
		if (!ok)
			break;
		t.start = found->start > t.start ? found->start : t.start;
		add_taken(&t, &found->choice);
		fsi_bits_and_not(others, t.set, p->c.words);
	}
	if (t.n < (q->want_nodes > q->min_nodes ? q->want_nodes : q->min_nodes))
		ok = rest(p, q, w, others, &t, found);
	if (!ok || !t.start)
		return false;
	keep_taken(p, &t, found);
	return true;
}

/* ---- of any */

/* Gives those of the nodes found the CPUs of its tasks, if that can be: it starts with no others. */
static bool fit_tasks(struct fs_plan *p, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
		      struct fsi_plan_found *found)
{
	struct fsi_plan_will part = *w;
	uint64_t *nodes = p->kinds.nodes;

	memset(nodes, 0, p->c.words * sizeof(*nodes));
	for (uint32_t k = 0; k < found->choice.nnodes; k++)
		fsi_bit_set(nodes, found->choice.node[k]);
	part.nodes = nodes;
	part.once = true;
	return fsi_plan_will_run_nodes(p, q, &part, found);
}

static bool without_tasks(struct fs_plan *p, const struct fsi_plan_request *q, const struct fsi_plan_will *w,
			  struct fsi_plan_found *found)
{
	struct fsi_plan_request alone = *q;
	struct fsi_plan_will part = *w;

	alone.on_node = 0;
	part.once = true;
	return fsi_plan_will_run_nodes(p, &alone, &part, found) && fit_tasks(p, q, w, found);
}

bool fsi_plan_will_run(struct fs_plan *p, const struct fsi_plan_request *q,
		       const struct fsi_plan_will *w, struct fsi_plan_found *found)
{
	if (!q->nkinds)
		return (q->on_node && without_tasks(p, q, w, found)) || fsi_plan_will_run_nodes(p, q, w, found);
	return q->kinds_together ? each_kind(p, q, w, found) : one_kind(p, q, w, found);
}

int fsi_plan_kinds_init(struct fs_plan *p)
{
	struct fsi_plan_kinds *k = &p->kinds;

	k->nodes = fsi_arena_array(&p->c.arena, p->c.words, sizeof(*k->nodes));
	k->taken = fsi_arena_array(&p->c.arena, p->c.words, sizeof(*k->taken));
	k->others = fsi_arena_array(&p->c.arena, p->c.words, sizeof(*k->others));
	k->units = fsi_arena_array(&p->c.arena, (size_t)p->c.nnodes + 1, sizeof(*k->units));
	return k->nodes && k->taken && k->others && k->units ? 0 : -1;
}
