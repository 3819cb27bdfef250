/* One cycle of Slurm's backfill scheduler, simulated on a snapshot (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill). A plan by priority (FS_PLAN_BY_PRIORITY), in which no job starts before a job ahead of it in its
 * partition, uses the same state and steps, but no node_space.
 *
 * struct fsi_backfill is the state of the cycle. The plan owns this struct (member `backfill` of struct fs_plan), and
 * fsi_plan_of_slurm.release_state frees it. The struct borrows the snapshot and the queue of the plan. Arrays of a
 * fixed size are in cluster.arena; the request of the current queue record is in select.scratch.
 *
 * The parts of a cycle, in order:
 *
 *   create       fsi_backfill_create_cycle
 *   setup        fsi_backfill_set_up makes the parameters, nodes, node_space, counters and the plan's rows. Jobs that
 *                the cycle itself started are removed from their nodes (fsi_backfill_remove_starts). After setup, all
 *                members except `order` are valid.
 *   order        fsi_backfill_make_order sets `order`, the order in which records are tried
 *   started      fsi_backfill_decide_start_positions decides when the jobs that the cycle started are put back on their
 *                nodes: each at its position in the scheduling order, or all at the beginning
 *   steps        fsi_backfill_run_record makes one step for each record; the steps are described below
 *   het jobs     fsi_backfill_het_set_starts gives the components of each het job a common start
 *   likely       fsi_likely_simulate_starts computes likely starts, if the caller wants them
 *
 * The step of one record:
 *
 *   started      fsi_backfill_put_starts_before puts jobs back on their nodes: the jobs that the cycle started before
 *                it tried this record
 *   reached      The record is reached if the cycle has not ended (bf->is_over, bf_max_job_test) and
 *                fsi_backfill_counts_add_record admits the record. Otherwise the step ends here, and cycle.limit of the
 *                job's row is set to the parameter that prevented the try.
 *   request      fsi_request_read_job reads the request of the record; fsi_backfill_find_preemptees finds the running
 *                jobs that the record may preempt
 *   try          fsi_backfill_search_start searches node_space and calls the select plugin (fsi_select_will_run). It
 *                sets select.attempt to the start and its nodes.
 *   limits       fsi_limit_ledgers_block_start checks limits that depend on the chosen nodes
 *   commit       fsi_backfill_commit_start commits the start. For a start now, the job takes resources of the nodes.
 *                For a later start, fsi_backfill_may_reserve_nodes decides whether nodes are reserved, and
 *                fsi_backfill_reserve_nodes removes them from the free nodes of node_space.
 *                fsi_backfill_set_shown_start stores the start that the scheduler shows.
 *   next task    For an array, fsi_backfill_may_reserve_task decides whether the next task is tried.
 *
 * Invariants: the state depends on the records tried so far, and not on later records. Within a cycle, the numbers of
 * free nodes and free licenses never increase, and counters (except counter.array_tasks) never decrease. A checkpoint
 * saved between two steps (fsi_checkpoint_save_cycle) is a copy of the whole state, and can be loaded at any time.
 *
 * Errors: functions that return int return -1 if out of memory, unless their comment says otherwise. */
#ifndef FSI_BACKFILL_BACKFILL_H
#define FSI_BACKFILL_BACKFILL_H

#include "backfill/node_space.h"
#include "plan/plan.h"

/* The pending components of het jobs (libfs/backfill/het_job.c). */
struct fsi_backfill_het {
	uint32_t *component; /* job rows of the `ncomponents` components, sorted by the id of their het job */
	size_t ncomponents;
	/* earliest_start[job row]: earliest start found for the component in this cycle; one year from now: no start
	 * was found; 0: the component was not tried yet */
	int64_t *earliest_start;
	struct fsi_backfill_het_partition {
		uint64_t het_id;
		int64_t latest_start; /* latest start found for components of the het job in the partition */
		uint32_t partition; /* row of the partition */
	/* one element for each pair of a het job and a partition; memory for `capacity` elements; the first
	 * `npartition_starts` elements are used (fsi_backfill_het_grow) */
	} *partition_start;
	size_t npartition_starts, capacity;
};

/* A callback that is called for each task that gets a start; bf->select.attempt has the start and its nodes. If the
 * callback returns a value other than 0, fsi_backfill_run_cycle ends and returns -1. Used by tests. */
struct fsi_backfill;
typedef int (*fsi_backfill_watch_fn)(void *ctx, const struct fsi_backfill *bf, const struct fsi_request *q);

/* A running job that the cycle itself started (libfs/backfill/commit.c). */
struct fsi_backfill_cycle_start {
	struct fsi_queue_record record; /* the job's queue record, as it was while the job was pending */
	struct fsi_running_job end;	/* the job's end, and the nodes on which it runs */
	/* hold[k]: resources that the job uses on node end.node[k]; hold[k].job is FSI_NO_INDEX if the job uses no
	 * resources on that node */
	struct fsi_node_hold *hold;
};

/* One try in the scheduling order: a queue record, and the magnetic reservation in which it is tried. A record has one
 * additional try for each magnetic reservation that admits its job. */
struct fsi_backfill_order_entry {
	/* `record`: index of the record in the queue; `magnetic_resv`: 1 + row of the magnetic reservation, 0: none */
	uint32_t record, magnetic_resv;
};

/* The scheduling order: the tries of the cycle, in the order in which the cycle makes them (libfs/backfill/order.c).
 * The array members are indexed by the position of a try in this order. */
struct fsi_backfill_order {
	uint32_t *record;	  /* index of the record in the queue */
	uint32_t *magnetic_resv; /* 1 + row of the magnetic reservation, 0: none */
	/* a limit blocks the record now, but no limit blocked it before the cycle started other jobs */
	bool *limited_since;
	size_t n;
	bool any_limited_since; /* at least one element of `limited_since` is true */
};

/* Counters for bf_max_job_user, bf_max_job_part, bf_max_job_assoc and bf_max_job_user_part
 * (src/plugins/sched/backfill/backfill.c: _job_exceeds_max_bf_param). */

struct fsi_backfill_counts {
	/* by_user[name id of the user]: number of records in the user's default account; by_user[nnames + name id of
	 * the user]: number of the user's records in other accounts */
	uint32_t *by_user;
	/* Both arrays are indexed by the name id of a partition. `by_partition`: number of the partition's records;
	 * `reserved_by_partition`: number of the partition's records for which nodes are reserved */
	uint32_t *by_partition, *reserved_by_partition;
	uint32_t *by_assoc;	     /* by_assoc[association row]: number of records of the association */
	/* name ids of a user and a partition, for each pair that has records; empty without bf_max_job_user_part */
	struct fsi_intern pairs;
	FSI_VEC(uint32_t) by_pair; /* element i: number of records of the pair with the id i + 1 */
	/* number of names and number of associations of the snapshot when the counters were allocated */
	uint32_t nnames, nassocs;
};

/* A task that the plan starts now. */
struct fsi_backfill_planned_start {
	uint32_t job, partition_name; /* row of the job; name id of its partition */
	int64_t end; /* planned end, seconds since the epoch */
};

/* The state of one backfill cycle. */
struct fsi_backfill {
	struct fs_plan *plan; /* the plan that owns this struct */
	struct fsi_cluster cluster;
	struct fsi_sched_params params;
	struct fsi_select select;
	/* free nodes in each time slot; nodes reserved for planned jobs are not free */
	struct fsi_node_space node_space;
	struct fsi_backfill_order order; /* the tries of the cycle, in scheduling order */
	struct fsi_backfill_het het;
	struct fsi_backfill_counts counts;
	/* valid during a step: 1 + row of the magnetic reservation in which the record is tried, 0: none */
	uint32_t magnetic_resv;
	struct fsi_backfill_counters {
		/* number of records for which the select plugin was called (compared with bf_max_job_test) */
		uint32_t tested;
		uint32_t started;     /* number of jobs that the cycle started (compared with bf_max_job_start) */
		uint64_t array_id;    /* job id of the last array for which nodes were reserved */
		/* number of tasks of the array `array_id` for which nodes were reserved; restarts at 1 when nodes are
		 * reserved for another array */
		uint32_t array_tasks;
	} counter;
	bool has_node_limits; /* at least one limit depends on the chosen nodes (fsi_limit_ledgers_need_nodes) */
	bool is_over;	     /* the cycle has ended: node_space is full, or bf_max_job_start is reached */
	/* valid during a step: a limit did not block the record when the cycle tried it, but blocks it now. The cycle
	 * did not start the job, so that the job cannot start now. */
	bool limit_blocks_now;
	bool had_start_before;	     /* valid during the step of a record: an earlier step found a start for the job */
	/* Both arrays are valid during a step. preemptees[job row]: the record may preempt that running job.
	 * suspends[job row]: preemption would suspend that job. */
	bool *preemptees, *suspends;
	int64_t next_try; /* valid after a successful search: the time that the search would have tried next, 0: none */
	/* The start that the job would have if its time limit were FSI_PLAN_LONGER_S seconds longer; see struct
	 * fsi_plan_row. Computed only for the focus job (plan->focus_job). */
	int64_t start_if_longer;
	/* Jobs that the cycle itself started, in scheduling order. */
	struct fsi_backfill_cycle_starts {
		struct fsi_backfill_cycle_start *v;
		size_t n;
		size_t next; /* index in `v` of the first job that the plan has not yet added to its nodes again */
		/* true: at least one job that the cycle started lacks resources on its nodes, because the plan gave
		 * these resources to a record ahead of the job in the scheduling order */
		bool is_overlapped;
	} cycle_starts;
	/* The ledgers of limits as they were at an earlier point of the cycle. They do not count jobs that the cycle
	 * started after that point (libfs/backfill/limit_ledger.c). */
	struct fsi_backfill_earlier_limits {
		/* ledgers that count the jobs running at an earlier point of the cycle, but not the jobs that the cycle
		 * started after that point; NULL: not created yet */
		struct fsi_limit_ledgers *ledgers;
		/* end_of_job[job row]: end of the running job, seconds since the epoch. For a job that the cycle
		 * started but that the ledgers do not count yet: the current time. */
		int64_t *end_of_job;
		size_t ncounted;	 /* number of jobs in `cycle_starts` that are counted in the ledgers */
	} earlier_limits;
	/* The tasks that the plan starts now, and ledgers that count them. Slurm counts a job against the limits as
	 * soon as it starts the job, so that the limits may block later records of the same cycle. */
	struct fsi_backfill_planned_starts {
		FSI_VEC(struct fsi_backfill_planned_start) start;
		/* ledgers that count the running jobs and the first `ncounted` elements of `start`; NULL: not created
		 * yet */
		struct fsi_limit_ledgers *ledgers;
		int64_t *end_of_job; /* end_of_job[job row]: end of the running job, seconds since the epoch */
		size_t ncounted;
	} planned_starts;
	fsi_backfill_watch_fn watch; /* callback for each task that gets a start; NULL: no callback */
	void *watch_ctx;
};

/* ---- the cycle (libfs/backfill/cycle.c, setup.c) */

/* Returns 1 if the record at position i of the scheduling order certainly gets no start before `start`, whatever the
 * starts of the records ahead of it are. Returns 0 if the record may get an earlier start, -1 if out of memory. The
 * record must not have been tried yet. */
int fsi_backfill_cannot_start_before(struct fsi_backfill *bf, size_t i, int64_t start);

/* ---- scheduling order and magnetic reservations (libfs/backfill/order.c) */

/* Returns true if at least one magnetic reservation lists groups. The snapshot does not have the members of groups. */
bool fsi_backfill_has_group_magnetic(const struct fsi_backfill *bf);

/* Sets bf->order to the scheduling order of the plan's queue. Does not free the previous order. Returns -1 if out of
 * memory. */
int fsi_backfill_make_order(struct fsi_backfill *bf);
void fsi_backfill_free_order(struct fsi_backfill_order *l);
/* Stores `start` in row->shown_start, the start that the scheduler shows for the job, in three cases: no start is shown
 * yet; the shown start is later; or `start` is within bf_window and no nodes are reserved for `start` (`reserved`
 * false; src/plugins/sched/backfill/backfill.c: _attempt_backfill, orig_start_time). */
void fsi_backfill_set_shown_start(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool reserved);
/* Returns true if no record ahead of this record in the scheduling order has the same partition or the same job.
 * Records that the scheduler does not try are ignored. If the result is true, the main scheduler has tried the job in
 * that partition, and in no other partition. */
bool fsi_backfill_is_first_in_partition(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* ---- jobs that the cycle started (libfs/backfill/commit.c, cycle.c) */

/* Puts jobs back on their nodes: the jobs that the cycle started before it tried the record r. If r is NULL, puts back
 * all jobs that the cycle started. Returns -1 if out of memory. */
int fsi_backfill_put_starts_before(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Decides when the jobs that the cycle started are put back on their nodes. Runs the steps of all records once. In this
 * run, each job is put back at its position in the scheduling order. If no record takes resources of such a job before
 * the job is put back, these positions are used. If a record takes such resources, all jobs are put back at the
 * beginning. If the positions are used and `stay` is set, keeps the state after the run and sets *ran to true. In all
 * other cases, restores the state before the run. Returns -1 if out of memory. */
int fsi_backfill_decide_start_positions(struct fsi_backfill *bf, bool stay, bool *ran);

/* Returns true if the cycle begins with the node weights that the previous cycle left (libfs/backfill/setup.c). */
bool fsi_backfill_carries_node_weights(const struct fsi_select *sel);

/* ---- het jobs (libfs/backfill/het_job.c) */

/* Sets bf->het to the pending components of all het jobs. Returns -1 if out of memory. */
int fsi_backfill_het_init(struct fsi_backfill *bf);

/* Allocates het.partition_start for all pairs of a component and a partition. Must be called again when the partitions
 * of a job change. Returns -1 if out of memory. */
int fsi_backfill_het_grow(struct fsi_backfill *bf);

/* Returns the id of the het job to which the job in row `job` belongs; 0: the job is not a component of a het job. */
static inline uint64_t fsi_backfill_het_get_id(const fs_snapshot *m, uint32_t job)
{
	return fsi_job_ext(m, &m->job.v[job])->het_job_id;
}

/* Returns true if the job in row `job` may be tried. Returns false if another component of its het job has no start. In
 * a plan with backfill, also returns false if the start of another component is beyond bf_window. */
bool fsi_backfill_het_may_try(struct fsi_backfill *bf, uint32_t job);

/* Returns the first start to try for the job in row `job`: the latest of the starts found for the other components of
 * its het job, but not before now. */
int64_t fsi_backfill_het_get_earliest(const struct fsi_backfill *bf, uint32_t job);

/* Stores a start found for the job in row `job` in bf->het. Does nothing if the job is not a pending component of a het
 * job. */
void fsi_backfill_het_note_start(struct fsi_backfill *bf, uint32_t job, int64_t start);

/* Stores select.attempt.start in bf->het, as a start of the request's het job in the request's partition. Returns true
 * if that het job and another het job would wait for each other; nodes must then not be reserved for the request. */
bool fsi_backfill_het_has_deadlock(struct fsi_backfill *bf, const struct fsi_request *q);

/* At the end of the cycle: gives all components of each het job the same start, or no start. */
void fsi_backfill_het_set_starts(struct fsi_backfill *bf);

/* ---- one request: preemption and the search for a start (libfs/backfill/job_start.c) */

/* Returns an array indexed by job row. The element of a running job is true if the record r may preempt that job.
 * Returns NULL if r may preempt no job. Also sets bf->suspends. The array is valid until the next call. */
const bool *fsi_backfill_find_preemptees(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Returns true if the request can start on the selected nodes only if running jobs are preempted. The start in
 * select.attempt must be the current time. If the result is true, the caller reserves nodes for the request while the
 * preempted jobs end. */
bool fsi_backfill_must_preempt(const struct fsi_select *sel, const struct fsi_request *q);

/* Searches for the start that one cycle of the backfill scheduler would find for the request, and sets select.attempt
 * to it. Returns false if there is no such start. `now_only`: searches only for a start now. */
bool fsi_backfill_search_start(struct fsi_backfill *bf, const struct fsi_request *q, bool now_only);

/* Postpones the start in select.attempt until the request does not overlap planned jobs. Returns false if there is no
 * such start. */
bool fsi_backfill_postpone_start(struct fsi_backfill *bf, const struct fsi_request *q);

/* Returns true if the request could start on the nodes of its partition if no jobs ran there
 * (libfs/backfill/commit.c). */
bool fsi_backfill_is_start_possible(struct fsi_select *sel, const struct fsi_request *q);

/* Returns true if it is certain that the request gets no start before `start`, even if more jobs are planned ahead of
 * it. The request must not preempt jobs. */
bool fsi_backfill_has_no_start_before(struct fsi_backfill *bf, const struct fsi_request *q, int64_t start);

/* Sets `set` to the nodes that were selected for the start *f. */
void fsi_backfill_get_chosen_nodes(const struct fsi_cluster *c, const struct fsi_attempt *f, uint64_t *set);
/* Sets `set` to the nodes of the partition that are up and that the request allows. */
void fsi_backfill_get_usable_nodes(const struct fsi_cluster *c, const struct fsi_request *q, uint64_t *set);

/* ---- committing a start (libfs/backfill/commit.c) */

/* Returns true if the current try is counted for the bf_max_job_* parameters and may reserve nodes. A try in a magnetic
 * reservation is counted, and may reserve nodes, only with bf_allow_magnetic_slot. */
static inline bool fsi_backfill_is_try_counted(const struct fsi_backfill *bf)
{
	return !bf->magnetic_resv || bf->params.magnetic_slot;
}

/* Returns true if the number of records with reserved nodes in the record's partition has reached
 * bf_job_part_count_reserve. */
bool fsi_backfill_is_partition_full(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Commits the start in select.attempt for one task: stores it in the plan's row, and takes resources of the nodes for a
 * start now. For a later start, may reserve whole nodes. Returns 1 if the next task may be tried, 0 if not, -1 if out
 * of memory. *reserved_tasks is the number of tasks of this record for which nodes were reserved; the function adds 1
 * if nodes are reserved for this task. */
int fsi_backfill_commit_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q,
			      struct fsi_plan_row *row, uint64_t *reserved_tasks);
/* Commits the start in select.attempt in a plan by priority: stores the start in the plan's row, takes the requested
 * resources on the selected nodes, and closes all nodes of the partition to later records until that start. Returns 1,
 * or -1 if out of memory. */
int fsi_backfill_commit_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row);

/* Returns true if the QOS of the record has the flag NoReserve. */
bool fsi_backfill_has_noreserve(const fs_snapshot *m, const struct fsi_queue_record *r);

/* Returns true if nodes are to be reserved for the start in select.attempt. If NoReserve, bf_job_part_count_reserve or
 * a deadlock with another het job prevents this, returns false. Otherwise adds 1 to the partition's counter of records
 * with reserved nodes. Even after this addition, the function returns false if fsi_backfill_is_try_counted returns
 * false, or if the cycle has ended. A full node_space ends the cycle. */
bool fsi_backfill_may_reserve_nodes(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row);

/* Returns true if nodes may be reserved for another task of the array (bf_max_job_array_resv). Tasks of the array are
 * counted in all partitions together. The count begins again at 1 when nodes are reserved for another array. Up to
 * 23.02.3, the array's throttle limits only the number of running tasks. From 23.02.4 on, it limits the sum of running
 * tasks and tasks with reserved nodes (Slurm commit ec5dbb55aa). */
bool fsi_backfill_may_reserve_task(struct fsi_backfill *bf, const struct fsi_plan_row *row);

/* Reserves the nodes selected in select.attempt and the licenses of the request in node_space. Returns -1 if out of
 * memory. */
int fsi_backfill_reserve_nodes(struct fsi_backfill *bf, const struct fsi_request *q);

/* In a plan by priority: closes the nodes of the request's partition to later records until the time `until`. */
void fsi_backfill_close_partition_nodes(struct fsi_cluster *c, const struct fsi_request *q, int64_t until);

/* ---- creation and run of a cycle (libfs/backfill/cycle.c) */

/* Creates p->backfill for the plan, but does not set it up. Returns -1 if out of memory. */
int fsi_backfill_create_cycle(struct fs_plan *p);

/* Creates p->backfill and runs the cycle for a plan that fsi_plan_create made. `watch`: callback for each start, NULL:
 * none. Returns -1 if out of memory. */
int fsi_backfill_run_cycle(struct fs_plan *p, fsi_backfill_watch_fn watch, void *ctx);

/* ---- ledgers of limits (libfs/backfill/limit_ledger.c)
 *
 * Each limit of an association or QOS has a ledger. The ledger records how much of the limit is used at each time, by
 * running jobs and by jobs that a simulation starts. The function fsi_limit_ledgers_find_start uses the ledgers to
 * compute the time at which the limits allow a further job to start (src/slurmctld/acct_policy.c:
 * _validate_tres_usage_limits, _qos_job_runnable_pre_select). Slurm's controller itself does not count planned jobs
 * against limits. If a limit on used minutes or wall time blocks a job, no start can be computed from the ledgers: the
 * job can start only after the usage has decayed, and the ledgers do not model decay. */

struct fsi_limit_ledgers;

/* Creates empty ledgers; bf is borrowed. Returns NULL if out of memory. */
struct fsi_limit_ledgers *fsi_limit_ledgers_create(const struct fsi_backfill *bf);
void fsi_limit_ledgers_free(struct fsi_limit_ledgers *l);

/* Resets the ledgers, so that they count the running jobs and no other jobs. end_of[job row]: end of each job that uses
 * resources, seconds since the epoch; borrowed. */
void fsi_limit_ledgers_reset(struct fsi_limit_ledgers *l, const int64_t *end_of);

/* Sets *out to the first time at or after `from` at which all limits allow the job in row `job` to start in the
 * partition with the name id `partition`; INT64_MAX: never. If limits delay the job, sets *why to the limit that delays
 * it longest. Returns -1 if out of memory. */
int fsi_limit_ledgers_find_start(struct fsi_limit_ledgers *l, uint32_t job, uint32_t partition, int64_t from,
				 int64_t *out, struct fsi_plan_limit *why);

/* Counts the job in row `job` in the ledgers as running from `start` to `end` in the partition with the name id
 * `partition`. Returns -1 if out of memory. */
int fsi_limit_ledgers_enter_run(struct fsi_limit_ledgers *l, uint32_t job, uint32_t partition, int64_t start,
				int64_t end);

/* Removes the runs of the pending job in row `job` that fsi_limit_ledgers_enter_run entered for the partition with the
 * name id `partition`. Returns -1 if out of memory. */
int fsi_limit_ledgers_drop_runs(struct fsi_limit_ledgers *l, uint32_t job, uint32_t partition);

/* Returns true if there is a ledger: at least one limit on running jobs applies to a job checked so far. */
bool fsi_limit_ledgers_any(const struct fsi_limit_ledgers *l);

/* Sets *allowed to true if all limits allow the record to start now, else to false. The limits count the running jobs;
 * of the jobs in bf->cycle_starts, they count only the first `started` jobs. Returns -1 if out of memory. */
int fsi_limit_ledgers_allow_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, size_t started,
				   bool *allowed);

/* Sets *allowed to false if the tasks that the plan starts now (bf->planned_starts) use so much of a limit that the
 * record cannot start now, although the limits allowed the record before. Otherwise sets *allowed to true. Returns -1
 * if out of memory. */
int fsi_limit_ledgers_allow_after_starts(struct fsi_backfill *bf, const struct fsi_queue_record *r, bool *allowed);

/* Sets *blocked to true if a limit blocks the start in select.attempt, else to false. Checks limits on a job's
 * resources per node, and limits on the number of nodes. If the request takes whole nodes or sockets, checks all
 * limits. Counts the jobs that run now, but not the jobs that the cycle started after it tried the record. Returns -1
 * if out of memory. */
int fsi_limit_ledgers_block_start(struct fsi_backfill *bf, const struct fsi_request *q, bool *blocked);

/* Returns true if at least one limit depends on the chosen nodes: a limit on a job's resources per node, or a limit on
 * the total number of nodes of running jobs. */
bool fsi_limit_ledgers_need_nodes(const fs_snapshot *m);

/* ---- likely starts (libfs/backfill/likely.c)
 *
 * A simulation run places the jobs of the plan on nodes, in scheduling order. Jobs may share a node. The limits of
 * associations and QOS are respected. The first run uses time limits as run times. If the snapshot has enough past jobs
 * for at least one job, up to FSI_LIKELY_RUNS runs with drawn run times follow. In such a run, the run time of a job is
 * drawn from past jobs of the same user, account and partition. If too few past jobs match, the run time is drawn from
 * past jobs of the same user and account. If too few past jobs match even then, the job runs for its time limit.
 *
 * A drawn run time depends only on the past jobs, FSI_LIKELY_SEED, the job and the number of the run. The same snapshot
 * therefore always gives the same result. If fewer than FSI_LIKELY_MIN_RUNS runs with drawn run times complete, their
 * results are not used. */

enum { FSI_LIKELY_RUNS = 25, FSI_LIKELY_MIN_RUNS = 10, FSI_LIKELY_SEED = 20260 };

/* Sets the members `likely`, `limit` and `limit_start` of the plan's rows, and plan->likely_runs. Sets no likely starts
 * and no limits if the simulation would be too much work. Returns -1 if out of memory. */
int fsi_likely_simulate_starts(struct fsi_backfill *bf);

/* ---- counters for the bf_max_job_* parameters (libfs/backfill/job_counts.c) */

/* Allocates the counters and sets all of them to 0. Returns -1 if out of memory; then the caller must release them. */
int fsi_backfill_counts_init(struct fsi_backfill_counts *n, const fs_snapshot *m);
/* Copies the counters *n to *to. Returns -1 if out of memory; then *to need not be released. */
int fsi_backfill_counts_copy(struct fsi_backfill_counts *to, const struct fsi_backfill_counts *n);
void fsi_backfill_counts_release(struct fsi_backfill_counts *n);

/* Counts a record of the job in the partition with the name id `partition`, or one more task of the job's array. If a
 * counter has already reached the maximum set by its bf_max_job_* parameter, counts nothing; the record may then not be
 * tried. Returns 0 if no maximum is reached, -1 if out of memory. If a maximum is reached, returns a number above 0,
 * from which fsi_backfill_counts_get_limit finds the parameter. If `counts` is false, only tests the maxima and counts
 * nothing. */
int fsi_backfill_counts_add_record(struct fsi_backfill_counts *n, const fs_snapshot *m,
				   const struct fsi_sched_params *p, const struct fsi_job *j, uint32_t partition,
				   bool counts);

/* Returns the parameter whose maximum is reached. `full`: result of fsi_backfill_counts_add_record, above 0. */
struct fsi_cycle_limit fsi_backfill_counts_get_limit(const struct fsi_sched_params *p, int full);

/* Returns a pointer to the counter of records with reserved nodes in the partition with the name id `partition`. */
uint32_t *fsi_backfill_counts_get_reserved(const struct fsi_backfill_counts *n, uint32_t partition);

/* ---- checkpoints (libfs/backfill/checkpoint.c)
 *
 * A checkpoint is a copy of all state that changes from record to record. Loading a checkpoint also restores the
 * caches of select/avail_index.h, except results that are no longer valid. A run from a loaded checkpoint is therefore
 * as fast as the first run. */

struct fsi_checkpoint {
	struct fsi_node_space_copy node_space;
	struct fsi_checkpoint_node {
		/* `free`, `closed_until`: copies from struct fsi_cluster_node; `weight`: copy of the node's weight in
		 * struct fsi_selection */
		int64_t free[FSI_RES_MAX], closed_until, weight;
		uint32_t closed_by_job;
		/* `holds_end`, `blocks_end`: index after the last element of this node in fsi_checkpoint.hold and in
		 * fsi_checkpoint.block */
		size_t holds_end, blocks_end;
	} *node; /* state of each node, indexed by node */
	/* resources in use by jobs (fsi_cluster_node.hold) on all nodes, in order of the nodes */
	struct fsi_node_hold *hold;
	/* planned jobs and reservations (fsi_cluster_node.block) on all nodes, in order of the nodes */
	struct fsi_node_block *block;
	struct fsi_running_job *end;     /* copy of the running jobs (fsi_cluster.end); `nends` elements */
	struct fsi_plan_row *row;     /* copies of the plan's rows; `nrows` elements */
	struct fsi_license *license; /* licenses of the cluster with the amounts in use */
	struct fsi_backfill_counts counts;
	int64_t *het_earliest_start;	   /* copy of fsi_backfill_het.earliest_start; empty without het jobs */
	/* copy of fsi_backfill_het.partition_start; `nhet_partition_starts` elements */
	struct fsi_backfill_het_partition *het_partition_start;
	/* The members below are copies of counters and flags of struct fsi_backfill and of its plan. */
	size_t nrows, nends, nhet_partition_starts, next_cycle_start, nplanned_starts;
	struct fsi_backfill_planned_start *planned_start; /* copies of the `nplanned_starts` planned starts */
	uint64_t array_id, work;
	uint32_t array_count, tested_records, started_jobs;
	/* copy of the list of node changes from which index entries are updated */
	struct fsi_avail_index_checkpoint avail_index;
	bool is_over, over_budget;
};

/* Saves the state of the cycle in *s. Returns -1 if out of memory; then *s need not be released. */
int fsi_checkpoint_save_cycle(struct fsi_checkpoint *s, const struct fsi_backfill *bf);
/* Restores the state *s that was saved from bf; *s stays valid. Returns -1 if out of memory; then bf can only be
 * freed. */
int fsi_checkpoint_load_cycle(struct fsi_backfill *bf, const struct fsi_checkpoint *s);
void fsi_checkpoint_release(struct fsi_checkpoint *s);
/* Returns the approximate size of a checkpoint in bytes. */
size_t fsi_checkpoint_estimate_bytes(const struct fsi_backfill *bf);

/* ---- jobs that the cycle started (libfs/backfill/commit.c) */

/* Returns true if the last backfill cycle is assumed to have started the running job: if backfill started the job at
 * most bf_interval before the time of the plan. */
bool fsi_backfill_is_cycle_start(const struct fsi_select *sel, const struct fsi_job *j);

/* Sets bf->cycle_starts to the jobs that the cycle started, and removes these jobs from their nodes. Returns -1 if out
 * of memory. */
int fsi_backfill_remove_starts(struct fsi_backfill *bf);

#endif
