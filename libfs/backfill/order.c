/* The scheduling order of a cycle. */
#include "backfill/backfill.h"

#include "model/find.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Magnetic reservations. If a magnetic reservation admits a job that did not request a reservation, the job gets an
 * additional queue record for this reservation (src/slurmctld/job_scheduler.c: _job_queue_append, sort_job_queue2;
 * src/slurmctld/reservation.c: job_resv_append_magnetic, _valid_job_access_resv).
 *
 * The additional record is sorted like the record of a job with a reservation. If a job has several additional records,
 * they are tried in the order of the start times of the reservations. Components of het jobs get no additional
 * records. */

/* ---- records in magnetic reservations */

struct magnetic_list {
	uint32_t *row; /* rows of magnetic reservations, in order of their start times */
	size_t n;
};

/* Returns true if the reservation is magnetic, has not ended, and is not floating (TIME_FLOAT). */
static bool is_magnetic_now(const struct fsi_cluster *c, const struct fsi_reservation *r)
{
	return fsi_list_has_word(c->m, r->flags, "MAGNETIC") && !fsi_list_has_word(c->m, r->flags, "TIME_FLOAT") &&
	       (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > c->now);
}

/* Sets *g to the list of magnetic reservations. The caller must free g->row. Returns -1 if out of memory. */
static int find_magnetic_reservations(const struct fsi_cluster *c, struct magnetic_list *g)
{
	const struct fsi_reservation *r = c->m->reservation.v;

	g->row = calloc(c->m->reservation.n + 1, sizeof(*g->row));
	g->n = 0;
	for (uint32_t i = 0; g->row && i < c->m->reservation.n; i++) {
		size_t k = g->n;

		if (!is_magnetic_now(c, &r[i]))
			continue;
		for (; k && r[g->row[k - 1]].start_time > r[i].start_time; k--)
			g->row[k] = g->row[k - 1];
		g->row[k] = i;
		g->n++;
	}
	return g->row ? 0 : -1;
}

/* Returns true if the job of the record may be tried in magnetic reservations. */
static bool may_try_magnetic(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	return r->tried && !m->job.v[r->job].reservation && !fsi_backfill_het_get_id(m, r->job);
}

/* Appends a copy of the record r to the queue `all`. The member next_of_job of the copy stores `of`, the index of r in
 * the plan's queue. The member rank.before of the copy stores `magnetic_resv`: 1 + row of the reservation, 0: none.
 * Returns -1 if out of memory. */
static int add_record_copy(struct fs_queue *all, const struct fsi_queue_record *r, size_t of, uint32_t magnetic_resv,
			   uint32_t listed_at)
{
	struct fsi_queue_record copy = *r;

	if (FSI_VEC_RESERVE(&all->record))
		return -1;
	copy.next_of_job = (uint32_t)of;
	copy.rank.before = magnetic_resv;
	copy.has_reservation = r->has_reservation || magnetic_resv;
	copy.choice_index = listed_at;
	all->record.v[all->record.n++] = copy;
	return 0;
}

/* Adds to the queue `all` a copy of each record of the plan's queue. Adds a further copy for each magnetic reservation
 * in which the record may be tried. Returns -1 if out of memory. */
static int add_record_copies(const struct fs_plan *p, const struct magnetic_list *g, struct fs_queue *all)
{
	const fs_snapshot *m = p->m;

	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];
		uint32_t at = r->choice_index * (uint32_t)(g->n + 1);

		if (add_record_copy(all, r, i, 0, at))
			return -1;
		for (size_t k = 0; k < g->n && may_try_magnetic(p->m, r); k++)
			if (fsi_reservation_admits_job(m, &m->reservation.v[g->row[k]], &m->job.v[r->job]) &&
			    add_record_copy(all, r, i, g->row[k] + 1, ++at))
				return -1;
	}
	return 0;
}

/* Makes a list of all tries in scheduling order, including those in magnetic reservations. A try is a queue record and
 * the magnetic reservation, if any, in which it is tried. Sets *out to the list and *n to its length. Returns -1 if out
 * of memory. */
static int sort_with_magnetic(const struct fs_plan *p, const struct magnetic_list *g,
			      struct fsi_backfill_order_entry **out, size_t *n)
{
	struct fs_queue all = *p->queue;
	int rc;

	all.record.v = NULL;
	all.record.n = all.record.cap = 0;
	rc = add_record_copies(p, g, &all) || fsi_queue_sort_records(&all) ? -1 : 0;
	*n = all.record.n;
	*out = rc ? NULL : calloc(*n + 1, sizeof(**out));
	for (size_t i = 0; *out && i < *n; i++)
		(*out)[i] =
			(struct fsi_backfill_order_entry){ all.record.v[i].next_of_job, all.record.v[i].rank.before };
	FSI_VEC_FREE(&all.record);
	return *out ? 0 : -1;
}

/* Makes a list with one try for each record, in the order of the queue, and without tries in magnetic reservations.
 * Sets *out to the list and *n to its length. Returns -1 if out of memory. */
static int list_in_queue_order(const struct fs_plan *p, struct fsi_backfill_order_entry **out, size_t *n)
{
	*n = p->queue->record.n;
	*out = calloc(*n + 1, sizeof(**out));
	for (uint32_t i = 0; *out && i < *n; i++)
		(*out)[i].record = i;
	return *out ? 0 : -1;
}

bool fsi_backfill_has_group_magnetic(const struct fsi_backfill *bf)
{
	const struct fsi_reservation *r = bf->cluster.m->reservation.v;

	for (size_t i = 0; bf->plan->mode == FS_PLAN_BACKFILL && i < bf->cluster.m->reservation.n; i++)
		if (is_magnetic_now(&bf->cluster, &r[i]) && r[i].groups)
			return true;
	return false;
}

/* Sets *out to the tries in scheduling order and *n to their number. Tries in magnetic reservations are included if the
 * plan is for backfill. The caller frees *out. Returns -1 if out of memory. */
static int list_ordered_tries(const struct fsi_backfill *bf, struct fsi_backfill_order_entry **out, size_t *n)
{
	struct magnetic_list g;
	int rc;

	if (find_magnetic_reservations(&bf->cluster, &g))
		return -1;
	rc = g.n && bf->plan->mode == FS_PLAN_BACKFILL ? sort_with_magnetic(bf->plan, &g, out, n)
						       : list_in_queue_order(bf->plan, out, n);
	free(g.row);
	return rc;
}

/* ---- records that limits block only because the cycle started other jobs
 *
 * The last cycle checked the limits of a job when it tried the job (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill calls acct_policy_job_runnable_pre_select and _post_select). Jobs that the cycle started later did
 * not count in this check. In the snapshot, the jobs started later count. A limit may therefore block a record now,
 * although it did not block the record in the cycle.
 *
 * In the queue, the records that are tried come first, then the records that limits block. If a limit blocks a record
 * now, but no limit blocked it before the cycle started jobs, the scheduling order has this record at the position that
 * its sort keys give it. */

/* Returns true if the last cycle is assumed to have planned the job: if the cycle evaluated the job, and the job has a
 * start or a reason other than a limit. */
static bool was_recently_planned(const struct fsi_select *sel, const struct fsi_job *j)
{
	const char *reason = fsi_name_text(sel->cluster->m, j->reason);
	const struct fs_reason *known = fs_reason_find(reason);

	return FSI_HAS(j, JOB, last_sched_eval) && j->last_sched_eval > sel->cluster->now - sel->params->interval_s &&
	       (FSI_HAS(j, JOB, start_time) || (known && known->number == FS_REASON_RESOURCES) ||
		!strcmp(reason, "Priority") || !strcmp(reason, "None"));
}

/* Sets *limited_since to true if a limit blocks the record now, but no limit blocked it before the cycle started jobs;
 * else to false. Returns -1 if out of memory. */
static int check_reached_since(struct fsi_backfill *bf, const struct fsi_queue_record *r, bool *limited_since)
{
	bool allowed_before, allowed_now;

	*limited_since = false;
	if (!bf->cycle_starts.n || r->blocker != FSI_BLOCKER_LIMIT || r->partition == FSI_NO_INDEX ||
	    !was_recently_planned(&bf->select, &bf->cluster.m->job.v[r->job]))
		return 0;
	if (fsi_limit_ledgers_allow_record(bf, r, bf->cycle_starts.n, &allowed_now) ||
	    fsi_limit_ledgers_allow_record(bf, r, 0, &allowed_before))
		return -1;
	*limited_since = allowed_before && !allowed_now;
	return 0;
}

/* Sets limited_since[record] for each record of the queue, and l->any_limited_since. Returns -1 if out of memory. */
static int fill_reached_since(struct fsi_backfill *bf, struct fsi_backfill_order *l, bool *limited_since)
{
	for (size_t i = 0; i < bf->plan->queue->record.n; i++) {
		if (check_reached_since(bf, &bf->plan->queue->record.v[i], &limited_since[i]))
			return -1;
		l->any_limited_since = l->any_limited_since || limited_since[i];
	}
	return 0;
}

static void put_order_entry(struct fsi_backfill_order *l, size_t position, struct fsi_backfill_order_entry of,
			    const bool *limited_since)
{
	l->record[position] = of.record;
	l->magnetic_resv[position] = of.magnetic_resv;
	l->limited_since[position] = limited_since[of.record];
}

/* Returns true if the record must be moved to the position that its sort keys give it. */
static bool is_record_moved(const struct fs_plan *p, size_t record, const bool *limited_since)
{
	return limited_since[record] && !p->queue->record.v[record].tried;
}

/* Fills the scheduling order l with the elements of `all`, an array of l->n tries. A try is a queue record and the
 * magnetic reservation, if any, in which it is tried. Tries of moved records (is_record_moved) are inserted at the
 * positions that their sort keys give them. */
static void merge_moved_records(const struct fs_plan *p, struct fsi_backfill_order *l,
				const struct fsi_backfill_order_entry *all, const bool *limited_since)
{
	const struct fsi_queue_record *v = p->queue->record.v;
	size_t next = 0, position = 0;

	for (size_t i = 0; i < l->n; i++) {
		int c = -1;

		if (is_record_moved(p, all[i].record, limited_since))
			continue;
		for (; l->any_limited_since && !all[i].magnetic_resv && next < l->n && c < 0; next += c < 0) {
			if (is_record_moved(p, all[next].record, limited_since))
				fsi_queue_find_deciding_key(p->queue, &v[all[next].record], &v[all[i].record], &c);
			if (is_record_moved(p, all[next].record, limited_since) && c < 0)
				put_order_entry(l, position++, all[next], limited_since);
		}
		put_order_entry(l, position++, all[i], limited_since);
	}
	for (; l->any_limited_since && next < l->n; next++)
		if (is_record_moved(p, all[next].record, limited_since))
			put_order_entry(l, position++, all[next], limited_since);
}

int fsi_backfill_make_order(struct fsi_backfill *bf)
{
	struct fsi_backfill_order_entry *all = NULL;
	size_t n = 0;
	int rc = list_ordered_tries(bf, &all, &n);
	struct fsi_backfill_order l = { .record = calloc(n + 1, sizeof(*l.record)),
					.magnetic_resv = calloc(n + 1, sizeof(*l.magnetic_resv)),
					.limited_since = calloc(n + 1, sizeof(*l.limited_since)),
					.n = n };
	bool *limited_since = calloc(bf->plan->queue->record.n + 1, sizeof(*limited_since));

	if (!rc)
		rc = l.record && l.magnetic_resv && l.limited_since && limited_since
			     ? fill_reached_since(bf, &l, limited_since)
			     : -1;
	if (!rc)
		merge_moved_records(bf->plan, &l, all, limited_since);
	free(limited_since);
	free(all);
	if (rc)
		fsi_backfill_free_order(&l);
	else
		bf->order = l;
	return rc;
}

void fsi_backfill_free_order(struct fsi_backfill_order *l)
{
	free(l->record);
	free(l->magnetic_resv);
	free(l->limited_since);
	*l = (struct fsi_backfill_order){ 0 };
}

bool fsi_backfill_is_first_in_partition(const struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	for (size_t i = 0; i < bf->order.n; i++) {
		const struct fsi_queue_record *before = &bf->plan->queue->record.v[bf->order.record[i]];

		if (before->job == r->job && before->partition == r->partition)
			return true;
		if (before->tried && (before->job == r->job || before->partition == r->partition))
			return false;
	}
	return false;
}
