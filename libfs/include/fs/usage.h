/* Usage: the cost of jobs, the usage of associations after decay, the spending of accounts and users, and grants of
 * shares. */
#ifndef FS_USAGE_H
#define FS_USAGE_H

#include <fs/snapshot.h>

FS_BEGIN_DECLS

/* ---- TRES */

/* An amount of one TRES. */
struct fs_tres {
	const char *name; /* name of the TRES, such as "cpu" or "gres/gpu"; borrowed */
	int64_t amount; /* amount of the TRES; mem is in MiB */
};

/* ---- billing */

/* maximum number of terms of a bill, and of TRES in one call of fs_bill_tres or fs_bill_nodes */
enum { FS_BILL_MAX = 64 };

/* One term of a bill: a TRES and its weight. */
struct fs_bill_term {
	const char *tres; /* name of the TRES, borrowed */
	double amount, weight, points; /* points = amount * weight */
	/* false: the rate excludes the term, because another TRES has more points (MAX_TRES) */
	bool counts;
};

/* Cost of one second of a request or a job. `rate` is the sum of the points of all terms with `counts` true. */
struct fs_bill {
	struct fs_bill_term term[FS_BILL_MAX]; /* terms of the bill; only the first `n` are set */
	size_t n; /* number of terms: TRES with an amount or a weight */
	double rate; /* charge rate, TRES seconds per second */
	bool by_cpus; /* true: the partition has no weights, so a CPU second costs 1 */
};

/* Parses up to `max` TRES amounts in Slurm's syntax, `cpu=16,mem=64G,gres/gpu=1` (mem in MiB, or with a unit). Names
 * are borrowed from s. Returns the number of amounts; FS_EUSAGE if an amount is invalid, or if the cluster does not
 * have the TRES. */
FS_API int fs_tres_parse(const fs_snapshot *s, const char *text, struct fs_tres *out, size_t max, struct fs_error *err);

/* Computes the cost per second of TRES amounts (mem in MiB) in a partition. Errors: FS_EUSAGE for an unknown partition
 * or TRES. */
FS_API int fs_bill_tres(const fs_snapshot *s, const char *partition, const struct fs_tres *tres, size_t n,
			struct fs_bill *out, struct fs_error *err);

/* Computes the cost per second of all nodes of a partition, with the TRES weights of the partition. Errors: FS_EUSAGE
 * for an unknown partition; FS_ENODATA if the TRES of the nodes are unknown. */
FS_API int fs_bill_nodes(const fs_snapshot *s, const char *partition, struct fs_bill *out, struct fs_error *err);

/* ---- usage */

/* Usage of every association at a given time: recorded usage with decay applied, or computed from job records. The
 * result depends only on the snapshot and the options. */
typedef struct fs_usage fs_usage;

/* Source of usage: the scheduler's database, or a sum over job records. */
enum fs_usage_source { FS_USAGE_RECORDED, FS_USAGE_COMPUTED };
/* Model of decay. OF_SCHEDULER: the model of the snapshot's scheduler. SLURM: usage decays in steps, one at each
 * priority calculation (decay run). EXACT: usage decays continuously, by the half-life. */
enum fs_decay { FS_DECAY_OF_SCHEDULER, FS_DECAY_SLURM, FS_DECAY_EXACT };

/* The charge for one run of a job. */
struct fs_charge {
	uint64_t job; /* job id */
	const char *user, *account, *partition, *qos; /* "": unknown */
	const char *state;       /* job state as recorded; "": unknown */
	int64_t submit_time, eligible_time; /* times in seconds since the epoch; FS_UNKNOWN: not known */
	uint32_t row;            /* share row of the association; FS_NO_ROW: not in the snapshot */
	int64_t start_time; /* start of the run, seconds since the epoch */
	/* end of the run; for a running job, start plus time limit; FS_UNLIMITED: the job has no time limit */
	int64_t end_time;
	bool running;            /* true: the job was running at the snapshot's time */
	double rate;             /* charge of the run, TRES seconds per second */
	double factor;           /* UsageFactor of the QOS */
	double seconds;          /* seconds of the run that count after decay */
	double tres_s;           /* the charge in TRES seconds: rate * factor * seconds */
	const struct fs_bill *bill; /* bill from which `rate` is computed; NULL: `rate` is recorded */
};

/* Assumption about jobs that run after the snapshot's time. */
enum fs_running {
	FS_RUNNING_TO_LIMIT, /* each running job runs until its time limit */
	FS_RUNNING_FOR_EVER, /* running jobs never end */
	FS_RUNNING_NONE	     /* no job runs after the snapshot's time */
};

/* Receives a charge. A nonzero return value stops the computation, which then fails with FS_ENOMEM. */
typedef int (*fs_charge_fn)(void *ctx, const struct fs_charge *charge);

/* Options of fs_usage_begin. */
struct fs_usage_options {
	size_t size; /* size of this struct in bytes; FS_USAGE_OPTIONS_INIT sets it */
	enum fs_usage_source source; /* source of usage: the scheduler's recorded usage, or job records */
	enum fs_decay decay; /* the model by which usage decays */
	bool at_set; /* true: compute the usage at time `at`; false: at the snapshot's time */
	int64_t at;          /* time of the usage, not earlier than the snapshot's time */
	/* times of past decay runs, seconds since the epoch, without gaps between the first and the last run; NULL:
	 * unknown */
	const int64_t *runs;
	size_t nruns; /* number of elements of `runs`; 0: one decay run in each calculation period is assumed */
	fs_charge_fn charge; /* receives every charge; NULL: no callback */
	void *charge_ctx; /* passed to `charge` as its first argument */
	enum fs_running running; /* assumption about jobs after the snapshot's time */
	/* indexed by share row: additional charge to the association of that row after the snapshot's time, TRES
	 * seconds per second; NULL: no additional charges */
	const double *rate;
	bool totals_only; /* true: only total usage is computed; the usage of each TRES is then unknown */
};
#define FS_USAGE_OPTIONS_INIT FS_INIT(struct fs_usage_options)

/* Starts a computation of usage. If usage is computed from job records, fs_usage_read then adds `usage` records.
 * fs_usage_finish completes the computation. The functions that return usage may be called only after fs_usage_finish.
 * Errors: FS_ENODATA if the snapshot has no configuration or no associations; FS_EUSAGE if the time `at` is before the
 * snapshot's time; FS_ENOMEM. */
FS_API int fs_usage_begin(fs_usage **out, const fs_snapshot *s, const struct fs_usage_options *options,
		   struct fs_error *err);

/* Reads the snapshot's file again and adds its `usage` records one by one, in constant memory. Errors: FS_EIO,
 * FS_EDATA. */
FS_API int fs_usage_read(fs_usage *u, fs_read_fn read, void *ctx, const char *name, struct fs_error *err);

/* Adds the usage records and the running jobs that the snapshot contains, and completes the computation. Errors:
 * FS_EDATA if a charge is too large for a double; FS_ENOMEM. */
FS_API int fs_usage_finish(fs_usage *u, struct fs_error *err);
FS_API void fs_usage_free(fs_usage *u); /* frees the usage; u may be NULL */

/* Returns the usage of a share row and of all rows below it, in TRES seconds. NAN: the usage is unknown, or there is no
 * such row. */
FS_API double fs_usage_total(const fs_usage *u, size_t row);

/* How usage was computed: the times, the decay, and the numbers of job runs that were or were not charged. */
struct fs_usage_info {
	/* seconds since the epoch; at: time of the usage; last_run: time of the last decay run before `at` */
	int64_t at, last_run;
	enum fs_decay decay;            /* the model by which usage decays */
	int64_t half_life_s, period_s; /* seconds; half_life_s: half-life of usage; period_s: time between decay runs */
	/* records: number of charged job runs that have ended; running: number of charged running jobs */
	size_t records, running;
	/* number of job runs that are charged to the account because their user has left it */
	size_t deleted_user_jobs;
	/* charges of the job runs that deleted_user_jobs counts, after decay, TRES seconds */
	double deleted_user_tres_s;
	/* number of job runs that are not charged, because the snapshot lacks their account */
	size_t unknown_account_jobs;
	/* charges that the job runs counted by unknown_account_jobs would have if their accounts were known, TRES
	 * seconds */
	double unknown_account_tres_s;
	/* number of job runs that began when the flag MAX_TRES differed from its value in the snapshot */
	size_t other_flag_jobs;
	/* number of job runs that are charged by the billing in their records, a whole number, because their partition
	 * is not in the snapshot or the present weights give a different billing */
	size_t recorded_rate_jobs;
	/* number of job runs not charged, because neither their partition nor their billing is known */
	size_t unbilled;
	int64_t oldest;                 /* earliest start among the job records; FS_UNKNOWN: there are none */
	double before_oldest;           /* 0..1: fraction of a charge at time `oldest` that still counts at time `at` */
	int64_t reset_time;             /* last reset of usage; INT64_MIN: never */
	bool resets;                    /* true: usage is reset periodically (PriorityUsageResetPeriod) */
};
FS_API void fs_usage_info(const fs_usage *u, struct fs_usage_info *out); /* fills *out */
/* Returns the configured half-life of usage, seconds. 0: usage does not decay. NAN: unknown, or decay has no
 * half-life. */
FS_API double fs_usage_half_life(const fs_snapshot *s);

/* Returns the fraction of the present usage that still counts after a number of half-lives, by the decay model of
 * `u`. */
FS_API double fs_usage_after(const fs_usage *u, double half_lives);

/* ---- spending */

/* For each association: the sum of its charges after decay, and its most expensive jobs. */
typedef struct fs_spending fs_spending;

enum { FS_SPENDING_JOBS = 10 }; /* number of most expensive jobs stored for each association */

/* One of the most expensive job runs of an association. */
struct fs_spent_job {
	uint64_t job; /* job id */
	int64_t start_time, end_time; /* start and end of the job run; special values as in struct fs_charge */
	bool running; /* true: the job was running at the snapshot's time */
	/* `rate`: TRES seconds per second; `factor`: UsageFactor of the QOS; `seconds`: seconds of the run that count
	 * after decay; `tres_s`: charge in TRES seconds */
	double rate, factor, seconds, tres_s;
};

/* Spending of one association. */
struct fs_usage_by_assoc {
	/* names of the association. The last row is the sum of all accounts that are not in the snapshot; its names are
	 * "". */
	const char *account, *user, *partition;
	uint32_t row; /* share row of the association; FS_NO_ROW in the last row */
	double tres_s; /* charges after decay, TRES seconds */
	uint64_t jobs; /* number of charged runs of jobs; a requeued job has several runs */
	const struct fs_spent_job *job; /* most expensive jobs of the association, greatest tres_s first */
	size_t listed;                  /* number of elements of `job` */
};

/* Creates an fs_spending object without charges. Errors: FS_ENOMEM. */
FS_API int fs_spending_new(fs_spending **out, const fs_snapshot *s, struct fs_error *err);
/* adds a charge to p; errors: FS_ENOMEM */
FS_API int fs_spending_charge(fs_spending *p, const struct fs_charge *charge);
FS_API void fs_spending_free(fs_spending *p); /* frees p, which may be NULL */

/* Selects the associations of an account and of all accounts below it (`account` NULL: all associations), and sorts
 * them by their charges, greatest first. Call this function after the last charge was added. Errors: FS_EUSAGE for an
 * unknown account. */
FS_API int fs_spending_rank(fs_spending *p, const char *account, struct fs_error *err);
FS_API size_t fs_spending_count(const fs_spending *p); /* number of rows; call fs_spending_rank first */
/* Returns row i, borrowed from p; NULL past the end. */
FS_API const struct fs_usage_by_assoc *fs_spending_row(const fs_spending *p, size_t i);

/* ---- share grants */

/* Shares that a `grant` record gives to an account, for example because the account bought hardware. The shares are a
 * fraction of a pool of shares. */
struct fs_grant_row {
	const char *account, *kind, *comment; /* members of the `grant` record */
	double pool;      /* number of shares in the pool; NAN: it cannot be computed, and `why` gives the reason */
	double hardware;  /* weighted TRES of the pool's partitions; NAN: the pool is not computed from partitions */
	double fraction; /* fraction of the pool that the account gets */
	double shares;    /* shares that the account gets: pool * fraction */
	/* number of accounts that get equal parts of the pool; 0: the `grant` record gives the fraction */
	size_t accounts;
	const char *partitions; /* partitions of the pool, comma separated; "": the `grant` record gives the pool */
	const char *why;  /* reason why the pool cannot be computed, such as "no partition is public"; NULL: none */
};

/* The share grants of all accounts, one row for each `grant` record. */
typedef struct fs_grants fs_grants;

/* Computes the grants of all accounts, in the order of the `grant` records. Errors: FS_ENODATA if there are no such
 * records; FS_ENOMEM. */
FS_API int fs_grants_compute(fs_grants **out, const fs_snapshot *s, struct fs_error *err);
FS_API void fs_grants_free(fs_grants *g); /* frees the grants; g may be NULL */
FS_API size_t fs_grants_count(const fs_grants *g); /* returns the number of grants */
FS_API const struct fs_grant_row *fs_grants_row(const fs_grants *g, size_t i); /* returns row i, which `g` owns */

FS_END_DECLS

#endif
