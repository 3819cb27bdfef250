#include "diff/table.h"

#include "render/emit.h"
#include "render/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void table_column(struct table *t, const char *name, bool right)
{
	t->column[t->columns++] = (struct table_column){ name, right };
}

void table_add(struct table *t, const char *fmt, ...)
{
	char text[TABLE_CELL];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (t->n == t->cap) {
		const size_t cap = t->cap ? t->cap * 2 : 64;
		char **cell = realloc(t->cell, cap * sizeof(*cell));

		if (!cell) {
			t->failed = true;
			return;
		}
		t->cell = cell;
		t->cap = cap;
	}
	t->cell[t->n] = strdup(text);
	t->failed = t->failed || !t->cell[t->n];
	t->n += t->cell[t->n] != NULL;
}

static void put_cell(const char *s, int width, bool to_right, bool last)
{
	const int pad = width - text_width(s);

	if (to_right)
		emit("%*s%s", pad > 0 ? pad : 0, "", s);
	else
		emit("%s%*s", s, last || pad < 0 ? 0 : pad, "");
	emit(last ? "\n" : "  ");
}

static void print_columns(const struct table *t)
{
	const size_t n = t->columns;
	int width[TABLE_COLUMNS];

	for (size_t c = 0; c < n; c++)
		width[c] = text_width(t->column[c].name);
	for (size_t i = 0; i < t->n; i++)
		if (text_width(t->cell[i]) > width[i % n])
			width[i % n] = text_width(t->cell[i]);
	for (size_t c = 0; c < n; c++)
		put_cell(t->column[c].name, width[c], t->column[c].right, c + 1 == n);
	for (size_t i = 0; i < t->n; i++)
		put_cell(t->cell[i], width[i % n], t->column[i % n].right, (i + 1) % n == 0);
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

	for (size_t c = 0; c < n; c++)
		put_marked(t->column[c].name, !c, c + 1 == n);
	for (size_t c = 0; c < n; c++)
		emit("%s%s|", c ? "" : "|", t->column[c].right ? "---:" : "---");
	emit("\n");
	for (size_t i = 0; i < t->n; i++)
		put_marked(t->cell[i], i % n == 0, (i + 1) % n == 0);
}

int table_print(struct table *t, bool markdown)
{
	if (t->n && !t->failed && markdown)
		print_markdown(t);
	else if (t->n && !t->failed)
		print_columns(t);
	for (size_t i = 0; i < t->n; i++)
		free(t->cell[i]);
	free(t->cell);
	t->cell = NULL;
	t->n = t->cap = 0;
	return t->failed ? -1 : 0;
}
