/* Numbers, times and sizes: parsing, formatting and exact arithmetic. A parser returns -1 unless all `len` bytes at `s`
 * belong to the number. No function allocates memory. */
#ifndef FSI_BASE_NUM_H
#define FSI_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest time or duration that a snapshot may contain, in seconds. */
#define FSI_SECONDS_MAX INT64_C(1000000000000000)

int fsi_parse_u64(const char *s, size_t len, uint64_t *out);
int fsi_parse_i64(const char *s, size_t len, int64_t *out);
int fsi_parse_double(const char *s, size_t len, double *out); /* accepts finite decimal numbers only */

/* Parses Slurm's durations `[days-]hours:minutes:seconds`, `minutes:seconds` and `days-hours[:minutes]`. */
int fsi_parse_duration(const char *s, size_t len, int64_t *seconds);

/* Parses `YYYY-MM-DDTHH:MM:SS` as UTC; sets *seconds to seconds since the epoch. */
int fsi_parse_civil_time(const char *s, size_t len, int64_t *seconds);

/* Gregorian calendar. Day and month numbers are counted from January 1970 (0) and may be negative. `m` is the month of
 * the year and `d` the day of the month, both 1-based. */
int64_t fsi_divide_rounding_down(int64_t a, int64_t b); /* a / b rounded down; b > 0 */
int64_t fsi_days_from_civil(int64_t y, int64_t m, int64_t d);
int64_t fsi_month_of_day(int64_t day);
int64_t fsi_first_of_month(int64_t month); /* day number of the month's first day */

/* Parses Slurm's memory amounts: a number with an optional unit letter K, M, G, T or P (powers of 1024). `16G` is 16384
 * MiB; a number without a letter is in MiB. Rounds to the nearest MiB. */
int fsi_parse_mem_mb(const char *s, size_t len, int64_t *mb);

/* Parses a count with an optional unit letter K, M, G, T or P (powers of 1024): `1.5K` is 1536. */
int fsi_parse_count(const char *s, size_t len, int64_t *count);

/* Each fsi_format_ function writes a number and a NUL to buf, which has at least FSI_DOUBLE_TEXT bytes, and returns the
 * length of the text. A double must be finite. It is written as printf's %.15g writes it, or with 16 or 17 digits if
 * the text would otherwise not read back as the same double. */
enum { FSI_DOUBLE_TEXT = 32 };
int fsi_format_u64(char *buf, uint64_t v);
int fsi_format_i64(char *buf, int64_t v);
int fsi_format_double(char *buf, double v);

/* Returns `n` divided by `by`, rounded up; `n` if `by` is 0. */
uint64_t fsi_divide_rounding_up(uint64_t n, uint64_t by);

/* Divides the integer `all` into `n` integers that differ by at most 1, the larger ones first, and returns the i-th of
 * them. */
int64_t fsi_compute_even_part(int64_t all, uint32_t n, uint32_t i);

/* Exact sums, products and quotients of doubles. These functions decide whether two ratios of usage and shares are
 * equal. Floating point cannot decide this, because floating-point quotients are rounded.
 *
 * A number is an array of 32-bit limbs, least significant first, times a power of two. All numbers of one computation
 * have the same power of two. */

/* Format of all numbers of one computation: an array of `words` 32-bit limbs. Bit 0 of limb 0 has the value 2^low. */
struct fsi_exact_form {
	int low;
	uint32_t words; /* number of limbs of each number; 0: all numbers are zero */
};

/* Range of bit positions that covers the set bits of all doubles passed to fsi_exact_extend_range. A zeroed struct is
 * an empty range. fsi_exact_choose_form returns a representation that can hold the sum of up to n such doubles. */
struct fsi_exact_range {
	/* positions of bits: `low`: position of the lowest bit that is set in any value; `high`: position of the
	 * highest such bit, plus 1 */
	int low, high;
	bool any;
};

/* Extends the range to include v. Negative, infinite and NAN values count as zero. */
void fsi_exact_extend_range(struct fsi_exact_range *r, double v);
struct fsi_exact_form fsi_exact_choose_form(const struct fsi_exact_range *r, size_t n);

/* Adds `v` to `sum`. `f` must be chosen for a range that includes `v` (fsi_exact_extend_range). */
void fsi_exact_add_double(struct fsi_exact_form f, uint32_t *sum, double v);
void fsi_exact_add_words(uint32_t words, uint32_t *sum, const uint32_t *v);
bool fsi_exact_is_zero(uint32_t words, const uint32_t *v);
/* Returns -1 if a < b, 0 if a = b, 1 if a > b. */
int fsi_exact_compare_words(uint32_t words, const uint32_t *a, const uint32_t *b);

/* Sets `out`, which has na + nb words, to a * b. */
void fsi_exact_multiply_words(uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb);

/* Returns a / b, rounded to the nearest double, ties to even. `b` is not zero. `work` has space for 2 * (words + 1)
 * limbs. */
double fsi_exact_divide_words(uint32_t words, const uint32_t *a, const uint32_t *b, uint32_t *work);

/* Parser of Flux job ids in base 58. The public function fs_f58_format writes such ids. */

/* Parses "ƒ2dTAM4jKm", or "f2dTAM4jKm" in ASCII. Returns -1 if the text is not a job id. */
int fsi_f58_parse_id(const char *s, uint64_t *id);

#endif
