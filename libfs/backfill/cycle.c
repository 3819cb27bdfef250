/* The steps of a backfill cycle: one step for each try in scheduling order. Also writes the assumptions of a plan as
 * sentences for the user. */
#include "backfill/backfill.h"

#include "base/error.h"
#include "model/find.h"
#include "model/slurm.h"

#include <stdlib.h>
#include <string.h>

/* ---- plan rows of jobs that the cycle does not try */

/* If the job has no start yet, sets the row's state to FS_PLAN_BLOCKED. Also stores `section`, the section of the queue
 * in which the job is blocked. */
static void set_row_blocked(struct fsi_plan_row *row, enum fs_section section)
{
	if (row->start != FS_UNKNOWN)
		return;
	row->state = FS_PLAN_BLOCKED;
	row->section = (uint8_t)section;
}

/* Sets the row of a job that is not eligible. If only the begin time delays the job, the row's start is the begin time,
 * and the row's state is FS_PLAN_BEGINS. */
static void set_row_ineligible(struct fsi_cluster *c, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const struct fsi_job *j = &c->m->job.v[r->job];
	const bool begins = r->section == FS_SECTION_REQUEST && FSI_HAS(j, JOB, eligible_time) &&
			    j->eligible_time > c->now && !j->dependency;

	if (!begins) {
		set_row_blocked(row, r->section == FS_SECTION_ELIGIBLE && j->dependency ? FS_SECTION_REQUEST
											: (enum fs_section)r->section);
		return;
	}
	row->state = FS_PLAN_BEGINS;
	row->start = j->eligible_time;
	row->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s)
			       ? j->time_limit_s
			       : FS_UNKNOWN;
}

/* Sets the row's state to the reason why the cycle does not try the record: the job can never start, the job is not
 * eligible, or the record's partition is closed. Leaves the row unchanged in other cases, for example if the job is
 * tried in another partition. */
static void set_untried_row(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const enum fs_verdict_kind kind = fs_queue_verdict_kind(bf->plan->queue, r->job);

	if (kind == FS_VERDICT_NEVER)
		row->state = FS_PLAN_NEVER;
	else if (kind < FS_VERDICT_NODES || r->blocker == FSI_BLOCKER_CLOSED)
		set_row_ineligible(&bf->cluster, r, row);
}

/* ---- one record: whether the cycle reaches it, the request of its job, and the search for a start
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill) */

/* Calls fsi_backfill_counts_add_record for the record, and returns its result. */
static int count_queue_record(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	return fsi_backfill_counts_add_record(&bf->counts, bf->cluster.m, &bf->params, &bf->cluster.m->job.v[r->job],
					      r->partition_name, fsi_backfill_is_try_counted(bf));
}

/* Counts the next task of the array for the bf_max_job_* parameters. Returns 1 if the cycle may try this task, 0 if
 * not, -1 if out of memory. */
static int count_next_task(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	const int full = count_queue_record(bf, r);

	return full < 0 ? -1 : !full;
}

/* Returns true if the cycle has ended. No record is tried after the end. */
static bool has_cycle_ended(const struct fsi_backfill *bf)
{
	return bf->plan->mode == FS_PLAN_BACKFILL && (bf->is_over || bf->counter.tested >= bf->params.max_test);
}

/* Returns the parameter that ended the cycle. */
static struct fsi_cycle_limit get_ending_parameter(const struct fsi_backfill *bf)
{
	const struct fsi_sched_params *c = &bf->params;

	if (bf->counter.tested >= c->max_test)
		return (struct fsi_cycle_limit){ "bf_max_job_test", c->max_test };
	if (c->max_start && bf->counter.started >= c->max_start)
		return (struct fsi_cycle_limit){ "bf_max_job_start", c->max_start };
	return (struct fsi_cycle_limit){ "bf_node_space_size", c->node_space_size };
}

/* Returns 1 if the cycle reaches the record, 0 if not, -1 if out of memory. If the function returns 0, it has set
 * row->cycle.limit to the parameter that prevents the try. */
static int check_record_reached(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	int full = 0;

	if (has_cycle_ended(bf)) {
		row->cycle.limit = get_ending_parameter(bf);
		return 0;
	}
	full = count_queue_record(bf, r);
	if (full > 0)
		row->cycle.limit = fsi_backfill_counts_get_limit(&bf->params, full);
	row->cycle.reached |= !full;
	return full < 0 ? -1 : !full;
}

/* Returns true if the record is tried only for a start now, and not for a later start. */
static bool is_tried_now_only(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	const struct fsi_job *j = &bf->cluster.m->job.v[r->job];

	return r->priority < bf->params.min_prio_reserve ||
	       (FSI_HAS(j, JOB, eligible_time) && bf->cluster.now - j->eligible_time < bf->params.min_age_reserve_s) ||
	       (bf->params.one_resv_per_job && row->cycle.has_start) ||
	       fsi_backfill_is_partition_full(bf, r);
}

/* Returns true if the job's default memory per CPU is cleared when this record is tried. The last call of the select
 * plugin for the job decides. A call for a partition with DefMemPerGPU clears the default; a call for any other
 * partition restores it (select/cons_common/job_test.c: _verify_node_state runs before _set_gpu_defaults). If the last
 * call is unknown, the default is assumed to be cleared, unless the main scheduler has tried the job in this partition
 * only (fsi_backfill_is_first_in_partition). */
static bool has_lost_memory(const struct fsi_backfill *bf, const struct fsi_queue_record *r,
			    const struct fsi_plan_row *row)
{
	return row->default_memory == FSI_MEMORY_CLEARED ||
	       (row->default_memory == FSI_MEMORY_UNKNOWN && !fsi_backfill_is_first_in_partition(bf, r));
}

/* If the last try called the select plugin, stores in the row whether this call cleared or restored the job's default
 * memory per CPU. Otherwise leaves the stored value unchanged, with one exception: if the value is unknown and the
 * partition has DefMemPerGPU, stores that the default is not cleared. The stored value assumes that the previous cycle
 * did not call the plugin for this record either. */
static void note_default_memory(const struct fsi_select *sel, const struct fsi_request *q, struct fsi_plan_row *row)
{
	if (sel->select_called)
		row->default_memory = q->gpu.memory_by_gpu ? FSI_MEMORY_CLEARED : FSI_MEMORY_DEFAULT;
	else if (q->gpu.memory_by_gpu && row->default_memory == FSI_MEMORY_UNKNOWN)
		row->default_memory = FSI_MEMORY_DEFAULT;
}

/* Sets *q to the request of the record, but with the features that the name id `features` means instead of the features
 * of the record's job. *q is valid until the next call. Returns -1 if out of memory. */
static int fill_request_with_features(struct fsi_backfill *bf, const struct fsi_queue_record *r, uint32_t features,
				      const struct fsi_plan_row *row, struct fsi_request *q)
{
	fsi_arena_release(&bf->select.scratch);
	bf->select.scratch = (struct fsi_arena){ 0 };
	if (fsi_request_read_with_features(q, &bf->cluster, r->job, r->partition, features, &bf->select.scratch) ||
	    (bf->magnetic_resv &&
	     fsi_request_apply_reservation(q, &bf->cluster, bf->magnetic_resv - 1, &bf->select.scratch)))
		return -1;
	if (q->mem.lost_per_cpu && q->mem.whole_node && !has_lost_memory(bf, r, row)) {
		q->mem.whole_node = false;
		q->mem.per_cpu = q->mem.lost_per_cpu;
	}
	q->sharing.ignores_shared_cpus = bf->plan->mode == FS_PLAN_BACKFILL && bf->params.ignores_shared_cpus &&
					 bf->cluster.core_offset && !bf->cluster.requests.linear;
	return 0;
}

/* Sets *q to the request of the record. *q is valid until the next call. Returns -1 if out of memory. */
static int fill_record_request(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			       const struct fsi_plan_row *row, struct fsi_request *q)
{
	return fill_request_with_features(bf, r, bf->cluster.m->job.v[r->job].features, row, q);
}

/* Searches for a start of the record's request. Returns true if a start was found. `now`: searches only for a start
 * now. If PreemptMode is not OFF and the job's QOS has NoReserve, the search uses a time limit of one minute instead of
 * the job's own. Sets row->cycle.has_start to true if this search found a start, or if the job had a start before the
 * step of this record; else to false. Starts found for earlier tasks of the same record are ignored (backfill.c:
 * orig_start_time). */
static bool try_record_request(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			       const struct fsi_request *q, struct fsi_plan_row *row, bool now)
{
	const int64_t minute_s = 60;
	const char *mode = fs_snapshot_config_text(bf->cluster.m, "PreemptMode");
	struct fsi_request tried = *q;
	bool has_start;

	if (mode && strcmp(mode, "OFF") != 0 && fsi_backfill_has_noreserve(bf->cluster.m, r))
		tried.limit_s = minute_s;
	has_start = fsi_backfill_search_start(bf, &tried, now);
	bf->counter.tested += bf->select.select_called && fsi_backfill_is_try_counted(bf);
	note_default_memory(&bf->select, q, row);
	if (has_start && bf->select.attempt.start <= bf->cluster.now && bf->select.attempt.selection.keeps_weights &&
	    !fsi_backfill_het_get_id(bf->cluster.m, q->job))
		fsi_select_reset_weights(&bf->select.attempt.selection, &bf->cluster.partition[q->partition], q);
	row->cycle.has_start = has_start || bf->had_start_before;
	row->cycle.searched_window |= !now;
	return has_start;
}

/* If the start in bf->select.attempt is later than now, stores it as the start that the scheduler shows for the job. No
 * nodes are reserved for this start. */
static void show_found_start(const struct fsi_backfill *bf, struct fsi_plan_row *row)
{
	if (bf->select.attempt.start > bf->cluster.now)
		fsi_backfill_set_shown_start(bf->plan, row, bf->select.attempt.start, false);
}

/* Sets q->preempt to the running jobs that the request may preempt. */
static void set_preemptable_jobs(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_request *q)
{
	q->preempt.jobs = bf->plan->mode == FS_PLAN_BACKFILL ? fsi_backfill_find_preemptees(bf, r) : NULL;
	q->preempt.suspends = q->preempt.jobs ? bf->suspends : NULL;
	q->preempt.suspends_for_good = !bf->params.rules_24_11;
}

/* ---- records that are blocked by a limit or by their partition
 *
 * Backfill tries most of the records that a limit or the partition blocks, although their jobs cannot start. For some
 * of the jobs, backfill shows a start, and for some it also reserves nodes (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill). */

/* start assumed for a job that a limit blocks, in seconds from now, if no next time to try is known */
enum { POSTPONED_S = 500 };

/* Returns true if the record's partition admits the job's account. The backfill scheduler does not check accounts
 * before it plans a job. */
static bool is_account_admitted(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	if (r->partition == FSI_NO_INDEX) /* the partition is not in the snapshot */
		return true;
	const struct fsi_partition *part = &m->partition.v[r->partition];
	const char *account = fsi_name_text(m, m->job.v[r->job].account);

	return (!part->allow_accounts || fsi_list_has_word(m, part->allow_accounts, account)) &&
	       (!part->deny_accounts || part->allow_accounts || !fsi_list_has_word(m, part->deny_accounts, account));
}

/* Tries one task of a job that cannot start in this partition at present. If a limit blocks the job (`limit` is true)
 * and the start found is not later than now, replaces this start by the time that the search would have tried next. If
 * there is no such time, replaces the start by the time POSTPONED_S seconds from now. Stores the start as the start
 * that the scheduler shows, but not in row->start. Returns 1 if nodes were reserved for the task, 0 if not, -1 if out
 * of memory. */
static int reserve_for_blocked_task(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row, bool limit, bool now)
{
	if (!try_record_request(bf, r, q, row, now))
		return 0;
	if (limit && bf->select.attempt.start <= bf->cluster.now) {
		bf->select.attempt.start = bf->next_try ? bf->next_try : bf->cluster.now + POSTPONED_S;
		if (!now && !fsi_backfill_postpone_start(bf, q))
			return 0;
	}
	/* an immediate start is shown even if the partition refuses the job: the real scheduler tries to start the job,
	 * fails, and reserves the nodes */
	fsi_backfill_set_shown_start(bf->plan, row, bf->select.attempt.start, true);
	if (now || bf->select.attempt.start > bf->cluster.now + bf->params.window_s ||
	    !fsi_backfill_may_reserve_nodes(bf, r, q, row))
		return 0;
	return fsi_backfill_reserve_nodes(bf, q) ? -1 : 1;
}

/* Plans a job that cannot start in this partition at present. If `limit` is true, a limit blocks the job and
 * assoc_limit_stop is set. If `limit` is false, the partition refuses the account of the job. The backfill scheduler
 * reserves nodes in both cases. The tasks of an array are tried one after the other. Returns -1 if out of memory. */
static int reserve_for_blocked_record(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				      struct fsi_plan_row *row, bool limit)
{
	const bool now = is_tried_now_only(bf, r, row);
	int more = bf->plan->mode == FS_PLAN_BACKFILL ? check_record_reached(bf, r, row) : 1;
	struct fsi_request q;

	if (more <= 0)
		return more;
	if (fill_record_request(bf, r, row, &q))
		return -1;
	if (bf->plan->mode == FS_PLAN_BY_PRIORITY) {
		bf->select.attempt.start = fsi_select_find_earliest_start(
			&bf->select.earliest_search, &bf->select.attempt.selection, &bf->cluster, &q,
			bf->cluster.now + POSTPONED_S, FSI_RESPECT_ALL);
		if (limit && bf->select.attempt.start != INT64_MAX)
			fsi_backfill_close_partition_nodes(&bf->cluster, &q, bf->select.attempt.start);
		return 0;
	}
	while (more == 1 && !bf->plan->over_budget) {
		more = reserve_for_blocked_task(bf, r, &q, row, limit, now);
		bf->plan->over_budget = bf->plan->work > bf->plan->work_budget;
		if (more == 1)
			more = fsi_backfill_may_reserve_task(bf, row) ? count_next_task(bf, r) : 0;
	}
	return more;
}

/* Tries a record that a limit blocks, and stores the start found as the start that the scheduler shows. Reserves no
 * nodes. Slurm's controller tries such a job too. The controller checks the limits that depend on the nodes only after
 * the try, and the job keeps the start found (acct_policy_job_runnable_post_select). Returns -1 if out of memory. */
static int show_blocked_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = is_tried_now_only(bf, r, row);
	const int reached = check_record_reached(bf, r, row);
	struct fsi_request q;

	if (reached <= 0)
		return reached;
	if (fill_record_request(bf, r, row, &q))
		return -1;
	set_preemptable_jobs(bf, r, &q);
	if (try_record_request(bf, r, &q, row, now))
		show_found_start(bf, row);
	return 0;
}

/* For a job that its partition refuses: returns 1 if a limit blocks the job too, 0 if not, -1 if out of memory. In a
 * plan by priority, or with assoc_limit_stop, returns 0 without a check. */
static int is_also_limited(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	bool allowed = true;

	if (bf->plan->mode != FS_PLAN_BACKFILL || bf->params.assoc_limit_stop)
		return 0;
	return fsi_limit_ledgers_allow_record(bf, r, bf->cycle_starts.next, &allowed) ? -1 : !allowed;
}

/* Plans a record that is blocked by a limit or by its partition. Returns -1 if out of memory. */
static int plan_blocked_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool refused = !is_account_admitted(bf->cluster.m, r);
	int limited = 0;

	if (r->blocker != FSI_BLOCKER_NEVER)
		set_row_blocked(row, (enum fs_section)r->section);
	else if (row->start == FS_UNKNOWN && fs_queue_verdict_kind(bf->plan->queue, r->job) == FS_VERDICT_NEVER)
		row->state = FS_PLAN_NEVER; /* the job can never start in any of its partitions */
	row->blocked_by_limit = row->blocked_by_limit || r->blocker == FSI_BLOCKER_LIMIT;
	if (!r->tried || r->partition == FSI_NO_INDEX)
		return 0;
	if (refused)
		limited = is_also_limited(bf, r);
	if (limited < 0)
		return -1;
	if ((refused && !limited) || bf->params.assoc_limit_stop)
		return reserve_for_blocked_record(bf, r, row, !refused);
	return bf->plan->mode == FS_PLAN_BACKFILL ? show_blocked_start(bf, r, row) : 0;
}

/* ---- records that may start
 *
 * Each record gets the start that one cycle of the backfill scheduler finds for it (libfs/backfill/job_start.c;
 * src/plugins/sched/backfill/backfill.c: _attempt_backfill). The main scheduler of Slurm is assumed to start the same
 * jobs (src/slurmctld/job_scheduler.c: _schedule).
 *
 * A job that can start now takes the resources that it requests and may share its nodes. For a job that can start
 * later, whole nodes are reserved for its run time, in each of its partitions. The reserved time begins at the start,
 * rounded down to bf_resolution. The reserved time ends at the job's end, rounded down to bf_resolution; from 24.11 on,
 * rounded up. A job below bf_min_prio_reserve or bf_min_age_reserve, or beyond bf_job_part_count_reserve, is only tried
 * for an immediate start. A job whose QOS has NoReserve may get a later start, but no nodes are reserved for it.
 *
 * Three parameters can end the cycle: bf_max_job_test, the maximum number of searches for a start that call the select
 * plugin; bf_max_job_start, the maximum number of jobs that the cycle starts; and bf_node_space_size (default: the
 * value of bf_max_job_test).
 *
 * In a plan by priority, a job that cannot start now closes the nodes of its partition: no later job may use these
 * nodes before the start of the job that closes them. */

/* Plans one task of the job in a plan by priority (FS_PLAN_BY_PRIORITY). Returns 1 if the next task may be tried, 0 if
 * not, -1 if out of memory. */
static int plan_task_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				 const struct fsi_request *q, struct fsi_plan_row *row)
{
	if (q->features.n)
		row->unmodelled |= FS_UNMODELLED_FEATURES;
	bf->select.attempt.start =
		fsi_select_find_earliest_start(&bf->select.earliest_search, &bf->select.attempt.selection, &bf->cluster,
					       q, fsi_backfill_het_get_earliest(bf, q->job), FSI_RESPECT_ALL);
	if (bf->select.attempt.start == INT64_MAX) {
		row->state = FS_PLAN_NEVER;
		return 0;
	}
	fsi_backfill_het_note_start(bf, q->job, bf->select.attempt.start);
	return fsi_backfill_commit_by_priority(bf, r, q, row);
}

/* Marks the record as blocked by a limit, and stores the start found as the start that the scheduler shows. */
static void block_found_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	show_found_start(bf, row);
	set_row_blocked(row, (enum fs_section)r->section);
	row->blocked_by_limit = true;
}

/* Checks the limits that depend on the chosen nodes: limits on a job's resources per node, and limits on the number of
 * nodes. If the job gets whole nodes or sockets, checks all limits: limits on CPUs then count all CPUs of the nodes or
 * sockets. With assoc_limit_stop, checks no limit. If a limit blocks the job, stores the start found as the start that
 * the scheduler shows. No nodes are then reserved (acct_policy_job_runnable_post_select, after the try). Returns 1 if a
 * limit blocks the start, 0 if not, -1 if out of memory. */
static int check_node_limits(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			     const struct fsi_request *q, struct fsi_plan_row *row)
{
	bool blocked;

	if (!(q->sharing.whole_nodes || bf->cluster.rules.whole_sockets || bf->has_node_limits) ||
	    bf->params.assoc_limit_stop)
		return 0;
	if (fsi_limit_ledgers_block_start(bf, q, &blocked))
		return -1;
	if (blocked)
		block_found_start(bf, r, row);
	return blocked;
}

/* Returns true if the request, started at the time and on the nodes in select.attempt, would still run when a
 * reservation of a chosen node begins. Backfill may plan such a start, because it tests reservations as if the job
 * started at the beginning of the search. The scheduler refuses the start later (src/slurmctld/reservation.c:
 * job_test_resv). */
static bool runs_into_reservation(const struct fsi_backfill *bf, const struct fsi_request *q)
{
	const int64_t start = bf->select.attempt.start, end = start + q->limit_s;

	for (uint32_t k = 0; k < bf->select.attempt.selection.nnodes; k++) {
		const struct fsi_cluster_node *n = &bf->cluster.node[bf->select.attempt.selection.node[k]];

		for (size_t i = 0; i < n->block.n; i++) {
			const struct fsi_node_block *b = &n->block.v[i];

			if (b->job == FSI_NO_INDEX && b->reservation != q->reservation && b->start > start &&
			    b->start < end)
				return true;
		}
	}
	return false;
}

/* Sets bf->start_if_longer to the start that the job would get if its time limit were FSI_PLAN_LONGER_S seconds longer.
 * INT64_MAX: none, or the longer run would last into a reservation (runs_into_reservation).
 * A much later start shows that almost no time is left between the job's end and the next planned job or reservation.
 * Such a job may miss its planned start: the real cycle runs later than the simulated cycle, and planned starts are
 * rounded down. Restores the node weights after the try, because the real scheduler does not make this try. Returns -1
 * if out of memory. */
static int try_longer_run(struct fsi_backfill *bf, const struct fsi_request *q, bool now)
{
	const size_t n = (size_t)bf->cluster.nnodes + 1;
	int64_t *weight = bf->select.attempt.selection.weight,
		*saved_weight = fsi_arena_array(&bf->select.scratch, n, sizeof(*saved_weight));
	struct fsi_request longer = *q;

	if (!saved_weight)
		return -1;
	memcpy(saved_weight, weight, bf->cluster.nnodes * sizeof(*saved_weight));
	longer.limit_s += FSI_PLAN_LONGER_S;
	longer.full_limit_s += FSI_PLAN_LONGER_S;
	if (fsi_backfill_het_get_id(bf->cluster.m, q->job))
		bf->start_if_longer = 0;
	else if (fsi_backfill_search_start(bf, &longer, now) && !runs_into_reservation(bf, &longer))
		bf->start_if_longer = bf->select.attempt.start;
	else
		bf->start_if_longer = INT64_MAX;
	memcpy(weight, saved_weight, bf->cluster.nnodes * sizeof(*saved_weight));
	return 0;
}

/* Tries one task of the record and commits the start found. Returns 1 if the next task may be tried, 0 if not, -1 if
 * out of memory. *reserved_tasks: see fsi_backfill_commit_start. */
static int plan_task_by_backfill(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q,
				 struct fsi_plan_row *row, bool now, uint64_t *reserved_tasks)
{
	int blocked;

	if (bf->plan->focus_job == q->job + 1 && try_longer_run(bf, q, now))
		return -1;
	if (!try_record_request(bf, r, q, row, now)) {
		if (!bf->magnetic_resv && row->start == FS_UNKNOWN && fsi_plan_needs_details(bf->plan, q->job) &&
		    !fsi_backfill_is_start_possible(&bf->select, q))
			row->state = FS_PLAN_NEVER;
		return 0;
	}
	if (bf->limit_blocks_now && bf->select.attempt.start <= bf->cluster.now) {
		block_found_start(bf, r, row);
		return 0;
	}
	blocked = check_node_limits(bf, r, q, row);
	if (blocked)
		return blocked < 0 ? -1 : 0;
	return fsi_backfill_commit_start(bf, r, q, row, reserved_tasks);
}

/* Returns true if the licenses of the job do not prevent a try. Without bf_licenses, all licenses that the job requests
 * must be available now. */
static bool has_available_licenses(struct fsi_select *sel, const struct fsi_request *q, struct fsi_plan_row *row)
{
	const struct fsi_job *j = &sel->cluster->m->job.v[q->job];
	int64_t until;

	if (!fsi_job_ext(sel->cluster->m, j)->licenses)
		return true;
	if (!fsi_license_read_job(&sel->licenses, sel->cluster->m, j)) {
		row->unmodelled |= FS_UNMODELLED_LICENSES;
		return true;
	}
	if (sel->params->plans_licenses ||
	    fsi_license_is_wanted_open(sel, q, sel->cluster->now, sel->cluster->now + q->limit_s, &until))
		return true;
	if (row->start == FS_UNKNOWN)
		set_row_blocked(row, FS_SECTION_REQUEST);
	return false;
}

/* Tries to start the job now with its preferred features (--prefer). Does not search for a later start. After this try,
 * the job is tried with the features of --constraint (from 22.05; src/slurmctld/job_scheduler.c:
 * job_queue_append_internal, use_prefer). Returns -1 if out of memory. */
static int try_preferred_features(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const uint32_t prefer = fsi_job_ext(bf->cluster.m, &bf->cluster.m->job.v[r->job])->prefer;
	struct fsi_request q;
	uint64_t reserved_tasks = 0;

	if (!prefer || bf->plan->mode != FS_PLAN_BACKFILL)
		return 0;
	if (fill_request_with_features(bf, r, prefer, row, &q))
		return -1;
	set_preemptable_jobs(bf, r, &q);
	return plan_task_by_backfill(bf, r, &q, row, true, &reserved_tasks) < 0 ? -1 : 0;
}

/* Plans a record whose job may start. The tasks of an array are planned one after the other. The array's throttle
 * limits the number of tasks that start now. A job that is not an array has one task. Returns -1 if out of memory. */
static int plan_eligible_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = is_tried_now_only(bf, r, row);
	struct fsi_request q;
	uint64_t reserved_tasks = 0; /* number of tasks of this record for which nodes were reserved */
	const bool backfill = bf->plan->mode == FS_PLAN_BACKFILL;
	bool allowed = true;
	int more = backfill ? check_record_reached(bf, r, row) : 1;

	if (more <= 0)
		return more;
	if (try_preferred_features(bf, r, row) || fill_record_request(bf, r, row, &q))
		return -1;
	set_preemptable_jobs(bf, r, &q);
	row->unmodelled |= q.unmodelled;
	if (!has_available_licenses(&bf->select, &q, row))
		return 0;
	while (more == 1 && row->array.started_tasks < row->array.tasks &&
	       row->array.started_tasks < row->array.throttle && !bf->plan->over_budget) {
		more = backfill ? plan_task_by_backfill(bf, r, &q, row, now, &reserved_tasks)
				: plan_task_by_priority(bf, r, &q, row);
		bf->plan->over_budget = bf->plan->work > bf->plan->work_budget;
		if (more == 1 && backfill && fsi_limit_ledgers_allow_after_starts(bf, r, &allowed))
			return -1;
		if (more == 1 && backfill)
			more = allowed ? count_next_task(bf, r) : 0;
	}
	return more < 0 ? -1 : 0;
}

/* Plans a record that no limit blocked at the beginning of the cycle. If the jobs that the plan starts now have reached
 * a limit of the record, the record is blocked, as in Slurm (src/slurmctld/acct_policy.c: acct_policy_job_begin,
 * acct_policy_job_runnable_pre_select). Returns -1 if out of memory. */
static int plan_unblocked_record(struct fsi_backfill *bf, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	struct fsi_queue_record limited = *r;
	bool allowed = true;

	if (bf->plan->mode == FS_PLAN_BACKFILL && fsi_limit_ledgers_allow_after_starts(bf, r, &allowed))
		return -1;
	if (allowed)
		return plan_eligible_record(bf, r, row);
	limited.blocker = FSI_BLOCKER_LIMIT;
	return plan_blocked_record(bf, &limited, row);
}

/* ---- the steps of a cycle: one step for each record */

static bool is_partition_up(const fs_snapshot *m, uint32_t partition)
{
	const char *state = fsi_name_text(m, m->partition.v[partition].state);

	return !*state || !strcmp(state, "UP");
}

int fsi_backfill_run_record(struct fsi_backfill *bf, size_t i)
{
	struct fsi_queue_record record = bf->plan->queue->record.v[bf->order.record[i]];
	const struct fsi_queue_record *r = &record;
	struct fsi_plan_row *row = fsi_plan_find_or_add_row(bf->plan, r);
	bool allowed = false;

	bf->magnetic_resv = bf->order.magnetic_resv[i];
	bf->had_start_before = row->cycle.has_start;
	record.has_reservation = record.has_reservation || bf->magnetic_resv;
	if (fsi_backfill_put_starts_before(bf, r) ||
	    (bf->order.limited_since[i] && fsi_limit_ledgers_allow_record(bf, r, bf->cycle_starts.next, &allowed)))
		return -1;
	bf->limit_blocks_now = allowed;
	if (row->array.started_tasks && row->array.started_tasks >= row->array.tasks)
		return 0;
	if ((r->eligible || r->tried) && !fsi_backfill_het_may_try(bf, r->job))
		return 0;
	if (allowed)
		return plan_eligible_record(bf, r, row);
	if (r->blocker == FSI_BLOCKER_LIMIT || r->blocker == FSI_BLOCKER_NEVER)
		return plan_blocked_record(bf, r, row);
	if (!r->eligible)
		set_untried_row(bf, r, row);
	else if (r->partition == FSI_NO_INDEX || !is_partition_up(bf->cluster.m, r->partition))
		set_row_blocked(row, FS_SECTION_PARTITION);
	else
		return plan_unblocked_record(bf, r, row);
	return 0;
}

int fsi_backfill_cannot_start_before(struct fsi_backfill *bf, size_t i, int64_t start)
{
	const struct fsi_queue_record *r = &bf->plan->queue->record.v[bf->order.record[i]];
	struct fsi_request q;

	if (bf->plan->mode != FS_PLAN_BACKFILL || bf->order.magnetic_resv[i] || bf->plan->queue->preemption_rules ||
	    r->blocker != FSI_BLOCKER_NONE || bf->order.limited_since[i] || r->partition == FSI_NO_INDEX ||
	    fsi_backfill_has_noreserve(bf->cluster.m, r) || fsi_backfill_het_get_id(bf->cluster.m, r->job) ||
	    fsi_job_ext(bf->cluster.m, &bf->cluster.m->job.v[r->job])->prefer)
		return 0;
	bf->magnetic_resv = 0;
	if (fill_record_request(bf, r, fsi_plan_find_or_add_row(bf->plan, r), &q))
		return -1;
	return !q.sharing.ignores_shared_cpus && !q.features.n && fsi_backfill_has_no_start_before(bf, &q, start);
}

/* Returns true if the cycle must process the record. Returns false if processing the record cannot change anything that
 * the caller needs. If focus_job is FSI_NO_INDEX, the caller needs the start of each job, but no further details. After
 * the end of the cycle, only a job that waits for its begin time can still get a start. */
static bool may_change_row(const struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	return bf->plan->focus_job != FSI_NO_INDEX || !has_cycle_ended(bf) ||
	       (!r->eligible && r->section == FS_SECTION_REQUEST);
}

/* Performs the steps of all records. The steps put jobs that the cycle started back on their nodes; the remaining jobs
 * are put back at the end. Returns -1 if out of memory. */
static int run_all_steps(struct fsi_backfill *bf)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < bf->order.n && !bf->plan->over_budget; i++)
		if (may_change_row(bf, &bf->plan->queue->record.v[bf->order.record[i]]))
			rc = fsi_backfill_run_record(bf, i);
	return rc ? rc : fsi_backfill_put_starts_before(bf, NULL);
}

/* If fsi_backfill_carries_node_weights returns true, sets the node weights to the weights at the end of the previous
 * cycle. To compute these weights, performs the steps of all records once. After these steps, restores the state of the
 * cycle except the weights. Returns -1 if out of memory. */
static int carry_node_weights(struct fsi_backfill *bf)
{
	const size_t size = bf->cluster.nnodes * sizeof(*bf->select.attempt.selection.weight);
	struct fsi_checkpoint begin;
	int64_t *final_weight;
	int rc;

	if (!fsi_backfill_carries_node_weights(&bf->select))
		return 0;
	final_weight = malloc(size + 1);
	if (!final_weight || fsi_checkpoint_save_cycle(&begin, bf)) {
		free(final_weight);
		return -1;
	}
	rc = run_all_steps(bf);
	memcpy(final_weight, bf->select.attempt.selection.weight, size);
	if (!rc)
		rc = fsi_checkpoint_load_cycle(bf, &begin);
	memcpy(bf->select.attempt.selection.weight, final_weight, size);
	fsi_checkpoint_release(&begin);
	free(final_weight);
	return rc;
}

int fsi_backfill_decide_start_positions(struct fsi_backfill *bf, bool stay, bool *ran)
{
	struct fsi_checkpoint begin;
	int rc;

	*ran = false;
	if (carry_node_weights(bf))
		return -1;
	if (!bf->cycle_starts.n)
		return 0;
	if (fsi_checkpoint_save_cycle(&begin, bf))
		return -1;
	rc = run_all_steps(bf);
	*ran = !rc && stay && !bf->cycle_starts.is_overlapped;
	if (!rc && !*ran)
		rc = fsi_checkpoint_load_cycle(bf, &begin);
	if (!rc && bf->cycle_starts.is_overlapped)
		rc = fsi_backfill_put_starts_before(bf, NULL);
	fsi_checkpoint_release(&begin);
	return rc;
}

/* Runs the whole cycle. Its last step gives all components of each het job the same start. Returns -1 if out of
 * memory. */
static int run_whole_cycle(struct fsi_backfill *bf)
{
	bool ran = false;
	int rc = fsi_backfill_set_up(bf) || fsi_backfill_make_order(bf) ? -1 : 0;

	if (!rc)
		rc = fsi_backfill_decide_start_positions(bf, true, &ran);
	if (!rc && !ran)
		rc = run_all_steps(bf);
	if (!rc)
		fsi_backfill_het_set_starts(bf);
	return rc;
}

/* ---- assumptions of the plan, as sentences for the user */

static bool has_unmodelled_bit(const struct fs_plan *p, unsigned bit)
{
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].unmodelled & bit)
			return true;
	return false;
}

static void add_common_assumptions(struct fsi_backfill *bf)
{
	fsi_plan_add_assumption(bf->plan, "Every job runs for its whole time limit.");
	fsi_plan_add_assumption(bf->plan, "No job arrives, is changed or cancelled, and no node changes state.");
	fsi_plan_add_assumption(bf->plan, "Priorities stay as they are now.");
	fsi_plan_add_assumption(
		bf->plan, "Limits of associations and QOS are applied as they are now. A job that a limit "
			  "blocks has no planned start. Later planned starts are not checked against limits.");
	if (bf->plan->mode == FS_PLAN_BACKFILL)
		fsi_plan_add_assumption(bf->plan, "The plan shows when a limit would allow a blocked job. Running "
						  "and planned jobs count against the limit until they end.");
}

static void add_backfill_assumptions(struct fsi_backfill *bf)
{
	const struct fsi_sched_params *q = &bf->params;

	fsi_plan_add_assumption(bf->plan,
				"Jobs planned for later reserve whole nodes; planned times are in steps of %lld "
				"s (bf_resolution), up to %lld min ahead (bf_window).",
				(long long)q->resolution_s, (long long)(q->window_s / 60));
	fsi_plan_add_assumption(bf->plan,
				"A cycle tries at most %u queue records (bf_max_job_test). A real cycle may "
				"stop earlier because of its time limit or high load.",
				q->max_test);
	if (!q->rules_24_11)
		fsi_plan_add_assumption(bf->plan, "In this version of Slurm, a job gets no planned start if no "
						  "usable node becomes free within the job's run time.");
}

/* Returns true if the snapshot has the recorded job-size factor (sprio) of at least one job. */
static bool has_recorded_size_factors(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->recorded.n; i++)
		if (FSI_HAS(&m->recorded.v[i], RECORDED, job) && FSI_HAS(&m->recorded.v[i], RECORDED, norm_jobsize))
			return true;
	return false;
}

/* Returns true if the snapshot may lack the information that a job requested whole nodes. Before 23.11.6, this
 * information is missing for jobs in a partition with OverSubscribe=FORCE (libfs/import/slurm/jobs.c). The information
 * can be derived from the job-size factor of the job, but this factor is not always known. */
static bool may_hide_whole_nodes(const fs_snapshot *m)
{
	struct fsi_slurm_conf conf;
	struct fs_error err;
	bool any = false;

	for (size_t i = 0; i < m->partition.n; i++)
		any = any || !strncmp(fsi_name_text(m, m->partition.v[i].oversubscribe), "FORCE", strlen("FORCE"));
	if (!any || fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_TOLD))
		return false;
	return fsi_slurm_conf_load(m, &conf, &err) || conf.small_relative_to_time || !conf.weight_jobsize ||
	       !has_recorded_size_factors(m);
}

static void add_conditional_assumptions(struct fsi_backfill *bf)
{
	const char *preempt = fs_snapshot_config_text(bf->cluster.m, "PreemptType");

	if (preempt && strcmp(preempt, "preempt/none") != 0)
		fsi_plan_add_assumption(bf->plan, "For a job that may preempt running jobs, the plan treats "
						  "those running jobs as ended. It does not start preempted "
						  "jobs again.");
	if (bf->cluster.nunplaced)
		fsi_plan_add_assumption(bf->plan,
					"Running jobs without a node list: %u. Resources that are in use but "
					"belong to no known job are assumed to stay in use.",
					bf->cluster.nunplaced);
	if (bf->cluster.reserved.nunplaced)
		fsi_plan_add_assumption(bf->plan, "Reservations without a node list are ignored: %u.",
					bf->cluster.reserved.nunplaced);
	if (has_unmodelled_bit(bf->plan, FS_UNMODELLED_FEATURES))
		fsi_plan_add_assumption(bf->plan, "Features that cannot be parsed are ignored. A plan by "
						  "priority also ignores feature sets in brackets.");
	if (has_unmodelled_bit(bf->plan, FS_UNMODELLED_LICENSES))
		fsi_plan_add_assumption(bf->plan, "Licenses that are not in the snapshot are ignored.");
	if (has_unmodelled_bit(bf->plan, FS_UNMODELLED_MAX_NODES))
		fsi_plan_add_assumption(bf->plan, "A job whose tasks all fit on one node is assumed to allow "
						  "more nodes, because the snapshot does not show its maximum.");
	if (may_hide_whole_nodes(bf->cluster.m))
		fsi_plan_add_assumption(bf->plan,
					"Jobs in partitions with OverSubscribe=FORCE are assumed to share "
					"nodes. Before Slurm 23.11.6, the capture does not show whether such a "
					"job asked for whole nodes.");
	if (bf->cluster.requests.linear && (bf->cluster.core_offset || bf->cluster.topology.nswitches))
		fsi_plan_add_assumption(bf->plan,
					"select/linear: sharing of nodes and the network topology are ignored.");
	for (size_t i = 0; fsi_sched_params_find_unmodelled(bf->cluster.m, i); i++)
		fsi_plan_add_assumption(bf->plan, "%.*s of SchedulerParameters is ignored.",
					(int)strcspn(fsi_sched_params_find_unmodelled(bf->cluster.m, i), "="),
					fsi_sched_params_find_unmodelled(bf->cluster.m, i));
	if (fsi_backfill_has_group_magnetic(bf))
		fsi_plan_add_assumption(bf->plan, "The members of groups are unknown. A magnetic reservation "
						  "for a group attracts only jobs that run with that group.");
	if (bf->cluster.topology.unknown)
		fsi_plan_add_assumption(bf->plan, "The network topology is ignored.");
}

int fsi_backfill_create_cycle(struct fs_plan *p)
{
	struct fsi_backfill *bf = calloc(1, sizeof(*bf));

	if (!bf)
		return -1;
	bf->plan = p;
	bf->cluster.m = p->m;
	bf->cluster.work = &p->work;
	bf->cluster.release = p->release;
	bf->select.cluster = &bf->cluster;
	bf->select.params = &bf->params;
	bf->select.mode = p->mode;
	p->backfill = bf;
	return 0;
}

static void release_select_context(struct fsi_select *sel)
{
	fsi_selection_release(&sel->attempt.selection);
	fsi_selection_release(&sel->attempt_unconstrained.selection);
	fsi_earliest_search_release(&sel->earliest_search);
	fsi_request_cache_release(&sel->request_cache);
	fsi_avail_index_release(&sel->avail_index);
	fsi_arena_release(&sel->scratch);
}

static void free_backfill_cycle(struct fsi_backfill *bf)
{
	release_select_context(&bf->select);
	fsi_node_space_release(&bf->node_space);
	fsi_backfill_counts_release(&bf->counts);
	fsi_limit_ledgers_free(bf->earlier_limits.ledgers);
	free(bf->earlier_limits.end_of_job);
	fsi_limit_ledgers_free(bf->planned_starts.ledgers);
	free(bf->planned_starts.end_of_job);
	FSI_VEC_FREE(&bf->planned_starts.start);
	fsi_backfill_free_order(&bf->order);
	fsi_cluster_release(&bf->cluster);
	free(bf);
}

int fsi_backfill_run_cycle(struct fs_plan *p, fsi_backfill_watch_fn watch, void *ctx)
{
	if (fsi_backfill_create_cycle(p))
		return -1;
	p->backfill->watch = watch;
	p->backfill->watch_ctx = ctx;
	return run_whole_cycle(p->backfill);
}

static int run_slurm_plan(struct fs_plan *p, struct fs_error *err)
{
	return fsi_backfill_run_cycle(p, NULL, NULL) ? fsi_fail_no_memory(err) : 0;
}

static int simulate_likely_starts(struct fs_plan *p)
{
	return fsi_likely_simulate_starts(p->backfill);
}

static void add_slurm_assumptions(struct fs_plan *p)
{
	add_common_assumptions(p->backfill);
	if (p->mode == FS_PLAN_BACKFILL)
		add_backfill_assumptions(p->backfill);
	if (p->mode == FS_PLAN_BY_PRIORITY)
		fsi_plan_add_assumption(p, "If a job cannot start, no later job of its partition starts.");
	add_conditional_assumptions(p->backfill);
}

const struct fsi_plan_scheduler fsi_plan_of_slurm = { .needs_partitions = true,
						      .runs_by_record = true,
						      .shows_begin_time = true,
						      .run = run_slurm_plan,
						      .fill_likely_starts = simulate_likely_starts,
						      .add_assumptions = add_slurm_assumptions,
						      .release_state = free_backfill_cycle };
