#include "history/points.h"

#include "render/text.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { DECIMALS = 6 };

const char *point_time(char out[POINT_TIME], const struct course_point *p)
{
	const time_t local = (time_t)(p->time + p->utc_offset_s);
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(out, POINT_TIME, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(out, POINT_TIME, "?");
	return out;
}

const char *point_number(char buf[POINT_NUMBER], double v)
{
	return isnan(v) ? "" : text_number(buf, POINT_NUMBER, v, DECIMALS);
}
