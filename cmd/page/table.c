/* Tables of a page: rows and cells as they are said. */
#include "page/parts.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

const char *page_heading_of(const struct page *p, size_t k)
{
	return p->heading[k] ? p->heading[k] : "";
}

void page_table(struct page *p, const struct page_column *columns, size_t n)
{
	page_end(p);
	page_free_rows(p);
	p->column = columns;
	p->columns = n;
	for (size_t k = 0; k < n; k++)
		p->heading[k] = page_cleaned(p, "%s", columns[k].heading);
}

static struct page_row *row_at_hand(struct page *p)
{
	struct page_row *v = room_for_one(p->row, p->rows, &p->rows_cap, sizeof(*v));

	if (!v) {
		p->failed = true;
		return NULL;
	}
	p->row = v;
	return &p->row[p->rows];
}

static void start_row(struct page *p)
{
	struct page_row *r = row_at_hand(p);

	if (r)
		*r = (struct page_row){ 0 };
}

void page_cell(struct page *p, const char *fmt, ...)
{
	va_list ap;
	char *s;

	if (!p->cells)
		start_row(p);
	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	if (!s || p->rows == p->rows_cap || p->cells == PAGE_COLUMNS) {
		free(s);
		return;
	}
	p->row[p->rows].cell[p->cells++] = s;
}

void page_row(struct page *p, enum page_tone tone)
{
	if (!p->cells)
		start_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows++].tone = tone;
	p->cells = 0;
}

void page_rule(struct page *p, size_t column)
{
	start_row(p);
	if (p->rows == p->rows_cap)
		return;
	p->row[p->rows].rule = true;
	p->row[p->rows].rule_column = column;
	p->rows++;
}

const char *page_cell_of(const struct page_row *r, size_t k)
{
	return r->cell[k] ? r->cell[k] : "";
}

bool page_runs_over(const struct page *p, const struct page_row *r, size_t k)
{
	return !k && p->columns > 2 && !*page_cell_of(r, 1);
}

void page_table_end(struct page *p)
{
	p->len = 0;
	if (p->failed)
		return;
	p->ops->table(p);
	page_free_rows(p);
}
