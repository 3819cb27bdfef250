/* Maui's queue: the order in which an iteration tries the jobs, and what blocks the others.
 *
 * The order is falling start priority (src/moab/MQueue.c:MQueuePrioritizeJobs, MQueueSelectAllJobs). Jobs of equal
 * priority follow the priority of the iteration before, since Maui sorts a list that is already sorted. Maui leaves the
 * order of the remaining ties open (src/moab/MSched.c; its sort is not stable).
 *
 * A job is blocked if one of these is true, in this order: it is held or deferred; its priority is negative and
 * such jobs are rejected; it exceeds a limit of a credential and has no reservation
 * (src/moab/MPolicy.c:MQueueSelectAllJobs); it exceeds a fair-share cap (src/moab/MFS.c:MFSCheckCap); the scheduler
 * listed it as blocked. */
#ifndef FSI_QUEUE_MAUI_QUEUE_H
#define FSI_QUEUE_MAUI_QUEUE_H

#include "limits/maui_limits.h"
#include "queue/queue.h"

extern const struct fsi_queue_scheduler fsi_queue_of_maui;

/* What a queue of Maui owns beside its records. */
struct fsi_maui_queue {
	const struct fsi_maui_state *state; /* the planner's; NULL: as in the snapshot */
	struct fsi_maui_limits *limits;	    /* NULL: no credential has a limit */
	fs_windows *windows;		    /* NULL: the snapshot has no credentials */
	double *earlier;		    /* by job row: start priority in the iteration before; 0: unknown */
};

/* Returns the data of a queue that fsi_queue_of_maui prepared; NULL only if preparing it failed. */
static inline struct fsi_maui_queue *fsi_maui_queue_data(const struct fs_queue *q)
{
	return q->scheduler_data;
}

#endif
