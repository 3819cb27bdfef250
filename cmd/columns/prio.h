/* The columns of job priorities. A row is a job in one partition (struct fs_prio_row). Each row has one struct
 * fs_prio_term for each term of the priority sum. */
#ifndef COLUMNS_PRIO_H
#define COLUMNS_PRIO_H

#include "columns/column.h"
#include "fs/priority.h"

/* The object that the rows belong to. All pointers are borrowed. */
struct prio_source {
	const fs_snapshot *snapshot;
	const fs_prios *prios;
	const fs_accrue *accrue; /* limits on how many jobs age; NULL: none, or not computed */
	/* NULL: the scheduler has no limits that hold jobs back apart from their priority (all but Flux) */
	const fs_holds *holds;
};

/* How a table formats the value of a column. */
enum prio_form {
	FORM_PLAIN,    /* a text or a whole number */
	FORM_JOBID,    /* a whole number; the row of weights has the word "Weights" in this column */
	FORM_NULLABLE, /* a text; sprio passes NULL to printf if it is "" */
	FORM_NULL,     /* sprio always passes NULL to printf */
	FORM_FACTOR,   /* seven decimals */
	FORM_DECIMAL,  /* as few decimals as are needed, at most ten */
	FORM_OF_MAX,   /* the fraction of the highest possible priority, 4294967295 */
	FORM_TRES,     /* a list of TRES, each with its points */
	FORM_TRES_SHARE, /* a list of TRES, each with its factor */
	FORM_F58, /* a Flux job id in base 58 */
	FORM_REASONS /* the list of the holds of a Flux job, with their limits and usage */
};

/* The value by which a table is sorted if a sort key names the column. */
enum prio_sort {
	SORT_VALUE, /* the value of the column */
	SORT_POINTS, /* the points of the term: sprio sorts the columns of factors by points */
	SORT_SUM,    /* the sum before it is cut to a whole number, but at least 1 */
	SORT_EQUAL,  /* all rows are equal */
	SORT_NEVER /* the column is no valid sort key */
};

/* Bits of the layouts in which a format letter names the column: sprio's, and the layout of fs-prio for Flux's
 * terms. */
enum { PRIO_SPRIO = 1, PRIO_FLUX = 2 };

struct prio_column {
	struct column column; /* of struct fs_prio_term if of_term, else of struct fs_prio_row */
	/* whether the value belongs to a term of the row */
	bool of_term;
	enum fs_factor factor; /* the term if of_term */
	char letter;	       /* letter in formats; '\0': none, the column exists only in JSON */
	unsigned layouts;      /* bits of the layouts in which the column has this letter */
	enum prio_form form;
	enum prio_sort sort;
	enum fs_slurm_feature since; /* the first Slurm version whose sprio has the column */
};

/* First the columns of the JSON in its order, then those of tables only. The last entry has no help text. */
extern const struct prio_column prio_columns[];

/* Sets *out to the value of a column in a row. */
void prio_get_value(const struct prio_column *c, const struct prio_source *of, const struct fs_prio_row *row,
		    struct value *out);

/* Writes a row as a JSON object. */
void prio_write_json_row(struct fs_json *j, const struct prio_source *of, const struct fs_prio_row *row);

/* prio_write_term writes a term as a JSON object. prio_write_accrue writes the member "accrue" of the object that is
 * open: whether the job's age grows and, if not, which limit stops it. It writes null if a is NULL, which means that
 * the scheduler has no such limits. */
void prio_write_term(struct fs_json *j, const struct fs_prio_term *t);
void prio_write_accrue(struct fs_json *j, const struct fs_accrue_row *a);

/* Writes a JSON array with the terms whose factor was cut by a cap. */
void prio_write_capped_terms(struct fs_json *j, const struct fs_prio_term *terms, size_t n);

/* The columns of struct fs_cap_row in the order of the JSON: first the job, from PRIO_CAP_KIND on the cap that holds it
 * back. */
enum { PRIO_CAP_KIND = 4, PRIO_CAP_COLUMNS = 10 };
extern const struct column prio_cap_columns[PRIO_CAP_COLUMNS];

/* Returns the points of a term divided by its weight, which sprio prints as the factor; 0 if the weight is 0. */
double prio_compute_term_factor(const struct fs_prio_term *t);

#endif
