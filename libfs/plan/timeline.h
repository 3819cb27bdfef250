/* The timeline: the amounts of each node's resources that jobs and reservations use over time. The simulations of Flux
 * and Maui have a timeline.
 *
 * Each node (struct fsi_timeline_node) has a list of holds: half-open spans of time in which a job or a reservation
 * occupies an amount of each resource (processors, memory, swap and disk in MB, GPUs). A request (struct
 * fsi_timeline_request) asks for a number of equal tasks. A task fits on a node if all resources that it asks for are
 * free on the node for the whole time limit.
 *
 *   fsi_timeline_count_tasks     counts the tasks that fit on a node at a time
 *   fsi_timeline_request_fits    finds out whether a request fits at a time
 *   fsi_timeline_find_earliest   finds the earliest start, as Maui computes it
 *   fsi_timeline_choose_nodes    chooses nodes, and the number of tasks on each
 *   fsi_timeline_hold_chosen     adds holds to the chosen nodes
 *   fsi_timeline_record_start    stores the start in the row of the plan
 *   fsi_timeline_next_change     finds the next time at which a hold begins or ends
 *   fsi_timeline_drop_ended      removes the holds that have ended
 *
 * Memory: fsi_timeline_init_nodes allocates everything that fsi_timeline_release frees. Holds of a node are in no
 * particular order.
 *
 * Errors: functions that allocate return -1 if out of memory, except two: fsi_timeline_record_start returns NULL, and
 * fsi_timeline_choose_nodes returns false.
 *
 * Reproduces src/MJob.c:MJobGetSNRange and MJobGetRange, src/MRes.c:MRLSFromA and MRLMerge,
 * src/MSched.c:MJobAllocMNL and MJobDistributeTasks of TempleHPC maui-scheduler 3.5. The plan of Flux uses only holds,
 * counts of tasks, and the times at which holds change. */
#ifndef FSI_PLAN_TIMELINE_H
#define FSI_PLAN_TIMELINE_H

#include "model/tables.h"
#include "plan/plan.h"

/* Resources of a node; used as indices of arrays of amounts. FSI_TIMELINE_RESOURCES is the number of resources. */
enum {
	FSI_TIMELINE_CPU,
	FSI_TIMELINE_MEM,
	FSI_TIMELINE_SWAP,
	FSI_TIMELINE_DISK,
	FSI_TIMELINE_GPU,
	FSI_TIMELINE_RESOURCES
};

/* A span of time in which a job or a reservation occupies resources of a node. */
struct fsi_timeline_hold {
	int64_t start, end; /* start and end in seconds since the epoch; the end is exclusive */
	uint32_t job;	    /* row of the job that occupies the amounts; FSI_NO_INDEX: a reservation occupies them */
	/* name id of the job's user if NODEACCESSPOLICY makes nodes exclusive to one user; otherwise 0 */
	uint32_t user;
	/* 1 + row of the reservation that an administrator made; 0: the hold belongs to a job. A request may use the
	 * amounts of the hold if bit `admission_number` - 1 of its `admission_bits` is set. If `admission_number` is
	 * above 64, no request may use them. */
	uint32_t admission_number;
	int64_t amount[FSI_TIMELINE_RESOURCES]; /* occupied amounts, indexed by resource */
};

struct fsi_timeline_node {
	uint32_t row; /* row of the node in the snapshot */
	bool up;      /* true: the node is neither down nor drained */
	int64_t total[FSI_TIMELINE_RESOURCES]; /* amounts of the resources that the node has, indexed by resource */
	FSI_VEC(struct fsi_timeline_hold) hold;
};

/* A node that was chosen for a request, and the number of tasks on it. */
struct fsi_timeline_chosen {
	uint32_t node; /* index of the node in the timeline */
	int64_t tasks;
};

/* A request for a number of equal tasks. */
struct fsi_timeline_request {
	uint32_t job; /* row of the job that makes the request */
	int64_t tasks, limit_s; /* `tasks`: number of tasks; `limit_s`: time limit in seconds */
	uint32_t min_nodes;	  /* minimum number of nodes; 0: any number */
	/* Maui: the number of tasks on a node must be a multiple of this number; 0: any number */
	int64_t tasks_multiple;
	int64_t task_amount[FSI_TIMELINE_RESOURCES]; /* amounts that one task needs, indexed by resource */
	bool whole_node; /* Flux: each task needs a node on which all processors are free, and occupies all of them */
	/* true: on each of its nodes, the job occupies all processors (Maui: SINGLEJOB, Fluxion: node_exclusive) */
	bool takes_all_cpus;
	/* Maui's SINGLEUSER: name id of the job's user; a node with jobs of another user counts as full. 0: users
	 * share nodes */
	uint32_t exclusive_user;
	/* bit i: the job may use the resources of the administrators' reservation with `admission_number` i + 1 */
	uint64_t admission_bits;
	const bool *usable; /* indexed by node: the job may use the node; NULL: the job may use every node; borrowed */
};

struct fsi_timeline {
	struct fsi_timeline_node *node; /* all nodes, in the order of the snapshot */
	uint32_t n; /* number of nodes */
	/* nodes that the last call of fsi_timeline_choose_nodes chose; has space for one entry per node */
	struct fsi_timeline_chosen *chosen;
	uint32_t nchosen;
	FSI_VEC(int64_t) change_times; /* times that the last call of fsi_timeline_list_changes found */
	/* node indices, in the order in which the last call of fsi_timeline_choose_nodes tried the nodes */
	uint32_t *node_order;
	/* Maximum of *work. The simulation is given up when *work exceeds this number. The maximum is
	 * FSI_PLAN_WORK_BUDGET unless the caller sets a different maximum. */
	uint64_t work_budget;
	/* work so far: about one unit for each hold (struct fsi_timeline_hold) that was examined; on the heap, because
	 * functions with a const timeline increase this number */
	uint64_t *work;
	/* Memory ran out: the timeline or a result is incomplete, and the simulation must be given up. Functions that
	 * change the timeline or list times set this member instead of returning an error. */
	bool out_of_memory;
};

/* Returns true if *t->work exceeds t->work_budget, or if t->out_of_memory is set. The simulation must then be given
 * up. */
bool fsi_timeline_is_over_budget(const struct fsi_timeline *t);

/* Sets up the nodes of the snapshot, with all resources free. Returns -1 if out of memory. */
int fsi_timeline_init_nodes(struct fsi_timeline *t, const fs_snapshot *m);
void fsi_timeline_release(struct fsi_timeline *t);

/* Returns the number of tasks of the request that fit on node i from time `from` on for the whole time limit, rounded
 * down to a multiple of w->tasks_multiple. The result may be greater than w->tasks. */
int64_t fsi_timeline_count_tasks(const struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w,
				 int64_t from);

/* Returns the number of seconds, counted from time `at`, for which Maui treats node i as free for the request
 * (src/MJob.c:MJobGetSNRange). Returns 0 if no task fits for the whole time limit, INT64_MAX if the free time does not
 * end.
 *
 * Only some changes of the number of tasks that fit begin a new range (begins_new_range in libfs/plan/timeline.c);
 * other changes are ignored. The free time ends at the first change that begins a new range and meets at least one
 * condition:
 *   - Fewer tasks fit after the change than w->tasks, and fewer than fit for the whole time limit from `at` on.
 *   - The free time before the change is at least the time limit. The change is a decrease, or is not the first change
 *     that begins a new range. */
int64_t fsi_timeline_free_span(struct fsi_timeline *t, uint32_t i, const struct fsi_timeline_request *w, int64_t at);

/* Returns the first time from `from` on at which Maui would reserve nodes for the whole request. The request may fit
 * earlier (libfs/plan/timeline.c). Returns INT64_MAX if there is no such time. */
int64_t fsi_timeline_find_earliest(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from);

/* Sets task_capacity[node] to the number of tasks of the request that fit on the node from time `at` on for the whole
 * time limit. */
void fsi_timeline_count_all_tasks(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				  int64_t *task_capacity);

/* Sets task_capacity[node] to the number of tasks of the request that Maui reserves on the node from time `at` on. Sets
 * it to 0 if the job may not start on the node at that time. The number may exceed the number of tasks that fit for the
 * whole time limit. */
void fsi_timeline_count_reservable(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
				   int64_t *task_capacity);

/* Sets t->change_times to the times later than `after` at which the occupancy of node `n` (NULL: of any node) changes,
 * sorted and without duplicates. */
void fsi_timeline_list_changes(struct fsi_timeline *t, const struct fsi_timeline_node *n, int64_t after);

/* Returns true if the request, started at time `at`, fits for its whole time limit on the nodes marked in `among`
 * (indexed by node; NULL: all nodes). */
bool fsi_timeline_request_fits(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t at,
			       const bool *among);

/* Order in which fsi_timeline_choose_nodes tries nodes.
 * FIRST: lowest index first.
 * LAST: preferred nodes first, then longest free span first, then highest index first.
 * MIN_MEMORY: first the nodes with at most 64 MB of memory, then the nodes with at most 128 MB, and so on up to 4096
 * MB, then all others. Within each group: preferred nodes first, then highest index first.
 * EQUALS: preferred nodes first, then lowest index first. This order is used for policies that rank nodes by
 * priority or speed, because all nodes are assumed to be equal. */
enum fsi_timeline_order { FSI_ORDER_FIRST, FSI_ORDER_LAST, FSI_ORDER_MIN_MEMORY, FSI_ORDER_EQUALS };

/* Properties of the nodes, for fsi_timeline_choose_nodes. Each member is an array indexed by node; NULL: the property
 * is the same for all nodes. */
struct fsi_timeline_criteria {
	/* indexed by node: number of tasks of the request that fit on the node; never NULL */
	const int64_t *free_tasks;
	const bool *candidates;   /* true: the node may be chosen for the request */
	/* true: the node is tried before nodes that are not preferred; ignored by FSI_ORDER_FIRST */
	const bool *preferred;
	/* seconds for which the node stays free; used by FSI_ORDER_LAST */
	const int64_t *free_span;
};

/* Chooses nodes for the tasks of the request, and sets t->chosen and t->nchosen. Returns false if the nodes do not
 * suffice, or if out of memory. A quirk of Maui: the chosen nodes may get fewer tasks than requested. Maui chooses
 * nodes until the sum of their `free_tasks` suffices. After this choice, Maui rounds the number of tasks on each node
 * down to a multiple of w->tasks_multiple. */
bool fsi_timeline_choose_nodes(struct fsi_timeline *t, const struct fsi_timeline_request *w,
			       const struct fsi_timeline_criteria *by, enum fsi_timeline_order order);

/* Enters the request's job in the timeline on the chosen nodes (t->chosen), from `start` to `end`. */
void fsi_timeline_hold_chosen(struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t start, int64_t end);
/* Adds a copy of the hold to a node. */
void fsi_timeline_add_hold(struct fsi_timeline *t, uint32_t node, const struct fsi_timeline_hold *h);

/* Returns true if the hold belongs to a reservation that admits the request's job. The request may then use the
 * amounts of the hold. */
static inline bool fsi_timeline_hold_admits(const struct fsi_timeline_hold *h, const struct fsi_timeline_request *w)
{
	return h->admission_number && h->admission_number <= 64 && (w->admission_bits >> (h->admission_number - 1) & 1);
}

/* Sets held[node] to true if the request's job occupies the node at any time, or if the node has a reservation that
 * admits the job. A reservation counts only if it ends after `from`. */
void fsi_timeline_find_own_nodes(const struct fsi_timeline *t, const struct fsi_timeline_request *w, int64_t from,
				 bool *held);

/* Removes a job from all nodes of the timeline. */
void fsi_timeline_drop_job(struct fsi_timeline *t, uint32_t job);
/* Removes the jobs and reservations that end at or before `now` from all nodes. */
void fsi_timeline_drop_ended(struct fsi_timeline *t, int64_t now);

/* Returns the first time after `after` at which the occupancy of a node changes; INT64_MAX: none. */
int64_t fsi_timeline_next_change(const struct fsi_timeline *t, int64_t after);

/* Stores in the job's row of the plan that the job starts at `at` on the chosen nodes (t->chosen). `freed_by_end`,
 * indexed by node: row of the job whose end frees the node at time `at`; FSI_NO_INDEX: no job frees it then. Returns
 * the row of the plan. If out of memory, sets p->out_of_memory, and the row has no nodes. */
struct fsi_plan_row *fsi_timeline_record_start(struct fs_plan *p, const struct fsi_timeline *t,
					       const struct fsi_timeline_request *w, int64_t at,
					       const uint32_t *freed_by_end);

#endif
