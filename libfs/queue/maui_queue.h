/* Maui's queue: the order in which an iteration tries the eligible jobs, and the causes that block all other jobs.
 *
 * Jobs are sorted by start priority, highest first (src/moab/MQueue.c:MQueuePrioritizeJobs, MQueueSelectAllJobs). Jobs
 * of equal priority are sorted by the priority that they had in the previous iteration, since Maui sorts the list of
 * that iteration again. If the previous priorities are equal too, the order is undefined, because Maui's sort is not
 * stable (src/moab/MSched.c).
 *
 * Causes that block a job, in the order in which they are tested:
 *   - the job is held or deferred
 *   - its priority is negative, and Maui rejects negative priorities
 *   - it exceeds a limit of a credential and has no reservation (src/moab/MPolicy.c:MQueueSelectAllJobs)
 *   - it exceeds a fair-share cap (src/moab/MFS.c:MFSCheckCap)
 *   - the scheduler listed it as blocked */
#ifndef FSI_QUEUE_MAUI_QUEUE_H
#define FSI_QUEUE_MAUI_QUEUE_H

#include "limits/maui_limits.h"
#include "queue/queue.h"

extern const struct fsi_queue_scheduler fsi_queue_of_maui;

/* Data of Maui's queue, stored in member `scheduler_data` of struct fs_queue. */
struct fsi_maui_queue {
	/* state of the simulation that plans the jobs, borrowed; NULL: jobs are as in the snapshot */
	const struct fsi_maui_state *state;
	struct fsi_maui_limits *limits;	    /* limits of credentials; NULL: no credential has a limit */
	fs_windows *windows;		    /* fair-share windows; NULL: the snapshot has no credentials */
	/* indexed by job row: start priority of the job in the previous iteration; 0: unknown. NULL: unknown for all
	 * jobs */
	double *earlier;
};

/* Returns Maui's data of a queue that fsi_queue_of_maui prepared. Returns NULL only if the preparation failed. */
static inline struct fsi_maui_queue *fsi_maui_queue_data(const struct fs_queue *q)
{
	return q->scheduler_data;
}

#endif
