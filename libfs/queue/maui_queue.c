/* Maui's queue order (src/moab/MQueue.c:MQueuePrioritizeJobs, MQueueSelectAllJobs): falling start priority, then the
 * order of the job table. Blocked are jobs that are held or deferred, over a fair-share cap (src/moab/MFS.c:
 * MFSCheckCap), of a negative priority where such are rejected, and those that the scheduler listed as blocked. */
#include "priority/priority.h"
#include "queue/queue.h"

#include <math.h>
#include <stdlib.h>

static const struct fsi_queue_key maui_keys[] = {
	{ FS_KEY_PRIORITY, fsi_key_priority },
	{ FS_KEY_TABLE, fsi_key_table },
	{ FS_KEY_JOBID, fsi_key_id },
	{ FS_KEY_LISTED, fsi_key_listed },
};

/* w NULL: the snapshot has no credentials, so that nothing but the scheduler's own list tells. A cap says more than
 * that it was listed as blocked. has_priority: the job has a start priority. */
static const char *blocked_by(const fs_windows *w, uint32_t job, const char *told,
			      bool has_priority)
{
	const struct fs_reason *reason = *told ? fs_reason_find(told) : NULL;
	struct fs_cap_row cap;

	if (reason && reason->section == FS_SECTION_HELD)
		return reason->name;
	if (w && fs_windows_capped(w, job, &cap))
		return "FairShare";
	if (*told)
		return "Blocked";
	return w && !has_priority ? "NegativePriority" : NULL;
}

static void settle(struct fs_queue *q, const fs_windows *w, const bool *has)
{
	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const char *why = blocked_by(w, r->job, fsi_str(q->m, q->m->job.v[r->job].reason),
					     has[r->job]);

		r->in_line = !why;
		r->reason = fs_reason_find(why ? why : "None");
		r->section = (uint8_t)r->reason->section;
	}
}

static int maui_prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	bool *has = calloc(q->m->job.n + 1, sizeof(*has));
	fs_windows *w = NULL;
	int rc = has ? 0 : fsi_nomem(err);

	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	if (!rc)
		rc = fs_windows_compute(&w, q->m, o ? o->maui_dialect : FS_MAUI_CODE, err);
	if (!rc)
		rc = fsi_queue_priorities(q, o, has, err);
	else if (rc == FS_ENODATA)
		rc = 0;
	if (!rc)
		settle(q, w, has);
	fs_windows_free(w);
	free(has);
	return rc;
}

const struct fsi_queue_scheduler fsi_queue_of_maui = { .scheduler = FS_MAUI,
	.keys = maui_keys,
	.nkeys = sizeof(maui_keys) / sizeof(*maui_keys),
	.one_line = true,
	.prepare = maui_prepare };
