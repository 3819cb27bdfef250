/* Decimals that add up as they are printed: everything is a whole number of the last digit. */
#ifndef WORDS_DECIMALS_H
#define WORDS_DECIMALS_H

#include "words/words.h"

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
