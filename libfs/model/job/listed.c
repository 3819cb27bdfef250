/* The controller's list of jobs: by id, but for arrays. A task that leaves its array keeps the array's place and gets a
 * new id, and what is left of the array goes to the end with the old one (src/slurmctld/job_mgr.c: job_array_split). So
 * each task stands where the id before it was given, and the rest of the array where the last one was. */
#include "model/model.h"

#include <fs/queue.h>

#include <stdlib.h>

static int by_array(const void *x, const void *y, const void *ctx)
{
	const fs_snapshot *m = ctx;
	const struct fsi_job *a = &m->job.v[*(const uint32_t *)x], *b = &m->job.v[*(const uint32_t *)y];
	const bool rest = a->id == a->array_job_id;

	if (a->array_job_id != b->array_job_id)
		return a->array_job_id < b->array_job_id ? -1 : 1;
	if (rest != (b->id == b->array_job_id))
		return rest ? 1 : -1;
	return (a->id > b->id) - (a->id < b->id);
}

int fs_jobs_listed(const fs_snapshot *m, uint64_t *place)
{
	uint32_t *of_arrays = malloc((m->job.n + 1) * sizeof(*of_arrays));
	uint64_t array = 0, before = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; of_arrays && i < m->job.n; i++) {
		place[i] = m->job.v[i].id;
		if (m->job.v[i].array_job_id)
			of_arrays[n++] = i;
	}
	if (!of_arrays || fs_sort(of_arrays, n, sizeof(*of_arrays), by_array, m)) {
		free(of_arrays);
		return -1;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct fsi_job *j = &m->job.v[of_arrays[i]];

		place[of_arrays[i]] = j->array_job_id == array ? before : j->array_job_id;
		array = j->array_job_id;
		before = j->id;
	}
	free(of_arrays);
	return 0;
}
