/* Parsing of tables, and merging of rows: rows of several tables that have the same key become one row. A field that
 * one table lacks is taken from another table. The caller owns a struct fsi_text_merge and its arrays, and frees the
 * arrays with fsi_text_merge_finish. Cell texts are owned by the arena of struct fsi_text or are static. */
#ifndef FSI_IMPORT_TEXT_TABLES_H
#define FSI_IMPORT_TEXT_TABLES_H

#include "base/memory.h"
#include "import/text/text.h"

/* Rows merged by key. Each row has the same number of fields. */
struct fsi_text_merge {
	struct fsi_text *t;
	const char *what; /* what a row is called in messages, such as "job" */
	size_t fields, n, cap;
	struct fsi_intern keys;
	/* v: values of all rows, `fields` values for each row; key: indexed by row, key of the row */
	struct fsi_span *v, *key;
	/* no: line number, in the paste, of each row; field_line: line number, in the paste, of each value in `v` */
	uint32_t *no, *field_line;
	/* a later value of a field replaces an earlier one, because the paste has the outputs in the order of time */
	bool keeps_last;
	size_t conflicts;	     /* number of values that differ from an earlier value of the same field */
	/* message about the first value that differs from an earlier value of the same field */
	char first[300];
};

/* Returns the row of the key, adding a row with empty fields if the key is new; UINT32_MAX if out of memory. */
uint32_t fsi_text_merge_add_row(struct fsi_text_merge *m, struct fsi_span key, uint32_t no);

/* Returns the row of the key; UINT32_MAX if there is none. */
uint32_t fsi_text_merge_find_row(const struct fsi_text_merge *m, struct fsi_span key);

/* Sets a field of a row, unless v is empty. If the field has a different value already, counts a conflict, and replaces
 * the value only if m->keeps_last is set. name: the column's name, for messages. */
void fsi_text_merge_set_field(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			      uint32_t no);

/* Adds a warning if rc is 0 and conflicts were counted. Frees the rows. Returns rc, or an error code if the warning
 * cannot be added. */
int fsi_text_merge_finish(struct fsi_text_merge *m, int rc);

/* A line of a table that is being built; `full` is set if some text did not fit. */
struct fsi_text_row {
	char text[8192];
	size_t n;
	bool full;
};
/* Appends v and the separator; appends nothing and sets l->full if v and the separator do not fit. */
void fsi_text_row_append(struct fsi_text_row *l, struct fsi_span v, const char *sep);
struct fsi_span fsi_text_row_span(const struct fsi_text_row *l);

/* Adds a file whose first line is this heading, unless the file exists. */
int fsi_text_add_heading(struct fsi_text *t, const char *file, const char *heading);

/* The layout of a table in the paste: the position of each column, and the rows as they were before a terminal folded
 * them. */

struct fsi_text_grid {
	const struct fsi_text *t;
	const struct fsi_text_piece *p;
	size_t width;  /* length of the longest line */
	/* number of lines into which the heading was folded; each folded row also has this number of lines */
	size_t row_lines;
	size_t n;     /* number of columns */
	struct fsi_span word[FSI_TEXT_COLUMNS_MAX];   /* words of the heading */
	/* positions of the heading's words; `end` is exclusive */
	size_t begin[FSI_TEXT_COLUMNS_MAX], end[FSI_TEXT_COLUMNS_MAX];
	size_t from[FSI_TEXT_COLUMNS_MAX], to[FSI_TEXT_COLUMNS_MAX];   /* positions of the cells; `to` is exclusive */
	bool has_positions; /* the members above are set; otherwise only `n` and `word` */
	bool has_dashes; /* column positions come from a line of dashes below the heading */
	struct fsi_text_lines rows; /* rows; the lines of a row that a terminal folded are joined */
};

/* Returns true if each row of the table begins with a job ID of Slurm. */
static inline bool fsi_text_has_job_rows(enum fsi_text_kind kind)
{
	return kind == TEXT_SQUEUE || kind == TEXT_SACCT || kind == TEXT_SPRIO;
}

/* Returns true if the row may have a value in the cell, but it is not known which word. */
bool fsi_text_is_unknown_cell(struct fsi_span cell);

/* Splits a line at blanks and returns the number of words, at most max; further words are dropped. */
size_t fsi_text_split_words(struct fsi_span line, struct fsi_span *word, size_t max);

/* Returns the length of the longest line of the pasted output p. */
size_t fsi_text_max_width(const struct fsi_text *t, const struct fsi_text_piece *p);
/* Joins the lines [from, from + n) to one line and returns it. All lines except the last are padded with blanks to
 * `width` columns. Returns {NULL, 0} if out of memory. */
struct fsi_span fsi_text_join_lines(struct fsi_text *t, size_t width, size_t from, size_t n);

/* Returns true if all words of the line are headings of columns. */
bool fsi_text_is_heading_rest(enum fsi_text_kind kind, struct fsi_span line);

/* Reads the heading, which may be folded to several lines. Returns 1 if a part of the heading is not recognized. */
int fsi_text_read_heading(struct fsi_text *t, struct fsi_text_grid *g);

/* Adds all rows of the table, from line `at` on, to g->rows. A row that was folded to several lines is joined again. */
int fsi_text_collect_rows(struct fsi_text *t, struct fsi_text_grid *g, size_t at);

/* Returns true if the line begins a row, that is, has a job ID in the first column. */
bool fsi_text_begins_job_row(const struct fsi_text_grid *g, struct fsi_span line);

#endif
