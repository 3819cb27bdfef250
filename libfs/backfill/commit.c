/* Commits a start that was found for a record: stores the start in the plan's row, and takes nodes and licenses for
 * this start, which later records cannot use. For a start later than now, also stores the reason. This file also
 * handles the jobs that the cycle itself started. */
#include "backfill/backfill.h"

#include "base/memory.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* ---- the reason for a start that is later than now */

/* Returns true if enough of resource r is free now for the request in its partition. At least q->nodes.min nodes must
 * each have enough of r and a free CPU. Together, these nodes must have q->cpu.total free CPUs. Other resources are not
 * checked. */
static bool is_resource_enough_now(const struct fsi_cluster *c, const struct fsi_request *q, uint32_t r)
{
	const struct fsi_cluster_partition *part = &c->partition[q->partition];
	struct fsi_request one = *q;
	int64_t cpus = 0;
	const struct fsi_end_moment now = { c->now, UINT64_MAX };
	uint32_t nodes = 0;

	memset(one.per_node, 0, sizeof(one.per_node));
	one.per_node[r] = q->per_node[r];
	if (r != FSI_RES_CPU)
		one.cpu.total = one.cpu.min_per_node = one.cpu.per_task = 1;
	one.mem.per_cpu = r == FSI_RES_MEM ? q->mem.per_cpu : 0;
	one.mem.whole_node = r == FSI_RES_MEM && q->mem.whole_node;
	one.sharing.whole_nodes = false;
	for (uint32_t k = 0; k < part->nnodes && (nodes < q->nodes.min || cpus < q->cpu.total); k++) {
		const uint32_t i = part->node[k];
		const int64_t u = c->node[i].accepts_jobs && (!q->set.allowed || fsi_bit_is_set(q->set.allowed, i))
					  ? fsi_avail_get_cpus(c, i, &one, now)
					  : 0;

		cpus += u;
		nodes += u > 0;
	}
	return nodes >= q->nodes.min && cpus >= q->cpu.total;
}

/* Returns the first resource for which is_resource_enough_now returns false; FS_PLAN_WAIT_NODES: there is none. */
static enum fs_plan_wait find_lacking_resource(const struct fsi_cluster *c, const struct fsi_request *q)
{
	for (uint32_t r = 0; r < c->nres; r++)
		if (!is_resource_enough_now(c, q, r))
			return r == FSI_RES_CPU   ? FS_PLAN_WAIT_CPUS
			       : r == FSI_RES_MEM ? FS_PLAN_WAIT_MEMORY
						  : FS_PLAN_WAIT_GRES;
	return FS_PLAN_WAIT_NODES;
}

/* Returns the row of a job that uses a chosen node and ends exactly at s->start; FSI_NO_INDEX: none. The job is
 * running, or the plan starts it now. If there are several such jobs, returns the lowest of their row numbers. */
static uint32_t find_ending_job(const struct fsi_cluster *c, const struct fsi_attempt *s)
{
	uint32_t job = FSI_NO_INDEX;

	for (uint32_t k = 0; k < s->selection.nnodes; k++) {
		const struct fsi_cluster_node *n = &c->node[s->selection.node[k]];

		for (size_t i = 0; i < n->hold.n; i++)
			if (n->hold.v[i].end == s->start && n->hold.v[i].job < job)
				job = n->hold.v[i].job;
	}
	return job;
}

/* Returns the row of a planned job for which a chosen node is reserved during the `limit_s` seconds after s->start;
 * FSI_NO_INDEX: none. If there are several, returns the job with the earliest reservation. */
static uint32_t find_overlapping_planned_job(const struct fsi_cluster *c, const struct fsi_attempt *s, int64_t limit_s)
{
	const struct fsi_node_block *first = NULL;

	for (uint32_t k = 0; k < s->selection.nnodes; k++) {
		const struct fsi_cluster_node *n = &c->node[s->selection.node[k]];

		for (size_t i = 0; i < n->block.n; i++) {
			const struct fsi_node_block *b = &n->block.v[i];

			if (b->job != FSI_NO_INDEX && b->end > s->start &&
			    b->start < s->start + limit_s && (!first || b->start < first->start))
				first = b;
		}
	}
	return first ? first->job : FSI_NO_INDEX;
}

/* Returns the row of the pending job that prevents a start before s->start in a plan by priority (FS_PLAN_BY_PRIORITY);
 * FSI_NO_INDEX: none. `frees`: row of a job that ends at s->start, or FSI_NO_INDEX. If the plan starts the job in row
 * `frees`, returns `frees`. If not, returns the row of the job that closes a chosen node to later jobs until s->start
 * (closed_by_job). */
static uint32_t find_closing_job(const struct fsi_backfill *bf, const struct fsi_attempt *s, uint32_t frees)
{
	if (frees != FSI_NO_INDEX && bf->plan->row_of_job[frees])
		return frees;
	for (uint32_t k = 0; k < s->selection.nnodes; k++)
		if (bf->cluster.node[s->selection.node[k]].closed_until == s->start)
			return bf->cluster.node[s->selection.node[k]].closed_by_job;
	return FSI_NO_INDEX;
}

/* Sets sel->attempt_unconstrained to the start that the request would have without planned jobs. Returns that start;
 * INT64_MAX: none. `reservations` true: the returned start respects advance reservations; false: it ignores them. */
static int64_t search_without_planned_jobs(struct fsi_select *sel, const struct fsi_request *q, bool reservations)
{
	const struct fsi_will_run w = { .nodes = sel->scratch_set[2], .tried_start = sel->cluster->now };
	struct fsi_unreserved left = { .start = sel->cluster->now,
				       .run_s = q->limit_s,
				       .nodes = sel->scratch_set[1],
				       .open_cpus = sel->open_cpus };

	fsi_backfill_get_usable_nodes(sel->cluster, q, sel->scratch_set[2]);
	if (reservations) {
		if (!fsi_select_filter_reserved(sel, q, &left))
			return INT64_MAX;
		fsi_bits_and(sel->scratch_set[2], left.nodes, sel->cluster->words);
	}
	if (!fsi_select_will_run(sel, q, &w, &sel->attempt_unconstrained))
		sel->attempt_unconstrained.start = INT64_MAX;
	return sel->attempt_unconstrained.start > left.start ? sel->attempt_unconstrained.start : left.start;
}

/* Returns the cached results of the request. Requests that differ only in their run times share one set of results.
 * Returns NULL if bf_licenses is set and the job requests licenses, or if fsi_request_cache_find_entry returns NULL. In
 * both cases nothing may be cached. */
static struct fsi_cached_request *find_cached_results(struct fsi_select *sel, const struct fsi_request *q)
{
	struct fsi_request of_any_length = *q;

	if (sel->params->plans_licenses && sel->licenses.n &&
	    fsi_job_ext(sel->cluster->m, &sel->cluster->m->job.v[q->job])->licenses)
		return NULL;
	of_any_length.limit_s = of_any_length.full_limit_s = 0;
	return fsi_request_cache_find_entry(&sel->request_cache, &of_any_length);
}

/* Sets sel->attempt_unconstrained to the start that the request would have without planned jobs and reservations, and
 * returns that start. Uses the cached start, unless the plan has started a job since the start was cached. `a`: cached
 * results of the request; NULL: the results may not be cached. */
static int64_t find_unconstrained_start(struct fsi_select *sel, const struct fsi_request *q,
					struct fsi_cached_request *a)
{
	struct fsi_selection *s = &sel->attempt_unconstrained.selection;

	if (a && a->start_round == sel->request_cache.round) {
		s->nnodes = a->nnodes;
		memcpy(s->node, a->node, a->nnodes * sizeof(*s->node));
		return sel->attempt_unconstrained.start = a->unconstrained_start;
	}
	search_without_planned_jobs(sel, q, false);
	if (sel->attempt_unconstrained.start == INT64_MAX)
		s->nnodes = 0;
	if (a) {
		free(a->node);
		a->node = malloc((s->nnodes + (size_t)1) * sizeof(*a->node));
		a->start_round = a->node ? sel->request_cache.round : UINT32_MAX;
		a->nnodes = s->nnodes;
		a->unconstrained_start = sel->attempt_unconstrained.start;
		if (a->node)
			memcpy(a->node, s->node, a->nnodes * sizeof(*a->node));
	}
	return sel->attempt_unconstrained.start;
}

/* Returns the resource that the request lacks now. Uses the cached result, unless the plan has started a job since that
 * result was cached. A cached shortage of CPUs always stays valid, because starts of other jobs cannot end it. */
static enum fs_plan_wait find_cached_shortage(const struct fsi_select *sel, const struct fsi_request *q,
					      struct fsi_cached_request *a)
{
	if (!a)
		return find_lacking_resource(sel->cluster, q);
	if (a->wait_round == UINT32_MAX ||
	    (a->wait_round != sel->request_cache.round && a->wait != FS_PLAN_WAIT_CPUS)) {
		a->wait = find_lacking_resource(sel->cluster, q);
		a->wait_round = sel->request_cache.round;
	}
	return (enum fs_plan_wait)a->wait;
}

/* Sets the members `wait`, `freed_by` and `blocked_by` of the row. They explain why the start in bf->select.attempt is
 * later than now. For backfill, this start is compared with two other starts of the request. Both other starts
 * ignore planned jobs: the first start also ignores reservations, the second start respects reservations. */
static void explain_late_start(struct fsi_backfill *bf, const struct fsi_request *q, struct fsi_plan_row *row)
{
	const int64_t start = bf->select.attempt.start;
	struct fsi_cached_request *a;

	row->freed_by = find_ending_job(&bf->cluster, &bf->select.attempt);
	if (bf->plan->mode == FS_PLAN_BY_PRIORITY) {
		row->blocked_by = find_closing_job(bf, &bf->select.attempt, row->freed_by);
		row->wait =
			row->blocked_by != FSI_NO_INDEX ? FS_PLAN_WAIT_AHEAD : find_lacking_resource(&bf->cluster, q);
		return;
	}
	a = find_cached_results(&bf->select, q);
	if (find_unconstrained_start(&bf->select, q, a) < start)
		row->blocked_by =
			find_overlapping_planned_job(&bf->cluster, &bf->select.attempt_unconstrained, q->limit_s);
	if (bf->select.attempt_unconstrained.start > bf->cluster.now)
		row->wait = find_cached_shortage(&bf->select, q, a);
	else if (bf->cluster.m->reservation.n && search_without_planned_jobs(&bf->select, q, true) > bf->cluster.now)
		row->wait = FS_PLAN_WAIT_RESERVATION;
	else
		row->wait = FS_PLAN_WAIT_PLANNED;
}

bool fsi_backfill_is_start_possible(struct fsi_select *sel, const struct fsi_request *q)
{
	const struct fsi_end_moment never = { INT64_MAX - 1, 0 };
	struct fsi_selection *s = &sel->attempt_unconstrained.selection;
	struct fsi_request any = *q;

	fsi_backfill_get_usable_nodes(sel->cluster, q, sel->scratch_set[2]);
	s->ncandidates = 0;
	s->busy_first = false;
	FSI_BITS_FOR_EACH(i, sel->scratch_set[2], sel->cluster->words)
	{
		const struct fsi_node_avail avail = fsi_avail_get_at_moment(sel->cluster, i, q, never);

		if (avail.cpus > 0) {
			s->cpus[i] = avail.cpus;
			s->gpus[i] = avail.gpus;
			s->candidates[s->ncandidates++] = i;
		}
	}
	/* max_switches is ignored here, because it delays a job only for a limited time; after that time, the job can
	 * start on any nodes */
	any.nodes.max_switches = 0;
	return !q->impossible && fsi_select_choose_nodes(s, sel->cluster, &any);
}

/* ---- committing a start
 *
 * Committing a start stores the start in the plan's row of the job, and takes the nodes of the start. A job that starts
 * now takes only the resources that it requests. For a job that starts later, whole nodes are reserved in node_space
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill, after the try).
 *
 * The row has the earliest start of all tasks of the job in all its partitions. Slurm itself shows the nodes of the
 * task that it planned last; before 23.02, it also shows the start of that task (Slurm commit a5b6b1ad29). */

/* adding a job to a node adds this number to fsi_cluster.work for each job on the node */
enum { WORK_PER_HOLD = 40 };

bool fsi_backfill_is_partition_full(const struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	return bf->params.part_reserve &&
	       *fsi_backfill_counts_get_reserved(&bf->counts, r->partition_name) >= bf->params.part_reserve;
}

/* Marks the resources *h on the node `node` as used by a job. Notes the change in the availability index. Returns -1 if
 * out of memory. */
static int add_start_hold(struct fsi_select *sel, uint32_t node, const struct fsi_node_hold *h)
{
	return fsi_node_add_hold(&sel->cluster->node[node], h, sel->cluster->nres) ||
			       fsi_avail_index_note_change(&sel->avail_index, node)
		       ? -1
		       : 0;
}

/* Marks the requested resources on the chosen nodes as in use from `start` to `start` + q->limit_s. Also adds the job
 * to the running jobs. Returns -1 if out of memory. */
static int hold_chosen_nodes(struct fsi_select *sel, const struct fsi_request *q, int64_t start)
{
	const struct fsi_selection *s = &sel->attempt.selection;
	struct fsi_node_hold h = { .end = start + q->limit_s,
				   .job = q->job,
				   .partition = q->partition,
				   .oversubscribe = q->sharing.oversubscribe,
				   .partition_oversubscribes = q->sharing.partition_oversubscribes,
				   .id = sel->cluster->m->job.v[q->job].id };
	const struct fsi_running_job e = {
		.when = h.end, .id = h.id, .job = q->job, .nnodes = s->nnodes, .node = s->node
	};
	bool ok;

	for (uint32_t k = 0; k < s->nnodes; k++) {
		struct fsi_cluster_node *n = &sel->cluster->node[s->node[k]];

		fsi_select_compute_amounts(sel->cluster, q, s, k, start, h.amount);
		h.cores = fsi_select_get_found_cores(sel, q, s->node[k], h.amount[FSI_RES_CPU], &ok);
		if (!ok || add_start_hold(sel, s->node[k], &h))
			return -1;
		*sel->cluster->work += WORK_PER_HOLD * n->hold.n;
	}
	sel->request_cache.round++;
	sel->cluster->any_exclusive_user = sel->cluster->any_exclusive_user || q->sharing.exclusive_user;
	return fsi_cluster_add_running_job(sel->cluster, &e);
}

/* Reserves the whole nodes in `nodes`, and the licenses of the request, from `start` to `start` + q->limit_s. Returns
 * -1 if out of memory. */
static int reserve_whole_nodes(struct fsi_backfill *bf, const struct fsi_request *q, int64_t start,
			       const uint64_t *nodes)
{
	struct fsi_node_block b = { .job = q->job };

	b.start = fsi_node_space_round_run(&bf->select, start, q->limit_s, &b.end);
	FSI_BITS_FOR_EACH(i, nodes, bf->cluster.words)
		if (fsi_node_add_block(&bf->cluster.node[i], b))
			return -1;
	return fsi_node_space_take_nodes(&bf->node_space, b.start, b.end, nodes,
					 fsi_license_get_demand(&bf->select, q));
}

int fsi_backfill_reserve_nodes(struct fsi_backfill *bf, const struct fsi_request *q)
{
	fsi_backfill_get_chosen_nodes(&bf->cluster, &bf->select.attempt, bf->select.scratch_set[2]);
	return reserve_whole_nodes(bf, q, bf->select.attempt.start, bf->select.scratch_set[2]);
}

void fsi_backfill_close_partition_nodes(struct fsi_cluster *c, const struct fsi_request *q, int64_t until)
{
	const struct fsi_cluster_partition *part = &c->partition[q->partition];

	for (uint32_t k = 0; k < part->nnodes; k++) {
		struct fsi_cluster_node *n = &c->node[part->node[k]];

		if (n->closed_until < until) {
			n->closed_until = until;
			n->closed_by_job = q->job;
		}
	}
}

/* Stores the names of the chosen nodes in the row. Returns -1 if out of memory. */
static int store_node_names(struct fsi_select *sel, struct fsi_plan_row *row)
{
	row->node_name = fsi_arena_array(&sel->cluster->arena, (size_t)sel->attempt.selection.nnodes + 1,
					 sizeof(*row->node_name));
	if (!row->node_name)
		return -1;
	row->nnodes = sel->attempt.selection.nnodes;
	for (uint32_t k = 0; k < row->nnodes; k++)
		row->node_name[k] =
			sel->cluster->m->node.v[sel->cluster->node[sel->attempt.selection.node[k]].row].name;
	return 0;
}

void fsi_backfill_set_shown_start(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool reserved)
{
	if (row->shown_start == FS_UNKNOWN || start < row->shown_start || (!reserved && start <= p->now + p->window_s))
		row->shown_start = start;
}

/* If the start in bf->select.attempt is earlier than the row's start, stores it in the row, with its nodes, its wait
 * reason and `state`. Returns -1 if out of memory. */
static int store_earliest_start(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				const struct fsi_request *q, struct fsi_plan_row *row, enum fs_plan_state state)
{
	const int64_t start = bf->select.attempt.start > bf->cluster.m->info.time ? bf->select.attempt.start
										  : bf->cluster.m->info.time;

	fsi_backfill_set_shown_start(bf->plan, row, start, true);
	if (row->start == FS_UNKNOWN || start < row->start) {
		row->state = state;
		row->start = start;
		row->limit_s = q->limit_s;
		row->partition_name = r->partition_name;
		row->magnetic_resv = bf->magnetic_resv;
		row->wait = FS_PLAN_WAIT_NOTHING;
		row->freed_by = row->blocked_by = FSI_NO_INDEX;
		if (!fsi_plan_needs_details(bf->plan, q->job))
			return 0;
		row->start_if_longer = bf->start_if_longer;
		if (state != FS_PLAN_NOW)
			explain_late_start(bf, q, row);
		return store_node_names(&bf->select, row);
	}
	return 0;
}

/* Counts a task that got a start, and calls the watch callback. `reserved_tasks`: number of tasks of this record for
 * which nodes were reserved, including this task. Returns the result of the callback; 0: there is no callback. */
static int count_planned_task(struct fsi_backfill *bf, const struct fsi_request *q, struct fsi_plan_row *row,
			      uint64_t reserved_tasks)
{
	if (row->array.started_tasks + reserved_tasks > row->array.planned_tasks)
		row->array.planned_tasks = row->array.started_tasks + reserved_tasks;
	if (row->last_start == FS_UNKNOWN || bf->select.attempt.start > row->last_start)
		row->last_start = bf->select.attempt.start;
	return bf->watch ? bf->watch(bf->watch_ctx, bf, q) : 0;
}

bool fsi_backfill_may_reserve_task(struct fsi_backfill *bf, const struct fsi_plan_row *row)
{
	const uint64_t id = bf->cluster.m->job.v[row->job].id, busy = row->array.started_tasks;

	if (row->array.tasks - busy <= 1)
		return false;
	bf->counter.array_tasks = bf->counter.array_id == id ? bf->counter.array_tasks + 1 : 1;
	bf->counter.array_id = id;
	return bf->counter.array_tasks < bf->params.max_array_resv &&
	       bf->counter.array_tasks < row->array.tasks - busy &&
	       (!fs_slurm_has(bf->cluster.release, FS_SLURM_THROTTLES_PLANNED) || row->array.throttle == UINT64_MAX ||
		bf->counter.array_tasks + busy < row->array.throttle);
}

/* Counts a job that the cycle started. Ends the cycle if bf_max_job_start is reached. */
static void count_started_job(struct fsi_backfill *bf)
{
	bf->counter.started++;
	bf->is_over = bf->is_over || (bf->params.max_start && bf->counter.started >= bf->params.max_start);
}

bool fsi_backfill_has_noreserve(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(m, r->qos);

	return qos && fsi_list_has_word(m, qos->flags, "NoReserve");
}

bool fsi_backfill_may_reserve_nodes(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row)
{
	if (fsi_backfill_has_noreserve(bf->cluster.m, r) || fsi_backfill_is_partition_full(bf, r) ||
	    fsi_backfill_het_has_deadlock(bf, q))
		return false;
	++*fsi_backfill_counts_get_reserved(&bf->counts, r->partition_name);
	row->array.reservations++;
	if (!fsi_backfill_is_try_counted(bf))
		return false;
	bf->is_over = bf->is_over || bf->node_space.slots_made >= bf->params.node_space_size;
	return !bf->is_over;
}

/* Reserves nodes for the start in select.attempt, if fsi_backfill_may_reserve_nodes returns true. The start must be
 * later than now, unless the job is a component of a het job. Returns 1 if the next task may be tried, 0 if not, -1 if
 * out of memory. *reserved_tasks: see fsi_backfill_commit_start. */
static int reserve_for_later(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			     const struct fsi_request *q, struct fsi_plan_row *row, uint64_t *reserved_tasks)
{
	if (!fsi_backfill_may_reserve_nodes(bf, r, q, row)) {
		fsi_backfill_set_shown_start(bf->plan, row, bf->select.attempt.start, !fsi_backfill_is_try_counted(bf));
		return 0;
	}
	if (fsi_backfill_reserve_nodes(bf, q))
		return -1;
	return count_planned_task(bf, q, row, ++*reserved_tasks) ? -1 : fsi_backfill_may_reserve_task(bf, row);
}

/* Commits an immediate start of a job that the controller then fails to start (attempt.fails_to_start). The scheduler
 * nevertheless shows this start. Reserves the nodes from now on, as the controller does. A second search finds the
 * start at which the job can really run. If this start is later than now, it is stored in the row. Unlike the first
 * search, the second search can exclude nodes on which running jobs share CPUs. Returns 0, or -1 if out of memory. */
static int commit_failing_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q,
				struct fsi_plan_row *row)
{
	struct fsi_request unshared = *q;
	uint64_t *nodes = fsi_arena_array(&bf->select.scratch, bf->cluster.words, sizeof(*nodes));
	const int64_t now = bf->select.attempt.start;
	int rc = 0;

	if (!nodes)
		return -1;
	fsi_backfill_set_shown_start(bf->plan, row, now, true);
	fsi_backfill_get_chosen_nodes(&bf->cluster, &bf->select.attempt, nodes);
	unshared.sharing.ignores_shared_cpus = false;
	if (fsi_backfill_search_start(bf, &unshared, false) && bf->select.attempt.start > bf->cluster.now)
		rc = store_earliest_start(bf, r, q, row,
					  bf->select.attempt.start <= bf->cluster.now + bf->params.window_s
						  ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND);
	if (rc || !fsi_backfill_may_reserve_nodes(bf, r, q, row))
		return rc;
	return reserve_whole_nodes(bf, q, now, nodes);
}

static int add_planned_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q)
{
	struct fsi_backfill_planned_start *s = FSI_VEC_ADD(&bf->planned_starts.start);

	if (!s)
		return -1;
	*s = (struct fsi_backfill_planned_start){ q->job, r->partition_name, bf->cluster.now + q->limit_s };
	return 0;
}

int fsi_backfill_commit_start(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_request *q,
			      struct fsi_plan_row *row, uint64_t *reserved_tasks)
{
	const bool now = bf->select.attempt.start <= bf->cluster.now,
		   inside = bf->select.attempt.start <= bf->cluster.now + bf->params.window_s;
	const enum fs_plan_state state = now      ? FS_PLAN_NOW
					 : inside ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND;

	if (bf->select.attempt.fails_to_start)
		return commit_failing_start(bf, r, q, row);
	if (store_earliest_start(bf, r, q, row, state))
		return -1;
	if (!now || fsi_backfill_het_get_id(bf->cluster.m, q->job))
		return inside ? reserve_for_later(bf, r, q, row, reserved_tasks) : 0;
	if (fsi_backfill_must_preempt(&bf->select, q))
		return fsi_backfill_reserve_nodes(bf, q) ? -1 : 0;
	if (hold_chosen_nodes(&bf->select, q, bf->select.attempt.start))
		return -1;
	if (fsi_job_ext(bf->cluster.m, &bf->cluster.m->job.v[q->job])->licenses &&
	    fsi_license_read_job(&bf->select.licenses, bf->cluster.m, &bf->cluster.m->job.v[q->job]))
		fsi_license_take_wanted(&bf->select.licenses);
	row->array.started_tasks++;
	count_started_job(bf);
	if (add_planned_start(bf, r, q))
		return -1;
	return count_planned_task(bf, q, row, 0) ? -1 : !bf->is_over;
}

int fsi_backfill_commit_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				    const struct fsi_request *q, struct fsi_plan_row *row)
{
	if (store_earliest_start(bf, r, q, row,
				 bf->select.attempt.start <= bf->cluster.now ? FS_PLAN_NOW : FS_PLAN_LATER) ||
	    hold_chosen_nodes(&bf->select, q, bf->select.attempt.start))
		return -1;
	fsi_backfill_close_partition_nodes(&bf->cluster, q, bf->select.attempt.start);
	row->array.started_tasks++;
	return count_planned_task(bf, q, row, 0) ? -1 : 1;
}

/* ---- jobs that the cycle started
 *
 * These jobs run in the snapshot. But the jobs did not run yet when the cycle tried the records ahead of them, because
 * the cycle starts jobs while it goes through the queue (src/plugins/sched/backfill/backfill.c: _attempt_backfill).
 * Therefore, all these jobs are first removed from their nodes. Each job is put back when the plan reaches the job's
 * position in the scheduling order. By then, the plan may have given resources of the job to another record. The plan
 * then differs from the real cycle, and all jobs that the cycle started are put back at the beginning of the cycle
 * instead (fsi_backfill_decide_start_positions). */

bool fsi_backfill_is_cycle_start(const struct fsi_select *sel, const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING && j->partitions && FSI_HAS(j, JOB, start_time) &&
	       j->start_time > sel->cluster->now - sel->params->interval_s &&
	       !strncmp(fsi_name_text(sel->cluster->m, j->looked_at_by), "Backfill", strlen("Backfill"));
}

/* Returns the queue record of a job that the cycle started, as it was while the job was pending. Sets only the members
 * that the sort keys use. */
static struct fsi_queue_record make_started_record(const struct fs_plan *p, uint32_t row)
{
	const fs_snapshot *m = p->m;
	const struct fsi_job *j = &m->job.v[row];
	const bool task = FSI_HAS(j, JOB, array_task_id);
	size_t n;
	const uint32_t name = *fsi_list_items(m, j->partitions, &n);
	const struct fsi_partition *part = fsi_partition_find(m, name);
	struct fsi_queue_record r = {
		.priority = FSI_HAS(j, JOB, priority) ? j->priority : 0,
		.sort_id = task && j->array_job_id ? j->array_job_id : j->id,
		.submit_time = FSI_HAS(j, JOB, submit_time) ? j->submit_time : INT64_MAX,
		.job = row,
		.task = task ? j->array_task_id : UINT32_MAX,
		.partition_name = name,
		.partition = fsi_partition_row(m, part),
		.preemption_row = FSI_NO_INDEX,
	};

	if (p->queue->scheduler->fill_record)
		p->queue->scheduler->fill_record(p->queue, &r);
	return r;
}

/* Uses the sort keys of the queue to compare two jobs that the cycle started. */
static int compare_started_jobs(const void *x, const void *y, const void *ctx)
{
	const struct fs_queue *queue = ctx;
	const struct fsi_backfill_cycle_start *a = x, *b = y;
	int c;

	fsi_queue_find_deciding_key(queue, &a->record, &b->record, &c);
	return c;
}

int fsi_backfill_remove_starts(struct fsi_backfill *bf)
{
	struct fsi_cluster *c = &bf->cluster;
	size_t remaining = 0;

	bf->cycle_starts.v = fsi_arena_array(&c->arena, c->end.n + 1, sizeof(*bf->cycle_starts.v));
	if (!bf->cycle_starts.v)
		return -1;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_running_job e = c->end.v[i];
		struct fsi_backfill_cycle_start *s = &bf->cycle_starts.v[bf->cycle_starts.n];

		c->end.v[remaining++] = e;
		if (!fsi_backfill_is_cycle_start(&bf->select, &c->m->job.v[e.job]))
			continue;
		*s = (struct fsi_backfill_cycle_start){ make_started_record(bf->plan, e.job), e,
							fsi_arena_array(&c->arena, (size_t)e.nnodes + 1,
									sizeof(*s->hold)) };
		if (!s->hold)
			return -1;
		for (uint32_t k = 0; k < e.nnodes; k++)
			fsi_node_drop_hold(&c->node[e.node[k]], e.job, c->nres, &s->hold[k]);
		bf->cycle_starts.n++;
		remaining--;
	}
	c->end.n = remaining;
	return fs_sort(bf->cycle_starts.v, bf->cycle_starts.n, sizeof(*bf->cycle_starts.v), compare_started_jobs,
		       bf->plan->queue);
}

/* Returns true if at least the amounts in `h` are free on the node. `h`: resources that a job started by the cycle uses
 * on the node. CPUs are not checked if the job shares CPUs or if the cluster uses gang scheduling. */
static bool has_free_resources(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
			       const struct fsi_node_hold *h)
{
	const bool shares = h->oversubscribe || c->rules.gang;

	for (uint32_t r = 0; r < c->nres; r++)
		if ((r != FSI_RES_CPU || !shares) && h->amount[r] > 0 && h->amount[r] > n->free[r])
			return false;
	return true;
}

/* Returns a request for the memory and GPUs that a job started by the cycle uses on its first node. The snapshot does
 * not have the job's original request. */
static struct fsi_request make_held_request(const struct fsi_cluster *c, const struct fsi_backfill_cycle_start *s)
{
	struct fsi_request q = { .job = s->end.job,
				 .partition = s->record.partition,
				 .cpu.per_task = 1,
				 .cpu.min_per_node = 1,
				 .cpu.max_per_node = INT64_MAX };

	for (uint32_t r = FSI_RES_MEM; r < c->nres && s->end.nnodes; r++) {
		const bool gpu = r >= FSI_RES_GRES && c->res_name[r] == c->requests.gpu;

		if (gpu || r == FSI_RES_MEM)
			q.per_node[r] = s->hold[0].amount[r];
		if (gpu && q.per_node[r] < UINT32_MAX)
			q.gpu.per_node = (uint32_t)q.per_node[r];
	}
	return q;
}

/* Resets the node weights in the partition of a job that the cycle started, as the controller does when it starts the
 * job (fsi_select_reset_weights). */
static void reset_partition_weights(struct fsi_select *sel, const struct fsi_backfill_cycle_start *s)
{
	const struct fsi_end_moment now = { sel->cluster->now, UINT64_MAX };
	const struct fsi_request q = make_held_request(sel->cluster, s);
	const struct fsi_cluster_partition *part;

	if (!sel->attempt.selection.keeps_weights || q.partition == FSI_NO_INDEX)
		return;
	part = &sel->cluster->partition[q.partition];
	sel->attempt.selection.ncandidates = 0;
	fsi_select_reset_weights(&sel->attempt.selection, part, &q);
	for (uint32_t k = 0; q.gpu.per_node && k < part->nnodes; k++)
		fsi_select_weigh_unused_node(&sel->attempt.selection, sel->cluster, &q, part->node[k], now);
}

/* Puts a job that the cycle started back on its nodes. Sets bf->cycle_starts.is_overlapped if a node lacks free
 * resources for the job. Returns -1 if out of memory. */
static int put_job_on_nodes(struct fsi_backfill *bf, const struct fsi_backfill_cycle_start *s)
{
	reset_partition_weights(&bf->select, s);
	for (uint32_t k = 0; k < s->end.nnodes; k++) {
		struct fsi_cluster_node *n = &bf->cluster.node[s->end.node[k]];

		if (s->hold[k].job != s->end.job)
			continue;
		bf->cycle_starts.is_overlapped =
			bf->cycle_starts.is_overlapped || !has_free_resources(&bf->cluster, n, &s->hold[k]);
		if (add_start_hold(&bf->select, s->end.node[k], &s->hold[k]))
			return -1;
	}
	bf->select.request_cache.round++;
	count_started_job(bf);
	if (fsi_cluster_add_running_job(&bf->cluster, &s->end))
		return -1;
	bf->cluster.any_exclusive_user = fsi_select_has_exclusive_user(&bf->cluster);
	return 0;
}

int fsi_backfill_put_starts_before(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	for (; bf->cycle_starts.next < bf->cycle_starts.n; bf->cycle_starts.next++) {
		const struct fsi_backfill_cycle_start *s = &bf->cycle_starts.v[bf->cycle_starts.next];
		int c = -1;

		if (r)
			fsi_queue_find_deciding_key(bf->plan->queue, &s->record, r, &c);
		if (c > 0)
			return 0;
		if (put_job_on_nodes(bf, s))
			return -1;
	}
	return 0;
}
