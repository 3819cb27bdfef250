#include "diff/table.h"

#include "render/emit.h"
#include "render/text.h"

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
	vsnprintf(text, sizeof(text), fmt, ap);
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

static void print_columns(const struct table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct emit_row r;
	struct table_cell cell;

	emit_row_begin(&r, stdout);
	for (size_t c = 0; c < n; c++) {
		const struct table_column *of = &t->column[c];

		put_cell(&r, of->name, t->width[c] - text_width(of->name), of->right, c + 1 == n);
	}
	for (size_t i = 0; i < t->n; i++) {
		const char *text = take_cell(&next, &cell);

		put_cell(&r, text, t->width[i % n] - cell.width, t->column[i % n].right, (i + 1) % n == 0);
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

static void print_markdown(const struct table *t)
{
	const size_t n = t->columns;
	const char *next = t->bytes;
	struct table_cell cell;

	for (size_t c = 0; c < n; c++)
		put_marked(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].right ? "---:" : "---");
	emit("\n");
	for (size_t i = 0; i < t->n; i++)
		put_marked(take_cell(&next, &cell), i % n == 0, (i + 1) % n == 0);
}

int table_print(struct table *t, bool markdown)
{
	if (t->n && !t->failed && markdown)
		print_markdown(t);
	else if (t->n && !t->failed)
		print_columns(t);
	free(t->bytes);
	t->bytes = NULL;
	t->used = t->room = t->n = 0;
	return t->failed ? -1 : 0;
}
