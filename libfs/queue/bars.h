/* What blocks a pending job of Slurm in each partition and with each QOS that it may use. */
#ifndef FSI_BARS_H
#define FSI_BARS_H

#include "limits/limits.h"
#include "queue/queue.h"

/* Limits and obstacles of a job. The arena of struct fsi_bars_from owns the arrays. */
struct fsi_bars {
	uint32_t job_row;
	const struct fs_reason *reason; /* pending reason of the job; NULL: not a known reason */
	/* all QOS in the job's order for its first partition, then for the next */
	const struct fs_explain_choice *choices;
	size_t nchoices;
	const struct fs_explain_limit *limits; /* limits that block the job, and those that the reason names */
	size_t nlimits;
	const struct fs_explain_obstacle *obstacles; /* requests that its partitions cannot satisfy or do not allow */
	size_t nobstacles;
};

/* Sets *out to what blocks the job; the arrays are empty if the job is not pending. reason: its pending reason.
 * Returns -1 if out of memory. */
int fsi_bars(struct fsi_bars *out, const struct fsi_bars_from *from, uint32_t job_row, const struct fs_reason *reason);

/* Sets the obstacles of *out, and `never`, `untried` and `passed_over` of the choices that have one
 * (libfs/queue/obstacles.c). choices: out->choices. Returns -1 if out of memory. */
int fsi_bars_obstacles(const struct fsi_bars_from *from, struct fsi_bars *out, struct fs_explain_choice *choices);

#endif
