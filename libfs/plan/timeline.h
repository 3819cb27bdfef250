/* The timeline: who holds how much of each node from when to when, for the simulations of Flux and Maui.
 *
 * Each node (struct fsi_timeline_node) has a list of holds: half-open spans of time in which a job or a reservation
 * occupies an amount of each resource (processors, memory, swap and disk in MB, GPUs). A request (struct
 * fsi_timeline_request) asks for a number of equal tasks. A task fits on a node if all of its resources are free for
 * the whole time limit.
 *
 *   fsi_timeline_count_tasks        counts the tasks that fit on a node at a time
 *   fsi_timeline_request_fits         finds out whether a request fits at a time
 *   fsi_timeline_find_earliest     finds the earliest start, as Maui computes it
 *   fsi_timeline_choose_nodes       chooses nodes, and the number of tasks on each
 *   fsi_timeline_hold_chosen         holds the chosen nodes
 *   fsi_timeline_record_start        stores the start in the row of the plan
 *   fsi_timeline_next_change         finds the time of the next change
 *   fsi_timeline_drop_ended       drops the holds that have ended
 *
 * Memory: fsi_timeline_init_nodes allocates everything that fsi_timeline_release frees. Holds of a node are in no
 * particular order.
 *
 * Errors: functions that allocate return -1 if out of memory; fsi_timeline_record_start returns NULL,
 * fsi_timeline_choose_nodes false.
 *
 * Reproduces src/MJob.c:MJobGetSNRange and MJobGetRange, src/MRes.c:MRLSFromA and MRLMerge,
 * src/MSched.c:MJobAllocMNL and MJobDistributeTasks of TempleHPC maui-scheduler 3.5. The plan of Flux uses holds,
 * counts of tasks, and changes only. */
#ifndef FSI_PLAN_TIMELINE_H
#define FSI_PLAN_TIMELINE_H

#include "model/tables.h"
#include "plan/plan.h"

/* Resources of a node, as indices of amounts; FSI_TIMELINE_RESOURCES: their number. */
enum {
	FSI_TIMELINE_CPU,
	FSI_TIMELINE_MEM,
	FSI_TIMELINE_SWAP,
	FSI_TIMELINE_DISK,
	FSI_TIMELINE_GPU,
	FSI_TIMELINE_RESOURCES
};

/* What a job or a reservation occupies on a node for a time. */
struct fsi_timeline_hold {
	int64_t start, end; /* seconds since the epoch; end is exclusive */
	uint32_t job;	    /* row of the job; FSI_NO_INDEX: a reservation */
	uint32_t user;	    /* name id of the job's user if nodes are exclusive to one user; else 0 */
	/* number of a reservation, from 1 on: requests with bit admission_number - 1 of `admission_bits` may use
	 * what it holds. 0, or more than 64: no request may. */
	uint32_t admission_number;
	int64_t amount[FSI_TIMELINE_RESOURCES]; /* occupied amounts, by resource */
};

struct fsi_timeline_node {
	uint32_t row; /* row of the node in the snapshot */
	bool up;      /* true: not down and not drained */
	int64_t total[FSI_TIMELINE_RESOURCES]; /* amounts of the node, by resource */
	FSI_VEC(struct fsi_timeline_hold) hold;
};

/* A number of tasks on a node. */
struct fsi_timeline_chosen {
	uint32_t node; /* index in the timeline */
	int64_t tasks;
};

/* A request for equal tasks. */
struct fsi_timeline_request {
	uint32_t job; /* row of the job */
	int64_t tasks, limit_s; /* number of tasks; time limit in seconds */
	uint32_t min_nodes;	  /* minimum number of nodes; 0: any number */
	int64_t tasks_multiple; /* Maui: tasks are taken from a node in multiples of this number; 0: any number */
	int64_t task_amount[FSI_TIMELINE_RESOURCES]; /* amounts of one task, by resource */
	bool whole_node; /* Flux: a task needs a node with no processor in use, and takes all of them */
	/* the job's tasks take all processors of a node (Maui: SINGLEJOB, Fluxion: node_exclusive) */
	bool takes_all_cpus;
	/* Maui's SINGLEUSER: name id of the user, to whom nodes with other users' jobs are full; 0: off */
	uint32_t exclusive_user;
	uint64_t admission_bits; /* bit i: reservation i + 1 (member `admission_number` of a hold) admits the job */
	const bool *usable; /* by node: true: the job may use the node; NULL: it may use every node; borrowed */
};

struct fsi_timeline {
	struct fsi_timeline_node *node; /* nodes in the order of the snapshot */
	uint32_t n; /* number of nodes */
	/* result of the last fsi_timeline_choose_nodes; space for one entry per node */
	struct fsi_timeline_chosen *chosen;
	uint32_t nchosen;
	FSI_VEC(int64_t) change_times; /* result of the last fsi_timeline_list_changes */
	uint32_t *node_order;	       /* node indices in the order of the last fsi_timeline_choose_nodes */
	uint64_t work_budget;   /* maximum work before the search is given up; FSI_PLAN_WORK_BUDGET unless changed */
	uint64_t *work;       /* work so far: number of holds examined; allocated, since queries take const pointers */
};

/* Returns true if the work exceeds its maximum, so that the simulation must be given up. */
bool fsi_timeline_is_over_budget(const struct fsi_timeline *t);

/* Sets up the nodes of the snapshot without holds. Returns -1 if out of memory. */
int fsi_timeline_init_nodes(struct fsi_timeline *t, const fs_snapshot *m);
void fsi_timeline_release(struct fsi_timeline *t);

/* Returns how many tasks of the request fit on node i from `from` until the time limit, rounded down to a multiple of
 * w->tasks_multiple. May be more than w->tasks. */
int64_t fsi_timeline_count_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w,
				 int64_t from);

/* Returns how many seconds from `at` on node i counts as free for the request in Maui (src/MJob.c:MJobGetSNRange).
 * The span ends where fewer tasks fit than both fit at `at` and are requested. Once the span covers the time limit,
 * it also ends at the next change of the number of tasks, unless that is the first change and an increase. Returns 0
 * if no task fits at `at`, INT64_MAX if the span does not end, -1 if out of memory. */
int64_t fsi_timeline_free_span(struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w, int64_t at);

/* Returns the first time from `from` on at which Maui would reserve nodes for the whole request, which is not always
 * the first at which it fits (libfs/plan/timeline.c). Returns INT64_MAX if there is none, -1 if out of memory. */
int64_t fsi_timeline_find_earliest(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from);

/* Sets room[node] to the number of tasks that fit from `at` until the time limit. */
void fsi_timeline_count_all_tasks(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				  int64_t *room);

/* Sets room[node] to the number of tasks that Maui would reserve from `at` on; 0 if the job may not begin then. The
 * number may exceed what fits for the whole time limit. Returns -1 if out of memory. */
int fsi_timeline_count_reservable(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				  int64_t *room);

/* Sets t->change_times to the times after `after` at which a hold begins or ends on node n (NULL: on any node),
 * sorted and without duplicates. Returns -1 if out of memory. */
int fsi_timeline_list_changes(struct fsi_timeline *t, const struct fsi_timeline_node *n, int64_t after);

/* Returns true if the request fits from `at` until its time limit on the nodes of `among` (by node; NULL: on all). */
bool fsi_timeline_request_fits(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
			       const bool *among);

/* Order in which fsi_timeline_choose_nodes tries nodes. FIRST: first node first. LAST: longest span, then last node
 * first. MIN_MEMORY: nodes with at most 64 MB, then 128 MB and so on, last node first. EQUALS: first node first,
 * since all nodes have the same priority or speed. */
enum fsi_timeline_order { FSI_ORDER_FIRST, FSI_ORDER_LAST, FSI_ORDER_MIN_MEMORY, FSI_ORDER_EQUALS };

/* Criteria of fsi_timeline_choose_nodes, each an array by node. A criterion that is NULL does not distinguish nodes. */
struct fsi_timeline_criteria {
	const int64_t *free_tasks; /* number of tasks that fit; never NULL */
	const bool *candidates;   /* true: the node is a candidate */
	const bool *preferred;   /* true: the node is tried before the others; ignored by FSI_ORDER_FIRST */
	/* FSI_ORDER_LAST: nodes with a longer span are tried first, among equals the last node */
	const int64_t *free_span;
};

/* Chooses nodes for the tasks of the request, and sets t->chosen and t->nchosen. Returns false if the nodes do not
 * suffice, or if out of memory. `free_tasks` that is not a multiple of w->tasks_multiple counts in full when nodes
 * are counted, but is used only up to a multiple: t->chosen may then have fewer tasks than requested. */
bool fsi_timeline_choose_nodes(struct fsi_timeline *t, const struct fsi_timeline_request *w,
			       const struct fsi_timeline_criteria *by, enum fsi_timeline_order order);

/* Adds holds for the chosen nodes (t->chosen) from start to end. Returns -1 if out of memory. */
int fsi_timeline_hold_chosen(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t start, int64_t end);
/* Adds a copy of the hold to a node. Returns -1 if out of memory. */
int fsi_timeline_add_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_timeline_hold *h);

/* Returns true if the request may use what the hold occupies: a reservation admits its job. */
static inline bool fsi_timeline_hold_admits(const struct fsi_timeline_hold *h, const struct fsi_timeline_request *w)
{
	return h->admission_number && h->admission_number <= 64 && (w->admission_bits >> (h->admission_number - 1) & 1);
}

/* Sets held[node] to true if the request's job holds anything on the node, or if a reservation there that ends after
 * `from` admits the job. */
void fsi_timeline_find_own_nodes(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from,
				 bool *held);

/* Removes all holds of a job. */
void fsi_timeline_drop_job(struct fsi_timeline *t, uint32_t job);
/* Removes the holds that end at or before `now`. */
void fsi_timeline_drop_ended(struct fsi_timeline *t, int64_t now);

/* Returns the first time after `after` at which a hold begins or ends; INT64_MAX: none. */
int64_t fsi_timeline_next_change(const struct fsi_timeline *t, int64_t after);

/* Stores in the job's row of the plan that it starts at `at` on the chosen nodes (t->chosen). gave: by node of the
 * timeline, the row of the job whose end frees the node at this moment; FSI_NO_INDEX: none. Returns the row, NULL if
 * out of memory. */
struct fsi_plan_row *fsi_timeline_record_start(struct fs_plan *p, const struct fsi_timeline *t,
					       const struct fsi_timeline_request *w, int64_t at, const uint32_t *gave);

#endif
