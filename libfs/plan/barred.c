/* Jobs that a limit, or their partition, keeps from starting: backfill tries most of them all the same, shows some a
 * start and keeps nodes for some (src/plugins/sched/backfill/backfill.c: _attempt_backfill). */
#include "plan/limits/ledgers.h"
#include "plan/record.h"

enum { GUESS_S = 500 }; /* a start is put off for so long when nothing tells a later one */

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
	if (!fsi_record_try(p, r, q, row, now))
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
	const bool now = fsi_record_now_only(p, r, row);
	int more = p->mode == FS_PLAN_BACKFILL ? fsi_record_reached(p, r, row) : 1;
	struct fsi_plan_request q;

	if (more <= 0)
		return more;
	if (fsi_record_request(p, r, row, &q))
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
			more = fsi_plan_next_task(p, row) ? fsi_record_counted(p, r) : 0;
	}
	return more;
}

/* Limits that depend on the nodes are looked at when a start has been found: the job keeps that, but no nodes
 * (acct_policy_job_runnable_post_select, behind the try). */
static int plan_shown(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool now = fsi_record_now_only(p, r, row);
	const int reached = fsi_record_reached(p, r, row);
	struct fsi_plan_request q;

	if (reached <= 0)
		return reached;
	if (fsi_record_request(p, r, row, &q))
		return -1;
	fsi_record_set_preempted(p, r, &q);
	if (fsi_record_try(p, r, &q, row, now))
		fsi_record_show(p, row);
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

int fsi_record_plan_barred(struct fs_plan *p, const struct fsi_queue_record *r, struct fsi_plan_row *row)
{
	const bool refused = !admitted(p, r);
	int limited = 0;

	if (r->bar != FSI_BAR_NEVER)
		fsi_plan_block(row, (enum fs_section)r->section);
	else if (row->start == FS_UNKNOWN && fs_queue_verdict_kind(p->queue, r->job) == FS_VERDICT_NEVER)
		row->state = FS_PLAN_NEVER; /* where it can start in another partition, that one tells */
	row->limited = row->limited || r->bar == FSI_BAR_LIMIT;
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
