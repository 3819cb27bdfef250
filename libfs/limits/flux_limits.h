/* Holds of pending Flux jobs, including the limits that flux-accounting sets on associations and queues
 * (src/plugins/mf_priority.cpp, accounting.cpp; flux-core, src/modules/job-manager/alloc.c).
 *
 * A hold is a reason why a job may not start: a dependency, a limit, an urgency of 0 or a priority of 0. When a limit
 * holds a job, flux-accounting's plugin adds a dependency to the job ("max-running-jobs-user-limit").
 *
 * The use of a limit is counted per association, which is a user in a bank. A limit of a queue counts only the jobs
 * that the association has in that queue. A job that does not ask for nodes is counted as one node.
 *
 * struct fs_holds contains the holds of each job and the counts of each association. A plan updates the counts as its
 * jobs start and end (fsi_flux_move_count), then releases the jobs that no longer exceed their limits
 * (fsi_flux_limit_admits_job, fsi_flux_release_job). Until the counts of the association
 * include a released job, struct fsi_flux_release_pass counts it separately. */
#ifndef FSI_LIMITS_FLUX_LIMITS_H
#define FSI_LIMITS_FLUX_LIMITS_H

#include "fs/queue.h"
#include "base/memory.h"
#include "model/tables.h"

/* Finds the holds of all pending Flux jobs (member `holds` of struct fsi_scheduler). Returns -1 if out of memory. */
int fsi_flux_find_holds(struct fs_holds *h);

/* Limits against which a job counts: none, the limits on jobs in SCHED, or the limits on running jobs. */
enum fsi_flux_counted { FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED, FSI_FLUX_IN_RUN };

/* Updates the counts of a job's association: the job no longer counts against the limits `from`, but against the limits
 * `to`. Returns -1 if out of memory. */
int fsi_flux_move_count(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to);

/* A plan goes through the held jobs of an association and releases some of them. This struct lists the released jobs.
 * The struct is set to zero each time the plan begins to go through the jobs. The caller frees `v`. */
struct fsi_flux_release_pass {
	FSI_VEC(struct fsi_flux_released_job) v;
};

/* Returns true if the job could run now without exceeding the limit that added its hold `i`. Returns false if the limit
 * is unknown. */
bool fsi_flux_limit_admits_job(const struct fs_holds *h, uint32_t job_row, size_t i,
			       const struct fsi_flux_release_pass *pass);

/* Records in `pass` that the job is released from its hold `i`, which a limit added. `scheduled`: the job is in SCHED,
 * and the counts of jobs in SCHED include the job. Returns -1 if out of memory. */
int fsi_flux_release_job(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled,
			 struct fsi_flux_release_pass *pass);

#endif
