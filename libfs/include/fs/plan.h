/* When jobs would start. */
#ifndef FS_PLAN_H
#define FS_PLAN_H

#include <fs/job.h>
#include <fs/view.h>

FS_BEGIN_DECLS

struct fs_queue; /* fs/queue.h */

/* When each pending job may start: an offline run of the scheduler's last cycle over the snapshot's nodes. Run times
 * are the time limits, nothing arrives, priorities stay as they are, and limits are those of now: a job that one keeps
 * gets no start. fs_plan_assumption says so in words. */
typedef struct fs_plan fs_plan;

/* The loop of Slurm's by which jobs are planned. */
enum fs_plan_mode {
	FS_PLAN_BACKFILL,    /* a job may go ahead when it delays no start planned before it */
	FS_PLAN_BY_PRIORITY, /* nobody passes a job of its partition that cannot start */
};

/* What the plan says of a job. */
#define FS_PLAN_STATES(X)                                                                          \
	X(NOW, "now") X(LATER, "planned") X(BEYOND, "beyond window") X(NOT_REACHED, "not reached") \
	X(BEGINS, "not before") X(BLOCKED, "blocked") X(NEVER, "never") X(GIVEN_UP, "given up") \
	X(NO_START, "no start")
#define FS_PLAN_STATE_ENUM(tag, name) FS_PLAN_##tag,
enum fs_plan_state { FS_PLAN_STATES(FS_PLAN_STATE_ENUM) FS_PLAN_STATE_COUNT };
#undef FS_PLAN_STATE_ENUM
FS_API const char *fs_plan_state_name(enum fs_plan_state state); /* "planned" */

/* What it waits for. */
#define FS_PLAN_WAITS(X)                                                                           \
	X(NOTHING, "") X(CPUS, "CPUs") X(MEMORY, "memory") X(GRES, "GPUs and other gres")          \
	X(NODES, "nodes") X(RESERVATION, "a reservation to end") X(PLANNED, "nodes planned for others") \
	X(AHEAD, "jobs ahead") X(COMPONENT, "a component of its het job")
#define FS_PLAN_WAIT_ENUM(tag, name) FS_PLAN_WAIT_##tag,
enum fs_plan_wait { FS_PLAN_WAITS(FS_PLAN_WAIT_ENUM) FS_PLAN_WAIT_COUNT };
#undef FS_PLAN_WAIT_ENUM
FS_API const char *fs_plan_wait_name(enum fs_plan_wait wait); /* "CPUs" */

/* Parts of a request that the plan does not take into account. */
enum {
	FS_UNMODELLED_FEATURES = 1, /* text that cannot be read; by priority: kinds of them */
	FS_UNMODELLED_LICENSES = 2,
	FS_UNMODELLED_GRES = 4,
	FS_UNMODELLED_RESERVATION = 8, /* one that is not in the snapshot */
	FS_UNMODELLED_MAX_NODES = 16,  /* whether it may take more than one node is not told */
	FS_UNMODELLED_WAIT = 32 /* Maui: nor how long it had waited when it was blocked, by which its priority then counts */
};

/* One row for each pending job, in the order of the queue. */
struct fs_plan_row {
	uint64_t job; /* id */
	uint32_t job_row; /* of the snapshot */
	enum fs_plan_state state; /* what the plan says */
	enum fs_section section;	/* BLOCKED: by what */
	const struct fs_reason *reason; /* as in fs_queue_row */
	const char *partition;		/* where it starts, or the first it asks for */
	/* FS_UNKNOWN unless NOW, LATER, BEYOND or BEGINS. Components of a het job start together: that of the last. */
	int64_t start_time, end_time;
	uint64_t tasks, tasks_planned;	/* of an array: how many there are, and have a start */
	int64_t last_start_time;	/* of the tasks planned */
	/* A start that squeue --start shows, and that is not start_time. Of a job that a limit keeps, which backfill
	 * only sees when it has a start: that start; no nodes are kept for it. Of a job with a partition that refuses
	 * its account, where backfill plans it without asking: the start there. Of a component of a het job: its own
	 * start, where the job starts later or not at all. Of a job that more than its begin time keeps: that time.
	 * FS_UNKNOWN of all others. */
	int64_t shown_start_time;
	/* The limit of an association or QOS that keeps it longer than nodes do: of a job that the scheduler passes
	 * over because of it, and of one whose planned start what is planned before it would use up. limit_start_time:
	 * when running and planned jobs have given enough of it back and it has nodes too; FS_UNKNOWN: they do not
	 * (used up minutes are given back by decay alone), or only behind the window. */
	const char *limit; /* "GrpTRES"; "" none */
	const char *limit_tres, *limit_of; /* "cpu" or ""; the account or QOS */
	int64_t limit_start_time; /* as said above */
	uint64_t limit_frees; /* the job whose end gives the last of it back, 0 none */
	/* With the option likely: when jobs share nodes and limits are kept account of, and how run times were before:
	 * the median of the runs, and the range of four fifths of them. Without records that tell run times there is
	 * one run, of time limits, and no range. FS_UNKNOWN: not simulated, or in half of the runs it does not
	 * start. */
	int64_t likely_start_time, likely_low_time, likely_high_time;
	uint32_t nodes;			/* of the first start */
	enum fs_plan_wait wait; /* at its last failed try */
	uint64_t frees;	  /* the job whose end makes room for it, 0 none */
	uint64_t blocked_by; /* the planned job, or with COMPONENT the component, that keeps it from an earlier start, 0 none */
	const char *cycle_limit; /* NOT_REACHED: the parameter that ends the cycle before the job, "bf_max_job_test"; else "" */
	int64_t cycle_limit_value; /* its value */
	int64_t window_s; /* NO_START: how far ahead a start was searched (bf_window); FS_UNKNOWN: not known, or now only */
	unsigned unmodelled; /* sum of FS_UNMODELLED_... */
	bool visible; /* to the viewer */
};

/* How jobs are planned. */
struct fs_plan_options {
	size_t size; /* FS_PLAN_OPTIONS_INIT */
	struct fs_view view; /* whose usage is not used: the plan's clock is the snapshot's */
	enum fs_plan_mode mode; /* of Slurm; others have one of their own */
	struct fs_queue *queue; /* of that view, to outlive the plan; NULL: one is computed for it alone */
	bool likely; /* fill limit_* and likely_* of the rows, for backfill and for schedulers that have it */
	bool starts_alone; /* the jobs' starts are all that is asked for: what has none may be without a row; not with likely */
};
#define FS_PLAN_OPTIONS_INIT FS_INIT(struct fs_plan_options)

/* Errors: FS_ENODATA without nodes or partitions in the snapshot, and as fs_queue_compute. */
FS_API int fs_plan_compute(fs_plan **out, const fs_snapshot *s, const struct fs_plan_options *options,
		    struct fs_error *err);
FS_API void fs_plan_free(fs_plan *p); /* NULL is fine */
FS_API size_t fs_plan_count(const fs_plan *p); /* rows */
FS_API const struct fs_queue *fs_plan_queue(const fs_plan *p); /* that it ran over */
FS_API bool fs_plan_row(const fs_plan *p, size_t i, struct fs_plan_row *out); /* row i */
FS_API size_t fs_plan_find(const fs_plan *p, uint32_t job_row); /* the job's row; FS_NO_ROW: it has none */
FS_API const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k); /* name of node k of row i */
/* The nodes of row i as a list expression, "n[01-04],gpu7", cut with ",..." where buf ends; returns buf. */
FS_API char *fs_plan_nodes(const fs_plan *p, size_t i, char *buf, size_t size);
FS_API const char *fs_plan_assumption(const fs_plan *p, size_t i);	  /* a sentence; NULL past the end */

/* What the likely starts are made of. */
struct fs_plan_runs {
	bool simulated;	  /* false: not asked for, or too large */
	uint32_t runs;	  /* with run times drawn; 0: of time limits alone */
	uint64_t seed; /* of the draws: the same snapshot gives the same starts */
	uint32_t jobs, drawn; /* that run or wait, and those of them with a run time drawn from records */
	uint32_t records;	  /* most that told one */
};
FS_API void fs_plan_runs(const fs_plan *p, struct fs_plan_runs *out); /* of the whole plan */
/* Starts are multiples of this after the snapshot's time (Slurm's bf_resolution). */
FS_API int64_t fs_plan_resolution_s(const fs_plan *p);

FS_END_DECLS

#endif
