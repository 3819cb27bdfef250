/* The plan of the copy as far as the job. */
#include "advise/advise.h"
#include "model/scheduler.h"
#include "plan/scheduler.h"

#include <stdlib.h>

/* How many records stand before the job's first one, or up to its last one. Components of a het job wait for each other,
 * wherever they stand. */
static size_t records(const struct fs_advices *a, const struct fs_queue *q, bool with_job)
{
	const uint32_t row = fsi_job_row(a->m, a->job);
	size_t n = 0;

	if (with_job && a->m->job.v[row].het_job_id)
		return q->record.n;
	for (size_t i = 0; i < q->record.n; i++) {
		if (q->record.v[i].job != row)
			continue;
		if (!with_job)
			return i;
		n = i + 1;
	}
	return n ? n : q->record.n;
}

int fsi_advise_plan(struct fs_advices *a, bool with_job, fs_plan **out)
{
	const struct fs_queue_options o = { .view = a->view };
	fs_plan *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fsi_nomem(a->err);
	p->c.m = a->m;
	p->view = a->view;
	p->mode = FS_PLAN_BACKFILL;
	p->compat = a->view.compat ? a->view.compat : a->m->info.version;
	rc = fs_queue_compute(&p->queue, a->m, &o, a->err);
	if (!rc) {
		p->queue->record.n = records(a, p->queue, with_job);
		rc = a->m->scheduler->plan->run(p, a->err);
	}
	if (rc)
		fs_plan_free(p);
	else
		*out = p;
	return rc;
}
