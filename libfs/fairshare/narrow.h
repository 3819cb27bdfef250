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
	int64_t run;    /* time of the last run of the decay thread (T) */
	int64_t previous_run; /* time of the run before the run at T (G) */
	int64_t shares_request;  /* time of the first request for shares after the run at T */
	int64_t until;  /* time up to which running jobs have been charged: T, or the time of a later run */
};

/* Uncharged usage: the part of captured usage that was not yet charged when the NormUsage of a row was computed. `own`:
 * uncharged usage of the row and all rows below it; `root`: uncharged usage of the root. */
struct fsi_uncharged {
	long double own, root;
};

struct fsi_norm_times {
	const fs_snapshot *m;
	struct fsi_rates rates; /* charge rates of jobs, then the charge rates supplied for associations */
	uint64_t *job_position;    /* indexed by job row: position in the controller's job list */
	uint64_t *rate_position;    /* indexed by rate: position of the rate's job in the controller's job list */
	/* scratch, indexed by association: position of the first job for which the run at T computes the user's
	 * NormUsage; UINT64_MAX: no such job */
	uint64_t *first_position;
	/* scratch, indexed by association: time at which the user's NormUsage is computed, if the run at T does not
	 * compute it */
	int64_t *computed_at;
	/* two arrays with the indices of all charge rates: one sorted by rate_position, one by the time at which the
	 * rate ends */
	uint32_t *by_position, *by_end;
	/* Scratch, indexed by rate: charges at this rate. `run_charge`: the charge of the run at T. `later_charge`: the
	 * charges after that run, including the charge at the job's end. */
	long double *run_charge, *later_charge;
	/* Sums for searching: run_charge_sum[k] is the sum of run_charge over by_position[k] and all later elements of
	 * by_position. later_charge_sum[k] is the sum of later_charge over by_end[k] and all later elements of
	 * by_end. */
	long double *run_charge_sum, *later_charge_sum;
};

/* Initializes *w for runs of the decay thread at or after `from`. `u`: usage at a later time, for the charge rates at
 * that time; NULL: usage at the snapshot's time. Returns -1 if out of memory. */
int fsi_norm_times_init(struct fsi_norm_times *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
			struct fsi_arena *arena);

/* Fills out[i] with the uncharged usage for each association i, if the runs of the decay thread and the request for
 * shares were at the times *t. */
void fsi_norm_times_fill(struct fsi_norm_times *w, const struct fsi_calc_times *t, struct fsi_uncharged *out);

/* Returns the times of the last two runs of the decay thread, and of the request for shares after them. `u`: usage at a
 * later time, at which somebody is assumed to request shares; NULL: usage at the snapshot's time. */
struct fsi_calc_times fsi_find_calc_times(const fs_snapshot *m, const fs_usage *u);

/* Returns the NormUsage of a row at the time at which the scheduler computed it. `usage`, `root`: captured usage of the
 * row and of the root, from which the uncharged usage in *x is subtracted. NAN: unknown. */
long double fsi_compute_norm_usage(const struct fsi_uncharged *x, long double usage, long double root);

/* Sets usage_norm of every row but the root to its value at the time at which Slurm computed it. `u`: usage from which
 * f was made; NULL: captured usage. If `sums_siblings` is true, also sets eval_order and previous_norm. Returns -1 if
 * out of memory. */
int fsi_norm_times_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings);

/* Usage bounds. Captured usage has two decimals or none. More digits follow from other printed values, because the
 * scheduler computed them from its exact usage. */

/* Usage of one snapshot with its bounds. Arrays are indexed by association row and belong to an arena. */
struct fsi_usage_bounds {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* fair share computed from captured usage */
	/* The algorithm is Fair Tree. Its printed ratios among siblings belong to the same time as the captured
	 * usage. */
	bool has_level_ratios;
	const struct fsi_recorded **recorded_row; /* recorded values of the row; NULL: none */
	struct fsi_uncharged *uncharged;     /* uncharged usage when the printed NormUsage was computed */
	/* classic: bounds of the effective usage of each row that follow from printed values; NAN: no bounds */
	double *effective_lo, *effective_hi;
	double *x, *lo, *hi;           /* `x`: current estimate of each row's own usage; `lo` and `hi`: its bounds */
	/* scratch: sums of `x`, `lo` and `hi` over the row and all rows below it */
	double *total, *total_lo, *total_hi;
	double *mean, *weight;         /* scratch of equalize_tied_groups, indexed by group */
	/* group of tied rows that the row belongs to; the rows of a group must keep equal usage per share. The group is
	 * identified by the row number of one member; FSI_NO_INDEX: the row is in no group. */
	uint32_t *group;
	uint64_t work;                 /* number of steps that refining the usage may still take (work_limit) */
};

/* Returns true if the estimate of the own usage of row j is not fixed: its bounds differ. */
static inline bool fsi_can_usage_move(const struct fsi_usage_bounds *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* Fair Tree: infers from printed factors the order of sibling accounts of equal level in the controller's lists:
 * database order or the order of names. Writes the order to the header. Returns -1 if out of memory. */
int fsi_infer_list_order(fs_snapshot *m);

/* DEPTH_OBLIVIOUS: infers from printed effective usage whether the last calculation was the first one that computed
 * usage_norm (fsi_is_new_tree). Writes the result to the header if it differs from what the controller's start
 * suggests. Returns -1 if out of memory. */
int fsi_infer_new_tree(fs_snapshot *m);

#endif
