/* Fluxion's easy, hybrid and conservative: so many jobs of a queue are tried, and the first that find no room get nodes
 * kept (flux-sched: qmanager/policies/queue_policy_bf_base_impl.hpp).
 *
 * Queues take turns: each asks for one job and goes on when it is answered (next_match_iter, a chain of requests),
 * after all have asked for their first (qmanager/modules/qmanager_callbacks.cpp: check_watcher_cb). A queue gives up
 * what it kept in the loop before when its own first turn comes (run_sched_loop), so that the queues before it find
 * that kept still. */
#include "plan/flux/flux.h"

static void give_up(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	for (size_t i = 0; i < l->reserved.n; i++)
		fsi_line_drop(&r->line, l->reserved.v[i]);
	l->reserved.n = 0;
}

/* Keeps its nodes from then on. 1: they are kept, 0: it has no room then, -1 without memory. */
static int keep(struct fsi_flux_run *r, struct fsi_flux_line *l, const struct fsi_line_want *w, int64_t at)
{
	if (!fsi_flux_choose(r, w, at))
		return 0;
	if (FSI_VEC_ROOM(&l->reserved))
		return -1;
	l->reserved.v[l->reserved.n++] = w->job;
	return fsi_line_take(&r->line, w, at, at + w->limit_s) ? -1 : 1;
}

/* Keeps its nodes from the earliest start on; likewise. */
static int reserve(struct fsi_flux_run *r, struct fsi_flux_line *l, const struct fsi_line_want *w)
{
	const int64_t at = fsi_flux_earliest(r, w);

	if (at < 0)
		return -1;
	return at == INT64_MAX ? 0 : keep(r, l, w, at);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* The jobs that nodes are kept for since the last loop before now: those with an estimate, which Fluxion takes back
 * from the others (post_sched_loop). */
int fsi_flux_recall(struct fsi_flux_run *r)
{
	const struct fsi_job *job = r->p->c.m->job.v;

	for (size_t i = 0; i < r->nlines; i++)
		for (size_t k = 0; k < r->lines[i].job.n; k++) {
			struct fsi_flux_line *l = &r->lines[i];
			const struct fsi_job *j = &job[l->job.v[k]];
			struct fsi_line_want w;

			if (!FSI_HAS(j, JOB, start_time) || j->start_time < r->now ||
			    l->reserved.n >= r->rules.reservations)
				continue;
			if (fsi_flux_want(r, l->job.v[k], &w) && keep(r, l, &w, later(j->start_time, r->now + 1)) < 0)
				return -1;
		}
	return 0;
}

static bool has_turn(const struct fsi_flux_run *r, const struct fsi_flux_line *l)
{
	return l->next < l->job.n && l->tried < r->rules.depth && !fsi_line_too_long(&r->line);
}

static int turn(struct fsi_flux_run *r, struct fsi_flux_line *l)
{
	struct fsi_line_want w;
	int rc = fsi_flux_want(r, l->job.v[l->next], &w) ? fsi_flux_try(r, &w) : 0;

	l->tried++;
	if (rc == 1) {
		fsi_flux_take_out(l, l->next);
		return 0;
	}
	if (!rc && l->reserved.n < r->rules.reservations) {
		rc = reserve(r, l, &w);
		l->tried -= rc == 0; /* one that cannot be kept nodes for is not counted */
	}
	l->next++;
	return rc < 0 ? -1 : 0;
}

int fsi_flux_backfill(struct fsi_flux_run *r)
{
	bool any = true;

	for (size_t i = 0; i < r->nlines; i++)
		r->lines[i].next = r->lines[i].tried = 0;
	for (bool first = true; any; first = false) {
		any = false;
		for (size_t i = 0; i < r->nlines; i++) {
			struct fsi_flux_line *l = &r->lines[i];

			if (first)
				give_up(r, l);
			if (!has_turn(r, l))
				continue;
			any = true;
			if (turn(r, l))
				return -1;
		}
	}
	return 0;
}
