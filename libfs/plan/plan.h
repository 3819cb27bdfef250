/* The rows of a plan. */
#ifndef FSI_PLAN_PLAN_H
#define FSI_PLAN_PLAN_H

#include "queue/queue.h"
#include "select/select.h"

/* When the job of that row is planned to start; FS_UNKNOWN where the plan has none for it or knows no more than that it
 * is not before a time, or there is no plan. */
int64_t fsi_plan_start(const fs_plan *p, uint32_t job_row);

/* A run of the simulation, and the rows it leaves. */

/* A limit that keeps a job longer than nodes do. */
struct fsi_plan_limit {
	const char *name; /* "GrpTRES"; NULL none */
	uint32_t tres, of; /* names: of the TRES, 0 none; of the account or QOS */
	uint32_t frees;    /* job row whose end gives enough of it back, FSI_NO_INDEX none */
};

/* The default memory of a job in a partition that gives it none for its GPUs (libfs/backfill/cycle.c). */
enum fsi_plan_memory { FSI_MEMORY_UNTOLD, FSI_MEMORY_KEPT, FSI_MEMORY_LOST };

/* What a backfill cycle did for a job. */
struct fsi_row_cycle {
	bool reached;	/* the cycle came to the job in one of its partitions */
	bool searched;	/* there all times up to the end of the window were tried, not only now */
	bool has_start; /* it has a start by now, in the cycle: job_ptr->start_time */
	struct fsi_plan_cycle_limit limit; /* what kept the cycle from it in another partition; name NULL: nothing */
};

/* Tasks of an array; 1 task for other jobs. */
struct fsi_row_array {
	uint64_t tasks, planned, throttle;
	uint64_t started;  /* tasks that start now; by priority all */
	uint32_t reserved; /* how often nodes are reserved for it, in all partitions */
};

/* Likely starts, as in fs_plan_row. */
struct fsi_row_likely {
	int64_t median, low, high;
};

struct fsi_plan_row {
	uint32_t job, partition_name, nnodes;
	uint32_t magnet; /* in which it starts: as in fsi_plan_place */
	uint32_t frees, blocked_by; /* rows of jobs, FSI_NO_INDEX: none */
	uint32_t *node;          /* names */
	int64_t start, last_start, limit_s;
	int64_t shown; /* the start that the scheduler shows, whether it is possible or not: fsi_plan_tell */
	int64_t longer; /* of the only job: its start if it ran FSI_PLAN_LONGER_S more; INT64_MAX none, 0 not computed */
	struct fsi_plan_limit limit;
	int64_t limit_start; /* as in fs_plan_row */
	struct fsi_row_likely likely;
	struct fsi_row_array array;
	struct fsi_row_cycle cycle;
	const struct fs_reason *reason;
	unsigned unmodelled;
	enum fs_plan_state state;
	enum fs_plan_wait wait;
	enum fsi_plan_memory memory; /* its default memory, by the tries so far */
	uint8_t section;
	bool eligible; /* eligible in any partition */
	bool limited;  /* a limit excludes it from one of them */
};

#define FSI_LINE_MAX_LOOKS UINT64_C(20000000000) /* some ten seconds on a machine of 2025 */

enum { FSI_PLAN_ASSUMPTIONS = 16, FSI_PLAN_LONGER_S = 60 };

/* The result: a row for each pending job, and what its rows need. Filled by the scheduler's run. */
struct fs_plan {
	const fs_snapshot *m;
	int64_t now; /* time of the cycle, at or before the snapshot's; 0: the scheduler has no cycles */
	fs_queue *queue;
	bool queue_is_borrowed; /* the queue is the caller's */
	struct fs_view view;
	enum fs_plan_mode mode;
	unsigned compat; /* FS_SLURM_RELEASE whose scheduler is simulated */
	struct fsi_plan_row *row;
	size_t nrows;
	uint32_t *row_of; /* by job row: 1 + its index in `row`; 0: none (yet) */
	uint64_t *running; /* array ids of running tasks, sorted */
	size_t nrunning;
	uint64_t looks, max_looks; /* work of the search so far, and its budget (FSI_LINE_MAX_LOOKS) */
	bool given_up; /* the budget was exceeded: jobs that were not tried have no start */
	uint32_t only; /* 1 + row of the only job whose wait reason and nodes are computed; 0: all jobs, FSI_NO_INDEX: none */
	int64_t until; /* a simulation stops when it reaches this time without a start of that job; INT64_MAX */
	int64_t window_s, resolution_s; /* bf_window and bf_resolution; 0 without backfill */
	uint32_t unplaced; /* running jobs whose nodes are unknown */
	struct fs_plan_runs runs;
	char *assumption[FSI_PLAN_ASSUMPTIONS];
	size_t assumptions;
	struct fsi_arena arena; /* names of nodes, assumptions, what the scheduler's run allocates */
	struct fsi_backfill *backfill; /* Slurm's: state of the cycle, owned; NULL: another scheduler, or not run */
};

/* Is more wanted of the job than its start: what it waits for, whether it can ever start, and its nodes? Nothing
 * else depends on that. */
static inline bool fsi_plan_tells(const struct fs_plan *p, uint32_t job)
{
	return !p->only || p->only == job + 1;
}

/* Is that known of the only job which a simulation that has come to `now` is asked for? */
bool fsi_plan_settled(const struct fs_plan *p, int64_t now);

/* Need p->c.m, queue and mode. -1 without memory. */
int fsi_plan_make_rows(struct fs_plan *p, bool in_turn); /* one for each pending job, as far as any is shown */
/* The row of the record's job, which is made if it has none. */
struct fsi_plan_row *fsi_plan_row_of(struct fs_plan *p, const struct fsi_queue_record *r);
int fsi_plan_setup(struct fsi_backfill *bf); /* cluster, rows, counters; part of the run */
int fsi_plan_step(struct fsi_backfill *bf, size_t i); /* the record at place i of the line */

/* Makes the row of a waiting job what it is before any of its records was tried, for the queue as it now is. -1
 * without memory. */
int fsi_plan_reset_row(struct fs_plan *p, uint32_t job);

/* Makes a plan with its queue, not run yet. Error codes of fs_plan_compute. */
int fsi_plan_begin(struct fs_plan **out, const fs_snapshot *m, const struct fs_plan_options *o, struct fs_error *err);

/* Adds a sentence to what the plan assumes, up to FSI_PLAN_ASSUMPTIONS. -1 without memory. */
int fsi_plan_assume(struct fs_plan *p, const char *fmt, ...) FSI_PRINTF(2, 3);

struct fsi_plan_scheduler {
	bool partitions; /* it needs them as well as nodes */
	bool stepwise;   /* run is fsi_plan_setup, a fsi_plan_step for each record, fsi_plan_het_start: libfs/backfill/replan.h */
	bool tells_begin; /* of a job that has no start it shows the begin time as one */
	/* Fills the rows. p->c.m, queue, mode and view are set. Error codes of fs_plan_compute. */
	int (*run)(struct fs_plan *p, struct fs_error *err);
	/* Fills the likely starts of the rows; NULL: not modelled. -1 without memory. */
	int (*likely)(struct fs_plan *p);
	/* Says what it assumed, by fsi_plan_assume. -1 without memory. */
	int (*assume)(struct fs_plan *p);
	void (*release)(struct fsi_backfill *bf); /* frees the state of its run; NULL: it leaves none */
};

extern const struct fsi_plan_scheduler fsi_plan_of_slurm, fsi_plan_of_flux;

#endif
