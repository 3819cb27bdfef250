/* The plan: queue records in order, each given the start that a cycle of the backfill scheduler finds for it
 * (backfill/cycle.c; src/plugins/sched/backfill/backfill.c: _attempt_backfill; the main scheduler,
 * src/slurmctld/job_scheduler.c: _schedule, starts the same jobs where nothing stands in the way).
 *
 * A job that fits now takes what it asks for and shares its nodes. One that fits later takes its nodes whole for its
 * time, from its start rounded down to bf_resolution to its end rounded down (from 24.11: up), in each partition it
 * waits in. Some find a start but keep no nodes, or are tried for now alone: below bf_min_prio_reserve or
 * bf_min_age_reserve, past bf_job_part_count_reserve, QOS with NoReserve. bf_max_job_test counts what the select plugin
 * was asked about; bf_node_space_size (by default as much) ends the cycle too. By priority alone, a job that cannot
 * start closes the nodes of its partition to those behind it until it does. */
#include "plan/kept/state.h"
#include "plan/limits/ledgers.h"
#include "plan/record.h"

#include <stdlib.h>
#include <string.h>

static int by_priority(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		       struct fsi_plan_row *row)
{
	if (q->nkinds)
		row->unmodelled |= FS_UNMODELLED_FEATURES;
	p->found.start =
		fsi_plan_earliest(&p->sweep, &p->found.choice, &p->c, q, fsi_plan_het_from(p, q->job), FSI_OBEY_ALL);
	if (p->found.start == INT64_MAX) {
		row->state = FS_PLAN_NEVER;
		return 0;
	}
	fsi_plan_het_found(p, q->job, p->found.start);
	return fsi_plan_give_by_priority(p, r, q, row);
}

/* Limits that depend on the nodes: on what it has on each, and a request that takes them whole counts for all they
 * have. The job keeps the start, but no nodes (acct_policy_job_runnable_post_select, behind the try). 1 when one is in
 * the way, -1 without memory. */
static int barred_there(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
			struct fsi_plan_row *row)
{
	bool bars;

	if (!(q->whole || p->c.whole_sockets || p->limits_by_node) || p->params.assoc_limit_stop)
		return 0;
	if (fsi_ledgers_bar(p, q, &bars))
		return -1;
	if (!bars)
		return 0;
	fsi_record_show(p, row);
	fsi_plan_block(row, (enum fs_section)r->section);
	row->limited = true;
	return 1;
}

/* A cycle comes later than the plan, and planned starts are kept rounded down: what fits with nothing to spare may not
 * fit when its time has come. The cycle does not try that: weights stay as they are. -1 without memory. */
static int try_longer(struct fs_plan *p, const struct fsi_plan_request *q, bool now)
{
	int64_t *weight = p->found.choice.weight,
		*kept = fsi_arena_array(&p->scratch, (size_t)p->c.nnodes + 1, sizeof(*kept));
	struct fsi_plan_request longer = *q;

	if (!kept)
		return -1;
	memcpy(kept, weight, p->c.nnodes * sizeof(*kept));
	longer.limit_s += FSI_PLAN_LONGER_S;
	longer.longest_s += FSI_PLAN_LONGER_S;
	p->longer = fsi_plan_het_job(p, q->job)	    ? 0
		    : fsi_plan_try(p, &longer, now) ? p->found.start
						    : INT64_MAX;
	memcpy(weight, kept, p->c.nnodes * sizeof(*kept));
	return 0;
}

static int by_backfill(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		       struct fsi_plan_row *row, bool now, uint64_t *later)
{
	int barred;

	if (p->only == q->job + 1 && try_longer(p, q, now))
		return -1;
	if (!fsi_record_try(p, r, q, row, now)) {
		if (!p->magnet && row->start == FS_UNKNOWN && fsi_plan_tells(p, q->job) && !fsi_plan_possible(p, q))
			row->state = FS_PLAN_NEVER;
		return 0;
	}
	barred = barred_there(p, r, q, row);
	if (barred)
		return barred < 0 ? -1 : 0;
	return fsi_plan_give(p, r, q, row, later);
}

/* Without bf_licenses a job is tried only while there are licences for it now. */
static bool licenses_left(struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[q->job];
	int64_t until;

	if (!fsi_job_rare(p->c.m, j)->licenses)
		return true;
	if (!fsi_licenses_of(&p->licenses, p->c.m, j)) {
		row->unmodelled |= FS_UNMODELLED_LICENSES;
		return true;
	}
	if (p->params.licenses || fsi_plan_licenses_open(p, q, p->c.now, p->c.now + q->limit_s, &until))
		return true;
	if (row->start == FS_UNKNOWN)
		fsi_plan_block(row, FS_SECTION_REQUEST);
	return false;
}

/* Tries a job once more, before, with the features that it prefers, for now alone (from 22.05 on;
 * src/slurmctld/job_scheduler.c: job_queue_append_internal, use_prefer). */
static int plan_preferred(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const uint32_t prefer = fsi_job_rare(p->c.m, &p->c.m->job.v[r->job])->prefer;
	struct fsi_plan_request q;
	uint64_t later = 0;

	if (!prefer || p->mode != FS_PLAN_BACKFILL)
		return 0;
	if (fsi_record_request_with(p, r, prefer, row, &q))
		return -1;
	fsi_record_set_preempted(p, r, &q);
	return by_backfill(p, r, &q, row, true, &later) < 0 ? -1 : 0;
}

/* Plans tasks of an array one after the other; as many start now as its own throttle admits. */
static int plan_record(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = fsi_record_now_only(p, r, row);
	struct fsi_plan_request q;
	uint64_t later = 0; /* tasks that nodes are kept for here */
	const bool backfill = p->mode == FS_PLAN_BACKFILL;
	int more = backfill ? fsi_record_reached(p, r, row) : 1;

	if (more <= 0)
		return more;
	if (plan_preferred(p, r, row) || fsi_record_request(p, r, row, &q))
		return -1;
	fsi_record_set_preempted(p, r, &q);
	row->unmodelled |= q.unmodelled;
	if (!licenses_left(p, &q, row))
		return 0;
	while (more == 1 && row->started < row->tasks && row->started < row->throttle && !p->given_up) {
		more = backfill ? by_backfill(p, r, &q, row, now, &later) : by_priority(p, r, &q, row);
		p->given_up = p->looks > p->max_looks;
		if (more == 1 && backfill)
			more = fsi_record_counted(p, r);
	}
	return more < 0 ? -1 : 0;
}

/* ---- records */

static bool partition_up(const fs_snapshot *m, uint32_t partition)
{
	const char *state = fsi_str(m, m->partition.v[partition].state);

	return !*state || !strcmp(state, "UP");
}

int fsi_plan_step(struct fs_plan *p, size_t i)
{
	struct fsi_queue_record record = p->queue->record.v[p->line.at[i]];
	const struct fsi_queue_record *r = &record;
	struct fsi_plan_row *row = fsi_plan_row_of(p, r);
	bool room = false;

	p->magnet = p->line.magnet[i];
	p->had_start = row->has_start;
	record.reserved = record.reserved || p->magnet;
	if (fsi_plan_start_before(p, r) ||
	    (p->line.since[i] && fsi_ledgers_room(p, r, p->next_started, &room)))
		return -1;
	if (row->started && row->started >= row->tasks)
		return 0;
	if ((r->eligible || r->tried) && !fsi_plan_het_may(p, r->job))
		return 0;
	if (room)
		return plan_record(p, r, row);
	if (r->bar == FSI_BAR_LIMIT || r->bar == FSI_BAR_NEVER)
		return fsi_record_plan_barred(p, r, row);
	if (!r->eligible)
		fsi_plan_not_tried(p, r, row);
	else if (r->partition == FSI_NO_INDEX || !partition_up(p->c.m, r->partition))
		fsi_plan_block(row, FS_SECTION_PARTITION);
	else
		return plan_record(p, r, row);
	return 0;
}

int fsi_plan_no_sooner(struct fs_plan *p, size_t i, int64_t start)
{
	const struct fsi_queue_record *r = &p->queue->record.v[p->line.at[i]];
	struct fsi_plan_request q;

	if (p->mode != FS_PLAN_BACKFILL || p->line.magnet[i] || p->queue->preempts || r->bar != FSI_BAR_NONE ||
	    p->line.since[i] || r->partition == FSI_NO_INDEX || fsi_plan_keeps_none(p, r) ||
	    fsi_plan_het_job(p, r->job) || fsi_job_rare(p->c.m, &p->c.m->job.v[r->job])->prefer)
		return 0;
	p->magnet = 0;
	if (fsi_record_request(p, r, fsi_plan_row_of(p, r), &q))
		return -1;
	return !q.forgets && !q.nkinds && fsi_plan_none_before(p, &q, start);
}

/* When the cycle is over, jobs whose time has not come are all that still get a start. */
static bool may_start(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	return p->only != FSI_NO_INDEX || !fsi_record_past_end(p) || (!r->eligible && r->section == FS_SECTION_REQUEST);
}

static int run_all(struct fs_plan *p)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < p->line.n && !p->given_up; i++)
		if (may_start(p, &p->queue->record.v[p->line.at[i]]))
			rc = fsi_plan_step(p, i);
	return rc ? rc : fsi_plan_start_before(p, NULL);
}

static int carry_weights(struct fs_plan *p)
{
	const size_t size = p->c.nnodes * sizeof(*p->found.choice.weight);
	struct fsi_plan_state begin;
	int64_t *left;
	int rc;

	if (!fsi_plan_carries_weights(p))
		return 0;
	left = malloc(size + 1);
	if (!left || fsi_plan_save(&begin, p)) {
		free(left);
		return -1;
	}
	rc = run_all(p);
	memcpy(left, p->found.choice.weight, size);
	if (!rc)
		rc = fsi_plan_load(p, &begin);
	memcpy(p->found.choice.weight, left, size);
	fsi_plan_state_release(&begin);
	free(left);
	return rc;
}

int fsi_plan_decide_started(struct fs_plan *p, bool stay, bool *ran)
{
	struct fsi_plan_state begin;
	int rc;

	*ran = false;
	if (carry_weights(p))
		return -1;
	if (!p->nstarted)
		return 0;
	if (fsi_plan_save(&begin, p))
		return -1;
	rc = run_all(p);
	*ran = !rc && stay && !p->clash;
	if (!rc && !*ran)
		rc = fsi_plan_load(p, &begin);
	if (!rc && p->clash)
		rc = fsi_plan_start_before(p, NULL);
	fsi_plan_state_release(&begin);
	return rc;
}

int fsi_plan_run(struct fs_plan *p)
{
	bool ran = false;
	int rc = fsi_plan_setup(p) || fsi_plan_line_make(p) ? -1 : 0;

	if (!rc)
		rc = fsi_plan_decide_started(p, true, &ran);
	if (!rc && !ran)
		rc = run_all(p);
	if (!rc)
		fsi_plan_het_start(p);
	return rc;
}
