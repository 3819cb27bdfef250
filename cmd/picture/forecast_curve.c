/* What a forecast's curves show. */
#include "picture/forecast.h"

#include <math.h>

static bool any_priority(const fs_forecast *f)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		for (size_t i = 0; i < fs_forecast_points(f); i++)
			if (!isnan(fs_forecast_point(f, (enum fs_assumption)a, i)->priority))
				return true;
	return false;
}

struct forecast_curve forecast_curve_of(const fs_forecast *f)
{
	return (struct forecast_curve){ .f = f,
					.priority = any_priority(f),
					.factor = !isnan(fs_forecast_point(f, FS_ASSUME_IDLE, 0)->fairshare) };
}

const char *forecast_curve_name(const struct forecast_curve *c)
{
	return c->priority ? "Priority" : c->factor ? "FairShare" : "Percent of all use";
}

int forecast_curve_digits(const struct forecast_curve *c)
{
	return c->priority ? 0 : c->factor ? 4 : 2;
}

double forecast_curve_at(const struct forecast_curve *c, int a, size_t i)
{
	const struct fs_forecast_point *x = fs_forecast_point(c->f, (enum fs_assumption)a, i);

	return c->priority ? x->priority : c->factor ? x->fairshare : x->usage * 100;
}

bool forecast_curve_same(const struct forecast_curve *c, int a, int b)
{
	const double noise = 1e-9;

	for (size_t i = 0; i < fs_forecast_points(c->f); i++) {
		const double x = forecast_curve_at(c, a, i), y = forecast_curve_at(c, b, i);

		if (isnan(x) != isnan(y) || fabs(x - y) > noise * (1 + fabs(x)))
			return false;
	}
	return true;
}
