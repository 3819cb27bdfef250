/* One iteration of Maui (TempleHPC maui-scheduler 3.5, src/MSched.c:MSchedProcessJobs).
 *
 *   reservations  HIGHEST: each is moved to the earliest time, by priority, and a job whose time has come starts;
 *                 CURRENTHIGHEST, NEVER: all are given up (src/MQueue.c:MQueueScheduleRJobs). A job whose QOS has
 *                 RESERVEALWAYS gets one in any case
 *   priority      jobs within their soft limits start by falling priority. One that cannot gets a reservation while
 *                 fewer of its bucket of QOS than RESERVATIONDEPTH[bucket] have one; behind the first that gets none
 *                 nobody starts but by a reservation that begins at once (MQueueScheduleIJobs,
 *                 src/MJob.c:MJobPReserve). All this twice, for each job's own partition and then for all: a
 *                 reservation that began at once in the first pass counts no more in the second
 *                 (src/MSched.c:m_schedule_on_partitions)
 *   backfill      within hard limits (libfs/plan/maui/backfill.c). With NONE there is neither backfill nor
 *                 reservation.
 * The last two for one partition of nodes after the other; a job is in one. */
#include "plan/maui/maui.h"

#include "queue/maui/limits.h"

#include <string.h>

/* ---- reservations */

/* The earliest time at which it may be reserved in a partition, the first of those that are equal (src/MJob.c:
 * MJobGetEStartTime), which is looked at from then on. FSI_MAUI_FOR_EVER: none; -1 without memory. */
static int64_t earliest(struct fsi_maui_run *x, uint32_t job)
{
	int64_t best = FSI_MAUI_FOR_EVER;
	uint32_t best_part = 0;

	for (x->at_part = 0; x->at_part < x->nparts; x->at_part++) {
		const struct fsi_line_want w = fsi_maui_want(x, job);
		const int64_t at = fsi_line_earliest(&x->line, &w, x->now);

		if (at < 0)
			return -1;
		if (at < best) {
			best = at;
			best_part = x->at_part;
		}
	}
	x->at_part = best_part;
	return best;
}

/* Reserves that time, first on nodes where the job is admitted. */
static int reserve_at(struct fsi_maui_run *x, uint32_t job, int64_t at)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const struct fsi_line_choice by = { .room = x->room, .first = x->own };

	fsi_line_held(&x->line, &w, at, x->own);
	if (fsi_line_reservable(&x->line, &w, at, x->room))
		return -1;
	if (!fsi_line_choose(&x->line, &w, &by, x->rules.order))
		return 0;
	if (fsi_line_take(&x->line, &w, at, at + w.limit_s))
		return -1;
	x->reserved[job] = at;
	x->reserved_in[job] = x->at_part;
	return 1;
}

/* 1 when there is a reservation, -1 without memory. */
static int reserve(struct fsi_maui_run *x, uint32_t job)
{
	const uint32_t part = x->at_part;
	int64_t at;
	int rc;

	fsi_maui_give_up(x, job);
	at = earliest(x, job);
	rc = at < 0 ? -1 : at < FSI_MAUI_FOR_EVER ? reserve_at(x, job, at) : 0;
	x->at_part = part;
	return rc;
}

/* Has the job waited enough for a reservation (RESERVATIONTHRESHOLDTYPE)? */
static bool deserves(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];
	const int64_t waited = x->now - j->eligible_time, limit = j->time_limit_s > 0 ? j->time_limit_s : 1;

	switch (x->rules.threshold) {
	case FSI_RSV_BYPASS:
		return fsi_job_rare(&x->view, j)->bypass > x->rules.threshold_value;
	case FSI_RSV_QUEUETIME:
		return waited > x->rules.threshold_value;
	case FSI_RSV_XFACTOR:
		return (waited + limit) / limit > x->rules.threshold_value;
	default:
		return true;
	}
}

/* Holds the job for a while (src/MJob.c:MJobSetHold). */
static void defer(struct fsi_maui_run *x, uint32_t job)
{
	if (x->rules.defer_s > 0)
		x->put_off[job] = x->rules.defer_s == INT64_MAX ? INT64_MAX : x->now + x->rules.defer_s;
	x->deferred++;
}

/* 1 when it has a reservation now, 0 when not, -1 without memory. A job for which none is possible is deferred, even
 * where none are made: Maui tries whether it could be (src/MJob.c:MJobPReserve). */
static int reserve_by_priority(struct fsi_maui_run *x, uint32_t job)
{
	const bool none = x->rules.backfill == FSI_BF_NONE || x->rules.reserve == FSI_RSV_NEVER;
	const unsigned bucket = x->standing[job].bucket;
	int rc;

	if (none && x->impossible[job])
		defer(x, job);
	if (none || bucket == FSI_MAUI_BUCKETS || x->depth[bucket] >= x->bucket[bucket].depth || !deserves(x, job))
		return 0;
	rc = reserve(x, job);
	x->depth[bucket] += rc > 0;
	if (!rc)
		defer(x, job);
	return rc;
}

/* The job's time has come: it starts, or is deferred. */
static int start_reserved(struct fsi_maui_run *x, uint32_t job)
{
	int rc;

	x->at_part = x->reserved_in[job];
	rc = fsi_maui_within(x, job, true) ? fsi_maui_try(x, job, NULL) : 0;
	if (!rc) {
		fsi_maui_give_up(x, job);
		defer(x, job);
	}
	return rc;
}

/* A snapshot is of what an iteration left behind. The first one here, at the same time, starts what may start after a
 * change; reservations that are kept it neither moves a second time nor adds to. */
static bool is_first(const struct fsi_maui_run *x)
{
	return x->now == x->p->c.m->info.time;
}

static bool was_moved(const struct fsi_maui_run *x, uint32_t job)
{
	return is_first(x) && x->reserved[job] > x->now && x->reserved[job] != INT64_MAX;
}

static void drop_added(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (!fs_job_flag(&x->view, x->order[i], "RESERVED"))
			fsi_maui_give_up(x, x->order[i]);
}

static int reserved_jobs(struct fsi_maui_run *x)
{
	int rc = 0;

	for (size_t i = 0; i < x->n && rc >= 0; i++) {
		const uint32_t job = x->order[i];

		if (!x->standing[job].reserves_ever) {
			if (x->reserved[job] == FS_UNKNOWN)
				continue;
			if (x->rules.reserve != FSI_RSV_HIGHEST || x->standing[job].bucket == FSI_MAUI_BUCKETS) {
				fsi_maui_give_up(x, job);
				continue;
			}
		}
		if (was_moved(x, job))
			continue;
		rc = reserve(x, job);
		if (rc > 0 && x->reserved[job] <= x->now)
			rc = start_reserved(x, job);
	}
	return rc < 0 ? -1 : 0;
}

/* ---- by priority */

/* Tries one job. *stuck: a job before it got no reservation. A job that others which started have put over a limit
 * gets a reservation like any other, even for now, as long as none is stuck. */
static int priority_job(struct fsi_maui_run *x, uint32_t job, bool *stuck)
{
	int rc;

	if (x->reserved[job] != FS_UNKNOWN && (x->reserved[job] > x->now || x->reserved_in[job] != x->at_part)) {
		if (x->standing[job].bucket < FSI_MAUI_BUCKETS)
			x->depth[x->standing[job].bucket]++;
		return 0;
	}
	if (*stuck) {
		if (!fsi_maui_within(x, job, true))
			return 0;
		rc = reserve_by_priority(x, job);
		if (rc <= 0 || x->reserved[job] > x->now)
			return rc;
	}
	rc = fsi_maui_within(x, job, true) ? fsi_maui_try(x, job, NULL) : 0;
	if (rc)
		return rc;
	fsi_maui_give_up(x, job);
	rc = reserve_by_priority(x, job);
	if (!rc)
		*stuck = true;
	return rc;
}

/* Jobs of the partition that is looked at. One whose class no node there has loses its reservation. */
static int priority_jobs(struct fsi_maui_run *x)
{
	bool stuck = false;
	int rc = 0;

	memset(x->depth, 0, sizeof(x->depth));
	for (size_t i = 0; i < x->n; i++)
		if (fsi_maui_is_idle(x, x->order[i]) && fsi_maui_entry_of(x, x->order[i]) == FSI_MAUI_NO_CLASS)
			fsi_maui_give_up(x, x->order[i]);
	for (size_t i = 0; i < x->n && rc >= 0; i++)
		if (x->soft[i] && fsi_maui_is_idle(x, x->order[i]) && x->put_off[x->order[i]] <= x->now &&
		    fsi_maui_entry_of(x, x->order[i]) == FSI_MAUI_ENTERS)
			rc = priority_job(x, x->order[i], &stuck);
	return rc < 0 ? -1 : 0;
}

/* ---- */

static void note_soft(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		x->soft[i] = fsi_maui_within_soft(x->queue, x->order[i]) && fsi_maui_within(x, x->order[i], true);
}

/* A job that may not be scheduled loses its reservation. Where a cap alone is in its way the reservation stays where
 * it is, though its time may have come (src/MPolicy.c: MQueueSelectAllJobs, MQueueCheckSingleJob). */
static void drop_others(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];
		const struct fs_reason *reason = fsi_queue_reason(r);
		const bool capped = reason && !strcmp(reason->name, "FairShare");

		if (!x->chosen[r->job] && !capped)
			fsi_maui_give_up(x, r->job);
	}
}

/* So does a job that is over a limit, which is looked at before the cap; jobs that started since count, too, and those
 * that backfill starts in the end (src/MSched.c:MSchedProcessJobs). */
static void drop_over(struct fsi_maui_run *x, bool soft)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (x->reserved[job] != FS_UNKNOWN && fsi_maui_is_idle(x, job) && !fsi_maui_within(x, job, soft))
			fsi_maui_give_up(x, job);
	}
}

int fsi_maui_cycle(struct fsi_maui_run *x)
{
	drop_others(x);
	drop_over(x, false);
	if (reserved_jobs(x))
		return -1;
	for (int pass = 0; pass < 2; pass++) {
		for (x->at_part = 0; x->at_part < x->nparts; x->at_part++) {
			if (!pass && x->part[x->at_part])
				continue;
			note_soft(x);
			drop_over(x, true);
			if (priority_jobs(x))
				return -1;
		}
	}
	for (x->at_part = 0; x->at_part < x->nparts; x->at_part++) {
		drop_over(x, false);
		if (fsi_maui_backfill(x))
			return -1;
	}
	drop_over(x, true);
	if (is_first(x) && x->rules.reserve == FSI_RSV_HIGHEST)
		drop_added(x);
	return 0;
}
