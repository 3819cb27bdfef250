#define _XOPEN_SOURCE 700 /* wcwidth */

#include "top/screen/grid.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { REPLACEMENT = 0xfffd, FULL_BLOCK = 0x2588, EIGHTHS = 8 /* U+2588 is full, each of the next seven an eighth less */ };

static bool is_block(uint32_t c)
{
	return c >= FULL_BLOCK && c < FULL_BLOCK + EIGHTHS;
}

int grid_size(struct grid *g, unsigned cols, unsigned rows)
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

void grid_free(struct grid *g)
{
	free(g->cell);
	*g = (struct grid){ 0 };
}

/* Replaces what cannot be shown, and returns the width; 0: the character belongs to the one before. */
static int shape(const struct grid *g, uint32_t *c)
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

/* Puts a character; a wide one that is half covered goes away whole. */
static void put(struct grid *g, unsigned x, unsigned y, uint32_t c, enum attr attr)
{
	struct cell *cell = &g->cell[(size_t)y * g->cols + x];

	if (!cell->ch && x)
		cell[-1] = (struct cell){ .ch = ' ', .attr = cell[-1].attr };
	if (x + 1 < g->cols && !cell[1].ch)
		cell[1] = (struct cell){ .ch = ' ', .attr = cell[1].attr };
	*cell = (struct cell){ .ch = c, .attr = (uint16_t)attr };
}

static void put_wide(struct grid *g, unsigned x, unsigned y, uint32_t c, enum attr attr)
{
	put(g, x, y, ' ', attr);
	put(g, x + 1, y, ' ', attr);
	g->cell[(size_t)y * g->cols + x].ch = c;
	g->cell[(size_t)y * g->cols + x + 1].ch = 0;
}

/* Adds a combining character, one for each cell; variant selectors are dropped, since they would change the width. */
static void add_mark(struct grid *g, unsigned x, unsigned y, uint32_t c)
{
	struct cell *cell = &g->cell[(size_t)y * g->cols + x];

	if (!cell->ch)
		cell--;
	if (!cell->mark && !(c >= 0xfe00 && c <= 0xfe0f))
		cell->mark = c;
}

unsigned grid_text(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr)
{
	char clean[1024];
	const char *at = text_visible(clean, sizeof(clean), text);
	unsigned used = 0;

	if (y >= g->rows || x >= g->cols)
		return 0;
	width = width < g->cols - x ? width : g->cols - x;
	while (*at) {
		uint32_t c;

		at += text_character(at, &c);
		const int wide = shape(g, &c);

		if (!wide) {
			if (used)
				add_mark(g, x + used - 1, y, c);
			continue;
		}
		if (used + (unsigned)wide > width) {
			if (used < width)
				put(g, x + used++, y, '+', attr);
			else if (width)
				put(g, x + width - 1, y, '+', attr);
			break;
		}
		if (wide == 2)
			put_wide(g, x + used, y, c, attr);
		else
			put(g, x + used, y, c, attr);
		used += (unsigned)wide;
	}
	return used;
}

unsigned grid_width(const struct grid *g, const char *text)
{
	char clean[1024];
	const char *at = text_visible(clean, sizeof(clean), text);
	unsigned used = 0;

	while (*at) {
		uint32_t c;

		at += text_character(at, &c);

		used += (unsigned)shape(g, &c);
	}
	return used;
}

void grid_right(struct grid *g, unsigned x, unsigned y, unsigned width, const char *text, enum attr attr)
{
	const unsigned need = grid_width(g, text);

	grid_text(g, need < width ? x + width - need : x, y, need < width ? need : width, text,
		  attr);
}

void grid_fill(struct grid *g, unsigned x, unsigned y, unsigned width, char ch, enum attr attr)
{
	for (unsigned i = 0; y < g->rows && i < width && x + i < g->cols; i++)
		put(g, x + i, y, (unsigned char)ch, attr);
}

void grid_paint(struct grid *g, unsigned x, unsigned y, unsigned width, enum attr attr)
{
	for (unsigned i = 0; y < g->rows && i < width && x + i < g->cols; i++) {
		struct cell *c = &g->cell[(size_t)y * g->cols + x + i];

		if (is_block(c->ch) && c->attr >= ATTR_FACTOR)
			c->ch = FULL_BLOCK;
		else
			c->attr = (uint16_t)attr;
	}
}

/* ---- bars */

static void letters(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part, size_t n)
{
	unsigned at = 0;

	for (size_t i = 0; i < n; i++) {
		const unsigned end = (unsigned)(part[i].end * width + 0.5);

		if (end > at)
			grid_fill(g, x + at, y, end - at, part[i].letter, part[i].attr);
		at = end > at ? end : at;
	}
}

/* The column from so many eighths on: its first part and, if that ends within it, the one that has most of the rest. */
static struct cell block(const struct grid_part *part, size_t n, double eighths, unsigned from)
{
	size_t first = 0, rest = n;
	unsigned max = 0, until;

	while (first < n && lround(part[first].end * eighths) <= (long)from)
		first++;
	if (first == n)
		return (struct cell){ .ch = ' ' };
	until = (unsigned)fmin((double)lround(part[first].end * eighths), from + EIGHTHS) - from;
	for (size_t i = first + 1, at = until; i < n && at < EIGHTHS; i++) {
		const unsigned end = (unsigned)fmin((double)lround(part[i].end * eighths), from + EIGHTHS) - from;

		if (end > at && end - at > max) {
			max = end - (unsigned)at;
			rest = i;
		}
		at = end > at ? end : at;
	}
	return (struct cell){ .ch = FULL_BLOCK + EIGHTHS - until, .attr = (uint16_t)part[first].attr,
			      .back = rest < n ? (uint16_t)part[rest].attr : ATTR_PLAIN };
}

void grid_bar(struct grid *g, unsigned x, unsigned y, unsigned width, const struct grid_part *part, size_t n)
{
	if (!g->blocks) {
		letters(g, x, y, width, part, n);
		return;
	}
	for (unsigned i = 0; i < width && x + i < g->cols && y < g->rows; i++) {
		const struct cell c = block(part, n, (double)width * EIGHTHS, i * EIGHTHS);

		put(g, x + i, y, c.ch, (enum attr)c.attr);
		g->cell[(size_t)y * g->cols + x + i].back = c.back;
	}
}

static void print_char(uint32_t c, FILE *out)
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

static void dress(const struct grid *g, FILE *out, const struct cell *c)
{
	char sgr[64];

	emit_own(out, "\033[");
	emit_own(out, theme_sgr(sgr, (enum theme)g->theme, c->attr, c->attr >= ATTR_FACTOR ? c->back : ATTR_PLAIN));
	emit_own(out, "m");
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	return a->attr == b->attr && a->back == b->back;
}

void grid_print(const struct grid *g, bool color, FILE *out)
{
	static const struct cell plain = { .attr = ATTR_PLAIN };

	for (unsigned y = 0; y < g->rows; y++) {
		const struct cell *row = g->cell + (size_t)y * g->cols, *look = &plain;
		unsigned end = g->cols;

		while (end && row[end - 1].ch == ' ' && (!color || row[end - 1].attr == ATTR_PLAIN))
			end--;
		for (unsigned x = 0; x < end; x++) {
			if (color && !same_look(look, &row[x]))
				dress(g, out, &row[x]);
			look = &row[x];
			if (row[x].ch)
				print_char(row[x].ch, out);
			if (row[x].mark)
				print_char(row[x].mark, out);
		}
		if (color && !same_look(look, &plain))
			dress(g, out, &plain);
		putc('\n', out);
	}
}
