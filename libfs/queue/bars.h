/* What is in the way of a pending job of Slurm, in each partition and with each QOS it may use. */
#ifndef FSI_BARS_H
#define FSI_BARS_H

#include "limits/limits.h"
#include "queue/queue.h"

struct fsi_bars {
	uint32_t job_row;
	const struct fs_reason *reason; /* the job's */
	const struct fs_explain_choice *choices; /* partitions by QOS, as the job lists them: as its records in the queue */
	size_t nchoices;
	const struct fs_explain_limit *limits;
	size_t nlimits;
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles;
};

/* Fills out, with nothing for a job that does not wait. Returns -1 if out of memory, as
 * does fsi_bars_obstacles. */
int fsi_bars(struct fsi_bars *out, const struct fsi_bars_from *from, uint32_t job_row, const struct fs_reason *reason);

/* Adds the obstacles of the job (obstacles.c), and marks the choices that have one. */
int fsi_bars_obstacles(const struct fsi_bars_from *from, struct fsi_bars *out, struct fs_explain_choice *choices);

#endif
