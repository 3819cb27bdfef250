/* Use of Maui's limits by credential, for queue/maui/limits.c. */
#ifndef FSI_MAUI_USE_H
#define FSI_MAUI_USE_H

#include "fairshare/maui.h"
#include "queue/maui/limit_values.h"
#include "queue/queue.h"

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

/* The name of a job's credential, and its user and class; 0 for none. */
uint32_t fsi_maui_cred_name(const fs_snapshot *m, const struct fsi_job *j, enum fs_cred_kind kind);
struct fsi_maui_pair fsi_maui_pair_of(const fs_snapshot *m, const struct fsi_job *j);

/* Once the credentials and pairs are counted. */
struct fsi_maui_held fsi_maui_held_of(const struct fsi_maui_limits *x, const fs_snapshot *m, const struct fsi_job *j);

/* Does it count as running? */
bool fsi_maui_active(const fs_snapshot *m, size_t job);

/* Did the iteration that left the snapshot behind start it? It was idle when that looked at priorities and limits,
 * which is before anything starts (src/MSched.c:MSchedProcessJobs). */
bool fsi_maui_just_started(const fs_snapshot *m, size_t job);

void fsi_maui_measure(const struct fs_queue *q, const struct fsi_job *j, double out[FSI_MAUI_MEASURES]);
void fsi_maui_use_add(const struct fs_queue *q, struct fsi_maui_use *use, const struct fsi_job *j, int times);

/* -1 without memory. */
int fsi_maui_use_make(struct fsi_maui_use *use, const struct fsi_maui_limits *x);
void fsi_maui_use_release(struct fsi_maui_use *use);

#endif
