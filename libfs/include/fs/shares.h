/* Shares and fair-share factors of accounts and users, and fair share of Maui's credentials. */
#ifndef FS_SHARES_H
#define FS_SHARES_H

#include <fs/view.h>

FS_BEGIN_DECLS

/* ---- shares */

/* Rows of accounts and users with their shares, usage and factors. */
typedef struct fs_shares fs_shares;

/* The ways in which the shares of a row are set. PARENT is Slurm's value `parent`: the children of the row compete with
 * the siblings of the row. */
enum fs_shares_kind { FS_SHARES_UNSET, FS_SHARES_NUMBER, FS_SHARES_PARENT };

/* The part of the interval 0..1 that the algorithm flux_range assigns to a row. Other algorithms assign no interval:
 * the numbers are NAN, and `tied` is 0. */
struct fs_share_range {
	double low, high; /* lower and upper bound of the row's range */
	double position;  /* position of the row in its parent's range, 0..1 */
	/* number of siblings with the same weight as the row, including the row; 0: the row has no range of
	 * factors */
	uint32_t tied;
};

/* Flux: values of a row in the scheduler's own tables; NAN: unknown. */
struct fs_share_stored {
	double fairshare; /* fair-share factor */
	double usage;	  /* usage, including the usage of inactive rows below this row */
};

/* An account or user. Unknown numbers are NAN. */
struct fs_share_row {
	/* names of the row and of its parent account; "": the row has none */
	const char *account, *parent, *user, *partition;
	uint32_t id; /* id that the scheduler gives the association; 0: none */
	uint32_t depth;  /* depth in the tree; root 0 */
	uint32_t row;    /* position in the tree order, parents first */
	uint32_t parent_row; /* row of the parent; FS_NO_ROW: none */
	enum fs_shares_kind shares_kind; /* UNSET: raw_shares is unknown */
	uint32_t raw_shares; /* configured shares, if shares_kind is NUMBER */
	/* 0..1: shares as a fraction of the siblings' shares (Fair Tree) or of all shares of the cluster (classic) */
	double norm_shares;
	double raw_usage;       /* decayed usage, TRES seconds */
	/* part of raw_usage from jobs that ended after the last priority calculation; norm_usage, effective_usage and
	 * the factors exclude this part */
	double late_usage;
	double norm_usage;      /* usage as a fraction of the cluster's usage, 0..1; NAN at the root */
	double effective_usage; /* effective usage as defined by the algorithm, 0..1 */
	double fairshare;       /* fair-share factor, 0..1; NAN: none */
	double daemon_factor;   /* fair-share factor reported by slurmctld (sshare --json); 0: slurmctld stores none */
	/* normalized shares divided by normalized usage, both relative to the siblings; NAN: none */
	double level_fs;
	/* Fair Tree: rank of the user if accounts with equal level_fs were in the opposite order; other algorithms:
	 * equal to `rank` */
	uint32_t other_rank;
	uint32_t rank;          /* rank of a user (Fair Tree, Flux): the number of users is best, 1 is worst; 0: none */
	/* algorithm flux_range: range of factors that belongs to the row; the upper bound is the row's factor */
	struct fs_share_range range;
	/* false: the row has no fair share, because it is inactive or the scheduler leaves it out */
	bool counted;
	/* false: the row itself is marked as inactive; an inactive account above it does not matter */
	bool active;
	struct fs_share_stored stored; /* Flux: values of the row in the scheduler's own tables */
	bool visible;           /* the viewer may see the row */
};

/* Computes all shares. `view` NULL: a view whose members are all zero. Errors: FS_EUSAGE for an unknown algorithm;
 * FS_ENODATA if the snapshot has no associations (Maui: credentials) or lacks data that the algorithm needs;
 * FS_ENOMEM. */
FS_API int fs_shares_compute(fs_shares **out, const fs_snapshot *s, const struct fs_view *view, struct fs_error *err);
FS_API void fs_shares_free(fs_shares *s); /* `s` may be NULL */
/* Replaces shares, usage and factors of the rows by the values that the scheduler printed, unless the computed values
 * round to them. Does nothing for schedulers other than Slurm, if commands were applied to the snapshot, or if the
 * view (NULL: all members zero) has another algorithm, time or usage than the snapshot. */
FS_API void fs_shares_use_recorded(fs_shares *s, const fs_snapshot *snapshot, const struct fs_view *view);

FS_API size_t fs_shares_count(const fs_shares *s); /* number of share rows */
/* returns row i, which is valid until the shares are freed */
FS_API const struct fs_share_row *fs_shares_row(const fs_shares *s, size_t i);
/* Returns the fair-share factor of the row. If the algorithm gives an account no factor, returns the factor that
 * slurmctld stores for the account. NAN: the row has neither factor. */
FS_API double fs_share_factor(const struct fs_share_row *row);
FS_API const char *fs_shares_algorithm(const fs_shares *s); /* "fair_tree" */
/* Returns true if norm_usage is not from the same time in all rows. The norm_usage of accounts then lacks the usage
 * that the last priority calculation added: the usage of jobs since priority_time_before. */
FS_API bool fs_shares_mix_moments(const fs_shares *s);
FS_API bool fs_shares_has_levels(const fs_shares *s); /* true if the algorithm defines level_fs */
/* true if the algorithm gives each row a range of factors (flux_range) */
FS_API bool fs_shares_has_ranges(const fs_shares *s);
FS_API uint32_t fs_shares_users(const fs_shares *s);  /* number of ranked users */

/* Returns the name of the i-th algorithm, NULL past the end. */
FS_API const char *fs_algorithm_name(size_t i);
/* Returns true if the algorithm computes the fair share of credentials from usage in windows, as Maui does, and has no
 * tree of shares. Returns false for an unknown name. */
FS_API bool fs_algorithm_of_credentials(const char *name);

/* Kinds of TRES amounts of a share row. */
enum fs_share_tres { FS_SHARE_TRES_LIMIT, FS_SHARE_TRES_USAGE, FS_SHARE_TRES_RUNNING };
/* Writes up to `max` TRES amounts of row `i` to `out`, in the cluster's order. LIMIT: limits in GrpTRESMins, in
 * minutes; TRES without a limit are left out. USAGE: minutes used. RUNNING: minutes that running jobs may still use
 * (TRESRunMins). Returns the number of amounts that the row has, which may exceed `max`; FS_ENODATA: unknown. */
FS_API int fs_shares_tres(const fs_shares *s, size_t i, enum fs_share_tres which, struct fs_tres *out, size_t max);
FS_API size_t fs_snapshot_tres_count(const fs_snapshot *s); /* number of TRES of the cluster */

/* Does the same as fs_shares_tres, but writes TRES seconds instead of minutes. `which` is USAGE or RUNNING. USAGE is
 * decayed, and rounded to six decimals as Slurm sends it. If the snapshot has only the minutes that scontrol shows,
 * USAGE is a multiple of 60, less than one minute below the usage. */
FS_API int fs_shares_tres_seconds(const fs_shares *s, size_t i, enum fs_share_tres which, double *out, size_t max);
/* returns the name of TRES i ("gres/gpu"); i is below fs_snapshot_tres_count */
FS_API const char *fs_snapshot_tres_name(const fs_snapshot *s, size_t i);

/* Returns `v` as Slurm's clients receive it: the daemon sends v * 10^6 as an integer (src/common/pack.c:
 * packdouble). */
FS_API double fs_slurm_wire(double v);

/* ---- Maui: credentials and windows */

/* Usage of each credential: the sum over windows of equal length, weighted by age. Also contains the targets of
 * credentials, and the jobs blocked by a fair-share cap. */
typedef struct fs_windows fs_windows;

/* Kinds of credentials; FS_CRED_KINDS is their number. */
enum fs_cred_kind { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT, FS_CRED_QOS, FS_CRED_CLASS, FS_CRED_KINDS };
/* Mode of a target. EXACT: usage should be near the target; FLOOR: at least the target; CEILING: at most the target.
 * CAP_REL, CAP_ABS: the target is a cap, in percent or in seconds. */
enum fs_target_mode { FS_TARGET_EXACT, FS_TARGET_FLOOR, FS_TARGET_CEILING, FS_TARGET_CAP_REL, FS_TARGET_CAP_ABS };

/* Values common to all windows. */
struct fs_windows_info {
	const char *policy; /* FSPOLICY: "[NONE]", "DEDICATEDPS", ...; "unknown": not in the snapshot */
	bool ratio; /* true: factors are computed from the ratio of usage to target; false: from their difference */
	uint32_t depth; /* number of windows */
	int64_t interval_s; /* length of a window, seconds */
	/* false: the value of `depth` or `interval_s` is unknown, so Maui's default is used */
	bool has_depth, has_interval;
	double decay; /* weight of a window divided by the weight of the next newer window; NAN: unknown */
	int64_t start;               /* start of window 0, seconds since the epoch */
	const double *weight; /* indexed by window: weight of the window, which is `decay` to the power of its index */
	const double *total_usage_s; /* indexed by window: usage of all credentials */
	double usage_s;              /* weighted usage in all windows; NAN: unknown */
};

/* A credential and its usage. */
struct fs_window_row {
	enum fs_cred_kind kind; /* kind of credential */
	const char *name; /* name of the credential, such as "alice" or "DEFAULT" */
	double target; /* target of the credential; if `inherited` is true, target of the credential DEFAULT; 0: none */
	enum fs_target_mode mode; /* mode of the fair-share target */
	bool inherited;        /* true: the credential has the target of the credential DEFAULT */
	const double *window_usage_s; /* indexed by window: usage in the window, not multiplied by its weight */
	double usage_s;        /* sum of the usage in all windows, weighted by age */
	double percent;        /* usage_s as percent of the usage of all credentials */
	/* factor in the priority of the credential's jobs, before weights and caps are applied */
	double factor;
	bool off_target;       /* diagnose -f marks the row as off target */
	bool empty;            /* the row has no target and no usage; diagnose -f shows it only with -v */
};

/* The fair-share cap that blocks a job, because `usage` + `need` exceeds `cap`. */
struct fs_cap_row {
	uint64_t job; /* job id */
	const char *job_name, *user; /* in Maui the job name is the job id */
	enum fs_cred_kind kind; /* kind of the credential whose fair-share cap blocks the job */
	const char *name; /* name of the credential whose cap blocks the job, such as a user or account */
	enum fs_target_mode mode; /* kind of cap: FS_TARGET_CAP_REL or FS_TARGET_CAP_ABS */
	double cap, usage, need; /* `need`: usage that the job would add. Unit: CAP_ABS: seconds; CAP_REL: percent. */
	double together;	 /* sum of `usage` and `need` */
};

/* Computes the windows. Errors: FS_ENODATA if the snapshot has no credentials; FS_EDATA for a bad configuration;
 * FS_ENOMEM. */
FS_API int fs_windows_compute(fs_windows **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_windows_free(fs_windows *w); /* frees the windows; w may be NULL */
/* Returns the settings and totals of the windows, borrowed from w. */
FS_API const struct fs_windows_info *fs_windows_info(const fs_windows *w);

/* Returns the number of credentials. The credentials are sorted by kind, then in the order of Maui's own lists. */
FS_API size_t fs_windows_count(const fs_windows *w);
/* Returns row i, which is valid until the windows are freed. */
FS_API const struct fs_window_row *fs_windows_row(const fs_windows *w, size_t i);

/* Returns the start of window i, seconds since the epoch. */
FS_API int64_t fs_windows_start(const fs_windows *w, uint32_t i);
/* Returns the usage of the row in window `i`, multiplied by the weight of the window. */
FS_API double fs_windows_weighted_usage_s(const fs_windows *w, const struct fs_window_row *row, uint32_t i);

/* Returns true if the job in row job_row of the snapshot is pending and exceeds a fair-share cap, and fills *out with
 * the cap. Maui does not start such a job and shows the reason "FairShare". */
FS_API bool fs_windows_capped(const fs_windows *w, uint32_t job_row, struct fs_cap_row *out);

/* name of the kind: "user", "group", "acct", "qos", "class" */
FS_API const char *fs_cred_kind_name(enum fs_cred_kind kind);
FS_API const char *fs_target_mode_name(enum fs_target_mode mode); /* name of the mode: "target", "floor", ... */

FS_END_DECLS

#endif
