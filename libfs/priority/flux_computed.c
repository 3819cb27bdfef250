/* In SCHED a job of Flux has a priority, unless a command has made one that is not computed yet. */
#include "priority/flux.h"

#include <math.h>

static bool any_without_priority(const fs_snapshot *m)
{
	for (size_t i = 0; i < m->job.n; i++)
		if (fsi_flux_in_sched(m, &m->job.v[i]) && !FSI_HAS(&m->job.v[i], JOB, priority))
			return true;
	return false;
}

double *fsi_flux_computed(const fs_snapshot *m, struct fsi_arena *arena)
{
	double *computed = fsi_arena_array(arena, m->job.n + 1, sizeof(*computed));
	struct fs_prio_row row;
	struct fs_error err;
	fs_prios *p = NULL;
	int rc = 0;

	for (size_t i = 0; computed && i < m->job.n; i++)
		computed[i] = NAN;
	if (computed && any_without_priority(m))
		rc = fs_prios_compute(&p, m, NULL, &err);
	for (size_t i = 0; p && i < fs_prios_count(p); i++) {
		fs_prios_brief(p, i, &row);
		computed[row.job_row] = row.priority;
	}
	fs_prios_free(p);
	return rc == FS_ENOMEM ? NULL : computed;
}
