#define _XOPEN_SOURCE 700 /* for wcwidth */
#include "top/screen.h"

#include "cmd.h"
#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define RGB(color) (THEME_RGB | (color))

static const struct {
	struct look base[ATTR_FACTOR];
	/* colors of the priority factors; none is plain blue, which is unreadable on dark screens */
	int factor[FACTOR_ATTRS];
} themes[THEMES] = {
	[THEME_16] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			 [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			 [ATTR_HEADING] = { 0, 2, 0 },
			 [ATTR_SELECTED] = { 0, 6, 0 },
			 [ATTR_DIM] = { -1, -1, LOOK_DIM },
			 [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			 [ATTR_WARN] = { 1, -1, LOOK_BOLD },
			 [ATTR_UP] = { 2, -1, 0 },
			 [ATTR_DOWN] = { 1, -1, 0 },
			 [ATTR_WHAT_IF] = { 0, 3, 0 },
			 [ATTR_LABEL] = { 0, 6, 0 } },
		       { 2, 3, 6, 5, 12, 1, 13, 10, 11 } },
	[THEME_256] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			  [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			  [ATTR_HEADING] = { 255, 24, 0 },
			  [ATTR_SELECTED] = { 16, 80, 0 },
			  [ATTR_DIM] = { 246, -1, 0 },
			  [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			  [ATTR_WARN] = { 203, -1, LOOK_BOLD },
			  [ATTR_UP] = { 77, -1, 0 },
			  [ATTR_DOWN] = { 203, -1, 0 },
			  [ATTR_WHAT_IF] = { 16, 214, 0 },
			  [ATTR_LABEL] = { 16, 73, 0 } },
			{ 77, 214, 80, 170, 111, 203, 177, 150, 229 } },
	[THEME_TRUE] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			   [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			   [ATTR_HEADING] = { RGB(0xffffff), RGB(0x2a4d6e), 0 },
			   [ATTR_SELECTED] = { RGB(0x101418), RGB(0x7fd4e6), 0 },
			   [ATTR_DIM] = { RGB(0x98a0a8), -1, 0 },
			   [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			   [ATTR_WARN] = { RGB(0xff6b5e), -1, LOOK_BOLD },
			   [ATTR_UP] = { RGB(0x5fd75f), -1, 0 },
			   [ATTR_DOWN] = { RGB(0xff6b5e), -1, 0 },
			   [ATTR_WHAT_IF] = { RGB(0x101418), RGB(0xffb000), 0 },
			   [ATTR_LABEL] = { RGB(0x101418), RGB(0x6fb5b9), 0 } },
			 { RGB(0x5fd75f), RGB(0xffb000), RGB(0x56c9d9), RGB(0xd86fd0), RGB(0x7aa8ff), RGB(0xff6b5e),
			   RGB(0xb59bff), RGB(0xb7d977), RGB(0xffffaf) } },
	[THEME_LIGHT] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			    [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			    [ATTR_HEADING] = { 231, 24, 0 },
			    [ATTR_SELECTED] = { 16, 152, 0 },
			    [ATTR_DIM] = { 242, -1, 0 },
			    [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			    [ATTR_WARN] = { 124, -1, LOOK_BOLD },
			    [ATTR_UP] = { 28, -1, 0 },
			    [ATTR_DOWN] = { 124, -1, 0 },
			    [ATTR_WHAT_IF] = { 16, 222, 0 },
			    [ATTR_LABEL] = { 16, 152, 0 } },
			  { 28, 130, 30, 90, 25, 124, 97, 64, 58 } },
	[THEME_MONO] = { { [ATTR_PLAIN] = { -1, -1, 0 },
			   [ATTR_TITLE] = { -1, -1, LOOK_BOLD },
			   [ATTR_HEADING] = { -1, -1, LOOK_REVERSE },
			   [ATTR_SELECTED] = { -1, -1, LOOK_REVERSE },
			   [ATTR_DIM] = { -1, -1, 0 },
			   [ATTR_STRONG] = { -1, -1, LOOK_BOLD },
			   [ATTR_WARN] = { -1, -1, LOOK_BOLD },
			   [ATTR_UP] = { -1, -1, 0 },
			   [ATTR_DOWN] = { -1, -1, LOOK_BOLD },
			   [ATTR_WHAT_IF] = { -1, -1, LOOK_REVERSE },
			   [ATTR_LABEL] = { -1, -1, LOOK_REVERSE } },
			 { -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
};

#define THEME_NAME(tag, name, help) name,
static const char *const theme_names[THEMES] = { THEME_LIST(THEME_NAME) };
#undef THEME_NAME
#define THEME_HELP(tag, name, help) help,
static const char *const theme_helps[THEMES] = { THEME_LIST(THEME_HELP) };
#undef THEME_HELP

const char *theme_get_name(enum theme t)
{
	return theme_names[t];
}

const char *theme_get_help(enum theme t)
{
	return theme_helps[t];
}

enum theme theme_find_named(const char *name)
{
	int t = 0;

	while (t < THEMES && strcmp(theme_names[t], name) != 0)
		t++;
	return (enum theme)t;
}

struct look theme_get_look(enum theme t, unsigned attr)
{
	const enum theme of = t == THEME_AUTO ? THEME_16 : t;

	if (attr < ATTR_FACTOR)
		return themes[of].base[attr];
	return (struct look){ themes[of].factor[attr - ATTR_FACTOR], -1, 0 };
}

/* Returns a color as RGB. Indexes below 256 are the 16 colors of xterm, then a cube of 6x6x6 colors, then grays. */
int theme_color_to_rgb(int color)
{
	static const int first[16] = { 0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
				       0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff };
	static const int step[6] = { 0, 0x5f, 0x87, 0xaf, 0xd7, 0xff };

	if (color >= THEME_RGB)
		return color - THEME_RGB;
	if (color < 16)
		return first[color];
	if (color >= 232)
		return (8 + 10 * (color - 232)) * 0x010101;
	color -= 16;
	return step[color / 36] << 16 | step[color / 6 % 6] << 8 | step[color % 6];
}

static int get_color_distance(int a, int b)
{
	int sum = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		const int by = (a >> shift & 0xff) - (b >> shift & 0xff);

		sum += by * by;
	}
	return sum;
}

int theme_find_nearest_color(int color)
{
	int best = 16;

	if (color < THEME_RGB)
		return color;
	for (int c = 17; c < 256; c++)
		if (get_color_distance(theme_color_to_rgb(c), theme_color_to_rgb(color)) <
		    get_color_distance(theme_color_to_rgb(best), theme_color_to_rgb(color)))
			best = c;
	return best;
}

/* Appends a color to the parameters of an SGR sequence. `behind`: 0 for the foreground, 10 for the background. */
static void append_sgr_color(char buf[64], int color, int behind)
{
	const size_t n = strlen(buf);

	if (color >= THEME_RGB)
		snprintf(buf + n, 64 - n, ";%d;2;%d;%d;%d", 38 + behind, color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff);
	else if (color >= 16)
		snprintf(buf + n, 64 - n, ";%d;5;%d", 38 + behind, color);
	else if (color >= 0)
		snprintf(buf + n, 64 - n, ";%d", (color < 8 ? 30 + color : 82 + color) + behind);
}

/* Formats the parameters of an SGR sequence: "0;1;38;5;77". `behind`: attribute whose foreground color becomes the
 * background color; ATTR_PLAIN: none. */
static const char *format_sgr_parameters(char buf[64], enum theme t, unsigned attr, unsigned behind)
{
	const struct look l = theme_get_look(t, attr);

	snprintf(buf, 64, "0%s%s%s", l.weight & LOOK_BOLD ? ";1" : "", l.weight & LOOK_DIM ? ";2" : "",
		 l.weight & LOOK_REVERSE ? ";7" : "");
	append_sgr_color(buf, l.fore, 0);
	append_sgr_color(buf, behind >= ATTR_FACTOR ? theme_get_look(t, behind).fore : l.back, 10);
	return buf;
}

enum { REPLACEMENT = 0xfffd, GRID_EIGHTHS = 8 };
/* U+2588 fills a column; each of the next seven characters is an eighth of a column narrower than the preceding
 * character */
enum { FULL_BLOCK = 0x2588 };

static bool is_block_element(uint32_t c)
{
	return c >= FULL_BLOCK && c < FULL_BLOCK + GRID_EIGHTHS;
}

int grid_set_size(struct grid *g, unsigned cols, unsigned rows)
{
	const size_t n = (size_t)cols * rows;

	if (!g->cell || g->cols != cols || g->rows != rows) {
		struct cell *v = realloc(g->cell, (n + 1) * sizeof(*v));

		if (!v)
			return -1;
		g->cell = v;
		g->cols = cols;
		g->rows = rows;
	}
	for (size_t i = 0; i < n; i++)
		g->cell[i] = (struct cell){ .ch = ' ' };
	return 0;
}

void grid_free_cells(struct grid *g)
{
	free(g->cell);
	*g = (struct grid){ 0 };
}

/* Replaces *c if it cannot be shown. Returns the width of *c in columns; 0 if it combines with the previous
 * character. */
static int replace_unprintable_character(const struct grid *g, uint32_t *c)
{
	int width;

	if (*c < 0x80)
		return 1;
	width = g->utf8 ? wcwidth((wchar_t)*c) : -1;
	if (width >= 0)
		return width;
	*c = g->utf8 ? REPLACEMENT : '?';
	return 1;
}

/* Writes a character into a cell. If the cell is half of a wide character, the other half becomes blank. */
static void put_grid_character(struct grid *g, unsigned x, unsigned y, uint32_t c, enum attr attr)
{
	struct cell *cell = &g->cell[(size_t)y * g->cols + x];

	if (!cell->ch && x)
		cell[-1] = (struct cell){ .ch = ' ', .attr = cell[-1].attr };
	if (x + 1 < g->cols && !cell[1].ch)
		cell[1] = (struct cell){ .ch = ' ', .attr = cell[1].attr };
	*cell = (struct cell){ .ch = c, .attr = (uint16_t)attr };
}

static void put_wide_character(struct grid *g, unsigned x, unsigned y, uint32_t c, enum attr attr)
{
	put_grid_character(g, x, y, ' ', attr);
	put_grid_character(g, x + 1, y, ' ', attr);
	g->cell[(size_t)y * g->cols + x].ch = c;
	g->cell[(size_t)y * g->cols + x + 1].ch = 0;
}

/* Adds a combining character to the cell, at most one per cell. Variation selectors are dropped, because they would
 * change the width. */
static void add_combining_mark(struct grid *g, unsigned x, unsigned y, uint32_t c)
{
	struct cell *cell = &g->cell[(size_t)y * g->cols + x];

	if (!cell->ch)
		cell--;
	if (!cell->mark && !(c >= 0xfe00 && c <= 0xfe0f))
		cell->mark = c;
}

unsigned grid_write_text(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr)
{
	char clean[1024];
	const char *at = text_make_visible(clean, sizeof(clean), text);
	unsigned used = 0;

	if (y >= g->rows || x >= g->cols)
		return 0;
	width = width < g->cols - x ? width : g->cols - x;
	while (*at) {
		uint32_t c;

		at += text_decode_character(at, &c);
		const int wide = replace_unprintable_character(g, &c);

		if (!wide) {
			if (used)
				add_combining_mark(g, x + used - 1, y, c);
			continue;
		}
		if (used + (unsigned)wide > width) {
			if (used < width)
				put_grid_character(g, x + used++, y, '+', attr);
			else if (width)
				put_grid_character(g, x + width - 1, y, '+', attr);
			break;
		}
		if (wide == 2)
			put_wide_character(g, x + used, y, c, attr);
		else
			put_grid_character(g, x + used, y, c, attr);
		used += (unsigned)wide;
	}
	return used;
}

unsigned grid_measure_text(const struct grid *g, const char *text)
{
	char clean[1024];
	const char *at = text_make_visible(clean, sizeof(clean), text);
	unsigned used = 0;

	while (*at) {
		uint32_t c;

		at += text_decode_character(at, &c);

		used += (unsigned)replace_unprintable_character(g, &c);
	}
	return used;
}

void grid_write_right_aligned(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr)
{
	const unsigned need = grid_measure_text(g, text);

	grid_write_text(g, need < width ? x + width - need : x, y, need < width ? need : width, text, attr);
}

void grid_fill_cells(struct grid *g, unsigned x, unsigned y, unsigned width, char ch, enum attr attr)
{
	for (unsigned i = 0; y < g->rows && i < width && x + i < g->cols; i++)
		put_grid_character(g, x + i, y, (unsigned char)ch, attr);
}

void grid_paint_cells(struct grid *g, unsigned x, unsigned y, unsigned width, enum attr attr)
{
	for (unsigned i = 0; y < g->rows && i < width && x + i < g->cols; i++) {
		struct cell *c = &g->cell[(size_t)y * g->cols + x + i];

		if (is_block_element(c->ch) && c->attr >= ATTR_FACTOR)
			c->ch = FULL_BLOCK;
		else
			c->attr = (uint16_t)attr;
	}
}

/* ---- drawing bars on the grid of screen cells */

void grid_draw_letter_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part,
			  size_t n)
{
	unsigned at = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned end = (unsigned)(part[i].end * width + 0.5);

		if (end > at)
			grid_fill_cells(g, x + at, y, end - at, part[i].letter, part[i].attr);
		at = end > at ? end : at;
	}
}

/* Returns one cell of a bar. The left edge of the cell is `from` eighths of a column from the left end of the bar. The
 * foreground color is the color of the leftmost part of the bar in this cell. The background color is the color of the
 * widest other part in this cell. */
static struct cell make_block_element_cell(const struct grid_part *part, size_t n, double eighths, unsigned from)
{
	size_t first = 0, rest = n;
	unsigned max = 0, until;

	while (first < n && lround(part[first].end * eighths) <= (long)from)
		first++;
	if (first == n)
		return (struct cell){ .ch = ' ' };
	until = (unsigned)fmin((double)lround(part[first].end * eighths), from + GRID_EIGHTHS) - from;
	for (size_t i = first + 1, at = until; i < n && at < GRID_EIGHTHS; i++) {
		const unsigned end = (unsigned)fmin((double)lround(part[i].end * eighths), from + GRID_EIGHTHS) - from;

		if (end > at && end - at > max) {
			max = end - (unsigned)at;
			rest = i;
		}
		at = end > at ? end : at;
	}
	return (struct cell){ .ch = FULL_BLOCK + GRID_EIGHTHS - until, .attr = (uint16_t)part[first].attr,
			      .back = rest < n ? (uint16_t)part[rest].attr : ATTR_PLAIN };
}

void grid_draw_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part, size_t n)
{
	if (!g->blocks) {
		grid_draw_letter_bar(g, x, y, width, part, n);
		return;
	}
	for (unsigned i = 0; i < width && x + i < g->cols && y < g->rows; i++) {
		const struct cell c = make_block_element_cell(part, n, (double)width * GRID_EIGHTHS, i * GRID_EIGHTHS);

		put_grid_character(g, x + i, y, c.ch, (enum attr)c.attr);
		g->cell[(size_t)y * g->cols + x + i].back = c.back;
	}
}

static void print_utf8_character(uint32_t c, FILE *out)
{
	if (c < 0x80) {
		putc((int)c, out);
		return;
	}
	if (c >= 0x10000) {
		putc((int)(0xf0 | c >> 18), out);
		putc((int)(0x80 | (c >> 12 & 0x3f)), out);
	} else if (c >= 0x800) {
		putc((int)(0xe0 | c >> 12), out);
	}
	putc((int)(c < 0x800 ? 0xc0 | c >> 6 : 0x80 | (c >> 6 & 0x3f)), out);
	putc((int)(0x80 | (c & 0x3f)), out);
}

static void print_cell_attributes(const struct grid *g, FILE *out, const struct cell *c)
{
	char sgr[64];

	emit_raw_text(out, "\033[");
	emit_raw_text(out, format_sgr_parameters(sgr, (enum theme)g->theme, c->attr,
						 c->attr >= ATTR_FACTOR ? c->back : ATTR_PLAIN));
	emit_raw_text(out, "m");
}

static bool has_same_cell_look(const struct cell *a, const struct cell *b)
{
	return a->attr == b->attr && a->back == b->back;
}

void grid_print_as_text(const struct grid *g, bool color, FILE *out)
{
	static const struct cell plain = { .attr = ATTR_PLAIN };

	for (unsigned y = 0; y < g->rows; y++) {
		const struct cell *row = g->cell + (size_t)y * g->cols, *look = &plain;
		unsigned end = g->cols;

		while (end && row[end - 1].ch == ' ' && (!color || row[end - 1].attr == ATTR_PLAIN))
			end--;
		for (unsigned x = 0; x < end; x++) {
			if (color && !has_same_cell_look(look, &row[x]))
				print_cell_attributes(g, out, &row[x]);
			look = &row[x];
			if (row[x].ch)
				print_utf8_character(row[x].ch, out);
			if (row[x].mark)
				print_utf8_character(row[x].mark, out);
		}
		if (color && !has_same_cell_look(look, &plain))
			print_cell_attributes(g, out, &plain);
		putc('\n', out);
	}
}

static void append_text_line(struct lines *l, enum attr attr, const char *text)
{
	char *copy = strdup(text);
	struct line *v = copy ? array_grow_by_one(l->v, l->n, &l->cap, sizeof(*v)) : NULL;

	if (!v) {
		free(copy);
		l->failed = true;
		return;
	}
	l->v = v;
	l->v[l->n++] = (struct line){ copy, attr };
}

void lines_add_formatted(struct lines *l, enum attr attr, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	format_args(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	append_text_line(l, attr, buf);
}

/* Returns the number of UTF-8 characters in the first `len` bytes of s. */
static size_t count_utf8_characters(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* Returns the number of bytes of `s` that fit into `width` columns. If `s` is too wide, counts only the bytes before
 * the last blank that fits, if there is such a blank. */
static size_t get_fitting_length(const char *s, unsigned width)
{
	size_t end = 0, i = 0;

	while (s[i] && count_utf8_characters(s, i + 1) <= width)
		if (s[i++] == ' ')
			end = i - 1;
	while (s[i] && ((unsigned char)s[i] & 0xc0) == 0x80)
		i++;
	return !s[i] || s[i] == ' ' || !end ? (i ? i : 1) : end;
}

void lines_add_wrapped_text(struct lines *l, enum attr attr, unsigned width, unsigned indent, const char *text)
{
	bool first = true;

	do {
		const unsigned line_width = first || width <= indent ? width : width - indent;
		const size_t n = *text ? get_fitting_length(text, line_width ? line_width : 1) : 0;

		lines_add_formatted(l, attr, "%*s%.*s", first ? 0 : (int)indent, "", (int)n, text);
		text += n;
		text += strspn(text, " ");
		first = false;
	} while (*text);
}

enum { TABLE_ROW_SIZE = 1024 };

void lines_add_heading(struct lines *l, const struct column_page *p)
{
	char buf[TABLE_ROW_SIZE];

	append_text_line(l, ATTR_DIM, columns_format_heading(buf, sizeof(buf), p));
}

void lines_add_row(struct lines *l, enum attr attr, const struct column_page *p, const void *row)
{
	char buf[TABLE_ROW_SIZE];

	append_text_line(l, attr, columns_format_row(buf, sizeof(buf), p, row));
}

void lines_add_wrapped_row(struct lines *l, enum attr attr, unsigned width, unsigned indent,
			   const struct column_page *p, const void *row)
{
	char buf[TABLE_ROW_SIZE];

	lines_add_wrapped_text(l, attr, width, indent, columns_format_row(buf, sizeof(buf), p, row));
}

void lines_drop_last(struct lines *l)
{
	if (l->n)
		free(l->v[--l->n].text);
}

const char *lines_format_bar(const struct lines *l, char *buf, size_t size, double part, unsigned width, char character)
{
	enum {
		LAST_BYTE_OF_FULL_BLOCK = 0x88,
		EIGHTHS = 8
	}; /* U+2588 is e2 96 88 in UTF-8; each of the next seven characters is an eighth of a column narrower */
	const double max = (double)((size - 1) / 3), columns = fmin(part * width, max);
	const unsigned eighths = (unsigned)(columns * EIGHTHS + .5);
	const unsigned whole = l->blocks ? eighths / EIGHTHS : (unsigned)(columns + .5);
	size_t n = 0;

	for (unsigned i = 0; i < whole; i++)
		n += (size_t)snprintf(buf + n, size - n, "%s", l->blocks ? "\xe2\x96\x88" : (const char[]){ character, '\0' });
	if (l->blocks && eighths % EIGHTHS && n + 3 < size)
		n += (size_t)snprintf(buf + n, size - n, "\xe2\x96%c",
				      (int)(LAST_BYTE_OF_FULL_BLOCK + EIGHTHS - eighths % EIGHTHS));
	buf[n] = '\0';
	return buf;
}

void lines_clear_all(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	l->n = 0;
	l->failed = false;
}

void lines_free_all(struct lines *l)
{
	lines_clear_all(l);
	free(l->v);
	*l = (struct lines){ .blocks = l->blocks };
}
