/* When jobs are likely to start: the queue in its order placed on nodes that jobs share (sim.h), with limits of
 * associations and QOS kept account of (limits/ledgers.h), once with time limits for run times, and RUNS times with run
 * times drawn from those of jobs of the same user, account and partition before, where there are enough (past.h). The
 * drawing follows from FSI_LIKELY_SEED, the job and the run alone, so that the same snapshot gives the same numbers. */
#ifndef FSI_PLAN_LIKELY_H
#define FSI_PLAN_LIKELY_H

#include "plan/run.h"

enum { FSI_LIKELY_RUNS = 25, FSI_LIKELY_MIN_RUNS = 10, FSI_LIKELY_SEED = 20260 };

/* Fills likely_* and limit_* of the rows, and p->likely; without runs where the cluster is too large for it. -1
 * without memory. */
int fsi_plan_likely(struct fs_plan *p);

#endif
