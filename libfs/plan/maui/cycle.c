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
 *   backfill      within hard limits (MQueueBackFill; the one within soft limits is left to partitions that have a
 *                 policy of their own, src/MSched.c:m_schedule_on_partitions): windows of nodes that have a processor
 *                 free for so long, the shortest first (src/MBF.c:MBFGetWindow); in each window the jobs without a
 *                 reservation that are no longer and no wider than it. FIRSTFIT takes them by priority, BESTFIT the one
 *                 of most processors or BACKFILLMETRIC first. GREEDY starts none: it never fills the list it looks
 *                 through (MBFGreedy). With NONE there is neither backfill nor reservation. */
#include "plan/maui/maui.h"

#include "queue/maui/limits.h"

#include <string.h>

static bool is_idle(const struct fsi_maui_run *x, uint32_t job)
{
	return x->view.job.v[job].state == FSI_STATE_PENDING;
}

static bool within_limits(const struct fsi_maui_run *x, uint32_t job, bool soft)
{
	return !fsi_maui_over(x->queue, job, soft);
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

static void give_up(struct fsi_maui_run *x, uint32_t job)
{
	if (x->reserved[job] == FS_UNKNOWN)
		return;
	fsi_line_drop(&x->line, job);
	x->reserved[job] = FS_UNKNOWN;
}

/* Starts it now on those nodes (NULL: on any), if they suffice. 1 started, 0 not, -1 without memory. A reservation of
 * its own goes; its nodes come first, and those of one that admits it; then of the last available nodes those that stay
 * free the longest (src/MNode.c:MNodeSelectIdleTasks, src/MSched.c:MJobAllocMNL). */
static int try_start(struct fsi_maui_run *x, uint32_t job, const bool *among)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const struct fsi_line_choice by = { .room = x->room, .among = among, .first = x->own, .span = x->span };

	fsi_line_held(&x->line, &w, x->now, x->own);
	give_up(x, job);
	if (!fsi_line_fits(&x->line, &w, x->now, among))
		return 0;
	if (measure_spans(x, &w))
		return -1;
	fsi_line_room(&x->line, &w, x->now, x->room);
	if (!fsi_line_choose(&x->line, &w, &by, x->rules.order))
		return 0;
	return fsi_maui_start(x, &w) ? -1 : 1;
}

/* ---- reservations */

/* Reserves the earliest time, first on nodes where the job is admitted. 1 when there is one, -1 without memory. */
static int reserve(struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_line_want w = fsi_maui_want(x, job);
	const struct fsi_line_choice by = { .room = x->room, .first = x->own };
	int64_t at;

	give_up(x, job);
	at = fsi_line_earliest(&x->line, &w, x->now);
	if (at < 0 || at >= FSI_MAUI_FOR_EVER)
		return at < 0 ? -1 : 0;
	fsi_line_held(&x->line, &w, at, x->own);
	if (fsi_line_reservable(&x->line, &w, at, x->room))
		return -1;
	if (!fsi_line_choose(&x->line, &w, &by, x->rules.order))
		return 0;
	if (fsi_line_take(&x->line, &w, at, at + w.limit_s))
		return -1;
	x->reserved[job] = at;
	return 1;
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
	const int rc = within_limits(x, job, true) ? try_start(x, job, NULL) : 0;

	if (!rc) {
		give_up(x, job);
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
			give_up(x, x->order[i]);
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
				give_up(x, job);
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

	if (x->reserved[job] != FS_UNKNOWN && x->reserved[job] > x->now) {
		if (x->standing[job].bucket < FSI_MAUI_BUCKETS)
			x->depth[x->standing[job].bucket]++;
		return 0;
	}
	if (*stuck) {
		if (!within_limits(x, job, true))
			return 0;
		rc = reserve_by_priority(x, job);
		if (rc <= 0 || x->reserved[job] > x->now)
			return rc;
	}
	rc = within_limits(x, job, true) ? try_start(x, job, NULL) : 0;
	if (rc)
		return rc;
	give_up(x, job);
	rc = reserve_by_priority(x, job);
	if (!rc)
		*stuck = true;
	return rc;
}

static int priority_jobs(struct fsi_maui_run *x)
{
	bool stuck = false;
	int rc = 0;

	memset(x->depth, 0, sizeof(x->depth));
	for (size_t i = 0; i < x->n && rc >= 0; i++)
		if (x->soft[i] && is_idle(x, x->order[i]) && x->put_off[x->order[i]] <= x->now)
			rc = priority_job(x, x->order[i], &stuck);
	return rc < 0 ? -1 : 0;
}

/* ---- backfill */

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
		x->among[i] = length > longer_than;
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

	return is_idle(x, job) && x->put_off[job] <= x->now && x->reserved[job] == FS_UNKNOWN &&
	       !x->standing[job].no_backfill && j->cpus <= w->procs && j->time_limit_s <= w->length &&
	       !fsi_maui_rejected(x->queue, job) && within_limits(x, job, false);
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
			rc = try_start(x, x->order[x->looked_at[k]], x->among);
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
		rc = try_start(x, x->order[best], x->among);
		if (rc <= 0)
			return rc;
		w.procs -= x->view.job.v[x->order[best]].cpus;
	}
}

static int backfill(struct fsi_maui_run *x)
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

/* ---- */

static void note_soft(struct fsi_maui_run *x)
{
	for (size_t i = 0; i < x->n; i++)
		x->soft[i] = fsi_maui_within_soft(x->queue, x->order[i]) && within_limits(x, x->order[i], true);
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
			give_up(x, r->job);
	}
}

/* So does a job that is over a limit, which is looked at before the cap; jobs that started since count, too, and those
 * that backfill starts in the end (src/MSched.c:MSchedProcessJobs). */
static void drop_over(struct fsi_maui_run *x, bool soft)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (x->reserved[job] != FS_UNKNOWN && is_idle(x, job) && !within_limits(x, job, soft))
			give_up(x, job);
	}
}

int fsi_maui_cycle(struct fsi_maui_run *x)
{
	drop_others(x);
	drop_over(x, false);
	if (reserved_jobs(x))
		return -1;
	for (int pass = 0; pass < 2; pass++) {
		note_soft(x);
		drop_over(x, true);
		if (priority_jobs(x))
			return -1;
	}
	drop_over(x, false);
	if (backfill(x))
		return -1;
	drop_over(x, true);
	if (is_first(x) && x->rules.reserve == FSI_RSV_HIGHEST)
		drop_added(x);
	return 0;
}
