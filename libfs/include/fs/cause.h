/* Causes: which constraints delay a pending job, and by how much. */
#ifndef FS_CAUSE_H
#define FS_CAUSE_H

#include <fs/plan.h>

FS_BEGIN_DECLS

/* Kinds of constraints. The order is the order in which the constraints are tried. */
#define FS_CAUSES(X)                                                                                                   \
	X(UNKNOWN, "unknown")	      /* no constraint was found whose removal lets the job start earlier */           \
	X(HELD, "held")		      /* a hold */                                                                     \
	X(BEGIN, "begin")	      /* the job's begin time */                                                       \
	X(DEPENDENCY, "dependency")   /* the job's dependency */                                                       \
	X(ARRAY_LIMIT, "array_limit") /* the array's own limit on running tasks */                                     \
	X(LIMIT, "limit")	      /* a limit of an association, account, QOS, queue or class */                    \
	X(LICENSES, "licenses")	      /* too few licenses */                                                           \
	X(RESERVATION, "reservation") /* a reservation or maintenance */                                               \
	X(PARTITION, "partition")     /* the state, limits or access rules of the partition */                         \
	X(NODES, "nodes")	      /* nodes that are down, drained or failing */                                    \
	X(NOT_REACHED, "not_reached") /* a limit on the scheduler's own search, such as bf_max_job_test */             \
	X(RUNNING, "running")	      /* running or suspended jobs that use resources needed by the job */             \
	X(AHEAD, "ahead")	      /* pending jobs that are planned ahead of the job */                             \
	X(PREEMPTION, "preemption")   /* the preemption rules; fs_causes_find never returns this kind */	       \
	X(NONE, "none")		      /* the planned start is less than a minute after the snapshot's time */
#define FS_CAUSE_ENUM(tag, name) FS_CAUSE_##tag,
enum fs_cause_kind { FS_CAUSES(FS_CAUSE_ENUM) FS_CAUSE_KINDS };
#undef FS_CAUSE_ENUM
FS_API const char *fs_cause_name(enum fs_cause_kind kind); /* "running" */

/* A constraint that delays the job. fs_causes_find has verified the constraint: a plan of the whole queue without the
 * constraint gives the job an earlier start. */
struct fs_cause {
	enum fs_cause_kind kind; /* kind of the constraint */
	/* what imposes the constraint: ids of jobs, names of nodes, or the name of a reservation, partition, account,
	 * QOS or parameter */
	const char *const *names;
	/* number of elements of `names`; 0: all jobs ahead in total, or a constraint without a name */
	size_t nnames;
	/* planned start with and without the constraint, seconds since the epoch; FS_UNKNOWN: none */
	int64_t start, start_without;
	/* command that removes the constraint, in a form that fs_snapshot_edit accepts; NULL: there is no such command,
	 * and `why_not` gives the reason */
	const char *remove;
	const char *why_not; /* reason why `remove` is NULL, a clause; NULL if `remove` is not NULL */
};

/* The causes of one job. */
typedef struct fs_causes fs_causes;

/* Options of fs_causes_find. */
struct fs_cause_options {
	size_t size;	      /* size of this struct in bytes; FS_CAUSE_OPTIONS_INIT sets it */
	struct fs_view view;  /* view of the plan; the member `usage` of the view is ignored */
	/* plan of the same snapshot and view, borrowed; NULL: fs_causes_find computes the plan */
	const fs_plan *plan;
};
#define FS_CAUSE_OPTIONS_INIT FS_INIT(struct fs_cause_options)

/* Finds the constraints that delay a pending job: for each possible constraint, removes it from a copy of the snapshot,
 * and plans the copy. A constraint is a cause if the job's start in that plan is at least a minute earlier. The number
 * of plans depends on the numbers of pending jobs and nodes; for a very large site, only two plans are made. If the
 * snapshot lacks data for a plan, the verdict on the job decides the only cause. Errors: FS_ENODATA if the job is not
 * pending or the scheduler's order is not known; FS_ENOMEM. */
FS_API int fs_causes_find(fs_causes **out, const fs_snapshot *s, uint32_t job_row,
			  const struct fs_cause_options *options, struct fs_error *err);
FS_API void fs_causes_free(fs_causes *c); /* NULL is allowed */

/* Number of causes, at least 1. The first cause is the main cause. It is chosen among the causes whose removal alone
 * moves the start by at least a tenth of the wait, in this order of preference: constraints other than jobs, running
 * jobs, jobs ahead. Among causes of equal preference, and if no cause moves the start that much, the cause with the
 * largest gain is first. The remaining causes follow, largest gain first. */
FS_API size_t fs_causes_count(const fs_causes *c);
/* Returns the i-th cause, borrowed from c; NULL past the end. */
FS_API const struct fs_cause *fs_causes_row(const fs_causes *c, size_t i);

/* For each row of a plan, the jobs that delay it. */
typedef struct fs_delays fs_delays;

/* Finds the jobs that delay planned starts: cancels each running or pending job in a copy of the snapshot, and plans
 * the copy. A job delays a row of the plan if the row starts at least a minute earlier without the job. For a very
 * large site, only the jobs that rows of the plan wait for are tried, as many as fit into the same work as
 * fs_causes_find does. `plan`: plan of the snapshot with the view. Errors: FS_ENOMEM. */
FS_API int fs_delays_find(fs_delays **out, const fs_snapshot *s, const fs_plan *plan, const struct fs_view *view,
			  struct fs_error *err);
/* Returns true if all jobs were tried and the snapshot has all jobs. If false, a row may also be delayed by jobs that
 * are not found. */
FS_API bool fs_delays_are_complete(const fs_delays *d);
FS_API void fs_delays_free(fs_delays *d); /* NULL is allowed */
/* Returns the ids of the jobs that delay the row of the plan, in ascending order, and sets *n to their number. NULL:
 * there are none. The array is borrowed from d. */
FS_API const uint64_t *fs_delays_of(const fs_delays *d, size_t plan_row, size_t *n);

/* The nodes of a partition, counted by the first reason for which a node cannot take a part of a job now. Each node
 * counts once, in the order of the members. */
struct fs_node_tally {
	const char *partition; /* name of the partition, borrowed from the caller */
	uint32_t nodes;	      /* all nodes of the partition */
	uint32_t unavailable; /* down, drained or not responding */
	/* reason that the scheduler shows for all unavailable nodes; "": unknown, or the reasons differ */
	const char *unavailable_reason;
	uint32_t unknown; /* number of CPUs or memory is not known */
	/* nodes that are too small for the job even if they are idle: by CPUs, memory, or generic resources */
	uint32_t small_cpus, small_memory, small_gres;
	uint32_t excluded; /* nodes without the requested features, sockets or disk, or not among the requested nodes */
	uint32_t reserved; /* reserved for other jobs before the job would end */
	/* nodes with too few free CPUs, too little free memory, or too few free generic resources */
	uint32_t busy_cpus, busy_memory, busy_gres;
	/* the remaining nodes; a job that may spread over several nodes may need more than one of them */
	uint32_t partly_free;
};

/* Counts the nodes of a partition for a job. Planned starts of other jobs do not count. Errors: FS_ENODATA if the
 * snapshot has no such partition or no nodes, or if the scheduler is not Slurm; FS_ENOMEM. */
FS_API int fs_node_tally_job(const fs_snapshot *s, uint32_t job_row, const char *partition, struct fs_node_tally *out,
			     struct fs_error *err);

FS_END_DECLS

#endif
