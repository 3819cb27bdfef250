/* What jobs of Flux ask for and which nodes may give it, as flux-core's schedulers read a jobspec
 * (src/bindings/python/flux/resource/Rv1Pool.py: ResourceRequest, alloc, _check_feasibility). */
#ifndef FSI_MODEL_FLUX_H
#define FSI_MODEL_FLUX_H

#include "model/model.h"

/* nodes 0: slots may lie anywhere, several on a node; else so many nodes with one such slot each. slots 0: not known. */
struct fsi_flux_request {
	uint32_t nodes;
	int64_t slots, cores; /* cores of a slot, at least 1 */
};
struct fsi_flux_request fsi_flux_request(const struct fsi_job *job);

/* Has the node the job's queue and properties? A job without a queue may use any. */
bool fsi_flux_may_use(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_node *node);

/* Does nothing of that queue start (flux-core: src/modules/job-manager/queue.c: queue_stop)? FSI_NO_INDEX: a job without a
 * queue, or of one that is not in the snapshot. */
bool fsi_flux_stopped(const fs_snapshot *m, uint32_t partition);

#endif
