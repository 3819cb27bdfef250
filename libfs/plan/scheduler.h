/* How each scheduler's starts are found. */
#ifndef FSI_PLAN_SCHEDULER_H
#define FSI_PLAN_SCHEDULER_H

#include "plan/run.h"

struct fsi_plan_scheduler {
	bool partitions; /* it needs them as well as nodes */
	bool stepwise;   /* run is fsi_plan_setup, a fsi_plan_step for each record, fsi_plan_het_start: libfs/plan/kept.h */
	bool tells_begin; /* of a job that has no start it shows the begin time as one */
	/* Fills the rows. p->c.m, queue, mode and view are set. Error codes of fs_plan_compute. */
	int (*run)(struct fs_plan *p, struct fs_error *err);
	/* Says what it assumed, by fsi_plan_assume. -1 without memory. */
	int (*assume)(struct fs_plan *p);
};

extern const struct fsi_plan_scheduler fsi_plan_of_slurm, fsi_plan_of_flux;

#endif
