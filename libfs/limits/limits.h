/* Limits of jobs: the kinds of Slurm's association and QOS limits, and their current use.
 *
 * A limit has a kind (its name, what it measures, whose jobs it counts), an owner (the record that sets it), a value,
 * and a current use. It blocks a pending job if the use plus the amount that the job would add exceeds the value.
 * Limits of Slurm and Maui that block a job are reported as struct fs_explain_limit, those of Flux as struct
 * fs_hold_row.
 *
 *   limits.c        Slurm: kinds, jobs that count against a limit, current use, run minutes
 *   assoc_limits.c  Slurm: the limits that apply to a job, and whether each blocks it
 *   maui_limits.c   Maui: MAXJOB and similar limits of credentials, active and idle, hard and soft
 *   flux_limits.c   Flux: flux-accounting's limits of associations and queues, with the other holds of a job
 *
 * How the owner of a limit is named:
 *   Slurm  enum fs_limit_scope, with the account of the association or the name of the QOS
 *   Maui   the kind of the credential (user, group, account, class, QOS) and its name
 *   Flux   the bank of the association, or the queue
 *
 * Results live in the arena of the caller; names in them are strings of the snapshot. NAN: the snapshot does not have
 * the number. An unknown use or an unknown request blocks no job. */
#ifndef FSI_LIMITS_LIMITS_H
#define FSI_LIMITS_LIMITS_H

#include "fs/explain.h"
#include "model/jobs.h"
#include "model/model.h"
#include "usage/billing.h"

/* The quantity that is compared with the value of a limit. */
enum fsi_limit_measure {
	FSI_RUNNING_TRES, /* TRES allocated to running jobs */
	FSI_RUNNING_JOBS, /* number of running jobs */
	FSI_QUEUED_JOBS,  /* number of running and pending jobs */
	FSI_USED_MINUTES, /* TRES minutes already used */
	FSI_RUN_MINUTES,  /* run minutes: TRES minutes that running jobs may still use */
	FSI_USED_WALL,    /* seconds of wall-clock time that jobs have already used */
	FSI_JOB_TRES,     /* TRES of one job; this and all measures with a greater number apply to each job alone */
	FSI_NODE_TRES,    /* TRES of one job on each of its nodes */
	FSI_JOB_MINUTES,  /* TRES minutes of one job */
	FSI_JOB_TIME,     /* time limit of one job */
	FSI_MIN_TRES      /* minimum TRES that one job must request */
};

/* The jobs that count against a limit: the jobs of everybody, or only the jobs of the pending job's user or account. */
enum fsi_limit_counted { FSI_ALL_USERS, FSI_USER, FSI_ACCOUNT };

/* One kind of limit: a field of an association or of a QOS. */
struct fsi_limit_kind {
	const char *name; /* name of the limit, such as "GrpTRES" */
	enum fsi_limit_measure measure;
	enum fsi_limit_counted counted;
	enum fsi_field_type type; /* type of the record's field: TRES, U32 or DUR */
	uint8_t bit;              /* number of the field, as in struct fsi_fields */
	uint16_t offset;          /* offset of the field in the record */
};

/* All kinds of limits, in the order in which src/slurmctld/acct_policy.c tests them. The first
 * FSI_ASSOC_GROUP_LIMIT_COUNT elements of fsi_assoc_limits are also tested for every ancestor of the association. */
extern const struct fsi_limit_kind fsi_assoc_limits[], fsi_qos_limits[];
extern const size_t fsi_assoc_limit_count, fsi_qos_limit_count;

/* Returns true if the limit restricts each single job; other jobs do not count against it. */
bool fsi_limits_is_per_job(const struct fsi_limit_kind *k);

/* The owner of a limit: a QOS, or an association together with all associations below it. */
struct fsi_limit_owner {
	enum fs_limit_scope scope;
	uint32_t assoc; /* row of the association; FSI_NO_INDEX: a QOS sets the limit */
	uint32_t qos;   /* name id of the QOS */
};

struct fsi_limit_settings;
struct fsi_limit_totals;

/* Inputs of the functions that find the limits of a job. */
struct fsi_limits_context {
	const fs_snapshot *m;
	const struct fsi_viewer *viewer;
	const fs_usage *usage;                 /* usage of the associations; NULL: recorded usage */
	struct fsi_arena *arena;               /* arena that owns the memory of the results */
	const struct fsi_limit_settings *site; /* configuration of limits; NULL: read anew for each job */
	const struct fsi_request_settings
		*requests;                 /* settings that affect job requests; NULL: read anew for each job */
	const struct fsi_billing *billing; /* billing mode and TRES weights; NULL: read anew for each job */
	/* Stores the use of each limit, so the use is counted only once and not for each pending job. The holders of a
	 * limit (struct fs_explain_holder: users and accounts whose jobs make up the use) are then not listed. Limits
	 * on queued jobs are an exception: they are counted for each pending job, with holders. NULL: all limits are
	 * counted for each pending job, with holders. */
	struct fsi_limit_totals *totals;
	uint32_t nodes; /* number of nodes selected for the job; 0: unknown */
	uint64_t cpus;  /* CPUs of the selected nodes; 0: the job does not get whole nodes */
	/* the job is being submitted: limits on queued jobs, which count the job too, block it */
	bool submitted;
};

/* Copies n elements of `size` bytes to the context's arena. NULL means out of memory, even if n is 0. */
void *fsi_limits_copy_results(const struct fsi_limits_context *from, const void *v, size_t n, size_t size);

/* Returns true if job `j` counts against the limit of the association or QOS `at` when Slurm tests the limit for the
 * job `pending`. Job `j` must have allocated resources. */
bool fsi_limits_is_job_counted(const fs_snapshot *m, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			       const struct fsi_job *pending, const struct fsi_job *j);

/* Returns the amount of the TRES that is allocated to a job, or that a pending job requests; NAN: unknown. */
double fsi_limits_get_job_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* ---- data that all pending jobs share: the jobs with allocated resources, and the use of each limit */

/* Jobs with allocated resources, and the current use of each limit. The caller sets `m`, zeroes the other members, and
 * releases the struct. */
struct fsi_limit_totals {
	const fs_snapshot *m;
	uint32_t *holding; /* rows of the jobs with allocated resources, lowest row first; NULL: not listed yet */
	/* the rows of `holding` sorted by user, account or association; NULL: not sorted yet */
	uint32_t *by_user, *by_account, *by_assoc;
	/* number of elements of each array: `holding`, `by_user`, `by_account`, `by_assoc` */
	size_t n;
	/* Maps a key to 1 + index in `use`. A key consists of the limit, the association or QOS that sets the limit,
	 * the TRES, and the name of the counted user or account. */
	struct fsi_intern keys;
	FSI_VEC(double) use; /* current use of each limit; NAN: not counted yet */
};
void fsi_limits_release_totals(struct fsi_limit_totals *t);

/* Returns the rows of the jobs with allocated resources that may count against the limit. These are the jobs of the
 * pending job's user or account, the jobs below the association that sets the limit, or all jobs. Sets *n to the number
 * of rows. Returns NULL if out of memory. */
const uint32_t *fsi_limits_list_holding_jobs(struct fsi_limit_totals *t, const struct fsi_limit_kind *k,
					     const struct fsi_limit_owner *at, const struct fsi_job *job, size_t *n);

/* ---- use of one limit */

/* Counter of the use of one limit. The caller sets `x`, `job` and `totals`, zeroes the other members, and releases the
 * struct. */
struct fsi_limit_counter {
	const struct fsi_limits_context *x;
	const struct fsi_job *job; /* the pending job; its user and account select the counted jobs */
	FSI_VEC(struct fs_explain_holder) holder;
	struct fsi_intern holders; /* maps a key (user, account) to 1 + index in `holder` */
	/* Set of the nodes on which counted jobs run, so that no node is counted twice. A key consists of a number and
	 * the node's name. The number is 1 + the index in `holder`, or 0 for the total of all users and accounts. */
	struct fsi_intern nodes;
	/* Stored use of each limit. The use is counted once for all pending jobs, and `holder` is not filled. Limits on
	 * queued jobs are not stored: their use is counted again for `job`, and `holder` is filled. NULL: no use is
	 * stored, so all limits are counted for `job`. */
	struct fsi_limit_totals *totals;
};
void fsi_limits_release_counter(struct fsi_limit_counter *c);

/* Sets l->used to the current use of the limit; NAN: unknown. Sets l->holders if the use is counted from jobs. If
 * `safe` is true, sets l->reserved_minutes to the run minutes that count in addition to used minutes. `tres`: name id
 * of the TRES. Returns -1 if out of memory. */
int fsi_limits_count_use(struct fsi_limit_counter *c, const struct fsi_limit_kind *k, const struct fsi_limit_owner *at,
			 uint32_t tres, bool safe, struct fs_explain_limit *l);

#endif
