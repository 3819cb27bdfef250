/* The plan of Flux: a simulation of scheduling loops. A loop runs whenever jobs end or a begin time is reached.
 *
 *   rules        fsi_flux_plan_read_rules reads which scheduler is used, and its policy
 *   setup        running jobs are put on the timeline, pending jobs into pending lists
 *   loop         jobs of the pending lists start by the policy; then jobs whose dependencies are met are released
 *   advance      time moves to the next begin time or end of a job; jobs that have ended leave the timeline
 *   end          jobs without a start get their state from the queue (fs_queue_verdict)
 *
 * struct fsi_flux_plan is the state of one simulation. Member `run` of fsi_plan_of_flux creates and frees it. The state
 * owns all of its memory, but names and rows belong to the plan. When a job starts, its start is stored in its row. */
#ifndef FSI_PLAN_FLUX_H
#define FSI_PLAN_FLUX_H

#include "plan/plan.h"
#include "plan/timeline.h"

/* What a loop does after a job of a pending list that cannot start:
 *   FIFO      no later job of the list starts (flux-core: src/modules/sched-fifo.py, sched-simple.py; Fluxion's
 *             fcfs, with a list for each queue: flux-sched, qmanager/policies/queue_policy_fcfs_impl.hpp)
 *   SHADOW    a later job starts if its time limit ends by the earliest start of the first job that cannot start now
 *             (src/modules/sched-backfill.py)
 *   RESERVE   for each of the first jobs that cannot start, nodes are reserved from the job's earliest start on; later
 *             jobs start if they delay no reservation (queue_policy_bf_base_impl.hpp: easy, hybrid, conservative) */
enum fsi_flux_policy { FSI_FLUX_FIFO, FSI_FLUX_SHADOW, FSI_FLUX_RESERVE };

/* Properties of the scheduler that is simulated. */
struct fsi_flux_plan_rules {
	enum fsi_flux_policy policy;
	/* `module`: name of the scheduler's module; `name`: name of its policy, as printed; both borrowed */
	const char *module, *name;
	/* true: the snapshot has the name of the scheduler's module; false: flux-core's default module is assumed */
	bool module_known;
	bool list_per_queue;	   /* true: each queue has a pending list of its own; false: one list for all queues */
	/* true: nodes with the most free cores are tried first; among nodes with equally many free cores, nodes with
	 * the most free GPUs */
	bool worst_fit;
	/* true: nodes are tried from the last to the first; false: from the first to the last, unless `worst_fit` is
	 * set */
	bool last_fit;
	bool whole_nodes;	   /* true: each job has its nodes exclusively */
	/* `depth`: number of jobs of a pending list that a loop tries; `reservations`: maximum number of jobs of a
	 * pending list for which nodes are reserved */
	uint32_t depth, reservations;
};
/* Sets *r from the configuration in the snapshot. Exception: if `by_priority` is true, the policy is FIFO, whatever
 * policy is configured. */
void fsi_flux_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_plan_rules *r);

/* State of one simulation of Flux. */
struct fsi_flux_plan {
	struct fs_plan *plan; /* the plan whose rows are filled; borrowed */
	struct fsi_arena arena; /* arrays of the simulation */
	struct fsi_flux_plan_rules rules;
	int64_t now; /* time of the current scheduling loop, seconds since the epoch */
	/* resources in use by running jobs of the snapshot, by jobs that have started in the simulation, and by
	 * reservations */
	struct fsi_timeline timeline;
	/* The pending lists: the jobs in state SCHED that the scheduler may start. Each list is sorted by priority,
	 * highest first. */
	struct fsi_flux_pending_list {
		uint32_t queue; /* name id of the queue; 0: the list has the jobs of all queues */
		FSI_VEC(uint32_t) job; /* rows of pending jobs, in scheduling order */
		FSI_VEC(uint32_t) reserved; /* rows of the jobs for which nodes are reserved until the next loop */
		size_t next; /* index in `job` of the next job to try in this loop */
		/* number of jobs tried in this loop, except jobs that fit at no time; maximum: rules.depth */
		uint32_t tried;
	} *lists;
	size_t nlists;
	bool *usable;	 /* indexed by node: the job that is being tried may use the node */
	struct fsi_flux_free_amounts {
		int64_t cores, gpus;
	/* indexed by node: cores and GPUs that were free when nodes were last chosen; set only if `worst_fit` is
	 * true */
	} *free_amounts;
	uint32_t *node_order; /* node indices in the order in which they are tried */
	/* indexed by node: row of the job that has just ended there, at time `now`; FSI_NO_INDEX: none */
	uint32_t *freed_by;
	bool *end_handled;	    /* indexed by job row: the end of the job has been recorded as an event */
	/* indexed by job row: the job can never run. When the scheduler reaches the job, the scheduler refuses the job
	 * (src/modules/job-manager/alloc.c: a denied request raises an exception). */
	bool *never_runs;
	struct fsi_flux_held_jobs *held; /* jobs in DEPEND and their dependencies; defined in libfs/plan/flux.c */
	uint32_t starts_left; /* maximum number of further starts in the current pass over the pending lists */
	size_t npending; /* total number of jobs in the pending lists */
	bool is_over; /* true: no later loop can start a job */
};

/* What happened to a job. Each event may release jobs that depend on that job. REFUSED: the job left the queue without
 * having run. */
enum fsi_flux_event { FSI_FLUX_STARTS, FSI_FLUX_ENDS, FSI_FLUX_REFUSED };

#endif
