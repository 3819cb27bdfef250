/* Columns of a view: where they stand and how wide they are. What they hold and mean is in the table of their type of
 * row, but for what only a screen has. */
#ifndef TOP_LIST_COLUMNS_H
#define TOP_LIST_COLUMNS_H

#include "columns/column.h"
#include "top/data/data.h"
#include "top/screen/grid.h"

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

#endif
