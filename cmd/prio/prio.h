/* The parts of fs-prio: formats of sprio, rows and weights, and the tables of each scheduler. */
#ifndef PRIO_PRIO_H
#define PRIO_PRIO_H

#include "input/input.h"
#include "columns/prio.h"
#include "options/options.h"

/* How fs-prio shows a scheduler's priorities. */

struct prio_run;

struct prio_dialect {
	enum style style;
	const struct prio_layout *layout; /* columns of the terms */
	bool holds;                       /* limits hold jobs back, which is told with the priority */
	/* A page of its own in place of columns, and with -v the jobs that have no priority; exit status. NULL:
	 * columns. */
	int (*page)(const struct prio_run *r);
	int (*blocked)(const struct prio_run *r);
};

extern const struct prio_dialect prio_of_slurm, prio_of_flux;

/* fs-prio: what the command line asks for, and how the request is run. */

/* The columns of one kind of terms that have a letter. */
struct prio_layout {
	unsigned layout; /* those of the table that are in it */
	const char *order; /* in which --helpformat lists the letters; others follow */
	const char *(*format)(bool wide, bool norm); /* the default; NULL: sprio's, by the weights */
};

extern const struct prio_layout prio_slurm_layout, prio_flux_layout;

/* A format: `%[.][width]letter[text]...` as sprio reads it. */
struct prio_field {
	const struct prio_column *column;
	int width; /* 0: as wide as the text */
	bool right;
	char *suffix;
	size_t suffix_len;
};

struct prio_format {
	char *prefix; /* before each row */
	struct prio_field *field;
	size_t n;
};

struct prio_run {
	const struct invocation *inv;
	const char *program; /* as it was called */
	bool jobs_asked;     /* -j, with a list or without */
	struct input input;
	struct names jobs, users, partitions, states, clusters;
	const char *format_text, *sort, *subtree;
	bool me, no_header, parsable, wide, norm, weights, sibling, local, version, letters, metrics, weights_report;
	const char *history; /* the folder */
	const char *svg;     /* the file for the picture */
	bool csv, plot;
	enum json_form json;
	int verbose;
	size_t missing; /* names asked for that are not there */
	unsigned compat;
	fs_snapshot *snapshot;
	fs_usage *usage;
	fs_prios *prios;
	fs_holds *holds; /* NULL: no limits that are told here */
	struct prio_source source; /* what the columns are of: all of these */
	const struct prio_layout *layout;
	struct prio_format format;
	size_t *rows, n;
	uint64_t *place; /* fs_jobs_listed, while rows are sorted */
};

/* ---- letters and formats. The version whose letters count: 0 all */

/* Is it one of the layout in this version? */
bool prio_layout_has(const struct prio_layout *l, const struct prio_column *c, unsigned version);

/* NULL if there is none in this version. */
const struct prio_column *prio_letter_find(const struct prio_layout *l, char letter, unsigned version);

/* Takes the columns from a format. Unknown letters are reported and dropped with the text behind them. -1 without
 * memory. */
int prio_format_parse(struct prio_run *r, const char *text, unsigned version);
void prio_format_free(struct prio_format *f);

/* sprio's own formats (src/sprio/sprio.c): by default the columns whose weight is not zero. */
void prio_default_format(const struct prio_run *r, char *buf, size_t size);
const char *prio_long_format(bool norm, unsigned version);

/* ---- rows */

/* ---- output */

void prio_print_header(const struct prio_run *r);
void prio_print_weights(const struct prio_run *r);
void prio_print_row(FILE *out, const struct prio_run *r, const struct fs_prio_row *row);

#endif
