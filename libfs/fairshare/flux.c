#include "base/num.h"
#include "fairshare/fairshare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What Flux's algorithms have in common: levels of siblings, and the walk from the most to the least
 * under-served user. */

/* Order of rows among siblings, or among the children of tied siblings. */
struct sibling_order {
	/* Compares two row numbers: who is better served comes later; equal rows go by number. */
	fs_compare_fn compare;
	bool (*tied)(const void *ctx, uint32_t a, uint32_t b); /* Do neighbours in that order tie? */
	const void *ctx;
};

/* Does the row have shares of its own to compete with? Slurm's `parent` users do not: they stand at the top. */
static bool has_own_shares(const struct fsi_fairshare *f, uint32_t row)
{
	return !fsi_uses_parent_shares(&f->m->association.v[row]);
}

/* An account with `parent` shares has no place of its own: its children are in its parent's level. */
static bool is_dissolved(const struct fsi_fairshare *f, uint32_t row)
{
	return !has_own_shares(f, row) && !f->m->association.v[row].user;
}

enum standing { NO_SHARES, USED, UNUSED };

struct ratios_of_rows {
	const struct fsi_fairshare *f;
	struct fsi_exact_form form;
	uint32_t *usage;       /* limbs a row */
	uint32_t *level_usage; /* of the children of a row, likewise */
	uint64_t *level_shares;
	uint32_t *work; /* scratch for one comparison or division */
};

/* Usage over shares of a row in its level, as exact fractions: (usage / level usage) / (shares / level shares).
 * Shares are integers and usage is sums of doubles, which are fractions themselves. */

enum { SHARE_LIMBS = 1, LEVEL_SHARE_LIMBS = 2 };

static uint32_t *usage_of(const struct ratios_of_rows *r, uint32_t row)
{
	return r->usage + (size_t)row * r->form.limbs;
}

static uint32_t *level_usage_of(const struct ratios_of_rows *r, uint32_t row)
{
	return r->level_usage + (size_t)r->f->share[row].fs_parent * r->form.limbs;
}

static uint64_t level_shares_of(const struct ratios_of_rows *r, uint32_t row)
{
	return r->level_shares[r->f->share[row].fs_parent];
}

static void add_up(struct ratios_of_rows *r)
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

			if (is_dissolved(f, row))
				continue;
			fsi_exact_add(r->form.limbs, level_usage_of(r, row), usage_of(r, row));
			if (has_own_shares(f, row))
				r->level_shares[p] += f->m->association.v[row].shares;
		}
}

static int make_ratios(struct ratios_of_rows *r, const struct fsi_fairshare *f)
{
	struct fsi_exact_range range = { 0 };
	size_t limbs;

	for (uint32_t i = 0; i < f->n; i++)
		if (!f->m->tree[i].uncounted)
			fsi_exact_see(&range, f->own_usage[i]);
	*r = (struct ratios_of_rows){ .f = f, .form = fsi_exact_form(&range, f->n) };
	limbs = r->form.limbs;
	r->usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (limbs + 1), sizeof(*r->usage));
	r->level_shares = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*r->level_shares));
	r->work = fsi_arena_array(f->arena, 8 * (limbs + 4), sizeof(*r->work));
	if (!r->usage || !r->level_usage || !r->level_shares || !r->work)
		return -1;
	add_up(r);
	return 0;
}

static enum standing ratio_standing(const struct ratios_of_rows *r, uint32_t row)
{
	if (!has_own_shares(r->f, row))
		return UNUSED;
	if (!r->f->m->association.v[row].shares)
		return NO_SHARES;
	return fsi_exact_zero(r->form.limbs, usage_of(r, row)) ? UNUSED : USED;
}

/* out (limbs + LEVEL_SHARE_LIMBS) = v * by */
static void scale(uint32_t *out, const uint32_t *v, uint32_t limbs, uint64_t by)
{
	const uint32_t factor[LEVEL_SHARE_LIMBS] = { (uint32_t)by, (uint32_t)(by >> 32) };

	fsi_exact_mul(out, v, limbs, factor, LEVEL_SHARE_LIMBS);
}

/* out (2 * limbs + 3) = usage of a * level shares of a * level usage of b * shares of b: a's side of the comparison
 * x(a) ? x(b) once both are multiplied by all denominators. */
static void cross(const struct ratios_of_rows *r, uint32_t a, uint32_t b, uint32_t *out, uint32_t *work)
{
	const uint32_t limbs = r->form.limbs, shares = r->f->m->association.v[b].shares;
	uint32_t *product = work + limbs + LEVEL_SHARE_LIMBS;

	scale(work, usage_of(r, a), limbs, level_shares_of(r, a));
	fsi_exact_mul(product, work, limbs + LEVEL_SHARE_LIMBS, level_usage_of(r, b), limbs);
	fsi_exact_mul(out, product, 2 * limbs + LEVEL_SHARE_LIMBS, &shares, SHARE_LIMBS);
}

static int compare_in_level(const struct ratios_of_rows *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = r->form.limbs + LEVEL_SHARE_LIMBS;
	uint32_t *left = r->work, *right = r->work + limbs;

	scale(left, usage_of(r, a), r->form.limbs, r->f->m->association.v[b].shares);
	scale(right, usage_of(r, b), r->form.limbs, r->f->m->association.v[a].shares);
	return fsi_exact_cmp(limbs, left, right);
}

static int compare_across(const struct ratios_of_rows *r, uint32_t a, uint32_t b)
{
	const uint32_t limbs = 2 * r->form.limbs + LEVEL_SHARE_LIMBS + SHARE_LIMBS;
	uint32_t *left = r->work, *right = left + limbs, *rest = right + limbs;

	cross(r, a, b, left, rest);
	cross(r, b, a, right, rest);
	return fsi_exact_cmp(limbs, left, right);
}

/* Is a more under-served (-1), less (1) or the same (0)? Each by its usage over its shares in its own level. */
static int ratio_cmp(const struct ratios_of_rows *r, uint32_t a, uint32_t b)
{
	const enum standing sa = ratio_standing(r, a), sb = ratio_standing(r, b);

	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (sa != USED)
		return 0;
	return r->f->share[a].fs_parent == r->f->share[b].fs_parent ? compare_in_level(r, a, b)
								    : compare_across(r, a, b);
}

/* numerator = usage * level shares, denominator = level usage * shares, of limbs + 3 limbs each. */
static uint32_t fraction(const struct ratios_of_rows *r, uint32_t row, uint32_t *numerator, uint32_t *denominator)
{
	const uint32_t limbs = r->form.limbs;

	scale(numerator, usage_of(r, row), limbs, level_shares_of(r, row));
	scale(denominator, level_usage_of(r, row), limbs, r->f->m->association.v[row].shares);
	numerator[limbs + LEVEL_SHARE_LIMBS] = denominator[limbs + LEVEL_SHARE_LIMBS] = 0;
	return limbs + LEVEL_SHARE_LIMBS + 1;
}

static double ratio_x(const struct ratios_of_rows *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	return fsi_exact_div(limbs, a, b, b + limbs);
}

static double ratio_position(const struct ratios_of_rows *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.limbs + 4;
	const uint32_t limbs = fraction(r, row, a, b);

	fsi_exact_add(limbs, a, b);
	return fsi_exact_div(limbs, b, a, b + limbs);
}

static double ratio_usage(const struct ratios_of_rows *r, uint32_t row)
{
	if (fsi_exact_zero(r->form.limbs, level_usage_of(r, row)))
		return 0;
	return fsi_exact_div(r->form.limbs, usage_of(r, row), level_usage_of(r, row), r->work);
}

static void show_ratio(const struct ratios_of_rows *r, uint32_t row, struct fsi_share *s)
{
	const enum standing standing = ratio_standing(r, row);

	s->usage_efctv = ratio_usage(r, row);
	s->level_fs = standing == USED     ? 1 / ratio_x(r, row)
		      : standing == UNUSED ? INFINITY
					       : 0;
}

static int compare_ratios(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = ratio_cmp(ctx, a, b);

	return c ? c : (a > b) - (a < b);
}

static bool ratios_tie(const void *ctx, uint32_t a, uint32_t b)
{
	return !ratio_cmp(ctx, a, b);
}

/* The walk of flux-accounting (src/fairness/weighted_tree/weighted_walk.cpp), for any order of siblings. */

/* A level being walked: row[pos] .. row[end - 1] in the pool. */
struct frame {
	uint32_t pos, end;
};

struct walk {
	struct fsi_fairshare *f;
	const struct sibling_order *order;
	uint32_t *pool; /* the levels on the stack, one behind the other */
	uint32_t *scratch;
	struct frame *stack, *top;
	uint32_t rank, ties;
};

static bool is_user(const struct walk *w, uint32_t row)
{
	return w->f->m->association.v[row].user != 0;
}

/* End of the run of rows that tie with their neighbours. */
static uint32_t run_end(const struct walk *w, const uint32_t *row, uint32_t start, uint32_t n)
{
	uint32_t end = start + 1;

	while (end < n && w->order->tied(w->order->ctx, row[end - 1], row[end]))
		end++;
	return end;
}

/* Users before accounts in a run. */
static void users_first(const struct walk *w, uint32_t *row, uint32_t start, uint32_t end)
{
	uint32_t users = 0, accounts = 0;

	for (uint32_t i = start; i < end; i++)
		if (is_user(w, row[i]))
			row[start + users++] = row[i];
		else
			w->scratch[accounts++] = row[i];
	memcpy(row + start + users, w->scratch, accounts * sizeof(*row));
}

/* Adds the children of an account to the level under construction at the pool's end. */
static uint32_t gather(const struct walk *w, uint32_t parent, uint32_t end)
{
	for (uint32_t k = w->f->first[parent]; k < w->f->first[parent + 1]; k++)
		if (!is_dissolved(w->f, w->f->child[k]))
			w->pool[end++] = w->f->child[k];
	return end;
}

static int sort_level(const struct walk *w, uint32_t start, uint32_t end)
{
	if (fs_sort(w->pool + start, end - start, sizeof(*w->pool), w->order->compare, w->order->ctx))
		return -1;
	for (uint32_t at = start, next; at < end; at = next) {
		next = run_end(w, w->pool, at, end);
		users_first(w, w->pool, at, next);
	}
	return 0;
}

static bool ties_with_next(const struct walk *w, const struct frame *level, uint32_t at)
{
	const uint32_t *row = w->pool + at;

	return at + 1 < level->end && is_user(w, row[0]) == is_user(w, row[1]) &&
	       w->order->tied(w->order->ctx, row[0], row[1]);
}

/* Places a run of rows that tie, users in front: each kind shares a place. */
static void place_run(const struct walk *w, uint32_t start, uint32_t end, uint32_t first)
{
	const bool other_kind_ties = is_user(w, w->pool[start]) != is_user(w, w->pool[end - 1]);
	const struct frame run = { start, end };

	for (uint32_t at = start, next; at < end; at = next) {
		next = at + 1;
		while (ties_with_next(w, &run, next - 1))
			next++;
		for (uint32_t i = at; i < next; i++) {
			struct fsi_share *s = &w->f->share[w->pool[i]];

			s->place = at - first + 1;
			s->peers = next - at - 1;
			s->other_kind_ties = other_kind_ties;
		}
	}
}

/* Adds the children of an account behind *end as a level of their own: sorted, with their places in it. */
static int add_level(const struct walk *w, uint32_t parent, uint32_t *end)
{
	const uint32_t start = *end;

	*end = gather(w, parent, start);
	if (sort_level(w, start, *end))
		return -1;
	for (uint32_t at = start, next; at < *end; at = next) {
		next = run_end(w, w->pool, at, *end);
		place_run(w, at, next, start);
	}
	return 0;
}

static void take_user(struct walk *w, uint32_t row, bool tied)
{
	struct fsi_share *s = &w->f->share[row];

	s->rank = w->rank;
	s->factor = (double)w->rank / (double)w->f->users;
	w->ties++;
	if (!tied) {
		w->rank -= w->ties;
		w->ties = 0;
	}
}

/* All accounts that tie with this one are walked as one. */
static int take_accounts(struct walk *w)
{
	struct frame *level = w->top;
	const uint32_t start = level->end, first = level->pos;
	uint32_t end = start;
	bool more;

	do {
		more = ties_with_next(w, level, level->pos);
		if (add_level(w, w->pool[level->pos++], &end))
			return -1;
	} while (more);
	if (level->pos - first > 1 && sort_level(w, start, end))
		return -1;
	*++w->top = (struct frame){ start, end };
	return 0;
}

static int walk(struct walk *w)
{
	while (w->top >= w->stack) {
		struct frame *level = w->top;
		const uint32_t at = level->pos;

		if (at == level->end) {
			w->top--;
		} else if (is_user(w, w->pool[at])) {
			level->pos++;
			take_user(w, w->pool[at], ties_with_next(w, level, at));
		} else if (take_accounts(w)) {
			return -1;
		}
	}
	return 0;
}

/* Fills rank and factor (rank over users) of every counted user, and place, peers and other_kind_ties of all siblings
 * in their own level, by the same order and ties: depth first through the levels, siblings by the
 * order, users before accounts where tied. The children of accounts that tie are one level. A user that
 * ties with the next shares his rank with him, and the next rank is skipped. -1 without memory. */
static int flux_walk(struct fsi_fairshare *f, const struct sibling_order *order)
{
	const size_t n = (size_t)f->n + 2;
	struct walk w = { .f = f, .order = order, .rank = f->users };
	int rc = -1;

	w.pool = malloc(2 * n * sizeof(*w.pool));
	w.stack = malloc(n * sizeof(*w.stack));
	if (w.pool && w.stack) {
		w.scratch = w.pool + n;
		w.top = w.stack;
		*w.top = (struct frame){ 0, 0 };
		rc = add_level(&w, 0, &w.top->end);
		if (!rc)
			rc = walk(&w);
	}
	free(w.pool);
	free(w.stack);
	return rc;
}

static long double bank_usage(const struct fsi_fairshare *f, uint32_t bank)
{
	double sum = f->own_usage[bank];

	for (uint32_t c = bank + 1; c < f->m->tree[bank].end; c = f->m->tree[c].end)
		if (!f->m->tree[c].uncounted)
			sum += (double)f->share[c].usage_raw;
	return sum;
}

static uint64_t level_shares(const struct fsi_fairshare *f, uint32_t parent)
{
	uint64_t sum = 0;

	for (uint32_t k = f->first[parent]; k < f->first[parent + 1]; k++)
		if (has_own_shares(f, f->child[k]))
			sum += f->m->association.v[f->child[k]].shares;
	return sum;
}

/* Fills usage_raw, shares_norm and usage_norm of every counted row in doubles. A bank's usage is the sum of its
 * children's, in the order of the tree. false: something is not known. */
static bool flux_levels(struct fsi_fairshare *f)
{
	bool known = f->m->tree[0].end == f->n; /* one root */

	for (uint32_t i = f->n; i-- > 0;) {
		const bool competes = has_own_shares(f, i);

		f->share[i].factor = f->share[i].printed = NAN;
		f->share[i].level_fs = f->share[i].usage_efctv = NAN;
		f->share[i].low = f->share[i].high = f->share[i].position = NAN;
		if (f->m->tree[i].uncounted)
			continue;
		known = known && !isnan(f->share[i].usage_raw) && (!i || !competes || f->share[i].level_known);
		if (!f->m->association.v[i].user)
			f->share[i].usage_raw = bank_usage(f, i);
	}
	for (uint32_t p = 0; p < f->n; p++) {
		const uint64_t sum = level_shares(f, p);

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];
			const double shares = f->m->association.v[row].shares;

			f->share[row].shares_norm = !has_own_shares(f, row) ? (double)NAN
						    : sum ? shares / (double)sum : 0;
		}
	}
	f->share[0].shares_norm = 1;
	fsi_usage_norm(f);
	return known;
}

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

	if (!has_own_shares(f, row))
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
			if (!is_dissolved(f, f->child[k])) {
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

static int flux_compute(struct fsi_fairshare *f)
{
	const struct sibling_order order = { compare_weights, weights_tie, f };
	const bool known = flux_levels(f);

	if (!known)
		return 0;
	set_weights(f);
	if (flux_walk(f, &order))
		return -1;
	print_factors(f);
	return 0;
}

static int compute_exact(struct fsi_fairshare *f)
{
	struct ratios_of_rows ratios;
	const struct sibling_order order = { compare_ratios, ratios_tie, &ratios };

	if (!flux_levels(f))
		return 0;
	if (make_ratios(&ratios, f) || flux_walk(f, &order))
		return -1;
	for (uint32_t i = 1; i < f->n; i++)
		if (!f->m->tree[i].uncounted && !is_dissolved(f, i))
			show_ratio(&ratios, i, &f->share[i]);
	print_factors(f);
	return 0;
}

const struct fsi_algorithm fsi_flux = {
	.name = "flux",
	.summary = "flux-accounting: users ranked through the tree of banks",
	.has_levels = true,
	.has_places = true,
	.needs_all = true,
	.compute = flux_compute,
};

const struct fsi_algorithm fsi_flux_exact = {
	.name = "flux_exact",
	.summary = "the same with exact sums and ties",
	.has_levels = true,
	.has_places = true,
	.needs_all = true,
	.compute = compute_exact,
};

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

struct level {
	struct fsi_fairshare *f;
	const struct ratios_of_rows *ratios;
	uint32_t *row, n; /* most under-served first */
	uint32_t groups;  /* of rows with shares */
};

static double position_of(const struct level *l, uint32_t row, uint32_t group)
{
	switch (ratio_standing(l->ratios, row)) {
	case NO_SHARES:
		return 0;
	case UNUSED:
		return 1;
	default:
		break;
	}
	switch (l->f->position) {
	case FS_POSITION_RATIO:
		return ratio_position(l->ratios, row);
	case FS_POSITION_RANK:
		return (double)group / (double)l->groups;
	default:
		return pow(2.0, -ratio_x(l->ratios, row));
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

	while (start && ratios_tie(l->ratios, l->row[start - 1], l->row[end - 1]))
		start--;
	return start;
}

static void count_groups(struct level *l)
{
	l->groups = 0;
	for (uint32_t end = l->n; end; end = group_start(l, end))
		l->groups += ratio_standing(l->ratios, l->row[end - 1]) != NO_SHARES;
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
		group += ratio_standing(l->ratios, any) != NO_SHARES;
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
			show_ratio(l->ratios, l->row[i], s);
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
			if (is_dissolved(f, f->child[k]))
				copy_parent(l->f, f->child[k]);
			else
				l->row[l->n++] = f->child[k];
		if (fs_sort(l->row, l->n, sizeof(*l->row), compare_ratios, l->ratios))
			return -1;
		cut(l, f->share[p].low, f->share[p].high);
	}
	return 0;
}

static int flux_range_compute(struct fsi_fairshare *f)
{
	struct ratios_of_rows ratios;
	const struct sibling_order order = { compare_ratios, ratios_tie, &ratios };
	struct level l = { .f = f, .ratios = &ratios };
	int rc = -1;

	if (!flux_levels(f))
		return 0;
	l.row = malloc(((size_t)f->n + 1) * sizeof(*l.row));
	if (l.row && !make_ratios(&ratios, f) && !flux_walk(f, &order)) {
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
	.compute = flux_range_compute,
};
