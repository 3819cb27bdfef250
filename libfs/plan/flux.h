/* The plan of Flux: a simulation of scheduling loops, one whenever jobs end or a begin time is reached.
 *
 *   rules        fsi_flux_plan_read_rules reads which scheduler runs and with which policy
 *   setup        running jobs are put on the timeline, pending jobs into pending lists
 *   loop         jobs of the pending lists start by the policy; then jobs whose dependencies are met are released
 *   advance      time moves to the next end of a job or begin time; jobs that end then leave the timeline
 *   end          jobs without a start get their state from the queue's verdict
 *
 * struct fsi_flux_plan is the state of one simulation. It exists during the scheduler's run only, which owns all of
 * its memory; names and rows belong to the plan. Starts are stored in the plan's rows when they happen. */
#ifndef FSI_PLAN_FLUX_H
#define FSI_PLAN_FLUX_H

#include "plan/plan.h"
#include "plan/timeline.h"

/* What a loop does after a job that cannot start:
 *   FIFO      no later job of the pending list starts (flux-core: src/modules/sched-fifo.py, sched-simple.py;
 *             Fluxion's fcfs, with a list for each queue: flux-sched, qmanager/policies/queue_policy_fcfs_impl.hpp)
 *   SHADOW    later jobs start if their time limit ends before the first job can start
 *             (src/modules/sched-backfill.py)
 *   RESERVE   the first jobs that cannot start get nodes reserved from their earliest start on; later jobs start if
 *             they delay no reservation (queue_policy_bf_base_impl.hpp: easy, hybrid, conservative) */
enum fsi_flux_policy { FSI_FLUX_FIFO, FSI_FLUX_SHADOW, FSI_FLUX_RESERVE };

/* The scheduler that is simulated. */
struct fsi_flux_plan_rules {
	enum fsi_flux_policy policy;
	const char *module, *name; /* module: the scheduler's module; name: its policy, as printed; borrowed */
	/* true: the snapshot has the module; false: flux-core's default is assumed */
	bool module_known;
	bool list_per_queue;	   /* true: each queue has a pending list of its own; false: one list for all queues */
	bool worst_fit;		   /* true: nodes with most free cores, then most free GPUs, are tried first */
	bool last_fit;		   /* true: the last nodes are tried first; without either, the first nodes */
	bool whole_nodes;	   /* true: each job has its nodes exclusively */
	/* depth: number of jobs of a list that a loop tries; reservations: number of jobs of a list that may have
	 * nodes reserved */
	uint32_t depth, reservations;
};
/* Sets *r from the configuration in the snapshot. by_priority: the policy is FIFO, whatever is configured. */
void fsi_flux_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_flux_plan_rules *r);

/* State of a simulation. */
struct fsi_flux_plan {
	struct fs_plan *plan; /* the plan whose rows are filled; borrowed */
	struct fsi_flux_plan_rules rules;
	int64_t now; /* time of the current loop, seconds since the epoch */
	struct fsi_timeline timeline; /* holds of running and started jobs, and reservations */
	/* pending lists: the jobs in SCHED that have not started, by falling priority */
	struct fsi_flux_pending_list {
		uint32_t queue; /* name id of the queue; 0: the list is for all queues */
		FSI_VEC(uint32_t) job; /* rows of pending jobs, in scheduling order */
		FSI_VEC(uint32_t) reserved; /* rows of jobs with reserved nodes, until the next loop */
		size_t next; /* index in `job` of the job that this loop tries next */
		uint32_t tried; /* number of jobs counted against `depth` in this loop */
	} *lists;
	size_t nlists;
	bool *usable;	 /* by node: true: the job of the last request may use the node */
	struct fsi_flux_free_amounts {
		int64_t cores, gpus;
	} *free_amounts; /* by node: free cores and GPUs at the time of the last choice */
	uint32_t *node_order; /* node indices in the order in which they are tried */
	uint32_t *freed_by;	 /* by node: row of the job that has ended there at `now`; FSI_NO_INDEX: none */
	bool *end_handled;	    /* by job row: true: its end has been handled */
	/* by job row: true: the job can never run and is refused when the scheduler reaches it
	 * (src/modules/job-manager/alloc.c: a denied request raises an exception) */
	bool *never_runs;
	struct fsi_flux_held_jobs *held; /* jobs in DEPEND and their dependencies; defined in libfs/plan/flux.c */
	uint32_t starts_left; /* number of jobs that may still start in this pass over the pending lists */
	size_t npending; /* number of jobs in the pending lists */
	bool is_over; /* true: no later loop can start a job */
};

/* What happened to a job. The event may release jobs that depend on it. REFUSED: the job ended without having run. */
enum fsi_flux_event { FSI_FLUX_STARTS, FSI_FLUX_ENDS, FSI_FLUX_REFUSED };

#endif
