/* What a capture of Flux leaves open. */
#include "snapshot/check.h"

#include "model/flux/flux.h"
#include "model/scheduler.h"

#include <stdio.h>

/* Jobs whose priority depends on a queue that nothing tells: that of their association's last job. */
static size_t open_jobs(const fs_snapshot *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *job = &m->job.v[i];
		const bool waits = job->state == FSI_STATE_PENDING && !FSI_HAS(job, JOB, priority);
		const uint32_t a = waits ? m->scheduler->charged_to(m, job) : FSI_NO_INDEX;

		n += a != FSI_NO_INDEX && !FSI_HAS(&m->association.v[a], ASSOCIATION, last_job);
	}
	return n;
}

static void check_last_jobs(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	const size_t n = fsi_flux_queues_differ(m) ? open_jobs(m) : 0;
	const bool cut = fsi_hidden(m, FSI_HIDDEN_LAST_JOBS);
	char sentence[400];

	if (!n)
		return;
	snprintf(sentence, sizeof(sentence),
		 "%zu job%s no priority yet, and Flux will count with the queue of %s owner's last job, ended or not: %s",
		 n, n == 1 ? " has" : "s have", n == 1 ? "its" : "each one's",
		 cut ? "the ended jobs captured do not reach back to it, so that the priority is unknown"
		     : "jobs that ended were not captured, so that the last of those that have not is taken");
	note(ctx, sentence);
}

size_t fsi_check_flux(const fs_snapshot *m, fs_note_fn note, void *ctx)
{
	check_last_jobs(m, note, ctx);
	return fsi_check_references(m, note, ctx);
}
