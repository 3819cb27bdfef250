/* Priorities of flux-accounting's plugin, and the limits and holds of Flux jobs (src/plugins/mf_priority.cpp). */
#ifndef FSI_PRIORITY_FLUX_H
#define FSI_PRIORITY_FLUX_H

#include "model/flux.h"
#include "priority/priority.h"

#include <string.h>

/* Terms of a row, in the order of addition. */
enum fsi_flux_term { FSI_FLUX_FAIRSHARE, FSI_FLUX_QUEUE, FSI_FLUX_BANK, FSI_FLUX_URGENCY, FSI_FLUX_TERMS };

/* Urgencies with a special meaning. */
enum { FSI_FLUX_HOLD = 0, FSI_FLUX_DEFAULT_URGENCY = 16, FSI_FLUX_EXPEDITE = 31 };

/* Returns true if the urgency alone determines the priority: 0 holds the job, 31 puts it ahead of all others. */
static inline bool fsi_flux_direct(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t urgency = fsi_job_rare(m, job)->urgency;

	return FSI_HAS(job, JOB, urgency) && (urgency == FSI_FLUX_HOLD || urgency >= FSI_FLUX_EXPEDITE);
}

/* Returns the association a job is charged to: the one of its bank, or of its owner's default bank; FSI_NO_INDEX:
 * none. */
uint32_t fsi_flux_assoc(const fs_snapshot *m, const struct fsi_job *job);

/* Returns true if the job is in Flux's state SCHED. */
static inline bool fsi_flux_in_sched(const fs_snapshot *m, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING && !strcmp(fsi_str(m, fsi_job_rare(m, job)->phase), "SCHED");
}

/* Finds the holds of each pending Flux job. Returns -1 if out of memory. */
int fsi_flux_holds(struct fs_holds *h);

/* Classes of jobs that limits count. */
enum fsi_flux_counted { FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED, FSI_FLUX_IN_RUN };
/* Moves the job from one class to another in the counts of h; for plans, in which jobs start and end. Returns -1 if out
 * of memory. */
int fsi_flux_move(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to);

/* Jobs released in one pass over the held jobs of an association that are not in the counts yet. Zero at the start. */
struct fsi_flux_pass {
	FSI_VEC(struct fsi_flux_lifted) v;
};

/* Returns true if hold i of the job is a limit that currently admits the job. An unknown limit does not. */
bool fsi_flux_has_room(const struct fs_holds *h, uint32_t job_row, size_t i, const struct fsi_flux_pass *pass);

/* Releases the job from the limit of hold i. scheduled: the job is in SCHED and already counted there. Returns -1 if
 * out of memory. */
int fsi_flux_lift(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled, struct fsi_flux_pass *pass);

/* Returns a factor as flux-accounting's database stores it, with six decimals (std::to_string in
 * data_writer_db.cpp). */
double fsi_flux_stored(double factor);

/* Returns the name of the queue whose priority applies to row i if it is not the job's own, "" for none. NULL: the
 * job's own queue. */
const char *fsi_flux_other_queue(const struct fs_prios *p, size_t i);

#endif
