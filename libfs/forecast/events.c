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

static bool same_point(const struct fs_forecast_point *a, const struct fs_forecast_point *b)
{
	return a->rank == b->rank && (a->fairshare == b->fairshare || (isnan(a->fairshare) && isnan(b->fairshare))) &&
	       (a->priority == b->priority || (isnan(a->priority) && isnan(b->priority)));
}

static bool same_event(const struct fs_forecast_event *a, const struct fs_forecast_event *b)
{
	return a->kind == b->kind && a->time == b->time && a->never == b->never && a->own == b->own &&
	       a->other == b->other && a->window == b->window && a->job == b->job && a->other_job == b->other_job &&
	       same_point(&a->before, &b->before) && same_point(&a->after, &b->after);
}

int fsi_forecast_record(struct fs_forecast *f, const struct fs_forecast_event *e)
{
	for (size_t i = 0; i < f->event.n; i++)
		if (same_event(&f->event.v[i], e)) {
			f->event.v[i].assumptions |= e->assumptions;
			return 0;
		}
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

void fsi_forecast_sort_events(struct fs_forecast *f)
{
	if (f->event.n)
		qsort(f->event.v, f->event.n, sizeof(*f->event.v), cmp_event);
}
