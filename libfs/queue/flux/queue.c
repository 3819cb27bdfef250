/* Flux's queue order (flux-core: src/modules/job-manager/job.c:job_priority_comparator): falling priority, then the
 * job id, so the order of submission. Eligible are jobs in SCHED whose priority is not 0
 * (src/modules/job-manager/alloc.c); what keeps the others is what fs_holds finds. */
#include "model/flux/flux.h"
#include "priority/flux.h"
#include "queue/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

static const struct fsi_queue_key flux_keys[] = {
	{ FS_QUEUE_KEY_PRIORITY, fsi_key_priority },
	{ FS_QUEUE_KEY_JOBID, fsi_key_id },
	{ FS_QUEUE_KEY_LISTED, fsi_key_listed },
};

static const struct fs_reason *reason_of(const struct fs_hold_row *hold)
{
	const struct fs_reason *r = fs_reason_find(hold->reason);

	return r ? r : fs_reason_find("dependency");
}

/* A job that an administrator put at 0 stays there. The priority of one that is not eligible yet is the one it would
 * get. */
static void find_eligible(struct fs_queue *q, const fs_holds *h)
{
	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];

		r->direct = fsi_flux_direct(q->m, &q->m->job.v[r->job]);
		const bool held = fs_holds_count(h, r->job) > 0, stopped = fsi_flux_stopped(q->m, r->partition);

		r->tried = r->eligible = !held && !stopped;
		const struct fs_reason *reason = held      ? reason_of(fs_holds_row(h, r->job, 0))
						 : stopped ? fs_reason_find("queue-stopped")
							   : fs_reason_find("eligible");

		r->reason = fsi_reason_number(reason);
		r->section = (uint8_t)reason->section;
	}
}

static bool lacks_priority(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n; i++)
		if (isnan(q->record.v[i].priority))
			return true;
	return false;
}

/* Without the settings of the priority plugin the jobs' own numbers are all there is. */
static int flux_prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	bool *has = calloc(q->m->job.n + 1, sizeof(*has));
	fs_holds *h = NULL;
	struct fs_error why;
	int rc = has ? fs_holds_compute(&h, q->m, err) : fsi_nomem(err);

	if (!rc)
		find_eligible(q, h);
	if (!rc && (q->computed || lacks_priority(q))) {
		rc = fsi_queue_priorities(q, o, has, &why);
		if (rc == FS_ENOMEM)
			*err = why;
		else
			rc = 0;
	}
	q->holds = h;
	free(has);
	return rc;
}

const struct fsi_queue_scheduler fsi_queue_of_flux = {
	.keys = flux_keys,
	.nkeys = sizeof(flux_keys) / sizeof(*flux_keys),
	.verdict = fsi_flux_verdict,
	.lacks_nodes = fsi_flux_lacks_nodes,
	.prepare = flux_prepare,
};
