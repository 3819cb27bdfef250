#include "top/model/place.h"

#include <string.h>

/* ---- columns */

static unsigned natural_width(const struct model *m, const struct view_column *c)
{
	enum { WIDE = 120, LONG = 12 };

	if (c->room)
		return c->room(m);
	return c->kind == CELL_TEXT && c->width <= LONG && m->cols >= WIDE ? c->width + 4 : c->width;
}

/* Gives the room that is left to the bar. */
static void widen(const struct model *m, struct places *f, struct place *bar, unsigned end)
{
	enum { MAX_BAR = 48 };
	const unsigned left = m->cols - end, max = bar->column.wide ? left : MAX_BAR - bar->width,
		       more = left < max ? left : max;

	bar->width += more;
	for (struct place *p = bar + 1; p < f->place + f->n; p++)
		p->x += more;
}

void place_columns(const struct model *m, struct places *f)
{
	const struct list *l = &m->list[m->view];
	unsigned x = PLACE_MARKS, skip = m->scroll[m->view];
	struct place *bar = NULL;

	f->n = 0;
	for (size_t i = 0; i < l->columns && f->n < MAX_COLUMNS; i++) {
		struct place *p = &f->place[f->n];

		if (!model_shows(m, i))
			continue;
		if (i >= l->ops->fixed && skip) {
			skip--;
			continue;
		}
		view_column_get(l->ops, m->data, i, &p->column);
		*p = (struct place){ p->column, x, natural_width(m, &p->column), i };
		if (x + p->width > m->cols)
			continue;
		bar = p->column.kind == CELL_BAR ? p : bar;
		x += p->width + 1;
		f->n++;
	}
	if (bar && x - 1 < m->cols)
		widen(m, f, bar, x - 1);
}

size_t place_column_at(const struct model *m, unsigned x)
{
	struct places f;

	place_columns(m, &f);
	for (size_t i = 0; i < f.n; i++)
		if (x >= f.place[i].x && x < f.place[i].x + f.place[i].width)
			return f.place[i].index;
	return SIZE_MAX;
}

/* ---- tabs */

unsigned place_tab(const struct model *m, enum view v)
{
	unsigned x = 0;

	for (int i = 0; i < (int)v; i++)
		x += (unsigned)strlen(m->list[i].ops->tab) + 2;
	return x;
}

enum view place_tab_at(const struct model *m, unsigned x)
{
	int v = 0;

	while (v < VIEWS && x >= place_tab(m, (enum view)(v + 1)))
		v++;
	return (enum view)v;
}

/* ---- the last line */

static const enum action bar_order[] = {
	ACT_HELP, ACT_QUIT, ACT_EXPLAIN, ACT_SEARCH,  ACT_FILTER,
	ACT_USER, ACT_TREE, ACT_SORT,    ACT_COMPARE, ACT_ALGORITHM
};

static const struct binding *labelled(enum action a)
{
	size_t i = 0;

	while (bindings[i].action != a || !bindings[i].label)
		i++;
	return &bindings[i];
}

bool place_key(unsigned cols, size_t i, struct key_place *out)
{
	unsigned x = 0;

	if (i >= sizeof(bar_order) / sizeof(*bar_order))
		return false;
	for (size_t k = 0; k <= i; k++) {
		const struct binding *b = labelled(bar_order[k]);

		*out = (struct key_place){ b, x, (unsigned)(strlen(b->bar) + 1 + strlen(b->label)) };
		x += out->width + 1;
	}
	return out->x + out->width <= cols;
}

/* A message hides the keys of the last line. */
enum action place_action_at(const struct model *m, unsigned x)
{
	struct key_place key;

	if (*m->message || *m->trouble)
		return ACT_NONE;
	for (size_t i = 0; place_key(m->cols, i, &key); i++)
		if (x >= key.x && x < key.x + key.width)
			return key.binding->action;
	return ACT_NONE;
}

/* ---- menus */

size_t place_menu_entries(const struct model *m)
{
	return m->list[m->view].columns + (m->menu_kind == MENU_SORT ? 1 : THEMES);
}

size_t place_menu_top(const struct model *m)
{
	const unsigned rows = m->rows - PLACE_MENU - 1;

	return m->menu_sel >= rows ? m->menu_sel - rows + 1 : 0;
}
