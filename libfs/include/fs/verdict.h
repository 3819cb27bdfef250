/* Why a job waits, and why another stands before it. */
#ifndef FS_VERDICT_H
#define FS_VERDICT_H

#include <fs/job.h>

FS_BEGIN_DECLS

struct fs_explain_limit;    /* both: fs/explain.h */
struct fs_explain_obstacle;

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

FS_API void fs_verdict_release(struct fs_verdict *v); /* NULL, and one that came from elsewhere: nothing is done */

FS_END_DECLS

#endif
