/* The reservations of administrators that keep nodes from a job of Maui: a job gets no node that it would still have
 * when one begins (src/moab/MJob.c:MJobGetSNRange), unless the reservation admits it, which diagnose -r tells. */
#include "base/hostlist.h"
#include "model/maui/maui.h"
#include "queue/queue.h"

enum { MAX_NODES = 1 << 20 };

struct wanted {
	const fs_snapshot *m;
	const struct fsi_job *job;
};

static int suits(void *ctx, const char *name, size_t len)
{
	const struct wanted *w = ctx;
	const struct fsi_node *n = fsi_node_find(w->m, fsi_name_find(w->m, name));

	(void)len;
	return n && fsi_maui_suits(w->m, w->job, n);
}

bool fs_reservation_bars(const fs_snapshot *m, size_t i, size_t job)
{
	const struct fsi_reservation *r = &m->reservation.v[i];
	const struct wanted w = { m, &m->job.v[job] };
	const bool limited = FSI_HAS(w.job, JOB, time_limit_s) && !FSI_SPECIAL(w.job, JOB, time_limit_s);

	if (!FSI_HAS(r, RESERVATION, start_time) || !FSI_HAS(r, RESERVATION, end_time) ||
	    fsi_maui_admits(m, r, w.job) || r->end_time <= m->info.time ||
	    (limited && m->info.time + w.job->time_limit_s <= r->start_time))
		return false;
	return fsi_hostlist_each(fsi_str(m, r->nodes), MAX_NODES, suits, (void *)&w) == 1;
}
