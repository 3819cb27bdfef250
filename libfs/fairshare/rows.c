/* Access to computed shares. */
#include "fairshare/fairshare.h"

#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>

void fs_shares_free(fs_shares *s)
{
	if (!s)
		return;
	fsi_arena_release(&s->arena);
	free(s);
}

size_t fs_shares_count(const fs_shares *s)
{
	return s ? s->f.n : 0;
}

const struct fs_share_row *fs_shares_row(const fs_shares *s, size_t i)
{
	return i < fs_shares_count(s) ? &s->rows[i] : NULL;
}

const char *fs_shares_algorithm(const fs_shares *s)
{
	return s->algorithm->name;
}

bool fs_shares_mix_moments(const fs_shares *s)
{
	return s && s->f.mixed;
}

bool fs_shares_has_levels(const fs_shares *s)
{
	return s && s->algorithm->has_levels;
}

bool fs_shares_has_ranges(const fs_shares *s)
{
	return s && s->algorithm->has_ranges;
}

uint32_t fs_shares_users(const fs_shares *s)
{
	return s ? s->f.users : 0;
}

/* Lists the TRES in the cluster's order, which most sets have too: all of them, or only those in the set. */
static int list_tres(const fs_snapshot *m, uint32_t set, bool all, struct fs_tres *out, size_t max)
{
	size_t n, count = 0;
	const struct fsi_amount *a = fsi_amounts(m, set, &n);

	for (size_t k = 0; k < m->tres.n && count < max; k++) {
		size_t i = k < n && a[k].tres == m->tres.v[k].name ? k : 0;

		while (i < n && a[i].tres != m->tres.v[k].name)
			i++;
		if (i < n || all)
			out[count++] = (struct fs_tres){ fsi_str(m, m->tres.v[k].name),
							 i < n ? a[i].n : 0 };
	}
	return (int)count;
}

int fs_shares_tres(const fs_shares *s, size_t i, enum fs_share_tres which, struct fs_tres *out,
		   size_t max)
{
	const fs_snapshot *m;
	const struct fsi_association *a;

	if (i >= fs_shares_count(s) || s->algorithm->own_rows)
		return FS_ENODATA;
	m = s->f.m;
	a = &m->association.v[i];
	switch (which) {
	case FS_SHARE_TRES_LIMIT:
		return list_tres(m, a->grp_tres_min, false, out, max);
	case FS_SHARE_TRES_RUNNING:
		if (!FSI_HAS(a, ASSOCIATION, run_by_tres_min) || fsi_usage_moved(m, s->usage))
			return FS_ENODATA;
		return list_tres(m, a->run_by_tres_min, true, out, max);
	case FS_SHARE_TRES_USAGE:
		return fsi_usage_tres_min(m, s->usage, (uint32_t)i, out, max);
	}
	return FS_ENODATA;
}

int fs_shares_tres_seconds(const fs_shares *s, size_t i, enum fs_share_tres which, double *out,
			   size_t max)
{
	if (i >= fs_shares_count(s) || s->algorithm->own_rows)
		return FS_ENODATA;
	switch (which) {
	case FS_SHARE_TRES_USAGE:
		return fsi_usage_tres_seconds(s->f.m, s->usage, (uint32_t)i, out, max);
	case FS_SHARE_TRES_RUNNING:
		return fsi_usage_moved(s->f.m, s->usage)
			       ? FS_ENODATA
			       : fsi_run_tres_seconds(s->f.m, (uint32_t)i, out, max);
	default:
		return FS_ENODATA;
	}
}

double fs_share_factor(const struct fs_share_row *row)
{
	return isnan(row->fairshare) && !*row->user && row->daemon_factor > 0 ? row->daemon_factor : row->fairshare;
}
