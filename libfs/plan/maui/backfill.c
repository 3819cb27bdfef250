/* Backfill of Maui within hard limits (src/MQueue.c:MQueueBackFill; the one within soft limits is left to partitions
 * that have a policy of their own, src/MSched.c:m_schedule_on_partitions): windows of nodes that have a processor free
 * for so long, the shortest first (src/MBF.c:MBFGetWindow); in each window the jobs without a reservation that are no
 * longer and no wider than it. FIRSTFIT takes them by priority, BESTFIT the one of most processors or BACKFILLMETRIC
 * first. GREEDY starts none: it never fills the list it looks through (MBFGreedy). */
#include "plan/maui/maui.h"

#include "queue/maui/limits.h"

struct window {
	int64_t length; /* the shortest time for which one of its nodes keeps a processor free; INT64_MAX: for ever */
	int64_t procs;
	uint32_t nodes;
};

/* A window is that of a user, group, account and class called [ALL], which every list of such admits
 * (src/MBF.c:MBFGetWindow, src/MACL.c:MACLCheckAccess; src/MCred.c adds such a class). */
static uint64_t open_to_any(const fs_snapshot *m)
{
	uint64_t gates = 0;

	for (size_t i = 0; i < m->reservation.n && i < 64; i++) {
		const struct fsi_reservation *r = &m->reservation.v[i];

		if (FSI_HAS(r, RESERVATION, admits_told) && r->admits_told &&
		    (r->users || r->groups || r->accounts || r->classes))
			gates |= UINT64_C(1) << i;
	}
	return gates;
}

/* Puts the nodes that keep a processor free for longer than that into x->among. length -1: without memory. */
static struct window next_window(struct fsi_maui_run *x, int64_t longer_than)
{
	const struct fsi_line_want one = { .tasks = 1, .limit_s = 1, .task = { 1 }, .admitted = open_to_any(&x->view) };
	struct window w = { .length = INT64_MAX };

	for (uint32_t i = 0; i < x->line.n; i++) {
		const int64_t length = fsi_line_span(&x->line, i, &one, x->now);

		if (length < 0)
			return (struct window){ .length = -1 };
		x->among[i] = length > longer_than && fsi_maui_in_partition(x, &x->view.node.v[x->line.node[i].row]);
		if (!x->among[i])
			continue;
		w.nodes++;
		w.procs += fsi_line_tasks(&x->line, i, &one, x->now);
		if (length < w.length)
			w.length = length;
	}
	return w;
}

/* Is it among the jobs that the window looks at, which go by priority? */
static bool candidate(const struct fsi_maui_run *x, size_t i, const struct window *w)
{
	const uint32_t job = x->order[i];
	const struct fsi_job *j = &x->view.job.v[job];

	return fsi_maui_is_idle(x, job) && x->put_off[job] <= x->now && x->reserved[job] == FS_UNKNOWN &&
	       !x->standing[job].no_backfill && fsi_maui_entry_of(x, job) == FSI_MAUI_ENTERS &&
	       j->cpus <= w->procs && j->time_limit_s <= w->length &&
	       !fsi_maui_rejected(x->queue, job) && fsi_maui_within(x, job, false);
}

/* The first BACKFILLDEPTH of them; those that start meanwhile count, too (src/MQueue.c:MQueueBackFill). */
static size_t list_candidates(struct fsi_maui_run *x, const struct window *w)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n && (x->rules.backfill_depth <= 0 || n < (uint64_t)x->rules.backfill_depth); i++)
		if (candidate(x, i, w))
			x->looked_at[n++] = (uint32_t)i;
	return n;
}

static int first_fit(struct fsi_maui_run *x, const struct window *w)
{
	const size_t n = list_candidates(x, w);
	int rc = 0;

	for (size_t k = 0; k < n && rc >= 0; k++)
		if (candidate(x, x->looked_at[k], w))
			rc = fsi_maui_try(x, x->order[x->looked_at[k]], x->among);
	return rc < 0 ? -1 : 0;
}

static int64_t worth(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];

	switch (x->rules.metric) {
	case FSI_BFM_PROCSECONDS:
		return j->cpus * j->time_limit_s;
	case FSI_BFM_SECONDS:
		return j->time_limit_s;
	default:
		return j->cpus;
	}
}

/* Starts the best of the jobs that fit, as long as there is one. */
static int best_fit(struct fsi_maui_run *x, struct window w)
{
	const size_t n = list_candidates(x, &w);

	for (;;) {
		size_t best = x->n;
		int rc;

		for (size_t k = 0; k < n; k++) {
			const size_t i = x->looked_at[k];
			struct fsi_line_want want;

			if (!candidate(x, i, &w))
				continue;
			want = fsi_maui_want(x, x->order[i]);
			if ((best == x->n || worth(x, x->order[i]) > worth(x, x->order[best])) &&
			    fsi_line_fits(&x->line, &want, x->now, x->among))
				best = i;
		}
		if (best == x->n)
			return 0;
		rc = fsi_maui_try(x, x->order[best], x->among);
		if (rc <= 0)
			return rc;
		w.procs -= x->view.job.v[x->order[best]].cpus;
	}
}

int fsi_maui_backfill(struct fsi_maui_run *x)
{
	int64_t longer_than = 0;
	int rc = 0;

	if (x->rules.backfill == FSI_BF_NONE || x->rules.backfill == FSI_BF_GREEDY)
		return 0;
	while (!rc) {
		const struct window w = next_window(x, longer_than);

		if (w.length < 0)
			return -1;
		if (!w.nodes)
			break;
		rc = x->rules.backfill == FSI_BF_BESTFIT ? best_fit(x, w) : first_fit(x, &w);
		if (w.length == INT64_MAX)
			break;
		longer_than = w.length;
	}
	return rc;
}
