/* fs-prio, also called as sprio: the priority of each pending job, factor by factor.
 *
 * prio.c parses the command line into a struct prio_run, opens the snapshot, computes priorities (fs_prios_compute),
 * selects and sorts rows, and prints JSON, metrics, a picture or the report on weights. print.c parses formats and
 * prints the tables of sprio (Slurm) and of fs-prio for Flux. maui.c prints the page of `diagnose -p` (Maui).
 *
 * Functions with an int result return 0 or EXIT_DONE, or an exit status after an error message, unless their comment
 * says otherwise. run_prio_command frees everything that the struct prio_run owns. */
#ifndef PRIO_PRIO_H
#define PRIO_PRIO_H

#include "input/input.h"
#include "columns/prio.h"
#include "options/options.h"

struct prio_run;

/* How fs-prio shows the priorities of one scheduler. */
struct prio_dialect {
	enum style style;
	const struct prio_layout *layout; /* the format letters (-o) that are valid for the scheduler */
	bool shows_holds; /* Flux: fs-prio also shows the dependencies and limits that hold each job */
	/* `print_page` prints a page of its own instead of a table of columns. `print_blocked_jobs` prints, with -v,
	 * the jobs that have no priority. Both return an exit status. Both are NULL if the scheduler's priorities are
	 * printed as a table of columns. */
	int (*print_page)(const struct prio_run *r);
	int (*print_blocked_jobs)(const struct prio_run *r);
};

extern const struct prio_dialect prio_dialect_slurm, prio_dialect_flux;

/* The format letters of a layout. */
struct prio_layout {
	unsigned layout_bit; /* PRIO_SPRIO or PRIO_FLUX: the bit of the layout in prio_column.layouts */
	/* the letters that --helpformat lists first, in this order */
	const char *letter_order;
	/* returns the default format; NULL: sprio's default format is used, which depends on the weights */
	const char *(*get_default_format)(bool wide, bool norm);
};

extern const struct prio_layout prio_slurm_layout, prio_flux_layout;

/* A field of a format `%[.][width]letter[text]...`, as sprio parses it. */
struct prio_field {
	const struct prio_column *column;
	int width; /* width in columns; 0: as wide as the text */
	bool right; /* the field has a period, so its text is aligned right */
	char *suffix; /* text between the letter of this field and the next field, printed unchanged */
	size_t suffix_len;
};

/* A parsed format. */
struct prio_format {
	char *prefix; /* text printed before each row */
	struct prio_field *field;
	size_t n;
};

/* One call of fs-prio: the options of the command line, and the snapshot, rows and layout that result from them. */
struct prio_run {
	const struct invocation *inv;
	const char *program; /* name by which the program was called, argv[0] */
	bool jobs_given;     /* -j was given, with or without a list */
	struct input input;
	struct names jobs, users, partitions, states;
	struct clusters *clusters; /* the clusters that are printed one after the other */
	const char *format_text, *sort, *subtree;
	bool me, no_header, parsable, wide, norm, weights, sibling, local, version, letters, metrics, weights_report;
	const char *history; /* --history: folder of the snapshots; NULL: not given */
	const char *svg;     /* --svg: file of the picture; NULL: not given */
	bool csv, plot;
	enum json_form json;
	int verbose;
	/* number of errors in the request: unknown names, and jobs that have no visible priority */
	size_t missing_names;
	unsigned compat; /* Slurm version to emulate (FS_SLURM_RELEASE) */
	fs_snapshot *snapshot;
	fs_usage *usage; /* computed usage; NULL: the usage recorded in the snapshot is used */
	fs_prios *prios;
	fs_holds *holds; /* dependencies and limits that hold the jobs; NULL unless prio_dialect.shows_holds is true */
	/* data that the column functions read; they get a pointer to `source` as their argument `of` */
	struct prio_source source;
	const struct prio_layout *layout;
	struct prio_format format;
	size_t *rows, n; /* the `n` selected rows, each as an index for fs_prios_row */
	/* indexed by job row: position of the job in Slurm's job list (fs_jobs_list_order); NULL except while rows are
	 * sorted */
	uint64_t *list_positions;
};

/* ---- format letters. `version`: Slurm version whose letters are valid; 0: the letters of all versions */

/* Returns true if the layout has a format letter for the column in this Slurm version. */
bool prio_layout_has_column(const struct prio_layout *l, const struct prio_column *c, unsigned version);

/* Returns the column that the format letter selects; NULL if the letter is not valid. */
const struct prio_column *prio_find_letter_column(const struct prio_layout *l, char letter, unsigned version);

/* Parses a format into r->format. A field with an unknown letter is reported and left out; a field ends at the next
 * '%'. Returns -1 if out of memory. */
int prio_parse_format(struct prio_run *r, const char *text, unsigned version);
void prio_free_format(struct prio_format *f);

/* prio_write_default_format writes sprio's default format to buf: the columns of the terms whose weight is not 0.
 * prio_get_long_format returns the format of -l (src/sprio/sprio.c). */
void prio_write_default_format(const struct prio_run *r, char *buf, size_t size);
const char *prio_get_long_format(bool norm, unsigned version);

/* ---- rows of tables. Several threads can call prio_print_table_row at the same time, each with its own `out` */

void prio_print_table_header(const struct prio_run *r);
void prio_print_weights_row(const struct prio_run *r);
void prio_print_table_row(FILE *out, const struct prio_run *r, const struct fs_prio_row *row);

#endif
