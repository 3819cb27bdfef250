/* Limits of Maui's credentials on running and on eligible jobs: MAXJOB, MAXPROC, MAXNODE, MAXPS, MAXPE and MAXWC
 * (TempleHPC maui-scheduler 3.5, src/MPolicy.c:MPolicyCheckLimit, MPolicyAdjustUsage).
 *
 * A limit belongs to a user, group, account, class or QOS, or to each user in a class. It is active (on what runs) or
 * idle (on eligible jobs), and hard or soft. The use of active limits is known once the limits are loaded; that of idle
 * limits once the eligible jobs are counted. A queue owns its struct fsi_maui_limits. All functions accept a NULL
 * pointer, which stands for a snapshot without any limit. */
#ifndef FSI_LIMITS_MAUI_LIMITS_H
#define FSI_LIMITS_MAUI_LIMITS_H

#include "fs/explain.h"
#include "model/maui.h"

struct fsi_maui_limits;

/* Creates *out with the use of the running jobs; *out stays NULL if no credential has a limit. windows: for fair-share
 * caps; NULL: none. state: the planner's; NULL: as in the snapshot. Both outlive *out. Returns 0 or FS_ENOMEM; the
 * caller frees *out in both cases. */
int fsi_maui_limits_load_active(struct fsi_maui_limits **out, const fs_snapshot *m, fs_windows *windows,
				const struct fsi_maui_state *state, struct fs_error *err);
void fsi_maui_limits_free(struct fsi_maui_limits *x);

/* Counts the eligible jobs, in falling order of the start priorities of all jobs (NAN: unknown). stopped[job row]: the
 * job is blocked before limits are tested. Returns 0 or FS_ENOMEM. */
int fsi_maui_limits_count_eligible(struct fsi_maui_limits *x, const double *priority, const bool *stopped,
				   struct fs_error *err);

/* Returns true if a pending job would exceed a limit. The hard active limits are tested first; then with soft_too the
 * soft active ones; then with idle_too those on eligible jobs. A job with a reservation is under no limit. Sets *out to
 * the limit, named as checkjob names it: "active HARD MAXJOB". */
bool fsi_maui_limits_find_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too, bool idle_too,
				   struct fs_explain_limit *out);

/* As fsi_maui_limits_find_exceeded, but with the use that Maui's commands see after an iteration: the hard active
 * limits, the hard idle ones, those of the system. */
bool fsi_maui_limits_find_shown(const struct fsi_maui_limits *x, uint32_t job_row, struct fs_explain_limit *out);

/* Returns true if the job exceeded a hard limit when the eligible jobs were counted. Its wait then begins anew, unless
 * JOBPRIOACCRUALPOLICY is ALWAYS (src/MPolicy.c:MQueueSelectAllJobs). */
bool fsi_maui_limits_is_rejected(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job was within all soft limits when the eligible jobs were counted. Such a job may start by
 * priority; a job that is only within hard limits and not rejected may be backfilled. */
bool fsi_maui_limits_is_within_soft(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job is within soft limits and only a hard idle limit rejects it, because jobs over soft limits
 * use that limit up. */
bool fsi_maui_limits_is_only_idle_rejected(const struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the job, with or without a reservation, would exceed a hard active limit, or with soft_too a soft
 * one. */
bool fsi_maui_limits_is_active_exceeded(const struct fsi_maui_limits *x, uint32_t job_row, bool soft_too);

/* Adds the use of a job that started after the limits were loaded. */
void fsi_maui_limits_add_started_job(struct fsi_maui_limits *x, uint32_t job_row);

/* Returns true if the iteration before the snapshot started the job. The job was idle when that iteration computed
 * priorities and limits, before any start (src/MSched.c:MSchedProcessJobs). */
bool fsi_maui_is_just_started(const fs_snapshot *m, size_t job);

#endif
