/* Jobs in the order in which they are tried, and one verdict for each. */
#ifndef FS_QUEUE_H
#define FS_QUEUE_H

#include <fs/priority.h>

FS_BEGIN_DECLS

/* ---- jobs and the queue */

/* A job as it stands in the snapshot, 0 <= i < fs_snapshot_info()->jobs; texts "" when there is none. */
struct fs_job {
	uint64_t id, array_job, het_job; /* 0: it belongs to none */
	/* State and reason as the scheduler writes them. */
	const char *name, *user, *group, *account, *state, *reason;
	const char *array_tasks; /* not yet split off: "1,3,5-9%2" */
	uint32_t task;		 /* of the array, if has_task */
	bool has_task; /* it is the task of an array */
	/* As the scheduler writes them. */
	const char *node_list, *sched_nodes, *reservation, *dependency, *features, *licenses;
	uint32_t uid; /* if has_uid */
	bool has_uid; /* false: the capture has no user ids */
	bool has_name; /* a job may be without a name, or have an empty one */
	int64_t priority, nodes, cpus, tasks; /* FS_UNKNOWN like those below */
	int64_t table_place; /* Maui: in the scheduler's job table */
	int64_t active_place; /* Maui: among the active jobs that showq listed */
	int64_t time_limit_s;	       /* or FS_UNLIMITED */
	int64_t submit_time, eligible_time, start_time, end_time, last_sched_eval; /* seconds since 1970 */
	const char *maui_partition; /* Maui: of its nodes, or the first three letters; "" DEFAULT, or not known */
	const char *looked_at_by; /* Slurm: "Main" or "Backfill", which started it if it runs */
	double efficiency; /* Maui: percent of its processor time used; NAN unknown */
	int64_t suspend_time; /* when it was last suspended or resumed; FS_UNKNOWN: never, or not recorded */
	int64_t ran_s; /* how long it has run, without the time it was suspended; FS_UNKNOWN: pending, or not known */
};
FS_API bool fs_snapshot_job(const fs_snapshot *s, size_t i, struct fs_job *out); /* job i */

/* A job id as the snapshot's scheduler writes it: a decimal number, in Flux base 58 too. FS_EUSAGE: it is none. */
FS_API int fs_job_id_parse(const fs_snapshot *s, const char *text, uint64_t *id);
/* Finds the job that a text means: an id as above, the task of an array ("28_3", or "28_[1-20]" the rest of it), a
 * component of a het job ("31+1"). FS_EUSAGE: the text is none. *row: FS_NO_ROW if no job of the snapshot fits. */
FS_API int fs_job_find(const fs_snapshot *s, const char *text, uint32_t *row);
enum { FS_JOB_ID_TEXT = 24 }; /* room for a job id in words */
/* The id as the scheduler writes it, in Flux in base 58; "f" for its first letter where ascii is set. Returns buf. */
FS_API const char *fs_job_id_format(const fs_snapshot *s, uint64_t id, bool ascii, char buf[FS_JOB_ID_TEXT]);

/* Item k of a job's lists: NULL, or false, past the end. TRES as requested, in the recorded order. */
FS_API const char *fs_job_partition(const fs_snapshot *s, size_t i, size_t k);
FS_API const char *fs_job_qos(const fs_snapshot *s, size_t i, size_t k); /* names of QOS */
FS_API bool fs_job_tres(const fs_snapshot *s, size_t i, size_t k, struct fs_tres *out); /* k-th TRES */
FS_API bool fs_job_flag(const fs_snapshot *s, size_t i, const char *flag); /* Maui: "BACKFILL" */

/* seen[i]: may this login name see job i (PrivateData)? NULL sees all. Room for as many as there are jobs. */
FS_API void fs_snapshot_visible_jobs(const fs_snapshot *s, const char *viewer, bool *seen);

/* May jobs of this user in this account, which have ended, be seen as those of the queue are? */
FS_API bool fs_snapshot_shows_jobs_of(const fs_snapshot *s, const char *viewer, const char *user,
				      const char *account);

/* How many different nodes n jobs run on; a job whose nodes are not known counts with their number. Error:
 * FS_ENOMEM. */
FS_API int64_t fs_snapshot_count_nodes(const fs_snapshot *s, const uint32_t *rows, size_t n);

/* The same for the nodes of n partitions, numbered as fs_snapshot_partition_name numbers them. */
FS_API int64_t fs_snapshot_count_partition_nodes(const fs_snapshot *s, const uint32_t *rows, size_t n);

/* What is up of a cluster, and what running jobs use of it. */
struct fs_machine {
	int64_t procs, nodes;	     /* up; FS_UNKNOWN without nodes */
	int64_t busy_procs;	     /* no more than procs */
	int64_t busy_nodes;	     /* FS_UNKNOWN where neither the jobs' sizes nor the capture tell */
};
/* Error: FS_ENOMEM. */
FS_API int fs_snapshot_machine(const fs_snapshot *s, struct fs_machine *out);

/* What of a partition is known. */
struct fs_partition {
	const char *name; /* as in the snapshot */
	int64_t cpus, nodes; /* FS_UNKNOWN */
	const char *state;   /* "UP", Flux: "STARTED"; "" unknown */
};
/* False: there is none of that name. */
FS_API bool fs_snapshot_partition(const fs_snapshot *s, const char *name, struct fs_partition *out);
/* TRES k of all its nodes together. */
FS_API bool fs_partition_tres(const fs_snapshot *s, const char *name, size_t k, struct fs_tres *out);

/* Nodes that are kept for a time. */
struct fs_reservation {
	const char *name, *nodes; /* nodes: an expression, "" unknown */
	int64_t start_time, end_time; /* FS_UNKNOWN */
	bool admits_told;	      /* Maui: is it known whom it admits? */
};
/* False past the end. */
FS_API bool fs_snapshot_reservation(const fs_snapshot *s, size_t i, struct fs_reservation *out);
/* Maui: does reservation i have nodes that suit the job, in a time that the job, started now, would reach into? */
FS_API bool fs_reservation_bars(const fs_snapshot *s, size_t i, size_t job);

/* Names of a node list expression such as `lab[001-040,50]`, as node_list of a job and nodes of a reservation are, each
 * to the callback, which stops by returning other than 0. -1 when it is no such expression. */
typedef int (*fs_host_fn)(void *ctx, const char *name, size_t len);
FS_API int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx); /* 0, or what fn returned */

/* Where a job stands: it runs, it waits for its turn alone, or something blocks it. */
#define FS_SECTIONS(X)                                                                             \
	X(RUNNING, "running") X(ELIGIBLE, "eligible") X(REQUEST, "own request") X(HELD, "held")    \
	X(PARTITION, "partition") X(RESERVATION, "reservation") X(NODES, "nodes")                  \
	X(RESOURCES, "resources") X(ACCESS, "access") X(ASSOC_LIMIT, "association limit")          \
	X(QOS_LIMIT, "qos limit") X(TRANSIENT, "transient") X(COMPLETING, "completing")            \
	X(SUSPENDED, "suspended") X(ENDED, "ended") X(OTHER, "other")
#define FS_SECTION_ENUM(tag, name) FS_SECTION_##tag,
enum fs_section { FS_SECTIONS(FS_SECTION_ENUM) FS_SECTION_COUNT };
#undef FS_SECTION_ENUM
FS_API const char *fs_section_name(enum fs_section section); /* "own request" */

/* What a pending reason means: one table for every command. */
struct fs_reason {
	const char *name; /* as the scheduler prints it */
	enum fs_section section; /* where jobs stand that show it */
	unsigned number;	     /* in Slurm 26.11; 0: another scheduler's */
	const char *limit, *resource; /* "GrpTRES", "CPUs"; "" if it is no limit */
	const char *meaning, *clears; /* clauses without a full stop; of a limit, said of the association or QOS */
	bool eligible; /* the scheduler still tries a job that shows it */
};
FS_API const struct fs_reason *fs_reason_at(size_t i); /* NULL past the end */

/* By the text a job shows, with what the controller adds or puts in its place ("ReqNodeNotAvail,_Unavail...",
 * "Nodes_required_for_job_are_DOWN,..."). NULL if it is none; "" is None. */
FS_API const struct fs_reason *fs_reason_find(const char *text);

/* The section of any job; *reason its entry or NULL. What Maui and Flux hold back only the queue knows. */
FS_API enum fs_section fs_job_section(const fs_snapshot *s, size_t i, const struct fs_reason **reason);

/* The jobs that do not wait, and perhaps some that do, by rising row: *at is 0 before the first, FS_NO_ROW behind
 * the last. They are few of many jobs. */
FS_API uint32_t fs_job_next_begun(const fs_snapshot *s, size_t *at);

/* Is its section FS_SECTION_RUNNING? */
FS_API bool fs_job_runs(const fs_snapshot *s, size_t i);

/* How many jobs a record stands for: the tasks of an array not yet split off, else 1. *exact false: the
 * list was cut when it was captured, and there are more. */
FS_API uint64_t fs_job_tasks(const fs_snapshot *s, size_t i, bool *exact);

/* Fills, by row, where each of the snapshot's jobs stands in Slurm's list of them: lesser numbers go first, no two are
 * alike (src/slurmctld/job_mgr.c: job_array_split). place: as many as there are jobs. -1 without memory. */
FS_API int fs_jobs_listed(const fs_snapshot *s, uint64_t *place);

/* The keys by which a scheduler sorts its queue; each uses some of them, in an order of its own. */
#define FS_QUEUE_KEYS(X)                                                                           \
	X(NONE, "", "")                                                                            \
	X(PREEMPTION, "preemption", "the one ahead may preempt it")                                \
	X(RESERVATION, "reservation", "the one ahead has a reservation")                           \
	X(TIER, "tier", "the one ahead is in a partition of a higher PriorityTier")                \
	X(PRIORITY, "priority", "the one ahead has a higher priority")                             \
	X(SUBMIT, "submit time", "equal so far, and the one ahead was submitted earlier")          \
	X(JOBID, "job id", "equal so far, and the one ahead has a lower job id")                   \
	X(TASK, "task id", "equal so far, and the one ahead is an earlier task of the array")      \
	X(LISTED, "listed", "the same job, asked for in this partition or QOS first")              \
	X(EARLIER, "earlier priority", "equal so far, and the one ahead had the higher priority an iteration before, by which they were sorted first") \
	X(OPEN, "left open", "equal so far, and Maui leaves the order of equal ones open")         \
	X(CIRCLE, "sort", "the scheduler's sort put the one ahead there, as preemption relates others of the jobs in a circle")
#define FS_QUEUE_KEY_ENUM(tag, name, text) FS_QUEUE_KEY_##tag,
enum fs_queue_key { FS_QUEUE_KEYS(FS_QUEUE_KEY_ENUM) FS_QUEUE_KEY_COUNT };
#undef FS_QUEUE_KEY_ENUM
FS_API const char *fs_queue_key_name(enum fs_queue_key key); /* "tier" */
FS_API const char *fs_queue_key_text(enum fs_queue_key key); /* why a row stands behind its predecessor */

/* The pending jobs in the order in which the scheduler tries them: a row for each partition and QOS a job asks
 * for. First the eligible ones, then those it does not try now, by the same keys. */
typedef struct fs_queue fs_queue;

/* A job in one partition with one QOS that it asks for. */
struct fs_queue_row {
	uint64_t job; /* id */
	uint32_t job_row; /* of the snapshot */
	const char *partition, *qos; /* "" if the job names none */
	const char *user, *account; /* "" unknown */
	enum fs_section section; /* where it stands */
	const struct fs_reason *reason; /* NULL: not a known one */
	/* From 1, counting eligible rows. The place of one that the scheduler tries but passes over (a limit of TRES, a
	 * partition that cannot take it) is the one it would have. position: of the job; 0 in its later rows. */
	uint32_t position, partition_position; /* 0: not tried */
	enum fs_queue_key key, partition_key;  /* what puts it behind the one before, overall and there */
	int64_t tier;	 /* of the partition */
	double priority; /* of the record; NAN unknown */
	uint64_t tasks;	 /* fs_job_tasks */
	uint64_t partition_tasks_ahead; /* array tasks of the eligible rows before it there, one by one */
	bool eligible;			   /* it waits for nothing but its turn there; nobody waits behind one that does not */
	bool tasks_exact, visible; /* tasks are all there are; the viewer may see the job */
};

/* How the order is made. */
struct fs_queue_options {
	size_t size; /* FS_QUEUE_OPTIONS_INIT */
	struct fs_view view; /* as everywhere */
	fs_prios *prios;     /* of the same snapshot and view, not to be computed again; or NULL */
};
#define FS_QUEUE_OPTIONS_INIT FS_INIT(struct fs_queue_options)

/* Errors: FS_ENODATA when no order is known for the scheduler, FS_EDATA for a bad configuration. */
FS_API int fs_queue_compute(fs_queue **out, const fs_snapshot *s, const struct fs_queue_options *options,
		     struct fs_error *err);
FS_API void fs_queue_free(fs_queue *q); /* NULL is fine */

/* What an index keeps of a queue that was computed without options: fs_queue_compute of a snapshot read by that index
 * takes it from there where the view asks for nothing else. *bytes is yours to free; NULL where nothing can be kept.
 * Error: FS_ENOMEM. */
FS_API int fs_queue_keep(void **bytes, size_t *size, const fs_queue *q, struct fs_error *err);

FS_API size_t fs_queue_count(const fs_queue *q); /* rows */
FS_API bool fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out); /* row i */

/* What can be told of a row without looking at its job, for walking over all of them. */
struct fs_queue_place {
	uint32_t job_row; /* of the snapshot */
	const char *partition; /* "" if the job names none */
	uint32_t position; /* as in fs_queue_row */
	uint32_t before; /* eligible row before it in its partition, FS_NO_ROW none */
	int64_t tier; /* of the partition */
	double priority; /* as in fs_queue_row */
	bool eligible, visible; /* as in fs_queue_row */
	bool direct; /* the priority was set by an administrator, or (Flux) by urgency 0 or 31 */
};
FS_API bool fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out); /* of row i */

/* The first key by which rows a and b differ, NONE if they are the same row. CIRCLE: by that key the later one would be
 * ahead, but preemption, which relates pairs, made no order, and the scheduler's sort came to this. */
FS_API enum fs_queue_key fs_queue_deciding_key(const fs_queue *q, size_t a, size_t b);

/* The keys by which this scheduler sorts, the first one first; NONE past the end. */
FS_API enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i);

/* Do the jobs of all partitions stand in one line (Maui, whose partitions here are classes)? Else each partition has
 * one of its own. */
FS_API bool fs_queue_one_line(const fs_queue *q);

/* ---- verdict */

/* The one answer to why a job waits, which every command shows. The first in this order that is true is the answer. */
#define FS_VERDICTS(X)                                                                             \
	X(NONE, "")		/* it does not wait */                                             \
	X(NEVER, "never")	/* the job or the configuration must change: no waiting helps */   \
	X(HELD, "held")                                                                            \
	X(DEPENDENCY, "dependency")                                                                \
	X(BEGIN, "begin")	/* not before a time */                                            \
	X(RESERVATION, "reservation") /* its own has not begun, or others keep nodes it needs */  \
	X(ARRAY_LIMIT, "array_limit") /* as many tasks run as the array allows itself */           \
	X(LIMIT, "limit")	/* it would pass one */                                            \
	X(UNKNOWN, "unknown")	/* whether it is eligible is not known; the reason may say more */ \
	X(NODES, "nodes")	/* nodes it needs are down, drained or reserved */                 \
	X(WAITS, "waits")	/* eligible; its place is not known */                             \
	X(BEHIND, "behind")	/* jobs stand before it */                                         \
	X(FIRST, "first")	/* the first of the eligible; waits for resources */                        \
	X(NOW, "now")		/* first, and there is room for it */
#define FS_VERDICT_ENUM(tag, name) FS_VERDICT_##tag,
enum fs_verdict_kind { FS_VERDICTS(FS_VERDICT_ENUM) FS_VERDICT_COUNT };
#undef FS_VERDICT_ENUM
FS_API const char *fs_verdict_name(enum fs_verdict_kind kind); /* "never" */

/* What the kind is about. */
#define FS_VERDICT_CAUSES(X)                                                                       \
	X(NONE, "")                                                                                \
	X(LIMIT, "limit")	     /* never, limit: `limit` says which, if the snapshot has it */ \
	X(PARTITION, "partition")    /* never: `obstacle`; nodes: its partition is not UP */       \
	X(DEPENDENCY, "dependency")  /* never: it can not be met any more */                       \
	X(CONSTRAINTS, "constraints") /* never: no node is as it asks for */                       \
	X(ACCESS, "access")	     /* never: account, QOS or the like are not admitted */        \
	X(RESERVATION, "reservation") /* never: it is gone; reservation: its own */                \
	X(OWNER, "owner") X(ADMINISTRATOR, "administrator") X(SCHEDULER, "scheduler")              \
	X(REQUEUE, "requeue")	     /* held: requeued into held state by owner or administrator */ \
	X(ARRAY, "array")	     /* array_limit */                                              \
	X(POLICY, "policy")	     /* limit: by the scheduler's word alone */                    \
	X(DOWN, "down") X(RESERVED, "reserved") /* nodes; reservation: of others */                \
	X(JOBS, "jobs")		     /* waits, nodes, reservation: others may stand before it that are not in the snapshot */ \
	X(PRIORITIES, "priorities")  /* the same: its own priority is unknown, or that of others tried with it */
#define FS_VERDICT_CAUSE_ENUM(tag, name) FS_VERDICT_CAUSE_##tag,
enum fs_verdict_cause { FS_VERDICT_CAUSES(FS_VERDICT_CAUSE_ENUM) FS_VERDICT_CAUSE_COUNT };
#undef FS_VERDICT_CAUSE_ENUM
FS_API const char *fs_verdict_cause_name(enum fs_verdict_cause cause); /* "limit" */

/* A job (or other condition) that has to come first. */
struct fs_verdict_need {
	const char *kind; /* "afterok", "singleton", "after-success" */
	uint64_t job;	  /* 0: no job */
	uint32_t job_row; /* FS_NO_ROW: not in the snapshot */
	const char *task; /* "21_3", of an array; "21_*" all of them; NULL: no task is named */
	uint32_t delay_min; /* so many minutes after that, too */
	bool failed;	  /* the scheduler says that it can never happen any more */
};

/* The nodes of a partition that are as a job asks for. */
struct fs_verdict_nodes {
	uint32_t wants;			/* nodes it needs at least */
	uint32_t all, down, drained, reserved; /* of these; a node counts once */
};

/* The answer, with what it rests on. */
struct fs_verdict {
	enum fs_verdict_kind kind; /* the answer */
	enum fs_verdict_cause cause; /* NONE: the kind says all */
	const struct fs_reason *reason; /* the scheduler's own; NULL: not a known one */
	const char *reason_text; /* that reason as it is recorded, with its detail; "" none */
	bool stale; /* what that reason says does not hold any more, by the rest of the state */
	const char *partition, *qos; /* in which it is tried first, or the one the verdict is about; "" none */
	int64_t time;		     /* begin, reservation: not before; FS_UNKNOWN */
	const struct fs_explain_limit *limit;	    /* the one that decides, or NULL */
	const struct fs_explain_obstacle *obstacle; /* likewise */
	const struct fs_verdict_need *needs; /* dependency: what has not happened yet */
	size_t nneeds; /* of needs */
	struct fs_verdict_nodes nodes; /* nodes: of the partition */
	uint64_t array_limit, array_running; /* of an array: tasks that may run at a time, and do; 0: no limit */
	uint32_t position, ahead; /* behind, first, now: its place in that line, and how many stand before it */
	uint64_t ahead_tasks; /* the same with each task of arrays counted */
	void *own;	      /* what the pointers above point into, if the verdict came from fs_queue_verdict */
};

/* The kind of the verdict on any job. fs_queue_verdict gives what fs_verdict_release takes back: its pointers are
 * good until then, or until the queue is freed. Errors: FS_ENOMEM, and there is nothing to release. */
FS_API enum fs_verdict_kind fs_queue_verdict_kind(const fs_queue *q, uint32_t job_row);
/* The kind and all the rest. */
FS_API int fs_queue_verdict(const fs_queue *q, uint32_t job_row, struct fs_verdict *out);

/* The limit that the scheduler's own commands name for a job that is blocked, with the use that they print. False: they
 * name none, as those of Slurm and Flux do. Maui's name hard limits alone; the use of its limits on eligible jobs is
 * what the last scheduling left behind, mostly below 0, so that others are blocked than were then. Names are good until
 * the queue is freed. */
FS_API bool fs_queue_shown_limit(const fs_queue *q, uint32_t job_row, struct fs_explain_limit *out);
FS_API void fs_verdict_release(struct fs_verdict *v); /* NULL, and one that came from elsewhere: nothing is done */

FS_END_DECLS

#endif
