/* The timeline: who holds how much of each node from when to when, for the simulations of Flux and Maui.
 *
 * Each node (struct fsi_line_node) has a list of holds: half-open spans of time in which a job or a reservation
 * occupies an amount of each resource (processors, memory, swap and disk in MB, GPUs). A request (struct
 * fsi_line_want) asks for a number of equal tasks. A task fits on a node if all of its resources are free for
 * the whole time limit.
 *
 *   fsi_line_tasks        counts the tasks that fit on a node at a time
 *   fsi_line_fits         finds out whether a request fits at a time
 *   fsi_line_earliest     finds the earliest start, as Maui computes it
 *   fsi_line_choose       chooses nodes, and the number of tasks on each
 *   fsi_line_take         holds the chosen nodes
 *   fsi_line_start        stores the start in the row of the plan
 *   fsi_line_next         finds the time of the next change
 *   fsi_line_forget       drops the holds that have ended
 *
 * Memory: fsi_line_init allocates everything that fsi_line_release frees. Holds of a node are in no
 * particular order.
 *
 * Errors: functions that allocate return -1 if out of memory; fsi_line_start returns NULL,
 * fsi_line_choose false.
 *
 * Reproduces src/MJob.c:MJobGetSNRange and MJobGetRange, src/MRes.c:MRLSFromA and MRLMerge,
 * src/MSched.c:MJobAllocMNL and MJobDistributeTasks of TempleHPC maui-scheduler 3.5. The plan of Flux uses holds,
 * counts of tasks, and changes only. */
#ifndef FSI_PLAN_TIMELINE_H
#define FSI_PLAN_TIMELINE_H

#include "model/tables.h"
#include "plan/plan.h"

/* Resources of a node, as indices of amounts; FSI_LINE_RES: their number. */
enum { FSI_LINE_CPU, FSI_LINE_MEM, FSI_LINE_SWAP, FSI_LINE_DISK, FSI_LINE_GPU, FSI_LINE_RES };

/* What a job or a reservation occupies on a node for a time. */
struct fsi_line_hold {
	int64_t start, end; /* seconds since the epoch; end is exclusive */
	uint32_t job;	    /* row of the job; FSI_NO_INDEX: a reservation */
	uint32_t user;	    /* name id of the job's user if nodes are exclusive to one user; else 0 */
	/* number of a reservation, from 1 on: requests with bit gate - 1 of `admitted` may use what it holds. 0, or
	 * more than 64: no request may. */
	uint32_t gate;
	int64_t amount[FSI_LINE_RES]; /* occupied amounts, by resource */
};

struct fsi_line_node {
	uint32_t row; /* row of the node in the snapshot */
	bool up;      /* true: not down and not drained */
	int64_t total[FSI_LINE_RES]; /* amounts of the node, by resource */
	FSI_VEC(struct fsi_line_hold) hold;
};

/* A number of tasks on a node. */
struct fsi_line_piece {
	uint32_t node; /* index in the timeline */
	int64_t tasks;
};

/* A request for equal tasks. */
struct fsi_line_want {
	uint32_t job; /* row of the job */
	int64_t tasks, limit_s; /* number of tasks; time limit in seconds */
	uint32_t nodes;	  /* minimum number of nodes; 0: any number */
	int64_t per_node; /* Maui: tasks are taken from a node in multiples of this number; 0: any number */
	int64_t task[FSI_LINE_RES]; /* amounts of one task, by resource */
	bool whole; /* Flux: a task needs a node with no processor in use, and takes all of them */
	bool alone; /* the job's tasks take all processors of a node (Maui: SINGLEJOB, Fluxion: node_exclusive) */
	/* Maui's SINGLEUSER: name id of the user, to whom nodes with other users' jobs are full; 0: off */
	uint32_t user;
	uint64_t admitted; /* bit i: reservation i + 1 (member `gate` of a hold) admits the job */
	const bool *may; /* by node: true: the job may use the node; NULL: it may use every node; borrowed */
};

struct fsi_timeline {
	struct fsi_line_node *node; /* nodes in the order of the snapshot */
	uint32_t n; /* number of nodes */
	/* result of the last fsi_line_choose; space for one entry per node */
	struct fsi_line_piece *piece;
	uint32_t npieces;
	FSI_VEC(int64_t) ends; /* result of the last fsi_line_changes */
	uint32_t *at;	       /* node indices in the order of the last fsi_line_choose */
	uint64_t max_looks;   /* maximum work before the search is given up; FSI_LINE_MAX_LOOKS unless changed */
	uint64_t *looks;       /* work so far: number of holds examined; allocated, since queries take const pointers */
};

/* Returns true if the work exceeds its maximum, so that the simulation must be given up. */
bool fsi_line_too_long(const struct fsi_timeline *t);

/* Sets up the nodes of the snapshot without holds. Returns -1 if out of memory. */
int fsi_line_init(struct fsi_timeline *t, const fs_snapshot *m);
void fsi_line_release(struct fsi_timeline *t);

/* Returns how many tasks of the request fit on node i from `from` until the time limit, rounded down to a multiple of
 * w->per_node. May be more than w->tasks. */
int64_t fsi_line_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t from);

/* Returns how many seconds from `at` on node i counts as free for the request in Maui (src/MJob.c:MJobGetSNRange).
 * The span ends where fewer tasks fit than both fit at `at` and are requested. Once the span covers the time limit,
 * it also ends at the next change of the number of tasks, unless that is the first change and an increase. Returns 0
 * if no task fits at `at`, INT64_MAX if the span does not end, -1 if out of memory. */
int64_t fsi_line_span(struct fsi_timeline *t, uint32_t i, const struct fsi_line_want *w, int64_t at);

/* Returns the first time from `from` on at which Maui would reserve nodes for the whole request, which is not always
 * the first at which it fits (libfs/plan/timeline.c). Returns INT64_MAX if there is none, -1 if out of memory. */
int64_t fsi_line_earliest(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from);

/* Sets room[node] to the number of tasks that fit from `at` until the time limit. */
void fsi_line_room(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room);

/* Sets room[node] to the number of tasks that Maui would reserve from `at` on; 0 if the job may not begin then. The
 * number may exceed what fits for the whole time limit. Returns -1 if out of memory. */
int fsi_line_reservable(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, int64_t *room);

/* Sets t->ends to the times after `after` at which a hold begins or ends on node n (NULL: on any node), sorted and
 * without duplicates. Returns -1 if out of memory. */
int fsi_line_changes(struct fsi_timeline *t, const struct fsi_line_node *n, int64_t after);

/* Returns true if the request fits from `at` until its time limit on the nodes of `among` (by node; NULL: on all). */
bool fsi_line_fits(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t at, const bool *among);

/* Order in which fsi_line_choose tries nodes. FIRST: first node first. LAST: longest span, then last node
 * first. MIN_MEMORY: nodes with at most 64 MB, then 128 MB and so on, last node first. EQUALS: first node first,
 * since all nodes have the same priority or speed. */
enum fsi_line_order { FSI_LINE_FIRST, FSI_LINE_LAST, FSI_LINE_MIN_MEMORY, FSI_LINE_EQUALS };

/* Criteria of fsi_line_choose, each an array by node. A criterion that is NULL does not distinguish nodes. */
struct fsi_line_choice {
	const int64_t *room; /* number of tasks that fit; never NULL */
	const bool *among;   /* true: the node is a candidate */
	const bool *first;   /* true: the node is tried before the others; ignored by FSI_LINE_FIRST */
	const int64_t *span; /* FSI_LINE_LAST: nodes with a longer span are tried first, among equals the last node */
};

/* Chooses nodes for the tasks of the request, and sets t->piece and t->npieces. Returns false if the nodes do not
 * suffice, or if out of memory. `room` that is not a multiple of w->per_node counts in full when nodes are counted,
 * but is used only up to a multiple: t->piece may then have fewer tasks than requested. */
bool fsi_line_choose(struct fsi_timeline *t, const struct fsi_line_want *w, const struct fsi_line_choice *by,
		     enum fsi_line_order order);

/* Adds holds for the chosen nodes (t->piece) from start to end. Returns -1 if out of memory. */
int fsi_line_take(struct fsi_timeline *t, const struct fsi_line_want *w, int64_t start, int64_t end);
/* Adds a copy of the hold to a node. Returns -1 if out of memory. */
int fsi_line_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_line_hold *h);

/* Returns true if the request may use what the hold occupies: a reservation admits its job. */
static inline bool fsi_line_lets_in(const struct fsi_line_hold *h, const struct fsi_line_want *w)
{
	return h->gate && h->gate <= 64 && (w->admitted >> (h->gate - 1) & 1);
}

/* Sets held[node] to true if the request's job holds anything on the node, or if a reservation there that ends after
 * `from` admits the job. */
void fsi_line_held(const struct fsi_timeline *t, const struct fsi_line_want *w, int64_t from, bool *held);

/* Removes all holds of a job. */
void fsi_line_drop(struct fsi_timeline *t, uint32_t job);
/* Removes the holds that end at or before `now`. */
void fsi_line_forget(struct fsi_timeline *t, int64_t now);

/* Returns the first time after `after` at which a hold begins or ends; INT64_MAX: none. */
int64_t fsi_line_next(const struct fsi_timeline *t, int64_t after);

/* Stores in the job's row of the plan that it starts at `at` on the chosen nodes (t->piece). gave: by node of the
 * timeline, the row of the job whose end frees the node at this moment; FSI_NO_INDEX: none. Returns the row, NULL if
 * out of memory. */
struct fsi_plan_row *fsi_line_start(struct fs_plan *p, const struct fsi_timeline *t, const struct fsi_line_want *w,
				    int64_t at, const uint32_t *gave);

#endif
