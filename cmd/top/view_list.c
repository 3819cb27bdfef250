#include "top/view.h"

#include "dialect/dialect.h"

#include <math.h>
#include <string.h>

enum { MARKS = 2, MAX_BAR = 48 };

struct place {
	struct view_column column;
	unsigned x, width;
	size_t index;
};

struct frame {
	struct place place[MAX_COLUMNS];
	size_t n;
	char letters[MAX_TERMS];
	size_t terms;
};

/* Columns that stay when the others scroll. */
static size_t fixed_columns(enum view view)
{
	return view == VIEW_QUEUE ? 3 : 1;
}

static unsigned digits(size_t n)
{
	unsigned count = 1;

	while (n /= 10)
		count++;
	return count;
}

static unsigned natural_width(const struct model *m, const struct view_column *c)
{
	enum { NARROW = 75, WIDE = 120, LONG = 12 };

	if (m->view == VIEW_QUEUE && c->id == 0)
		return digits(m->data->eligible) > c->width ? digits(m->data->eligible) : c->width;
	if (m->view == VIEW_SHARES && c->id == 0 && m->cols < NARROW)
		return 16;
	return c->kind == CELL_TEXT && c->width <= LONG && m->cols >= WIDE ? c->width + 4
									     : c->width;
}

/* Those shown from left to right as far as they fit; the bar takes what is left over. */
static void place_columns(const struct model *m, struct frame *f)
{
	const struct list *l = &m->list[m->view];
	unsigned x = MARKS, skip = m->scroll[m->view];
	struct place *bar = NULL;

	for (size_t i = 0; i < l->columns && f->n < MAX_COLUMNS; i++) {
		struct place *p = &f->place[f->n];

		if (!model_shows(m, m->view, i))
			continue;
		if (i >= fixed_columns(m->view) && skip) {
			skip--;
			continue;
		}
		view_column_get(m->view, m->data, i, &p->column);
		*p = (struct place){ p->column, x, natural_width(m, &p->column), i };
		if (x + p->width > m->cols)
			continue;
		bar = p->column.kind == CELL_BAR ? p : bar;
		x += p->width + 1;
		f->n++;
	}
	if (bar && x - 1 < m->cols) {
		const unsigned more = m->cols - (x - 1) < MAX_BAR - bar->width
					      ? m->cols - (x - 1)
					      : MAX_BAR - bar->width;

		bar->width += more;
		for (struct place *p = bar + 1; p < f->place + f->n; p++)
			p->x += more;
	}
}

static void draw_headings(const struct model *m, struct grid *g, const struct frame *f)
{
	const struct list *l = &m->list[m->view];

	grid_fill(g, 0, 2, g->cols, ' ', ATTR_HEADING);
	for (size_t i = 0; i < f->n; i++) {
		const struct place *p = &f->place[i];
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
			grid_text(g, p->x, 2, p->width, name, ATTR_HEADING);
		else
			grid_right(g, p->x, 2, p->width, name, ATTR_HEADING);
	}
}

/* ---- bars */

/* Each factor's letter as often as its part of the whole scale; what rounds away is carried on. */
static void factor_bar(const struct model *m, struct grid *g, const struct frame *f,
		       const struct place *p, unsigned y, uint32_t row)
{
	struct fs_queue_row job;
	struct fs_prio_row prio;
	double sum = 0;
	unsigned x = 0;

	fs_queue_row(m->data->eval.queue, row, &job);
	if (!data_prio(m->data, &job, &prio))
		return;
	if (prio.direct) {
		grid_text(g, p->x, y, p->width,
			  dialect_of(m->data->snapshot)->nouns.direct_mark, ATTR_PLAIN);
		return;
	}
	for (size_t i = 0; i < f->terms && m->data->max_points > 0; i++) {
		const double points = prio.terms[i].points;
		unsigned end;

		if (!(points > 0))
			continue;
		sum += points;
		end = (unsigned)fmin(p->width, sum / m->data->max_points * p->width + 0.5);
		if (end > x)
			grid_fill(g, p->x + x, y, end - x, f->letters[i], term_attr(f->letters, i));
		x = end > x ? end : x;
	}
	if (prio.sum > m->data->max_points)
		grid_fill(g, p->x + p->width - 1, y, 1, '+', ATTR_PLAIN);
}

static unsigned range_cell(const struct place *p, double v)
{
	return (unsigned)lround(fmin(fmax(v, 0), 1) * (p->width - 1));
}

/* The slice of 0 to 1 that a bank owns, from [ to its factor at o; of a user the factor alone. */
static void range_bar(const struct model *m, struct grid *g, const struct place *p, unsigned y,
		      uint32_t row)
{
	const struct fs_share_row *s = fs_shares_row(m->data->eval.shares, row);
	unsigned from, at;

	if (isnan(s->fairshare))
		return;
	at = range_cell(p, s->fairshare);
	from = *s->user || isnan(s->low) ? at : range_cell(p, s->low);
	if (from < at) {
		grid_fill(g, p->x + from, y, at - from, '=', ATTR_UP);
		grid_fill(g, p->x + from, y, 1, '[', ATTR_UP);
	}
	grid_fill(g, p->x + at, y, 1, 'o', ATTR_STRONG);
}

static void share_bar(const struct model *m, struct grid *g, const struct place *p, unsigned y,
		      uint32_t row)
{
	const struct fs_share_row *s = fs_shares_row(m->data->eval.shares, row);
	const double width = p->width;

	if (fs_shares_has_ranges(m->data->eval.shares)) {
		range_bar(m, g, p, y, row);
		return;
	}
	if (isnan(s->norm_shares) || isnan(s->effective_usage) || s->parent_row == UINT32_MAX)
		return;
	for (unsigned i = 0; i < p->width; i++) {
		const double at = (i + 0.5) / width;
		const bool used = at < s->effective_usage, owned = at < s->norm_shares;

		grid_fill(g, p->x + i, y, 1, used ? (owned ? '=' : '#') : owned ? '.' : ' ',
			  used && !owned ? ATTR_DOWN : ATTR_UP);
	}
	if (s->norm_shares < 1)
		grid_fill(g, p->x + (unsigned)(s->norm_shares * width), y, 1, '|', ATTR_STRONG);
}

static void load_bar(struct grid *g, const struct place *p, unsigned y, double load)
{
	const unsigned n = isnan(load) ? 0 : (unsigned)(fmin(load, 1) * (p->width - 2) + 0.5);

	grid_text(g, p->x, y, 1, "[", ATTR_PLAIN);
	grid_fill(g, p->x + 1, y, n, '=', ATTR_UP);
	grid_text(g, p->x + p->width - 1, y, 1, "]", ATTR_PLAIN);
}

static void draw_bar(const struct model *m, struct grid *g, const struct frame *f,
		     const struct place *p, unsigned y, uint32_t row, const struct shown *v)
{
	if (m->view == VIEW_QUEUE)
		factor_bar(m, g, f, p, y, row);
	else if (m->view == VIEW_SHARES)
		share_bar(m, g, p, y, row);
	else
		load_bar(g, p, y, v->number);
}

/* ---- rows */

static bool has_children(const struct model *m, uint32_t row)
{
	return row + 1 < data_shares(m->data) &&
	       fs_shares_row(m->data->eval.shares, row + 1)->parent_row == row;
}

static void tree_name(const struct model *m, uint32_t row, char *buf, size_t size)
{
	const struct fs_share_row *s = fs_shares_row(m->data->eval.shares, row);
	const struct list *l = &m->list[VIEW_SHARES];

	if (l->flat)
		snprintf(buf, size, "%s (%s)", s->user, s->account);
	else
		snprintf(buf, size, "%*s%s%s", (int)(s->depth < 40 ? s->depth : 40), "",
			 *s->user               ? "  "
			 : has_children(m, row) ? (l->closed[row] ? "+ " : "- ")
						: "  ",
			 *s->user ? s->user : s->account);
}

static bool is_selected_job_column(const struct model *m, const struct view_column *c)
{
	return m->view == VIEW_QUEUE && !strcmp(c->name, "JOBID");
}

/* In a list of one partition the place is that in the partition, like what moved. */
static void place_in_partition(const struct model *m, uint32_t row, const struct view_column *c,
			       struct shown *v)
{
	struct fs_queue_row job;

	fs_queue_row(m->data->eval.queue, row, &job);
	if (!strcmp(c->name, "#")) {
		v->number = job.partition_position ? job.partition_position : (double)NAN;
	} else if (c->kind == CELL_MOVE && m->data->was) {
		const uint32_t was = m->data->was_in_partition[row];

		v->number = was == MOVE_NEW	       ? (double)INFINITY
			    : was && job.partition_position ? (double)was - job.partition_position
							    : (double)NAN;
	}
}

static void cell_text(const struct model *m, uint32_t row, const struct view_column *c, struct shown *v,
		      char *buf, size_t size)
{
	struct fs_queue_row job;

	if (m->view == VIEW_QUEUE && *m->list[VIEW_QUEUE].filter.partition)
		place_in_partition(m, row, c, v);
	cell_format(c, v, buf, size);
	if (m->view == VIEW_SHARES && c->id == 0) {
		tree_name(m, row, buf, size);
	} else if (is_selected_job_column(m, c)) {
		fs_queue_row(m->data->eval.queue, row, &job);
		job_text(m->data, &job, buf, size);
	}
}

static enum attr cell_attr(const struct view_column *c, const struct shown *v)
{
	if (c->kind != CELL_MOVE || isnan(v->number))
		return ATTR_PLAIN;
	return v->number > 0 ? ATTR_UP : ATTR_DOWN;
}

static void draw_row(const struct model *m, struct grid *g, const struct frame *f, unsigned y,
		     uint32_t row, bool selected)
{
	if (selected) {
		grid_fill(g, 0, y, g->cols, ' ', ATTR_SELECTED);
		grid_text(g, 0, y, 1, ">", ATTR_SELECTED);
	}
	if (m->view == VIEW_QUEUE && model_tagged(m, row))
		grid_text(g, 1, y, 1, "*", selected ? ATTR_SELECTED : ATTR_STRONG);
	for (size_t i = 0; i < f->n; i++) {
		const struct place *p = &f->place[i];
		struct shown v;
		char text[400];
		enum attr attr;

		cell_value(m->view, m->data, row, &p->column, &v);
		if (p->column.kind == CELL_BAR) {
			draw_bar(m, g, f, p, y, row, &v);
			continue;
		}
		cell_text(m, row, &p->column, &v, text, sizeof(text));
		attr = selected ? ATTR_SELECTED : cell_attr(&p->column, &v);
		if (p->column.kind == CELL_TEXT)
			grid_text(g, p->x, y, p->width, text, attr);
		else
			grid_right(g, p->x, y, p->width, text, attr);
	}
}

static const char *why_empty(const struct model *m)
{
	const struct data *d = m->data;

	if (m->view == VIEW_QUEUE && !d->eval.queue)
		return d->eval.queue_error.message;
	if (m->view == VIEW_SHARES && !d->eval.shares)
		return d->eval.shares_error.message;
	if (filter_active(&m->list[m->view].filter))
		return "no row passes the filter; Esc takes it off";
	return m->view == VIEW_QUEUE ? "no job is pending" : "there is nothing here";
}

void view_list(const struct model *m, struct grid *g)
{
	const struct list *l = &m->list[m->view];
	const size_t n = list_count(l);
	struct frame f = { .n = 0 };
	struct layout at;

	model_layout(m, &at);
	f.terms = term_letters(m->data, f.letters, MAX_TERMS);
	place_columns(m, &f);
	draw_headings(m, g, &f);
	for (unsigned i = 0; i < at.list_rows && l->top + i < n; i++) {
		draw_row(m, g, &f, at.list_top + i, list_row(l, l->top + i), l->top + i == l->sel);
		if (l->top + i == l->sel)
			g->cursor_y = at.list_top + i;
	}
	if (!n)
		grid_text(g, MARKS, at.list_top, g->cols - MARKS,
			  l->filtered && l->scanned < l->n ? "looking ..." : why_empty(m),
			  ATTR_PLAIN);
}
