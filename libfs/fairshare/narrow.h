/* Captured usage has two decimals, or none; what the scheduler computed from it and printed tells more digits. */
#ifndef FSI_NARROW_H
#define FSI_NARROW_H

#include "fairshare/fairshare.h"

/* Of one snapshot; arrays by association row. */
struct fsi_narrow {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* computed from usage as captured */
	bool levels;                   /* Fair Tree: ratios among siblings are of one moment with usage */
	const struct fsi_recorded **rec; /* what was printed for the row; NULL */
	double *x, *lo, *hi;           /* own usage, and where it must lie */
	double *total, *total_lo, *total_hi; /* scratch: with all below */
	double *mean, *weight;         /* scratch */
	uint32_t *group;               /* rows that must stay alike share a number: a row */
	uint64_t work;                 /* steps left */
};

/* Moves x, within lo and hi, to where every printed number comes out; as near as the work left allows.
 * Numbers that contradict the bounds (usage went on after they were computed) are passed over. */
void fsi_narrow_decimals(struct fsi_narrow *w);

/* The same where norm_usage has all its digits: x is that share of the one total that most rows agree on. -1
 * without memory. */
int fsi_narrow_whole(struct fsi_narrow *w);

/* Own usage of the snapshot's associations, narrowed; what made a printed FairShare worse is undone. -1 without
 * memory. */
int fsi_narrow_usage(fs_snapshot *m);

#endif
