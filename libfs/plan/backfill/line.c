/* The records in the order in which the last cycle came to them. A limit that is reached now may have had room then:
 * what the cycle started behind a record counted for nothing when that was tried
 * (src/plugins/sched/backfill/backfill.c: _attempt_backfill asks acct_policy_job_runnable_pre_select and _post_select
 * at each job's turn). Such a record stands where its keys put it, not with those that are not tried. */
#include "plan/limits/ledgers.h"
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>

/* Did the cycle tell its start, or a reason that is no limit? */
static bool was_planned(const struct fs_plan *p, const struct fsi_job *j)
{
	const char *reason = fsi_str(p->c.m, j->reason);

	return FSI_HAS(j, JOB, last_sched_eval) && j->last_sched_eval > p->c.now - p->params.interval_s &&
	       (FSI_HAS(j, JOB, start_time) || !strcmp(reason, "Resources") || !strcmp(reason, "Priority") ||
		!strcmp(reason, "None"));
}

/* Does a limit keep it that had room before the cycle started any job? */
static int reached_since(struct fs_plan *p, const struct fsi_queue_record *r, bool *since)
{
	bool then, now;

	*since = false;
	if (!p->nstarted || r->bar != FSI_BAR_LIMIT || r->partition == FSI_NO_INDEX ||
	    !was_planned(p, &p->c.m->job.v[r->job]))
		return 0;
	if (fsi_ledgers_room(p, r, p->nstarted, &now) || fsi_ledgers_room(p, r, 0, &then))
		return -1;
	*since = then && !now;
	return 0;
}

static int note_since(struct fs_plan *p, struct fsi_plan_line *l, bool *since)
{
	for (size_t i = 0; i < p->queue->record.n; i++) {
		if (reached_since(p, &p->queue->record.v[i], &since[i]))
			return -1;
		l->any = l->any || since[i];
	}
	return 0;
}

static void put_record(struct fsi_plan_line *l, size_t place, struct fsi_plan_place of, const bool *since)
{
	l->at[place] = of.record;
	l->magnet[place] = of.magnet;
	l->since[place] = since[of.record];
}

/* Is the record to be moved? */
static bool moves(const struct fs_plan *p, size_t record, const bool *since)
{
	return since[record] && !p->queue->record.v[record].tried;
}

static void sort_in(const struct fs_plan *p, struct fsi_plan_line *l, const struct fsi_plan_place *all,
		    const bool *since)
{
	const struct fsi_queue_record *v = p->queue->record.v;
	size_t next = 0, place = 0;

	for (size_t i = 0; i < l->n; i++) {
		int c = -1;

		if (moves(p, all[i].record, since))
			continue;
		for (; l->any && !all[i].magnet && next < l->n && c < 0; next += c < 0) {
			if (moves(p, all[next].record, since))
				fsi_queue_first_key(p->queue, &v[all[next].record], &v[all[i].record], &c);
			if (moves(p, all[next].record, since) && c < 0)
				put_record(l, place++, all[next], since);
		}
		put_record(l, place++, all[i], since);
	}
	for (; l->any && next < l->n; next++)
		if (moves(p, all[next].record, since))
			put_record(l, place++, all[next], since);
}

int fsi_plan_line_make(struct fs_plan *p)
{
	struct fsi_plan_place *all = NULL;
	size_t n = 0;
	int rc = fsi_plan_places(p, &all, &n);
	struct fsi_plan_line l = { .at = calloc(n + 1, sizeof(*l.at)),
				   .magnet = calloc(n + 1, sizeof(*l.magnet)),
				   .since = calloc(n + 1, sizeof(*l.since)),
				   .n = n };
	bool *since = calloc(p->queue->record.n + 1, sizeof(*since));

	if (!rc)
		rc = l.at && l.magnet && l.since && since ? note_since(p, &l, since) : -1;
	if (!rc)
		sort_in(p, &l, all, since);
	free(since);
	free(all);
	if (rc)
		fsi_plan_line_free(&l);
	else
		p->line = l;
	return rc;
}

void fsi_plan_line_free(struct fsi_plan_line *l)
{
	free(l->at);
	free(l->magnet);
	free(l->since);
	*l = (struct fsi_plan_line){ 0 };
}

bool fsi_plan_heads_partition(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	for (size_t i = 0; i < p->line.n; i++) {
		const struct fsi_queue_record *before = &p->queue->record.v[p->line.at[i]];

		if (before->job == r->job && before->partition == r->partition)
			return true;
		if (before->tried && (before->job == r->job || before->partition == r->partition))
			return false;
	}
	return false;
}
