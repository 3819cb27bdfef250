/* Plan: the time at which each pending job would start. */
#ifndef FS_PLAN_H
#define FS_PLAN_H

#include <fs/job.h>
#include <fs/view.h>

FS_BEGIN_DECLS

struct fs_queue; /* the queue of pending jobs, defined in fs/queue.h */

/* Planned starts of the pending jobs. To find these starts, the library simulates the scheduler from the snapshot's
 * time on, with the jobs and nodes of the snapshot. The assumptions of the simulation depend on the scheduler.
 * fs_plan_assumption returns them as sentences. */
typedef struct fs_plan fs_plan;

/* Slurm has two scheduling loops; a plan reproduces one of them. */
enum fs_plan_mode {
	FS_PLAN_BACKFILL,    /* a job may start before jobs ahead of it, unless this delays their planned starts */
	FS_PLAN_BY_PRIORITY, /* if a job cannot start, no later job of the same partition starts */
};

/* State of a job in the plan. */
#define FS_PLAN_STATES(X)                                                                          \
	X(NOW, "now") X(LATER, "planned") X(BEYOND, "beyond window") X(NOT_REACHED, "not reached") \
	X(BEGINS, "not before") X(BLOCKED, "blocked") X(NEVER, "never") X(GIVEN_UP, "given up") \
	X(NO_START, "no start")
#define FS_PLAN_STATE_ENUM(tag, name) FS_PLAN_##tag,
enum fs_plan_state { FS_PLAN_STATES(FS_PLAN_STATE_ENUM) FS_PLAN_STATE_COUNT };
#undef FS_PLAN_STATE_ENUM
FS_API const char *fs_plan_state_name(enum fs_plan_state state); /* "planned" */

/* Resource or event that a planned job waits for. */
#define FS_PLAN_WAITS(X)                                                                           \
	X(NOTHING, "") X(CPUS, "CPUs") X(MEMORY, "memory") X(GRES, "GPUs and other gres")          \
	X(NODES, "nodes") X(RESERVATION, "a reservation to end") X(PLANNED, "nodes planned for others") \
	X(AHEAD, "jobs ahead") X(COMPONENT, "a component of its het job")
#define FS_PLAN_WAIT_ENUM(tag, name) FS_PLAN_WAIT_##tag,
enum fs_plan_wait { FS_PLAN_WAITS(FS_PLAN_WAIT_ENUM) FS_PLAN_WAIT_COUNT };
#undef FS_PLAN_WAIT_ENUM
FS_API const char *fs_plan_wait_name(enum fs_plan_wait wait); /* "CPUs" */

/* Parts of a request that the plan ignores (bits). */
enum {
	/* features that cannot be parsed; in mode FS_PLAN_BY_PRIORITY also feature sets in brackets */
	FS_UNMODELLED_FEATURES = 1,
	FS_UNMODELLED_LICENSES = 2,
	FS_UNMODELLED_GRES = 4,
	FS_UNMODELLED_RESERVATION = 8, /* a reservation that is not in the snapshot */
	FS_UNMODELLED_MAX_NODES = 16,  /* the snapshot does not show whether the job may use more than one node */
	/* Maui: time that a blocked job had waited before it was blocked. The snapshot does not show this time, but the
	 * job's later priority depends on it. */
	FS_UNMODELLED_WAIT = 32,
	FS_UNMODELLED_NODE_SETS = 64, /* Maui: NODESETPOLICY restricts the nodes that a job may use together */
	FS_UNMODELLED_SPREAD = 128    /* --spread-job: the job uses as many nodes as possible */
};

/* Limit of an association or QOS that delays a job. Either the limit blocks the job at the snapshot's time, or jobs
 * ahead of the job use up the limit before its planned start. */
struct fs_plan_limit {
	const char *name; /* name of the limit, such as "GrpTRES"; "": no limit delays the job */
	const char *tres; /* limited TRES, such as "cpu"; "": the limit is not on a single TRES */
	const char *of;	  /* name of the account or QOS that sets the limit */
	/* Earliest time at which the limit allows the job and enough nodes are free, seconds since the epoch. Running
	 * and planned jobs count against the limit until they end. FS_UNKNOWN: no such time is known, for example
	 * because the limit is on used minutes, which only decay reduces. */
	int64_t start_time;
	uint64_t frees; /* id of the job whose end makes the limit allow this job; 0: none */
};

/* Parameter that ended the scheduling cycle before the cycle reached a job. */
struct fs_plan_cycle_limit {
	const char *name; /* name of the parameter, such as "bf_max_job_test"; "": none */
	int64_t value;	  /* configured value of the parameter */
};

/* Start of a job in repeated simulations of the queue. In a simulation, several jobs may run on a node, and jobs ahead
 * count against limits. Run times are drawn at random from past run times. A job with too few past run times runs to
 * its time limit. If all jobs have too few past run times, there is only one simulation. */
struct fs_plan_likely {
	/* median start, seconds since the epoch; FS_UNKNOWN: the job was not simulated, or starts in fewer than half of
	 * the simulations */
	int64_t start_time;
	/* range of the starts without the earliest tenth and the latest tenth, seconds since the epoch; FS_UNKNOWN:
	 * there is only one simulation, or the job does not start in enough simulations */
	int64_t low_time, high_time;
};

/* A pending job in the plan; one row per job, in the order of the queue. */
struct fs_plan_row {
	uint64_t job; /* job id */
	uint32_t job_row; /* row of the job in the snapshot */
	enum fs_plan_state state; /* state of the job in the plan */
	enum fs_section section;	/* state BLOCKED: section of the queue in which the job is blocked */
	const struct fs_reason *reason; /* pending reason, as in fs_queue_row */
	/* partition in which the job starts; if the job has no start, the first partition that the job asks for */
	const char *partition;
	/* Planned start and end, seconds since the epoch, in the states NOW, LATER, BEYOND and BEGINS; FS_UNKNOWN in
	 * other states. All components of a het job start when the last one can start. */
	int64_t start_time, end_time;
	/* array: number of tasks, and number of tasks with a planned start */
	uint64_t tasks, tasks_planned;
	int64_t last_start_time;	/* array: start of its last planned task, seconds since the epoch */
	/* Start that squeue --start shows, if that start differs from start_time; else FS_UNKNOWN. The two starts
	 * differ in these cases:
	 *   - A limit blocks the job: the start without the limit. Backfill computes this start, but reserves nodes
	 *     only with assoc_limit_stop.
	 *   - A partition refuses the job's account: the start in that partition. Backfill does not check accounts.
	 *   - The job is a component, and its het job starts later or not at all: the component's own start.
	 *   - The job waits for its begin time and for something else: the begin time. */
	int64_t shown_start_time;
	struct fs_plan_limit limit;   /* limit that delays the job */
	struct fs_plan_likely likely; /* start in simulations; not computed if `likely` of fs_plan_options is false */
	/* number of nodes on which the job starts; array: number of nodes of the first task */
	uint32_t nodes;
	/* resource or event that prevents an earlier start */
	enum fs_plan_wait wait;
	uint64_t frees;	  /* id of the job whose end frees the resources that this job needs; 0: none */
	/* id of the planned job that prevents an earlier start; if `wait` is COMPONENT, id of the component that the
	 * job waits for; 0: none */
	uint64_t blocked_by;
	struct fs_plan_cycle_limit cycle_limit; /* state NOT_REACHED: parameter that ended the scheduling cycle */
	/* state NO_START: time span in which the scheduler looked for a start (bf_window), seconds; FS_UNKNOWN: not
	 * known, or the scheduler tried only a start at the snapshot's time */
	int64_t window_s;
	unsigned unmodelled; /* sum of FS_UNMODELLED_ bits: parts of the request that the plan ignores */
	bool visible; /* the viewer may see the job */
};

/* Options of fs_plan_compute. */
struct fs_plan_options {
	size_t size; /* size of this struct in bytes; FS_PLAN_OPTIONS_INIT sets it */
	/* view; the member `usage` of the view is ignored, so the plan begins at the snapshot's time */
	struct fs_view view;
	enum fs_plan_mode mode; /* scheduling loop of Slurm; ignored for other schedulers */
	/* queue computed for `view`, must outlive the plan; NULL: fs_plan_compute computes the queue */
	struct fs_queue *queue;
	/* true: fill `limit` and `likely` of the rows, if the mode is FS_PLAN_BACKFILL and libfs can compute likely
	 * starts for the scheduler */
	bool likely;
	/* true: only planned starts are needed, so rows of jobs without a start may be left out; ignored if `likely` is
	 * true */
	bool starts_alone;
	/* Slurm. false: repeat the last scheduling cycle before the capture, whose planned starts squeue --start shows;
	 * true: make the cycle that begins at the snapshot's time. The value true is assumed if the snapshot was
	 * changed (fs_snapshot_edit), because the last cycle did not know the change. */
	bool next_cycle;
};
#define FS_PLAN_OPTIONS_INIT FS_INIT(struct fs_plan_options)

/* Computes a plan. Errors: FS_ENODATA if the snapshot has no nodes or partitions; errors of fs_queue_compute. */
FS_API int fs_plan_compute(fs_plan **out, const fs_snapshot *s, const struct fs_plan_options *options,
		    struct fs_error *err);
FS_API void fs_plan_free(fs_plan *p); /* NULL is allowed; may be called after fs_snapshot_free */
FS_API size_t fs_plan_count(const fs_plan *p); /* returns the number of rows of the plan */
FS_API const struct fs_queue *fs_plan_queue(const fs_plan *p); /* queue from which the plan was made */
/* fills *out with row i; returns false past the end */
FS_API bool fs_plan_row(const fs_plan *p, size_t i, struct fs_plan_row *out);
FS_API size_t fs_plan_find(const fs_plan *p, uint32_t job_row); /* row of the job; FS_NO_ROW: none */
FS_API const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k); /* name of node k of row i */
/* Writes the nodes of row i as a list expression, "n[01-04],gpu7". A list that does not fit buf ends with ",...".
 * Returns buf. */
FS_API char *fs_plan_nodes(const fs_plan *p, size_t i, char *buf, size_t size);
/* i-th assumption of the plan, a sentence; NULL past the end */
FS_API const char *fs_plan_assumption(const fs_plan *p, size_t i);

/* The simulations from which likely starts are computed. */
struct fs_plan_runs {
	/* false: likely starts were not requested or are not supported, or simulations would take too long */
	bool simulated;
	/* number of simulations with run times drawn at random; 0: one simulation, in which jobs run to their time
	 * limits */
	uint32_t runs;
	uint64_t seed; /* seed of the random draws; always the same, so a snapshot always has the same starts */
	/* jobs: number of running and pending jobs; drawn: number of jobs whose run time is drawn from records of past
	 * jobs */
	uint32_t jobs, drawn;
	uint32_t records;	  /* largest number of records from which the run time of one job is drawn */
};
FS_API void fs_plan_runs(const fs_plan *p, struct fs_plan_runs *out); /* fills *out */
/* Returns the resolution of start times, seconds. Slurm: bf_resolution; Maui: RMPOLLINTERVAL; Flux: 1. */
FS_API int64_t fs_plan_resolution_s(const fs_plan *p);

FS_END_DECLS

#endif
