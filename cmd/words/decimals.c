#include "words/decimals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Points are rounded to so many decimals that their sum, in decimals, is above the whole number the scheduler has
 * made of it by less than one; from then on everything is whole numbers of the last decimal. */

double power_of_ten(int n)
{
	double v = 1;

	while (n-- > 0)
		v *= 10;
	return v;
}

static bool add_up(const struct fs_explain_sum *s, int digits, struct sheet *out)
{
	const double unit = power_of_ten(digits), max = 9e17; /* so that some terms fit an int64_t */

	*out = (struct sheet){ .digits = digits };
	if (fabs(s->total) * unit > max)
		return false;
	for (size_t t = 0; t < s->nterms; t++) {
		if (!(fabs(s->terms[t].points) * unit < max / 64))
			return false;
		out->sum += llround(s->terms[t].points * unit);
	}
	out->total = llround(s->total) * (int64_t)unit;
	out->fits = true;
	return true;
}

bool sheet_truncates(const struct sheet *d)
{
	const int64_t unit = (int64_t)power_of_ten(d->digits);

	return d->sum >= d->total && d->sum - d->total < unit;
}

/* Returns whether the first step from the sum is in decimals what it was in binary. Without steps it is to drop the
 * fraction. */
static bool faithful(const struct fs_explain_sum *s, bool in_steps, const struct sheet *d)
{
	const int64_t unit = (int64_t)power_of_ten(d->digits),
		      half = d->sum < 0 ? -unit / 2 : unit / 2;

	if (!in_steps)
		return sheet_truncates(d) || s->total <= 1 || s->total >= UINT32_MAX;
	if (!s->nsteps)
		return d->sum == d->total;
	if (s->steps[0].step == FS_STEP_ROUNDED)
		return (double)((d->sum + half) / unit) == s->steps[0].value;
	return s->steps[0].step != FS_STEP_FRACTION || (double)(d->sum / unit) == s->steps[0].value;
}

/* Six decimals, unless they round over a whole number; fewer if the numbers are huge. */
struct sheet choose_decimals(const struct fs_explain_sum *s, bool in_steps)
{
	static const int wanted[] = { 6, 9, 12, 3, 0 };
	struct sheet first = { 0 }, d;
	bool some = false;

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (!add_up(s, wanted[i], &d))
			continue;
		if (faithful(s, in_steps, &d))
			return d;
		if (!some)
			first = d;
		some = true;
	}
	return first;
}

int decimals_for_sum(double a, double b, double bound)
{
	static const int tried[] = { 0, 3, 6 };

	for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		const struct sheet d = { .digits = tried[i] };
		const double unit = power_of_ten(tried[i]);
		const int64_t ua = decimal_units(&d, a), ub = decimal_units(&d, b),
			      max = decimal_units(&d, bound);
		const bool exact = (double)ua / unit == a && (double)ub / unit == b &&
				   (double)max / unit == bound;

		if (exact || (tried[i] && (ua + ub > max) == (a + b > bound)))
			return tried[i];
	}
	return 9;
}

int64_t decimal_units(const struct sheet *d, double v)
{
	return llround(v * power_of_ten(d->digits));
}

const char *decimal_words(char buf[WORDS], int64_t v, int digits)
{
	const uint64_t unit = (uint64_t)power_of_ten(digits),
		       n = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;

	if (digits)
		snprintf(buf, WORDS, "%s%" PRIu64 ".%0*" PRIu64, v < 0 ? "-" : "", n / unit, digits,
			 n % unit);
	else
		snprintf(buf, WORDS, "%s%" PRIu64, v < 0 ? "-" : "", n);
	return buf;
}
