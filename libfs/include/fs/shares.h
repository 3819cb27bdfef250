/* Shares and fair-share factors of accounts and users, and of Maui's credentials. */
#ifndef FS_SHARES_H
#define FS_SHARES_H

#include <fs/view.h>

FS_BEGIN_DECLS

/* ---- shares */

/* Rows of accounts and users with their shares, their usage and their factors. */
typedef struct fs_shares fs_shares;

/* How shares are set: PARENT is Slurm's `parent`, whose children compete above it. */
enum fs_shares_kind { FS_SHARES_UNSET, FS_SHARES_NUMBER, FS_SHARES_PARENT };

/* An account or user. Numbers are NAN where they are not known. */
struct fs_share_row {
	const char *account, *parent, *user, *partition; /* "" when there is none */
	uint32_t id; /* the scheduler's own of the association, 0 where it has none */
	uint32_t depth;  /* root 0 */
	uint32_t row;    /* position in the tree, parents first */
	uint32_t parent_row; /* FS_NO_ROW: none */
	enum fs_shares_kind shares_kind; /* UNSET: raw_shares is not known */
	uint32_t raw_shares; /* as set, of NUMBER */
	double norm_shares;     /* 0..1 of the siblings (Fair Tree) or of the cluster (classic) */
	double raw_usage;       /* TRES seconds, decayed */
	double late_usage;      /* part of it, of jobs that ended since priorities were computed: in no other number here */
	double norm_usage;      /* 0..1 of the cluster; NAN at root */
	double effective_usage; /* 0..1, as the algorithm defines it */
	double fairshare;       /* factor 0..1; NAN where there is none */
	double daemon_factor;   /* as Slurm's daemon hands it out (sshare --json), 0 where it holds none */
	double level_fs;        /* shares over usage among siblings; NAN where there is none */
	uint32_t other_rank;    /* in Fair Tree, if equal accounts stand in another order than supposed; else rank */
	uint32_t rank;          /* of a user in Fair Tree and Flux: N is best, 1 worst; 0 none */
	double low, high;       /* flux_range: the slice of 0..1 that belongs to the row; NAN elsewhere */
	double position;        /* flux_range: its place in the slice of its parent, 0..1 */
	uint32_t tied;          /* flux_range: siblings of the same weight, with itself; 0 none */
	bool counted;           /* false: inactive, or left out by the scheduler: no part in fair share */
	bool active;            /* by itself: false only where the scheduler says so */
	double stored_fairshare;  /* Flux: the factor the scheduler's tables held; NAN unknown */
	double listed_usage;    /* Flux: usage as the scheduler's tables list it, inactive rows included */
	bool visible;           /* to the viewer */
};

/* view: NULL is all zero. Errors: FS_EUSAGE no such algorithm, FS_ENODATA no associations (maui: no credentials), or
 * not what the algorithm asked for needs. */
FS_API int fs_shares_compute(fs_shares **out, const fs_snapshot *s, const struct fs_view *view, struct fs_error *err);
FS_API void fs_shares_free(fs_shares *s); /* NULL is fine */

FS_API size_t fs_shares_count(const fs_shares *s); /* rows */
FS_API const struct fs_share_row *fs_shares_row(const fs_shares *s, size_t i); /* borrowed from s */
/* The factor of the row; of an account without one what the daemon holds of it. NAN: neither. */
FS_API double fs_share_factor(const struct fs_share_row *row);
FS_API const char *fs_shares_algorithm(const fs_shares *s); /* "fair_tree" */
/* Is part of NormUsage of other moments than usage: of accounts from before the last calculation added what jobs had
 * used since priority_time_before? */
FS_API bool fs_shares_mix_moments(const fs_shares *s);
FS_API bool fs_shares_has_levels(const fs_shares *s); /* does the algorithm define level_fs? */
FS_API bool fs_shares_has_ranges(const fs_shares *s); /* low, high and position? */
FS_API uint32_t fs_shares_users(const fs_shares *s);  /* users ranked */

/* Names of the algorithms, NULL past the end. */
FS_API const char *fs_algorithm_name(size_t i);
/* Does it give shares to credentials and their windows, and not to a tree? false for a name that is none. */
FS_API bool fs_algorithm_of_credentials(const char *name);

/* TRES of a row in the cluster's order: pointers to at most max entries of out; returns how many there
 * are, or FS_ENODATA when unknown. */
enum fs_share_tres { FS_SHARE_TRES_LIMIT, FS_SHARE_TRES_USAGE, FS_SHARE_TRES_RUNNING };
/* LIMIT: GrpTRESMins, in minutes, those set alone. USAGE: minutes used. RUNNING: minutes promised. */
FS_API int fs_shares_tres(const fs_shares *s, size_t i, enum fs_share_tres which, struct fs_tres *out, size_t max);
FS_API size_t fs_snapshot_tres_count(const fs_snapshot *s); /* TRES of the cluster */

/* Exact seconds behind two of them: decayed usage (rounded to six decimals, as Slurm passes it on) and TRES
 * seconds promised to running jobs. At most max doubles; how many there are, or FS_ENODATA when unknown. */
FS_API int fs_shares_tres_seconds(const fs_shares *s, size_t i, enum fs_share_tres which, double *out, size_t max);
FS_API const char *fs_snapshot_tres_name(const fs_snapshot *s, size_t i); /* "gres/gpu"; NULL past the end */

/* A number of a row as Slurm's own clients get it: sent by the daemon as value * 10^6, and divided again
 * (src/common/pack.c: packdouble). */
FS_API double fs_slurm_wire(double v);

/* ---- Maui: credentials and their windows */

/* Usage of each user, group, account, QOS and class in windows of equal length, weighted by age, and its
 * target; which jobs a fair-share cap holds back. */
typedef struct fs_windows fs_windows;

/* What kind of credential; KINDS is how many. */
enum fs_cred_kind { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT, FS_CRED_QOS, FS_CRED_CLASS, FS_CRED_KINDS };
/* What a target asks for: to come near it, not below, not above; or a cap, in percent or in seconds. */
enum fs_target_mode { FS_TARGET_EXACT, FS_TARGET_FLOOR, FS_TARGET_CEILING, FS_TARGET_CAP_REL, FS_TARGET_CAP_ABS };

/* What all windows have in common. */
struct fs_windows_info {
	const char *policy; /* "[NONE]", "DEDICATEDPS", ...; "unknown": not in the snapshot */
	bool ratio;         /* factors are ratios of usage to target, not differences */
	uint32_t depth; /* how many windows */
	int64_t interval_s; /* length of one */
	bool has_depth, has_interval; /* false: not in the snapshot, a default stands in */
	double decay; /* weight of a window over that of the next newer one; NAN: unknown */
	int64_t start;               /* of window 0 */
	const double *weight;        /* of each window: decay to the power of its number */
	const double *total_usage_s; /* of each window */
	double usage_s;              /* of all windows, weighted; NAN: unknown */
};

/* One credential. */
struct fs_window_row {
	enum fs_cred_kind kind; /* of the name */
	const char *name; /* "DEFAULT" too */
	double target; /* its own, or that of DEFAULT; 0: none */
	enum fs_target_mode mode; /* of the target */
	bool inherited;        /* the target is DEFAULT's */
	const double *window_usage_s; /* of each window, unweighted */
	double usage_s;        /* of all windows, weighted */
	double percent;        /* of the total */
	double factor;         /* what its jobs' priority gets, before weights and caps */
	bool off_target;       /* marked by diagnose -f */
	bool empty;            /* no target and no usage: diagnose -f shows it with -v only */
};

/* The cap that holds a job back: usage and need together are over it. */
struct fs_cap_row {
	uint64_t job; /* id */
	const char *job_name, *user; /* in Maui the name is the id */
	enum fs_cred_kind kind; /* whose cap it is */
	const char *name; /* of the credential */
	enum fs_target_mode mode; /* CAP_REL or CAP_ABS */
	double cap, usage, need; /* cap_abs: seconds; cap_rel: percent */
	double together;	 /* usage and need */
};

/* Errors: FS_ENODATA when the snapshot has no credentials, FS_EDATA for a bad configuration. */
FS_API int fs_windows_compute(fs_windows **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_windows_free(fs_windows *w); /* NULL is fine */
FS_API const struct fs_windows_info *fs_windows_info(const fs_windows *w); /* borrowed from w */

/* Rows by kind, then in the order of Maui's own lists. */
FS_API size_t fs_windows_count(const fs_windows *w);
FS_API const struct fs_window_row *fs_windows_row(const fs_windows *w, size_t i); /* borrowed from w */

/* Window i: when it begins, and what usage in it counts for: usage times weight. */
FS_API int64_t fs_windows_start(const fs_windows *w, uint32_t i);
/* The usage of the row in window i, times the window's weight. */
FS_API double fs_windows_weighted_usage_s(const fs_windows *w, const struct fs_window_row *row, uint32_t i);

/* Is the job of that row (fs_prio_row.job_row, below fs_snapshot_info's jobs) waiting, and over a cap? Then it cannot
 * start, Maui's reason being "FairShare". */
FS_API bool fs_windows_capped(const fs_windows *w, uint32_t job_row, struct fs_cap_row *out);

FS_API const char *fs_cred_kind_name(enum fs_cred_kind kind); /* "user", "group", "acct", "qos", "class" */
FS_API const char *fs_target_mode_name(enum fs_target_mode mode); /* "target", "floor", ... */

FS_END_DECLS

#endif
