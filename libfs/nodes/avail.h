/* What one node can give to a request, and when. */
#ifndef FSI_NODES_AVAIL_H
#define FSI_NODES_AVAIL_H

#include "nodes/request.h"

/* Who is on a node: is anybody; CPUs that jobs of the request's partition have. */
struct fsi_plan_there {
	bool any;
	int64_t of_partition;
};

/* CPUs that the request could take on a node of which so much is free. 0 if it does not fit. */
int64_t fsi_plan_room_of(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
			 const struct fsi_plan_request *q, const int64_t *free, const struct fsi_plan_there *there);

/* CPUs that the request could take on a node at a moment, but for what is planned; 0 if it does not fit. */
int64_t fsi_plan_room(const struct fsi_plan_cluster *c, uint32_t node,
		      const struct fsi_plan_request *q, struct fsi_plan_moment at);

/* The room on a node and until when it stays so: a later moment, at which the next job has ended. gpus: free then,
 * of the types that the request wants. */
struct fsi_plan_room {
	struct fsi_plan_moment from, until; /* from then on, which may be before it was asked for, and no longer then */
	int64_t cpus, gpus;
};
struct fsi_plan_room fsi_plan_room_at(const struct fsi_plan_cluster *c, uint32_t node,
				      const struct fsi_plan_request *q, struct fsi_plan_moment at);

/* The room if so many of its CPUs were taken and the others free, whoever has them. */
struct fsi_plan_room fsi_plan_room_beside(const struct fsi_plan_cluster *c, uint32_t node,
					  const struct fsi_plan_request *q, struct fsi_plan_moment at, int64_t taken);

/* The GPUs of the types that the request wants, among what is free on a node. */
int64_t fsi_plan_free_gpus(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, const int64_t *free);

/* Fills the amounts that come with so many CPUs on a node. */
void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t cpus, int64_t *amount);

/* The first time at or after `from` at which running jobs leave it room; INT64_MAX: never. */
int64_t fsi_plan_fit(const struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_request *q, int64_t from);

/* What may stand in the way of a request. */
enum fsi_plan_obey { FSI_OBEY_ALL, FSI_OBEY_RESERVATIONS, FSI_OBEY_HOLDS };

/* The first gap from `from` on in which it can run; *last is the last start in it. INT64_MAX: there is none. */
int64_t fsi_plan_gap(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t from,
		     enum fsi_plan_obey obey, int64_t *last);

/* When the next hold ends after `when`, INT64_MAX if none does. */
int64_t fsi_plan_release(const struct fsi_plan_node *n, int64_t when);

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

#endif
