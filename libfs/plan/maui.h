/* The plan of Maui: a simulation of its iterations, starting from the state in the snapshot.
 *
 *   fsi_maui_plan_read_rules         reads the parameters of maui.cfg
 *   fsi_maui_plan_init               copies jobs and fair-share windows, and puts running jobs and reservations on the
 *                                    timeline
 *   fsi_maui_plan_find_impossible    finds jobs that fit on no nodes
 *   each iteration (libfs/plan/maui.c), at a multiple of RMPOLLINTERVAL after the snapshot's time:
 *     fsi_maui_plan_submit_arrived   submits jobs, if Maui itself runs a simulation
 *     queue                          computes priorities, limits and fair-share caps for the time of the iteration
 *     reservations                   moves or drops existing reservations; jobs whose reservation begins start
 *     priority                       starts jobs by priority; reserves nodes for the first jobs that do not fit
 *     backfill                       starts jobs in the gaps between reservations
 *     advance                        moves time to the next iteration that may differ; jobs that have ended by then
 *                                    leave the timeline
 *   fsi_maui_plan_release            frees the state
 *
 * struct fsi_maui_plan is the state of one simulation. It owns its arrays, its queue, its timeline, and the tables
 * of jobs and windows in `snapshot`; all other tables of `snapshot` belong to the caller's snapshot. Invariant:
 * `timeline` holds the nodes of each running job and of each job with a reservation; state.reservation_start[job] is
 * the start of that job's reservation.
 *
 * Errors: functions that return int return -1 if out of memory. If the timeline lacks memory, timeline.out_of_memory is
 * set, and the simulation ends as if its work budget were exceeded.
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
/* BACKFILLMETRIC: the amount by which BESTFIT compares jobs */
enum fsi_maui_backfill_metric { FSI_BFM_PROCS, FSI_BFM_PROCSECONDS, FSI_BFM_SECONDS };
/* RESERVATIONTHRESHOLDTYPE: a job gets a reservation only if this property exceeds RESERVATIONTHRESHOLDVALUE;
 * FSI_THRESHOLD_NONE: every job may get a reservation */
enum fsi_maui_reservation_threshold {
	FSI_THRESHOLD_NONE,
	FSI_THRESHOLD_BYPASS,
	FSI_THRESHOLD_QUEUETIME,
	FSI_THRESHOLD_XFACTOR
};

/* NODEACCESSPOLICY: which other jobs may run on the nodes of a job. SHARED: all jobs. SINGLEJOB and SINGLETASK: none.
 * SINGLEUSER: jobs of the same user (src/MJob.c:MJobGetSNRange, src/MRes.c:MResJCreate). SINGLETASK is meant for one
 * task per node, but Maui places tasks as with SINGLEJOB. */
enum fsi_maui_node_access { FSI_ACCESS_SHARED, FSI_ACCESS_SINGLEJOB, FSI_ACCESS_SINGLETASK, FSI_ACCESS_SINGLEUSER };

/* The parameters of maui.cfg, with the defaults of src/moab/MPar.c:MParSetDefaults. */
struct fsi_maui_plan_rules {
	enum fsi_maui_backfill_policy backfill_policy;
	enum fsi_maui_reservation_policy reservation_policy;
	enum fsi_maui_backfill_metric backfill_metric;
	enum fsi_maui_reservation_threshold threshold;
	enum fsi_timeline_order node_order; /* order in which nodes are chosen, from NODEALLOCATIONPOLICY */
	enum fsi_maui_node_access node_access;
	/* `threshold_value`: RESERVATIONTHRESHOLDVALUE, in the unit of the threshold type; `poll_s`: RMPOLLINTERVAL in
	 * seconds */
	int64_t threshold_value, poll_s;
	/* BACKFILLDEPTH: maximum number of jobs that are tried in a backfill window; 0 or less: all */
	int64_t backfill_depth;
	/* DEFERTIME: number of seconds for which a job is deferred if no nodes could be reserved for it;
	 * INT64_MAX: for ever */
	int64_t defer_s;
	/* SERVERMODE SIMULATION: Maui is in simulation mode, in which a job runs as long as Maui's trace file says */
	bool simulated;
	bool node_order_known;	  /* false: NODEALLOCATIONPOLICY is not modelled; LAST is assumed */
	/* JOBPRIOACCRUALPOLICY is not ALWAYS: the wait of a job starts again at 0 when a limit rejects the job */
	bool restarts_rejected;
	/* FULLPOLICY: the wait of a job starts again at 0 when a hold, cap or negative priority blocks the job */
	bool restarts_blocked;
};
/* Returns BACKFILLPOLICY; "" if it is not set. */
const char *fsi_maui_plan_get_backfill_policy(const fs_snapshot *m);
/* Sets *r from the configuration in the snapshot. If `by_priority` is true, sets the backfill policy NONE instead of
 * the configured policy. */
void fsi_maui_plan_read_rules(const fs_snapshot *m, bool by_priority, struct fsi_maui_plan_rules *r);

/* Properties that a job has from its QOS. */
struct fsi_maui_job_qos {
	/* index of the bucket of the job's QOS; RESERVATIONDEPTH of the bucket limits the number of its jobs with
	 * reservations; FSI_MAUI_BUCKETS: the QOS is in no bucket */
	uint8_t bucket;
	bool no_backfill;   /* QFLAGS NOBF: the job is never backfilled */
	/* QFLAGS RESERVEALWAYS: the job gets a reservation in each iteration, with any RESERVATIONPOLICY */
	bool always_reserves;
};

/* Whether an iteration considers a job in a partition of nodes (src/MPolicy.c:MQueueCheckSingleJob).
 * CONSIDERED: the job is considered.
 * TOO_WIDE: the job is ignored, because it asks for more processors than the partition's up nodes have in total.
 * NO_CLASS: the job is ignored, because no node of the partition has the job's class. */
enum fsi_maui_consideration { FSI_MAUI_CONSIDERED, FSI_MAUI_TOO_WIDE, FSI_MAUI_NO_CLASS };

/* State of one simulation of Maui. */
struct fsi_maui_plan {
	struct fs_plan *plan; /* the plan whose rows are filled; borrowed */
	struct fsi_arena arena; /* arrays that are indexed by job row or by node */
	struct fsi_maui_plan_rules rules;
	/* the buckets, which are groups of QOS (RESERVATIONQOSLIST, RESERVATIONDEPTH) */
	struct fsi_maui_bucket bucket[FSI_MAUI_BUCKETS];
	/* indexed by bucket: number of the bucket's jobs that have a reservation. Counts only the jobs that the step
	 * "priority" of the current iteration has reached so far. */
	int64_t nreservations[FSI_MAUI_BUCKETS];
	struct fsi_maui_job_qos *job_qos; /* indexed by job row: properties that the job has from its QOS */
	/* copy of the snapshot, simulated up to time `now`; owns only its tables of jobs and fair-share windows */
	fs_snapshot snapshot;
	int64_t now;	  /* time of the current iteration, seconds since the epoch */
	fs_queue *queue;  /* the queue of `snapshot` in the current iteration; owned */
	struct fsi_timeline timeline; /* resources in use by jobs and reservations over time */
	/* name ids of the partitions of nodes; the partition DEFAULT (name id 0) is the first if it has any node */
	uint32_t *partition;
	/* `npartitions`: number of entries of `partition`; `current_partition`: index of the current partition. If
	 * `current_partition` equals `npartitions`, the nodes of all partitions are used. */
	uint32_t npartitions, current_partition;
	/* an enum fsi_maui_consideration, which says whether iterations consider the job in the partition; index: job
	 * row * `npartitions` + index of the partition */
	uint8_t *consideration;
	/* indexed by job row: index of the partition in which the job's nodes are reserved */
	uint32_t *reserved_partition;
	uint32_t *sched_order; /* rows of the jobs that this iteration considers, in scheduling order */
	size_t nordered; /* number of entries of `sched_order` */
	uint32_t *window_jobs; /* indices in `sched_order` of the jobs that are tried in the current backfill window */
	bool *is_ordered;	   /* indexed by job row: the job is in `sched_order` */
	/* for each element of `sched_order`: the job was within soft limits at the beginning of the step "priority" */
	bool *within_soft;
	struct fsi_maui_state state; /* reservations, waits and deferrals, indexed by job row */
	/* indexed by node: `usable`: the job that is being tried may use the node; `window_nodes`: the node belongs to
	 * the current backfill window */
	bool *usable, *window_nodes;
	/* indexed by node: seconds for which the node stays free for the job that is being tried
	 * (fsi_timeline_free_span) */
	int64_t *free_span;
	int64_t *free_tasks; /* indexed by node: number of tasks that the job being tried can run on the node */
	/* indexed by node: the node has a reservation of the job that is being tried, or a reservation that admits the
	 * job */
	bool *own_nodes;
	/* indexed by job row: the last iteration rejected or blocked the job; its wait must start again at 0 */
	bool *restarts_wait;
	/* indexed by job row: the job fits in no partition, even if no other job runs and only endless reservations
	 * are left */
	bool *impossible;
	/* indexed by job row: the job can never start, is ignored in all partitions, and does not block other jobs */
	bool *never_considered;
	/* indexed by node: an administrator's reservation on the node has ended since the last iteration */
	bool *reservation_ended;
	/* indexed by node: row of a job that has ended on the node since the last iteration; FSI_NO_INDEX: none */
	uint32_t *freed_by;
	/* indexed by node: free memory, swap and disk in MB as Maui counts them in simulation mode
	 * (libfs/plan/maui_state.c); NULL: Maui is not in simulation mode */
	int64_t (*free_mb)[FSI_TIMELINE_RESOURCES];
	size_t nstartable;	   /* number of jobs of the plan that may still start */
	/* `nstarted`: number of jobs started so far; `ndeferred`: number of deferrals so far */
	size_t nstarted, ndeferred;
};

/* Sets up the state of the simulation for x->plan and x->rules. Places running jobs on the nodes where they run or, if
 * these are unknown, where Maui would place them. Returns -1 if out of memory. The caller must call
 * fsi_maui_plan_release even after an error. */
int fsi_maui_plan_init(struct fsi_maui_plan *x);
void fsi_maui_plan_release(struct fsi_maui_plan *x);

/* Finds the jobs that can never start: sets x->impossible, x->never_considered and x->consideration. Stores the state
 * NEVER in their plan rows, and the number of other rows in x->nstartable. In simulation mode, jobs that Maui submits
 * later have no plan row. */
void fsi_maui_plan_find_impossible(struct fsi_maui_plan *x);

/* Returns the next time at which Maui in simulation mode may submit a job; INT64_MAX: none. */
int64_t fsi_maui_plan_next_arrival(const struct fsi_maui_plan *x);
/* Sets the state of jobs to PENDING if Maui, in simulation mode, has submitted them by x->now. */
void fsi_maui_plan_submit_arrived(struct fsi_maui_plan *x);

/* Returns true if the job has the state RUNNING and an end that is not after x->now. */
static inline bool fsi_maui_plan_job_has_ended(const struct fsi_maui_plan *x, uint32_t job)
{
	const struct fsi_job *j = &x->snapshot.job.v[job];

	return j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time <= x->now;
}

/* Returns the request of a job in the current partition. Marks in x->usable the nodes of the partition that the job may
 * use. The request points to x->usable and is valid until the next call. */
struct fsi_timeline_request fsi_maui_plan_make_request(struct fsi_maui_plan *x, uint32_t job);

/* Returns true if the node belongs to the current partition. */
bool fsi_maui_plan_is_in_partition(const struct fsi_maui_plan *x, const struct fsi_node *node);
/* Returns whether iterations consider the job in the current partition. fsi_maui_plan_find_impossible must have been
 * called before. */
enum fsi_maui_consideration fsi_maui_plan_get_consideration(const struct fsi_maui_plan *x, uint32_t job);

/* Starts the job now on the nodes chosen in x->timeline. */
void fsi_maui_plan_start_job(struct fsi_maui_plan *x, const struct fsi_timeline_request *w);

/* Updates the memory of nodes at the start of an iteration, if Maui is in simulation mode. Does nothing otherwise. */
void fsi_maui_memory_begin_iteration(struct fsi_maui_plan *x);
/* Adds the memory of jobs that have ended to the free memory of their nodes. Must be called before these jobs are
 * removed from the timeline. Returns -1 if out of memory. */
int fsi_maui_memory_end_jobs(struct fsi_maui_plan *x);
/* Returns true if the next iteration will raise the total memory, swap or disk of any node. */
bool fsi_maui_memory_will_grow(const struct fsi_maui_plan *x);

/* Adds the assumptions about Maui to the plan. */
void fsi_maui_plan_add_assumptions(struct fs_plan *p);

extern const struct fsi_plan_scheduler fsi_plan_of_maui;

#endif
