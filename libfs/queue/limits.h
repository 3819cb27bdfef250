/* Limits of associations and QOS in Slurm: names, amounts in use, and the limits that a job meets. */
#ifndef FSI_QUEUE_LIMITS_H
#define FSI_QUEUE_LIMITS_H

#include "queue/bars.h"
#include "usage/billing.h"

/* Limits of associations and QOS: which there are, and how much of each is in use. */

/* What is compared with the limit. */
enum fsi_measure {
	FSI_RUNNING_TRES,
	FSI_RUNNING_JOBS,
	FSI_QUEUED_JOBS,
	FSI_USED_MINUTES,     /* TRES minutes that are used up */
	FSI_PROMISED_MINUTES, /* TRES minutes that running jobs may still use */
	FSI_USED_WALL,
	FSI_JOB_TRES,
	FSI_NODE_TRES, /* the job's, on each of its nodes */
	FSI_JOB_MINUTES,
	FSI_JOB_TIME,
	FSI_MIN_TRES
};

enum fsi_counted { FSI_EVERYBODY, FSI_USER, FSI_ACCOUNT };

struct fsi_limit_kind {
	const char *name;
	enum fsi_measure measure;
	enum fsi_counted counted;
	enum fsi_field_type type; /* of the field: TRES, U32 or DUR */
	uint8_t bit;
	uint16_t offset;
};

/* libfs/queue/limits.c: limits that every ancestor has come first. */
extern const struct fsi_limit_kind fsi_assoc_limits[], fsi_qos_limits[];
extern const size_t fsi_assoc_limit_count, fsi_qos_limit_count;

bool fsi_limit_of_job(const struct fsi_limit_kind *k);

/* Returns true if the limit is tested before nodes are chosen (src/slurmctld/acct_policy.c:
 * acct_policy_job_runnable_pre_select). */
bool fsi_limit_name_before_nodes(const char *name); /* the limit of that name */

/* Where a limit counts: an association with all below it, or a QOS. */
struct fsi_limit_place {
	enum fs_limit_scope scope;
	uint32_t assoc; /* row, or FSI_NO_INDEX */
	uint32_t qos;	/* name */
};

/* libfs/queue/limits.c: uses that were counted for all jobs at once, and the jobs that hold resources, in the
 * orders in which they are counted. */
struct fsi_limit_totals { /* zeroed but for the first; release it */
	const fs_snapshot *m;
	uint32_t *holding;		       /* rows of jobs, as they stand; NULL: not asked for yet */
	uint32_t *by_user, *by_account, *by_assoc; /* the same by that; NULL: not asked for yet */
	size_t n;
	struct fsi_intern keys; /* to its place in use, from 1 */
	FSI_VEC(double) use;
};
void fsi_limit_totals_release(struct fsi_limit_totals *t);

/* Rows of the holding jobs that may count: those of the user, those of the account, or those below the association.
 * NULL without memory. */
const uint32_t *fsi_limit_totals_jobs(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
				      const struct fsi_limit_place *at, const struct fsi_job *job, size_t *n);

/* libfs/queue/limits.c. Zeroed but for the first two; release it. */
struct fsi_limit_counter {
	const struct fsi_bars_from *x;
	const struct fsi_job *job; /* whose user and account count */
	FSI_VEC(struct fs_explain_holder) holder;
	struct fsi_intern holders; /* (user, account) to its place there, from 1 */
	struct fsi_intern nodes;   /* (holder or 0, name of a node) that are counted */
	struct fsi_limit_totals *totals; /* what was counted for other jobs, and then no holders; NULL: all anew */
};
void fsi_limit_counter_release(struct fsi_limit_counter *c);

/* Fills l->used, l->holders where the use is counted from jobs, and l->promised for minutes used if safe. NAN:
 * unknown. tres: its name. -1 without memory. */
int fsi_limit_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k, const struct fsi_limit_place *at,
		  uint32_t tres, bool safe, struct fs_explain_limit *l);

/* The amount of the TRES that a job holds, or else asks for; NAN: unknown. */
double fsi_limit_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* libfs/queue/limits.c */
struct fsi_limit_rules {
	const fs_snapshot *m;
	const struct fsi_job *job;
	uint32_t node;	    /* name */
	bool safe;	    /* a job must have minutes left to the end of its time limit */
	bool free;	    /* UsageFactor 0: minutes used and promised do not count */
	double time_factor; /* factor on the time limit, in TRES minutes */
	uint32_t cpu, mem;  /* names */
	uint32_t billing_name;
	const struct fsi_requests *requests;
	const struct fsi_billing *billing;
	uint32_t partition; /* row, FSI_NO_INDEX: not known */
	uint32_t nodes;     /* that were chosen for it; 0: it may get as many as it admits */
	uint64_t cpus;	    /* of those, where it takes them whole; 0 */
	struct fsi_request request; /* what it counts for when limits on resources are tested: after nodes were chosen */
};

/* A limit that a job comes under in one partition with one QOS. */
struct fsi_limit_met {
	const struct fsi_limit_kind *kind;
	struct fsi_limit_place at;
	uint32_t tres; /* name */
	double value, wants;
	bool tested; /* else the job counts there, and another limit is tested in its place */
	bool blocks; /* of minutes and wall time used up: it is in the way now */
};
typedef int (*fsi_limit_met_fn)(void *ctx, const struct fsi_limit_met *l);

/* Calls fn for each limit on what many jobs hold or used up together, and with x->nodes for those on what a job has, in
 * all and on a node; for none where limits are not enforced. fn returns other than 0 to end it, which is returned; -1
 * without memory. x->requests and x->billing are set. */
int fsi_limits_met(const struct fsi_bars_from *x, uint32_t job_row, const char *partition, const char *qos,
		   fsi_limit_met_fn fn, void *ctx);

/* Does job j, which holds resources, count where the limit of `whose` is kept? */
bool fsi_limit_counts(const fs_snapshot *m, const struct fsi_limit_kind *k, const struct fsi_limit_place *at,
		      const struct fsi_job *whose, const struct fsi_job *j);

#endif
