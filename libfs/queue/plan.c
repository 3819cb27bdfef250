/* The plan: queue records in order, each given the earliest start that delays none given before it
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill, _add_reservation; the main scheduler,
 * src/slurmctld/job_scheduler.c: _schedule, starts the same jobs where nothing stands in the way).
 *
 * A job that fits now takes what it asks for and shares its nodes. One that fits later takes its
 * nodes whole for its time, from its start rounded down to bf_resolution to its end rounded up (old
 * versions: down), in each partition it waits in. By priority alone, a job that cannot start closes
 * the nodes of its partition to those behind it until it does. */
#include "queue/plan_run.h"

#include <stdlib.h>
#include <string.h>

static int64_t floor_to(int64_t t, int64_t step)
{
	return t - t % step;
}

static struct fsi_plan_row *row_of(struct fs_plan *p, uint32_t job)
{
	return &p->row[p->row_of[job] - 1];
}

/* ---- counting what bf_max_job_* count */

static uint32_t *counter(struct fs_plan *p, uint32_t *base, uint32_t name)
{
	return base ? &base[name < p->names ? name : 0] : NULL;
}

static bool over(uint32_t *n, uint32_t most)
{
	return most && n && ++*n > most;
}

/* Is the record beyond what a cycle looks at for its user, partition or association? */
static bool too_many(struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];
	const uint32_t assoc = fsi_job_assoc(p->c.m, j);
	bool many = over(counter(p, p->of_part, r->partition_name), p->params.max_part);

	if (p->params.max_assoc && assoc != FSI_NO_INDEX)
		many = over(&p->of_assoc[assoc], p->params.max_assoc) || many;
	else
		many = over(counter(p, p->of_user, j->user), p->params.max_user) || many;
	return many;
}

static bool may_reserve(struct fs_plan *p, const struct fsi_queue_record *r,
			const struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];
	const struct fsi_qos *qos = fsi_qos_find(p->c.m, r->qos);

	if (qos && fsi_list_has(p->c.m, qos->flags, "NoReserve"))
		return false;
	if (r->priority < p->params.min_prio_reserve)
		return false;
	if (FSI_HAS(j, JOB, eligible_time) &&
	    p->c.now - j->eligible_time < p->params.min_age_reserve_s)
		return false;
	if (p->params.one_resv && row->reserved)
		return false;
	return !p->params.part_reserve ||
	       ++*counter(p, p->reserved_part, r->partition_name) <= p->params.part_reserve;
}

/* ---- giving a start */

static int hold_now(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start)
{
	struct fsi_plan_hold h = { .end = start + q->limit_s, .job = q->job };

	for (uint32_t k = 0; k < p->found.nnodes; k++) {
		struct fsi_plan_node *n = &p->c.node[p->found.node[k]];

		fsi_plan_amounts(n, q, p->c.nres, p->found.units[k], h.amount);
		if (fsi_plan_add_hold(n, &h, p->c.nres))
			return -1;
	}
	return 0;
}

static int reserve(struct fs_plan *p, const struct fsi_plan_request *q)
{
	const int64_t step = p->params.resolution_s;
	const struct fsi_plan_block b = {
		.start = floor_to(p->found.start, step),
		.end = floor_to(p->found.start + q->limit_s + (p->params.round_up ? step - 1 : 0),
				step),
		.job = q->job,
	};

	for (uint32_t k = 0; k < p->found.nnodes; k++)
		if (fsi_plan_note_block(&p->c, p->found.node[k], &b) ||
		    fsi_plan_add_block(&p->c.node[p->found.node[k]], b))
			return -1;
	return 0;
}

/* Nobody of the partition starts on its nodes before that. */
static void close_partition(struct fs_plan *p, const struct fsi_plan_request *q, int64_t until)
{
	const struct fsi_plan_part *part = &p->c.part[q->partition];

	for (uint32_t k = 0; k < part->n; k++) {
		struct fsi_plan_node *n = &p->c.node[part->node[k]];

		if (n->from < until) {
			n->from = until;
			n->from_job = q->job;
		}
	}
}

static int keep_nodes(struct fs_plan *p, struct fsi_plan_row *row)
{
	row->node = fsi_arena_array(&p->c.arena, (size_t)p->found.nnodes + 1, sizeof(*row->node));
	if (!row->node)
		return -1;
	row->nnodes = p->found.nnodes;
	for (uint32_t k = 0; k < row->nnodes; k++)
		row->node[k] = p->c.m->node.v[p->c.node[p->found.node[k]].row].name;
	return 0;
}

/* The row keeps the earliest of its starts. */
static int record_start(struct fs_plan *p, const struct fsi_queue_record *r,
			const struct fsi_plan_request *q, struct fsi_plan_row *row,
			enum fs_plan_state state)
{
	if (row->start == FS_UNKNOWN || p->found.start < row->start) {
		row->state = state;
		row->start = p->found.start;
		row->limit_s = q->limit_s;
		row->partition_name = r->partition_name;
		row->unmodelled = q->unmodelled;
		row->wait = FS_WAIT_NOTHING;
		row->frees = row->held_by = FSI_NO_INDEX;
		if (state != FS_PLAN_NOW)
			fsi_plan_why(p, q, row);
		if (keep_nodes(p, row))
			return -1;
	}
	return 0;
}

static int note_task(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	row->tasks_planned++;
	if (row->last_start == FS_UNKNOWN || p->found.start > row->last_start)
		row->last_start = p->found.start;
	return p->watch ? p->watch(p->watch_ctx, p, q) : 0;
}

/* 1 when the next task may be tried, 0 when not, -1 without memory. */
static int place_backfill(struct fs_plan *p, const struct fsi_queue_record *r,
			  const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	const bool now = p->found.start <= p->c.now,
		   inside = p->found.start <= p->c.now + p->params.window_s;
	const enum fs_plan_state state = now      ? FS_PLAN_NOW
					 : inside ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND;

	if (record_start(p, r, q, row, state))
		return -1;
	if (!now && (!inside || !may_reserve(p, r, row)))
		return 0;
	if (!now && row->reserved++ >= p->params.max_array_resv && row->tasks > 1)
		return 0;
	if (now ? hold_now(p, q, p->found.start) : reserve(p, q))
		return -1;
	return note_task(p, q, row) ? -1 : 1;
}

static int place_by_priority(struct fs_plan *p, const struct fsi_queue_record *r,
			     const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (record_start(p, r, q, row, p->found.start <= p->c.now ? FS_PLAN_NOW : FS_PLAN_LATER) ||
	    hold_now(p, q, p->found.start))
		return -1;
	close_partition(p, q, p->found.start);
	return note_task(p, q, row) ? -1 : 1;
}

static int read_request(struct fs_plan *p, const struct fsi_queue_record *r,
			struct fsi_plan_request *q)
{
	fsi_arena_release(&p->scratch);
	p->scratch = (struct fsi_arena){ 0 };
	return fsi_plan_request(q, &p->c, r->job, r->partition, &p->scratch);
}

/* A job that waits in several partitions takes nodes in each: which start comes first is not known
 * before. */
static bool again(const struct fs_plan *p, const struct fsi_plan_row *row)
{
	return p->mode == FS_PLAN_BACKFILL && row->tasks == 1 && row->tasks_planned &&
	       row->state != FS_PLAN_NOW;
}

/* Are the nodes found left alone by what is planned, when it starts at that time? */
static bool left_alone(const struct fs_plan *p, const struct fsi_plan_request *q, int64_t start)
{
	int64_t last;

	for (uint32_t k = 0; k < p->found.nnodes; k++)
		if (fsi_plan_gap(&p->c.node[p->found.node[k]], q, start, FSI_OBEY_ALL, &last) !=
		    start)
			return false;
	return true;
}

/* The earliest start, or what the scheduler makes of it: it may see only later that running jobs
 * leave room, and then tries again where planned jobs end before that, or else from there. */
static bool find_start(struct fs_plan *p, const struct fsi_plan_request *q)
{
	const bool backfill = p->mode == FS_PLAN_BACKFILL;
	int64_t from = p->c.now;

	for (;;) {
		int64_t seen, next;

		fsi_plan_earliest(&p->found, &p->c, q, from, FSI_OBEY_ALL);
		if (p->found.start == INT64_MAX)
			return false;
		seen = fsi_plan_pick(&p->found, &p->c, q,
				     backfill ? INT64_MAX - 1 : p->found.start);
		if (seen == INT64_MAX || seen <= p->found.start)
			return true;
		next = fsi_plan_next_end(&p->c, q->partition, p->found.start);
		if (next > seen && left_alone(p, q, seen)) {
			p->found.start = seen;
			return true;
		}
		from = next < seen ? next : seen;
	}
}

/* Is there a start? When one is only too far ahead to be looked for, the row is not reached. */
static bool search(struct fs_plan *p, struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	q->reach = fsi_plan_reach(&p->other, &p->c, q, p->c.now);
	if (find_start(p, q))
		return true;
	if (q->reach != INT64_MAX && row->state == FS_PLAN_NEVER) {
		q->reach = INT64_MAX;
		if (find_start(p, q))
			row->state = FS_PLAN_NOT_REACHED;
	}
	return false;
}

/* Tasks of an array one after the other, as far as its own throttle goes. */
static int plan_record(struct fs_plan *p, const struct fsi_queue_record *r,
		       struct fsi_plan_row *row)
{
	struct fsi_plan_request q;
	int more = 1;

	if (read_request(p, r, &q))
		return -1;
	if (row->state == FS_PLAN_NOT_REACHED)
		row->state = FS_PLAN_NEVER;
	row->unmodelled |= q.unmodelled;
	if (again(p, row))
		row->tasks_planned = 0;
	while (more == 1 && row->tasks_planned < row->tasks && row->tasks_planned < row->throttle) {
		if (p->tested++ >= p->params.max_test && row->tasks_planned)
			return 0;
		if (!search(p, &q, row))
			return 0;
		more = p->mode == FS_PLAN_BY_PRIORITY ? place_by_priority(p, r, &q, row)
						      : place_backfill(p, r, &q, row);
	}
	return more < 0 ? -1 : 0;
}

static void block(struct fsi_plan_row *row, enum fs_section section)
{
	if (row->start != FS_UNKNOWN)
		return;
	row->state = FS_PLAN_BLOCKED;
	row->section = (uint8_t)section;
}

/* assoc_limit_stop: a job kept by a limit keeps its place, with a start that can
 * only be guessed. */
static int plan_limited(struct fs_plan *p, const struct fsi_queue_record *r,
			struct fsi_plan_row *row)
{
	const int64_t guess_s = 500;
	struct fsi_plan_request q;

	block(row, (enum fs_section)r->section);
	if (!p->params.assoc_limit_stop || r->partition == FSI_NO_INDEX)
		return 0;
	if (read_request(p, r, &q))
		return -1;
	fsi_plan_earliest(&p->found, &p->c, &q, p->c.now + guess_s, FSI_OBEY_ALL);
	if (p->found.start == INT64_MAX)
		return 0;
	if (p->mode == FS_PLAN_BY_PRIORITY)
		close_partition(p, &q, p->found.start);
	else if (p->found.start <= p->c.now + p->params.window_s)
		return reserve(p, &q);
	return 0;
}

/* ---- records */

static bool partition_up(const fs_snapshot *m, uint32_t partition)
{
	const char *state = fsi_str(m, m->partition.v[partition].state);

	return !*state || !strcmp(state, "UP");
}

static bool is_limit(const struct fsi_queue_record *r)
{
	return r->section == FS_SECTION_ASSOC_LIMIT || r->section == FS_SECTION_QOS_LIMIT;
}

/* Jobs whose only flaw is that their time has not come: not before that. */
static void not_in_line(struct fs_plan *p, const struct fsi_queue_record *r,
			struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];
	const bool begins = r->section == FS_SECTION_REQUEST && FSI_HAS(j, JOB, eligible_time) &&
			    j->eligible_time > p->c.now && !j->dependency;

	if (!begins) {
		block(row, r->section == FS_SECTION_ELIGIBLE && j->dependency
				   ? FS_SECTION_REQUEST
				   : (enum fs_section)r->section);
		return;
	}
	row->state = FS_PLAN_BEGINS;
	row->start = j->eligible_time;
	row->limit_s = FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s)
			       ? j->time_limit_s
			       : FS_UNKNOWN;
}

static int plan_one(struct fs_plan *p, const struct fsi_queue_record *r)
{
	struct fsi_plan_row *row = row_of(p, r->job);

	if (row->state == FS_PLAN_NOW)
		return 0;
	if (!r->in_line)
		not_in_line(p, r, row);
	else if (is_limit(r))
		return plan_limited(p, r, row);
	else if (r->partition == FSI_NO_INDEX || !partition_up(p->c.m, r->partition))
		block(row, FS_SECTION_PARTITION);
	else if (p->mode == FS_PLAN_BACKFILL && (too_many(p, r) || p->tested >= p->params.max_test))
		return 0;
	else
		return plan_record(p, r, row);
	return 0;
}

int fsi_plan_run(struct fs_plan *p)
{
	int rc = fsi_plan_setup(p);

	for (size_t i = 0; !rc && i < p->queue->record.n; i++)
		rc = plan_one(p, &p->queue->record.v[i]);
	return rc;
}
