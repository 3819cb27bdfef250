/* flux-accounting's fair share (src/fairness, version 0.60): users ranked by a walk through the tree of banks.
 *
 *   S, T    sums of shares and usage of all children of one bank, sub-banks and users together
 *   weight  0 without shares; else 2^64 without usage; else (shares / S) / (usage / T)
 *           (weighted_tree/weighted_tree.cpp)
 *   order   by falling weight, users before banks where equal; the children of banks of equal weight are
 *           merged and ordered by the weights they have in their own bank
 *   factor  rank / users, the best rank is the number of users; who ties shares the best rank of them
 *           (weighted_tree/weighted_walk.cpp)
 *
 * Upstream's rounding is kept: T is summed up in an unsigned integer, and weights are equal when they
 * differ by less than an epsilon. flux_exact has neither: exact sums, and ratios compared as fractions.
 * Only users get a factor. */
#include "fairshare/walk.h"

#include <float.h>
#include <math.h>

static const double unused_weight = 18446744073709551616.0; /* UINT64_MAX as a double */

/* Usage of a level as upstream adds it up: the sum loses its fraction after each addition. */
static double truncated_sum(double sum, double usage)
{
	return trunc(sum + usage);
}

/* Equal to within a few units of the last digit, so that it is not transitive. */
static bool nearly_equal(double a, double b)
{
	return fabs(a - b) < DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), 1);
}

static double weight_of(const struct fsi_fairshare *f, uint32_t row, double level_usage)
{
	const double usage_is_zero = 1e-9;
	const struct fsi_share *s = &f->share[row];
	const double usage = (double)s->usage_raw;

	if (!fsi_flux_competes(f, row))
		return unused_weight;
	if (!f->m->association.v[row].shares)
		return 0;
	if (fabs(usage) < usage_is_zero)
		return unused_weight;
	return s->shares_norm / (usage / level_usage);
}

static void set_weights(struct fsi_fairshare *f)
{
	for (uint32_t p = 0; p < f->n; p++) {
		double sum = 0, whole = 0; /* whole: what nothing is more than a part of */

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (!fsi_flux_dissolved(f, f->child[k])) {
				sum = truncated_sum(sum, (double)f->share[f->child[k]].usage_raw);
				whole += (double)f->share[f->child[k]].usage_raw;
			}
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			struct fsi_share *s = &f->share[f->child[k]];

			s->level_fs = weight_of(f, f->child[k], sum);
			s->usage_efctv = s->usage_raw == 0 ? 0 : (double)s->usage_raw / whole;
		}
	}
}

static int compare_weights(const void *x, const void *y, const void *ctx)
{
	const struct fsi_fairshare *f = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const long double wa = f->share[a].level_fs, wb = f->share[b].level_fs;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return (a > b) - (a < b);
}

static bool weights_tie(const void *ctx, uint32_t a, uint32_t b)
{
	const struct fsi_fairshare *f = ctx;

	return nearly_equal((double)f->share[a].level_fs, (double)f->share[b].level_fs);
}

static void print_factors(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].printed = f->share[i].factor;
}

static int compute(struct fsi_fairshare *f)
{
	const struct fsi_flux_order order = { compare_weights, weights_tie, f };
	const bool known = fsi_flux_levels(f);

	if (!known)
		return 0;
	set_weights(f);
	if (fsi_flux_walk(f, &order))
		return -1;
	print_factors(f);
	return 0;
}

static int compute_exact(struct fsi_fairshare *f)
{
	struct fsi_ratios ratios;
	const struct fsi_flux_order order = { fsi_ratio_compare_rows, fsi_ratio_tied, &ratios };

	if (!fsi_flux_levels(f))
		return 0;
	if (fsi_ratios_make(&ratios, f) || fsi_flux_walk(f, &order))
		return -1;
	for (uint32_t i = 1; i < f->n; i++)
		if (!f->m->tree[i].uncounted && !fsi_flux_dissolved(f, i))
			fsi_ratio_show(&ratios, i, &f->share[i]);
	print_factors(f);
	return 0;
}

const struct fsi_algorithm fsi_flux = {
	.name = "flux",
	.summary = "flux-accounting: users ranked through the tree of banks",
	.has_levels = true,
	.has_places = true,
	.needs_all = true,
	.compute = compute,
};

const struct fsi_algorithm fsi_flux_exact = {
	.name = "flux_exact",
	.summary = "the same with exact sums and ties",
	.has_levels = true,
	.has_places = true,
	.needs_all = true,
	.compute = compute_exact,
};
