/* The pieces of a priority of Maui's. Between ends of windows and of jobs it is
 *
 *   A + B t + C / T(t)    T: all usage that counts, itself a line
 *
 * since what waits is a line, and each percentage one over T. Where a cap is reached, or a factor or the sum gets to a
 * bound (libfs/priority/maui.c), another piece begins. The difference of two such has at most one place at which it
 * turns, A, B and C following from three of its values, so that from a moment to the next it has its sign at both, or
 * changes it once. */
#include "forecast/forecast.h"

#include <math.h>
#include <string.h>

enum { MOST_BENDS = 24 }; /* in one piece: each job reaches each of its bounds once */

/* ---- bounds */

/* On which side of each of its bounds a job's priority is. */
struct side {
	uint64_t cut, zero; /* by term: over its cap; 0 */
	bool listed, raised, most, target;
	unsigned caps; /* as fsi_maui_caps has them */
};

struct moment {
	fsi_moment k;
	struct side *side; /* by place in f->job */
	unsigned *caps;	   /* likewise */
	double *lead;	   /* by rival */
	double total;	   /* usage that counts */
};

static struct side side_of(const struct fs_prio_row *row, const struct fs_prio_term *weights)
{
	const double reached = 1e8;
	struct side s = { .listed = true };

	for (size_t t = 0; t < row->nterms; t++) {
		s.cut |= (uint64_t)(row->terms[t].cut > 0) << t;
		s.zero |= (uint64_t)!(row->terms[t].value != 0) << t;
		s.target |= !strcmp(weights[t].name, "target/xfactor") && row->terms[t].value + row->terms[t].cut >= reached;
	}
	for (size_t i = 0; i < row->nsteps; i++) {
		s.raised |= row->steps[i].step == FS_STEP_RAISED;
		s.most |= row->steps[i].step == FS_STEP_CUT;
	}
	return s;
}

static bool same_side(const struct side *a, const struct side *b)
{
	return a->cut == b->cut && a->zero == b->zero && a->listed == b->listed && a->raised == b->raised &&
	       a->most == b->most && a->target == b->target && a->caps == b->caps;
}

static bool same_piece(const struct fs_forecast *f, const struct moment *a, const struct moment *b)
{
	for (size_t i = 0; i < f->njobs; i++)
		if (!same_side(&a->side[i], &b->side[i]))
			return false;
	return true;
}

static int look(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, struct moment *out)
{
	struct fsi_state s;
	int rc = fsi_forecast_state(f, a, k, FSI_STATE_PRIOS, &s);

	out->k = k;
	if (!rc)
		rc = fsi_forecast_caps(f, a, out->caps);
	for (size_t i = 0; i < f->njobs && !rc; i++) {
		const size_t at = fsi_forecast_row_of(f, s.prios, f->job[i]);
		struct fs_prio_row row;

		out->side[i] = (struct side){ 0 };
		if (at != FS_NO_ROW) {
			fs_prios_row(s.prios, at, &row);
			out->side[i] = side_of(&row, fs_prios_weights(s.prios));
		}
		out->side[i].caps = out->caps[i];
	}
	for (size_t i = 0; i < f->rival.n && !rc; i++)
		out->lead[i] = fsi_forecast_lead(f, s.prios, &f->rival.v[i]);
	if (!rc)
		out->total = (double)fs_shares_row(s.shares, 0)->raw_usage;
	fsi_forecast_release(&s);
	return rc;
}

static int new_moment(struct fs_forecast *f, struct moment *m)
{
	m->side = fsi_arena_array(&f->arena, f->njobs + 1, sizeof(*m->side));
	m->caps = fsi_arena_array(&f->arena, f->njobs + 1, sizeof(*m->caps));
	m->lead = fsi_arena_array(&f->arena, f->rival.n + 1, sizeof(*m->lead));
	return m->side && m->caps && m->lead ? 0 : -1;
}

static void swap(struct moment *a, struct moment *b)
{
	const struct moment m = *a;

	*a = *b;
	*b = m;
}

/* ---- events of the job */

static int record_whenever(struct fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, fsi_moment k)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, kind);

	e.time = fsi_forecast_time(f, k);
	return fsi_forecast_record(f, &e);
}

static int record(struct fs_forecast *f, enum fs_assumption a, enum fs_forecast_kind kind, fsi_moment k)
{
	return k <= f->until ? record_whenever(f, a, kind, k) : 0;
}

/* Records that caps begin or cease to hold the job back; that they cease for the first time, whenever it is. */
static int record_caps(struct fs_forecast *f, enum fs_assumption a, const struct side *x, const struct side *y,
		       fsi_moment k)
{
	const bool first = !(f->let_through >> a & 1);

	if (!x->caps == !y->caps || !(f->capped || x->listed || y->listed))
		return 0;
	if (y->caps)
		return record(f, a, FS_FORECAST_CAPPED, k);
	f->let_through |= 1u << a;
	return first && f->capped ? record_whenever(f, a, FS_FORECAST_UNCAPPED, k)
				  : record(f, a, FS_FORECAST_UNCAPPED, k);
}

static int record_never_let_through(struct fs_forecast *f, enum fs_assumption a)
{
	struct fs_forecast_event e = fsi_forecast_event(f, 1u << a, FS_FORECAST_UNCAPPED);

	e.never = f->endless;
	return f->capped && !(f->let_through >> a & 1) ? fsi_forecast_record(f, &e) : 0;
}

static size_t own_place(const struct fs_forecast *f)
{
	size_t own = 0;

	while (own < f->njobs && f->job[own] != f->o.job_row)
		own++;
	return own;
}

static int record_bounds(struct fs_forecast *f, enum fs_assumption a, const struct moment *before,
			 const struct moment *after)
{
	static const struct {
		const char *term;
		enum fs_forecast_kind kind;
		bool is_cap;
	} told[] = { { "service/queuetime", FS_FORECAST_QUEUETIME_FULL, true },
		     { "service/xfactor", FS_FORECAST_XFACTOR_FULL, true },
		     { "service/cap", FS_FORECAST_SERVICE_FULL, false } };
	const fs_prios *p = f->o.eval->prios;
	const size_t own = own_place(f);

	if (record_caps(f, a, &before->side[own], &after->side[own], after->k))
		return -1;
	for (size_t t = 0; t < fs_prios_terms(p); t++)
		for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
			const struct side *x = &before->side[own], *y = &after->side[own];
			const uint64_t bits = told[i].is_cap ? ~x->cut & y->cut : x->zero & ~y->zero;

			if (x->listed && bits >> t & 1 && !strcmp(fs_prios_weights(p)[t].name, told[i].term) &&
			    fs_prios_weights(p)[t].weight != 0 && record(f, a, told[i].kind, after->k))
				return -1;
		}
	return !before->side[own].target && after->side[own].target && before->side[own].listed
		       ? record(f, a, FS_FORECAST_XFACTOR_TARGET, after->k)
		       : 0;
}

/* ---- pieces */

/* Moves lo to the last moment that is on the same side of all bounds as it, and mid to the one after. */
static int find_bound(struct fs_forecast *f, enum fs_assumption a, struct moment *lo, struct moment *mid,
		      fsi_moment hi)
{
	int rc = 0;

	while (!rc && hi - lo->k > 1) {
		rc = look(f, a, lo->k + (hi - lo->k) / 2, mid);
		if (same_piece(f, lo, mid))
			swap(lo, mid);
		else
			hi = mid->k;
	}
	return rc ? rc : look(f, a, hi, mid);
}

/* Where the difference A + B s + C / (1 + r s), s from 0 to 1, turns, if it has another sign there than at both ends;
 * NAN: nowhere. Its values are those at 0, h and 1. */
static double turn(double g0, double h, double gh, double g1, double r)
{
	const double c = (gh - (1 - h) * g0 - h * g1) / (1 / (1 + r * h) - (1 - h) - h / (1 + r)),
		     b = g1 - g0 - c * (1 / (1 + r) - 1), s = (sqrt(c * r / b) - 1) / r;

	if (fsi_sign(g0) != fsi_sign(g1) || !(s > 0 && s < 1) ||
	    fsi_sign(g0 - c + b * s + c / (1 + r * s)) == fsi_sign(g0))
		return (double)NAN;
	return s;
}

/* Notes the moments within a piece at which rivals come closest and pass twice. */
static int note_turns(struct fs_forecast *f, enum fs_assumption a, const struct moment *lo, const struct moment *hi,
		      struct moment *mid, struct fsi_moments *to)
{
	const double r = hi->total / lo->total - 1, flat = 1e-9, n = (double)(hi->k - lo->k);
	int rc = 0;

	if (hi->k - lo->k < 3 || !(lo->total > 0) || !(fabs(r) > flat))
		return 0;
	rc = look(f, a, lo->k + (hi->k - lo->k) / 2, mid);
	for (size_t i = 0; i < f->rival.n && !rc; i++) {
		const double s = turn(lo->lead[i], (double)(mid->k - lo->k) / n, mid->lead[i], hi->lead[i], r);

		if (!isnan(s) && fsi_forecast_note(f, to, lo->k + (fsi_moment)(s * n) + 1))
			rc = FS_ENOMEM;
	}
	return rc;
}

/* Cuts what lies between two moments into pieces; lo becomes the second. */
static int cut(struct fs_forecast *f, enum fs_assumption a, struct moment m[3], fsi_moment to, struct fsi_moments *more)
{
	struct moment *lo = &m[0], *hi = &m[1], *mid = &m[2];
	int rc = 0;

	for (int bends = 0; !rc && lo->k < to; bends++) {
		rc = look(f, a, to, hi);
		if (!rc && (same_piece(f, lo, hi) || bends == MOST_BENDS)) {
			rc = note_turns(f, a, lo, hi, mid, more);
			swap(lo, hi);
			continue;
		}
		if (!rc)
			rc = find_bound(f, a, lo, mid, to);
		if (!rc && (fsi_forecast_note(f, more, mid->k) || record_bounds(f, a, lo, mid)))
			rc = FS_ENOMEM;
		swap(lo, mid);
	}
	return rc;
}

int fsi_forecast_cut(struct fs_forecast *f, enum fs_assumption a)
{
	struct fsi_moments more = { 0 };
	struct moment m[3] = { { 0 } };
	int rc = 0;

	for (int i = 0; i < 3 && !rc; i++)
		rc = new_moment(f, &m[i]) ? FS_ENOMEM : 0;
	if (!rc && f->njobs)
		rc = look(f, a, 0, &m[0]);
	if (!rc && f->njobs && !m[0].caps[own_place(f)])
		f->let_through |= 1u << a;
	for (size_t i = 0; i < f->bend.n && f->njobs && !rc; i++)
		rc = cut(f, a, m, f->bend.v[i], &more);
	if (!rc && f->njobs && record_never_let_through(f, a))
		rc = FS_ENOMEM;
	for (size_t i = 0; i < more.n && !rc; i++)
		rc = fsi_forecast_note_one(f, &f->bend, more.v[i]) ? FS_ENOMEM : 0;
	fsi_forecast_sort(&f->bend);
	FSI_VEC_FREE(&more);
	return rc;
}
