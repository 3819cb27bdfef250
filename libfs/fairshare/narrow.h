/* Two inferences about a capture of Slurm: the time at which each row's NormUsage was computed, and more digits of
 * usage.
 *
 * Times of NormUsage in the classic algorithms (src/plugins/priority/multifactor/priority_multifactor.c). A run of the
 * decay thread at time T computes accounts first, from usage before the run decays it and adds to it (_decay_thread,
 * _set_children_usage_efctv), and clears the users' effective usage. It then goes through the jobs. For each job it
 * adds the usage since the previous run at time G, and computes the job's user if the job is the user's first pending
 * one (_decay_apply_new_usage_and_weighted_factors, _get_fairshare_priority). Other users are computed when they submit
 * a job, or when somebody requests shares (assoc_mgr.c:_get_shares). Decay cancels out of the ratio. Until a row is
 * computed it has the usage_norm of the previous run, which DEPTH_OBLIVIOUS sums over siblings.
 *
 * Charges between the computation of a row and the capture are called uncharged usage: captured usage contains them,
 * the row's NormUsage does not. Memory of all structs comes from the caller's arena. */
#ifndef FSI_FAIRSHARE_NARROW_H
#define FSI_FAIRSHARE_NARROW_H

#include "fairshare/fairshare.h"
#include "usage/ledger.h"

struct fsi_calc_times {
	int64_t run;    /* T: last run */
	int64_t previous_run; /* G: the run before T */
	int64_t shares_request;  /* first request for shares after T */
	int64_t until;  /* time up to which running jobs have been charged: T, or a later run */
};

/* Uncharged usage: the part of captured usage that was not charged yet when a row was computed. own: of the row with
 * all below it; root: of the root. */
struct fsi_uncharged {
	long double own, root;
};

struct fsi_norm_times {
	const fs_snapshot *m;
	struct fsi_rates rates; /* rates of jobs, then those of associations */
	uint64_t *job_position;    /* by job row: position in the controller's job list */
	uint64_t *rate_position;    /* by rate: position of its job */
	/* by association, scratch: position of the first job that makes the run compute the user; UINT64_MAX: none */
	uint64_t *first_position;
	int64_t *computed_at;     /* by association, scratch: time at which a user without such a job is computed */
	uint32_t *by_position, *by_end; /* indexes of rates, sorted by position and by end */
	/* by rate, scratch: charge by the run; charges since the run and at the job's end */
	long double *run_charge, *later_charge;
	/* sums of run_charge from an index of by_position on, and of later_charge from an index of by_end on */
	long double *run_charge_sum, *later_charge_sum;
};

/* Prepares for runs at or after `from`, at the time of u (NULL: the snapshot's time). Returns -1 if out of memory. */
int fsi_norm_times_init(struct fsi_norm_times *w, const fs_snapshot *m, const fs_usage *u, int64_t from,
			struct fsi_arena *arena);

/* Fills out[i] for each association i. */
void fsi_norm_times_fill(struct fsi_norm_times *w, const struct fsi_calc_times *t, struct fsi_uncharged *out);

/* Returns the times that apply at the time of u (NULL: the snapshot's time). A later u counts as a request for
 * shares. */
struct fsi_calc_times fsi_find_calc_times(const fs_snapshot *m, const fs_usage *u);

/* Returns the NormUsage of a row at the time it was computed, from captured usage of the row and of the root. NAN:
 * unknown. */
long double fsi_compute_norm_usage(const struct fsi_uncharged *x, long double usage, long double root);

/* Sets usage_norm of every row but the root, from usage at the time of u (NULL: captured usage). If sums_siblings, also
 * sets the order in which rows were computed, and their previous usage_norm. Returns -1 if out of memory. */
int fsi_norm_times_apply(struct fsi_fairshare *f, const fs_usage *u, bool sums_siblings);

/* Usage bounds. Captured usage has two decimals or none. Values that the scheduler computed from exact usage and
 * printed determine more digits. */

/* Usage of one snapshot with its bounds. Arrays are indexed by association row and belong to an arena. */
struct fsi_usage_bounds {
	const fs_snapshot *m;
	const struct fsi_fairshare *f; /* fair share computed from captured usage */
	bool has_level_ratios;         /* Fair Tree: ratios among siblings and usage are values of the same time */
	const struct fsi_recorded **recorded_row; /* recorded values of the row; NULL: none */
	struct fsi_uncharged *uncharged;     /* usage that the printed NormUsage did not contain */
	double *effective_lo, *effective_hi; /* bounds of classic effective usage by the printed values; NAN: none */
	double *x, *lo, *hi;           /* own usage (current estimate) and its bounds */
	double *total, *total_lo, *total_hi; /* scratch: sums of x, lo and hi over the row and all below it */
	double *mean, *weight;         /* scratch, by group */
	/* group of tied rows that must keep equal usage per share, named by one of its rows; FSI_NO_INDEX: none */
	uint32_t *group;
	uint64_t work;                 /* remaining work budget, in steps */
};

/* Returns true if the own usage of row j may change. */
static inline bool fsi_can_usage_move(const struct fsi_usage_bounds *w, uint32_t j)
{
	return w->lo[j] < w->hi[j] && !w->m->tree[j].uncounted;
}

/* Infers from printed factors in which order the lists have sibling accounts of equal level (Fair Tree), and writes it
 * to the header. Returns -1 if out of memory. */
int fsi_infer_list_order(fs_snapshot *m);

/* Infers from printed effective usage whether the last calculation was the first one for its accounts
 * (DEPTH_OBLIVIOUS). Writes the result to the header if it differs from what the controller's start suggests. Returns
 * -1 if out of memory. */
int fsi_infer_new_tree(fs_snapshot *m);

#endif
