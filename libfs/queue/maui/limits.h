/* MAXJOB and the like of Maui's credentials, with what is used of them. */
#ifndef FSI_MAUI_LIMITS_H
#define FSI_MAUI_LIMITS_H

#include "queue/queue.h"

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

#endif
