/* All of a run that changes from record to record, taken down and put back. What was found for requests that are alike
 * (room/memo.h, fits.h) is kept as far as it holds then too, so that going on costs no more than it did the first
 * time. */
#ifndef FSI_PLAN_KEPT_STATE_H
#define FSI_PLAN_KEPT_STATE_H

#include "plan/run.h"

struct fsi_plan_state {
	struct fsi_map_saved map;
	struct fsi_plan_state_node {
		int64_t free[FSI_RES_MAX], from, weight;
		uint32_t from_job;
		size_t holds, blocks; /* of all nodes, up to this one's */
	} *node;
	struct fsi_plan_alloc *hold;
	struct fsi_plan_block *block;
	struct fsi_plan_end *end;
	struct fsi_plan_row *row;
	struct fsi_plan_license *license;
	struct fsi_plan_counts counts;
	struct fsi_plan_memo memo; /* its entries have no nodes */
	int64_t *het_start;
	struct fsi_plan_het_in *het_in;
	size_t rows, ends, het_ins, next_started;
	uint64_t array_id, looks;
	uint32_t array_count, tested, starts, memo_round;
	struct fsi_fits_mark fits;
	bool over, given_up;
};

/* -1 without memory; then the state is released, or as it was. */
int fsi_plan_save(struct fsi_plan_state *s, const struct fs_plan *p);
int fsi_plan_load(struct fs_plan *p, const struct fsi_plan_state *s);
void fsi_plan_state_release(struct fsi_plan_state *s);
size_t fsi_plan_state_bytes(const struct fs_plan *p); /* about what saving takes */

#endif
