/* The screen as a grid of cells: themes, text lines, bars. The terminal and the text output both draw from it. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "columns/column.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How things look: for the terminal and for the text dump alike. */

/* Each has a sign beside its colour: a letter, a mark or its place. */
enum attr {
	ATTR_PLAIN,
	ATTR_TITLE,
	ATTR_HEADING,
	ATTR_SELECTED,
	ATTR_DIM,
	ATTR_STRONG,
	ATTR_WARN,
	ATTR_UP,
	ATTR_DOWN,
	ATTR_LABEL,  /* of a function key */
	ATTR_FACTOR, /* the first of FACTOR_ATTRS */
	ATTR_COUNT = ATTR_FACTOR + 8
};
enum { FACTOR_ATTRS = ATTR_COUNT - ATTR_FACTOR };

/* Those of the set-up and of --theme; THEME_AUTO: what the terminal can, of the text dump THEME_16. */
#define THEME_LIST(X)                                                                                                  \
	X(AUTO, "auto", "what the terminal can show") X(16, "16", "the 16 colours of every terminal")                 \
	X(256, "256", "of 256 colours, for dark screens") X(TRUE, "true", "of all colours, for dark screens")         \
	X(LIGHT, "light", "of 256 colours, for light screens") X(MONO, "mono", "no colours: letters, bold and reverse")
#define THEME_ENUM(tag, name, help) THEME_##tag,
enum theme { THEME_LIST(THEME_ENUM) THEMES };
#undef THEME_ENUM

const char *theme_name(enum theme t);
const char *theme_help(enum theme t);
enum theme theme_named(const char *name); /* THEMES: none */

/* A colour: -1 the screen's own, one of 256, or THEME_RGB and red, green and blue in a byte each. */
enum { THEME_RGB = 0x1000000 };
enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4 };
struct look {
	int fore, back;
	unsigned weight;
};
struct look theme_look(enum theme t, unsigned attr);

int theme_rgb(int color);	/* of one of 256 too */
int theme_nearest(int color); /* of 256 */

/* A screen as a grid of cells: what the view draws into, and what the terminal or a text dump shows. Text goes
 * in as UTF-8 from anywhere; no byte of it can leave its cells. */

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

/* Text in lines: explanations, comparisons, help. */

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
