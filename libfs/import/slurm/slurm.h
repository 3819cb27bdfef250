/* Parts of the import of Slurm: usage per TRES, job ids, and the time of the last priority calculation. */
#ifndef FSI_IMPORT_SLURM_SLURM_H
#define FSI_IMPORT_SLURM_SLURM_H

#include "import/import.h"

/* What other answers than scontrol -o show job tell of Slurm's jobs. Both return as fsi_import_lines. */

/* How many ids "0-5,8" are; 0 if it is not such a list. */
uint64_t fsi_slurm_count_ids(struct fsi_span ids);

/* Generic resources of Slurm's jobs that are no TRES of the cluster. */

/* TresPerJob and the like in a line of scontrol -o show job. */
struct fsi_slurm_tres_per {
	struct fsi_span job, node, task, socket;
};

/* The time of the last priority calculation, from the ages that sprio printed. */

/* A span of seconds, both ends included. */
struct fsi_last_run_span {
	int64_t from, to;
};

struct fsi_last_run {
	int64_t max_age_s; /* PriorityMaxAge, 0 unknown */
	FSI_VEC(struct fsi_last_run_span) spans;
	FSI_VEC(uint32_t) ageless; /* rows of jobs with an accrue_time and no age */
};

/* Notes a line of sprio and its job. -1 without memory. */
int fsi_last_run_note(struct fsi_last_run *x, const struct fsi_job *job, uint32_t row, const struct fsi_recorded *r);

/* Adds the spans that follow from the minutes promised to running jobs (slurm/promises.c). -1 without memory. */
int fsi_last_run_promises(struct fsi_last_run *x, const fs_snapshot *m);

/* Sets priority_time and how it was found, and warns where ages disagree. */
int fsi_last_run_decide(struct fsi_import *imp, const struct fsi_last_run *x);

void fsi_last_run_release(struct fsi_last_run *x);

#endif
