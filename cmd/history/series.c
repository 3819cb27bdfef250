/* The points of a course thing by thing: a picture of each, and where it changed most. */
#include "history/points.h"

#include "page/page.h"
#include "page/plot.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 80, COLUMNS = 64, HEIGHT = 8, DECIMALS = 6 };

const char *point_time(char out[POINT_TIME], const struct course_point *p)
{
	const time_t local = (time_t)(p->time + p->utc_offset_s);
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(out, POINT_TIME, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(out, POINT_TIME, "?");
	return out;
}

const char *point_number(char buf[POINT_NUMBER], double v)
{
	return isnan(v) ? "" : text_number(buf, POINT_NUMBER, v, DECIMALS);
}

static int by_thing(const void *x, const void *y, const void *ctx)
{
	const struct course_point *const *a = x, *const *b = y;

	(void)ctx;
	return line_order((*a)->line, (*b)->line);
}

const char *course_measure(const struct course *c, const struct line *l)
{
	if (c->jobs)
		return "priority";
	return isnan(line_value(l, "fairshare")) ? "effective_usage" : "fairshare";
}

const char *course_name(char buf[POINT_NAME], const struct line *l, const char *measure)
{
	const char *in = *l->partition ? " in " : "";

	if (l->of_job)
		snprintf(buf, POINT_NAME, "%s of job %llu%s%s", measure, (unsigned long long)l->job, in, l->partition);
	else
		snprintf(buf, POINT_NAME, "%s of %s%s%s%s%s", measure, l->user, *l->user ? " at " : "", l->account, in, l->partition);
	return buf;
}

static void print_name(const struct line *l, const char *measure)
{
	char name[POINT_NAME];

	emit("%s", course_name(name, l, measure));
}

/* The greatest change between neighbours, and the command that tells its causes. */
static void print_step(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = course_measure(c, v[0]->line);
	size_t at = 0;
	double max = 0;
	char before[POINT_NUMBER], after[POINT_NUMBER], when[POINT_TIME], then[POINT_TIME];

	(void)ctx;
	for (size_t i = 1; i < n; i++) {
		const double change = fabs(line_value(v[i]->line, measure) - line_value(v[i - 1]->line, measure));

		if (change > max) {
			max = change;
			at = i;
		}
	}
	if (!at)
		return;
	const struct line *l = v[at]->line;

	point_time(then, v[at - 1]);
	point_time(when, v[at]);
	emit("\n");
	print_name(l, measure);
	emit(" changed most from %s to %s: %s, then %s.\n", then, when,
	     point_number(before, line_value(v[at - 1]->line, measure)), point_number(after, line_value(l, measure)));
	emit("Why: fs-diff");
	if (c->jobs)
		emit(" --job=%llu", (unsigned long long)l->job);
	else
		emit(*l->user ? " --user=%s" : " --account=%s", *l->user ? l->user : l->account);
	emit(" %s %s\n", v[at - 1]->file, v[at]->file);
}

/* The last value known at the end of each of COLUMNS equal spans of time. */
static void sample(const struct course_point *const *v, size_t n, const char *measure, double out[COLUMNS])
{
	const int64_t first = v[0]->time, span = v[n - 1]->time - first;
	size_t next = 0;
	double last = (double)NAN;

	for (int i = 0; i < COLUMNS; i++) {
		const double until = (double)span * (i + 1) / COLUMNS;

		for (; next < n && (double)(v[next]->time - first) <= until; next++)
			last = line_value(v[next]->line, measure);
		out[i] = last;
	}
}

static bool changes(const double v[COLUMNS])
{
	for (int i = 1; i < COLUMNS; i++)
		if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
			return true;
	return false;
}

static void draw(void *ctx, const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = course_measure(c, v[0]->line);
	char from[POINT_TIME], to[POINT_TIME], buf[POINT_NUMBER];
	double value[COLUMNS];
	struct page page;

	(void)ctx;
	point_time(from, v[0]);
	point_time(to, v[n - 1]);
	sample(v, n, measure, value);
	print_name(v[0]->line, measure);
	if (!changes(value)) {
		emit(": %s from %s to %s\n", point_number(buf, value[0]), from, to);
		return;
	}
	emit("\n");
	page_init(&page, PAGE_TEXT, WIDTH, text_utf8());
	plot_curve(&page, from, to, value, COLUMNS, HEIGHT, c->jobs ? 0 : 4);
	page_print(&page, stdout, false);
	page_free(&page);
}

/* The points of one thing, `n` of those sorted by things. */
struct series {
	const struct course_point *const *v;
	size_t n;
};

static int by_first_point(const void *x, const void *y, const void *ctx)
{
	const struct series *a = x, *b = y;

	(void)ctx;
	return (a->v[0] > b->v[0]) - (a->v[0] < b->v[0]);
}

/* The sort is stable: what is of one thing stays in the order of time. */
static size_t part(const struct course_point *const *v, size_t n, struct series *out)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!i || by_thing(&v[i - 1], &v[i], NULL))
			out[count++] = (struct series){ &v[i], 0 };
		out[count - 1].n++;
	}
	return count;
}

int course_each(const struct course *c, const struct course_points *p, series_fn fn, void *ctx)
{
	const struct course_point **v = malloc((p->n + 1) * sizeof(*v));
	struct series *series = malloc((p->n + 1) * sizeof(*series));
	int status = v && series ? EXIT_DONE : no_memory(c->inv);
	size_t n = 0;

	for (size_t i = 0; !status && i < p->n; i++)
		v[i] = &p->v[i];
	if (!status && fs_sort(v, p->n, sizeof(*v), by_thing, NULL))
		status = no_memory(c->inv);
	if (!status)
		n = part(v, p->n, series);
	if (!status && fs_sort(series, n, sizeof(*series), by_first_point, NULL))
		status = no_memory(c->inv);
	for (size_t i = 0; !status && i < n; i++)
		fn(ctx, c, series[i].v, series[i].n);
	free(v);
	free(series);
	return status;
}

int course_pictures(const struct course *c, const struct course_points *p)
{
	return course_each(c, p, draw, NULL);
}

int course_steps(const struct course *c, const struct course_points *p)
{
	return course_each(c, p, print_step, NULL);
}
