/* Stretches of time in which tasks have room, in their order. */
#ifndef FSI_PLAN_RANGES_H
#define FSI_PLAN_RANGES_H

#include "model/model.h"

struct fsi_range {
	int64_t start, end; /* end INT64_MAX: for ever; end = start: a moment */
	int64_t tasks;
	uint32_t nodes;
};

struct fsi_ranges {
	FSI_VEC(struct fsi_range) v;
};

static inline struct fsi_range *fsi_ranges_last(struct fsi_ranges *r)
{
	return &r->v.v[r->v.n - 1];
}

/* -1 without memory. */
int fsi_ranges_put(struct fsi_ranges *r, const struct fsi_range *one);

/* Makes all the merge of all and s (ranges_merge.c). -1 without memory; all is then what could be made. */
int fsi_ranges_merge(struct fsi_ranges *all, const struct fsi_ranges *s);

#endif
