/* From when on running jobs leave a request room on each node: the same for all requests that ask nodes for the same, so that
 * nodes which cannot be had at a moment are never looked at. Room only grows as jobs end. A job that starts now takes room
 * away: what was found before that is too much, never too little, and good enough to rule nodes out. */
#ifndef FSI_PLAN_FITS_H
#define FSI_PLAN_FITS_H

#include "plan/plan.h"

/* Nodes by the moment from which on they can be had. */
struct fsi_fits_list {
	struct fsi_fits_from {
		struct fsi_plan_moment from;
		uint32_t node;
	} *v;          /* by rising moment */
	uint32_t n;
	uint64_t *set; /* sets of nodes: of the first 0, STEP, 2 * STEP, ... of them */
};

struct fsi_fits {
	int64_t key[16];
	struct fsi_fits_list any, much; /* with any room; with at least `share` CPUs */
	int64_t share, most;		/* most: CPUs that any node can ever give it */
	uint32_t round;			/* of the table when it was made: made anew when it is far behind */
	uint64_t made;			/* how many were made before it */
	bool used;
};

struct fsi_fits_table {
	struct fsi_fits *v;
	uint32_t size, n; /* size: a power of 2 */
	uint32_t round;   /* counted on when a job starts now */
	uint64_t made;    /* counted on when one is made */
	uint64_t branch;  /* 0, or where the run went back to: those made since are of another way than the first */
};

/* For the request, made if need be and `make`; NULL when it is not kept, or without memory. */
const struct fsi_fits *fsi_fits_of(struct fsi_fits_table *t, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q, bool make);
void fsi_fits_release(struct fsi_fits_table *t);

/* Where a run stands, to go back there: of what was made, that holds then which was made on the first way before it. */
struct fsi_fits_mark {
	uint64_t made;
	uint32_t round;
};
struct fsi_fits_mark fsi_fits_mark(const struct fsi_fits_table *t);
void fsi_fits_back(struct fsi_fits_table *t, struct fsi_fits_mark mark);

/* Leaves in `set` the nodes that may have room at a moment; false when what they can give cannot suffice. scratch: room for a
 * set. */
bool fsi_fits_at(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		 const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		 uint64_t *scratch);

#endif
