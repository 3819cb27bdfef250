/* A page of headings, paragraphs and tables, written as text of a given width, as Markdown, or as lines of HTML.
 *
 * The page owns copies of all text. The functions make every text safe: control bytes become visible, and characters
 * with a meaning in Markdown or HTML are escaped. After an allocation failure `failed` is set and the page is
 * incomplete; the functions do not report the failure. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "fs/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum page_form { PAGE_TEXT, PAGE_MARKDOWN, PAGE_HTML /* elements of the body of an HTML document, one per line */ };
enum page_tone { TONE_PLAIN, TONE_HEADING, TONE_TOTAL };

struct page_ops;

struct page_line {
	char *text;
	enum page_tone tone;
};

enum page_align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_POINT /* decimal points are aligned */ };
enum { PAGE_COLUMNS = 8, PAGE_LABEL = 17 /* width of the label of a labelled paragraph, in columns */ };

/* A column of a table. In text pages, cells of the last column are wrapped if the line is too long. */
struct page_column {
	const char *heading;
	enum page_align align;
};

struct page {
	struct page_line *lines;
	size_t n, cap;
	bool failed;                /* out of memory: the page is incomplete */
	const struct page_ops *ops; /* functions that write the page in its form: text, Markdown or HTML */
	int width;
	bool titled; /* the page has a heading already */
	bool utf8;   /* false: non-ASCII characters are replaced by ASCII characters */
	/* text of the current paragraph, or of the current line of a table */
	char *paragraph;
	size_t paragraph_len, paragraph_cap;
	/* the current table: alignment and heading of each column; the headings are escaped copies */
	enum page_align align[PAGE_COLUMNS];
	char *heading[PAGE_COLUMNS];
	/* `rows_cap`: capacity of `row`; `cells`: number of cells in the current row of the table */
	size_t columns, rows, rows_cap, cells;
	struct page_table_row *row;
};

void page_init_form(struct page *p, enum page_form form, int width, bool utf8);
void page_free_text(struct page *p);

void page_add_heading(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends text to the current paragraph, separated by a blank. page_end_paragraph ends the paragraph. */
void page_add_sentence(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends text to the current paragraph without a blank. */
void page_append_text(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a paragraph with a label at its left; all its lines begin in the same column, to the right of the label. The
 * label "" continues the labelled paragraph before. */
void page_add_labelled(struct page *p, const char *label, const char *text);
/* Adds a command after a labelled paragraph, on a line of its own, so that it can be copied. Markdown: a code block;
 * HTML: a <pre> element. */
void page_add_command(struct page *p, const char *command);
void page_end_paragraph(struct page *p);
/* Appends text as page_add_sentence does, and ends the paragraph. */
void page_end_with(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_add_gap(struct page *p); /* adds an empty line unless the last line is empty */

void page_begin_table(struct page *p, const struct page_column *columns, size_t n);
/* Begins a table whose columns are listed as AT_LEFT("name"), AT_RIGHT("jobs") or AT_POINT("share"). */
#define PAGE_BEGIN_TABLE(p, ...) \
	page_begin_table(p, (const struct page_column[]){ __VA_ARGS__ }, \
			 sizeof((const struct page_column[]){ __VA_ARGS__ }) / sizeof(struct page_column))
#define AT_LEFT(heading) { heading, ALIGN_LEFT }
#define AT_RIGHT(heading) { heading, ALIGN_RIGHT }
#define AT_POINT(heading) { heading, ALIGN_POINT }
void page_add_cell(struct page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void page_end_row(struct page *p, enum page_tone tone); /* ends the current row; missing cells are empty */
/* Adds a cell for each of the n texts, and ends the row. PAGE_ADD_ROW takes the texts as arguments. */
void page_add_row(struct page *p, enum page_tone tone, const char *const *texts, size_t n);
#define PAGE_ADD_ROW(p, tone, ...) \
	page_add_row(p, tone, (const char *const[]){ __VA_ARGS__ }, \
		     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))
/* adds a row with a rule (dashes) in column `column`, counted from 0 */
void page_add_rule(struct page *p, size_t column);
void page_end_table(struct page *p);

/* Prints all lines of the page. `colour`: headings and totals are colored. */
void page_print_lines(const struct page *p, FILE *out, bool colour);

/* Adds the commands that were applied to the snapshot as the first line of the page: "WHAT IF: COMMAND; COMMAND". Adds
 * nothing if there are none. */
void page_add_what_if(struct page *p, const fs_snapshot *s);

/* Adds a plot of n numbers (NAN: no number), drawn with block characters. The plot is `height` lines high and has its
 * scale at the left. The labels `first` and `last` are printed below the left and right end. Adds nothing if all
 * numbers are equal. */
void page_plot_curve(struct page *p, const char *first, const char *last, const double *v, size_t n, int height,
		     int decimals);

/* ---- internals of the page */

struct page_table_row {
	char *cell[PAGE_COLUMNS];
	enum page_tone tone;
	bool rule;
	size_t rule_column;
};

/* The functions and sizes that differ between the forms of a page. The texts passed to the functions are already
 * escaped. */
struct page_ops {
	const char *plot_indent; /* indentation of the lines of a plot */
	/* maximum number of bytes that replace one byte when text is escaped */
	size_t growth;
	bool literal_commands;                    /* commands are printed without escapes */
	void (*escape)(char *dst, const char *s); /* escapes a text for the page; NULL: not needed */
	void (*heading)(struct page *p, const char *s);
	void (*labelled)(struct page *p, const char *label, const char *s);
	void (*command)(struct page *p, const char *s);
	void (*paragraph)(struct page *p); /* ends the current paragraph */
	void (*table)(struct page *p);     /* ends the current table */
};

/* Returns the number of bytes of s that fit into `columns` columns. If s does not fit, counts only the bytes before the
 * last blank that fits, if there is one. */
size_t page_count_fitting_bytes(const char *s, int columns);

#endif
