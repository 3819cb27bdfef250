/* Rows of a part's model are moved to that of the whole. Names get the ids they would have had if the whole had read
 * the part itself: those of the order in which they first appear. */
#ifndef FSI_MERGE_H
#define FSI_MERGE_H

#include "model/model.h"

/* The ids in the whole for those of a part's model; the memory is used again for the next part. Zero it first. */
struct fsi_ids {
	uint32_t *v; /* by id in the part; of sets, 0: not known yet */
	size_t cap;
};

struct fsi_merge {
	struct fsi_ids names, lists, amounts;
};

/* Moves all rows of the part, whose lines count from first_line on, and leaves it with neither rows nor names; -1
 * without memory. */
int fsi_merge(struct fsi_merge *map, fs_snapshot *whole, fs_snapshot *part, uint64_t first_line);

void fsi_merge_release(struct fsi_merge *map);

#endif
