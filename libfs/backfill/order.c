/* The scheduling order of a cycle. */
#include "backfill/backfill.h"

#include "model/find.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Magnetic reservations: if one admits a job without a reservation of its own, the job is queued once more, to be tried
 * in that reservation (src/slurmctld/job_scheduler.c: _job_queue_append, sort_job_queue2; src/slurmctld/reservation.c:
 * job_resv_append_magnetic, _valid_job_access_resv). Such a record sorts like one of a job with a reservation. If
 * several reservations admit a job, the one that begins first comes first. Components of het jobs get no such
 * records. */

/* ---- the jobs that a reservation admits */

/* Returns true if the list (a name) contains the name, with or without a '-' before it. Sets *denies if the list begins
 * with '-', so that it denies access. */
static bool listed(const fs_snapshot *m, uint32_t set, uint32_t name, bool *denies)
{
	size_t n;
	const uint32_t *v = fsi_list(m, set, &n);
	bool any = false;

	*denies = n && *fsi_str(m, v[0]) == '-';
	for (size_t i = 0; i < n; i++) {
		const char *word = fsi_str(m, v[i]);

		any = any || !strcmp(word + (*word == '-'), fsi_str(m, name));
	}
	return any;
}

/* Returns true if the list of accounts of the reservation contains the job's account. If associations are enforced and
 * not `exact`, an account in the list includes the accounts below it. *denies: see listed. */
static bool account_listed(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j, bool exact,
			   bool *denies)
{
	const bool below = !exact && fsi_config_lists(m, "AccountingStorageEnforce", "associations");
	bool any = listed(m, r->accounts, j->account, denies);

	for (uint32_t i = below ? fsi_job_assoc(m, j) : FSI_NO_INDEX; !any && i != FSI_NO_INDEX; i = m->tree[i].parent)
		any = listed(m, r->accounts, m->association.v[i].account, denies);
	return any;
}

/* Members of a group are known only by the jobs that run with that group (src/slurmctld/groups.c: get_groups_members).
 * If the reservation admits both users and accounts, a listed account does not include those below it. */
bool fsi_plan_admits(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j)
{
	bool no_user, no_account;
	const uint32_t users = r->groups ? r->groups : r->users;
	const bool user = listed(m, users, r->groups ? j->group : j->user, &no_user),
		   account = account_listed(m, r, j, users && !no_user, &no_account);

	return (users || r->accounts) && (!users || user != no_user) && (!r->accounts || account != no_account);
}

/* ---- records in magnetic reservations */

struct magnets {
	uint32_t *row; /* rows of magnetic reservations, by rising start */
	size_t n;
};

/* Returns true if the reservation is magnetic and has not ended. */
static bool is_magnet(const struct fsi_plan_cluster *c, const struct fsi_reservation *r)
{
	return fsi_list_has(c->m, r->flags, "MAGNETIC") && !fsi_list_has(c->m, r->flags, "TIME_FLOAT") &&
	       (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > c->now);
}

/* Lists the magnetic reservations. g->row is to be freed by the caller. Returns -1 if out of memory. */
static int find_magnets(const struct fsi_plan_cluster *c, struct magnets *g)
{
	const struct fsi_reservation *r = c->m->reservation.v;

	g->row = calloc(c->m->reservation.n + 1, sizeof(*g->row));
	g->n = 0;
	for (uint32_t i = 0; g->row && i < c->m->reservation.n; i++) {
		size_t k = g->n;

		if (!is_magnet(c, &r[i]))
			continue;
		for (; k && r[g->row[k - 1]].start_time > r[i].start_time; k--)
			g->row[k] = g->row[k - 1];
		g->row[k] = i;
		g->n++;
	}
	return g->row ? 0 : -1;
}

/* Returns true if the job of the record may be tried in magnetic reservations. */
static bool attracted(const fs_snapshot *m, const struct fsi_queue_record *r)
{
	return r->tried && !m->job.v[r->job].reservation && !fsi_plan_het_job(m, r->job);
}

/* Appends a copy of a record to the queue `all`. The members next and before of the copy store the index of the record
 * and, as in struct fsi_plan_place, the reservation. Returns -1 if out of memory. */
static int add_copy(struct fs_queue *all, const struct fsi_queue_record *r, size_t of, uint32_t magnet,
		    uint32_t listed_at)
{
	struct fsi_queue_record copy = *r;

	if (FSI_VEC_ROOM(&all->record))
		return -1;
	copy.next = (uint32_t)of;
	copy.before = magnet;
	copy.reserved = r->reserved || magnet;
	copy.listed = listed_at;
	all->record.v[all->record.n++] = copy;
	return 0;
}

/* Fills the queue `all` with a copy of each record, and one for each magnetic reservation that admits its job. Returns
 * -1 if out of memory. */
static int add_copies(const struct fs_plan *p, const struct magnets *g, struct fs_queue *all)
{
	const fs_snapshot *m = p->m;

	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];
		uint32_t at = r->listed * (uint32_t)(g->n + 1);

		if (add_copy(all, r, i, 0, at))
			return -1;
		for (size_t k = 0; k < g->n && attracted(p->m, r); k++)
			if (fsi_plan_admits(m, &m->reservation.v[g->row[k]], &m->job.v[r->job]) &&
			    add_copy(all, r, i, g->row[k] + 1, ++at))
				return -1;
	}
	return 0;
}

/* Sets *out to the records in scheduling order with those in magnetic reservations. Returns -1 if out of memory. */
static int sort_with(const struct fs_plan *p, const struct magnets *g, struct fsi_plan_place **out, size_t *n)
{
	struct fs_queue all = *p->queue;
	int rc;

	all.record.v = NULL;
	all.record.n = all.record.cap = 0;
	rc = add_copies(p, g, &all) || fsi_queue_sort(&all) ? -1 : 0;
	*n = all.record.n;
	*out = rc ? NULL : calloc(*n + 1, sizeof(**out));
	for (size_t i = 0; *out && i < *n; i++)
		(*out)[i] = (struct fsi_plan_place){ all.record.v[i].next, all.record.v[i].before };
	FSI_VEC_FREE(&all.record);
	return *out ? 0 : -1;
}

/* Sets *out to the records in the order of the queue. Returns -1 if out of memory. */
static int as_they_stand(const struct fs_plan *p, struct fsi_plan_place **out, size_t *n)
{
	*n = p->queue->record.n;
	*out = calloc(*n + 1, sizeof(**out));
	for (uint32_t i = 0; *out && i < *n; i++)
		(*out)[i].record = i;
	return *out ? 0 : -1;
}

bool fsi_plan_of_groups(const struct fsi_backfill *bf)
{
	const struct fsi_reservation *r = bf->cluster.m->reservation.v;

	for (size_t i = 0; bf->plan->mode == FS_PLAN_BACKFILL && i < bf->cluster.m->reservation.n; i++)
		if (is_magnet(&bf->cluster, &r[i]) && r[i].groups)
			return true;
	return false;
}

/* Sets *out to the records in scheduling order, for backfill with those in magnetic reservations
 * (libfs/backfill/job_start.c). The caller frees *out. Returns -1 if out of memory. */
static int fsi_plan_places(const struct fsi_backfill *bf, struct fsi_plan_place **out, size_t *n)
{
	struct magnets g;
	int rc;

	if (find_magnets(&bf->cluster, &g))
		return -1;
	rc = g.n && bf->plan->mode == FS_PLAN_BACKFILL ? sort_with(bf->plan, &g, out, n)
						       : as_they_stand(bf->plan, out, n);
	free(g.row);
	return rc;
}

/* ---- limits that were reached only by jobs that the cycle started
 *
 * A limit that is reached now may not have been reached when the last cycle tried a record: the jobs that it started
 * after the record did not count yet (src/plugins/sched/backfill/backfill.c: _attempt_backfill calls
 * acct_policy_job_runnable_pre_select and _post_select when it comes to each job). Such a record is tried at the
 * position that its sort keys give it, and not after all others as records that are not tried. */

/* Returns true if the last cycle planned the job: it set a start, or a reason that is no limit. */
static bool was_planned(const struct fsi_select *sel, const struct fsi_job *j)
{
	const char *reason = fsi_str(sel->cluster->m, j->reason);

	return FSI_HAS(j, JOB, last_sched_eval) && j->last_sched_eval > sel->cluster->now - sel->params->interval_s &&
	       (FSI_HAS(j, JOB, start_time) || !strcmp(reason, "Resources") || !strcmp(reason, "Priority") ||
		!strcmp(reason, "None"));
}

/* Sets *since if a limit blocks the record now that did not when the cycle had started no job. Returns -1 if out of
 * memory. */
static int reached_since(struct fsi_backfill *bf, const struct fsi_queue_record *r, bool *since)
{
	bool then, now;

	*since = false;
	if (!bf->nstarted || r->bar != FSI_BAR_LIMIT || r->partition == FSI_NO_INDEX ||
	    !was_planned(&bf->select, &bf->cluster.m->job.v[r->job]))
		return 0;
	if (fsi_ledgers_room(bf, r, bf->nstarted, &now) || fsi_ledgers_room(bf, r, 0, &then))
		return -1;
	*since = then && !now;
	return 0;
}

/* Fills since, by record. Returns -1 if out of memory. */
static int note_since(struct fsi_backfill *bf, struct fsi_plan_line *l, bool *since)
{
	for (size_t i = 0; i < bf->plan->queue->record.n; i++) {
		if (reached_since(bf, &bf->plan->queue->record.v[i], &since[i]))
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

/* Returns true if the record is moved to the position that its sort keys give it. */
static bool moves(const struct fs_plan *p, size_t record, const bool *since)
{
	return since[record] && !p->queue->record.v[record].tried;
}

/* Fills the scheduling order: merges the records that are moved into the others by their sort keys. */
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

int fsi_plan_line_make(struct fsi_backfill *bf)
{
	struct fsi_plan_place *all = NULL;
	size_t n = 0;
	int rc = fsi_plan_places(bf, &all, &n);
	struct fsi_plan_line l = { .at = calloc(n + 1, sizeof(*l.at)),
				   .magnet = calloc(n + 1, sizeof(*l.magnet)),
				   .since = calloc(n + 1, sizeof(*l.since)),
				   .n = n };
	bool *since = calloc(bf->plan->queue->record.n + 1, sizeof(*since));

	if (!rc)
		rc = l.at && l.magnet && l.since && since ? note_since(bf, &l, since) : -1;
	if (!rc)
		sort_in(bf->plan, &l, all, since);
	free(since);
	free(all);
	if (rc)
		fsi_plan_line_free(&l);
	else
		bf->line = l;
	return rc;
}

void fsi_plan_line_free(struct fsi_plan_line *l)
{
	free(l->at);
	free(l->magnet);
	free(l->since);
	*l = (struct fsi_plan_line){ 0 };
}

bool fsi_plan_heads_partition(const struct fsi_backfill *bf, const struct fsi_queue_record *r)
{
	for (size_t i = 0; i < bf->line.n; i++) {
		const struct fsi_queue_record *before = &bf->plan->queue->record.v[bf->line.at[i]];

		if (before->job == r->job && before->partition == r->partition)
			return true;
		if (before->tried && (before->job == r->job || before->partition == r->partition))
			return false;
	}
	return false;
}
