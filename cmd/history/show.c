/* Prints the points of a history as a table, CSV, JSON or an SVG picture. */
#include "columns/column.h"
#include "history/history.h"
#include "picture/picture.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

/* ---- SVG picture: one polyline for each series */

/* CHART_SERIES_MAX: maximum number of series drawn. CHART_INTERVALS: number of intervals on the value axis. The other
 * constants are sizes in pixels. */
enum {
	CHART_WIDTH = 820,
	CHART_LEFT = 96,
	CHART_RIGHT = 24,
	CHART_TOP = 32,
	CHART_HEIGHT = 260,
	CHART_INTERVALS = 4,
	CHART_MARK_SIZE = 3,
	CHART_SERIES_MAX = SVG_SERIES
};

struct series_chart {
	struct markup v;
	int64_t from, to;    /* time range of the chart, seconds since the epoch */
	double low, high;    /* value range of the chart */
	size_t series_count; /* number of series visited so far */
};

static double time_to_x(const struct series_chart *x, int64_t time)
{
	return CHART_LEFT + (CHART_WIDTH - CHART_LEFT - CHART_RIGHT) *
				    (x->to > x->from ? (double)(time - x->from) / (double)(x->to - x->from) : .5);
}

static double value_to_y(const struct series_chart *x, double value)
{
	return CHART_TOP + CHART_HEIGHT * (x->high - value) / (x->high - x->low);
}

/* Extends the chart's value range until it includes all values of the series, and counts the series. */
static void extend_chart_range(void *ctx, const struct history_query *c, const struct history_point *const *v, size_t n)
{
	struct series_chart *x = ctx;
	const char *name = history_select_value_name(c, v[0]->record);

	x->series_count++;
	for (size_t i = 0; i < n; i++) {
		x->low = fmin(x->low, history_get_value(v[i]->record, name));
		x->high = fmax(x->high, history_get_value(v[i]->record, name));
	}
}

/* Draws the curve, the point marks and the legend entry of a series. The curve has a gap where the value is unknown. */
static void draw_chart_series(void *ctx, const struct history_query *c, const struct history_point *const *v, size_t n)
{
	struct series_chart *x = ctx;
	const char *name = history_select_value_name(c, v[0]->record);
	const enum svg_role role = svg_get_series(x->series_count);
	char text[SERIES_NAME_SIZE + POINT_NUMBER_SIZE + POINT_TIME_SIZE], number[POINT_NUMBER_SIZE],
		when[POINT_TIME_SIZE];
	const struct history_point *last = NULL;

	if (x->series_count++ >= CHART_SERIES_MAX)
		return;
	for (size_t i = 0; i < n; i++) {
		const double value = history_get_value(v[i]->record, name);

		if (!isnan(value) && last)
			svg_draw_line(&x->v, time_to_x(x, last->time),
				      value_to_y(x, history_get_value(last->record, name)), time_to_x(x, v[i]->time),
				      value_to_y(x, value), role);
		last = isnan(value) ? NULL : v[i];
		if (!last)
			continue;
		snprintf(text, sizeof(text), "%s: %s", history_format_time(when, v[i]),
			 history_format_number(number, value));
		svg_draw_rectangle(&x->v, time_to_x(x, v[i]->time) - CHART_MARK_SIZE / 2.,
				   value_to_y(x, value) - CHART_MARK_SIZE / 2., CHART_MARK_SIZE, CHART_MARK_SIZE, role,
				   text);
	}
	svg_draw_rectangle(&x->v, CHART_LEFT, CHART_TOP + CHART_HEIGHT + SVG_LINE * (double)(x->series_count + 1) - 8,
			   14, CHART_MARK_SIZE, role, NULL);
	svg_draw_text(&x->v, CHART_LEFT + 22, CHART_TOP + CHART_HEIGHT + SVG_LINE * (double)(x->series_count + 1),
		      SVG_START, SVG_INK, (CHART_WIDTH - CHART_LEFT - CHART_RIGHT) / SVG_CHAR,
		      history_format_series_name(text, v[0]->record, name));
}

/* Draws the grid lines with their values. Writes the times of the first and the last point below them. */
static void draw_chart_scale(struct series_chart *x, const struct history_points *p)
{
	char text[POINT_NUMBER_SIZE];

	for (int i = 0; i <= CHART_INTERVALS; i++) {
		const double value = x->low + (x->high - x->low) * i / CHART_INTERVALS;

		svg_draw_line(&x->v, CHART_LEFT, value_to_y(x, value), CHART_WIDTH - CHART_RIGHT, value_to_y(x, value),
			      SVG_GRID);
		svg_draw_text(&x->v, CHART_LEFT - 8, value_to_y(x, value) + 4, SVG_END, SVG_FAINT,
			      CHART_LEFT / SVG_CHAR, history_format_number(text, value));
	}
	svg_draw_text(&x->v, CHART_LEFT, CHART_TOP + CHART_HEIGHT + SVG_LINE, SVG_START, SVG_FAINT, 0,
		      history_format_time(text, &p->v[0]));
	svg_draw_text(&x->v, CHART_WIDTH - CHART_RIGHT, CHART_TOP + CHART_HEIGHT + SVG_LINE, SVG_END, SVG_FAINT, 0,
		      history_format_time(text, &p->v[p->n - 1]));
}

/* Widens the value range if it is empty, so that a constant curve is in the middle of the picture. */
static void widen_empty_range(struct series_chart *x)
{
	if (!isfinite(x->low))
		x->low = x->high = 0;
	if (x->high - x->low < 1e-9) {
		x->low -= .5;
		x->high += .5;
	}
}

/* Draws the first CHART_SERIES_MAX series into the SVG file c->svg. Returns 0, or the exit status after an error
 * message. */
static int draw_history_chart(const struct history_query *c, const struct history_points *p)
{
	struct series_chart x = { .from = p->v[0].time, .to = p->v[p->n - 1].time, .low = INFINITY, .high = -INFINITY };
	int status = history_visit_series(c, p, extend_chart_range, &x);
	const size_t series = x.series_count;

	if (status)
		return status;
	widen_empty_range(&x);
	svg_begin_picture(&x.v, CHART_WIDTH,
			  CHART_TOP + CHART_HEIGHT +
				  SVG_LINE * (double)((series < CHART_SERIES_MAX ? series : CHART_SERIES_MAX) + 2),
			  c->jobs ? "Priorities" : "Shares",
			  "One line for each name below; each mark on a line is a snapshot.");
	draw_chart_scale(&x, p);
	x.series_count = 0;
	status = history_visit_series(c, p, draw_chart_series, &x);
	svg_end_picture(&x.v);
	if (series > CHART_SERIES_MAX)
		cmd_print_message(c->inv, "--svg: only the first %d of %zu lines are drawn", CHART_SERIES_MAX, series);
	if (!status)
		return markup_save_file(c->inv, &x.v, c->svg);
	markup_free_text(&x.v);
	return status;
}

/* ---- names of the values in a history */

enum { VALUE_NAMES_MAX = RECORD_VALUES_MAX };

/* The names of the values in a history, each name once; at most VALUE_NAMES_MAX. */
struct value_names {
	const char *name[VALUE_NAMES_MAX];
	/* false: tables leave the value out, because it is 0 or unknown in all points */
	bool is_shown[VALUE_NAMES_MAX];
	size_t n;
};

static void add_value_name(struct value_names *m, const struct history_value *v)
{
	size_t i = 0;

	while (i < m->n && strcmp(m->name[i], v->name) != 0)
		i++;
	if (i == VALUE_NAMES_MAX)
		return;
	if (i == m->n)
		m->name[m->n++] = v->name;
	m->is_shown[i] = m->is_shown[i] || (!isnan(v->value) && v->value != 0);
}

static struct value_names collect_value_names(const struct history_points *p)
{
	struct value_names m = { .n = 0 };

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->v[i].record->n; k++)
			add_value_name(&m, &p->v[i].record->value[k]);
	return m;
}

/* The columns with the time, names and state of a point. The named values of a point, such as its priority, are in
 * other columns. A cell function gets the struct history_point and its struct history_record. */

static void format_point_time(char buf[COLUMN_TEXT_SIZE], const void *point, const void *line)
{
	(void)line;
	history_format_time(buf, point);
}

static void get_point_time_value(const void *point, const void *line, struct value *out)
{
	(void)line;
	*out = (struct value){ .type = VALUE_SIGNED, .integer = ((const struct history_point *)point)->time };
}

static void get_record_job_value(const void *point, const void *line, struct value *out)
{
	const struct history_record *l = line;

	(void)point;
	*out = (struct value){ .type = l->of_job ? VALUE_UNSIGNED : VALUE_NONE, .whole = l->job };
}

static const struct column record_columns[] = {
	{ .name = "TIME", .key = "time", .width = 1 - POINT_TIME_SIZE, .unit = UNIT_TIME, .get_value = get_point_time_value,
	  .format_cell = format_point_time, .help = "time of the snapshot" },
	{ .name = "JOBID", .key = "jobid", .width = -1, .get_value = get_record_job_value, .help = "job id" },
	{ .name = "USER", .key = "user", .width = -1, COLUMN_MEMBER(struct history_record, user),
	  .help = "user; empty in the row of an account" },
	{ .name = "ACCOUNT", .key = "account", .width = -1, COLUMN_MEMBER(struct history_record, account),
	  .help = "account or bank" },
	{ .name = "PARTITION", .key = "partition", .width = -1, COLUMN_MEMBER(struct history_record, partition),
	  .help = "partition; empty: none" },
	{ .name = "QOS", .key = "qos", .width = -1, COLUMN_MEMBER(struct history_record, qos),
	  .help = "the QOS of a job" },
	{ .name = "STATE", .key = "state", .width = -1, COLUMN_MEMBER(struct history_record, state),
	  .help = "the state of a job" },
};

enum { RECORD_COLUMN_COUNT = sizeof(record_columns) / sizeof(*record_columns), FIRST_RECORD_COLUMN = 1 };

/* Returns the text of a record in a column; "" if the record has no value for the column. Writes a job id to `job`, and
 * returns `job`. */
static const char *get_column_text(const struct history_record *l, const struct column *c, char job[24])
{
	struct value v;

	column_get_value(c, NULL, l, &v);
	if (v.type == VALUE_TEXT)
		return v.text;
	*job = '\0';
	if (v.type == VALUE_UNSIGNED)
		snprintf(job, 24, "%llu", (unsigned long long)v.whole);
	return job;
}

/* Returns the width of a column; 0 if the column is empty in every point. */
static int get_text_column_width(const struct history_points *p, const struct column *c)
{
	char job[24];
	int max = 0;

	for (size_t i = 0; i < p->n; i++) {
		const int w = text_get_width(get_column_text(p->v[i].record, c, job));

		max = w > max ? w : max;
	}
	return max && max < (int)strlen(c->name) ? (int)strlen(c->name) : max;
}

/* ---- a history as a table */

enum { VALUE_COLUMN_WIDTH_MIN = 8 };

/* Returns the width of the column that shows the values with this name. */
static int get_value_column_width(const struct history_points *p, const char *name)
{
	int max = (int)strlen(name) > VALUE_COLUMN_WIDTH_MIN ? (int)strlen(name) : VALUE_COLUMN_WIDTH_MIN;
	char buf[POINT_NUMBER_SIZE];

	for (size_t i = 0; i < p->n; i++) {
		const int n = (int)strlen(history_format_number(buf, history_get_value(p->v[i].record, name)));

		max = n > max ? n : max;
	}
	return max;
}

static void print_table_heading(const struct column_page *page, const struct value_names *m, const int *number)
{
	char text[COLUMN_TEXT_SIZE];

	emit_safe_text(columns_format_heading(text, sizeof(text), page));
	for (size_t k = 0; k < m->n; k++)
		if (m->is_shown[k])
			emit(" %*s", number[k], m->name[k]);
	emit("\n");
}

static void print_table_point(const struct column_page *page, const struct history_point *p,
			      const struct value_names *m, const int *number)
{
	struct column_page own = *page;
	char buf[POINT_NUMBER_SIZE];

	own.rows_owner = p;
	columns_print_row(&own, p->record);
	for (size_t k = 0; k < m->n; k++)
		if (m->is_shown[k])
			emit(" %*s", number[k], history_format_number(buf, history_get_value(p->record, m->name[k])));
	emit("\n");
}

/* Prints the points as a table: text columns, then columns of values. Omits text columns that are empty in every
 * point. */
static void print_points_table(const struct history_query *c, const struct history_points *p,
			       const struct value_names *m)
{
	unsigned char pick[RECORD_COLUMN_COUNT] = { 0 };
	int text[RECORD_COLUMN_COUNT] = { 0 }, number[VALUE_NAMES_MAX];
	struct column_page page = { record_columns, .n = FIRST_RECORD_COLUMN, .column_indices = pick, .widths = text };

	for (unsigned char k = FIRST_RECORD_COLUMN; k < RECORD_COLUMN_COUNT; k++) {
		text[k] = get_text_column_width(p, &record_columns[k]);
		if (text[k])
			pick[page.n++] = k;
	}
	for (size_t k = 0; k < m->n; k++)
		number[k] = get_value_column_width(p, m->name[k]);
	if (!c->no_header)
		print_table_heading(&page, m, number);
	for (size_t i = 0; i < p->n; i++)
		print_table_point(&page, &p->v[i], m, number);
}

/* ---- a history as CSV (RFC 4180) */

static void print_csv_text_field(const char *s)
{
	const bool quoted = strpbrk(s, ",\"") != NULL;
	char step[TEXT_STEP];

	if (quoted)
		emit("\"");
	while (*s) {
		const size_t n = text_encode_next(&s, step);

		if (*step == '"')
			emit("\"");
		emit("%.*s", (int)n, step);
	}
	if (quoted)
		emit("\"");
}

static void print_points_csv(const struct history_query *c, const struct history_points *p, const struct value_names *m)
{
	char when[POINT_TIME_SIZE], job[24];

	if (!c->no_header) {
		emit("time,seconds");
		for (int k = FIRST_RECORD_COLUMN; k < RECORD_COLUMN_COUNT; k++)
			emit(",%s", record_columns[k].key);
		for (size_t k = 0; k < m->n; k++)
			emit(",%s", m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		history_format_time(when, &p->v[i]);
		emit("%s,%lld", when, (long long)p->v[i].time);
		for (int k = FIRST_RECORD_COLUMN; k < RECORD_COLUMN_COUNT; k++) {
			emit(",");
			print_csv_text_field(get_column_text(p->v[i].record, &record_columns[k], job));
		}
		for (size_t k = 0; k < m->n; k++) {
			char number[TEXT_PYTHON];

			emit(",%s", text_format_python(number, history_get_value(p->v[i].record, m->name[k])));
		}
		emit("\n");
	}
}

/* ---- a history as JSON */

static void write_point_json(struct fs_json *j, const struct history_point *p, const struct value_names *m)
{
	fs_json_object(j);
	columns_write_members(j, COLUMNS(record_columns), p, p->record);
	json_begin_object(j, "values");
	for (size_t k = 0; k < m->n; k++)
		json_write_number(j, m->name[k], history_get_value(p->record, m->name[k]));
	fs_json_end_object(j);
	fs_json_end_object(j);
	json_end_row(j);
}

static int print_points_json(const struct history_query *c, const struct history_points *p, const struct value_names *m)
{
	struct fs_json j;

	json_begin_plain_document(&j, "fs-history/1", c->json);
	json_write_text(&j, "cluster", p->cluster);
	json_write_text(&j, "scheduler", p->scheduler);
	if (c->input->edits.n)
		json_begin_list(&j, "if");
	for (size_t i = 0; i < c->input->edits.n; i++)
		fs_json_string(&j, c->input->edits.command[i]);
	if (c->input->edits.n)
		fs_json_end_array(&j);
	json_write_text(&j, "of", c->jobs ? "jobs" : "shares");
	json_begin_rows(&j);
	for (size_t i = 0; i < p->n; i++)
		write_point_json(&j, &p->v[i], m);
	json_end_rows(&j);
	return json_end_document(&j);
}

int history_print_points(const struct history_query *c, const struct history_points *p)
{
	const struct value_names m = collect_value_names(p);
	int status = EXIT_DONE;

	if (!p->n && c->form != HISTORY_JSON)
		status = EXIT_NOTHING;
	else if (c->form == HISTORY_JSON)
		status = print_points_json(c, p, &m);
	else if (c->form == HISTORY_CSV)
		print_points_csv(c, p, &m);
	else if (c->form == HISTORY_PLOT)
		status = history_print_plots(c, p);
	else if (c->form == HISTORY_SVG)
		status = draw_history_chart(c, p);
	else
		print_points_table(c, p, &m);
	if (!status && p->n && c->form == HISTORY_TABLE)
		status = history_print_greatest_changes(c, p);
	return status ? status : p->n ? EXIT_DONE : EXIT_NOTHING;
}
