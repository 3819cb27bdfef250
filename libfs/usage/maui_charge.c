/* What running jobs have added to the current window since its file was written, or since it began.
 *
 * Maui charges in every iteration (src/moab/MStats.c:MStatUpdateActiveJobUsage): to each running job the time since
 * the iteration before, nothing in the one in which it was first seen running. The first iteration of a window is
 * still charged to the window before (src/server/Server.c:ServerProcessRequests rolls after it). Iterations are
 * taken to be RMPOLLINTERVAL apart, the last one at the time of the snapshot. A server in NORMAL mode writes the
 * window's file at every checkpoint, after the iteration's charge (ServerProcessRequests); a simulation does not.
 *
 *   DEDICATEDPS, UTILIZEDPS   seconds * processors (UTILIZEDPS: where no load is known, as here)
 *   NONE                      as DEDICATEDPS, though it counts for nothing; no window is read, and none ever ends
 *   DEDICATEDPES              seconds * processor equivalents */
#include "usage/windows.h"

/* The first iteration at or after t. */
static int64_t iteration_from(const struct fsi_windows *w, int64_t t)
{
	const int64_t now = w->m->info.time;

	return now - (now - t) / w->conf.poll_s * w->conf.poll_s;
}

/* The seconds for which a job was charged to the current window. */
static int64_t charged_s(const struct fsi_windows *w, const struct fsi_job *job)
{
	const int64_t now = w->m->info.time;
	const bool rolls = w->conf.policy != FSI_FS_NONE;
	const int64_t roll = rolls ? iteration_from(w, w->start) : INT64_MIN;
	const bool ended = job->state == FSI_STATE_COMPLETED && FSI_HAS(job, JOB, end_time);
	int64_t from, to = now;

	if ((job->state != FSI_STATE_RUNNING && !ended) || !FSI_HAS(job, JOB, start_time) ||
	    job->start_time > now)
		return 0;
	if (ended && job->end_time <= now) /* the last iteration that still saw it */
		to = now - ((now - job->end_time) / w->conf.poll_s + 1) * w->conf.poll_s;
	from = iteration_from(w, job->start_time);
	if (from < roll)
		from = roll;
	if (from < w->written)
		from = w->written;
	return to > from ? to - from : 0;
}

void fsi_maui_charge(struct fsi_windows *w)
{
	uint32_t rows[FS_CRED_KINDS];

	for (size_t i = 0; i < w->m->job.n; i++) {
		const struct fsi_job *job = &w->m->job.v[i];
		const int64_t seconds = charged_s(w, job);
		double amount;

		if (!seconds)
			continue;
		amount = (double)seconds * (w->conf.policy == FSI_FS_DEDICATEDPES
						    ? fsi_maui_pe(w->m, &w->totals, job)
						    : (double)job->cpus);
		fsi_job_creds(w->m, &w->creds, job, rows);
		for (int k = 0; k < FS_CRED_KINDS; k++)
			if (rows[k] != FSI_NO_INDEX)
				w->usage[(size_t)rows[k] * w->slots] += amount;
		w->usage[(size_t)(w->n - 1) * w->slots] += amount;
	}
}
