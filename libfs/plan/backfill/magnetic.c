/* Magnetic reservations: a job without a reservation of its own that one admits is queued a second time, to be tried
 * there (src/slurmctld/job_scheduler.c: _job_queue_append, sort_job_queue2; src/slurmctld/reservation.c:
 * job_resv_append_magnetic, _valid_job_access_resv). Such a record sorts as one with a reservation; of a job's, the
 * reservation that begins first goes first. Components of het jobs have none. */
#include "plan/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- whom a reservation admits */

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

/* Where associations are enforced, an account stands for those below it too. */
static bool account_listed(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j, bool exact,
			   bool *denies)
{
	const bool below = !exact && fsi_config_lists(m, "AccountingStorageEnforce", "associations");
	bool any = listed(m, r->accounts, j->account, denies);

	for (uint32_t i = below ? fsi_job_assoc(m, j) : FSI_NO_INDEX; !any && i != FSI_NO_INDEX; i = m->tree[i].parent)
		any = listed(m, r->accounts, m->association.v[i].account, denies);
	return any;
}

/* Of a group's members only jobs that run with it tell (src/slurmctld/groups.c: get_groups_members). With users and
 * accounts both admitted it takes the users in those very accounts. */
bool fsi_plan_admits(const fs_snapshot *m, const struct fsi_reservation *r, const struct fsi_job *j)
{
	bool no_user, no_account;
	const uint32_t users = r->groups ? r->groups : r->users;
	const bool user = listed(m, users, r->groups ? j->group : j->user, &no_user),
		   account = account_listed(m, r, j, users && !no_user, &no_account);

	return (users || r->accounts) && (!users || user != no_user) && (!r->accounts || account != no_account);
}

/* ---- the records */

struct magnets {
	uint32_t *row; /* of reservations, by their start */
	size_t n;
};

static bool is_magnet(const struct fs_plan *p, const struct fsi_reservation *r)
{
	return fsi_list_has(p->c.m, r->flags, "MAGNETIC") && !fsi_list_has(p->c.m, r->flags, "TIME_FLOAT") &&
	       (!FSI_HAS(r, RESERVATION, end_time) || r->end_time > p->c.now);
}

static int find_magnets(const struct fs_plan *p, struct magnets *g)
{
	const struct fsi_reservation *r = p->c.m->reservation.v;

	g->row = calloc(p->c.m->reservation.n + 1, sizeof(*g->row));
	g->n = 0;
	for (uint32_t i = 0; g->row && i < p->c.m->reservation.n; i++) {
		size_t k = g->n;

		if (!is_magnet(p, &r[i]))
			continue;
		for (; k && r[g->row[k - 1]].start_time > r[i].start_time; k--)
			g->row[k] = g->row[k - 1];
		g->row[k] = i;
		g->n++;
	}
	return g->row ? 0 : -1;
}

static bool attracted(const struct fs_plan *p, const struct fsi_queue_record *r)
{
	return r->tried && !p->c.m->job.v[r->job].reservation && !fsi_plan_het_job(p, r->job);
}

/* `next` and `before` of a copy say what it is of: the record, and as fsi_plan_place says the reservation. */
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

static int add_copies(const struct fs_plan *p, const struct magnets *g, struct fs_queue *all)
{
	const fs_snapshot *m = p->c.m;

	for (size_t i = 0; i < p->queue->record.n; i++) {
		const struct fsi_queue_record *r = &p->queue->record.v[i];
		uint32_t at = r->listed * (uint32_t)(g->n + 1);

		if (add_copy(all, r, i, 0, at))
			return -1;
		for (size_t k = 0; k < g->n && attracted(p, r); k++)
			if (fsi_plan_admits(m, &m->reservation.v[g->row[k]], &m->job.v[r->job]) &&
			    add_copy(all, r, i, g->row[k] + 1, ++at))
				return -1;
	}
	return 0;
}

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

static int as_they_stand(const struct fs_plan *p, struct fsi_plan_place **out, size_t *n)
{
	*n = p->queue->record.n;
	*out = calloc(*n + 1, sizeof(**out));
	for (uint32_t i = 0; *out && i < *n; i++)
		(*out)[i].record = i;
	return *out ? 0 : -1;
}

bool fsi_plan_of_groups(const struct fs_plan *p)
{
	const struct fsi_reservation *r = p->c.m->reservation.v;

	for (size_t i = 0; p->mode == FS_PLAN_BACKFILL && i < p->c.m->reservation.n; i++)
		if (is_magnet(p, &r[i]) && r[i].groups)
			return true;
	return false;
}

int fsi_plan_places(const struct fs_plan *p, struct fsi_plan_place **out, size_t *n)
{
	struct magnets g;
	int rc;

	if (find_magnets(p, &g))
		return -1;
	rc = g.n && p->mode == FS_PLAN_BACKFILL ? sort_with(p, &g, out, n) : as_they_stand(p, out, n);
	free(g.row);
	return rc;
}
