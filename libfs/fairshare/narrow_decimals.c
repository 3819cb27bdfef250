/* Numbers printed with six decimals as bounds on usage: projections onto one after the other (Kaczmarz' method for
 * inequalities), which end where all hold.
 *
 *   RawUsage   whole(t)        t in [R, R + 1)
 *   NormUsage  t / t(root)     in [P - h, P + h], h half a digit
 *   EffectvUsage, LevelFS (Fair Tree)  t / t(fs parent) in [E - h, E + h], [S / (L + h), S / (L - h)]
 *   EffectvUsage, FairShare (classic)  narrow_classic.c
 *
 * In ratios t is without what was not yet charged when they were computed. */
#include "fairshare/narrow.h"

enum { SWEEPS = 30000 };

/* A little less than half a digit: what is reached prints as wanted, and the truth is hardly ever shut out. */
static const double half_digit = 0.4998e-6;

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
			fsi_narrow_shift(w, j, by * (in_subtree(w, j, i) ? within : -ratio) / norm);
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
				      (struct span){ r->effective_usage - half_digit,
						     r->effective_usage + half_digit });
	if (FSI_HAS(r, RECORDED, level_fs) && r->level_fs > half_digit && s->shares_norm > 0)
		held &= hold_possible(w, i, p, g,
				      (struct span){ s->shares_norm / (r->level_fs + half_digit),
						     s->shares_norm / (r->level_fs - half_digit) });
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
		held &= hold_possible(
			w, i, 0, (struct gone){ (double)w->missing[i].own, (double)w->missing[i].root },
			(struct span){ r->norm_usage - half_digit, r->norm_usage + half_digit });
	if (w->levels)
		held &= hold_levels(w, i, p);
	else
		held &= fsi_narrow_hold_effective(w, i);
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
	fsi_narrow_sum(w, w->x, w->total);
}

void fsi_narrow_decimals(struct fsi_narrow *w)
{
	bool held = false;

	fsi_narrow_sum(w, w->lo, w->total_lo);
	fsi_narrow_sum(w, w->hi, w->total_hi);
	fsi_narrow_sum(w, w->x, w->total);
	for (int k = 0; k < SWEEPS && !held && w->work; k++) {
		held = true;
		for (uint32_t i = 0; i < w->f->n && w->work; i++)
			held &= hold_row(w, i);
		hold_groups(w);
	}
}
