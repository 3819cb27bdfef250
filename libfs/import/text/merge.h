/* Rows of several tables about the same things, merged by key: what one lacks another may have. */
#ifndef FSI_IMPORT_TEXT_MERGE_H
#define FSI_IMPORT_TEXT_MERGE_H

#include "base/memory/intern.h"
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

/* slurm/: take all pieces of their kind. */
int fsi_text_sshare(struct fsi_text *t);
int fsi_text_sprio(struct fsi_text *t);

#endif
