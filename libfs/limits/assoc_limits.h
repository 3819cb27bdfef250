/* The association and QOS limits of Slurm that apply to a pending job (src/slurmctld/acct_policy.c).
 *
 * A job may start with any pair of its partitions and QOS (struct fs_explain_choice). The limits for a pair are tested
 * in this order: the QOS of the partition, the QOS of the job, the job's association, the associations above it. The
 * QOS of the job is first if it has the flag OverPartQOS. A limit of the first QOS replaces the same kind of limit, for
 * the same TRES, in the second QOS and in associations. Limits of different associations never replace each other.
 *
 *   fsi_limits_find_blocking  all limits that block a pending job now, for all pairs
 *   fsi_limits_visit_applied  for a plan: each limit that applies to one pair, whether it blocks the job or not */
#ifndef FSI_LIMITS_ASSOC_LIMITS_H
#define FSI_LIMITS_ASSOC_LIMITS_H

#include "limits/limits.h"

/* Configuration of limits, name ids of TRES, and the record fields that store limits. */
struct fsi_limit_settings {
	bool enforced;			  /* AccountingStorageEnforce contains `limits` or `safe` */
	/* AccountingStorageEnforce contains `safe`: when a job starts, limits on used minutes must leave enough minutes
	 * for its whole time limit */
	bool safe;
	/* assoc_limit_stop: a job that a limit blocks also blocks the jobs after it */
	bool stops;
	uint32_t billing, node, cpu, mem; /* name ids of TRES; 0: not in the snapshot */
	struct fsi_fields own;		  /* limit fields of the job's own association */
	struct fsi_fields group;	  /* limit fields of the associations above the job's own association */
	struct fsi_fields qos;		  /* limit fields of a QOS */
};
void fsi_limits_load_settings(struct fsi_limit_settings *out, const fs_snapshot *m);

/* Returns true if SchedulerParameters has assoc_limit_stop. */
bool fsi_limits_has_assoc_stop(const fs_snapshot *m);

/* Returns true if the limit `name` is tested before nodes are selected (src/slurmctld/acct_policy.c:
 * acct_policy_job_runnable_pre_select). */
bool fsi_limits_is_tested_before_nodes(const char *name);

/* Returns true if the limit with this name applies to the request of each job separately. */
bool fsi_limits_is_named_per_job(const char *name);

/* The limits of one pending job. The caller sets `job_row`, `reason`, `choices`, `nchoices` and `nqos`. */
struct fsi_job_limits {
	uint32_t job_row;
	const struct fs_reason *reason;	   /* recorded pending reason of the job; NULL: unknown */
	/* Pairs of partition and QOS, sorted by partition, then QOS. fsi_limits_find_blocking sets their members
	 * `blocked`, `never`, `untried` and `passed_over`. */
	struct fs_explain_choice *choices;
	size_t nchoices, nqos;		   /* `nqos`: number of elements of `choices` for each partition */
	/* result: the limits found; limits that the pending reason names come first */
	const struct fs_explain_limit *limits;
	size_t nlimits;
};

/* Finds the limits that block the job now, and the limits that its pending reason names. The result is empty if limits
 * are not enforced or the job is not pending. Returns -1 if out of memory. */
int fsi_limits_find_blocking(const struct fsi_limits_context *x, struct fsi_job_limits *job);

/* A limit that applies to a job in one partition with one QOS. */
struct fsi_limit_applied {
	const struct fsi_limit_kind *kind;
	struct fsi_limit_owner at;
	uint32_t tres; /* name id; 0: the limit is not on a TRES */
	double value, wants;
	bool tested; /* false: another limit replaces this limit; the job still counts against this limit */
	bool blocks; /* the limit blocks the job now; set only for FSI_USED_MINUTES and FSI_USED_WALL */
};
typedef int (*fsi_limit_applied_fn)(void *ctx, const struct fsi_limit_applied *l);

/* Calls `fn` for each limit that several jobs share, except limits on queued jobs. If x->nodes is set, also calls `fn`
 * for three limits of a single job: on its TRES, on its TRES on each node, and on its TRES minutes. If limits are not
 * enforced or the job is not pending, does not call `fn`. The caller sets x->requests and x->billing. If `fn` returns
 * nonzero, stops and returns that value. Returns -1 if out of memory. */
int fsi_limits_visit_applied(const struct fsi_limits_context *x, uint32_t job_row, const char *partition,
			     const char *qos, fsi_limit_applied_fn fn, void *ctx);

#endif
