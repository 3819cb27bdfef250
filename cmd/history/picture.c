/* A history as an SVG picture: a line for each thing, from point to point. */
#include "history/points.h"

#include "picture/svg.h"

#include <math.h>

enum { WIDTH = 820, LEFT = 96, RIGHT = 24, TOP = 32, PLOT = 260, LEVELS = 4, MARK = 3, LINES = 10 };

struct picture {
	struct markup v;
	int64_t from, to;
	double low, high;
	size_t n; /* things so far */
};

static double x_of(const struct picture *x, int64_t time)
{
	return LEFT +
	       (WIDTH - LEFT - RIGHT) * (x->to > x->from ? (double)(time - x->from) / (double)(x->to - x->from) : .5);
}

static double y_of(const struct picture *x, double value)
{
	return TOP + PLOT * (x->high - value) / (x->high - x->low);
}

static void measure(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	struct picture *x = ctx;
	const char *name = course_measure(c, v[0]->line);

	x->n++;
	for (size_t i = 0; i < n; i++) {
		x->low = fmin(x->low, line_value(v[i]->line, name));
		x->high = fmax(x->high, line_value(v[i]->line, name));
	}
}

static void draw(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	struct picture *x = ctx;
	const char *name = course_measure(c, v[0]->line);
	const enum svg_role role = svg_series(x->n);
	char text[POINT_NAME + POINT_NUMBER + POINT_TIME], number[POINT_NUMBER], when[POINT_TIME];
	const struct course_point *last = NULL;

	if (x->n++ >= LINES)
		return;
	for (size_t i = 0; i < n; i++) {
		const double value = line_value(v[i]->line, name);

		if (!isnan(value) && last)
			svg_stroke(&x->v, x_of(x, last->time), y_of(x, line_value(last->line, name)),
				   x_of(x, v[i]->time), y_of(x, value), role);
		last = isnan(value) ? NULL : v[i];
		if (!last)
			continue;
		snprintf(text, sizeof(text), "%s: %s", point_time(when, v[i]), point_number(number, value));
		svg_rect(&x->v, x_of(x, v[i]->time) - MARK / 2., y_of(x, value) - MARK / 2., MARK, MARK, role, text);
	}
	svg_rect(&x->v, LEFT, TOP + PLOT + SVG_LINE * (double)(x->n + 1) - 8, 14, MARK, role, NULL);
	svg_text(&x->v, LEFT + 22, TOP + PLOT + SVG_LINE * (double)(x->n + 1), SVG_START, SVG_INK,
		 (WIDTH - LEFT - RIGHT) / SVG_CHAR, course_name(text, v[0]->line, name));
}

static void put_scale(struct picture *x, const struct course_points *p)
{
	char text[POINT_NUMBER];

	for (int i = 0; i <= LEVELS; i++) {
		const double value = x->low + (x->high - x->low) * i / LEVELS;

		svg_stroke(&x->v, LEFT, y_of(x, value), WIDTH - RIGHT, y_of(x, value), SVG_GRID);
		svg_text(&x->v, LEFT - 8, y_of(x, value) + 4, SVG_END, SVG_FAINT, LEFT / SVG_CHAR,
			 point_number(text, value));
	}
	svg_text(&x->v, LEFT, TOP + PLOT + SVG_LINE, SVG_START, SVG_FAINT, 0, point_time(text, &p->v[0]));
	svg_text(&x->v, WIDTH - RIGHT, TOP + PLOT + SVG_LINE, SVG_END, SVG_FAINT, 0, point_time(text, &p->v[p->n - 1]));
}

/* Widens the range of a number that never changes, so that its line is in the middle. */
static void make_room(struct picture *x)
{
	if (!isfinite(x->low))
		x->low = x->high = 0;
	if (x->high - x->low < 1e-9) {
		x->low -= .5;
		x->high += .5;
	}
}

int course_picture(const struct course *c, const struct course_points *p)
{
	struct picture x = { .from = p->v[0].time, .to = p->v[p->n - 1].time, .low = INFINITY, .high = -INFINITY };
	int status = course_each(c, p, measure, &x);
	const size_t things = x.n;

	if (status)
		return status;
	make_room(&x);
	svg_begin(&x.v, WIDTH, TOP + PLOT + SVG_LINE * (double)((things < LINES ? things : LINES) + 2), c->jobs ? "Priorities" : "Shares",
		  "A line for each of those named below, and a mark for each snapshot.");
	put_scale(&x, p);
	x.n = 0;
	status = course_each(c, p, draw, &x);
	svg_end(&x.v);
	if (things > LINES)
		complain(c->inv, "--svg: the first %d of %zu", LINES, things);
	if (!status)
		return markup_save(c->inv, &x.v, c->svg);
	markup_free(&x.v);
	return status;
}
