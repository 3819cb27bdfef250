#include "plan/maui.h"

#include "plan/plan.h"
#include "queue/maui_queue.h"
#include "usage/maui_windows.h"

#include <stdlib.h>
#include <string.h>

/* One job's turn in an iteration of Maui: may it start, and on which nodes. */

/* One job's turn. */
static bool maui_is_idle(const struct fsi_maui_run *x, uint32_t job)
{
	return x->view.job.v[job].state == FSI_STATE_PENDING;
}

/* One job's turn. */
static struct fsi_maui_limits *maui_limits(const struct fsi_maui_run *x)
{
	return fsi_maui_queue_data(x->queue)->limits;
}

/* limits, as of now */
static bool maui_within(const struct fsi_maui_run *x, uint32_t job, bool soft)
{
	return !fsi_maui_limits_is_active_exceeded(maui_limits(x), job, soft);
}

/* Fills how long nodes are free for the job from now on. -1 without memory. */
static int measure_spans(struct fsi_maui_run *x, const struct fsi_line_want *w)
{
	for (uint32_t i = 0; i < x->line.n; i++) {
		x->span[i] = fsi_line_span(&x->line, i, w, x->now);
		if (x->span[i] < 0)
			return -1;
	}
	return 0;
}

/* its reservation, if it has one */
static void maui_give_up(struct fsi_maui_run *x, uint32_t job)
{
	if (x->state.reservation_start[job] == FS_UNKNOWN)
		return;
	fsi_line_drop(&x->line, job);
	x->state.reservation_start[job] = FS_UNKNOWN;
}

/* A reservation of its own goes; its nodes come first, and those of one that admits it; then of the last available
 * nodes those that stay free the longest (src/MNode.c:MNodeSelectIdleTasks, src/MSched.c:MJobAllocMNL). */
static int maui_try(struct fsi_maui_run *x, uint32_t job, const bool *among)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const struct fsi_line_choice by = { .room = x->room, .among = among, .first = x->own, .span = x->span };

	fsi_line_held(&x->line, &w, x->now, x->own);
	maui_give_up(x, job);
	if (!fsi_line_fits(&x->line, &w, x->now, among))
		return 0;
	if (measure_spans(x, &w))
		return -1;
	fsi_line_room(&x->line, &w, x->now, x->room);
	if (!fsi_line_choose(&x->line, &w, &by, x->rules.order))
		return 0;
	return fsi_maui_start(x, &w) ? -1 : 1;
}

/* Backfill of Maui within hard limits (src/MQueue.c:MQueueBackFill; the one within soft limits is left to partitions
 * that have a policy of their own, src/MSched.c:m_schedule_on_partitions): windows of nodes that have a processor free
 * for so long, the shortest first (src/MBF.c:MBFGetWindow); in each window the jobs without a reservation that are no
 * longer and no wider than it. FIRSTFIT takes them by priority, BESTFIT the one of most processors or BACKFILLMETRIC
 * first. GREEDY starts none: it never fills the list it looks through (MBFGreedy). */

struct window {
	int64_t length; /* the shortest time for which one of its nodes keeps a processor free; INT64_MAX: for ever */
	int64_t procs;
	uint32_t nodes;
};

/* A window is that of a user, group, account and class called [ALL], which every list of such admits
 * (src/MBF.c:MBFGetWindow, src/MACL.c:MACLCheckAccess; src/MCred.c adds such a class). */
static uint64_t open_to_any(const fs_snapshot *m)
{
	uint64_t gates = 0;

	for (size_t i = 0; i < m->reservation.n && i < 64; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (FSI_HAS(r, RESERVATION, admits_told) && r->admits_told &&
		    (r->users || r->groups || r->accounts || r->classes))
			gates |= UINT64_C(1) << i;
	}
	return gates;
}

/* Puts the nodes that keep a processor free for longer than that into x->among. length -1: without memory. */
static struct window next_window(struct fsi_maui_run *x, int64_t longer_than)
{
	const struct fsi_line_want one = { .tasks = 1, .limit_s = 1, .task = { 1 }, .admitted = open_to_any(&x->view) };
	struct window w = { .length = INT64_MAX };

	for (uint32_t i = 0; i < x->line.n; i++) {
		const int64_t length = fsi_line_span(&x->line, i, &one, x->now);

		if (length < 0)
			return (struct window){ .length = -1 };
		x->among[i] = length > longer_than && fsi_maui_in_partition(x, &x->view.node.v[x->line.node[i].row]);
		if (!x->among[i])
			continue;
		w.nodes++;
		w.procs += fsi_line_tasks(&x->line, i, &one, x->now);
		if (length < w.length)
			w.length = length;
	}
	return w;
}

/* Is it among the jobs that the window looks at, which go by priority? */
static bool candidate(const struct fsi_maui_run *x, size_t i, const struct window *w)
{
	const uint32_t job = x->order[i];
	const struct fsi_job *j = &x->view.job.v[job];

	return maui_is_idle(x, job) && x->state.deferred_until[job] <= x->now &&
	       x->state.reservation_start[job] == FS_UNKNOWN && !x->standing[job].no_backfill &&
	       fsi_maui_entry_of(x, job) == FSI_MAUI_ENTERS && j->cpus <= w->procs && j->time_limit_s <= w->length &&
	       !fsi_maui_limits_is_rejected(maui_limits(x), job) && maui_within(x, job, false);
}

/* The first BACKFILLDEPTH of them; those that start meanwhile count, too (src/MQueue.c:MQueueBackFill). */
static size_t list_candidates(struct fsi_maui_run *x, const struct window *w)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n && (x->rules.backfill_depth <= 0 || n < (uint64_t)x->rules.backfill_depth); i++)
		if (candidate(x, i, w))
			x->looked_at[n++] = (uint32_t)i;
	return n;
}

static int first_fit(struct fsi_maui_run *x, const struct window *w)
{
	const size_t n = list_candidates(x, w);
	int rc = 0;

	for (size_t k = 0; k < n && rc >= 0; k++)
		if (candidate(x, x->looked_at[k], w))
			rc = maui_try(x, x->order[x->looked_at[k]], x->among);
	return rc < 0 ? -1 : 0;
}

static int64_t worth(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];

	switch (x->rules.metric) {
	case FSI_BFM_PROCSECONDS:
		return j->cpus * j->time_limit_s;
	case FSI_BFM_SECONDS:
		return j->time_limit_s;
	default:
		return j->cpus;
	}
}

/* Starts the best of the jobs that fit, as long as there is one. */
static int best_fit(struct fsi_maui_run *x, struct window w)
{
	const size_t n = list_candidates(x, &w);

	for (;;) {
		size_t best = x->n;
		int rc;

		for (size_t k = 0; k < n; k++) {
			const size_t i = x->looked_at[k];
			struct fsi_line_want want;

			if (!candidate(x, i, &w))
				continue;
			want = fsi_maui_want(x, x->order[i]);
			if ((best == x->n || worth(x, x->order[i]) > worth(x, x->order[best])) &&
			    fsi_line_fits(&x->line, &want, x->now, x->among))
				best = i;
		}
		if (best == x->n)
			return 0;
		rc = maui_try(x, x->order[best], x->among);
		if (rc <= 0)
			return rc;
		w.procs -= x->view.job.v[x->order[best]].cpus;
	}
}

/* Backfill in the partition that is looked at. -1 without memory. */
static int fsi_maui_backfill(struct fsi_maui_run *x)
{
	int64_t longer_than = 0;
	int rc = 0;

	if (x->rules.backfill == FSI_BF_NONE || x->rules.backfill == FSI_BF_GREEDY)
		return 0;
	while (!rc) {
		const struct window w = next_window(x, longer_than);

		if (w.length < 0)
			return -1;
		if (!w.nodes)
			break;
		rc = x->rules.backfill == FSI_BF_BESTFIT ? best_fit(x, w) : first_fit(x, &w);
		if (w.length == INT64_MAX)
			break;
		longer_than = w.length;
	}
	return rc;
}

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
 *   backfill      within hard limits. With NONE there is neither backfill nor
 *                 reservation.
 * The last two for one partition of nodes after the other; a job is in one. */

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
	x->state.reservation_start[job] = at;
	x->reserved_in[job] = x->at_part;
	return 1;
}

/* 1 when there is a reservation, -1 without memory. */
static int reserve(struct fsi_maui_run *x, uint32_t job)
{
	const uint32_t part = x->at_part;
	int64_t at;
	int rc;

	maui_give_up(x, job);
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
		x->state.deferred_until[job] = x->rules.defer_s == INT64_MAX ? INT64_MAX : x->now + x->rules.defer_s;
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
	rc = maui_within(x, job, true) ? maui_try(x, job, NULL) : 0;
	if (!rc) {
		maui_give_up(x, job);
		defer(x, job);
	}
	return rc;
}

/* A snapshot is of what an iteration left behind. The first one here, at the same time, starts what may start after a
 * change; reservations that are kept it neither moves a second time nor adds to. */
static bool is_first(const struct fsi_maui_run *x)
{
	return x->now == x->p->m->info.time;
}

static bool was_moved(const struct fsi_maui_run *x, uint32_t job)
{
	return is_first(x) && x->state.reservation_start[job] > x->now && x->state.reservation_start[job] != INT64_MAX;
}

static void drop_added(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (!fs_job_flag(&x->view, x->order[i], "RESERVED"))
			maui_give_up(x, x->order[i]);
}

static int reserved_jobs(struct fsi_maui_run *x)
{
	int rc = 0;

	for (size_t i = 0; i < x->n && rc >= 0; i++) {
		const uint32_t job = x->order[i];

		if (!x->standing[job].reserves_ever) {
			if (x->state.reservation_start[job] == FS_UNKNOWN)
				continue;
			if (x->rules.reserve != FSI_RSV_HIGHEST || x->standing[job].bucket == FSI_MAUI_BUCKETS) {
				maui_give_up(x, job);
				continue;
			}
		}
		if (was_moved(x, job))
			continue;
		rc = reserve(x, job);
		if (rc > 0 && x->state.reservation_start[job] <= x->now)
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

	if (x->state.reservation_start[job] != FS_UNKNOWN &&
	    (x->state.reservation_start[job] > x->now || x->reserved_in[job] != x->at_part)) {
		if (x->standing[job].bucket < FSI_MAUI_BUCKETS)
			x->depth[x->standing[job].bucket]++;
		return 0;
	}
	if (*stuck) {
		if (!maui_within(x, job, true))
			return 0;
		rc = reserve_by_priority(x, job);
		if (rc <= 0 || x->state.reservation_start[job] > x->now)
			return rc;
	}
	rc = maui_within(x, job, true) ? maui_try(x, job, NULL) : 0;
	if (rc)
		return rc;
	maui_give_up(x, job);
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
		if (maui_is_idle(x, x->order[i]) && fsi_maui_entry_of(x, x->order[i]) == FSI_MAUI_NO_CLASS)
			maui_give_up(x, x->order[i]);
	for (size_t i = 0; i < x->n && rc >= 0; i++)
		if (x->soft[i] && maui_is_idle(x, x->order[i]) && x->state.deferred_until[x->order[i]] <= x->now &&
		    fsi_maui_entry_of(x, x->order[i]) == FSI_MAUI_ENTERS)
			rc = priority_job(x, x->order[i], &stuck);
	return rc < 0 ? -1 : 0;
}

/* ---- */

static void note_soft(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		x->soft[i] = fsi_maui_limits_is_within_soft(maui_limits(x), x->order[i]) &&
			     maui_within(x, x->order[i], true);
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
			maui_give_up(x, r->job);
	}
}

/* So does a job that is over a limit, which is looked at before the cap; jobs that started since count, too, and those
 * that backfill starts in the end (src/MSched.c:MSchedProcessJobs). */
static void drop_over(struct fsi_maui_run *x, bool soft)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (x->state.reservation_start[job] != FS_UNKNOWN && maui_is_idle(x, job) && !maui_within(x, job, soft))
			maui_give_up(x, job);
	}
}

/* The rules of one iteration: starts and reservations. -1 without memory. */
static int maui_cycle(struct fsi_maui_run *x)
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

/* How long jobs of Maui have waited. A job counts with what it had waited when an iteration last let it through
 * (J->EffQueueDuration, src/MPolicy.c:MQueueSelectJobs), and as long as none has with all of its time in the queue
 * (src/MPriority.c:MJobGetStartPriority). checkjob alone tells the first of a job that is blocked. */

static bool wait_counts(const fs_snapshot *m, const struct fsi_maui_conf *c)
{
	bool any = c->weight[FSI_MT_QUEUETIME] != 0 || c->weight[FSI_MT_XFACTOR] != 0;

	for (size_t i = 0; i < m->credential.n; i++)
		any = any || m->credential.v[i].queuetime_weight || m->credential.v[i].xfactor_weight;
	return any && c->group_weight[FSI_MG_SERVICE] != 0;
}

/* Sets how long blocked jobs have waited before the first iteration. Marks the row of a job whose wait counts and
 * is unknown. */
static void maui_waits_begin(struct fsi_maui_run *x, const struct fsi_maui_conf *c)
{
	const bool counts = wait_counts(&x->view, c);

	for (size_t i = 0; i < x->p->nrows; i++) {
		struct fsi_plan_row *row = &x->p->row[i];
		const struct fsi_job *j = &x->view.job.v[row->job];
		const uint32_t told = FSI_HAS(j, JOB, eligible_s) ? fsi_job_rare(&x->view, j)->eligible_s : 0;

		if (row->eligible)
			continue;
		if (told)
			x->state.queued_s[row->job] = told;
		else if (counts && !FSI_HAS(j, JOB, eligible_s))
			row->unmodelled |= FS_UNMODELLED_WAIT;
	}
}

/* Removes the mark from rows without a start. */
static void maui_waits_end(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->p->nrows; i++)
		if (x->p->row[i].start == FS_UNKNOWN)
			x->p->row[i].unmodelled &= ~(unsigned)FS_UNMODELLED_WAIT;
}

/* Who begins to wait anew with the next iteration: whom a hard limit rejects on the way through all jobs, and by
 * FULLPOLICY who is held, capped or over a limit once all that runs is counted (src/MPolicy.c:MQueueSelectAllJobs,
 * MQueueCheckSingleJob). */
static void maui_note_blocked(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		x->waits_anew[r->job] =
			(x->rules.accrues && fsi_maui_limits_is_rejected(maui_limits(x), r->job)) ||
			(x->rules.held_accrues &&
			 (!r->eligible || fsi_maui_limits_is_active_exceeded(maui_limits(x), r->job, false)));
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
static void maui_count_waits(struct fsi_maui_run *x, int64_t last)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->view.job.v[job];
		const int64_t until = j->state == FSI_STATE_PENDING ? last : x->now;

		if (x->queue->record.v[i].eligible)
			x->state.queued_s[job] = until > j->eligible_time ? until - j->eligible_time : FS_UNKNOWN;
		else if (x->state.queued_s[job] == FS_UNKNOWN && is_untold(x, job))
			x->state.queued_s[job] = 0;
	}
}

enum {
	MAX_ITERATIONS = 200000,
	MIN_QUIET = 500, /* at least so many, or QUIET_WORK by jobs alone */
	MAX_QUIET = 1000,
	QUIET_WORK = 200000, /* iterations times jobs, windows and nodes */
	JOB_LOOKS = 5000,     /* a job or window takes as long in an iteration as so many looks at a hold */
	/* a part of them is looked at one after the other, then as many with twice as much between them */
	QUIET_PARTS = 2
};

/* ---- time */

/* The first iteration at or after t. */
static int64_t iteration(const struct fsi_maui_run *x, int64_t t)
{
	const int64_t first = x->p->m->info.time, poll = x->rules.poll_s;

	return first + (t - first + poll - 1) / poll * poll;
}

/* A window that is over is kept as the server would write it (src/MFS.c:MFSUpdateData). */
static int close_window(struct fsi_maui_run *x, int64_t start, struct fs_error *err)
{
	const fs_snapshot *m = &x->view;
	struct fsi_windows w;
	int rc = fsi_windows_load_slot(&w, m, start, err);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < w.n && !rc; i++) {
		const bool all = i == w.n - 1;
		struct fsi_window record = {
			.start = start,
			.usage_s = fsi_windows_of(&w, i)[0],
			.kind = all ? fsi_name_find(m, fs_cred_kind_name(FS_CRED_KINDS)) : m->credential.v[i].kind,
			.name = all ? 0 : m->credential.v[i].name,
		};

		if (record.usage_s == 0)
			continue;
		if (FSI_VEC_ROOM(&x->view.window))
			rc = fsi_nomem(err);
		else
			x->view.window.v[x->view.window.n++] = record;
	}
	fsi_windows_release(&w);
	return rc;
}

/* Notes what each node gets back from jobs that end by then. -1 without memory. */
static int end_jobs(struct fsi_maui_run *x)
{
	fsi_maui_memory_begin(x);
	for (uint32_t i = 0; i < x->line.n; i++) {
		const struct fsi_line_node *n = &x->line.node[i];

		x->gave[i] = FSI_NO_INDEX;
		x->opened[i] = false;
		for (size_t k = 0; k < n->hold.n; k++) {
			x->opened[i] |= n->hold.v[k].job == FSI_NO_INDEX && n->hold.v[k].end <= x->now;
			if (n->hold.v[k].end <= x->now ||
			    (n->hold.v[k].job != FSI_NO_INDEX && fsi_maui_has_ended(x, n->hold.v[k].job)))
				x->gave[i] = n->hold.v[k].job;
		}
	}
	if (fsi_maui_memory_ends(x))
		return -1;
	for (uint32_t i = 0; i < x->view.job.n; i++) {
		struct fsi_job *j = &x->view.job.v[i];

		if (fsi_maui_has_ended(x, i)) {
			j->state = FSI_STATE_COMPLETED;
			fsi_line_drop(&x->line, i);
		}
		if (x->waits_anew[i] && j->eligible_time < x->now - x->rules.poll_s)
			j->eligible_time = x->now - x->rules.poll_s;
		if (x->state.deferred_until[i] && x->state.deferred_until[i] <= x->now) { /* its wait begins anew */
			j->eligible_time = x->now;
			x->state.deferred_until[i] = 0;
		}
	}
	fsi_line_forget(&x->line, x->now);
	return 0;
}

static void forget_windows(struct fsi_maui_run *x, int64_t oldest)
{
	size_t kept = 0;

	for (size_t i = 0; i < x->view.window.n; i++)
		if (x->view.window.v[i].start >= oldest)
			x->view.window.v[kept++] = x->view.window.v[i];
	x->view.window.n = kept;
}

/* Closes those that the iteration at `to` has no more. Windows older than any that counts are left out. */
static int roll_windows(struct fsi_maui_run *x, const struct fsi_maui_conf *c, int64_t to, struct fs_error *err)
{
	const int64_t now = fsi_window_shown(c, x->now), then = fsi_window_shown(c, to);
	const int64_t oldest = then - (FSI_MAUI_MAX_DEPTH + 1) * c->interval_s;
	const int64_t start = now > oldest ? now : oldest;
	int rc = 0;

	if (c->policy == FSI_FS_NONE)
		return 0;
	forget_windows(x, oldest);
	for (int64_t s = start; s < then && !rc; s += c->interval_s) {
		x->view.info.time = iteration(x, s + c->interval_s);
		rc = close_window(x, s, err);
	}
	return rc;
}

/* ---- iterations */

struct placed {
	double priority;
	uint32_t place, job;
};

static int by_earlier(const void *a, const void *b, const void *ctx)
{
	const struct placed *x = a, *y = b;

	(void)ctx;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Do limits let it through? One that the limits on eligible jobs let through among those within soft limits alone may
 * start by priority. */
static bool let_through(const struct fsi_maui_run *x, const struct fsi_queue_record *r)
{
	const fs_windows *windows = fsi_maui_queue_data(x->queue)->windows;
	struct fs_cap_row cap;

	return r->eligible || (fsi_maui_limits_is_only_idle_rejected(maui_limits(x), r->job) &&
			       !(windows && fs_windows_capped(windows, r->job, &cap)));
}

/* An iteration sorts by the time that jobs had waited in the one before (fsi_prio_maui_earlier). A job that a snapshot
 * has in several classes has a record in each, and its place by the first. */
static int make_order(struct fsi_maui_run *x)
{
	const double *earlier = fsi_maui_queue_data(x->queue)->earlier;
	struct placed *v = calloc(x->queue->record.n + 1, sizeof(*v));
	int rc = v ? 0 : -1;

	x->n = 0;
	memset(x->chosen, 0, x->view.job.n * sizeof(*x->chosen));
	for (uint32_t i = 0; v && i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		if (!let_through(x, r) || x->chosen[r->job] || x->never[r->job] ||
		    x->state.deferred_until[r->job] > x->now)
			continue;
		x->chosen[r->job] = true;
		v[x->n++] = (struct placed){ earlier ? earlier[r->job] : 0,
					     r->table != UINT32_MAX ? r->table : i, r->job };
	}
	if (!rc)
		rc = fs_sort(v, x->n, sizeof(*v), by_earlier, NULL);
	for (size_t i = 0; !rc && i < x->n; i++)
		x->order[i] = v[i].job;
	free(v);
	return rc;
}

static int iterate(struct fsi_maui_run *x, struct fs_error *err)
{
	int rc;

	x->view.info.time = x->view.head.time = x->now;
	fs_queue_free(x->queue);
	x->queue = NULL;
	fsi_maui_submit(x);
	rc = fsi_queue_compute_planned(&x->queue, &x->view, NULL, &x->state, err);
	if (!rc && (make_order(x) || maui_cycle(x)))
		rc = fsi_nomem(err);
	if (!rc)
		maui_note_blocked(x);
	return rc;
}

static bool any_blocked(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (!x->queue->record.v[i].eligible && !x->queue->m->job.v[job].reason &&
		    x->state.deferred_until[job] <= x->now)
			return true;
	}
	return false;
}

/* Is there room now for a job that did not start? Then the next iteration may start it, though nothing ends:
 * priorities, usage and caps change as jobs wait and run, and with them the order, who is blocked, and who has a
 * reservation. */
static bool room_is_left(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->view.job.v[job];
		struct fsi_line_want w;

		if (j->state != FSI_STATE_PENDING || x->never[job] || x->state.deferred_until[job] > x->now ||
		    (!x->queue->record.v[i].eligible && j->reason))
			continue;
		w = fsi_maui_want(x, job);
		w.limit_s = 1;
		if (fsi_line_fits(&x->line, &w, x->now, NULL))
			return true;
	}
	return false;
}

/* Does anybody's wait stand still, or begin anew? It goes on from the iteration that lets the job through. */
static bool any_waits_for_leave(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++)
		if (x->waits_anew[x->queue->record.v[i].job])
			return true;
	return any_blocked(x);
}

static bool any_reserves_ever(const struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->standing[x->order[i]].reserves_ever && x->view.job.v[x->order[i]].state == FSI_STATE_PENDING)
			return true;
	return false;
}

/* Does the next iteration matter though nothing ends? Reservations that are kept (HIGHEST, RESERVEALWAYS) move with
 * priorities and with each other, and a job that comes to be among the first gets one. */
static bool may_change(struct fsi_maui_run *x)
{
	const bool kept = x->rules.reserve == FSI_RSV_HIGHEST && x->rules.backfill != FSI_BF_NONE;

	return kept || any_reserves_ever(x) || any_waits_for_leave(x) || room_is_left(x);
}

/* The next iteration that may see a change; INT64_MAX: none will. A job that no nodes would do for is deferred again
 * and again, which changes nothing by itself. Usage fades while nothing runs, too, until no window has any.
 * idle_since: when the last job ended. */
static int64_t next_change(const struct fsi_maui_run *x, const struct fsi_maui_conf *c, int64_t idle_since)
{
	const int64_t fades_s = ((int64_t)c->depth + 1) * c->interval_s;
	const int64_t line = fsi_line_next(&x->line, x->now);
	int64_t other = fsi_maui_next_arrival(x);

	if (c->policy != FSI_FS_NONE && x->now - idle_since <= fades_s && any_blocked(x)) {
		const int64_t window = fsi_window_shown(c, x->now) + c->interval_s + c->poll_s;

		other = window < other ? window : other;
	}
	for (size_t i = 0; i < x->view.job.n; i++) {
		const struct fsi_job *j = &x->view.job.v[i];

		if (x->state.deferred_until[i] > x->now && x->state.deferred_until[i] < other && !x->impossible[i])
			other = x->state.deferred_until[i];
		if (j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time > x->now &&
		    j->end_time < other)
			other = j->end_time;
	}
	other = line < other ? line : other;
	return other < FSI_MAUI_FOR_EVER ? iteration(x, other) : INT64_MAX;
}

static size_t less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* So many iterations at which nothing ends or begins are looked at. */
static size_t most_quiet(const struct fsi_maui_run *x)
{
	const size_t jobs = x->view.job.n, all = jobs + x->view.window.n + x->line.n;
	const size_t least = less(MIN_QUIET, QUIET_WORK / (jobs + 1)), most = less(MAX_QUIET, QUIET_WORK / (all + 1));

	return most > least ? most : least;
}

static int64_t quiet_step(int64_t poll_s, size_t in_a_row, size_t most)
{
	enum { MAX_S = 1 << 20 };
	const size_t steps = most / QUIET_PARTS + 1;

	for (size_t i = steps; i <= in_a_row && poll_s < MAX_S; i += steps)
		poll_s *= 2;
	return poll_s;
}

static int run(struct fsi_maui_run *x, struct fs_error *err)
{
	struct fsi_maui_conf conf;
	const size_t max_quiet = most_quiet(x);
	size_t quiet = 0, in_a_row = 0; /* iterations at which nothing ended or began */
	int64_t idle_since = x->now;
	int rc = fsi_maui_conf_load(&x->view, &conf, err);

	if (!rc)
		maui_waits_begin(x, &conf);
	for (uint32_t k = 0; !rc && x->left && k < MAX_ITERATIONS && !x->p->given_up; k++) {
		const size_t started = x->started, had_turn = x->started + x->deferred;
		int64_t next, step;

		if (fsi_plan_settled(x->p, x->now))
			break;
		rc = iterate(x, err);
		*x->line.looks += JOB_LOOKS * (uint64_t)(x->view.job.n + x->view.window.n);
		x->p->given_up = fsi_line_too_long(&x->line);
		if (rc || x->p->given_up)
			break;
		if (fsi_line_next(&x->line, x->now) != INT64_MAX)
			idle_since = x->now;
		next = next_change(x, &conf, idle_since);
		/* limits may hold others back now, or no more */
		if ((maui_limits(x) && x->started + x->deferred != had_turn) || fsi_maui_memory_grows(x))
			next = x->now + x->rules.poll_s;
		if (next == INT64_MAX)
			break;
		in_a_row = x->started == started ? in_a_row : 0;
		step = quiet_step(x->rules.poll_s, in_a_row, max_quiet);
		if (next > x->now + step && quiet < max_quiet && may_change(x)) {
			next = x->now + step;
			quiet++;
			in_a_row++;
		} else {
			in_a_row = 0;
		}
		maui_count_waits(x, next - x->rules.poll_s);
		rc = roll_windows(x, &conf, next, err);
		x->now = next;
		if (!rc && end_jobs(x))
			rc = fsi_nomem(err);
	}
	return rc;
}

/* Jobs that are left had something in their way to the end. */
static void give_verdicts(struct fs_plan *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct fsi_plan_row *row = &p->row[i];

		if (row->state != FS_PLAN_NO_START || (p->given_up && row->eligible))
			continue;
		row->state = fs_queue_verdict_kind(p->queue, row->job) == FS_VERDICT_NEVER ? FS_PLAN_NEVER
											     : FS_PLAN_BLOCKED;
	}
}

static int plan(struct fs_plan *p, struct fs_error *err)
{
	struct fsi_maui_run x = { .p = p };
	int rc = 0;

	if (!strcmp(fsi_maui_policy(p->m), "PREEMPT"))
		return fsi_fail(err, FS_ENODATA, "%s: starts are not modelled for BACKFILLPOLICY PREEMPT", p->m->file);
	fsi_maui_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &x.rules);
	p->resolution_s = x.rules.poll_s;
	if (fsi_plan_make_rows(p, false) || fsi_maui_run_init(&x)) {
		rc = fsi_nomem(err);
	} else {
		x.line.max_looks = p->max_looks;
		fsi_maui_find_never(&x);
		rc = run(&x, err);
	}
	if (!rc)
		give_verdicts(p);
	maui_waits_end(&x);
	fsi_maui_run_release(&x);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_maui = { .run = plan, .assume = fsi_maui_assumptions };
