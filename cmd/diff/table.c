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

void table_text(struct table *t, const char *s)
{
	const size_t len = strnlen(s, TABLE_CELL - 1);
	int *widest = &t->width[t->n % t->columns];

	if (!make_room(t, len + 1))
		return;
	memcpy(t->bytes + t->used, s, len);
	t->bytes[t->used + len] = '\0';
	const int width = text_width(t->bytes + t->used);

	*widest = width > *widest ? width : *widest;
	t->used += len + 1;
	t->n++;
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

static void put_cell(struct emit_row *r, const char *s, int width, bool to_right, bool last)
{
	const int pad = width - text_width(s);
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
	const char *cell = t->bytes;
	struct emit_row r;

	emit_row_begin(&r, stdout);
	for (size_t c = 0; c < n; c++)
		put_cell(&r, t->column[c].name, t->width[c], t->column[c].right, c + 1 == n);
	for (size_t i = 0; i < t->n; i++, cell += strlen(cell) + 1)
		put_cell(&r, cell, t->width[i % n], t->column[i % n].right, (i + 1) % n == 0);
}

/* A bar would end the cell. */
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
	const char *cell = t->bytes;

	for (size_t c = 0; c < n; c++)
		put_marked(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].right ? "---:" : "---");
	emit("\n");
	for (size_t i = 0; i < t->n; i++, cell += strlen(cell) + 1)
		put_marked(cell, i % n == 0, (i + 1) % n == 0);
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
