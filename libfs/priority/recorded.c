#include "priority/recorded.h"

#include <math.h>
#include <stdlib.h>

struct place {
	uint64_t job;
	uint32_t row;
};

static int cmp_place(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	const int c = (a->job > b->job) - (a->job < b->job);

	return c ? c : (a->row > b->row) - (a->row < b->row);
}

int fsi_prio_recorded_init(struct fsi_prio_recorded *r, const fs_snapshot *m,
			   struct fsi_arena *arena)
{
	struct place *places;

	*r = (struct fsi_prio_recorded){ .m = m };
	if (!fsi_recorded_stands_in(m))
		return 0;
	places = malloc((m->recorded.n + 1) * sizeof(*places));
	r->row = fsi_arena_array(arena, m->recorded.n + 1, sizeof(*r->row));
	if (!places || !r->row) {
		free(places);
		return -1;
	}
	for (uint32_t i = 0; i < m->recorded.n; i++)
		if (FSI_HAS(&m->recorded.v[i], RECORDED, job))
			places[r->n++] = (struct place){ m->recorded.v[i].job, i };
	qsort(places, r->n, sizeof(*places), cmp_place);
	for (size_t i = 0; i < r->n; i++)
		r->row[i] = places[i].row;
	free(places);
	return 0;
}

const struct fsi_recorded *fsi_prio_recorded_find(const struct fsi_prio_recorded *r, uint64_t job,
						  uint32_t partition, uint32_t qos)
{
	size_t lo = 0, hi = r->n;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (r->m->recorded.v[r->row[mid]].job < job)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < r->n && r->m->recorded.v[r->row[lo]].job == job; lo++) {
		const struct fsi_recorded *x = &r->m->recorded.v[r->row[lo]];

		if (x->partition == partition && (!FSI_HAS(x, RECORDED, qos) || x->qos == qos))
			return x;
	}
	return NULL;
}

#define PRINTED(r, field) (FSI_HAS(r, RECORDED, field) ? (double)(r)->field : (double)NAN)

double fsi_prio_recorded_factor(const fs_snapshot *m, const struct fsi_recorded *r,
				enum fs_factor factor, uint32_t tres, double weight)
{
	switch (factor) {
	case FS_FACTOR_AGE:
		return PRINTED(r, norm_age);
	case FS_FACTOR_ASSOC:
		return PRINTED(r, norm_assoc);
	case FS_FACTOR_FAIRSHARE:
		return PRINTED(r, norm_fairshare);
	case FS_FACTOR_JOBSIZE:
		return PRINTED(r, norm_jobsize);
	case FS_FACTOR_PARTITION:
		return PRINTED(r, norm_partition);
	case FS_FACTOR_QOS:
		return PRINTED(r, norm_qos);
	case FS_FACTOR_TRES:
		return FSI_HAS(r, RECORDED, tres)
			       ? (double)fsi_amount_of(m, r->tres, tres) / weight
			       : (double)NAN;
	case FS_FACTOR_SITE:
		return PRINTED(r, site);
	case FS_FACTOR_NICE:
		return PRINTED(r, nice);
	default:
		return NAN;
	}
}

double fsi_prio_recorded_points(const struct fsi_recorded *r, enum fs_factor factor)
{
	switch (factor) {
	case FS_FACTOR_AGE:
		return PRINTED(r, age);
	case FS_FACTOR_ASSOC:
		return PRINTED(r, assoc);
	case FS_FACTOR_FAIRSHARE:
		return PRINTED(r, fairshare);
	case FS_FACTOR_JOBSIZE:
		return PRINTED(r, jobsize);
	case FS_FACTOR_PARTITION:
		return PRINTED(r, partition_points);
	case FS_FACTOR_QOS:
		return PRINTED(r, qos_points);
	default:
		return NAN;
	}
}
