/* The view of the queue: pending jobs in the order in which the scheduler tries them. */
#include "columns/queue.h"
#include "dialect/dialect.h"
#include "explain/outlook.h"
#include "top/list/columns.h"
#include "top/list/parts.h"
#include "top/update/update.h"
#include "top/words/explain.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- columns */

static void load_row(const struct data *d, uint32_t i, struct fs_queue_row *row)
{
	fs_queue_row(d->eval.queue, i, row);
}

static double moved(uint32_t was, uint32_t is)
{
	return was == MOVE_NEW ? (double)INFINITY
	       : was && is     ? (double)was - (double)is
			       : (double)NAN;
}

static void get_move(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;

	load_row(d, i, &row);
	*out = value_of_number(d->was ? moved(d->was[i], row.position) : (double)NAN);
}

/* The number to sort by: the sum, or the points of one term. */
static void get_points(const struct data *d, uint32_t i, size_t term, struct value *out)
{
	struct fs_queue_row row;
	struct fs_prio_row prio;

	load_row(d, i, &row);
	*out = value_of_number(NAN);
	if (!data_prio(d, &row, &prio))
		return;
	out->number = !term ? prio.sum : prio.direct ? (double)NAN : prio.terms[term - 1].points;
}

static void get_factors(const struct data *d, uint32_t i, struct value *out)
{
	get_points(d, i, 0, out);
}

static void get_waited(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;
	struct fs_job job;

	load_row(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	*out = value_of_number(job.eligible_time > d->time || job.eligible_time == FS_UNKNOWN
				       ? (double)NAN
				       : (double)(d->time - job.eligible_time));
}

static void get_reason(const struct data *d, uint32_t i, struct value *out)
{
	struct fs_queue_row row;
	struct fs_job job;

	load_row(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	*out = value_of_text(job.reason);
}

/* "812190_[0-9]" */
static void job_text(const struct model *m, uint32_t i, char *buf, size_t size)
{
	const struct data *d = m->data;
	struct fs_queue_row row;
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	load_row(d, i, &row);
	fs_snapshot_job(d->snapshot, row.job_row, &job);
	fs_job_id_format(d->snapshot, job.id, true, id);
	if (*job.array_tasks)
		snprintf(buf, size, "%s_[%s]", id, job.array_tasks);
	else
		snprintf(buf, size, "%s", id);
}

/* Returns the width of the largest place. */
static unsigned place_room(const struct model *m)
{
	const unsigned min = 4;
	unsigned count = 1;

	for (size_t n = m->data->eligible; n /= 10;)
		count++;
	return count > min ? count : min;
}

#define OF(column) &queue_columns[QUEUE_##column]

static const struct view_column columns[] = {
	{ NULL, 0, CELL_WHOLE, 4, 0, OF(POSITION), .room = place_room },
	{ "MOVE", 0, CELL_MOVE, 4, 0, .get = get_move,
	  .help = "places won (^2) or lost (v3) since the snapshot before; new: it was not there" },
	{ NULL, 0, CELL_TEXT, 10, 0, OF(JOBID), .text = job_text },
	{ NULL, 0, CELL_TEXT, 8, 0, .of = OF(USER) },
	{ NULL, NOUN(account_heading), CELL_TEXT, 9, 50, .of = OF(ACCOUNT) },
	{ NULL, NOUN(partition_heading), CELL_TEXT, 9, 100, .mixed_from = 80, .of = OF(PARTITION) },
	{ NULL, 0, CELL_TEXT, 9, 130, .of = OF(QOS) },
	{ NULL, 0, CELL_WHOLE, 10, 0, .of = OF(PRIORITY) },
	{ "FACTORS", 0, CELL_BAR, 12, 72, .get = get_factors,
	  .help = "what the priority is made of: each factor has a colour or a letter, its part of the bar is its part of the sum; "
		  "Enter shows them one by one" },
	{ NULL, 0, CELL_WHOLE, 5, 180, .of = OF(TIER) },
	{ "WAITED", 0, CELL_SECONDS, 6, 100, .get = get_waited, .help = "time since it could have started" },
	{ NULL, 0, CELL_WHOLE, 6, 115, .of = OF(CPUS) },
	{ NULL, 0, CELL_WHOLE, 5, 165, .of = OF(NODES) },
	{ NULL, 0, CELL_SECONDS, 6, 140, .of = OF(TIME_LIMIT) },
	{ NULL, 0, CELL_WHOLE, 5, 190, .of = OF(TASKS) },
	{ NULL, 0, CELL_TEXT, 9, 60, OF(REASON), .get = get_reason },
	{ NULL, 0, CELL_TEXT, 11, UINT_MAX, .of = OF(SECTION) },
	{ NULL, 0, CELL_TEXT, 16, 150, .of = OF(NAME) },
};

static void value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	struct queue_line line;

	if (c->term) {
		get_points(d, i, c->term, out);
		return;
	}
	if (c->get) {
		c->get(d, i, out);
		return;
	}
	load_row(d, i, &line.row);
	if (c->of->part == QUEUE_PART_JOB)
		fs_snapshot_job(d->snapshot, line.row.job_row, &line.job);
	column_value(c->of, NULL, &line, out);
}

/* If the list is of one partition, place and move are those within it. */
static void shown(const struct model *m, uint32_t i, const struct view_column *c, struct value *v)
{
	struct fs_queue_row row;

	if (!*m->list[VIEW_QUEUE].filter.partition)
		return;
	load_row(m->data, i, &row);
	if (c->of == OF(POSITION))
		*v = value_of_number(row.partition_position ? row.partition_position : (double)NAN);
	else if (c->get == get_move && m->data->was)
		*v = value_of_number(moved(m->data->was_in_partition[i], row.partition_position));
}

/* Draws each factor's part of the scale. */
static void bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t i)
{
	struct grid_part part[MAX_TERMS];
	struct fs_queue_row row;
	struct fs_prio_row prio;
	double sum = 0;
	size_t n = 0;

	load_row(m->data, i, &row);
	if (!data_prio(m->data, &row, &prio))
		return;
	if (prio.direct) {
		grid_text(g, b->x, b->y, b->width, dialect_of(m->data->snapshot)->nouns.direct_mark, ATTR_PLAIN);
		return;
	}
	for (size_t k = 0; k < b->terms && m->data->max_points > 0; k++) {
		if (!(prio.terms[k].points > 0))
			continue;
		sum += prio.terms[k].points;
		part[n++] = (struct grid_part){ fmin(1, sum / m->data->max_points), term_attr(&prio.terms[k]),
						b->letters[k] };
	}
	grid_bar(g, b->x, b->y, b->width, part, n);
	if (prio.sum > m->data->max_points)
		grid_fill(g, b->x + b->width - 1, b->y, 1, '+', ATTR_PLAIN);
}

/* ---- rows */

static const char *trouble(const struct data *d)
{
	return d->unordered ? data_unordered(d) : d->eval.queue ? NULL : d->eval.queue_error.message;
}

static bool row_contains(const struct data *d, const struct fs_queue_row *row, const char *word)
{
	struct fs_job job;
	char id[FS_JOB_ID_TEXT];

	if (text_contains(row->user, word) || text_contains(row->account, word) ||
	    text_contains(row->partition, word) || text_contains(row->qos, word))
		return true;
	fs_snapshot_job(d->snapshot, row->job_row, &job);
	if (text_contains(job.reason, word) || text_contains(job.name, word))
		return true;
	return text_contains(fs_job_id_format(d->snapshot, row->job, true, id), word);
}

static bool contains(const struct data *d, uint32_t i, const char *text)
{
	struct fs_queue_row row;

	load_row(d, i, &row);
	return row_contains(d, &row, text);
}

static bool passes(const struct list *l, const struct data *d, uint32_t i)
{
	const struct filter *f = &l->filter;
	struct fs_queue_row row;

	load_row(d, i, &row);
	return (!*f->user || !strcmp(row.user, f->user)) &&
	       (!*f->partition || !strcmp(row.partition, f->partition)) &&
	       (!*f->account || fs_snapshot_account_within(d->snapshot, row.account, f->account)) &&
	       (!*f->text || row_contains(d, &row, f->text));
}

static uint32_t find(const struct data *d, const struct data *old, uint32_t i)
{
	struct fs_queue_row row;

	load_row(old, i, &row);
	return d->eval.queue ? data_find_job(d, row.job, row.partition, row.qos) : FS_NO_ROW;
}

/* ---- texts */

static void subject(const struct data *d, uint32_t i, char *buf, size_t size)
{
	struct fs_queue_row row;
	char id[FS_JOB_ID_TEXT];

	load_row(d, i, &row);
	snprintf(buf, size, "%s %s", fs_job_id_format(d->snapshot, row.job, true, id), row.user);
}

static int job_page(struct page *p, struct explain_view *v, const struct data *d, const struct fs_explain_job *job,
		    uint64_t number)
{
	const struct fs_view view = { .viewer = d->eval.viewer, .algorithm = d->chosen, .position = d->position };
	struct outlook outlook = { .plan = NULL };
	char id[FS_JOB_ID_TEXT];
	struct fs_error err;
	const int rc = outlook_make(&outlook, v, &view, job->job_row, false,
				    fs_job_id_format(d->snapshot, number, true, id), &err);

	if (!rc)
		explain_job_text(p, v, job, false);
	outlook_release(&outlook);
	return rc;
}

static int page(struct page *p, struct explain_view *v, const struct data *d, const struct words_request *q)
{
	struct fs_explain_job job, other;
	struct fs_queue_row row;

	load_row(d, q->row, &row);
	if (q->forecast)
		return explain_job_forecast_text(p, v, row.job_row);
	if (fs_explain_job_heads(v->x, row.job_row, &job, NULL))
		return -1;
	if (q->other == FS_NO_ROW)
		return job_page(p, v, d, &job, row.job);
	load_row(d, q->other, &row);
	if (fs_explain_job_heads(v->x, row.job_row, &other, NULL))
		return -1;
	explain_jobs_versus_text(p, v, &job, &other);
	return 0;
}

/* ---- keys */

/* Shows the share of the selected job's owner. */
static void show_owner(struct model *m, uint32_t row)
{
	struct list *l = &m->list[VIEW_SHARES];
	struct fs_queue_row job;
	uint32_t at;

	if (row == FS_NO_ROW)
		return;
	load_row(m->data, row, &job);
	at = data_find_share(m->data, job.account, job.user, job.partition);
	if (at == FS_NO_ROW) {
		model_say(m, true, "%s has no share in %s", job.user, job.account);
		return;
	}
	for (uint32_t up = fs_shares_row(m->data->eval.shares, at)->parent_row; up != FS_NO_ROW;
	     up = fs_shares_row(m->data->eval.shares, up)->parent_row)
		l->closed[up] = false;
	*l->filter.text = '\0';
	m->view = VIEW_SHARES;
	update_refresh(m, l, false);
	list_select(l, at);
}

static bool act(struct model *m, enum action a)
{
	struct list *l = update_list(m);
	const uint32_t row = list_selected(l);

	if (a == ACT_TREE) {
		show_owner(m, row);
		return true;
	}
	if (a == ACT_TAG && row != FS_NO_ROW) {
		model_tag(m, row);
		update_moved(m, ACT_DOWN, list_count(l), &l->sel);
		return true;
	}
	if (a == ACT_COMPARE && m->tags == 1 && row != FS_NO_ROW && !model_tagged(m, row))
		model_tag(m, row);
	return false;
}

const struct view_ops view_queue = {
	.name = "queue",
	.tab = "Queue",
	.column = columns,
	.columns = sizeof(columns) / sizeof(*columns),
	.terms = true,
	.fixed = 3,
	.jobs = true,
	.forecasts = true,
	.none = "no job is pending",
	.trouble = trouble,
	.value = value,
	.shown = shown,
	.bar = bar,
	.contains = contains,
	.passes = passes,
	.order = list_order_large,
	.find = find,
	.pane = explain_job,
	.subject = subject,
	.page = page,
	.act = act,
};
