/* Numbers, times and sizes to and from text. Every parser takes all of [s, s+len) or fails with -1. */
#ifndef FSI_NUM_H
#define FSI_NUM_H

#include <stddef.h>
#include <stdint.h>

/* Greatest time or duration a snapshot may hold, in seconds. */
#define FSI_SECONDS_MAX INT64_C(1000000000000000)

int fsi_parse_u64(const char *s, size_t len, uint64_t *out);
int fsi_parse_i64(const char *s, size_t len, int64_t *out);
int fsi_parse_double(const char *s, size_t len, double *out); /* finite, decimal */

/* `[days-]hours:minutes:seconds`, `minutes:seconds`, `days-hours[:minutes]`, to seconds. */
int fsi_parse_duration(const char *s, size_t len, int64_t *seconds);

/* `YYYY-MM-DDTHH:MM:SS` read as if it were UTC, to seconds since 1970. */
int fsi_parse_civil(const char *s, size_t len, int64_t *seconds);

/* The Gregorian calendar. Days and months count from January 1970 and may be negative; m and d from 1. */
int64_t fsi_floor_div(int64_t a, int64_t b); /* a / b rounded down; b > 0 */
int64_t fsi_days_from_civil(int64_t y, int64_t m, int64_t d);
int64_t fsi_month_of_day(int64_t day);
int64_t fsi_first_of_month(int64_t month); /* as a day */

/* A number with an optional unit letter K M G T P (powers of 1024), scaled to MiB: `16G` = 16384;
 * a bare number is MiB. Slurm's memory amounts. Result rounded to the nearest MiB. */
int fsi_parse_mem_mb(const char *s, size_t len, int64_t *mb);

/* The same letters as powers of 1024 on a plain count: `1.5K` = 1536. */
int fsi_parse_count(const char *s, size_t len, int64_t *count);

/* Each writes its text and a NUL into buf of at least FSI_DOUBLE_TEXT bytes and returns its length. Of a double,
 * which must be finite: the shortest decimal that reads back as the same. */
enum { FSI_DOUBLE_TEXT = 32 };
int fsi_format_u64(char *buf, uint64_t v);
int fsi_format_i64(char *buf, int64_t v);
int fsi_format_double(char *buf, double v);

/* n / by rounded up; n where by is 0. */
static inline uint64_t fsi_divide_up(uint64_t n, uint64_t by)
{
	return by ? n / by + (n % by != 0) : n;
}

/* What the i-th of n has of a whole that is shared out evenly: the first have one more where it does not go up. */
static inline int64_t fsi_even_part(int64_t all, uint32_t n, uint32_t i)
{
	return all / n + (i < all % n);
}

#endif
