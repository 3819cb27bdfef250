/* The screen as a grid of cells; themes, text lines and bars. A grid is shown on the terminal or printed as text. */
#ifndef TOP_SCREEN_H
#define TOP_SCREEN_H

#include "columns/column.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- themes, for the terminal and the text output */

/* Text attributes. On a screen without colors, letters, marks and positions give the same information. */
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
	ATTR_WHAT_IF, /* row that shows the hypothetical commands */
	ATTR_LABEL,  /* key hint in the last screen line */
	ATTR_FACTOR, /* the first of FACTOR_ATTRS attributes that color priority factors */
	ATTR_COUNT = ATTR_FACTOR + 9
};
enum { FACTOR_ATTRS = ATTR_COUNT - ATTR_FACTOR };

/* The themes of the settings file and of --theme. THEME_AUTO selects a theme by the background of the terminal and its
 * number of colors; for text output it is THEME_16. */
#define THEME_LIST(X)                                                                                                  \
	X(AUTO, "auto", "as many colours as the terminal can show") X(16, "16", "the 16 standard colours")          \
	X(256, "256", "256 colours, for dark screens") X(TRUE, "true", "all colours, for dark screens")         \
	X(LIGHT, "light", "256 colours, for light screens") X(MONO, "mono", "no colours: letters, bold and reverse")
#define THEME_ENUM(tag, name, help) THEME_##tag,
enum theme { THEME_LIST(THEME_ENUM) THEMES };
#undef THEME_ENUM

const char *theme_get_name(enum theme t);
const char *theme_get_help(enum theme t);
enum theme theme_find_named(const char *name); /* returns the theme with this name; THEMES if there is none */

/* A color is one of: -1, the default of the terminal; an index below 256; THEME_RGB plus one byte each of red, green
 * and blue. */
enum { THEME_RGB = 0x1000000 };
enum { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_REVERSE = 4 };
struct look {
	int fore, back;
	unsigned weight;
};
struct look theme_get_look(enum theme t, unsigned attr);

int theme_color_to_rgb(int color);	/* converts an index or a THEME_RGB color to 0xRRGGBB */
int theme_find_nearest_color(int color); /* returns the index of the indexed color that is closest to `color` */

/* ---- the grid of character cells that makes up the screen. Text is UTF-8 from untrusted sources. Control characters
 * are replaced, so that they never reach the terminal. */

struct cell {
	uint32_t ch;   /* Unicode character; 0: the right half of the wide character in the cell to the left */
	uint32_t mark; /* combining character; 0: none */
	uint16_t attr;
	/* attribute whose foreground color is the background color of the cell; ATTR_PLAIN: the cell has the
	 * background color of `attr` */
	uint16_t back;
}; /* the struct has no padding, because cells are compared as bytes */

struct grid {
	unsigned cols, rows;
	bool utf8; /* true: cells may contain any Unicode character; false: all cells are ASCII */
	bool blocks; /* draw bars with block elements and colors instead of letters */
	unsigned theme; /* color theme, an enum theme */
	unsigned cursor_x, cursor_y;
	struct cell *cell;
};

/* Resizes and clears the grid. Returns -1 if out of memory. */
int grid_set_size(struct grid *g, unsigned cols, unsigned rows);
void grid_free_cells(struct grid *g);

/* Writes text into at most `width` columns from column x. If the text is cut, the last column shows "+". Returns the
 * number of columns used. Clips the text at the edges of the grid. Control characters are shown as ^X or \xHH. Other
 * characters that cannot be shown become U+FFFD or "?". */
unsigned grid_write_text(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr);

/* Writes text right-aligned into `width` columns from column x. */
void grid_write_right_aligned(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr);

void grid_fill_cells(struct grid *g, unsigned x, unsigned y, unsigned width, char ch, enum attr attr);

/* Part of a bar. `end`: end of the part, as a fraction of the bar's width. The ends of the parts of a bar ascend. */
struct grid_part {
	double end;
	enum attr attr;
	char letter; /* letter with which this part of the bar is drawn if block elements are not used */
};
/* Draws a bar. Block elements have a resolution of an eighth of a column. Letters fill whole columns; the end of each
 * part is rounded separately, so that rounding errors do not add up. */
void grid_draw_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part, size_t n);

/* Draws a bar of letters, even if block elements are used for other bars. */
void grid_draw_letter_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part,
			  size_t n);

/* Changes the attribute of `width` cells from column x. Colored block elements keep their color and become full
 * blocks. */
void grid_paint_cells(struct grid *g, unsigned x, unsigned y, unsigned width, enum attr attr);

/* Returns the number of screen columns that the text needs. */
unsigned grid_measure_text(const struct grid *g, const char *text);

/* Prints the grid as lines without trailing blanks. `color`: add SGR sequences for the colors. */
void grid_print_as_text(const struct grid *g, bool color, FILE *out);

/* ---- lists of text lines, for explanations, comparisons and help */

struct line {
	char *text;
	enum attr attr;
};

struct lines {
	struct line *v;
	size_t n, cap;
	bool failed; /* memory ran out, so lines are missing */
	bool blocks; /* draw bars with block elements (U+2588 to U+258F) instead of ASCII characters */
};

void lines_add_formatted(struct lines *l, enum attr attr, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* lines_add_heading appends the heading of a table. lines_add_row appends one row of the table. */
void lines_add_heading(struct lines *l, const struct column_page *p);
void lines_add_row(struct lines *l, enum attr attr, const struct column_page *p, const void *row);

/* Appends a row of a table, wrapped as lines_add_wrapped_text does. */
void lines_add_wrapped_row(struct lines *l, enum attr attr, unsigned width, unsigned indent,
			   const struct column_page *p, const void *row);

/* Appends text, wrapped at blanks to `width` columns. Continuation lines are indented by `indent` columns. */
void lines_add_wrapped_text(struct lines *l, enum attr attr, unsigned width, unsigned indent, const char *text);

/* Formats a bar that fills the fraction `part` (0 to 1) of `width` columns. The bar consists of block elements (U+2588
 * to U+258F) if l->blocks is set. Otherwise `character` is repeated. Returns buf. `size` must be at least 3 bytes per
 * column plus 1. */
const char *lines_format_bar(const struct lines *l, char *buf, size_t size, double part, unsigned width,
			     char character);

/* Removes the last of the text lines. */
void lines_drop_last(struct lines *l);

void lines_clear_all(struct lines *l);
void lines_free_all(struct lines *l);

#endif
