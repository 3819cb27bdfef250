/* Menus of columns. */
#include "top/model/place.h"
#include "top/update/update.h"

void menu_open(struct model *m, enum menu_kind kind)
{
	m->mode = MODE_MENU;
	m->menu_kind = kind;
	m->menu_sel = kind == MENU_SORT && update_list(m)->sort != SIZE_MAX
			      ? update_list(m)->sort + 1
			      : 0;
	m->menu_top = 0;
}

static void choose(struct model *m)
{
	if (m->menu_kind == MENU_SORT) {
		m->mode = MODE_LIST;
		update_sort(m, m->menu_sel ? m->menu_sel - 1 : SIZE_MAX);
	} else if (m->menu_sel >= update_list(m)->columns) {
		model_use_theme(m, (enum theme)(m->menu_sel - update_list(m)->columns));
	} else if (m->menu_sel < MAX_COLUMNS) {
		m->chosen[m->view][m->menu_sel] = model_shows(m, m->menu_sel) ? -1 : 1;
	}
}

unsigned menu_key(struct model *m, int key)
{
	const size_t n = place_menu_entries(m);
	const enum action a = action_of(key);

	if (update_moved(m, a, n, &m->menu_sel))
		return 0;
	switch (a) {
	case ACT_TAG:
		choose(m);
		break;
	case ACT_EXPLAIN:
		if (m->menu_kind == MENU_SORT)
			choose(m);
		m->mode = MODE_LIST;
		break;
	case ACT_HELP:
		m->over_menu = true;
		model_open_text(m, TEXT_HELP);
		break;
	case ACT_BACK:
	case ACT_QUIT:
	case ACT_COLUMNS:
	case ACT_SORT:
		m->mode = MODE_LIST;
		break;
	default:
		break;
	}
	return 0;
}
