/* What advance reservations leave to a job (src/slurmctld/reservation.c: job_test_resv, find_resv_end).
 *
 * A job in a reservation has its nodes (all with FLEX or ANY_NODES) once it has begun, less those of others in the time
 * of the job, unless its own has MAINT, or OVERLAP and the other no MAINT. A job in none loses the nodes of those in
 * its time; where one takes all nodes (ALL_NODES, PART_NODES of its partition, MAINT on all nodes of its
 * partition) or, from a job that takes nodes whole, one that it must have, it is tried at the end of that, up to ten
 * times. It is tried again at the first end of any reservation, rounded up, and one second. A reservation of cores
 * leaves the rest of its nodes to jobs that do not take them whole, and one in it has these cores alone. A job that
 * wants licences of which none are left now, or in its time none beside those that are reserved, is tried at the first
 * end of a reservation of them. */
#include "plan/bits.h"
#include "plan/run.h"

enum { MAX_MOVES = 10 };

static bool has_flag(const struct fs_plan *p, const struct fsi_reservation *r, const char *flag)
{
	return fsi_list_has(p->c.m, r->flags, flag);
}

static int64_t start_of(const struct fs_plan *p, const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, start_time) ? r->start_time : p->c.now;
}

static int64_t end_of(const struct fsi_reservation *r)
{
	return FSI_HAS(r, RESERVATION, end_time) ? r->end_time : INT64_MAX;
}

static bool in_time(const struct fs_plan *p, const struct fsi_reservation *r, int64_t start,
		    int64_t end)
{
	return end_of(r) > p->c.now && start_of(p, r) < end && end_of(r) > start;
}

/* Does it take the whole node from the request? */
static bool takes_nodes(const struct fs_plan *p, const struct fsi_plan_request *q, size_t reservation)
{
	return !p->c.reserved_cpus[reservation] || q->whole;
}

/* Does the reservation leave nothing that the job could use before it ends? */
static bool closes(const struct fs_plan *p, const struct fsi_plan_request *q,
		   const struct fsi_reservation *r, const uint64_t *nodes)
{
	const struct fsi_partition *part = &p->c.m->partition.v[q->partition];

	return has_flag(p, r, "ALL_NODES") ||
	       (has_flag(p, r, "PART_NODES") && r->partition == part->name) ||
	       (has_flag(p, r, "MAINT") &&
		fsi_bits_within(p->c.part[q->partition].has, nodes, p->c.words)) ||
	       ((q->whole || !r->tres) && q->required && fsi_bits_meet(q->required, nodes, p->c.words));
}

static int64_t first_end(const struct fs_plan *p, int64_t start)
{
	const int64_t step = p->params.resolution_s;
	int64_t end = INT64_MAX;

	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const int64_t e = end_of(&p->c.m->reservation.v[i]);

		if (e > p->c.now && start <= e && e < end)
			end = e;
	}
	return end == INT64_MAX ? 0 : (end + step - 1) / step * step + 1;
}

static void open_all(const struct fs_plan *p, struct fsi_plan_left *l)
{
	for (uint32_t i = 0; i < p->c.nnodes; i++)
		l->open[i] = p->c.node[i].total[FSI_RES_CPU];
	l->opened = true;
}

static void keep_cores(const struct fs_plan *p, struct fsi_plan_left *l, size_t reservation)
{
	if (!l->opened)
		open_all(p, l);
	for (uint32_t i = 0; i < p->c.nnodes; i++)
		l->open[i] -= p->c.reserved_cpus[reservation][i];
}

static void own_cores_alone(const struct fs_plan *p, struct fsi_plan_left *l, size_t reservation)
{
	memcpy(l->open, p->c.reserved_cpus[reservation], p->c.nnodes * sizeof(*l->open));
	l->opened = true;
}

static bool in_own(const struct fs_plan *p, const struct fsi_plan_request *q,
		   struct fsi_plan_left *l)
{
	const struct fsi_reservation *own = &p->c.m->reservation.v[q->reservation];
	const bool maint = has_flag(p, own, "MAINT"), over = has_flag(p, own, "OVERLAP"),
		   flex = has_flag(p, own, "FLEX");

	if (l->start < fsi_reservation_opens(p->c.m, own) || l->start > fsi_reservation_closes(p->c.m, own))
		return false;
	if (!flex && !has_flag(p, own, "ANY_NODES") && p->c.reserved[q->reservation])
		fsi_bits_and(l->nodes, p->c.reserved[q->reservation], p->c.words);
	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const struct fsi_reservation *r = &p->c.m->reservation.v[i];

		if (maint || i == q->reservation || !p->c.reserved[i] || p->c.reserved_cpus[i] ||
		    (over && !has_flag(p, r, "MAINT")) ||
		    !in_time(p, r, l->start, l->start + l->for_s) ||
		    !fsi_bits_meet(l->nodes, p->c.reserved[i], p->c.words))
			continue;
		fsi_bits_and_not(l->nodes, p->c.reserved[i], p->c.words);
		l->again = first_end(p, l->start);
	}
	if (!flex && p->c.reserved_cpus[q->reservation])
		own_cores_alone(p, l, q->reservation);
	return true;
}

bool fsi_plan_licenses_open(struct fs_plan *p, const struct fsi_plan_request *q, int64_t start, int64_t end,
			    int64_t *until)
{
	const struct fsi_job *j = &p->c.m->job.v[q->job];

	*until = 0;
	if (!fsi_job_rare(p->c.m, j)->licenses || !fsi_licenses_of(&p->licenses, p->c.m, j))
		return true;
	fsi_licenses_unreserve(&p->licenses);
	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const struct fsi_reservation *r = &p->c.m->reservation.v[i];

		if (i != q->reservation && in_time(p, r, start, end) &&
		    fsi_licenses_reserve(&p->licenses, p->c.m, r) && (!*until || end_of(r) < *until))
			*until = end_of(r);
	}
	return fsi_licenses_left(&p->licenses);
}

struct fsi_map_want fsi_plan_wants(struct fs_plan *p, const struct fsi_plan_request *q)
{
	const struct fsi_job *j = &p->c.m->job.v[q->job];

	if (!fsi_job_rare(p->c.m, j)->licenses || !p->map.lics.n || !fsi_licenses_of(&p->licenses, p->c.m, j))
		return (struct fsi_map_want){ 0 };
	return (struct fsi_map_want){ p->licenses.want, fsi_licenses_owner(p->c.m, j->reservation) };
}

/* 1 when the start has to be moved on, 0 when not. */
static bool moved(struct fs_plan *p, const struct fsi_plan_request *q,
		  struct fsi_plan_left *l)
{
	int64_t until;

	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const struct fsi_reservation *r = &p->c.m->reservation.v[i];

		if (!p->c.reserved[i] || !in_time(p, r, l->start, l->start + l->for_s))
			continue;
		if (closes(p, q, r, p->c.reserved[i])) {
			l->start = end_of(r);
			return true;
		}
		if (takes_nodes(p, q, i))
			fsi_bits_and_not(l->nodes, p->c.reserved[i], p->c.words);
		else
			keep_cores(p, l, i);
		if (fsi_bits_meet(p->c.part[q->partition].has, p->c.reserved[i], p->c.words))
			l->again = first_end(p, l->start);
	}
	if (!p->c.m->reservation.n || fsi_plan_licenses_open(p, q, l->start, l->start + l->for_s, &until))
		return false;
	l->start = until > l->start ? until : l->start;
	return true;
}

bool fsi_plan_unreserved(struct fs_plan *p, const struct fsi_plan_request *q,
			 struct fsi_plan_left *l)
{
	const size_t size = p->c.words * sizeof(*l->nodes);

	l->again = 0;
	l->opened = false;
	memset(l->nodes, 0xff, size);
	if (q->reservation != FSI_NO_INDEX)
		return in_own(p, q, l);
	for (uint32_t k = 0; moved(p, q, l); k++) {
		if (k == MAX_MOVES || l->start == INT64_MAX)
			return false;
		l->again = 0;
		l->opened = false;
		memset(l->nodes, 0xff, size);
	}
	return true;
}
