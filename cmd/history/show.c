/* The points of a course as table, CSV, JSON and picture. */
#include "history/course.h"

#include "history/lines.h"
#include "render/emit.h"
#include "render/page.h"
#include "render/plot.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAMES = LINE_VALUES, TIME = 20, WIDTH = 80, COLUMNS = 64, HEIGHT = 8 };

/* The values that the points have, each name once. */
struct measures {
	const char *name[NAMES];
	bool shown[NAMES]; /* it is not 0 everywhere */
	size_t n;
};

static void add_measure(struct measures *m, const struct line_value *v)
{
	size_t i = 0;

	while (i < m->n && strcmp(m->name[i], v->name) != 0)
		i++;
	if (i == NAMES)
		return;
	if (i == m->n)
		m->name[m->n++] = v->name;
	m->shown[i] = m->shown[i] || (!isnan(v->value) && v->value != 0);
}

static struct measures find_measures(const struct course_points *p)
{
	struct measures m = { .n = 0 };

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->v[i].line->n; k++)
			add_measure(&m, &p->v[i].line->value[k]);
	return m;
}

static void time_text(const struct course_point *p, char out[TIME])
{
	const time_t local = (time_t)(p->time + p->utc_offset_s);
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(out, TIME, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(out, TIME, "?");
}

/* ---- the texts of a row */

enum text_column { TEXT_JOB, TEXT_USER, TEXT_ACCOUNT, TEXT_PARTITION, TEXT_QOS, TEXT_STATE, TEXT_COLUMNS };
static const char *const text_key[TEXT_COLUMNS] = { "jobid", "user", "account", "partition", "qos", "state" };
static const char *const text_heading[TEXT_COLUMNS] = { "JOBID", "USER", "ACCOUNT", "PARTITION", "QOS", "STATE" };

static const char *text_of(const struct line *l, enum text_column c, char job[24])
{
	const char *const texts[TEXT_COLUMNS] = { job, l->user, l->account, l->partition, l->qos, l->state };

	if (c != TEXT_JOB)
		return texts[c];
	snprintf(job, 24, "%llu", (unsigned long long)l->job);
	return l->of_job ? job : "";
}

static int text_column_width(const struct course_points *p, enum text_column c)
{
	char job[24];
	int most = 0;

	for (size_t i = 0; i < p->n; i++) {
		const int w = text_width(text_of(p->v[i].line, c, job));

		most = w > most ? w : most;
	}
	return most && most < (int)strlen(text_heading[c]) ? (int)strlen(text_heading[c]) : most;
}

/* ---- table */

enum { DECIMALS = 6, LEAST = 8, CELL = 400 };

static const char *number_text(double v, char buf[CELL])
{
	return isnan(v) ? "" : text_number(buf, CELL, v, DECIMALS);
}

static int measure_width(const struct course_points *p, const char *name)
{
	int most = (int)strlen(name) > LEAST ? (int)strlen(name) : LEAST;
	char buf[CELL];

	for (size_t i = 0; i < p->n; i++) {
		const int n = (int)strlen(number_text(line_value(p->v[i].line, name), buf));

		most = n > most ? n : most;
	}
	return most;
}

static void print_table(const struct course *c, const struct course_points *p, const struct measures *m)
{
	int text[TEXT_COLUMNS], number[NAMES];
	char when[TIME], job[24], buf[CELL];

	for (int k = 0; k < TEXT_COLUMNS; k++)
		text[k] = text_column_width(p, (enum text_column)k);
	for (size_t k = 0; k < m->n; k++)
		number[k] = measure_width(p, m->name[k]);
	if (!c->no_header) {
		emit("%-*s", TIME - 1, "TIME");
		for (int k = 0; k < TEXT_COLUMNS; k++)
			if (text[k])
				emit(" %-*s", text[k], text_heading[k]);
		for (size_t k = 0; k < m->n; k++)
			if (m->shown[k])
				emit(" %*s", number[k], m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		time_text(&p->v[i], when);
		emit_text(when);
		for (int k = 0; k < TEXT_COLUMNS; k++)
			if (text[k])
				emit(" %-*s", text[k], text_of(p->v[i].line, (enum text_column)k, job));
		for (size_t k = 0; k < m->n; k++)
			if (m->shown[k])
				emit(" %*s", number[k], number_text(line_value(p->v[i].line, m->name[k]), buf));
		emit("\n");
	}
}

/* ---- CSV (RFC 4180) */

static void csv_text(const char *s)
{
	const bool quoted = strpbrk(s, ",\"\r\n") != NULL;

	if (quoted)
		emit("\"");
	for (const char *q; (q = strchr(s, '"')); s = q + 1) {
		emit("%.*s", (int)(q - s), s);
		emit("\"\"");
	}
	emit_text(s);
	if (quoted)
		emit("\"");
}

static void print_csv(const struct course *c, const struct course_points *p, const struct measures *m)
{
	char when[TIME], job[24];

	if (!c->no_header) {
		emit("time,seconds");
		for (int k = 0; k < TEXT_COLUMNS; k++)
			emit(",%s", text_key[k]);
		for (size_t k = 0; k < m->n; k++)
			emit(",%s", m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		time_text(&p->v[i], when);
		emit("%s,%lld", when, (long long)p->v[i].time);
		for (int k = 0; k < TEXT_COLUMNS; k++) {
			emit(",");
			csv_text(text_of(p->v[i].line, (enum text_column)k, job));
		}
		for (size_t k = 0; k < m->n; k++) {
			char number[TEXT_PYTHON];

			emit(",%s", text_python(number, line_value(p->v[i].line, m->name[k])));
		}
		emit("\n");
	}
}

/* ---- JSON */

static void write_row(struct fs_json *j, const struct course_point *p, const struct measures *m)
{
	char job[24];

	fs_json_object(j);
	json_integer(j, "time", p->time);
	json_whole(j, text_key[TEXT_JOB], p->line->of_job, p->line->job);
	for (int k = TEXT_USER; k < TEXT_COLUMNS; k++)
		json_text(j, text_key[k], text_of(p->line, (enum text_column)k, job));
	fs_json_key(j, "values");
	fs_json_object(j);
	for (size_t k = 0; k < m->n; k++)
		json_number(j, m->name[k], line_value(p->line, m->name[k]));
	fs_json_end_object(j);
	fs_json_end_object(j);
	json_row_done(j);
}

static int print_json(const struct course *c, const struct course_points *p, const struct measures *m)
{
	struct fs_json j;

	json_begin_plain(&j, "fs-history/1", c->json);
	json_text(&j, "cluster", p->cluster);
	json_text(&j, "scheduler", p->scheduler);
	json_text(&j, "of", c->jobs ? "jobs" : "shares");
	json_rows(&j);
	for (size_t i = 0; i < p->n; i++)
		write_row(&j, &p->v[i], m);
	json_end_rows(&j);
	return json_end(&j);
}

/* ---- one after the other: the points of the same thing */

static int by_thing(const void *x, const void *y, const void *ctx)
{
	const struct line *a = (*(const struct course_point *const *)x)->line, *b = (*(const struct course_point *const *)y)->line;
	int order = (a->job > b->job) - (a->job < b->job);

	(void)ctx;
	order = order ? order : strcmp(a->user, b->user);
	order = order ? order : strcmp(a->account, b->account);
	order = order ? order : strcmp(a->partition, b->partition);
	return order ? order : strcmp(a->qos, b->qos);
}

/* What is looked at of it: of shares the factor, where it has one. */
static const char *main_measure(const struct course *c, const struct line *l)
{
	if (c->jobs)
		return "priority";
	return isnan(line_value(l, "fairshare")) ? "effective_usage" : "fairshare";
}

static void print_name(const struct line *l, const char *measure)
{
	if (l->of_job)
		emit("%s of job %llu", measure, (unsigned long long)l->job);
	else
		emit("%s of %s%s%s", measure, l->user, *l->user ? " at " : "", l->account);
	if (*l->partition)
		emit(" in %s", l->partition);
}

/* The greatest change between neighbours, and the command that tells its causes. */
static void print_step(const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = main_measure(c, v[0]->line);
	size_t at = 0;
	double most = 0;
	char before[CELL], after[CELL], when[TIME], then[TIME];

	for (size_t i = 1; i < n; i++) {
		const double change = fabs(line_value(v[i]->line, measure) - line_value(v[i - 1]->line, measure));

		if (change > most) {
			most = change;
			at = i;
		}
	}
	if (!at)
		return;
	const struct line *l = v[at]->line;

	time_text(v[at - 1], then);
	time_text(v[at], when);
	emit("\n");
	print_name(l, measure);
	emit(" changed most from %s to %s: %s, then %s.\n", then, when,
	     number_text(line_value(v[at - 1]->line, measure), before), number_text(line_value(l, measure), after));
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

static void draw(const struct course *c, const struct course_point *const *v, size_t n)
{
	const char *measure = main_measure(c, v[0]->line);
	char from[TIME], to[TIME], buf[CELL];
	double value[COLUMNS];
	struct page page;

	time_text(v[0], from);
	time_text(v[n - 1], to);
	sample(v, n, measure, value);
	print_name(v[0]->line, measure);
	if (!changes(value)) {
		emit(": %s from %s to %s\n", number_text(value[0], buf), from, to);
		return;
	}
	emit("\n");
	page_init(&page, PAGE_TEXT, WIDTH, text_utf8());
	plot_curve(&page, from, to, value, COLUMNS, HEIGHT, c->jobs ? 0 : 4);
	page_print(&page, stdout, false);
	page_free(&page);
}

typedef void (*series_fn)(const struct course *c, const struct course_point *const *v, size_t n);

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

/* Things in the order of their first points. */
static int each_series(const struct course *c, const struct course_points *p, series_fn fn)
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
		fn(c, series[i].v, series[i].n);
	free(v);
	free(series);
	return status;
}

int course_print(const struct course *c, const struct course_points *p)
{
	const struct measures m = find_measures(p);
	int status = EXIT_DONE;

	if (!p->n && c->form != COURSE_JSON)
		status = EXIT_NOTHING;
	else if (c->form == COURSE_JSON)
		status = print_json(c, p, &m);
	else if (c->form == COURSE_CSV)
		print_csv(c, p, &m);
	else if (c->form == COURSE_PLOT)
		status = each_series(c, p, draw);
	else
		print_table(c, p, &m);
	if (!status && p->n && c->form == COURSE_TABLE)
		status = each_series(c, p, print_step);
	return status ? status : p->n ? EXIT_DONE : EXIT_NOTHING;
}
