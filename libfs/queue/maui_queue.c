#include "fairshare/fairshare.h"
#include "priority/priority.h"
#include "queue/maui_limits.h"
#include "queue/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Maui's queue order (src/moab/MQueue.c:MQueuePrioritizeJobs, MQueueSelectAllJobs): falling start priority, by which
 * the list was sorted before as well; Maui leaves the rest open (src/moab/MSched.c sorts a list already sorted, and a
 * sort need not keep the order of equal ones). Blocked are jobs that are held or deferred, of a negative priority where
 * such are rejected, over a hard limit of one of their credentials without a reservation
 * (src/moab/MPolicy.c:MQueueSelectAllJobs), over a fair-share cap (src/moab/MFS.c:MFSCheckCap), and those that the
 * scheduler listed as blocked. */

static int key_earlier(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const double x = q->earlier && a->eligible ? q->earlier[a->job] : 0;
	const double y = q->earlier && b->eligible ? q->earlier[b->job] : 0;

	return (x < y) - (x > y);
}

/* Jobs whose order Maui leaves open stand as its job table does, by id where no place is known. */
static int key_open(const struct fs_queue *q, const struct fsi_queue_record *a, const struct fsi_queue_record *b)
{
	const int by_place = fsi_key_table(q, a, b);

	return by_place ? by_place : fsi_key_id(q, a, b);
}

static const struct fsi_queue_key maui_keys[] = {
	{ FS_QUEUE_KEY_PRIORITY, fsi_key_priority },
	{ FS_QUEUE_KEY_EARLIER, key_earlier },
	{ FS_QUEUE_KEY_OPEN, key_open },
	{ FS_QUEUE_KEY_LISTED, fsi_key_listed },
};

static const char *reason_told(const struct fs_queue *q, uint32_t job)
{
	return fsi_str(q->m, q->m->job.v[job].reason);
}

/* What stops a job before limits are looked at; NULL: nothing. */
static const char *stopped_by(const struct fs_queue *q, uint32_t job, double priority)
{
	const struct fs_reason *reason = *reason_told(q, job) ? fs_reason_find(reason_told(q, job)) : NULL;

	if (reason && reason->section == FS_SECTION_HELD)
		return reason->name;
	if (q->m->put_off && q->m->put_off[job] > q->m->info.time)
		return "Deferred";
	return q->windows && q->windows->w.conf.reject_negative && priority < 0 ? "NegativePriority" : NULL;
}

/* Looks in Maui's own order. A limit or cap says more than that the job was listed as blocked; where there is a
 * list, soft limits and those on eligible jobs only name what it tells. */
static const char *blocked_by(const struct fs_queue *q, uint32_t job, double priority, bool listed)
{
	const char *stopped = stopped_by(q, job, priority);
	const bool blocked = *reason_told(q, job) != '\0';
	struct fs_explain_limit limit;
	struct fs_cap_row cap;

	if (stopped)
		return stopped;
	if (fsi_maui_limited(q, job, blocked, blocked || !listed, &limit))
		return "Limit";
	if (q->windows && fs_windows_capped(q->windows, job, &cap))
		return "FairShare";
	return blocked ? "Blocked" : NULL;
}

/* Did the scheduler say who is blocked? A plan goes on from where its list was made. */
static bool has_list(const struct fs_queue *q)
{
	for (size_t i = 0; i < q->record.n && !q->m->reserved; i++)
		if (!strcmp(reason_told(q, q->record.v[i].job), "Blocked"))
			return true;
	return false;
}

/* The wait of a blocked job is not told: it has the time that it had waited when it was last eligible
 * (J->EffQueueDuration, src/MPolicy.c:MQueueSelectJobs). */
static void find_eligible(struct fs_queue *q)
{
	const bool listed = has_list(q);

	for (size_t i = 0; i < q->record.n; i++) {
		struct fsi_queue_record *r = &q->record.v[i];
		const char *why = blocked_by(q, r->job, r->priority, listed);

		r->tried = r->eligible = !why;
		if (why)
			r->priority = (double)NAN;
		const struct fs_reason *reason = fs_reason_find(why ? why : "None");

		r->reason = fsi_reason_number(reason);
		r->section = (uint8_t)reason->section;
	}
}

/* Counts eligible jobs for limits, by what stops others and by the priorities of all. */
static int count_eligible(struct fs_queue *q, const double *priority, struct fs_error *err)
{
	bool *stopped = calloc(q->m->job.n + 1, sizeof(*stopped));
	int rc = stopped ? 0 : fsi_nomem(err);

	for (size_t i = 0; i < q->record.n && !rc; i++)
		stopped[q->record.v[i].job] = stopped_by(q, q->record.v[i].job, q->record.v[i].priority) != NULL;
	if (!rc)
		rc = fsi_maui_limits_idle(q, priority, stopped, err);
	free(stopped);
	return rc;
}

/* What a job was sorted by: of one that runs the told priority, but in a plan, which goes on from there; of one that
 * was just started, which has no run priority yet, its start priority. */
static double sorted_by(const struct fs_queue *q, const struct fs_prio_row *row)
{
	const struct fsi_job *j = &q->m->job.v[row->job_row];

	if (fsi_maui_just_started(q->m, row->job_row))
		return row->nsteps ? row->steps[row->nsteps - 1].value : row->sum;
	if (fs_job_runs(q->m, row->job_row) && !q->m->reserved && FSI_HAS(j, JOB, priority))
		return j->priority;
	return row->priority;
}

/* Priorities of jobs that something blocks, too, and by job row of those that run. */
static int compute_priorities(struct fs_queue *q, const struct fs_queue_options *qo, double *priority,
			      struct fs_error *err)
{
	const struct fs_prios_options o = { .view = { .usage = qo ? qo->view.usage : NULL },
					    .blocked = true,
					    .running = true };
	fs_prios *all = NULL;
	int rc;

	q->earlier = calloc(q->m->job.n + 1, sizeof(*q->earlier));
	rc = q->earlier ? fs_prios_compute(&all, q->m, &o, err) : fsi_nomem(err);
	for (size_t i = 0; !rc && i < fs_prios_count(all); i++) {
		const double earlier = fsi_prio_maui_earlier(all, i);
		struct fs_prio_row row;

		fs_prios_brief(all, i, &row);
		priority[row.job_row] = sorted_by(q, &row);
		q->earlier[row.job_row] = isnan(earlier) ? 0 : earlier;
	}
	for (size_t i = 0; !rc && i < q->record.n; i++)
		q->record.v[i].priority = priority[q->record.v[i].job];
	fs_prios_free(all);
	return rc;
}

static int maui_prepare(struct fs_queue *q, const struct fs_queue_options *o, struct fs_error *err)
{
	double *priority = malloc((q->m->job.n + 1) * sizeof(*priority));
	int rc;

	if (!priority)
		return fsi_nomem(err);
	for (size_t i = 0; i < q->m->job.n; i++)
		priority[i] = (double)NAN;
	for (size_t i = 0; i < q->record.n; i++)
		q->record.v[i].priority = (double)NAN;
	rc = fs_windows_compute(&q->windows, q->m, err);
	if (!rc)
		rc = compute_priorities(q, o, priority, err);
	else if (rc == FS_ENODATA)
		rc = 0;
	if (!rc)
		rc = fsi_maui_limits_load(q, err);
	if (!rc)
		rc = count_eligible(q, priority, err);
	if (!rc)
		find_eligible(q);
	free(priority);
	return rc;
}

static void maui_release(struct fs_queue *q)
{
	fsi_maui_limits_free(q->maui_limits);
	fs_windows_free(q->windows);
	free(q->earlier);
}

const struct fsi_queue_scheduler fsi_queue_of_maui = {
	.keys = maui_keys,
	.nkeys = sizeof(maui_keys) / sizeof(*maui_keys),
	.verdict = fsi_maui_verdict,
	.prepare = maui_prepare,
	.release = maui_release,
};
