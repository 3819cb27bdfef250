/* The columns of the three views, as data: headings, widths, help, and the value of a row in one. */
#ifndef TOP_COLUMNS_H
#define TOP_COLUMNS_H

#include "top/data.h"
#include "top/grid.h"

enum view { VIEW_QUEUE, VIEW_SHARES, VIEW_PARTITIONS, VIEWS };

enum cell_kind {
	CELL_TEXT,
	CELL_WHOLE,    /* number */
	CELL_FRACTION, /* number with decimals */
	CELL_SECONDS,
	CELL_BAR,      /* takes what room is left; its number is what it is sorted by */
	CELL_MOVE      /* places won, negative lost */
};

struct view_column {
	const char *name;
	enum cell_kind kind;
	unsigned width;
	unsigned from_cols; /* shown by itself on screens at least this wide; UINT_MAX only when asked for */
	int id;             /* a constant of columns.c, or 1000 + a term of the priority */
	const char *help;
};

struct shown {
	const char *text; /* of CELL_TEXT */
	double number;    /* NAN: there is none */
};

/* Number of columns of a view, those of the priority's terms behind its own; and column i. */
size_t view_columns(enum view view, const struct data *d);
void view_column_get(enum view view, const struct data *d, size_t i, struct view_column *out);

/* Width of the screen from which the column is shown by itself: from_cols, or more where the bar needs the room. */
unsigned view_column_from(enum view view, const struct data *d, const struct view_column *c);

void cell_value(enum view view, const struct data *d, uint32_t row, const struct view_column *c,
		  struct shown *out);

/* As text for a cell. */
void cell_format(const struct view_column *c, const struct shown *v, char *buf, size_t size);

/* "45s", "12m", "3h05", "6d20h". */
void duration_text(double seconds, char *buf, size_t size);

/* "812190_[0-9]" */
void job_text(const struct data *d, const struct fs_queue_row *row, char *buf, size_t size);

/* The letters that draw the priority's terms in bars; those of one kind (tres/cpu, tres/mem) share theirs. Returns
 * how many, at most max. */
enum { MAX_TERMS = 64 };
size_t term_letters(const struct data *d, char *letters, size_t max);

/* Of term i, the same for all of its kind. */
enum attr term_attr(const char *letters, size_t i);

#endif
