/* Two users of Fair Tree, and of Flux, are compared where their ways to the root part: by usage over shares of the two
 * siblings there. That of either is a sum that decays and what is added at constant rates, so that their difference is
 * linear in decay between the moments at which rates change, and meets 0 there at most once. */
#include "forecast/forecast.h"

#include <math.h>

static double shares_of(const struct fs_share_row *r)
{
	return r->counted && r->shares_kind == FS_SHARES_NUMBER ? r->raw_shares : 0;
}

/* Negative where a is ahead. */
static double difference(const fs_usage *u, const struct fsi_pair *p)
{
	const double noise = 1e-12;
	const double a = fs_usage_total(u, p->a) * p->shares_b, b = fs_usage_total(u, p->b) * p->shares_a;

	return fabs(a - b) <= noise * (a + b) ? 0 : a - b;
}

static int add_siblings(struct fs_forecast *f, uint32_t a, bool own)
{
	const fs_shares *s = f->o.eval->shares;
	size_t next = FS_NO_ROW;

	for (uint32_t b = 0; b < fs_shares_count(s); b++) {
		const struct fs_share_row *row = fs_shares_row(s, b);
		const struct fsi_pair p = { .a = a,
					    .b = b,
					    .own = own && row->visible,
					    .shares_a = shares_of(fs_shares_row(s, a)),
					    .shares_b = shares_of(row) };

		if (a == b || f->parent[b] != f->parent[a] || p.shares_a == 0 || p.shares_b == 0 || f->paired[b])
			continue;
		if (FSI_VEC_ROOM(&f->pair))
			return -1;
		if (p.own && row->level_fs > fs_shares_row(s, a)->level_fs &&
		    (next == FS_NO_ROW || row->level_fs < fs_shares_row(s, f->pair.v[next].b)->level_fs))
			next = f->pair.n;
		f->pair.v[f->pair.n++] = p;
	}
	if (next != FS_NO_ROW)
		f->pair.v[next].next = true;
	f->paired[a] = true;
	return 0;
}

int fsi_forecast_add_pairs(struct fs_forecast *f, uint32_t row, bool own)
{
	if (row == FS_NO_ROW || !fs_shares_has_levels(f->o.eval->shares))
		return 0;
	for (uint32_t a = row; a != FS_NO_ROW && f->parent[a] != FS_NO_ROW; a = f->parent[a])
		if (fs_shares_row(f->o.eval->shares, a)->shares_kind == FS_SHARES_NUMBER && !f->paired[a] &&
		    add_siblings(f, a, own))
			return -1;
	return 0;
}

struct question {
	struct fs_forecast *f;
	enum fs_assumption a;
	const struct fsi_pair *pair;
};

static int ask(void *ctx, fsi_moment k, double *g)
{
	const struct question *q = ctx;
	struct fsi_state s;
	const int rc = fsi_forecast_state(q->f, q->a, k, FSI_STATE_USAGE, &s);

	if (!rc)
		*g = difference(s.usage, q->pair);
	fsi_forecast_release(&s);
	return rc;
}

static int record_pass(struct fs_forecast *f, enum fs_assumption a, struct fsi_pair *p, fsi_moment k, bool passes)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, passes ? FS_FORECAST_PASSES : FS_FORECAST_PASSED);
	int rc;

	e.time = fsi_forecast_time(f, k);
	e.own = p->a;
	e.other = p->b;
	if (passes)
		p->met |= 1u << a;
	if (k > f->until && !(p->next && passes))
		return 0;
	rc = fsi_forecast_look(f, a, k, &e);
	return rc ? rc : fsi_forecast_record(f, &e) ? FS_ENOMEM : 0;
}

static int flip(struct fs_forecast *f, enum fs_assumption a, struct fsi_pair *p, fsi_moment lo, double g_lo,
		fsi_moment hi, double g_hi)
{
	struct question q = { f, a, p };
	fsi_moment k;
	int rc = fsi_forecast_solve(f, ask, &q, true, lo, g_lo, hi, g_hi, &k);

	if (!rc && fsi_forecast_note(f, &f->flip, k))
		rc = FS_ENOMEM;
	if (!rc && p->own)
		rc = record_pass(f, a, p, k, g_hi < 0);
	return rc;
}

int fsi_forecast_flips(struct fs_forecast *f, enum fs_assumption a)
{
	const size_t n = f->bend.n;
	double *g = fsi_arena_array(&f->arena, f->pair.n + 1, sizeof(*g));
	int rc = g ? 0 : FS_ENOMEM;

	for (size_t i = 0; i < n && !rc && f->pair.n; i++) {
		const fsi_moment k = f->bend.v[i], before = i ? f->bend.v[i - 1] : 0;
		struct fsi_state s;

		rc = fsi_forecast_state(f, a, k, FSI_STATE_USAGE, &s);
		for (size_t j = 0; j < f->pair.n && !rc; j++) {
			struct fsi_pair *p = &f->pair.v[j];
			const double d = difference(s.usage, p);

			/* Siblings that draw level have not passed each other; if both use their shares they stay
			 * level in the end. */
			if (i && fsi_sign(d) && fsi_sign(d) != fsi_sign(g[j]))
				rc = flip(f, a, p, before, g[j], k, d);
			if (!i || fsi_sign(d))
				g[j] = d;
		}
		fsi_forecast_release(&s);
	}
	return rc;
}

int fsi_forecast_unmet_pairs(struct fs_forecast *f)
{
	for (size_t i = 0; i < f->pair.n; i++)
		for (int a = 0; f->pair.v[i].next && a < FS_ASSUMPTION_COUNT; a++) {
			struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_PASSES);

			e.never = fsi_forecast_exact(f, (enum fs_assumption)a);
			e.own = f->pair.v[i].a;
			e.other = f->pair.v[i].b;
			if (!(f->pair.v[i].met >> a & 1) && fsi_forecast_record(f, &e))
				return -1;
		}
	return 0;
}
