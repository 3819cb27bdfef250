/* A start given to a record: its row, and what it takes from those behind it. What starts now holds what it asks for;
 * what starts later keeps its nodes whole on the map (src/plugins/sched/backfill/backfill.c: _attempt_backfill, behind
 * the try). A row tells the earliest of its tasks and partitions; before 23.02 the scheduler tells the start of the
 * task it planned last (a5b6b1ad29), and in all versions the nodes of that task. */
#include "plan/bits.h"
#include "plan/oversubscribe/steps.h"

enum { HOLD_LOOKS = 40 }; /* what one more hold changes in another takes as long as so many looks */

bool fsi_plan_part_is_full(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	return p->params.part_reserve &&
	       *fsi_plan_reserved_in(&p->counts, r->partition_name) >= p->params.part_reserve;
}

int fsi_plan_start_on(struct fs_plan *p, uint32_t node, const struct fsi_plan_alloc *h)
{
	return fsi_plan_add_hold(&p->c.node[node], h, p->c.nres) || fsi_fits_changed(&p->fits, node) ? -1 : 0;
}

static int hold_now(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start)
{
	const struct fsi_plan_choice *s = &p->found.choice;
	struct fsi_plan_alloc h = { .end = start + q->limit_s,
				   .job = q->job,
				   .partition = q->partition,
				   .share = q->share,
				   .in_rows = q->in_rows,
				   .id = p->c.m->job.v[q->job].id };
	const struct fsi_plan_end e = { .when = h.end, .id = h.id, .job = q->job, .n = s->nnodes, .node = s->node };
	bool ok;

	for (uint32_t k = 0; k < s->nnodes; k++) {
		struct fsi_plan_node *n = &p->c.node[s->node[k]];

		fsi_plan_amounts_chosen(&p->c, q, s, k, start, h.amount);
		h.cores = fsi_plan_cores_found(p, q, s->node[k], h.amount[FSI_RES_CPU], &ok);
		if (!ok || fsi_plan_start_on(p, s->node[k], &h))
			return -1;
		p->looks += HOLD_LOOKS * n->hold.n;
	}
	p->memo.round++;
	p->users_own = p->users_own || q->own_user;
	return fsi_plan_add_end(&p->c, &e);
}

static int reserve_nodes(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, const uint64_t *nodes)
{
	struct fsi_plan_block b = { .job = q->job };

	b.start = fsi_plan_slot(p, start, q->limit_s, &b.end);
	FSI_BITS_EACH(i, nodes, p->c.words)
		if (fsi_plan_add_block(&p->c.node[i], b))
			return -1;
	return fsi_map_take(&p->map, b.start, b.end, nodes, fsi_plan_wants(p, q));
}

int fsi_plan_reserve(struct fs_plan *p, const struct fsi_plan_request *q)
{
	fsi_plan_found_set(p, &p->found, p->set[2]);
	return reserve_nodes(p, q, p->found.start, p->set[2]);
}

/* Nobody of the partition starts on its nodes before that time. */
void fsi_plan_close(struct fs_plan *p, const struct fsi_plan_request *q, int64_t until)
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
	row->node = fsi_arena_array(&p->c.arena, (size_t)p->found.choice.nnodes + 1,
				    sizeof(*row->node));
	if (!row->node)
		return -1;
	row->nnodes = p->found.choice.nnodes;
	for (uint32_t k = 0; k < row->nnodes; k++)
		row->node[k] = p->c.m->node.v[p->c.node[p->found.choice.node[k]].row].name;
	return 0;
}

void fsi_plan_tell(const struct fs_plan *p, struct fsi_plan_row *row, int64_t start, bool kept)
{
	if (row->shown == FS_UNKNOWN || start < row->shown || (!kept && start <= p->c.now + p->params.window_s))
		row->shown = start;
}

/* The row keeps the earliest of its starts. */
static int record_start(struct fs_plan *p, const struct fsi_queue_record *r,
			const struct fsi_plan_request *q, struct fsi_plan_row *row,
			enum fs_plan_state state)
{
	const int64_t start =
		p->found.start > p->c.m->info.time ? p->found.start : p->c.m->info.time;

	fsi_plan_tell(p, row, start, true);
	if (row->start == FS_UNKNOWN || start < row->start) {
		row->state = state;
		row->start = start;
		row->limit_s = q->limit_s;
		row->partition_name = r->partition_name;
		row->magnet = p->magnet;
		row->wait = FS_PLAN_WAIT_NOTHING;
		row->frees = row->blocked_by = FSI_NO_INDEX;
		if (!fsi_plan_tells(p, q->job))
			return 0;
		row->longer = p->longer;
		if (state != FS_PLAN_NOW)
			fsi_plan_why(p, q, row);
		return keep_nodes(p, row);
	}
	return 0;
}

static int note_task(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row,
		     uint64_t later)
{
	if (row->started + later > row->tasks_planned)
		row->tasks_planned = row->started + later;
	if (row->last_start == FS_UNKNOWN || p->found.start > row->last_start)
		row->last_start = p->found.start;
	return p->watch ? p->watch(p->watch_ctx, p, q) : 0;
}

bool fsi_plan_next_task(struct fs_plan *p, const struct fsi_plan_row *row)
{
	const uint64_t id = p->c.m->job.v[row->job].id, busy = row->started;

	if (row->tasks - busy <= 1)
		return false;
	p->array_count = p->array_id == id ? p->array_count + 1 : 1;
	p->array_id = id;
	return p->array_count < p->params.max_array_resv && p->array_count < row->tasks - busy &&
	       (!fs_slurm_has(p->compat, FS_SLURM_THROTTLES_PLANNED) || row->throttle == UINT64_MAX ||
		p->array_count + busy < row->throttle);
}

void fsi_plan_count_start(struct fs_plan *p)
{
	p->starts++;
	p->over = p->over || (p->params.max_start && p->starts >= p->params.max_start);
}

bool fsi_plan_keeps_none(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(p->c.m, r->qos);

	return qos && fsi_list_has(p->c.m, qos->flags, "NoReserve");
}

bool fsi_plan_keeps(struct fs_plan *p, const struct fsi_queue_record *r,
		    const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (fsi_plan_keeps_none(p, r) || fsi_plan_part_is_full(p, r) ||
	    fsi_plan_het_would_block(p, q))
		return false;
	++*fsi_plan_reserved_in(&p->counts, r->partition_name);
	row->reserved++;
	if (!fsi_plan_counts_in(p))
		return false;
	p->over = p->over || p->map.made >= p->params.max_slots;
	return !p->over;
}

/* 1 when the next task may be tried, 0 when not, -1 without memory. */
static int keep_for_later(struct fs_plan *p, const struct fsi_queue_record *r,
			  const struct fsi_plan_request *q, struct fsi_plan_row *row,
			  uint64_t *later)
{
	if (!fsi_plan_keeps(p, r, q, row)) {
		fsi_plan_tell(p, row, p->found.start, !fsi_plan_counts_in(p));
		return 0;
	}
	if (fsi_plan_reserve(p, q))
		return -1;
	return note_task(p, q, row, ++*later) ? -1 : fsi_plan_next_task(p, row);
}

/* The controller says now, tries, fails, and keeps the nodes from now on all the same. The plan says when the job
 * can start, with its nodes kept apart from those that share theirs. */
static int give_pretended(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
			  struct fsi_plan_row *row)
{
	struct fsi_plan_request kept_apart = *q;
	uint64_t *nodes = fsi_arena_array(&p->scratch, p->c.words, sizeof(*nodes));
	const int64_t now = p->found.start;
	int rc = 0;

	if (!nodes)
		return -1;
	fsi_plan_tell(p, row, now, true);
	fsi_plan_found_set(p, &p->found, nodes);
	kept_apart.forgets = false;
	if (fsi_plan_try(p, &kept_apart, false) && p->found.start > p->c.now)
		rc = record_start(p, r, q, row,
				  p->found.start <= p->c.now + p->params.window_s ? FS_PLAN_LATER : FS_PLAN_BEYOND);
	if (rc || !fsi_plan_keeps(p, r, q, row))
		return rc;
	return reserve_nodes(p, q, now, nodes);
}

int fsi_plan_give(struct fs_plan *p, const struct fsi_queue_record *r,
		  const struct fsi_plan_request *q, struct fsi_plan_row *row, uint64_t *later)
{
	const bool now = p->found.start <= p->c.now,
		   inside = p->found.start <= p->c.now + p->params.window_s;
	const enum fs_plan_state state = now      ? FS_PLAN_NOW
					 : inside ? FS_PLAN_LATER
						  : FS_PLAN_BEYOND;

	if (p->found.pretends)
		return give_pretended(p, r, q, row);
	if (record_start(p, r, q, row, state))
		return -1;
	if (!now || fsi_plan_het_job(p, q->job))
		return inside ? keep_for_later(p, r, q, row, later) : 0;
	if (fsi_plan_pushes(p, q))
		return fsi_plan_reserve(p, q) ? -1 : 0;
	if (hold_now(p, q, p->found.start))
		return -1;
	if (fsi_job_rare(p->c.m, &p->c.m->job.v[q->job])->licenses &&
	    fsi_licenses_of(&p->licenses, p->c.m, &p->c.m->job.v[q->job]))
		fsi_licenses_take(&p->licenses);
	row->started++;
	fsi_plan_count_start(p);
	return note_task(p, q, row, 0) ? -1 : !p->over;
}

int fsi_plan_give_by_priority(struct fs_plan *p, const struct fsi_queue_record *r,
			      const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (record_start(p, r, q, row, p->found.start <= p->c.now ? FS_PLAN_NOW : FS_PLAN_LATER) ||
	    hold_now(p, q, p->found.start))
		return -1;
	fsi_plan_close(p, q, p->found.start);
	row->started++;
	return note_task(p, q, row, 0) ? -1 : 1;
}
