#include "base/error.h"
#include "base/num.h"
#include "forecast/forecast.h"
#include "model/scheduler.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What comes when: one event for all assumptions under which it comes alike. */

const char *fs_forecast_kind_name(enum fs_forecast_kind kind)
{
	static const char *const names[] = { FS_FORECAST_EVENTS(FSI_NAME) };

	return names[kind];
}

struct fs_forecast_event fsi_forecast_event(const struct fs_forecast *f, unsigned assumptions,
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

int fsi_forecast_record(struct fs_forecast *f, const struct fs_forecast_event *e)
{
	if (FSI_VEC_ROOM(&f->event))
		return -1;
	f->event.v[f->event.n++] = *e;
	return 0;
}

bool fsi_forecast_exact(const struct fs_forecast *f, enum fs_assumption a)
{
	return f->endless && (f->windows || a == FS_ASSUME_IDLE || f->running == 0 || f->row == FS_NO_ROW ||
			      fs_shares_has_levels(f->o.eval->shares));
}

static int cmp_event(const void *x, const void *y)
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

/* What is not known comes first. */
static int cmp_double(double a, double b)
{
	return isnan(a) || isnan(b) ? !isnan(a) - !isnan(b) : (a > b) - (a < b);
}

/* 0 for the same event, be it under other assumptions. */
static int cmp_same(const void *x, const void *y)
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
		c = cmp_double(v[i][0], v[i][1]);
	return c;
}

void fsi_forecast_sort_events(struct fs_forecast *f)
{
	struct fs_forecast_event *v = f->event.v;
	size_t n = 0;

	if (!f->event.n)
		return;
	qsort(v, f->event.n, sizeof(*v), cmp_same);
	for (size_t i = 0; i < f->event.n; i++)
		if (n && !cmp_same(&v[n - 1], &v[i]))
			v[n - 1].assumptions |= v[i].assumptions;
		else
			v[n++] = v[i];
	f->event.n = n;
	qsort(v, n, sizeof(*v), cmp_event);
}

/* Moments of a forecast: the times at which the scheduler decays usage, counted from the last one before now, and the
 * state of the snapshot at one of them. */

int64_t fsi_forecast_time(const struct fs_forecast *f, fsi_moment k)
{
	return k <= 0 ? f->now : f->base + (fsi_floor_div(f->now - f->base, f->period_s) + k) * f->period_s;
}

fsi_moment fsi_forecast_moment(const struct fs_forecast *f, int64_t t)
{
	if (t <= f->now)
		return 0;
	return -fsi_floor_div(f->base - t, f->period_s) - fsi_floor_div(f->now - f->base, f->period_s);
}

static int make_usage(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, fs_usage **out)
{
	struct fs_usage_options o = { .at_set = true, .at = fsi_forecast_time(f, k), .totals_only = true };
	int rc;

	o.running = a == FS_ASSUME_RUNNING ? FS_RUNNING_TO_LIMIT
		    : a == FS_ASSUME_AS_NOW ? FS_RUNNING_FOR_EVER
					    : FS_RUNNING_NONE;
	o.rate = a == FS_ASSUME_SHARES ? f->rate : NULL;
	rc = fs_usage_begin(out, f->m, &o, f->err);
	return rc ? rc : fs_usage_finish(*out, f->err);
}

int fsi_forecast_state(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, enum fsi_state_part part,
		       struct fsi_state *out)
{
	struct fs_prios_options p = { .view = f->o.view, .jobs = f->job, .njobs = f->njobs };
	const fs_snapshot *m = f->windows ? f->windows[a].m : f->m;
	int rc;

	*out = (struct fsi_state){ 0 };
	rc = f->windows ? fsi_window_clock_set(&f->windows[a], fsi_forecast_time(f, k), f->err)
			: make_usage(f, a, k, &out->usage);
	p.view.usage = k > 0 ? out->usage : NULL;
	if (!rc && part >= FSI_STATE_SHARES)
		rc = fs_shares_compute(&out->shares, m, &p.view, f->err);
	p.shares = p.view.compat ? NULL : out->shares;
	if (!rc && part >= FSI_STATE_PRIOS && f->njobs)
		rc = fs_prios_compute(&out->prios, m, &p, f->err);
	return rc;
}

void fsi_forecast_release(struct fsi_state *s)
{
	fs_prios_free(s->prios);
	fs_shares_free(s->shares);
	fs_usage_free(s->usage);
	*s = (struct fsi_state){ 0 };
}

size_t fsi_forecast_row_of(const struct fs_forecast *f, const fs_prios *p, uint32_t job)
{
	size_t found = FS_NO_ROW;
	struct fs_prio_row row;

	for (size_t i = 0; p && i < fs_prios_count(p); i++) {
		if (fs_prios_job_row(p, i) != job)
			continue;
		if (found == FS_NO_ROW)
			found = i;
		fs_prios_row(p, i, &row);
		if (f->partition && !strcmp(row.partition, f->partition))
			return i;
	}
	return found;
}

/* Rows of shares are those of the evaluation, but of windows: there one without a target or usage has none. */
const struct fs_share_row *fsi_forecast_share(const struct fs_forecast *f, const struct fsi_state *s)
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

struct fs_forecast_point fsi_forecast_point(const struct fs_forecast *f, const struct fsi_state *s, fsi_moment k)
{
	struct fs_forecast_point p = {
		.time = fsi_forecast_time(f, k), .fairshare = NAN, .priority = NAN, .usage = NAN
	};
	const struct fs_share_row *r = fsi_forecast_share(f, s);
	const size_t at = fsi_forecast_row_of(f, s->prios, f->o.job_row);
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

/* The moment at which the function would be 0 if it were linear between the two, in the decay of usage or in time. */
static fsi_moment guess(const struct fs_forecast *f, bool by_decay, fsi_moment lo, double g_lo, fsi_moment hi,
			double g_hi)
{
	const double part = isfinite(g_lo) && isfinite(g_hi) ? g_lo / (g_lo - g_hi) : 0.5;
	const double one = f->clock ? fs_usage_after(f->clock, 1) : 1, half_life_s = (double)f->half_life_s;
	const double t_lo = (double)(fsi_forecast_time(f, lo) - f->now),
		     t_hi = (double)(fsi_forecast_time(f, hi) - f->now);
	double t = t_lo + part * (t_hi - t_lo);

	if (by_decay && f->half_life_s && one < 1) {
		const double left = 1 - part * (1 - fs_usage_after(f->clock, (t_hi - t_lo) / half_life_s));

		t = left > 0 ? t_lo + half_life_s * log(left) / log(one) : (t_lo + t_hi) / 2;
	}
	if (!(t > t_lo && t < t_hi))
		t = (t_lo + t_hi) / 2;
	return fsi_forecast_moment(f, f->now + (int64_t)ceil(t));
}

int fsi_forecast_solve(struct fs_forecast *f, fsi_forecast_fn fn, void *ctx, bool by_decay, fsi_moment lo, double g_lo,
		       fsi_moment hi, double g_hi, fsi_moment *out)
{
	const int before = fsi_sign(g_lo);

	for (unsigned step = 0; hi - lo > 1; step++) {
		const fsi_moment half = lo + (hi - lo) / 2;
		fsi_moment k = step % 3 == 2 ? half : guess(f, by_decay, lo, g_lo, hi, g_hi);
		double g;
		int rc;

		if (step % 3 == 1) /* the guess was right, as a rule: it only remains to see it from the other side */
			k = k - lo <= hi - k ? lo + 1 : hi - 1;
		k = k <= lo ? lo + 1 : k >= hi ? hi - 1 : k;
		rc = fn(ctx, k, &g);
		if (rc)
			return rc;
		if (fsi_sign(g) == before) {
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

int fsi_forecast_note_one(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k)
{
	if (k < 0 || k > f->horizon)
		return 0;
	if (FSI_VEC_ROOM(to))
		return -1;
	to->v[to->n++] = k;
	return 0;
}

int fsi_forecast_note(const struct fs_forecast *f, struct fsi_moments *to, fsi_moment k)
{
	return fsi_forecast_note_one(f, to, k - 1) || fsi_forecast_note_one(f, to, k) ? -1 : 0;
}

static int cmp_moment(const void *x, const void *y)
{
	const fsi_moment a = *(const fsi_moment *)x, b = *(const fsi_moment *)y;

	return (a > b) - (a < b);
}

void fsi_forecast_sort(struct fsi_moments *m)
{
	size_t n = 0;

	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), cmp_moment);
	for (size_t i = 0; i < m->n; i++)
		if (!n || m->v[i] != m->v[n - 1])
			m->v[n++] = m->v[i];
	m->n = n;
}

int fsi_forecast_look(struct fs_forecast *f, enum fs_assumption a, fsi_moment k, struct fs_forecast_event *e)
{
	struct fsi_state s;
	int rc = fsi_forecast_state(f, a, k, FSI_STATE_PRIOS, &s);

	if (!rc)
		e->after = fsi_forecast_point(f, &s, k);
	fsi_forecast_release(&s);
	if (rc)
		return rc;
	rc = fsi_forecast_state(f, a, k - 1, FSI_STATE_PRIOS, &s);
	if (!rc)
		e->before = fsi_forecast_point(f, &s, k - 1);
	fsi_forecast_release(&s);
	return rc;
}

/* Which of two jobs goes first. */

/* What Maui had in its last iteration passes. */
bool fsi_forecast_goes_first(const fs_queue *q, size_t a, size_t b)
{
	bool behind = false;

	for (size_t i = 0; i < q->scheduler->nkeys; i++) {
		const struct fsi_queue_key *k = &q->scheduler->keys[i];
		const int c = behind && k->key != FS_QUEUE_KEY_EARLIER
				      ? k->compare(q, &q->record.v[a], &q->record.v[b])
				      : 0;

		if (c)
			return c < 0;
		behind = behind || k->key == FS_QUEUE_KEY_PRIORITY;
	}
	return false;
}

/* Its priority before the fraction is dropped. */
static double exact_priority(const struct fs_prio_row *row)
{
	const size_t n = row->nsteps;

	if (!n || row->steps[n - 1].step != FS_STEP_FRACTION)
		return row->priority;
	return n > 1 ? row->steps[n - 2].value : row->sum;
}

/* Of windows sums are compared with their fractions: of equal whole numbers either may stand first. */
double fsi_forecast_lead(const struct fs_forecast *f, const fs_prios *p, const struct fsi_rival *r)
{
	const size_t own = fsi_forecast_row_of(f, p, f->o.job_row), other = fsi_forecast_row_of(f, p, r->job);
	const double tie = f->windows ? 1e-9 : 0.5;
	struct fs_prio_row x, y;

	if (own == FS_NO_ROW || other == FS_NO_ROW)
		return NAN;
	fs_prios_row(p, other, &x);
	fs_prios_row(p, own, &y);
	if (f->windows)
		return exact_priority(&x) - exact_priority(&y) + (r->wins ? tie : -tie);
	return x.stored_priority - y.stored_priority + (r->wins ? tie : -tie);
}

/* How far a forecast looks if nothing else is asked for. */

enum { DAYS = 14, SECONDS_DAY = 86400 };

int fs_forecast_default_until(const fs_snapshot *s, int64_t *out, struct fs_error *err)
{
	const struct fs_usage_options o = FS_USAGE_OPTIONS_INIT;
	struct fs_usage_info info = { 0 };
	struct fs_error own;
	fs_usage *u = NULL;

	if (s->scheduler->in_windows)
		return fsi_windows_last_effect(s, out, err);
	if (!fs_usage_begin(&u, s, &o, &own))
		fs_usage_info(u, &info);
	else if (own.code == FS_ENOMEM)
		return fsi_nomem(err);
	fs_usage_free(u);
	*out = s->info.time + (info.half_life_s ? 2 * info.half_life_s : DAYS * SECONDS_DAY);
	return 0;
}
