/* Is a file one of Slurm's commands, and is it whole? */
#ifndef FSI_IMPORT_WHOLE_H
#define FSI_IMPORT_WHOLE_H

#include "import/required.h"

/* What is looked at in a file of records. */
struct fsi_look {
	const struct fsi_look_kind *kind;
	size_t records, odd;
	struct fsi_lacking lacking;
	bool none, read;
	uint64_t odd_line;
	char odd_text[61];
};

/* jobs is filled while they are read; jobs->read: the file is there */
int fsi_slurm_jobs(struct fsi_import *imp, struct fsi_look *jobs); /* scontrol show job, squeue */

void fsi_look_at_jobs(struct fsi_look *look);
int fsi_look_line(struct fsi_import *imp, void *look, struct fsi_span line);

/* Takes a line whose values were told apart, but for the free text in its midst, which may look like keys. */
int fsi_look_keyed(struct fsi_import *imp, struct fsi_look *look, struct fsi_span line, const struct fsi_keyed *values,
		   struct fsi_span text);

/* Files of `scontrol -o show` hold a record a line, or say that there is none. Anything else, an error's text for
 * one, is warned of, and its record type hidden. */
int fsi_slurm_whole(struct fsi_import *imp, const struct fsi_look *jobs);

/* After the jobs are read. Free text of a job (name, comment, paths) may hold newlines, which scontrol prints as they
 * are (seen on 22.05), so a name can look like jobs of others. squeue -O JobID prints no such text: a job that waits or
 * runs and is not in its list is left out, and so are all of one id; both are told. */
int fsi_slurm_cross_jobs(struct fsi_import *imp);

#endif
