/* Key codes, actions of keys, and the operations of a view. */
#ifndef TOP_OPS_H
#define TOP_OPS_H

#include "top/data.h"
#include "top/screen.h"

#include <stddef.h>

/* ---- keys and their actions: one table for model_update_on_event, the help and the line of key hints */

/* Codes of special keys. They are greater than all Unicode characters. */
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
	const char *help_keys; /* keys as the help shows them; NULL: the help has no line for this binding */
	const char *help;
	const char *hint_text; /* text of the key hint in the last line, after the key name `hint_key`; NULL: no key hint */
	const char *hint_key;
};

extern const struct binding bindings[];
extern const size_t bindings_count;

enum action key_to_bound_action(int key);
int action_to_first_key(enum action a); /* returns the first key bound to the action; 0: none */

/* Returns the code of a key name: "Down", "F6", "Space", "ctrl-l", or one character; 0 if there is no such key. */
int key_find_by_name(const char *name);

/* A view has columns, and functions that draw, select and explain its rows. All other code uses a view only through
 * these operations. */

enum view { VIEW_QUEUE, VIEW_SHARES, VIEW_PARTITIONS, VIEW_TIMELINE, VIEW_RUNNING, VIEWS };

struct explain_view;
struct list;
struct model;
struct page;
struct value;
struct view_column;
struct explanation_request;

/* A bar in a cell of a list, which a view draws on the grid. */
struct bar {
	unsigned x, y, width;
	const char *letters; /* letters[i] draws priority term i */
	size_t terms;
};

struct view_ops {
	const char *name, *tab;
	const struct view_column *column;
	size_t columns;
	/* after the columns in its table, the view has a column for each priority term */
	bool has_term_columns;
	unsigned fixed_columns;	  /* number of columns at the left that do not scroll */
	/* the rows are jobs. The user can tag them. Sorting and filtering are divided into steps of some
	 * milliseconds. */
	bool has_jobs;
	bool has_forecasts;	  /* fs-explain can make a forecast for a row */
	/* The view shows planned starts (data->chart). `needs_chart`: the chart is computed when the view is shown.
	 * `uses_chart`: the chart is computed only if chart_is_planned_at_once returns true. */
	bool needs_chart, uses_chart;
	const char *empty_text; /* text shown if the unfiltered view has no rows */

	/* Returns a text that explains why the view cannot have rows; NULL if the view can have rows. */
	const char *(*get_problem)(const struct data *d);
	void (*value)(const struct data *d, uint32_t row, const struct view_column *c, struct value *out);
	/* Changes a cell value that depends on the list's filter; NULL: no value depends on the filter. */
	void (*adapt_value)(const struct model *m, uint32_t row, const struct view_column *c, struct value *v);
	void (*draw_bar)(const struct model *m, struct grid *g, const struct bar *b, uint32_t row);
	/* Draws the heading of the bar column; NULL: the column's name is drawn. */
	void (*draw_bar_heading)(const struct model *m, struct grid *g, const struct bar *b);

	/* `contains` returns true if the row contains the text. `passes` returns true if the row passes the list's
	 * filter. If `passes` is NULL, a row passes if and only if it contains the filter text. */
	bool (*contains)(const struct data *d, uint32_t row, const char *text);
	bool (*passes)(const struct list *l, const struct data *d, uint32_t row);
	/* Fills the list with the rows of the view in order. Returns -1 if out of memory. NULL: the list gets the rows
	 * from 0 to count_rows() - 1 that pass the filter. */
	int (*order_rows)(struct list *l, const struct data *d, bool narrower);
	uint32_t (*count_rows)(const struct data *d);
	/* `find_row_again` returns the row of the new data that corresponds to a row of the old data, or FS_NO_ROW;
	 * NULL: rows cannot be found again. `carry_row_state` transfers the per-row state of the list to the new data;
	 * NULL: the list has no such state. */
	uint32_t (*find_row_again)(const struct data *d, const struct data *old, uint32_t row);
	int (*carry_row_state)(struct list *l, const struct data *old, const struct data *d);

	/* Returns the job row of a row; NULL: the rows are not jobs. */
	uint32_t (*get_job_row)(const struct data *d, uint32_t row);
	/* Appends numbers that the pane shows after or beside the summary of the row; NULL: there are none. */
	void (*append_pane)(struct lines *l, const struct data *d, uint32_t row, unsigned width);
	/* Formats the name of a row; NULL: the rows are jobs, so the name is the job id and the user. */
	void (*format_subject)(const struct data *d, uint32_t row, char *buf, size_t size);
	/* Writes the explanation of a row or, if q->summary is set, the summary for the pane, to the page. Returns -1
	 * if out of memory. NULL: fs-explain cannot explain the rows. */
	int (*write_page)(struct page *p, struct explain_view *v, const struct data *d,
			  const struct explanation_request *q);
	/* Runs an action of this view. Returns false if the view has no action of its own; the common action is then
	 * run. */
	bool (*run_action)(struct model *m, enum action a);
};

extern const struct view_ops view_queue;

#endif
