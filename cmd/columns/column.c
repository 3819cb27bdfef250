#include "columns/column.h"

#include "render/emit.h"
#include "render/text.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(sizeof(double) == sizeof(uint64_t) && sizeof(int64_t) == sizeof(uint64_t), "members have one size");

static struct value read_member_value(enum column_member_type member, const void *at)
{
	switch (member) {
	case MEMBER_TEXT:
		return value_from_text(*(const char *const *)at);
	case MEMBER_CHARS:
		return value_from_text(at);
	case MEMBER_DOUBLE:
		return value_from_double(*(const double *)at);
	case MEMBER_U32:
		return value_from_unsigned(*(const uint32_t *)at);
	case MEMBER_U64:
		return value_from_unsigned(*(const uint64_t *)at);
	case MEMBER_I64:
		return value_from_signed(*(const int64_t *)at);
	case MEMBER_BOOL:
		return value_from_flag(*(const bool *)at);
	case MEMBER_NONE:
		break;
	}
	return (struct value){ .type = VALUE_NONE };
}

static size_t get_member_size(enum column_member_type member)
{
	switch (member) {
	case MEMBER_TEXT:
		return sizeof(const char *);
	case MEMBER_U32:
		return sizeof(uint32_t);
	case MEMBER_BOOL:
		return sizeof(bool);
	default:
		return sizeof(uint64_t);
	}
}

void column_get_element(const struct column *c, size_t i, const void *of, const void *row, struct value *out)
{
	out->type = VALUE_NONE;
	if (c->has_value && !c->has_value(of, row))
		return;
	if (c->get_value)
		c->get_value(of, row, out);
	else
		*out = read_member_value(c->member, (const char *)row + c->offset + i * get_member_size(c->member));
	if (c->enum_name)
		*out = (struct value){ VALUE_TEXT, .text = c->enum_name((uint32_t)out->whole) };
	if (c->zero_is_none && out->type == VALUE_UNSIGNED && !out->whole)
		out->type = VALUE_NONE;
}

void column_get_value(const struct column *c, const void *of, const void *row, struct value *out)
{
	column_get_element(c, 0, of, row, out);
}

double value_to_number(const struct value *v)
{
	switch (v->type) {
	case VALUE_DOUBLE:
		return v->number;
	case VALUE_UNSIGNED:
		return (double)v->whole;
	case VALUE_SIGNED:
		return v->integer == FS_UNKNOWN	    ? (double)NAN
		       : v->integer == FS_UNLIMITED ? (double)INFINITY
						    : (double)v->integer;
	case VALUE_FLAG:
		return v->flag;
	default:
		return (double)NAN;
	}
}

void value_write_json(struct fs_json *j, const struct value *v)
{
	switch (v->type) {
	case VALUE_TEXT:
		if (*v->text)
			fs_json_string(j, v->text);
		else
			fs_json_null(j);
		break;
	case VALUE_DOUBLE:
		fs_json_double(j, v->number);
		break;
	case VALUE_UNSIGNED:
		fs_json_u64(j, v->whole);
		break;
	case VALUE_SIGNED:
		if (v->integer == FS_UNKNOWN)
			fs_json_null(j);
		else if (v->integer == FS_UNLIMITED)
			fs_json_string(j, "unlimited");
		else
			fs_json_i64(j, v->integer);
		break;
	case VALUE_FLAG:
		fs_json_bool(j, v->flag);
		break;
	case VALUE_NONE:
		fs_json_null(j);
		break;
	}
}

void columns_write_members(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row)
{
	struct value v;

	for (const struct column *c = columns; c < columns + n; c++) {
		if (!c->key)
			continue;
		fs_json_key(j, c->key);
		if (c->write_json) {
			c->write_json(j, of, row);
			continue;
		}
		column_get_value(c, of, row, &v);
		value_write_json(j, &v);
	}
}

void columns_write_object(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *row)
{
	fs_json_object(j);
	columns_write_members(j, columns, n, of, row);
	fs_json_end_object(j);
}

void columns_write_named_object(struct fs_json *j, const char *key, const struct column *columns, size_t n,
				const void *of, const void *row)
{
	fs_json_key(j, key);
	if (row)
		columns_write_object(j, columns, n, of, row);
	else
		fs_json_null(j);
}

void columns_write_list(struct fs_json *j, const struct column *columns, size_t n, const void *of, const void *rows,
			size_t count, size_t size)
{
	fs_json_array(j);
	for (size_t i = 0; i < count; i++)
		columns_write_object(j, columns, n, of, (const char *)rows + i * size);
	fs_json_end_array(j);
}

void columns_write_named_list(struct fs_json *j, const char *key, const struct column *columns, size_t n,
			      const void *of, const void *rows, size_t count, size_t size)
{
	fs_json_key(j, key);
	columns_write_list(j, columns, n, of, rows, count, size);
}

struct value value_from_text(const char *s)
{
	return (struct value){ VALUE_TEXT, .text = s ? s : "" };
}

struct value value_from_double(double x)
{
	return (struct value){ VALUE_DOUBLE, .number = x };
}

struct value value_from_unsigned(uint64_t n)
{
	return (struct value){ VALUE_UNSIGNED, .whole = n };
}

struct value value_from_signed(int64_t n)
{
	return (struct value){ VALUE_SIGNED, .integer = n };
}

struct value value_from_flag(int yes)
{
	return (struct value){ VALUE_FLAG, .flag = yes != 0 };
}

/* Rows of columns as lines of text, which are printed to standard output or written to a buffer. */

static const struct column *get_page_column(const struct column_page *p, size_t i)
{
	return &p->columns[p->column_indices ? p->column_indices[i] : i];
}

/* The destination of a row. `buf`: a buffer of `size` bytes with `n` bytes of text; NULL: the row is printed to
 * standard output. */
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

/* Returns the number of bytes of the first n characters of s; if s has fewer characters, the length of s. */
static int count_character_bytes(const char *s, int n)
{
	int bytes = 0;

	while (s[bytes] && (!is_first_utf8_byte(s[bytes]) || n--))
		bytes++;
	return bytes;
}

/* Writes a cell, padded to the width of its column. `cut`: if the text is longer than the width, it is cut to the
 * width. The width is in characters if p->width_in_characters is set, otherwise in bytes. */
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
	else if (v->type == VALUE_DOUBLE) /* a rounded value of -0.00 is printed as 0.00 */
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
