/* Lists of rows in fs-top: columns, sorting, filtering, selection, and the tree of accounts. */
#ifndef TOP_LIST_H
#define TOP_LIST_H

#include "columns/column.h"
#include "top/data.h"
#include "top/screen.h"
#include "top/ops.h"

/* Columns of a view: where they stand and how wide they are. What they hold and mean is in the table of their type of
 * row, but for what only a screen has. */

enum cell_kind {
	CELL_TEXT,
	CELL_WHOLE,    /* number */
	CELL_FRACTION, /* number with decimals */
	CELL_SECONDS,
	CELL_BAR,      /* takes what room is left; its number is what it is sorted by */
	CELL_MOVE      /* places won, negative lost */
};

/* A member of struct nouns, for view_column.noun. */
#define NOUN(member) offsetof(struct nouns, member)

struct model;

struct view_column {
	const char *name;	 /* NULL: that of the table */
	size_t noun;		 /* where struct nouns has the name, if it is the scheduler's; 0: it is not */
	enum cell_kind kind;
	unsigned width;
	unsigned from_cols;	 /* shown by itself on screens at least this wide; UINT_MAX only when asked for */
	const struct column *of; /* NULL: the view's own, with get and help */
	const char *help;	 /* NULL: that of the table */
	void (*get)(const struct data *d, uint32_t row, struct value *out); /* in place of the table's value */
	bool yields;		 /* to the bar, where that is of ranges */
	/* In place of the value, and of the width; NULL: as they are. */
	void (*text)(const struct model *m, uint32_t row, char *buf, size_t size);
	unsigned (*room)(const struct model *m);
	unsigned mixed_from; /* in place of from_cols where jobs of several partitions stand among each other; 0: no other */
	bool wide; /* a bar that takes all the room there is */
	size_t term; /* 1 + a term of the priority: what it adds */
};

struct view_ops;

/* Number of columns of a view, those of the priority's terms behind its own; and column i. */
size_t view_columns(const struct view_ops *ops, const struct data *d);
void view_column_get(const struct view_ops *ops, const struct data *d, size_t i, struct view_column *out);

/* Width of the screen from which the column is shown by itself: from_cols, or more where the bar needs the room. */
unsigned view_column_from(const struct data *d, const struct view_column *c);

/* As text for a cell. */
void cell_format(const struct view_column *c, const struct value *v, char *buf, size_t size);

/* "45s", "12m", "3h05", "6d20h". */
void duration_text(double seconds, char *buf, size_t size);

/* The letters that draw the priority's terms in bars; those of one kind (tres/cpu, tres/mem) share theirs. Returns
 * how many, at most max. */
enum { MAX_TERMS = 64 };
size_t term_letters(const struct data *d, char *letters, size_t max);

/* Of a term: a factor has the same colour under every scheduler. */
enum attr term_attr(const struct fs_prio_term *t);

/* The rows of a view: which of them, in which order, which one is selected. A million jobs are filtered and sorted
 * in slices (list_work), sorted once for each column asked for; moving about touches only what is on the screen. */

enum { FILTER_SIZE = 256 };

struct filter {
	char text[FILTER_SIZE]; /* in any text of the row; "" all */
	char user[FILTER_SIZE], account[FILTER_SIZE], partition[FILTER_SIZE]; /* of the queue */
};

struct list {
	const struct view_ops *ops;
	const uint32_t *order; /* all rows, borrowed from the data, from sorted or own */
	size_t n, unknown;
	uint32_t *own; /* of the small views, made whole each time */
	struct sorted *sorted;
	size_t columns, sort; /* sort SIZE_MAX: as they come */
	struct sorter *sorter; /* sorts by the column `sorting`; NULL: nothing is being sorted */
	size_t sorting;
	bool failed;	      /* memory ran out in list_work: what was asked for is not shown */
	bool inverted, flat;  /* flat: no tree */
	bool *closed;	      /* by row of the shares: its children are not shown */

	struct filter filter;
	bool filtered;
	uint32_t *kept; /* rows that pass, in order, of the first `scanned` */
	size_t nkept, scanned;

	size_t sel, top;
	uint32_t wanted; /* the row to select once filtering has come to it, FS_NO_ROW none */
};

/* For new data; what was chosen stays. -1 without memory, like the others. */
int list_adopt(struct list *l, const struct data *d);
void list_free(struct list *l);

/* Applies sort, filter and tree again, keeping the selection on its row. narrower: the filter has only become
 * stricter. */
int list_refresh(struct list *l, const struct data *d, bool narrower);

/* Turns the order round. */
int list_invert(struct list *l, const struct data *d);

/* Goes on sorting and filtering for a while; true if there is more to do. */
bool list_work(struct list *l, const struct data *d);

/* Returns whether the rows still have the old order. */
bool list_sorting(const struct list *l);

size_t list_count(const struct list *l);
uint32_t list_row(const struct list *l, size_t k);
uint32_t list_selected(const struct list *l); /* row, or FS_NO_ROW */

/* Selects the row if it is in the list, once filtering has come to it. */
void list_select(struct list *l, uint32_t row);

bool filter_active(const struct filter *f);

/* Sorting rows by a column, in steps: a million of them take longer than a key may. */

struct sorter;

/* Sorts the rows at once. -1 without memory. */
int sort_rows(const struct view_ops *ops, const struct data *d, size_t column, const uint32_t *rows, size_t n,
	      struct sorted *out);

/* What the parts of the list share. */

struct data;
struct list;

/* Returns true if the text contains the word, in capitals or not. */
bool text_contains(const char *text, const char *word);

/* Sorts a large list, whose rows are those of the data. */
int list_order_large(struct list *l, const struct data *d, bool narrower);

/* As struct view_ops says. */
int tree_order(struct list *l, const struct data *d, bool narrower);
uint32_t tree_find(const struct data *d, const struct fs_share_row *old, size_t guess);
int tree_carry(struct list *l, const struct data *old, const struct data *d);

#endif
