/* Priorities of flux-accounting's plugin. */
#ifndef FSI_PRIORITY_FLUX_H
#define FSI_PRIORITY_FLUX_H

#include "model/flux.h"
#include "priority/priority.h"

#include <string.h>

/* Terms of a row, in the order in which they are added. */
enum fsi_flux_term { FSI_FLUX_FAIRSHARE, FSI_FLUX_QUEUE, FSI_FLUX_BANK, FSI_FLUX_URGENCY, FSI_FLUX_TERMS };

enum { FSI_FLUX_HOLD = 0, FSI_FLUX_DEFAULT_URGENCY = 16, FSI_FLUX_EXPEDITE = 31 };

/* Does its urgency alone say its priority? 0 holds it, 31 puts it before all others. */
static inline bool fsi_flux_direct(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t urgency = fsi_job_rare(m, job)->urgency;

	return FSI_HAS(job, JOB, urgency) && (urgency == FSI_FLUX_HOLD || urgency >= FSI_FLUX_EXPEDITE);
}

/* The association a job is charged to: that of its bank, or of its owner's default bank; FSI_NO_INDEX. */
uint32_t fsi_flux_assoc(const fs_snapshot *m, const struct fsi_job *job);

static inline bool fsi_flux_in_sched(const fs_snapshot *m, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING && !strcmp(fsi_str(m, fsi_job_rare(m, job)->phase), "SCHED");
}

/* What each pending job of Flux waits for: libfs/priority/flux.c. -1 without memory. */
int fsi_flux_holds(struct fs_holds *h);

/* For a plan, which lets jobs come and go: moves what a job counts as from one to the other in h's counts. -1
 * without memory. */
enum fsi_flux_counted { FSI_FLUX_NOT_COUNTED, FSI_FLUX_IN_SCHED, FSI_FLUX_IN_RUN };
int fsi_flux_move(struct fs_holds *h, uint32_t job_row, enum fsi_flux_counted from, enum fsi_flux_counted to);

/* What one look at the held jobs of an association has released, apart from the counts; all 0 before it. */
struct fsi_flux_pass {
	FSI_VEC(struct fsi_flux_lifted) v;
};

/* Has hold i of the job, a limit, room for it now? A limit that is not known has none. */
bool fsi_flux_has_room(const struct fs_holds *h, uint32_t job_row, size_t i, const struct fsi_flux_pass *pass);

/* The limit of hold i lets the job go. scheduled: it is in SCHED and its counts tell. -1 without memory. */
int fsi_flux_lift(const struct fs_holds *h, uint32_t job_row, size_t i, bool scheduled, struct fsi_flux_pass *pass);

/* A factor as flux-accounting's database holds it: std::to_string, six decimals (data_writer_db.cpp). */
double fsi_flux_stored(double factor);

/* The queue that counts for row i where it is not the job's own, "" none; NULL: its own. */
const char *fsi_flux_other_queue(const struct fs_prios *p, size_t i);

#endif
