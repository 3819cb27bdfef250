/* The columns of the priorities: of a job in a partition, and of the terms that add up to its priority. */
#ifndef COLUMNS_PRIO_H
#define COLUMNS_PRIO_H

#include "columns/column.h"
#include "fs/priority.h"

/* What the rows belong to. */
struct prio_source {
	const fs_snapshot *snapshot;
	const fs_prios *prios;
	const fs_accrue *accrue; /* NULL: jobs do not age */
	const fs_holds *holds;	 /* NULL: no limits hold jobs back beside their priority */
};

/* How a table writes a value, where it is not as such values are written. */
enum prio_form {
	FORM_PLAIN,    /* a text; a whole number */
	FORM_JOBID,    /* a whole number; in the line of weights the word that says so */
	FORM_NULLABLE, /* a text; "" is a NULL that the tool gives to printf */
	FORM_NULL,     /* the tool always gives a NULL */
	FORM_FACTOR,   /* seven digits */
	FORM_DECIMAL,  /* as many digits as it takes, up to ten */
	FORM_OF_MAX,   /* of the greatest priority there is */
	FORM_TRES,     /* of each TRES its points */
	FORM_TRES_SHARE,
	FORM_F58,
	FORM_REASONS
};

/* What a table is sorted by when a key names the column. */
enum prio_sort {
	SORT_VALUE,
	SORT_POINTS, /* of the term: the tool sorts factors by what they add */
	SORT_SUM,    /* priorities, by what they are cut from */
	SORT_EQUAL,  /* all rows are */
	SORT_NEVER
};

/* The layouts in which a letter names the column: sprio's, and ours of Flux's terms. */
enum { PRIO_SPRIO = 1, PRIO_FLUX = 2 };

struct prio_column {
	struct column column; /* of struct fs_prio_row; of struct fs_prio_term if of_term */
	bool of_term;
	enum fs_factor factor; /* if of_term: which */
	char letter;	       /* in formats; 0: none, it is in JSON alone */
	unsigned layouts;      /* where that is its letter */
	enum prio_form form;
	enum prio_sort sort;
	enum fs_slurm_feature since; /* of sprio */
};

/* Those that JSON has in its order, then those of tables alone; one without help ends them. */
extern const struct prio_column prio_columns[];

/* What a row has in the column. */
void prio_value(const struct prio_column *c, const struct prio_source *of, const struct fs_prio_row *row,
		struct value *out);

/* The object of a row, in a list. */
void prio_json_row(struct fs_json *j, const struct prio_source *of, const struct fs_prio_row *row);

/* The object of a term, in a list; that of the age of a job behind the key "accrue": does it accrue, and if not, which
 * limit keeps it young? NULL: the scheduler has no such limits. */
void prio_json_term(struct fs_json *j, const struct fs_prio_term *t);
void prio_json_accrue(struct fs_json *j, const struct fs_accrue_row *a);

/* A list: the terms whose factor a cap has cut. */
void prio_json_cuts(struct fs_json *j, const struct fs_prio_term *terms, size_t n);

/* Of struct fs_cap_row, in the order of the JSON: the job, and from PRIO_CAP_KIND on the cap that holds it. */
enum { PRIO_CAP_KIND = 4, PRIO_CAP_COLUMNS = 10 };
extern const struct column prio_cap_columns[PRIO_CAP_COLUMNS];

/* A term's points over its weight: the factor as sprio has it; 0 without a weight. */
double prio_term_share(const struct fs_prio_term *t);

#endif
