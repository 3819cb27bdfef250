#include "base/zone.h"

#include "base/num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int32_t fsi_zone_offset(const struct fs_utc_offset *v, size_t n, int64_t t)
{
	size_t k = 0;

	while (k + 1 < n && v[k + 1].since <= t)
		k++;
	return v[k].offset_s;
}

unsigned fsi_zone_utc(const struct fs_utc_offset *v, size_t n, int64_t local, int64_t *utc)
{
	unsigned found = 0;

	for (size_t k = 0; k < n; k++) {
		const int64_t t = local - v[k].offset_s;
		const bool began = !k || v[k].since <= t, over = k + 1 < n && v[k + 1].since <= t;

		if (began && !found)
			*utc = t;
		found += began && !over;
		if (began && !over && found == 1)
			*utc = t;
	}
	return found;
}

void fsi_zone_format(const struct fs_utc_offset *o, char *buf)
{
	snprintf(buf, FSI_ZONE_TEXT, "%" PRId64 " %" PRId32, o->since, o->offset_s);
}

int fsi_zone_parse(const char *s, size_t len, struct fs_utc_offset *out)
{
	const char *blank = memchr(s, ' ', len);
	int64_t offset;

	if (!blank || fsi_parse_i64(s, (size_t)(blank - s), &out->since) ||
	    fsi_parse_i64(blank + 1, len - (size_t)(blank + 1 - s), &offset) || offset < -86400 || offset > 86400)
		return -1;
	out->offset_s = (int32_t)offset;
	return 0;
}
