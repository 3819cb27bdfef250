/* Local time that changes: daylight saving, and whatever else a zone did. */
#ifndef FSI_BASE_ZONE_H
#define FSI_BASE_ZONE_H

#include <fs/base.h>

/* Offsets by rising `since`; the first holds before its own too. Local time minus UTC at t, in seconds. n > 0. */
int32_t fsi_zone_offset(const struct fs_utc_offset *v, size_t n, int64_t t);

/* Moments at which it is `local` there: 1, 2 where an hour comes twice, 0 where one is left out. *utc is the first one,
 * or what it would be had the clock not been put forward. */
unsigned fsi_zone_utc(const struct fs_utc_offset *v, size_t n, int64_t local, int64_t *utc);

/* "1792890000 3600": since when, and the offset. Writes at most FSI_ZONE_TEXT bytes. 0, or -1: it is no such text. */
enum { FSI_ZONE_TEXT = 40 };
void fsi_zone_format(const struct fs_utc_offset *o, char *buf);
int fsi_zone_parse(const char *s, size_t len, struct fs_utc_offset *out);

#endif
