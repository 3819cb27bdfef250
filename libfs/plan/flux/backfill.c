/* Fluxion's easy, hybrid and conservative: so many jobs of a queue are tried, and the first that find no room get nodes
 * kept (flux-sched: qmanager/policies/queue_policy_bf_base_impl.hpp).
 *
 * Queues take turns: each asks for one job and goes on when it is answered (next_match_iter, a chain of requests),
 * after all have asked for their first (qmanager/modules/qmanager_callbacks.cpp: check_watcher_cb). A queue gives up
 * what it kept in the loop before when its own first turn comes (run_sched_loop), so that the queues before it find
 * that kept still. */
#include "plan/flux/flux.h"

#include <stdlib.h>

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

/* A job that nodes are kept for. */
struct kept {
	struct fsi_flux_line *line;
	uint32_t job;
	int64_t start;
};

static int by_start(const void *x, const void *y, const void *ctx)
{
	const struct kept *a = x, *b = y;

	(void)ctx;
	if (a->start != b->start)
		return a->start > b->start ? 1 : -1;
	return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a->job > b->job) - (a->job < b->job);
}

static size_t find_kept(const struct fsi_flux_run *r, struct kept *kept)
{
	const struct fsi_job *job = r->p->c.m->job.v;
	size_t n = 0;

	for (size_t i = 0; i < r->nlines; i++)
		for (size_t k = 0; k < r->lines[i].job.n; k++) {
			const uint32_t row = r->lines[i].job.v[k];
			const int64_t start = job[row].start_time;

			if (FSI_HAS(&job[row], JOB, start_time) && start >= r->now)
				kept[n++] = (struct kept){ &r->lines[i], row, start > r->now ? start : r->now + 1 };
		}
	return n;
}

/* The jobs that nodes are kept for since the last loop before now: those with an estimate, which Fluxion takes back
 * from the others (post_sched_loop). Which nodes is not told: those that are left by who is to start before. */
int fsi_flux_recall(struct fsi_flux_run *r)
{
	struct kept *kept = malloc((r->left + 1) * sizeof(*kept));
	const size_t n = kept ? find_kept(r, kept) : 0;
	int rc = !kept || fs_sort(kept, n, sizeof(*kept), by_start, NULL) ? -1 : 0;

	for (size_t i = 0; i < n && rc >= 0; i++) {
		struct fsi_line_want w;

		if (kept[i].line->reserved.n >= r->rules.reservations || !fsi_flux_want(r, kept[i].job, &w))
			continue;
		rc = keep(r, kept[i].line, &w, kept[i].start);
		if (!rc) /* its start and the end before it are cut to seconds */
			rc = keep(r, kept[i].line, &w, kept[i].start + 1);
	}
	free(kept);
	return rc < 0 ? -1 : 0;
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
