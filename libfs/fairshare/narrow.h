/* Captured usage has two decimals, or none; what the scheduler computed from it and printed tells more digits. */
#ifndef FSI_NARROW_H
#define FSI_NARROW_H

#include "fairshare/moments.h"

/* The narrowing of one snapshot; arrays are by association row. */
struct fsi_narrow {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* computed from usage as captured */
	bool levels;                   /* Fair Tree: ratios among siblings are of one moment with usage */
	const struct fsi_recorded **rec; /* what was printed for the row; NULL */
	struct fsi_missing *missing;     /* usage that norm_usage had not */
	double *effective_lo, *effective_hi; /* where classic effective usage must lie, by what was printed; NAN */
	double *x, *lo, *hi;           /* own usage, and where it must lie */
	double *total, *total_lo, *total_hi; /* scratch: with all below */
	double *mean, *weight;         /* scratch */
	uint32_t *group;               /* rows that must stay alike share a number: a row */
	uint64_t work;                 /* steps left */
};

/* Fills total[i] with what `own` has of the row and all below. */
void fsi_narrow_sum(const struct fsi_narrow *w, const double *own, double *total);

/* Can the own usage of a row move? */
static inline bool fsi_narrow_is_free(const struct fsi_narrow *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* Moves x[j] by that much, within its bounds. */
void fsi_narrow_shift(struct fsi_narrow *w, uint32_t j, double by);

/* Sets effective_lo and effective_hi of classic fair share. */
void fsi_narrow_classic_bounds(struct fsi_narrow *w);

/* Moves x the shortest way to where the row's effective usage lies within its bounds; true if nothing had to move,
 * or could. */
bool fsi_narrow_hold_effective(struct fsi_narrow *w, uint32_t i);

/* Moves x, within lo and hi, to where every printed number comes out, or as near as the work left allows. Numbers
 * that contradict the bounds are passed over, since usage went on after they were computed. */
void fsi_narrow_decimals(struct fsi_narrow *w);

/* Likewise where norm_usage has all its digits: x is that share of the one total that most rows agree on. -1 without
 * memory. */
int fsi_narrow_whole(struct fsi_narrow *w);

/* How far own usage may lie from what was captured; false if it cannot. */
bool fsi_captured_error(const fs_snapshot *m, double *below, double *above);

/* Writes to the header of such a snapshot which of the two orders equal accounts of Fair Tree stand in, as far as
 * printed factors tell. -1 without memory. */
int fsi_infer_list_order(fs_snapshot *m);

/* Writes to the header of such a snapshot with DEPTH_OBLIVIOUS whether its last calculation was the first of its
 * accounts, where printed effective usage tells other than the start of the controller. -1 without memory. */
int fsi_infer_new_tree(fs_snapshot *m);

/* Writes to the header of such a snapshot with classic fair share, and to m->info, the times of the last run and of
 * the one before it with which what was printed comes out; where none does, the run before was a period before. -1
 * without memory. */
int fsi_moments_fit(fs_snapshot *m);

/* Are all rows known, is there one root, is the algorithm Slurm's own, and was anything printed? */
bool fsi_narrow_possible(const fs_snapshot *m);

/* Narrows the usage of such a snapshot's associations; what made a printed FairShare worse is undone. -1 without
 * memory. */
int fsi_narrow_usage(fs_snapshot *m);

#endif
