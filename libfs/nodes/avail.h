/* The resources that one node can give to a request, and when.
 *
 * The functions query one node of struct fsi_cluster. The functions allocate no memory and cannot fail. The functions
 * change nothing except the work counter `*c->work`. There are three kinds of queries:
 *   fsi_avail_get_at_moment    the node's capacity for the request at a moment: CPUs, or 0 if the request does not fit
 *   fsi_avail_find_first_fit   the first time at which running jobs leave the node enough capacity
 *   fsi_avail_find_gap         the first time at which no planned job and no reservation blocks the node
 * Running jobs only free resources as time passes. The gaps between planned jobs and reservations are the times at
 * which the node can take another job.
 *
 * Reproduces select/cons_tres/job_test.c: can_job_run_on_node, _select_cores (libfs/nodes/avail.c has the rules). */
#ifndef FSI_NODES_AVAIL_H
#define FSI_NODES_AVAIL_H

#include "nodes/request.h"

/* The use of a node by jobs. `any_job`: at least one job uses resources of the node; `partition_cpus`: number of the
 * node's CPUs that jobs of the request's partition use. */
struct fsi_node_occupancy {
	bool any_job;
	int64_t partition_cpus;
};

/* Returns the CPUs that node n can give to the request; 0: the request does not fit. free[r]: assumed free amount of
 * resource r on the node. `occupancy`: the jobs that are assumed to use the node. */
int64_t fsi_avail_compute_cpus(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
			       const struct fsi_request *q, const int64_t *free,
			       const struct fsi_node_occupancy *occupancy);

/* Returns the CPUs that the node can give to the request at the moment `at`; 0: the request does not fit. Ignores
 * planned jobs and reservations of whole nodes. */
int64_t fsi_avail_get_cpus(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
			   struct fsi_end_moment at);

/* The capacity of a node for a request, from one moment to another. `cpus`: CPUs that it can give; `gpus`: free GPUs of
 * the types that the request wants. */
struct fsi_node_avail {
	/* the capacity is constant from `from` until just before `until`; `from` may be earlier than the moment for
	 * which the caller requested the capacity */
	struct fsi_end_moment from, until;
	int64_t cpus, gpus;
};
struct fsi_node_avail fsi_avail_get_at_moment(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
					      struct fsi_end_moment at);

/* Returns the node's capacity at the moment `at` under the assumption that `taken` of its CPUs are in use and all its
 * other CPUs are free. Memory and generic resources are free if no job uses them at that moment. */
struct fsi_node_avail fsi_avail_get_beside_cpus(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
						struct fsi_end_moment at, int64_t taken);

/* Returns the number of GPUs that the request can use on a node. free[r]: free amount of resource r on that node. If
 * the request wants several GPU types, the type with the fewest free GPUs counts. If memory is requested per GPU, free
 * memory limits the number too. */
int64_t fsi_avail_count_gpus(const struct fsi_cluster *c, const struct fsi_request *q, const int64_t *free);

/* Sets amount[r] to the amount of each resource r that node n allocates to the request if the request uses `cpus` CPUs
 * there. CPUs are allocated in whole cores. */
void fsi_avail_compute_amounts(const struct fsi_cluster_node *n, const struct fsi_request *q, uint32_t nres,
			       int64_t cpus, int64_t *amount);

/* Returns the first time at or after `from` at which running jobs leave the node enough capacity; INT64_MAX: never. */
int64_t fsi_avail_find_first_fit(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q, int64_t from);

/* What a search must respect. FSI_RESPECT_ALL: running jobs, planned jobs and reservations; FSI_RESPECT_RESERVATIONS:
 * running jobs and reservations; FSI_RESPECT_HOLDS: running jobs only. */
enum fsi_avail_constraints { FSI_RESPECT_ALL, FSI_RESPECT_RESERVATIONS, FSI_RESPECT_HOLDS };

/* Returns the earliest start, not before `from`, at which no planned job and no reservation blocks the node for
 * q->limit_s seconds; INT64_MAX: there is none. Sets *last to the latest start at which the request still ends before
 * the next planned job or reservation; INT64_MAX: nothing follows. */
int64_t fsi_avail_find_gap(const struct fsi_cluster_node *n, const struct fsi_request *q, int64_t from,
			   enum fsi_avail_constraints constraints, int64_t *last);

/* Returns the first time after `when` at which a job on the node ends; INT64_MAX: no job on the node ends. */
int64_t fsi_avail_find_next_end(const struct fsi_cluster_node *n, int64_t when);

/* ---- the cores that a request uses, and the free resources of a node at a moment */

/* Returns the number of threads that the request uses on each core. The other threads of the core are allocated too,
 * but stay idle. */
static inline int64_t fsi_avail_get_used_threads(const struct fsi_cluster_node *n, const struct fsi_request *q)
{
	return q->cpu.max_core_threads && q->cpu.max_core_threads < n->threads_per_core ? q->cpu.max_core_threads
											: n->threads_per_core;
}

/* If no two tasks may share a core and a task needs several cores, returns the number of cores that each task gets
 * (_count_used_cpus; select/cons_common/dist_tasks.c: _block_sync_core_bitmap, cores_per_task). Otherwise returns 0:
 * two tasks may have threads of the same core, or each task fits on one core. */
static inline int64_t fsi_avail_get_task_cores(const struct fsi_cluster_node *n, const struct fsi_request *q)
{
	const int64_t used = fsi_avail_get_used_threads(n, q);

	return q->cpu.one_task_per_core && q->cpu.per_task > used ? fsi_cluster_divide_up(q->cpu.per_task, used) : 0;
}

/* Returns the number of jobs on the node that have ended by the moment `at`. These jobs are the first elements of
 * n->hold, because that array is sorted by end. */
static inline size_t fsi_avail_count_ended_holds(const struct fsi_cluster_node *n, struct fsi_end_moment at)
{
	size_t lo = 0, hi = n->hold.n;

	if (!hi || fsi_moment_is_before(at, n->first_end))
		return 0;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (fsi_hold_has_ended(&n->hold.v[mid], at))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Returns the amount of each resource that is free on the node after the jobs of the first `holds` elements of n->hold
 * have ended. */
static inline const int64_t *fsi_avail_get_free_after(const struct fsi_cluster_node *n, size_t holds)
{
	return holds ? n->hold.v[holds - 1].free_after : n->free;
}

#endif
