#include "fairshare/narrow.h"

#include "model/find.h"
#include "model/jobs.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classic fair share as bounds on usage
 *
 * The effective usage E of a row is a weighted mean of the NormUsage of the row and its ancestors:
 *
 *   E = sum of w(k) n(k), n(k) = (t(k) - own(k)) / (t(root) - root(k))
 *
 * The sum is over the rows k on the path from the row up to the child of the root. n(k) is the NormUsage of row k. The
 * weights w(k) are computed from shares (find_usage_path). t(k) is the usage of row k and all rows below it. own(k) and
 * root(k) are the members of the row's struct fsi_uncharged.
 *
 * The printed FairShare is 2^(-E / S / d) with the normalized shares S and the dampening factor d. If S is small, more
 * digits of E can be computed from FairShare than from EffectvUsage. */

/* Maximum rounding error of a value that is printed with six decimals, or with seven decimals (sprio): slightly less
 * than half a unit of the last digit. */
static const double half_sixth_digit = 0.4998e-6, half_seventh_digit = 0.4998e-7;

/* Sets total[i] to the usage of row i and all rows below it: the sum of their own usage, own[]. */
static void sum_subtree_usage(const struct fsi_usage_bounds *w, const double *own, double *total)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		total[i] = own[i];
	for (uint32_t i = w->f->n; i-- > 1;)
		if (!w->m->tree[i].uncounted)
			total[w->m->tree[i].parent] += total[i];
}

/* Adds `by` to the usage estimate w->x[j]. Limits the result to the bounds w->lo[j] and w->hi[j]. */
static void shift_within_bounds(struct fsi_usage_bounds *w, uint32_t j, double by)
{
	w->x[j] = fmin(fmax(w->x[j] + by, w->lo[j]), w->hi[j]);
}

static void narrow_effective_bounds(struct fsi_usage_bounds *w, uint32_t i, double lo, double hi)
{
	const bool first = isnan(w->effective_lo[i]);

	if (!first && (lo > w->effective_hi[i] || hi < w->effective_lo[i]))
		return;
	w->effective_lo[i] = first ? lo : fmax(lo, w->effective_lo[i]);
	w->effective_hi[i] = first ? hi : fmin(hi, w->effective_hi[i]);
}

static void narrow_by_printed_factor(struct fsi_usage_bounds *w, uint32_t i, double factor, double half)
{
	const double scale = w->f->share[i].shares_norm * w->f->dampening;

	if (factor - half > 0 && factor <= 1 && scale > 0 && !fsi_has_parent_shares(&w->m->association.v[i]))
		narrow_effective_bounds(w, i, fmax(0, -log2(factor + half)) * scale, -log2(factor - half) * scale);
}

/* Returns the association whose fair-share factor applies to jobs of association i. If i has `parent` shares, this is
 * the first ancestor with shares of its own (priority_multifactor.c:_get_fairshare_priority). If the result is the
 * root, returns FSI_NO_INDEX. */
static uint32_t find_factor_row(const struct fsi_usage_bounds *w, uint32_t i)
{
	const uint32_t of = fsi_has_parent_shares(&w->m->association.v[i]) ? w->f->share[i].fs_parent : i;

	return w->f->share[of].fs_parent == FSI_NO_INDEX ? FSI_NO_INDEX : of;
}

static void narrow_by_job_factor(struct fsi_usage_bounds *w, const struct fsi_recorded *r)
{
	const uint32_t job = FSI_HAS(r, RECORDED, job) ? fsi_job_find_row(w->m, r->job) : FSI_NO_INDEX;
	const uint32_t i = job == FSI_NO_INDEX ? job : fsi_job_find_assoc(w->m, &w->m->job.v[job]);
	uint32_t of;

	if (i == FSI_NO_INDEX || w->f->share[i].fs_parent == FSI_NO_INDEX ||
	    w->m->job.v[job].state != FSI_STATE_PENDING || !FSI_HAS(r, RECORDED, norm_fairshare))
		return;
	of = find_factor_row(w, i);
	if (of != FSI_NO_INDEX && !isnan(w->effective_lo[of]))
		narrow_by_printed_factor(w, of, r->norm_fairshare, half_seventh_digit);
}

/* Classic algorithm: sets w->effective_lo and w->effective_hi, the bounds of effective usage, from printed values. */
static void set_classic_bounds(struct fsi_usage_bounds *w)
{
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_recorded *r = w->recorded_row[i];

		w->effective_lo[i] = w->effective_hi[i] = NAN;
		if (!r || w->f->share[i].fs_parent == FSI_NO_INDEX)
			continue;
		if (FSI_HAS(r, RECORDED, effective_usage))
			narrow_effective_bounds(w, i, r->effective_usage - half_sixth_digit,
						r->effective_usage + half_sixth_digit);
		if (FSI_HAS(r, RECORDED, factor))
			narrow_by_printed_factor(w, i, r->factor, half_sixth_digit);
	}
	for (size_t k = 0; k < w->m->recorded.n; k++)
		narrow_by_job_factor(w, &w->m->recorded.v[k]);
}

/* Maximum number of rows on the path from a row up to the root. */
enum { PATH_STEPS_MAX = 64 };

struct usage_path {
	uint32_t row[PATH_STEPS_MAX];
	/* weight[k]: change of the effective usage of the path's first row if the usage of row[k] grows by 1. The top
	 * of this file has the formula. */
	double weight[PATH_STEPS_MAX];
	size_t n;
	/* `value`: effective usage of the row from which the path leads up to the root; `root`: decrease of `value` if
	 * the root's usage grows by 1 */
	double value, root;
};

static void add_path_step(const struct fsi_usage_bounds *w, struct usage_path *y, uint32_t k, double weight)
{
	const double all = w->total[0] - (double)w->uncharged[k].root;
	const double share = all > 0 ? (w->total[k] - (double)w->uncharged[k].own) / all : 0;

	if (!(all > 0))
		return;
	y->row[y->n] = k;
	y->weight[y->n++] = weight / all;
	y->value += weight * share;
	y->root += weight * share / all;
}

static bool find_usage_path(const struct fsi_usage_bounds *w, uint32_t i, struct usage_path *y)
{
	double weight = 1;

	*y = (struct usage_path){ .n = 0 };
	for (uint32_t k = i; y->n < PATH_STEPS_MAX; k = w->f->share[k].fs_parent) {
		const struct fsi_association *a = &w->m->association.v[k];
		const struct fsi_share *s = &w->f->share[k];
		double up = 1;

		if (w->f->share[s->fs_parent].fs_parent == FSI_NO_INDEX) {
			add_path_step(w, y, k, weight);
			return y->n > 0;
		}
		if (!fsi_has_parent_shares(a) && s->level_shares) {
			up = a->shares / (double)s->level_shares;
			add_path_step(w, y, k, weight * (1 - up));
		}
		weight *= up;
	}
	return false;
}

static double get_path_slope(const struct fsi_usage_bounds *w, const struct usage_path *y, uint32_t j)
{
	double sum = -y->root;

	for (size_t s = 0; s < y->n; s++)
		if (j >= y->row[s] && j < w->m->tree[y->row[s]].end)
			sum += y->weight[s];
	return sum;
}

/* Changes the usage estimates w->x as little as possible to bring the effective usage of row i within its bounds.
 * Returns true if it changes nothing, because no change is needed or possible. */
static bool enforce_effective_usage(struct fsi_usage_bounds *w, uint32_t i)
{
	const double lo = w->effective_lo[i], hi = w->effective_hi[i];
	double by, norm = 0;
	struct usage_path y;

	if (isnan(lo) || !find_usage_path(w, i, &y) || (y.value >= lo && y.value <= hi))
		return true;
	w->work -= w->work < 2 * (uint64_t)w->f->n ? w->work : 2 * (uint64_t)w->f->n;
	by = y.value < lo ? lo + 1e-4 * (hi - lo) - y.value : hi - 1e-4 * (hi - lo) - y.value;
	for (uint32_t j = 0; j < w->f->n; j++)
		if (fsi_can_usage_move(w, j))
			norm += get_path_slope(w, &y, j) * get_path_slope(w, &y, j);
	if (!(norm > 0))
		return true;
	for (uint32_t j = 0; j < w->f->n; j++)
		if (fsi_can_usage_move(w, j))
			shift_within_bounds(w, j, by * get_path_slope(w, &y, j) / norm);
	sum_subtree_usage(w, w->x, w->total);
	return false;
}

/* ---- printed decimals as bounds on usage
 *
 * Kaczmarz' method for inequalities projects the usage estimates w->x onto one bound after the other until all bounds
 * are satisfied. The bounds are computed from printed values:
 *
 *   RawUsage R                         t in [R, R + 1)
 *   NormUsage P                        t / t(root) in [P - h, P + h]
 *   EffectvUsage E (Fair Tree)         t / t(parent) in [E - h, E + h]
 *   LevelFS L (Fair Tree)              t / t(parent) in [S / (L + h), S / (L - h)]
 *   EffectvUsage, FairShare (classic)  see set_classic_bounds
 *
 * t is the usage of a row and all rows below it; in ratios, without uncharged usage (struct fsi_uncharged). `parent` is
 * the first ancestor with shares of its own. S is the row's normalized shares. h is half a unit of the last digit. */

enum { SWEEPS_MAX = 30000 };

/* Slightly less than half a unit of the sixth decimal. A value that differs from a number with six decimals by less
 * than this constant is printed as that number. */
static const double half_printed_digit = 0.4998e-6;

struct value_range {
	double lo, hi;
};

static bool is_in_subtree(const struct fsi_usage_bounds *w, uint32_t j, uint32_t i)
{
	return j >= i && j < w->m->tree[i].end;
}

/* Recomputes w->total of row i, of all rows below it and of its ancestors. Call it after w->x of row i or of rows below
 * it has changed. */
static void update_subtree_totals(struct fsi_usage_bounds *w, uint32_t i)
{
	const uint32_t end = w->m->tree[i].end;
	const double before = w->total[i];

	for (uint32_t j = i; j < end; j++)
		w->total[j] = w->x[j];
	for (uint32_t j = end; j-- > i + 1;)
		if (!w->m->tree[j].uncounted)
			w->total[w->m->tree[j].parent] += w->total[j];
	for (uint32_t p = w->m->tree[i].parent; p != FSI_NO_INDEX; p = w->m->tree[p].parent)
		w->total[p] += w->total[i] - before;
}

/* t(i) is the usage of row i and all rows below it. Increases t(i) - ratio * t(q) by the amount `by`, or by less if the
 * bounds of w->x do not allow this amount. Changes the usage estimates w->x as little as possible. If q is
 * FSI_NO_INDEX, increases t(i) alone. */
static void shift_total_or_ratio(struct fsi_usage_bounds *w, uint32_t i, uint32_t q, double ratio, double by)
{
	const uint32_t from = q == FSI_NO_INDEX ? i : q, end = w->m->tree[from].end;
	const double within = q == FSI_NO_INDEX ? 1 : 1 - ratio;
	double norm = 0;

	w->work -= w->work < 2 * (uint64_t)(end - from) ? w->work : 2 * (uint64_t)(end - from);
	for (uint32_t j = from; j < end; j++)
		if (fsi_can_usage_move(w, j))
			norm += is_in_subtree(w, j, i) ? within * within : ratio * ratio;
	if (!(norm > 0))
		return;
	for (uint32_t j = from; j < end; j++)
		if (fsi_can_usage_move(w, j))
			shift_within_bounds(w, j, by * (is_in_subtree(w, j, i) ? within : -ratio) / norm);
	update_subtree_totals(w, from);
}

/* Returns the lowest and the highest possible usage of row i and all rows below it: sums of w->lo and of w->hi. */
static struct value_range get_total_bounds(const struct fsi_usage_bounds *w, uint32_t i)
{
	return (struct value_range){ w->total_lo[i], w->total_hi[i] };
}

static bool enforce_total_range(struct fsi_usage_bounds *w, uint32_t i, struct value_range s)
{
	const double t = w->total[i], want = t < s.lo ? s.lo : s.hi;

	if (t >= s.lo && t <= s.hi)
		return true;
	shift_total_or_ratio(w, i, FSI_NO_INDEX, 0, want - t);
	return false;
}

/* Usage that a printed ratio of the usage of two rows does not include, because the usage was charged later. `t`: this
 * usage of the row in the numerator; `of`: this usage of the row in the denominator. */
struct uncharged_pair {
	double t, of;
};

static bool enforce_ratio_range(struct fsi_usage_bounds *w, uint32_t i, uint32_t q, struct uncharged_pair g,
				struct value_range s)
{
	const double inside = 1e-4 * (s.hi - s.lo);
	const double t = w->total[i] - g.t, of = w->total[q] - g.of;
	const double ratio = t < s.lo * of ? s.lo + inside : s.hi - inside;

	if (!(of > 0) || (t >= s.lo * of && t <= s.hi * of))
		return true;
	shift_total_or_ratio(w, i, q, ratio, ratio * of - t);
	return false;
}

/* Returns true if the usage bounds of all rows allow the ratio (usage of row i) / (usage of row q) to be in the range
 * s. If the bounds exclude this range, usage has changed since the scheduler computed the printed ratio. */
static bool is_ratio_possible(const struct fsi_usage_bounds *w, uint32_t i, uint32_t q, struct uncharged_pair g,
			      struct value_range s)
{
	const struct value_range a = get_total_bounds(w, i), b = get_total_bounds(w, q);

	return a.hi - g.t >= s.lo * (b.lo - g.of) && a.lo - g.t <= s.hi * (b.hi - g.of);
}

static bool enforce_possible_ratio(struct fsi_usage_bounds *w, uint32_t i, uint32_t q, struct uncharged_pair g,
				   struct value_range s)
{
	return !is_ratio_possible(w, i, q, g, s) || enforce_ratio_range(w, i, q, g, s);
}

static bool enforce_level_ratios(struct fsi_usage_bounds *w, uint32_t i, uint32_t p)
{
	const struct fsi_recorded *r = w->recorded_row[i];
	const struct fsi_share *s = &w->f->share[i];
	const struct uncharged_pair g = { (double)w->uncharged[i].own, (double)w->uncharged[p].own };
	bool satisfied = true;

	if (FSI_HAS(r, RECORDED, effective_usage))
		satisfied &= enforce_possible_ratio(w, i, p, g,
						    (struct value_range){ r->effective_usage - half_printed_digit,
									  r->effective_usage + half_printed_digit });
	if (FSI_HAS(r, RECORDED, level_fs) && r->level_fs > half_printed_digit && s->shares_norm > 0)
		satisfied &= enforce_possible_ratio(
			w, i, p, g,
			(struct value_range){ s->shares_norm / (r->level_fs + half_printed_digit),
					      s->shares_norm / (r->level_fs - half_printed_digit) });
	return satisfied;
}

static bool enforce_row_values(struct fsi_usage_bounds *w, uint32_t i)
{
	const double tiny = 1e-6;
	const struct fsi_recorded *r = w->recorded_row[i];
	const uint32_t p = w->f->share[i].fs_parent;
	bool satisfied = true;

	if (!r || w->m->tree[i].uncounted)
		return true;
	if (FSI_HAS(r, RECORDED, raw_usage)) {
		const struct value_range whole = { (double)r->raw_usage + tiny, (double)r->raw_usage + 1 - tiny };
		const struct value_range can = get_total_bounds(w, i);

		if (can.hi >= whole.lo && can.lo <= whole.hi)
			satisfied = enforce_total_range(w, i, whole);
	}
	if (p == FSI_NO_INDEX)
		return satisfied;
	if (FSI_HAS(r, RECORDED, norm_usage))
		satisfied &= enforce_possible_ratio(
			w, i, 0, (struct uncharged_pair){ (double)w->uncharged[i].own, (double)w->uncharged[i].root },
			(struct value_range){ r->norm_usage - half_printed_digit, r->norm_usage + half_printed_digit });
	if (w->has_level_ratios)
		satisfied &= enforce_level_ratios(w, i, p);
	else
		satisfied &= enforce_effective_usage(w, i);
	return satisfied;
}

/* Gives the rows of each group (w->group) equal usage per share. Changes their usage estimates w->x as little as
 * possible (least squares). */
static void equalize_tied_groups(struct fsi_usage_bounds *w)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		w->mean[i] = w->weight[i] = 0;
	for (uint32_t i = 0; i < w->f->n; i++) {
		const double shares = w->m->association.v[i].shares;

		if (w->group[i] == FSI_NO_INDEX)
			continue;
		w->mean[w->group[i]] += w->x[i] * shares;
		w->weight[w->group[i]] += shares * shares;
	}
	for (uint32_t i = 0; i < w->f->n; i++)
		if (w->group[i] != FSI_NO_INDEX)
			w->x[i] = w->mean[w->group[i]] / w->weight[w->group[i]] *
				  w->m->association.v[i].shares;
	sum_subtree_usage(w, w->x, w->total);
}

/* Changes the usage estimates w->x within their bounds w->lo and w->hi until every printed number is reproduced. Stops
 * after SWEEPS_MAX sweeps, or if w->work is 0. If the bounds do not allow a printed number, ignores this number,
 * because usage has changed since the scheduler computed the number. */
static void fit_printed_decimals(struct fsi_usage_bounds *w)
{
	bool satisfied = false;

	sum_subtree_usage(w, w->lo, w->total_lo);
	sum_subtree_usage(w, w->hi, w->total_hi);
	sum_subtree_usage(w, w->x, w->total);
	for (int k = 0; k < SWEEPS_MAX && !satisfied && w->work; k++) {
		satisfied = true;
		for (uint32_t i = 0; i < w->f->n && w->work; i++)
			satisfied &= enforce_row_values(w, i);
		equalize_tied_groups(w);
	}
}

/* ---- usage from NormUsage with all its digits
 *
 * NormUsage is a row's usage divided by the root's usage t(root), both without uncharged usage. If all digits of
 * NormUsage are printed, t(root) determines the usage of all rows. Dividing the usage bounds of a row by its NormUsage
 * gives bounds of t(root). fit_exact_shares chooses a t(root) that is within the bounds of most rows. */

struct bound_edge {
	double at;
	int step;
};

static int compare_bound_edges(const void *x, const void *y)
{
	const struct bound_edge *a = x, *b = y;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return b->step - a->step;
}

static size_t add_bound_edges(struct bound_edge *edge, double lo, double hi)
{
	edge[0] = (struct bound_edge){ lo, 1 };
	edge[1] = (struct bound_edge){ hi, -1 };
	return 2;
}

static double get_norm_usage(const struct fsi_usage_bounds *w, uint32_t i)
{
	const struct fsi_recorded *r = w->recorded_row[i];

	if (!r || w->m->tree[i].uncounted || !FSI_HAS(r, RECORDED, norm_usage))
		return 0;
	return r->norm_usage;
}

static size_t add_row_bounds(const struct fsi_usage_bounds *w, uint32_t i, struct bound_edge *edge)
{
	const struct fsi_recorded *r = w->recorded_row[i];
	const double share = i ? get_norm_usage(w, i) : 1;
	const double own = i ? (double)w->uncharged[i].own : 0, root = i ? (double)w->uncharged[i].root : 0;
	size_t n = 0;

	if (!(share > 0))
		return 0;
	if (w->m->association.v[i].user)
		n += add_bound_edges(edge + n, root + (w->lo[i] - own) / share, root + (w->hi[i] - own) / share);
	if (r && FSI_HAS(r, RECORDED, raw_usage))
		n += add_bound_edges(edge + n, root + ((double)r->raw_usage - own) / share,
				     root + ((double)r->raw_usage + 1 - own) / share);
	return n;
}

/* Returns the root's usage t(root) on which the largest number of intervals agree: the middle of the range that they
 * have in common. `edge` has the lower and the upper end of each interval, n ends in total. Returns NAN if no value is
 * in more than half of the intervals. */
static double find_agreed_total(struct bound_edge *edge, size_t n)
{
	double best = NAN;
	size_t hold = 0, max = 0;

	if (n)
		qsort(edge, n, sizeof(*edge), compare_bound_edges);
	for (size_t k = 0; k + 1 < n; k++) {
		hold = edge[k].step > 0 ? hold + 1 : hold - 1;
		if (hold > max) {
			max = hold;
			best = edge[k].at + (edge[k + 1].at - edge[k].at) / 2;
		}
	}
	return 2 * max > n / 2 ? best : (double)NAN;
}

/* Called if NormUsage is printed with all its digits. Sets the usage estimate w->x of each user:
 *
 *   estimate = NormUsage * (usage of the root - uncharged usage of the root) + uncharged usage of the user
 *
 * Chooses a usage of the root that is within the bounds of most rows. Does not change an estimate if the new value is
 * outside its bounds. Returns -1 if out of memory. */
static int fit_exact_shares(struct fsi_usage_bounds *w)
{
	const double rounding = 1e-12;
	struct bound_edge *edge = malloc((4 * (size_t)w->f->n + 1) * sizeof(*edge));
	double total;
	size_t n = 0;

	if (!edge)
		return -1;
	for (uint32_t i = 0; i < w->f->n; i++)
		n += add_row_bounds(w, i, edge + n);
	total = find_agreed_total(edge, n);
	free(edge);
	for (uint32_t i = 0; i < w->f->n && total > 0; i++) {
		const double x =
			(double)w->uncharged[i].own + get_norm_usage(w, i) * (total - (double)w->uncharged[i].root);

		if (w->m->association.v[i].user && get_norm_usage(w, i) > 0 && x >= w->lo[i] * (1 - rounding) &&
		    x <= w->hi[i] * (1 + rounding))
			w->x[i] = x;
	}
	return 0;
}

/* ---- refining usage: inferring more digits of the captured usage from other printed values */

/* Maximum number of steps for refining usage. A tree of a thousand users needs fewer. Larger trees seldom need
 * refining, because the large usage values of production clusters have enough digits. */
static const uint64_t work_limit = 100000000;

/* Sets *below and *above: exact usage is at least captured usage - *below, and at most captured usage + *above. The
 * values depend on the command that printed the usage. Returns false if they are unknown for this command. */
static bool get_capture_error(const fs_snapshot *m, double *below, double *above)
{
	const char *source = m->info.usage_source;

	*below = *above = 0;
	if (!strcmp(source, "assoc_mgr"))
		*below = *above = 0.005;
	else if (!strcmp(source, "exact"))
		*below = *above = 0.5e-6;
	else if (!strcmp(source, "sshare"))
		*above = 1;
	return *above > 0;
}

/* Returns true if two users may have equal usage per share. Equal printed factors do not prove equal usage per share:
 * before the first calculation, all factors are equal. */
static bool may_users_tie(const struct fsi_usage_bounds *w, uint32_t i, uint32_t k)
{
	const double a = w->m->association.v[i].shares, b = w->m->association.v[k].shares;

	return w->lo[i] * b <= w->hi[k] * a && w->lo[k] * a <= w->hi[i] * b;
}

static bool are_users_equal(const struct fsi_usage_bounds *w, uint32_t i, uint32_t k)
{
	const struct fsi_recorded *a = w->recorded_row[i], *b = w->recorded_row[k];

	return a && b && FSI_HAS(a, RECORDED, factor) && FSI_HAS(b, RECORDED, factor) && a->factor == b->factor &&
	       may_users_tie(w, i, k);
}

/* Fills w->group. Sibling users form a group if their printed factors are equal and they may have equal usage per share
 * (are_users_equal). Siblings with different usage per share would have different ranks and different printed
 * factors. */
static void find_tied_groups(struct fsi_usage_bounds *w)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		w->group[i] = FSI_NO_INDEX;
	for (uint32_t p = 0; w->has_level_ratios && p < w->f->n; p++) {
		/* children are sorted by LevelFS, so users with equal usage per share are adjacent */
		uint32_t last = FSI_NO_INDEX;

		for (uint32_t c = w->f->first[p]; c < w->f->first[p + 1]; c++) {
			const uint32_t i = w->f->child[c];

			if (!w->m->association.v[i].user || fsi_has_parent_shares(&w->m->association.v[i]) ||
			    !(w->x[i] > 0) || !w->m->association.v[i].shares)
				continue;
			if (last != FSI_NO_INDEX && are_users_equal(w, i, last))
				w->group[i] = w->group[last] =
					w->group[last] == FSI_NO_INDEX ? last : w->group[last];
			last = i;
		}
	}
}

/* Fills w->uncharged. In Fair Tree, the uncharged usage of a row is the usage charged after the last priority
 * calculation. In the classic algorithms, it depends on the time at which the row's NormUsage was computed. Returns -1
 * if out of memory. */
static int find_uncharged_usage(struct fsi_usage_bounds *w, const fs_shares *s, struct fsi_arena *arena)
{
	const struct fsi_calc_times t = fsi_find_calc_times(w->m, NULL);
	struct fsi_norm_times moments;

	for (uint32_t i = 0; i < w->f->n; i++)
		w->uncharged[i] = (struct fsi_uncharged){ w->f->share[i].late_usage, w->f->share[0].late_usage };
	if (!s->algorithm->mixes_usage_times || !w->m->info.priority_time_known)
		return 0;
	if (fsi_norm_times_init(&moments, w->m, NULL, t.run, arena))
		return -1;
	fsi_norm_times_fill(&moments, &t, w->uncharged);
	return 0;
}

static int prepare_usage_bounds(struct fsi_usage_bounds *w, fs_shares *s, struct fsi_arena *arena)
{
	const fs_snapshot *m = w->m;
	const size_t n = m->association.n + 1;
	double below, above;

	w->f = &s->f;
	w->has_level_ratios = s->algorithm == &fsi_algorithm_fair_tree;
	w->work = work_limit;
	w->recorded_row = fsi_arena_array(arena, n, sizeof(*w->recorded_row));
	w->x = fsi_arena_array(arena, n, sizeof(*w->x));
	w->lo = fsi_arena_array(arena, n, sizeof(*w->lo));
	w->hi = fsi_arena_array(arena, n, sizeof(*w->hi));
	w->total = fsi_arena_array(arena, 3 * n, sizeof(*w->total));
	w->uncharged = fsi_arena_array(arena, n, sizeof(*w->uncharged));
	w->effective_lo = fsi_arena_array(arena, 2 * n, sizeof(*w->effective_lo));
	w->mean = fsi_arena_array(arena, n, sizeof(*w->mean));
	w->weight = fsi_arena_array(arena, n, sizeof(*w->weight));
	w->group = fsi_arena_array(arena, n, sizeof(*w->group));
	if (!w->recorded_row || !w->x || !w->lo || !w->hi || !w->total || !w->mean || !w->weight || !w->group ||
	    !w->uncharged || !w->effective_lo || find_uncharged_usage(w, s, arena))
		return -1;
	w->effective_hi = w->effective_lo + n;
	w->total_lo = w->total + n;
	w->total_hi = w->total_lo + n;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_assoc_find_by_id(m, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			w->recorded_row[row] = r;
	}
	get_capture_error(m, &below, &above);
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const bool moves = a->usage_tres_s > 0 || (a->user && above < 1);

		w->x[i] = a->usage_tres_s;
		w->lo[i] = fmax(0, a->usage_tres_s - (moves ? below : 0));
		w->hi[i] = a->usage_tres_s + (moves ? above : 0);
		if (w->x[i] == 0 && !(w->recorded_row[i] && FSI_HAS(w->recorded_row[i], RECORDED, level_fs) &&
				      w->recorded_row[i]->level_fs > 0))
			w->hi[i] = 0; /* a LevelFS that is not recorded is infinite, so the row has no usage */
	}
	find_tied_groups(w);
	for (size_t i = 0; i < n; i++)
		w->effective_lo[i] = w->effective_hi[i] = NAN;
	if (s->algorithm == &fsi_algorithm_classic)
		set_classic_bounds(w);
	return 0;
}

/* Returns the number of users whose computed FairShare differs from the printed FairShare. */
static size_t count_wrong_factors(const struct fsi_usage_bounds *w, const struct fsi_fairshare *f)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (w->recorded_row[i] && FSI_HAS(w->recorded_row[i], RECORDED, factor) &&
		    !isnan(f->share[i].printed_factor) &&
		    fabs(f->share[i].printed_factor - w->recorded_row[i]->factor) > 1e-6)
			n++;
	return n;
}

static void store_refined_usage(fs_snapshot *m, const double *x)
{
	for (size_t i = 0; i < m->association.n; i++)
		if (FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			m->association.v[i].usage_tres_s = x[i];
}

/* Stores the refined usage w->x in the snapshot. Restores the captured usage `before` if refined usage makes more
 * computed factors differ from the printed ones. More factors can differ if a rank depends on a tie that the printed
 * digits do not show. Returns -1 if out of memory. */
static int store_unless_worse(fs_snapshot *m, const struct fsi_usage_bounds *w, const double *before)
{
	fs_shares *after;
	struct fs_error err;

	store_refined_usage(m, w->x);
	if (fs_shares_compute(&after, m, NULL, &err))
		return -1;
	if (count_wrong_factors(w, &after->f) > count_wrong_factors(w, w->f))
		store_refined_usage(m, before);
	fs_shares_free(after);
	return 0;
}

static int refine_association_usage(fs_snapshot *m, fs_shares *s, struct fsi_arena *arena)
{
	struct fsi_usage_bounds w = { .m = m };
	double *before;

	if (prepare_usage_bounds(&w, s, arena))
		return -1;
	before = fsi_arena_array(arena, m->association.n + 1, sizeof(*before));
	if (!before)
		return -1;
	memcpy(before, w.x, m->association.n * sizeof(*before));
	if (m->head.whole_shares && fit_exact_shares(&w))
		return -1;
	if (!m->head.whole_shares)
		fit_printed_decimals(&w);
	return store_unless_worse(m, &w, before);
}

/* Returns true if captured usage can be refined. The algorithm must be Slurm's own, all rows must be known, and the
 * tree must have one root. The error of captured usage must be known, and printed values must exist. */
static bool can_infer_usage(const fs_snapshot *m)
{
	const struct fsi_algorithm *a = fsi_algorithm_find(m, NULL);
	double below, above;

	if (!m->association.n || !m->recorded.n || fsi_is_type_hidden(m, "association") ||
	    m->tree[0].end != m->association.n || !get_capture_error(m, &below, &above))
		return false;
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->tree[i].uncounted && !FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			return false;
	return a == &fsi_algorithm_fair_tree || a == &fsi_algorithm_classic || a == &fsi_algorithm_depth_oblivious;
}

/* Refines the usage of the snapshot's associations: infers more digits from other printed values. Keeps the captured
 * usage if the refined usage reproduces fewer of the printed FairShare values. Returns -1 if out of memory. */
static int refine_snapshot_usage(fs_snapshot *m)
{
	struct fsi_arena arena = { 0 };
	struct fs_error err;
	fs_shares *s;
	int rc;

	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	rc = refine_association_usage(m, s, &arena);
	fsi_arena_release(&arena);
	fs_shares_free(s);
	return rc;
}

/* ---- times of priority calculations, inferred from classic shares
 *
 * The NormUsage of an account is the usage of the account and all rows below it, divided by the root's usage. In its
 * last run, the decay thread computes NormUsage before it charges jobs for the time since its previous run. The search
 * looks for the time of the previous run, in whole seconds, that reproduces the NormUsage of all accounts. */

enum {
	/* at less than CLOSE_DISTANCE_S seconds before the last decay run, the search step is one second */
	CLOSE_DISTANCE_S = 512,
	/* at CLOSE_DISTANCE_S seconds or more before the last decay run, the search step is the number of seconds
	 * before that run, divided by STEP_DIVISOR */
	STEP_DIVISOR = 64,
	/* the search is limited to the MAX_DISTANCE_S seconds before the recorded time of the last decay run */
	MAX_DISTANCE_S = 86400,
	FIRST_CALC_DELAY_S = 4, /* maximum number of seconds from a controller's start to its first calculation */
	MAX_TIME_ERROR_S = 16,
	MAX_TRIES = 128,
};

struct tracked_account {
	uint32_t row;
	/* `printed`: NormUsage as printed; `error`: largest error that the computed NormUsage may have, because
	 * captured usage has few digits */
	double printed, error;
	/* sum of the charge rates of the account's running jobs that started at or before calc_time_search.earliest */
	long double early_rate;
	long double uncharged;   /* scratch: uncharged usage of the account and all rows below it */
};

struct calc_time_search {
	fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_norm_times w;
	long double *usage; /* indexed by row: captured usage of the row and all rows below it */
	struct tracked_account *row;
	uint32_t *account_index; /* indexed by association: index of the account in `row`; FSI_NO_INDEX: not in `row` */
	size_t rows;
	struct fsi_uncharged *user_uncharged; /* scratch memory of score_user_norms, indexed by association */
	/* indices of the charge rates that early_rate does not include: rates that begin after `earliest` or have an
	 * end */
	uint32_t *recent_rates;
	size_t n_recent_rates;
	int64_t earliest; /* earliest time that is tried for the previous run of the decay thread */
	long double root_early_rate;
};

struct time_range {
	int64_t from, to;
};

struct calc_time_fit {
	int64_t run, previous_run;
	double score;  /* sum of the squared differences between computed and printed NormUsage */
	/* number of accounts whose computed and printed NormUsage differ by at most tracked_account.error */
	size_t agreeing_rows;
};

/* ---- accounts whose NormUsage was printed */

static void track_printed_accounts(struct calc_time_search *x)
{
	const fs_snapshot *m = x->m;
	const double half_digit = m->head.whole_shares ? 1e-12 : 0.5e-6, root = (double)x->usage[0];
	double below, above;

	get_capture_error(m, &below, &above);
	for (uint32_t i = 0; i < m->association.n; i++)
		x->account_index[i] = FSI_NO_INDEX;
	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_find_by_id(m, r->association)
					   : FSI_NO_INDEX;

		if (i == FSI_NO_INDEX || i == 0 || m->association.v[i].user || x->account_index[i] != FSI_NO_INDEX)
			continue;
		x->account_index[i] = (uint32_t)x->rows;
		x->row[x->rows++] = (struct tracked_account){
			.row = i,
			.printed = r->norm_usage,
			.error = half_digit + fmax(below, above) / root *
						      ((double)(m->tree[i].end - i) +
						       r->norm_usage * (double)m->association.n),
		};
	}
}

static void split_early_rates(struct calc_time_search *x)
{
	for (uint32_t k = 0; k < x->w.rates.n; k++) {
		const struct fsi_rate *r = &x->w.rates.v[k];

		if (r->start > x->earliest || r->end != INT64_MAX) {
			x->recent_rates[x->n_recent_rates++] = k;
			continue;
		}
		x->root_early_rate += r->rate;
		for (uint32_t i = r->row; i != FSI_NO_INDEX; i = x->m->tree[i].parent)
			if (x->account_index[i] != FSI_NO_INDEX)
				x->row[x->account_index[i]].early_rate += r->rate;
	}
}

/* Sets the member `uncharged` of each account in x->row. Returns the root's uncharged usage. `run`, `before`: times of
 * the last and the previous run of the decay thread. */
static long double find_account_uncharged(struct calc_time_search *x, int64_t run, int64_t before)
{
	const struct fsi_rates *rates = &x->w.rates;
	const double once = run > before ? fsi_decay_at_once(&rates->decay, run - before) : 0;
	long double root = x->root_early_rate * once;

	for (size_t k = 0; k < x->rows; k++)
		x->row[k].uncharged = x->row[k].early_rate * once;
	for (size_t k = 0; k < x->n_recent_rates; k++) {
		const struct fsi_rate *r = &rates->v[x->recent_rates[k]];
		double charge = r->end > run ? fsi_rate_charge(rates, r, before, run) : 0;

		if (r->end != INT64_MAX && rates->decay.charges_job_end)
			charge += fsi_rate_charge(rates, r, run, r->end);
		root += charge;
		for (uint32_t i = charge > 0 ? r->row : FSI_NO_INDEX; i != FSI_NO_INDEX; i = x->m->tree[i].parent)
			if (x->account_index[i] != FSI_NO_INDEX)
				x->row[x->account_index[i]].uncharged += charge;
	}
	return root;
}

static struct calc_time_fit score_calc_times(struct calc_time_search *x, int64_t run, int64_t before)
{
	struct calc_time_fit out = { .run = run, .previous_run = before };
	const long double root = find_account_uncharged(x, run, before);

	for (size_t k = 0; k < x->rows; k++) {
		const struct tracked_account *t = &x->row[k];
		const struct fsi_uncharged uncharged = { t->uncharged, root };
		const double off =
			(double)fsi_compute_norm_usage(&uncharged, x->usage[t->row], x->usage[0]) - t->printed;

		out.score += off * off;
		out.agreeing_rows += fabs(off) <= t->error;
	}
	return out;
}

static void replace_if_better(struct calc_time_fit *best, struct calc_time_fit other)
{
	if (other.score < best->score)
		*best = other;
}

static int64_t get_search_step(int64_t distance)
{
	return distance < CLOSE_DISTANCE_S ? 1 : distance / STEP_DIVISOR;
}

/* Searches for the time of the decay thread's previous run. Assumes that its last run was at `run`. First tries times
 * at growing distances from `run`, then each second near the best time found. Returns the fit with the lowest score
 * (calc_time_fit.score). Sets *worst to the highest score in the first part of the search. */
static struct calc_time_fit find_best_previous(struct calc_time_search *x, int64_t run, double *worst)
{
	const int64_t max_distance = run - x->earliest;
	struct calc_time_fit best = score_calc_times(x, run, run - fsi_priority_calc_period(x->m));
	int64_t coarse;

	*worst = best.score;
	for (int64_t d = 0; d <= max_distance; d += get_search_step(d)) {
		const struct calc_time_fit here = score_calc_times(x, run, run - d);

		*worst = fmax(*worst, here.score);
		replace_if_better(&best, here);
	}
	coarse = run - best.previous_run;
	for (int64_t d = coarse - get_search_step(coarse) + 1; d < coarse + get_search_step(coarse); d++)
		if (d >= 0)
			replace_if_better(&best, score_calc_times(x, run, run - d));
	return best;
}

/* Returns the range of the difference (true time - assumed time) of the decay thread's last run, in seconds. Both ends
 * are 0 if the assumed time is exact. */
static struct time_range get_run_range(const fs_snapshot *m)
{
	const int64_t error = m->info.priority_time_error_s;

	if (!strcmp(m->info.priority_time_from, FSI_CALC_FROM_START))
		return (struct time_range){ 0, FIRST_CALC_DELAY_S };
	if (error <= 0)
		return (struct time_range){ 0, 0 };
	return error < MAX_TIME_ERROR_S ? (struct time_range){ -error, error }
					: (struct time_range){ -MAX_TIME_ERROR_S, MAX_TIME_ERROR_S };
}

/* Searches for the time of the decay thread's previous run, as find_best_previous does. Assumes that its last run was
 * at `run`. Replaces *best if the result reproduces the NormUsage of more accounts. Also replaces *best if the number
 * of accounts is the same, and the score of the result is less than a quarter of the score of *best. */
static void try_other_run(struct calc_time_search *x, struct calc_time_fit *best, int64_t run)
{
	struct calc_time_fit other;
	double worst;

	if (run == best->run || run > x->m->head.time || run <= x->earliest)
		return;
	other = find_best_previous(x, run, &worst);
	if (other.agreeing_rows > best->agreeing_rows ||
	    (other.agreeing_rows == best->agreeing_rows && other.score < best->score / 4))
		*best = other;
}

static void find_best_runs(struct calc_time_search *x, struct calc_time_fit *best, double *worst)
{
	const int64_t first = x->m->info.priority_time, period = fsi_priority_calc_period(x->m);
	const struct time_range range = get_run_range(x->m);
	const bool by_start = !strcmp(x->m->info.priority_time_from, FSI_CALC_FROM_START);

	*best = find_best_previous(x, first, worst);
	for (int64_t s = range.from; s <= range.to; s++) {
		try_other_run(x, best, first + s);
		if (by_start)
			try_other_run(x, best, first + s - period);
	}
}

/* Returns the sum of squared differences between the computed and the printed NormUsage of users. If `by_run` is true,
 * the sum is over the users whose NormUsage the decay thread's last run computed; otherwise, over all other users. */
static double score_user_norms(struct calc_time_search *x, const struct fsi_calc_times *t, bool by_run)
{
	double score = 0;

	fsi_norm_times_fill(&x->w, t, x->user_uncharged);
	for (size_t k = 0; k < x->m->recorded.n; k++) {
		const struct fsi_recorded *r = &x->m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_find_by_id(x->m, r->association)
					   : FSI_NO_INDEX;
		double off;

		if (i == FSI_NO_INDEX || !x->m->association.v[i].user ||
		    (x->w.first_position[i] != UINT64_MAX) != by_run)
			continue;
		off = (double)fsi_compute_norm_usage(&x->user_uncharged[i], x->usage[i], x->usage[0]) - r->norm_usage;
		score += off * off;
	}
	return score;
}

/* Tries other times of the previous decay run, second by second, directly before (`step` -1) or after (`step` 1)
 * best->previous_run. Stops at the first time with which the computed NormUsage agrees with the printed one for fewer
 * accounts than with `best`. Returns the number of seconds tried before this time, at most CLOSE_DISTANCE_S. */
static int64_t count_agreeing_seconds(struct calc_time_search *x, const struct calc_time_fit *best, int64_t step)
{
	int64_t s = 0;

	while (s < CLOSE_DISTANCE_S && best->previous_run + step * (s + 1) <= best->run &&
	       score_calc_times(x, best->run, best->previous_run + step * (s + 1)).agreeing_rows >= best->agreeing_rows)
		s++;
	return s;
}

/* Chooses the time of the decay thread's previous run between `from` and `to`. All these times reproduce the NormUsage
 * of accounts. Returns the time with which the computed NormUsage of users is closest to the printed one. */
static int64_t choose_by_users(struct calc_time_search *x, const struct calc_time_fit *best, int64_t from, int64_t to)
{
	struct fsi_calc_times t = { best->run, best->previous_run, x->m->head.time, best->run };
	double min = score_user_norms(x, &t, true);
	int64_t best_time = best->previous_run, step = (to - from) / MAX_TRIES + 1;

	for (;; step = 1) {
		for (t.previous_run = from; t.previous_run <= to; t.previous_run += step) {
			const double score = score_user_norms(x, &t, true);

			if (score < min) {
				min = score;
				best_time = t.previous_run;
			}
		}
		if (step == 1)
			return best_time;
		from = best_time - step > from ? best_time - step : from;
		to = best_time + step < to ? best_time + step : to;
	}
}

static int store_calc_times(struct calc_time_search *x, const struct calc_time_fit *best, bool by_shares)
{
	struct fsi_header *h = &x->m->head;

	if (by_shares && best->run != x->m->info.priority_time) {
		h->priority_time = best->run;
		h->priority_time_from = fsi_name_intern(x->m, FSI_CALC_FROM_SHARES);
		h->priority_time_error_s = 0;
		FSI_SET(h, SNAPSHOT, priority_time);
		FSI_SET(h, SNAPSHOT, priority_time_from);
		FSI_SET(h, SNAPSHOT, priority_time_error_s);
	}
	h->priority_time_before = x->m->info.priority_time - fsi_priority_calc_period(x->m);
	if (by_shares) {
		const int64_t from = best->previous_run - count_agreeing_seconds(x, best, -1),
			      to = best->previous_run + count_agreeing_seconds(x, best, 1);
		const int64_t best_time = from < to ? choose_by_users(x, best, from, to) : best->previous_run;

		h->priority_time_before = best_time;
		h->priority_time_before_error_s =
			(uint32_t)(to - best_time > best_time - from ? to - best_time : best_time - from);
		FSI_SET(h, SNAPSHOT, priority_time_before_error_s);
	}
	h->priority_time_before_from = fsi_name_intern(x->m, by_shares ? FSI_CALC_FROM_SHARES : FSI_CALC_FROM_PERIOD);
	FSI_SET(h, SNAPSHOT, priority_time_before);
	FSI_SET(h, SNAPSHOT, priority_time_before_from);
	fsi_set_calc_times(x->m);
	return h->priority_time_from == FSI_INTERN_FAILED || h->priority_time_before_from == FSI_INTERN_FAILED ? -1 : 0;
}

/* Infers the time of the first request for shares after the decay thread's last run. Chooses the time that reproduces
 * the printed NormUsage of users best. Tries the time of the last run and the ends of jobs after it, because all times
 * between two ends give the same NormUsage. */
static void infer_shares_time(struct calc_time_search *x)
{
	const size_t n = x->w.rates.n, step = n / MAX_TRIES + 1;
	struct fsi_calc_times t = fsi_find_calc_times(x->m, NULL);
	const double initial_score = score_user_norms(x, &t, false);
	double best = initial_score;

	for (size_t k = 0; k < n + 1; k += step) {
		const int64_t end = k ? x->w.rates.v[x->w.by_end[k - 1]].end : t.run;
		double score;

		if (end < t.run || end == INT64_MAX)
			continue;
		t.shares_request = end;
		score = score_user_norms(x, &t, false);
		if (score < best) {
			best = score;
			x->m->head.shares_time = end;
		}
	}
	if (best < initial_score)
		FSI_SET(&x->m->head, SNAPSHOT, shares_time);
	fsi_set_calc_times(x->m);
}

static int prepare_time_search(struct calc_time_search *x)
{
	const fs_snapshot *m = x->m;
	const int64_t period = fsi_priority_calc_period(m), run = m->info.priority_time;
	const size_t n = m->association.n + 1;
	int64_t start, back = 2 * period + CLOSE_DISTANCE_S;

	if (fsi_controller_start_time(m, &start) && run - start < period)
		/* the controller was started after the previous decay run; that run may have been long ago */
		back = MAX_DISTANCE_S;
	x->earliest = run - (back < MAX_DISTANCE_S ? back : MAX_DISTANCE_S);
	if (fsi_norm_times_init(&x->w, m, NULL, run - period - FIRST_CALC_DELAY_S, &x->arena))
		return -1;
	x->usage = fsi_arena_array(&x->arena, n, sizeof(*x->usage));
	x->row = fsi_arena_array(&x->arena, n, sizeof(*x->row));
	x->account_index = fsi_arena_array(&x->arena, n, sizeof(*x->account_index));
	x->recent_rates = fsi_arena_array(&x->arena, x->w.rates.n + 1, sizeof(*x->recent_rates));
	x->user_uncharged = fsi_arena_array(&x->arena, n, sizeof(*x->user_uncharged));
	if (!x->usage || !x->user_uncharged || !x->row || !x->account_index || !x->recent_rates)
		return -1;
	fsi_usage_totals(m, NULL, x->usage);
	track_printed_accounts(x);
	split_early_rates(x);
	return 0;
}

static int search_calc_times(struct calc_time_search *x)
{
	struct calc_time_fit best = { 0 };
	double worst = 0;
	bool by_shares;

	if (prepare_time_search(x))
		return -1;
	if (x->rows && x->usage[0] > 0)
		find_best_runs(x, &best, &worst);
	by_shares = x->rows && best.score < worst && 10 * best.agreeing_rows >= 9 * x->rows;
	if (store_calc_times(x, &best, by_shares))
		return -1;
	infer_shares_time(x);
	return 0;
}

/* Classic and DEPTH_OBLIVIOUS: infers from printed NormUsage the times of the last two calculations, and of the first
 * request for shares after these calculations. Writes the times to the header and to m->info. If no times reproduce the
 * NormUsage of nine tenths of the accounts, assumes that the previous calculation was one period before the last
 * calculation. Returns -1 if out of memory. */
static int infer_calc_times(fs_snapshot *m)
{
	struct calc_time_search x = { .m = m };
	int rc;

	if (!fsi_algorithm_find(m, NULL)->mixes_usage_times || !m->info.priority_time_known)
		return 0;
	rc = search_calc_times(&x);
	fsi_arena_release(&x.arena);
	return rc;
}

/* ---- fs_import_infer: values of a capture that no command prints */

int fs_import_infer(fs_snapshot *m, struct fs_error *err)
{
	if (!can_infer_usage(m))
		return 0;
	const int rc =
		fsi_infer_list_order(m) || fsi_infer_new_tree(m) || infer_calc_times(m) || refine_snapshot_usage(m);

	return rc ? fsi_fail_no_memory(err) : 0;
}
