/* Numbers, times and sizes to and from text. Every parser takes all of [s, s+len) or fails with -1. */
#ifndef FSI_BASE_NUM_H
#define FSI_BASE_NUM_H

#include <stdbool.h>
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
uint64_t fsi_divide_up(uint64_t n, uint64_t by);

/* What the i-th of n has of a whole that is shared out evenly: the first have one more where it does not go up. */
int64_t fsi_even_part(int64_t all, uint32_t n, uint32_t i);

/* Exact sums, products and quotients of doubles: whole numbers of 32-bit limbs, least first, over one common
 * power of two. Usage comes as doubles and shares as integers; whether two ratios of them are equal has no
 * answer in floating point (3:1 and 18:6 tie, their quotients in double do not). */

/* How values of a set are written: bit 0 of limb 0 is 2^low. */
struct fsi_exact_form {
	int low;
	uint32_t limbs; /* 0: there was nothing but zeros */
};

/* Form that holds any sum of up to n of the values seen. */
struct fsi_exact_range {
	int low, high; /* lowest bit set, and one past the highest, of any */
	bool any;
};

/* Values that are negative, infinite or NAN count as zero. */
void fsi_exact_see(struct fsi_exact_range *r, double v);
struct fsi_exact_form fsi_exact_form(const struct fsi_exact_range *r, size_t n);

/* sum += v; v must have been seen. */
void fsi_exact_add_double(struct fsi_exact_form f, uint32_t *sum, double v);
void fsi_exact_add(uint32_t limbs, uint32_t *sum, const uint32_t *v);
bool fsi_exact_zero(uint32_t limbs, const uint32_t *v);
int fsi_exact_cmp(uint32_t limbs, const uint32_t *a, const uint32_t *b); /* -1, 0, 1 */

/* out (na + nb limbs) = a * b. */
void fsi_exact_mul(uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb);

/* a / b rounded to the nearest double, halves to even; b is not zero. work: room for 2 * (limbs + 1). */
double fsi_exact_div(uint32_t limbs, const uint32_t *a, const uint32_t *b, uint32_t *work);

/* Flux job ids in base 58, read; written by the public fs_f58_format. */

/* "ƒ2dTAM4jKm", or in ASCII "f2dTAM4jKm". -1: the text is none. */
int fsi_f58_parse(const char *s, uint64_t *id);

#endif
