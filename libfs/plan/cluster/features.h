/* The features that a job asks for: names with & and |, groups in parentheses, kinds in brackets, numbers of nodes
 * (src/slurmctld/job_scheduler.c: _feature_string2list; from 24.11 a | in brackets is MOR, before that XOR). */
#ifndef FSI_PLAN_CLUSTER_FEATURES_H
#define FSI_PLAN_CLUSTER_FEATURES_H

#include "plan/plan.h"

/* A part of the features that is tried by itself. */
struct fsi_plan_kind {
	uint64_t *nodes;
	uint32_t count; /* nodes of it, 0 not told */
};

/* Sets q->allowed to the nodes that the whole text leaves, and q->kind where parts are tried by themselves; notes text
 * that it cannot read as not modelled. -1 without memory. */
int fsi_plan_features(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, const char *text,
		      struct fsi_arena *arena);

/* Makes a set of all nodes, if it is none yet (NULL); NULL without memory. */
uint64_t *fsi_plan_all_nodes(uint64_t **set, const struct fsi_plan_cluster *c, struct fsi_arena *arena);

#endif
