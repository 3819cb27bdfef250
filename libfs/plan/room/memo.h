/* What was found for a request is kept for requests like it that follow. */
#ifndef FSI_PLAN_ROOM_MEMO_H
#define FSI_PLAN_ROOM_MEMO_H

#include "plan/plan.h"

/* Starts that were tried in vain, or would be. None is found for them by `until`; where it is `never`, too few nodes
 * are left for any. */
struct fsi_plan_tried {
	int64_t start, until; /* [start, until) */
	bool never;
};

/* By rising start; more than there is room for are not kept. */
struct fsi_plan_tries {
	struct fsi_plan_tried *v;
	size_t n, cap;
};

struct fsi_plan_alike {
	int64_t field[25];        /* all of a request that decides when and where it starts */
	int64_t from;             /* plan by priority: it was tried in vain before that; INT64_MAX: always */
	struct fsi_plan_tries tries; /* backfill: of the last search */
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
/* Adds one behind the others; without memory it is not kept. */
void fsi_plan_note_tried(struct fsi_plan_tries *t, struct fsi_plan_tried tried);
/* The last one that has that start, or NULL. *at: place of the last one asked for, 0 at first. */
const struct fsi_plan_tried *fsi_plan_tried(const struct fsi_plan_tries *t, int64_t start, size_t *at);

/* A copy without what was found alone or tried. -1 without memory. */
int fsi_plan_memo_copy(struct fsi_plan_memo *to, const struct fsi_plan_memo *m);
void fsi_plan_memo_release(struct fsi_plan_memo *m);

#endif
