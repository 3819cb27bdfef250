/* What advance reservations leave to a job (src/slurmctld/reservation.c: job_test_resv, find_resv_end).
 *
 * A job in a reservation has its nodes (all with FLEX or ANY_NODES) once it has begun, less those of others in the time
 * of the job, unless its own has MAINT, or OVERLAP and the other no MAINT. A job in none loses the nodes of those in
 * its time; where one takes all nodes (ALL_NODES, PART_NODES of its partition, MAINT on all nodes of its
 * partition) or a node that it must have, it is tried at the end of that, up to ten times. It is tried again at the
 * first end of any reservation, rounded up, and one second. */
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

/* Does the reservation leave nothing that the job could use before it ends? */
static bool closes(const struct fs_plan *p, const struct fsi_plan_request *q,
		   const struct fsi_reservation *r, const uint64_t *nodes)
{
	const struct fsi_partition *part = &p->c.m->partition.v[q->partition];

	return has_flag(p, r, "ALL_NODES") ||
	       (has_flag(p, r, "PART_NODES") && r->partition == part->name) ||
	       (has_flag(p, r, "MAINT") &&
		fsi_bits_within(p->c.part[q->partition].has, nodes, p->c.words)) ||
	       (q->required && fsi_bits_meet(q->required, nodes, p->c.words));
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

static bool in_own(const struct fs_plan *p, const struct fsi_plan_request *q,
		   struct fsi_plan_left *l)
{
	const struct fsi_reservation *own = &p->c.m->reservation.v[q->reservation];
	const bool maint = has_flag(p, own, "MAINT"), over = has_flag(p, own, "OVERLAP"),
		   flex = has_flag(p, own, "FLEX");

	if (!flex && (l->start < start_of(p, own) || l->start > end_of(own)))
		return false;
	if (!flex && !has_flag(p, own, "ANY_NODES") && p->c.reserved[q->reservation])
		fsi_bits_and(l->nodes, p->c.reserved[q->reservation], p->c.words);
	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const struct fsi_reservation *r = &p->c.m->reservation.v[i];

		if (maint || i == q->reservation || !p->c.reserved[i] ||
		    (over && !has_flag(p, r, "MAINT")) ||
		    !in_time(p, r, l->start, l->start + q->limit_s) ||
		    !fsi_bits_meet(l->nodes, p->c.reserved[i], p->c.words))
			continue;
		fsi_bits_and_not(l->nodes, p->c.reserved[i], p->c.words);
		l->again = first_end(p, l->start);
	}
	return true;
}

/* 1 when the start has to be moved on, 0 when not. */
static bool moved(const struct fs_plan *p, const struct fsi_plan_request *q,
		  struct fsi_plan_left *l)
{
	for (size_t i = 0; i < p->c.m->reservation.n; i++) {
		const struct fsi_reservation *r = &p->c.m->reservation.v[i];

		if (!p->c.reserved[i] || !in_time(p, r, l->start, l->start + q->limit_s))
			continue;
		if (closes(p, q, r, p->c.reserved[i])) {
			l->start = end_of(r);
			return true;
		}
		fsi_bits_and_not(l->nodes, p->c.reserved[i], p->c.words);
		if (fsi_bits_meet(p->c.part[q->partition].has, p->c.reserved[i], p->c.words))
			l->again = first_end(p, l->start);
	}
	return false;
}

bool fsi_plan_unreserved(const struct fs_plan *p, const struct fsi_plan_request *q,
			 struct fsi_plan_left *l)
{
	const size_t size = p->c.words * sizeof(*l->nodes);

	l->again = 0;
	memset(l->nodes, 0xff, size);
	if (q->reservation != FSI_NO_INDEX)
		return in_own(p, q, l);
	for (uint32_t k = 0; moved(p, q, l); k++) {
		if (k == MAX_MOVES || l->start == INT64_MAX)
			return false;
		l->again = 0;
		memset(l->nodes, 0xff, size);
	}
	return true;
}
