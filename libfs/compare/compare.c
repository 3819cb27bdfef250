#include "compare/compare.h"
#include "base/bytes.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- Accounts and users of two states, matched by account, user and partition */

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

static int compare_shares(struct fs_comparison *c)
{
	struct rows a = { 0 }, b = { 0 };
	int rc = list(&a, c->side[0].eval->shares) || list(&b, c->side[1].eval->shares) ? -1 : merge(c, &a, &b);

	free(a.v);
	free(b.v);
	if (!rc && c->share.n)
		qsort(c->share.v, c->share.n, sizeof(*c->share.v), by_tree);
	return rc;
}

/* ---- the comparison */

const char *fs_fate_name(enum fs_fate fate)
{
	static const char *const names[] = { FS_FATES(FSI_NAME) };

	return names[fate];
}

static int64_t time_of(const struct fs_compared *s)
{
	return s->usage_time ? s->usage_time : fs_snapshot_info(s->eval->snapshot)->priority_time;
}

static double left_of(const fs_comparison *c)
{
	const struct fs_usage_options o = { .size = 0 };
	const int64_t later = time_of(&c->side[FS_AFTER]) - time_of(&c->side[FS_BEFORE]);
	struct fs_usage_info info;
	double left = 1;
	fs_usage *u;

	if (later <= 0 || fs_usage_begin(&u, c->side[FS_BEFORE].eval->snapshot, &o, NULL))
		return 1;
	fs_usage_info(u, &info);
	if (info.half_life_s)
		left = fs_usage_after(u, (double)later / (double)info.half_life_s);
	fs_usage_free(u);
	return left;
}

int fs_compare(fs_comparison **out, const struct fs_compared *before, const struct fs_compared *after,
	       fs_parallel_fn parallel, void *parallel_ctx, struct fs_error *err)
{
	struct fs_comparison *c = calloc(1, sizeof(*c));

	if (!c)
		return fsi_nomem(err);
	c->side[FS_BEFORE] = *before;
	c->side[FS_AFTER] = *after;
	c->left = left_of(c);
	c->parallel = parallel;
	c->parallel_ctx = parallel_ctx;
	c->parts = parallel ? FSI_COMPARED_PARTS : 1;
	if (fsi_compare_terms_init(c) || fsi_compare_jobs(c) || compare_shares(c)) {
		fs_comparison_free(c);
		return fsi_nomem(err);
	}
	*out = c;
	return 0;
}

void fs_comparison_free(fs_comparison *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->parts; i++) {
		FSI_VEC_FREE(&c->part[i].job);
		fsi_arena_release(&c->part[i].arena);
	}
	free(c->order);
	FSI_VEC_FREE(&c->share);
	fsi_arena_release(&c->arena);
	free(c);
}

double fs_comparison_left(const fs_comparison *c)
{
	return c->left;
}

size_t fs_comparison_jobs(const fs_comparison *c)
{
	return c->jobs;
}

const struct fs_compared_job *fs_comparison_job(const fs_comparison *c, size_t i)
{
	if (i + FSI_COMPARED_SOON < c->jobs)
		fsi_fetch(c->order[i + FSI_COMPARED_SOON], sizeof(**c->order));
	return i < c->jobs ? c->order[i] : NULL;
}

size_t fs_comparison_pending(const fs_comparison *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->parts; i++)
		n += c->part[i].pending;
	return n;
}

size_t fs_comparison_shares(const fs_comparison *c)
{
	return c->share.n;
}

const struct fs_compared_share *fs_comparison_share(const fs_comparison *c, size_t i)
{
	return i < c->share.n ? &c->share.v[i] : NULL;
}
