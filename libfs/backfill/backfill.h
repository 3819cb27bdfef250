/* One cycle of Slurm's backfill scheduler, simulated on a snapshot (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill). A plan in which no job passes another one of its partition (FS_PLAN_BY_PRIORITY) uses the same
 * state and steps, but no node_space.
 *
 * struct fsi_backfill is the state of the cycle. The plan owns it (member backfill of struct fs_plan), and
 * fsi_plan_of_slurm.release frees it. It borrows the snapshot and the queue of the plan. Arrays of a fixed size come
 * from cluster.arena; the request of the current record comes from select.scratch.
 *
 * The parts of a cycle, in order:
 *
 *   create       fsi_backfill_create_cycle
 *   setup        fsi_backfill_set_up: parameters, nodes, node_space, counters, rows. It takes the jobs that the cycle
 *                started off their nodes (fsi_backfill_remove_starts). Then all members except `order` are valid.
 *   order        fsi_backfill_make_order: the order in which records are tried; `order` is valid
 *   started      fsi_backfill_decide_start_positions: whether the jobs that the cycle started are put back on their
 *                nodes one by one or at the beginning
 *   steps        fsi_backfill_run_record for each record, see below
 *   het jobs     fsi_backfill_het_set_starts: the components of each het job get a common start
 *   likely       fsi_likely_simulate_starts, if the caller wants likely starts
 *
 * The step of one record:
 *
 *   started      fsi_backfill_put_starts_before: started jobs ahead of the record are put back on their nodes
 *   reached?     the cycle has not ended (bf->is_over, bf_max_job_test), and fsi_backfill_counts_add_record admits
 *                the record. Else cycle.limit of the job's row is the parameter that prevents it.
 *   request      fsi_request_read_job: what the record requests; fsi_backfill_find_preemptees: the running jobs that
 *                it may preempt
 *   try          fsi_backfill_search_start: searches node_space and calls the select plugin (fsi_select_will_run). It
 *                sets select.attempt to the start and its nodes.
 *   limits       fsi_limit_ledgers_block_start: limits that depend on the chosen nodes
 *   commit       fsi_backfill_commit_start. A start now: the request is held on the nodes. A later start:
 *                fsi_backfill_may_reserve_nodes decides whether nodes are reserved, and fsi_backfill_reserve_nodes
 *                takes them in node_space. fsi_backfill_set_shown_start: the start is shown.
 *   next task    for an array: fsi_backfill_may_reserve_task, then the next try
 *
 * Invariants: the records after the current one have changed nothing. A step only takes from nodes, node_space,
 * licenses and counters, so a checkpoint (fsi_checkpoint_save_cycle) taken between two steps can be restored at any
 * time.
 *
 * Errors: functions that return int return -1 if out of memory, unless their comment says otherwise. */
#ifndef FSI_BACKFILL_BACKFILL_H
#define FSI_BACKFILL_BACKFILL_H

#include "backfill/node_space.h"
#include "plan/plan.h"

/* The pending components of het jobs (libfs/backfill/het_job.c). */
struct fsi_backfill_het {
	uint32_t *component; /* job rows of the `ncomponents` components, sorted by het job */
	size_t ncomponents;
	/* By job row: earliest start found in this cycle. A component without one: a year ahead; 0: not tried yet. */
	int64_t *earliest_start;
	struct fsi_backfill_het_partition {
		uint64_t het_id;  /* id of the het job */
		int64_t latest_start; /* latest start found for its components in the partition */
		uint32_t partition; /* row of the partition */
	} *partition_start; /* het jobs by partition, npartition_starts of them; the capacity is `capacity` (fsi_backfill_het_grow) */
	size_t npartition_starts, capacity;
};

/* Callback for each task that gets a start; bf->select.attempt is the start and its nodes. Any other result than 0 ends
 * the run with -1. For tests. */
struct fsi_backfill;
typedef int (*fsi_backfill_watch_fn)(void *ctx, const struct fsi_backfill *bf, const struct fsi_request *q);

/* A running job that the cycle itself started (libfs/backfill/commit.c). */
struct fsi_backfill_cycle_start {
	struct fsi_queue_record record; /* its queue record while it was pending */
	struct fsi_running_job end;	/* its end, and the nodes it runs on */
	struct fsi_node_hold *hold;	/* by node of `end`: its hold there; job FSI_NO_INDEX: none */
};

/* A record and the reservation in which it is tried. A record is tried once more for each magnetic reservation that
 * admits its job. */
struct fsi_backfill_order_entry {
	uint32_t record, magnetic_resv; /* index in the queue; 1 + row of the magnetic reservation, 0: none */
};

/* The scheduling order: the tries of the cycle in the order in which it makes them (libfs/backfill/order.c). */
struct fsi_backfill_order {
	uint32_t *record;	  /* by position: index of the record in the queue */
	uint32_t *magnetic_resv; /* by position: 1 + row of the magnetic reservation, 0: none */
	/* By position: a limit blocks the record now, but did not before the cycle started other jobs. */
	bool *limited_since;
	size_t n;
	bool any_limited_since; /* whether any element of `limited_since` is true */
};

/* Counters for bf_max_job_user, _part, _assoc and _user_part (src/plugins/sched/backfill/backfill.c:
 * _job_exceeds_max_bf_param). */

struct fsi_backfill_count_pair {
	uint32_t user, partition, count; /* names of user and partition; number of records, 0: free entry */
};

struct fsi_backfill_counts {
	/* By user (a name): records in the default account; from index `nnames` on, records in other accounts. */
	uint32_t *by_user;
	uint32_t *by_partition, *reserved_by_partition; /* by partition (a name): records; records with reserved nodes */
	uint32_t *by_assoc;	     /* by association row: records */
	struct fsi_backfill_count_pair *pair; /* hash table by user and partition; empty without bf_max_job_user_part */
	/* nnames, nassocs: the numbers of names and associations when the counters were made; pair_slots: size of
	 * `pair`, 0 or a power of 2; its used entries */
	uint32_t nnames, nassocs, pair_slots, npairs;
};

/* The state of one cycle. */
struct fsi_backfill {
	struct fs_plan *plan; /* the plan, which owns this struct */
	struct fsi_cluster cluster;
	struct fsi_sched_params params;
	struct fsi_select select;
	struct fsi_node_space node_space; /* free nodes by time slot, without the nodes of planned jobs */
	struct fsi_backfill_order order; /* the scheduling order */
	struct fsi_backfill_het het;
	struct fsi_backfill_counts counts;
	/* Valid during a step: 1 + row of the magnetic reservation in which the record is tried, 0: none. */
	uint32_t magnetic_resv;
	struct fsi_backfill_counters {
		uint32_t tested;      /* records for which the select plugin was called (bf_max_job_test) */
		uint32_t started;     /* jobs that the cycle started (bf_max_job_start) */
		uint64_t array_id;    /* job id of the array for which nodes were reserved last */
		uint32_t array_tasks; /* number of tasks of that array for which nodes were reserved in succession */
	} counter;
	bool has_node_limits; /* some limit depends on the chosen nodes: fsi_limit_ledgers_need_nodes */
	bool is_over;	     /* the cycle has ended: node_space is full, or bf_max_job_start is reached */
	bool had_start_before;	     /* during a step: the job had a start before this record was tried */
	/* During a step, by job row: the record may preempt the running job; that job would be suspended. */
	bool *preemptees, *suspends;
	int64_t next_try; /* after a successful search: the time that it would have tried next, 0: none */
	/* The job's start in the last try if it ran FSI_PLAN_LONGER_S more; see struct fsi_plan_row. Only for the job
	 * plan->focus_job. */
	int64_t start_if_longer;
	/* Jobs that the cycle itself started, in scheduling order. */
	struct fsi_backfill_cycle_starts {
		struct fsi_backfill_cycle_start *v;
		size_t n;
		size_t next;	    /* index of the first job that is not on its nodes yet */
		bool is_overlapped; /* an earlier record took resources that one of these jobs has */
	} cycle_starts;
	/* Limits without some of the jobs that the cycle started (libfs/backfill/limit_ledger.c). */
	struct fsi_backfill_earlier_limits {
		struct fsi_limit_ledgers *ledgers; /* NULL: not needed yet */
		int64_t *end_of_job; /* by job row: end of each running job; a started job that does not count ends now */
		size_t ncounted;	 /* number of jobs in `cycle_starts` that count in the ledgers */
	} earlier_limits;
	fsi_backfill_watch_fn watch; /* called for each task that gets a start; NULL: no callback */
	void *watch_ctx;
};

/* ---- the cycle (libfs/backfill/cycle.c, setup.c) */

/* Returns 1 if the record at position i, which was not tried yet, is certain to get no start before `start`, whatever
 * the records between take. Returns 0 if that is not certain, -1 if out of memory. */
int fsi_backfill_cannot_start_before(struct fsi_backfill *bf, size_t i, int64_t start);

/* ---- scheduling order and magnetic reservations (libfs/backfill/order.c) */

/* Returns true if the reservation admits the job. Members of a group are the jobs that run with it. */
bool fsi_backfill_resv_admits_job(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j);
/* Returns true if a magnetic reservation admits a group, whose members are not known. */
bool fsi_backfill_has_group_magnetic(const struct fsi_backfill *bf);

/* Sets bf->order to the scheduling order of the plan's queue. Does not free the previous order. Returns -1 if out of
 * memory. */
int fsi_backfill_make_order(struct fsi_backfill *bf);
void fsi_backfill_free_order(struct fsi_backfill_order *l);
/* Sets the start that the scheduler shows for the job, unless another partition gave an earlier one. If no nodes are
 * reserved for the start (`reserved` false), it replaces an earlier one too, if it is within the window
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill, orig_start_time). */
void fsi_backfill_set_shown_start(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool reserved);
/* Returns true if the record is the first one of its partition that is tried, and the first one of its job. Then the
 * main scheduler has tried the job in that partition, and in no other. */
bool fsi_backfill_is_first_in_partition(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* ---- jobs that the cycle started (libfs/backfill/commit.c, cycle.c) */

/* Puts the jobs that the cycle started ahead of the record on their nodes; r NULL: all of them. Returns -1 if out of
 * memory. */
int fsi_backfill_put_starts_before(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Decides by one run whether the jobs that the cycle started are put on their nodes at their positions in the order. If
 * the plan gave what they have to records ahead of them, all are put on their nodes at the beginning instead. With
 * `stay`, a run that needs no change is kept, and *ran is set; else the state before the run is restored. Returns -1 if
 * out of memory. */
int fsi_backfill_decide_start_positions(struct fsi_backfill *bf, bool stay, bool *ran);

/* Returns true if the cycle begins with the node weights that a cycle like it would leave (libfs/backfill/setup.c). */
bool fsi_backfill_carries_node_weights(const struct fsi_select *sel);

/* ---- het jobs (libfs/backfill/het_job.c) */

/* Lists the pending components of het jobs. Returns -1 if out of memory. */
int fsi_backfill_het_init(struct fsi_backfill *bf);

/* Allocates het.partition_start for all components and their partitions. Must be called again when a job gets other
 * partitions. Returns -1 if out of memory. */
int fsi_backfill_het_grow(struct fsi_backfill *bf);

/* Returns the id of the het job that the job (a row) is a component of; 0: none. */
static inline uint64_t fsi_backfill_het_get_id(const fs_snapshot *m, uint32_t job)
{
	return fsi_job_ext(m, &m->job.v[job])->het_job_id;
}

/* Returns false if the job (a row) may not be tried, since another component of its het job has no start. */
bool fsi_backfill_het_may_try(struct fsi_backfill *bf, uint32_t job);

/* Returns the first start to try for the job (a row): now, or the latest start found for the other components of its
 * het job. */
int64_t fsi_backfill_het_get_earliest(const struct fsi_backfill *bf, uint32_t job);

/* Notes a start found for the job (a row); nothing for a job that is no component. */
void fsi_backfill_het_note_start(struct fsi_backfill *bf, uint32_t job, int64_t start);

/* Notes the start in select.attempt for the request's het job and partition. Returns true if the het job would then
 * wait for another het job that waits for it, so that no nodes may be reserved. */
bool fsi_backfill_het_has_deadlock(struct fsi_backfill *bf, const struct fsi_request *q);

/* Gives the components of each het job a common start at the end of the cycle, or none. */
void fsi_backfill_het_set_starts(struct fsi_backfill *bf);

/* ---- one request: preemption and the search for a start (libfs/backfill/job_start.c) */

/* Returns by job row whether the record may preempt the running job; NULL: it may preempt none. Also sets
 * bf->suspends. Valid until the next call. */
const bool *fsi_backfill_find_preemptees(struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Returns true if the start in select.attempt, a start now, requires preemption. Then nodes are reserved for the
 * request while the preempted jobs end. */
bool fsi_backfill_must_preempt(const struct fsi_select *sel, const struct fsi_request *q);

/* Searches for the start that one cycle of the backfill scheduler gives the request, and sets select.attempt to it.
 * Returns false if there is none. now_only: only a start now is searched. */
bool fsi_backfill_search_start(struct fsi_backfill *bf, const struct fsi_request *q, bool now_only);

/* Postpones the start in select.attempt until it does not overlap planned jobs. Returns false if there is no such
 * start. */
bool fsi_backfill_postpone_start(struct fsi_backfill *bf, const struct fsi_request *q);

/* Returns true if the request could start on the nodes of its partition if no job ran there
 * (libfs/backfill/commit.c). */
bool fsi_backfill_is_start_possible(struct fsi_select *sel, const struct fsi_request *q);

/* Returns true if the request is certain to get no start before `start`, whatever else is planned in the meantime. The
 * request must not preempt jobs. */
bool fsi_backfill_has_no_start_before(struct fsi_backfill *bf, const struct fsi_request *q, int64_t start);

/* Sets `set` to the chosen nodes. */
void fsi_backfill_get_chosen_nodes(const struct fsi_cluster *c, const struct fsi_attempt *f, uint64_t *set);
/* Sets `set` to the nodes of the partition that are up and that the request allows. */
void fsi_backfill_get_usable_nodes(const struct fsi_cluster *c, const struct fsi_request *q, uint64_t *set);

/* ---- committing a start (libfs/backfill/commit.c) */

/* Returns true if the current try counts for bf_max_job_* and may reserve nodes. Tries in magnetic reservations do only
 * with bf_allow_magnetic_slot. */
static inline bool fsi_backfill_is_try_counted(const struct fsi_backfill *bf)
{
	return !bf->magnetic_resv || bf->params.magnetic_slot;
}

/* Returns true if bf_job_part_count_reserve is reached in the partition of the record. */
bool fsi_backfill_is_partition_full(const struct fsi_backfill *bf, const struct fsi_queue_record *r);

/* Commits the start in select.attempt for one task: fills the row, and holds or reserves the nodes. Returns 1 if the
 * next task may be tried, 0 if not, -1 if out of memory. *reserved_tasks: number of tasks for which nodes were
 * reserved in this record; increased if nodes are reserved for this task. */
int fsi_backfill_commit_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q,
			      struct fsi_plan_row *row, uint64_t *reserved_tasks);
/* Commits the start in select.attempt in a plan by priority. Returns 1, or -1 if out of memory. */
int fsi_backfill_commit_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row);

/* Returns true if the QOS of the record has the flag NoReserve. */
bool fsi_backfill_has_noreserve(const fs_snapshot *m, const struct fsi_queue_record *r);

/* Returns true if nodes are to be reserved for the start in select.attempt, and counts the reservation. Ends the
 * cycle if node_space is full. */
bool fsi_backfill_may_reserve_nodes(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row);

/* Returns true if nodes may be reserved for another task of the array (bf_max_job_array_resv). Tasks are counted across
 * partitions, until another array comes between. The array's throttle counts the tasks that run; from 23.02.4 also
 * those for which nodes are reserved (ec5dbb55aa). */
bool fsi_backfill_may_reserve_task(struct fsi_backfill *bf, const struct fsi_plan_row *row);

/* Reserves the nodes in select.attempt in node_space. Returns -1 if out of memory. */
int fsi_backfill_reserve_nodes(struct fsi_backfill *bf, const struct fsi_request *q);

/* Closes the nodes of the request's partition until a time, for later records of a plan by priority. */
void fsi_backfill_close_partition_nodes(struct fsi_cluster *c, const struct fsi_request *q, int64_t until);

/* ---- creation and run (libfs/backfill/cycle.c) */

/* Creates p->backfill for the plan; it is not set up yet. Returns -1 if out of memory. */
int fsi_backfill_create_cycle(struct fs_plan *p);

/* Creates p->backfill and runs the cycle for a plan that was begun. watch: callback for each start, NULL: none. Returns
 * -1 if out of memory. */
int fsi_backfill_run_cycle(struct fs_plan *p, fsi_backfill_watch_fn watch, void *ctx);

/* ---- ledgers of limits (libfs/backfill/limit_ledger.c)
 *
 * The ledgers record what running jobs, and jobs that a simulation starts, use of each limit of associations and QOS
 * over time. They give the time at which the limits let another job start (src/slurmctld/acct_policy.c:
 * _validate_tres_usage_limits, _qos_job_runnable_pre_select). The controller has no such account of planned jobs. A
 * limit on used up minutes or wall time that blocks a job never ends here, since only decay ends it. */

struct fsi_limit_ledgers;

/* Creates empty ledgers; bf is borrowed. Returns NULL if out of memory. */
struct fsi_limit_ledgers *fsi_limit_ledgers_create(const struct fsi_backfill *bf);
void fsi_limit_ledgers_free(struct fsi_limit_ledgers *l);

/* Resets the ledgers to the running jobs. end_of: by job row, end of the jobs that hold resources; borrowed. */
void fsi_limit_ledgers_reset(struct fsi_limit_ledgers *l, const int64_t *end_of);

/* Sets *out to the first time from `from` on at which all limits let the job (a row) start in the partition (a name);
 * INT64_MAX: never. Sets *why to the limit that delays the job longest, if one does. Returns -1 if out of memory. */
int fsi_limit_ledgers_find_start(struct fsi_limit_ledgers *l, uint32_t job, uint32_t partition, int64_t from,
				 int64_t *out, struct fsi_plan_limit *why);

/* Enters a run of the job (a row) in the partition (a name), from start to end. Returns -1 if out of memory. */
int fsi_limit_ledgers_enter_run(struct fsi_limit_ledgers *l, uint32_t job, uint32_t partition, int64_t start,
				int64_t end);

/* Sets *allowed to whether all limits let the record start now, if of the jobs that the cycle started only the first
 * `started` count. Returns -1 if out of memory. */
int fsi_limit_ledgers_allow_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, size_t started,
				   bool *allowed);

/* Sets *blocked to whether a limit blocks the start in select.attempt: limits on the job's resources on each node, on
 * the number of nodes, and all limits if the request takes whole nodes or sockets. The limits are those of now,
 * without the jobs that the cycle started after the record. Returns -1 if out of memory. */
int fsi_limit_ledgers_block_start(struct fsi_backfill *bf, const struct fsi_request *q, bool *blocked);

/* Returns true if any limit depends on the chosen nodes: a limit on what a job has on a node, or on the nodes of all
 * running jobs together. */
bool fsi_limit_ledgers_need_nodes(const fs_snapshot *m);

/* ---- likely starts (libfs/backfill/likely.c)
 *
 * A simulation places the jobs, in the order of the queue, on nodes that jobs share, and counts the limits of
 * associations and QOS. One run uses time limits as run times. Up to FSI_LIKELY_RUNS further runs use run times drawn
 * from past jobs of the same user, account and partition, where there are enough of those. A drawn run time depends
 * only on FSI_LIKELY_SEED, the job and the run, so the same snapshot gives the same numbers. If fewer than
 * FSI_LIKELY_MIN_RUNS runs complete, they are not used. */

enum { FSI_LIKELY_RUNS = 25, FSI_LIKELY_MIN_RUNS = 10, FSI_LIKELY_SEED = 20260 };

/* Fills likely, limit and limit_start of the rows, and plan->runs. Leaves them empty if the cluster and the queue are
 * too large. Returns -1 if out of memory. */
int fsi_likely_simulate_starts(struct fsi_backfill *bf);

/* ---- counters (libfs/backfill/job_counts.c) */

/* Makes counters that are all 0. Returns -1 if out of memory; then the caller must release them. */
int fsi_backfill_counts_init(struct fsi_backfill_counts *n, const fs_snapshot *m);
/* Makes a copy. Returns -1 if out of memory; then there is nothing to release. */
int fsi_backfill_counts_copy(struct fsi_backfill_counts *to, const struct fsi_backfill_counts *n);
void fsi_backfill_counts_release(struct fsi_backfill_counts *n);

/* Counts a record, or one more task of its array, of a job in a partition (a name). If a maximum of the parameters is
 * already reached, the record is not counted, and may not be tried. Unless `counts`, the maxima are only tested.
 * Returns 0 if no maximum is reached; the number of the maximum for fsi_backfill_counts_get_limit if one is; -1 if
 * out of memory. */
int fsi_backfill_counts_add_record(struct fsi_backfill_counts *n, const fs_snapshot *m,
				   const struct fsi_sched_params *p, const struct fsi_job *j, uint32_t partition,
				   bool counts);

/* Returns the parameter whose maximum is reached. full: result of fsi_backfill_counts_add_record, above 0. */
struct fsi_cycle_limit fsi_backfill_counts_get_limit(const struct fsi_sched_params *p, int full);

/* Returns the counter of records in the partition (a name) for which nodes are reserved. */
uint32_t *fsi_backfill_counts_get_reserved(const struct fsi_backfill_counts *n, uint32_t partition);

/* ---- checkpoints (libfs/backfill/checkpoint.c)
 *
 * A checkpoint is a copy of all state that changes from record to record. Loading it also restores the caches of
 * select/avail_index.h as far as they are valid, so that the run from there is as fast as the first one was. */

struct fsi_checkpoint {
	struct fsi_node_space_copy node_space;
	struct fsi_checkpoint_node {
		int64_t free[FSI_RES_MAX], from, weight; /* as in struct fsi_cluster_node; weight: of the choice */
		uint32_t from_job;
		size_t holds_end, blocks_end; /* numbers of holds and blocks of all nodes up to and including this one */
	} *node; /* by index of the node */
	struct fsi_node_hold *hold;  /* holds of all nodes, node after node */
	struct fsi_node_block *block; /* blocks of all nodes, node after node */
	struct fsi_running_job *end;     /* ends of running jobs; `nends` elements */
	struct fsi_plan_row *row;     /* rows of the plan; `nrows` elements */
	struct fsi_license *license; /* licenses of the cluster, with the amounts in use */
	struct fsi_backfill_counts counts;
	struct fsi_request_cache request_cache; /* copy of the request cache, without nodes and failed tries */
	int64_t *het_earliest_start;	   /* by job row, as in struct fsi_backfill_het; empty without het jobs */
	struct fsi_backfill_het_partition *het_partition_start; /* het jobs by partition; `nhet_partition_starts` elements */
	/* Members of the same name in struct fsi_backfill, its plan and its select. cache_round: round of the cache. */
	size_t nrows, nends, nhet_partition_starts, next_cycle_start;
	uint64_t array_id, work;
	uint32_t array_count, tested_records, started_jobs, cache_round;
	struct fsi_avail_index_checkpoint avail_index; /* state of the availability index */
	bool is_over, over_budget;
};

/* Saves the state of the cycle. Returns -1 if out of memory; then s is released. */
int fsi_checkpoint_save_cycle(struct fsi_checkpoint *s, const struct fsi_backfill *bf);
/* Restores a state that was saved from bf; s stays valid. Returns -1 if out of memory; then bf can only be freed. */
int fsi_checkpoint_load_cycle(struct fsi_backfill *bf, const struct fsi_checkpoint *s);
void fsi_checkpoint_release(struct fsi_checkpoint *s);
/* Returns approximately how many bytes a checkpoint takes. */
size_t fsi_checkpoint_estimate_bytes(const struct fsi_backfill *bf);

/* ---- jobs that the cycle started (libfs/backfill/commit.c) */

/* Returns true if the running job was started by the last cycle: by backfill, within bf_interval before it. */
bool fsi_backfill_is_cycle_start(const struct fsi_select *sel, const struct fsi_job *j);

/* Fills bf->cycle_starts, and takes these jobs off their nodes. Returns -1 if out of memory. */
int fsi_backfill_remove_starts(struct fsi_backfill *bf);

#endif
