/* Accounts and users of two states, matched by account, user and partition. */
#include "compare/compare.h"

#include <stdlib.h>
#include <string.h>

struct rows {
	const struct fs_share_row **v;
	size_t n;
};

static int by_name(const struct fs_share_row *a, const struct fs_share_row *b)
{
	int c = strcmp(a->account, b->account);

	if (!c)
		c = strcmp(a->user, b->user);
	return c ? c : strcmp(a->partition, b->partition);
}

static int by_name_of(const void *x, const void *y)
{
	const struct fs_share_row *const *a = x, *const *b = y;

	return by_name(*a, *b);
}

static int list(struct rows *r, const fs_shares *s)
{
	const size_t n = s ? fs_shares_count(s) : 0;

	r->v = malloc((n + 1) * sizeof(*r->v));
	for (size_t i = 0; r->v && i < n; i++)
		if (fs_shares_row(s, i)->visible)
			r->v[r->n++] = fs_shares_row(s, i);
	if (r->v)
		qsort(r->v, r->n, sizeof(*r->v), by_name_of);
	return r->v ? 0 : -1;
}

static bool same(const struct fs_share_row *a, const struct fs_share_row *b)
{
	return a->shares_kind == b->shares_kind && a->raw_shares == b->raw_shares && a->rank == b->rank &&
	       fsi_same_number(a->norm_shares, b->norm_shares) && fsi_same_number(a->raw_usage, b->raw_usage) &&
	       fsi_same_number(a->effective_usage, b->effective_usage) &&
	       fsi_same_number(a->fairshare, b->fairshare) && fsi_same_number(a->level_fs, b->level_fs);
}

static int add_row(struct fs_comparison *c, const struct fs_share_row *a, const struct fs_share_row *b)
{
	if (a && b && same(a, b))
		return 0;
	if (FSI_VEC_ROOM(&c->share))
		return -1;
	c->share.v[c->share.n++] = (struct fs_compared_share){ { a, b } };
	return 0;
}

/* As in the later tree; rows that it has no more come last, as in the earlier. */
static int by_tree(const void *x, const void *y)
{
	const struct fs_compared_share *a = x, *b = y;
	const bool gone = !a->row[1], other = !b->row[1];
	const uint32_t i = a->row[gone ? 0 : 1]->row, k = b->row[other ? 0 : 1]->row;

	if (gone != other)
		return gone ? 1 : -1;
	return (i > k) - (i < k);
}

static int merge(struct fs_comparison *c, const struct rows *a, const struct rows *b)
{
	size_t i = 0, k = 0;
	int rc = 0;

	while (!rc && (i < a->n || k < b->n)) {
		const int order = i == a->n ? 1 : k == b->n ? -1 : by_name(a->v[i], b->v[k]);

		rc = add_row(c, order <= 0 ? a->v[i] : NULL, order >= 0 ? b->v[k] : NULL);
		i += order <= 0;
		k += order >= 0;
	}
	return rc;
}

int fsi_compare_shares(struct fs_comparison *c)
{
	struct rows a = { 0 }, b = { 0 };
	int rc = list(&a, c->side[0].eval->shares) || list(&b, c->side[1].eval->shares) ? -1 : merge(c, &a, &b);

	free(a.v);
	free(b.v);
	if (!rc && c->share.n)
		qsort(c->share.v, c->share.n, sizeof(*c->share.v), by_tree);
	return rc;
}
