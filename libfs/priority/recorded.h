/* What sprio printed, by job: for rows some of whose inputs were hidden from the capture, or are no more. */
#ifndef FSI_PRIORITY_RECORDED_H
#define FSI_PRIORITY_RECORDED_H

#include "model/model.h"

struct fsi_prio_recorded {
	const fs_snapshot *m;
	uint32_t *row; /* records of jobs, rising job id, else as they stand */
	size_t n;
};

/* Lists the records in the arena; there are none where none stand in (fsi_recorded_stands_in). -1 without memory. */
int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m,
			   struct fsi_arena *arena);

/* The record of a job in a partition with a QOS (names; a record without a QOS is of any), NULL if none. */
const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos);

/* The weighted points that sprio printed, whole; NAN if it printed none. */
double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor);

/* The factor that sprio printed, before its weight, of a TRES weight by its name: to seven digits where those were
 * printed, else from the whole points. NAN: not printed. */
double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight);

#endif
