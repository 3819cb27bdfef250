/* Numbers of tables with many rows, written without printf. */
#ifndef RENDER_DIGITS_H
#define RENDER_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As "%.{digits}f", or "%+.{digits}f" with the sign; at most 9 digits. Returns how long it is; of what is not finite,
 * or so large that it takes an exponent, at most 80. */
enum { DIGITS_TEXT = 80 };
size_t digits_fixed(char buf[DIGITS_TEXT], double v, int digits, bool sign);

/* In decimal; returns how long it is, at most 20. */
enum { DIGITS_WHOLE = 24 };
size_t digits_whole(char buf[DIGITS_WHOLE], uint64_t v);

/* As "%.*f" with as few digits as give the number back, at most `most`. False: it takes more than 9, or is large. */
bool digits_fewest(char buf[DIGITS_TEXT], double v, int most);

#endif
