#include "fairshare/narrow.h"

#include "model/find.h"
#include "model/jobs.h"
#include "usage/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Classic fair share as bounds on usage. Effective usage is a mean of NormUsage along the way to the root, with the
 * shares as weights (slurm.c); FairShare, 2^(-E / S / d), tells more digits of it than EffectvUsage where shares S
 * are small.
 *
 *   E = sum of w(k) n(k), n(k) = (t(k) - own(k)) / (t(root) - root(k)), k from the row up to below the root */

/* Half of the last of six decimals, and of seven of sprio, a little less. */
static const double narrow_classic_half_digit = 0.4998e-6, half_seventh = 0.4998e-7;

/* Fills total[i] with what `own` has of the row and all below. */
static void narrow_sum(const struct fsi_narrow *w, const double *own, double *total)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		total[i] = own[i];
	for (uint32_t i = w->f->n; i-- > 1;)
		if (!w->m->tree[i].uncounted)
			total[w->m->tree[i].parent] += total[i];
}

/* Moves x[j] by that much, within its bounds. */
static void narrow_shift(struct fsi_narrow *w, uint32_t j, double by)
{
	w->x[j] = fmin(fmax(w->x[j] + by, w->lo[j]), w->hi[j]);
}

static void narrow_to(struct fsi_narrow *w, uint32_t i, double lo, double hi)
{
	const bool first = isnan(w->effective_lo[i]);

	if (!first && (lo > w->effective_hi[i] || hi < w->effective_lo[i]))
		return;
	w->effective_lo[i] = first ? lo : fmax(lo, w->effective_lo[i]);
	w->effective_hi[i] = first ? hi : fmin(hi, w->effective_hi[i]);
}

static void narrow_by_factor(struct fsi_narrow *w, uint32_t i, double factor, double half)
{
	const double scale = w->f->share[i].shares_norm * w->f->dampening;

	if (factor - half > 0 && factor <= 1 && scale > 0 && !fsi_uses_parent_shares(&w->m->association.v[i]))
		narrow_to(w, i, fmax(0, -log2(factor + half)) * scale, -log2(factor - half) * scale);
}

/* The association whose factor the jobs of this one have: with `parent` shares the first ancestor with shares of its
 * own (priority_multifactor.c:_get_fairshare_priority). FSI_NO_INDEX if that is the root. */
static uint32_t factor_is_of(const struct fsi_narrow *w, uint32_t i)
{
	const uint32_t of = fsi_uses_parent_shares(&w->m->association.v[i]) ? w->f->share[i].fs_parent : i;

	return w->f->share[of].fs_parent == FSI_NO_INDEX ? FSI_NO_INDEX : of;
}

static void narrow_by_job(struct fsi_narrow *w, const struct fsi_recorded *r)
{
	const uint32_t job = FSI_HAS(r, RECORDED, job) ? fsi_job_row(w->m, r->job) : FSI_NO_INDEX;
	const uint32_t i = job == FSI_NO_INDEX ? job : fsi_job_assoc(w->m, &w->m->job.v[job]);
	uint32_t of;

	if (i == FSI_NO_INDEX || w->f->share[i].fs_parent == FSI_NO_INDEX ||
	    w->m->job.v[job].state != FSI_STATE_PENDING || !FSI_HAS(r, RECORDED, norm_fairshare))
		return;
	of = factor_is_of(w, i);
	if (of != FSI_NO_INDEX && !isnan(w->effective_lo[of]))
		narrow_by_factor(w, of, r->norm_fairshare, half_seventh);
}

/* Sets effective_lo and effective_hi of classic fair share. */
static void narrow_classic_bounds(struct fsi_narrow *w)
{
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_recorded *r = w->rec[i];

		w->effective_lo[i] = w->effective_hi[i] = NAN;
		if (!r || w->f->share[i].fs_parent == FSI_NO_INDEX)
			continue;
		if (FSI_HAS(r, RECORDED, effective_usage))
			narrow_to(w, i, r->effective_usage - narrow_classic_half_digit,
				  r->effective_usage + narrow_classic_half_digit);
		if (FSI_HAS(r, RECORDED, factor))
			narrow_by_factor(w, i, r->factor, narrow_classic_half_digit);
	}
	for (size_t k = 0; k < w->m->recorded.n; k++)
		narrow_by_job(w, &w->m->recorded.v[k]);
}

/* A row's way up, and what each step weighs in its effective usage. */
enum { STEPS = 64 };

struct way {
	uint32_t row[STEPS];
	double weight[STEPS]; /* over the root's usage at the moment of the row */
	size_t n;
	double value, root;   /* effective usage, and how it falls with the root's usage */
};

static void add_step(const struct fsi_narrow *w, struct way *y, uint32_t k, double weight)
{
	const double all = w->total[0] - (double)w->missing[k].root;
	const double share = all > 0 ? (w->total[k] - (double)w->missing[k].own) / all : 0;

	if (!(all > 0))
		return;
	y->row[y->n] = k;
	y->weight[y->n++] = weight / all;
	y->value += weight * share;
	y->root += weight * share / all;
}

static bool find_way(const struct fsi_narrow *w, uint32_t i, struct way *y)
{
	double weight = 1;

	*y = (struct way){ .n = 0 };
	for (uint32_t k = i; y->n < STEPS; k = w->f->share[k].fs_parent) {
		const struct fsi_association *a = &w->m->association.v[k];
		const struct fsi_share *s = &w->f->share[k];
		double up = 1;

		if (w->f->share[s->fs_parent].fs_parent == FSI_NO_INDEX) {
			add_step(w, y, k, weight);
			return y->n > 0;
		}
		if (!fsi_uses_parent_shares(a) && s->level_shares) {
			up = a->shares / (double)s->level_shares;
			add_step(w, y, k, weight * (1 - up));
		}
		weight *= up;
	}
	return false;
}

static double slope(const struct fsi_narrow *w, const struct way *y, uint32_t j)
{
	double sum = -y->root;

	for (size_t s = 0; s < y->n; s++)
		if (j >= y->row[s] && j < w->m->tree[y->row[s]].end)
			sum += y->weight[s];
	return sum;
}

/* Moves x the shortest way to where the row's effective usage lies within its bounds; true if nothing had to move,
 * or could. */
static bool narrow_hold_effective(struct fsi_narrow *w, uint32_t i)
{
	const double lo = w->effective_lo[i], hi = w->effective_hi[i];
	double by, norm = 0;
	struct way y;

	if (isnan(lo) || !find_way(w, i, &y) || (y.value >= lo && y.value <= hi))
		return true;
	w->work -= w->work < 2 * (uint64_t)w->f->n ? w->work : 2 * (uint64_t)w->f->n;
	by = y.value < lo ? lo + 1e-4 * (hi - lo) - y.value : hi - 1e-4 * (hi - lo) - y.value;
	for (uint32_t j = 0; j < w->f->n; j++)
		if (fsi_narrow_is_free(w, j))
			norm += slope(w, &y, j) * slope(w, &y, j);
	if (!(norm > 0))
		return true;
	for (uint32_t j = 0; j < w->f->n; j++)
		if (fsi_narrow_is_free(w, j))
			narrow_shift(w, j, by * slope(w, &y, j) / norm);
	narrow_sum(w, w->x, w->total);
	return false;
}

/* Numbers printed with six decimals as bounds on usage: projections onto one after the other (Kaczmarz' method for
 * inequalities), which end where all hold.
 *
 *   RawUsage   whole(t)        t in [R, R + 1)
 *   NormUsage  t / t(root)     in [P - h, P + h], h half a digit
 *   EffectvUsage, LevelFS (Fair Tree)  t / t(fs parent) in [E - h, E + h], [S / (L + h), S / (L - h)]
 *   EffectvUsage, FairShare (classic)  see narrow_classic_bounds
 *
 * In ratios t is without what was not yet charged when they were computed. */

enum { SWEEPS = 30000 };

/* A little less than half a digit: what is reached prints as wanted, and the truth is hardly ever shut out. */
static const double narrow_decimals_half_digit = 0.4998e-6;

struct span {
	double lo, hi;
};

static bool in_subtree(const struct fsi_narrow *w, uint32_t j, uint32_t i)
{
	return j >= i && j < w->m->tree[i].end;
}

/* Adds the totals up again after rows below i have moved. */
static void add_up(struct fsi_narrow *w, uint32_t i)
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

/* Moves t(i) - ratio * t(q) by `by`, the shortest way; q FSI_NO_INDEX: t(i) alone. */
static void move(struct fsi_narrow *w, uint32_t i, uint32_t q, double ratio, double by)
{
	const uint32_t from = q == FSI_NO_INDEX ? i : q, end = w->m->tree[from].end;
	const double within = q == FSI_NO_INDEX ? 1 : 1 - ratio;
	double norm = 0;

	w->work -= w->work < 2 * (uint64_t)(end - from) ? w->work : 2 * (uint64_t)(end - from);
	for (uint32_t j = from; j < end; j++)
		if (fsi_narrow_is_free(w, j))
			norm += in_subtree(w, j, i) ? within * within : ratio * ratio;
	if (!(norm > 0))
		return;
	for (uint32_t j = from; j < end; j++)
		if (fsi_narrow_is_free(w, j))
			narrow_shift(w, j, by * (in_subtree(w, j, i) ? within : -ratio) / norm);
	add_up(w, from);
}

/* The bounds of t(i), as far as those of its rows tell. */
static struct span reach(const struct fsi_narrow *w, uint32_t i)
{
	return (struct span){ w->total_lo[i], w->total_hi[i] };
}

static bool hold_total(struct fsi_narrow *w, uint32_t i, struct span s)
{
	const double t = w->total[i], want = t < s.lo ? s.lo : s.hi;

	if (t >= s.lo && t <= s.hi)
		return true;
	move(w, i, FSI_NO_INDEX, 0, want - t);
	return false;
}

/* What t(i) and t(q) did not have yet when their ratio was computed. */
struct gone {
	double t, of;
};

static bool hold_ratio(struct fsi_narrow *w, uint32_t i, uint32_t q, struct gone g, struct span s)
{
	const double inside = 1e-4 * (s.hi - s.lo);
	const double t = w->total[i] - g.t, of = w->total[q] - g.of;
	const double ratio = t < s.lo * of ? s.lo + inside : s.hi - inside;

	if (!(of > 0) || (t >= s.lo * of && t <= s.hi * of))
		return true;
	move(w, i, q, ratio, ratio * of - t);
	return false;
}

/* Is the ratio possible within the bounds? If not, usage has moved on since it was computed. */
static bool is_possible(const struct fsi_narrow *w, uint32_t i, uint32_t q, struct gone g, struct span s)
{
	const struct span a = reach(w, i), b = reach(w, q);

	return a.hi - g.t >= s.lo * (b.lo - g.of) && a.lo - g.t <= s.hi * (b.hi - g.of);
}

static bool hold_possible(struct fsi_narrow *w, uint32_t i, uint32_t q, struct gone g, struct span s)
{
	return !is_possible(w, i, q, g, s) || hold_ratio(w, i, q, g, s);
}

static bool hold_levels(struct fsi_narrow *w, uint32_t i, uint32_t p)
{
	const struct fsi_recorded *r = w->rec[i];
	const struct fsi_share *s = &w->f->share[i];
	const struct gone g = { (double)w->missing[i].own, (double)w->missing[p].own };
	bool held = true;

	if (FSI_HAS(r, RECORDED, effective_usage))
		held &= hold_possible(w, i, p, g,
				      (struct span){ r->effective_usage - narrow_decimals_half_digit,
						     r->effective_usage + narrow_decimals_half_digit });
	if (FSI_HAS(r, RECORDED, level_fs) && r->level_fs > narrow_decimals_half_digit && s->shares_norm > 0)
		held &= hold_possible(w, i, p, g,
				      (struct span){ s->shares_norm / (r->level_fs + narrow_decimals_half_digit),
						     s->shares_norm / (r->level_fs - narrow_decimals_half_digit) });
	return held;
}

static bool hold_row(struct fsi_narrow *w, uint32_t i)
{
	const double tiny = 1e-6;
	const struct fsi_recorded *r = w->rec[i];
	const uint32_t p = w->f->share[i].fs_parent;
	bool held = true;

	if (!r || w->m->tree[i].uncounted)
		return true;
	if (FSI_HAS(r, RECORDED, raw_usage)) {
		const struct span whole = { (double)r->raw_usage + tiny,
					    (double)r->raw_usage + 1 - tiny };
		const struct span can = reach(w, i);

		if (can.hi >= whole.lo && can.lo <= whole.hi)
			held = hold_total(w, i, whole);
	}
	if (p == FSI_NO_INDEX)
		return held;
	if (FSI_HAS(r, RECORDED, norm_usage))
		held &= hold_possible(w, i, 0, (struct gone){ (double)w->missing[i].own, (double)w->missing[i].root },
				      (struct span){ r->norm_usage - narrow_decimals_half_digit,
						     r->norm_usage + narrow_decimals_half_digit });
	if (w->levels)
		held &= hold_levels(w, i, p);
	else
		held &= narrow_hold_effective(w, i);
	return held;
}

/* Siblings that were alike stay alike: the usage per share of each is their mean. */
static void hold_groups(struct fsi_narrow *w)
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
	narrow_sum(w, w->x, w->total);
}

/* Moves x, within lo and hi, to where every printed number comes out, or as near as the work left allows. Numbers
 * that contradict the bounds are passed over, since usage went on after they were computed. */
static void narrow_decimals(struct fsi_narrow *w)
{
	bool held = false;

	narrow_sum(w, w->lo, w->total_lo);
	narrow_sum(w, w->hi, w->total_hi);
	narrow_sum(w, w->x, w->total);
	for (int k = 0; k < SWEEPS && !held && w->work; k++) {
		held = true;
		for (uint32_t i = 0; i < w->f->n && w->work; i++)
			held &= hold_row(w, i);
		hold_groups(w);
	}
}

/* Usage from NormUsage with all its digits, t / t(root), both without what was not yet charged when it was computed:
 * one total t(root) makes all shares usage. Each row's bounds, divided by its share, bound that total; it lies where
 * most rows agree. */

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

/* Likewise where norm_usage has all its digits: x is that share of the one total that most rows agree on. -1 without
 * memory. */
static int narrow_whole(struct fsi_narrow *w)
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
		const double x = (double)w->missing[i].own + share_of(w, i) * (total - (double)w->missing[i].root);

		if (w->m->association.v[i].user && share_of(w, i) > 0 && x >= w->lo[i] * (1 - rounding) &&
		    x <= w->hi[i] * (1 + rounding))
			w->x[i] = x;
	}
	return 0;
}

/* Usage is narrowed, from how it was captured and from what else was printed, to more digits. */

/* More than a tree of a thousand users takes. Larger ones seldom need it, since usage of production size has digits
 * enough. */
static const uint64_t max_work = 100000000;

/* How far own usage may lie from what was captured; false if it cannot. */
static bool captured_error(const fs_snapshot *m, double *below, double *above)
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

/* May the two have used as much for each of their shares? Before the first calculation all factors are alike. */
static bool may_tie(const struct fsi_narrow *w, uint32_t i, uint32_t k)
{
	const double a = w->m->association.v[i].shares, b = w->m->association.v[k].shares;

	return w->lo[i] * b <= w->hi[k] * a && w->lo[k] * a <= w->hi[i] * b;
}

static bool is_alike(const struct fsi_narrow *w, uint32_t i, uint32_t k)
{
	const struct fsi_recorded *a = w->rec[i], *b = w->rec[k];

	return a && b && FSI_HAS(a, RECORDED, factor) && FSI_HAS(b, RECORDED, factor) && a->factor == b->factor &&
	       may_tie(w, i, k);
}

/* Groups users of one level that tie: ranks of others differ, and so does what is printed. */
static void set_groups(struct fsi_narrow *w)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		w->group[i] = FSI_NO_INDEX;
	for (uint32_t p = 0; w->levels && p < w->f->n; p++) {
		uint32_t last = FSI_NO_INDEX; /* children stand in the order of their levels */

		for (uint32_t c = w->f->first[p]; c < w->f->first[p + 1]; c++) {
			const uint32_t i = w->f->child[c];

			if (!w->m->association.v[i].user || fsi_uses_parent_shares(&w->m->association.v[i]) ||
			    !(w->x[i] > 0) || !w->m->association.v[i].shares)
				continue;
			if (last != FSI_NO_INDEX && is_alike(w, i, last))
				w->group[i] = w->group[last] =
					w->group[last] == FSI_NO_INDEX ? last : w->group[last];
			last = i;
		}
	}
}

/* In Fair Tree all numbers are of one moment, that of the last calculation. */
static int narrow_find_missing(struct fsi_narrow *w, const fs_shares *s, struct fsi_arena *arena)
{
	const struct fsi_moment_times t = fsi_moment_times(w->m, NULL);
	struct fsi_moments moments;

	for (uint32_t i = 0; i < w->f->n; i++)
		w->missing[i] = (struct fsi_missing){ w->f->share[i].late, w->f->share[0].late };
	if (!s->algorithm->mixes_moments || !w->m->info.priority_time_known)
		return 0;
	if (fsi_moments_init(&moments, w->m, NULL, t.run, arena))
		return -1;
	fsi_moments_fill(&moments, &t, w->missing);
	return 0;
}

static int narrow_prepare(struct fsi_narrow *w, fs_shares *s, struct fsi_arena *arena)
{
	const fs_snapshot *m = w->m;
	const size_t n = m->association.n + 1;
	double below, above;

	w->f = &s->f;
	w->levels = s->algorithm == &fsi_fair_tree;
	w->work = max_work;
	w->rec = fsi_arena_array(arena, n, sizeof(*w->rec));
	w->x = fsi_arena_array(arena, n, sizeof(*w->x));
	w->lo = fsi_arena_array(arena, n, sizeof(*w->lo));
	w->hi = fsi_arena_array(arena, n, sizeof(*w->hi));
	w->total = fsi_arena_array(arena, 3 * n, sizeof(*w->total));
	w->missing = fsi_arena_array(arena, n, sizeof(*w->missing));
	w->effective_lo = fsi_arena_array(arena, 2 * n, sizeof(*w->effective_lo));
	w->mean = fsi_arena_array(arena, n, sizeof(*w->mean));
	w->weight = fsi_arena_array(arena, n, sizeof(*w->weight));
	w->group = fsi_arena_array(arena, n, sizeof(*w->group));
	if (!w->rec || !w->x || !w->lo || !w->hi || !w->total || !w->mean || !w->weight || !w->group ||
	    !w->missing || !w->effective_lo || narrow_find_missing(w, s, arena))
		return -1;
	w->effective_hi = w->effective_lo + n;
	w->total_lo = w->total + n;
	w->total_hi = w->total_lo + n;
	for (size_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_assoc_by_id(m, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			w->rec[row] = r;
	}
	captured_error(m, &below, &above);
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const bool moves = a->usage_tres_s > 0 || (a->user && above < 1);

		w->x[i] = a->usage_tres_s;
		w->lo[i] = fmax(0, a->usage_tres_s - (moves ? below : 0));
		w->hi[i] = a->usage_tres_s + (moves ? above : 0);
		if (w->x[i] == 0 && !(w->rec[i] && FSI_HAS(w->rec[i], RECORDED, level_fs) && w->rec[i]->level_fs > 0))
			w->hi[i] = 0; /* an infinite level is that of no usage at all */
	}
	set_groups(w);
	for (size_t i = 0; i < n; i++)
		w->effective_lo[i] = w->effective_hi[i] = NAN;
	if (s->algorithm == &fsi_classic)
		narrow_classic_bounds(w);
	return 0;
}

/* Counts the users whose FairShare does not come out as printed. */
static size_t wrong_factors(const struct fsi_narrow *w, const struct fsi_fairshare *f)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->n; i++)
		if (w->rec[i] && FSI_HAS(w->rec[i], RECORDED, factor) &&
		    !isnan(f->share[i].printed) &&
		    fabs(f->share[i].printed - w->rec[i]->factor) > 1e-6)
			n++;
	return n;
}

static void put_usage(fs_snapshot *m, const double *x)
{
	for (size_t i = 0; i < m->association.n; i++)
		if (FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			m->association.v[i].usage_tres_s = x[i];
}

/* A rank may depend on ties that no digit decides: what made a factor worse is undone. */
static int put_if_no_worse(fs_snapshot *m, const struct fsi_narrow *w, const double *before)
{
	fs_shares *after;
	struct fs_error err;

	put_usage(m, w->x);
	if (fs_shares_compute(&after, m, NULL, &err))
		return -1;
	if (wrong_factors(w, &after->f) > wrong_factors(w, w->f))
		put_usage(m, before);
	fs_shares_free(after);
	return 0;
}

static int narrow_usage(fs_snapshot *m, fs_shares *s, struct fsi_arena *arena)
{
	struct fsi_narrow w = { .m = m };
	double *before;

	if (narrow_prepare(&w, s, arena))
		return -1;
	before = fsi_arena_array(arena, m->association.n + 1, sizeof(*before));
	if (!before)
		return -1;
	memcpy(before, w.x, m->association.n * sizeof(*before));
	if (m->head.whole_shares && narrow_whole(&w))
		return -1;
	if (!m->head.whole_shares)
		narrow_decimals(&w);
	return put_if_no_worse(m, &w, before);
}

/* Are all rows known, is there one root, is the algorithm Slurm's own, and was anything printed? */
static bool narrow_possible(const fs_snapshot *m)
{
	const struct fsi_algorithm *a = fsi_algorithm_find(m, NULL);
	double below, above;

	if (!m->association.n || !m->recorded.n || fsi_hidden(m, "association") ||
	    m->tree[0].end != m->association.n || !captured_error(m, &below, &above))
		return false;
	for (size_t i = 0; i < m->association.n; i++)
		if (!m->tree[i].uncounted && !FSI_HAS(&m->association.v[i], ASSOCIATION, usage_tres_s))
			return false;
	return a == &fsi_fair_tree || a == &fsi_classic || a == &fsi_depth_oblivious;
}

/* Narrows the usage of such a snapshot's associations; what made a printed FairShare worse is undone. -1 without
 * memory. */
static int fsi_narrow_usage(fs_snapshot *m)
{
	struct fsi_arena arena = { 0 };
	struct fs_error err;
	fs_shares *s;
	int rc;

	if (fs_shares_compute(&s, m, NULL, &err))
		return -1;
	rc = narrow_usage(m, s, &arena);
	fsi_arena_release(&arena);
	fs_shares_free(s);
	return rc;
}

/* The runs that classic shares tell of: of each account NormUsage is t / t(root) from before the last run's additions,
 * and one whole second, that of the run before, makes all of them come out as printed. */

enum {
	CLOSE_S = 512,       /* every second so far back is tried, */
	FINER = 64,          /* then steps of that part of the distance, */
	FURTHEST_S = 86400,  /* at most so far, where a restart may lie between the two runs */
	LATE_START_S = 4,    /* a controller calculates first so soon after its start */
	MAX_OFF_S = 16,
	MAX_TRIES = 128,
};

struct tracked {
	uint32_t row;
	double printed, error; /* and how far usage as captured may let it be off */
	long double before;    /* rates of the jobs that ran before all runs that are tried */
	long double missing;   /* scratch */
};

struct fit {
	fs_snapshot *m;
	struct fsi_arena arena;
	struct fsi_moments w;
	long double *usage; /* by row, with all below, as captured */
	struct tracked *row;
	uint32_t *track; /* by association: its index in `row`, or FSI_NO_INDEX */
	size_t rows;
	struct fsi_missing *of_users; /* scratch, by row */
	uint32_t *young; /* rates of the other jobs */
	size_t youngs;
	int64_t earliest; /* no run before that is tried */
	long double root_before;
};

struct range {
	int64_t from, to;
};

struct found {
	int64_t run, before;
	double score;  /* sum of squares of what is off */
	size_t agree;  /* rows that are not off by more than their error */
};

/* ---- accounts ---- */

static void track_accounts(struct fit *x)
{
	const fs_snapshot *m = x->m;
	const double half_digit = m->head.whole_shares ? 1e-12 : 0.5e-6, root = (double)x->usage[0];
	double below, above;

	captured_error(m, &below, &above);
	for (uint32_t i = 0; i < m->association.n; i++)
		x->track[i] = FSI_NO_INDEX;
	for (size_t k = 0; k < m->recorded.n; k++) {
		const struct fsi_recorded *r = &m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_by_id(m, r->association)
					   : FSI_NO_INDEX;

		if (i == FSI_NO_INDEX || i == 0 || m->association.v[i].user || x->track[i] != FSI_NO_INDEX)
			continue;
		x->track[i] = (uint32_t)x->rows;
		x->row[x->rows++] = (struct tracked){
			.row = i,
			.printed = r->norm_usage,
			.error = half_digit + fmax(below, above) / root *
						      ((double)(m->tree[i].end - i) +
						       r->norm_usage * (double)m->association.n),
		};
	}
}

static void split_rates(struct fit *x)
{
	for (uint32_t k = 0; k < x->w.rates.n; k++) {
		const struct fsi_rate *r = &x->w.rates.v[k];

		if (r->start > x->earliest || r->end != INT64_MAX) {
			x->young[x->youngs++] = k;
			continue;
		}
		x->root_before += r->rate;
		for (uint32_t i = r->row; i != FSI_NO_INDEX; i = x->m->tree[i].parent)
			if (x->track[i] != FSI_NO_INDEX)
				x->row[x->track[i]].before += r->rate;
	}
}

/* What fsi_moments_fill computes, for accounts alone. */
static long double moments_fit_find_missing(struct fit *x, int64_t run, int64_t before)
{
	const struct fsi_rates *rates = &x->w.rates;
	const double once = run > before ? fsi_decay_at_once(&rates->decay, run - before) : 0;
	long double root = x->root_before * once;

	for (size_t k = 0; k < x->rows; k++)
		x->row[k].missing = x->row[k].before * once;
	for (size_t k = 0; k < x->youngs; k++) {
		const struct fsi_rate *r = &rates->v[x->young[k]];
		double charge = r->end > run ? fsi_rate_charge(rates, r, before, run) : 0;

		if (r->end != INT64_MAX && rates->decay.charges_job_end)
			charge += fsi_rate_charge(rates, r, run, r->end);
		root += charge;
		for (uint32_t i = charge > 0 ? r->row : FSI_NO_INDEX; i != FSI_NO_INDEX; i = x->m->tree[i].parent)
			if (x->track[i] != FSI_NO_INDEX)
				x->row[x->track[i]].missing += charge;
	}
	return root;
}

static struct found try_runs(struct fit *x, int64_t run, int64_t before)
{
	struct found out = { .run = run, .before = before };
	const long double root = moments_fit_find_missing(x, run, before);

	for (size_t k = 0; k < x->rows; k++) {
		const struct tracked *t = &x->row[k];
		const struct fsi_missing missing = { t->missing, root };
		const double off = (double)fsi_moment_share(&missing, x->usage[t->row], x->usage[0]) - t->printed;

		out.score += off * off;
		out.agree += fabs(off) <= t->error;
	}
	return out;
}

static void keep_better(struct found *best, struct found other)
{
	if (other.score < best->score)
		*best = other;
}

static int64_t step_at(int64_t distance)
{
	return distance < CLOSE_S ? 1 : distance / FINER;
}

/* The best run before a given one; *worst: the worst score of all that were tried. */
static struct found best_before(struct fit *x, int64_t run, double *worst)
{
	const int64_t furthest = run - x->earliest;
	struct found best = try_runs(x, run, run - fsi_calc_period(x->m));
	int64_t coarse;

	*worst = best.score;
	for (int64_t d = 0; d <= furthest; d += step_at(d)) {
		const struct found here = try_runs(x, run, run - d);

		*worst = fmax(*worst, here.score);
		keep_better(&best, here);
	}
	coarse = run - best.before;
	for (int64_t d = coarse - step_at(coarse) + 1; d < coarse + step_at(coarse); d++)
		if (d >= 0)
			keep_better(&best, try_runs(x, run, run - d));
	return best;
}

/* The times at which the run may have been: one that was printed is right to the second, one that is counted from
 * the start may be off. */
static struct range run_range(const fs_snapshot *m)
{
	const int64_t error = m->info.priority_time_error_s;

	if (!strcmp(m->info.priority_time_from, FSI_RUN_FROM_START))
		return (struct range){ 0, LATE_START_S };
	if (error <= 0)
		return (struct range){ 0, 0 };
	return error < MAX_OFF_S ? (struct range){ -error, error } : (struct range){ -MAX_OFF_S, MAX_OFF_S };
}

/* Another run is taken only if it decides for more rows, or fits by far better. */
static void try_other_run(struct fit *x, struct found *best, int64_t run)
{
	struct found other;
	double worst;

	if (run == best->run || run > x->m->head.time || run <= x->earliest)
		return;
	other = best_before(x, run, &worst);
	if (other.agree > best->agree || (other.agree == best->agree && other.score < best->score / 4))
		*best = other;
}

static void find_runs(struct fit *x, struct found *best, double *worst)
{
	const int64_t first = x->m->info.priority_time, period = fsi_calc_period(x->m);
	const struct range range = run_range(x->m);
	const bool by_start = !strcmp(x->m->info.priority_time_from, FSI_RUN_FROM_START);

	*best = best_before(x, first, worst);
	for (int64_t s = range.from; s <= range.to; s++) {
		try_other_run(x, best, first + s);
		if (by_start)
			try_other_run(x, best, first + s - period);
	}
}

/* How well what was printed of users comes out: of those whom the run computed, or of the others. */
static double score_of_users(struct fit *x, const struct fsi_moment_times *t, bool by_run)
{
	double score = 0;

	fsi_moments_fill(&x->w, t, x->of_users);
	for (size_t k = 0; k < x->m->recorded.n; k++) {
		const struct fsi_recorded *r = &x->m->recorded.v[k];
		const uint32_t i = FSI_HAS(r, RECORDED, association) && FSI_HAS(r, RECORDED, norm_usage)
					   ? fsi_assoc_by_id(x->m, r->association)
					   : FSI_NO_INDEX;
		double off;

		if (i == FSI_NO_INDEX || !x->m->association.v[i].user || (x->w.turn[i] != UINT64_MAX) != by_run)
			continue;
		off = (double)fsi_moment_share(&x->of_users[i], x->usage[i], x->usage[0]) - r->norm_usage;
		score += off * off;
	}
	return score;
}

/* How far from the best one a run before may be for as many accounts to agree. */
static int64_t spread(struct fit *x, const struct found *best, int64_t step)
{
	int64_t s = 0;

	while (s < CLOSE_S && best->before + step * (s + 1) <= best->run &&
	       try_runs(x, best->run, best->before + step * (s + 1)).agree >= best->agree)
		s++;
	return s;
}

/* Of the seconds that accounts leave open, takes the one with which most of what was printed of users comes out. */
static int64_t decide_by_users(struct fit *x, const struct found *best, int64_t from, int64_t to)
{
	struct fsi_moment_times t = { best->run, best->before, x->m->head.time, best->run };
	double min = score_of_users(x, &t, true);
	int64_t found = best->before, step = (to - from) / MAX_TRIES + 1;

	for (;; step = 1) {
		for (t.before = from; t.before <= to; t.before += step) {
			const double score = score_of_users(x, &t, true);

			if (score < min) {
				min = score;
				found = t.before;
			}
		}
		if (step == 1)
			return found;
		from = found - step > from ? found - step : from;
		to = found + step < to ? found + step : to;
	}
}

static int put_runs(struct fit *x, const struct found *best, bool by_shares)
{
	struct fsi_header *h = &x->m->head;

	if (by_shares && best->run != x->m->info.priority_time) {
		h->priority_time = best->run;
		h->priority_time_from = fsi_name(x->m, FSI_RUN_FROM_SHARES);
		h->priority_time_error_s = 0;
		FSI_SET(h, SNAPSHOT, priority_time);
		FSI_SET(h, SNAPSHOT, priority_time_from);
		FSI_SET(h, SNAPSHOT, priority_time_error_s);
	}
	h->priority_time_before = x->m->info.priority_time - fsi_calc_period(x->m);
	if (by_shares) {
		const int64_t from = best->before - spread(x, best, -1), to = best->before + spread(x, best, 1);
		const int64_t found = from < to ? decide_by_users(x, best, from, to) : best->before;

		h->priority_time_before = found;
		h->priority_time_before_error_s = (uint32_t)(to - found > found - from ? to - found : found - from);
		FSI_SET(h, SNAPSHOT, priority_time_before_error_s);
	}
	h->priority_time_before_from = fsi_name(x->m, by_shares ? FSI_RUN_FROM_SHARES : FSI_RUN_FROM_PERIOD);
	FSI_SET(h, SNAPSHOT, priority_time_before);
	FSI_SET(h, SNAPSHOT, priority_time_before_from);
	fsi_set_last_run(x->m);
	return h->priority_time_from == FSI_INTERN_FAILED || h->priority_time_before_from == FSI_INTERN_FAILED ? -1 : 0;
}

/* The first question came before or after each job that ended since the run: the stretch with which most comes out
 * is taken. */
static void find_asked(struct fit *x)
{
	const size_t n = x->w.rates.n, step = n / MAX_TRIES + 1;
	struct fsi_moment_times t = fsi_moment_times(x->m, NULL);
	const double unasked = score_of_users(x, &t, false);
	double best = unasked;

	for (size_t k = 0; k < n + 1; k += step) {
		const int64_t end = k ? x->w.rates.v[x->w.by_end[k - 1]].end : t.run;
		double score;

		if (end < t.run || end == INT64_MAX)
			continue;
		t.asked = end;
		score = score_of_users(x, &t, false);
		if (score < best) {
			best = score;
			x->m->head.shares_time = end;
		}
	}
	if (best < unasked)
		FSI_SET(&x->m->head, SNAPSHOT, shares_time);
	fsi_set_last_run(x->m);
}

/* ---- */

static int moments_fit_prepare(struct fit *x)
{
	const fs_snapshot *m = x->m;
	const int64_t period = fsi_calc_period(m), run = m->info.priority_time;
	const size_t n = m->association.n + 1;
	int64_t start, back = 2 * period + CLOSE_S;

	if (fsi_start_time(m, &start) && run - start < period)
		back = FURTHEST_S; /* the run before was in the life of the controller before */
	x->earliest = run - (back < FURTHEST_S ? back : FURTHEST_S);
	if (fsi_moments_init(&x->w, m, NULL, run - period - LATE_START_S, &x->arena))
		return -1;
	x->usage = fsi_arena_array(&x->arena, n, sizeof(*x->usage));
	x->row = fsi_arena_array(&x->arena, n, sizeof(*x->row));
	x->track = fsi_arena_array(&x->arena, n, sizeof(*x->track));
	x->young = fsi_arena_array(&x->arena, x->w.rates.n + 1, sizeof(*x->young));
	x->of_users = fsi_arena_array(&x->arena, n, sizeof(*x->of_users));
	if (!x->usage || !x->of_users || !x->row || !x->track || !x->young)
		return -1;
	fsi_usage_totals(m, NULL, x->usage);
	track_accounts(x);
	split_rates(x);
	return 0;
}

static int fit(struct fit *x)
{
	struct found best = { 0 };
	double worst = 0;
	bool by_shares;

	if (moments_fit_prepare(x))
		return -1;
	if (x->rows && x->usage[0] > 0)
		find_runs(x, &best, &worst);
	by_shares = x->rows && best.score < worst && 10 * best.agree >= 9 * x->rows;
	if (put_runs(x, &best, by_shares))
		return -1;
	find_asked(x);
	return 0;
}

/* Writes to the header of such a snapshot with classic fair share, and to m->info, the times of the last run and of
 * the one before it with which what was printed comes out; where none does, the run before was a period before. -1
 * without memory. */
static int moments_fit(fs_snapshot *m)
{
	struct fit x = { .m = m };
	int rc;

	if (!fsi_algorithm_find(m, NULL)->mixes_moments || !m->info.priority_time_known)
		return 0;
	rc = fit(&x);
	fsi_arena_release(&x.arena);
	return rc;
}

/* fs_import_infer: what only a computation can tell about a capture. */

int fs_import_infer(fs_snapshot *m, struct fs_error *err)
{
	if (!narrow_possible(m))
		return 0;
	const int rc = fsi_infer_list_order(m) || fsi_infer_new_tree(m) || moments_fit(m) || fsi_narrow_usage(m);

	return rc ? fsi_nomem(err) : 0;
}
