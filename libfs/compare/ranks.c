/* Why a rank moved. Where the factor is a rank over the number of users, with b users ahead,
 *
 *   factor = (N - b) / N,  and  b = the users below the siblings that go before its ancestor, summed over the levels,
 *
 * but for ties, which share a rank. So a change of b is made of siblings that passed, and of members that those ahead
 * gained or lost; b and N together are parted at their middles, so that all terms add up to the change of the
 * factor. */
#include "compare/compare.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct split {
	struct fs_comparison *c;
	const fs_shares *shares[2];
	const struct fsi_compared_tree *tree;
	double weight;		  /* of one user: the mean of 1/N in both states */
	int64_t explained;	  /* of the change of b */
	FSI_VEC(struct fs_rank_cause) cause;
};

const char *fs_rank_cause_name(enum fs_rank_cause_kind kind)
{
	static const char *const names[] = { FS_RANK_CAUSES(FSI_NAME) };

	return names[kind];
}

static int count_below(struct fs_comparison *c, int side)
{
	const fs_shares *s = c->side[side].eval->shares;
	const size_t n = fs_shares_count(s);
	uint32_t *v = fsi_arena_array(&c->arena, n + 1, sizeof(*v));

	if (!v)
		return -1;
	memset(v, 0, (n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *r = fs_shares_row(s, i);

		if (!*r->user || !r->rank)
			continue;
		for (size_t k = i; k != FS_NO_ROW; k = fs_shares_row(s, k)->parent_row)
			v[k]++;
	}
	c->tree[side].below = v;
	return 0;
}

static int order_names(const struct fs_share_row *a, const struct fs_share_row *b)
{
	int c = strcmp(a->user, b->user);

	if (!c)
		c = strcmp(a->account, b->account);
	return c ? c : strcmp(a->partition, b->partition);
}

static int by_name(const void *x, const void *y)
{
	const struct fs_share_row *const *a = x, *const *b = y;

	return order_names(*a, *b);
}

/* An account that takes its parent's shares is no sibling: its members stand among the siblings in its place. */
static bool dissolved(const struct fs_share_row *r)
{
	return r->shares_kind == FS_SHARES_PARENT && !*r->user && r->parent_row != FS_NO_ROW;
}

static uint32_t parent_of(const fs_shares *s, const struct fs_share_row *r)
{
	uint32_t p = r->parent_row;

	while (p != FS_NO_ROW && dissolved(fs_shares_row(s, p)))
		p = fs_shares_row(s, p)->parent_row;
	return p;
}

/* The row whose children a row is among; FS_NO_ROW if it is among none. */
static uint32_t family(const fs_shares *s, size_t i)
{
	const struct fs_share_row *r = fs_shares_row(s, i);

	return r->counted && !dissolved(r) ? parent_of(s, r) : FS_NO_ROW;
}

static int list_siblings(struct fs_comparison *c, int side)
{
	const fs_shares *s = c->side[side].eval->shares;
	const size_t n = fs_shares_count(s);
	const struct fs_share_row **row = fsi_arena_array(&c->arena, n + 1, sizeof(*row));
	uint32_t *first = fsi_arena_array(&c->arena, n + 2, sizeof(*first));

	if (!row || !first)
		return -1;
	memset(first, 0, (n + 2) * sizeof(*first));
	for (size_t i = 0; i < n; i++)
		if (family(s, i) != FS_NO_ROW)
			first[family(s, i) + 2]++;
	for (size_t i = 2; i < n + 2; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < n; i++)
		if (family(s, i) != FS_NO_ROW)
			row[first[family(s, i) + 1]++] = fs_shares_row(s, i);
	for (size_t i = 0; i < n; i++)
		if (first[i + 1] - first[i] > 1)
			qsort(row + first[i], first[i + 1] - first[i], sizeof(*row), by_name);
	c->tree[side].row = row;
	c->tree[side].first = first;
	return 0;
}

static int add_cause(struct split *p, enum fs_rank_cause_kind kind, const struct fs_share_row *const own[2],
	       const struct fs_share_row *a, const struct fs_share_row *b, int64_t users)
{
	if (!users)
		return 0;
	if (FSI_VEC_ROOM(&p->cause))
		return -1;
	p->cause.v[p->cause.n++] = (struct fs_rank_cause){ .kind = kind,
							   .own = { own[0], own[1] },
							   .other = { a, b },
							   .users = users,
							   .change = -(double)users * p->weight };
	p->explained += users;
	return 0;
}

static bool ahead(const struct fs_share_row *other, const struct fs_share_row *own)
{
	return other && other->level_fs > own->level_fs;
}

/* A sibling in both states, or in one. */
static int compare_sibling(struct split *p, const struct fs_share_row *const own[2], const struct fs_share_row *a,
			   const struct fs_share_row *b)
{
	const bool was = ahead(a, own[0]), is = ahead(b, own[1]);
	const int64_t before = was ? p->tree[0].below[a->row] : 0, after = is ? p->tree[1].below[b->row] : 0;

	if (!a || !b || was == is)
		return add_cause(p, FS_RANK_MEMBERS, own, a, b, after - before);
	return add_cause(p, is ? FS_RANK_PASSED : FS_RANK_PASSES, own, a, b, after - before);
}

static int compare_level(struct split *p, const struct fs_share_row *const own[2])
{
	const uint32_t a = parent_of(p->shares[0], own[0]), b = parent_of(p->shares[1], own[1]);
	const struct fs_share_row **v = p->tree[0].row, **w = p->tree[1].row;
	size_t i = p->tree[0].first[a], k = p->tree[1].first[b];
	const size_t n = p->tree[0].first[a + 1], m = p->tree[1].first[b + 1];
	int rc = 0;

	while (!rc && (i < n || k < m)) {
		const int order = i == n ? 1 : k == m ? -1 : order_names(v[i], w[k]);
		const struct fs_share_row *x = order <= 0 ? v[i] : NULL, *y = order >= 0 ? w[k] : NULL;

		if (x != own[0] || y != own[1])
			rc = compare_sibling(p, own, x, y);
		i += order <= 0;
		k += order >= 0;
	}
	return rc;
}

/* Fills both ways from the row up to below the root; 0 if they differ, since the row was moved in the tree. */
static size_t ways(const struct split *p, const struct fs_compared_share *of, const struct fs_share_row *way[][2])
{
	const struct fs_share_row *a = of->row[0], *b = of->row[1];
	size_t n = 0;

	while (a->parent_row != FS_NO_ROW && b->parent_row != FS_NO_ROW && n < DEEPEST) {
		if (order_names(a, b))
			return 0;
		way[n][0] = a;
		way[n++][1] = b;
		a = fs_shares_row(p->shares[0], parent_of(p->shares[0], a));
		b = fs_shares_row(p->shares[1], parent_of(p->shares[1], b));
	}
	return a->parent_row == FS_NO_ROW && b->parent_row == FS_NO_ROW ? n : 0;
}

/* Is the factor the rank over the number of users? */
static bool by_rank(const fs_shares *s, const struct fs_share_row *r)
{
	const double users = fs_shares_users(s), noise = 1e-6;

	return users > 0 && r->rank && fs_shares_has_levels(s) && fabs(r->fairshare - r->rank / users) < noise;
}

static int greatest_first(const void *x, const void *y)
{
	const struct fs_rank_cause *a = x, *b = y;
	const double d = fabs(b->change) - fabs(a->change);

	if (d != 0)
		return d > 0 ? 1 : -1;
	return (a->kind > b->kind) - (a->kind < b->kind);
}

static int split(struct split *p, const struct fs_compared_share *s)
{
	static const struct fs_share_row *const nobody[2] = { NULL, NULL };
	const struct fs_share_row *way[DEEPEST][2];
	const double n0 = fs_shares_users(p->shares[0]), n1 = fs_shares_users(p->shares[1]);
	const double b0 = n0 - s->row[0]->rank, b1 = n1 - s->row[1]->rank;
	const size_t levels = ways(p, s, way);
	int rc = 0;

	p->weight = (1 / n0 + 1 / n1) / 2;
	for (size_t k = levels; k-- && !rc;)
		rc = compare_level(p, way[k]);
	if (!rc)
		rc = add_cause(p, levels ? FS_RANK_TIES : FS_RANK_TREE, nobody, NULL, NULL,
			 (int64_t)(b1 - b0) - p->explained);
	if (!rc && n0 != n1) {
		rc = add_cause(p, FS_RANK_POPULATION, nobody, NULL, NULL, (int64_t)(n1 - n0));
		if (!rc)
			p->cause.v[p->cause.n - 1].change = -(b0 + b1) / 2 * (1 / n1 - 1 / n0);
	}
	if (p->cause.n)
		qsort(p->cause.v, p->cause.n, sizeof(*p->cause.v), greatest_first);
	return rc;
}

int fs_comparison_rank_causes(fs_comparison *c, size_t i, const struct fs_rank_cause **out, size_t *n)
{
	const struct fs_compared_share *s = fs_comparison_share(c, i);
	struct split p = { .c = c };
	struct fs_rank_cause *copy;
	int rc;

	*out = NULL;
	*n = 0;
	if (!s || !s->row[0] || !s->row[1] || !*s->row[0]->user)
		return 0;
	copy = fsi_arena_array(&c->arena, FSI_CLASSIC_CAUSES, sizeof(*copy));
	if (!copy)
		return -1;
	*n = fsi_compare_classic(c, s, copy);
	*out = copy;
	if (*n) {
		qsort(copy, *n, sizeof(*copy), greatest_first);
		return 0;
	}
	for (int k = 0; k < 2; k++) {
		p.shares[k] = c->side[k].eval->shares;
		if (!by_rank(p.shares[k], s->row[k]))
			return 0;
		if (!c->tree[k].first && (count_below(c, k) || list_siblings(c, k)))
			return -1;
	}
	p.tree = c->tree;
	rc = split(&p, s);
	copy = rc ? NULL : fsi_arena_array(&c->arena, p.cause.n + 1, sizeof(*copy));
	if (copy && p.cause.n)
		memcpy(copy, p.cause.v, p.cause.n * sizeof(*copy));
	*out = copy;
	*n = copy ? p.cause.n : 0;
	FSI_VEC_FREE(&p.cause);
	return copy ? 0 : -1;
}
