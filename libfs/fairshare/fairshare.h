/* Fair-share algorithms behind one table of operations.
 *
 * Slurm keeps shares_norm and fs_factor as double, usage and level_fs as long double
 * (slurm/slurmdb.h:slurmdb_assoc_usage); so do we, since Fair Tree ties need the exact same rounding:
 * shares 1 of 7 and 3 of 7 with usage 1:3 tie in double and do not in Slurm's 80 bits. */
#ifndef FSI_FAIRSHARE_FAIRSHARE_H
#define FSI_FAIRSHARE_FAIRSHARE_H

#include "fs/shares.h"
#include "model/tables.h"
#include "usage/billing.h"

/* What fair share makes of association i. NAN: it has no value. */
struct fsi_share {
	uint32_t fs_parent;    /* first ancestor whose shares are not `parent`; FSI_NO_INDEX at the root */
	uint32_t level_shares; /* sum of raw shares among the fs parent's children */
	bool level_known;      /* no sibling's shares are unknown */
	uint32_t rank;         /* Fair Tree, Flux: of a user, N best; else 0 */
	/* Fair Tree: the rank if equal accounts stood in the other order, where that is not known; else rank */
	uint32_t other_rank;
	uint32_t tied;         /* flux_range: siblings of the same ratio, itself included */
	uint32_t place, peers; /* Flux: among its siblings, 1 first; others of its kind that tie with it there */
	bool other_kind_ties;           /* Flux: is one of the other kind (user, bank) equal? Then users stand first. */
	double position;       /* flux_range: where in the parent's slice, 0 to 1 */
	double low, high;      /* flux_range: the slice that belongs to it */
	uint32_t group, groups; /* flux_range: of those with shares, by equal weight, from below; group 0: no shares */
	double shares_norm;
	double factor;  /* that multiplies PriorityWeightFairshare; NAN on accounts */
	double printed; /* factor as sshare prints it; NAN: blank */
	double daemon;  /* factor as the daemon hands it out (sshare --json) */
	long double usage_raw; /* as the last calculation had it */
	long double late;      /* added since: fsi_usage_late */
	long double usage_norm, usage_efctv, level_fs;
};

struct fsi_fairshare {
	const fs_snapshot *m;
	uint32_t n, users; /* associations; those of users */
	unsigned compat;   /* FS_SLURM_RELEASE whose output counts */
	double dampening;
	enum fs_position position; /* of flux_range */
	bool by_database; /* lists are in the order of the accounting database, not of names */
	bool new_tree;	  /* usage_norm was computed for the first time: see fsi_new_tree */
	bool mixed;       /* usage_norm is of other moments than usage_raw: fsi_moments_apply */
	struct fsi_share *share;
	double *own_usage; /* what the association itself used; of an account: what none below it did */
	/* Where usage_norm is summed over siblings: the turn in which each association was computed, and the usage_norm
	 * that it had until then; NULL: turns do not count; every one had NO_VAL. */
	uint64_t *turn;
	long double *norm_before;
	/* Children of each fs parent, in list order: child[first[i]] .. child[first[i + 1] - 1]. */
	uint32_t *first, *child;
	struct fsi_arena *arena;
};

struct fsi_algorithm {
	const char *name, *summary;
	bool has_levels;
	bool has_places; /* siblings have the places in which the walk meets them */
	bool has_ranges; /* low, high and position; factors of accounts too */
	bool mixes_moments; /* usage_norm is not of one moment with usage: libfs/fairshare/narrow.h */
	bool sums_siblings; /* it sums usage_norm over siblings */
	bool needs_all;  /* it needs shares and usage of every counted association to have any answer */
	/* From fs_parent, level_shares and usage_raw, fills the rest of every share. -1 without memory. */
	int (*compute)(struct fsi_fairshare *f);
	/* Makes the rows of an algorithm whose rows are no associations, in place of `compute`; error codes of
	 * fs_shares_compute. Else NULL. */
	int (*own_rows)(struct fs_shares *s, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_algorithm fsi_fair_tree, fsi_classic, fsi_depth_oblivious;
extern const struct fsi_algorithm fsi_flux, fsi_flux_exact, fsi_flux_range;

/* The algorithm of that name, or of the snapshot's configuration for NULL; NULL if there is none. */
const struct fsi_algorithm *fsi_algorithm_find(const fs_snapshot *m, const char *name);

/* Was the last calculation the first of the controller's life (by BOOT_TIME)? Then caches were empty, and lists in
 * the database's order. */
bool fsi_first_cycle(const fs_snapshot *m);

/* Had no association a usage_norm before the last calculation? So it is in the first cycle, and in the next one where
 * associations were made after that. */
bool fsi_new_tree(const fs_snapshot *m);

/* Words of the snapshot's list_order. */
#define FSI_LISTS_BY_DATABASE "database"
#define FSI_LISTS_BY_NAME "name"

/* Are the controller's lists in the order of the database, and is that only supposed? */
bool fsi_lists_by_database(const fs_snapshot *m);
bool fsi_list_order_is_open(const fs_snapshot *m);

/* The place of a row in the controller's lists, given its place k among its siblings by name. */
uint32_t fsi_list_place(const struct fsi_fairshare *f, uint32_t row, uint32_t k);

/* Returns true if the shares are `parent`, so that the association has none of its own. */
bool fsi_uses_parent_shares(const struct fsi_association *a);

const struct fsi_algorithm *fsi_slurm_algorithm(const fs_snapshot *m); /* the one that slurm.conf selects */
int fsi_shares_link(struct fsi_fairshare *f);  /* fills fs_parent, level_shares, children; -1 without memory */
void fsi_usage_norm(struct fsi_fairshare *f);  /* usage_norm, and the root's usage_efctv */

/* The two ratios that DEPTH_OBLIVIOUS multiplies, for whoever explains them. */
struct fsi_depth_ratios {
	long double parent;  /* Rp: how far the fs parent is over its shares */
	long double level;   /* Rl: how far the association is over its shares among its siblings */
	long double damping; /* k: exponent of the second, below 1 when the two disagree */
};

/* False where the ratios do not apply, and usage is taken from the association or from its fs parent. */
bool fsi_depth_ratios(const struct fsi_fairshare *f, uint32_t i, struct fsi_depth_ratios *out);

/* Shares, usage and factors of every association. Only files of this folder look into it; all others ask its
 * functions. */
struct fs_shares {
	struct fsi_arena arena;
	struct fsi_fairshare f;
	const struct fsi_algorithm *algorithm;
	const fs_usage *usage; /* NULL: as recorded */
	struct fs_share_row *rows;
};

/* ---- credentials with targets, for schedulers whose usage is in windows (fs_windows) */

/* Sets credential[kind] to the row in m->credential of the job's credential; FSI_NO_INDEX: none. */
void fsi_windows_job_credentials(const struct fs_windows *w, const struct fsi_job *job,
				 uint32_t credential[FS_CRED_KINDS]);

/* Returns the row of fs_windows_row of a credential. */
uint32_t fsi_windows_credential_row(const struct fs_windows *w, uint32_t credential);

/* Returns true if the priority of a credential's jobs is not its own, but the default of its kind. credential:
 * FSI_NO_INDEX for a job that has none of that kind. */
bool fsi_windows_default_priority(const struct fs_windows *w, enum fs_cred_kind kind, uint32_t credential);

#endif
