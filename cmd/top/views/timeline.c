/* The view of the planned starts: a lane for each node, time from left to right. */
#include "top/data/chart.h"
#include "top/list/columns.h"
#include "top/list/parts.h"
#include "top/update/update.h"
#include "words/words.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- columns */

static void get_node(const struct data *d, uint32_t i, struct value *out)
{
	*out = value_of_text(d->chart->t.lane[i]);
}

/* When the first of its jobs ends, to sort by. */
static void get_free(const struct data *d, uint32_t i, struct value *out)
{
	const struct chart *c = d->chart;

	*out = value_of_number(c->first[i] < c->first[i + 1] ? (double)(c->t.bar[c->first[i]].to - c->t.from) : 0);
}

static const struct view_column columns[] = {
	{ "NODE", 0, CELL_TEXT, 10, 0, .get = get_node, .help = "a node on which a job is planned to start" },
	{ "TIME", 0, CELL_BAR, 16, 0, .get = get_free, .wide = true,
	  .help = "who has the node until when, and who is planned next: running jobs to the end of their limits, planned ones, "
		  "and the job selected in the queue; sorted by when the first of them ends" },
};

static void value(const struct data *d, uint32_t i, const struct view_column *c, struct value *out)
{
	c->get(d, i, out);
}

/* ---- time */

static int64_t span(const struct model *m)
{
	const struct timeline *t = &m->data->chart->t;

	return (t->to - t->from) >> m->zoom;
}

static int64_t time_at(const struct model *m, const struct bar *b, unsigned x)
{
	return m->data->chart->t.from + span(m) * x / b->width;
}

/* "14:30"; "Nov 21" where another day begins. */
static void tick_text(const struct model *m, int64_t t, char *buf, size_t size)
{
	const time_t local = (time_t)(t + fs_snapshot_utc_offset(m->data->snapshot, t));
	struct tm tm;

	if (!gmtime_r(&local, &tm) || !strftime(buf, size, local % 86400 ? "%H:%M" : "%b %e", &tm))
		*buf = '\0';
}

static int64_t step_of(const struct model *m, const struct bar *b)
{
	static const int64_t steps[] = { 60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800 };
	const int64_t room = 10;
	size_t i = 0;

	while (i + 1 < sizeof(steps) / sizeof(*steps) && steps[i] * b->width < span(m) * room)
		i++;
	return steps[i];
}

static void heading(const struct model *m, struct grid *g, const struct bar *b)
{
	const struct chart *c = m->data->chart;
	char text[24];

	if (!c || *c->why)
		return;

	const int64_t step = step_of(m, b), offset = fs_snapshot_utc_offset(m->data->snapshot, c->t.from);
	const int64_t end = c->t.from + span(m);
	unsigned from = 4;

	grid_fill(g, b->x, b->y, b->width, ' ', ATTR_HEADING);
	grid_text(g, b->x, b->y, b->width, "now", ATTR_HEADING);
	for (int64_t t = ((c->t.from + offset) / step + 1) * step - offset; t < end; t += step) {
		const unsigned x = (unsigned)((t - c->t.from) * b->width / span(m));

		tick_text(m, t, text, sizeof(text));
		if (x < from || x + strlen(text) > b->width)
			continue;
		grid_text(g, b->x + x, b->y, b->width - x, text, ATTR_HEADING);
		from = x + (unsigned)strlen(text) + 1;
	}
}

/* ---- bars */

static uint32_t chosen_job(const struct model *m)
{
	const uint32_t row = list_selected(&m->list[VIEW_QUEUE]);
	struct fs_queue_row job;

	if (row == FS_NO_ROW || !m->data->eval.queue)
		return FS_NO_ROW;
	fs_queue_row(m->data->eval.queue, row, &job);
	return job.job_row;
}

/* Returns the bar of the chosen job among those at that time, else the first of them. */
static const struct timeline_bar *bar_at(const struct chart *c, uint32_t lane, int64_t from, int64_t to, uint32_t job)
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

static void put_label(const struct model *m, struct grid *g, unsigned x, unsigned y, unsigned width, uint32_t job,
		      enum attr attr)
{
	char id[WORDS], text[2 * WORDS];
	struct fs_job j;

	fs_snapshot_job(m->data->snapshot, job, &j);
	snprintf(text, sizeof(text), " %s %s ", job_words(id, m->data->snapshot, job), j.user);
	if (grid_width(g, text) + 2 > width)
		snprintf(text, sizeof(text), " %s ", id);
	if (grid_width(g, text) + 2 <= width)
		grid_text(g, x + 1, y, width - 2, text, attr);
}

static void put_run(const struct model *m, struct grid *g, unsigned x, unsigned y, unsigned width,
		    const struct timeline_bar *b, bool chosen)
{
	const enum attr attr = chosen ? ATTR_SELECTED : (enum attr)(b->running ? ATTR_FACTOR : ATTR_FACTOR + 1);
	const char *sign = b->running ? "=" : chosen ? "#" : "-";
	const unsigned gap = width > 2; /* between it and the next */

	if (g->blocks)
		sign = chosen ? " " : b->running ? "\u2588" : "\u2592";
	for (unsigned i = 0; i + gap < width; i++)
		grid_text(g, x + i, y, 1, sign, attr);
	put_label(m, g, x, y, width - gap, b->job_row, chosen ? ATTR_SELECTED : ATTR_PLAIN);
}

static void bar(const struct model *m, struct grid *g, const struct bar *b, uint32_t lane)
{
	const uint32_t job = chosen_job(m);
	const struct timeline_bar *run = NULL;
	unsigned since = 0;

	for (unsigned x = 0; x <= b->width; x++) {
		const struct timeline_bar *here =
			x < b->width ? bar_at(m->data->chart, lane, time_at(m, b, x), time_at(m, b, x + 1), job) : NULL;

		if (here == run && x < b->width)
			continue;
		if (run)
			put_run(m, g, b->x + since, b->y, x - since, run, run->job_row == job);
		run = here;
		since = x;
	}
}

/* ---- rows */

static const char *trouble(const struct data *d)
{
	if (d->unordered)
		return data_unordered(d);
	if (!d->chart)
		return "working: starts are planned ...";
	return *d->chart->why ? d->chart->why : NULL;
}

static bool lane_has(const struct data *d, uint32_t i, const char *text)
{
	const struct chart *c = d->chart;
	struct fs_job j;
	char id[WORDS];

	for (size_t k = c->first[i]; k < c->first[i + 1]; k++) {
		fs_snapshot_job(d->snapshot, c->t.bar[k].job_row, &j);
		if (text_contains(j.user, text) || text_contains(job_words(id, d->snapshot, c->t.bar[k].job_row), text))
			return true;
	}
	return false;
}

static bool contains(const struct data *d, uint32_t i, const char *text)
{
	return text_contains(d->chart->t.lane[i], text) || lane_has(d, i, text);
}

static uint32_t count(const struct data *d)
{
	return (uint32_t)d->chart->t.lanes;
}

/* ---- texts and keys */

struct bar_line {
	const char *job, *user, *what;
};
#define BAR(m) COLUMN_MEMBER(struct bar_line, m)

enum { WHAT_FROM = 22 }; /* its first column */
static const struct column bar_columns[] = {
	{ "job", .width = -10, BAR(job), .help = "the job's id" },
	{ "user", .width = -10, BAR(user), .help = "whose it is" },
	{ "what", .width = 0, BAR(what), .help = "when it runs" },
};

/* "runs, its limit ends 14:20", "planned from 14:20 to 18:20": an end beyond the chart is not told. */
static void bar_words(char *buf, size_t size, const struct data *d, const struct timeline_bar *b)
{
	const bool ends = b->to < d->chart->t.to;
	char from[WORDS], to[WORDS];

	time_words(to, d->snapshot, b->to);
	if (b->running)
		snprintf(buf, size, "runs%s%s", ends ? ", its limit ends " : "", ends ? to : "");
	else
		snprintf(buf, size, "planned from %s%s%s", time_words(from, d->snapshot, b->from), ends ? " to " : "",
			 ends ? to : "");
}

static void pane(struct lines *l, const struct data *d, uint32_t lane, unsigned width)
{
	const struct column_page page = { COLUMNS(bar_columns), .characters = true };
	const struct chart *c = d->chart;
	char id[WORDS], what[3 * WORDS];
	struct fs_job j;

	for (size_t i = c->first[lane]; i < c->first[lane + 1]; i++) {
		fs_snapshot_job(d->snapshot, c->t.bar[i].job_row, &j);
		job_words(id, d->snapshot, c->t.bar[i].job_row);
		bar_words(what, sizeof(what), d, &c->t.bar[i]);
		lines_wrap_row(l, ATTR_PLAIN, width, WHAT_FROM, &page, &(struct bar_line){ id, j.user, what });
	}
	lines_add(l, ATTR_DIM, "%s",
		  l->blocks ? "\u2588 runs, to its limit  \u2592 planned  the selected job stands out  + - another scale"
			    : "= runs, to its limit  - planned  # the selected job  + - another scale");
}

static void subject(const struct data *d, uint32_t row, char *buf, size_t size)
{
	snprintf(buf, size, "%s", d->chart->t.lane[row]);
}

/* Shows the first job that is planned to start on the node in the queue. */
static void show_planned(struct model *m, uint32_t lane)
{
	const struct chart *c = m->data->chart;
	size_t i = c->first[lane];
	uint32_t row;
	struct fs_queue_row job;

	while (i < c->first[lane + 1] && c->t.bar[i].running)
		i++;
	if (i == c->first[lane + 1])
		return;
	for (size_t k = 0; k < m->data->njobs; k++) {
		row = m->data->jobs[k];
		fs_queue_row(m->data->eval.queue, row, &job);
		if (job.job_row == c->t.bar[i].job_row) {
			m->list[VIEW_QUEUE].filter = (struct filter){ 0 };
			m->view = VIEW_QUEUE;
			update_refresh(m, update_list(m), false);
			list_select(update_list(m), row);
			return;
		}
	}
}

static bool act(struct model *m, enum action a)
{
	enum { MAX_ZOOM = 12 };
	const uint32_t lane = list_selected(update_list(m));

	switch (a) {
	case ACT_EXPLAIN:
		if (lane != FS_NO_ROW)
			show_planned(m, lane);
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

const struct view_ops view_timeline = {
	.name = "timeline",
	.tab = "Timeline",
	.column = columns,
	.columns = sizeof(columns) / sizeof(*columns),
	.fixed = 1,
	.planned = true,
	.none = "there is nothing here",
	.trouble = trouble,
	.value = value,
	.bar = bar,
	.heading = heading,
	.contains = contains,
	.count = count,
	.find = NULL, /* no lane is found in new data, whose chart is not made yet */
	.pane = pane,
	.subject = subject,
	.act = act,
};
