/* Priorities as sums of terms; holds of Flux jobs; limits that stop the growth of a job's age; and comparison of
 * computed priorities with the values that the scheduler printed. */
#ifndef FS_PRIORITY_H
#define FS_PRIORITY_H

#include <fs/shares.h>

FS_BEGIN_DECLS

/* ---- priorities */

/* Rows of priorities with their terms. */
typedef struct fs_prios fs_prios;

/* Terms of Slurm's multifactor sum, in the order in which sprio adds them. Flux has four terms: fairshare, queue, bank,
 * urgency. */
#define FS_FACTORS(X)                                                                              \
	X(AGE, "age") X(ASSOC, "assoc") X(FAIRSHARE, "fairshare") X(JOBSIZE, "jobsize")            \
	X(PARTITION, "partition") X(QOS, "qos") X(SITE, "site") X(NICE, "nice")
#define FS_FACTOR_ENUM(tag, name) FS_FACTOR_##tag,
/* Kind of a term. fs_prios_find_term returns the index of the term of a given kind. */
enum fs_factor {
	FS_FACTORS(FS_FACTOR_ENUM) FS_FACTOR_TRES,
	FS_FACTOR_QUEUE,
	FS_FACTOR_BANK,
	FS_FACTOR_URGENCY,
	FS_FACTOR_MAUI /* any term of Maui; its name identifies it */
};
#undef FS_FACTOR_ENUM

/* Reason why the scheduler counts more CPUs for a job than the job asks for. */
enum fs_cpu_growth {
	FS_CPU_GROWTH_NONE,
	FS_CPU_GROWTH_NODES,  /* the job uses whole nodes */
	FS_CPU_GROWTH_MEMORY, /* the job's memory per CPU exceeds the maximum */
	FS_CPU_GROWTH_CORES,  /* the job uses whole cores */
	FS_CPU_GROWTH_GPUS    /* the job gets a minimum number of CPUs for each GPU */
};

/* A term of a priority sum: points = value * weight, with the scheduler's rounding. */
struct fs_prio_term {
	enum fs_factor factor; /* kind of the term */
	const char *name;  /* name of the term, such as "age" or "tres/cpu" */
	/* factor before it is multiplied by the weight; site and nice: the number itself; urgency: the job's urgency
	 * minus 16 */
	double value;
	double weight;     /* weight; 1 for site, -1 for nice */
	double points;     /* points that the term adds to the sum; negative points reduce it */
	double cut; /* amount by which a cap reduced the factor (`value` is the reduced factor); 0: not reduced */
	/* the scheduler printed `value`; it is used because its inputs are hidden, or because recorded values were
	 * requested */
	bool recorded;
};

/* A component of Maui's priority: a group of terms with its own weight and cap. */
struct fs_prio_group {
	const char *name;        /* name of the component: "service", "target", "cred", "fs", "res", "usage" */
	double weight, cap;      /* weight and cap of the component; a cap of 0 or less means no cap */
	/* first: index of the component's first term; count: number of its terms. If the component has a cap, its last
	 * term is the reduction by the cap. */
	size_t first, count;
};

/* Steps that turn the sum into the stored priority. */
enum fs_step {
	FS_STEP_ROUNDED,  /* Flux: the priority is rounded half away from zero */
	FS_STEP_CLAMPED,  /* Flux: a negative priority becomes 0 */
	FS_STEP_RAISED,   /* Maui: a priority below 1 becomes 1 */
	FS_STEP_CUT,      /* Maui: a priority above 1000000000 becomes 1000000000 */
	FS_STEP_SYSTEM,   /* Maui: the system priority set by an administrator replaces or raises the priority */
	FS_STEP_FRACTION, /* Maui: the fraction of the priority is dropped */
	FS_STEPS
};
/* A step that changed the priority. */
struct fs_prio_step {
	enum fs_step step; /* kind of the step, such as a rounding */
	double value; /* priority after the step */
};

/* Maximum number of terms and components of a row. Slurm has eight terms, and one more for each TRES with a weight. */
enum { FS_PRIO_TERMS_MAX = 72, FS_PRIO_GROUPS_MAX = 8 };

/* Priority of a job in one partition with one QOS that it asks for. */
struct fs_prio_row {
	uint64_t job; /* job id */
	const char *partition, *user, *account, *qos, *sluid, *state; /* names; `qos` is "" for a job that has ended */
	const char *name; /* name of the job; in Maui the job id */
	uint32_t job_row; /* row of the job in the snapshot */
	uint32_t uid; /* numeric user id; 0 if unknown */
	bool set_directly;     /* true: an administrator set the priority, and the terms do not count */
	double sum;      /* sum of the terms' points, not truncated; NAN: an input is unknown */
	/* Priority as sprio prints it: a whole number, at least 1; in Flux 0 means that the job is held. NAN: an input
	 * is unknown, and the scheduler did not print the priority. */
	double priority;
	/* difference between the printed and the computed priority, included in `priority`; 0: none, or the printed
	 * priority is not used */
	double unexplained;
	double norm_priority; /* normalized priority that sprio printed; NAN: not printed, or not used */
	double stored_priority;     /* priority stored by the scheduler; in Slurm at most 4294967295 */
	/* Flux: urgency of the job, 0 to 31; 0 and 31 replace the sum; NAN: unknown, or another scheduler */
	double urgency;
	struct fs_prio_step steps[FS_STEPS]; /* Flux, Maui: the steps between sum and priority that changed the value */
	size_t nsteps; /* number of elements of `steps` */
	bool visible;    /* the viewer may see the job */
	/* Maui: indexed by component: sum of the component's terms, reduced by its cap but not multiplied by its
	 * weight */
	double group_values[FS_PRIO_GROUPS_MAX];
	size_t nterms;   /* number of terms, as returned by fs_prios_terms; 0 if fs_prios_label filled the row */
	struct fs_prio_term terms[FS_PRIO_TERMS_MAX]; /* only the first `nterms` elements are set */
};

/* Options of fs_prios_compute. */
struct fs_prios_options {
	size_t size; /* size of this struct in bytes; FS_PRIOS_OPTIONS_INIT sets it */
	struct fs_view view; /* view for which the priorities are computed */
	const fs_shares *shares; /* shares of the same snapshot and view; NULL: fs_prios_compute computes them */
	bool running;            /* Flux, Maui: also compute rows for running jobs */
	bool blocked;            /* Slurm, Maui: include jobs that are not eligible */
	/* true: if a job in several partitions has a priority set by an administrator, show the priority as versions of
	 * sprio before 23.02 did */
	bool as_printed;
	/* Slurm. true: rows have the priority that sprio printed, if the snapshot has it, and if the snapshot and the
	 * view are unchanged. If as_printed is true, they also have the printed factors and points. */
	bool recorded;
	const uint32_t *jobs;    /* rows of the jobs to include, in ascending order; NULL: all jobs */
	size_t njobs; /* number of elements of `jobs` */
};
#define FS_PRIOS_OPTIONS_INIT FS_INIT(struct fs_prios_options)

/* Computes one row for each partition (and QOS) requested by a pending, eligible job that is not held. Rows are sorted
 * by job id, then by tier, highest first. Errors: FS_ENODATA if the scheduler does not use multifactor priorities;
 * FS_EDATA for a bad configuration; FS_ENOMEM. */
FS_API int fs_prios_compute(fs_prios **out, const fs_snapshot *s, const struct fs_prios_options *options,
		     struct fs_error *err);
FS_API void fs_prios_free(fs_prios *p); /* frees the priorities; `p` may be NULL */

FS_API size_t fs_prios_count(const fs_prios *p); /* returns the number of priority rows */

/* Returns the first row of a job; the other rows of the job follow it. FS_NO_ROW: the job has no row. */
FS_API size_t fs_prios_find(const fs_prios *p, uint64_t job);

/* Returns the number of terms of a row. */
FS_API size_t fs_prios_terms(const fs_prios *p);

/* Fills *row with row i and its terms. Returns false past the end. Any number of threads may call this function at the
 * same time. */
FS_API bool fs_prios_row(const fs_prios *p, size_t i, struct fs_prio_row *row);

/* Fills only the members of *row that identify the job, and computes nothing. Numbers are unknown, and there are no
 * terms. */
FS_API bool fs_prios_label(const fs_prios *p, size_t i, struct fs_prio_row *row);

/* Fills only job_row, the terms and the numbers of *row. Names and ids of the job stay empty. */
FS_API bool fs_prios_brief(const fs_prios *p, size_t i, struct fs_prio_row *row);
/* returns the job_row of row i; FS_NO_ROW past the end */
FS_API uint32_t fs_prios_job_row(const fs_prios *p, size_t i);

/* Rule by which the value of a term is computed from its inputs. `have`, `of` and so on are members of fs_prio_inputs;
 * NAN in a member: unknown. */
enum fs_inputs {
	/* fs_prio_inputs has no inputs of the term; the inputs of the fair-share term are in fs_shares */
	FS_INPUTS_NONE,
	FS_INPUTS_PLAIN, /* the value of the term is the member `have` */
	FS_INPUTS_RATIO, /* the value of the term is `have` / `of`; 0 if `have` or `of` is 0 */
	/* `have`: age in seconds, 0 while the age does not grow; `of`: age at which the factor is 1 */
	FS_INPUTS_AGE,
	/* `have`, `cpus`: number of nodes and of CPUs of the job; `of`, of_cpus: the same numbers for the cluster */
	FS_INPUTS_SIZE,
	/* the value of the term is `have` / 60; `have`: time that the job has waited, seconds */
	FS_INPUTS_WAITED,
	/* The value of the term is (`have` + `limit_s`) / `of`. `have`: time that the job has waited; `limit_s`: time
	 * limit of the job; `of`: the time limit, or XFMINWCLIMIT if that is greater. All are in seconds. */
	FS_INPUTS_EXPANSION
};

/* What is known about the last job that a user submitted in a bank. When Flux recomputes the priority of any job of
 * the user in the bank, it uses the priority of the queue that the last job is in. */
enum fs_last_job {
	FS_LAST_JOB_KNOWN,   /* the capture or the job's priority shows the queue of the user's last job */
	/* ended jobs were not captured; the user's newest captured job is assumed to be the last job */
	FS_LAST_JOB_ACTIVE,
	FS_LAST_JOB_UNKNOWN, /* too few ended jobs were captured: the user's last job and its queue are unknown */
	FS_LAST_JOB_HELD, /* Flux uses a stored priority that no queue, or in the term BANK the bank, has now */
};

/* Inputs of the value of one term. Members that the rule does not use are 0. */
struct fs_prio_inputs {
	enum fs_inputs rule; /* rule by which the value of the term is computed from the inputs */
	double have, of; /* numbers from which `rule` computes the value of the term; see enum fs_inputs */
	/* SIZE. cpus: number of CPUs of the job; of_cpus: number of CPUs of the cluster; minutes: time limit in
	 * minutes, if by_time is true */
	double cpus, of_cpus, minutes;
	/* SIZE. by_time: PriorityFlags=SMALL_RELATIVE_TO_TIME is set; small: PriorityFavorSmall is set */
	bool by_time, small;
	double limit_s;		       /* EXPANSION: time limit, seconds */
	enum fs_last_job last_job;     /* Flux: what is known about the user's last job */
	const char *of_qos; /* QOS (Flux: queue) whose priority is used; NULL: the QOS or queue of the row */
	/* AGE, WAITED, EXPANSION: start of the wait, seconds since the epoch; FS_UNKNOWN: the job does not age */
	int64_t since;
	double asked_cpus; /* SIZE: number of CPUs that the job asks for, if less than `cpus` */
	enum fs_cpu_growth grows; /* SIZE: reason why `cpus` is greater than asked_cpus */
};

/* Fills *out with the inputs of term `t` of row `i`. */
FS_API bool fs_prios_inputs(const fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);

/* Returns the configured weights: an array of fs_prios_terms() terms in which only name and weight are set. */
FS_API const struct fs_prio_term *fs_prios_weights(const fs_prios *p);
/* Returns the index of the first term of the given kind. FS_NO_ROW: the scheduler has no such term. */
FS_API size_t fs_prios_find_term(const fs_prios *p, enum fs_factor factor);

/* Returns the number of components; 0 except in Maui. The weight of a term includes the weight of its component. */
FS_API size_t fs_prios_groups(const fs_prios *p);
/* Returns component i, borrowed from p; NULL past the end. */
FS_API const struct fs_prio_group *fs_prios_group(const fs_prios *p, size_t i);

/* Returns true if some QOS has its own weight for this term. Such a term is shown even if its weight is 0. */
FS_API bool fs_prios_shown_by_qos(const fs_prios *p, size_t term);

/* ---- holds of Flux jobs */

/* Dependencies and limits that hold Flux jobs, listed for each job. */
typedef struct fs_holds fs_holds;

/* A dependency or limit that prevents a job from being scheduled. */
struct fs_hold_row {
	/* name of a dependency ("max-run-jobs-queue", "after-success=..."); or "priority-wait", "held" (urgency 0) or
	 * "priority-hold" (priority 0) */
	const char *reason;
	/* limit that causes `reason`: name of its column in flux-accounting's tables; NULL: no limit */
	const char *limit;
	const char *scope;  /* bank in which the user's jobs are counted; a queue if of_queue is true */
	bool of_queue; /* `scope` is the name of a queue */
	bool with_sched; /* the limit is a maximum of running jobs, but jobs in state SCHED also count against it */
	/* value: value of the limit, INFINITY: no limit; used: number of jobs, or amount of resources, that counts
	 * against the limit; NAN: unknown */
	double value, used;
	double wants;       /* amount that this job would add to `used`; NAN: `limit` is NULL */
};

/* Computes the holds of all pending jobs. Errors: FS_ENODATA if the scheduler is not Flux; FS_ENOMEM. */
FS_API int fs_holds_compute(fs_holds **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_holds_free(fs_holds *h); /* frees the holds; h may be NULL */
FS_API size_t fs_holds_count(const fs_holds *h, uint32_t job_row); /* number of holds of the job; 0: none */
/* returns hold i of the job; NULL past the end */
FS_API const struct fs_hold_row *fs_holds_row(const fs_holds *h, uint32_t job_row, size_t i);

/* ---- accrue limits */

/* Accrue state of each pending job: whether its age grows, and the limit that stops the growth. */
typedef struct fs_accrue fs_accrue;

/* State of a job's age. */
enum fs_accrue_state {
	FS_ACCRUE_NOT_ELIGIBLE, /* the job is held, waits for a dependency or its begin time, or is not pending */
	FS_ACCRUE_ACCRUING,      /* the age grows, because the scheduler has set the job's accrue_time */
	FS_ACCRUE_READY, /* no limit is reached: the age starts to grow when the scheduler next evaluates the job */
	FS_ACCRUE_WAITING       /* a limit is reached, so the age does not grow */
};

/* Accrue state of a job, and the limit that causes the state. */
struct fs_accrue_row {
	enum fs_accrue_state state; /* state of the job's age: whether the age grows */
	/* name of the limit that stops the growth of the age, or that would stop it when reached; NULL: none */
	const char *limit;
	const char *scope; /* QOS or account that sets the limit */
	/* value: value of the limit; used: number of jobs that count against the limit because their age grows, each
	 * array task counted */
	uint32_t value, used;
	/* number of jobs with a lower job id whose age does not grow because of the same limit; each array task counts
	 * as one job. Set only if the age of this job does not grow. */
	uint32_t ahead;
	bool at_least;	      /* some jobs are hidden: `used` and `ahead` are minimum values */
};

/* Computes the accrue state of all jobs. compat: release to reproduce, a number of FS_SLURM_RELEASE; 0: the snapshot's
 * release. Errors: FS_ENODATA if the scheduler has no accrue limits; FS_ENOMEM. */
FS_API int fs_accrue_compute(fs_accrue **out, const fs_snapshot *s, unsigned compat, struct fs_error *err);
FS_API void fs_accrue_free(fs_accrue *a); /* `a` may be NULL */
/* fills *out for the job; the job need not be pending; returns false past the last job */
FS_API bool fs_accrue_job(const fs_accrue *a, uint32_t job_row, struct fs_accrue_row *out);

/* ---- verification */

enum { FS_VERIFY_MAX = 24 }; /* maximum number of elements of the array `column` in the result */

/* Comparison of all recorded and computed values of one kind. */
struct fs_verify_column {
	/* key of the compared values in `recorded` records; "listed": no values are compared; instead, the check is
	 * that each job has recorded and computed priorities in the same partitions */
	const char *name;
	/* compared: number of pairs of a recorded and a computed value; differ: number of pairs that are not equal */
	size_t compared, differ;
	size_t unknown; /* number of recorded values that cannot be computed, since an input is hidden */
};

/* Result of fs_snapshot_verify: one element of `column` for each kind of compared value. */
struct fs_verify_result {
	/* one element for each kind of compared value, in the order in which the kinds were first compared */
	struct fs_verify_column column[FS_VERIFY_MAX];
	size_t columns; /* number of elements of `column` that are set */
};

/* Computes shares and priorities, and compares them with the values that the scheduler printed (`recorded`). Ignores
 * differences that follow from the rounding of printed values and printed usage. `note` receives a sentence for each
 * other difference, and for each term that cannot be computed. Errors: FS_EDATA for a bad configuration; FS_ENOMEM. */
FS_API int fs_snapshot_verify(const fs_snapshot *s, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err);

FS_END_DECLS

#endif
