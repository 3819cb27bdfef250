/* What was found for a request is kept for requests like it that follow. */
#ifndef FSI_PLAN_MEMO_H
#define FSI_PLAN_MEMO_H

#include "plan/plan.h"

struct fsi_plan_alike {
	int64_t field[18];        /* all of a request that decides when and where it starts */
	int64_t from;             /* it was tried in vain before that; INT64_MAX: always */
	int64_t alone;            /* its start if nothing were planned, as of `round` */
	uint32_t round, n, *node; /* and the nodes of that start */
	uint32_t wait, wait_round; /* enum fs_plan_wait: what it is short of, as of that round */
	bool used;
};

struct fsi_plan_memo {
	struct fsi_plan_alike *v;
	uint32_t size, n; /* size: a power of 2 */
	uint32_t
		round; /* counted on when a job starts now: it takes room from what was found alone */
};

/* The entry for the request, which begins as one never tried; NULL when it may not be kept, or without memory. */
struct fsi_plan_alike *fsi_plan_alike(struct fsi_plan_memo *m, const struct fsi_plan_request *q);
/* A copy without what was found alone. -1 without memory. */
int fsi_plan_memo_copy(struct fsi_plan_memo *to, const struct fsi_plan_memo *m);
void fsi_plan_memo_release(struct fsi_plan_memo *m);

#endif
