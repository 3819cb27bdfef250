/* Functions shared by the readers of fs_import_slurm: id lists, generic resources, and the time T of the last priority
 * calculation. From an age that sprio prints, fsi_calculation_time_add_age derives a span of seconds that contains T.
 * fsi_calculation_time_choose chooses T from these spans. struct fsi_calculation_time owns the collected arrays;
 * fsi_calculation_time_release frees them. */
#ifndef FSI_IMPORT_SLURM_SLURM_H
#define FSI_IMPORT_SLURM_SLURM_H

#include "import/import.h"

/* Number of keys that precede the job's name in a record of scontrol show job. In the table of outputs, they are the
 * first columns of scontrol_job_o.txt. */
enum { FSI_JOB_KEYS_BEFORE_NAME = 4 };

/* Number of columns with usage; in the table of outputs, they are the first columns of scontrol_assoc_mgr_o.txt. */
enum { FSI_ASSOC_MGR_USAGE = 3 };

/* Returns the number of ids in a list such as "0-5,8"; 0 if the text is not such a list. */
uint64_t fsi_slurm_count_ids(struct fsi_span ids);

/* Texts of TresPerJob, TresPerNode, TresPerTask and TresPerSocket of a job in scontrol -o show job. */
struct fsi_slurm_gres_texts {
	struct fsi_span job, node, task, socket;
};

/* ---- time of the last priority calculation */

/* The priority calculation took place between these two times, in seconds since 1970, both ends included. */
struct fsi_calculation_span {
	int64_t from, to;
};

/* Evidence for the time of the last priority calculation. The caller zeroes the struct before use. */
struct fsi_calculation_time {
	int64_t max_age_s; /* PriorityMaxAge, seconds; 0: unknown */
	FSI_VEC(struct fsi_calculation_span) spans;
	FSI_VEC(uint32_t) zero_age_rows; /* rows of the jobs that have an accrue_time and an age factor of 0 */
};

/* Adds a span to x: the times at which the last priority calculation may have given the job the age factor in `r`, a
 * row of sprio. If the age factor is 0, adds the job row `row` to x->zero_age_rows instead. Returns -1 if out of
 * memory. */
int fsi_calculation_time_add_age(struct fsi_calculation_time *x, const struct fsi_job *job, uint32_t row,
				 const struct fsi_recorded *r);

/* Uses the run minutes of associations (GrpTRESRunMins), which the last priority calculation computes from their
 * running jobs. For each number of run minutes, adds a span to x: the times at which the calculation gives this number.
 * Returns -1 if out of memory. */
int fsi_calculation_time_add_run_minutes(struct fsi_calculation_time *x, const fs_snapshot *m);

/* Chooses the time of the last priority calculation from the first available source in this list: the ages in sprio,
 * the run minutes of associations, the controller's start time, the accrue times of jobs with age 0. Stores the time,
 * its source and its maximum error in the snapshot's header. If head.time is earlier than the chosen time, sets
 * head.time to the chosen time. Sets `accruing` to false for jobs whose age shows that the jobs had not begun to
 * accrue. Warns if some ages contradict the chosen time. */
int fsi_calculation_time_choose(struct fsi_import *imp, const struct fsi_calculation_time *x);

void fsi_calculation_time_release(struct fsi_calculation_time *x);

#endif
