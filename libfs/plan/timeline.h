/* Who holds how much of each node from when to when, and where and when there is room for a request of tasks that are
 * all alike. Amounts are processors, MB and GPUs; a task fits where a node has all of it left for the whole of its
 * time. */
#ifndef FSI_PLAN_TIMELINE_H
#define FSI_PLAN_TIMELINE_H

#include "model/tables.h"
#include "plan/plan.h"

enum { FSI_LINE_CPU, FSI_LINE_MEM, FSI_LINE_SWAP, FSI_LINE_DISK, FSI_LINE_GPU, FSI_LINE_RES };

struct fsi_line_hold {
	int64_t start, end; /* [start, end) */
	uint32_t job;	    /* row; FSI_NO_INDEX: no job */
	uint32_t user;	    /* its name where nodes are for one user; 0 */
	/* it holds nothing for those whom it lets in: a bit of admitted, from 1 on; 0: it lets nobody in */
	uint32_t gate;
	int64_t amount[FSI_LINE_RES];
};

struct fsi_line_node {
	uint32_t row; /* of the model */
	bool up;
	int64_t total[FSI_LINE_RES];
	FSI_VEC(struct fsi_line_hold) hold;
};

/* So many tasks on a node. */
struct fsi_line_piece {
	uint32_t node; /* index */
	int64_t tasks;
};

struct fsi_line_want {
	uint32_t job; /* row */
	int64_t tasks, limit_s;
	uint32_t nodes;	  /* at least; 0: any number */
	int64_t per_node; /* so many tasks of a node at a time (Maui); 0: any number */
	int64_t task[FSI_LINE_RES];
	bool whole; /* one task takes all processors of a node, which must be free (Flux) */
	bool alone; /* its tasks on a node take all processors of it (Maui's SINGLEJOB, Fluxion's node_exclusive) */
	uint32_t user; /* what others hold takes their nodes whole (Maui's SINGLEUSER); 0: it does not */
	uint64_t admitted; /* gates that let it in */
	const bool *may; /* by node: may it go there; borrowed */
};

struct fsi_timeline {
	struct fsi_line_node *node; /* in the model's order */
	uint32_t n;
	struct fsi_line_piece *piece; /* room for one choice: what fsi_line_choose found */
	uint32_t npieces;
	FSI_VEC(int64_t) ends; /* scratch */
	uint32_t *at;	       /* by place: an order of nodes; scratch */
	uint64_t max_looks;   /* FSI_LINE_MAX_LOOKS */
	uint64_t *looks;       /* holds looked at so far; counted through pointers to const, too */
};

/* Has the search been going on for so long that it is given up? */
bool fsi_line_too_long(const struct fsi_timeline *t);

/* Sets up empty nodes. -1 without memory. */
int fsi_line_init(struct fsi_timeline *t, const fs_snapshot *m);
void fsi_line_release(struct fsi_timeline *t);

/* How many tasks of the request node i has room for from `from` until its limit, and of these takes. */
int64_t fsi_line_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from);

/* For how long from `at` on a node has room for those tasks, as Maui tells (src/MJob.c:MJobGetSNRange): up to the next
 * time at which their number changes, or the next but one if more fit from then on, and longer only as far as the
 * request lasts. 0: there is no room; INT64_MAX: for ever. -1 without memory. */
int64_t fsi_line_span(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t at);

/* The first time from `from` on at which Maui would reserve all of the request (ranges.c), not always the first at
 * which it has room; INT64_MAX never, -1 without memory. */
int64_t fsi_line_earliest(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from);

/* Fills, by node, the tasks of the request that have room from then on. */
void fsi_line_room(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room);

/* Fills, by node, the tasks that Maui would reserve from then on, which may be more than have room for all of the
 * limit; 0 where it could not begin. -1 without memory. */
int fsi_line_reservable(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room);

/* Puts the times after that at which something begins or ends on a node (NULL: on any), in order and each once, into
 * t->ends. -1 without memory. */
int fsi_line_changes(struct fsi_timeline *t, const struct fsi_line_node *n, int64_t after);

/* Is there room at that time on the nodes of `among` (NULL: on any)? */
bool fsi_line_fits(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, const bool *among);

/* The order in which nodes are taken. EQUALS are of the same priority or speed. */
enum fsi_line_order { FSI_LINE_FIRST, FSI_LINE_LAST, FSI_LINE_MIN_MEMORY, FSI_LINE_EQUALS };

/* By node, what a choice goes by; NULL: all nodes are equal in it. */
struct fsi_line_choice {
	const int64_t *room; /* tasks that fit; never NULL */
	const bool *among;   /* may it be taken? */
	const bool *first;   /* is it taken before the others? Not by FIRST */
	const int64_t *span; /* LAST takes the longest first, and of equal ones the last */
};

/* Chooses pieces for its tasks, node after node; false if the nodes do not suffice. Room that is no multiple of
 * per_node counts as enough, but not all of it is taken: then pieces have fewer tasks than asked for. */
bool fsi_line_choose(struct fsi_timeline *t, const struct fsi_line_want *w, const struct fsi_line_choice *by,
		     enum fsi_line_order order);

/* Holds the pieces chosen from start to end. -1 without memory. */
int fsi_line_take(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t start, int64_t end);
/* Adds a hold. -1 without memory. */
int fsi_line_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_line_hold *h);

/* Does the hold let the request in? */
static inline bool fsi_line_lets_in(const struct fsi_line_hold *h, const struct fsi_line_want *w)
{
	return h->gate && h->gate <= 64 && (w->admitted >> (h->gate - 1) & 1);
}

/* Fills, by node: does the job hold anything of it, or is it let in there at some time from then on? */
void fsi_line_held(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from, bool *held);

/* Gives up all that a job holds; and what ended by then. */
void fsi_line_drop(struct fsi_timeline *t, uint32_t job);
void fsi_line_forget(struct fsi_timeline *t, int64_t now);

/* When a hold next begins or ends after that; INT64_MAX: none does. */
int64_t fsi_line_next(const struct fsi_timeline *t, int64_t after);

/* The row of a job that a plan on a timeline starts, as that of Flux's and that of Maui's do. */

/* Starts all of the job then on the pieces that t has chosen. gave: by node of t the job whose end makes room just
 * now; FSI_NO_INDEX: none. Returns the row; NULL without memory. */
struct fsi_plan_row *fsi_line_start(struct fs_plan *p, const struct fsi_timeline *t, const struct fsi_line_want *w,
				    int64_t at, const uint32_t *gave);

#endif
