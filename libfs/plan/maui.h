/* The plan of Maui: a simulation of its iterations, from the state in the snapshot on.
 *
 *   fsi_maui_plan_read_rules         reads the parameters of maui.cfg
 *   fsi_maui_plan_init      copies jobs and fair-share windows, and puts running jobs and reservations on the
 *                          timeline
 *   fsi_maui_plan_find_impossible    finds jobs that fit on no nodes
 *   each iteration (libfs/plan/maui.c), at a multiple of RMPOLLINTERVAL after the snapshot's time:
 *     fsi_maui_plan_submit_arrived      a simulation's jobs arrive
 *     queue                priorities, limits and fair-share caps are computed for the time of the iteration
 *     reservations         existing ones are moved or dropped; jobs whose reservation begins start
 *     priority             jobs start by priority; the first jobs that do not fit get reservations
 *     backfill             jobs start in the gaps between reservations
 *     advance              time moves to the next iteration that may differ; jobs that end then leave the timeline
 *   fsi_maui_plan_release   frees the state
 *
 * struct fsi_maui_plan is the state of one simulation. It owns its arrays, its queue, its timeline, and the tables
 * of jobs and windows in `snapshot`; all other tables of `snapshot` are the snapshot's. Invariant: `timeline` holds
 * the nodes of each running job and of each job with a reservation; state.reservation_start[job] is the start of
 * that reservation.
 *
 * Errors: functions that return int return -1 if out of memory.
 *
 * Reproduces src/MSched.c:MSchedProcessJobs of TempleHPC maui-scheduler 3.5; libfs/plan/maui.c lists what is left
 * out. */
#ifndef FSI_PLAN_MAUI_H
#define FSI_PLAN_MAUI_H

#include "model/maui.h"
#include "plan/plan.h"
#include "plan/timeline.h"

/* BACKFILLPOLICY: how jobs are chosen for gaps between reservations */
enum fsi_maui_backfill_policy { FSI_BF_NONE, FSI_BF_FIRSTFIT, FSI_BF_BESTFIT, FSI_BF_GREEDY };
/* RESERVATIONPOLICY (HIGHEST, CURRENTHIGHEST, NEVER): how long a job retains its reservation */
enum fsi_maui_reservation_policy { FSI_RSV_HIGHEST, FSI_RSV_CURRENTHIGHEST, FSI_RSV_NEVER };
/* BACKFILLMETRIC: by which amount BESTFIT compares jobs */
enum fsi_maui_backfill_metric { FSI_BFM_PROCS, FSI_BFM_PROCSECONDS, FSI_BFM_SECONDS };
/* RESERVATIONTHRESHOLDTYPE: what must exceed RESERVATIONTHRESHOLDVALUE for a reservation; FSI_THRESHOLD_NONE: NONE */
enum fsi_maui_reservation_threshold {
	FSI_THRESHOLD_NONE,
	FSI_THRESHOLD_BYPASS,
	FSI_THRESHOLD_QUEUETIME,
	FSI_THRESHOLD_XFACTOR
};

/* NODEACCESSPOLICY: what else may run on the nodes of a job. SHARED: any job; SINGLEJOB and SINGLETASK: no other job;
 * SINGLEUSER: no job of another user (src/MJob.c:MJobGetSNRange, src/MRes.c:MResJCreate). SINGLETASK is meant for one
 * task per node, but Maui places tasks as with SINGLEJOB. */
enum fsi_maui_node_access { FSI_ACCESS_SHARED, FSI_ACCESS_SINGLEJOB, FSI_ACCESS_SINGLETASK, FSI_ACCESS_SINGLEUSER };

/* The parameters of maui.cfg, with the defaults of src/moab/MPar.c:MParSetDefaults. */
struct fsi_maui_plan_rules {
	enum fsi_maui_backfill_policy backfill_policy;
	enum fsi_maui_reservation_policy reservation_policy;
	enum fsi_maui_backfill_metric backfill_metric;
	enum fsi_maui_reservation_threshold threshold;
	enum fsi_timeline_order node_order; /* NODEALLOCATIONPOLICY */
	enum fsi_maui_node_access node_access;
	int64_t threshold_value, poll_s; /* RESERVATIONTHRESHOLDVALUE; RMPOLLINTERVAL in seconds */
	int64_t backfill_depth; /* BACKFILLDEPTH: number of jobs that are tried in a backfill window; 0 or less: all */
	/* DEFERTIME: seconds for which a job that could not be reserved is deferred; INT64_MAX: for ever */
	int64_t defer_s;
	bool simulated;		  /* SERVERMODE SIMULATION: jobs run for the times in the simulation's traces */
	bool node_order_known;	  /* false: NODEALLOCATIONPOLICY is not modelled; LAST is assumed */
	/* JOBPRIOACCRUALPOLICY not ALWAYS: a job rejected by a limit begins its wait anew */
	bool restarts_rejected;
	bool restarts_blocked;	  /* FULLPOLICY: a job blocked by a hold, cap or priority begins its wait anew */
};
/* Returns BACKFILLPOLICY; "" if it is not set. */
const char *fsi_maui_plan_get_backfill_policy(const fs_snapshot *m);
/* Sets *r from the configuration in the snapshot. by_priority: backfill is NONE, whatever is configured. */
void fsi_maui_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_maui_plan_rules *r);

/* Properties that a job has from its QOS. */
struct fsi_maui_job_qos {
	uint8_t bucket;	    /* bucket against whose depth its reservations count; FSI_MAUI_BUCKETS: it gets none */
	bool no_backfill;   /* QFLAGS NOBF: the job is never backfilled */
	/* QFLAGS RESERVEALWAYS: the job gets a reservation in each iteration, whatever the policy */
	bool always_reserves;
};

/* Whether an iteration considers a job in a partition of nodes (src/MPolicy.c:MQueueCheckSingleJob): it does; the job
 * asks for more processors than the partition has; no node there has the job's class. */
enum fsi_maui_consideration { FSI_MAUI_CONSIDERED, FSI_MAUI_TOO_WIDE, FSI_MAUI_NO_CLASS };

/* State of a simulation. */
struct fsi_maui_plan {
	struct fs_plan *plan; /* the plan whose rows are filled; borrowed */
	struct fsi_maui_plan_rules rules;
	struct fsi_maui_bucket bucket[FSI_MAUI_BUCKETS]; /* buckets of QOS (RESERVATIONQOSLIST, RESERVATIONDEPTH) */
	/* by bucket: reservations counted so far in this pass over the jobs */
	int64_t nreservations[FSI_MAUI_BUCKETS];
	struct fsi_maui_job_qos *job_qos; /* by job row */
	fs_snapshot snapshot; /* the snapshot as it is at `now`; the tables of jobs and windows are its own copies */
	int64_t now;	  /* time of the current iteration, seconds since the epoch */
	fs_queue *queue;  /* the queue of `snapshot` in the current iteration; owned */
	struct fsi_timeline timeline; /* holds of jobs and reservations */
	/* name ids of the partitions of nodes; DEFAULT (0) is the first, if any node is in it */
	uint32_t *partition;
	/* current_partition: index of the current partition; npartitions: all nodes count */
	uint32_t npartitions, current_partition;
	uint8_t *consideration;		     /* enum fsi_maui_consideration, by job row and partition */
	uint32_t *reserved_partition;	     /* by job row: index of the partition of its reservation */
	uint32_t *sched_order; /* rows of the jobs that this iteration considers, in scheduling order */
	size_t nordered; /* number of entries of `sched_order` */
	uint32_t *window_jobs; /* indices in `sched_order` of the jobs that a backfill window tries */
	bool *is_ordered;	   /* by job row: true: the job is in `sched_order` */
	/* by index in `sched_order`: true: the job was within soft limits when the priority step began */
	bool *within_soft;
	struct fsi_maui_state state; /* reservations, waits and deferrals, indexed by job row */
	/* by node: the job of the last request may use it; it belongs to the backfill window */
	bool *usable, *window_nodes;
	/* by node: seconds for which it stays free for the job being tried (fsi_timeline_free_span) */
	int64_t *free_span;
	int64_t *free_tasks;	   /* by node: number of tasks of the job being tried that fit */
	/* by node: true: the job being tried holds it, or a reservation there admits the job */
	bool *own_nodes;
	bool *restarts_wait;  /* by job row: true: the last iteration blocked the job so that its wait restarts */
	bool *impossible;  /* by job row: true: the job fits on no nodes, even if all are empty */
	/* by job row: true: it is impossible, and no iteration considers it, so it blocks no other job */
	bool *never_considered;
	/* by node: true: an administrator's reservation ended there since the last iteration */
	bool *reservation_ended;
	/* by node: row of the job that ended there since the last iteration; FSI_NO_INDEX: none */
	uint32_t *freed_by;
	/* by node: free memory, swap and disk in MB as a simulated Maui counts them (libfs/plan/maui_state.c); NULL:
	 * Maui does not run a simulation */
	int64_t (*free_mb)[FSI_TIMELINE_RESOURCES];
	size_t nstartable;	   /* number of the plan's jobs that may still start */
	size_t nstarted, ndeferred; /* numbers of jobs started and deferred so far */
};

/* Sets up the state for x->plan and x->rules. Running jobs are placed on the nodes where they are known to run, or
 * where Maui would put them. Returns -1 if out of memory; fsi_maui_plan_release is needed in any case. */
int fsi_maui_plan_init(struct fsi_maui_plan *x);
void fsi_maui_plan_release(struct fsi_maui_plan *x);

/* Sets x->impossible, x->never_considered, x->nstartable and x->consideration. Jobs that are impossible get the
 * state NEVER in their row of the plan; jobs that a simulation submits later have no row. */
void fsi_maui_plan_find_impossible(struct fsi_maui_plan *x);

/* Returns the next time at which a simulation may submit a job; INT64_MAX: none. */
int64_t fsi_maui_plan_next_arrival(const struct fsi_maui_plan *x);
/* Makes the jobs that have arrived by x->now pending. */
void fsi_maui_plan_submit_arrived(struct fsi_maui_plan *x);

/* Returns true if the job's run ends by x->now, though its state is still RUNNING. */
static inline bool fsi_maui_plan_job_has_ended(const struct fsi_maui_plan *x, uint32_t job)
{
	const struct fsi_job *j = &x->snapshot.job.v[job];

	return j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time <= x->now;
}

/* Returns the request of a job in the current partition. Sets x->usable to the nodes there that the job may use; the
 * request refers to x->usable and is valid until the next call. */
struct fsi_timeline_request fsi_maui_plan_make_request(struct fsi_maui_plan *x, uint32_t job);

/* Returns true if the node belongs to the current partition. */
bool fsi_maui_plan_is_in_partition(const struct fsi_maui_plan *x, const struct fsi_node *node);
/* Returns whether the job is considered in the current partition, as computed by fsi_maui_plan_find_impossible. */
enum fsi_maui_consideration fsi_maui_plan_get_consideration(const struct fsi_maui_plan *x, uint32_t job);

/* Starts the job now on the nodes chosen in x->timeline. Returns -1 if out of memory. */
int fsi_maui_plan_start_job(struct fsi_maui_plan *x, const struct fsi_timeline_request *w);

/* Updates the nodes' memory of a simulated Maui at the start of an iteration. Does nothing if Maui is not simulated. */
void fsi_maui_memory_begin_iteration(struct fsi_maui_plan *x);
/* Gives back the memory of jobs that have ended, before they release their nodes. Returns -1 if out of memory. */
int fsi_maui_memory_end_jobs(struct fsi_maui_plan *x);
/* Returns true if a node will have more memory in the next iteration. */
bool fsi_maui_memory_will_grow(const struct fsi_maui_plan *x);

/* Adds the assumptions of a plan of Maui to the plan. Returns -1 if out of memory. */
int fsi_maui_plan_add_assumptions(struct fs_plan *p);

extern const struct fsi_plan_scheduler fsi_plan_of_maui;

#endif
