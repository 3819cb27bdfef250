/* CPUs that are given out more than once. */
#ifndef FSI_NODES_OVERSUBSCRIBE_H
#define FSI_NODES_OVERSUBSCRIBE_H

#include "nodes/request.h"

/* How often CPUs may be given out where the job runs in the partition, 0: it does not share them
 * (libfs/nodes/cluster.c). */
uint32_t fsi_plan_share(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* Does the partition give nodes to one job alone? */
bool fsi_plan_reserves(const fs_snapshot *m, const struct fsi_partition *p);

/* How often the partition's CPUs may be given out, at least 1. */
uint32_t fsi_plan_rows(const fs_snapshot *m, const struct fsi_partition *p);

/* Does the request get no node on which that job runs? */
bool fsi_plan_apart(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h);

/* CPUs that are free to the request, where `cpus` counts those of all jobs: some are given out more than once
 * (libfs/nodes/cluster.c). */
int64_t fsi_plan_with_shared(const struct fsi_plan_node *n, const struct fsi_plan_request *q, struct fsi_plan_moment at,
			     int64_t cpus);

/* Rows of a partition that are looked at, at most. */
enum { FSI_CORES_ROWS = 64 };

/* Makes room for the sets where CPUs are shared, and gives all holds theirs. -1 without memory. */
int fsi_cores_init(struct fsi_plan_cluster *c);

/* Returns where the node's CPUs begin in a set for all nodes. */
static inline uint64_t *fsi_cores_on(const struct fsi_plan_cluster *c, uint64_t *set, uint32_t node)
{
	return &set[c->core_at[node]];
}

/* Returns how many words the node's CPUs take. */
static inline uint32_t fsi_cores_words(const struct fsi_plan_cluster *c, uint32_t node)
{
	return (uint32_t)(c->core_at[node + 1] - c->core_at[node]);
}

/* n CPUs of the node, those that are not in use (CPUs of the node alone; NULL: none are) before others. NULL without
 * memory. */
uint64_t *fsi_cores_take(struct fsi_plan_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n);

static inline void fsi_cores_add(uint64_t *to, const uint64_t *more, uint32_t words)
{
	for (uint32_t w = 0; more && w < words; w++)
		to[w] |= more[w];
}

/* Returns true if a partition of the snapshot gives CPUs out more than once. */
bool fsi_cluster_has_oversubscribe(const fs_snapshot *m);

#endif
