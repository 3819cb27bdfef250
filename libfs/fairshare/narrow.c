#include "fairshare/narrow.h"

#include "model/find.h"
#include "model/jobs.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- printed decimals as bounds on usage
 *
 * Kaczmarz' method for inequalities projects the usage estimates w->x onto one bound after the other until all bounds
 * are satisfied. The bounds are computed from printed values:
 *
 *   RawUsage R                   t in [R, R + 1)
 *   NormUsage P                  t / t(root) in [P - h, P + h]
 *   EffectvUsage E (Fair Tree)   t / t(parent) in [E - h, E + h]
 *   LevelFS L (Fair Tree)        t / t(parent) in [S / (L + h), S / (L - h)]
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
	return satisfied;
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
	if (!w->recorded_row || !w->x || !w->lo || !w->hi || !w->total || !w->uncharged ||
	    find_uncharged_usage(w, s, arena))
		return -1;
	w->total_lo = w->total + n;
	w->total_hi = w->total_lo + n;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row =
			FSI_HAS(r, RECORDED, association) ? fsi_assoc_find_by_id(m, r->association) : FSI_NO_INDEX;

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

/* ---- the first request for shares, inferred from classic shares
 *
 * The NormUsage of users without pending jobs is computed when somebody requests shares. The search looks for the time
 * of the first request that reproduces their printed NormUsage. */

struct request_search {
	fs_snapshot *m;
	struct fsi_norm_times w;
	long double *usage;              /* indexed by row: captured usage of the row and all rows below it */
	struct fsi_uncharged *uncharged; /* scratch memory of score_user_norms, indexed by association */
};

/* Returns the sum of squared differences between the computed and the printed NormUsage of the users whose NormUsage
 * the last run of the decay thread did not compute. */
static double score_user_norms(struct request_search *x, const struct fsi_calc_times *t)
{
	double score = 0;

	fsi_norm_times_fill(&x->w, t, x->uncharged);
	for (size_t k = 0; k < x->m->recorded.n; k++) {
		const struct fsi_recorded *r = &x->m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_find_by_id(x->m, r->association)
					   : FSI_NO_INDEX;
		double off;

		if (i == FSI_NO_INDEX || !x->m->association.v[i].user || x->w.first_position[i] != UINT64_MAX)
			continue;
		off = (double)fsi_compute_norm_usage(&x->uncharged[i], x->usage[i], x->usage[0]) - r->norm_usage;
		score += off * off;
	}
	return score;
}

/* Sets the header field shares_time to the time that reproduces the printed NormUsage of users best, if it is better
 * than the time of the capture. Tries the time of the last run and the ends of jobs after it, because all times between
 * two ends give the same NormUsage. */
static void search_request_time(struct request_search *x)
{
	enum { TRIES_MAX = 128 };
	const size_t n = x->w.rates.n, step = n / TRIES_MAX + 1;
	struct fsi_calc_times t = fsi_find_calc_times(x->m, NULL);
	double best = score_user_norms(x, &t);

	for (size_t k = 0; k < n + 1; k += step) {
		const int64_t end = k ? x->w.rates.v[x->w.by_end[k - 1]].end : t.run;
		double score;

		if (end < t.run || end == INT64_MAX)
			continue;
		t.shares_request = end;
		score = score_user_norms(x, &t);
		if (score < best) {
			best = score;
			x->m->head.shares_time = end;
			FSI_SET(&x->m->head, SNAPSHOT, shares_time);
		}
	}
	fsi_set_calc_times(x->m);
}

/* Classic and DEPTH_OBLIVIOUS: infers the time of the first request for shares after the last priority calculation.
 * Writes the time to the header and to m->info. Returns -1 if out of memory. */
static int infer_shares_time(fs_snapshot *m)
{
	struct request_search x = { .m = m };
	struct fsi_arena arena = { 0 };
	const size_t n = m->association.n + 1;
	int rc = -1;

	if (!fsi_algorithm_find(m, NULL)->mixes_usage_times || !m->info.priority_time_known)
		return 0;
	x.usage = fsi_arena_array(&arena, n, sizeof(*x.usage));
	x.uncharged = fsi_arena_array(&arena, n, sizeof(*x.uncharged));
	if (x.usage && x.uncharged && !fsi_norm_times_init(&x.w, m, NULL, m->info.priority_time, &arena)) {
		fsi_usage_totals(m, NULL, x.usage);
		search_request_time(&x);
		rc = 0;
	}
	fsi_arena_release(&arena);
	return rc;
}

/* ---- fs_import_infer: values of a capture that no command prints */

int fs_import_infer(fs_snapshot *m, struct fs_error *err)
{
	if (!can_infer_usage(m))
		return 0;
	const int rc = fsi_infer_new_tree(m) || infer_shares_time(m) || refine_snapshot_usage(m);

	return rc ? fsi_fail_no_memory(err) : 0;
}
