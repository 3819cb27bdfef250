/* Grants of shares: pool * fraction.
 *
 * The pool is what the record states, or the hardware of its partitions: each node once, at the greatest CPU
 * weight it has among them (TRESBillingWeights; 1 without), and, except for gratis grants, its gres
 * likewise. Memory is left out: its weight exists to charge for a node's cores through it.
 * A gratis grant's partitions are by default the public ones: open to all accounts and groups, neither hidden
 * nor root's, and no requeue partition; its fraction is one account's of all but the root. */
#include "usage/billing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fs_grants {
	struct fsi_arena arena;
	struct fs_grant_row *row;
	size_t n;
};

struct pool {
	const fs_snapshot *m;
	struct fsi_billing billing;
	double *worth; /* by TRES and node: the greatest weight of a unit so far */
};

static bool is_requeue(const fs_snapshot *m, const struct fsi_partition *p)
{
	return strstr(fsi_str(m, p->name), "requeue") ||
	       !strcmp(fsi_str(m, p->preempt_mode), "REQUEUE");
}

static bool is_public(const fs_snapshot *m, const struct fsi_partition *p)
{
	return !p->allow_accounts && !p->allow_groups && !p->deny_accounts && !p->is_hidden &&
	       !p->root_only && !is_requeue(m, p);
}

/* Is partition i of the pool, by the grant's own list or as a public one? */
static bool in_pool(const fs_snapshot *m, const struct fsi_grant *g, bool gratis, size_t i)
{
	const struct fsi_partition *p = &m->partition.v[i];

	if (FSI_HAS(g, GRANT, partitions))
		return fsi_list_has(m, g->partitions, fsi_str(m, p->name));
	return gratis && is_public(m, p);
}

static bool counts(const struct pool *pool, bool gratis, uint32_t tres)
{
	return tres == pool->billing.cpu ||
	       (!gratis && !strncmp(fsi_str(pool->m, tres), "gres/", 5));
}

static double weight_in(const struct pool *pool, size_t partition, uint32_t tres)
{
	const struct fsi_billing_weights *w = pool->billing.partition ? &pool->billing.partition[partition] : NULL;

	if (!w || !w->set)
		return tres == pool->billing.cpu ? 1 : 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->w[i].tres == tres)
			return w->w[i].weight;
	return 0;
}

static void raise_worth(struct pool *pool, bool gratis, size_t partition, size_t node)
{
	const fs_snapshot *m = pool->m;

	for (size_t k = 0; k < m->tres.n; k++) {
		const uint32_t tres = m->tres.v[k].name;
		double *worth = &pool->worth[node * m->tres.n + k];
		const double w = counts(pool, gratis, tres) ? weight_in(pool, partition, tres) : 0;

		*worth = w > *worth ? w : *worth;
	}
}

static double amount_on(const struct pool *pool, const struct fsi_node *node, uint32_t tres)
{
	if (FSI_HAS(node, NODE, tres))
		return (double)fsi_amount_of(pool->m, node->tres, tres);
	if (tres == pool->billing.cpu && FSI_HAS(node, NODE, cpus))
		return (double)node->cpus;
	return tres == pool->billing.cpu ? (double)NAN : 0;
}

static double hardware(struct pool *pool, const struct fsi_grant *g, bool gratis)
{
	const fs_snapshot *m = pool->m;
	double sum = 0;

	memset(pool->worth, 0, m->node.n * m->tres.n * sizeof(*pool->worth));
	for (size_t i = 0; i < m->partition.n; i++)
		for (size_t k = 0; in_pool(m, g, gratis, i) && k < m->node.n; k++)
			if (fsi_list_has(m, m->node.v[k].partitions,
					 fsi_str(m, m->partition.v[i].name)))
				raise_worth(pool, gratis, i, k);
	for (size_t k = 0; k < m->node.n; k++)
		for (size_t t = 0; t < m->tres.n; t++)
			if (pool->worth[k * m->tres.n + t] > 0)
				sum += pool->worth[k * m->tres.n + t] *
				       amount_on(pool, &m->node.v[k], m->tres.v[t].name);
	return sum;
}

static const char *pool_names(const struct pool *pool, struct fsi_arena *arena,
			      const struct fsi_grant *g, bool gratis)
{
	const fs_snapshot *m = pool->m;
	size_t len = 1;
	char *s;

	for (size_t i = 0; i < m->partition.n; i++)
		if (in_pool(m, g, gratis, i))
			len += strlen(fsi_str(m, m->partition.v[i].name)) + 1;
	s = fsi_arena_alloc(arena, len);
	for (size_t i = 0; s && i < m->partition.n; i++)
		if (in_pool(m, g, gratis, i)) {
			strcat(s, *s ? "," : "");
			strcat(s, fsi_str(m, m->partition.v[i].name));
		}
	return s;
}

static size_t accounts_below_root(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->association.n; i++)
		n += !m->association.v[i].user && m->tree[i].parent != FSI_NO_INDEX;
	return n;
}

static const char *missing(const struct pool *pool, const struct fsi_grant *g, const char *names,
			   bool gratis)
{
	const fs_snapshot *m = pool->m;
	size_t n;
	const uint32_t *list = fsi_list(m, g->partitions, &n);

	if (!gratis && !FSI_HAS(g, GRANT, partitions))
		return "the record states neither shares nor partitions";
	for (size_t i = 0; i < n; i++)
		if (!fsi_partition_find(m, list[i]))
			return "a partition of the pool is not in the snapshot";
	if (!*names)
		return "no partition is public";
	return m->node.n ? NULL : "the snapshot holds no nodes";
}

static int fill_row(struct pool *pool, struct fsi_arena *arena, const struct fsi_grant *g,
		struct fs_grant_row *r)
{
	const fs_snapshot *m = pool->m;
	const bool stated = FSI_HAS(g, GRANT, shares),
		   gratis = !strcmp(fsi_str(m, g->kind), "gratis");

	*r = (struct fs_grant_row){ .account = fsi_str(m, g->account),
				    .kind = fsi_str(m, g->kind),
				    .comment = fsi_str(m, g->comment),
				    .partitions = "",
				    .hardware = NAN,
				    .fraction = FSI_HAS(g, GRANT, fraction) ? g->fraction : 1 };
	if (stated) {
		r->pool = g->shares;
	} else {
		r->partitions = pool_names(pool, arena, g, gratis);
		if (!r->partitions)
			return -1;
		r->why = missing(pool, g, r->partitions, gratis);
		r->pool = r->hardware = r->why ? (double)NAN : hardware(pool, g, gratis);
	}
	if (gratis && !stated && !FSI_HAS(g, GRANT, fraction)) {
		r->accounts = accounts_below_root(m);
		r->fraction = r->accounts ? 1 / (double)r->accounts : (double)NAN;
	}
	r->shares = r->pool * r->fraction;
	return 0;
}

int fs_grants_compute(fs_grants **out, const fs_snapshot *m, struct fs_error *err)
{
	struct pool pool = { .m = m };
	fs_grants *g;
	int rc = 0;

	if (!m->grant.n)
		return fsi_fail(err, FS_ENODATA, "%s: the snapshot holds no grants", m->file);
	g = calloc(1, sizeof(*g));
	if (!g)
		return fsi_nomem(err);
	g->n = m->grant.n;
	g->row = fsi_arena_array(&g->arena, g->n, sizeof(*g->row));
	pool.worth = fsi_arena_array(&g->arena, m->node.n * m->tres.n + 1, sizeof(*pool.worth));
	if (!g->row || !pool.worth || fsi_billing_init(&pool.billing, m, &g->arena))
		rc = -1;
	for (size_t i = 0; i < g->n && !rc; i++)
		rc = fill_row(&pool, &g->arena, &m->grant.v[i], &g->row[i]);
	if (rc) {
		fs_grants_free(g);
		return fsi_nomem(err);
	}
	*out = g;
	return 0;
}

void fs_grants_free(fs_grants *g)
{
	if (!g)
		return;
	fsi_arena_release(&g->arena);
	free(g);
}

size_t fs_grants_count(const fs_grants *g)
{
	return g->n;
}

const struct fs_grant_row *fs_grants_row(const fs_grants *g, size_t i)
{
	return i < g->n ? &g->row[i] : NULL;
}
