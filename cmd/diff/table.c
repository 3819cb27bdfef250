#include "diff/table.h"

#include "render/emit.h"
#include "render/format.h"
#include "render/text.h"
#include "threads.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void table_column(struct table *t, const char *name, bool right)
{
	t->width[t->columns] = text_width(name);
	t->column[t->columns++] = (struct table_column){ name, right };
}

static bool make_room(struct table *t, size_t more)
{
	const size_t room = t->room ? t->room * 2 : 65536;
	char *bytes;

	if (t->room - t->used >= more)
		return true;
	bytes = realloc(t->bytes, room);
	t->failed = t->failed || !bytes;
	if (!bytes)
		return false;
	t->bytes = bytes;
	t->room = room;
	return true;
}

void table_cut(struct table *t, const char *s, size_t most)
{
	const size_t len = strnlen(s, most < TABLE_CELL ? most : TABLE_CELL - 1);
	int *widest = &t->width[t->n % t->columns];
	struct table_cell cell = { .len = (uint16_t)len };
	char *to;

	if (!make_room(t, sizeof(cell) + len + 1))
		return;
	to = t->bytes + t->used + sizeof(cell);
	memcpy(to, s, len);
	to[len] = '\0';
	cell.width = (uint16_t)text_width(to);
	memcpy(t->bytes + t->used, &cell, sizeof(cell));
	*widest = cell.width > *widest ? cell.width : *widest;
	t->used += sizeof(cell) + len + 1;
	t->n++;
}

void table_text(struct table *t, const char *s)
{
	table_cut(t, s, TABLE_CELL - 1);
}

void table_add(struct table *t, const char *fmt, ...)
{
	char text[TABLE_CELL];
	va_list ap;

	va_start(ap, fmt);
	format_args(text, sizeof(text), fmt, ap);
	va_end(ap);
	table_text(t, text);
}

/* Returns the cell at *next, which then points behind it. */
static const char *take_cell(const char **next, struct table_cell *cell)
{
	const char *text = *next + sizeof(*cell);

	memcpy(cell, *next, sizeof(*cell));
	*next = text + cell->len + 1;
	return text;
}

/* pad: columns that it leaves empty. */
static void put_cell(struct emit_row *r, const char *s, int pad, bool to_right, bool last)
{
	const size_t blanks = pad > 0 ? (size_t)pad : 0;

	if (to_right)
		emit_row_blanks(r, blanks);
	emit_row_cut(r, s, TABLE_CELL);
	if (last)
		emit_row_end(r);
	else
		emit_row_blanks(r, (to_right ? 0 : blanks) + 2);
}

static void print_columns(const struct table *t, size_t parts)
{
	const size_t n = t->columns;
	struct emit_row r;
	struct table_cell cell;

	emit_row_begin(&r, stdout);
	for (size_t c = 0; c < n; c++) {
		const struct table_column *of = &t->column[c];

		put_cell(&r, of->name, t->width[c] - text_width(of->name), of->right, c + 1 == n);
	}
	for (size_t k = 0; k < parts; k++) {
		const char *next = t[k].bytes;

		for (size_t i = 0; i < t[k].n; i++) {
			const char *text = take_cell(&next, &cell);

			put_cell(&r, text, t->width[i % n] - cell.width, t->column[i % n].right, (i + 1) % n == 0);
		}
	}
}

/* Writes a cell of Markdown, where a bar would end it. */
static void put_marked(const char *s, bool first, bool last)
{
	char piece[TABLE_CELL];

	emit(first ? "| " : " ");
	while (*s) {
		const size_t len = strcspn(s, "|");

		snprintf(piece, sizeof(piece), "%.*s", (int)len, s);
		emit("%s", piece);
		s += len;
		if (*s) {
			emit("\\|");
			s++;
		}
	}
	emit(last ? " |\n" : " |");
}

static void print_markdown(const struct table *t, size_t parts)
{
	const size_t n = t->columns;
	struct table_cell cell;

	for (size_t c = 0; c < n; c++)
		put_marked(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].right ? "---:" : "---");
	emit("\n");
	for (size_t k = 0; k < parts; k++) {
		const char *next = t[k].bytes;

		for (size_t i = 0; i < t[k].n; i++)
			put_marked(take_cell(&next, &cell), i % n == 0, (i + 1) % n == 0);
	}
}

/* The first part has the greatest widths of all. */
static int print(struct table *t, size_t parts, bool markdown)
{
	bool failed = false;
	size_t cells = 0;

	for (size_t k = 0; k < parts; k++) {
		cells += t[k].n;
		failed = failed || t[k].failed;
	}
	if (cells && !failed && markdown)
		print_markdown(t, parts);
	else if (cells && !failed)
		print_columns(t, parts);
	for (size_t k = 0; k < parts; k++) {
		free(t[k].bytes);
		t[k].bytes = NULL;
		t[k].used = t[k].room = t[k].n = 0;
	}
	return failed ? -1 : 0;
}

int table_print(struct table *t, bool markdown)
{
	return print(t, 1, markdown);
}

/* ---- in parts */

struct filling {
	struct tables *t;
	size_t n, parts;
	void (*add)(struct table *t, const void *of, size_t i);
	const void *of;
};

static void fill_part(void *arg, size_t part)
{
	const struct filling *f = arg;
	const size_t each = f->n / f->parts, end = part + 1 < f->parts ? each * (part + 1) : f->n;

	for (size_t i = each * part; i < end; i++)
		f->add(&f->t->part[part], f->of, i);
}

size_t tables_fill(struct tables *t, size_t n, void (*add)(struct table *t, const void *of, size_t i), const void *of)
{
	enum { FEW = 10000 };
	struct filling f = { t, n, n < FEW || threads_wanted() < 2 ? 1 : TABLE_PARTS, add, of };
	struct table *const first = t->part;
	size_t cells = 0;

	for (size_t k = 1; k < TABLE_PARTS; k++)
		t->part[k] = *first;
	threads_run(NULL, f.parts, fill_part, &f);
	for (size_t k = 0; k < TABLE_PARTS; k++) {
		cells += t->part[k].n;
		for (size_t c = 0; c < first->columns; c++)
			if (t->part[k].width[c] > first->width[c])
				first->width[c] = t->part[k].width[c];
	}
	return cells / first->columns;
}

int tables_print(struct tables *t, bool markdown)
{
	return print(t->part, TABLE_PARTS, markdown);
}
