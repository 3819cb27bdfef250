/* Maui's queue order (src/moab/MQueue.c:MQueuePrioritizeJobs, MQueueSelectAllJobs): falling start priority, then the
 * order of the job table. Blocked are jobs that are held or deferred, over a fair-share cap (src/moab/MFS.c:
 * MFSCheckCap), over a hard limit of one of their credentials without a reservation (MQueueSelectAllJobs), of a negative
 * priority where such are rejected, and those that the scheduler listed as blocked. */
#include "priority/priority.h"
#include "queue/maui_limits.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>

static const struct fsi_queue_key maui_keys[] = {
	{ FS_KEY_PRIORITY, fsi_key_priority },
	{ FS_KEY_TABLE, fsi_key_table },
	{ FS_KEY_JOBID, fsi_key_id },
	{ FS_KEY_LISTED, fsi_key_listed },
};

/* w NULL: the snapshot has no credentials, so that nothing but the scheduler's own list tells. A limit or cap says more
 * than that it was listed as blocked; a soft limit holds back where the list says so. has_priority: the job has a start
 * priority. */
static const char *blocked_by(const struct fs_queue *q, const fs_windows *w, uint32_t job,
			      const char *told, bool has_priority)
{
	const struct fs_reason *reason = *told ? fs_reason_find(told) : NULL;
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (reason && reason->section == FS_SECTION_HELD)
		return reason->name;
	if (fsi_maui_limited(q, job, *told, &limit))
		return "Limit";
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
		const char *why = blocked_by(q, w, r->job, fsi_str(q->m, q->m->job.v[r->job].reason),
					     has[r->job]);

		r->tried = r->in_line = !why;
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
		rc = fsi_maui_limits_load(&q->maui_limits, q->m, err);
	if (!rc)
		settle(q, w, has);
	q->windows = w;
	free(has);
	return rc;
}

const struct fsi_queue_scheduler fsi_queue_of_maui = {
	.keys = maui_keys,
	.nkeys = sizeof(maui_keys) / sizeof(*maui_keys),
	.one_line = true,
	.verdict = fsi_maui_verdict,
	.prepare = maui_prepare,
};
