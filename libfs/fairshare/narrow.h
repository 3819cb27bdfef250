/* Two inferences about a capture of Slurm: the time at which each row's NormUsage was computed, and more digits of
 * usage.
 *
 * Times of NormUsage in the classic algorithms (src/plugins/priority/multifactor/priority_multifactor.c). A run of the
 * decay thread at time T first computes the NormUsage of accounts. At that point, the run has not yet decayed usage,
 * and has not yet added new usage (_decay_thread, _set_children_usage_efctv). The run clears the effective usage of
 * users, and then goes through the jobs. For each job, the run adds the usage since the previous run, which was at time
 * G. If the job is the first pending job of its user, the run also computes the user's NormUsage
 * (_decay_apply_new_usage_and_weighted_factors, _get_fairshare_priority). The NormUsage of any other user is computed
 * when the user submits a job, or when somebody requests shares (assoc_mgr.c:_get_shares). Decay has no effect on
 * NormUsage, because it cancels out of the ratio. Until its NormUsage is computed, a row has its usage_norm from the
 * previous run. DEPTH_OBLIVIOUS sums usage_norm over siblings, so a sum may contain values of the previous run.
 *
 * Charges between the computation of a row's NormUsage and the capture are called uncharged usage: captured usage
 * contains these charges, the row's NormUsage does not. Memory of all structs comes from the caller's arena. */
#ifndef FSI_FAIRSHARE_NARROW_H
#define FSI_FAIRSHARE_NARROW_H

#include "fairshare/fairshare.h"
#include "usage/ledger.h"

struct fsi_calc_times {
	int64_t run; /* time of a run of the decay thread, usually its last run (T) */
	/* time of the last run of the decay thread before `run`, called G in the comment at the top of this file */
	int64_t previous_run;
	int64_t shares_request; /* time of the first request for shares after the decay run at `run` */
	/* time up to which running jobs have been charged: `run`, or the time of a later run of the decay thread */
	int64_t until;
};

/* The usage that a row's printed NormUsage does not include, because it was charged after NormUsage was computed and
 * before the capture. `own`: this usage of the row and all rows below it; `root`: this usage of the whole tree. */
struct fsi_uncharged {
	long double own, root;
};

struct fsi_norm_times {
	const fs_snapshot *m;
	/* charge rates of jobs; after them, charge rates that the caller of fs_usage_begin sets for associations */
	struct fsi_rates rates;
	uint64_t *job_position; /* indexed by job row: position in the controller's job list */
	/* indexed by charge rate, as in `rates`: job_position of the charged job; UINT64_MAX: the rate belongs to an
	 * association */
	uint64_t *rate_position;
	/* scratch, indexed by association: job_position of the user's first job whose priority is computed by the decay
	 * run at the time fsi_calc_times.run. Together with this priority, the run computes the user's NormUsage.
	 * UINT64_MAX: there is no such job. */
	uint64_t *first_position;
	/* scratch, indexed by association: time at which the user's NormUsage is computed; not used if the decay run at
	 * fsi_calc_times.run computes the user's NormUsage */
	int64_t *computed_at;
	/* indices of all charge rates. `by_position` is sorted by rate_position, `by_end` by the end time of the
	 * rate. */
	uint32_t *by_position, *by_end;
	/* Scratch memory, indexed by charge rate. `run_charge`: usage that the decay run at fsi_calc_times.run charges.
	 * `later_charge`: usage that is charged after this run, including the charge at the job's end. */
	long double *run_charge, *later_charge;
	/* run_charge_sum[k]: sum of run_charge over by_position[k] and all later elements of by_position.
	 * later_charge_sum[k]: sum of later_charge over by_end[k] and all later elements of by_end. */
	long double *run_charge_sum, *later_charge_sum;
};

/* Initializes *w for runs of the decay thread at or after `from`. `u`: usage at a later time, for the charge rates at
 * that time; NULL: usage at the snapshot's time. Returns -1 if out of memory. */
int fsi_norm_times_init(struct fsi_norm_times *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
			struct fsi_arena *arena);

/* Fills out[i] with the uncharged usage of each association i. Assumes that the decay thread ran, and that somebody
 * requested shares, at the times *t. */
void fsi_norm_times_fill(struct fsi_norm_times *w, const struct fsi_calc_times *t, struct fsi_uncharged *out);

/* Returns the times of the last two runs of the decay thread, and of the first request for shares after these runs. If
 * u is NULL, these are the recorded times. Otherwise, `u` is usage at a later time, and the request is assumed to be
 * made at that time. */
struct fsi_calc_times fsi_find_calc_times(const fs_snapshot *m, const fs_usage *u);

/* Returns the NormUsage of a row at the time at which the scheduler computed it. `usage`, `root`: captured usage of the
 * row and of the root, from which the uncharged usage in *x is subtracted. NAN: unknown. */
long double fsi_compute_norm_usage(const struct fsi_uncharged *x, long double usage, long double root);

/* Sets usage_norm of every row of *f but the root to its value at the time of Slurm's computation. `u`: usage from
 * which *f was computed; NULL: captured usage. If `sums_siblings` is true, also sets eval_order and previous_norm.
 * Returns -1 if out of memory. */
int fsi_norm_times_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings);

/* Usage bounds. Captured usage has two decimals or none. Other printed values, such as factors, determine more
 * digits of the usage, because the scheduler computes these values from its exact usage. */

/* Usage of one snapshot with its bounds. Arrays are indexed by association row and belong to an arena. */
struct fsi_usage_bounds {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* fair share computed from captured usage */
	/* true: the algorithm is Fair Tree, whose EffectvUsage and LevelFS are computed from the usage of all rows at
	 * one time, the last calculation. */
	bool has_level_ratios;
	const struct fsi_recorded **recorded_row; /* values that sshare printed for the row; NULL: none */
	/* for each row, the charges between the computation of its NormUsage and the capture */
	struct fsi_uncharged *uncharged;
	double *x, *lo, *hi; /* `x`: current estimate of each row's own usage; `lo` and `hi`: its bounds */
	/* scratch: sums of `x`, `lo` and `hi` over each row and all rows below it */
	double *total, *total_lo, *total_hi;
	uint64_t work; /* remaining number of steps for refining usage; initially work_limit */
};

/* Returns true if the estimate of the own usage of row j is not fixed: its bounds differ. */
static inline bool fsi_can_usage_move(const struct fsi_usage_bounds *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* DEPTH_OBLIVIOUS: infers from printed effective usage whether the last priority calculation was the first one that
 * computed usage_norm. Writes the result to the header if it differs from the default, which is the result of
 * fsi_is_first_calculation. Returns -1 if out of memory. */
int fsi_infer_new_tree(fs_snapshot *m);

#endif
