/* How long jobs of Maui have waited. A job counts with what it had waited when an iteration last let it through
 * (J->EffQueueDuration, src/MPolicy.c:MQueueSelectJobs), and as long as none has with all of its time in the queue
 * (src/MPriority.c:MJobGetStartPriority). checkjob alone tells the first of a job that is blocked. */
#include "plan/maui/maui.h"

#include "queue/maui/limits.h"

static bool wait_counts(const fs_snapshot *m, const struct fsi_maui_conf *c)
{
	bool any = c->weight[FSI_MT_QUEUETIME] != 0 || c->weight[FSI_MT_XFACTOR] != 0;

	for (size_t i = 0; i < m->credential.n; i++)
		any = any || m->credential.v[i].queuetime_weight || m->credential.v[i].xfactor_weight;
	return any && c->group_weight[FSI_MG_SERVICE] != 0;
}

void fsi_maui_waits_begin(struct fsi_maui_run *x, const struct fsi_maui_conf *c)
{
	const bool counts = wait_counts(&x->view, c);

	for (size_t i = 0; i < x->p->nrows; i++) {
		struct fsi_plan_row *row = &x->p->row[i];
		const struct fsi_job *j = &x->view.job.v[row->job];
		const uint32_t told = FSI_HAS(j, JOB, eligible_s) ? fsi_job_rare(&x->view, j)->eligible_s : 0;

		if (row->eligible)
			continue;
		if (told)
			x->waited[row->job] = told;
		else if (counts && !FSI_HAS(j, JOB, eligible_s))
			row->unmodelled |= FS_UNMODELLED_WAIT;
	}
}

void fsi_maui_waits_end(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->p->nrows; i++)
		if (x->p->row[i].start == FS_UNKNOWN)
			x->p->row[i].unmodelled &= ~(unsigned)FS_UNMODELLED_WAIT;
}

/* Who begins to wait anew with the next iteration: whom a hard limit rejects on the way through all jobs, and by
 * FULLPOLICY who is held, capped or over a limit once all that runs is counted (src/MPolicy.c:MQueueSelectAllJobs,
 * MQueueCheckSingleJob). */
void fsi_maui_note_blocked(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		x->waits_anew[r->job] =
			(x->rules.accrues && fsi_maui_rejected(x->queue, r->job)) ||
			(x->rules.held_accrues && (!r->eligible || fsi_maui_over(x->queue, r->job, false)));
	}
}

/* Was it blocked in the snapshot, which does not tell how long it had waited? */
static bool is_untold(const struct fsi_maui_run *x, uint32_t job)
{
	const uint32_t row = x->p->row_of[job];

	return row && !x->p->row[row - 1].eligible && !FSI_HAS(&x->view.job.v[job], JOB, eligible_s);
}

/* A job's wait counts up to the last iteration that let it through, which is the one before the next that is looked at;
 * what started has waited till now. No wait at all is none that was noted. Of one that something always blocked all of
 * its time counts. Where that is not told of a job that is blocked from the beginning it is taken to have waited for
 * nothing, which counts in the iteration alone that lets it through first. */
void fsi_maui_count_waits(struct fsi_maui_run *x, int64_t last)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->view.job.v[job];
		const int64_t until = j->state == FSI_STATE_PENDING ? last : x->now;

		if (x->queue->record.v[i].eligible)
			x->waited[job] = until > j->eligible_time ? until - j->eligible_time : FS_UNKNOWN;
		else if (x->waited[job] == FS_UNKNOWN && is_untold(x, job))
			x->waited[job] = 0;
	}
}
