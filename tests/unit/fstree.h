/* Random association trees for the property tests, and Slurm's formulas computed plainly from the generated rows,
 * without the library. */
#ifndef FSTREE_H
#define FSTREE_H

#include "fstest.h"

enum { FSTREE_MAX = 64 };

struct fstree_node {
	int parent; /* index of the parent in fstree.v; -1: the row is root */
	bool user, use_parent;
	uint32_t shares, usage; /* `usage`: usage of the row itself; accounts have none */
	char name[24];
};

struct fstree {
	struct fstree_node v[FSTREE_MAX];
	uint32_t n;
};

/* Draws from a few different shares and usages, including zero, so that ties are frequent. */
static inline void fstree_fill(struct fstree_node *x, uint64_t *seed)
{
	static const uint32_t usages[] = { 0, 0, 0, 10, 10, 20, 40, 1000, 12345, 999983 };

	x->use_parent = fst_below(seed, 8) == 0;
	x->shares = fst_below(seed, 6) ? 1 + fst_below(seed, 5) : 0;
	x->usage = x->user ? usages[fst_below(seed, 10)] : 0;
}

static inline void fstree_random(struct fstree *t, uint64_t *seed)
{
	static const char *const letters[] = {
		"a", "b-", "c", "Z", "z", "10", "9", "_", "a-b", "ab"
	};
	const uint32_t accounts = 1 + fst_below(seed, 12);

	t->n = accounts + fst_below(seed, FSTREE_MAX - accounts);
	for (uint32_t i = 0; i < t->n; i++) {
		struct fstree_node *x = &t->v[i];

		*x = (struct fstree_node){ .user = i >= accounts };
		x->parent = i ? (int)fst_below(seed, i < accounts ? i : accounts) : -1;
		fstree_fill(x, seed);
		snprintf(x->name, sizeof(x->name), "%s%u", letters[fst_below(seed, 10)], i);
	}
	t->v[0].use_parent = false;
	t->v[0].shares = 1;
	strcpy(t->v[0].name, "root");
}

/* Returns a snapshot with the rows of the tree as association records, in the order that `order` gives. The id of an
 * association is 100 + its index in the tree. */
static inline fs_snapshot *fstree_snapshot(const struct fstree *t, const uint32_t *order,
					   const char *version)
{
	struct fst_sink s = { 0 };

	fst_put(&s,
		"{'type':'snapshot','format':1,'time':1,'cluster':'c','scheduler':'slurm %s'}\n",
		version);
	for (uint32_t k = 0; k < t->n; k++) {
		const struct fstree_node *x = &t->v[order[k]];
		const char *above = x->parent < 0 ? "" : t->v[x->parent].name;

		fst_put(&s, "{'type':'association','id':%u,'usage_tres_s':%u", order[k] + 100,
			x->usage);
		if (x->use_parent)
			fst_put(&s, ",'shares':'parent'");
		else
			fst_put(&s, ",'shares':%u", x->shares);
		if (x->user)
			fst_put(&s, ",'account':'%s','user':'%s'}\n", above, x->name);
		else if (x->parent >= 0)
			fst_put(&s, ",'account':'%s','parent':'%s'}\n", x->name, above);
		else
			fst_put(&s, ",'account':'%s'}\n", x->name);
	}
	fs_snapshot *m = fst_snapshot(s.data);
	fst_free(&s);
	return m;
}

static inline void fstree_identity(uint32_t *order, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
}

/* Returns the nearest ancestor whose shares are a number; the root if no ancestor below the root has such shares. */
static inline int fstree_fs_parent(const struct fstree *t, int i)
{
	int p = t->v[i].parent;

	while (p > 0 && t->v[p].use_parent)
		p = t->v[p].parent;
	return p;
}

static inline uint64_t fstree_usage(const struct fstree *t, int i)
{
	uint64_t sum = t->v[i].usage;

	for (int k = 0; k < (int)t->n; k++)
		if (t->v[k].parent == i)
			sum += fstree_usage(t, k);
	return sum;
}

static inline uint32_t fstree_level_shares(const struct fstree *t, int i)
{
	const int p = fstree_fs_parent(t, i);
	uint32_t sum = 0;

	for (int k = 1; k < (int)t->n; k++)
		if (fstree_fs_parent(t, k) == p && !t->v[k].use_parent)
			sum += t->v[k].shares;
	return sum;
}

/* Returns the index in the tree of row i of the result. */
static inline int fstree_index(const fs_shares *s, size_t i)
{
	return (int)fs_shares_row(s, i)->id - 100;
}

#endif
