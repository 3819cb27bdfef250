/* libfs: shares, usage and priorities of a batch scheduler, computed from a state snapshot.
 *
 * Flow:     bytes -> fs_snapshot -> fs_shares -> fs_prios -> fs_queue -> fs_plan
 * Purity:   nothing here prints, exits, reads a clock, the environment or a locale other than "C", or
 *           keeps state between calls. The clock is a field of the snapshot.
 * Lifetime: what comes back through `T **out` is yours to free with fs_T_free (NULL is fine). A returned
 *           `const T *` or `const char *` is borrowed until its owner is freed. Results borrow from the
 *           snapshot they were made of: free them first.
 * Errors:   functions return 0 or a negative enum fs_code and then have filled *err (may be NULL), which
 *           they leave alone on success.
 * Numbers:  times are seconds since 1970, memory MiB. NAN is "no value" (unknown, or it does not
 *           apply), INFINITY is infinite. */
#ifndef FS_H
#define FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fs_code {
	FS_OK = 0,
	FS_ENOMEM = -1,
	FS_EIO = -2,    /* a read or write callback failed */
	FS_EDATA = -3,  /* the input is not valid: file, line and field say where */
	FS_EUSAGE = -4, /* an option has no such value */
	FS_ENODATA = -5 /* the snapshot does not hold what this needs */
};

struct fs_error {
	enum fs_code code;
	uint32_t column; /* from 1; 0 unknown, like line */
	uint64_t line;
	char file[256];
	char field[96];
	char message[320];
};

/* A time, count or amount that is not known, and one without a limit. */
#define FS_UNKNOWN INT64_MIN
#define FS_UNLIMITED INT64_MAX

/* "file:line:column: field: message" as far as known; like snprintf, the length it would need. */
size_t fs_error_format(const struct fs_error *err, char *buf, size_t size);

/* Bytes read (0 at the end) or negative; 0 or negative. */
typedef ptrdiff_t (*fs_read_fn)(void *ctx, void *buf, size_t size);
typedef int (*fs_write_fn)(void *ctx, const void *data, size_t size);

/* ---- snapshot ------------------------------------------------------------------------------------ */

typedef struct fs_snapshot fs_snapshot;

#define FS_SLURM_VERSION(major, minor) ((unsigned)(major) * 100u + (unsigned)(minor))

enum fs_scheduler { FS_SLURM, FS_FLUX, FS_MAUI, FS_OTHER_SCHEDULER };

struct fs_snapshot_info {
	enum fs_scheduler kind; /* by the first word of scheduler; a file that names none is read as Slurm's */
	const char *file, *cluster, *scheduler, *captured_by, *usage_source;
	unsigned version; /* FS_SLURM_VERSION of the Slurm it came from, 0 if it is none */
	int64_t time;
	int64_t priority_time; /* time, if not known */
	bool priority_time_known;
	int32_t utc_offset_s;
	size_t associations, jobs, credentials;
	size_t usage_records; /* in the file */
};

/* Reads the format of man/fs-snapshot.5; name is for messages. Memory is bounded by the model, not by
 * the file. Errors: FS_EIO, FS_EDATA, FS_ENOMEM. */
int fs_snapshot_read(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
		     struct fs_error *err);

/* The same without `recorded` and `usage` records, which most questions do not need: they are counted and scanned,
 * but not parsed. (Where associations are hidden, what the scheduler printed stands in for them and is kept.)
 * usage_follows: fs_usage_read on the same file comes next, and leaves nothing unchecked: usage records are only
 * counted here. */
int fs_snapshot_read_state(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			   bool usage_follows, struct fs_error *err);

/* The same with `recorded` lines, for comparing with what the scheduler printed, and without `usage` records. */
int fs_snapshot_read_recorded(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			      struct fs_error *err);

/* Writes it back in canonical order; reading that gives the same snapshot. Errors: FS_EIO. */
int fs_snapshot_write(const fs_snapshot *s, fs_write_fn write, void *ctx, struct fs_error *err);

void fs_snapshot_free(fs_snapshot *s);

const struct fs_snapshot_info *fs_snapshot_info(const fs_snapshot *s);

/* What was skipped or could not be known, one sentence each. */
size_t fs_snapshot_warnings(const fs_snapshot *s);
const char *fs_snapshot_warning(const fs_snapshot *s, size_t i);

/* Is records of this type ("job", "association", ...) missing or incomplete? */
bool fs_snapshot_hidden(const fs_snapshot *s, const char *type);

/* References between records that lead nowhere, one sentence each, to the callback. These are legal (a
 * capture may hide things) but worth knowing. Returns how many. */
typedef void (*fs_note_fn)(void *ctx, const char *sentence);
size_t fs_snapshot_check(const fs_snapshot *s, fs_note_fn note, void *ctx);

/* A point in time as a user writes it, against the snapshot's clock: seconds since 1970, local time
 * `YYYY-MM-DD[THH:MM[:SS]]`, or `+` and how much later: `+1w`, `+2d`, `+12h`, `+30m`, `+90s` or `+90`,
 * `+1-06:00:00`. Error: FS_EUSAGE. */
int fs_time_parse(const fs_snapshot *s, const char *text, int64_t *out, struct fs_error *err);

/* `YYYY-MM-DDTHH:MM:SS` in the cluster's local time; buf of at least FS_TIME_TEXT bytes. */
enum { FS_TIME_TEXT = 80 };
void fs_time_format(const fs_snapshot *s, int64_t t, char *buf);

/* Partitions by position, NULL past the end. */
const char *fs_snapshot_partition_name(const fs_snapshot *s, size_t i);

/* Login name of a numeric user id, or NULL. */
const char *fs_snapshot_user_name(const fs_snapshot *s, uint32_t uid);
bool fs_snapshot_has_user(const fs_snapshot *s, const char *name);

/* Is the account the ancestor itself or below it? */
bool fs_snapshot_account_within(const fs_snapshot *s, const char *account, const char *ancestor);

/* The configuration value as the scheduler writes it ("CPU=1000,Mem=2000"), or NULL; as a number (times in seconds),
 * or NAN. */
const char *fs_snapshot_config_text(const fs_snapshot *s, const char *name);
double fs_snapshot_config_number(const fs_snapshot *s, const char *name);

/* Flux job ids in base 58: "ƒ2dTAM4jKm", in ASCII "f2dTAM4jKm"; parsing takes both, -1 for anything else. */
enum { FS_F58_TEXT = 16 };
const char *fs_f58_format(char buf[FS_F58_TEXT], uint64_t id, bool ascii); /* returns buf */
int fs_f58_parse(const char *s, uint64_t *id);

/* The record types and fields of the format, for documentation: type i (0: the first line), field k;
 * each returns false past the end. */
struct fs_format_field {
	const char *key, *type, *unit, *help;
	bool required;
};
bool fs_format_type(size_t i, const char **type);
bool fs_format_field(size_t i, size_t k, struct fs_format_field *out);

/* ---- import -------------------------------------------------------------------------------------- */

/* A folder of captured files, by name. */
struct fs_source {
	void *ctx;
	const char *name; /* for messages */
	/* 0 and *stream set, 1 when there is no such file, negative on failure */
	int (*open)(void *ctx, const char *file, void **stream);
	fs_read_fn read; /* on the stream */
	void (*close)(void *stream);
	/* Calls each for every file of the folder `dir` below this one ("" for itself), in any order, until it
	 * returns other than 0, which is then returned. 1 when there is no such folder. NULL: files cannot be
	 * listed, which an importer may need. */
	int (*list)(void *ctx, const char *dir, int (*each)(void *each_ctx, const char *name), void *each_ctx);
};

struct fs_import_options {
	/* Lines `association id|usage in TRES seconds[|tres id=seconds,...[|wall seconds]]`, # begins a
	 * comment: usage with all its digits, from the controller's state file. NULL: not available. */
	fs_read_fn exact_usage;
	void *exact_usage_ctx;
	const char *exact_usage_name;
};

/* Outputs of scontrol, sacctmgr, squeue, sshare and sprio (file names: man/fs-snap.1). Every file is
 * optional; what is missing becomes unknown and is marked hidden. Errors: FS_EDATA, FS_EIO, FS_ENODATA
 * when no file is there at all. */
int fs_import_slurm(fs_snapshot **out, const struct fs_source *source,
		    const struct fs_import_options *options, struct fs_error *err);

/* Outputs of `flux account ...` and `flux jobs` (file names: man/fs-snap.1), all optional likewise. */
int fs_import_flux(fs_snapshot **out, const struct fs_source *source, struct fs_error *err);

/* One file with a tree of banks and users, as `flux account export-db -F` writes and the fair-share emulator
 * reads it. Errors as above. */
int fs_import_flux_tree(fs_snapshot **out, fs_read_fn read, void *ctx, const char *name,
			struct fs_error *err);

/* Where Maui's manual promises something else than its code does. */
enum fs_maui_dialect { FS_MAUI_CODE, FS_MAUI_MANUAL };

struct fs_maui_import_options {
	enum fs_maui_dialect dialect; /* form of window files that are read where a file has lines in both */
	int64_t time;                 /* of the capture; 0: told by the files */
};

/* maui.cfg, windows FS.<epoch>, traces, showq and checkjob (names: man/fs-snap.1). What is missing becomes unknown.
 * Errors: FS_EDATA, FS_EIO, FS_ENODATA without maui.cfg or when nothing tells the time. */
int fs_import_maui(fs_snapshot **out, const struct fs_source *source,
		   const struct fs_maui_import_options *options, struct fs_error *err);

/* ---- TRES ---------------------------------------------------------------------------------------- */

struct fs_tres {
	const char *name;
	int64_t amount;
};

/* ---- billing ------------------------------------------------------------------------------------- */

enum { FS_BILL_MAX = 64 };

struct fs_bill_term {
	const char *tres;
	double amount, weight, points; /* points = amount * weight */
	bool counts;                   /* false: a greater one stands for it (MAX_TRES) */
};

/* Cost of a second: rate is the sum of the points that count. */
struct fs_bill {
	struct fs_bill_term term[FS_BILL_MAX];
	size_t n;
	double rate;
	bool by_cpus; /* the partition has no weights: a CPU second costs 1 */
};

/* `cpu=16,mem=64G,gres/gpu=1` as Slurm writes amounts (mem in MiB, or with a unit), at most max of them, the names
 * borrowed from s. Returns how many, or FS_EUSAGE: a bad amount or a TRES the cluster has not. */
int fs_tres_parse(const fs_snapshot *s, const char *text, struct fs_tres *out, size_t max,
		  struct fs_error *err);

/* What TRES (mem in MiB) cost in a partition. Errors: FS_EUSAGE no such partition or TRES. */
int fs_bill_tres(struct fs_bill *out, const fs_snapshot *s, const char *partition,
		 const struct fs_tres *tres, size_t n, struct fs_error *err);

/* ---- usage --------------------------------------------------------------------------------------- */

/* Usage of every association at a time: as recorded and carried forward, or computed from job records. It
 * depends on nothing but the snapshot and these options. */
typedef struct fs_usage fs_usage;

enum fs_usage_source { FS_USAGE_RECORDED, FS_USAGE_COMPUTED };
enum fs_decay { FS_DECAY_OF_SCHEDULER, FS_DECAY_SLURM, FS_DECAY_EXACT }; /* libfs/usage/decay.h tells them apart */

/* One job's part in it. */
struct fs_charge {
	uint64_t job;
	const char *user, *account, *partition, *qos;
	uint32_t row;            /* of the association, as in fs_share_row; UINT32_MAX: it is not in the snapshot */
	int64_t start_time;
	int64_t end_time;        /* of a running job that of its limit; INT64_MAX: it has none */
	bool running;            /* at the snapshot's time */
	double rate;             /* TRES seconds a second */
	double factor;           /* UsageFactor of the QOS */
	double seconds;          /* that still count after decay */
	double tres_s;           /* rate * factor * seconds */
	const struct fs_bill *bill;
};

typedef int (*fs_charge_fn)(void *ctx, const struct fs_charge *charge); /* not 0: stop, FS_ENOMEM */

struct fs_usage_options {
	enum fs_usage_source source;
	enum fs_decay decay;
	bool at_set;
	int64_t at;          /* not before the snapshot's time */
	const int64_t *runs; /* all decay runs from the first of these to the last one, where they are known */
	size_t nruns;
	fs_charge_fn charge; /* told of every charge; NULL: none */
	void *charge_ctx;
};

/* Begin, feed the job records (computed usage only), finish: then it can be asked.
 * Errors: FS_ENODATA no configuration or no associations, FS_EUSAGE a time before the snapshot's. */
int fs_usage_begin(fs_usage **out, const fs_snapshot *s, const struct fs_usage_options *options,
		   struct fs_error *err);

/* The `usage` records of the snapshot's file, one by one; memory does not grow with them. Errors: FS_EIO,
 * FS_EDATA. */
int fs_usage_read(fs_usage *u, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Adds the records the snapshot itself holds, and running jobs. Errors: FS_EDATA for charges beyond a double. */
int fs_usage_finish(fs_usage *u, struct fs_error *err);
void fs_usage_free(fs_usage *u);

/* TRES seconds of the row with all below it; NAN unknown. */
double fs_usage_total(const fs_usage *u, size_t row);

struct fs_usage_info {
	int64_t at, last_run;           /* the time, and the last decay run before it */
	enum fs_decay decay;            /* the model */
	int64_t half_life_s, period_s;
	size_t records, running;        /* charged: past jobs, running jobs */
	size_t departed;                /* of users who are no longer in the account: it bears their usage itself */
	double departed_tres_s;         /* what they still count */
	size_t orphans;                 /* records of accounts that are not in the snapshot: charged to none */
	double orphan_tres_s;
	size_t other_flags;             /* runs that began under other PriorityFlags (MAX_TRES) */
	size_t recorded_rates;          /* runs whose partition or weights are gone: billed as recorded, whole units */
	size_t unbilled;                /* neither partition nor recorded billing: not charged */
	int64_t oldest;                 /* start of the first record; INT64_MAX none */
	double before_oldest;           /* what a second used just before that would still count, 0 to 1 */
	int64_t reset_time;             /* usage was reset then; INT64_MIN never */
};
void fs_usage_info(const fs_usage *u, struct fs_usage_info *out);

/* What of present usage still counts after so many half-lives, by the decay model chosen. */
double fs_usage_after(const fs_usage *u, double half_lives);

/* ---- spending ------------------------------------------------------------------------------------ */

/* Who spent the usage that still counts: charges summed by association, with the dearest jobs of each. */
typedef struct fs_spending fs_spending;

enum { FS_SPENDING_JOBS = 10 };

struct fs_spent_job {
	uint64_t job;
	int64_t start_time, end_time; /* as in struct fs_charge */
	bool running;
	double rate, factor, seconds, tres_s; /* as in struct fs_charge */
};

struct fs_spender {
	const char *account, *user, *partition; /* all "" in the last row: accounts that are not in the snapshot */
	uint32_t row; /* as in fs_share_row; UINT32_MAX in the last row */
	double tres_s;
	uint64_t jobs; /* runs of jobs: a requeued one has several */
	const struct fs_spent_job *job; /* the dearest first */
	size_t listed;                  /* of them */
};

int fs_spending_new(fs_spending **out, const fs_snapshot *s, struct fs_error *err);
int fs_spending_charge(void *spending, const struct fs_charge *charge); /* an fs_charge_fn */
void fs_spending_free(fs_spending *p);

/* After the last charge: the spenders of an account and all below it (NULL: all), the greatest first.
 * Errors: FS_EUSAGE no such account. */
int fs_spending_rank(fs_spending *p, const char *account, struct fs_error *err);
size_t fs_spending_count(const fs_spending *p);
const struct fs_spender *fs_spending_row(const fs_spending *p, size_t i);

/* ---- share grants -------------------------------------------------------------------------------- */

/* Where an account's shares come from: pool * fraction for each grant. */
struct fs_grant_row {
	const char *account, *kind, *comment;
	double pool;      /* shares; NAN: cannot be computed, why says so */
	double hardware;  /* TRES of the pool's partitions, where the pool was computed from them; else NAN */
	double fraction;
	double shares;    /* pool * fraction */
	size_t accounts;  /* the fraction is one in so many; 0: it was stated */
	const char *partitions; /* of the pool, comma separated; "" when the pool was stated */
	const char *why;  /* NULL, or what is missing */
};

typedef struct fs_grants fs_grants;

/* Grants of all accounts in the order of their records. Errors: FS_ENODATA when there are none. */
int fs_grants_compute(fs_grants **out, const fs_snapshot *s, struct fs_error *err);
void fs_grants_free(fs_grants *g);
size_t fs_grants_count(const fs_grants *g);
const struct fs_grant_row *fs_grants_row(const fs_grants *g, size_t i);

/* ---- shares -------------------------------------------------------------------------------------- */

typedef struct fs_shares fs_shares;

enum fs_raw_shares { FS_SHARES_UNSET, FS_SHARES_NUMBER, FS_SHARES_PARENT };

struct fs_share_row {
	const char *account, *parent, *user, *partition; /* "" when there is none */
	uint32_t id;
	uint32_t depth;  /* root 0 */
	uint32_t row;    /* position in the tree, parents first */
	uint32_t parent_row; /* UINT32_MAX: none */
	enum fs_raw_shares shares_kind;
	uint32_t raw_shares;
	double norm_shares;     /* 0..1 of the siblings (Fair Tree) or of the cluster (classic) */
	double raw_usage;       /* TRES seconds, decayed */
	double norm_usage;      /* 0..1 of the cluster; NAN at root */
	double effective_usage; /* 0..1, as the algorithm defines it */
	double fairshare;       /* factor 0..1; NAN where there is none */
	double level_fs;        /* shares over usage among siblings; NAN where there is none */
	uint32_t rank;          /* of a user in Fair Tree and Flux: N is best, 1 worst; 0 none */
	double low, high;       /* flux_range: the slice of 0..1 that belongs to the row; NAN elsewhere */
	double position;        /* flux_range: its place in the slice of its parent, 0..1 */
	uint32_t tied;          /* flux_range: siblings of the same usage over shares, with itself; 0 none */
	bool counted;           /* false: inactive, or left out by the scheduler: no part in fair share */
	bool active;            /* by itself: false only where the scheduler says so */
	double held_fairshare;  /* Flux: the factor the scheduler's tables held; NAN unknown */
	double listed_usage;    /* Flux: usage as the scheduler's tables list it, inactive rows included */
	bool visible;           /* to the viewer */
};

/* What flux_range makes of x, usage over shares among siblings: 2^-x, 1/(1+x), or the place in the order. */
enum fs_position { FS_POSITION_POW2, FS_POSITION_RATIO, FS_POSITION_RANK };
const char *fs_position_name(size_t i); /* by value; NULL past the end */

struct fs_shares_options {
	const char *algorithm; /* NULL: what the snapshot's scheduler uses */
	enum fs_position position;
	const char *viewer;    /* login name whose permissions apply; NULL sees all */
	unsigned compat;       /* FS_SLURM_VERSION to behave like, 0: the snapshot's */
	enum fs_maui_dialect maui_dialect; /* of algorithm maui */
	const fs_usage *usage; /* NULL: as recorded */
};

/* Errors: FS_EUSAGE no such algorithm, FS_ENODATA no associations (maui: no credentials), or not what the algorithm
 * asked for needs. */
int fs_shares_compute(fs_shares **out, const fs_snapshot *s,
		      const struct fs_shares_options *options, struct fs_error *err);
void fs_shares_free(fs_shares *s);

size_t fs_shares_count(const fs_shares *s);
const struct fs_share_row *fs_shares_row(const fs_shares *s, size_t i); /* borrowed from s */
const char *fs_shares_algorithm(const fs_shares *s);
bool fs_shares_has_levels(const fs_shares *s); /* does the algorithm define level_fs? */
bool fs_shares_has_ranges(const fs_shares *s); /* low, high and position? */
uint32_t fs_shares_users(const fs_shares *s);  /* users ranked */

/* Names of the algorithms, NULL past the end. */
const char *fs_algorithm_name(size_t i);

/* TRES of a row in the cluster's order: pointers to at most max entries of out; returns how many there
 * are, or -1 when unknown. */
enum fs_share_tres { FS_GRP_TRES_MIN, FS_USAGE_TRES_MIN, FS_RUN_TRES_MIN };
int fs_shares_tres(const fs_shares *s, size_t i, enum fs_share_tres which, struct fs_tres *out,
		   size_t max);
size_t fs_snapshot_tres_count(const fs_snapshot *s);

/* Exact seconds behind two of them: decayed usage (rounded to six decimals, as Slurm passes it on) and TRES
 * seconds promised to running jobs. At most max doubles; how many there are, or -1 when unknown. */
int fs_shares_tres_seconds(const fs_shares *s, size_t i, enum fs_share_tres which, double *out,
			   size_t max);
const char *fs_snapshot_tres_name(const fs_snapshot *s, size_t i);

/* A double after the trip from Slurm's daemon to a client (src/common/pack.c:packdouble: as value * 10^6). */
double fs_slurm_wire(double v);

/* ---- Maui: credentials and their windows ---------------------------------------------------------- */

/* Usage of each user, group, account, QOS and class in windows of equal length, weighted by age, beside its
 * target; which jobs a fair-share cap holds back. */
typedef struct fs_windows fs_windows;

enum fs_cred_kind { FS_CRED_USER, FS_CRED_GROUP, FS_CRED_ACCT, FS_CRED_QOS, FS_CRED_CLASS, FS_CRED_KINDS };
enum fs_target_mode { FS_TARGET, FS_FLOOR, FS_CEILING, FS_CAP_REL, FS_CAP_ABS };

struct fs_windows_info {
	const char *policy; /* "[NONE]", "DEDICATEDPS", ... */
	bool ratio;         /* factors are ratios of usage to target, not differences */
	uint32_t depth;
	int64_t interval_s;
	double decay;
	int64_t start;               /* of window 0 */
	const double *weight;        /* of each window: decay to the power of its number */
	const double *total_usage_s; /* of each window */
	double usage_s;              /* of all windows, weighted */
};

struct fs_window_row {
	enum fs_cred_kind kind;
	const char *name;
	double target; /* its own, or that of DEFAULT; 0: none */
	enum fs_target_mode mode;
	bool inherited;        /* the target is DEFAULT's */
	const double *window_usage_s;
	double usage_s;        /* of all windows, weighted */
	double percent;        /* of the total */
	double factor;         /* what its jobs' priority gets, before weights and caps */
	bool off_target;       /* marked by diagnose -f */
	bool empty;            /* no target and no usage: diagnose -f shows it with -v only */
};

/* The cap that holds a job back: usage and need together are over it. */
struct fs_cap_row {
	uint64_t job;
	const char *job_name, *user;
	enum fs_cred_kind kind; /* whose cap it is */
	const char *name;
	enum fs_target_mode mode;
	double cap, usage, need; /* cap_abs: seconds; cap_rel: percent */
	double together;	 /* usage and need */
};

/* Errors: FS_ENODATA when the snapshot has no credentials, FS_EDATA for a bad configuration. */
int fs_windows_compute(fs_windows **out, const fs_snapshot *s, enum fs_maui_dialect dialect,
		       struct fs_error *err);
void fs_windows_free(fs_windows *w);
const struct fs_windows_info *fs_windows_info(const fs_windows *w);

/* By kind, then in the order of Maui's own lists. */
size_t fs_windows_count(const fs_windows *w);
const struct fs_window_row *fs_windows_row(const fs_windows *w, size_t i);

/* Window i: when it begins, and what usage in it counts for: usage times weight. */
int64_t fs_windows_start(const fs_windows *w, uint32_t i);
double fs_windows_counted_s(const fs_windows *w, const struct fs_window_row *row, uint32_t i);

/* Is the job of that row (fs_prio_row.job_row, below fs_snapshot_info's jobs) waiting, and over a cap? Then it cannot
 * start, Maui's reason being "FairShare". */
bool fs_windows_capped(const fs_windows *w, uint32_t job_row, struct fs_cap_row *out);

const char *fs_cred_kind_name(enum fs_cred_kind kind); /* "user", "group", "acct", "qos", "class" */
const char *fs_target_mode_name(enum fs_target_mode mode); /* "target", "floor", ... */

/* ---- priorities ---------------------------------------------------------------------------------- */

typedef struct fs_prios fs_prios;

/* The terms of Slurm's multifactor sum, in the order in which sprio adds them. Flux has four: fairshare, queue,
 * bank, urgency. */
#define FS_FACTORS(X)                                                                              \
	X(AGE, "age") X(ASSOC, "assoc") X(FAIRSHARE, "fairshare") X(JOBSIZE, "jobsize")            \
	X(PARTITION, "partition") X(QOS, "qos") X(SITE, "site") X(NICE, "nice")
#define FS_FACTOR_ENUM(tag, name) FS_FACTOR_##tag,
enum fs_factor {
	FS_FACTORS(FS_FACTOR_ENUM) FS_FACTOR_TRES,
	FS_FACTOR_QUEUE,
	FS_FACTOR_BANK,
	FS_FACTOR_URGENCY,
	FS_FACTOR_MAUI /* by its name alone */
};
#undef FS_FACTOR_ENUM

struct fs_prio_term {
	enum fs_factor factor;
	const char *name;  /* "age", ..., "tres/cpu" */
	double value;      /* the factor before its weight; site and nice: the number itself; urgency: less 16 */
	double weight;     /* site 1, nice -1 */
	double points;     /* what the sum gets, signed */
	double cut;        /* what a cap took from the factor: value is what it left; 0 where there is none */
};

/* Maui adds its terms up in components, each with a weight and a cap of its own. */
struct fs_prio_group {
	const char *name;        /* "service", "target", "cred", "fs", "res", "usage" */
	double weight, cap;      /* cap <= 0: none */
	double value;            /* of the row last asked for: sum of its terms before this weight, at most cap */
	size_t first, count;     /* its terms; the last one of a component with a cap is what the cap takes */
};

/* What a scheduler does to the sum until it is the priority it holds. */
enum fs_step {
	FS_STEP_ROUNDED,  /* half away from zero (Flux) */
	FS_STEP_CLAMPED,  /* not below 0 (Flux) */
	FS_STEP_RAISED,   /* to 1, the least (Maui) */
	FS_STEP_CUT,      /* to the most there is (Maui) */
	FS_STEP_SYSTEM,   /* replaced or raised by the system priority an administrator set (Maui) */
	FS_STEP_FRACTION, /* dropped (Maui) */
	FS_STEPS
};
struct fs_prio_step {
	enum fs_step step;
	double value; /* after it */
};

struct fs_prio_row {
	uint64_t job;
	const char *partition, *user, *account, *qos, *sluid, *state;
	const char *name; /* of the job, which in Maui is its id */
	uint32_t job_row; /* the same for all rows of a job */
	uint32_t uid;
	const struct fs_prio_term *terms; /* as many as fs_prios_terms(); valid until the next row call */
	bool direct;     /* priority set by an administrator: the terms do not count */
	double sum;      /* of the points, before truncation; NAN: an input is unknown */
	double priority; /* as sprio prints it: whole, at least 1 (Flux: 0 is held); NAN likewise */
	double held;     /* as the scheduler holds it: in Slurm at most 4294967295 */
	double urgency;  /* Flux, 0 to 31: 0 and 31 set the priority directly; NAN elsewhere */
	struct fs_prio_step steps[FS_STEPS]; /* Flux, Maui: from the sum to the priority, those that change it */
	size_t nsteps;
	bool visible;    /* to the viewer */
};

struct fs_prios_options {
	const char *viewer;    /* as in fs_shares_options */
	const char *algorithm; /* of the fair-share factor */
	enum fs_position position;
	unsigned compat;       /* FS_SLURM_VERSION to behave like, 0: the snapshot's */
	const fs_usage *usage; /* its time is the clock; NULL: recorded usage and the snapshot's time */
	bool running;          /* Flux: rows for running jobs too */
	bool as_printed;       /* admin-set jobs in several partitions as sprio before 23.02 shows them */
	enum fs_maui_dialect maui_dialect;
};

/* One row for each partition (and QOS) a pending, eligible, unheld job asks for, by job id and falling
 * tier. Errors: FS_ENODATA when priorities are not multifactor, FS_EDATA for a bad configuration. */
int fs_prios_compute(fs_prios **out, const fs_snapshot *s, const struct fs_prios_options *options,
		     struct fs_error *err);
void fs_prios_free(fs_prios *p);

/* The same rows once more, for another thread: the terms of its last row are its own. p must outlive it, and nobody
 * may ask p for a row while it is made. */
int fs_prios_reader(fs_prios **out, const fs_prios *p, struct fs_error *err);

size_t fs_prios_count(const fs_prios *p);
size_t fs_prios_terms(const fs_prios *p);
void fs_prios_row(fs_prios *p, size_t i, struct fs_prio_row *row);

/* Only job_row and the numbers: what names the job stays empty. And only job_row. */
void fs_prios_brief(fs_prios *p, size_t i, struct fs_prio_row *row);
uint32_t fs_prios_job_row(const fs_prios *p, size_t i);

/* What the value of a term was made of, and by which rule. NAN: unknown. */
enum fs_inputs {
	FS_INPUTS_NONE,	 /* nothing beyond the value itself, or beyond fs_shares for the fair-share factor */
	FS_INPUTS_PLAIN, /* the number as it is: have */
	FS_INPUTS_RATIO, /* have / of, 0 if either is 0 */
	FS_INPUTS_AGE,	 /* have seconds of the `of` after which age is full; 0 while it does not age */
	FS_INPUTS_SIZE,	 /* have of `of` nodes, cpus of of_cpus: libfs/priority/slurm_factors.c */
	FS_INPUTS_WAITED, /* have seconds since `since`, in minutes */
	FS_INPUTS_EXPANSION /* (have seconds since `since` + time limit `limit_s`) / `of` */
};

struct fs_prio_inputs {
	enum fs_inputs rule;
	double have, of;
	double cpus, of_cpus, minutes; /* SIZE; minutes of the time limit if by_time */
	bool by_time, small;	       /* SIZE: SMALL_RELATIVE_TO_TIME, PriorityFavorSmall */
	double limit_s;		       /* EXPANSION */
	int64_t since;		       /* AGE, WAITED, EXPANSION: from when it counts; FS_UNKNOWN: the job does not age */
};

/* Of term t of row i. */
void fs_prios_inputs(const fs_prios *p, size_t i, size_t t, struct fs_prio_inputs *out);

/* Weights as configured; points to as many terms as fs_prios_terms(), only name and weight filled. */
const struct fs_prio_term *fs_prios_weights(const fs_prios *p);

/* Components; none but on Maui. Weights of terms are products with that of the component. */
size_t fs_prios_groups(const fs_prios *p);
const struct fs_prio_group *fs_prios_group(const fs_prios *p, size_t i);

/* Has any QOS a weight of its own for this term? Then it is shown even where its weight is 0. */
bool fs_prios_shown_by_qos(const fs_prios *p, size_t term);

/* ---- what jobs of Flux wait for --------------------------------------------------------------------- */

typedef struct fs_holds fs_holds;

struct fs_hold_row {
	const char *reason; /* a dependency ("max-run-jobs-queue", "after-success=..."), or "priority-wait", "held"
			     * (urgency 0), "priority-hold" (priority 0) */
	const char *limit;  /* column of flux-accounting that the dependency stands for, NULL if none */
	const char *scope;  /* the bank, or with of_queue the queue, in which the user's jobs are counted */
	bool of_queue;
	double value, used; /* the limit (infinite: none now), and what counts against it; NAN unknown */
	double wants;       /* what this job would add; NAN where there is no limit */
};

/* Of pending jobs; without any where the scheduler is not Flux. */
int fs_holds_compute(fs_holds **out, const fs_snapshot *s, struct fs_error *err);
void fs_holds_free(fs_holds *h);
size_t fs_holds_count(const fs_holds *h, uint32_t job_row);
const struct fs_hold_row *fs_holds_row(const fs_holds *h, uint32_t job_row, size_t i);

/* ---- accrue limits ------------------------------------------------------------------------------- */

/* May a pending job grow older, and if not, which limit stands in its way? */
typedef struct fs_accrue fs_accrue;

enum fs_accrue_state {
	FS_ACCRUE_NOT_ELIGIBLE, /* held, dependent, begin time in the future, or not pending */
	FS_ACCRUE_AGEING,       /* it has an accrue_time */
	FS_ACCRUE_ROOM,         /* it gets one when the scheduler next looks */
	FS_ACCRUE_WAITING       /* the limit is reached: it does not age */
};

struct fs_accrue_row {
	enum fs_accrue_state state;
	const char *limit; /* name of the tightest limit it is under, NULL if none */
	const char *scope; /* QOS or account that has it */
	uint32_t value, used; /* the limit, and the jobs (array tasks each) ageing under it */
	uint32_t ahead;       /* not ageing: jobs of lower id that wait for the same limit */
};

int fs_accrue_compute(fs_accrue **out, const fs_snapshot *s, struct fs_error *err);
void fs_accrue_free(fs_accrue *a);
void fs_accrue_job(const fs_accrue *a, uint32_t job_row, struct fs_accrue_row *out);

/* ---- jobs and the queue --------------------------------------------------------------------------- */

/* A job as it stands in the snapshot, 0 <= i < fs_snapshot_info()->jobs; texts "" when there is none. */
struct fs_job {
	uint64_t id, array_job, het_job; /* 0: it belongs to none */
	const char *name, *user, *group, *account, *state, *reason;
	const char *array_tasks; /* not yet split off: "1,3,5-9%2" */
	uint32_t task;		 /* of the array, if has_task */
	bool has_task;
	const char *node_list, *sched_nodes, *reservation, *dependency, *features, *licenses;
	uint32_t uid; /* if has_uid */
	bool has_uid;
	bool has_name; /* a job may be without a name, or have an empty one */
	int64_t priority, nodes, cpus, tasks; /* FS_UNKNOWN like those below */
	int64_t table_place; /* Maui: in the scheduler's job table */
	int64_t time_limit_s;	       /* or FS_UNLIMITED */
	int64_t submit_time, eligible_time, start_time, end_time, last_sched_eval;
	double efficiency; /* Maui: percent of its processor time used; NAN unknown */
};
void fs_snapshot_job(const fs_snapshot *s, size_t i, struct fs_job *out);

/* Item k of a job's lists: NULL, or false, past the end. TRES as requested, in the recorded order. */
const char *fs_job_partition(const fs_snapshot *s, size_t i, size_t k);
const char *fs_job_qos(const fs_snapshot *s, size_t i, size_t k);
bool fs_job_tres(const fs_snapshot *s, size_t i, size_t k, struct fs_tres *out);
bool fs_job_flag(const fs_snapshot *s, size_t i, const char *flag); /* Maui: "BACKFILL" */

/* seen[i]: may this login name see job i (PrivateData)? NULL sees all. Room for as many as there are jobs. */
void fs_snapshot_visible_jobs(const fs_snapshot *s, const char *viewer, bool *seen);

/* How many different nodes n jobs run on; a job whose nodes are not known counts with their number. -1 without
 * memory. */
int64_t fs_snapshot_count_nodes(const fs_snapshot *s, const uint32_t *rows, size_t n);

/* What is up of a cluster, and what running jobs use of it. */
struct fs_machine {
	int64_t procs, nodes;	     /* up; FS_UNKNOWN without nodes */
	int64_t busy_procs;	     /* no more than procs */
	int64_t busy_nodes;	     /* FS_UNKNOWN where neither the jobs' sizes nor the capture tell */
};
/* 0, or -1 without memory. */
int fs_snapshot_machine(const fs_snapshot *s, struct fs_machine *out);

struct fs_partition {
	const char *name;
	int64_t cpus, nodes; /* FS_UNKNOWN */
};
bool fs_snapshot_partition(const fs_snapshot *s, const char *name, struct fs_partition *out);
/* TRES k of all its nodes. */
bool fs_partition_tres(const fs_snapshot *s, const char *name, size_t k, struct fs_tres *out);

struct fs_reservation {
	const char *name, *nodes;
	int64_t start_time, end_time; /* FS_UNKNOWN */
};
bool fs_snapshot_reservation(const fs_snapshot *s, size_t i, struct fs_reservation *out);

/* Names of a node list expression such as `lab[001-040,50]`, each to the callback, which stops by returning
 * other than 0. -1 when it is no such expression. */
typedef int (*fs_host_fn)(void *ctx, const char *name, size_t len);
int fs_hostlist_each(const char *text, fs_host_fn fn, void *ctx);

/* Where a job stands: those that run, those that wait for nothing but their turn, and what blocks the rest. */
#define FS_SECTIONS(X)                                                                             \
	X(RUNNING, "running") X(ELIGIBLE, "eligible") X(REQUEST, "own request") X(HELD, "held")    \
	X(PARTITION, "partition") X(RESERVATION, "reservation") X(NODES, "nodes")                  \
	X(RESOURCES, "resources") X(ACCESS, "access") X(ASSOC_LIMIT, "association limit")          \
	X(QOS_LIMIT, "qos limit") X(TRANSIENT, "transient") X(COMPLETING, "completing")            \
	X(SUSPENDED, "suspended") X(ENDED, "ended") X(OTHER, "other")
#define FS_SECTION_ENUM(tag, name) FS_SECTION_##tag,
enum fs_section { FS_SECTIONS(FS_SECTION_ENUM) FS_SECTION_COUNT };
#undef FS_SECTION_ENUM
const char *fs_section_name(enum fs_section section);

/* What a pending reason means: one table for every command. */
struct fs_reason {
	const char *name; /* as the scheduler prints it */
	enum fs_section section;
	unsigned number;	     /* in Slurm 26.11; 0: another scheduler's */
	const char *limit, *resource; /* "GrpTRES", "CPUs"; "" if it is no limit */
	const char *meaning, *clears; /* clauses without a full stop; of a limit, said of the association or QOS */
	bool in_line; /* the scheduler still tries a job that shows it */
};
const struct fs_reason *fs_reason_at(size_t i); /* NULL past the end */

/* By the text a job shows, with what the controller adds or puts in its place ("ReqNodeNotAvail,_Unavail...",
 * "Nodes_required_for_job_are_DOWN,..."). NULL if it is none; "" is None. */
const struct fs_reason *fs_reason_find(const char *text);

/* The section of any job; *reason its entry or NULL. What Maui and Flux hold back only the queue knows. */
enum fs_section fs_job_section(const fs_snapshot *s, size_t i, const struct fs_reason **reason);

/* Is its section FS_SECTION_RUNNING? */
bool fs_job_runs(const fs_snapshot *s, size_t i);

/* How many jobs a record stands for: the tasks of an array not yet split off, else 1. *exact false: the
 * list was cut when it was captured, and there are more. */
uint64_t fs_job_tasks(const fs_snapshot *s, size_t i, bool *exact);

/* The keys by which a scheduler sorts its queue; each uses some of them, in an order of its own. */
#define FS_QUEUE_KEYS(X)                                                                           \
	X(NONE, "", "")                                                                            \
	X(PREEMPTION, "preemption", "the one ahead may preempt it")                                \
	X(RESERVATION, "reservation", "the one ahead has a reservation")                           \
	X(TIER, "tier", "the one ahead is in a partition of a higher PriorityTier")                \
	X(PRIORITY, "priority", "the one ahead has a higher priority")                             \
	X(SUBMIT, "submit time", "equal so far, and the one ahead was submitted earlier")          \
	X(JOBID, "job id", "equal so far, and the one ahead has a lower job id")                   \
	X(TASK, "task id", "equal so far, and the one ahead is an earlier task of the array")      \
	X(LISTED, "listed", "the same job, asked for in this partition or QOS first")              \
	X(TABLE, "job table", "equal so far, and the one ahead comes first in the scheduler's job table")
#define FS_QUEUE_KEY_ENUM(tag, name, text) FS_KEY_##tag,
enum fs_queue_key { FS_QUEUE_KEYS(FS_QUEUE_KEY_ENUM) FS_KEY_COUNT };
#undef FS_QUEUE_KEY_ENUM
const char *fs_queue_key_name(enum fs_queue_key key); /* "tier" */
const char *fs_queue_key_text(enum fs_queue_key key); /* why a row stands behind its predecessor */

/* The pending jobs in the order in which the scheduler tries them: a row for each partition and QOS a job asks
 * for. First those in line, then those it does not try now, by the same keys. */
typedef struct fs_queue fs_queue;

struct fs_queue_row {
	uint64_t job;
	uint32_t job_row;
	const char *partition, *qos; /* "" if the job names none */
	const char *user, *account;
	enum fs_section section;
	const struct fs_reason *reason; /* NULL: not a known one */
	uint32_t position; /* of the job in line, from 1; 0: not in line, or a later row of its job */
	uint32_t partition_position; /* in line there, from 1 */
	enum fs_queue_key key, partition_key;  /* what puts it behind the one before, overall and there */
	int64_t tier;	 /* of the partition */
	double priority; /* of the record; NAN unknown */
	uint64_t tasks;	 /* fs_job_tasks */
	uint64_t partition_tasks_ahead;
	bool in_line;			   /* does the scheduler try it now? */
	bool tasks_exact, visible;
};

struct fs_queue_options {
	const char *viewer, *algorithm; /* these as in fs_prios_options */
	enum fs_position position;
	enum fs_maui_dialect maui_dialect;
	const fs_usage *usage;
	fs_prios *prios; /* of the same snapshot and options, not to be computed again; or NULL */
};

/* Errors: FS_ENODATA when no order is known for the scheduler, FS_EDATA for a bad configuration. */
int fs_queue_compute(fs_queue **out, const fs_snapshot *s, const struct fs_queue_options *options,
		     struct fs_error *err);
void fs_queue_free(fs_queue *q);

/* The same in two steps, of which the first needs no priorities: they may be computed meanwhile, in another thread.
 * Nothing but fs_queue_finish and fs_queue_free may be done to what fs_queue_begin gives. When fs_queue_finish fails
 * it is still the caller's to free. */
int fs_queue_begin(fs_queue **out, const fs_snapshot *s, const struct fs_queue_options *options,
		   struct fs_error *err);
int fs_queue_finish(fs_queue *q, const struct fs_queue_options *options, struct fs_error *err);

size_t fs_queue_count(const fs_queue *q);
void fs_queue_row(const fs_queue *q, size_t i, struct fs_queue_row *out);

/* Of a row, what can be told without looking at its job: for walking over all of them. */
struct fs_queue_place {
	uint32_t job_row;
	const char *partition;
	uint32_t position;
	uint32_t before; /* row before it in line in its partition, UINT32_MAX none */
	int64_t tier;
	double priority; /* as in fs_queue_row */
	bool in_line, visible;
	bool direct; /* the priority was set by an administrator, or (Flux) by urgency 0 or 31 */
};
void fs_queue_place(const fs_queue *q, size_t i, struct fs_queue_place *out);

/* The first key by which rows a and b differ, NONE if they are the same row. */
enum fs_queue_key fs_queue_parts(const fs_queue *q, size_t a, size_t b);

/* The keys by which this scheduler sorts, the first one first; NONE past the end. */
enum fs_queue_key fs_queue_order(const fs_queue *q, size_t i);

/* Do the jobs of all partitions stand in one line (Maui, whose partitions here are classes)? Else each partition has
 * one of its own. */
bool fs_queue_one_line(const fs_queue *q);

/* ---- plan ---------------------------------------------------------------------------------------- */

/* When each pending job may start: an offline run of the scheduler over the snapshot's nodes. Run times are the
 * time limits, nothing arrives, priorities stay as they are, and limits are not simulated: a job that shows one
 * keeps waiting for it. fs_plan_assumption says so in words. */
typedef struct fs_plan fs_plan;

enum fs_plan_mode {
	FS_PLAN_BACKFILL,    /* a job may go ahead when it delays no start planned before it */
	FS_PLAN_BY_PRIORITY, /* nobody passes a job of its partition that cannot start */
};

#define FS_PLAN_STATES(X)                                                                          \
	X(NOW, "now") X(LATER, "planned") X(BEYOND, "beyond window") X(NOT_REACHED, "not reached") \
	X(BEGINS, "not before") X(BLOCKED, "blocked") X(NEVER, "never")
#define FS_PLAN_STATE_ENUM(tag, name) FS_PLAN_##tag,
enum fs_plan_state { FS_PLAN_STATES(FS_PLAN_STATE_ENUM) FS_PLAN_STATE_COUNT };
#undef FS_PLAN_STATE_ENUM
const char *fs_plan_state_name(enum fs_plan_state state);

/* What it waits for. */
#define FS_PLAN_WAITS(X)                                                                           \
	X(NOTHING, "") X(CPUS, "CPUs") X(MEMORY, "memory") X(GRES, "GPUs and other gres")          \
	X(NODES, "nodes") X(RESERVATION, "a reservation to end") X(PLANNED, "nodes planned for others") \
	X(AHEAD, "jobs ahead")
#define FS_PLAN_WAIT_ENUM(tag, name) FS_WAIT_##tag,
enum fs_plan_wait { FS_PLAN_WAITS(FS_PLAN_WAIT_ENUM) FS_WAIT_COUNT };
#undef FS_PLAN_WAIT_ENUM
const char *fs_plan_wait_name(enum fs_plan_wait wait);

/* Parts of a request that the plan leaves out of account. */
enum {
	FS_UNMODELLED_FEATURES = 1, /* more than names with & or | */
	FS_UNMODELLED_LICENSES = 2,
	FS_UNMODELLED_GRES = 4,
	FS_UNMODELLED_RESERVATION = 8 /* one that is not in the snapshot */
};

/* One row for each pending job, in the order of the queue. */
struct fs_plan_row {
	uint64_t job;
	uint32_t job_row;
	enum fs_plan_state state;
	enum fs_section section;	/* BLOCKED: by what */
	const struct fs_reason *reason; /* as in fs_queue_row */
	const char *partition;		/* where it starts, or the first it asks for */
	int64_t start_time, end_time;	/* FS_UNKNOWN unless NOW, LATER, BEYOND or BEGINS */
	uint64_t tasks, tasks_planned;	/* of an array: how many there are, and have a start */
	int64_t last_start_time;	/* of the tasks planned */
	uint32_t nodes;			/* of the first start */
	enum fs_plan_wait wait;
	uint64_t frees;	  /* the job whose end makes room for it, 0 none */
	uint64_t held_by; /* the planned job that keeps it from an earlier start, 0 none */
	unsigned unmodelled;
	bool visible;
};

struct fs_plan_options {
	const char *viewer, *algorithm;
	enum fs_position position;
	enum fs_plan_mode mode;
};

/* Errors: FS_ENODATA without nodes or partitions in the snapshot, and as fs_queue_compute. */
int fs_plan_compute(fs_plan **out, const fs_snapshot *s, const struct fs_plan_options *options,
		    struct fs_error *err);
void fs_plan_free(fs_plan *p);
size_t fs_plan_count(const fs_plan *p);
void fs_plan_row(const fs_plan *p, size_t i, struct fs_plan_row *out);
const char *fs_plan_node(const fs_plan *p, size_t i, uint32_t k); /* name of node k of row i */
const char *fs_plan_assumption(const fs_plan *p, size_t i);	  /* a sentence; NULL past the end */
int64_t fs_plan_resolution_s(const fs_plan *p);
/* ---- explanations --------------------------------------------------------------------------------- */

/* Arranges what was computed already, to be told: differences and sums of given numbers, nothing else. */
typedef struct fs_explain fs_explain;

/* What it explains, all of one snapshot and one viewer; it borrows them. Any but the snapshot may be NULL: then what
 * rests on it is unknown. */
struct fs_explain_from {
	const fs_snapshot *snapshot;
	const fs_shares *shares;
	fs_prios *prios;
	const fs_queue *queue;
	const fs_accrue *accrue;
	const fs_holds *holds;	   /* Flux */
	const fs_windows *windows; /* Maui */
	const char *viewer; /* login name; NULL: sees all, and no job is "own" but those of the same user */
};

/* Errors: FS_ENOMEM. */
int fs_explain_new(fs_explain **out, const struct fs_explain_from *from, struct fs_error *err);
void fs_explain_free(fs_explain *x); /* and all that came out of it */

/* The job a user means: "12", "12_3" (a task, or the array it is not split off from yet), "12_[1-5]". UINT32_MAX: no
 * such job, or none that the viewer may see. */
uint32_t fs_explain_find_job(const fs_explain *x, const char *word);

/* The share row of an account (user ""), or of a user: in the account, or (account "") the default one, else the
 * first. UINT32_MAX: none visible. */
uint32_t fs_explain_find_row(const fs_explain *x, const char *account, const char *user);

/* ---- where a fair-share factor comes from */

/* One step of the way from below the root to the row: a row among those it competes with there. */
struct fs_explain_level {
	uint32_t row, above;	   /* share rows; above: whose children they are, `parent` accounts left out */
	const uint32_t *siblings;  /* all that compete here, itself included, best first where the algorithm ranks */
	uint32_t count;
	uint32_t place, tied;	   /* 1: first; others that stand equal, in Flux of the same kind. 0: not ranked */
	bool beside;		   /* Flux: a bank is equal to a user here; users stand first */
	double level_shares;	   /* sum of the siblings' raw shares */
	double x;		   /* Flux: usage over shares, both as parts of the level; NAN: it has none of one */
	double parent_ratio, level_ratio, damping; /* depth_oblivious: Rp, Rl, k; else NAN */
};

struct fs_explain_path {
	const char *algorithm;
	uint32_t row;
	const struct fs_explain_level *level; /* from the top down; none for the root */
	size_t levels;
	bool user;
	uint32_t users, rank;		  /* ranked users; its rank (N best, 1 last), 0 none */
	uint32_t better, tied, worse;	  /* users ranked before, with and after it */
	double factor;			  /* that priorities are computed with; NAN unknown or an account */
	double formula_usage, formula_shares, dampening; /* classic: 2^(-usage / shares / dampening) */
	uint32_t formula_row;		  /* whose usage and shares these are: an ancestor's if shares are `parent` */
	double recorded;		  /* factor the scheduler printed; NAN unknown */
	bool ranges;			  /* the factor is a place in slices, and the rank is told beside it */
	bool given;			  /* taken as the scheduler printed it: the tree was hidden from the capture */
	bool hidden;			  /* some of the rows it rests on may not be shown to the viewer */
};

/* Errors: FS_ENOMEM. */
int fs_explain_path(fs_explain *x, uint32_t share_row, struct fs_explain_path *out,
		    struct fs_error *err);

/* ---- a job */

/* What a term of Maui is made of, beyond its factor: weight = group * (own + qos), and what its cap takes. */
struct fs_explain_parts {
	double group_weight, own_weight, qos_weight;
	double uncut_value, uncut_points; /* before its cap */
	double cut_points;		  /* what the cap takes from the points, signed; 0 none */
};

/* Its sum in one partition (and QOS). */
struct fs_explain_sum {
	const char *partition, *qos;
	const struct fs_prio_term *terms;
	const struct fs_prio_inputs *inputs; /* of each term */
	size_t nterms;
	bool direct;
	double sum, total;   /* before and after the scheduler made it a whole number */
	double urgency;	     /* as in fs_prio_row */
	struct fs_prio_step steps[FS_STEPS]; /* as in fs_prio_row */
	size_t nsteps;
	const struct fs_explain_parts *parts; /* Maui: of each term; else NULL */
	const struct fs_prio_group *groups; /* Maui: components */
	size_t ngroups;
	double recorded;     /* priority the scheduler printed or holds; NAN unknown */
	const double *recorded_points; /* of each term, as printed in whole numbers; NULL: not recorded */
	double held;	     /* priority by which the queue was sorted: recorded where there is one; NAN unknown */
	int64_t tier;	     /* of the partition */
	uint32_t position, of; /* in its line (fs_queue_one_line: of all partitions); 0: it is not in line */
	uint32_t queue_row;  /* UINT32_MAX: none */
};

/* Jobs ahead, by account, user and array: groups in that order, each followed by its parts. */
struct fs_explain_group {
	unsigned depth;		/* 0 account, 1 user in it, 2 array of the user */
	const char *account, *user;
	uint64_t array;
	uint32_t entries;	/* of the queue: an array not split up is one */
	uint64_t jobs;		/* array tasks one by one */
	int64_t cpus, gpus;	/* they ask for; cpus FS_UNKNOWN: of some it is not known */
	double cpu_hours;	/* by their time limits; NAN: some are unknown, INFINITY: unlimited */
	uint32_t by[FS_KEY_COUNT]; /* entries that are ahead by each key */
	enum fs_queue_key key;	/* the most frequent */
	size_t term;		/* by priority: the factor with the greatest difference in their favour; SIZE_MAX none */
	double difference;	/* its points less this job's, on average */
	double lowest, highest, own; /* values of that factor: theirs and this job's */
	uint32_t direct;	/* entries whose priority an administrator has set */
	uint32_t passed;	/* entries that fall behind when both have their full age: waiting passes them; of Maui
				 * those that waiting gives fewer points an hour than the job */
	bool mine;
};

/* Another partition whose jobs compete for nodes of this one, or may. */
struct fs_explain_rival {
	const char *partition;
	int64_t tier; /* FS_UNKNOWN where the scheduler has none */
	bool certain; /* they share nodes; else their nodes are not recorded */
	uint32_t entries; /* ahead of this job in the whole queue, not counted above */
	uint64_t jobs;
};

struct fs_explain_ahead {
	const struct fs_explain_group *groups;
	size_t ngroups;
	struct fs_explain_group all; /* of all of them; account and user "" */
	const struct fs_explain_rival *rivals;
	size_t nrivals;
	uint32_t own_entries; /* of the job's user among them */
	uint32_t next;	      /* queue row right before it in its partition; UINT32_MAX none */
	uint32_t unseen;      /* entries the viewer may not see: not in any group */
	double gain;	      /* Maui: points an hour that waiting gives the job now; else NAN */
};

/* A limit the job is under. */
enum fs_limit_scope { FS_LIMIT_ASSOC, FS_LIMIT_ACCOUNT, FS_LIMIT_QOS, FS_LIMIT_PARTITION_QOS };

struct fs_explain_holder {
	const char *user, *account;
	uint64_t jobs;
	double amount;
};

struct fs_explain_limit {
	const char *name, *tres; /* "GrpTRES", "cpu"; tres "" if it counts jobs or time */
	enum fs_limit_scope scope;
	const char *of;	  /* account or QOS it belongs to */
	const char *whose; /* user or account counted in it, "" all */
	const char *partition, *qos; /* the choices it is in: "" in all of them */
	double value, used, wants; /* wants: what the job would add, or asks for. In TRES, jobs, seconds, TRES minutes */
	double factor;	  /* LimitFactor that `value` was multiplied by; 1: none */
	double promised;  /* TRES minutes that running jobs may still use and that count, too; NAN: they do not */
	bool per_job;	  /* what one job may ask for: nothing is used up */
	bool least;	  /* per_job: a minimum */
	bool blocks;	  /* with this job it would be passed */
	bool never;	  /* by this job alone */
	bool named;	  /* the job's reason names a limit of this kind */
	const struct fs_explain_holder *holders; /* who uses it, the greatest first */
	size_t nholders;
};

/* A partition the job may run in, with a QOS it may use there; "" unknown. */
struct fs_explain_choice {
	const char *partition, *qos;
	bool blocked; /* a limit is in its way */
	bool never;   /* one that no wait removes, or the partition cannot take it */
};

/* Something the job asks for that a partition does not have or allow at all. */
struct fs_explain_obstacle {
	const char *partition;
	const char *what; /* "cpu", "node", "gres/gpu", "time", "account", "qos" */
	const char *name; /* account or QOS not admitted; else "" */
	double wants, has; /* time in seconds */
};

enum fs_explain_state {
	FS_EXPLAIN_ENDED,
	FS_EXPLAIN_RUNNING,
	FS_EXPLAIN_NEVER, /* as things stand it cannot start: the job or the configuration must change */
	FS_EXPLAIN_HELD,
	FS_EXPLAIN_BLOCKED, /* it waits for something other than its turn */
	FS_EXPLAIN_QUEUED   /* it waits for its turn */
};

struct fs_explain_job {
	uint32_t job_row;
	enum fs_explain_state state;
	enum fs_section section;
	const struct fs_reason *reason; /* NULL: not a known one */
	const struct fs_explain_sum *sums; /* in the order in which they are tried; none if the job has no priority */
	size_t nsums;
	struct fs_explain_ahead ahead;	   /* of the first of them, if it is in line */
	bool has_accrue;
	struct fs_accrue_row accrue;
	uint32_t share_row;		   /* its association; UINT32_MAX unknown */
	struct fs_explain_path path;	   /* of it */
	const struct fs_explain_choice *choices; /* of Slurm: partitions by QOS, as the job lists them */
	size_t nchoices;
	const struct fs_explain_limit *limits; /* that block it, named ones first, then the other named ones */
	size_t nlimits;
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles;
	size_t nholds;			   /* Flux: fs_holds_row of it */
	uint32_t credential[FS_CRED_KINDS]; /* Maui: fs_windows_row of each kind; UINT32_MAX none */
	bool by_default[FS_CRED_KINDS];	    /* Maui: the PRIORITY that counts is that of DEFAULT */
	bool capped;			   /* Maui: a fair-share cap holds it back */
	struct fs_cap_row cap;
	bool jobs_hidden;  /* not all jobs were captured, or may be shown */
	bool jobs_missing; /* not all were captured: places and counts are those of the ones that were */
};

/* Errors: FS_ENOMEM. */
int fs_explain_job(fs_explain *x, uint32_t job_row, struct fs_explain_job *out,
		   struct fs_error *err);

/* Only its sums and its path: what comparing it with another needs. */
int fs_explain_job_brief(fs_explain *x, uint32_t job_row, struct fs_explain_job *out,
			 struct fs_error *err);

/* ---- a user or an account */

struct fs_explain_count {
	uint32_t pending, running, in_line, held, blocked; /* queue entries and jobs */
	uint32_t first;	   /* job row of the one that is tried first; UINT32_MAX none in line */
};
void fs_explain_count(const fs_explain *x, uint32_t share_row, struct fs_explain_count *out);

/* Of a credential of Maui: jobs that name it, or have it by default. `blocked` and `held` are parts of pending. */
void fs_explain_count_credential(const fs_explain *x, uint32_t window_row,
				 struct fs_explain_count *out);

/* The credential (fs_windows_row) a word means: "group:staff", or a name alone: a user, else a group, account, QOS or
 * class. UINT32_MAX: none. */
uint32_t fs_explain_find_credential(const fs_explain *x, const char *word);

/* ---- one against another */

/* Two credentials of Maui. They have no order of their own: each has a part in the sums of its jobs. */
struct fs_explain_credentials {
	bool same_kind;
	bool weighted;		  /* false: priorities cannot be computed, a and b have no terms */
	struct fs_prio_term a, b; /* fair-share terms of jobs of each */
	double factor, percent, usage_s, points; /* each of a less that of b */
};
void fs_explain_credentials_versus(const fs_explain *x, uint32_t window_row_a,
				   uint32_t window_row_b, struct fs_explain_credentials *out);

struct fs_explain_versus {
	bool same_line;		/* they stand in one line: of one partition, or where there is but one */
	bool overlap;		/* their partitions share nodes */
	bool nodes_known;	/* false: which nodes they have is not recorded */
	size_t sum_a, sum_b;	/* that are compared; SIZE_MAX: one has none */
	enum fs_queue_key key;	/* the first that parts them; NONE: not both are in line */
	int first;		/* -1: a goes first, 1: b, 0: unknown */
	size_t term;		/* key priority: the factor with the greatest difference for the first; SIZE_MAX none */
	const double *differences; /* points of a less points of b, by term; NULL where not both have terms */
	double total;		/* priority of a less that of b, as computed; NAN unknown */
	double held;		/* the same of fs_explain_sum.held, by which the queue is sorted */
};
/* Errors: FS_ENOMEM. */
int fs_explain_jobs_versus(fs_explain *x, const struct fs_explain_job *a,
			   const struct fs_explain_job *b, struct fs_explain_versus *out);

/* Where two paths part. */
struct fs_explain_parting {
	bool same;		/* one row, or one is above the other */
	size_t level_a, level_b; /* in their paths: siblings there */
	int first;		/* -1: a is better, 1: b, 0: equal or unknown */
	bool tied;		/* equal there */
};
void fs_explain_paths_part(const fs_explain *x, const struct fs_explain_path *a,
			   const struct fs_explain_path *b, struct fs_explain_parting *out);

/* ---- sorting ------------------------------------------------------------------------------------- */

/* Stable merge sort of n elements with a context for the comparison. Returns 0 or FS_ENOMEM. */
typedef int (*fs_compare_fn)(const void *a, const void *b, const void *ctx);
int fs_sort(void *v, size_t n, size_t size, fs_compare_fn compare, const void *ctx);

/* ---- verification -------------------------------------------------------------------------------- */

enum { FS_VERIFY_MAX = 24 };

struct fs_verify_column {
	const char *name; /* key of the `recorded` record; "listed": is there a row on both sides? */
	size_t compared, differ;
	size_t unknown; /* recorded, but not computable: an input is hidden */
};

struct fs_verify_result {
	struct fs_verify_column column[FS_VERIFY_MAX];
	size_t columns;
};

/* Computes shares and priorities and compares them with what the scheduler printed (`recorded`), as
 * closely as the printed digits, and those of the usage, allow. One sentence to the callback for each
 * value that differs. Errors: FS_EDATA for a bad configuration. */
int fs_snapshot_verify(const fs_snapshot *s, fs_note_fn note, void *ctx,
		       struct fs_verify_result *out, struct fs_error *err);

/* ---- writing JSON -------------------------------------------------------------------------------- */

/* Streaming writer: 64-bit integers exact, doubles shortest round-trip, NAN as null, infinity as the
 * string "inf", bytes that are not UTF-8 as U+FFFD. Members are private. */
struct fs_json {
	fs_write_fn write;
	void *ctx;
	size_t len;
	int depth;
	bool pretty, failed, need_comma, after_key;
	char buf[4096];
};

void fs_json_init(struct fs_json *j, fs_write_fn write, void *ctx, bool pretty);
int fs_json_finish(struct fs_json *j);   /* newline, then flush */
void fs_json_newline(struct fs_json *j); /* between the documents of a JSON Lines file */
int fs_json_flush(struct fs_json *j);   /* FS_EIO if any write failed */
void fs_json_object(struct fs_json *j);
void fs_json_end_object(struct fs_json *j);
void fs_json_array(struct fs_json *j);
void fs_json_end_array(struct fs_json *j);
void fs_json_key(struct fs_json *j, const char *key);
void fs_json_string(struct fs_json *j, const char *s);
void fs_json_bool(struct fs_json *j, bool v);
void fs_json_null(struct fs_json *j);
void fs_json_i64(struct fs_json *j, int64_t v);
void fs_json_u64(struct fs_json *j, uint64_t v);
void fs_json_double(struct fs_json *j, double v);

#endif
