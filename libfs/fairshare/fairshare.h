/* Fair share: shares, normalized usage, levels and fair-share factors of every association, by one of several
 * algorithms.
 *
 * fs_shares_compute (shares.c) computes the rows of a snapshot in these steps:
 *   fsi_algorithm_find    selects the algorithm: by its name, or as the scheduler's configuration selects it
 *   fsi_shares_link       sets fs_parent of each row (the first ancestor whose shares are not `parent`), lists the rows
 *                         with the same fs_parent, and sums their shares (Slurm: src/common/assoc_mgr.c:
 *                         _find_assoc_parent, _get_children_level_shares)
 *   fsi_usage_totals      sums usage over the tree; subtract_late_usage then subtracts charges after the last priority
 *                         calculation, because Slurm's factors do not contain these charges yet
 *   fsi_shares_set_usage_norm  divides usage by the root's usage (Slurm: priority_multifactor.c: set_assoc_usage_norm)
 *   fsi_norm_times_apply  classic and depth_oblivious: replaces usage_norm of each row by its value at the time at
 *                         which Slurm computed it (fairshare/narrow.h)
 *   compute               the algorithm's own function: fills the factors and all other members of struct fsi_share
 *   make_share_row        converts each struct fsi_share to a public row
 * If part of the tree is hidden, users cannot be ranked. Then use_recorded_shares uses the values that the scheduler
 * printed.
 *
 * The algorithms and what they reproduce:
 *   fair_tree             slurm.c  src/plugins/priority/multifactor/fair_tree.c
 *   classic               slurm.c  priority_multifactor.c: _set_usage_efctv, _set_assoc_fs_factor
 *   depth_oblivious       slurm.c  priority_multifactor.c: _depth_oblivious_set_usage_efctv
 *   flux                  flux.c   flux-accounting, src/fairness/weighted_tree
 *   flux_exact            flux.c   flux with exact sums and exact comparisons
 *   flux_range            flux.c   design by Don Lipari for flux-sched (2017)
 *   maui                  maui.c   src/moab/MFS.c, MPriority.c; its rows (credentials) are made by own_rows
 *
 * When a capture is imported, fs_import_infer (narrow.c) first infers values that fair share needs but no command
 * prints: whether the tree was new (fsi_infer_new_tree), the time of the first request for shares (infer_shares_time)
 * and more digits of usage (refine_snapshot_usage).
 *
 * Slurm stores shares_norm and fs_factor as double, usage and level_fs as long double
 * (slurm/slurmdb.h:slurmdb_assoc_usage). libfs uses the same types, because ties in Fair Tree depend on identical
 * rounding. Example: two siblings have 1 and 3 of 6 shares, and 1/4 and 3/4 of the usage. Their level_fs is equal in
 * double, but not in the 80 bits of Slurm's long double.
 *
 * All memory belongs to the arena of struct fs_shares, which borrows the snapshot. Unknown numbers are NAN. */
#ifndef FSI_FAIRSHARE_FAIRSHARE_H
#define FSI_FAIRSHARE_FAIRSHARE_H

#include "fs/shares.h"
#include "model/tables.h"
#include "usage/billing.h"

/* Fair-share values of one association. NAN: the association has no such value. */
struct fsi_share {
	uint32_t fs_parent;    /* first ancestor whose shares are not `parent`; FSI_NO_INDEX at the root */
	uint32_t level_shares; /* sum of the raw shares of all counted rows with the same `fs_parent` */
	bool level_known;      /* true if the shares of all siblings are known */
	uint32_t rank;         /* Fair Tree, Flux: rank of a user; the number of users is the best rank; 0: no rank */
	/* Fair Tree: rank that the user would have if the controller's lists were in the other order (database order or
	 * order of names). Equals `rank` if the order is known or does not affect ranks. */
	uint32_t other_rank;
	uint32_t tied;         /* flux_range: number of siblings with the same ratio, this row included */
	/* Flux. `sibling_position`: 1-based position of the row among its siblings; `tied_peers`: number of other
	 * siblings of the same kind (user or bank) at this position */
	uint32_t sibling_position, tied_peers;
	/* Flux: a sibling of the other kind (user or bank) has an equal ratio; users are then ordered before banks */
	bool other_kind_ties;
	double position;       /* flux_range: position of the factor in the parent's range [low, high], 0 to 1 */
	/* flux_range: lower and upper end of the row's own range of factors; the factors of all rows below it are in
	 * this range */
	double low, high;
	/* flux_range: siblings of equal weight form a group. `group`: 1-based number of the row's group, lowest weight
	 * first, 0 if the row has no shares; `groups`: number of groups among the siblings */
	uint32_t group, groups;
	double shares_norm;
	double factor;  /* factor that is multiplied by PriorityWeightFairshare; NAN for accounts */
	double printed_factor; /* factor as sshare prints it; NAN: sshare prints a blank */
	double daemon_factor;  /* factor as the daemon returns it (sshare --json) */
	long double usage_raw; /* usage at the last priority calculation */
	/* usage that was charged after the last priority calculation (fsi_usage_find_late) */
	long double late_usage;
	long double usage_norm, usage_efctv, level_fs;
};

struct fsi_fairshare {
	const fs_snapshot *m;
	uint32_t n, users; /* `n`: number of associations; `users`: number of counted users */
	unsigned compat;   /* Slurm release whose output the values reproduce (FS_SLURM_RELEASE) */
	double dampening;
	enum fs_position position; /* formula for the member `position` of struct fsi_share */
	/* the controller's lists are in the order of the accounting database; false: in the order of names */
	bool by_database;
	bool new_tree;	  /* true: the last priority calculation was the first to compute usage_norm */
	bool usage_times_differ; /* usage_norm and usage_raw are values of different times: see fsi_norm_times_apply */
	struct fsi_share *share;
	double *own_usage; /* indexed by association: its own usage, without associations below it */
	/* Two arrays that are indexed by association and used only by algorithms that sum usage_norm over siblings.
	 * `eval_order`: place in the order in which Slurm evaluates associations; NULL: the order has no effect.
	 * `previous_norm`: usage_norm that an association has until Slurm evaluates it; NULL: NO_VAL for all
	 * associations. */
	uint64_t *eval_order;
	long double *previous_norm;
	/* DEPTH_OBLIVIOUS: sum of usage_norm over the rows with this fs_parent that have shares of their own; NULL: the
	 * sum differs among these rows, because of `eval_order` */
	long double *level_usage;
	/* The counted rows whose fs_parent is p: child[first[p]] to child[first[p + 1] - 1]. */
	uint32_t *first, *child;
	struct fsi_arena *arena;
};

struct fsi_algorithm {
	const char *name, *summary;
	bool has_levels;
	/* each row has a position among its siblings: its place in the order of the tree walk */
	bool has_sibling_positions;
	/* the algorithm gives each row a range (members low, high and position), and gives accounts a factor */
	bool has_ranges;
	bool mixes_usage_times; /* usage_norm and usage of one row are values of different times (fairshare/narrow.h) */
	bool sums_siblings; /* the algorithm sums usage_norm over siblings */
	/* the algorithm needs shares and usage of every counted association; if any such value is unknown, the
	 * algorithm has no result */
	bool needs_all;
	/* Reads fs_parent, level_shares and usage_raw of each struct fsi_share, and computes the other members. Returns
	 * -1 if out of memory. */
	int (*compute)(struct fsi_fairshare *f);
	/* Makes the rows of an algorithm whose rows are not associations; such an algorithm has no `compute`. NULL: the
	 * rows are associations. Returns the error codes of fs_shares_compute. */
	int (*own_rows)(struct fs_shares *s, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_algorithm fsi_algorithm_fair_tree, fsi_algorithm_classic, fsi_algorithm_depth_oblivious;
extern const struct fsi_algorithm fsi_flux, fsi_algorithm_flux_exact, fsi_algorithm_flux_range;

/* Returns the algorithm called `name`; if `name` is NULL, the algorithm that the snapshot's configuration selects.
 * Returns NULL if there is no such algorithm. */
const struct fsi_algorithm *fsi_algorithm_find(const fs_snapshot *m, const char *name);

/* Returns true if the last priority calculation was the first one after the controller's start (BOOT_TIME). In this
 * calculation the controller's caches are empty and its lists are in database order. */
bool fsi_is_first_calculation(const fs_snapshot *m);

/* Returns true if no association had a usage_norm before the last priority calculation. This is true for the first
 * calculation after the controller's start. It is also true for the second calculation if associations were added after
 * the first. */
bool fsi_is_new_tree(const fs_snapshot *m);

/* The value of list_order in the snapshot's header for lists in database order; lists by name have the value "name". */
#define FSI_LISTS_BY_DATABASE "database"

/* Returns true if the controller's lists are in database order, whether the snapshot records this order or it is
 * assumed. */
bool fsi_is_database_order(const fs_snapshot *m);

/* Returns the sort key of a row in the controller's lists. In database order, this is the association's lft, the sort
 * key of the accounting database. Otherwise, or if lft is unknown, it is `k`, the row's position in the order of
 * names. */
uint32_t fsi_get_list_position(const struct fsi_fairshare *f, uint32_t row, uint32_t k);

/* Returns true if the association's shares are set to `parent`: it has no shares of its own. */
bool fsi_has_parent_shares(const struct fsi_association *a);

const struct fsi_algorithm *fsi_slurm_algorithm(const fs_snapshot *m); /* algorithm that slurm.conf selects */
/* fills fs_parent and level_shares of all shares, and the child lists; returns -1 if out of memory */
int fsi_shares_link(struct fsi_fairshare *f);
/* fills usage_norm of all shares, and usage_efctv of the root */
void fsi_shares_set_usage_norm(struct fsi_fairshare *f);

/* The two ratios that DEPTH_OBLIVIOUS multiplies, and the exponent of the second ratio. */
struct fsi_depth_ratios {
	long double parent;  /* Rp: effective usage / normalized shares of the parent row (fs_parent) */
	/* Rl: usage_norm / shares_norm of the association, divided by Rs: the sum of usage_norm over the association
	 * and its siblings / shares_norm of the parent row */
	long double level;
	long double damping; /* k: exponent of Rl; less than 1 if one of Rp and Rl is above 1 and the other below 1 */
};

/* Fills *out with the ratios of association i. Returns false if the algorithm does not use ratios for i. The effective
 * usage of i is then its usage_norm or the effective usage of the row fs_parent. */
bool fsi_depth_ratios(const struct fsi_fairshare *f, uint32_t i, struct fsi_depth_ratios *out);

/* Shares, usage and factors of every association. Only libfs reads the members; programs call the functions in
 * fs/shares.h. */
struct fs_shares {
	struct fsi_arena arena;
	struct fsi_fairshare f;
	const struct fsi_algorithm *algorithm;
	const fs_usage *usage; /* usage from which the shares were computed; NULL: the recorded usage */
	struct fs_share_row *rows;
};

/* ---- credentials with targets, for schedulers whose usage is in windows (fs_windows) */

/* Sets credential[kind] to the job's credential of this kind, a row of m->credential; FSI_NO_INDEX: none. */
void fsi_windows_job_credentials(const struct fs_windows *w, const struct fsi_job *job,
				 uint32_t credential[FS_CRED_KINDS]);

/* Returns the index of a credential's row, for use with fs_windows_row. */
uint32_t fsi_windows_credential_row(const struct fs_windows *w, uint32_t credential);

/* Returns true if jobs of the credential have the default priority of its kind, because the credential has no priority
 * of its own. `credential`: FSI_NO_INDEX for jobs that have no credential of this kind. */
bool fsi_windows_default_priority(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t credential);

#endif
