/* Usage over shares of a row in its level, as exact fractions: (usage / level usage) / (shares / level shares).
 * Shares are integers and usage is sums of doubles, which are fractions themselves. */
#include "fairshare/walk.h"

#include <math.h>

enum { SHARE_LIMBS = 1, LEVEL_SHARE_LIMBS = 2 };

static uint32_t *usage_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->usage + (size_t)row * r->form.limbs;
}

static uint32_t *level_usage_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->level_usage + (size_t)r->f->share[row].fs_parent * r->form.limbs;
}

static uint64_t level_shares_of(const struct fsi_ratios *r, uint32_t row)
{
	return r->level_shares[r->f->share[row].fs_parent];
}

static void add_up(struct fsi_ratios *r)
{
	const struct fsi_fairshare *f = r->f;

	for (uint32_t i = f->n; i-- > 0;) {
		const uint32_t parent = f->m->tree[i].parent;

		if (f->m->tree[i].uncounted)
			continue;
		fsi_exact_add_double(r->form, usage_of(r, i), f->own_usage[i]);
		if (parent != FSI_NO_INDEX)
			fsi_exact_add(r->form.limbs, usage_of(r, parent), usage_of(r, i));
	}
	for (uint32_t p = 0; p < f->n; p++)
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];

			if (fsi_flux_dissolved(f, row))
				continue;
			fsi_exact_add(r->form.limbs, level_usage_of(r, row), usage_of(r, row));
			if (fsi_flux_competes(f, row))
				r->level_shares[p] += f->m->association.v[row].shares;
		}
}

int fsi_ratios_make(struct fsi_ratios *r, const struct fsi_fairshare *f)
{
	struct fsi_exact_range range = { 0 };
	size_t limbs;

	for (uint32_t i = 0; i < f->n; i++)
		if (!f->m->tree[i].uncounted)
			fsi_exact_see(&range, f->own_usage[i]);
	*r = (struct fsi_ratios){ .f = f, .form = fsi_exact_form(&range, f->n) };
	limbs = r->form.limbs;
	r->usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_usage =
		fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_shares = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*r->level_shares));
	r->work = fsi_arena_array(f->arena, 8 * (limbs + 4), sizeof(*r->work));
	if (!r->usage || !r->level_usage || !r->level_shares || !r->work)
		return -1;
	add_up(r);
	return 0;
}

enum fsi_standing fsi_ratio_standing(const struct fsi_ratios *r, uint32_t row)
{
	if (!fsi_flux_competes(r->f, row))
		return FSI_UNUSED;
	if (!r->f->m->association.v[row].shares)
		return FSI_NO_SHARES;
	return fsi_exact_zero(r->form.limbs, usage_of(r, row)) ? FSI_UNUSED : FSI_USED;
}

/* out (limbs + LEVEL_SHARE_LIMBS) = v * by */
static void scale(uint32_t *out, const uint32_t *v, uint32_t limbs, uint64_t by)
{
	const uint32_t factor[LEVEL_SHARE_LIMBS] = { (uint32_t)by, (uint32_t)(by >> 32) };

	fsi_exact_mul(out, v, limbs, factor, LEVEL_SHARE_LIMBS);
}

/* out (2 * limbs + 3) = usage of a * level shares of a * level usage of b * shares of b: a's side of the comparison
 * x(a) ? x(b) once both are multiplied by all denominators. */
static void cross(const struct fsi_ratios *r, uint32_t a, uint32_t b, uint32_t *out, uint32_t *work)
{
	const uint32_t limbs = r->form.limbs, shares = r->f->m->association.v[b].shares;
	uint32_t *product = work + limbs + LEVEL_SHARE_LIMBS;

	scale(work, usage_of(r, a), limbs, level_shares_of(r, a));
	fsi_exact_mul(product, work, limbs + LEVEL_SHARE_LIMBS, level_usage_of(r, b), limbs);
	fsi_exact_mul(out, product, 2 * limbs + LEVEL_SHARE_LIMBS, &shares, SHARE_LIMBS);
}

static int compare_in_level(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = r->form.limbs + LEVEL_SHARE_LIMBS;
	uint32_t *left = r->work, *right = r->work + limbs;

	scale(left, usage_of(r, a), r->form.limbs, r->f->m->association.v[b].shares);
	scale(right, usage_of(r, b), r->form.limbs, r->f->m->association.v[a].shares);
	return fsi_exact_cmp(limbs, left, right);
}

static int compare_across(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = 2 * r->form.limbs + LEVEL_SHARE_LIMBS + SHARE_LIMBS;
	uint32_t *left = r->work, *right = left + limbs, *rest = right + limbs;

	cross(r, a, b, left, rest);
	cross(r, b, a, right, rest);
	return fsi_exact_cmp(limbs, left, right);
}

/* Is a more under-served (-1), less (1) or the same (0)? Each by its usage over its shares in its own level. */
static int ratio_cmp(const struct fsi_ratios *r, uint32_t a, uint32_t b)
{
	const enum fsi_standing sa = fsi_ratio_standing(r, a), sb = fsi_ratio_standing(r, b);

	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (sa != FSI_USED)
		return 0;
	return r->f->share[a].fs_parent == r->f->share[b].fs_parent ? compare_in_level(r, a, b)
								    : compare_across(r, a, b);
}

/* numerator = usage * level shares, denominator = level usage * shares, of limbs + 3 limbs each. */
static uint32_t fraction(const struct fsi_ratios *r, uint32_t row, uint32_t *numerator,
			 uint32_t *denominator)
{
	const uint32_t limbs = r->form.limbs;

	scale(numerator, usage_of(r, row), limbs, level_shares_of(r, row));
	scale(denominator, level_usage_of(r, row), limbs, r->f->m->association.v[row].shares);
	numerator[limbs + LEVEL_SHARE_LIMBS] = denominator[limbs + LEVEL_SHARE_LIMBS] = 0;
	return limbs + LEVEL_SHARE_LIMBS + 1;
}

double fsi_ratio_x(const struct fsi_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	return fsi_exact_div(limbs, a, b, b + limbs);
}

double fsi_ratio_position(const struct fsi_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	fsi_exact_add(limbs, a, b);
	return fsi_exact_div(limbs, b, a, b + limbs);
}

static double ratio_usage(const struct fsi_ratios *r, uint32_t row)
{
	if (fsi_exact_zero(r->form.limbs, level_usage_of(r, row)))
		return 0;
	return fsi_exact_div(r->form.limbs, usage_of(r, row), level_usage_of(r, row), r->work);
}

void fsi_ratio_show(const struct fsi_ratios *r, uint32_t row, struct fsi_share *s)
{
	const enum fsi_standing standing = fsi_ratio_standing(r, row);

	s->usage_efctv = ratio_usage(r, row);
	s->level_fs = standing == FSI_USED     ? 1 / fsi_ratio_x(r, row)
		      : standing == FSI_UNUSED ? INFINITY
					       : 0;
}

int fsi_ratio_compare_rows(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = ratio_cmp(ctx, a, b);

	return c ? c : (a > b) - (a < b);
}

bool fsi_ratio_tied(const void *ctx, uint32_t a, uint32_t b)
{
	return !ratio_cmp(ctx, a, b);
}
