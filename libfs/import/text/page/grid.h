/* A table as it stands in a paste: where each column is, and its rows as they were before a terminal folded them. */
#ifndef FSI_IMPORT_TEXT_PAGE_GRID_H
#define FSI_IMPORT_TEXT_PAGE_GRID_H

#include "import/text/text.h"

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
