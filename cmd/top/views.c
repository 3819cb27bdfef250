#include "top/model.h"

#include "columns/queue.h"
#include "columns/share.h"
#include "dialect/dialect.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "fs/scenario.h"
#include "render/text.h"
#include "top/data.h"
#include "top/list.h"
#include "top/update.h"
#include "top/ops.h"
#include "top/words.h"
#include "words/words.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- drawing the list of a view: headings, rows and bars */

enum { MARK_COLUMNS = LAYOUT_MARK_COLUMNS };

struct list_frame {
	struct column_slots places;
	char letters[MAX_TERMS];
	size_t terms;
};

static void draw_column_headings(const struct model *m, struct grid *g, const struct list_frame *f)
{
	const struct list *l = &m->list[m->view];
	struct layout at;

	model_get_row_layout(m, &at);
	grid_fill_cells(g, 0, at.headings_row, g->cols, ' ', ATTR_HEADING);
	for (size_t i = 0; i < f->places.n; i++) {
		const struct column_slot *p = &f->places.place[i];
		const bool left = p->column.kind == CELL_TEXT || p->column.kind == CELL_BAR;
		char name[80];
		size_t n = 0;

		if (p->index == l->sort)
			name[n++] = l->inverted == left ? 'v' : '^';
		for (const char *c = p->column.name; *c && n + 1 < sizeof(name); c++)
			name[n++] = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
		name[n] = '\0';
		if (p->index == l->sort)
			name[0] = l->inverted ? (left ? 'v' : '^') : (left ? '^' : 'v');
		if (left)
			grid_write_text(g, p->x, at.headings_row, p->width, name, ATTR_HEADING);
		else
			grid_write_right_aligned(g, p->x, at.headings_row, p->width, name, ATTR_HEADING);
		if (p->column.kind == CELL_BAR && l->ops->draw_bar_heading)
			l->ops->draw_bar_heading(m, g, &(struct bar){ p->x, at.headings_row, p->width, NULL, 0 });
	}
}

/* ---- drawing the rows of a list, for all views */

static enum attr get_cell_attr(const struct view_column *c, const struct value *v)
{
	const double change = value_to_number(v);

	if (c->kind != CELL_MOVE || isnan(change))
		return ATTR_PLAIN;
	return change > 0 ? ATTR_UP : ATTR_DOWN;
}

static void draw_cell_of_row(const struct model *m, struct grid *g, const struct list_frame *f,
			     const struct column_slot *p, unsigned y, uint32_t row, bool selected)
{
	const struct view_ops *ops = m->list[m->view].ops;
	const struct bar bar = { p->x, y, p->width, f->letters, f->terms };
	struct value v;
	char text[400];
	enum attr attr;

	if (p->column.kind == CELL_BAR) {
		ops->draw_bar(m, g, &bar, row);
		if (selected && !p->column.has_unlimited_width)
			grid_paint_cells(g, p->x, y, p->width, ATTR_SELECTED);
		return;
	}
	ops->value(m->data, row, &p->column, &v);
	if (ops->adapt_value)
		ops->adapt_value(m, row, &p->column, &v);
	if (p->column.format_cell)
		p->column.format_cell(m, row, text, sizeof(text));
	else
		cell_format_value(&p->column, &v, text, sizeof(text));
	attr = selected ? ATTR_SELECTED : get_cell_attr(&p->column, &v);
	if (p->column.kind == CELL_TEXT)
		grid_write_text(g, p->x, y, p->width, text, attr);
	else
		grid_write_right_aligned(g, p->x, y, p->width, text, attr);
}

static void draw_row_of_list(const struct model *m, struct grid *g, const struct list_frame *f, unsigned y,
			     uint32_t row, bool selected)
{
	if (selected) {
		grid_fill_cells(g, 0, y, g->cols, ' ', ATTR_SELECTED);
		grid_write_text(g, 0, y, 1, ">", ATTR_SELECTED);
	}
	if (m->list[m->view].ops->has_jobs && model_is_row_tagged(&m->tags, row))
		grid_write_text(g, 1, y, 1, "*", selected ? ATTR_SELECTED : ATTR_STRONG);
	for (size_t i = 0; i < f->places.n; i++)
		draw_cell_of_row(m, g, f, &f->places.place[i], y, row, selected);
}

static const char *explain_empty_list(const struct model *m)
{
	const struct list *l = &m->list[m->view];
	const char *problem = l->ops->get_problem(m->data);

	if (problem)
		return problem;
	return filter_is_active(&l->filter) ? "no row matches the filter; Esc removes it" : l->ops->empty_text;
}

/* Draws the headings and the rows of the current view. */
static void draw_current_list(const struct model *m, struct grid *g)
{
	const struct list *l = &m->list[m->view];
	const size_t n = list_count_rows(l);
	struct list_frame f;
	struct layout at;

	model_get_row_layout(m, &at);
	f.terms = term_assign_letters(m->data, f.letters, MAX_TERMS);
	layout_place_visible_columns(m, &f.places);
	draw_column_headings(m, g, &f);
	for (unsigned i = 0; i < at.list_rows && l->top + i < n; i++) {
		draw_row_of_list(m, g, &f, at.list_top + i, list_get_row_at(l, l->top + i), l->top + i == l->sel);
		if (l->top + i == l->sel)
			g->cursor_y = at.list_top + i;
	}
	if (!n)
		grid_write_text(g, MARK_COLUMNS, at.list_top, g->cols - MARK_COLUMNS,
				l->filtered && l->scanned < l->n ? "searching ..." : explain_empty_list(m), ATTR_PLAIN);
}

/* ---- the view of partitions */

COLUMN_GET_VALUE(partitions_get_name, void, struct partition_row, *row->name ? row->name : "(none)")

#define PARTITION_MEMBER(m) COLUMN_MEMBER(struct partition_row, m)

static const struct column partition_name_column = { "PARTITION", .get_value = partitions_get_name,
						     .help = "name of the partition" },
			   tier = { "TIER", PARTITION_MEMBER(tier),
				    .help = "PriorityTier; jobs in a higher tier are tried first" },
			   nodes = { "NODES", PARTITION_MEMBER(nodes), .help = "number of nodes" },
			   cpus = { "CPUS", PARTITION_MEMBER(cpus), .help = "number of CPUs" },
			   busy = { "BUSY", PARTITION_MEMBER(running_cpus), .help = "CPUs of the running jobs" },
			   running = { "RUNNING", PARTITION_MEMBER(running), .help = "running jobs" },
			   waiting = { "WAITING", PARTITION_MEMBER(waiting),
				       .help = "pending jobs, including blocked jobs" },
			   eligible = { "ELIGIBLE", PARTITION_MEMBER(eligible),
					.help = "pending jobs that wait only for their turn" };

static void get_partition_load(const struct data *d, uint32_t i, struct value *out)
{
	const struct partition_row *p = &d->partition[i];

	*out = value_from_double(p->cpus > 0 ? (double)p->running_cpus / (double)p->cpus : (double)NAN);
}

/* Sets *row to the queue row of the partition's first eligible job. Returns false if there is none. */
static bool find_first_partition_job(const struct data *d, uint32_t i, struct fs_queue_row *row)
{
	const struct partition_row *p = &d->partition[i];

	if (p->nfirst)
		fs_queue_row(d->eval.queue, p->first[0], row);
	return p->nfirst;
}

static void get_first_job_id(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	*out = find_first_partition_job(d, i, &row) ? value_from_unsigned(row.job) : value_from_text("");
}

static void get_first_job_user(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	*out = value_from_text(find_first_partition_job(d, i, &row) ? row.user : "");
}

static const struct view_column partitions_columns[] = {
	{ NULL, HEADING_OFFSET(partition_heading), CELL_TEXT, 14, 0, .table_column = &partition_name_column },
	{ NULL, 0, CELL_WHOLE, 5, 70, .table_column = &tier },
	{ NULL, 0, CELL_WHOLE, 6, 75, .table_column = &nodes },
	{ NULL, 0, CELL_WHOLE, 8, 0, .table_column = &cpus },
	{ NULL, 0, CELL_WHOLE, 8, 60, .table_column = &busy },
	{ "LOAD", 0, CELL_BAR, 10, 90, .get_value = get_partition_load, .help = "part of the CPUs that is busy" },
	{ NULL, 0, CELL_WHOLE, 8, 0, .table_column = &running },
	{ NULL, 0, CELL_WHOLE, 8, 0, .table_column = &waiting },
	{ NULL, 0, CELL_WHOLE, 8, 0, .table_column = &eligible },
	{ "FIRST", 0, CELL_TEXT, 10, 76, .get_value = get_first_job_id, .help = "job that is tried first" },
	{ "OF USER", 0, CELL_TEXT, 12, 95, .get_value = get_first_job_user,
	  .help = "user of the job that is tried first" },
};

static void get_partition_value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	if (c->get_value)
		c->get_value(d, i, out);
	else
		column_get_value(c->table_column, NULL, &d->partition[i], out);
}

/* Draws a bar in brackets. `fraction`: filled part, 0 to 1; NAN: none. */
static void draw_part_bar(struct grid *g, const struct bar *b, double fraction)
{
	const struct grid_part part = { isnan(fraction) ? 0 : fmin(fraction, 1), ATTR_UP, '=' };

	grid_write_text(g, b->x, b->y, 1, "[", ATTR_PLAIN);
	grid_draw_bar(g, b->x + 1, b->y, b->width - 2, &part, 1);
	grid_write_text(g, b->x + b->width - 1, b->y, 1, "]", ATTR_PLAIN);
}

static void draw_partition_load_bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t row)
{
	struct value load;

	get_partition_load(m->data, row, &load);
	draw_part_bar(g, b, load.number);
}

static bool partition_contains_text(const struct data *d, uint32_t i, const char *text)
{
	return text_contains_word(d->partition[i].name, text);
}

static uint32_t count_partition_rows(const struct data *d)
{
	return (uint32_t)d->partitions;
}

static uint32_t find_partition_again(const struct data *d, const struct data *old, uint32_t row)
{
	for (uint32_t i = 0; i < d->partitions; i++)
		if (!strcmp(d->partition[i].name, old->partition[row].name))
			return i;
	return FS_NO_ROW;
}

static void write_partition_pane(struct lines *l, const struct data *d, uint32_t row, unsigned width)
{
	(void)width;
	explain_append_partition_pane(l, d, row);
}

static void format_partition_subject(const struct data *d, uint32_t row, char *buf, size_t size)
{
	snprintf(buf, size, "%s", d->partition[row].name);
}

/* Handles the key Enter, which shows the jobs of the selected partition in the queue. */
static bool run_partition_action(struct model *m, enum action a)
{
	const uint32_t row = list_get_selected_row(update_get_list(m));

	if (a != ACT_EXPLAIN || row == FS_NO_ROW)
		return false;
	m->view = VIEW_QUEUE;
	update_partition_filter(m, m->data->partition[row].name);
	return true;
}

static const struct view_ops view_partitions = {
	.name = "partitions",
	.tab = "Partitions",
	.column = partitions_columns,
	.columns = sizeof(partitions_columns) / sizeof(*partitions_columns),
	.fixed_columns = 1,
	.empty_text = "no partitions",
	.get_problem = data_get_unordered_text,
	.value = get_partition_value,
	.draw_bar = draw_partition_load_bar,
	.contains = partition_contains_text,
	.count_rows = count_partition_rows,
	.find_row_again = find_partition_again,
	.append_pane = write_partition_pane,
	.format_subject = format_partition_subject,
	.run_action = run_partition_action,
};

/* ---- the view of the queue: pending jobs in scheduling order */

/* ---- columns of the queue view */

static void read_queue_row_at(const struct data *d, uint32_t i, struct fs_queue_row *row)
{
	fs_queue_row(d->eval.queue, i, row);
}

static double compute_position_change(uint32_t was, uint32_t is)
{
	return was == POSITION_NEW ? (double)INFINITY
	       : was && is     ? (double)was - (double)is
			       : (double)NAN;
}

static void get_position_change(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	read_queue_row_at(d, i, &row);
	*out = value_from_double(d->previous.position ? compute_position_change(d->previous.position[i], row.position)
						      : (double)NAN);
}

/* Sets *out to the points of priority term `term` (the first term is 1). If `term` is 0, sets *out to the sum of all
 * terms. */
static void get_priority_points(const struct data *d, uint32_t i, size_t term, struct value *out)
{
	struct fs_queue_row row;
	struct fs_prio_row prio;

	read_queue_row_at(d, i, &row);
	*out = value_from_double(NAN);
	if (!data_get_priority_row(d, &row, &prio))
		return;
	out->number = !term ? prio.sum : prio.set_directly ? (double)NAN : prio.terms[term - 1].points;
}

static void get_factor_sum(const struct data *d, uint32_t i, struct value *out)
{
	get_priority_points(d, i, 0, out);
}

static void get_eligible_waiting_time(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;
	struct fs_job job;

	read_queue_row_at(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	*out = value_from_double(job.times.eligible > d->time || job.times.eligible == FS_UNKNOWN
					 ? (double)NAN
					 : (double)(d->time - job.times.eligible));
}

static void get_recorded_waiting_reason(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;
	struct fs_job job;

	read_queue_row_at(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	*out = value_from_text(job.reason);
}

/* Formats a job id. The id of an array includes its tasks: "812190_[0-9]". */
static void format_job_id_cell(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct data *d = m->data;
	struct fs_queue_row row;
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	read_queue_row_at(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	fs_job_id_format(d->snapshot, job.id, true, id);
	if (*job.array.tasks)
		snprintf(buf, size, "%s_[%s]", id, job.array.tasks);
	else
		snprintf(buf, size, "%s", id);
}

/* ---- the column of planned starts */

/* Formats a time in at most 12 columns: "16:39", "Nov 21 05:10" on other days, "2027-01-02" in other years. */
static const char *format_cell_time(char buf[WORDS], const struct data *d, int64_t t)
{
	const int64_t day_s = 86400;
	const time_t now = (time_t)(d->time + fs_snapshot_utc_offset(d->snapshot, d->time)),
		     local = (time_t)(t + fs_snapshot_utc_offset(d->snapshot, t));
	struct tm today, tm;

	if (!gmtime_r(&now, &today) || !gmtime_r(&local, &tm) ||
	    !strftime(buf, WORDS,
		      now / day_s == local / day_s  ? "%H:%M"
		      : tm.tm_year == today.tm_year ? "%b %e %H:%M"
						    : "%Y-%m-%d",
		      &tm))
		*buf = '\0';
	return buf;
}

/* Finds the plan row of a queue row. Returns false if there is none, or if the job starts in another partition. */
static bool find_plan_of_queue_row(const struct data *d, uint32_t i, struct fs_plan_row *out)
{
	struct fs_queue_row row;

	read_queue_row_at(d, i, &row);
	return chart_find_plan_row(d->chart, row.job_row, out) && !strcmp(out->partition, row.partition);
}

static void get_planned_start(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_plan_row plan;

	*out = value_from_double(find_plan_of_queue_row(d, i, &plan) && plan.start_time != FS_UNKNOWN
					 ? (double)plan.start_time
					 : (double)NAN);
}

static const char *format_plan_start(char buf[WORDS], const struct data *d, const struct fs_plan_row *plan)
{
	switch (plan->state) {
	case FS_PLAN_NOW:
		return "now";
	case FS_PLAN_LATER:
	case FS_PLAN_BEYOND:
	case FS_PLAN_BEGINS:
		return format_cell_time(buf, d, plan->start_time);
	case FS_PLAN_BLOCKED:
		return *plan->limit.name ? plan->limit.name : fs_section_name(plan->section);
	default:
		return fs_plan_state_name(plan->state);
	}
}

/* Returns true if the starts before the last what-if are known. */
static bool shows_changed_starts(const struct data *d)
{
	return d->previous.start && fs_snapshot_command(d->snapshot, 0);
}

enum { TIME_CELL_WIDTH = 12, DATE_WIDTH = 6 };

/* Formats a start without and with a what-if: "Nov 21 05:10 > 16:39". If both have a date, the times are omitted. */
static void format_changed_start(char *buf, size_t size, const char *was, const char *is)
{
	const bool dates = strlen(was) == TIME_CELL_WIDTH && strlen(is) == TIME_CELL_WIDTH &&
			   strncmp(was, is, DATE_WIDTH) != 0;
	const int width = dates ? DATE_WIDTH : TIME_CELL_WIDTH;
	const bool same_date = strlen(was) == TIME_CELL_WIDTH && !strncmp(was, is, DATE_WIDTH);

	snprintf(buf, size, "%.*s > %.*s", width, was, width, same_date ? is + DATE_WIDTH + 1 : is);
}

static void format_start_cell(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct data *d = m->data;
	const int64_t was = shows_changed_starts(d) ? d->previous.start[i] : FS_UNKNOWN;
	char is[WORDS], before[WORDS];
	struct fs_plan_row plan;

	*buf = '\0';
	if (!find_plan_of_queue_row(d, i, &plan))
		return;
	if (was == FS_UNKNOWN || was == plan.start_time)
		snprintf(buf, size, "%s", format_plan_start(is, d, &plan));
	else
		format_changed_start(buf, size, was <= d->time ? "now" : format_cell_time(before, d, was),
				     format_plan_start(is, d, &plan));
}

static unsigned get_start_width(const struct model *m)
{
	const unsigned wide = 14;

	return shows_changed_starts(m->data) ? TIME_CELL_WIDTH + DATE_WIDTH + 2
	       : m->screen.cols < 100        ? TIME_CELL_WIDTH
					     : wide;
}

/* The reason is cut only if the screen has less than 100 columns. */
static unsigned get_reason_width(const struct model *m)
{
	const unsigned narrow = 17, longest = m->data->reason_width;

	return longest < 9 ? 9 : m->screen.cols < 100 && longest > narrow ? narrow : longest;
}

/* Returns the width of the position column: the number of digits of the largest position, at least 4. */
static unsigned get_position_width(const struct model *m)
{
	const unsigned min = 4;
	unsigned count = 1;

	for (size_t n = m->data->counts.eligible; n /= 10;)
		count++;
	return count > min ? count : min;
}

#define QUEUE_OF(column) &queue_columns[QUEUE_##column]

static const struct view_column views_queue_columns[] = {
	{ NULL, 0, CELL_WHOLE, 4, 0, QUEUE_OF(POSITION), .format_width = get_position_width },
	{ "MOVE", 0, CELL_MOVE, 4, 0, .get_value = get_position_change,
	  .help = "places gained (^2) or lost (v3) since the previous snapshot; new: not in that snapshot" },
	{ NULL, 0, CELL_TEXT, 10, 0, QUEUE_OF(JOBID), .format_cell = format_job_id_cell },
	{ NULL, 0, CELL_TEXT, 8, 0, .table_column = QUEUE_OF(USER) },
	{ NULL, HEADING_OFFSET(account_heading), CELL_TEXT, 9, 95, .table_column = QUEUE_OF(ACCOUNT) },
	{ NULL, HEADING_OFFSET(partition_heading), CELL_TEXT, 9, 100, .mixed_from_cols = 80,
	  .table_column = QUEUE_OF(PARTITION) },
	{ NULL, 0, CELL_TEXT, 9, 145, .table_column = QUEUE_OF(QOS) },
	{ NULL, 0, CELL_WHOLE, 10, 0, .table_column = QUEUE_OF(PRIORITY) },
	{ "START", 0, CELL_WHOLE, 12, 60, .get_value = get_planned_start, .format_cell = format_start_cell,
	  .format_width = get_start_width,
	  .help = "planned start, \"now\", or the limit or other cause that the job waits for; after a what-if: the "
		  "start without and with it" },
	{ NULL, 0, CELL_TEXT, 9, 70, QUEUE_OF(REASON), .get_value = get_recorded_waiting_reason,
	  .format_width = get_reason_width },
	{ "FACTORS", 0, CELL_BAR, 12, 72, .get_value = get_factor_sum,
	  .help = "points of each factor as parts of a bar that is the priority; each factor has a colour or a letter; "
		  "Enter shows the numbers" },
	{ NULL, 0, CELL_WHOLE, 5, 180, .table_column = QUEUE_OF(TIER) },
	{ "WAITED", 0, CELL_SECONDS, 6, 120, .get_value = get_eligible_waiting_time,
	  .help = "time since the job became eligible" },
	{ NULL, 0, CELL_WHOLE, 6, 130, .table_column = QUEUE_OF(CPUS) },
	{ NULL, 0, CELL_WHOLE, 5, 165, .table_column = QUEUE_OF(NODES) },
	{ NULL, 0, CELL_SECONDS, 6, 150, .table_column = QUEUE_OF(TIME_LIMIT) },
	{ NULL, 0, CELL_WHOLE, 5, 190, .table_column = QUEUE_OF(TASKS) },
	{ NULL, 0, CELL_TEXT, 11, UINT_MAX, .table_column = QUEUE_OF(SECTION) },
	{ NULL, 0, CELL_TEXT, 16, 160, .table_column = QUEUE_OF(NAME) },
};

static void get_queue_value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	struct queue_table_row line;

	if (c->term) {
		get_priority_points(d, i, c->term, out);
		return;
	}
	if (c->get_value) {
		c->get_value(d, i, out);
		return;
	}
	read_queue_row_at(d, i, &line.row);
	if (c->table_column->row_part == QUEUE_NEEDS_JOB)
		fs_snapshot_job(d->snapshot, line.row.job_row, &line.job);
	column_get_value(c->table_column, NULL, &line, out);
}

/* If the list shows only one partition, replaces *v by the value within the partition. Only two columns have such a
 * value: the position of the job, and the number of positions gained since the previous snapshot. A job that the
 * scheduler reaches but cannot start, for example because of a limit, has the position "-". */
static void adapt_to_partition_filter(const struct model *m, uint32_t i, const struct view_column *c, struct value *v)
{
	struct fs_queue_row row;

	read_queue_row_at(m->data, i, &row);
	if (c->table_column == QUEUE_OF(POSITION) && !row.eligible && row.partition_position)
		*v = value_from_text("-");
	else if (!*m->list[VIEW_QUEUE].filter.partition)
		return;
	else if (c->table_column == QUEUE_OF(POSITION))
		*v = value_from_double(row.partition_position ? row.partition_position : (double)NAN);
	else if (c->get_value == get_position_change && m->data->previous.position)
		*v = value_from_double(
			compute_position_change(m->data->previous.partition_position[i], row.partition_position));
}

/* Draws a bar with one part for the points of each priority term. A bar of full width represents the largest sum of all
 * jobs. */
static void draw_priority_bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t i)
{
	struct grid_part part[MAX_TERMS];
	struct fs_queue_row row;
	struct fs_prio_row prio;
	double sum = 0;
	size_t n = 0;

	read_queue_row_at(m->data, i, &row);
	if (!data_get_priority_row(m->data, &row, &prio))
		return;
	if (prio.set_directly) {
		grid_write_text(g, b->x, b->y, b->width,
				find_scheduler_dialect(m->data->snapshot)->vocabulary.direct_mark, ATTR_PLAIN);
		return;
	}
	for (size_t k = 0; k < b->terms && m->data->max_points > 0; k++) {
		if (!(prio.terms[k].points > 0))
			continue;
		sum += prio.terms[k].points;
		part[n++] = (struct grid_part){ fmin(1, sum / m->data->max_points), term_choose_attr(&prio.terms[k]),
						b->letters[k] };
	}
	grid_draw_bar(g, b->x, b->y, b->width, part, n);
	if (prio.sum > m->data->max_points)
		grid_fill_cells(g, b->x + b->width - 1, b->y, 1, '+', ATTR_PLAIN);
}

/* ---- rows of the queue view */

static const char *get_queue_problem(const struct data *d)
{
	return d->unordered ? data_get_unordered_text(d) : d->eval.queue ? NULL : d->eval.queue_error.message;
}

static bool queue_row_contains_word(const struct data *d, const struct fs_queue_row *row, const char *word)
{
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	if (text_contains_word(row->user, word) || text_contains_word(row->account, word) ||
	    text_contains_word(row->partition, word) || text_contains_word(row->qos, word))
		return true;
	fs_snapshot_job(d->snapshot, row->job_row, &job);
	if (text_contains_word(job.reason, word) || text_contains_word(job.name, word))
		return true;
	return text_contains_word(fs_job_id_format(d->snapshot, row->job, true, id), word);
}

static bool queue_contains_text(const struct data *d, uint32_t i, const char *text)
{
	struct fs_queue_row row;

	read_queue_row_at(d, i, &row);
	return queue_row_contains_word(d, &row, text);
}

static bool does_job_pass_filter(const struct list *l, const struct data *d, uint32_t i)
{
	const struct filter *f = &l->filter;
	struct fs_queue_row row;

	read_queue_row_at(d, i, &row);
	return (!*f->user || !strcmp(row.user, f->user)) &&
	       (!*f->partition || !strcmp(row.partition, f->partition)) &&
	       (!*f->account || fs_snapshot_account_within(d->snapshot, row.account, f->account)) &&
	       (!*f->text || queue_row_contains_word(d, &row, f->text));
}

static uint32_t find_queue_row_again(const struct data *d, const struct data *old, uint32_t i)
{
	struct fs_queue_row row;

	read_queue_row_at(old, i, &row);
	return d->eval.queue ? data_find_job(d, row.job, row.partition, row.qos) : FS_NO_ROW;
}

/* ---- pages of fs-explain about a job, which may run or wait */

static uint32_t get_queue_job_row(const struct data *d, uint32_t i)
{
	struct fs_queue_row row;

	read_queue_row_at(d, i, &row);
	return row.job_row;
}

static int write_page_of_job(struct page *p, struct explain_view *v, const struct data *d,
			     const struct fs_explain_job *job)
{
	const struct fs_view view = { .viewer = d->eval.viewer,
				      .algorithm = d->requested_algorithm,
				      .position = d->position };
	struct outlook outlook = { .plan = NULL };
	struct fs_error err;
	struct fs_job j;
	char id[FS_JOB_ID_TEXT];
	int rc;

	fs_snapshot_job(d->snapshot, job->job_row, &j);
	rc = outlook_compute_parts(&outlook, v, &view, job->job_row, false,
				   fs_job_id_format(d->snapshot, j.id, true, id), &err);

	if (!rc)
		explain_add_job(p, v, job, false);
	outlook_free_parts(&outlook);
	return rc;
}

static int write_job_page(struct page *p, struct explain_view *v, const struct data *d,
			  const struct explanation_request *q)
{
	const uint32_t row = q->ops->get_job_row(d, q->row);
	struct fs_explain_job job, other;

	if (q->summary)
		return words_write_job_summary(p, v, d, row);
	if (q->forecast)
		return explain_add_job_forecast(p, v, row);
	if (fs_explain_job_heads(v->explain, row, &job, NULL))
		return -1;
	if (q->compared_row == FS_NO_ROW)
		return write_page_of_job(p, v, d, &job);
	if (fs_explain_job_heads(v->explain, q->ops->get_job_row(d, q->compared_row), &other, NULL))
		return -1;
	explain_add_job_pair(p, v, &job, &other);
	return 0;
}

/* ---- keys of the queue view */

/* Switches to the view of shares and selects the share row of the selected job's owner. */
static void show_owner_share(struct model *m, uint32_t row)
{
	struct list *l = &m->list[VIEW_SHARES];
	struct fs_queue_row job;
	uint32_t at;

	if (row == FS_NO_ROW)
		return;
	read_queue_row_at(m->data, row, &job);
	at = data_find_share_row(m->data, job.account, job.user, job.partition);
	if (at == FS_NO_ROW) {
		model_set_message(&m->status, true, "user %s has no share in account %s", job.user, job.account);
		return;
	}
	for (uint32_t up = fs_shares_row(m->data->eval.shares, at)->parent_row; up != FS_NO_ROW;
	     up = fs_shares_row(m->data->eval.shares, up)->parent_row)
		l->closed[up] = false;
	*l->filter.text = '\0';
	m->view = VIEW_SHARES;
	update_refresh_list(m, l, false);
	list_select_row(l, at);
}

static bool run_queue_action(struct model *m, enum action a)
{
	struct list *l = update_get_list(m);
	const uint32_t row = list_get_selected_row(l);

	if (a == ACT_TREE) {
		show_owner_share(m, row);
		return true;
	}
	if (a == ACT_TAG && row != FS_NO_ROW) {
		model_toggle_row_tag(m, row);
		update_moved_position(m, ACT_DOWN, list_count_rows(l), &l->sel);
		return true;
	}
	if (a == ACT_COMPARE && m->tags.n == 1 && row != FS_NO_ROW && !model_is_row_tagged(&m->tags, row))
		model_toggle_row_tag(m, row);
	return false;
}

const struct view_ops view_queue = {
	.name = "queue",
	.tab = "Queue",
	.column = views_queue_columns,
	.columns = sizeof(views_queue_columns) / sizeof(*views_queue_columns),
	.has_term_columns = true,
	.fixed_columns = 3,
	.uses_chart = true,
	.has_jobs = true,
	.has_forecasts = true,
	.empty_text = "no job is pending",
	.get_problem = get_queue_problem,
	.value = get_queue_value,
	.adapt_value = adapt_to_partition_filter,
	.draw_bar = draw_priority_bar,
	.contains = queue_contains_text,
	.passes = does_job_pass_filter,
	.order_rows = list_order_job_rows,
	.find_row_again = find_queue_row_again,
	.get_job_row = get_queue_job_row,
	.append_pane = explain_append_job_pane,
	.write_page = write_job_page,
	.run_action = run_queue_action,
};

/* ---- the view of shares: a tree of accounts, or a list of users */

/* ---- columns of the view of shares */

static const struct fs_share_row *get_share_row_at(const struct data *d, uint32_t i)
{
	return fs_shares_row(d->eval.shares, i);
}

static void get_share_name(const struct data *d, uint32_t i, struct value *out)
{
	const struct fs_share_row *row = get_share_row_at(d, i);

	*out = value_from_text(*row->user ? row->user : row->account);
}

/* The normalized share of the root is unknown, because the root has no siblings. */
static void get_normalized_share(const struct data *d, uint32_t i, struct value *out)
{
	const struct fs_share_row *row = get_share_row_at(d, i);

	*out = value_from_double(row->parent_row == FS_NO_ROW ? (double)NAN : row->norm_shares);
}

static bool has_child_share_rows(const struct data *d, uint32_t i)
{
	return i + 1 < data_count_share_rows(d) && get_share_row_at(d, i + 1)->parent_row == i;
}

static void format_indented_share_name(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct fs_share_row *s = get_share_row_at(m->data, i);
	const struct list *l = &m->list[VIEW_SHARES];

	if (l->is_flat)
		snprintf(buf, size, "%s (%s)", s->user, s->account);
	else
		snprintf(buf, size, "%*s%s%s", (int)(s->depth < 40 ? s->depth : 40), "",
			 *s->user                   ? "  "
			 : has_child_share_rows(m->data, i) ? (l->closed[i] ? "+ " : "- ")
						    : "  ",
			 *s->user ? s->user : s->account);
}

static unsigned get_share_name_width(const struct model *m)
{
	enum { NARROW_SCREEN_COLS = 75 };

	return m->screen.cols < NARROW_SCREEN_COLS ? 16 : 24;
}

#define SHARES_OF(column) &share_columns[SHARE_##column]

static const struct view_column shares_columns[] = {
	{ NULL, HEADING_OFFSET(tree_heading), CELL_TEXT, 24, 0, .get_value = get_share_name,
	  .format_cell = format_indented_share_name, .format_width = get_share_name_width,
	  .help = "accounts and, indented, their users; + opens a closed account, - closes an open one" },
	{ "SHARES", 0, CELL_TEXT, 8, 60, SHARES_OF(RAW_SHARES), .hides_beside_ranges = true },
	{ "SHARE", 0, CELL_FRACTION, 8, 0, SHARES_OF(NORM_SHARES), .get_value = get_normalized_share },
	{ "USAGE", 0, CELL_FRACTION, 8, 0, SHARES_OF(EFFECTIVE_USAGE), .hides_beside_ranges = true },
	{ "USED", 0, CELL_BAR, 10, 75, SHARES_OF(EFFECTIVE_USAGE),
	  .help = "usage compared with the share: = usage within the share, | end of the share, # usage beyond the "
		  "share, . unused share. With flux_range: the bank's range within 0 to 1; [ is its start, o is the "
		  "factor" },
	{ "FAIRSHARE", 0, CELL_FRACTION, 10, 0, .table_column = SHARES_OF(FAIRSHARE) },
	{ "LEVELFS", 0, CELL_FRACTION, 9, 70, SHARES_OF(LEVEL_FS), .hides_beside_ranges = true },
	{ "RANK", 0, CELL_WHOLE, 6, 90, .table_column = SHARES_OF(RANK) },
	{ "RAWUSAGE", 0, CELL_WHOLE, 12, 100, .table_column = SHARES_OF(RAW_USAGE) },
	{ "PARTITION", 0, CELL_TEXT, 10, 110, .table_column = SHARES_OF(PARTITION) },
	{ "CLUSTERPART", 0, CELL_FRACTION, 11, 130, .table_column = SHARES_OF(NORM_USAGE) },
};

static void get_share_value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	if (c->get_value)
		c->get_value(d, i, out);
	else
		column_get_value(c->table_column, NULL, get_share_row_at(d, i), out);
}

/* ---- bars of the view of shares */

static unsigned get_cell_of_value(const struct bar *b, double v)
{
	return (unsigned)lround(fmin(fmax(v, 0), 1) * (b->width - 1));
}

/* Draws the range of fair-share values that the algorithm flux_range assigns to a share row. The bar of a bank begins
 * with "[" at the lower end of its range and ends with "o" at its factor. The bar of a user is only the "o". */
static void draw_range_bar(struct grid *g, const struct bar *b, const struct fs_share_row *s)
{
	unsigned from, at;

	if (isnan(s->fairshare))
		return;
	at = get_cell_of_value(b, s->fairshare);
	from = *s->user || isnan(s->range.low) ? at : get_cell_of_value(b, s->range.low);
	if (from < at) {
		grid_fill_cells(g, b->x + from, b->y, at - from, '=', ATTR_UP);
		grid_fill_cells(g, b->x + from, b->y, 1, '[', ATTR_UP);
	}
	grid_fill_cells(g, b->x + at, b->y, 1, 'o', ATTR_STRONG);
}

static void draw_share_bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t i)
{
	enum {
		OUTSIDE_SHARE,
		UNUSED_SHARE,
		USED_SHARE,
		BEYOND_SHARE
	/* what one screen column of a bar shows: nothing, unused shares, usage within the shares, usage beyond the
	 * shares */
	};
	static const char *const letters[] = { " ", ".", "=", "#" },
				 *const blocks[] = { " ", "\xe2\x96\x91", "\xe2\x96\x88", "\xe2\x96\x93" };
	const struct fs_share_row *s = get_share_row_at(m->data, i);
	const double width = b->width;

	if (fs_shares_has_ranges(m->data->eval.shares)) {
		draw_range_bar(g, b, s);
		return;
	}
	if (isnan(s->norm_shares) || isnan(s->effective_usage) || s->parent_row == FS_NO_ROW)
		return;
	for (unsigned k = 0; k < b->width; k++) {
		const double at = (k + 0.5) / width;
		const bool used = at < s->effective_usage, owned = at < s->norm_shares;
		const char *const *sign = g->blocks ? blocks : letters;

		grid_write_text(g, b->x + k, b->y, 1,
				sign[used    ? (owned ? USED_SHARE : BEYOND_SHARE)
				     : owned ? UNUSED_SHARE
					     : OUTSIDE_SHARE],
				used && !owned ? ATTR_DOWN : ATTR_UP);
	}
	if (s->norm_shares < 1)
		grid_fill_cells(g, b->x + (unsigned)(s->norm_shares * width), b->y, 1, '|', ATTR_STRONG);
}

/* ---- rows of the view of shares */

static const char *get_shares_problem(const struct data *d)
{
	return d->eval.shares ? NULL : d->eval.shares_error.message;
}

static bool share_contains_text(const struct data *d, uint32_t i, const char *text)
{
	const struct fs_share_row *row = get_share_row_at(d, i);

	return text_contains_word(row->user, text) || (!*row->user && text_contains_word(row->account, text));
}

static uint32_t find_share_again(const struct data *d, const struct data *old, uint32_t i)
{
	return d->eval.shares ? tree_find_share(d, get_share_row_at(old, i), i) : FS_NO_ROW;
}

/* ---- texts that explain a share row */

static void format_share_subject(const struct data *d, uint32_t i, char *buf, size_t size)
{
	const struct fs_share_row *row = get_share_row_at(d, i);

	snprintf(buf, size, "%s%s%s", row->account, *row->user ? " " : "", row->user);
}

/* Writes how the factor of a share row comes about. `window`: row of the credential's windows; FS_NO_ROW: none. Returns
 * -1 if out of memory. */
static int write_share_summary(struct page *p, struct explain_view *v, const struct fs_share_row *row, uint32_t window)
{
	struct fs_explain_path path;
	struct fs_error err;

	if (window != FS_NO_ROW)
		explain_add_credential_fairshare(p, v, fs_windows_row(v->eval->windows, window));
	else if (!v->eval->shares)
		page_add_sentence(p, "These credentials are of one kind; each has a share or target.");
	else if (fs_explain_path(v->explain, row->row, &path, &err))
		return -1;
	else
		explain_add_fairshare_path(p, v, &path);
	page_end_paragraph(p);
	return 0;
}

static int write_share_page(struct page *p, struct explain_view *v, const struct data *d,
			    const struct explanation_request *q)
{
	const struct fs_share_row *row = get_share_row_at(d, q->row);
	const uint32_t window = explain_find_window(d, row);

	if (q->summary)
		return write_share_summary(p, v, row, window);
	if (!v->eval->shares && window != FS_NO_ROW && q->forecast)
		return explain_add_credential_forecast(p, v, window);
	if (!v->eval->shares && window != FS_NO_ROW)
		explain_add_credential(p, v, window);
	if (!v->eval->shares)
		return 0;
	if (q->forecast)
		return explain_add_shares_forecast(p, v, &row->row, 1);
	return *row->user ? explain_add_user(p, v, row->user, row->account) : explain_add_account(p, v, row->row);
}

/* ---- keys of the view of shares */

enum branch { BRANCH_CLOSE, BRANCH_OPEN, BRANCH_TOGGLE };

/* Opens, closes or toggles the selected branch. If the branch is already closed or the row is a user, BRANCH_CLOSE
 * selects the parent account. */
static void set_tree_branch(struct model *m, enum branch to)
{
	struct list *l = update_get_list(m);
	const uint32_t row = list_get_selected_row(l);
	const struct fs_share_row *share;

	if (row == FS_NO_ROW || l->is_flat)
		return;
	share = get_share_row_at(m->data, row);
	if (*share->user || (to == BRANCH_CLOSE && l->closed[row])) {
		if (to == BRANCH_CLOSE && share->parent_row != FS_NO_ROW)
			list_select_row(l, share->parent_row);
		return;
	}
	l->closed[row] = to == BRANCH_TOGGLE ? !l->closed[row] : to == BRANCH_CLOSE;
	update_refresh_list(m, l, false);
}

static bool run_shares_action(struct model *m, enum action a)
{
	struct list *l = update_get_list(m);

	switch (a) {
	case ACT_LEFT:
	case ACT_RIGHT:
		if (l->is_flat)
			return false;
		set_tree_branch(m, a == ACT_RIGHT ? BRANCH_OPEN : BRANCH_CLOSE);
		return true;
	case ACT_OPEN:
	case ACT_CLOSE:
		set_tree_branch(m, a == ACT_OPEN ? BRANCH_OPEN : BRANCH_CLOSE);
		return true;
	case ACT_TAG:
		set_tree_branch(m, BRANCH_TOGGLE);
		return true;
	case ACT_TREE:
		l->is_flat = !l->is_flat;
		update_refresh_list(m, l, false);
		return true;
	default:
		return false;
	}
}

static const struct view_ops view_shares = {
	.name = "shares",
	.tab = "Shares",
	.column = shares_columns,
	.columns = sizeof(shares_columns) / sizeof(*shares_columns),
	.fixed_columns = 1,
	.has_forecasts = true,
	.empty_text = "no shares",
	.get_problem = get_shares_problem,
	.value = get_share_value,
	.draw_bar = draw_share_bar,
	.contains = share_contains_text,
	.order_rows = tree_order_rows,
	.find_row_again = find_share_again,
	.carry_row_state = tree_carry_closed_rows,
	.format_subject = format_share_subject,
	.write_page = write_share_page,
	.run_action = run_shares_action,
};

/* ---- the timeline view: one lane (list row) per node, which shows the node's running and planned jobs */

/* ---- columns of the timeline view */

static void get_lane_node(const struct data *d, uint32_t i, struct value *out)
{
	*out = value_from_text(d->chart->t.lane[i]);
}

/* Sets *out to the time from the start of the chart to the end of the first bar of the node (lane i); 0 if there is no
 * bar. Column TIME is sorted by this value. */
static void get_first_end_time(const struct data *d, uint32_t i, struct value *out)
{
	const struct chart *c = d->chart;

	*out = value_from_double(c->first[i] < c->first[i + 1] ? (double)(c->t.bar[c->first[i]].to - c->t.from) : 0);
}

static const struct view_column timeline_columns[] = {
	{ "NODE", 0, CELL_TEXT, 10, 0, .get_value = get_lane_node, .help = "node with a planned start" },
	{ "TIME", 0, CELL_BAR, 16, 0, .get_value = get_first_end_time, .has_unlimited_width = true,
	  .help = "jobs on the node over time: running jobs until their time limits, planned jobs, and the job "
		  "selected in the queue; sorted by the end of the first job" },
};

static void get_timeline_value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	c->get_value(d, i, out);
}

/* ---- the time axis of the timeline view */

static int64_t get_shown_time_span(const struct model *m)
{
	const struct timeline *t = &m->data->chart->t;

	return (t->to - t->from) >> m->zoom;
}

static int64_t get_time_at_cell(const struct model *m, const struct bar *b, unsigned x)
{
	return m->data->chart->t.from + get_shown_time_span(m) * x / b->width;
}

static void draw_time_axis(const struct model *m, struct grid *g, const struct bar *b)
{
	const struct chart *c = m->data->chart;
	char text[24];

	if (!c || *c->why)
		return;

	const double min_tick_columns = 10;
	const int64_t step = time_choose_step(get_shown_time_span(m), b->width / min_tick_columns);
	const int64_t end = c->t.from + get_shown_time_span(m);
	unsigned from = 4;

	grid_fill_cells(g, b->x, b->y, b->width, ' ', ATTR_HEADING);
	grid_write_text(g, b->x, b->y, b->width, "now", ATTR_HEADING);
	for (int64_t t = time_find_tick(m->data->snapshot, c->t.from, step); t < end; t += step) {
		const unsigned x = (unsigned)((t - c->t.from) * b->width / get_shown_time_span(m));

		time_format_tick(text, m->data->snapshot, t);
		if (x < from || x + strlen(text) > b->width)
			continue;
		grid_write_text(g, b->x + x, b->y, b->width - x, text, ATTR_HEADING);
		from = x + (unsigned)strlen(text) + 1;
	}
}

/* ---- bars of the timeline view */

static uint32_t get_selected_queue_job(const struct model *m)
{
	const uint32_t row = list_get_selected_row(&m->list[VIEW_QUEUE]);
	struct fs_queue_row job;

	if (row == FS_NO_ROW || !m->data->eval.queue)
		return FS_NO_ROW;
	fs_queue_row(m->data->eval.queue, row, &job);
	return job.job_row;
}

/* Returns a bar of a node's lane that overlaps the time range; NULL if there is none. Prefers, in this order: the bar
 * of job `job`; the first bar that ends after the middle of the range; the bar that ends last. */
static const struct timeline_bar *find_bar_at_time(const struct chart *c, uint32_t lane, int64_t from, int64_t to,
						   uint32_t job)
{
	const struct timeline_bar *found = NULL;

	for (size_t i = c->first[lane]; i < c->first[lane + 1]; i++) {
		const struct timeline_bar *b = &c->t.bar[i];

		if (b->from >= to || b->to <= from)
			continue;
		if (b->job_row == job)
			return b;
		if (!found || (found->to <= (from + to) / 2 && b->to > found->to))
			found = b;
	}
	return found;
}

static void draw_bar_label(const struct model *m, struct grid *g, unsigned x, unsigned y, unsigned width, uint32_t job,
			   enum attr attr)
{
	char id[WORDS], text[2 * WORDS];
	struct fs_job j;

	fs_snapshot_job(m->data->snapshot, job, &j);
	snprintf(text, sizeof(text), " %s %s ", format_display_job_id(id, m->data->snapshot, job), j.user);
	if (grid_measure_text(g, text) + 2 > width)
		snprintf(text, sizeof(text), " %s ", id);
	if (grid_measure_text(g, text) + 2 <= width)
		grid_write_text(g, x + 1, y, width - 2, text, attr);
}

static void draw_timeline_bar(const struct model *m, struct grid *g, unsigned x, unsigned y, unsigned width,
			      const struct timeline_bar *b, bool chosen)
{
	const enum attr attr = chosen ? ATTR_SELECTED : (enum attr)(b->running ? ATTR_FACTOR : ATTR_FACTOR + 1);
	const char *sign = b->running ? "=" : chosen ? "#" : "-";
	const unsigned gap = width > 2; /* number of free columns before the next bar */

	if (g->blocks)
		sign = chosen ? " " : b->running ? "\u2588" : "\u2592";
	for (unsigned i = 0; i + gap < width; i++)
		grid_write_text(g, x + i, y, 1, sign, attr);
	draw_bar_label(m, g, x, y, width - gap, b->job_row, chosen ? ATTR_SELECTED : ATTR_PLAIN);
}

static void draw_timeline_lane(const struct model *m, struct grid *g, const struct bar *b, uint32_t lane)
{
	const uint32_t job = get_selected_queue_job(m);
	const struct timeline_bar *run = NULL;
	unsigned since = 0;

	for (unsigned x = 0; x <= b->width; x++) {
		const struct timeline_bar *here =
			x < b->width ? find_bar_at_time(m->data->chart, lane, get_time_at_cell(m, b, x),
							get_time_at_cell(m, b, x + 1), job)
				     : NULL;

		if (here == run && x < b->width)
			continue;
		if (run)
			draw_timeline_bar(m, g, b->x + since, b->y, x - since, run, run->job_row == job);
		run = here;
		since = x;
	}
}

/* ---- rows of the timeline view */

static const char *get_timeline_problem(const struct data *d)
{
	if (d->unordered)
		return data_get_unordered_text(d);
	if (!d->chart)
		return "working: planning starts ...";
	return *d->chart->why ? d->chart->why : NULL;
}

static bool lane_contains_job_text(const struct data *d, uint32_t i, const char *text)
{
	const struct chart *c = d->chart;
	struct fs_job j;
	char id[WORDS];

	for (size_t k = c->first[i]; k < c->first[i + 1]; k++) {
		fs_snapshot_job(d->snapshot, c->t.bar[k].job_row, &j);
		if (text_contains_word(j.user, text) ||
		    text_contains_word(format_display_job_id(id, d->snapshot, c->t.bar[k].job_row), text))
			return true;
	}
	return false;
}

static bool lane_contains_text(const struct data *d, uint32_t i, const char *text)
{
	return text_contains_word(d->chart->t.lane[i], text) || lane_contains_job_text(d, i, text);
}

static uint32_t count_timeline_lanes(const struct data *d)
{
	return (uint32_t)d->chart->t.lanes;
}

/* ---- texts and keys of the timeline view */

/* Formats the time during which the job of a bar runs: "runs, its limit ends 14:20", "planned from 14:20 to 18:20". An
 * end outside the chart is omitted. */
static void format_bar_description(char *buf, size_t size, const struct data *d, const struct timeline_bar *b)
{
	const bool ends = b->to < d->chart->t.to;
	char from[WORDS], to[WORDS];

	format_short_time(to, d->snapshot, b->to);
	if (b->running)
		snprintf(buf, size, "runs%s%s", ends ? ", its limit ends " : "", ends ? to : "");
	else
		snprintf(buf, size, "planned from %s%s%s", format_short_time(from, d->snapshot, b->from),
			 ends ? " to " : "", ends ? to : "");
}

static void write_timeline_pane(struct lines *l, const struct data *d, uint32_t lane, unsigned width)
{
	const struct chart *c = d->chart;
	char what[3 * WORDS];

	for (size_t i = c->first[lane]; i < c->first[lane + 1]; i++) {
		format_bar_description(what, sizeof(what), d, &c->t.bar[i]);
		explain_append_job_line(l, d, c->t.bar[i].job_row, width, what);
	}
	lines_add_formatted(
		l, ATTR_DIM, "%s",
		l->blocks ? "\u2588 runs, until its limit  \u2592 planned  highlighted: the selected job  + - scale"
			  : "= runs, until its limit  - planned  # the selected job  + - scale");
}

static void format_lane_subject(const struct data *d, uint32_t row, char *buf, size_t size)
{
	snprintf(buf, size, "%s", d->chart->t.lane[row]);
}

/* Shows the view of the queue without a filter and selects the first job planned on the node of the lane. */
static void show_first_planned_job(struct model *m, uint32_t lane)
{
	const struct chart *c = m->data->chart;
	size_t i = c->first[lane];
	uint32_t row;
	struct fs_queue_row job;

	while (i < c->first[lane + 1] && c->t.bar[i].running)
		i++;
	if (i == c->first[lane + 1])
		return;
	for (size_t k = 0; k < m->data->nvisible_rows; k++) {
		row = m->data->visible_rows[k];
		fs_queue_row(m->data->eval.queue, row, &job);
		if (job.job_row == c->t.bar[i].job_row) {
			m->list[VIEW_QUEUE].filter = (struct filter){ 0 };
			m->view = VIEW_QUEUE;
			update_refresh_list(m, update_get_list(m), false);
			list_select_row(update_get_list(m), row);
			return;
		}
	}
}

static bool run_timeline_action(struct model *m, enum action a)
{
	enum { MAX_ZOOM = 12 };
	const uint32_t lane = list_get_selected_row(update_get_list(m));

	switch (a) {
	case ACT_EXPLAIN:
		if (lane != FS_NO_ROW)
			show_first_planned_job(m, lane);
		return true;
	case ACT_OPEN:
		m->zoom += m->zoom < MAX_ZOOM;
		return true;
	case ACT_CLOSE:
		m->zoom -= m->zoom > 0;
		return true;
	default:
		return false;
	}
}

static const struct view_ops view_timeline = {
	.name = "timeline",
	.tab = "Timeline",
	.column = timeline_columns,
	.columns = sizeof(timeline_columns) / sizeof(*timeline_columns),
	.fixed_columns = 1,
	.needs_chart = true,
	.empty_text = "no planned starts",
	.get_problem = get_timeline_problem,
	.value = get_timeline_value,
	.draw_bar = draw_timeline_lane,
	.draw_bar_heading = draw_time_axis,
	.contains = lane_contains_text,
	.count_rows = count_timeline_lanes,
	.find_row_again = NULL, /* NULL: new data is shown before its chart, and thus its rows, are computed */
	.append_pane = write_timeline_pane,
	.format_subject = format_lane_subject,
	.run_action = run_timeline_action,
};

/* ---- the view of running jobs: when they end, and which planned jobs start then */

static void read_running_job(const struct data *d, uint32_t i, struct fs_job *j)
{
	fs_snapshot_job(d->snapshot, d->running[i], j);
}

static uint32_t get_running_job_row(const struct data *d, uint32_t i)
{
	return d->running[i];
}

/* Makes a queue row for a running job, because the queue has no row for it. */
static struct queue_table_row make_running_row(const struct data *d, uint32_t i)
{
	const char *partition = fs_job_partition(d->snapshot, d->running[i], 0);
	struct queue_table_row line;

	read_running_job(d, i, &line.job);
	line.row = (struct fs_queue_row){ .job = line.job.id,
					  .job_row = d->running[i],
					  .user = line.job.user,
					  .account = line.job.account,
					  .partition = partition ? partition : "",
					  .qos = "" };
	return line;
}

static void get_running_value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	const struct queue_table_row line = make_running_row(d, i);

	if (c->get_value)
		c->get_value(d, i, out);
	else
		column_get_value(c->table_column, NULL, &line, out);
}

static void get_latest_end(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_job j;

	read_running_job(d, i, &j);
	*out = value_from_double(data_get_latest_end(&j) == FS_UNKNOWN ? (double)NAN : (double)data_get_latest_end(&j));
}

/* The time left is negative for an overdue job; the column then shows 0. */
static void get_time_left(const struct data *d, uint32_t i, struct value *out)
{
	get_latest_end(d, i, out);
	*out = value_from_double(isnan(out->number) ? (double)NAN : fmax(out->number - (double)d->time, 0));
}

/* Sets *out to the part of the time limit that the job has run. */
static void get_part_of_limit(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_job j;
	int64_t end;

	read_running_job(d, i, &j);
	end = data_get_latest_end(&j);
	*out = value_from_double(end == FS_UNKNOWN || j.times.start == FS_UNKNOWN || end <= j.times.start
					 ? (double)NAN
					 : (double)(d->time - j.times.start) / (double)(end - j.times.start));
}

static void count_freed_jobs(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_job j;
	size_t n;

	read_running_job(d, i, &j);
	chart_find_freed(d->chart, j.id, &n);
	*out = value_from_unsigned(n);
}

static void format_running_id_cell(const struct model *m, uint32_t i, char *buf, size_t size)
{
	char id[WORDS];

	snprintf(buf, size, "%s", format_display_job_id(id, m->data->snapshot, m->data->running[i]));
}

static void format_end_cell(const struct model *m, uint32_t i, char *buf, size_t size)
{
	struct value end;
	char text[WORDS];

	get_latest_end(m->data, i, &end);
	snprintf(buf, size, "%s",
		 isnan(end.number)                            ? "unknown"
		 : end.number >= (double)FS_UNLIMITED         ? "no limit"
		 : end.number <= (double)m->data->time        ? "overdue"
							      : format_cell_time(text, m->data, (int64_t)end.number));
}

static unsigned get_freed_width(const struct model *m)
{
	return m->screen.cols < 100 ? 20 : m->screen.cols < 140 ? 30 : 40;
}

/* Lists the jobs that start when the running job ends: "812154 dana, 812168 emil". */
static void format_freed_cell(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct chart_freed *freed;
	struct fs_plan_row plan;
	char id[WORDS];
	struct fs_job j;
	size_t n, len = 0;

	*buf = '\0';
	read_running_job(m->data, i, &j);
	freed = chart_find_freed(m->data->chart, j.id, &n);
	for (size_t k = 0; k < n && len < size; k++) {
		fs_plan_row(m->data->chart->plan, freed[k].row, &plan);
		fs_snapshot_job(m->data->snapshot, plan.job_row, &j);
		len += (size_t)snprintf(buf + len, size - len, "%s%s %s", k ? ", " : "",
					format_display_job_id(id, m->data->snapshot, plan.job_row), j.user);
	}
}

static const struct view_column running_columns[] = {
	{ NULL, 0, CELL_TEXT, 10, 0, QUEUE_OF(JOBID), .format_cell = format_running_id_cell },
	{ NULL, 0, CELL_TEXT, 8, 0, .table_column = QUEUE_OF(USER) },
	{ NULL, HEADING_OFFSET(account_heading), CELL_TEXT, 9, 105, .table_column = QUEUE_OF(ACCOUNT) },
	{ NULL, HEADING_OFFSET(partition_heading), CELL_TEXT, 9, 70, .table_column = QUEUE_OF(PARTITION) },
	{ NULL, 0, CELL_WHOLE, 6, 60, .table_column = QUEUE_OF(CPUS) },
	{ "ENDS", 0, CELL_WHOLE, 12, 0, .get_value = get_latest_end, .format_cell = format_end_cell,
	  .help = "time at which the job's time limit ends; the job may end earlier" },
	{ "LEFT", 0, CELL_SECONDS, 6, 50, .get_value = get_time_left, .help = "time until the job's time limit ends" },
	{ "THEN STARTS", 0, CELL_TEXT, 20, 72, .get_value = count_freed_jobs, .format_cell = format_freed_cell,
	  .format_width = get_freed_width,
	  .help = "planned jobs that start when this job ends; sorted by their number" },
	{ "RUN", 0, CELL_BAR, 10, 115, .get_value = get_part_of_limit,
	  .help = "part of the time limit that the job has run" },
	{ "NODES", 0, CELL_TEXT, 16, 130, .table_column = QUEUE_OF(NODELIST) },
	{ NULL, 0, CELL_TEXT, 16, 160, .table_column = QUEUE_OF(NAME) },
};

static void draw_limit_bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t row)
{
	struct value part;

	get_part_of_limit(m->data, row, &part);
	draw_part_bar(g, b, part.number);
}

static bool running_contains_text(const struct data *d, uint32_t i, const char *text)
{
	const struct queue_table_row line = make_running_row(d, i);

	return queue_row_contains_word(d, &line.row, text) || text_contains_word(line.job.node_list, text);
}

static uint32_t count_running_rows(const struct data *d)
{
	return (uint32_t)d->nrunning;
}

static uint32_t find_running_again(const struct data *d, const struct data *old, uint32_t row)
{
	struct fs_job was, is;

	read_running_job(old, row, &was);
	for (uint32_t i = 0; i < d->nrunning; i++) {
		read_running_job(d, i, &is);
		if (is.id == was.id)
			return i;
	}
	return FS_NO_ROW;
}

static void write_running_pane(struct lines *l, const struct data *d, uint32_t row, unsigned width)
{
	explain_append_running_pane(l, d, d->running[row], width);
}

static const struct view_ops view_running = {
	.name = "running",
	.tab = "Running",
	.column = running_columns,
	.columns = sizeof(running_columns) / sizeof(*running_columns),
	.fixed_columns = 1,
	.uses_chart = true,
	.empty_text = "no job is running",
	.get_problem = data_get_unordered_text,
	.value = get_running_value,
	.draw_bar = draw_limit_bar,
	.contains = running_contains_text,
	.count_rows = count_running_rows,
	.find_row_again = find_running_again,
	.get_job_row = get_running_job_row,
	.append_pane = write_running_pane,
	.write_page = write_job_page,
};

/* ---- title line and tabs of the screen */

/* Formats the time of the snapshot. If the current time is known, appends the age of the snapshot; otherwise the time
 * includes the date. */
static void format_snapshot_clock(const struct model *m, char *buf, size_t size)
{
	const struct fs_snapshot_info *info = fs_snapshot_info(m->data->snapshot);
	const time_t local = (time_t)(m->data->time + fs_snapshot_utc_offset(m->data->snapshot, m->data->time));
	struct tm tm;
	const int64_t age = m->now == FS_UNKNOWN ? -1 : m->now - info->time;
	char text[24];
	size_t n = 0;

	snprintf(buf, size, "%s", info->time ? "" : "time unknown");
	if (!info->time)
		return;
	if (m->data->time != info->time)
		n = (size_t)snprintf(buf, size, "as of ");
	if (gmtime_r(&local, &tm))
		n += strftime(buf + n, size - n, age < 0 ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
	if (age < 0)
		return;
	format_short_duration(age < 60 ? 0 : (double)(age - age % 60), text, sizeof(text));
	snprintf(buf + n, size - n, "  %s old", age < 60 ? "<1m" : text);
}

/* Formats the numbers of jobs. Omits pending jobs if the queue has not been computed yet. */
static void format_job_counts(const struct data *d, bool short_words, char *buf, size_t size)
{
	if (d->unordered)
		snprintf(buf, size, "running %" PRIu32 " ", d->counts.running);
	else
		snprintf(buf, size,
			 short_words ? "pend %" PRIu32 " run %" PRIu32 " blocked %" PRIu32 " "
				     : "pending %" PRIu32 "  running %" PRIu32 "  blocked %" PRIu32 " ",
			 d->counts.pending, d->counts.running, d->counts.pending - d->counts.eligible);
}

static void draw_title_line(const struct model *m, struct grid *g)
{
	const struct data *d = m->data;
	char clock[80], left[400], right[120];
	unsigned used;

	format_snapshot_clock(m, clock, sizeof(clock));
	snprintf(left, sizeof(left), " fs-top %.60s  %s", fs_snapshot_info(d->snapshot)->cluster, clock);
	format_job_counts(d, false, right, sizeof(right));
	grid_fill_cells(g, 0, 0, g->cols, ' ', ATTR_TITLE);
	used = grid_write_text(g, 0, 0, g->cols, left, ATTR_TITLE);
	if (used + 2 + strlen(right) > g->cols)
		format_job_counts(d, true, right, sizeof(right));
	if (used + 2 + strlen(right) <= g->cols)
		grid_write_right_aligned(g, used, 0, g->cols - used, right, ATTR_TITLE);
}

static void append_filter_description_text(char *buf, size_t size, const char *what, const char *value)
{
	const size_t n = strlen(buf);

	if (*value && n < size)
		snprintf(buf + n, size - n, "  %s %s", what, value);
}

/* Formats the hypothetical commands that were applied to the snapshot. */
static void format_what_if_commands(const fs_snapshot *s, char *buf, size_t size)
{
	const char *command;
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; n < size && (command = fs_snapshot_command(s, i)); i++)
		n += (size_t)snprintf(buf + n, size - n, "%s%s", i ? "; " : " WHAT IF: ", command);
}

/* Formats the state of the computation, shown beside the tabs. */
static const char *get_work_text(const struct model *m)
{
	return m->loading || model_lacks_chart(m)         ? " working"
	       : list_is_being_sorted(&m->list[m->view]) ? " sorting"
							  : "";
}

/* Formats the time of the scheduler's last cycle and the algorithm: "last cycle 15:58  fair_tree". Omits the cycle if
 * the text would be wider than `width`. */
static void format_cycle_and_algorithm(const struct model *m, unsigned width, char *buf, size_t size)
{
	char time[WORDS];

	*buf = '\0';
	if (m->data->last_cycle != FS_UNKNOWN)
		snprintf(buf, size, "  last cycle %s  %s", format_cell_time(time, m->data, m->data->last_cycle),
			 m->data->algorithm);
	if (!*buf || strlen(buf) > width)
		snprintf(buf, size, "  %s", m->data->algorithm);
}

static void draw_view_tabs(const struct model *m, struct grid *g, unsigned y)
{
	const struct filter *f = &m->list[m->view].filter;
	char text[800] = "", name[24];
	unsigned x = 0;

	for (int v = 0; v < VIEWS; v++) {
		const bool here = m->view == (enum view)v;

		snprintf(name, sizeof(name), here ? "[%s]" : " %s ", m->list[v].ops->tab);
		x = layout_get_tab_column(m, (enum view)v);
		x += grid_write_text(g, x, y, g->cols, name, here ? ATTR_STRONG : ATTR_PLAIN);
	}
	x += grid_write_text(g, x, y, g->cols, get_work_text(m), ATTR_DIM);
	append_filter_description_text(text, sizeof(text), "partition", f->partition);
	append_filter_description_text(text, sizeof(text), "user", f->user);
	append_filter_description_text(text, sizeof(text), "account", f->account);
	append_filter_description_text(text, sizeof(text), "filter:", f->text);
	if (!*text)
		format_cycle_and_algorithm(m, g->cols > x ? g->cols - x : 0, text, sizeof(text));
	grid_write_right_aligned(g, x, y, g->cols > x ? g->cols - x : 0, text, ATTR_PLAIN);
}

/* Draws the hypothetical commands on a row of their own. */
static void draw_what_if_row(const struct model *m, struct grid *g, unsigned y)
{
	char text[800];

	format_what_if_commands(m->data->snapshot, text, sizeof(text));
	grid_fill_cells(g, 0, y, g->cols, ' ', ATTR_WHAT_IF);
	grid_write_text(g, 0, y, g->cols, text, ATTR_WHAT_IF);
}

/* ---- meters of the cluster's resources: used, free and down, like those of htop */

/* Formats an amount in at most five characters: "96", "12.5k"; memory in MiB: "512G". */
static const char *format_meter_amount(char buf[WORDS], int64_t v, bool memory)
{
	static const char units[] = { 'M', 'G', 'T', 'P' };
	double n = (double)v;
	size_t unit = 0;

	for (; memory && n >= 1024 && unit + 1 < sizeof(units); unit++)
		n /= 1024;
	if (memory)
		format_text(buf, WORDS, n < 10 && n != floor(n) ? "%.1f%c" : "%.0f%c", n, units[unit]);
	else
		format_text(buf, WORDS, v < 10000 ? "%.0f" : "%.0fk", v < 10000 ? n : n / 1000);
	return buf;
}

/* Draws one meter: "CPU[||||||    96/128  8 down]". The text lies on the bar. */
static void draw_meter(struct grid *g, unsigned x, unsigned y, unsigned width, const char *name,
		       const struct fs_resource *r, bool memory)
{
	const double total = (double)r->total;
	const struct grid_part parts[] = { { (double)r->used / total, ATTR_UP, '|' },
					   { (double)(r->total - r->down) / total, ATTR_PLAIN, ' ' },
					   { 1, ATTR_DOWN, 'x' } };
	char used[WORDS], all[WORDS], down[WORDS], text[4 * WORDS];
	const unsigned start = x + grid_write_text(g, x, y, width, name, ATTR_STRONG), end = x + width - 1;

	if (start + 2 >= end)
		return;
	grid_write_text(g, start, y, 1, "[", ATTR_STRONG);
	grid_write_text(g, end, y, 1, "]", ATTR_STRONG);
	grid_draw_letter_bar(g, start + 1, y, end - start - 1, parts, sizeof(parts) / sizeof(*parts));
	snprintf(text, sizeof(text), "%s/%s%s%s%s", format_meter_amount(used, r->used, memory),
		 format_meter_amount(all, r->total, memory), r->down ? " " : "",
		 r->down ? format_meter_amount(down, r->down, memory) : "", r->down ? " down" : "");
	if (strlen(text) + 2 > end - start)
		text[strcspn(text, " ")] = '\0';
	grid_write_right_aligned(g, start + 1, y, end - start - 1, text, ATTR_STRONG);
}

/* Returns true if the cluster has the resource. If the scheduler does not allocate memory, the use of memory is not
 * known. */
static bool has_meter(const struct fs_capacity *c, const struct fs_resource *r)
{
	return r->total > 0 && (r != &c->mem_mb || r->used || !c->cpus.used);
}

static void draw_meters(const struct model *m, struct grid *g, unsigned y)
{
	const struct fs_capacity *c = &m->data->capacity;
	const struct {
		const char *name;
		const struct fs_resource *r;
		bool memory;
	} meters[] = { { "Nodes", &c->nodes, false },
		       { "CPUs", &c->cpus, false },
		       { "Mem", &c->mem_mb, true },
		       { "GPUs", &c->gpus, false } };
	unsigned n = 0, x = 1, width;

	for (size_t i = 0; i < sizeof(meters) / sizeof(*meters); i++)
		n += has_meter(c, meters[i].r);
	width = (g->cols - 1) / (n ? n : 1);
	for (size_t i = 0; i < sizeof(meters) / sizeof(*meters); i++) {
		if (!has_meter(c, meters[i].r))
			continue;
		draw_meter(g, x, y, width - 1, meters[i].name, meters[i].r, meters[i].memory);
		x += width;
	}
}

/* ---- the last line of the screen */

static void draw_bar_of_keys(struct grid *g, unsigned y)
{
	struct key_slot key;

	for (size_t i = 0; layout_get_bar_key(g->cols, i, &key); i++) {
		const unsigned x = key.x + grid_write_text(g, key.x, y, g->cols, key.binding->hint_key, ATTR_PLAIN) + 1;

		grid_write_text(g, x, y, g->cols, key.binding->hint_text, ATTR_LABEL);
	}
}

static void draw_prompt_line(const struct model *m, struct grid *g, unsigned y)
{
	static const char *const labels[] = { "Search: ",  "Filter: ",    "User: ",
					      "Account: ", "Partition: ", "Write to file: ", "What if: " };
	const char *names[16];
	const size_t n = model_list_prompt_names(m, names, sizeof(names) / sizeof(*names));
	const char *tail = m->prompt.text;
	unsigned x = grid_write_text(g, 0, y, g->cols, labels[m->prompt.kind], ATTR_STRONG);

	while (*tail && x + 1 + grid_measure_text(g, tail) > g->cols)
		tail++;
	x += grid_write_text(g, x, y, g->cols, tail, ATTR_PLAIN);
	g->cursor_x = x < g->cols ? x : g->cols - 1;
	g->cursor_y = y;
	x += 2;
	if (m->prompt.kind == PROMPT_SEARCH && m->search.no_match)
		grid_write_text(g, x, y, g->cols, "no match", ATTR_WARN);
	for (size_t i = 0; i < n && x < g->cols; i++)
		x += grid_write_text(g, x, y, g->cols, names[i], ATTR_DIM) + 1;
}

static void draw_last_line(const struct model *m, struct grid *g)
{
	const unsigned y = g->rows - 1;
	char text[500];

	if (m->mode == MODE_PROMPT) {
		draw_prompt_line(m, g, y);
	} else if (*m->status.message) {
		grid_write_text(g, 0, y, g->cols, m->status.message, m->status.is_warning ? ATTR_WARN : ATTR_STRONG);
	} else if (*m->status.load_error) {
		snprintf(text, sizeof(text), "! showing the old snapshot: %s", m->status.load_error);
		grid_write_text(g, 0, y, g->cols, text, ATTR_WARN);
	} else {
		draw_bar_of_keys(g, y);
	}
}

/* ---- drawing the pane, full-screen texts and menus */

/* Draws the lines from `first` to `end` (not included), at most `rows` lines. Returns the number of lines drawn. */
static unsigned draw_text_lines(struct grid *g, const struct lines *l, size_t first, size_t end, unsigned x,
				unsigned top, unsigned rows)
{
	unsigned i;

	for (i = 0; i < rows && first + i < end; i++)
		grid_write_text(g, x, top + i, g->cols > x ? g->cols - x : 0, l->v[first + i].text,
				l->v[first + i].attr);
	return i;
}

static void draw_explanation_pane(const struct model *m, struct grid *g)
{
	const struct pane_columns columns = model_get_pane_columns(m);
	const struct model_pane *p = &m->pane;
	unsigned y, end;
	struct layout at;
	char subject[128], title[200];

	model_get_row_layout(m, &at);
	if (!at.pane_rows)
		return;
	model_format_subject(m, subject, sizeof(subject));
	snprintf(title, sizeof(title), " %s ", *subject ? subject : "nothing selected");
	grid_fill_cells(g, 0, at.pane_top, g->cols, '-', ATTR_DIM);
	grid_write_text(g, 2, at.pane_top, g->cols > 4 ? g->cols - 4 : 0, title, ATTR_TITLE);
	y = at.pane_top + 1;
	end = at.pane_top + at.pane_rows;
	if (!p->has_summary)
		grid_write_text(g, 1, y, columns.summary_width, "working ...", ATTR_DIM);
	y += p->has_summary ? draw_text_lines(g, &p->summary, 0, p->nsummary, 1, y, end - y) : p->most_summary;
	if (columns.beside)
		draw_text_lines(g, &p->lines, 0, p->lines.n, columns.lines_x, at.pane_top + 1, at.pane_rows - 1);
	else if (y < end)
		y += draw_text_lines(g, &p->lines, 0, p->lines.n, columns.lines_x, y, end - y);
	if (y < end)
		draw_text_lines(g, &p->summary, p->nsummary, p->summary.n, 1, y, end - y);
	if (p->nsummary + (columns.beside ? 0 : p->lines.n) + 1 > at.pane_rows && g->cols > 24)
		grid_write_right_aligned(g, 0, at.pane_top, g->cols - 2, " Enter: more ", ATTR_DIM);
}

/* Colors the key, the column or the word at the start of each line of the help. */
static void paint_help_words(const struct model_text *t, struct grid *g, unsigned rows)
{
	enum { HELP_WORD_WIDTH = 14 };

	for (unsigned i = 0; i < rows && t->first_shown + i < t->lines.n; i++) {
		const struct line *l = &t->lines.v[t->first_shown + i];

		if (l->attr == ATTR_PLAIN && *l->text != ' ')
			grid_paint_cells(g, 1, 1 + i, HELP_WORD_WIDTH, (enum attr)(ATTR_FACTOR + 2));
	}
}

static void draw_text_screen(const struct model *m, struct grid *g)
{
	const unsigned rows = g->rows - 2;
	const size_t last = m->text.first_shown + rows < m->text.lines.n ? m->text.first_shown + rows : m->text.lines.n;
	char text[200];

	grid_fill_cells(g, 0, 0, g->cols, ' ', ATTR_HEADING);
	grid_write_text(g, 1, 0, g->cols, m->text.title, ATTR_HEADING);
	draw_text_lines(g, &m->text.lines, m->text.first_shown, m->text.lines.n, 1, 1, rows);
	if (m->text.kind == TEXT_HELP)
		paint_help_words(&m->text, g, rows);
	snprintf(text, sizeof(text), "Esc back%s   %zu-%zu of %zu",
		 m->text.kind == TEXT_HELP ? "" : "  y write to a file",
		 m->text.lines.n ? m->text.first_shown + 1 : 0, last, m->text.lines.n);
	if (m->mode == MODE_PROMPT || *m->status.message)
		draw_last_line(m, g);
	else
		grid_write_text(g, 0, g->rows - 1, g->cols, text, ATTR_LABEL);
}

static void format_menu_entry(const struct model *m, size_t i, char *buf, size_t size, const char **help)
{
	struct view_column c;

	if (m->menu.kind == MENU_SORT && !i) {
		snprintf(buf, size, "default order");
		*help = "order of the scheduler, the tree or the configuration";
		return;
	}
	i -= m->menu.kind == MENU_SORT;
	if (i >= m->list[m->view].columns) {
		const enum theme t = (enum theme)(i - m->list[m->view].columns);

		snprintf(buf, size, "(%c) theme %s", t == m->screen.theme ? '*' : ' ', theme_get_name(t));
		*help = theme_get_help(t);
		return;
	}
	view_column_get(m->list[m->view].ops, m->data, i, &c);
	*help = c.help;
	if (m->menu.kind == MENU_SORT)
		snprintf(buf, size, "%s", c.name);
	else
		snprintf(buf, size, "[%c] %s", model_shows_column(m, i) ? 'x' : ' ', c.name);
}

static void draw_column_menu(const struct model *m, struct grid *g)
{
	const size_t n = layout_count_menu_entries(m);
	const unsigned width = g->cols < LAYOUT_MENU_WIDTH ? g->cols : LAYOUT_MENU_WIDTH;
	const size_t top = layout_get_menu_top(m);
	const char *help;
	unsigned rows, menu_row;
	struct layout at;
	char text[100];

	model_get_row_layout(m, &at);
	menu_row = at.list_top;
	rows = g->rows - menu_row - 1;
	grid_fill_cells(g, 0, at.headings_row, width, ' ', ATTR_HEADING);
	grid_write_text(g, 1, at.headings_row, width - 1, m->menu.kind == MENU_SORT ? "Sort by (Enter)" : "Columns, theme (Space)",
			ATTR_HEADING);
	for (unsigned i = 0; i < rows; i++) {
		const bool here = top + i == m->menu.selected;

		grid_fill_cells(g, 0, menu_row + i, width, ' ', here ? ATTR_SELECTED : ATTR_PLAIN);
		grid_write_text(g, width - 1, menu_row + i, 1, "|", ATTR_DIM);
		if (top + i >= n)
			continue;
		format_menu_entry(m, top + i, text, sizeof(text), &help);
		grid_write_text(g, 0, menu_row + i, 1, here ? ">" : " ", here ? ATTR_SELECTED : ATTR_PLAIN);
		grid_write_text(g, 2, menu_row + i, width - 4, text, here ? ATTR_SELECTED : ATTR_PLAIN);
		if (here) {
			grid_fill_cells(g, 0, g->rows - 1, g->cols, ' ', ATTR_PLAIN);
			grid_write_text(g, 0, g->rows - 1, g->cols, help, ATTR_STRONG);
			g->cursor_y = menu_row + i;
		}
	}
}

int view_draw_screen(const struct model *m, struct grid *g)
{
	struct layout at;

	g->utf8 = m->screen.utf8;
	g->blocks = m->screen.blocks;
	g->theme = m->screen.theme;
	g->cursor_x = g->cursor_y = 0;
	if (grid_set_size(g, m->screen.cols, m->screen.rows))
		return -1;
	if (m->screen.cols < MIN_COLS || m->screen.rows < MIN_ROWS) {
		grid_write_text(g, 0, 0, m->screen.cols, "too small", ATTR_PLAIN);
		return 0;
	}
	if (m->mode == MODE_TEXT || (m->mode == MODE_PROMPT && m->prompt.mode_below == MODE_TEXT)) {
		draw_text_screen(m, g);
		return 0;
	}
	model_get_row_layout(m, &at);
	draw_title_line(m, g);
	if (at.meters_row)
		draw_meters(m, g, at.meters_row);
	draw_view_tabs(m, g, at.tabs_row);
	if (at.what_if_row)
		draw_what_if_row(m, g, at.what_if_row);
	draw_current_list(m, g);
	draw_explanation_pane(m, g);
	draw_last_line(m, g);
	if (m->mode == MODE_MENU)
		draw_column_menu(m, g);
	return 0;
}

/* ---- the table of views, and the initial model */

static const struct view_ops *const views[VIEWS] = {
	[VIEW_QUEUE] = &view_queue,
	[VIEW_SHARES] = &view_shares,
	[VIEW_PARTITIONS] = &view_partitions,
	[VIEW_TIMELINE] = &view_timeline,
	[VIEW_RUNNING] = &view_running,
};

int model_init_with_data(struct model *m, struct data *data, unsigned cols, unsigned rows)
{
	*m = (struct model){ .screen = { .cols = cols, .rows = rows },
			     .now = FS_UNKNOWN,
			     .follow = true,
			     .pane = { .row = FS_NO_ROW } };
	for (int v = 0; v < VIEWS; v++) {
		m->list[v].ops = views[v];
		m->list[v].sort = SIZE_MAX;
		m->list[v].row_to_select = FS_NO_ROW;
	}
	if (!data->unordered && view_queue.get_problem(data) && !view_shares.get_problem(data))
		m->view = VIEW_SHARES;
	if (model_adopt_data(m, data))
		return -1;
	model_refresh_screen(m);
	return 0;
}
