/* Rows of columns as lines of text, printed to standard output or written to a buffer. */
#include "columns/column.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct column *get_page_column(const struct column_page *p, size_t i)
{
	return &p->columns[p->column_indices ? p->column_indices[i] : i];
}

/* The destination of a row: buf, which holds n of size bytes, or standard output if buf is NULL. */
struct row_output {
	char *buf;
	size_t size, n;
};

static void write_row_text(struct row_output *out, int width, int precision, const char *s)
{
	int n;

	if (!out->buf) {
		emit("%*.*s", width, precision, s);
		return;
	}
	n = snprintf(out->buf + out->n, out->size - out->n, "%*.*s", width, precision, s);
	out->n = out->n + (size_t)n < out->size ? out->n + (size_t)n : out->size - 1;
}

static bool is_first_utf8_byte(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Returns the number of bytes of the first n characters of s, or of all of s if it has fewer. */
static int count_character_bytes(const char *s, int n)
{
	int bytes = 0;

	while (s[bytes] && (!is_first_utf8_byte(s[bytes]) || n--))
		bytes++;
	return bytes;
}

/* Writes a cell, padded to the width of its column and cut to it if `cut`. The width counts characters if
 * p->characters, else bytes. */
static void write_padded_cell(struct row_output *out, const struct column_page *p, const struct column *c, bool cut,
			      const char *s)
{
	const size_t at = (size_t)(c - p->columns);
	const int own = p->separator ? 0 : p->widths && p->widths[at] ? p->widths[at] : abs(c->width);
	const int bytes = !p->width_in_characters ? own : count_character_bytes(s, cut ? own : INT_MAX);
	int more = 0;

	for (int i = 0; p->width_in_characters && i < bytes; i++)
		more += !is_first_utf8_byte(s[i]);
	write_row_text(out, c->width < 0 ? -own - more : own + more, cut ? bytes : -1, s);
}

static void write_cell_prefix(struct row_output *out, const struct column_page *p, const struct column *c, bool first)
{
	write_row_text(out, 0, -1, p->separator ? (first ? "" : p->separator) : c->prefix ? c->prefix : first ? "" : " ");
}

static void write_heading_cells(struct row_output *out, const struct column_page *p)
{
	bool first = true;

	for (size_t i = 0; i < p->n; i++) {
		const struct column *c = get_page_column(p, i);

		if (!c->name)
			continue;
		write_cell_prefix(out, p, c, first);
		write_padded_cell(out, p, c, false, c->get_heading ? c->get_heading(p->rows_owner) : c->name);
		first = false;
	}
}

static void format_plain_cell(char buf[COLUMN_TEXT_SIZE], const struct value *v)
{
	*buf = '\0';
	if (v->type == VALUE_DOUBLE && isnan(v->number))
		strcpy(buf, "unknown");
	else if (v->type == VALUE_DOUBLE) /* print -0.00 as 0.00 */
		format_text(buf, COLUMN_TEXT_SIZE, "%.2f", fabs(v->number) < 0.005 ? 0.0 : v->number);
	else if (v->type == VALUE_TEXT)
		text_make_visible(buf, COLUMN_TEXT_SIZE, v->text);
	else if (v->type == VALUE_UNSIGNED)
		snprintf(buf, COLUMN_TEXT_SIZE, "%llu", (unsigned long long)v->whole);
	else if (v->type == VALUE_SIGNED)
		snprintf(buf, COLUMN_TEXT_SIZE, v->integer == FS_UNKNOWN ? "?" : "%lld", (long long)v->integer);
}

static void write_row_cells(struct row_output *out, const struct column_page *p, const void *row)
{
	char buf[COLUMN_TEXT_SIZE];
	bool first = true;

	for (size_t i = 0; i < p->n; i++) {
		const struct column *c = get_page_column(p, i);
		struct value v;

		if (!c->name || (!c->format_cell && !c->get_value && !c->member))
			continue;
		if (c->format_cell) {
			c->format_cell(buf, p->rows_owner, row);
		} else {
			column_get_value(c, p->rows_owner, row, &v);
			format_plain_cell(buf, &v);
		}
		write_cell_prefix(out, p, c, first);
		write_padded_cell(out, p, c, c->cuts_wide_cells, buf);
		first = false;
	}
}

void columns_print_heading(const struct column_page *p)
{
	write_heading_cells(&(struct row_output){ 0 }, p);
	emit("\n");
}

void columns_print_row(const struct column_page *p, const void *row)
{
	write_row_cells(&(struct row_output){ 0 }, p, row);
}

char *columns_format_heading(char *buf, size_t size, const struct column_page *p)
{
	*buf = '\0';
	write_heading_cells(&(struct row_output){ buf, size, 0 }, p);
	return buf;
}

char *columns_format_row(char *buf, size_t size, const struct column_page *p, const void *row)
{
	*buf = '\0';
	write_row_cells(&(struct row_output){ buf, size, 0 }, p, row);
	return buf;
}
