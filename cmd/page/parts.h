/* What the parts of a page share: cmd/page only. */
#ifndef PAGE_PARTS_H
#define PAGE_PARTS_H

#include "page/page.h"

#include <stdarg.h>

struct page_row {
	char *cell[PAGE_COLUMNS];
	enum page_tone tone;
	bool rule;
	size_t rule_column;
};

/* What a form makes of words that are clean: cmd/page/{text,markdown,html}.c. */
struct page_ops {
	const char *plot_indent; /* before a line of a plot */
	size_t growth;				  /* bytes that one becomes, at most */
	void (*escape)(char *dst, const char *s); /* NULL: no byte means more than itself */
	void (*heading)(struct page *p, const char *s);
	void (*labelled)(struct page *p, const char *label, const char *s);
	void (*paragraph)(struct page *p); /* of the words at hand */
	void (*table)(struct page *p);	   /* of the rows at hand */
};
extern const struct page_ops page_text_ops, page_markdown_ops, page_html_ops;

/* Of the table at hand; "" where nothing was said. */
const char *page_heading_of(const struct page *p, size_t k);
const char *page_cell_of(const struct page_row *r, size_t k);
/* Returns whether a cell of the first column may run over the empty cells behind it. */
bool page_runs_over(const struct page *p, const struct page_row *r, size_t k);

/* Columns of a terminal, one for each character. */
int page_columns_of(const char *s, size_t len);
int page_width_of(const char *s);

/* Bytes of s that fit into so many columns, cut at a blank if there is one. */
size_t page_fitting(const char *s, int columns);

/* What was said, fit for the page; yours to free, NULL without memory, and then the page has failed. */
char *page_clean(struct page *p, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
char *page_cleaned(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A line of the page: indent and len bytes of s, without blanks at its end. */
void page_add_line(struct page *p, const char *indent, const char *s, size_t len, enum page_tone tone);

/* Adds to the words at hand. */
void page_add_bytes(struct page *p, const char *s, size_t n);

/* Forgets the rows of the table at hand. */
void page_free_rows(struct page *p);

#endif
