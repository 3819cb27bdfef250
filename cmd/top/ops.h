/* Key codes, the actions of keys, and the operations of a view. */
#ifndef TOP_OPS_H
#define TOP_OPS_H

#include "top/data.h"
#include "top/screen.h"

#include <stddef.h>

/* ---- keys and their actions: one table for model_update_on_event, the help and the bar of keys */

/* Codes above those of Unicode characters. */
#define SPECIAL_KEYS(X)                                                                            \
	X(UP, "Up") X(DOWN, "Down") X(LEFT, "Left") X(RIGHT, "Right") X(PAGE_UP, "PgUp")           \
	X(PAGE_DOWN, "PgDn") X(HOME, "Home") X(END_KEY, "End") X(TAB, "Tab") X(BACKTAB, "BackTab")     \
	X(ENTER, "Enter") X(ESC, "Esc") X(BACKSPACE, "Backspace") X(F1, "F1") X(F2, "F2")          \
	X(F3, "F3") X(F4, "F4") X(F5, "F5") X(F6, "F6") X(F10, "F10")
#define SPECIAL_KEY_ENUM(tag, name) CODE_##tag,
enum { CODE_FIRST = 0x110000 - 1, SPECIAL_KEYS(SPECIAL_KEY_ENUM) CODE_END };
#undef SPECIAL_KEY_ENUM

#define CONTROL(letter) ((letter) & 0x1f)

enum action {
	ACT_NONE, ACT_UP, ACT_DOWN, ACT_LEFT, ACT_RIGHT, ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_HOME, ACT_END,
	ACT_VIEW, ACT_VIEW_BACK, ACT_SEARCH, ACT_NEXT, ACT_PREVIOUS, ACT_FILTER, ACT_USER, ACT_ACCOUNT,
	ACT_PARTITION, ACT_PARTITION_BACK, ACT_PARTITION_ON, ACT_SORT, ACT_SORT_LEFT, ACT_SORT_RIGHT, ACT_INVERT,
	ACT_TREE, ACT_OPEN, ACT_CLOSE, ACT_TAG, ACT_COMPARE, ACT_EXPLAIN, ACT_FORECAST, ACT_COLUMNS, ACT_ALGORITHM,
	ACT_WRITE,
	ACT_FOLLOW, ACT_IF, ACT_UNDO, ACT_RELOAD, ACT_REDRAW, ACT_HELP, ACT_BACK, ACT_QUIT, ACTIONS
};

struct binding {
	enum action action;
	int key[5];
	const char *shown; /* keys as shown in the help; NULL: not listed in a line of its own */
	const char *help;
	const char *label; /* text in the bar of keys, after the key name `bar`; NULL: not in the bar */
	const char *bar;
};

extern const struct binding bindings[];
extern const size_t bindings_count;

enum action key_to_bound_action(int key);
int action_to_first_key(enum action a); /* returns the first key of the action; 0: none */

/* Returns the code of a key name: "Down", "F6", "Space", "ctrl-l", or one character; 0 if there is no such key. */
int key_find_by_name(const char *name);

/* ---- views: each has columns and functions to draw, select and explain its rows. All other code only calls these
 * operations. */

enum view { VIEW_QUEUE, VIEW_SHARES, VIEW_PARTITIONS, VIEW_TIMELINE, VIEWS };

struct explain_view;
struct list;
struct model;
struct page;
struct value;
struct view_column;
struct explanation_request;

/* A bar to draw. */
struct bar {
	unsigned x, y, width;
	const char *letters; /* letters of the priority terms */
	size_t terms;
};

struct view_ops {
	const char *name, *tab;
	const struct view_column *column;
	size_t columns;
	bool terms;	  /* has columns for the priority terms too */
	unsigned fixed;	  /* number of columns that do not scroll */
	bool jobs;	  /* rows are jobs: they can be tagged, and are sorted and filtered in slices */
	bool forecasts;	  /* rows can have a forecast */
	bool planned;	  /* needs data->chart */
	const char *none; /* text shown if the view has no rows without a filter */

	/* Returns why the view cannot have rows; NULL if it can. */
	const char *(*trouble)(const struct data *d);
	void (*value)(const struct data *d, uint32_t row, const struct view_column *c, struct value *out);
	/* Changes a value if it depends on the current filter; NULL: no value does. */
	void (*shown)(const struct model *m, uint32_t row, const struct view_column *c, struct value *v);
	void (*bar)(const struct model *m, struct grid *g, const struct bar *b, uint32_t row);
	/* Draws the heading of the bar column; NULL: its name is drawn. */
	void (*heading)(const struct model *m, struct grid *g, const struct bar *b);

	/* Return true if the row contains the text, and if it passes the list's filter. passes NULL: the row passes if
	 * it contains the filter text. */
	bool (*contains)(const struct data *d, uint32_t row, const char *text);
	bool (*passes)(const struct list *l, const struct data *d, uint32_t row);
	/* Fills the list with its rows in order. Returns -1 if out of memory. NULL: rows 0 to count - 1 that pass the
	 * filter. */
	int (*order)(struct list *l, const struct data *d, bool narrower);
	uint32_t (*count)(const struct data *d);
	/* find returns the row of old data in new data, or FS_NO_ROW; NULL: rows cannot be found again. carry transfers
	 * per-row state of the list to new data; NULL: there is none. */
	uint32_t (*find)(const struct data *d, const struct data *old, uint32_t row);
	int (*carry)(struct list *l, const struct data *old, const struct data *d);

	void (*pane)(struct lines *l, const struct data *d, uint32_t row, unsigned width);
	void (*subject)(const struct data *d, uint32_t row, char *buf, size_t size);
	/* Writes the explanation of a row. Returns -1 if out of memory. NULL: there is none. */
	int (*page)(struct page *p, struct explain_view *v, const struct data *d, const struct explanation_request *q);
	/* Runs an action that is special to this view. Returns false if the common action applies. */
	bool (*act)(struct model *m, enum action a);
};

extern const struct view_ops view_queue;

#endif
