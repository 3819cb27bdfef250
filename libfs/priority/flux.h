/* Priorities of flux-accounting's plugin, and the limits and holds of Flux jobs (src/plugins/mf_priority.cpp). */
#ifndef FSI_PRIORITY_FLUX_H
#define FSI_PRIORITY_FLUX_H

#include "model/flux.h"
#include "priority/priority.h"

#include <string.h>

/* Terms of a priority, in the order in which flux-accounting's plugin adds them. */
enum fsi_flux_term { FSI_FLUX_FAIRSHARE, FSI_FLUX_QUEUE, FSI_FLUX_BANK, FSI_FLUX_URGENCY, FSI_FLUX_TERMS };

/* Urgencies with a special meaning. */
enum { FSI_FLUX_HOLD = 0, FSI_FLUX_DEFAULT_URGENCY = 16, FSI_FLUX_EXPEDITE = 31 };

/* Returns true if the urgency alone determines the priority: 0 holds the job, 31 puts the job ahead of all other
 * jobs. */
static inline bool fsi_flux_is_priority_direct(const fs_snapshot *m, const struct fsi_job *job)
{
	const uint32_t urgency = fsi_job_ext(m, job)->urgency;

	return FSI_HAS(job, JOB, urgency) && (urgency == FSI_FLUX_HOLD || urgency >= FSI_FLUX_EXPEDITE);
}

/* Returns the association that a job is charged to: the association of its owner in the job's bank, or else in the
 * owner's default bank; FSI_NO_INDEX: none. */
uint32_t fsi_flux_find_assoc(const fs_snapshot *m, const struct fsi_job *job);

/* Returns true if the job is in Flux's state SCHED. */
static inline bool fsi_flux_is_in_sched(const fs_snapshot *m, const struct fsi_job *job)
{
	return job->state == FSI_STATE_PENDING && !strcmp(fsi_name_text(m, fsi_job_ext(m, job)->phase), "SCHED");
}

/* Returns a factor as flux-accounting's database stores it, with six decimals (std::to_string in
 * data_writer_db.cpp). */
double fsi_flux_round_stored_factor(double factor);

/* Returns NULL if the priority of the job's own queue applies to row i of p. Otherwise returns the name of the queue
 * whose priority applies; "": none. */
const char *fsi_flux_other_queue_name(const struct fs_prios *p, size_t i);

/* Returns NULL if the present priority of the job's bank applies to row i of p. Otherwise returns the name of the bank:
 * the priority was changed after the owner's last submission there. Sets *used and *now to the priority that applies
 * and to the present priority; NAN: unknown. */
const char *fsi_flux_old_bank(const struct fs_prios *p, size_t i, double *used, double *now);

#endif
