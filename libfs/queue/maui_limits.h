/* MAXJOB and the like of Maui's credentials, with what is used of them. */
#ifndef FSI_QUEUE_MAUI_LIMITS_H
#define FSI_QUEUE_MAUI_LIMITS_H

#include "fs/explain.h"
#include "model/tables.h"
#include "queue/queue.h"
#include "fairshare/fairshare.h"

struct fsi_maui_limits;

/* Fills q->maui_limits with what running jobs use; it stays NULL where no credential has a limit. 0 or FS_ENOMEM. */
int fsi_maui_limits_load(struct fs_queue *q, struct fs_error *err);
void fsi_maui_limits_free(struct fsi_maui_limits *x);

/* Finds who is over a limit on eligible jobs, by the start priorities of all jobs, NAN unknown. stopped: jobs that
 * something stops before limits are looked at; both are by job row. 0 or FS_ENOMEM. */
int fsi_maui_limits_idle(struct fs_queue *q, const double *priority, const bool *stopped, struct fs_error *err);

/* Would a pending job pass a limit? Looked at are first the hard ones on what runs, then with soft_too the soft
 * ones, each in Maui's order, then with idle_too those on eligible jobs; a job with a reservation is held to none.
 * out: that limit, named as checkjob does, "active HARD MAXJOB". */
bool fsi_maui_limited(const struct fs_queue *q, uint32_t job_row, bool soft_too, bool idle_too,
		      struct fs_explain_limit *out);

/* Was the job over a hard limit when all jobs were looked through by priority, and only those before it counted? Its
 * wait then begins anew, unless JOBPRIOACCRUALPOLICY is ALWAYS (src/MPolicy.c:MQueueSelectAllJobs). */
bool fsi_maui_rejected(const struct fs_queue *q, uint32_t job_row);

/* Was it within soft limits, among them those on eligible jobs? Then it may start by priority; one that is within hard
 * limits, and not rejected, may be backfilled. */
bool fsi_maui_within_soft(const struct fs_queue *q, uint32_t job_row);

/* Is it within soft limits, and held back by a hard one on eligible jobs, which those over soft limits fill? */
bool fsi_maui_soft_alone(const struct fs_queue *q, uint32_t job_row);

/* Would it pass a hard limit on what runs, or with soft_too a soft one, whether it has a reservation or not? */
bool fsi_maui_over(const struct fs_queue *q, uint32_t job_row, bool soft_too);

/* Counts a job of the snapshot that runs from now on, and did not when the queue was computed. */
void fsi_maui_limits_start(struct fs_queue *q, uint32_t job_row);

/* The limits that a credential of Maui's sets. */

enum fsi_maui_measure {
	FSI_MAUI_JOBS,
	FSI_MAUI_PROCS,
	FSI_MAUI_NODES,
	FSI_MAUI_PROC_SECONDS,
	FSI_MAUI_EQUIVALENTS,
	FSI_MAUI_SECONDS,
	FSI_MAUI_MEASURES
};

/* Limits on jobs that run, and on eligible jobs. */
enum fsi_maui_mode { FSI_MAUI_ACTIVE, FSI_MAUI_IDLE };

struct fsi_maui_limit {
	int32_t hard, soft; /* 0: none */
};

/* Use of Maui's limits by credential, for queue/maui_limits.c. */

/* Who has limits: credentials by kind, and each user in a class. */
enum { FSI_MAUI_USER_OF_CLASS = FS_CRED_KINDS, FSI_MAUI_HOLDERS };

/* Use by measure, and by the name id, or that of a user and class. */
struct fsi_maui_use {
	double *of[FSI_MAUI_HOLDERS];
};

struct fsi_maui_pair {
	uint32_t user, class;
};

/* What holds a job: its places in tables of use, 0 for none, and its credentials' rows, FSI_NO_INDEX for none. */
struct fsi_maui_held {
	uint32_t place[FSI_MAUI_HOLDERS];
	uint32_t row[FS_CRED_KINDS];
};

struct fsi_maui_limits {
	struct fsi_creds creds;
	struct fsi_maui_totals totals;
	struct fsi_intern pair;	 /* user and class of jobs */
	uint32_t count[FSI_MAUI_HOLDERS]; /* how many ids there are */
	struct fsi_maui_held *held;	  /* by job row */
	struct fsi_maui_use active;
	uint32_t fallback[FS_CRED_KINDS]; /* fsi_maui_lender */
	struct fs_explain_limit *idle; /* by job: the limit on eligible jobs that it would pass; without a name: none */
	bool *rejected;		       /* by job: was it over a hard limit when jobs were looked through? */
	bool *within_soft;	       /* by job: was it within soft ones, where eligible jobs are counted anew? */
	struct fsi_maui_use left;      /* use of eligible jobs, as clients find it */
	double of_system[FSI_MAUI_MEASURES]; /* limits of any job at all; 0: none */
};

/* Did the iteration that left the snapshot behind start it? It was idle when that looked at priorities and limits,
 * which is before anything starts (src/MSched.c:MSchedProcessJobs). */
bool fsi_maui_just_started(const fs_snapshot *m, size_t job);

#endif
