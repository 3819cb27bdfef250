/* A screen as a grid of cells: what the view draws into, and what the terminal or a text dump shows. Text goes
 * in as UTF-8 from anywhere; no byte of it can leave its cells. */
#ifndef TOP_SCREEN_GRID_H
#define TOP_SCREEN_GRID_H

#include "top/screen/theme.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cell {
	uint32_t ch;   /* 0: the right half of the wide character before it */
	uint32_t mark; /* one combining character, 0 none */
	uint16_t attr;
	uint16_t back; /* the attribute whose colour is behind the character, ATTR_PLAIN none */
}; /* no padding: cells are compared as bytes */

struct grid {
	unsigned cols, rows;
	bool utf8; /* else every cell is ASCII */
	bool blocks; /* bars are of block elements and told apart by their colours, not by letters */
	unsigned theme; /* enum theme */
	unsigned cursor_x, cursor_y;
	struct cell *cell;
};

/* Blank, of that size. -1 without memory. */
int grid_size(struct grid *g, unsigned cols, unsigned rows);
void grid_free(struct grid *g);

/* Text in at most width columns from x, the last a + when it was cut; returns the columns used. Outside the
 * grid nothing happens. Control characters show as ^X or \xHH, others without a shape as U+FFFD or ?. */
unsigned grid_text(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr);

/* The same against the right edge of the width. */
void grid_right(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr);

void grid_fill(struct grid *g, unsigned x, unsigned y, unsigned width, char ch, enum attr attr);

/* Parts of a bar beside each other, from the left: where each ends, 0 to 1 of the width, in rising order. */
struct grid_part {
	double end;
	enum attr attr;
	char letter; /* what it is made of where there are no block elements */
};
/* Block elements go by eighths of a column; letters are whole, and what rounds away is carried on. */
void grid_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part, size_t n);

/* Changes the attribute of what is there, but of block elements only the colour behind them. */
void grid_paint(struct grid *g, unsigned x, unsigned y, unsigned width, enum attr attr);

/* Columns that the text needs. */
unsigned grid_width(const struct grid *g, const char *text);

/* As lines of text without blanks at their ends; color: with SGR sequences. */
void grid_print(const struct grid *g, bool color, FILE *out);

#endif
