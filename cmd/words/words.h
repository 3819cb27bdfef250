/* Numbers, times and names in the words of a page, and decimals that add up. Buffers belong to the caller. */
#ifndef WORDS_WORDS_H
#define WORDS_WORDS_H

#include "fs/explain.h"

enum { WORDS = 160 };

/* "7s", "30:00", "1:00:00", "7-00:00:00"; "unlimited" for FS_UNLIMITED and infinity, "unknown". */
const char *duration_words(char buf[WORDS], double seconds);

/* Local time of the cluster: "2026-11-20 21:06:24"; without the date if it is that of the snapshot. */
const char *time_words(char buf[WORDS], const fs_snapshot *s, int64_t t);
const char *date_words(char buf[WORDS], const fs_snapshot *s, int64_t t);

/* A number with as few decimals as tell it apart from any other, at most that many: never an exponent. "unknown" if it
 * is NAN. The first: of settings, which are printed whole. */
const char *number_words(char buf[WORDS], double v);
const char *decimals_words(char buf[WORDS], double v, int max);

const char *percent_words(char buf[WORDS], double v); /* of 1: "47.2 %", "0.1363 %" */
const char *ratio_words(char buf[WORDS], double v); /* "0.615572", "unknown" */
const char *level_words(char buf[WORDS], double level); /* "42.58", "0.000049", "inf", "unknown" */
const char *factor_number(char buf[WORDS], double v); /* of a term, four decimals: "0.7037", "12" */
const char *ordinal_words(char buf[WORDS], uint64_t n); /* "3rd" */
const char *count_words(char buf[WORDS], uint64_t n, const char *one, const char *many); /* "1 job", "12 jobs" */
/* Entries of a line, of which an array is one: "12 jobs", "30 jobs (27 entries)". */
const char *entries_words(char buf[WORDS], uint64_t entries, uint64_t jobs);
const char *amount_words(char buf[WORDS], const char *tres, double v); /* "20 CPUs", "20000M", "2 gres/gpu" */

/* "12", "28_[1-20]", "28_3". */
const char *job_words(char buf[WORDS], const fs_snapshot *s, uint32_t job_row);

/* A factor's name in capitals: "AGE", "TRES cpu". */
const char *factor_words(char buf[WORDS], const char *name);

/* A name for the cell of a table: cut with a + at the end if it is long. */
const char *cell_words(char buf[WORDS], const char *name);

/* Who is worse off by fair share: "18 of 27 users", "none of 27 users". */
const char *standing_of(char buf[WORDS], const struct fs_explain_path *path);

/* What a share row is called: "bob", "account physics", "bob in partition gpu". */
const char *row_words(char buf[WORDS], const struct fs_share_row *r);

/* Decimals that add up as they are printed: everything is a whole number of the last digit. */

struct sheet {
	int digits;
	int64_t sum, total; /* in units of the last digit */
	bool fits;	    /* false: too large for 64 bits */
};

double power_of_ten(int n);
int64_t decimal_units(const struct sheet *d, double v);
const char *decimal_words(char buf[WORDS], int64_t v, int digits);

/* As few decimals as tell all of them exactly, three at least where that takes many; so many that in decimals the sum
 * of the first two is above the third, or not, as it is in truth. */
int decimals_for_sum(double a, double b, double bound);

/* Enough decimals for the sum of the points to become the total as the scheduler makes it one: by the steps of the
 * sum, or by dropping its fraction. */
struct sheet choose_decimals(const struct fs_explain_sum *s, bool in_steps);

/* Does dropping the fraction of the decimals give the total? */
bool sheet_truncates(const struct sheet *d);

#endif
