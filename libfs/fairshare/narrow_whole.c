/* Usage from NormUsage with all its digits, t / t(root), both without what was not yet charged when it was computed:
 * one total t(root) makes all shares usage. Each row's bounds, divided by its share, bound that total; it lies where
 * most rows agree. */
#include "fairshare/narrow.h"

#include <math.h>
#include <stdlib.h>

struct edge {
	double at;
	int step;
};

static int cmp_edge(const void *x, const void *y)
{
	const struct edge *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return b->step - a->step;
}

static size_t bound(struct edge *edge, double lo, double hi)
{
	edge[0] = (struct edge){ lo, 1 };
	edge[1] = (struct edge){ hi, -1 };
	return 2;
}

static double share_of(const struct fsi_narrow *w, uint32_t i)
{
	const struct fsi_recorded *r = w->rec[i];

	if (!r || w->m->tree[i].uncounted || !FSI_HAS(r, RECORDED, norm_usage))
		return 0;
	return r->norm_usage;
}

static size_t row_bounds(const struct fsi_narrow *w, uint32_t i, struct edge *edge)
{
	const struct fsi_recorded *r = w->rec[i];
	const double share = i ? share_of(w, i) : 1;
	const double own = i ? (double)w->missing[i].own : 0, root = i ? (double)w->missing[i].root : 0;
	size_t n = 0;

	if (!(share > 0))
		return 0;
	if (w->m->association.v[i].user)
		n += bound(edge + n, root + (w->lo[i] - own) / share, root + (w->hi[i] - own) / share);
	if (r && FSI_HAS(r, RECORDED, raw_usage))
		n += bound(edge + n, root + ((double)r->raw_usage - own) / share,
			   root + ((double)r->raw_usage + 1 - own) / share);
	return n;
}

/* The middle of the stretch that lies within the most bounds; NAN without any. */
static double agreed_total(struct edge *edge, size_t n)
{
	double best = NAN;
	size_t hold = 0, max = 0;

	if (n)
		qsort(edge, n, sizeof(*edge), cmp_edge);
	for (size_t k = 0; k + 1 < n; k++) {
		hold = edge[k].step > 0 ? hold + 1 : hold - 1;
		if (hold > max) {
			max = hold;
			best = edge[k].at + (edge[k + 1].at - edge[k].at) / 2;
		}
	}
	return 2 * max > n / 2 ? best : (double)NAN;
}

int fsi_narrow_whole(struct fsi_narrow *w)
{
	const double rounding = 1e-12;
	struct edge *edge = malloc((4 * (size_t)w->f->n + 1) * sizeof(*edge));
	double total;
	size_t n = 0;

	if (!edge)
		return -1;
	for (uint32_t i = 0; i < w->f->n; i++)
		n += row_bounds(w, i, edge + n);
	total = agreed_total(edge, n);
	free(edge);
	for (uint32_t i = 0; i < w->f->n && total > 0; i++) {
		const double x = (double)w->missing[i].own +
				 share_of(w, i) * (total - (double)w->missing[i].root);

		if (w->m->association.v[i].user && share_of(w, i) > 0 && x >= w->lo[i] * (1 - rounding) &&
		    x <= w->hi[i] * (1 + rounding))
			w->x[i] = x;
	}
	return 0;
}
