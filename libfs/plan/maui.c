#include "plan/maui.h"

#include "plan/plan.h"
#include "queue/maui_queue.h"
#include "usage/maui_windows.h"

#include <stdlib.h>
#include <string.h>

/* ---- starting one job */

/* Returns true if the job is pending in the simulated snapshot. */
static bool is_job_idle(const struct fsi_maui_plan *x, uint32_t job)
{
	return x->snapshot.job.v[job].state == FSI_STATE_PENDING;
}

static struct fsi_maui_limits *maui_limits(const struct fsi_maui_plan *x)
{
	return fsi_maui_queue_data(x->queue)->limits;
}

/* Returns true if the job, together with the running jobs, is within hard limits and, if `soft` is true, within soft
 * limits too. */
static bool is_within_limits(const struct fsi_maui_plan *x, uint32_t job, bool soft)
{
	return !fsi_maui_limits_is_active_exceeded(maui_limits(x), job, soft);
}

/* Sets x->free_span to the number of seconds for which each node stays free for the request. */
static void measure_free_spans(struct fsi_maui_plan *x, const struct fsi_timeline_request *w)
{
	for (uint32_t i = 0; i < x->timeline.n; i++)
		x->free_span[i] = fsi_timeline_free_span(&x->timeline, i, w, x->now);
}

/* Drops the job's reservation, if it has one. */
static void drop_job_reservation(struct fsi_maui_plan *x, uint32_t job)
{
	if (x->state.reservation_start[job] == FS_UNKNOWN)
		return;
	fsi_timeline_drop_job(&x->timeline, job);
	x->state.reservation_start[job] = FS_UNKNOWN;
}

/* Drops the job's reservation, and starts the job now if it fits on the nodes of `among` (NULL: on the nodes of the
 * current partition). Nodes of the dropped reservation, and nodes of reservations that admit the job, are chosen first.
 * With NODEALLOCATIONPOLICY LASTAVAILABLE, the nodes that stay free longest are chosen next
 * (src/MNode.c:MNodeSelectIdleTasks, src/MSched.c:MJobAllocMNL). Returns true if the job has
 * started. */
static bool try_start_now(struct fsi_maui_plan *x, uint32_t job, const bool *among)
{
	const struct fsi_timeline_request w = fsi_maui_plan_make_request(x, job);
	const struct fsi_timeline_criteria by = {
		.free_tasks = x->free_tasks, .candidates = among, .preferred = x->own_nodes, .free_span = x->free_span
	};

	fsi_timeline_find_own_nodes(&x->timeline, &w, x->now, x->own_nodes);
	drop_job_reservation(x, job);
	if (!fsi_timeline_request_fits(&x->timeline, &w, x->now, among))
		return false;
	measure_free_spans(x, &w);
	fsi_timeline_count_all_tasks(&x->timeline, &w, x->now, x->free_tasks);
	if (!fsi_timeline_choose_nodes(&x->timeline, &w, &by, x->rules.node_order))
		return false;
	fsi_maui_plan_start_job(x, &w);
	return true;
}

/* ---- backfill (src/MQueue.c:MQueueBackFill)
 *
 * A backfill window is a set of nodes that have a processor free for a length of time (src/MBF.c:MBFGetWindow). The
 * shortest window is tried first. A job that has no reservation may start in a window if its time limit and its number
 * of processors fit in the window. FIRSTFIT tries the jobs by priority. BESTFIT tries the job with the greatest
 * BACKFILLMETRIC first (by default, the most processors). GREEDY starts no job, since Maui never fills the list that it
 * searches (MBFGreedy).
 *
 * Only hard limits are checked. For partitions with their own backfill policy, Maui also does a backfill that checks
 * soft limits; this second backfill is not simulated (src/MSched.c:m_schedule_on_partitions). */

struct backfill_window {
	/* seconds for which all nodes of the backfill window have a processor free; INT64_MAX: for ever */
	int64_t length;
	int64_t procs; /* number of free processors on all nodes of the backfill window */
	uint32_t nodes; /* number of nodes in the backfill window; 0: no node has a processor free for long enough */
};

/* Returns the reservations into which a backfill window may extend, as a set of bits (`admission_bits` of a request):
 * bit i is for row i of the reservations. Rows after the first 64 have no bit. Maui computes windows for a user, group,
 * account and class named [ALL]. Every access list of users, groups, accounts or classes admits that name
 * (src/MBF.c:MBFGetWindow, src/MACL.c:MACLCheckAccess; src/MCred.c adds the class). */
static uint64_t get_window_admissions(const fs_snapshot *m)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < m->reservation.n && i < 64; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (FSI_HAS(r, RESERVATION, admits_told) && r->admits_told &&
		    (r->users || r->groups || r->accounts || r->classes))
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

/* Returns the backfill window of all nodes of the current partition that have a processor free for more than
 * `longer_than` seconds. Marks the nodes in x->window_nodes. */
static struct backfill_window find_next_window(struct fsi_maui_plan *x, int64_t longer_than)
{
	const struct fsi_timeline_request one = {
		.tasks = 1, .limit_s = 1, .task_amount = { 1 }, .admission_bits = get_window_admissions(&x->snapshot)
	};
	struct backfill_window w = { .length = INT64_MAX };

	for (uint32_t i = 0; i < x->timeline.n; i++) {
		const int64_t length = fsi_timeline_free_span(&x->timeline, i, &one, x->now);

		x->window_nodes[i] = length > longer_than &&
				     fsi_maui_plan_is_in_partition(x, &x->snapshot.node.v[x->timeline.node[i].row]);
		if (!x->window_nodes[i])
			continue;
		w.nodes++;
		w.procs += fsi_timeline_count_tasks(&x->timeline, i, &one, x->now);
		if (length < w.length)
			w.length = length;
	}
	return w;
}

/* Returns true if the job at index `i` of x->sched_order may start in the backfill window. */
static bool may_window_start(const struct fsi_maui_plan *x, size_t i, const struct backfill_window *w)
{
	const uint32_t job = x->sched_order[i];
	const struct fsi_job *j = &x->snapshot.job.v[job];

	return is_job_idle(x, job) && x->state.deferred_until[job] <= x->now &&
	       x->state.reservation_start[job] == FS_UNKNOWN && !x->job_qos[job].no_backfill &&
	       fsi_maui_plan_get_consideration(x, job) == FSI_MAUI_CONSIDERED && j->cpus <= w->procs &&
	       j->time_limit_s <= w->length && !fsi_maui_limits_is_rejected(maui_limits(x), job) &&
	       is_within_limits(x, job, false);
}

/* Sets x->window_jobs to the first BACKFILLDEPTH jobs that may start in the backfill window, and returns their number.
 * Maui makes this list once for each backfill window: when a job of the list starts, no other job is added
 * (src/MQueue.c:MQueueBackFill). */
static size_t list_window_jobs(struct fsi_maui_plan *x, const struct backfill_window *w)
{
	size_t n = 0;

	for (size_t i = 0; i < x->nordered && (x->rules.backfill_depth <= 0 || n < (uint64_t)x->rules.backfill_depth);
	     i++)
		if (may_window_start(x, i, w))
			x->window_jobs[n++] = (uint32_t)i;
	return n;
}

/* Starts jobs in the backfill window, highest priority first (FIRSTFIT). */
static void run_first_fit(struct fsi_maui_plan *x, const struct backfill_window *w)
{
	const size_t n = list_window_jobs(x, w);

	for (size_t k = 0; k < n; k++)
		if (may_window_start(x, x->window_jobs[k], w))
			try_start_now(x, x->sched_order[x->window_jobs[k]], x->window_nodes);
}

/* Returns the value of the job under the configured BACKFILLMETRIC. */
static int64_t get_backfill_metric(const struct fsi_maui_plan *x, uint32_t job)
{
	const struct fsi_job *j = &x->snapshot.job.v[job];

	switch (x->rules.backfill_metric) {
	case FSI_BFM_PROCSECONDS:
		return j->cpus * j->time_limit_s;
	case FSI_BFM_SECONDS:
		return j->time_limit_s;
	default:
		return j->cpus;
	}
}

/* Starts the job with the greatest BACKFILLMETRIC among the jobs that fit in the backfill window. Repeats this until no
 * job fits (BESTFIT). */
static void run_best_fit(struct fsi_maui_plan *x, struct backfill_window w)
{
	const size_t n = list_window_jobs(x, &w);

	for (;;) {
		size_t best = x->nordered;

		for (size_t k = 0; k < n; k++) {
			const size_t i = x->window_jobs[k];
			struct fsi_timeline_request request;

			if (!may_window_start(x, i, &w))
				continue;
			request = fsi_maui_plan_make_request(x, x->sched_order[i]);
			if ((best == x->nordered || get_backfill_metric(x, x->sched_order[i]) >
							    get_backfill_metric(x, x->sched_order[best])) &&
			    fsi_timeline_request_fits(&x->timeline, &request, x->now, x->window_nodes))
				best = i;
		}
		if (best == x->nordered || !try_start_now(x, x->sched_order[best], x->window_nodes))
			return;
		w.procs -= x->snapshot.job.v[x->sched_order[best]].cpus;
	}
}

/* Starts jobs by backfill in the current partition. */
static void backfill_current_partition(struct fsi_maui_plan *x)
{
	struct backfill_window w = { .length = 0 };

	if (x->rules.backfill_policy == FSI_BF_NONE || x->rules.backfill_policy == FSI_BF_GREEDY)
		return;
	while (w.length < INT64_MAX) {
		w = find_next_window(x, w.length);
		if (!w.nodes)
			return;
		if (x->rules.backfill_policy == FSI_BF_BESTFIT)
			run_best_fit(x, w);
		else
			run_first_fit(x, &w);
	}
}

/* ---- one iteration (TempleHPC maui-scheduler 3.5, src/MSched.c:MSchedProcessJobs)
 *
 *   reservations  With RESERVATIONPOLICY HIGHEST, each reservation is moved to the earliest possible time, in
 *                 order of priority. A job starts if its reservation begins now. With CURRENTHIGHEST and NEVER, all
 *                 reservations are dropped (src/MQueue.c:MQueueScheduleRJobs). With any RESERVATIONPOLICY, a job
 *                 whose QOS has RESERVEALWAYS gets a reservation.
 *   priority      Jobs within their soft limits start, highest priority first. A job that does not fit gets a
 *                 reservation if fewer than RESERVATIONDEPTH[bucket] jobs of its bucket (a group of QOS) have one.
 *                 After the first job that gets no reservation, later jobs start only through a reservation that
 *                 begins now (MQueueScheduleIJobs, src/MJob.c:MJobPReserve). This step is done twice: for the partition
 *                 DEFAULT, then for all partitions. Maui's first pass is for the default partition of each job. PDEF
 *                 is not modelled, so the default partition of every job is DEFAULT. In the second pass, reservations
 *                 of the first pass that begin now do not count against RESERVATIONDEPTH
 *                 (src/MSched.c:m_schedule_on_partitions).
 *   backfill      Jobs within hard limits start in the gaps between reservations. With BACKFILLPOLICY NONE, there is
 *                 neither backfill nor any reservation.
 *
 * The steps "priority" and "backfill" handle one partition of nodes after the other; each job runs in one partition. */

/* ---- reservations */

/* Returns the earliest time at which nodes can be reserved for the job in one partition, and sets x->current_partition
 * to that partition (src/MJob.c:MJobGetEStartTime). If several partitions have the same earliest time,
 * uses the first of them. Returns FSI_MAUI_MAX_TIME if there is no such time. */
static int64_t find_earliest_reservation(struct fsi_maui_plan *x, uint32_t job)
{
	int64_t best = FSI_MAUI_MAX_TIME;
	uint32_t best_part = 0;

	for (x->current_partition = 0; x->current_partition < x->npartitions; x->current_partition++) {
		const struct fsi_timeline_request w = fsi_maui_plan_make_request(x, job);
		const int64_t at = fsi_timeline_find_earliest(&x->timeline, &w, x->now);

		if (at < best) {
			best = at;
			best_part = x->current_partition;
		}
	}
	x->current_partition = best_part;
	return best;
}

/* Reserves nodes of the current partition for the job from `at` on. Nodes with a reservation that admits the job are
 * chosen first. Returns false if the job does not fit. */
static bool reserve_partition_nodes(struct fsi_maui_plan *x, uint32_t job, int64_t at)
{
	const struct fsi_timeline_request w = fsi_maui_plan_make_request(x, job);
	const struct fsi_timeline_criteria by = { .free_tasks = x->free_tasks, .preferred = x->own_nodes };

	fsi_timeline_find_own_nodes(&x->timeline, &w, at, x->own_nodes);
	fsi_timeline_count_reservable(&x->timeline, &w, at, x->free_tasks);
	if (!fsi_timeline_choose_nodes(&x->timeline, &w, &by, x->rules.node_order))
		return false;
	fsi_timeline_hold_chosen(&x->timeline, &w, at, at + w.limit_s);
	x->state.reservation_start[job] = at;
	x->reserved_partition[job] = x->current_partition;
	return true;
}

/* Drops the job's reservation, and reserves nodes for the job again from the earliest possible time on. Returns true if
 * the job now has a reservation. */
static bool replace_job_reservation(struct fsi_maui_plan *x, uint32_t job)
{
	const uint32_t part = x->current_partition;
	int64_t at;
	bool reserved;

	drop_job_reservation(x, job);
	at = find_earliest_reservation(x, job);
	reserved = at < FSI_MAUI_MAX_TIME && reserve_partition_nodes(x, job, at);
	x->current_partition = part;
	return reserved;
}

/* Returns true if RESERVATIONTHRESHOLDTYPE is NONE, or if it names a property and the job's value of this property
 * exceeds RESERVATIONTHRESHOLDVALUE. */
static bool may_get_reservation(const struct fsi_maui_plan *x, uint32_t job)
{
	const struct fsi_job *j = &x->snapshot.job.v[job];
	const int64_t waited = x->now - j->eligible_time, limit = j->time_limit_s > 0 ? j->time_limit_s : 1;

	switch (x->rules.threshold) {
	case FSI_THRESHOLD_BYPASS:
		return fsi_job_ext(&x->snapshot, j)->bypass > x->rules.threshold_value;
	case FSI_THRESHOLD_QUEUETIME:
		return waited > x->rules.threshold_value;
	case FSI_THRESHOLD_XFACTOR:
		return (waited + limit) / limit > x->rules.threshold_value;
	default:
		return true;
	}
}

/* Defers the job for DEFERTIME seconds (src/MJob.c:MJobSetHold). */
static void defer_blocked_job(struct fsi_maui_plan *x, uint32_t job)
{
	if (x->rules.defer_s > 0)
		x->state.deferred_until[job] = x->rules.defer_s == INT64_MAX ? INT64_MAX : x->now + x->rules.defer_s;
	x->ndeferred++;
}

/* Gives the job a reservation if its QOS is in a bucket, fewer than RESERVATIONDEPTH jobs of the bucket have one, and
 * may_get_reservation returns true. Defers the job if no time for the reservation is found. A job that can never
 * start is deferred even if the policy makes no reservations, because Maui looks for a time before it checks the policy
 * (src/MJob.c:MJobPReserve). Returns true if the job has a new reservation. */
static bool reserve_by_priority(struct fsi_maui_plan *x, uint32_t job)
{
	const bool makes_none = x->rules.backfill_policy == FSI_BF_NONE || x->rules.reservation_policy == FSI_RSV_NEVER;
	const unsigned bucket = x->job_qos[job].bucket;
	bool reserved;

	if (makes_none && x->impossible[job])
		defer_blocked_job(x, job);
	if (makes_none || bucket == FSI_MAUI_BUCKETS || x->nreservations[bucket] >= x->bucket[bucket].depth ||
	    !may_get_reservation(x, job))
		return false;
	reserved = replace_job_reservation(x, job);
	x->nreservations[bucket] += reserved;
	if (!reserved)
		defer_blocked_job(x, job);
	return reserved;
}

/* Starts a job whose reservation begins now. If the job cannot start, drops its reservation and defers the job. */
static void start_reserved_job(struct fsi_maui_plan *x, uint32_t job)
{
	x->current_partition = x->reserved_partition[job];
	if (is_within_limits(x, job, true) && try_start_now(x, job, NULL))
		return;
	drop_job_reservation(x, job);
	defer_blocked_job(x, job);
}

/* Returns true if the current iteration is the first simulated one, at the snapshot's time. The snapshot already shows
 * the result of Maui's own iteration. With RESERVATIONPOLICY HIGHEST, the first simulated iteration therefore neither
 * moves recorded reservations nor adds reservations. The first iteration only starts jobs. In an unchanged snapshot, no
 * job could start then. A snapshot that was changed after it was taken may have a job that can start. */
static bool is_first_iteration(const struct fsi_maui_plan *x)
{
	return x->now == x->plan->m->info.time;
}

/* Returns true if Maui moved the job's reservation in its last iteration before the snapshot. The first simulated
 * iteration must then not move it again. */
static bool was_reservation_moved(const struct fsi_maui_plan *x, uint32_t job)
{
	return is_first_iteration(x) && x->state.reservation_start[job] > x->now &&
	       x->state.reservation_start[job] != INT64_MAX;
}

/* Drops the reservations of jobs that had no reservation in the snapshot. */
static void drop_added_reservations(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->nordered; i++)
		if (!fs_job_flag(&x->snapshot, x->sched_order[i], "RESERVED"))
			drop_job_reservation(x, x->sched_order[i]);
}

/* Performs the step "reservations" of an iteration: moves or drops the reservations of pending jobs. */
static void update_job_reservations(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->nordered; i++) {
		const uint32_t job = x->sched_order[i];

		if (!x->job_qos[job].always_reserves) {
			if (x->state.reservation_start[job] == FS_UNKNOWN)
				continue;
			if (x->rules.reservation_policy != FSI_RSV_HIGHEST ||
			    x->job_qos[job].bucket == FSI_MAUI_BUCKETS) {
				drop_job_reservation(x, job);
				continue;
			}
		}
		if (was_reservation_moved(x, job))
			continue;
		if (replace_job_reservation(x, job) && x->state.reservation_start[job] <= x->now)
			start_reserved_job(x, job);
	}
}

/* ---- the step "priority" */

/* Starts a job in the step "priority", or gives it a reservation. *blocked: true if an earlier job of this step could
 * neither start nor get a reservation. Sets *blocked to true if this job, too, can neither start nor get a reservation.
 * A job may exceed a limit because of other jobs that started in this iteration. While *blocked is false, a job over a
 * limit can get a reservation, even a reservation that begins now. */
static void try_priority_job(struct fsi_maui_plan *x, uint32_t job, bool *blocked)
{
	if (x->state.reservation_start[job] != FS_UNKNOWN &&
	    (x->state.reservation_start[job] > x->now || x->reserved_partition[job] != x->current_partition)) {
		if (x->job_qos[job].bucket < FSI_MAUI_BUCKETS)
			x->nreservations[x->job_qos[job].bucket]++;
		return;
	}
	if (*blocked && (!is_within_limits(x, job, true) || !reserve_by_priority(x, job) ||
			 x->state.reservation_start[job] > x->now))
		return;
	if (is_within_limits(x, job, true) && try_start_now(x, job, NULL))
		return;
	drop_job_reservation(x, job);
	*blocked |= !reserve_by_priority(x, job);
}

/* Runs the scheduling step "priority" in the current partition: starts jobs, or gives them reservations, in scheduling
 * order. A job loses its reservation if no node of the partition has its class. */
static void try_priority_jobs(struct fsi_maui_plan *x)
{
	bool blocked = false;

	memset(x->nreservations, 0, sizeof(x->nreservations));
	for (size_t i = 0; i < x->nordered; i++)
		if (is_job_idle(x, x->sched_order[i]) &&
		    fsi_maui_plan_get_consideration(x, x->sched_order[i]) == FSI_MAUI_NO_CLASS)
			drop_job_reservation(x, x->sched_order[i]);
	for (size_t i = 0; i < x->nordered; i++)
		if (x->within_soft[i] && is_job_idle(x, x->sched_order[i]) &&
		    x->state.deferred_until[x->sched_order[i]] <= x->now &&
		    fsi_maui_plan_get_consideration(x, x->sched_order[i]) == FSI_MAUI_CONSIDERED)
			try_priority_job(x, x->sched_order[i], &blocked);
}

/* ---- the steps of an iteration */

/* Finds the jobs of x->sched_order that are within soft limits, and marks them in x->within_soft. */
static void note_soft_limits(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->nordered; i++)
		x->within_soft[i] = fsi_maui_limits_is_within_soft(maui_limits(x), x->sched_order[i]) &&
			     is_within_limits(x, x->sched_order[i], true);
}

/* Drops the reservations of jobs that this iteration does not consider. Exception: a job that a fair-share cap blocks
 * retains its reservation, even if the start of the reservation has passed (src/MPolicy.c: MQueueSelectAllJobs,
 * MQueueCheckSingleJob). */
static void drop_excluded_reservations(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];
		const struct fs_reason *reason = fsi_queue_get_reason(r);
		const bool capped = reason && !strcmp(reason->name, "FairShare");

		if (!x->is_ordered[r->job] && !capped)
			drop_job_reservation(x, r->job);
	}
}

/* Drops the reservation of each pending job whose start now would exceed a hard limit. If `soft` is true, soft limits
 * count too. Maui checks limits before fair-share caps (src/MSched.c:MSchedProcessJobs). */
static void drop_limited_reservations(struct fsi_maui_plan *x, bool soft)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (x->state.reservation_start[job] != FS_UNKNOWN && is_job_idle(x, job) &&
		    !is_within_limits(x, job, soft))
			drop_job_reservation(x, job);
	}
}

/* Does the steps of one iteration: starts jobs and makes reservations. */
static void run_iteration_steps(struct fsi_maui_plan *x)
{
	drop_excluded_reservations(x);
	drop_limited_reservations(x, false);
	update_job_reservations(x);
	for (int pass = 0; pass < 2; pass++) {
		for (x->current_partition = 0; x->current_partition < x->npartitions; x->current_partition++) {
			if (!pass && x->partition[x->current_partition])
				continue;
			note_soft_limits(x);
			drop_limited_reservations(x, true);
			try_priority_jobs(x);
		}
	}
	for (x->current_partition = 0; x->current_partition < x->npartitions; x->current_partition++) {
		drop_limited_reservations(x, false);
		backfill_current_partition(x);
	}
	drop_limited_reservations(x, true);
	if (is_first_iteration(x) && x->rules.reservation_policy == FSI_RSV_HIGHEST)
		drop_added_reservations(x);
}

/* ---- waiting times that job priorities use
 *
 * The priority of a job uses the time that the job had waited when it was last eligible in an iteration
 * (J->EffQueueDuration, src/MPolicy.c:MQueueSelectJobs). If the job was never eligible, its whole time in the queue
 * counts (src/MPriority.c:MJobGetStartPriority). For a blocked job, only checkjob shows this waiting time. */

/* Returns true if the priority of any job depends on the time that the job has waited. */
static bool has_wait_weight(const fs_snapshot *m, const struct fsi_maui_conf *c)
{
	bool any = c->weight[FSI_MT_QUEUETIME] != 0 || c->weight[FSI_MT_XFACTOR] != 0;

	for (size_t i = 0; i < m->credential.n; i++)
		any = any || m->credential.v[i].queuetime_weight || m->credential.v[i].xfactor_weight;
	return any && c->group_weight[FSI_MG_SERVICE] != 0;
}

/* Copies the recorded waits of jobs that are blocked in the snapshot to x->state.queued_s. If a priority depends on the
 * wait, sets FS_UNMODELLED_WAIT in the row of each blocked job whose wait is unknown. */
static void set_recorded_waits(struct fsi_maui_plan *x, const struct fsi_maui_conf *c)
{
	const bool has_weight = has_wait_weight(&x->snapshot, c);

	for (size_t i = 0; i < x->plan->nrows; i++) {
		struct fsi_plan_row *row = &x->plan->row[i];
		const struct fsi_job *j = &x->snapshot.job.v[row->job];
		const uint32_t recorded_s = FSI_HAS(j, JOB, eligible_s) ? fsi_job_ext(&x->snapshot, j)->eligible_s : 0;

		if (row->eligible)
			continue;
		if (recorded_s)
			x->state.queued_s[row->job] = recorded_s;
		else if (has_weight && !FSI_HAS(j, JOB, eligible_s))
			row->unmodelled |= FS_UNMODELLED_WAIT;
	}
}

/* Clears FS_UNMODELLED_WAIT in rows without a start. If NODESETPOLICY is set, sets FS_UNMODELLED_NODE_SETS in rows with
 * a start: the policy applies to all jobs (src/MSched.c). */
static void finish_unmodelled_marks(struct fsi_maui_plan *x)
{
	const bool node_sets = fs_snapshot_config_text(&x->snapshot, "NODESETPOLICY") != NULL;

	for (size_t i = 0; i < x->plan->nrows; i++) {
		struct fsi_plan_row *row = &x->plan->row[i];

		if (row->start == FS_UNKNOWN)
			row->unmodelled &= ~(unsigned)FS_UNMODELLED_WAIT;
		else if (node_sets)
			row->unmodelled |= FS_UNMODELLED_NODE_SETS;
	}
}

/* Marks in x->restarts_wait the jobs whose wait starts again at 0 in the next iteration:
 *   - With JOBPRIOACCRUALPOLICY QUEUEPOLICY or FULLPOLICY, jobs that a hard limit rejects
 *     (fsi_maui_limits_is_rejected).
 *   - With FULLPOLICY, also jobs that are not eligible, and jobs that would exceed a hard limit together with the
 *     running jobs (src/MPolicy.c:MQueueSelectAllJobs, MQueueCheckSingleJob). */
static void note_restarted_waits(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		x->restarts_wait[r->job] =
			(x->rules.restarts_rejected && fsi_maui_limits_is_rejected(maui_limits(x), r->job)) ||
			(x->rules.restarts_blocked &&
			 (!r->eligible || fsi_maui_limits_is_active_exceeded(maui_limits(x), r->job, false)));
	}
}

/* Returns true if the job was blocked in the snapshot, and the snapshot does not record how long the job had waited
 * before (field `eligible_s`). */
static bool is_wait_unknown(const struct fsi_maui_plan *x, uint32_t job)
{
	const uint32_t row = x->plan->row_of_job[job];

	return row && !x->plan->row[row - 1].eligible && !FSI_HAS(&x->snapshot.job.v[job], JOB, eligible_s);
}

/* Sets x->state.queued_s, the waits that job priorities use in the next simulated iteration. `last`: time of the next
 * simulated iteration minus RMPOLLINTERVAL; Maui runs an iteration at this time.
 *
 *   eligible pending job   The wait ends at `last`.
 *   job that has started   The wait ends now.
 *   blocked job            The wait does not change. If it is FS_UNKNOWN, the whole time in the queue counts. If the
 *                          job was blocked in the snapshot and its wait is not recorded, a wait of 0 seconds is
 *                          assumed.
 *
 * For an eligible job, a wait of 0 seconds is stored as FS_UNKNOWN. */
static void update_job_waits(struct fsi_maui_plan *x, int64_t last)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->snapshot.job.v[job];
		const int64_t until = j->state == FSI_STATE_PENDING ? last : x->now;

		if (x->queue->record.v[i].eligible)
			x->state.queued_s[job] = until > j->eligible_time ? until - j->eligible_time : FS_UNKNOWN;
		else if (x->state.queued_s[job] == FS_UNKNOWN && is_wait_unknown(x, job))
			x->state.queued_s[job] = 0;
	}
}

/* Bounds of the simulation's work. An iteration is skipped if no change is known that may affect it (find_next_change).
 * Some iterations without a known change are simulated nevertheless, because priorities, usage and fair-share caps
 * change with time. These are called quiet iterations. Maximum number of quiet iterations:
 *
 *   max(min(MIN_QUIET, QUIET_WORK / (jobs + 1)),
 *       min(MAX_QUIET, QUIET_WORK / (jobs + fair-share usage records + nodes + 1)))
 *
 * The interval between quiet iterations is RMPOLLINTERVAL at first. It doubles after every n consecutive quiet
 * iterations; n is the maximum number divided by QUIET_PARTS, plus 1. It is RMPOLLINTERVAL again after a known change
 * or the start of a job. */
enum {
	MAX_ITERATIONS = 200000,
	MIN_QUIET = 500,
	MAX_QUIET = 1000,
	QUIET_WORK = 200000,
	/* units of work that one iteration adds for each job and for each fair-share usage record, without the work in
	 * the timeline */
	JOB_WORK = 5000,
	QUIET_PARTS = 2
};

/* ---- times of iterations, and the jobs, reservations and fair-share windows that end between iterations */

/* Returns the time of the first iteration at or after t. Iterations are at multiples of RMPOLLINTERVAL after the
 * snapshot's time. */
static int64_t get_iteration_time(const struct fsi_maui_plan *x, int64_t t)
{
	const int64_t first = x->plan->m->info.time, poll = x->rules.poll_s;

	return first + (t - first + poll - 1) / poll * poll;
}

/* Appends the usage records of the fair-share window that began at `start` and has ended, as Maui writes them
 * (src/MFS.c:MFSUpdateData). Returns 0, or an error code of fsi_windows_load_slot. */
static int close_usage_window(struct fsi_maui_plan *x, int64_t start, struct fs_error *err)
{
	const fs_snapshot *m = &x->snapshot;
	struct fsi_windows w;
	int rc = fsi_windows_load_slot(&w, m, start, err);

	if (rc)
		return rc;
	for (uint32_t i = 0; i < w.n && !rc; i++) {
		const bool all = i == w.n - 1;
		struct fsi_window record = {
			.start = start,
			.usage_s = fsi_windows_of_row(&w, i)[0],
			.kind = all ? fsi_name_find(m, fs_cred_kind_name(FS_CRED_KINDS)) : m->credential.v[i].kind,
			.name = all ? 0 : m->credential.v[i].name,
		};

		if (record.usage_s == 0)
			continue;
		if (FSI_VEC_RESERVE(&x->snapshot.window))
			rc = fsi_fail_no_memory(err);
		else
			x->snapshot.window.v[x->snapshot.window.n++] = record;
	}
	fsi_windows_release(&w);
	return rc;
}

/* Ends the jobs and reservations whose end is at or before x->now. Marks the jobs as completed, and removes jobs and
 * reservations from the timeline. Sets x->freed_by and x->reservation_ended. Restarts the wait of the jobs in
 * x->restarts_wait, and of the jobs whose deferral has ended. Returns -1 if out of memory. */
static int end_jobs_and_reservations(struct fsi_maui_plan *x)
{
	fsi_maui_memory_begin_iteration(x);
	for (uint32_t i = 0; i < x->timeline.n; i++) {
		const struct fsi_timeline_node *n = &x->timeline.node[i];

		x->freed_by[i] = FSI_NO_INDEX;
		x->reservation_ended[i] = false;
		for (size_t k = 0; k < n->hold.n; k++) {
			x->reservation_ended[i] |= n->hold.v[k].job == FSI_NO_INDEX && n->hold.v[k].end <= x->now;
			if (n->hold.v[k].end <= x->now ||
			    (n->hold.v[k].job != FSI_NO_INDEX && fsi_maui_plan_job_has_ended(x, n->hold.v[k].job)))
				x->freed_by[i] = n->hold.v[k].job;
		}
	}
	if (fsi_maui_memory_end_jobs(x))
		return -1;
	for (uint32_t i = 0; i < x->snapshot.job.n; i++) {
		struct fsi_job *j = &x->snapshot.job.v[i];

		if (fsi_maui_plan_job_has_ended(x, i)) {
			j->state = FSI_STATE_COMPLETED;
			fsi_timeline_drop_job(&x->timeline, i);
		}
		if (x->restarts_wait[i] && j->eligible_time < x->now - x->rules.poll_s)
			j->eligible_time = x->now - x->rules.poll_s;
		/* the job's wait starts again at 0 when its deferral ends */
		if (x->state.deferred_until[i] && x->state.deferred_until[i] <= x->now) {
			j->eligible_time = x->now;
			x->state.deferred_until[i] = 0;
		}
	}
	fsi_timeline_drop_ended(&x->timeline, x->now);
	return 0;
}

/* Removes the fair-share windows that began before time `oldest` from the simulated snapshot. */
static void drop_old_windows(struct fsi_maui_plan *x, int64_t oldest)
{
	size_t nleft = 0;

	for (size_t i = 0; i < x->snapshot.window.n; i++)
		if (x->snapshot.window.v[i].start >= oldest)
			x->snapshot.window.v[nleft++] = x->snapshot.window.v[i];
	x->snapshot.window.n = nleft;
}

/* Stores the usage of the fair-share windows that end after the current iteration and by the time `to` of the next
 * iteration. Removes windows that are too old to count. Returns 0, or an error code of fsi_windows_load_slot. */
static int roll_usage_windows(struct fsi_maui_plan *x, const struct fsi_maui_conf *c, int64_t to, struct fs_error *err)
{
	const int64_t now = fsi_window_start_shown(c, x->now), then = fsi_window_start_shown(c, to);
	const int64_t oldest = then - (FSI_MAUI_MAX_DEPTH + 1) * c->interval_s;
	const int64_t start = now > oldest ? now : oldest;
	int rc = 0;

	if (c->policy == FSI_FS_NONE)
		return 0;
	drop_old_windows(x, oldest);
	for (int64_t s = start; s < then && !rc; s += c->interval_s) {
		x->snapshot.info.time = get_iteration_time(x, s + c->interval_s);
		rc = close_usage_window(x, s, err);
	}
	return rc;
}

/* ---- iterations */

/* A job to be sorted: the priority that it had in the previous iteration, and its position in Maui's job table. */
struct sorted_job {
	double priority;
	uint32_t position, job;
};

static int compare_earlier_priority(const void *a, const void *b, const void *ctx)
{
	const struct sorted_job *x = a, *y = b;

	(void)ctx;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

/* Returns true if this iteration considers the job of the record. An iteration considers eligible jobs, and a job that
 * only a hard idle limit blocks (fsi_maui_limits_is_only_idle_rejected), because the job may start by priority. */
static bool is_job_considered(const struct fsi_maui_plan *x, const struct fsi_queue_record *r)
{
	const fs_windows *windows = fsi_maui_queue_data(x->queue)->windows;
	struct fs_cap_row cap;

	return r->eligible || (fsi_maui_limits_is_only_idle_rejected(maui_limits(x), r->job) &&
			       !(windows && fs_windows_capped(windows, r->job, &cap)));
}

/* Sets x->sched_order and x->is_ordered for this iteration. Sorts jobs as Maui does: by their priority in the previous
 * iteration (fsi_prio_maui_previous_priority), then by their position in the job table. If a job has a record for each
 * of several classes, the first record decides its position. Returns -1 if out of memory. */
static int make_scheduling_order(struct fsi_maui_plan *x)
{
	const double *earlier = fsi_maui_queue_data(x->queue)->earlier;
	struct sorted_job *v = calloc(x->queue->record.n + 1, sizeof(*v));
	int rc = v ? 0 : -1;

	x->nordered = 0;
	memset(x->is_ordered, 0, x->snapshot.job.n * sizeof(*x->is_ordered));
	for (uint32_t i = 0; v && i < x->queue->record.n; i++) {
		const struct fsi_queue_record *r = &x->queue->record.v[i];

		if (!is_job_considered(x, r) || x->is_ordered[r->job] || x->never_considered[r->job] ||
		    x->state.deferred_until[r->job] > x->now)
			continue;
		x->is_ordered[r->job] = true;
		v[x->nordered++] = (struct sorted_job){ earlier ? earlier[r->job] : 0,
						 r->table_position != UINT32_MAX ? r->table_position : i, r->job };
	}
	if (!rc)
		rc = fs_sort(v, x->nordered, sizeof(*v), compare_earlier_priority, NULL);
	for (size_t i = 0; !rc && i < x->nordered; i++)
		x->sched_order[i] = v[i].job;
	free(v);
	return rc;
}

/* Simulates the iteration at x->now. Returns 0, or an error code of fs_queue_compute. */
static int simulate_one_iteration(struct fsi_maui_plan *x, struct fs_error *err)
{
	int rc;

	x->snapshot.info.time = x->snapshot.head.time = x->now;
	fs_queue_free(x->queue);
	x->queue = NULL;
	fsi_maui_plan_submit_arrived(x);
	rc = fsi_queue_compute_planned(&x->queue, &x->snapshot, NULL, &x->state, err);
	if (!rc && make_scheduling_order(x))
		rc = fsi_fail_no_memory(err);
	if (rc)
		return rc;
	run_iteration_steps(x);
	note_restarted_waits(x);
	return 0;
}

/* Returns true if a limit or cap blocks any job. A job counts as blocked if it is not eligible, is not deferred, and
 * has no recorded reason. */
static bool is_any_blocked(const struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;

		if (!x->queue->record.v[i].eligible && !x->queue->m->job.v[job].reason &&
		    x->state.deferred_until[job] <= x->now)
			return true;
	}
	return false;
}

/* Returns true if any pending job fits on the free nodes now, at least for one second. Such a job may start
 * in the next iteration even if no job ends, because priorities, usage and caps change with time. These changes may
 * reorder jobs, unblock jobs and move reservations. */
static bool fits_any_pending(struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++) {
		const uint32_t job = x->queue->record.v[i].job;
		const struct fsi_job *j = &x->snapshot.job.v[job];
		struct fsi_timeline_request w;

		if (j->state != FSI_STATE_PENDING || x->never_considered[job] ||
		    x->state.deferred_until[job] > x->now || (!x->queue->record.v[i].eligible && j->reason))
			continue;
		w = fsi_maui_plan_make_request(x, job);
		w.limit_s = 1;
		if (fsi_timeline_request_fits(&x->timeline, &w, x->now, NULL))
			return true;
	}
	return false;
}

/* Returns true if the wait of any job starts again at 0, or does not grow because a limit or cap blocks the job. */
static bool is_any_wait_stopped(const struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->queue->record.n; i++)
		if (x->restarts_wait[x->queue->record.v[i].job])
			return true;
	return is_any_blocked(x);
}

/* Returns true if any pending job that this iteration considers has the QOS flag RESERVEALWAYS. */
static bool has_reserve_always_job(const struct fsi_maui_plan *x)
{
	for (size_t i = 0; i < x->nordered; i++)
		if (x->job_qos[x->sched_order[i]].always_reserves &&
		    x->snapshot.job.v[x->sched_order[i]].state == FSI_STATE_PENDING)
			return true;
	return false;
}

/* Returns true if the next iteration may differ from the current one even if no job ends. With RESERVATIONPOLICY
 * HIGHEST or the QOS flag RESERVEALWAYS, reservations move when priorities or other reservations change. A job that
 * moves to the front of the scheduling order may get a reservation. */
static bool may_iteration_differ(struct fsi_maui_plan *x)
{
	const bool retains_reservations =
		x->rules.reservation_policy == FSI_RSV_HIGHEST && x->rules.backfill_policy != FSI_BF_NONE;

	return retains_reservations || has_reserve_always_job(x) || is_any_wait_stopped(x) || fits_any_pending(x);
}

/* Returns the time of the first iteration at or after the next change; INT64_MAX: nothing changes any more. Changes:
 *   - A job arrives or ends, or a reservation begins or ends.
 *   - The deferral of a job ends, unless the job can never start.
 *   - A fair-share window ends while a limit or cap blocks any job. This may unblock a job even while no job runs,
 *     because usage decays until no window has any usage.
 * `idle_since`: time of the last iteration at which the timeline had a job or reservation that begins or ends later. */
static int64_t find_next_change(const struct fsi_maui_plan *x, const struct fsi_maui_conf *c, int64_t idle_since)
{
	const int64_t fades_s = ((int64_t)c->depth + 1) * c->interval_s;
	const int64_t hold_change = fsi_timeline_next_change(&x->timeline, x->now);
	int64_t next = fsi_maui_plan_next_arrival(x);

	if (c->policy != FSI_FS_NONE && x->now - idle_since <= fades_s && is_any_blocked(x)) {
		const int64_t window = fsi_window_start_shown(c, x->now) + c->interval_s + c->poll_s;

		next = window < next ? window : next;
	}
	for (size_t i = 0; i < x->snapshot.job.n; i++) {
		const struct fsi_job *j = &x->snapshot.job.v[i];

		if (x->state.deferred_until[i] > x->now && x->state.deferred_until[i] < next && !x->impossible[i])
			next = x->state.deferred_until[i];
		if (j->state == FSI_STATE_RUNNING && FSI_HAS(j, JOB, end_time) && j->end_time > x->now &&
		    j->end_time < next)
			next = j->end_time;
	}
	next = hold_change < next ? hold_change : next;
	return next < FSI_MAUI_MAX_TIME ? get_iteration_time(x, next) : INT64_MAX;
}

static size_t get_smaller_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the maximum number of quiet iterations: simulated iterations that no known change may affect (see the comment
 * on QUIET_WORK). */
static size_t get_max_quiet(const struct fsi_maui_plan *x)
{
	const size_t jobs = x->snapshot.job.n, all = jobs + x->snapshot.window.n + x->timeline.n;
	const size_t by_jobs = get_smaller_size(MIN_QUIET, QUIET_WORK / (jobs + 1)),
		     by_all = get_smaller_size(MAX_QUIET, QUIET_WORK / (all + 1));

	return by_all > by_jobs ? by_all : by_jobs;
}

/* Returns the number of seconds from the current iteration to the next quiet iteration, a simulated iteration that no
 * known change may affect (see the comment on QUIET_WORK). `poll_s`: RMPOLLINTERVAL. `in_a_row`: number of consecutive
 * quiet iterations up to the current one. `max_quiet`: result of get_max_quiet. */
static int64_t get_quiet_step(int64_t poll_s, size_t in_a_row, size_t max_quiet)
{
	enum { MAX_S = 1 << 20 };
	const size_t steps = max_quiet / QUIET_PARTS + 1;

	for (size_t i = steps; i <= in_a_row && poll_s < MAX_S; i += steps)
		poll_s *= 2;
	return poll_s;
}

/* Simulates iterations until no job of the plan may still start, nothing changes any more, the work exceeds its
 * maximum, or fsi_plan_is_settled returns true. Returns 0, or an error code of fs_queue_compute. */
static int run_maui_iterations(struct fsi_maui_plan *x, struct fs_error *err)
{
	struct fsi_maui_conf conf;
	const size_t max_quiet = get_max_quiet(x);
	/* `quiet`: number of quiet iterations so far, which are simulated although no change is known (see QUIET_WORK);
	 * `in_a_row`: number of consecutive quiet iterations up to the current iteration */
	size_t quiet = 0, in_a_row = 0;
	int64_t idle_since = x->now;
	int rc = fsi_maui_conf_load(&x->snapshot, &conf, err);

	if (!rc)
		set_recorded_waits(x, &conf);
	for (uint32_t k = 0; !rc && x->nstartable && k < MAX_ITERATIONS && !x->plan->over_budget; k++) {
		const size_t started = x->nstarted, handled = x->nstarted + x->ndeferred;
		int64_t next, step;

		if (fsi_plan_is_settled(x->plan, x->now))
			break;
		rc = simulate_one_iteration(x, err);
		*x->timeline.work += JOB_WORK * (uint64_t)(x->snapshot.job.n + x->snapshot.window.n);
		x->plan->over_budget = fsi_timeline_is_over_budget(&x->timeline);
		if (rc || x->plan->over_budget)
			break;
		if (fsi_timeline_next_change(&x->timeline, x->now) != INT64_MAX)
			idle_since = x->now;
		next = find_next_change(x, &conf, idle_since);
		/* simulate the next iteration too: after starts and deferrals, limits may permit other jobs; after the
		 * memory of nodes has grown, more jobs may fit */
		if ((maui_limits(x) && x->nstarted + x->ndeferred != handled) || fsi_maui_memory_will_grow(x))
			next = x->now + x->rules.poll_s;
		if (next == INT64_MAX)
			break;
		in_a_row = x->nstarted == started ? in_a_row : 0;
		step = get_quiet_step(x->rules.poll_s, in_a_row, max_quiet);
		if (next > x->now + step && quiet < max_quiet && may_iteration_differ(x)) {
			next = x->now + step;
			quiet++;
			in_a_row++;
		} else {
			in_a_row = 0;
		}
		update_job_waits(x, next - x->rules.poll_s);
		rc = roll_usage_windows(x, &conf, next, err);
		x->now = next;
		if (!rc && end_jobs_and_reservations(x))
			rc = fsi_fail_no_memory(err);
	}
	return rc;
}

/* Sets the state of rows without a start to FS_PLAN_NEVER or FS_PLAN_BLOCKED. If the simulation was given up, eligible
 * jobs keep the state FS_PLAN_NO_START. */
static void set_final_states(struct fs_plan *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct fsi_plan_row *row = &p->row[i];

		if (row->state != FS_PLAN_NO_START || (p->over_budget && row->eligible))
			continue;
		row->state = fs_queue_verdict_kind(p->queue, row->job) == FS_VERDICT_NEVER ? FS_PLAN_NEVER
											     : FS_PLAN_BLOCKED;
	}
}

static int plan_maui_jobs(struct fs_plan *p, struct fs_error *err)
{
	struct fsi_maui_plan x = { .plan = p };
	int rc = 0;

	if (!strcmp(fsi_maui_plan_get_backfill_policy(p->m), "PREEMPT"))
		return fsi_fail_with_code(err, FS_ENODATA, "%s: cannot plan starts: BACKFILLPOLICY PREEMPT is not modelled",
					  p->m->file);
	fsi_maui_plan_read_rules(p->m, p->mode == FS_PLAN_BY_PRIORITY, &x.rules);
	p->resolution_s = x.rules.poll_s;
	if (fsi_plan_make_rows(p, false) || fsi_maui_plan_init(&x)) {
		rc = fsi_fail_no_memory(err);
	} else {
		x.timeline.work_budget = p->work_budget;
		fsi_maui_plan_find_impossible(&x);
		rc = run_maui_iterations(&x, err);
	}
	if (!rc)
		set_final_states(p);
	finish_unmodelled_marks(&x);
	if (x.timeline.out_of_memory || p->out_of_memory)
		rc = fsi_fail_no_memory(err);
	p->work = x.timeline.work ? *x.timeline.work : 0;
	fsi_maui_plan_release(&x);
	return rc;
}

const struct fsi_plan_scheduler fsi_plan_of_maui = { .run = plan_maui_jobs,
						     .add_assumptions = fsi_maui_plan_add_assumptions };
