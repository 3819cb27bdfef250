/* A queue and the order in which its records are gone through; and where two of these divide. */
#ifndef FSI_PLAN_KEPT_LINED_H
#define FSI_PLAN_KEPT_LINED_H

#include "plan/run.h"

struct fsi_lined {
	fs_queue *queue;
	struct fsi_plan_line line;
};

const struct fsi_queue_record *fsi_lined_record(const struct fsi_lined *q, size_t i);

/* How many records are the same in both, from the first on. */
size_t fsi_lined_common(const struct fsi_lined *a, const struct fsi_lined *b);

/* How many records stand before the job's first one, and how many up to its last; all where it has none. */
size_t fsi_lined_before(const struct fsi_lined *q, uint32_t job);
size_t fsi_lined_through(const struct fsi_lined *q, uint32_t job);

void fsi_lined_free(struct fsi_lined *q); /* frees both; it is empty then */

#endif
