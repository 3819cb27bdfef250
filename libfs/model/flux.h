/* What jobs of Flux ask for and which nodes may give it, as flux-core's schedulers read a jobspec
 * (src/bindings/python/flux/resource/Rv1Pool.py: ResourceRequest, alloc, _check_feasibility). */
#ifndef FSI_MODEL_FLUX_H
#define FSI_MODEL_FLUX_H

#include "fs/priority.h"
#include "model/tables.h"

/* With nodes 0 slots may lie anywhere, several on a node; else there are so many nodes, each with one such slot.
 * slots is 0 where they are not known. */
struct fsi_flux_request {
	uint32_t nodes;
	int64_t slots, cores, gpus; /* of a slot: cores, at least 1, and GPUs */
	bool whole;		    /* its nodes are its own, all cores of them (--exclusive) */
};
struct fsi_flux_request fsi_flux_request(const fs_snapshot *m, const struct fsi_job *job);

/* The slots that fit on the node when it is empty; at most 1 where the job asks for nodes. */
int64_t fsi_flux_slots_of(const fs_snapshot *m, const struct fsi_flux_request *want, const struct fsi_node *node);

/* Has the node the job's queue and properties? A job without a queue may use any. */
bool fsi_flux_may_use(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* The name of the queue it was submitted to; 0: none. */
static inline uint32_t fsi_flux_queue(const fs_snapshot *m, const struct fsi_job *job)
{
	return fsi_list_first(m, job->partitions);
}

/* By association: the row of the job in the snapshot that was submitted last, FSI_NO_INDEX none. NULL without
 * memory. */
uint32_t *fsi_flux_last_jobs_of(const fs_snapshot *m, struct fsi_arena *arena);

/* The queue whose priority counts for the jobs of an association, as flux-accounting's plugin keeps it there
 * (src/plugins/mf_priority.cpp: new_cb, job_updated), and that priority; NAN: not known. */
struct fsi_flux_counts_queue {
	uint32_t queue; /* name, 0 none */
	enum fs_last_job last;
	double priority;
	bool asked; /* the plugin was asked for it */
};

/* By the number that the plugin was asked for, or else the queue of its last job; last is of fsi_flux_last_jobs_of.
 * job: one of it, whose own queue it is where nothing tells. */
struct fsi_flux_counts_queue fsi_flux_latest_queue(const fs_snapshot *m, const uint32_t *last, uint32_t assoc,
					      const struct fsi_job *job);

/* The priority of a queue; 0 for none, or one that flux-accounting does not know. NAN: not known. */
double fsi_flux_queue_priority(const fs_snapshot *m, uint32_t name);

/* Has any queue a priority other than 0, which jobs without a queue have, or one that is not known? */
bool fsi_flux_queues_differ(const fs_snapshot *m);

/* Does nothing of that queue start (flux-core: src/modules/job-manager/queue.c: queue_stop)? FSI_NO_INDEX: a job
 * without a queue, or of one that is not in the snapshot. */
bool fsi_flux_stopped(const fs_snapshot *m, uint32_t partition);

/* The time of a dependency "begin-time=1795310875.000", or of "begin@03:51:20", which `flux jobs` makes of it and
 * which the jobspec tells. False: the dependency is another one, or its day is not known. */
bool fsi_flux_begins(const struct fsi_job *job, const char *dependency, int64_t *when);

#endif
