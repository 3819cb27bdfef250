/* Don Lipari's design for Flux (2017; flux-sched pull requests 275 and 290): every bank and user has a factor, and
 * the descendants of a bank live inside the slice of 0..1 that ends at its own.
 *
 *   weight    (shares / shares of the siblings) / (usage / usage of the siblings)
 *   position  in the parent's slice: 0 without shares, 1 without usage; between, by what is asked for:
 *             pow2 2^(-1/weight) (the historic one, and Slurm's classic factor), ratio weight / (1 + weight),
 *             rank g / m: the g-th from below of m groups of equal weight
 *   factor    low + position * (high - low)
 *   slice     from the factor of the next lower group of siblings (the lowest: the parent's low) to its own
 *
 * Order and ties come from exact fractions: as doubles the positions of heavy users collapse. Its rank counts as in
 * flux_exact. */
#include "fairshare/walk.h"

#include <math.h>
#include <stdlib.h>

struct level {
	struct fsi_fairshare *f;
	const struct fsi_ratios *ratios;
	uint32_t *row, n; /* most under-served first */
	uint32_t groups;  /* of rows with shares */
};

static double position_of(const struct level *l, uint32_t row, uint32_t group)
{
	switch (fsi_ratio_standing(l->ratios, row)) {
	case FSI_NO_SHARES:
		return 0;
	case FSI_UNUSED:
		return 1;
	default:
		break;
	}
	switch (l->f->position) {
	case FS_POSITION_RATIO:
		return fsi_ratio_position(l->ratios, row);
	case FS_POSITION_RANK:
		return (double)group / (double)l->groups;
	default:
		return pow(2.0, -fsi_ratio_x(l->ratios, row));
	}
}

/* A factor may not leave the slice by rounding. */
static double factor_at(double low, double high, double floor, double position)
{
	const double at = position == 1   ? high
			  : position == 0 ? low
					  : low + position * (high - low);

	return fmin(fmax(at, floor), high);
}

/* The first row of the group that ends before `end`. */
static uint32_t group_start(const struct level *l, uint32_t end)
{
	uint32_t start = end - 1;

	while (start && fsi_ratio_tied(l->ratios, l->row[start - 1], l->row[end - 1]))
		start--;
	return start;
}

static void count_groups(struct level *l)
{
	l->groups = 0;
	for (uint32_t end = l->n; end; end = group_start(l, end))
		l->groups += fsi_ratio_standing(l->ratios, l->row[end - 1]) != FSI_NO_SHARES;
}

/* Cuts the slice into those of the groups, from the most over-served one up. */
static void cut(struct level *l, double low, double high)
{
	double floor = low;
	uint32_t group = 0;

	count_groups(l);
	for (uint32_t end = l->n, start; end; end = start) {
		const uint32_t any = l->row[end - 1];

		start = group_start(l, end);
		group += fsi_ratio_standing(l->ratios, any) != FSI_NO_SHARES;
		const double position = position_of(l, any, group);
		const double factor = factor_at(low, high, floor, position);

		for (uint32_t i = start; i < end; i++) {
			struct fsi_share *s = &l->f->share[l->row[i]];

			s->position = position;
			s->factor = s->high = factor;
			s->low = floor;
			s->tied = end - start;
			s->group = group;
			s->groups = l->groups;
			fsi_ratio_show(l->ratios, l->row[i], s);
		}
		floor = factor;
	}
}

/* An account of Slurm's with `parent` shares stands where its parent does. */
static void copy_parent(struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_share *p = &f->share[f->share[row].fs_parent];
	struct fsi_share *s = &f->share[row];

	s->factor = p->factor;
	s->low = p->low;
	s->high = p->high;
	s->position = 1;
	s->usage_efctv = p->usage_efctv;
}

static int cut_all(struct level *l)
{
	const struct fsi_fairshare *f = l->f;

	for (uint32_t p = 0; p < f->n; p++) {
		l->n = 0;
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (fsi_flux_dissolved(f, f->child[k]))
				copy_parent(l->f, f->child[k]);
			else
				l->row[l->n++] = f->child[k];
		if (fs_sort(l->row, l->n, sizeof(*l->row), fsi_ratio_compare_rows, l->ratios))
			return -1;
		cut(l, f->share[p].low, f->share[p].high);
	}
	return 0;
}

static int compute(struct fsi_fairshare *f)
{
	struct fsi_ratios ratios;
	const struct fsi_flux_order order = { fsi_ratio_compare_rows, fsi_ratio_tied, &ratios };
	struct level l = { .f = f, .ratios = &ratios };
	int rc = -1;

	if (!fsi_flux_levels(f))
		return 0;
	l.row = malloc(((size_t)f->n + 1) * sizeof(*l.row));
	if (l.row && !fsi_ratios_make(&ratios, f) && !fsi_flux_walk(f, &order)) {
		f->share[0].low = 0;
		f->share[0].high = f->share[0].factor = f->share[0].position = 1;
		f->share[0].tied = 1;
		rc = cut_all(&l);
	}
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].printed = f->share[i].factor;
	free(l.row);
	return rc;
}

const struct fsi_algorithm fsi_flux_range = {
	.name = "flux_range",
	.summary = "the 2017 design: each bank's members inside its slice of 0 to 1",
	.has_levels = true,
	.has_places = true,
	.has_ranges = true,
	.needs_all = true,
	.compute = compute,
};
