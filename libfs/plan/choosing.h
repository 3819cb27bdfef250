/* A choice of nodes as it is made: what is still missing, and how a node is taken (_cpus_to_use). */
#ifndef FSI_PLAN_CHOOSING_H
#define FSI_PLAN_CHOOSING_H

#include "plan/plan.h"

struct fsi_choosing {
	struct fsi_plan_choice *s;
	const struct fsi_plan_cluster *c;
	const struct fsi_plan_request *q;
	const uint32_t *cand;
	const int64_t *left; /* by node: what it may give while it is not taken */
	int64_t most;	     /* of all nodes */
	bool reduced;	     /* has a node less than before the last evaluation? */
	int64_t want;	     /* nodes wanted */
	bool too_spread;     /* it failed by being on more switches than it asks for */
	uint32_t n, nruns;
	int64_t cpus_left, room_cpus;       /* missing; at most to give */
	int64_t per_node;                   /* most to give on a node, for a job that wants generic resources */
	int64_t nodes_left, min_left, room; /* wanted; of the least; at most */
};

static inline bool fsi_choosing_done(const struct fsi_choosing *g)
{
	return g->nodes_left <= 0 && g->cpus_left <= 0;
}

/* Are so many nodes enough, when more than the least are wanted? (_enough_nodes) */
bool fsi_choosing_enough(const struct fsi_choosing *g, int64_t n);

/* Takes node i, which was not taken. */
void fsi_choosing_take(struct fsi_choosing *g, uint32_t i);

/* By the switches of the cluster (libfs/plan/topology.c); required nodes were taken. */
bool fsi_choosing_by_switches(struct fsi_choosing *g);

#endif
