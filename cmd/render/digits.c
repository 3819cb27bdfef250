#include "render/digits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* What lies so near the middle between two of the last digit takes the exact way: the product may be beyond it. */
static const double sure = 0.4999, max = 1e14;

static size_t by_printf(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const int n = snprintf(buf, DIGITS_TEXT, sign ? "%+.*f" : "%.*f", digits, v);

	if (n < DIGITS_TEXT)
		return (size_t)n;
	return (size_t)snprintf(buf, DIGITS_TEXT, sign ? "%+.17e" : "%.17e", v);
}

static const double ten[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
enum { TENS = sizeof(ten) / sizeof(*ten) };

/* Puts the last n digits. */
static void put_digits(char *to, uint64_t v, size_t n)
{
	for (size_t at = n; at--; v /= 10)
		to[at] = (char)('0' + v % 10);
}

size_t digits_whole(char buf[DIGITS_WHOLE], uint64_t v)
{
	size_t n = 1;

	for (uint64_t left = v; left >= 10; left /= 10)
		n++;
	put_digits(buf, v, n);
	buf[n] = '\0';
	return n;
}

size_t digits_fixed(char buf[DIGITS_TEXT], double v, int digits, bool sign)
{
	const double units = fabs(v) * ten[digits], whole = rint(units);
	size_t len = 0;

	if (!(units < max) || fabs(units - whole) > sure)
		return by_printf(buf, v, digits, sign);
	const uint64_t n = (uint64_t)whole;
	if (signbit(v) || sign)
		buf[len++] = signbit(v) ? '-' : '+';
	len += digits_whole(buf + len, n / (uint64_t)ten[digits]);
	if (digits) {
		buf[len] = '.';
		put_digits(buf + len + 1, n, (size_t)digits);
		len += 1 + (size_t)digits;
		buf[len] = '\0';
	}
	return len;
}

/* Returns whether so many decimals read back as v. The quotient of two exact numbers is rounded once, as strtod
 * rounds. */
static bool reads_back(double v, int digits)
{
	return rint(v * ten[digits]) / ten[digits] == v;
}

bool digits_fewest(char buf[DIGITS_TEXT], double v, int most)
{
	int digits = 0;

	while (digits < most && digits + 1 < TENS && !reads_back(v, digits))
		digits++;
	if (!(fabs(v) * ten[digits] < max) || (digits < most && !reads_back(v, digits)))
		return false;
	digits_fixed(buf, v, digits, false);
	return true;
}
