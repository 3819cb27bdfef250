/* Advice: changes with which a pending job would start earlier. */
#ifndef FS_ADVISE_H
#define FS_ADVISE_H

#include <fs/plan.h>

FS_BEGIN_DECLS

/* Changes that give a pending job an earlier planned start. Each piece of advice is one change. The library verifies
 * each change: fs_snapshot_edit applies the command of the change to a copy of the snapshot, and fs_plan_compute
 * computes the new start. */
typedef struct fs_advices fs_advices;

/* Roles that may run a command, from the least to the most privileged. A role may run the commands of all earlier
 * roles. */
#define FS_WHOS(X) X(OWNER, "owner") X(COORDINATOR, "coordinator") X(OPERATOR, "operator") X(ADMINISTRATOR, "administrator")
#define FS_WHO_ENUM(tag, name) FS_WHO_##tag,
enum fs_who { FS_WHOS(FS_WHO_ENUM) FS_WHO_COUNT };
#undef FS_WHO_ENUM
FS_API const char *fs_who_name(enum fs_who who); /* "owner" */

/* Values that a change replaces. A comment gives the unit of an amount; the other values are texts. */
#define FS_ADVICE_VALUES(X) \
	X(TIME_LIMIT, "time_limit") /* s; INFINITY: unlimited */ \
	X(TIME_MIN, "time_min") /* minimum time limit, s; 0: none */ \
	X(BEGIN, "begin_time") /* seconds since the epoch */ \
	X(NODES, "nodes") /* number */ \
	X(CPUS, "cpus") /* number */ \
	X(TASKS, "tasks") /* number */ \
	X(CPU_MEMORY, "mem_per_cpu") /* MiB */ \
	X(NODE_MEMORY, "mem_per_node") /* MiB */ \
	X(DISK, "tmp_disk") /* temporary disk per node, MiB */ \
	X(GRES, "gres") /* number of generic resources, such as GPUs, in total */ \
	X(LICENSES, "licenses") /* list */ \
	X(PARTITION, "partition") /* list; Maui: class, Flux: queue */ \
	X(QOS, "qos") /* list */ \
	X(ACCOUNT, "account") /* Flux: bank */ \
	X(RESERVATION, "reservation") \
	X(NODE_LIST, "req_nodes") /* required nodes */ \
	X(EXCLUDED, "exc_nodes") /* excluded nodes */ \
	X(FEATURES, "features") \
	X(CONTIGUOUS, "contiguous") /* 1: the nodes must be adjacent; 0: not */ \
	X(ARRAY_LIMIT, "array_limit") /* maximum number of running tasks; INFINITY: no limit */ \
	X(DEPENDENCY, "dependency") \
	X(NICE, "nice") /* number */ \
	X(URGENCY, "urgency") /* number (Flux) */ \
	X(PRIORITY, "priority") /* number; 0: held; NAN: computed by the scheduler */ \
	X(OTHER_JOB, "other_job") /* id of another job, which is held */ \
	X(LIMIT, "limit") /* a limit of an association or QOS, in the unit of struct fs_explain_limit */ \
	X(SHARES, "shares") /* raw shares of the job's user */
#define FS_ADVICE_VALUE_ENUM(tag, name) FS_ADVICE_##tag,
enum fs_advice_value { FS_ADVICE_VALUES(FS_ADVICE_VALUE_ENUM) FS_ADVICE_VALUE_COUNT };
#undef FS_ADVICE_VALUE_ENUM
FS_API const char *fs_advice_value_name(enum fs_advice_value value); /* "time_limit" */

/* One replaced value. */
struct fs_advice_change {
	enum fs_advice_value value; /* kind of the value */
	double from, to; /* amounts; NAN: unknown, or the value is a text */
	/* texts; "": none; NULL: the value is an amount. GRES: `from_text` is the name, such as "gpu:a100". LIMIT:
	 * `from_text` is the name of the limit. */
	const char *from_text, *to_text;
};

/* What a change costs the job, from the least to the most. */
#define FS_ADVICE_PRICES(X) \
	X(NOTHING, "nothing") /* the request stays as it is or gets wider, and the job costs no more */ \
	X(REQUEST, "request") /* the job gives up a part of its request, another job waits, or the job costs more */ \
	X(UNSUITABLE, "unsuitable_partition") /* the job moves to nodes with GPUs or large memory, and needs neither */
#define FS_ADVICE_PRICE_ENUM(tag, name) FS_ADVICE_PRICE_##tag,
enum fs_advice_price { FS_ADVICE_PRICES(FS_ADVICE_PRICE_ENUM) FS_ADVICE_PRICE_COUNT };
#undef FS_ADVICE_PRICE_ENUM
FS_API const char *fs_advice_price_name(enum fs_advice_price price); /* "nothing" */

/* Completed jobs of the job's user and account in the snapshot's usage records. Set for changes of the time limit or of
 * the memory, if there are at least five such jobs. */
struct fs_advice_history {
	const char *partition; /* partition in which the jobs ran; "": the jobs ran in any partition */
	size_t jobs;	  /* number of the jobs; 0: fewer than five */
	size_t exceeding; /* jobs that ran longer, or used more memory in one task, than the change allows */
	/* run time of the longest job, s; or memory of the largest task of all jobs, MiB (MaxRSS of sacct) */
	double greatest;
};

enum { FS_ADVICE_CHANGES = 4 }; /* maximum number of values that one change replaces */

/* A change that gives the job an earlier start. */
struct fs_advice {
	const char *command; /* command that makes the change, in a form that a shell and fs_snapshot_edit accept */
	const char *effects; /* side effects of the change, as sentences; "": none */
	enum fs_who who; /* least privileged role that may run the command */
	struct fs_advice_change change[FS_ADVICE_CHANGES]; /* the replaced values */
	size_t changes; /* number of used elements of `change` */
	enum fs_advice_price price; /* what the change costs the job */
	/* partition with GPUs or large memory, which the job does not need (FS_ADVICE_PRICE_UNSUITABLE); else "" */
	const char *unsuitable_partition;
	bool unsuitable_gpus; /* true: unsuitable_partition has GPUs; false: it has large memory */
	struct fs_advice_history history; /* completed jobs of the owner, compared with the change */
	/* Seconds since the epoch. start_before: planned start without the change, FS_UNKNOWN: none; start_after:
	 * planned start with the change. */
	int64_t start_before, start_after;
	/* true: other jobs may delay start_after. Only a change that ends the hold, dependency, begin time or array
	 * limit for which the job waits is proposed with such a start. */
	bool unreliable;
	/* likely start without the change, seconds since the epoch, if the job has no planned start; FS_UNKNOWN: not
	 * known */
	int64_t start_likely;
	/* Cost of the job without and with the change, if it runs to its time limit: billing units per hour * time
	 * limit in hours * UsageFactor of the QOS. For an array, the cost of one task. NAN: unknown; INFINITY: no time
	 * limit. */
	double cost_before, cost_after;
};

/* Computes advice for the job in row job_row. The member `usage` of *view is ignored, because plans start at the
 * snapshot's time. Conditions for a change:
 *   - the planned start with the change is earlier by at least a minute and by at least a tenth of the wait
 *   - one minute later, the plan with the change still has this start, within a minute
 *   - a time limit that is two minutes longer would not delay this start
 *   - a simulation of the queue (struct fs_plan_likely) has the same start, within a minute
 *   - no job that is ahead, or has a higher or almost the same priority, may take the same nodes before this start;
 *     this concerns jobs that wait for a limit, a begin time, a running task of their array or the end of a running
 *     job; not tested for a job that never starts without a change
 *   - new shares: this start is not before the next priority calculation
 * A change that removes a hold, a dependency, a begin time or an array's limit is also proposed if only the first
 * condition is met, because the job cannot start without it; its start is then marked as unreliable.
 * Sort keys of the advice:
 *   1. role that may run the command, least privileged first
 *   2. price, lowest first
 *   3. planned start with the change, earliest first
 *   4. cost with the change, lowest first
 * The scheduler accepts each proposed command. A command names only
 *   - partitions that admit the job's account, QOS and time limit
 *   - accounts of the job's owner
 *   - QOS that the owner's association or Maui's QLISTs permit
 * TimeMin is never proposed for Slurm 20.02.5 to 25.05.2, because backfill lowers a job's time limit
 * to TimeMin. Errors: FS_ENODATA if the commands of the scheduler are not known, the job is not pending, or no plan can
 * be computed; FS_ENOMEM. */
FS_API int fs_advise(fs_advices **out, const fs_snapshot *s, uint32_t job_row, const struct fs_view *view,
		     struct fs_error *err);
FS_API void fs_advices_free(fs_advices *a); /* NULL is allowed */
FS_API size_t fs_advices_count(const fs_advices *a); /* number of pieces of advice */
FS_API const struct fs_advice *fs_advices_row(const fs_advices *a, size_t i); /* valid until the advice is freed */
/* planned start without a change, seconds since the epoch; FS_UNKNOWN: none */
FS_API int64_t fs_advices_start(const fs_advices *a);
/* Returns the begin time for which the job waits; FS_UNKNOWN if there is none, or if no command can remove it. Plans
 * ignore this begin time. If a planned start is earlier than the begin time, the advice contains the begin time instead
 * of the planned start, unless the proposed change removes the begin time. */
FS_API int64_t fs_advices_begins(const fs_advices *a);
FS_API size_t fs_advices_tried(const fs_advices *a); /* number of changes for which a plan was computed */
/* Returns true if the plans reached a maximum of work, about three seconds for a small snapshot. Further changes were
 * then not tried. */
FS_API bool fs_advices_is_partial(const fs_advices *a);

FS_END_DECLS

#endif
