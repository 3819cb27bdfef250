/* Classic fair share as bounds on usage. Effective usage is a mean of NormUsage along the way to the root, with the
 * shares as weights (classic.c); FairShare, 2^(-E / S / d), tells more digits of it than EffectvUsage where shares S
 * are small.
 *
 *   E = sum of w(k) n(k), n(k) = (t(k) - own(k)) / (t(root) - root(k)), k from the row up to below the root */
#include "fairshare/narrow.h"

#include <math.h>

/* Half of the last of six decimals, and of seven of sprio, a little less: narrow_decimals.c. */
static const double half_digit = 0.4998e-6, half_seventh = 0.4998e-7;

void fsi_narrow_sum(const struct fsi_narrow *w, const double *own, double *total)
{
	for (uint32_t i = 0; i < w->f->n; i++)
		total[i] = own[i];
	for (uint32_t i = w->f->n; i-- > 1;)
		if (!w->m->tree[i].uncounted)
			total[w->m->tree[i].parent] += total[i];
}

void fsi_narrow_shift(struct fsi_narrow *w, uint32_t j, double by)
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

	if (factor - half > 0 && factor <= 1 && scale > 0 &&
	    !fsi_uses_parent_shares(&w->m->association.v[i]))
		narrow_to(w, i, fmax(0, -log2(factor + half)) * scale, -log2(factor - half) * scale);
}

/* The association whose factor the jobs of this one have: with `parent` shares the first ancestor with shares of its
 * own (priority_multifactor.c:_get_fairshare_priority). FSI_NO_INDEX if that is the root. */
static uint32_t factor_is_of(const struct fsi_narrow *w, uint32_t i)
{
	const uint32_t of =
		fsi_uses_parent_shares(&w->m->association.v[i]) ? w->f->share[i].fs_parent : i;

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

void fsi_narrow_classic_bounds(struct fsi_narrow *w)
{
	for (uint32_t i = 0; i < w->f->n; i++) {
		const struct fsi_recorded *r = w->rec[i];

		w->effective_lo[i] = w->effective_hi[i] = NAN;
		if (!r || w->f->share[i].fs_parent == FSI_NO_INDEX)
			continue;
		if (FSI_HAS(r, RECORDED, effective_usage))
			narrow_to(w, i, r->effective_usage - half_digit, r->effective_usage + half_digit);
		if (FSI_HAS(r, RECORDED, factor))
			narrow_by_factor(w, i, r->factor, half_digit);
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

bool fsi_narrow_hold_effective(struct fsi_narrow *w, uint32_t i)
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
			fsi_narrow_shift(w, j, by * slope(w, &y, j) / norm);
	fsi_narrow_sum(w, w->x, w->total);
	return false;
}
