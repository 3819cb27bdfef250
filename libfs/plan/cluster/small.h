/* Nodes that are too small for a job, whatever is in use on them. */
#ifndef FSI_PLAN_CLUSTER_SMALL_H
#define FSI_PLAN_CLUSTER_SMALL_H

#include "plan/plan.h"

/* Takes them off the nodes that the request allows, so that jobs which end there are not waited for. Call it when sizes
 * and partition of the request are set. -1 without memory. */
int fsi_plan_leave_small_out(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, struct fsi_arena *arena);

#endif
