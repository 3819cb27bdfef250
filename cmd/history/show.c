/* Prints the points of a history as a table, CSV, JSON or an SVG picture. */
#include "columns/column.h"
#include "history/history.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

/* ---- SVG picture: one polyline for each series */

/* Sizes in pixels; LEVELS: intervals of the value axis; LINES: maximum number of series drawn. */
enum { WIDTH = 820, LEFT = 96, RIGHT = 24, TOP = 32, PLOT = 260, LEVELS = 4, MARK = 3, LINES = 10 };

struct picture {
	struct markup v;
	int64_t from, to; /* time range, seconds since the epoch */
	double low, high; /* value range */
	size_t n;	  /* number of series visited so far */
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

/* Extends the value range by the points of a series and counts the series. */
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

/* Draws the curve, the point marks and the legend entry of a series. A gap marks unknown values. */
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

/* Draws the grid lines with their values, and the first and last time. */
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

/* Widens the value range if it is empty, so that a constant curve is in the middle of the picture. */
static void make_room(struct picture *x)
{
	if (!isfinite(x->low))
		x->low = x->high = 0;
	if (x->high - x->low < 1e-9) {
		x->low -= .5;
		x->high += .5;
	}
}

/* Draws the first CHART_SERIES_MAX series into the file c->svg. Returns 0, or the exit status after an error
 * message. */
static int course_picture(const struct course *c, const struct course_points *p)
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

/* ---- names of the values */

enum { NAMES = LINE_VALUES };

/* The distinct value names of all points, at most MEASURES_MAX. */
struct measures {
	const char *name[NAMES];
	bool shown[NAMES]; /* false: the value is 0 or unknown in all points, and tables leave it out */
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

/* ---- columns of the fields other than the values; a row is a struct history_record, and belongs to a struct
 * history_point */

static void time_text(char buf[COLUMN_TEXT], const void *point, const void *line)
{
	(void)line;
	point_time(buf, point);
}

static void get_time(const void *point, const void *line, struct value *out)
{
	(void)line;
	*out = (struct value){ .type = VALUE_INTEGER, .integer = ((const struct course_point *)point)->time };
}

static void get_job(const void *point, const void *line, struct value *out)
{
	const struct line *l = line;

	(void)point;
	*out = (struct value){ .type = l->of_job ? VALUE_WHOLE : VALUE_NONE, .whole = l->job };
}

static const struct column columns[] = {
	{ .name = "TIME", .key = "time", .width = 1 - POINT_TIME, .unit = UNIT_TIME, .get = get_time,
	  .text = time_text, .help = "when the snapshot was taken" },
	{ .name = "JOBID", .key = "jobid", .width = -1, .get = get_job, .help = "the job" },
	{ .name = "USER", .key = "user", .width = -1, COLUMN_MEMBER(struct line, user), .help = "whose it is" },
	{ .name = "ACCOUNT", .key = "account", .width = -1, COLUMN_MEMBER(struct line, account),
	  .help = "the account, or the bank" },
	{ .name = "PARTITION", .key = "partition", .width = -1, COLUMN_MEMBER(struct line, partition),
	  .help = "the partition, where it has one" },
	{ .name = "QOS", .key = "qos", .width = -1, COLUMN_MEMBER(struct line, qos), .help = "the QOS of a job" },
	{ .name = "STATE", .key = "state", .width = -1, COLUMN_MEMBER(struct line, state),
	  .help = "the state of a job" },
};

enum { TEXT_COLUMNS = sizeof(columns) / sizeof(*columns), FIRST_TEXT = 1 };

/* Returns the text of a column, which may be written to `job`; "" if the record has none. */
static const char *text_of(const struct line *l, const struct column *c, char job[24])
{
	struct value v;

	column_value(c, NULL, l, &v);
	if (v.type == VALUE_TEXT)
		return v.text;
	*job = '\0';
	if (v.type == VALUE_WHOLE)
		snprintf(job, 24, "%llu", (unsigned long long)v.whole);
	return job;
}

/* Returns the width of a column; 0 if the column is empty in all points. */
static int text_column_width(const struct course_points *p, const struct column *c)
{
	char job[24];
	int max = 0;

	for (size_t i = 0; i < p->n; i++) {
		const int w = text_width(text_of(p->v[i].line, c, job));

		max = w > max ? w : max;
	}
	return max && max < (int)strlen(c->name) ? (int)strlen(c->name) : max;
}

/* ---- table */

enum { LEAST = 8 };

/* Returns the width of the column of a value. */
static int measure_width(const struct course_points *p, const char *name)
{
	int max = (int)strlen(name) > LEAST ? (int)strlen(name) : LEAST;
	char buf[POINT_NUMBER];

	for (size_t i = 0; i < p->n; i++) {
		const int n = (int)strlen(point_number(buf, line_value(p->v[i].line, name)));

		max = n > max ? n : max;
	}
	return max;
}

static void print_heading(const struct column_page *page, const struct measures *m, const int *number)
{
	char text[COLUMN_TEXT];

	emit_text(columns_heading_text(text, sizeof(text), page));
	for (size_t k = 0; k < m->n; k++)
		if (m->shown[k])
			emit(" %*s", number[k], m->name[k]);
	emit("\n");
}

static void print_point(const struct column_page *page, const struct course_point *p, const struct measures *m,
			const int *number)
{
	struct column_page own = *page;
	char buf[POINT_NUMBER];

	own.of = p;
	columns_row(&own, p->line);
	for (size_t k = 0; k < m->n; k++)
		if (m->shown[k])
			emit(" %*s", number[k], point_number(buf, line_value(p->line, m->name[k])));
	emit("\n");
}

/* Prints a table: the text columns that are not empty in all points, then the values. */
static void print_table(const struct course *c, const struct course_points *p, const struct measures *m)
{
	unsigned char pick[TEXT_COLUMNS] = { 0 };
	int text[TEXT_COLUMNS] = { 0 }, number[NAMES];
	struct column_page page = { columns, .n = FIRST_TEXT, .pick = pick, .width = text };

	for (unsigned char k = FIRST_TEXT; k < TEXT_COLUMNS; k++) {
		text[k] = text_column_width(p, &columns[k]);
		if (text[k])
			pick[page.n++] = k;
	}
	for (size_t k = 0; k < m->n; k++)
		number[k] = measure_width(p, m->name[k]);
	if (!c->no_header)
		print_heading(&page, m, number);
	for (size_t i = 0; i < p->n; i++)
		print_point(&page, &p->v[i], m, number);
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
	char when[POINT_TIME], job[24];

	if (!c->no_header) {
		emit("time,seconds");
		for (int k = FIRST_TEXT; k < TEXT_COLUMNS; k++)
			emit(",%s", columns[k].key);
		for (size_t k = 0; k < m->n; k++)
			emit(",%s", m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		point_time(when, &p->v[i]);
		emit("%s,%lld", when, (long long)p->v[i].time);
		for (int k = FIRST_TEXT; k < TEXT_COLUMNS; k++) {
			emit(",");
			csv_text(text_of(p->v[i].line, &columns[k], job));
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
	fs_json_object(j);
	columns_json(j, COLUMNS(columns), p, p->line);
	json_object(j, "values");
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
	if (c->input->edits.n)
		json_list(&j, "if");
	for (size_t i = 0; i < c->input->edits.n; i++)
		fs_json_string(&j, c->input->edits.command[i]);
	if (c->input->edits.n)
		fs_json_end_array(&j);
	json_text(&j, "of", c->jobs ? "jobs" : "shares");
	json_rows(&j);
	for (size_t i = 0; i < p->n; i++)
		write_row(&j, &p->v[i], m);
	json_end_rows(&j);
	return json_end(&j);
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
		status = course_pictures(c, p);
	else if (c->form == COURSE_SVG)
		status = course_picture(c, p);
	else
		print_table(c, p, &m);
	if (!status && p->n && c->form == COURSE_TABLE)
		status = course_steps(c, p);
	return status ? status : p->n ? EXIT_DONE : EXIT_NOTHING;
}
