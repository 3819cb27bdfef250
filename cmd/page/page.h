/* A page of headings, paragraphs and tables, as text of a given width, as Markdown or as HTML. Whatever is said is made
 * harmless here: control bytes become visible, what means something in Markdown or HTML is escaped. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "fs/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum page_form { PAGE_TEXT, PAGE_MARKDOWN, PAGE_HTML /* lines of elements, for the body of a document */ };
enum page_tone { TONE_PLAIN, TONE_HEADING, TONE_TOTAL };

struct page_ops;

struct page_line {
	char *text;
	enum page_tone tone;
};

enum page_align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_POINT /* decimal points below each other */ };
enum { PAGE_COLUMNS = 8, PAGE_LABEL = 17 /* columns of a label */ };

/* The last column of a table is wrapped if the line gets too long. */
struct page_column {
	const char *heading;
	enum page_align align;
};

struct page {
	struct page_line *line;
	size_t n, cap;
	bool failed; /* out of memory: the page is not whole */
	const struct page_ops *ops; /* of its form */
	int width;
	bool titled; /* it has a heading */
	bool utf8; /* false: what is not ASCII is replaced */
	/* the paragraph at hand */
	char *words;
	size_t len, room;
	/* the table at hand */
	const struct page_column *column;
	char *heading[PAGE_COLUMNS]; /* harmless copies */
	size_t columns, rows, rows_cap, cells; /* cells: of the row at hand */
	struct page_row *row;
};

void page_init(struct page *p, enum page_form form, int width, bool utf8);
void page_free(struct page *p);

void page_heading(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds words to the paragraph at hand, with a blank before them; page_end closes it. */
void page_say(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same without the blank. */
void page_join(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A paragraph behind a label, all its lines below each other. */
void page_labelled(struct page *p, const char *label, const char *text);
void page_end(struct page *p);
void page_gap(struct page *p); /* an empty line, never two */

void page_table(struct page *p, const struct page_column *columns, size_t n);
void page_cell(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_row(struct page *p, enum page_tone tone); /* ends the row; cells not given are empty */
void page_rule(struct page *p, size_t column);      /* a line under that column */
void page_table_end(struct page *p);

/* All lines, with colours if asked for. */
void page_print(const struct page *p, FILE *out, bool colour);

/* Adds the text of what_if_print (input/input.h) as the first lines of the page. */
void what_if_page(struct page *p, const fs_snapshot *s);

/* Curves in text. */

/* A curve of n numbers, NAN none, as blocks of that height, the scale on the left, and below its ends what they are;
 * nothing if it never changes. */
void plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
		int decimals);

/* What the parts of a page share: cmd/page only. */

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

/* Bytes of s that fit into so many columns, cut at a blank if there is one. */
size_t page_fitting(const char *s, int columns);

#endif
