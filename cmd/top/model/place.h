/* Where columns, tabs, entries of menus and the keys of the last line stand: for drawing them, and for telling what was
 * clicked on. */
#ifndef TOP_MODEL_PLACE_H
#define TOP_MODEL_PLACE_H

#include "top/list/columns.h"
#include "top/model/model.h"
#include "top/update/keys.h"

enum { PLACE_MARKS = 2, PLACE_TABS = 1, PLACE_HEADINGS = 2, PLACE_MENU = 3 }; /* a column, and rows of the screen */
enum { PLACE_MENU_WIDTH = 30, MIN_COLS = 20, MIN_ROWS = 5 };

struct place {
	struct view_column column;
	unsigned x, width;
	size_t index;
};

struct places {
	struct place place[MAX_COLUMNS];
	size_t n;
};

/* Of the view shown, those from left to right that fit. */
void place_columns(const struct model *m, struct places *out);

/* Column in which the tab of a view begins; VIEWS: that behind the last. */
unsigned place_tab(const struct model *m, enum view v);

/* The i-th key of the last line; false if there is none, or no room for it. */
struct key_place {
	const struct binding *binding;
	unsigned x, width;
};
bool place_key(unsigned cols, size_t i, struct key_place *out);

/* How many entries the menu has, and the first that is on the screen. */
size_t place_menu_entries(const struct model *m);
size_t place_menu_top(const struct model *m);

/* What stands there; VIEWS, SIZE_MAX and ACT_NONE: nothing. */
enum view place_tab_at(const struct model *m, unsigned x);
size_t place_column_at(const struct model *m, unsigned x);
enum action place_action_at(const struct model *m, unsigned x);

#endif
