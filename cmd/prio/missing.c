/* Why a requested job has no priority. */
#include "prio/prio.h"
#include "render/text.h"
#include "words/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fills *job with the job of the given id, and returns true, if the snapshot has the job and the viewer may see it. If
 * there is no such job, looks for a job of the array with this id. */
static bool find_visible_job(const struct prio_run *r, uint64_t id, struct fs_job *job)
{
	const size_t n = fs_snapshot_info(r->snapshot)->jobs;
	bool *seen = calloc(n + 1, sizeof(*seen));
	size_t found = n;

	if (seen)
		fs_snapshot_visible_jobs(r->snapshot, input_get_viewer_name(&r->input), seen);
	for (size_t i = 0; seen && i < n && id; i++) {
		if (!seen[i] || !fs_snapshot_job(r->snapshot, i, job))
			continue;
		if (job->id == id)
			found = i;
		else if (found == n && job->array.job == id)
			found = i;
	}
	free(seen);
	return found < n && fs_snapshot_job(r->snapshot, found, job);
}

/* Describes a pending job that is not held. */
static void describe_pending_job(const struct prio_run *r, const struct fs_job *job, char *buf, size_t size)
{
	const int64_t eligible = job->times.eligible;
	const struct fs_snapshot_info *info = fs_snapshot_info(r->snapshot);
	char when[WORDS], seen[200];

	if (eligible != FS_UNKNOWN && eligible > info->time)
		snprintf(buf, size, "it is not eligible before %s", format_full_time(when, r->snapshot, eligible));
	else if (*job->request.dependency)
		snprintf(buf, size, "it is not eligible; it waits for its dependency %s",
			 text_make_visible(seen, sizeof(seen), job->request.dependency));
	else if (eligible == FS_UNKNOWN && *job->reason)
		snprintf(buf, size, "it is not eligible (reason %s)",
			 text_make_visible(seen, sizeof(seen), job->reason));
	else
		snprintf(buf, size, "the scheduler has not computed one");
}

const char *prio_describe_missing_job(const struct prio_run *r, uint64_t id, char *buf, size_t size)
{
	struct fs_job job;
	char seen[100];

	if (!find_visible_job(r, id, &job))
		snprintf(buf, size, "the snapshot shows no such job");
	else if (job.id != id && job.array.has_task)
		snprintf(buf, size, "it is an array; name one of its tasks, such as %llu_%u",
			 (unsigned long long)job.array.job, job.array.task);
	else if (strcmp(job.state, "PENDING") != 0)
		snprintf(buf, size, "it is not pending (state %s)", text_make_visible(seen, sizeof(seen), job.state));
	else if (!job.priority)
		snprintf(buf, size, "it is held: its priority is 0 (reason %s)",
			 *job.reason ? text_make_visible(seen, sizeof(seen), job.reason) : "unknown");
	else
		describe_pending_job(r, &job, buf, size);
	return buf;
}
