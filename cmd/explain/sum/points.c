/* A line of the sum that is a priority. */
#include "explain/parts.h"
#include "render/format.h"
#include "words/words.h"

#include <math.h>
#include <stdlib.h>

const char *explain_value_words(char buf[WORDS], const struct fs_prio_term *t, int digits)
{
	const double unit = power_of_ten(digits);

	if (t->value == trunc(t->value) && fabs(t->value) > 1) {
		format_text(buf, WORDS, "%.0f", t->value);
		return buf;
	}
	for (int n = 7; n <= 17; n++) {
		format_text(buf, WORDS, "%.*f", n, t->value);
		if (isnan(t->points) || round(strtod(buf, NULL) * t->weight * unit) == round(t->points * unit))
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

static void printed_row(struct page *p, const char *name, double points, const char *note, enum page_tone tone)
{
	page_cell(p, "%s", name);
	if (isnan(points))
		page_cell(p, "unknown");
	else
		page_cell(p, "%.0f", points);
	page_cell(p, "%s", note);
	page_row(p, tone);
}

void explain_printed_points(struct page *p, const struct fs_explain_sum *s, const char *note)
{
	static const struct page_column columns[] = { { "factor", ALIGN_LEFT }, { "points", ALIGN_POINT }, { "", ALIGN_LEFT } };
	double sum = 0;
	char name[WORDS];

	page_table(p, columns, sizeof(columns) / sizeof(*columns));
	for (size_t t = 0; t < s->nprinted; t++) {
		const struct fs_prio_term *term = &s->printed[t];

		sum += term->points;
		if (term->points != 0)
			printed_row(p, factor_words(name, term->name), term->points, "", TONE_PLAIN);
	}
	page_rule(p, 1);
	printed_row(p, "sum", sum, "whole points, as the scheduler printed them", TONE_PLAIN);
	if (!isnan(s->total) && s->total != sum)
		printed_row(p, "fractions, and what was not printed", s->total - sum, "", TONE_PLAIN);
	printed_row(p, "PRIORITY", s->total, note, TONE_TOTAL);
	page_table_end(p);
	page_say(p, "The weights are not known, and so not what the factors were.");
	page_end(p);
}
