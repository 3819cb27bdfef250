#include "picture/bars.h"

#include "picture/factor_colour.h"
#include "render/format.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

enum { NAMES = 30, LEFT = NAMES * SVG_CHAR + 24, PLOT = 520, VALUE = 100, TOP = 16, ROW = 26, BAR = 18, MARGIN = 12,
       LEGEND = 150, IN_LINE = (LEFT + PLOT + VALUE - MARGIN) / LEGEND };

struct scale {
	double low, high; /* the range of the points drawn; low is at most 0 */
};

static double x_of(const struct scale *s, double points)
{
	return LEFT + PLOT * (points - s->low) / (s->high - s->low);
}

/* Returns how far the bar of a row goes to either side of zero. */
static void ends_of(const struct bars_row *r, double *low, double *high)
{
	*low = *high = 0;
	for (size_t t = 0; t < r->n; t++)
		if (isfinite(r->terms[t].points))
			*(r->terms[t].points < 0 ? low : high) += r->terms[t].points;
}

static struct scale scale_of(const struct bars_row *rows, size_t n)
{
	struct scale s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		double low, high;

		ends_of(&rows[i], &low, &high);
		s.low = fmin(s.low, low);
		s.high = fmax(s.high, high);
	}
	if (!(s.high > s.low))
		s.high = s.low + 1;
	return s;
}

static enum svg_role role_of(const char *term)
{
	const size_t colour = factor_colour(term);

	return colour < FACTOR_COLOURS ? svg_series(colour) : SVG_FAINT;
}

static void put_row(struct markup *v, const struct scale *s, const struct bars_row *r, double y)
{
	double low = 0, high = 0;
	char text[3 * WORDS], factor[WORDS];

	svg_text(v, LEFT - 12, y + BAR - 5, SVG_END, r->marked ? SVG_INK : SVG_FAINT, NAMES, r->name);
	for (size_t t = 0; t < r->n; t++) {
		const double points = r->terms[t].points;
		double *const end = points < 0 ? &low : &high;

		if (!isfinite(points) || points == 0)
			continue;
		format_text(text, sizeof(text), "%s %+.0f", factor_words(factor, r->terms[t].name), points);
		svg_rect(v, x_of(s, points < 0 ? *end + points : *end), y, PLOT * fabs(points) / (s->high - s->low),
			 BAR, role_of(r->terms[t].name), text);
		*end += points;
	}
	if (isnan(r->priority))
		return;
	format_text(text, sizeof(text), "%.0f", r->priority);
	svg_text(v, LEFT + PLOT + 12, y + BAR - 5, SVG_START, r->marked ? SVG_INK : SVG_FAINT, 0, text);
}

static bool any_points(const struct bars_row *rows, size_t n, size_t t)
{
	for (size_t i = 0; i < n; i++)
		if (t < rows[i].n && isfinite(rows[i].terms[t].points) && rows[i].terms[t].points != 0)
			return true;
	return false;
}

/* "TRES" of tres/cpu: terms of a kind have a colour together. */
static const char *kind_words(char buf[WORDS], const char *term)
{
	char *end;

	factor_words(buf, term);
	end = strchr(term, '/') ? strpbrk(buf, " /") : NULL;
	if (end)
		*end = '\0';
	return buf;
}

static bool named_before(const struct bars_row *rows, size_t n, size_t t)
{
	for (size_t k = 0; k < t; k++)
		if (any_points(rows, n, k) && role_of(rows->terms[k].name) == role_of(rows->terms[t].name) &&
		    strcspn(rows->terms[k].name, "/") == strcspn(rows->terms[t].name, "/"))
			return true;
	return false;
}

/* Draws the legend of the terms that have points in any row; with v NULL it only counts them. All rows have the same
 * terms. */
static size_t put_legend(struct markup *v, const struct bars_row *rows, size_t n, double y)
{
	char text[WORDS];
	size_t k = 0;

	for (size_t t = 0; n && t < rows->n; t++) {
		const double x = MARGIN + (double)(k % IN_LINE) * LEGEND, at = y + (double)(k / IN_LINE) * SVG_LINE;

		if (!any_points(rows, n, t) || named_before(rows, n, t))
			continue;
		k++;
		if (!v)
			continue;
		svg_rect(v, x, at - 10, 12, 12, role_of(rows->terms[t].name), NULL);
		svg_text(v, x + 18, at, SVG_START, SVG_FAINT, (LEGEND - 24) / SVG_CHAR,
			 kind_words(text, rows->terms[t].name));
	}
	return k;
}

void bars_draw(struct markup *v, const struct bars_row *rows, size_t n, bool inside)
{
	const struct scale s = scale_of(rows, n);
	const double bottom = TOP + (double)n * ROW;
	const size_t lines = (put_legend(NULL, rows, n, 0) + IN_LINE - 1) / IN_LINE;

	(inside ? svg_begin_inside : svg_begin)(v, LEFT + PLOT + VALUE, bottom + MARGIN + (double)(lines + 1) * SVG_LINE, "Priorities",
						"A bar for each job: the points of its factors beside each other, and its priority behind them.");
	svg_stroke(v, x_of(&s, 0), TOP - 6, x_of(&s, 0), bottom, SVG_GRID);
	for (size_t i = 0; i < n; i++)
		put_row(v, &s, &rows[i], TOP + (double)i * ROW);
	put_legend(v, rows, n, bottom + SVG_LINE);
	svg_end(v);
}
