/* Of which moment each row's NormUsage is, in Slurm's classic algorithms (src/plugins/priority/multifactor/
 * priority_multifactor.c): a run of the decay thread at time T computes accounts first, from usage before the run's
 * decay and additions (_decay_thread, _set_children_usage_efctv), and forgets users' effective usage; it then goes
 * through the jobs, adds what each used since the run before (G), and computes a user's when the first of its pending
 * jobs is given a priority (_decay_apply_new_usage_and_weighted_factors, _get_fairshare_priority); other users' are
 * computed when they submit or when somebody asks for shares (assoc_mgr.c:_get_shares). Decay itself cancels out of the
 * ratio. Until a row is computed it has the usage_norm of the run before, which DEPTH_OBLIVIOUS sums over siblings. */
#ifndef FSI_FAIRSHARE_NARROW_H
#define FSI_FAIRSHARE_NARROW_H

#include "fairshare/fairshare.h"
#include "usage/ledger.h"

struct fsi_moment_times {
	int64_t run;    /* T */
	int64_t before; /* G, before it */
	int64_t asked;  /* the first question for shares after T */
	int64_t until;  /* jobs that run have been charged until then: T, or a later run */
};

/* What captured usage, with all below, has that was not yet charged at a row's moment: in the row's, and in the
 * root's. */
struct fsi_missing {
	long double own, root;
};

struct fsi_moments {
	const fs_snapshot *m;
	struct fsi_rates rates; /* those of rows stand behind all jobs */
	uint64_t *place;    /* by job: in the controller's list */
	uint64_t *rated;    /* by rate: the place of its job */
	/* by association, scratch: place of the job for whose sake the user is computed; UINT64_MAX: none */
	uint64_t *turn;
	int64_t *asked;     /* by association, scratch: when a user without such a job is computed */
	uint32_t *by_place, *by_end; /* rates in that order */
	long double *added, *late;   /* by rate, scratch: charged by the run; charged since, at the job's end */
	long double *added_after, *late_after; /* sums from a place in by_place, in by_end on */
};

/* Prepares for runs not before `from`, at the time of u (NULL: at the snapshot's); in the arena. -1 without memory. */
int fsi_moments_init(struct fsi_moments *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
		     struct fsi_arena *arena);

/* Fills out[i] for each association. */
void fsi_moments_fill(struct fsi_moments *w, const struct fsi_moment_times *t, struct fsi_missing *out);

/* The times that count at that of u; NULL: at the snapshot's. At a later one somebody asks then. */
struct fsi_moment_times fsi_moment_times(const fs_snapshot *m, const fs_usage *u);

/* The share of the total that a row had; usage of the row as captured, and of the root. */
long double fsi_moment_share(const struct fsi_missing *x, long double usage, long double root);

/* usage_norm of every row but the root, from usage of the time of u (NULL: as captured); where the algorithm sums it
 * over siblings, also the order in which rows were computed, and what usage_norm was before that. -1 without memory. */
int fsi_moments_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings);

/* Captured usage has two decimals, or none; what the scheduler computed from it and printed tells more digits. */

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

/* Can the own usage of a row move? */
static inline bool fsi_narrow_is_free(const struct fsi_narrow *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* Writes to the header of such a snapshot which of the two orders equal accounts of Fair Tree stand in, as far as
 * printed factors tell. -1 without memory. */
int fsi_infer_list_order(fs_snapshot *m);

/* Writes to the header of such a snapshot with DEPTH_OBLIVIOUS whether its last calculation was the first of its
 * accounts, where printed effective usage tells other than the start of the controller. -1 without memory. */
int fsi_infer_new_tree(fs_snapshot *m);

#endif
