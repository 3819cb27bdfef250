/* Limits on nodes, which hold once nodes were found for a job. */
#ifndef FSI_PLAN_LIMITS_NODES_H
#define FSI_PLAN_LIMITS_NODES_H

#include "plan/run.h"
#include "queue/limits/limits.h"

/* Is there any limit on what a job has on a node, or on the nodes of jobs together? */
bool fsi_plan_limits_nodes(const fs_snapshot *m);

/* Are the nodes in p->found too many for the limit, which is one on nodes? end_of: by job row, when those that hold
 * resources end; used: room for a set of nodes. */
bool fsi_plan_too_many_nodes(const struct fs_plan *p, const struct fsi_plan_request *q, const struct fsi_limit_met *l,
			     const int64_t *end_of, uint64_t *used);

#endif
