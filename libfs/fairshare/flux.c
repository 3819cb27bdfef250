#include "base/num.h"
#include "fairshare/fairshare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- common to the Flux algorithms: levels of siblings, and the tree walk from the most to the least under-served
 * user */

/* Defines the order of rows on one level. The rows are siblings, or children of siblings that tie. */
struct sibling_order {
	/* Compares two row numbers: the more under-served row is first; equal rows are ordered by number. */
	fs_compare_fn compare;
	/* returns true if rows a and b tie; must be called only for rows that `compare` sorts next to each other */
	bool (*tied)(const void *ctx, uint32_t a, uint32_t b);
	const void *ctx;
};

/* Returns true if the row has shares of its own. Users with Slurm's `parent` shares have none and are ordered first. */
static bool has_own_shares(const struct fsi_fairshare *f, uint32_t row)
{
	return !fsi_has_parent_shares(&f->m->association.v[row]);
}

/* Returns true for an account with `parent` shares. Such an account is not a row of any level: its children belong to
 * the level of its parent's children. */
static bool is_transparent_account(const struct fsi_fairshare *f, uint32_t row)
{
	return !has_own_shares(f, row) && !f->m->association.v[row].user;
}

enum ratio_kind { RATIO_NO_SHARES, RATIO_FINITE, RATIO_UNUSED };

struct exact_ratios {
	const struct fsi_fairshare *f;
	struct fsi_exact_form form;
	/* exact usage of each row and all rows below it: a number of form.words digits of 32 bits. The number of row i
	 * begins at element i * form.words. */
	uint32_t *usage;
	/* indexed by row, form.words elements for each row: sum of the exact usage of the row's children */
	uint32_t *level_usage;
	uint64_t *level_shares;
	uint32_t *work; /* scratch memory for one comparison or division */
};

/* Exact ratio of a row in its level: (usage / level usage) / (shares / level shares). Shares are integers; usage is a
 * sum of doubles, which are fractions whose denominators are powers of two. */

enum { SHARE_WORDS = 1, LEVEL_SHARE_WORDS = 2 };

static uint32_t *get_row_usage(const struct exact_ratios *r, uint32_t row)
{
	return r->usage + (size_t)row * r->form.words;
}

static uint32_t *get_level_usage(const struct exact_ratios *r, uint32_t row)
{
	return r->level_usage + (size_t)r->f->share[row].fs_parent * r->form.words;
}

static uint64_t get_level_shares(const struct exact_ratios *r, uint32_t row)
{
	return r->level_shares[r->f->share[row].fs_parent];
}

static void sum_exact_usage(struct exact_ratios *r)
{
	const struct fsi_fairshare *f = r->f;

	for (uint32_t i = f->n; i-- > 0;) {
		const uint32_t parent = f->m->tree[i].parent;

		if (f->m->tree[i].uncounted)
			continue;
		fsi_exact_add_double(r->form, get_row_usage(r, i), f->own_usage[i]);
		if (parent != FSI_NO_INDEX)
			fsi_exact_add_words(r->form.words, get_row_usage(r, parent), get_row_usage(r, i));
	}
	for (uint32_t p = 0; p < f->n; p++)
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];

			if (is_transparent_account(f, row))
				continue;
			fsi_exact_add_words(r->form.words, get_level_usage(r, row), get_row_usage(r, row));
			if (has_own_shares(f, row))
				r->level_shares[p] += f->m->association.v[row].shares;
		}
}

static int prepare_exact_ratios(struct exact_ratios *r, const struct fsi_fairshare *f)
{
	struct fsi_exact_range range = { 0 };
	size_t words;

	for (uint32_t i = 0; i < f->n; i++)
		if (!f->m->tree[i].uncounted)
			fsi_exact_extend_range(&range, f->own_usage[i]);
	*r = (struct exact_ratios){ .f = f, .form = fsi_exact_choose_form(&range, f->n) };
	words = r->form.words;
	r->usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (words + 1), sizeof(*r->usage));
	r->level_usage = fsi_arena_array(f->arena, ((size_t)f->n + 1) * (words + 1), sizeof(*r->usage));
	r->level_shares = fsi_arena_array(f->arena, (size_t)f->n + 1, sizeof(*r->level_shares));
	r->work = fsi_arena_array(f->arena, 8 * (words + 4), sizeof(*r->work));
	if (!r->usage || !r->level_usage || !r->level_shares || !r->work)
		return -1;
	sum_exact_usage(r);
	return 0;
}

static enum ratio_kind get_ratio_kind(const struct exact_ratios *r, uint32_t row)
{
	if (!has_own_shares(r->f, row))
		return RATIO_UNUSED;
	if (!r->f->m->association.v[row].shares)
		return RATIO_NO_SHARES;
	return fsi_exact_is_zero(r->form.words, get_row_usage(r, row)) ? RATIO_UNUSED : RATIO_FINITE;
}

/* Sets `out` to v * by. `words` is the length of `v`, in 32-bit digits. `out` is LEVEL_SHARE_WORDS digits longer. */
static void multiply_by_shares(uint32_t *out, const uint32_t *v, uint32_t words, uint64_t by)
{
	const uint32_t factor[LEVEL_SHARE_WORDS] = { (uint32_t)by, (uint32_t)(by >> 32) };

	fsi_exact_multiply_words(out, v, words, factor, LEVEL_SHARE_WORDS);
}

/* Sets `out` to one side of the comparison of the ratios of a and b. Both sides are multiplied by all denominators. The
 * side of a is then (usage of a) * (level shares of a) * (level usage of b) * (shares of b). The length of `out` is 2 *
 * form.words + 3 digits of 32 bits. */
static void cross_multiply_ratio(const struct exact_ratios *r, uint32_t a, uint32_t b, uint32_t *out, uint32_t *work)
{
	const uint32_t words = r->form.words, shares = r->f->m->association.v[b].shares;
	uint32_t *product = work + words + LEVEL_SHARE_WORDS;

	multiply_by_shares(work, get_row_usage(r, a), words, get_level_shares(r, a));
	fsi_exact_multiply_words(product, work, words + LEVEL_SHARE_WORDS, get_level_usage(r, b), words);
	fsi_exact_multiply_words(out, product, 2 * words + LEVEL_SHARE_WORDS, &shares, SHARE_WORDS);
}

static int compare_in_level(const struct exact_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t words = r->form.words + LEVEL_SHARE_WORDS;
	uint32_t *left = r->work, *right = r->work + words;

	multiply_by_shares(left, get_row_usage(r, a), r->form.words, r->f->m->association.v[b].shares);
	multiply_by_shares(right, get_row_usage(r, b), r->form.words, r->f->m->association.v[a].shares);
	return fsi_exact_compare_words(words, left, right);
}

static int compare_across_levels(const struct exact_ratios *r, uint32_t a, uint32_t b)
{
	const uint32_t words = 2 * r->form.words + LEVEL_SHARE_WORDS + SHARE_WORDS;
	uint32_t *left = r->work, *right = left + words, *rest = right + words;

	cross_multiply_ratio(r, a, b, left, rest);
	cross_multiply_ratio(r, b, a, right, rest);
	return fsi_exact_compare_words(words, left, right);
}

/* Compares the ratios of a and b, each in the row's own level. Returns -1 if a is more under-served than b, 1 if a is
 * less under-served, 0 if the ratios are equal. */
static int compare_exact_ratios(const struct exact_ratios *r, uint32_t a, uint32_t b)
{
	const enum ratio_kind sa = get_ratio_kind(r, a), sb = get_ratio_kind(r, b);

	if (sa != sb)
		return sa > sb ? -1 : 1;
	if (sa != RATIO_FINITE)
		return 0;
	return r->f->share[a].fs_parent == r->f->share[b].fs_parent ? compare_in_level(r, a, b)
								    : compare_across_levels(r, a, b);
}

/* Sets the fraction that is the row's ratio: `numerator` to usage * level shares, and `denominator` to level usage *
 * shares. Returns the length of each array, form.words + 3 digits of 32 bits. */
static uint32_t make_ratio_fraction(const struct exact_ratios *r, uint32_t row, uint32_t *numerator,
				    uint32_t *denominator)
{
	const uint32_t words = r->form.words;

	multiply_by_shares(numerator, get_row_usage(r, row), words, get_level_shares(r, row));
	multiply_by_shares(denominator, get_level_usage(r, row), words, r->f->m->association.v[row].shares);
	numerator[words + LEVEL_SHARE_WORDS] = denominator[words + LEVEL_SHARE_WORDS] = 0;
	return words + LEVEL_SHARE_WORDS + 1;
}

static double get_ratio_value(const struct exact_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.words + 4;
	const uint32_t words = make_ratio_fraction(r, row, a, b);

	return fsi_exact_divide_words(words, a, b, b + words);
}

static double get_ratio_position(const struct exact_ratios *r, uint32_t row)
{
	uint32_t *a = r->work, *b = a + r->form.words + 4;
	const uint32_t words = make_ratio_fraction(r, row, a, b);

	fsi_exact_add_words(words, a, b);
	return fsi_exact_divide_words(words, b, a, b + words);
}

static double get_usage_fraction(const struct exact_ratios *r, uint32_t row)
{
	if (fsi_exact_is_zero(r->form.words, get_level_usage(r, row)))
		return 0;
	return fsi_exact_divide_words(r->form.words, get_row_usage(r, row), get_level_usage(r, row), r->work);
}

static void set_ratio_columns(const struct exact_ratios *r, uint32_t row, struct fsi_share *s)
{
	const enum ratio_kind kind = get_ratio_kind(r, row);

	s->usage_efctv = get_usage_fraction(r, row);
	s->level_fs = kind == RATIO_FINITE     ? 1 / get_ratio_value(r, row)
		      : kind == RATIO_UNUSED ? INFINITY
					       : 0;
}

static int compare_ratio_rows(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const int c = compare_exact_ratios(ctx, a, b);

	return c ? c : (a > b) - (a < b);
}

static bool are_ratios_equal(const void *ctx, uint32_t a, uint32_t b)
{
	return !compare_exact_ratios(ctx, a, b);
}

/* ---- the tree walk of flux-accounting (src/fairness/weighted_tree/weighted_walk.cpp), for any order of siblings */

/* A level of the tree that the tree walk has entered. The walk has not yet visited pool[pos] to pool[end - 1], the
 * remaining rows of the level. */
struct level_frame {
	uint32_t pos, end;
};

struct tree_walk {
	struct fsi_fairshare *f;
	const struct sibling_order *order;
	uint32_t *pool; /* rows of all levels that the walk has entered and not yet left, one level after the other */
	uint32_t *scratch;
	struct level_frame *stack, *top;
	uint32_t rank, ties;
};

static bool is_user_row(const struct tree_walk *w, uint32_t row)
{
	return w->f->m->association.v[row].user != 0;
}

/* Returns the index after the last row of the group of tied rows that begins at `start`. */
static uint32_t find_tie_end(const struct tree_walk *w, const uint32_t *row, uint32_t start, uint32_t n)
{
	uint32_t end = start + 1;

	while (end < n && w->order->tied(w->order->ctx, row[end - 1], row[end]))
		end++;
	return end;
}

/* Moves users before accounts in a group of tied rows. */
static void move_users_first(const struct tree_walk *w, uint32_t *row, uint32_t start, uint32_t end)
{
	uint32_t users = 0, accounts = 0;

	for (uint32_t i = start; i < end; i++)
		if (is_user_row(w, row[i]))
			row[start + users++] = row[i];
		else
			w->scratch[accounts++] = row[i];
	memcpy(row + start + users, w->scratch, accounts * sizeof(*row));
}

/* Appends the children of an account, except accounts with `parent` shares, to w->pool at index `end`. Returns the
 * index after the last child. */
static uint32_t collect_level_rows(const struct tree_walk *w, uint32_t parent, uint32_t end)
{
	for (uint32_t k = w->f->first[parent]; k < w->f->first[parent + 1]; k++)
		if (!is_transparent_account(w->f, w->f->child[k]))
			w->pool[end++] = w->f->child[k];
	return end;
}

static int sort_level_rows(const struct tree_walk *w, uint32_t start, uint32_t end)
{
	if (fs_sort(w->pool + start, end - start, sizeof(*w->pool), w->order->compare, w->order->ctx))
		return -1;
	for (uint32_t at = start, next; at < end; at = next) {
		next = find_tie_end(w, w->pool, at, end);
		move_users_first(w, w->pool, at, next);
	}
	return 0;
}

static bool is_tied_with_next(const struct tree_walk *w, const struct level_frame *level, uint32_t at)
{
	const uint32_t *row = w->pool + at;

	return at + 1 < level->end && is_user_row(w, row[0]) == is_user_row(w, row[1]) &&
	       w->order->tied(w->order->ctx, row[0], row[1]);
}

/* Sets the positions of a group of tied rows, in which users come first. All users get one position, and all accounts
 * get another position. */
static void set_tied_positions(const struct tree_walk *w, uint32_t start, uint32_t end, uint32_t first)
{
	const bool other_kind_ties = is_user_row(w, w->pool[start]) != is_user_row(w, w->pool[end - 1]);
	const struct level_frame run = { start, end };

	for (uint32_t at = start, next; at < end; at = next) {
		next = at + 1;
		while (is_tied_with_next(w, &run, next - 1))
			next++;
		for (uint32_t i = at; i < next; i++) {
			struct fsi_share *s = &w->f->share[w->pool[i]];

			s->sibling_position = at - first + 1;
			s->tied_peers = next - at - 1;
			s->other_kind_ties = other_kind_ties;
		}
	}
}

/* Appends the children of an account to w->pool at index *end and sorts them into a level. Sets their positions in this
 * level, and *end to the index after the last child. Returns -1 if out of memory. */
static int add_child_level(const struct tree_walk *w, uint32_t parent, uint32_t *end)
{
	const uint32_t start = *end;

	*end = collect_level_rows(w, parent, start);
	if (sort_level_rows(w, start, *end))
		return -1;
	for (uint32_t at = start, next; at < *end; at = next) {
		next = find_tie_end(w, w->pool, at, *end);
		set_tied_positions(w, at, next, start);
	}
	return 0;
}

static void rank_next_user(struct tree_walk *w, uint32_t row, bool tied)
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

/* Descends into the account at the top of the stack. The children of this account and of all accounts that tie with it
 * become one level. */
static int descend_tied_accounts(struct tree_walk *w)
{
	struct level_frame *level = w->top;
	const uint32_t start = level->end, first = level->pos;
	uint32_t end = start;
	bool more;

	do {
		more = is_tied_with_next(w, level, level->pos);
		if (add_child_level(w, w->pool[level->pos++], &end))
			return -1;
	} while (more);
	if (level->pos - first > 1 && sort_level_rows(w, start, end))
		return -1;
	*++w->top = (struct level_frame){ start, end };
	return 0;
}

static int walk_tree_levels(struct tree_walk *w)
{
	while (w->top >= w->stack) {
		struct level_frame *level = w->top;
		const uint32_t at = level->pos;

		if (at == level->end) {
			w->top--;
		} else if (is_user_row(w, w->pool[at])) {
			level->pos++;
			rank_next_user(w, w->pool[at], is_tied_with_next(w, level, at));
		} else if (descend_tied_accounts(w)) {
			return -1;
		}
	}
	return 0;
}

/* Ranks users by a depth-first walk through the levels. Siblings are in the order that `order` defines; if users and
 * accounts tie, the users come first. The children of tied accounts form one level. Tied users share the best of their
 * ranks. Fills rank and factor (rank / users) of every counted user, and sibling_position, tied_peers and
 * other_kind_ties of all rows. Returns -1 if out of memory. */
static int rank_by_walk(struct fsi_fairshare *f, const struct sibling_order *order)
{
	const size_t n = (size_t)f->n + 2;
	struct tree_walk w = { .f = f, .order = order, .rank = f->users };
	int rc = -1;

	w.pool = malloc(2 * n * sizeof(*w.pool));
	w.stack = malloc(n * sizeof(*w.stack));
	if (w.pool && w.stack) {
		w.scratch = w.pool + n;
		w.top = w.stack;
		*w.top = (struct level_frame){ 0, 0 };
		rc = add_child_level(&w, 0, &w.top->end);
		if (!rc)
			rc = walk_tree_levels(&w);
	}
	free(w.pool);
	free(w.stack);
	return rc;
}

static long double sum_bank_usage(const struct fsi_fairshare *f, uint32_t bank)
{
	double sum = f->own_usage[bank];

	for (uint32_t c = bank + 1; c < f->m->tree[bank].end; c = f->m->tree[c].end)
		if (!f->m->tree[c].uncounted)
			sum += (double)f->share[c].usage_raw;
	return sum;
}

static uint64_t sum_child_shares(const struct fsi_fairshare *f, uint32_t parent)
{
	uint64_t sum = 0;

	for (uint32_t k = f->first[parent]; k < f->first[parent + 1]; k++)
		if (has_own_shares(f, f->child[k]))
			sum += f->m->association.v[f->child[k]].shares;
	return sum;
}

/* Fills usage_raw, shares_norm and usage_norm of every counted row, in doubles. The usage of a bank is its own usage
 * plus the usage of its children, added in tree order. Returns false if shares or usage of a row are unknown. */
static bool fill_flux_levels(struct fsi_fairshare *f)
{
	bool known = f->m->tree[0].end == f->n; /* the tree has one root */

	for (uint32_t i = f->n; i-- > 0;) {
		const bool competes = has_own_shares(f, i);

		f->share[i].factor = f->share[i].printed_factor = NAN;
		f->share[i].level_fs = f->share[i].usage_efctv = NAN;
		f->share[i].low = f->share[i].high = f->share[i].position = NAN;
		if (f->m->tree[i].uncounted)
			continue;
		known = known && !isnan(f->share[i].usage_raw) && (!i || !competes || f->share[i].level_known);
		if (!f->m->association.v[i].user)
			f->share[i].usage_raw = sum_bank_usage(f, i);
	}
	for (uint32_t p = 0; p < f->n; p++) {
		const uint64_t sum = sum_child_shares(f, p);

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const uint32_t row = f->child[k];
			const double shares = f->m->association.v[row].shares;

			f->share[row].shares_norm = !has_own_shares(f, row) ? (double)NAN
						    : sum ? shares / (double)sum : 0;
		}
	}
	f->share[0].shares_norm = 1;
	fsi_shares_set_usage_norm(f);
	return known;
}

/* ---- flux: flux-accounting's fair share (src/fairness, version 0.60): users ranked by a walk through the tree of
 * banks
 *
 *   S, T    sum of the shares, and sum of the usage, of all children of one bank (sub-banks and users)
 *   weight  0 without shares; else 2^64 without usage; else (shares / S) / (usage / T)
 *           (weighted_tree/weighted_tree.cpp)
 *   order   by descending weight, users before banks if equal; the children of banks of equal weight are
 *           merged and ordered by their weights in their own bank
 *   factor  rank / users; the best rank is the number of users; tied users share the best rank among them
 *           (weighted_tree/weighted_walk.cpp)
 *
 * The algorithm reproduces the rounding errors of flux-accounting: T is summed in an unsigned integer, and weights are
 * equal if they differ by less than an epsilon. The algorithm flux_exact has exact sums and compares exact fractions.
 * Only users have a factor. */

static const double unused_weight = 18446744073709551616.0; /* UINT64_MAX converted to double */

/* Adds a sibling's usage to the sum for its level and truncates the sum to an integer, as flux-accounting does. */
static double add_and_truncate(double sum, double usage)
{
	return trunc(sum + usage);
}

/* Returns true if a and b differ by less than DBL_EPSILON times the largest of |a|, |b| and 1. This relation is not
 * transitive. */
static bool are_nearly_equal(double a, double b)
{
	return fabs(a - b) < DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), 1);
}

static double compute_row_weight(const struct fsi_fairshare *f, uint32_t row, double level_usage)
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

static void set_row_weights(struct fsi_fairshare *f)
{
	for (uint32_t p = 0; p < f->n; p++) {
		/* usage_efctv is computed with exact_sum: usage divided by the truncated sum could exceed 1 */
		double sum = 0, exact_sum = 0;

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (!is_transparent_account(f, f->child[k])) {
				sum = add_and_truncate(sum, (double)f->share[f->child[k]].usage_raw);
				exact_sum += (double)f->share[f->child[k]].usage_raw;
			}
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			struct fsi_share *s = &f->share[f->child[k]];

			s->level_fs = compute_row_weight(f, f->child[k], sum);
			s->usage_efctv = s->usage_raw == 0 ? 0 : (double)s->usage_raw / exact_sum;
		}
	}
}

static int compare_row_weights(const void *x, const void *y, const void *ctx)
{
	const struct fsi_fairshare *f = ctx;
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const long double wa = f->share[a].level_fs, wb = f->share[b].level_fs;

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return (a > b) - (a < b);
}

static bool are_weights_tied(const void *ctx, uint32_t a, uint32_t b)
{
	const struct fsi_fairshare *f = ctx;

	return are_nearly_equal((double)f->share[a].level_fs, (double)f->share[b].level_fs);
}

static void copy_printed_factors(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].printed_factor = f->share[i].factor;
}

static int compute_flux_shares(struct fsi_fairshare *f)
{
	const struct sibling_order order = { compare_row_weights, are_weights_tied, f };
	const bool known = fill_flux_levels(f);

	if (!known)
		return 0;
	set_row_weights(f);
	if (rank_by_walk(f, &order))
		return -1;
	copy_printed_factors(f);
	return 0;
}

static int compute_exact_shares(struct fsi_fairshare *f)
{
	struct exact_ratios ratios;
	const struct sibling_order order = { compare_ratio_rows, are_ratios_equal, &ratios };

	if (!fill_flux_levels(f))
		return 0;
	if (prepare_exact_ratios(&ratios, f) || rank_by_walk(f, &order))
		return -1;
	for (uint32_t i = 1; i < f->n; i++)
		if (!f->m->tree[i].uncounted && !is_transparent_account(f, i))
			set_ratio_columns(&ratios, i, &f->share[i]);
	copy_printed_factors(f);
	return 0;
}

const struct fsi_algorithm fsi_flux = {
	.name = "flux",
	.summary = "flux-accounting: users ranked through the tree of banks",
	.has_levels = true,
	.has_sibling_positions = true,
	.needs_all = true,
	.compute = compute_flux_shares,
};

const struct fsi_algorithm fsi_algorithm_flux_exact = {
	.name = "flux_exact",
	.summary = "flux, but with exact sums and exact ties",
	.has_levels = true,
	.has_sibling_positions = true,
	.needs_all = true,
	.compute = compute_exact_shares,
};

/* ---- flux_range: Don Lipari's design for Flux (2017; flux-sched pull requests 275 and 290)
 *
 * Every bank and user has a factor. Each bank has a range of factors between 0 and 1 that ends at the bank's own
 * factor. The factors of its descendants are within this range.
 *
 *   weight    (shares / shares of the siblings) / (usage / usage of the siblings)
 *   position  place in the parent's range [low, high]: 0 without shares, 1 without usage, else one of the formulas
 *             pow2   2^(-1 / weight), as in Slurm's classic factor (default)
 *             ratio  weight / (1 + weight)
 *             rank   g / m for the g-th lowest of m groups of siblings of equal weight
 *   factor    low + position * (high - low)
 *   range     from the factor of the group of siblings with the next lower weight to the row's own factor; the range
 *             of the lowest group begins at the parent's low
 *
 * Order and ties are computed with exact fractions, because heavy users may have equal positions in double. Users have
 * the same ranks as with flux_exact. */

struct slice_level {
	struct fsi_fairshare *f;
	const struct exact_ratios *ratios;
	uint32_t *row, n; /* `row`: rows of the level, most under-served row first; `n`: number of rows */
	uint32_t groups;  /* number of groups of rows with equal ratios; rows without shares do not count */
};

static double get_slice_position(const struct slice_level *l, uint32_t row, uint32_t group)
{
	switch (get_ratio_kind(l->ratios, row)) {
	case RATIO_NO_SHARES:
		return 0;
	case RATIO_UNUSED:
		return 1;
	default:
		break;
	}
	switch (l->f->position) {
	case FS_POSITION_RATIO:
		return get_ratio_position(l->ratios, row);
	case FS_POSITION_RANK:
		return (double)group / (double)l->groups;
	default:
		return pow(2.0, -get_ratio_value(l->ratios, row));
	}
}

/* Returns the factor at `position` (0 to 1) of the range [low, high]. Limits the factor to [floor, high], because
 * rounding errors may move it out of this range. `floor`: factor of the group with the next lower weight. */
static double compute_slice_factor(double low, double high, double floor, double position)
{
	const double at = position == 1   ? high
			  : position == 0 ? low
					  : low + position * (high - low);

	return fmin(fmax(at, floor), high);
}

/* Rows with equal ratios form a group. Returns the index of the first row of the group whose last row has the index
 * end - 1. */
static uint32_t find_group_start(const struct slice_level *l, uint32_t end)
{
	uint32_t start = end - 1;

	while (start && are_ratios_equal(l->ratios, l->row[start - 1], l->row[end - 1]))
		start--;
	return start;
}

static void count_share_groups(struct slice_level *l)
{
	l->groups = 0;
	for (uint32_t end = l->n; end; end = find_group_start(l, end))
		l->groups += get_ratio_kind(l->ratios, l->row[end - 1]) != RATIO_NO_SHARES;
}

/* Divides the range [low, high] of fair-share factors among the groups of siblings with equal ratio of usage to shares.
 * The group with the greatest ratio gets the lowest part of the range. */
static void cut_level_slice(struct slice_level *l, double low, double high)
{
	double floor = low;
	uint32_t group = 0;

	count_share_groups(l);
	for (uint32_t end = l->n, start; end; end = start) {
		const uint32_t any = l->row[end - 1];

		start = find_group_start(l, end);
		group += get_ratio_kind(l->ratios, any) != RATIO_NO_SHARES;
		const double position = get_slice_position(l, any, group);
		const double factor = compute_slice_factor(low, high, floor, position);

		for (uint32_t i = start; i < end; i++) {
			struct fsi_share *s = &l->f->share[l->row[i]];

			s->position = position;
			s->factor = s->high = factor;
			s->low = floor;
			s->tied = end - start;
			s->group = group;
			s->groups = l->groups;
			set_ratio_columns(l->ratios, l->row[i], s);
		}
		floor = factor;
	}
}

/* Gives an account with `parent` shares the factor, the range of factors and the effective usage of its parent. */
static void copy_parent_slice(struct fsi_fairshare *f, uint32_t row)
{
	const struct fsi_share *p = &f->share[f->share[row].fs_parent];
	struct fsi_share *s = &f->share[row];

	s->factor = p->factor;
	s->low = p->low;
	s->high = p->high;
	s->position = 1;
	s->usage_efctv = p->usage_efctv;
}

static int cut_all_slices(struct slice_level *l)
{
	const struct fsi_fairshare *f = l->f;

	for (uint32_t p = 0; p < f->n; p++) {
		l->n = 0;
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++)
			if (is_transparent_account(f, f->child[k]))
				copy_parent_slice(l->f, f->child[k]);
			else
				l->row[l->n++] = f->child[k];
		if (fs_sort(l->row, l->n, sizeof(*l->row), compare_ratio_rows, l->ratios))
			return -1;
		cut_level_slice(l, f->share[p].low, f->share[p].high);
	}
	return 0;
}

static int compute_range_shares(struct fsi_fairshare *f)
{
	struct exact_ratios ratios;
	const struct sibling_order order = { compare_ratio_rows, are_ratios_equal, &ratios };
	struct slice_level l = { .f = f, .ratios = &ratios };
	int rc = -1;

	if (!fill_flux_levels(f))
		return 0;
	l.row = malloc(((size_t)f->n + 1) * sizeof(*l.row));
	if (l.row && !prepare_exact_ratios(&ratios, f) && !rank_by_walk(f, &order)) {
		f->share[0].low = 0;
		f->share[0].high = f->share[0].factor = f->share[0].position = 1;
		f->share[0].tied = 1;
		rc = cut_all_slices(&l);
	}
	for (uint32_t i = 0; i < f->n; i++)
		f->share[i].printed_factor = f->share[i].factor;
	free(l.row);
	return rc;
}

const struct fsi_algorithm fsi_algorithm_flux_range = {
	.name = "flux_range",
	.summary = "design of 2017: each bank's members get factors inside the bank's own range",
	.has_levels = true,
	.has_sibling_positions = true,
	.has_ranges = true,
	.needs_all = true,
	.compute = compute_range_shares,
};
