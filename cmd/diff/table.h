/* A table of texts, as columns or as Markdown. */
#ifndef DIFF_TABLE_H
#define DIFF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_COLUMNS = 12, TABLE_CELL = 1024, TABLE_PARTS = 8 };

struct table {
	struct table_column {
		const char *name;
		bool right; /* where it stands */
	} column[TABLE_COLUMNS];
	size_t columns;
	char *bytes; /* the cells, each behind its struct table_cell and with a NUL behind it */
	size_t used, room;
	size_t n;    /* cells */
	int width[TABLE_COLUMNS];
	bool failed; /* out of memory */
};

struct table_cell {
	uint16_t len, width; /* bytes and columns, at most TABLE_CELL */
};

/* Adds a column; to be called before the first cell. */
void table_column(struct table *t, const char *name, bool right);
/* The next cell, row by row; longer ones than TABLE_CELL are cut. */
void table_text(struct table *t, const char *s);
void table_cut(struct table *t, const char *s, size_t most); /* cut to at most so many bytes */
void table_add(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints it on standard output, if it has rows, and empties it; nothing and -1 without memory for one of its cells. */
int table_print(struct table *t, bool markdown);

/* A table of many rows, put together by several threads: `part` has the columns of all in its first. */
struct tables {
	struct table part[TABLE_PARTS];
};
/* Calls add(t, of, i) for each i below n, which adds the cells of one row to t or none; how many rows there are. */
size_t tables_fill(struct tables *t, size_t n, void (*add)(struct table *t, const void *of, size_t i), const void *of);
/* As table_print, the parts as one table. */
int tables_print(struct tables *t, bool markdown);

#endif
