/* The plan of all jobs before one, made once, and that one placed in it: only what the job asks for may differ, and where
 * it stands in the queue is taken to stay the same. */
#include "advise/advise.h"

#include <stdlib.h>

struct fsi_place {
	fs_plan *plan;
};

/* Does it wait for room, and for nothing else? */
static bool waits_for_room(const struct fsi_trial *t)
{
	return t->state == FS_PLAN_LATER || t->state == FS_PLAN_BEYOND;
}

int fsi_place_open(struct fs_advices *a)
{
	int rc;

	if (!waits_for_room(&a->before) || fsi_advise_job(a)->het_job_id)
		return 0;
	a->place = calloc(1, sizeof(*a->place));
	if (!a->place)
		return fsi_nomem(a->err);
	rc = fsi_advise_edit(a, NULL, &a->touched);
	return rc ? rc : fsi_advise_plan(a, false, &a->place->plan);
}

void fsi_place_close(struct fs_advices *a)
{
	if (a->place)
		fs_plan_free(a->place->plan);
	free(a->place);
	a->place = NULL;
}

int fsi_place_start(struct fs_advices *a, int64_t *start)
{
	fs_plan *p = a->place->plan;
	const uint32_t row = fsi_job_row(a->m, a->job);
	size_t n;
	const uint32_t *names = fsi_list(a->m, a->m->job.v[row].partitions, &n);

	*start = FS_UNKNOWN;
	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *part = fsi_partition_find(a->m, names[i]);
		struct fsi_plan_request q;

		if (!part)
			continue;
		fsi_arena_release(&p->scratch);
		if (fsi_plan_request(&q, &p->c, row, (uint32_t)(part - a->m->partition.v), &p->scratch))
			return -1;
		if (fsi_plan_try(p, &q, false) && (*start == FS_UNKNOWN || p->found.start < *start))
			*start = p->found.start;
	}
	return 0;
}
