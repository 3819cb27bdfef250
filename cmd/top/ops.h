/* Key numbers, the actions of keys, and the operations of a view. */
#ifndef TOP_OPS_H
#define TOP_OPS_H

#include "top/data.h"
#include "top/screen.h"

#include <stddef.h>

/* Keys as numbers, and what they do: one table for the update, the help and the function bar. */

/* Codes above those of characters. */
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
	const char *shown; /* keys as people write them; NULL: not listed by itself */
	const char *help;
	const char *label; /* in the function bar, behind `bar`; NULL: not there */
	const char *bar;
};

extern const struct binding bindings[];
extern const size_t bindings_count;

enum action action_of(int key);
int key_for(enum action a); /* the first that does it, 0 none */

/* "Down", "F6", "Space", "ctrl-l", or one character; 0 if it is no key. */
int key_named(const char *name);

/* A view: one file with its columns and with what is its own in drawing, choosing and explaining rows. All else asks
 * these operations and knows of no view by name. */

enum view { VIEW_QUEUE, VIEW_SHARES, VIEW_PARTITIONS, VIEW_TIMELINE, VIEWS };

struct explain_view;
struct list;
struct model;
struct page;
struct value;
struct view_column;
struct words_request;

/* A bar to draw. */
struct bar {
	unsigned x, y, width;
	const char *letters; /* of the priority's terms */
	size_t terms;
};

struct view_ops {
	const char *name, *tab;
	const struct view_column *column;
	size_t columns;
	bool terms;	  /* it has columns of the priority's terms too */
	unsigned fixed;	  /* columns that stay when the others scroll */
	bool jobs;	  /* its rows are jobs: they can be tagged, and are sorted and filtered in slices */
	bool forecasts;	  /* of its rows there may be one */
	bool planned;	  /* its rows are of data->chart, which must be made for it */
	const char *none; /* when there is no row, whatever the filter */

	/* Why there can be none; NULL: nothing stands against it. */
	const char *(*trouble)(const struct data *d);
	void (*value)(const struct data *d, uint32_t row, const struct view_column *c, struct value *out);
	/* Changes a value to what is shown with the filter there is; NULL: nothing. */
	void (*shown)(const struct model *m, uint32_t row, const struct view_column *c, struct value *v);
	void (*bar)(const struct model *m, struct grid *g, const struct bar *b, uint32_t row);
	/* Above the bars in place of the column's name; NULL: the name. */
	void (*heading)(const struct model *m, struct grid *g, const struct bar *b);

	/* Does the row contain the text, and does it pass the list's filter? NULL: if it contains the filter's text. */
	bool (*contains)(const struct data *d, uint32_t row, const char *text);
	bool (*passes)(const struct list *l, const struct data *d, uint32_t row);
	/* The rows into the list, in its order; -1 without memory. NULL: the first `count` that pass. */
	int (*order)(struct list *l, const struct data *d, bool narrower);
	uint32_t (*count)(const struct data *d);
	/* The row of old in new data, or FS_NO_ROW (NULL: none is); and what a list keeps by row, carried over (NULL:
	 * nothing). */
	uint32_t (*find)(const struct data *d, const struct data *old, uint32_t row);
	int (*carry)(struct list *l, const struct data *old, const struct data *d);

	void (*pane)(struct lines *l, const struct data *d, uint32_t row, unsigned width);
	void (*subject)(const struct data *d, uint32_t row, char *buf, size_t size);
	/* What fs-explain says of a row; NULL: nothing. -1 without memory. */
	int (*page)(struct page *p, struct explain_view *v, const struct data *d, const struct words_request *q);
	/* What the action does in this view alone; false: what it does in every one. */
	bool (*act)(struct model *m, enum action a);
};

extern const struct view_ops view_queue;

#endif
