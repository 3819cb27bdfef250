/* A forecast as a picture: a line for each course that differs, and a mark for each dated event. */
#include "picture/forecast.h"
#include "render/format.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 760, LEFT = 84, RIGHT = 24, TOP = 44, PLOT = 220, LEVELS = 4, MARK = 3, EVENTS = 6 };

struct frame {
	struct markup *v;
	const fs_snapshot *s;
	const fs_forecast *f;
	struct forecast_curve curve;
	double min, max;
	int64_t from, to;
};

static double x_of(const struct frame *r, int64_t time)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * (double)(time - r->from) / (double)(r->to - r->from);
}

static double y_of(const struct frame *r, double value)
{
	return TOP + PLOT * (r->max - value) / (r->max - r->min);
}

/* Fits the scale to the values; a value that never changes has its line in the middle. */
static bool fit_frame(struct frame *r)
{
	const size_t n = fs_forecast_points(r->f);

	r->min = INFINITY;
	r->max = -INFINITY;
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		for (size_t i = 0; i < n; i++) {
			const double v = forecast_curve_at(&r->curve, a, i);

			r->min = fmin(r->min, v);
			r->max = fmax(r->max, v);
		}
	if (!isfinite(r->min) || r->to <= r->from)
		return false;
	if (r->max - r->min < 1e-9) {
		const double room = r->curve.priority ? 1 : .01;

		r->min -= room;
		r->max += room;
	}
	return true;
}

static void put_scale(const struct frame *r)
{
	char text[WORDS];

	for (int i = 0; i <= LEVELS; i++) {
		const double value = r->min + (r->max - r->min) * i / LEVELS, y = y_of(r, value);

		format_text(text, sizeof(text), "%.*f", forecast_curve_digits(&r->curve), value);
		svg_stroke(r->v, LEFT, y, WIDTH - RIGHT, y, SVG_GRID);
		svg_text(r->v, LEFT - 8, y + 4, SVG_END, SVG_FAINT, 0, text);
	}
	svg_text(r->v, LEFT, TOP + PLOT + SVG_LINE, SVG_START, SVG_FAINT, 0, date_words(text, r->s, r->from));
	svg_text(r->v, WIDTH - RIGHT, TOP + PLOT + SVG_LINE, SVG_END, SVG_FAINT, 0, date_words(text, r->s, r->to));
}

static bool drawn_before(const struct frame *r, int a)
{
	for (int b = 0; b < a; b++)
		if (forecast_curve_same(&r->curve, a, b))
			return true;
	return false;
}

static void put_course(const struct frame *r, int a)
{
	bool on = false;
	double x = 0, y = 0;

	for (size_t i = 0; i < fs_forecast_points(r->f); i++) {
		const double value = forecast_curve_at(&r->curve, a, i), to_y = y_of(r, value),
			     to_x = x_of(r, fs_forecast_point(r->f, (enum fs_assumption)a, i)->time);

		if (on && !isnan(value))
			svg_stroke(r->v, x, y, to_x, to_y, svg_series((size_t)a));
		on = !isnan(value);
		x = to_x;
		y = to_y;
	}
}

/* Names below the picture what each line shows. */
static void put_names(const struct frame *r, double y)
{
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		char text[2 * WORDS];
		size_t n;

		if (drawn_before(r, a))
			continue;
		n = (size_t)snprintf(text, sizeof(text), "%s", fs_assumption_text((enum fs_assumption)a));
		for (int b = a + 1; b < FS_ASSUMPTION_COUNT && n < sizeof(text); b++)
			if (forecast_curve_same(&r->curve, a, b))
				n += (size_t)snprintf(text + n, sizeof(text) - n, "; %s",
						      fs_assumption_text((enum fs_assumption)b));
		svg_rect(r->v, LEFT, y - 8, 14, MARK, svg_series((size_t)a), NULL);
		svg_text(r->v, LEFT + 22, y, SVG_START, SVG_INK, (WIDTH - LEFT - RIGHT) / SVG_CHAR, text);
		y += SVG_LINE;
	}
}

static bool in_frame(const struct frame *r, const struct fs_forecast_event *x)
{
	return x->time != FS_UNKNOWN && x->time >= r->from && x->time <= r->to;
}

static int courses(const struct frame *r)
{
	int n = 0;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		n += !drawn_before(r, a);
	return n;
}

/* The colour of the line under whose assumptions alone the event comes; that of notes: it comes under others too. */
static enum svg_role event_colour(const struct frame *r, const struct fs_forecast_event *x)
{
	int line = -1;

	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++) {
		if (!(x->assumptions >> a & 1))
			continue;
		if (line >= 0 && !forecast_curve_same(&r->curve, line, a))
			return SVG_FAINT;
		line = line < 0 ? a : line;
	}
	for (int b = 0; b < line; b++)
		if (forecast_curve_same(&r->curve, line, b))
			return svg_series((size_t)b);
	return line >= 0 && courses(r) > 1 ? svg_series((size_t)line) : SVG_FAINT;
}

static void put_events(const struct frame *r, const struct fs_eval *e)
{
	for (size_t i = 0; i < fs_forecast_events(r->f); i++) {
		const struct fs_forecast_event *x = fs_forecast_event(r->f, i);
		char what[FORECAST_EVENT], when[WORDS], text[FORECAST_EVENT + WORDS];

		if (!in_frame(r, x))
			continue;
		forecast_event_words(what, r->s, e, x);
		snprintf(text, sizeof(text), "%s: %s", date_words(when, r->s, x->time), what);
		svg_rect(r->v, x_of(r, x->time) - 1, TOP + PLOT - 12, MARK, 12, event_colour(r, x), text);
	}
}

/* Counts the events that are worded below the picture, as many as have room. */
static size_t count_events(const struct frame *r)
{
	size_t n = 0;

	for (size_t i = 0; i < fs_forecast_events(r->f); i++)
		n += in_frame(r, fs_forecast_event(r->f, i));
	return n < EVENTS ? n : EVENTS;
}

static void name_events(const struct frame *r, const struct fs_eval *e, double y)
{
	char what[FORECAST_EVENT], when[WORDS], text[FORECAST_EVENT + WORDS];
	size_t told = 0;

	for (size_t i = 0; i < fs_forecast_events(r->f) && told < EVENTS; i++) {
		const struct fs_forecast_event *x = fs_forecast_event(r->f, i);

		if (!in_frame(r, x))
			continue;
		told++;
		forecast_event_words(what, r->s, e, x);
		snprintf(text, sizeof(text), "%s: %s", date_words(when, r->s, x->time), what);
		svg_rect(r->v, LEFT + 6, y - 10, MARK, 12, event_colour(r, x), NULL);
		svg_text(r->v, LEFT + 22, y, SVG_START, SVG_INK, (WIDTH - LEFT - RIGHT) / SVG_CHAR, text);
		y += SVG_LINE;
	}
}

/* The priority, or the factor where there is none, as a picture; title: whose. False: nothing is known that could be
 * drawn. */
static bool forecast_draw(struct markup *v, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
			  const char *title)
{
	const size_t n = fs_forecast_points(f);
	struct frame r = { .v = v, .s = s, .f = f, .curve = forecast_curve_of(f) };
	char heading[2 * WORDS];

	r.from = fs_forecast_point(f, FS_ASSUME_IDLE, 0)->time;
	r.to = fs_forecast_point(f, FS_ASSUME_IDLE, n - 1)->time;
	if (!fit_frame(&r))
		return false;
	snprintf(heading, sizeof(heading), "%s of %s", forecast_curve_name(&r.curve), title);
	svg_begin(
		v, WIDTH, TOP + PLOT + SVG_LINE * (courses(&r) + (double)count_events(&r) + 2.5), heading,
		"A line for each course that it takes under the assumptions named below; marks at the foot are events, of the "
		"colour of their line.");
	svg_text(v, LEFT, TOP - 20, SVG_START, SVG_INK, (WIDTH - LEFT - RIGHT) / SVG_CHAR, heading);
	put_scale(&r);
	put_events(&r, e);
	for (int a = FS_ASSUMPTION_COUNT - 1; a >= 0; a--)
		if (!drawn_before(&r, a))
			put_course(&r, a);
	put_names(&r, TOP + PLOT + 2.5 * SVG_LINE);
	name_events(&r, e, TOP + PLOT + (courses(&r) + 2.5) * SVG_LINE);
	svg_end(v);
	return true;
}

int forecast_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		     const char *title, const char *file)
{
	struct markup v = { .state = s };

	if (forecast_draw(&v, s, e, f, title))
		return markup_save(inv, &v, file);
	markup_free(&v);
	complain(inv, "--svg: neither priority nor factor of %s is known", title);
	return EXIT_NOTHING;
}
