/* Limits of Maui's credentials on running and on eligible jobs: MAXJOB, MAXPROC, MAXNODE, MAXPS, MAXPE and MAXWC
 * (TempleHPC maui-scheduler 3.5, src/MPolicy.c:MPolicyCheckLimit, MPolicyAdjustUsage).
 *
 * A limit belongs to a user, group, account, class or QOS, or to each user in a class. A limit is either active (on
 * running jobs) or idle (on eligible jobs), and either hard or soft. The use of active limits is known once the limits
 * are loaded. The use of idle limits is known once the eligible jobs are counted. A queue owns its struct
 * fsi_maui_limits. If the snapshot has no limits, the queue has no struct fsi_maui_limits; all functions accept NULL
 * instead. */
#ifndef FSI_LIMITS_MAUI_LIMITS_H
#define FSI_LIMITS_MAUI_LIMITS_H

#include "fs/explain.h"
#include "model/maui.h"

struct fsi_maui_limits;

/* Creates *out with the use of the running jobs; *out stays NULL if no credential has a limit. `windows`: usage windows
 * with the fair-share caps; NULL: no caps. `state`: state of jobs that the planner computed; NULL: jobs are as in the
 * snapshot. `windows` and `state` must outlive *out. Returns 0 or FS_ENOMEM; the caller frees *out in both cases. */
int fsi_maui_limits_load_active(struct fsi_maui_limits **out, const fs_snapshot *m, fs_windows *windows,
				const struct fsi_maui_state *state, struct fs_error *err);
void fsi_maui_limits_free(struct fsi_maui_limits *x);

/* Counts the use of eligible jobs, highest start priority first. `priority`: start priorities indexed by job row; NAN:
 * unknown. `stopped`: indexed by job row; true: the job is blocked before limits are tested. Returns 0 or FS_ENOMEM. */
int fsi_maui_limits_count_eligible(struct fsi_maui_limits *x, const double *priority, const bool *stopped,
				   struct fs_error *err);

/* Returns true if a pending job would exceed a limit. Then sets *out to that limit, with the name that checkjob prints:
 * "active HARD MAXJOB". Limits are tested in this order: hard active limits, soft active limits if `soft_too` is set,
 * idle limits if `idle_too` is set, limits on every single job. Returns false for a job with a reservation. */
bool fsi_maui_limits_find_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too, bool idle_too,
				   struct fs_explain_limit *out);

/* Like fsi_maui_limits_find_exceeded, but compares limits with the use that Maui's commands report after an iteration.
 * Tests hard active limits, hard idle limits, and the limits on every single job (SYSTEMMAXPROCPERJOB and so on). */
bool fsi_maui_limits_find_shown(const struct fsi_maui_limits *x, uint32_t job_row, struct fs_explain_limit *out);

/* Returns true if the job exceeded a hard limit when the eligible jobs were counted. The job's queue time then starts
 * anew, unless JOBPRIOACCRUALPOLICY is ALWAYS (src/MPolicy.c:MQueueSelectAllJobs). */
bool fsi_maui_limits_is_rejected(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job was within all soft limits when the eligible jobs were counted. Such a job may start by
 * priority. A job that exceeds a soft limit, but no hard limit, may only be backfilled. */
bool fsi_maui_limits_is_within_soft(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job is within all soft limits, but exceeds a hard idle limit. This is possible because jobs that
 * exceed only a soft limit count against hard idle limits, but not against soft idle limits. */
bool fsi_maui_limits_is_only_idle_rejected(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job would exceed a hard active limit or, if `soft_too` is set, a soft active limit. Also tests
 * jobs with a reservation, like all other jobs. */
bool fsi_maui_limits_is_active_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too);

/* Adds the use of a job that started after the limits were loaded. */
void fsi_maui_limits_add_started_job(struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job was started by the last iteration before the snapshot. When that iteration computed
 * priorities and limits, the job was still idle (src/MSched.c:MSchedProcessJobs). */
bool fsi_maui_is_just_started(const fs_snapshot *m, size_t job);

#endif
