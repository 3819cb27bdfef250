/* Verdict: why a job waits, and why another job is ahead of it. */
#ifndef FS_VERDICT_H
#define FS_VERDICT_H

#include <fs/job.h>

FS_BEGIN_DECLS

struct fs_explain_limit;    /* fs/explain.h defines struct fs_explain_limit and struct fs_explain_obstacle */
struct fs_explain_obstacle;

/* Sort keys of queues. Each scheduler uses some of them, in its own order. */
#define FS_QUEUE_KEYS(X)                                                                                               \
	X(NONE, "", "")                                                                                                \
	X(PREEMPTION, "preemption", "the job ahead may preempt the job behind")                                        \
	X(RESERVATION, "reservation", "the job ahead has a reservation")                                               \
	X(TIER, "tier", "the job ahead is in a partition with a higher PriorityTier")                                  \
	X(PRIORITY, "priority", "the job ahead has a higher priority")                                                 \
	X(SUBMIT, "submit time", "the priorities are equal, and the job ahead was submitted earlier")                  \
	X(JOBID, "job id", "the priorities are equal, and the job ahead has a lower job id")                           \
	X(TASK, "task id", "the priorities are equal, and the job ahead is an earlier task of the array")              \
	X(LISTED, "listed",                                                                                            \
	  "both are records of one job, and the job names the partition or QOS of the one ahead first")                \
	X(EARLIER, "earlier priority",                                                                                 \
	  "the priorities are equal now, and the job ahead had the higher priority one iteration earlier")             \
	X(OPEN, "left open", "the priorities are equal, and Maui does not define the order of equal jobs")             \
	X(CIRCLE, "sort",                                                                                              \
	  "the scheduler's sort put the job ahead first, because the preemption rules among other jobs form a cycle")
#define FS_QUEUE_KEY_ENUM(tag, name, text) FS_QUEUE_KEY_##tag,
enum fs_queue_key { FS_QUEUE_KEYS(FS_QUEUE_KEY_ENUM) FS_QUEUE_KEY_COUNT };
#undef FS_QUEUE_KEY_ENUM
FS_API const char *fs_queue_key_name(enum fs_queue_key key); /* "tier" */
/* returns a clause that explains why a queue row is after its predecessor, if they differ by this key */
FS_API const char *fs_queue_key_text(enum fs_queue_key key);

/* Kinds of verdict. A verdict is the single answer to the question why a job waits; every command shows the same
 * verdict for a job. If several kinds apply to a job, the verdict is the first of them in the order of this list. */
#define FS_VERDICTS(X)                                                                             \
	X(NONE, "")		/* the job does not wait */                                        \
	X(NEVER, "never")	/* waiting does not help: the job or the configuration must change */ \
	X(HELD, "held")                                                                            \
	X(DEPENDENCY, "dependency")                                                                \
	X(BEGIN, "begin")	/* the job may not start before a given time */                    \
	X(RESERVATION, "reservation") /* the job's reservation has not begun, or nodes are reserved for other jobs */ \
	X(ARRAY_LIMIT, "array_limit") /* the array's own limit on running tasks is reached */      \
	X(LIMIT, "limit")	/* the job would exceed a limit */                                 \
	X(UNKNOWN, "unknown")	/* it is not known whether the job is eligible */ \
	X(NODES, "nodes")	/* needed nodes are down, drained or reserved */                   \
	X(WAITS, "waits")	/* the job is eligible; its position is not known */              \
	X(BEHIND, "behind")	/* other jobs are ahead of the job */                              \
	X(FIRST, "first")	/* the job is first of the eligible jobs, and waits for resources */ \
	X(NOW, "now")		/* the job is first of the eligible jobs, and its resources are free */
#define FS_VERDICT_ENUM(tag, name) FS_VERDICT_##tag,
enum fs_verdict_kind { FS_VERDICTS(FS_VERDICT_ENUM) FS_VERDICT_COUNT };
#undef FS_VERDICT_ENUM
FS_API const char *fs_verdict_name(enum fs_verdict_kind kind); /* "never" */

/* Causes of verdicts. In a comment, the words before a colon are kinds of verdict: NEVER is FS_VERDICT_NEVER. The text
 * after the colon is the meaning of the cause in a verdict of that kind. */
#define FS_VERDICT_CAUSES(X)                                                                       \
	X(NONE, "")                                                                                \
	X(LIMIT, "limit")	     /* NEVER, LIMIT: member `limit` describes the limit, if it is known */ \
	X(PARTITION, "partition")    /* NEVER: member `obstacle` describes the cause; NODES: the partition is DOWN or INACTIVE, or the queue is stopped (Flux) */ \
	X(DEPENDENCY, "dependency")  /* NEVER: the dependency can no longer be satisfied; DEPENDENCY: the dependency is not satisfied yet */ \
	X(CONSTRAINTS, "constraints") /* NEVER: too few nodes satisfy the job's constraints, or the job cannot meet its deadline */ \
	/* NEVER: the job's account or QOS is invalid, or the cause is unknown; RESERVATION: the job's reservation \
	 * does not admit it */ \
	X(ACCESS, "access") \
	X(RESERVATION, "reservation") /* NEVER: the job's reservation is deleted or invalid; RESERVATION: the job's reservation has not begun, or has ended */ \
	X(OWNER, "owner") X(ADMINISTRATOR, "administrator") X(SCHEDULER, "scheduler")              \
	X(REQUEUE, "requeue")	     /* HELD: the job was requeued in held state */            \
	X(ARRAY, "array")	     /* ARRAY_LIMIT: the array's own limit on running tasks is reached */                      \
	X(POLICY, "policy")	     /* LIMIT: member `limit` is NULL, but the pending reason may name the limit */ \
	X(DOWN, "down") X(RESERVED, "reserved") /* NODES: needed nodes are down or drained (DOWN), or reserved for other jobs (RESERVED) */ \
	X(JOBS, "jobs")		     /* WAITS, NODES, RESERVATION: jobs that are not in the snapshot may be ahead */ \
	X(PRIORITIES, "priorities")  /* WAITS, NODES, RESERVATION: the priority of the job or of another job is unknown */
#define FS_VERDICT_CAUSE_ENUM(tag, name) FS_VERDICT_CAUSE_##tag,
enum fs_verdict_cause { FS_VERDICT_CAUSES(FS_VERDICT_CAUSE_ENUM) FS_VERDICT_CAUSE_COUNT };
#undef FS_VERDICT_CAUSE_ENUM
FS_API const char *fs_verdict_cause_name(enum fs_verdict_cause cause); /* "limit" */

/* A condition that must hold before the job may start, such as the end of another job. */
struct fs_verdict_need {
	const char *kind; /* kind of dependency: "afterok", "singleton", "after-success" */
	uint64_t job;	  /* id of the job that the condition concerns; 0: it concerns no job */
	uint32_t job_row; /* row of the job with the id `job`; FS_NO_ROW: the job is not in the snapshot */
	const char *task; /* array task: "21_3", or "21_*" for all tasks; NULL: no task */
	uint32_t delay_min; /* minutes that the job must wait after the condition is satisfied */
	bool failed;	  /* the scheduler reports that the condition can never be satisfied */
	bool hidden;	  /* the viewer may not see the job; texts then do not use job_row */
};

/* Counts of the nodes of a partition that satisfy the job's constraints. */
struct fs_verdict_nodes {
	uint32_t wants;			/* minimum number of nodes that the job needs */
	/* `all`: number of nodes that satisfy the constraints; `down`, `drained`, `reserved`: number of nodes in `all`
	 * with that state. Each node counts in one state only. */
	uint32_t all, down, drained, reserved;
};

/* The verdict on a job, with its evidence. */
struct fs_verdict {
	enum fs_verdict_kind kind; /* kind of the verdict */
	enum fs_verdict_cause cause; /* cause of the verdict; NONE: only `kind` is known */
	const struct fs_reason *reason; /* pending reason given by the scheduler; NULL: not a known reason */
	const char *reason_text; /* reason as recorded, with the details that the scheduler added; "": none */
	bool stale; /* true: the recorded reason contradicts other data of the snapshot */
	/* partition and QOS in which the job is tried first, or to which the verdict applies; "": none */
	const char *partition, *qos;
	int64_t time; /* BEGIN, RESERVATION: earliest start, seconds since the epoch; FS_UNKNOWN: not known */
	const struct fs_explain_limit *limit;	    /* limit that decides the verdict; NULL: none */
	const struct fs_explain_obstacle *obstacle; /* obstacle that decides the verdict; NULL: none */
	const struct fs_verdict_need *needs; /* dependencies: conditions that are not satisfied yet */
	size_t nneeds; /* number of elements of `needs` */
	/* counts of the partition's nodes; set if `kind` is NODES and `cause` is DOWN or RESERVED */
	struct fs_verdict_nodes nodes;
	/* array_limit: maximum number of running tasks of the job's array, 0: no limit; array_running: number of
	 * running tasks of the array */
	uint64_t array_limit, array_running;
	/* Set if `kind` is BEHIND, FIRST or NOW. `position`: 1-based position of the job; `ahead`: number of queue
	 * entries ahead of the job. */
	uint32_t position, ahead;
	uint64_t ahead_tasks; /* number of jobs in the queue entries that `ahead` counts; each array task is one job */
	/* memory that the pointers in this struct refer to, if fs_queue_verdict filled the verdict; else NULL */
	void *memory;
};

/* Frees the memory that fs_queue_verdict allocated for the verdict. Does nothing for NULL or for a verdict from another
 * function. */
FS_API void fs_verdict_release(struct fs_verdict *v);

FS_END_DECLS

#endif
