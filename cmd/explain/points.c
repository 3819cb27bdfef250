/* A line of the sum that is a priority. */
#include "explain/parts.h"
#include "render/words.h"

#include <math.h>
#include <stdlib.h>

const char *explain_value_words(char buf[WORDS], const struct fs_prio_term *t, int digits)
{
	const double unit = power_of_ten(digits);

	if (t->value == trunc(t->value) && fabs(t->value) > 1) {
		snprintf(buf, WORDS, "%.0f", t->value);
		return buf;
	}
	for (int n = 7; n <= 17; n++) {
		snprintf(buf, WORDS, "%.*f", n, t->value);
		if (round(strtod(buf, NULL) * t->weight * unit) == round(t->points * unit))
			break;
	}
	return buf;
}

void explain_points_row(struct page *p, const char *name, const struct fs_prio_term *t,
			const struct sheet *d, int64_t points)
{
	char a[WORDS];

	page_cell(p, "%s", name);
	page_cell(p, "%s",
		  isnan(t->value) ? "unknown" : explain_value_words(a, t, d->fits ? d->digits : 6));
	page_cell(p, "%s", number_words(a, t->weight));
	if (isnan(t->points))
		page_cell(p, "unknown");
	else if (d->fits)
		page_cell(p, "%s", decimal_words(a, points, d->digits));
	else
		page_cell(p, "%.0f", t->points);
}
