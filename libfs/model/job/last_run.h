/* The runs of the controller's priority thread, as far as its start and period tell. */
#ifndef FSI_MODEL_JOB_LAST_RUN_H
#define FSI_MODEL_JOB_LAST_RUN_H

#include "model/model.h"

/* Words of the field priority_time_from. */
#define FSI_RUN_FROM_AGES "ages"       /* the ages that were printed agree on it */
#define FSI_RUN_FROM_PROMISES "promises" /* the minutes promised to running jobs agree on it */
#define FSI_RUN_FROM_AGELESS "no ages" /* not later: jobs that should have aged have not */
#define FSI_RUN_FROM_START "start"     /* the controller's start and whole periods since */
#define FSI_RUN_FROM_SHARES "shares"   /* the classic shares that were printed come out by it */

/* Words of the field priority_time_before, besides "shares". */
#define FSI_RUN_FROM_PERIOD "period" /* a period before priority_time */

/* PriorityCalcPeriod in seconds, 300 where it is not known. */
int64_t fsi_calc_period(const fs_snapshot *m);

/* BOOT_TIME, when it is not later than the snapshot; else false. */
bool fsi_start_time(const fs_snapshot *m, int64_t *out);

/* The last run not after the snapshot's time, a whole number of periods after the start; false without one. */
bool fsi_run_by_start(const fs_snapshot *m, int64_t *out);

/* Fills the times of m->info from the header; those that it does not tell follow from the controller's start. */
void fsi_set_last_run(fs_snapshot *m);

/* Has a job of Slurm no QOS any more? Of those that had ended when the controller started it looks none up
 * (src/slurmctld/job_mgr.c: job_mgr_load_job_state); one that ended since keeps its own. */
bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job);

#endif
