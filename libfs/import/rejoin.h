/* Records of jobs that a newline in a job's name breaks: scontrol -o and squeue -O print it as it is. */
#ifndef FSI_IMPORT_REJOIN_H
#define FSI_IMPORT_REJOIN_H

#include "import/import.h"

/* As fsi_import_lines of scontrol_job_o.txt: a line that ends in its name goes on in the next ones, up to the one that
 * has the owner; but not in one that begins as a record does, for a line cut off looks the same. */
int fsi_import_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* As fsi_import_lines of squeue_O.txt: a row that ends before ASSOC_ID goes on in the next lines, as long as both are
 * no longer than the heading, to which width squeue fills each row. */
int fsi_import_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* A column of squeue -O, which has a fixed width and stands beside the next without a blank between. */
struct fsi_column {
	size_t at, width; /* width 0: it is not there */
};

/* Finds the column under its name in the heading. The first is not found: it needs no finding. */
struct fsi_column fsi_squeue_column(struct fsi_span heading, const char *name);

#endif
