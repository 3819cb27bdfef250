/* What jobs cost, how much of it still counts, who spent it, and where shares come from. */
#ifndef FS_USAGE_H
#define FS_USAGE_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* ---- TRES */

/* An amount of one kind of resource. */
struct fs_tres {
	const char *name; /* "cpu", "mem", "gres/gpu", borrowed */
	int64_t amount; /* of mem MiB */
};

/* ---- billing */

enum { FS_BILL_MAX = 64 }; /* terms of a bill, and TRES of a question, at most */

/* One TRES on a bill. */
struct fs_bill_term {
	const char *tres; /* its name, borrowed */
	double amount, weight, points; /* points = amount * weight */
	bool counts;                   /* false: a greater one stands for it (MAX_TRES) */
};

/* Cost of a second: rate is the sum of the points that count. */
struct fs_bill {
	struct fs_bill_term term[FS_BILL_MAX]; /* the first n of them */
	size_t n; /* TRES with an amount or a weight */
	double rate; /* TRES seconds a second */
	bool by_cpus; /* the partition has no weights: a CPU second costs 1 */
};

/* `cpu=16,mem=64G,gres/gpu=1` as Slurm writes amounts (mem in MiB, or with a unit), at most max of them, the names
 * borrowed from s. Returns how many, or FS_EUSAGE: a bad amount or a TRES the cluster has not. */
FS_API int fs_tres_parse(const fs_snapshot *s, const char *text, struct fs_tres *out, size_t max, struct fs_error *err);

/* What TRES (mem in MiB) cost in a partition. Errors: FS_EUSAGE no such partition or TRES. */
FS_API int fs_bill_tres(const fs_snapshot *s, const char *partition, const struct fs_tres *tres, size_t n,
			struct fs_bill *out, struct fs_error *err);

/* What all nodes of a partition together cost there. Errors: FS_EUSAGE no such partition; FS_ENODATA where the
 * snapshot does not tell what its nodes have. */
FS_API int fs_bill_nodes(const fs_snapshot *s, const char *partition, struct fs_bill *out, struct fs_error *err);

/* ---- usage */

/* Usage of every association at a time: as recorded and carried forward, or computed from job records. It
 * depends on nothing but the snapshot and these options. */
typedef struct fs_usage fs_usage;

/* As the scheduler's database has it, or summed up from job records. */
enum fs_usage_source { FS_USAGE_RECORDED, FS_USAGE_COMPUTED };
/* SLURM: in steps, by the runs of the scheduler's own calculation. EXACT: by the half-life at each moment. */
enum fs_decay { FS_DECAY_OF_SCHEDULER, FS_DECAY_SLURM, FS_DECAY_EXACT };

/* One job's part in it. */
struct fs_charge {
	uint64_t job; /* id */
	const char *user, *account, *partition, *qos; /* "" unknown */
	const char *state;       /* as recorded, "" unknown */
	int64_t submit_time, eligible_time; /* FS_UNKNOWN */
	uint32_t row;            /* of the association, as in fs_share_row; FS_NO_ROW: it is not in the snapshot */
	int64_t start_time; /* seconds since 1970 */
	int64_t end_time;        /* of a running job that of its limit; FS_UNLIMITED: it has none */
	bool running;            /* at the snapshot's time */
	double rate;             /* TRES seconds a second */
	double factor;           /* UsageFactor of the QOS */
	double seconds;          /* that still count after decay */
	double tres_s;           /* rate * factor * seconds */
	const struct fs_bill *bill; /* how rate came about; NULL: as recorded */
};

/* What is taken to run from the snapshot's time on. */
enum fs_running {
	FS_RUNNING_TO_LIMIT, /* what runs, each job to its limit */
	FS_RUNNING_FOR_EVER, /* what runs, as if no job ended */
	FS_RUNNING_NONE	     /* nothing */
};

typedef int (*fs_charge_fn)(void *ctx, const struct fs_charge *charge); /* not 0: stop, FS_ENOMEM */

/* How usage is made, and of what time. */
struct fs_usage_options {
	size_t size; /* FS_USAGE_OPTIONS_INIT */
	enum fs_usage_source source; /* where it comes from */
	enum fs_decay decay; /* how it shrinks */
	bool at_set; /* false: at says nothing, and the time is the snapshot's */
	int64_t at;          /* not before the snapshot's time */
	const int64_t *runs; /* all decay runs from the first of these to the last one, where they are known */
	size_t nruns; /* of runs; 0: they follow from the period */
	fs_charge_fn charge; /* told of every charge; NULL: none */
	void *charge_ctx; /* first argument of charge */
	enum fs_running running; /* beyond the snapshot's time */
	const double *rate; /* by row, of the association itself: TRES seconds a second charged from then on besides; NULL none */
	bool totals_only; /* usage by TRES is not computed, and not known of the result */
};
#define FS_USAGE_OPTIONS_INIT FS_INIT(struct fs_usage_options)

/* Begin, feed the job records (computed usage only), finish: then it can be asked.
 * Errors: FS_ENODATA no configuration or no associations, FS_EUSAGE a time before the snapshot's. */
FS_API int fs_usage_begin(fs_usage **out, const fs_snapshot *s, const struct fs_usage_options *options,
		   struct fs_error *err);

/* The `usage` records of the snapshot's file, one by one; memory does not grow with them. Errors: FS_EIO,
 * FS_EDATA. */
FS_API int fs_usage_read(fs_usage *u, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Adds the records the snapshot itself holds, and running jobs. Errors: FS_EDATA for charges beyond a double. */
FS_API int fs_usage_finish(fs_usage *u, struct fs_error *err);
FS_API void fs_usage_free(fs_usage *u); /* NULL is fine */

/* TRES seconds of the row with all below it; NAN unknown, or no such row. */
FS_API double fs_usage_total(const fs_usage *u, size_t row);

/* What usage is made of. */
struct fs_usage_info {
	int64_t at, last_run;           /* the time, and the last decay run before it */
	enum fs_decay decay;            /* the model */
	int64_t half_life_s, period_s; /* of the decay; between its runs */
	size_t records, running;        /* charged: past jobs, running jobs */
	size_t deleted_user_jobs;                /* of users who are no longer in the account: it bears their usage itself */
	double deleted_user_tres_s;         /* what they still count */
	size_t unknown_account_jobs;                 /* records of accounts that are not in the snapshot: charged to none */
	double unknown_account_tres_s; /* what they would count */
	size_t other_flag_jobs;             /* runs that began under other PriorityFlags (MAX_TRES) */
	size_t recorded_rate_jobs;          /* runs whose partition or weights are gone: billed as recorded, whole units */
	size_t unbilled;                /* neither partition nor recorded billing: not charged */
	int64_t oldest;                 /* start of the first record; FS_UNKNOWN none */
	double before_oldest;           /* what a second used just before that would still count, 0 to 1 */
	int64_t reset_time;             /* usage was reset then; INT64_MIN never */
	bool resets;                    /* it is, again and again (PriorityUsageResetPeriod) */
};
FS_API void fs_usage_info(const fs_usage *u, struct fs_usage_info *out); /* of the whole */
/* Seconds in which usage halves, as the snapshot has them; 0: it does not decay, NAN: not known, or not by halves. */
FS_API double fs_usage_half_life(const fs_snapshot *s);

/* The part of present usage that still counts after so many half-lives, by the decay model chosen. */
FS_API double fs_usage_after(const fs_usage *u, double half_lives);

/* ---- spending */

/* Who spent the usage that still counts: charges summed up by association, with the most expensive jobs of each. */
typedef struct fs_spending fs_spending;

enum { FS_SPENDING_JOBS = 10 }; /* most expensive jobs that are kept of each */

/* One of the most expensive jobs. */
struct fs_spent_job {
	uint64_t job; /* id */
	int64_t start_time, end_time; /* as in struct fs_charge */
	bool running; /* at the snapshot's time */
	double rate, factor, seconds, tres_s; /* as in struct fs_charge */
};

/* What one association spent. */
struct fs_usage_by_assoc {
	const char *account, *user, *partition; /* all "" in the last row: accounts that are not in the snapshot */
	uint32_t row; /* as in fs_share_row; FS_NO_ROW in the last row */
	double tres_s; /* what its charges still count */
	uint64_t jobs; /* runs of jobs: a requeued one has several */
	const struct fs_spent_job *job; /* the most expensive first */
	size_t listed;                  /* of them */
};

/* Begins without any charge. Error: FS_ENOMEM. */
FS_API int fs_spending_new(fs_spending **out, const fs_snapshot *s, struct fs_error *err);
FS_API int fs_spending_charge(fs_spending *p, const struct fs_charge *charge); /* FS_ENOMEM */
FS_API void fs_spending_free(fs_spending *p); /* NULL is fine */

/* After the last charge: the spenders of an account and all below it (NULL: all), the greatest first.
 * Errors: FS_EUSAGE no such account. */
FS_API int fs_spending_rank(fs_spending *p, const char *account, struct fs_error *err);
FS_API size_t fs_spending_count(const fs_spending *p); /* rows, after fs_spending_rank */
FS_API const struct fs_usage_by_assoc *fs_spending_row(const fs_spending *p, size_t i); /* borrowed from p */

/* ---- share grants */

/* Where an account's shares come from: each grant is worth pool * fraction. */
struct fs_grant_row {
	const char *account, *kind, *comment; /* as the record has them */
	double pool;      /* shares; NAN: cannot be computed, why says so */
	double hardware;  /* TRES of the pool's partitions, where the pool was computed from them; else NAN */
	double fraction; /* of the pool */
	double shares;    /* pool * fraction */
	size_t accounts;  /* the fraction is one in so many; 0: it was stated */
	const char *partitions; /* of the pool, comma separated; "" when the pool was stated */
	const char *why;  /* NULL, or what is missing */
};

/* Grants and what they are worth. */
typedef struct fs_grants fs_grants;

/* Grants of all accounts in the order of their records. Errors: FS_ENODATA when there are none. */
FS_API int fs_grants_compute(fs_grants **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_grants_free(fs_grants *g); /* NULL is fine */
FS_API size_t fs_grants_count(const fs_grants *g); /* rows */
FS_API const struct fs_grant_row *fs_grants_row(const fs_grants *g, size_t i); /* borrowed from g */

FS_END_DECLS

#endif
