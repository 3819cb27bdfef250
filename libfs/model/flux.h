/* Requests of Flux jobs, and the nodes that can satisfy them, as in flux-core's scheduler
 * (src/bindings/python/flux/resource/Rv1Pool.py: ResourceRequest, alloc, _check_feasibility). */
#ifndef FSI_MODEL_FLUX_H
#define FSI_MODEL_FLUX_H

#include "fs/priority.h"
#include "model/tables.h"

/* A request for slots (Flux: bundles of cores and GPUs). If `nodes` is 0, the slots may be on any nodes, and one node
 * may have several slots. If `nodes` is not 0, the request is for this number of nodes, with one slot on each node. */
struct fsi_flux_request {
	uint32_t nodes;
	/* `slots`: number of slots, 0: unknown; `cores`: cores of one slot, at least 1; `gpus`: GPUs of one slot */
	int64_t slots, cores, gpus;
	bool exclusive;		    /* the job uses all cores of its nodes (--exclusive) */
};
/* Returns the request of a job. */
struct fsi_flux_request fsi_flux_read_request(const fs_snapshot *m, const struct fsi_job *job);

/* Returns the number of slots that fit on the empty node; at most 1 if the request is for whole nodes (`nodes` is not
 * 0). */
int64_t fsi_flux_count_slots(const fs_snapshot *m, const struct fsi_flux_request *want, const struct fsi_node *node);

/* Returns true if the node is in the job's queue and has the properties that the job asks for. A job without a queue
 * may use any node. */
bool fsi_flux_may_use_node(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Returns the name id of the queue the job was submitted to; 0: none. */
static inline uint32_t fsi_flux_job_queue(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_list_first_item(m, job->partitions);
}

/* Tables that are made once for all jobs of a snapshot, in the arena. */
struct fsi_flux_queues {
	/* indexed by association: row of its last submitted job in the snapshot; FSI_NO_INDEX: no job */
	uint32_t *last_job;
	uint32_t *ranked; /* rows of queues by ascending priority; of queues with the same priority only the first */
	size_t nranked;
	bool differ; /* fsi_flux_queues_differ */
};

/* Returns -1 if out of memory. */
int fsi_flux_read_queues(struct fsi_flux_queues *out, const fs_snapshot *m, struct fsi_arena *arena);

/* Queue whose priority applies to all jobs of an association. flux-accounting's plugin stores one queue per association
 * (src/plugins/mf_priority.cpp: new_cb, job_updated). */
struct fsi_flux_applied_queue {
	uint32_t queue; /* name id of the queue; 0: none */
	enum fs_last_job last; /* how reliably the queue is known */
	double priority; /* priority of the queue; NAN: unknown */
	bool reported; /* true: `priority` was reported by the plugin */
};

/* Returns the queue whose priority applies to the jobs of the association. If the plugin reported a priority, returns a
 * queue with that priority; if not, returns the queue of the association's last job. `job`: a job of the association;
 * its queue is returned if no queue has the reported priority, or if the last job is unknown. */
struct fsi_flux_applied_queue fsi_flux_find_applied_queue(const fs_snapshot *m, const struct fsi_flux_queues *queues,
							  uint32_t assoc, const struct fsi_job *job);

/* Returns the priority of a queue; 0: no queue, or a queue that flux-accounting does not know; NAN: unknown. */
double fsi_flux_queue_priority(const fs_snapshot *m, uint32_t name);

/* Returns true if any queue has a priority that is unknown or differs from 0. (Jobs without a queue have the queue
 * priority 0.) */
bool fsi_flux_queues_differ(const fs_snapshot *m);

/* Returns true if jobs of the queue (partition row) are not started (flux-core: src/modules/job-manager/queue.c:
 * queue_stop). `partition` is FSI_NO_INDEX if the jobs have no queue, or their queue is not in the snapshot. */
bool fsi_flux_is_queue_stopped(const fs_snapshot *m, uint32_t partition);

/* Sets *when to the time of a begin-time dependency: "begin-time=1795310875.000", or "begin@03:51:20" as `flux jobs`
 * prints it. The second form has no date, so *when is the eligible time of the job. Returns false for a dependency of
 * another kind, or if the eligible time is unknown. */
bool fsi_flux_parse_begin_time(const struct fsi_job *job, const char *dependency, int64_t *when);

#endif
