/* Which CPUs of a node a job has, where CPUs are given out more than once: one bit each, 64 to a word, nodes one after
 * the other. Those that run have those that their cpu_ids tell. The others are taken to have got, one after the other
 * as they started, the first that were free, or if there were too few those of the first row. */
#ifndef FSI_PLAN_OVERSUBSCRIBE_CORES_H
#define FSI_PLAN_OVERSUBSCRIBE_CORES_H

#include "plan/plan.h"

/* Rows of a partition that are looked at, at most. */
enum { FSI_CORES_ROWS = 64 };

/* Makes room for the sets where CPUs are shared, and gives all holds theirs. -1 without memory. */
int fsi_cores_init(struct fsi_plan_cluster *c);

/* The place of a node's CPUs in a set for all nodes, and how many words they take. */
uint64_t *fsi_cores_on(const struct fsi_plan_cluster *c, uint64_t *set, uint32_t node);
uint32_t fsi_cores_words(const struct fsi_plan_cluster *c, uint32_t node);

/* n CPUs of the node, those that are not in use (CPUs of the node alone; NULL: none are) before others. NULL without
 * memory. */
uint64_t *fsi_cores_take(struct fsi_plan_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n);

static inline void fsi_cores_add(uint64_t *to, const uint64_t *more, uint32_t words)
{
	for (uint32_t w = 0; more && w < words; w++)
		to[w] |= more[w];
}

#endif
