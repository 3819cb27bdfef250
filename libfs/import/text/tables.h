/* Rows of several tables about the same things, merged by key: what one lacks another may have. */
#ifndef FSI_IMPORT_TEXT_TABLES_H
#define FSI_IMPORT_TEXT_TABLES_H

#include "base/memory.h"
#include "import/text/text.h"

struct fsi_text_merge {
	struct fsi_text *t;
	const char *what; /* what rows are of, for messages: "job" */
	size_t fields, n, cap;
	struct fsi_intern keys;
	struct fsi_span *v, *key; /* v: n * fields; key: n */
	uint32_t *no, *said; /* lines of the paste: where each row began; where each field (n * fields) was told */
	size_t differ;	     /* fields of which two tables say different things */
	char first[300];
};

/* The row of the key, new with empty fields if need be; UINT32_MAX without memory. */
uint32_t fsi_text_merge_row(struct fsi_text_merge *m, struct fsi_span key, uint32_t no);

uint32_t fsi_text_merge_find(const struct fsi_text_merge *m, struct fsi_span key); /* UINT32_MAX: none */

/* Sets a field. The first value that was told stays; a different one is counted. name: the column, for messages. */
void fsi_text_merge_set(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			uint32_t no);

/* Warns of fields that differ, and frees. */
int fsi_text_merge_end(struct fsi_text_merge *m, int rc);

/* A line of a table in the making; what does not fit leaves it full. */
struct fsi_text_row {
	char text[8192];
	size_t n;
	bool full;
};
void fsi_text_row_add(struct fsi_text_row *l, struct fsi_span v, const char *sep);
struct fsi_span fsi_text_row_span(const struct fsi_text_row *l);

/* Writes the heading of a file, unless the file is there. */
int fsi_text_heading(struct fsi_text *t, const char *file, const char *heading);

/* A table as it stands in a paste: where each column is, and its rows as they were before a terminal folded them. */

struct fsi_text_grid {
	const struct fsi_text *t;
	const struct fsi_text_piece *p;
	size_t wide;  /* of the longest line */
	size_t folds; /* lines that the heading takes */
	size_t n;     /* columns */
	struct fsi_span word[FSI_TEXT_COLUMNS_MAX];   /* of the heading */
	size_t begin[FSI_TEXT_COLUMNS_MAX], end[FSI_TEXT_COLUMNS_MAX]; /* of the heading's words */
	size_t from[FSI_TEXT_COLUMNS_MAX], to[FSI_TEXT_COLUMNS_MAX];   /* of the cells; `to` is behind the last byte */
	bool fixed; /* by dashes: a column is as wide as they are */
	struct fsi_text_lines rows; /* unfolded */
};

static inline bool fsi_text_of_jobs(enum fsi_text_kind kind)
{
	return kind == TEXT_SQUEUE || kind == TEXT_SPRIO;
}

/* Up to max words of a line. */
size_t fsi_text_words(struct fsi_span line, struct fsi_span *word, size_t max);

size_t fsi_text_widest(const struct fsi_text *t, const struct fsi_text_piece *p); /* length of its longest line */
/* Lines [from, from + n) as one, each but the last filled up to `wide` columns; NULL without memory. */
struct fsi_span fsi_text_joined(struct fsi_text *t, size_t wide, size_t from, size_t n);

/* Reads the heading, over as many lines as it takes; 1 when some of it cannot be read. */
int fsi_text_read_heading(struct fsi_text *t, struct fsi_text_grid *g);

/* Collects all rows below line `at`. */
int fsi_text_collect_rows(struct fsi_text *t, struct fsi_text_grid *g, size_t at);

/* Does the line begin a row, by the job's id in its column? */
bool fsi_text_job_begins(const struct fsi_text_grid *g, struct fsi_span line);

#endif
