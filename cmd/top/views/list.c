/* Draws the list of a view: headings, rows and the bars in them. */
#include "top/list/columns.h"
#include "top/model/place.h"
#include "top/views/view.h"

#include <math.h>

enum { MARKS = PLACE_MARKS };

struct frame {
	struct places places;
	char letters[MAX_TERMS];
	size_t terms;
};

static void draw_headings(const struct model *m, struct grid *g, const struct frame *f)
{
	const struct list *l = &m->list[m->view];

	grid_fill(g, 0, 2, g->cols, ' ', ATTR_HEADING);
	for (size_t i = 0; i < f->places.n; i++) {
		const struct place *p = &f->places.place[i];
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
		if (p->column.kind == CELL_BAR && l->ops->heading)
			l->ops->heading(m, g, &(struct bar){ p->x, 2, p->width, NULL, 0 });
	}
}

/* ---- rows */

static enum attr cell_attr(const struct view_column *c, const struct value *v)
{
	const double moved = value_number(v);

	if (c->kind != CELL_MOVE || isnan(moved))
		return ATTR_PLAIN;
	return moved > 0 ? ATTR_UP : ATTR_DOWN;
}

static void draw_cell(const struct model *m, struct grid *g, const struct frame *f, const struct place *p, unsigned y,
		      uint32_t row, bool selected)
{
	const struct view_ops *ops = m->list[m->view].ops;
	const struct bar bar = { p->x, y, p->width, f->letters, f->terms };
	struct value v;
	char text[400];
	enum attr attr;

	if (p->column.kind == CELL_BAR) {
		ops->bar(m, g, &bar, row);
		if (selected && !p->column.wide)
			grid_paint(g, p->x, y, p->width, ATTR_SELECTED);
		return;
	}
	ops->value(m->data, row, &p->column, &v);
	if (ops->shown)
		ops->shown(m, row, &p->column, &v);
	if (p->column.text)
		p->column.text(m, row, text, sizeof(text));
	else
		cell_format(&p->column, &v, text, sizeof(text));
	attr = selected ? ATTR_SELECTED : cell_attr(&p->column, &v);
	if (p->column.kind == CELL_TEXT)
		grid_text(g, p->x, y, p->width, text, attr);
	else
		grid_right(g, p->x, y, p->width, text, attr);
}

static void draw_row(const struct model *m, struct grid *g, const struct frame *f, unsigned y, uint32_t row,
		     bool selected)
{
	if (selected) {
		grid_fill(g, 0, y, g->cols, ' ', ATTR_SELECTED);
		grid_text(g, 0, y, 1, ">", ATTR_SELECTED);
	}
	if (m->list[m->view].ops->jobs && model_tagged(m, row))
		grid_text(g, 1, y, 1, "*", selected ? ATTR_SELECTED : ATTR_STRONG);
	for (size_t i = 0; i < f->places.n; i++)
		draw_cell(m, g, f, &f->places.place[i], y, row, selected);
}

static const char *why_empty(const struct model *m)
{
	const struct list *l = &m->list[m->view];
	const char *trouble = l->ops->trouble(m->data);

	if (trouble)
		return trouble;
	return filter_active(&l->filter) ? "no row passes the filter; Esc takes it off" : l->ops->none;
}

void view_list(const struct model *m, struct grid *g)
{
	const struct list *l = &m->list[m->view];
	const size_t n = list_count(l);
	struct frame f;
	struct layout at;

	model_layout(m, &at);
	f.terms = term_letters(m->data, f.letters, MAX_TERMS);
	place_columns(m, &f.places);
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
