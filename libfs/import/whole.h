/* Is a file of Slurm's commands whole, and is it theirs? */
#ifndef FSI_IMPORT_WHOLE_H
#define FSI_IMPORT_WHOLE_H

#include "import/import.h"

/* Files of `scontrol -o show` hold a record a line, or say that there is none. Anything else, an error's text for one,
 * is told, and its record type hidden. */
int fsi_slurm_whole(struct fsi_import *imp);

/* After the jobs are read. Free text of a job (name, comment, paths) may hold newlines, which scontrol prints as they
 * are (seen on 22.05), so a name can look like jobs of others. squeue -O JobID prints no such text: a job that waits or
 * runs and is not in its list is left out, and so are all of one id; both are told. */
int fsi_slurm_cross_jobs(struct fsi_import *imp);

#endif
