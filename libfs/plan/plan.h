/* The plan: when and where each pending job is expected to start. Implements the public functions of fs/plan.h.
 *
 * struct fs_plan is the result: one row for each pending job, and the data that the rows refer to. For each scheduler,
 * a struct fsi_plan_scheduler has the functions that fill the rows. They simulate that scheduler from the state in the
 * snapshot: Slurm in libfs/backfill/cycle.c, Flux in libfs/plan/flux.c, Maui in libfs/plan/maui.c.
 *
 *   fsi_plan_create                makes an empty plan with its queue
 *   fsi_plan_make_rows             adds a row with default values for each pending job; called by scheduler->run
 *   scheduler->run                 simulates the scheduler; stores starts, states, wait reasons and nodes in the rows
 *   scheduler->fill_likely_starts  adds likely starts to the rows, if they were requested
 *   scheduler->add_assumptions     adds the assumptions of the simulation to the plan, as sentences
 *   fs_plan_free                   frees everything
 *
 * Memory: the plan owns its rows, its arena, the state of Slurm's cycle (`backfill`) and, unless queue_is_borrowed
 * is set, its queue. The snapshot `m` is borrowed and must outlive the plan.
 *
 * Invariants: `row` has space for one row per queue record and is never moved, so pointers to rows stay valid. Every
 * job has at most one row, even if it waits in several partitions. row_of_job[job] is 0 or 1 + the index of the job's
 * row.
 *
 * Errors: functions that return int return -1 if out of memory, unless they say otherwise. */
#ifndef FSI_PLAN_PLAN_H
#define FSI_PLAN_PLAN_H

#include "queue/queue.h"
#include "select/select.h"

/* Returns the planned start of the job in row `job_row` of the snapshot, in seconds since the epoch. Returns FS_UNKNOWN
 * if p is NULL, if the plan has no row for the job, or if that row has no start or only an earliest possible start
 * (FS_PLAN_BEGINS). */
int64_t fsi_plan_get_start(const fs_plan *p, uint32_t job_row);

/* ---- rows of a plan */

/* A limit that delays a job although enough nodes are free. */
struct fsi_plan_limit {
	const char *name; /* name of the limit, such as "GrpTRES"; NULL: no limit delays the job */
	/* `tres`: name id of the TRES, 0: the limit is not on a TRES; `of`: name id of the account or QOS that sets the
	 * limit */
	uint32_t tres, of;
	/* row of the job after whose end the limit permits the delayed job; FSI_NO_INDEX: none */
	uint32_t freed_by;
};

/* State of a job's default memory per CPU (libfs/backfill/cycle.c).
 * UNKNOWN: the result of the last call of the select plugin for the job is unknown.
 * DEFAULT: the job has its default memory per CPU.
 * CLEARED: the last call of the select plugin was for a partition with DefMemPerGPU, and cleared the default. */
enum fsi_default_memory { FSI_MEMORY_UNKNOWN, FSI_MEMORY_DEFAULT, FSI_MEMORY_CLEARED };

/* The actions of Slurm's backfill cycle for a job. */
struct fsi_row_cycle {
	bool reached;	/* true: the cycle reached the job in at least one of its partitions */
	/* true: in at least one partition, the cycle searched the whole bf_window for a start, instead of only
	 * trying to start the job now */
	bool searched_window;
	/* true: job_ptr->start_time of the job is set, either to its begin time or to a start that the cycle found */
	bool has_start;
	/* parameter that prevented the cycle from trying the job in a partition; limit.name NULL: no parameter did */
	struct fsi_cycle_limit limit;
};

/* The tasks of a job array. A job that is not an array counts as one task. */
struct fsi_row_array {
	/* `tasks`: number of pending tasks; `planned_tasks`: number of tasks with a planned start; `throttle`: number
	 * of tasks that the limit of the array (%N) permits to start now, UINT64_MAX: no limit */
	uint64_t tasks, planned_tasks, throttle;
	/* Slurm: number of tasks that the cycle starts now; Flux, Maui: 1 if the job has a planned start, else 0 */
	uint64_t started_tasks;
	uint32_t reservations; /* number of times that nodes were reserved for the job, over all its partitions */
};

/* Starts of a job in repeated simulations (struct fs_plan_likely), seconds since the epoch; FS_UNKNOWN: none. */
struct fsi_row_likely {
	int64_t median, low, high;
};

/* The plan of one pending job. Times are seconds since the epoch. */
struct fsi_plan_row {
	/* `job`: row of the job; `nnodes`: number of entries of `node_name`; `partition_name`: name id of the partition
	 * in which the job starts or, if it has no start, of the first partition in which it is eligible. */
	uint32_t job, partition_name, nnodes;
	uint32_t magnetic_resv; /* 1 + row of the magnetic reservation in which the job starts; 0: none */
	/* `freed_by`: row of the job whose end frees the nodes for this job; `blocked_by`: row of the job that delays
	 * the start; FSI_NO_INDEX: none */
	uint32_t freed_by, blocked_by;
	/* nodes of the first planned task, as an array of name ids; the array is in the arena of the plan or of
	 * Slurm's cluster */
	uint32_t *node_name;
	/* `start`, `last_start`: starts of the first and of the last planned task, FS_UNKNOWN: none; `limit_s`: time
	 * limit of the job at its planned start, in seconds, FS_UNKNOWN: none */
	int64_t start, last_start, limit_s;
	/* start that the scheduler shows (squeue --start); the job may be unable to start then; FS_UNKNOWN: none */
	int64_t shown_start;
	/* start that the job would have with a time limit that is FSI_PLAN_LONGER_S seconds longer; INT64_MAX: none; 0:
	 * not computed */
	int64_t start_if_longer;
	struct fsi_plan_limit limit; /* limit that delays the job; limit.name is NULL if no limit does */
	/* earliest start at which `limit` permits the job and enough nodes are free; FS_UNKNOWN: none */
	int64_t limit_start;
	struct fsi_row_likely likely;
	struct fsi_row_array array;
	struct fsi_row_cycle cycle;
	const struct fs_reason *reason; /* pending reason of the job's queue record */
	unsigned unmodelled; /* sum of FS_UNMODELLED_ bits; each bit names job data that the plan ignores */
	enum fs_plan_state state;
	enum fs_plan_wait wait; /* what the job waits for */
	/* default memory per CPU of the job after the cycle's last try of the job: unchanged, cleared or unknown */
	enum fsi_default_memory default_memory;
	uint8_t section; /* enum fs_section: section of the queue that the job is in */
	bool eligible; /* true: the job is eligible in at least one partition */
	bool blocked_by_limit;  /* true: a limit blocks the job in at least one partition */
};

/* Maximum work of a simulation, in units that each take about the same time. A simulation with the maximum work takes
 * about ten seconds on a machine of 2025. */
#define FSI_PLAN_WORK_BUDGET UINT64_C(20000000000)

/* Seconds by which a job's time limit is extended to compute member `start_if_longer` of its row. Slurm checks time
 * limits every 30 s and waits KillWait, so that a job may end a minute after its limit; the next cycle may then be a
 * minute later. */
enum { FSI_PLAN_LONGER_S = 120 };

/* The plan of a snapshot. */
struct fs_plan {
	const fs_snapshot *m; /* the snapshot whose pending jobs are planned; borrowed; fs_plan_free does not read it */
	const struct fsi_plan_scheduler *scheduler; /* functions that compute the plan */
	int64_t now; /* time of Slurm's cycle, at or before the snapshot's time; 0: the scheduler has no cycles */
	fs_queue *queue; /* the pending jobs in scheduling order */
	bool queue_is_borrowed; /* true: the caller owns the queue */
	struct fs_view view; /* options of the caller: the viewer, and the release of Slurm */
	enum fs_plan_mode mode;
	/* Slurm. true: the cycle begins at the snapshot's time, with all running jobs; false: repeats the last cycle */
	bool next_cycle;
	unsigned release; /* the Slurm release (FS_SLURM_RELEASE) whose behaviour is simulated */
	struct fsi_plan_row *row; /* the rows, in the order in which they were added */
	size_t nrows;
	/* indexed by row of the job in the snapshot: 1 + index of the job's element of `row`; 0: no element has been
	 * added for the job */
	uint32_t *row_of_job;
	/* array id of each running array task, sorted */
	uint64_t *running_arrays;
	size_t nrunning_arrays;
	/* `work`: work done so far (Flux and Maui set it at the end; until then they count in the timeline);
	 * `work_budget`: maximum work of any scheduler */
	uint64_t work, work_budget;
	/* true: the simulation was stopped, because its work exceeded `work_budget`; jobs that it had not tried before
	 * have no start */
	bool over_budget;
	/* 1 + row of the only job for which more than the start is computed (fsi_plan_needs_details); 0: all jobs;
	 * FSI_NO_INDEX: no job */
	uint32_t focus_job;
	int64_t stop_time; /* time at which a simulation stops even if job `focus_job` has no start; INT64_MAX: never */
	/* `window_s`, `resolution_s`: bf_window and bf_resolution in seconds; for Flux and Maui, `window_s` is 0 */
	int64_t window_s, resolution_s;
	/* Flux, Maui: number of running jobs whose nodes are not recorded, or not in the snapshot */
	uint32_t unplaced_jobs;
	struct fs_plan_runs likely_runs; /* data about the simulations from which the likely starts were computed */
	FSI_VEC(const char *) assumption; /* assumptions of the plan, as sentences in the arena */
	bool out_of_memory; /* an assumption or the nodes of a row could not be stored */
	/* memory for the sentences in `assumption`, and for arrays that the scheduler's planning function (member
	 * `run`) allocates */
	struct fsi_arena arena;
	/* Slurm: state of the cycle, owned; NULL: the scheduler is not Slurm, or has not run yet */
	struct fsi_backfill *backfill;
};

/* Returns true if the plan needs the job's wait reason and nodes, and needs to know whether the job can ever start. If
 * false, the plan needs only the job's start. The result does not affect the planned starts. */
static inline bool fsi_plan_needs_details(const struct fs_plan *p, uint32_t job)
{
	return !p->focus_job || p->focus_job == job + 1;
}

/* If p->focus_job selects a job, returns true if a simulation may stop at time `now`: p->stop_time is reached, or that
 * job has a start. If p->focus_job is 0 or FSI_NO_INDEX, returns false. */
bool fsi_plan_is_settled(const struct fs_plan *p, int64_t now);

/* Allocates the memory of the rows. If `in_turn` is false, also adds a row for each job of the queue. If it is true,
 * fsi_plan_find_or_add_row adds the rows later. p->m and p->queue must be set. Returns -1 if out of memory. */
int fsi_plan_make_rows(struct fs_plan *p, bool in_turn);
/* Returns the row of the record's job. Adds the row if there is none. */
struct fsi_plan_row *fsi_plan_find_or_add_row(struct fs_plan *p, const struct fsi_queue_record *r);
/* Sets up Slurm's cycle: parameters, cluster, rows, node space and counters. Returns -1 if out of memory. */
int fsi_backfill_set_up(struct fsi_backfill *bf);
/* Runs Slurm's cycle for the queue record at position `i` in the scheduling order. Returns -1 if out of memory. */
int fsi_backfill_run_record(struct fsi_backfill *bf, size_t i);

/* Resets the row of a job to the initial values, which come from the plan's queue. Returns -1 if out of memory. */
int fsi_plan_reset_row(struct fs_plan *p, uint32_t job);

/* Sets *out to an empty plan with its queue; its rows are filled later. `o` may be NULL. Returns 0, or an error code of
 * fs_plan_compute. */
int fsi_plan_create(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o, struct fs_error *err);

/* Appends a sentence to the assumptions of the plan. If out of memory, sets p->out_of_memory. */
void fsi_plan_add_assumption(struct fs_plan *p, const char *fmt, ...) FSI_PRINTF(2, 3);

/* The functions and properties with which a scheduler makes plans. */
struct fsi_plan_scheduler {
	bool needs_partitions; /* true: no plan can be made if the snapshot has no partitions */
	/* true: `run` calls fsi_backfill_set_up, then fsi_backfill_run_record for each record, then
	 * fsi_backfill_het_set_starts. With this sequence of calls, it is possible to compute only the part of a
	 * changed plan that begins at a given record (libfs/backfill/replan.h). */
	bool runs_by_record;
	/* true: if a job has no start and its begin time is in the future, the scheduler shows the begin time as its
	 * start */
	bool shows_begin_time;
	/* Fills the rows. The caller has set the members `m`, `queue`, `mode` and `view` of the plan. Returns 0, or
	 * an error code of fs_plan_compute. */
	int (*run)(struct fs_plan *p, struct fs_error *err);
	/* Fills member `likely` of the rows from repeated simulations (struct fsi_row_likely); NULL: plans of
	 * this scheduler have no likely starts. Returns -1 if out of memory. */
	int (*fill_likely_starts)(struct fs_plan *p);
	/* Adds the assumptions of the simulation to the plan, with fsi_plan_add_assumption. */
	void (*add_assumptions)(struct fs_plan *p);
	/* frees the state that `run` stores in member `backfill` of the plan; NULL: `run` stores none */
	void (*release_state)(struct fsi_backfill *bf);
};

extern const struct fsi_plan_scheduler fsi_plan_of_slurm, fsi_plan_of_flux;

#endif
