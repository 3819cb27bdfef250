/* The columns of job priorities. A row is a job in one partition (struct fs_prio_row). Each row has one struct
 * fs_prio_term for each term of its priority sum. */
#ifndef COLUMNS_PRIO_H
#define COLUMNS_PRIO_H

#include "columns/column.h"
#include "fs/priority.h"

/* The data that all rows of a priority table use. The struct does not own the objects that its members point to. */
struct prio_source {
	const fs_snapshot *snapshot;
	const fs_prios *prios;
	/* limits on the number of jobs whose age grows; NULL: the scheduler has none, or they were not computed */
	const fs_accrue *accrue;
	/* the limits that hold jobs back, under Flux; NULL under other schedulers */
	const fs_holds *holds;
};

/* How a table prints the value of a column. */
enum prio_form {
	FORM_PLAIN,    /* a text or a whole number */
	FORM_JOBID,    /* a whole number; in the row of weights this column contains the word "Weights" */
	FORM_NULLABLE, /* a text; an empty text is printed as "(null)" */
	FORM_NULL,     /* the text "(null)" in every row, as sprio prints it; no text if the column is too narrow */
	FORM_FACTOR,   /* a number with seven decimals */
	FORM_DECIMAL,  /* a number with the fewest decimals that identify it, at most ten */
	FORM_OF_MAX,   /* a fraction of the highest possible priority, 4294967295 */
	FORM_TRES,     /* a list of TRES, each with its points */
	FORM_TRES_SHARE, /* a list of TRES, each with its factor */
	FORM_F58, /* a Flux job id in base 58 */
	/* the reasons that hold a Flux job back; a reason that is a limit is printed with the limit's value and
	 * usage */
	FORM_REASONS
};

/* The value that a table is sorted by if a sort key names the column. */
enum prio_sort {
	SORT_VALUE, /* the value that the column shows */
	SORT_POINTS, /* points of the term: sprio sorts rows by the points if the sort key is a column of factors */
	SORT_SUM,    /* the priority sum before it is cut to a whole number; a sum below 1 counts as 1 */
	SORT_EQUAL,  /* the column is a valid sort key, but does not change the order of the rows */
	SORT_NEVER /* the column is not a valid sort key */
};

/* Bits for the table layouts that have formats with one letter per column. PRIO_SPRIO: the layout of sprio. PRIO_FLUX:
 * the layout of fs-prio for Flux. */
enum { PRIO_SPRIO = 1, PRIO_FLUX = 2 };

struct prio_column {
	struct column column; /* describes struct fs_prio_term if `of_term` is set, otherwise struct fs_prio_row */
	/* the column shows a value of one term of the priority sum; `factor` selects the term */
	bool of_term;
	enum fs_factor factor; /* if `of_term` is set: the factor of the term; otherwise unused */
	char letter;	       /* letter that names the column in formats; '\0': none, the column exists only in JSON */
	unsigned layouts;      /* the layouts whose formats accept `letter`: PRIO_SPRIO, PRIO_FLUX or both */
	enum prio_form form;
	enum prio_sort sort;
	enum fs_slurm_feature since; /* first Slurm version whose sprio has the column */
};

/* The columns of the JSON document, in its order, followed by the columns that only tables have. An element without
 * help text ends the array. */
extern const struct prio_column prio_columns[];

/* Sets *out to the value of column `c` for the job of `row`. */
void prio_get_value(const struct prio_column *c, const struct prio_source *of, const struct fs_prio_row *row,
		    struct value *out);

void prio_write_json_row(struct fs_json *j, const struct prio_source *of, const struct fs_prio_row *row);

/* prio_write_term writes a term as a JSON object. prio_write_accrue writes the member "accrue" of the current JSON
 * object: whether the job's age grows and, if not, which limit stops it. If `a` is NULL, the scheduler has no such
 * limits, and prio_write_accrue writes null. */
void prio_write_term(struct fs_json *j, const struct fs_prio_term *t);
/* Writes the term "unexplained": the points that the terms do not explain. Writes nothing if there are none. */
void prio_write_unexplained(struct fs_json *j, double points);
void prio_write_accrue(struct fs_json *j, const struct fs_accrue_row *a);

/* Writes a JSON array of the terms whose factor was reduced by a cap. */
void prio_write_capped_terms(struct fs_json *j, const struct fs_prio_term *terms, size_t n);

/* The columns of struct fs_cap_row, in the order of the JSON. The first PRIO_CAP_KIND columns describe the job, the
 * others the cap that holds the job back. */
enum { PRIO_CAP_KIND = 4, PRIO_CAP_COLUMNS = 10 };
extern const struct column prio_cap_columns[PRIO_CAP_COLUMNS];

/* Returns the points of a term divided by its weight, the number that sprio prints as the factor; 0 if the weight is
 * 0. */
double prio_compute_term_factor(const struct fs_prio_term *t);

#endif
