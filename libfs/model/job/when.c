/* Points in time as users write them, and back. */
#include "base/num.h"
#include "base/zone.h"
#include "model/model.h"

#include <stdio.h>
#include <string.h>

enum { ZONE_MAX = 16 };

static int later(const char *s, int64_t *seconds)
{
	static const struct {
		char letter;
		int64_t s;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 }, { 'w', 604800 } };
	const size_t len = strlen(s);
	uint64_t n;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units) && len; i++)
		if (s[len - 1] == units[i].letter) {
			if (fsi_parse_u64(s, len - 1, &n) || n > (uint64_t)(FSI_SECONDS_MAX / units[i].s))
				return -1;
			*seconds = (int64_t)n * units[i].s;
			return 0;
		}
	if (!fsi_parse_u64(s, len, &n) && n <= (uint64_t)FSI_SECONDS_MAX) {
		*seconds = (int64_t)n;
		return 0;
	}
	return fsi_parse_duration(s, len, seconds);
}

/* A local time whose end is left out is filled up. */
static int local(const char *s, int64_t *seconds)
{
	static const char rest[] = "0000-00-00T00:00:00";
	char full[sizeof(rest)];
	const size_t len = strlen(s);

	if (len != strlen("YYYY-MM-DD") && len != strlen("YYYY-MM-DDTHH:MM") && len != sizeof(rest) - 1)
		return -1;
	strcpy(full, rest);
	memcpy(full, s, len);
	if (full[10] == ' ')
		full[10] = 'T';
	return fsi_parse_civil(full, sizeof(rest) - 1, seconds);
}

/* The offsets of the header, ZONE_MAX of them at most; at least the one that holds when it was captured. */
static size_t offsets(const fs_snapshot *m, struct fs_utc_offset v[ZONE_MAX])
{
	size_t n, count = 0;
	const uint32_t *list = fsi_list(m, m->head.utc_offsets, &n);

	for (size_t i = 0; i < n && count < ZONE_MAX; i++) {
		const char *text = fsi_str(m, list[i]);

		count += !fsi_zone_parse(text, strlen(text), &v[count]);
	}
	if (!count)
		v[count++] = (struct fs_utc_offset){ m->info.time, m->info.utc_offset_s };
	return count;
}

int32_t fs_snapshot_utc_offset(const fs_snapshot *m, int64_t t)
{
	struct fs_utc_offset v[ZONE_MAX];

	return fsi_zone_offset(v, offsets(m, v), t);
}

static int64_t to_utc(const fs_snapshot *m, int64_t local)
{
	struct fs_utc_offset v[ZONE_MAX];
	int64_t t = local;

	fsi_zone_utc(v, offsets(m, v), local, &t);
	return t;
}

int fsi_zone_check(const fs_snapshot *m, struct fs_error *err)
{
	size_t n;
	const uint32_t *list = fsi_list(m, m->head.utc_offsets, &n);
	struct fs_utc_offset o, last = { INT64_MIN, 0 };

	for (size_t i = 0; i < n; i++) {
		const char *text = fsi_str(m, list[i]);

		if (i >= ZONE_MAX || fsi_zone_parse(text, strlen(text), &o) || (i && o.since <= last.since))
			return fsi_fail_at(err, (struct fsi_where){ m->file, 1, 0 }, "utc_offsets",
					   "expected at most %d of \"SECONDS OFFSET\" by rising seconds, got \"%.40s\"",
					   ZONE_MAX, text);
		last = o;
	}
	return 0;
}

int fs_time_parse(const fs_snapshot *m, const char *text, int64_t *out, struct fs_error *err)
{
	uint64_t epoch;
	int64_t t;

	if (*text == '+' && !later(text + 1, &t) && t <= FSI_SECONDS_MAX - m->info.time)
		*out = m->info.time + t;
	else if (!fsi_parse_u64(text, strlen(text), &epoch) && epoch <= (uint64_t)FSI_SECONDS_MAX)
		*out = (int64_t)epoch;
	else if (!local(text, &t))
		*out = to_utc(m, t);
	else
		return fsi_fail(err, FS_EUSAGE,
				"\"%.60s\" is no time: seconds since 1970, YYYY-MM-DDTHH:MM:SS, or later by +2d, +12h, "
				"+30m",
				text);
	return 0;
}

const char *fs_time_format(const fs_snapshot *m, int64_t t, char buf[FS_TIME_TEXT])
{
	const int64_t local_s = t + fs_snapshot_utc_offset(m, t);
	const int64_t day = local_s / 86400 - (local_s % 86400 < 0), s = local_s - day * 86400;
	const int64_t month = fsi_month_of_day(day), year = month / 12 - (month % 12 < 0);

	snprintf(buf, FS_TIME_TEXT, "%04lld-%02d-%02dT%02d:%02d:%02d", (long long)(1970 + year),
		 (int)(month - year * 12) + 1, (int)(day - fsi_first_of_month(month)) + 1,
		 (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
	return buf;
}
