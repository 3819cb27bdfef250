/* What events do to the model. */
#include "top/model/place.h"
#include "top/update/update.h"

#include <limits.h>
#include <string.h>

/* ---- keys */

static unsigned text_key(struct model *m, int key)
{
	const enum action a = action_of(key);
	size_t at = m->text_top;

	if (update_moved(m, a, m->text.n + 1, &at)) {
		m->text_top = at;
		return 0;
	}
	switch (a) {
	case ACT_WRITE:
		if (m->text_kind != TEXT_HELP)
			prompt_open(m, PROMPT_WRITE);
		return 0;
	case ACT_REDRAW:
		return REACT_REDRAW;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_EXPLAIN:
	case ACT_FORECAST:
	case ACT_HELP:
	case ACT_COMPARE:
		m->mode = m->over_menu ? MODE_MENU : MODE_LIST;
		m->over_menu = false;
		return 0;
	default:
		return 0;
	}
}

static unsigned key_event(struct model *m, int key)
{
	*m->message = '\0';
	if (key == CONTROL('c'))
		return REACT_QUIT;
	switch (m->mode) {
	case MODE_PROMPT:
		return prompt_key(m, key);
	case MODE_MENU:
		return menu_key(m, key);
	case MODE_TEXT:
		return text_key(m, key);
	default:
		return list_key(m, key);
	}
}

static unsigned click_heading(struct model *m, unsigned x)
{
	const size_t column = place_column_at(m, x);

	if (column == SIZE_MAX)
		return 0;
	if (column == update_list(m)->sort)
		return key_event(m, 'I');
	update_sort(m, column);
	return 0;
}

static unsigned click_list(struct model *m, const struct event *e)
{
	struct list *l = update_list(m);
	struct layout at;

	model_layout(m, &at);
	if (e->y == PLACE_TABS) {
		const enum view v = place_tab_at(m, e->x);

		update_show(m, v < VIEWS ? v : m->view);
	} else if (e->y == PLACE_HEADINGS) {
		return click_heading(m, e->x);
	} else if (e->y + 1 == m->rows) {
		const int key = key_for(place_action_at(m, e->x));

		return key ? key_event(m, key) : 0;
	} else if (e->y >= at.list_top && e->y < at.list_top + at.list_rows &&
		   l->top + (e->y - at.list_top) < list_count(l)) {
		l->sel = l->top + (e->y - at.list_top);
	}
	return 0;
}

/* A click on an entry of a menu chooses it; a click elsewhere closes the menu. */
static unsigned click_menu(struct model *m, const struct event *e)
{
	const size_t at = place_menu_top(m) + e->y - PLACE_MENU;

	if (e->x >= PLACE_MENU_WIDTH)
		return key_event(m, CODE_ESC);
	if (e->y < PLACE_MENU || e->y + 1 >= m->rows || at >= place_menu_entries(m))
		return 0;
	m->menu_sel = at;
	return key_event(m, ' ');
}

static unsigned mouse(struct model *m, const struct event *e)
{
	if (m->mode == MODE_PROMPT)
		return 0;
	if (e->key != CODE_ENTER)
		return key_event(m, e->key);
	if (m->cols < MIN_COLS || m->rows < MIN_ROWS)
		return 0;
	switch (m->mode) {
	case MODE_LIST:
		return click_list(m, e);
	case MODE_MENU:
		return click_menu(m, e);
	default: /* the last line of a text says how to go back */
		return e->y + 1 == m->rows ? key_event(m, CODE_ESC) : 0;
	}
}

/* ---- events that are no keys */

static void take_data(struct model *m, struct data *data)
{
	m->loading = false;
	*m->trouble = '\0';
	what_if_done(m);
	if (model_adopt(m, data))
		model_starve(m);
	if (m->mode == MODE_MENU)
		m->mode = MODE_LIST;
	m->over_menu = false;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text_kind);
}

static void take_chart(struct model *m, struct chart *chart)
{
	m->loading = false;
	m->data->chart = chart;
	if (!chart)
		model_starve(m);
	m->pane_width = 0; /* to be made again */
	update_refresh(m, &m->list[VIEW_TIMELINE], false);
	update_show(m, m->view);
}

static void resize(struct model *m, unsigned cols, unsigned rows)
{
	m->cols = cols;
	m->rows = rows;
	if (m->mode == MODE_TEXT)
		model_open_text(m, m->text_kind);
}

unsigned model_update(struct model *m, const struct event *e)
{
	struct words_request words;
	unsigned reaction = 0;

	switch (e->kind) {
	case EV_KEY:
		reaction = key_event(m, e->key);
		break;
	case EV_MOUSE:
		reaction = mouse(m, e);
		break;
	case EV_RESIZE:
		resize(m, e->x, e->y);
		break;
	case EV_CLOCK:
		m->now = e->time;
		break;
	case EV_LOADING:
		m->loading = true;
		break;
	case EV_DATA:
		take_data(m, e->data);
		break;
	case EV_PLANNED:
		take_chart(m, e->chart);
		break;
	case EV_FAILED:
		m->loading = false;
		if (what_if_failed(m, e->text))
			break;
		snprintf(m->trouble, sizeof(m->trouble), "%s", e->text);
		break;
	case EV_WORDS:
		model_take_words(m, e->request, e->words);
		break;
	case EV_SAID:
	case EV_WARNED:
		model_say(m, e->kind == EV_WARNED, "%s", e->text);
		break;
	}
	model_refresh(m);
	if (update_list(m)->ops->planned && !m->data->chart)
		reaction |= REACT_PLAN;
	return model_words_wanted(m, &words) ? reaction | REACT_WORDS : reaction;
}

/* ---- work in slices */

enum { SEARCH_SLICE = 4096 };

static bool search_work(struct model *m)
{
	struct list *l = update_list(m);
	const size_t n = list_count(l);
	struct search *s = &m->search;

	for (unsigned i = 0; i < SEARCH_SLICE && s->left; i++, s->left--) {
		s->at = s->at < n ? s->at : 0;
		if (s->at < n && l->ops->contains(m->data, list_row(l, s->at), s->text)) {
			l->sel = s->at;
			s->left = 0;
			return false;
		}
		s->at = s->backwards ? (s->at ? s->at : n) - 1 : s->at + 1;
	}
	s->missed = !s->left;
	if (!s->left)
		model_say(m, true, "no row contains %s", s->text);
	return s->left != 0;
}

bool model_work(struct model *m)
{
	bool more = list_work(update_list(m), m->data);

	if (update_list(m)->failed)
		model_starve(m);
	update_list(m)->failed = false;
	if (m->search.left)
		more = search_work(m) || more;
	model_refresh(m);
	return more;
}
