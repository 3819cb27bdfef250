/* Lists of rows in fs-top: columns, sorting, filtering, selection, and the tree of accounts. Functions that return int
 * return -1 if out of memory. */
#ifndef TOP_LIST_H
#define TOP_LIST_H

#include "columns/column.h"
#include "top/data.h"
#include "top/screen.h"
#include "top/ops.h"

/* ---- columns of a view: order, width and when they are shown. Their values and help texts are in the column table of
 * the row type, unless only a screen has them. */

enum cell_kind {
	CELL_TEXT,
	CELL_WHOLE,    /* number */
	CELL_FRACTION, /* number with decimals */
	CELL_SECONDS,
	CELL_BAR,      /* uses the remaining width; its numeric value is only used for sorting */
	CELL_MOVE      /* positions gained, negative: lost */
};

/* Offset of a member of struct nouns, for view_column.noun. */
#define NOUN(member) offsetof(struct nouns, member)

struct model;

struct view_column {
	const char *name;	 /* NULL: the name in the table */
	size_t noun;		 /* offset of the name in struct nouns if it depends on the scheduler; 0: it does not */
	enum cell_kind kind;
	unsigned width;
	unsigned from_cols;	 /* smallest screen width at which the column is shown by default; UINT_MAX: only on
				  * request */
	const struct column *of; /* column of the table; NULL: a column of the view alone, with `get` and `help` */
	const char *help;	 /* NULL: the help text in the table */
	void (*get)(const struct data *d, uint32_t row, struct value *out); /* computes the value; NULL: the table does
									     */
	bool hides_beside_ranges; /* hidden on narrow screens to make room, if the bar shows ranges (flux_range) */
	/* Formats the cell, and computes the width of the column; NULL: from the value, and `width`. */
	void (*text)(const struct model *m, uint32_t row, char *buf, size_t size);
	unsigned (*format_width)(const struct model *m);
	unsigned mixed_from; /* replaces from_cols if jobs of several partitions are listed together; 0: no replacement
			      */
	bool wide; /* the bar has no maximum width */
	size_t term; /* 1 + index of the priority term whose points the column shows; 0: none */
};

struct view_ops;

/* view_count_columns returns the number of columns of a view; columns of priority terms follow its own. view_column_get
 * sets *out to column i. */
size_t view_count_columns(const struct view_ops *ops, const struct data *d);
void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out);

/* Returns the screen width from which the column is shown by default: from_cols, or more if the bar shows ranges. */
unsigned view_column_min_width(const struct data *d, const struct view_column *c);

/* Formats a value for a cell. */
void cell_format_value(const struct view_column *c, const struct value *v, char *buf, size_t size);

/* Formats a duration: "45s", "12m", "3h05", "6d20h". */
void format_short_duration(double seconds, char *buf, size_t size);

/* Sets letters[i] to the letter that draws priority term i in bars. Terms of one kind (tres/cpu, tres/mem) share a
 * letter. Returns the number of terms, at most max. */
enum { MAX_TERMS = 64 };
size_t term_assign_letters(const struct data *d, char *letters, size_t max);

/* Returns the colour of a priority term. A factor has the same colour under every scheduler. */
enum attr term_choose_attr(const struct fs_prio_term *t);

/* ---- the rows of a view: which ones are shown, in which order, and which one is selected. The jobs of the queue may
 * be a million: they are filtered and sorted in slices (list_continue_work) and sorted only once per column. Moving the
 * selection only touches the rows on the screen. */

enum { FILTER_SIZE = 256 };

struct filter {
	char text[FILTER_SIZE]; /* shows rows that contain this text; "": all rows */
	char user[FILTER_SIZE], account[FILTER_SIZE], partition[FILTER_SIZE]; /* shows only queue rows of this user,
									       * account or partition; "": all */
};

struct list {
	const struct view_ops *ops;
	const uint32_t *order; /* all rows in order; owned by the data, by `sorted` or by `own_order` */
	size_t n, without_value;
	uint32_t *own_order; /* order of a view with few rows, which is computed as a whole */
	struct sorted_rows *sorted;
	size_t columns, sort; /* sort: column to sort by; SIZE_MAX: the view's own order */
	struct sorter *sorter; /* sorts by the column `sorting`; NULL: no sort is running */
	size_t sorting;
	bool failed;	      /* list_continue_work ran out of memory: the requested rows are not shown */
	bool inverted, flat;  /* flat: users in a list instead of the tree */
	bool *closed;	      /* by share row: its children are hidden */

	struct filter filter;
	bool filtered;
	uint32_t *passing; /* rows that pass the filter, among the first `scanned` of `order` */
	size_t npassing, scanned;

	size_t sel, top;
	uint32_t row_to_select; /* row to select when filtering reaches it; FS_NO_ROW: none */
};

/* Adapts the list to new data. Sort column, filter and tree state are preserved. */
int list_adopt_data(struct list *l, const struct data *d);
void list_free_rows(struct list *l);

/* Sorts and filters the rows again and preserves the selected row. narrower: the filter has only become stricter. */
int list_refresh_rows(struct list *l, const struct data *d, bool narrower);

/* Reverses the order. */
int list_invert_order(struct list *l, const struct data *d);

/* Continues sorting and filtering for some milliseconds. Returns true if there is more to do. */
bool list_continue_work(struct list *l, const struct data *d);

/* Returns true while the rows are shown in their old order because a sort is running. */
bool list_is_being_sorted(const struct list *l);

size_t list_count_rows(const struct list *l);
uint32_t list_get_row_at(const struct list *l, size_t k);
uint32_t list_get_selected_row(const struct list *l); /* returns the selected row, or FS_NO_ROW */

/* Selects the row if it is in the list, or as soon as filtering reaches it. */
void list_select_row(struct list *l, uint32_t row);

bool filter_is_active(const struct filter *f);

/* ---- sorting in steps, because sorting a million rows would delay the next key */

struct sorter;

/* Sorts the rows at once into *out, which the caller frees. */
int sort_rows_by_column(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
			struct sorted_rows *out);

/* ---- shared by the parts of the list */

struct data;
struct list;

/* Returns true if the text contains the word, ignoring the case of ASCII letters. */
bool text_contains_word(const char *text, const char *word);

/* Sorts and filters a list of jobs, whose rows are those of the data. */
int list_order_job_rows(struct list *l, const struct data *d, bool narrower);

/* Implement order, find and carry of struct view_ops for the tree of accounts. */
int tree_order_rows(struct list *l, const struct data *d, bool narrower);
uint32_t tree_find_share(const struct data *d, const struct fs_share_row *old, size_t guess);
int tree_carry_closed_rows(struct list *l, const struct data *old, const struct data *d);

#endif
