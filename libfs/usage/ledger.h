/* Ledger: charges of jobs, booked to associations. Defines struct fs_usage, which owns its arena and its arrays and
 * borrows the snapshot. usage/usage.h describes the steps of its computation. Reproduces Slurm's
 * src/plugins/priority/multifactor/priority_multifactor.c: _apply_new_usage. */
#ifndef FSI_USAGE_LEDGER_H
#define FSI_USAGE_LEDGER_H

#include "usage/billing.h"
#include "usage/decay.h"

struct fs_usage {
	struct fsi_arena arena;
	const fs_snapshot *m;
	struct fs_usage_options o;
	struct fsi_decay decay;
	struct fsi_billing billing;
	struct fs_bill bill; /* charge per second of the job run that is being booked, and the parts of this charge */
	/* indexed by association: TRES seconds of the association alone; after fs_usage_finish, including the usage of
	 * all associations below it */
	long double *assoc_tres_s;
	/* indexed by association and TRES (m->tres.n elements per association): TRES seconds of the association alone,
	 * without the associations below it */
	double *tres_s;
	/* Usage records are read into a snapshot of their own. record_name_ids[name id of that snapshot]: id of the
	 * same name in the ledger's snapshot `m`; 0: `m` does not have the name. */
	FSI_VEC(uint32_t) record_name_ids;
	/* indexed by job row: the job is already booked, because a usage record with an end time describes its run */
	bool *job_is_booked;
	struct fs_usage_info info;
	bool tres_known, overflow;
};

/* One run of a job. Names are name ids of the ledger's snapshot. */
struct fsi_job_run {
	uint64_t job;
	/* `association`: row of the association; the other members: name ids */
	uint32_t user, account, partition, qos, association;
	/* times of submission and eligibility, seconds since the epoch; FS_UNKNOWN: not in the usage record */
	int64_t submit, eligible;
	/* seconds since the epoch; `end`: INT64_MAX if the run has no known end */
	int64_t start, end;
	const char *state;
	bool running;
	const struct fsi_amount *tres;
	size_t n;
};

/* Books the charges of a job run from time `from` on. Returns 0, or FS_ENOMEM if the callback `charge` of the options
 * returns a nonzero value. */
int fsi_ledger_book_run(fs_usage *u, const struct fsi_job_run *run, int64_t from);

enum { FSI_LEDGER_RUNNING = 1, FSI_LEDGER_ENDED = 2 };

/* Books the charges of the snapshot's jobs from time `from` on. `kinds`: FSI_LEDGER_ flags of the jobs to book. Skips
 * jobs that a usage record has booked. Returns 0 or FS_ENOMEM, like fsi_ledger_book_run. */
int fsi_ledger_book_jobs(fs_usage *u, unsigned kinds, int64_t from);

/* Books the charges at the rates that the caller supplied for associations (option `rate` of struct
 * fs_usage_options). */
void fsi_ledger_book_rates(fs_usage *u);

/* Returns the usage of the TRES with row `tres`, in seconds: the usage of association i itself, without the
 * associations below it. NAN: unknown. */
double fsi_ledger_tres_seconds(const fs_usage *u, uint32_t i, size_t tres);

/* Rates at which the snapshot's jobs are charged, for computing the charge of any interval. */

#define FSI_RATE_OF_ROW UINT64_MAX

struct fsi_rate {
	/* job id; FSI_RATE_OF_ROW: the rate does not come from a job; the caller of fs_usage_begin supplied the rate
	 * for the association */
	uint64_t job;
	uint32_t row;       /* row of the association */
	int64_t start, end; /* seconds since the epoch; `end`: INT64_MAX if the job runs at fsi_rates.decay.at */
	double rate;        /* TRES seconds per second, times the UsageFactor of the job's QOS */
};

struct fsi_rates {
	struct fsi_decay decay;
	/* rates of jobs, sorted by job id; after them the rates that the caller of fs_usage_begin gave for
	 * associations */
	struct fsi_rate *v;
	size_t n;
};

/* Fills *r with the rates of running jobs, of jobs that ended after `from`, and of associations for which the options
 * of u give a rate. `u`: usage whose decay and options apply; NULL: the snapshot's time, without options. Leaves out
 * jobs without a known association. If u is NULL and the snapshot has no valid configuration, there are no rates.
 * Memory comes from the arena. Returns -1 if out of memory. */
int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *u, int64_t from, struct fsi_arena *arena);

/* Returns the charge that one run of the decay thread at time `to` adds. The charge is for the seconds since `from`, or
 * since rate->start if rate->start is later than `from`. */
double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to);

#endif
