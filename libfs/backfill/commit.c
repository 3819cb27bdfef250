/* What follows a start that was found for a record: why it is later than now, the row's start, and what the start takes
 * from later records. Also the jobs that the cycle itself started. */
#include "backfill/backfill.h"

#include "base/vec.h"
#include "model/find.h"
#include "model/scheduler.h"

#include <stdlib.h>
#include <string.h>

/* ---- why a start is later than now */

/* Returns true if enough nodes and CPUs of the partition are free for the request now, when r is the only resource
 * besides CPUs that counts. */
static bool is_resource_enough_now(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, uint32_t r)
{
	const struct fsi_plan_part *part = &c->part[q->partition];
	struct fsi_plan_request one = *q;
	int64_t cpus = 0;
	const struct fsi_plan_moment now = { c->now, UINT64_MAX };
	uint32_t nodes = 0;

	memset(one.per_node, 0, sizeof(one.per_node));
	one.per_node[r] = q->per_node[r];
	if (r != FSI_RES_CPU)
		one.cpu.total = one.cpu.min_per_node = one.cpu.per_task = 1;
	one.mem.per_cpu = r == FSI_RES_MEM ? q->mem.per_cpu : 0;
	one.mem.whole_node = r == FSI_RES_MEM && q->mem.whole_node;
	one.sharing.whole_nodes = false;
	for (uint32_t k = 0; k < part->n && (nodes < q->nodes.min || cpus < q->cpu.total); k++) {
		const uint32_t i = part->node[k];
		const int64_t u = c->node[i].up && (!q->set.allowed || fsi_bit(q->set.allowed, i))
					  ? fsi_plan_room(c, i, &one, now)
					  : 0;

		cpus += u;
		nodes += u > 0;
	}
	return nodes >= q->nodes.min && cpus >= q->cpu.total;
}

/* Returns what the request lacks now: the first resource of which too little is free, else nodes. */
static enum fs_plan_wait find_lacking_resource(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q)
{
	for (uint32_t r = 0; r < c->nres; r++)
		if (!is_resource_enough_now(c, q, r))
			return r == FSI_RES_CPU   ? FS_PLAN_WAIT_CPUS
			       : r == FSI_RES_MEM ? FS_PLAN_WAIT_MEMORY
						  : FS_PLAN_WAIT_GRES;
	return FS_PLAN_WAIT_NODES;
}

/* Returns the job that ends at the start s and thereby frees a chosen node: a running job, or one that starts now; of
 * several, the lowest row. FSI_NO_INDEX: none. */
static uint32_t find_ending_job(const struct fsi_plan_cluster *c, const struct fsi_plan_found *s)
{
	uint32_t job = FSI_NO_INDEX;

	for (uint32_t k = 0; k < s->choice.nnodes; k++) {
		const struct fsi_plan_node *n = &c->node[s->choice.node[k]];

		for (size_t i = 0; i < n->hold.n; i++)
			if (n->hold.v[i].end == s->start && n->hold.v[i].job < job)
				job = n->hold.v[i].job;
	}
	return job;
}

/* Returns the planned job whose reservation of a chosen node overlaps the run from s->start for limit_s seconds; of
 * several, the one that starts first. FSI_NO_INDEX: none. */
static uint32_t find_overlapping_planned_job(const struct fsi_plan_cluster *c, const struct fsi_plan_found *s,
					     int64_t limit_s)
{
	const struct fsi_plan_block *first = NULL;

	for (uint32_t k = 0; k < s->choice.nnodes; k++) {
		const struct fsi_plan_node *n = &c->node[s->choice.node[k]];

		for (size_t i = 0; i < n->block.n; i++) {
			const struct fsi_plan_block *b = &n->block.v[i];

			if (b->job != FSI_NO_INDEX && b->end > s->start &&
			    b->start < s->start + limit_s && (!first || b->start < first->start))
				first = b;
		}
	}
	return first ? first->job : FSI_NO_INDEX;
}

/* In a plan by priority, returns the job that delays the start s. That is `frees` if `frees` has a row in the plan, so
 * that it waits itself; else the job that closed a chosen node until the start; FSI_NO_INDEX: none. */
static uint32_t find_closing_job(const struct fsi_backfill *bf, const struct fsi_plan_found *s, uint32_t frees)
{
	if (frees != FSI_NO_INDEX && bf->plan->row_of[frees])
		return frees;
	for (uint32_t k = 0; k < s->choice.nnodes; k++)
		if (bf->cluster.node[s->choice.node[k]].from == s->start)
			return bf->cluster.node[s->choice.node[k]].from_job;
	return FSI_NO_INDEX;
}

/* Sets sel->other to the start that the request would have without planned jobs and, unless `reservations`, without
 * advance reservations. Returns that start, INT64_MAX: none. */
static int64_t search_without_planned_jobs(struct fsi_select *sel, const struct fsi_plan_request *q, bool reservations)
{
	const struct fsi_plan_will w = { .nodes = sel->set[2], .from = sel->cluster->now };
	struct fsi_plan_left left = {
		.start = sel->cluster->now, .for_s = q->limit_s, .nodes = sel->set[1], .open = sel->open
	};

	fsi_plan_open_nodes(sel->cluster, q, sel->set[2]);
	if (reservations) {
		if (!fsi_plan_unreserved(sel, q, &left))
			return INT64_MAX;
		fsi_bits_and(sel->set[2], left.nodes, sel->cluster->words);
	}
	if (!fsi_plan_will_run(sel, q, &w, &sel->other))
		sel->other.start = INT64_MAX;
	return sel->other.start > left.start ? sel->other.start : left.start;
}

/* Returns the cached results shared by all requests that differ from q only in their run times. Returns NULL if they
 * may not be cached: with bf_licenses for jobs that request licenses, and see fsi_plan_alike. */
static struct fsi_plan_alike *find_cached_results(struct fsi_select *sel, const struct fsi_plan_request *q)
{
	struct fsi_plan_request of_any_length = *q;

	if (sel->params->licenses && sel->licenses.n &&
	    fsi_job_rare(sel->cluster->m, &sel->cluster->m->job.v[q->job])->licenses)
		return NULL;
	of_any_length.limit_s = of_any_length.longest_s = 0;
	return fsi_plan_alike(&sel->memo, &of_any_length);
}

/* Sets sel->other to the start without planned jobs and reservations, and returns that start. The cached result is used
 * if no job has started since it was stored. a: the request's cached results, NULL: none. */
static int64_t find_unconstrained_start(struct fsi_select *sel, const struct fsi_plan_request *q,
					struct fsi_plan_alike *a)
{
	struct fsi_plan_choice *s = &sel->other.choice;

	if (a && a->round == sel->memo.round) {
		s->nnodes = a->n;
		memcpy(s->node, a->node, a->n * sizeof(*s->node));
		return sel->other.start = a->alone;
	}
	search_without_planned_jobs(sel, q, false);
	if (sel->other.start == INT64_MAX)
		s->nnodes = 0;
	if (a) {
		free(a->node);
		a->node = malloc((s->nnodes + (size_t)1) * sizeof(*a->node));
		a->round = a->node ? sel->memo.round : UINT32_MAX;
		a->n = s->nnodes;
		a->alone = sel->other.start;
		if (a->node)
			memcpy(a->node, s->node, a->n * sizeof(*a->node));
	}
	return sel->other.start;
}

/* Returns what the request lacks now, from the cache if no job has started since. A shortage of CPUs remains while
 * other jobs start, so it stays valid. */
static enum fs_plan_wait find_cached_shortage(const struct fsi_select *sel, const struct fsi_plan_request *q,
					      struct fsi_plan_alike *a)
{
	if (!a)
		return find_lacking_resource(sel->cluster, q);
	if (a->wait_round == UINT32_MAX || (a->wait_round != sel->memo.round && a->wait != FS_PLAN_WAIT_CPUS)) {
		a->wait = find_lacking_resource(sel->cluster, q);
		a->wait_round = sel->memo.round;
	}
	return (enum fs_plan_wait)a->wait;
}

/* Fills wait, frees and blocked_by of the row for the start in bf->select.found, which is later than now. Backfill
 * compares that start with two others: without planned jobs and reservations, and without planned jobs only. */
static void explain_late_start(struct fsi_backfill *bf, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	const int64_t start = bf->select.found.start;
	struct fsi_plan_alike *a;

	row->frees = find_ending_job(&bf->cluster, &bf->select.found);
	if (bf->plan->mode == FS_PLAN_BY_PRIORITY) {
		row->blocked_by = find_closing_job(bf, &bf->select.found, row->frees);
		row->wait =
			row->blocked_by != FSI_NO_INDEX ? FS_PLAN_WAIT_AHEAD : find_lacking_resource(&bf->cluster, q);
		return;
	}
	a = find_cached_results(&bf->select, q);
	if (find_unconstrained_start(&bf->select, q, a) < start)
		row->blocked_by = find_overlapping_planned_job(&bf->cluster, &bf->select.other, q->limit_s);
	if (bf->select.other.start > bf->cluster.now)
		row->wait = find_cached_shortage(&bf->select, q, a);
	else if (bf->cluster.m->reservation.n && search_without_planned_jobs(&bf->select, q, true) > bf->cluster.now)
		row->wait = FS_PLAN_WAIT_RESERVATION;
	else
		row->wait = FS_PLAN_WAIT_PLANNED;
}

bool fsi_plan_possible(struct fsi_select *sel, const struct fsi_plan_request *q)
{
	const struct fsi_plan_moment never = { INT64_MAX - 1, 0 };
	struct fsi_plan_choice *s = &sel->other.choice;
	struct fsi_plan_request any = *q;

	fsi_plan_open_nodes(sel->cluster, q, sel->set[2]);
	s->n = 0;
	s->busy_first = false;
	FSI_BITS_EACH(i, sel->set[2], sel->cluster->words)
	{
		const struct fsi_plan_room room = fsi_plan_room_at(sel->cluster, i, q, never);

		if (room.cpus > 0) {
			s->cpus[i] = room.cpus;
			s->gpus[i] = room.gpus;
			s->candidate[s->n++] = i;
		}
	}
	any.nodes.max_switches = 0; /* the job waits for few switches only up to a maximum time */
	return !q->impossible && fsi_plan_choose(s, sel->cluster, &any);
}

/* ---- committing a start
 *
 * A job that starts now holds what it requests. A job that starts later reserves whole nodes in node_space
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill, after the try). A row has the earliest start of the job's
 * tasks and partitions. Before 23.02 the scheduler shows the start of the task that it planned last (a5b6b1ad29); all
 * versions show the nodes of that task. */

enum { WORK_PER_HOLD = 40 }; /* work units charged for each hold of a node when one is added */

bool fsi_plan_part_is_full(const struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	return bf->params.part_reserve &&
	       *fsi_plan_reserved_in(&bf->counts, r->partition_name) >= bf->params.part_reserve;
}

/* Adds the hold of a job that starts now to a node. Returns -1 if out of memory. */
static int add_start_hold(struct fsi_select *sel, uint32_t node, const struct fsi_plan_alloc *h)
{
	return fsi_plan_add_hold(&sel->cluster->node[node], h, sel->cluster->nres) || fsi_fits_changed(&sel->fits, node)
		       ? -1
		       : 0;
}

/* Adds the holds of the request on the chosen nodes, for its run from `start`. Returns -1 if out of memory. */
static int hold_chosen_nodes(struct fsi_select *sel, const struct fsi_plan_request *q, int64_t start)
{
	const struct fsi_plan_choice *s = &sel->found.choice;
	struct fsi_plan_alloc h = { .end = start + q->limit_s,
				   .job = q->job,
				   .partition = q->partition,
				   .share = q->sharing.oversubscribe,
				   .in_rows = q->sharing.in_rows,
				   .id = sel->cluster->m->job.v[q->job].id };
	const struct fsi_plan_end e = { .when = h.end, .id = h.id, .job = q->job, .n = s->nnodes, .node = s->node };
	bool ok;

	for (uint32_t k = 0; k < s->nnodes; k++) {
		struct fsi_plan_node *n = &sel->cluster->node[s->node[k]];

		fsi_plan_amounts_chosen(sel->cluster, q, s, k, start, h.amount);
		h.cores = fsi_plan_cores_found(sel, q, s->node[k], h.amount[FSI_RES_CPU], &ok);
		if (!ok || add_start_hold(sel, s->node[k], &h))
			return -1;
		*sel->cluster->looks += WORK_PER_HOLD * n->hold.n;
	}
	sel->memo.round++;
	sel->cluster->users_own = sel->cluster->users_own || q->sharing.exclusive_user;
	return fsi_plan_add_end(sel->cluster, &e);
}

/* Reserves whole nodes, and the licenses of the request, from `start` for its run time. Returns -1 if out of memory. */
static int reserve_whole_nodes(struct fsi_backfill *bf, const struct fsi_plan_request *q, int64_t start,
			       const uint64_t *nodes)
{
	struct fsi_plan_block b = { .job = q->job };

	b.start = fsi_plan_slot(&bf->select, start, q->limit_s, &b.end);
	FSI_BITS_EACH(i, nodes, bf->cluster.words)
		if (fsi_plan_add_block(&bf->cluster.node[i], b))
			return -1;
	return fsi_map_take(&bf->map, b.start, b.end, nodes, fsi_plan_wants(&bf->select, q));
}

int fsi_plan_reserve(struct fsi_backfill *bf, const struct fsi_plan_request *q)
{
	fsi_plan_found_set(&bf->cluster, &bf->select.found, bf->select.set[2]);
	return reserve_whole_nodes(bf, q, bf->select.found.start, bf->select.set[2]);
}

void fsi_plan_close(struct fsi_plan_cluster *c, const struct fsi_plan_request *q, int64_t until)
{
	const struct fsi_plan_part *part = &c->part[q->partition];

	for (uint32_t k = 0; k < part->n; k++) {
		struct fsi_plan_node *n = &c->node[part->node[k]];

		if (n->from < until) {
			n->from = until;
			n->from_job = q->job;
		}
	}
}

/* Stores the names of the chosen nodes in the row. Returns -1 if out of memory. */
static int store_node_names(struct fsi_select *sel, struct fsi_plan_row *row)
{
	row->node = fsi_arena_array(&sel->cluster->arena, (size_t)sel->found.choice.nnodes + 1, sizeof(*row->node));
	if (!row->node)
		return -1;
	row->nnodes = sel->found.choice.nnodes;
	for (uint32_t k = 0; k < row->nnodes; k++)
		row->node[k] = sel->cluster->m->node.v[sel->cluster->node[sel->found.choice.node[k]].row].name;
	return 0;
}

void fsi_plan_tell(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool reserved)
{
	if (row->shown == FS_UNKNOWN || start < row->shown || (!reserved && start <= p->now + p->window_s))
		row->shown = start;
}

/* Stores the start in bf->select.found in the row, with its state, nodes and reason, if it is earlier than the start
 * the row has. Returns -1 if out of memory. */
static int store_earliest_start(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				const struct fsi_plan_request *q, struct fsi_plan_row *row, enum fs_plan_state state)
{
	const int64_t start =
		bf->select.found.start > bf->cluster.m->info.time ? bf->select.found.start : bf->cluster.m->info.time;

	fsi_plan_tell(bf->plan, row, start, true);
	if (row->start == FS_UNKNOWN || start < row->start) {
		row->state = state;
		row->start = start;
		row->limit_s = q->limit_s;
		row->partition_name = r->partition_name;
		row->magnet = bf->magnet;
		row->wait = FS_PLAN_WAIT_NOTHING;
		row->frees = row->blocked_by = FSI_NO_INDEX;
		if (!fsi_plan_tells(bf->plan, q->job))
			return 0;
		row->longer = bf->longer;
		if (state != FS_PLAN_NOW)
			explain_late_start(bf, q, row);
		return store_node_names(&bf->select, row);
	}
	return 0;
}

/* Counts a task that got a start, and calls the watch callback. reserved_tasks: tasks for which nodes were reserved in
 * this record, including this one. Returns what the callback returns. */
static int count_planned_task(struct fsi_backfill *bf, const struct fsi_plan_request *q, struct fsi_plan_row *row,
			      uint64_t reserved_tasks)
{
	if (row->array.started + reserved_tasks > row->array.planned)
		row->array.planned = row->array.started + reserved_tasks;
	if (row->last_start == FS_UNKNOWN || bf->select.found.start > row->last_start)
		row->last_start = bf->select.found.start;
	return bf->watch ? bf->watch(bf->watch_ctx, bf, q) : 0;
}

bool fsi_plan_next_task(struct fsi_backfill *bf, const struct fsi_plan_row *row)
{
	const uint64_t id = bf->cluster.m->job.v[row->job].id, busy = row->array.started;

	if (row->array.tasks - busy <= 1)
		return false;
	bf->array_count = bf->array_id == id ? bf->array_count + 1 : 1;
	bf->array_id = id;
	return bf->array_count < bf->params.max_array_resv && bf->array_count < row->array.tasks - busy &&
	       (!fs_slurm_has(bf->cluster.compat, FS_SLURM_THROTTLES_PLANNED) || row->array.throttle == UINT64_MAX ||
		bf->array_count + busy < row->array.throttle);
}

/* Counts a job that the cycle started. The cycle is over when bf_max_job_start is reached. */
static void count_started_job(struct fsi_backfill *bf)
{
	bf->starts++;
	bf->over = bf->over || (bf->params.max_start && bf->starts >= bf->params.max_start);
}

bool fsi_plan_keeps_none(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(m, r->qos);

	return qos && fsi_list_has(m, qos->flags, "NoReserve");
}

bool fsi_plan_keeps(struct fsi_backfill *bf, const struct fsi_queue_record *r,
		    const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (fsi_plan_keeps_none(bf->cluster.m, r) || fsi_plan_part_is_full(bf, r) || fsi_plan_het_would_block(bf, q))
		return false;
	++*fsi_plan_reserved_in(&bf->counts, r->partition_name);
	row->array.reserved++;
	if (!fsi_plan_counts_in(bf))
		return false;
	bf->over = bf->over || bf->map.made >= bf->params.max_slots;
	return !bf->over;
}

/* Reserves nodes for a start after now. Returns 1 if the next task may be tried, 0 if not, -1 if out of memory.
 * *reserved_tasks: see fsi_plan_give. */
static int reserve_for_later(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			     const struct fsi_plan_request *q, struct fsi_plan_row *row, uint64_t *reserved_tasks)
{
	if (!fsi_plan_keeps(bf, r, q, row)) {
		fsi_plan_tell(bf->plan, row, bf->select.found.start, !fsi_plan_counts_in(bf));
		return 0;
	}
	if (fsi_plan_reserve(bf, q))
		return -1;
	return count_planned_task(bf, q, row, ++*reserved_tasks) ? -1 : fsi_plan_next_task(bf, row);
}

/* Commits a start now that the controller announces and cannot carry out (found.pretends): it fails to start the job,
 * and still reserves the nodes from now on. The row gets the start at which the job can really run, found by a try in
 * which shared CPUs that are in use exclude the job from a node. Returns 0, or -1 if out of memory. */
static int commit_pretended_start(struct fsi_backfill *bf, const struct fsi_queue_record *r,
				  const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	struct fsi_plan_request unshared = *q;
	uint64_t *nodes = fsi_arena_array(&bf->select.scratch, bf->cluster.words, sizeof(*nodes));
	const int64_t now = bf->select.found.start;
	int rc = 0;

	if (!nodes)
		return -1;
	fsi_plan_tell(bf->plan, row, now, true);
	fsi_plan_found_set(&bf->cluster, &bf->select.found, nodes);
	unshared.sharing.ignores_shared_cpus = false;
	if (fsi_plan_try(bf, &unshared, false) && bf->select.found.start > bf->cluster.now)
		rc = store_earliest_start(bf, r, q, row,
					  bf->select.found.start <= bf->cluster.now + bf->params.window_s
						  ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND);
	if (rc || !fsi_plan_keeps(bf, r, q, row))
		return rc;
	return reserve_whole_nodes(bf, q, now, nodes);
}

int fsi_plan_give(struct fsi_backfill *bf, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		  struct fsi_plan_row *row, uint64_t *reserved_tasks)
{
	const bool now = bf->select.found.start <= bf->cluster.now,
		   inside = bf->select.found.start <= bf->cluster.now + bf->params.window_s;
	const enum fs_plan_state state = now      ? FS_PLAN_NOW
					 : inside ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND;

	if (bf->select.found.pretends)
		return commit_pretended_start(bf, r, q, row);
	if (store_earliest_start(bf, r, q, row, state))
		return -1;
	if (!now || fsi_plan_het_job(bf->cluster.m, q->job))
		return inside ? reserve_for_later(bf, r, q, row, reserved_tasks) : 0;
	if (fsi_plan_pushes(&bf->select, q))
		return fsi_plan_reserve(bf, q) ? -1 : 0;
	if (hold_chosen_nodes(&bf->select, q, bf->select.found.start))
		return -1;
	if (fsi_job_rare(bf->cluster.m, &bf->cluster.m->job.v[q->job])->licenses &&
	    fsi_licenses_of(&bf->select.licenses, bf->cluster.m, &bf->cluster.m->job.v[q->job]))
		fsi_licenses_take(&bf->select.licenses);
	row->array.started++;
	count_started_job(bf);
	return count_planned_task(bf, q, row, 0) ? -1 : !bf->over;
}

int fsi_plan_give_by_priority(struct fsi_backfill *bf, const struct fsi_queue_record *r,
			      const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (store_earliest_start(bf, r, q, row,
				 bf->select.found.start <= bf->cluster.now ? FS_PLAN_NOW : FS_PLAN_LATER) ||
	    hold_chosen_nodes(&bf->select, q, bf->select.found.start))
		return -1;
	fsi_plan_close(&bf->cluster, q, bf->select.found.start);
	row->array.started++;
	return count_planned_task(bf, q, row, 0) ? -1 : 1;
}

/* ---- jobs that the cycle started
 *
 * These jobs run in the snapshot, but did not run yet when the cycle tried the records ahead of them: it starts jobs as
 * it goes through the queue (src/plugins/sched/backfill/backfill.c: _attempt_backfill). So they are taken off their
 * nodes first, and put back at their position in the scheduling order. If a job ahead of one of them took what that job
 * has, the plan is not the cycle's; then all of them are on their nodes from the beginning
 * (fsi_plan_decide_started). */

bool fsi_backfill_has_started(const struct fsi_select *sel, const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING && j->partitions && FSI_HAS(j, JOB, start_time) &&
	       j->start_time > sel->cluster->now - sel->params->interval_s &&
	       !strncmp(fsi_str(sel->cluster->m, j->looked_at_by), "Backfill", strlen("Backfill"));
}

/* Returns the queue record that a job which the cycle started had while it was pending, as far as the sort keys need
 * it. */
static struct fsi_queue_record make_started_record(const struct fs_plan *p, uint32_t row)
{
	const fs_snapshot *m = p->m;
	const struct fsi_job *j = &m->job.v[row];
	const bool task = FSI_HAS(j, JOB, array_task_id);
	size_t n;
	const uint32_t name = *fsi_list(m, j->partitions, &n);
	const struct fsi_partition *part = fsi_partition_find(m, name);
	struct fsi_queue_record r = {
		.priority = FSI_HAS(j, JOB, priority) ? j->priority : 0,
		.id = task && j->array_job_id ? j->array_job_id : j->id,
		.submit = FSI_HAS(j, JOB, submit_time) ? j->submit_time : INT64_MAX,
		.job = row,
		.task = task ? j->array_task_id : UINT32_MAX,
		.partition_name = name,
		.partition = fsi_partition_row(m, part),
		.preemptor = FSI_NO_INDEX,
	};

	if (p->queue->scheduler->fill)
		p->queue->scheduler->fill(p->queue, &r);
	return r;
}

/* Compares two jobs that the cycle started by the sort keys of the queue. */
static int compare_started_jobs(const void *x, const void *y, const void *ctx)
{
	const struct fs_queue *queue = ctx;
	const struct fsi_plan_started *a = x, *b = y;
	int c;

	fsi_queue_first_key(queue, &a->record, &b->record, &c);
	return c;
}

int fsi_backfill_take_starts(struct fsi_backfill *bf)
{
	struct fsi_plan_cluster *c = &bf->cluster;
	size_t remaining = 0;

	bf->started = fsi_arena_array(&c->arena, c->end.n + 1, sizeof(*bf->started));
	if (!bf->started)
		return -1;
	for (size_t i = 0; i < c->end.n; i++) {
		const struct fsi_plan_end e = c->end.v[i];
		struct fsi_plan_started *s = &bf->started[bf->nstarted];

		c->end.v[remaining++] = e;
		if (!fsi_backfill_has_started(&bf->select, &c->m->job.v[e.job]))
			continue;
		*s = (struct fsi_plan_started){ make_started_record(bf->plan, e.job), e,
						fsi_arena_array(&c->arena, (size_t)e.n + 1, sizeof(*s->hold)) };
		if (!s->hold)
			return -1;
		for (uint32_t k = 0; k < e.n; k++)
			fsi_plan_drop_hold(&c->node[e.node[k]], e.job, c->nres, &s->hold[k]);
		bf->nstarted++;
		remaining--;
	}
	c->end.n = remaining;
	return fs_sort(bf->started, bf->nstarted, sizeof(*bf->started), compare_started_jobs, bf->plan->queue);
}

/* Returns true if the free resources of the node suffice for the hold. CPUs do not count if the job shares them, or
 * with gang scheduling. */
static bool has_free_resources(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
			       const struct fsi_plan_alloc *h)
{
	const bool shares = h->share || c->rules.gang;

	for (uint32_t r = 0; r < c->nres; r++)
		if ((r != FSI_RES_CPU || !shares) && h->amount[r] > 0 && h->amount[r] > n->free[r])
			return false;
	return true;
}

/* Returns the memory and GPUs that a started job has on its first node as a request; its original request is no longer
 * in the snapshot. */
static struct fsi_plan_request make_held_request(const struct fsi_plan_cluster *c, const struct fsi_plan_started *s)
{
	struct fsi_plan_request q = { .job = s->end.job,
				      .partition = s->record.partition,
				      .cpu.per_task = 1,
				      .cpu.min_per_node = 1,
				      .cpu.max_per_node = INT64_MAX };

	for (uint32_t r = FSI_RES_MEM; r < c->nres && s->end.n; r++) {
		const bool gpu = r >= FSI_RES_GRES && c->res_name[r] == c->requests.gpu;

		if (gpu || r == FSI_RES_MEM)
			q.per_node[r] = s->hold[0].amount[r];
		if (gpu && q.per_node[r] < UINT32_MAX)
			q.gpu.per_node = (uint32_t)q.per_node[r];
	}
	return q;
}

/* Resets the weights of the nodes of the job's partition, as the controller does when it starts the job
 * (fsi_plan_weigh_anew). */
static void reset_partition_weights(struct fsi_select *sel, const struct fsi_plan_started *s)
{
	const struct fsi_plan_moment now = { sel->cluster->now, UINT64_MAX };
	const struct fsi_plan_request q = make_held_request(sel->cluster, s);
	const struct fsi_plan_part *part;

	if (!sel->found.choice.keeps_weights || q.partition == FSI_NO_INDEX)
		return;
	part = &sel->cluster->part[q.partition];
	sel->found.choice.n = 0;
	fsi_plan_weigh_anew(&sel->found.choice, part, &q);
	for (uint32_t k = 0; q.gpu.per_node && k < part->n; k++)
		fsi_plan_weigh_unused(&sel->found.choice, sel->cluster, &q, part->node[k], now);
}

/* Puts a job that the cycle started back on its nodes. Sets bf->clash if they lack the resources. Returns -1 if out of
 * memory. */
static int put_job_on_nodes(struct fsi_backfill *bf, const struct fsi_plan_started *s)
{
	reset_partition_weights(&bf->select, s);
	for (uint32_t k = 0; k < s->end.n; k++) {
		struct fsi_plan_node *n = &bf->cluster.node[s->end.node[k]];

		if (s->hold[k].job != s->end.job)
			continue;
		bf->clash = bf->clash || !has_free_resources(&bf->cluster, n, &s->hold[k]);
		if (add_start_hold(&bf->select, s->end.node[k], &s->hold[k]))
			return -1;
	}
	bf->select.memo.round++;
	count_started_job(bf);
	if (fsi_plan_add_end(&bf->cluster, &s->end))
		return -1;
	bf->cluster.users_own = fsi_plan_users_own(&bf->cluster);
	return 0;
}

int fsi_plan_start_before(struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	for (; bf->next_started < bf->nstarted; bf->next_started++) {
		const struct fsi_plan_started *s = &bf->started[bf->next_started];
		int c = -1;

		if (r)
			fsi_queue_first_key(bf->plan->queue, &s->record, r, &c);
		if (c > 0)
			return 0;
		if (put_job_on_nodes(bf, s))
			return -1;
	}
	return 0;
}
