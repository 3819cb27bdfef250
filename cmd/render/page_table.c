/* Tables of a page: aligned columns of text, the last one wrapped, or Markdown. */
#include "render/page_parts.h"

#include <stdlib.h>
#include <string.h>

/* NULL without memory. */
__attribute__((format(printf, 2, 3))) static char *clean_heading(struct page *p, const char *fmt,
								 ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = page_clean(p, fmt, ap);
	va_end(ap);
	p->failed = p->failed || !s;
	return s;
}

static const char *heading_of(const struct page *p, size_t k)
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
		p->heading[k] = clean_heading(p, "%s", columns[k].heading);
}

static struct page_row *row_at_hand(struct page *p)
{
	if (p->rows == p->rows_cap) {
		const size_t cap = p->rows_cap ? p->rows_cap * 2 : 32;
		struct page_row *v = realloc(p->row, cap * sizeof(*v));

		if (!v) {
			p->failed = true;
			return NULL;
		}
		p->row = v;
		p->rows_cap = cap;
	}
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
	if (!s)
		p->failed = true;
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

static const char *cell_of(const struct page_row *r, size_t k)
{
	return r->cell[k] ? r->cell[k] : "";
}

static int before_point(const char *s)
{
	const char *dot = strchr(s, '.');

	return dot ? page_columns_of(s, (size_t)(dot - s)) : page_width_of(s);
}

struct widths {
	int all[PAGE_COLUMNS], left[PAGE_COLUMNS]; /* left: of the decimal point */
};

/* A cell of the first column runs over empty ones behind it. */
static bool runs_over(const struct page *p, const struct page_row *r, size_t k)
{
	return !k && p->columns > 2 && !*cell_of(r, 1);
}

static void measure(const struct page *p, struct widths *w)
{
	*w = (struct widths){ 0 };
	for (size_t k = 0; k < p->columns; k++) {
		int right = 0;

		for (size_t i = 0; i < p->rows; i++) {
			const char *s = cell_of(&p->row[i], k);
			const int all = page_width_of(s), left = before_point(s);

			if (runs_over(p, &p->row[i], k))
				continue;
			w->left[k] = left > w->left[k] ? left : w->left[k];
			right = all - left > right ? all - left : right;
			w->all[k] = all > w->all[k] ? all : w->all[k];
		}
		if (p->column[k].align == ALIGN_POINT)
			w->all[k] = w->left[k] + right;
		if (page_width_of(heading_of(p, k)) > w->all[k]) {
			const int more = page_width_of(heading_of(p, k)) - w->all[k];

			w->all[k] += more;
			w->left[k] += more;
		}
	}
}

static void put_blanks(struct page *p, int n)
{
	for (; n > 0; n--)
		page_add_bytes(p, " ", 1);
}

/* One cell into the line at hand, without its trailing blanks; returns how many are owed. */
static int put_cell(struct page *p, const struct widths *w, size_t k, const char *s, bool heading)
{
	const enum page_align align =
		heading && p->column[k].align == ALIGN_POINT ? ALIGN_RIGHT : p->column[k].align;
	const int width = page_width_of(s);
	const int before = align == ALIGN_RIGHT   ? w->all[k] - width
			   : align == ALIGN_POINT ? w->left[k] - before_point(s)
						  : 0;

	put_blanks(p, before);
	page_add_bytes(p, s, strlen(s));
	return w->all[k] - before - width;
}

static const char gap[] = "  ";
static const int min_last = 18; /* narrower, the last column goes below its row */

/* Is there room for it behind its row, in so many columns from the left? */
static bool stands_beside(const struct page *p, const char *s, int at)
{
	return page_width_of(s) <= p->width - at || p->width - at >= min_last;
}

/* The last column in what is left of the width, or below when that is too little. */
static void put_last(struct page *p, const char *s, int at, enum page_tone tone)
{
	const int deep = stands_beside(p, s, at) ? at : 8;
	size_t n;

	if (deep != at) {
		page_add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		put_blanks(p, deep);
	}
	do {
		n = page_fitting(s, p->width - deep);
		page_add_bytes(p, s, n);
		page_add_line(p, "", p->words, p->len, tone);
		p->len = 0;
		s += n;
		s += strspn(s, " ");
		if (*s)
			put_blanks(p, deep);
	} while (*s);
}

static void put_text_row(struct page *p, const struct widths *w, const char *const *cells,
			 enum page_tone tone, bool heading)
{
	int owed = (int)strlen(gap), at = owed;

	for (size_t k = 0; k < p->columns; k++) {
		const bool last = k + 1 == p->columns;

		if (last && *cells[k] && p->column[k].align == ALIGN_LEFT) {
			put_blanks(p, stands_beside(p, cells[k], at) ? owed : 0);
			put_last(p, cells[k], at, tone);
			return;
		}
		if (*cells[k]) {
			put_blanks(p, owed);
			owed = put_cell(p, w, k, cells[k], heading);
		} else {
			owed += w->all[k];
		}
		owed += (int)strlen(gap);
		at += w->all[k] + (int)strlen(gap);
	}
	page_add_line(p, "", p->words, p->len, tone);
	p->len = 0;
}

static void put_text_rule(struct page *p, const struct widths *w, size_t column)
{
	int at = (int)strlen(gap);

	for (size_t k = 0; k < column; k++)
		at += w->all[k] + (int)strlen(gap);
	put_blanks(p, at);
	for (int i = 0; i < w->all[column]; i++)
		page_add_bytes(p, "-", 1);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_text_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];
	struct widths w;

	measure(p, &w);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = heading_of(p, k);
	put_text_row(p, &w, cells, TONE_PLAIN, true);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = cell_of(&p->row[i], k);
		if (p->row[i].rule)
			put_text_rule(p, &w, p->row[i].rule_column);
		else
			put_text_row(p, &w, cells, p->row[i].tone, false);
	}
}

/* Cells are clean already. */
static void put_markdown_row(struct page *p, const char *const *cells)
{
	for (size_t k = 0; k < p->columns; k++) {
		const char *s = cells[k] + strspn(cells[k], " ");

		page_add_bytes(p, "| ", 2);
		page_add_bytes(p, s, strlen(s));
		page_add_bytes(p, " ", 1);
	}
	page_add_bytes(p, "|", 1);
	page_add_line(p, "", p->words, p->len, TONE_PLAIN);
	p->len = 0;
}

static void put_markdown_table(struct page *p)
{
	const char *cells[PAGE_COLUMNS];

	page_gap(p);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = heading_of(p, k);
	put_markdown_row(p, cells);
	for (size_t k = 0; k < p->columns; k++)
		cells[k] = p->column[k].align == ALIGN_LEFT ? "---" : "---:";
	put_markdown_row(p, cells);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = cell_of(&p->row[i], k);
		if (!p->row[i].rule)
			put_markdown_row(p, cells);
	}
	page_gap(p);
}

void page_table_end(struct page *p)
{
	p->len = 0;
	if (p->failed)
		return;
	if (p->form == PAGE_MARKDOWN)
		put_markdown_table(p);
	else
		put_text_table(p);
	page_free_rows(p);
}
