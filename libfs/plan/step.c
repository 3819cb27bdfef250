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
#include "plan/bits.h"
#include "plan/kept/state.h"
#include "plan/limits/ledgers.h"
#include "plan/run.h"

#include <string.h>

enum { GUESS_S = 500 }; /* a start is put off for so long when nothing tells a later one */

/* 1 when the cycle gets as far as the record, or as far as one more task of it; 0 when not, -1 without memory. */
static int counted(struct fs_plan *p, const struct fsi_queue_record *r)
{
	const int full = fsi_plan_count(&p->counts, p->c.m, &p->params, &p->c.m->job.v[r->job], r->partition_name,
					fsi_plan_counts_in(p));

	return full < 0 ? -1 : !full;
}

static bool cycle_over(const struct fs_plan *p)
{
	return p->mode == FS_PLAN_BACKFILL && (p->over || p->tested >= p->params.max_test);
}

static int cycle_reaches(struct fs_plan *p, const struct fsi_queue_record *r)
{
	return cycle_over(p) ? 0 : counted(p, r);
}

/* Is the record tried for now alone? */
static bool now_only(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	const struct fsi_job *j = &p->c.m->job.v[r->job];

	return r->priority < p->params.min_prio_reserve ||
	       (FSI_HAS(j, JOB, eligible_time) && p->c.now - j->eligible_time < p->params.min_age_reserve_s) ||
	       (p->params.one_resv && row->has_start) ||
	       fsi_plan_part_is_full(p, r);
}

/* A partition's DefMemPerGPU clears what a job has by default, and so does that of the partition in which the select
 * plugin was asked for it last (select/cons_common/job_test.c: _verify_node_state runs before _set_gpu_defaults). The
 * main scheduler asks for the first job of a partition there alone. */
static bool loses_memory(const struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row)
{
	return row->memory == FSI_MEMORY_LOST ||
	       (row->memory == FSI_MEMORY_UNTOLD && !fsi_plan_heads_partition(p, r));
}

/* A partition in which the plugin is not asked was not asked in the cycle before either. */
static void note_memory(const struct fs_plan *p, const struct fsi_plan_request *q, struct fsi_plan_row *row)
{
	if (p->asked)
		row->memory = q->mem_of_gpus ? FSI_MEMORY_LOST : FSI_MEMORY_KEPT;
	else if (q->mem_of_gpus && row->memory == FSI_MEMORY_UNTOLD)
		row->memory = FSI_MEMORY_KEPT;
}

static int read_request_with(struct fs_plan *p, const struct fsi_queue_record *r, uint32_t features,
			     const struct fsi_plan_row *row, struct fsi_plan_request *q)
{
	fsi_arena_release(&p->scratch);
	p->scratch = (struct fsi_arena){ 0 };
	if (fsi_plan_request_with(q, &p->c, r->job, r->partition, features, &p->scratch) ||
	    (p->magnet && fsi_plan_in_reservation(q, &p->c, p->magnet - 1, &p->scratch)))
		return -1;
	if (q->lost_mem && q->all_memory && !loses_memory(p, r, row)) {
		q->all_memory = false;
		q->mem_per_cpu = q->lost_mem;
	}
	q->forgets = p->mode == FS_PLAN_BACKFILL && p->params.forgets && p->c.core_at && !p->c.requests.linear;
	return 0;
}

static int read_request(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_row *row,
			struct fsi_plan_request *q)
{
	return read_request_with(p, r, p->c.m->job.v[r->job].features, row, q);
}

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

static bool keeps_no_nodes(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	const struct fsi_qos *qos = fsi_qos_find(p->c.m, r->qos);

	return qos && fsi_list_has(p->c.m, qos->flags, "NoReserve");
}

/* A job whose QOS has NoReserve is tried as if it were to run for a minute, where jobs may be preempted. A try in vain
 * leaves the start that the job had before the record, whatever earlier tasks of it got (backfill.c: orig_start_time). */
static bool try_record(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
		       struct fsi_plan_row *row, bool now)
{
	const int64_t minute_s = 60;
	const char *mode = fs_snapshot_config_text(p->c.m, "PreemptMode");
	struct fsi_plan_request tried = *q;
	bool found;

	if (mode && strcmp(mode, "OFF") != 0 && keeps_no_nodes(p, r))
		tried.limit_s = minute_s;
	found = fsi_plan_try(p, &tried, now);
	p->tested += p->asked && fsi_plan_counts_in(p);
	note_memory(p, q, row);
	if (found && p->found.start <= p->c.now && p->found.choice.keeps_weights && !fsi_plan_het_job(p, q->job))
		fsi_plan_weigh_anew(&p->found.choice, &p->c.part[q->partition], q);
	row->has_start = found || p->had_start;
	return found;
}

static void show(const struct fs_plan *p, struct fsi_plan_row *row)
{
	if (p->found.start > p->c.now)
		fsi_plan_tell(p, row, p->found.start, false);
}

/* Limits that depend on the nodes: on what it has on each, and a request that takes them whole counts for all they
 * have. The job keeps the start, but no nodes (acct_policy_job_runnable_post_select, behind the try). 1 when one is in
 * the way, -1 without memory. */
static int barred_there(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
			struct fsi_plan_row *row)
{
	bool bars;

	if (!(q->whole || p->limits_by_node) || p->params.assoc_limit_stop)
		return 0;
	if (fsi_ledgers_bar(p, q, &bars))
		return -1;
	if (!bars)
		return 0;
	show(p, row);
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
	if (!try_record(p, r, q, row, now)) {
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

static void set_preempted(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_request *q)
{
	q->preempts = p->mode == FS_PLAN_BACKFILL ? fsi_plan_pushed(p, r) : NULL;
	q->suspends = q->preempts ? p->suspended : NULL;
	q->suspends_for_good = !p->params.looks_on;
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
	if (read_request_with(p, r, prefer, row, &q))
		return -1;
	set_preempted(p, r, &q);
	return by_backfill(p, r, &q, row, true, &later) < 0 ? -1 : 0;
}

/* Plans tasks of an array one after the other; as many start now as its own throttle admits. */
static int plan_record(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = now_only(p, r, row);
	struct fsi_plan_request q;
	uint64_t later = 0; /* tasks that nodes are kept for here */
	const bool backfill = p->mode == FS_PLAN_BACKFILL;
	int more = backfill ? cycle_reaches(p, r) : 1;

	if (more <= 0)
		return more;
	if (plan_preferred(p, r, row) || read_request(p, r, row, &q))
		return -1;
	set_preempted(p, r, &q);
	row->unmodelled |= q.unmodelled;
	if (!licenses_left(p, &q, row))
		return 0;
	while (more == 1 && row->started < row->tasks && row->started < row->throttle && !p->given_up) {
		more = backfill ? by_backfill(p, r, &q, row, now, &later) : by_priority(p, r, &q, row);
		p->given_up = p->looks > p->max_looks;
		if (more == 1 && backfill)
			more = counted(p, r);
	}
	return more < 0 ? -1 : 0;
}

/* Does its partition take jobs of the account? Backfill plans without asking. */
static bool admitted(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	if (r->partition == FSI_NO_INDEX) /* nothing is known of the partition */
		return true;
	const struct fsi_partition *part = &p->c.m->partition.v[r->partition];
	const char *account = fsi_str(p->c.m, p->c.m->job.v[r->job].account);

	return (!part->allow_accounts || fsi_list_has(p->c.m, part->allow_accounts, account)) &&
	       (!part->deny_accounts || part->allow_accounts || !fsi_list_has(p->c.m, part->deny_accounts, account));
}

/* A start that can only be guessed if it would be now is shown, and not told. 1 when nodes are kept for it, 0 when
 * not, -1 without memory. */
static int plan_unseen_task(struct fs_plan *p, const struct fsi_queue_record *r, const struct fsi_plan_request *q,
			    struct fsi_plan_row *row, bool limit, bool now)
{
	if (!try_record(p, r, q, row, now))
		return 0;
	if (limit && p->found.start <= p->c.now) {
		p->found.start = p->next_try ? p->next_try : p->c.now + GUESS_S;
		if (!now && !fsi_plan_try_on(p, q))
			return 0;
	}
	/* a job that its partition refuses is shown a start now, too: the controller fails to start it and keeps the
	 * nodes */
	fsi_plan_tell(p, row, p->found.start, true);
	if (now || p->found.start > p->c.now + p->params.window_s || !fsi_plan_keeps(p, r, q, row))
		return 0;
	return fsi_plan_reserve(p, q) ? -1 : 1;
}

/* Plans a job that cannot start there at present: its partition refuses its account, or a limit keeps it and
 * assoc_limit_stop is set. Nodes are kept for it all the same, for each task of an array. */
static int plan_unseen(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row, bool limit)
{
	const bool now = now_only(p, r, row);
	int more = p->mode == FS_PLAN_BACKFILL ? cycle_reaches(p, r) : 1;
	struct fsi_plan_request q;

	if (more <= 0)
		return more;
	if (read_request(p, r, row, &q))
		return -1;
	if (p->mode == FS_PLAN_BY_PRIORITY) {
		p->found.start =
			fsi_plan_earliest(&p->sweep, &p->found.choice, &p->c, &q, p->c.now + GUESS_S, FSI_OBEY_ALL);
		if (limit && p->found.start != INT64_MAX)
			fsi_plan_close(p, &q, p->found.start);
		return 0;
	}
	while (more == 1 && !p->given_up) {
		more = plan_unseen_task(p, r, &q, row, limit, now);
		p->given_up = p->looks > p->max_looks;
		if (more == 1)
			more = fsi_plan_next_task(p, row) ? counted(p, r) : 0;
	}
	return more;
}

/* Limits that depend on the nodes are looked at when a start has been found: the job keeps that, but no nodes
 * (acct_policy_job_runnable_post_select, behind the try). */
static int plan_shown(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = now_only(p, r, row);
	const int reached = cycle_reaches(p, r);
	struct fsi_plan_request q;

	if (reached <= 0)
		return reached;
	if (read_request(p, r, row, &q))
		return -1;
	set_preempted(p, r, &q);
	if (try_record(p, r, &q, row, now))
		show(p, row);
	return 0;
}

/* Is one that its partition refuses at a limit too, so that no nodes are kept for it? -1 without memory. */
static int is_limited_too(struct fs_plan *p, const struct fsi_queue_record *r)
{
	bool room = true;

	if (p->mode != FS_PLAN_BACKFILL || p->params.assoc_limit_stop)
		return 0;
	return fsi_ledgers_room(p, r, p->next_started, &room) ? -1 : !room;
}

/* Plans what a limit or its partition keeps from starting. */
static int plan_barred(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool refused = !admitted(p, r);
	int limited = 0;

	fsi_plan_block(row, (enum fs_section)r->section);
	row->limited = row->limited || r->bar == FSI_BAR_LIMIT;
	if (r->bar == FSI_BAR_NEVER && row->start == FS_UNKNOWN)
		row->state = FS_PLAN_NEVER;
	if (!r->tried || r->partition == FSI_NO_INDEX)
		return 0;
	if (refused)
		limited = is_limited_too(p, r);
	if (limited < 0)
		return -1;
	if ((refused && !limited) || p->params.assoc_limit_stop)
		return plan_unseen(p, r, row, !refused);
	return p->mode == FS_PLAN_BACKFILL ? plan_shown(p, r, row) : 0;
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
		return plan_barred(p, r, row);
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
	    p->line.since[i] || r->partition == FSI_NO_INDEX || keeps_no_nodes(p, r) || fsi_plan_het_job(p, r->job) ||
	    fsi_job_rare(p->c.m, &p->c.m->job.v[r->job])->prefer)
		return 0;
	p->magnet = 0;
	if (read_request(p, r, fsi_plan_row_of(p, r), &q))
		return -1;
	return !q.forgets && !q.nkinds && fsi_plan_none_before(p, &q, start);
}

/* When the cycle is over, jobs whose time has not come are all that still get a start. */
static bool may_start(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	return p->only != FSI_NO_INDEX || !cycle_over(p) || (!r->eligible && r->section == FS_SECTION_REQUEST);
}

static int run_all(struct fs_plan *p)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < p->line.n && !p->given_up; i++)
		if (may_start(p, &p->queue->record.v[p->line.at[i]]))
			rc = fsi_plan_step(p, i);
	return rc ? rc : fsi_plan_start_before(p, NULL);
}

int fsi_plan_decide_started(struct fs_plan *p, bool stay, bool *ran)
{
	struct fsi_plan_state begin;
	int rc;

	*ran = false;
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
