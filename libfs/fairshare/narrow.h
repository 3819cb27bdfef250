/* Two inferences about a capture of Slurm: the time at which each row's NormUsage was computed, and more digits of
 * usage.
 *
 * Times of NormUsage in the classic algorithms (src/plugins/priority/multifactor/priority_multifactor.c). A run of the
 * decay thread at time T first computes the NormUsage of accounts, from usage that the run has not yet decayed or added
 * to (_decay_thread, _set_children_usage_efctv). It clears the effective usage of users. It then goes through the jobs.
 * For each job it adds the usage since the previous run at time G. If the job is the first pending job of its user, it
 * also computes the user's NormUsage (_decay_apply_new_usage_and_weighted_factors, _get_fairshare_priority). The
 * NormUsage of any other user is computed when the user submits a job, or when somebody requests shares
 * (assoc_mgr.c:_get_shares). Decay has no effect on NormUsage, because it cancels out of the ratio. Until its NormUsage
 * is computed, a row has the usage_norm of the previous run, which DEPTH_OBLIVIOUS sums over siblings.
 *
 * Charges between the computation of a row's NormUsage and the capture are called uncharged usage: captured usage
 * contains these charges, the row's NormUsage does not. Memory of all structs comes from the caller's arena. */
#ifndef FSI_FAIRSHARE_NARROW_H
#define FSI_FAIRSHARE_NARROW_H

#include "fairshare/fairshare.h"
#include "usage/ledger.h"

struct fsi_calc_times {
	int64_t run;    /* T: time of the last run of the decay thread */
	int64_t previous_run; /* G: time of the run before T */
	int64_t shares_request;  /* time of the first request for shares after T */
	int64_t until;  /* time up to which running jobs have been charged: T, or a later run */
};

/* Uncharged usage: the part of captured usage that was not yet charged when the NormUsage of a row was computed. `own`:
 * uncharged usage of the row and all rows below it; `root`: uncharged usage of the root. */
struct fsi_uncharged {
	long double own, root;
};

struct fsi_norm_times {
	const fs_snapshot *m;
	struct fsi_rates rates; /* rates of jobs, then rates of associations */
	uint64_t *job_position;    /* indexed by job row: position in the controller's job list */
	uint64_t *rate_position;    /* indexed by rate: position of the rate's job in the controller's job list */
	/* scratch, indexed by association: position of the first job for which the run computes the user's NormUsage;
	 * UINT64_MAX: no such job */
	uint64_t *first_position;
	/* scratch, indexed by association: time at which the NormUsage of a user without such a job is computed */
	int64_t *computed_at;
	uint32_t *by_position, *by_end; /* indexes of all rates, sorted by rate_position, and sorted by end */
	/* scratch, indexed by rate. run_charge: charge by the run at T; later_charge: charges after that run, including
	 * the charge at the job's end */
	long double *run_charge, *later_charge;
	/* run_charge_sum: indexed like by_position: sum of run_charge from this element on; later_charge_sum: indexed
	 * like by_end: sum of later_charge from this element on */
	long double *run_charge_sum, *later_charge_sum;
};

/* Sets up *w for runs of the decay thread at or after `from`, with the rates at the time of u (NULL: the snapshot's
 * time). Returns -1 if out of memory. */
int fsi_norm_times_init(struct fsi_norm_times *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
			struct fsi_arena *arena);

/* Fills out[i] with the uncharged usage for each association i, if the runs and requests were at the times *t. */
void fsi_norm_times_fill(struct fsi_norm_times *w, const struct fsi_calc_times *t, struct fsi_uncharged *out);

/* Returns the times of the runs and of the request for shares before the time of u (NULL: before the snapshot's time).
 * If u is not NULL, its own time is the time of the request. */
struct fsi_calc_times fsi_find_calc_times(const fs_snapshot *m, const fs_usage *u);

/* Returns the NormUsage of a row as it was computed: from `usage` and `root`, the captured usage of the row and of the
 * root, without the uncharged usage x. NAN: unknown. */
long double fsi_compute_norm_usage(const struct fsi_uncharged *x, long double usage, long double root);

/* Sets usage_norm of every row but the root, from usage at the time of u (NULL: captured usage). If sums_siblings, also
 * sets eval_order and previous_norm. Returns -1 if out of memory. */
int fsi_norm_times_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings);

/* Usage bounds. Captured usage has two decimals or none. More digits follow from the values that the scheduler computed
 * from its exact usage and printed. */

/* Usage of one snapshot with its bounds. Arrays are indexed by association row and belong to an arena. */
struct fsi_usage_bounds {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* fair share computed from captured usage */
	/* Fair Tree: the printed ratios among siblings were computed at the same time as usage */
	bool has_level_ratios;
	const struct fsi_recorded **recorded_row; /* recorded values of the row; NULL: none */
	struct fsi_uncharged *uncharged;     /* uncharged usage when the printed NormUsage was computed */
	/* classic: bounds of effective usage that follow from printed values; NAN: none */
	double *effective_lo, *effective_hi;
	double *x, *lo, *hi;           /* `x`: current estimate of own usage; `lo` and `hi`: its bounds */
	double *total, *total_lo, *total_hi; /* scratch: sums of x, lo and hi over the row and all below it */
	double *mean, *weight;         /* scratch of equalize_tied_groups, indexed by group */
	/* group of tied rows that must keep equal usage per share. The value is the row number of one member of the
	 * group; FSI_NO_INDEX: the row is in no group. */
	uint32_t *group;
	uint64_t work;                 /* remaining work budget, in steps */
};

/* Returns true if the own usage of row j may change. */
static inline bool fsi_can_usage_move(const struct fsi_usage_bounds *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* Fair Tree: infers from printed factors whether the controller's lists have sibling accounts of equal level in the
 * order of the database or of names. Writes the order to the header. Returns -1 if out of memory. */
int fsi_infer_list_order(fs_snapshot *m);

/* DEPTH_OBLIVIOUS: infers from printed effective usage whether the last calculation was the first one that computed
 * usage_norm (fsi_is_new_tree). Writes the result to the header if it differs from what the controller's start
 * suggests. Returns -1 if out of memory. */
int fsi_infer_new_tree(fs_snapshot *m);

#endif
