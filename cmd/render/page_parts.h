/* What the parts of a page share: cmd/render/page*.c only. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "render/page.h"

#include <stdarg.h>

struct page_row {
	char *cell[PAGE_COLUMNS];
	enum page_tone tone;
	bool rule;
	size_t rule_column;
};

/* Columns of a terminal, one for each character. */
int page_columns_of(const char *s, size_t len);
int page_width_of(const char *s);

/* Bytes of s that fit into so many columns, cut at a blank if there is one. */
size_t page_fitting(const char *s, int columns);

/* What was said, fit for the page; yours to free, NULL without memory. */
char *page_clean(struct page *p, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* A line of the page: indent and len bytes of s, without blanks at its end. */
void page_add_line(struct page *p, const char *indent, const char *s, size_t len,
		   enum page_tone tone);

/* Adds to the words at hand. */
void page_add_bytes(struct page *p, const char *s, size_t n);

/* Forgets the rows of the table at hand. */
void page_free_rows(struct page *p);

#endif
