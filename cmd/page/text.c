/* A page as text of a given width: paragraphs wrapped, columns aligned, the last one of a table wrapped. */
#include "page/parts.h"

#include <string.h>

size_t page_fitting(const char *s, int columns)
{
	size_t at = 0, blank = 0;
	int n = 0;

	while (s[at] && n <= columns) {
		if (s[at] == ' ')
			blank = at;
		if (n == columns)
			break;
		at++;
		while (((unsigned char)s[at] & 0xc0) == 0x80)
			at++;
		n++;
	}
	if (!s[at])
		return at;
	return blank ? blank : at;
}

static void put_labelled(struct page *p, const char *label, const char *s)
{
	char before[PAGE_LABEL + 1];

	snprintf(before, sizeof(before), "%-*s", PAGE_LABEL, label);
	for (bool first = true; first || *s; first = false) {
		const size_t n = page_fitting(s, p->width - PAGE_LABEL);

		if (!first)
			memset(before, ' ', PAGE_LABEL);
		page_add_line(p, before, s, n, TONE_PLAIN);
		s += n;
		s += strspn(s, " ");
	}
}

static void wrap(struct page *p, const char *s, enum page_tone tone)
{
	while (*s) {
		const size_t n = page_fitting(s, p->width);

		page_add_line(p, "", s, n, tone);
		s += n;
		s += strspn(s, " ");
	}
}

static void put_heading(struct page *p, const char *s)
{
	wrap(p, s, TONE_HEADING);
}

static void put_paragraph(struct page *p)
{
	wrap(p, p->words, TONE_PLAIN);
}

/* ---- tables */

static int before_point(const char *s)
{
	const char *dot = strchr(s, '.');

	return dot ? page_columns_of(s, (size_t)(dot - s)) : page_width_of(s);
}

struct widths {
	int all[PAGE_COLUMNS], left[PAGE_COLUMNS]; /* left: of the decimal point */
};

/* Blanks before what a cell says. */
static int blanks_before(const struct page *p, const struct widths *w, size_t k, const char *s)
{
	return p->column[k].align == ALIGN_RIGHT   ? w->all[k] - page_width_of(s)
	       : p->column[k].align == ALIGN_POINT ? w->left[k] - before_point(s)
						   : 0;
}

static const char gap[] = "  ";

/* What runs over the empty cells behind it ends before the next one begins. */
static void make_room(const struct page *p, struct widths *w, const struct page_row *row, size_t k)
{
	int room = w->all[k];
	size_t next = k + 1;

	for (; next < p->columns && !*page_cell_of(row, next); next++)
		room += (int)strlen(gap) + w->all[next];
	if (next < p->columns)
		room += blanks_before(p, w, next, page_cell_of(row, next));
	if (page_width_of(page_cell_of(row, k)) > room)
		w->all[k] += page_width_of(page_cell_of(row, k)) - room;
}

static void measure(const struct page *p, struct widths *w)
{
	*w = (struct widths){ 0 };
	for (size_t k = 0; k < p->columns; k++) {
		int right = 0;

		for (size_t i = 0; i < p->rows; i++) {
			const char *s = page_cell_of(&p->row[i], k);
			const int all = page_width_of(s), left = before_point(s);

			if (page_runs_over(p, &p->row[i], k))
				continue;
			w->left[k] = left > w->left[k] ? left : w->left[k];
			right = all - left > right ? all - left : right;
			w->all[k] = all > w->all[k] ? all : w->all[k];
		}
		if (p->column[k].align == ALIGN_POINT)
			w->all[k] = w->left[k] + right;
		if (page_width_of(page_heading_of(p, k)) > w->all[k]) {
			const int more = page_width_of(page_heading_of(p, k)) - w->all[k];

			w->all[k] += more;
			w->left[k] += more;
		}
	}
	for (size_t i = 0; i < p->rows; i++)
		for (size_t k = 0; k < p->columns; k++)
			if (page_runs_over(p, &p->row[i], k))
				make_room(p, w, &p->row[i], k);
}

static void put_blanks(struct page *p, int n)
{
	for (; n > 0; n--)
		page_add_bytes(p, " ", 1);
}

/* Puts a cell into the current line without its trailing blanks; returns how many blanks come before the next cell. */
static int put_cell(struct page *p, const struct widths *w, size_t k, const char *s, bool heading)
{
	const enum page_align align =
		heading && p->column[k].align == ALIGN_POINT ? ALIGN_RIGHT : p->column[k].align;
	const int width = page_width_of(s);
	const int before = align == p->column[k].align ? blanks_before(p, w, k, s) : w->all[k] - width;

	put_blanks(p, before);
	page_add_bytes(p, s, strlen(s));
	return w->all[k] - before - width;
}

static const int min_last = 18; /* narrower, the last column goes below its row */

/* Is there room for it behind its row, in so many columns from the left? */
static bool stands_beside(const struct page *p, const char *s, int at)
{
	return page_width_of(s) <= p->width - at || p->width - at >= min_last;
}

/* Puts the last column into what is left of the width, or below if that is too little. */
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
		cells[k] = page_heading_of(p, k);
	put_text_row(p, &w, cells, TONE_PLAIN, true);
	for (size_t i = 0; i < p->rows; i++) {
		for (size_t k = 0; k < p->columns; k++)
			cells[k] = page_cell_of(&p->row[i], k);
		if (p->row[i].rule)
			put_text_rule(p, &w, p->row[i].rule_column);
		else
			put_text_row(p, &w, cells, p->row[i].tone, false);
	}
}

const struct page_ops page_text_ops = { "  ", 1, NULL, put_heading, put_labelled, put_paragraph, put_text_table };
