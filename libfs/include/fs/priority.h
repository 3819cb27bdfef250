/* Priorities as sums of terms, what keeps them from growing, and what the scheduler printed of them. */
#ifndef FS_PRIORITY_H
#define FS_PRIORITY_H

#include <fs/shares.h>

FS_BEGIN_DECLS

/* ---- priorities */

/* Rows of priorities with their terms. */
typedef struct fs_prios fs_prios;

/* The terms of Slurm's multifactor sum, in the order in which sprio adds them. Flux has four: fairshare, queue,
 * bank, urgency. */
#define FS_FACTORS(X)                                                                              \
	X(AGE, "age") X(ASSOC, "assoc") X(FAIRSHARE, "fairshare") X(JOBSIZE, "jobsize")            \
	X(PARTITION, "partition") X(QOS, "qos") X(SITE, "site") X(NICE, "nice")
#define FS_FACTOR_ENUM(tag, name) FS_FACTOR_##tag,
/* What a term is of; its place among the terms is fs_prios_find_term. */
enum fs_factor {
	FS_FACTORS(FS_FACTOR_ENUM) FS_FACTOR_TRES,
	FS_FACTOR_QUEUE,
	FS_FACTOR_BANK,
	FS_FACTOR_URGENCY,
	FS_FACTOR_MAUI /* by its name alone */
};
#undef FS_FACTOR_ENUM

/* Why a job counts for more CPUs than it asks for. */
enum fs_grows {
	FS_GROWS_NOT,
	FS_GROWS_NODES,	 /* it takes whole nodes */
	FS_GROWS_MEMORY, /* its memory is more than one CPU may have */
	FS_GROWS_CORES,	 /* it takes whole cores */
	FS_GROWS_GPUS	 /* it takes CPUs for each GPU */
};

/* A term of a sum: points = value * weight, as the scheduler rounds them on their way. */
struct fs_prio_term {
	enum fs_factor factor; /* what it is of */
	const char *name;  /* "age", ..., "tres/cpu" */
	double value;      /* the factor before its weight; site and nice: the number itself; urgency: less 16 */
	double weight;     /* site 1, nice -1 */
	double points;     /* what the sum gets, signed */
	double cut;        /* what a cap took from the factor: value is what it left; 0 where there is none */
	bool recorded;     /* its inputs were hidden: the value is the one that the scheduler printed */
};

/* Maui adds its terms up in components, each with a weight and a cap of its own. */
struct fs_prio_group {
	const char *name;        /* "service", "target", "cred", "fs", "res", "usage" */
	double weight, cap;      /* cap <= 0: none */
	size_t first, count;     /* its terms; the last one of a component with a cap is what the cap takes */
};

/* What a scheduler does to the sum until it is the priority it holds. */
enum fs_step {
	FS_STEP_ROUNDED,  /* half away from zero (Flux) */
	FS_STEP_CLAMPED,  /* not below 0 (Flux) */
	FS_STEP_RAISED,   /* to 1, the least (Maui) */
	FS_STEP_CUT,      /* to the most there is (Maui) */
	FS_STEP_SYSTEM,   /* replaced or raised by the system priority an administrator set (Maui) */
	FS_STEP_FRACTION, /* dropped (Maui) */
	FS_STEPS
};
/* One of the things done to a sum. */
struct fs_prio_step {
	enum fs_step step; /* which of them */
	double value; /* after it */
};

/* Room for the terms and components of a row: Slurm has eight terms and one for each TRES with a weight. */
enum { FS_PRIO_TERMS_MAX = 72, FS_PRIO_GROUPS_MAX = 8 };

/* A job in one partition with one QOS that it asks for. */
struct fs_prio_row {
	uint64_t job; /* id */
	const char *partition, *user, *account, *qos, *sluid, *state; /* qos "" of a job that has ended, too */
	const char *name; /* of the job, which in Maui is its id */
	uint32_t job_row; /* the same for all rows of a job */
	uint32_t uid; /* numeric user id, 0 where it is not known */
	bool direct;     /* priority set by an administrator: the terms do not count */
	double sum;      /* of the points, before truncation; NAN: an input is unknown */
	double priority; /* as sprio prints it: whole, at least 1 (Flux: 0 is held); NAN likewise, but where a paste or Flux told it */
	double stored_priority;     /* as the scheduler holds it: in Slurm at most 4294967295 */
	double urgency;  /* Flux, 0 to 31: 0 and 31 set the priority directly; NAN elsewhere */
	struct fs_prio_step steps[FS_STEPS]; /* Flux, Maui: from the sum to the priority, those that change it */
	size_t nsteps; /* of steps */
	bool visible;    /* to the viewer */
	double group_values[FS_PRIO_GROUPS_MAX]; /* of each component: the sum of its terms before its weight, at most its cap */
	size_t nterms;   /* fs_prios_terms(); 0 where only what names the job was asked for */
	struct fs_prio_term terms[FS_PRIO_TERMS_MAX]; /* the first nterms of them */
};

/* Which rows are made, and how. */
struct fs_prios_options {
	size_t size; /* FS_PRIOS_OPTIONS_INIT */
	struct fs_view view; /* as everywhere */
	const fs_shares *shares; /* of the same snapshot and view, not to be computed again; or NULL */
	bool running;            /* Flux, Maui: rows for running jobs too */
	bool blocked;            /* Maui: rows for jobs that are not eligible, too */
	bool as_printed;         /* admin-set jobs in several partitions as sprio before 23.02 shows them */
	const uint32_t *jobs;    /* rows of these jobs alone, njobs rising job rows; NULL: of all */
	size_t njobs; /* of jobs */
};
#define FS_PRIOS_OPTIONS_INIT FS_INIT(struct fs_prios_options)

/* One row for each partition (and QOS) a pending, eligible, unheld job asks for, by job id and falling
 * tier. Errors: FS_ENODATA when priorities are not multifactor, FS_EDATA for a bad configuration. */
FS_API int fs_prios_compute(fs_prios **out, const fs_snapshot *s, const struct fs_prios_options *options,
		     struct fs_error *err);
FS_API void fs_prios_free(fs_prios *p); /* NULL is fine */

FS_API size_t fs_prios_count(const fs_prios *p); /* rows */

/* The first row of a job, whose others follow it; FS_NO_ROW if it has none. */
FS_API size_t fs_prios_find(const fs_prios *p, uint64_t job);

/* How many terms a row has. */
FS_API size_t fs_prios_terms(const fs_prios *p);

/* The row with its terms, computed into *row alone: any number of threads may ask at the same time. */
FS_API bool fs_prios_row(const fs_prios *p, size_t i, struct fs_prio_row *row);

/* Fills only what names the job, which needs no arithmetic: the numbers are not known, and there are no terms. */
FS_API bool fs_prios_label(const fs_prios *p, size_t i, struct fs_prio_row *row);

/* Fills only job_row, the terms and the numbers: what names the job stays empty. */
FS_API bool fs_prios_brief(const fs_prios *p, size_t i, struct fs_prio_row *row);
FS_API uint32_t fs_prios_job_row(const fs_prios *p, size_t i); /* only that member of row i; FS_NO_ROW past the end */

/* What the value of a term was made of, and by which rule. NAN: unknown. */
enum fs_inputs {
	FS_INPUTS_NONE,	 /* nothing beyond the value itself, or beyond fs_shares for the fair-share factor */
	FS_INPUTS_PLAIN, /* the number as it is: have */
	FS_INPUTS_RATIO, /* have / of, 0 if either is 0 */
	FS_INPUTS_AGE,	 /* have seconds of the `of` after which age is full; 0 while its age does not grow */
	FS_INPUTS_SIZE,	 /* have of `of` nodes, cpus of of_cpus */
	FS_INPUTS_WAITED, /* have seconds since `since`, in minutes */
	FS_INPUTS_EXPANSION /* (have seconds since `since` + time limit `limit_s`) / `of` */
};

/* Flux counts with the queue of the job that the owner submitted last to his bank: which one is that? */
enum fs_last_job {
	FS_LAST_JOB_KNOWN,   /* by the capture, or by the priority that the job has */
	FS_LAST_JOB_ACTIVE,  /* the last one that has not ended: those that ended were not captured */
	FS_LAST_JOB_UNKNOWN, /* of those that ended not enough were captured: so is the queue */
	FS_LAST_JOB_HELD,    /* Flux holds a priority for the owner that no queue has by now */
};

/* One value taken apart. Members that the rule does not name are 0. */
struct fs_prio_inputs {
	enum fs_inputs rule; /* how value follows */
	double have, of; /* as the rule says */
	double cpus, of_cpus, minutes; /* SIZE; minutes of the time limit if by_time */
	bool by_time, small;	       /* SIZE: SMALL_RELATIVE_TO_TIME, PriorityFavorSmall */
	double limit_s;		       /* EXPANSION */
	enum fs_last_job last_job;     /* Flux, of the queue */
	const char *of_qos;	       /* the QOS (Flux: queue) it is the priority of, where that is not the row's; else NULL */
	int64_t since;		       /* AGE, WAITED, EXPANSION: from when it counts; FS_UNKNOWN: the job does not age */
	double asked_cpus; /* SIZE: what it asks for, where that is less than the cpus it counts for */
	enum fs_grows grows; /* SIZE: why it counts for more */
};

/* Fills out for term t of row i. */
FS_API bool fs_prios_inputs(const fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);

/* Weights as configured; points to as many terms as fs_prios_terms(), only name and weight filled. */
FS_API const struct fs_prio_term *fs_prios_weights(const fs_prios *p);
/* Which of the terms is this factor's (of the TRES: the first); FS_NO_ROW: the scheduler has none. */
FS_API size_t fs_prios_find_term(const fs_prios *p, enum fs_factor factor);

/* Components; none but on Maui. Weights of terms are products with that of the component. */
FS_API size_t fs_prios_groups(const fs_prios *p);
FS_API const struct fs_prio_group *fs_prios_group(const fs_prios *p, size_t i); /* borrowed from p */

/* Has any QOS a weight of its own for this term? Then it is shown even where its weight is 0. */
FS_API bool fs_prios_shown_by_qos(const fs_prios *p, size_t term);

/* ---- what jobs of Flux wait for */

/* Dependencies and limits by job. */
typedef struct fs_holds fs_holds;

/* One thing that keeps a job from being scheduled. */
struct fs_hold_row {
	const char *reason; /* a dependency ("max-run-jobs-queue", "after-success=..."), or "priority-wait", "held"
			     * (urgency 0), "priority-hold" (priority 0) */
	const char *limit;  /* column of flux-accounting that the dependency stands for, NULL if none */
	const char *scope;  /* the bank, or with of_queue the queue, in which the user's jobs are counted */
	bool of_queue; /* scope is a queue */
	bool with_sched; /* a limit of jobs that run counts those in SCHED, too */
	double value, used; /* the limit (infinite: none now), and what counts against it; NAN unknown */
	double wants;       /* what this job would add; NAN where there is no limit */
};

/* Finds the holds of pending jobs. FS_ENODATA where the scheduler has no such limits. */
FS_API int fs_holds_compute(fs_holds **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_holds_free(fs_holds *h); /* NULL is fine */
FS_API size_t fs_holds_count(const fs_holds *h, uint32_t job_row); /* 0: the job waits for none */
FS_API const struct fs_hold_row *fs_holds_row(const fs_holds *h, uint32_t job_row, size_t i); /* NULL past the end */

/* ---- accrue limits */

/* May a pending job grow older, and if not, which limit keeps it from that? */
typedef struct fs_accrue fs_accrue;

/* Does a job's age grow? */
enum fs_accrue_state {
	FS_ACCRUE_NOT_ELIGIBLE, /* held, dependent, begin time in the future, or not pending */
	FS_ACCRUE_ACCRUING,      /* it has an accrue_time */
	FS_ACCRUE_ROOM,         /* it gets one when the scheduler next looks */
	FS_ACCRUE_WAITING       /* the limit is reached: its age does not grow */
};

/* Where a job stands under the accrue limits. */
struct fs_accrue_row {
	enum fs_accrue_state state; /* does its age grow */
	const char *limit; /* name of the one that decides, NULL if there is none */
	const char *scope; /* QOS or account that has it */
	uint32_t value, used; /* the limit, and the jobs (array tasks each) accruing age under it */
	uint32_t ahead;       /* no age accrues: jobs (array tasks each) of lower id that wait for the same limit */
	bool at_least;	      /* jobs are hidden: used and ahead are those that can be seen */
};

/* compat: FS_SLURM_RELEASE to behave like, 0: the snapshot's. FS_ENODATA where the scheduler's jobs do not age by
 * limits. */
FS_API int fs_accrue_compute(fs_accrue **out, const fs_snapshot *s, unsigned compat, struct fs_error *err);
FS_API void fs_accrue_free(fs_accrue *a); /* NULL is fine */
FS_API bool fs_accrue_job(const fs_accrue *a, uint32_t job_row, struct fs_accrue_row *out); /* of any job */

/* ---- verification */

enum { FS_VERIFY_MAX = 24 }; /* columns at most */

/* Values of one kind. */
struct fs_verify_column {
	const char *name; /* key of the `recorded` record; "listed": is there a row on both sides? */
	size_t compared, differ; /* pairs, and those that are not equal */
	size_t unknown; /* recorded, but not computable: an input is hidden */
};

/* By column, the first one first compared. */
struct fs_verify_result {
	struct fs_verify_column column[FS_VERIFY_MAX]; /* the first `columns` of them */
	size_t columns; /* with a value on either side */
};

/* Computes shares and priorities and compares them with what the scheduler printed (`recorded`), as closely as the
 * printed digits, and those of the usage, allow. The callback gets a sentence for each value that differs. Errors:
 * FS_EDATA for a bad configuration. */
FS_API int fs_snapshot_verify(const fs_snapshot *s, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err);

FS_END_DECLS

#endif
