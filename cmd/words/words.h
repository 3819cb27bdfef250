/* Formats numbers, times and names for pages, and chooses decimals with which printed sums add up. Buffers belong to
 * the caller; functions that take one return it or a constant string. */
#ifndef WORDS_WORDS_H
#define WORDS_WORDS_H

#include "fs/explain.h"

enum { WORDS = 160 };

/* "7s", "30:00", "1:00:00", "7-00:00:00"; "unlimited" for FS_UNLIMITED and infinity; "unknown" for NAN and negative
 * numbers */
const char *format_time_span(char buf[WORDS], double seconds);

/* Format a time in the cluster's time zone: "2026-11-20 21:06:24", or "unknown". format_short_time omits the date if
 * it is the day of the snapshot. */
const char *format_short_time(char buf[WORDS], const fs_snapshot *s, int64_t t);
const char *format_full_time(char buf[WORDS], const fs_snapshot *s, int64_t t);

/* Format a number without an exponent, with as few decimals as identify the number: at most `max`. format_config_number
 * prints configured values, with at most 30 decimals. "unknown" for NAN. */
const char *format_config_number(char buf[WORDS], double v);
const char *format_decimal_number(char buf[WORDS], double v, int max);

const char *format_percent_value(char buf[WORDS], double v); /* fraction of 1 as percentage: "47.2 %", "0.1363 %" */
const char *format_share_ratio(char buf[WORDS], double v); /* six decimals: "0.615572"; "unknown" for NAN */
const char *format_share_level(char buf[WORDS], double level); /* "42.58", "0.000049", "inf", "unknown" */
/* factor of a priority term, at most four decimals or four significant digits: "0.7037", "12" */
const char *format_factor_value(char buf[WORDS], double v);
const char *format_ordinal_number(char buf[WORDS], uint64_t n); /* "3rd" */
const char *format_noun_count(char buf[WORDS], uint64_t n, const char *one, const char *many); /* "1 job", "12 jobs" */
/* Formats a number of jobs, and the number of queue entries if it differs because arrays are one entry: "12 jobs",
 * "30 jobs (27 entries)". */
const char *format_entry_count(char buf[WORDS], uint64_t entries, uint64_t jobs);
const char *format_tres_amount(char buf[WORDS], const char *tres, double v); /* "20 CPUs", "20000M", "2 gres/shard" */

/* Formats a job id: "12", "28_[1-20]", "28_3"; Flux: f58. */
const char *format_display_job_id(char buf[WORDS], const fs_snapshot *s, uint32_t job_row);

/* Formats a factor's name in capitals: "AGE", "TRES cpu". */
const char *format_factor_name(char buf[WORDS], const char *name);

/* Formats a name for a table cell: a name longer than 20 characters is cut and ends with '+'. */
const char *format_cell_name(char buf[WORDS], const char *name);

/* Formats how many users have a worse fair-share factor: "18 of 27 users", "none of 27 users". */
const char *format_worse_users(char buf[WORDS], const struct fs_explain_path *path);

/* Formats the name of a share row: "bob", "physics", "bob in partition gpu". */
const char *format_share_name(char buf[WORDS], const struct fs_share_row *r);

/* ---- sums that add up as printed: all numbers are whole multiples of the last decimal */

struct sum_decimals {
	int digits;
	int64_t sum, total; /* sum of the rounded points, and the total, in units of the last decimal */
	bool fits;	    /* false: the numbers do not fit into 64 bits */
};

double get_power_of_ten(int n);
int64_t convert_to_units(const struct sum_decimals *d, double v);
const char *format_decimal_units(char buf[WORDS], int64_t v, int digits);

/* Returns how many decimals to print a, b and bound with: the fewest of 0, 3, 6 or 9 that either show all three
 * exactly or (from 3 on) keep the comparison a + b > bound true or false as it is. */
int choose_comparison_decimals(double a, double b, double bound);

/* Chooses enough decimals that the printed points lead to the total in the same way as in the scheduler: by the
 * recorded steps of the sum (in_steps), or else by dropping the fraction. */
struct sum_decimals choose_sum_decimals(const struct fs_explain_sum *s, bool in_steps);

/* Returns true if dropping the fraction of the printed sum gives the total. */
bool has_truncated_total(const struct sum_decimals *d);

#endif
