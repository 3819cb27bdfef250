/* What comes when: one event for all assumptions under which it comes alike. */
#include "forecast/forecast.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>

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
