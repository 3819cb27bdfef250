#include "base/error.h"
#include "base/num.h"
#include "forecast/forecast.h"
#include "model/scheduler.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- events */

const char *fs_forecast_kind_name(enum fs_forecast_kind kind)
{
	static const char *const names[] = { FS_FORECAST_EVENTS(FSI_NAME) };

	return names[kind];
}

struct fs_forecast_event fsi_forecast_make_event(const struct fs_forecast *f, unsigned assumptions,
						 enum fs_forecast_kind kind)
{
	return (struct fs_forecast_event){ .kind = kind,
					   .assumptions = assumptions,
					   .time = FS_UNKNOWN,
					   .own = FS_NO_ROW,
					   .other = FS_NO_ROW,
					   .job = f->o.job_row,
					   .other_job = FS_NO_ROW };
}

int fsi_forecast_record_event(struct fs_forecast *f, const struct fs_forecast_event *e)
{
	if (FSI_VEC_RESERVE(&f->event))
		return -1;
	f->event.v[f->event.n++] = *e;
	return 0;
}

bool fsi_forecast_is_exact(const struct fs_forecast *f, enum fs_assumption a)
{
	return f->range.endless && (f->windows || a == FS_ASSUME_IDLE || f->running_rate == 0 || f->row == FS_NO_ROW ||
				    fs_shares_has_levels(f->o.eval->shares));
}

static int compare_event_times(const void *x, const void *y)
{
	const struct fs_forecast_event *a = x, *b = y;
	const bool no_a = a->time == FS_UNKNOWN, no_b = b->time == FS_UNKNOWN;

	if (no_a != no_b)
		return no_a ? 1 : -1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->other_job != b->other_job)
		return a->other_job < b->other_job ? -1 : 1;
	if (a->other != b->other)
		return a->other < b->other ? -1 : 1;
	return (a->assumptions > b->assumptions) - (a->assumptions < b->assumptions);
}

/* Compares two doubles. NAN sorts before all numbers. */
static int compare_nan_first(double a, double b)
{
	return isnan(a) || isnan(b) ? !isnan(a) - !isnan(b) : (a > b) - (a < b);
}

/* Compares the contents of two events. Returns 0 if the events are equal except for their assumptions. */
static int compare_event_contents(const void *x, const void *y)
{
	const struct fs_forecast_event *a = x, *b = y;
	const double v[][2] = {
		{ (double)a->time, (double)b->time },
		{ a->kind, b->kind },
		{ a->own, b->own },
		{ a->other, b->other },
		{ (double)a->window, (double)b->window },
		{ a->job, b->job },
		{ a->other_job, b->other_job },
		{ a->never, b->never },
		{ a->before.rank, b->before.rank },
		{ a->before.fairshare, b->before.fairshare },
		{ a->before.priority, b->before.priority },
		{ a->after.rank, b->after.rank },
		{ a->after.fairshare, b->after.fairshare },
		{ a->after.priority, b->after.priority },
	};
	int c = 0;

	for (size_t i = 0; i < sizeof(v) / sizeof(*v) && !c; i++)
		c = compare_nan_first(v[i][0], v[i][1]);
	return c;
}

void fsi_forecast_sort_events(struct fs_forecast *f)
{
	struct fs_forecast_event *v = f->event.v;
	size_t n = 0;

	if (!f->event.n)
		return;
	qsort(v, f->event.n, sizeof(*v), compare_event_contents);
	for (size_t i = 0; i < f->event.n; i++)
		if (n && !compare_event_contents(&v[n - 1], &v[i]))
			v[n - 1].assumptions |= v[i].assumptions;
		else
			v[n++] = v[i];
	f->event.n = n;
	qsort(v, n, sizeof(*v), compare_event_times);
}

/* ---- calculations and states
 *
 * Calculation k is the k-th run of Slurm's decay thread, or the k-th iteration of Maui, after the snapshot's time. A
 * state is the snapshot as it will be at one calculation. */

int64_t fsi_forecast_time_of(const struct fs_forecast *f, fsi_calculation k)
{
	return k <= 0 ? f->clock.now
		      : f->clock.base + (fsi_divide_rounding_down(f->clock.now - f->clock.base, f->clock.period_s) +
					 k) * f->clock.period_s;
}

fsi_calculation fsi_forecast_calculation_at(const struct fs_forecast *f, int64_t t)
{
	if (t <= f->clock.now)
		return 0;
	return -fsi_divide_rounding_down(f->clock.base - t, f->clock.period_s) -
	       fsi_divide_rounding_down(f->clock.now - f->clock.base, f->clock.period_s);
}

static int compute_usage_at(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k, fs_usage **out)
{
	struct fs_usage_options o = { .at_set = true, .at = fsi_forecast_time_of(f, k), .totals_only = true };
	int rc;

	o.running = a == FS_ASSUME_RUNNING ? FS_RUNNING_TO_LIMIT
		    : a == FS_ASSUME_AS_NOW ? FS_RUNNING_FOR_EVER
					    : FS_RUNNING_NONE;
	o.rate = a == FS_ASSUME_SHARES ? f->rate : NULL;
	rc = fs_usage_begin(out, f->m, &o, f->err);
	return rc ? rc : fs_usage_finish(*out, f->err);
}

int fsi_forecast_compute_state(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k,
			       enum fsi_forecast_part part, struct fsi_forecast_state *out)
{
	struct fs_prios_options p = { .view = f->o.view, .jobs = f->job, .njobs = f->njobs };
	const fs_snapshot *m = f->windows ? f->windows[a].m : f->m;
	int rc;

	*out = (struct fsi_forecast_state){ 0 };
	rc = f->windows ? fsi_window_clock_set(&f->windows[a], fsi_forecast_time_of(f, k), f->err)
			: compute_usage_at(f, a, k, &out->usage);
	p.view.usage = k > 0 ? out->usage : NULL;
	if (!rc && part >= FSI_STATE_SHARES)
		rc = fs_shares_compute(&out->shares, m, &p.view, f->err);
	p.shares = p.view.compat ? NULL : out->shares;
	if (!rc && part >= FSI_STATE_PRIOS && f->njobs)
		rc = fs_prios_compute(&out->prios, m, &p, f->err);
	return rc;
}

void fsi_forecast_release_state(struct fsi_forecast_state *s)
{
	fs_prios_free(s->prios);
	fs_shares_free(s->shares);
	fs_usage_free(s->usage);
	*s = (struct fsi_forecast_state){ 0 };
}

size_t fsi_forecast_find_job_row(const struct fs_forecast *f, const fs_prios *p, uint32_t job)
{
	size_t first_row = FS_NO_ROW;
	struct fs_prio_row row;

	for (size_t i = 0; p && i < fs_prios_count(p); i++) {
		if (fs_prios_job_row(p, i) != job)
			continue;
		if (first_row == FS_NO_ROW)
			first_row = i;
		fs_prios_row(p, i, &row);
		if (f->partition && !strcmp(row.partition, f->partition))
			return i;
	}
	return first_row;
}

/* For Maui, compares names to find the row of the followed credential. The index of its row differs between states,
 * because a credential has no row while it has neither a target nor usage. For other schedulers, a share row has the
 * same index in all states and in the evaluation. */
const struct fs_share_row *fsi_forecast_find_share(const struct fs_forecast *f, const struct fsi_forecast_state *s)
{
	const struct fs_share_row *own = f->row == FS_NO_ROW ? NULL : fs_shares_row(f->o.eval->shares, f->row);

	if (!own || !f->windows)
		return own ? fs_shares_row(s->shares, f->row) : NULL;
	for (size_t i = 0; i < fs_shares_count(s->shares); i++) {
		const struct fs_share_row *r = fs_shares_row(s->shares, i);

		if (r->depth == own->depth && !strcmp(r->parent, own->parent) && !strcmp(r->account, own->account) &&
		    !strcmp(r->user, own->user))
			return r;
	}
	return NULL;
}

struct fs_forecast_point fsi_forecast_make_point(const struct fs_forecast *f, const struct fsi_forecast_state *s,
						 fsi_calculation k)
{
	struct fs_forecast_point p = {
		.time = fsi_forecast_time_of(f, k), .fairshare = NAN, .priority = NAN, .usage = NAN
	};
	const struct fs_share_row *r = fsi_forecast_find_share(f, s);
	const size_t at = fsi_forecast_find_job_row(f, s->prios, f->o.job_row);
	struct fs_prio_row row;

	if (r) {
		p.fairshare = fs_share_factor(r);
		p.rank = r->rank;
		p.usage = (double)r->effective_usage;
	} else if (f->windows && f->row != FS_NO_ROW) {
		p.usage = 0;
	}
	if (at != FS_NO_ROW) {
		fs_prios_row(s->prios, at, &row);
		p.priority = row.priority;
	}
	return p;
}

/* Returns an estimate of the calculation at which a function is 0. Interpolates between its values g_lo and g_hi at
 * calculations lo and hi: linearly in the decay of usage if `by_decay` is true, linearly in time if it is false. */
static fsi_calculation guess_crossing_point(const struct fs_forecast *f, bool by_decay, fsi_calculation lo, double g_lo,
					    fsi_calculation hi, double g_hi)
{
	const double part = isfinite(g_lo) && isfinite(g_hi) ? g_lo / (g_lo - g_hi) : 0.5;
	const double one = f->recorded_usage ? fs_usage_after(f->recorded_usage, 1) : 1,
		     half_life_s = (double)f->clock.half_life_s;
	const double t_lo = (double)(fsi_forecast_time_of(f, lo) - f->clock.now),
		     t_hi = (double)(fsi_forecast_time_of(f, hi) - f->clock.now);
	double t = t_lo + part * (t_hi - t_lo);

	if (by_decay && f->clock.half_life_s && one < 1) {
		const double left = 1 - part * (1 - fs_usage_after(f->recorded_usage, (t_hi - t_lo) / half_life_s));

		t = left > 0 ? t_lo + half_life_s * log(left) / log(one) : (t_lo + t_hi) / 2;
	}
	if (!(t > t_lo && t < t_hi))
		t = (t_lo + t_hi) / 2;
	return fsi_forecast_calculation_at(f, f->clock.now + (int64_t)ceil(t));
}

int fsi_forecast_solve_crossing(struct fs_forecast *f, fsi_forecast_fn fn, void *ctx, bool by_decay, fsi_calculation lo,
				double g_lo, fsi_calculation hi, double g_hi, fsi_calculation *out)
{
	const int before = fsi_get_sign(g_lo);

	for (unsigned step = 0; hi - lo > 1; step++) {
		const fsi_calculation half = lo + (hi - lo) / 2;
		fsi_calculation k = step % 3 == 2 ? half : guess_crossing_point(f, by_decay, lo, g_lo, hi, g_hi);
		double g;
		int rc;

		/* The previous step has set lo or hi to its estimate. The sign of the values that `fn` returns usually
		 * changes at the estimate or directly next to it. Examining the calculation next to the estimate
		 * therefore usually ends the search. */
		if (step % 3 == 1)
			k = k - lo <= hi - k ? lo + 1 : hi - 1;
		k = k <= lo ? lo + 1 : k >= hi ? hi - 1 : k;
		rc = fn(ctx, k, &g);
		if (rc)
			return rc;
		if (fsi_get_sign(g) == before) {
			lo = k;
			g_lo = g;
		} else {
			hi = k;
			g_hi = g;
		}
	}
	*out = hi;
	return 0;
}

int fsi_forecast_add_calculation(const struct fs_forecast *f, struct fsi_calculation_list *to, fsi_calculation k)
{
	if (k < 0 || k > f->range.horizon)
		return 0;
	if (FSI_VEC_RESERVE(to))
		return -1;
	to->v[to->n++] = k;
	return 0;
}

int fsi_forecast_add_change(const struct fs_forecast *f, struct fsi_calculation_list *to, fsi_calculation k)
{
	return fsi_forecast_add_calculation(f, to, k - 1) || fsi_forecast_add_calculation(f, to, k) ? -1 : 0;
}

static int compare_calculations(const void *x, const void *y)
{
	const fsi_calculation a = *(const fsi_calculation *)x, b = *(const fsi_calculation *)y;

	return (a > b) - (a < b);
}

void fsi_forecast_sort_calculations(struct fsi_calculation_list *m)
{
	size_t n = 0;

	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), compare_calculations);
	for (size_t i = 0; i < m->n; i++)
		if (!n || m->v[i] != m->v[n - 1])
			m->v[n++] = m->v[i];
	m->n = n;
}

/* Maximum number of cached points of each assumption. */
enum { CACHED_POINTS = 4096 };

/* Sets *out to the point at calculation k. Points are cached, because many siblings may be overtaken at the same
 * calculation. */
static int find_point(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k, struct fs_forecast_point *out)
{
	struct fsi_cached_point *r = f->point_cache[a];
	struct fsi_forecast_state s;
	int rc;

	if (!r)
		r = f->point_cache[a] = fsi_arena_alloc(&f->arena, CACHED_POINTS * sizeof(*r));
	if (!r)
		return FS_ENOMEM;
	r += (size_t)k % CACHED_POINTS;
	if (!r->known || r->k != k) {
		rc = fsi_forecast_compute_state(f, a, k, FSI_STATE_PRIOS, &s);
		if (!rc)
			*r = (struct fsi_cached_point){ k, fsi_forecast_make_point(f, &s, k), true };
		fsi_forecast_release_state(&s);
		if (rc)
			return rc;
	}
	*out = r->point;
	return 0;
}

int fsi_forecast_fill_event(struct fs_forecast *f, enum fs_assumption a, fsi_calculation k, struct fs_forecast_event *e)
{
	const int rc = find_point(f, a, k, &e->after);

	return rc ? rc : find_point(f, a, k - 1, &e->before);
}

/* ---- order of two jobs */

/* Ignores the sort key FS_QUEUE_KEY_EARLIER (order of jobs in Maui's last iteration), because this order changes with
 * time. */
bool fsi_forecast_is_record_ahead(const fs_queue *q, size_t a, size_t b)
{
	bool after_priority = false;

	for (size_t i = 0; i < q->scheduler->nkeys; i++) {
		const struct fsi_queue_key *k = &q->scheduler->keys[i];
		const int c = after_priority && k->key != FS_QUEUE_KEY_EARLIER
				      ? k->compare(q, &q->record.v[a], &q->record.v[b])
				      : 0;

		if (c)
			return c < 0;
		after_priority = after_priority || k->key == FS_QUEUE_KEY_PRIORITY;
	}
	return false;
}

/* Returns the priority in *row before its fractional part was dropped. */
static double get_exact_priority(const struct fs_prio_row *row)
{
	const size_t n = row->nsteps;

	if (!n || row->steps[n - 1].step != FS_STEP_FRACTION)
		return row->priority;
	return n > 1 ? row->steps[n - 2].value : row->sum;
}

/* Maui's queue compares integer priorities, so jobs whose integer priorities are equal may be in either order. For
 * Maui, this function therefore compares the priorities including their fractions. */
double fsi_forecast_rival_lead(const struct fs_forecast *f, const fs_prios *p, const struct fsi_rival_job *r)
{
	const size_t own = fsi_forecast_find_job_row(f, p, f->o.job_row),
		     other = fsi_forecast_find_job_row(f, p, r->job);
	const double tie = f->windows ? 1e-9 : 0.5;
	struct fs_prio_row x, y;

	if (own == FS_NO_ROW || other == FS_NO_ROW)
		return NAN;
	fs_prios_row(p, other, &x);
	fs_prios_row(p, own, &y);
	if (f->windows)
		return get_exact_priority(&x) - get_exact_priority(&y) + (r->wins_ties ? tie : -tie);
	return x.stored_priority - y.stored_priority + (r->wins_ties ? tie : -tie);
}

/* ---- default end of a forecast */

enum { DEFAULT_DAYS = 14, SECONDS_DAY = 86400 };

int fs_forecast_default_until(const fs_snapshot *s, int64_t *out, struct fs_error *err)
{
	const struct fs_usage_options o = FS_USAGE_OPTIONS_INIT;
	struct fs_usage_info info = { 0 };
	struct fs_error own;
	fs_usage *u = NULL;

	if (s->scheduler->has_usage_windows)
		return fsi_windows_last_effect(s, out, err);
	if (!fs_usage_begin(&u, s, &o, &own))
		fs_usage_info(u, &info);
	else if (own.code == FS_ENOMEM)
		return fsi_fail_no_memory(err);
	fs_usage_free(u);
	*out = s->info.time + (info.half_life_s ? 2 * info.half_life_s : DEFAULT_DAYS * SECONDS_DAY);
	return 0;
}
