#define _DEFAULT_SOURCE /* tm_gmtoff */
#include "capture/zone.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400 };
static const time_t from = (time_t)20 * 365 * DAY, upto = (time_t)90 * 366 * DAY;

static int32_t offset_at(time_t t)
{
	struct tm tm;

	return localtime_r(&t, &tm) ? (int32_t)tm.tm_gmtoff : 0;
}

/* When it changed in the day that ends at t. */
static time_t change_before(time_t t)
{
	time_t low = t - DAY;
	const int32_t before = offset_at(low);

	while (t - low > 1) {
		const time_t middle = low + (t - low) / 2;

		if (offset_at(middle) == before)
			low = middle;
		else
			t = middle;
	}
	return t;
}

static size_t scan(struct fs_utc_offset v[ZONE_OFFSETS])
{
	size_t n = 0;

	tzset();
	v[n++] = (struct fs_utc_offset){ from, offset_at(from) };
	for (time_t t = from + DAY; t < upto && n < ZONE_OFFSETS; t += DAY)
		if (offset_at(t) != v[n - 1].offset_s)
			v[n++] = (struct fs_utc_offset){ change_before(t), offset_at(t) };
	return n;
}

/* Only names of the database are zones: glibc takes an unknown name for UTC, and a path could be any file. */
static bool is_zone(const char *name)
{
	static const char database[] = "/usr/share/zoneinfo/";
	char path[256];

	return *name && *name != '/' && *name != '.' && !strstr(name, "..") && strlen(name) < 200 &&
	       snprintf(path, sizeof(path), "%s%s", database, name) > 0 && !access(path, R_OK);
}

size_t zone_offsets(const char *name, struct fs_utc_offset v[ZONE_OFFSETS])
{
	const char *env = getenv("TZ");
	char *before = env ? strdup(env) : NULL;
	size_t n = 0;

	if (env && !before)
		return 0;
	if (!name || (is_zone(name) && !setenv("TZ", name, 1)))
		n = scan(v);
	if (name && n && before)
		setenv("TZ", before, 1);
	else if (name && n)
		unsetenv("TZ");
	tzset();
	free(before);
	return n;
}
