#include "compare/compare.h"

#include "base/bytes.h"
#include "base/names.h"

#include <stdlib.h>

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
	if (fsi_compare_terms_init(c) || fsi_compare_jobs(c) || fsi_compare_shares(c)) {
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
