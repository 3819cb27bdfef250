/* Cores and features of one node that a request may use, and the reservations and jobs that hold it. */
#ifndef FSI_PLAN_NODE_H
#define FSI_PLAN_NODE_H

#include "plan/plan.h"

/* What the files of one node share: the cores that a request uses, and what is free when. */

/* The threads of each core that a request uses: the others are given with them, and stay idle. */
static inline int64_t fsi_plan_used_threads(const struct fsi_plan_node *n, const struct fsi_plan_request *q)
{
	return q->cpu.max_core_threads && q->cpu.max_core_threads < n->threads ? q->cpu.max_core_threads : n->threads;
}

/* The cores that each task has alone, where it takes more than one (_count_used_cpus; select/cons_common/dist_tasks.c:
 * _block_sync_core_bitmap, cores_per_task); 0: what is left of a core is the next task's. */
static inline int64_t fsi_plan_cores_of_task(const struct fsi_plan_node *n, const struct fsi_plan_request *q)
{
	const int64_t used = fsi_plan_used_threads(n, q);

	return q->cpu.one_task_per_core && q->cpu.per_task > used ? fsi_plan_divide_up(q->cpu.per_task, used) : 0;
}

/* How many jobs on the node have ended by then; they stand by their ends. */
static inline size_t fsi_plan_ended_by(const struct fsi_plan_node *n, struct fsi_plan_moment at)
{
	size_t lo = 0, hi = n->hold.n;

	if (!hi || fsi_plan_before(at, n->first))
		return 0;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (fsi_plan_ended(&n->hold.v[mid], at))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* What is free when the first so many jobs on the node have ended. */
static inline const int64_t *fsi_plan_free_after(const struct fsi_plan_node *n, size_t holds)
{
	return holds ? n->hold.v[holds - 1].after : n->free;
}

/* The features that a job asks for: names with & and |, groups in parentheses, kinds in brackets, numbers of nodes
 * (src/slurmctld/job_scheduler.c: _feature_string2list; from 24.11 a | in brackets is MOR, before that XOR). */

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

/* Nodes that are too small for a job, whatever is in use on them. */

/* Takes them off the nodes that the request allows, so that jobs which end there are not waited for. Call it when sizes
 * and partition of the request are set. -1 without memory. */
int fsi_plan_leave_small_out(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, struct fsi_arena *arena);

#endif
