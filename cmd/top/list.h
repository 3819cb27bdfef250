/* Lists of rows in fs-top: columns, sorting, filtering, selection, and the tree of accounts. Functions of type int
 * return 0, or -1 if out of memory. */
#ifndef TOP_LIST_H
#define TOP_LIST_H

#include "columns/column.h"
#include "top/data.h"
#include "top/screen.h"
#include "top/ops.h"

/* ---- columns of a view: order, width and when they are shown. Values and help texts come from the column table of the
 * row type, except for columns that only fs-top has. */

enum cell_kind {
	CELL_TEXT,
	CELL_WHOLE,    /* number, shown without decimals */
	CELL_FRACTION, /* number, shown with decimals */
	CELL_SECONDS,
	CELL_BAR,      /* bar that fills the rest of the line; the value of the column is used only for sorting */
	CELL_MOVE      /* number of queue positions that the job gained; negative: lost */
};

/* Offset of a member of struct vocabulary, for view_column.heading_offset. */
#define HEADING_OFFSET(member) offsetof(struct vocabulary, member)

struct model;

struct view_column {
	const char *name;	 /* heading; NULL: the name in `table_column` */
	/* value of HEADING_OFFSET() if the heading depends on the scheduler; 0: `name` is the heading */
	size_t heading_offset;
	enum cell_kind kind;
	unsigned width;
	/* smallest screen width, in columns of text, at which this column is shown by default; UINT_MAX: shown only on
	 * request */
	unsigned from_cols;
	/* column in the column table of the row type; NULL: only fs-top has this column */
	const struct column *table_column;
	const char *help;	 /* help text; NULL: `table_column` has the help text */
	/* computes the value; NULL: `table_column` computes the value */
	void (*get_value)(const struct data *d, uint32_t row, struct value *out);
	/* if the algorithm is flux_range, the column is by default hidden on narrow screens, because the bars need more
	 * width */
	bool hides_beside_ranges;
	/* format_cell formats the cell; NULL: the cell is formatted from the value. format_width returns the width of
	 * the column; NULL: the width is `width`. */
	void (*format_cell)(const struct model *m, uint32_t row, char *buf, size_t size);
	unsigned (*format_width)(const struct model *m);
	/* smallest screen width at which the column is shown by default while the list shows jobs of several
	 * partitions; 0: `from_cols` applies to jobs of several partitions too */
	unsigned mixed_from_cols;
	bool has_unlimited_width; /* the bar has no maximum width */
	size_t term; /* 1 + index of the priority term whose points the column shows; 0: none */
};

struct view_ops;

/* view_count_columns returns the number of columns of a view: the columns in its table and, if
 * view_ops.has_term_columns is set, one for each priority term. view_column_get sets *out to column i. */
size_t view_count_columns(const struct view_ops *ops, const struct data *d);
void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out);

/* Returns the smallest screen width at which the column is shown by default: c->from_cols. If the algorithm is
 * flux_range and c->hides_beside_ranges is set, returns a fixed greater width. */
unsigned view_column_min_width(const struct data *d, const struct view_column *c);

/* Formats a value as the text of a cell. */
void cell_format_value(const struct view_column *c, const struct value *v, char *buf, size_t size);

/* Formats a duration: "45s", "12m", "3h05", "6d20h". */
void format_short_duration(double seconds, char *buf, size_t size);

/* Sets letters[i] to the letter that draws priority term i in bars. Terms with the same prefix (tres/cpu, tres/mem)
 * share a letter. Returns the number of terms, at most `max`. */
enum { MAX_TERMS = 64 };
size_t term_assign_letters(const struct data *d, char *letters, size_t max);

/* Returns the color of a priority term. Terms with the same meaning have the same color under every scheduler. */
enum attr term_choose_attr(const struct fs_prio_term *t);

/* ---- the rows of a view: which rows are shown, in which order, and which row is selected. The queue may have a
 * million jobs. Filtering and sorting are therefore divided into steps of some milliseconds (list_continue_work), and
 * the rows are sorted only once by each column. Moving the selection only touches the rows on the screen. */

enum { FILTER_SIZE = 256 };

struct filter {
	char text[FILTER_SIZE]; /* show only rows that contain this text; "": show all rows */
	/* show only queue rows of this user, account or partition; "": no restriction */
	char user[FILTER_SIZE], account[FILTER_SIZE], partition[FILTER_SIZE];
};

struct list {
	const struct view_ops *ops;
	/* all rows in order; points to an array of struct data, to an array in `sorted`, or to `own_order` */
	const uint32_t *order;
	size_t n, without_value;
	/* rows of a list that is not a list of jobs; computed again when the order, the filter or the data change */
	uint32_t *own_order;
	struct sorted_rows *sorted;
	/* `columns`: number of columns; `sort`: index of the column to sort by, SIZE_MAX for the view's own order */
	size_t columns, sort;
	struct sorter *sorter; /* unfinished sort by column `sorting`; NULL: none */
	size_t sorting;
	bool failed;	      /* list_continue_work ran out of memory, so the requested rows are not shown */
	/* `inverted`: the rows are in reverse order; `is_flat`: a list of users replaces the tree of accounts */
	bool inverted, is_flat;
	bool *closed;	      /* element i: the children of share row i are hidden */

	struct filter filter;
	bool filtered;
	uint32_t *passing; /* the rows that pass the filter, among the first `scanned` rows of the unfiltered list */
	size_t npassing, scanned;

	size_t sel, top;
	uint32_t row_to_select; /* row that becomes selected when filtering reaches it; FS_NO_ROW: none */
};

/* Fills the list from new data. Preserves the sort column, the filter and the open branches of the tree. */
int list_adopt_data(struct list *l, const struct data *d);
void list_free_rows(struct list *l);

/* Sorts and filters the rows again and preserves the selected row. `narrower`: every row that passes the filter also
 * passed the previous filter. */
int list_refresh_rows(struct list *l, const struct data *d, bool narrower);

/* Reverses the order of the rows of the list. */
int list_invert_order(struct list *l, const struct data *d);

/* Continues sorting and filtering for some milliseconds. Returns true if sorting or filtering is not complete. */
bool list_continue_work(struct list *l, const struct data *d);

/* Returns true if a sort is running. Until it ends, the list shows its rows in the order before the sort. */
bool list_is_being_sorted(const struct list *l);

size_t list_count_rows(const struct list *l);
uint32_t list_get_row_at(const struct list *l, size_t k);
uint32_t list_get_selected_row(const struct list *l); /* returns the selected row; FS_NO_ROW: none */

/* Selects the row. If filtering has not reached the row yet, it becomes selected when filtering reaches it. */
void list_select_row(struct list *l, uint32_t row);

bool filter_is_active(const struct filter *f);

/* ---- sorting in steps, because sorting a million rows would delay the next key */

struct sorter;

/* Sorts the rows by the column in a single call, not in steps. Sets *out to the result, which the caller frees. */
int sort_rows_by_column(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
			struct sorted_rows *out);

/* ---- functions that the files of the list share */

struct data;
struct list;

/* Returns true if `text` contains `word`. Upper-case and lower-case ASCII letters are equal. */
bool text_contains_word(const char *text, const char *word);

/* Sorts and filters a list of jobs. Implements view_ops.order_rows for data->visible_rows. */
int list_order_job_rows(struct list *l, const struct data *d, bool narrower);

/* Implementations of view_ops.order_rows, find_row_again and carry_row_state for the tree of accounts. */
int tree_order_rows(struct list *l, const struct data *d, bool narrower);
uint32_t tree_find_share(const struct data *d, const struct fs_share_row *old, size_t guess);
int tree_carry_closed_rows(struct list *l, const struct data *old, const struct data *d);

#endif
