/* Text in lines: explanations, comparisons, help. */
#ifndef TOP_SCREEN_LINES_H
#define TOP_SCREEN_LINES_H

#include "columns/column.h"
#include "top/screen/grid.h"

struct line {
	char *text;
	enum attr attr;
};

struct lines {
	struct line *v;
	size_t n, cap;
	bool failed; /* no memory: lines are missing */
	bool blocks; /* bars are of block elements */
};

void lines_add(struct lines *l, enum attr attr, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A row of a table, and what its columns are called. */
void lines_heading(struct lines *l, const struct column_page *p);
void lines_row(struct lines *l, enum attr attr, const struct column_page *p, const void *row);

/* The same, broken as lines_wrap does it. */
void lines_wrap_row(struct lines *l, enum attr attr, unsigned width, unsigned indent, const struct column_page *p,
		    const void *row);

/* Breaks the text at blanks; lines after the first are indented. */
void lines_wrap(struct lines *l, enum attr attr, unsigned width, unsigned indent, const char *text);

/* A bar of so much of the room (0 nothing, 1 all of it), of block elements by eighths of a column or else of that
 * character; returns buf. size: 3 bytes for each column and one. */
const char *lines_bar(const struct lines *l, char *buf, size_t size, double part, unsigned room, char character);

/* Takes the last one off. */
void lines_drop(struct lines *l);

void lines_clear(struct lines *l);
void lines_free(struct lines *l);

#endif
