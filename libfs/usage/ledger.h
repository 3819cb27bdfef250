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
	struct fs_bill bill; /* bill of the job run that is being booked */
	/* indexed by association: TRES seconds of the association itself; after fs_usage_finish, also of all
	 * associations below it */
	long double *assoc_tres_s;
	/* indexed by association and TRES (m->tres.n elements per association): seconds of the association itself */
	double *tres_s;
	/* id in `m` of each name of the snapshot into which usage records are read, indexed by name id of that
	 * snapshot; 0: `m` does not have the name */
	FSI_VEC(uint32_t) record_name_ids;
	/* indexed by job row: the job is already booked, because a usage record with an end time describes its run */
	bool *job_is_booked;
	struct fs_usage_info info;
	bool tres_known, overflow;
};

/* One run of a job. Names are name ids of the ledger's snapshot. */
struct fsi_job_run {
	uint64_t job;
	uint32_t user, account, partition, qos, association; /* `association`: row */
	int64_t submit, eligible;                            /* FS_UNKNOWN if the record does not have the time */
	int64_t start, end;                                  /* `end`: INT64_MAX if the run has no known end */
	const char *state;
	bool running;
	const struct fsi_amount *tres;
	size_t n;
};

/* Books the charges of a job run from time `from` on. Returns 0, or FS_ENOMEM if the caller's charge callback asks to
 * stop. */
int fsi_ledger_book_run(fs_usage *u, const struct fsi_job_run *run, int64_t from);

enum { FSI_LEDGER_RUNNING = 1, FSI_LEDGER_ENDED = 2 };

/* Books the charges of the snapshot's jobs from time `from` on. `kinds`: FSI_LEDGER_ flags of the jobs to book. Skips
 * jobs that are already booked. Returns the codes of fsi_ledger_book_run. */
int fsi_ledger_book_jobs(fs_usage *u, unsigned kinds, int64_t from);

/* Books the charges at the rates per association that the caller's options assume. */
void fsi_ledger_book_rates(fs_usage *u);

/* Returns the seconds that association i itself used of the TRES with row `tres`; NAN: unknown. */
double fsi_ledger_tres_seconds(const fs_usage *u, uint32_t i, size_t tres);

/* Rates at which the snapshot's jobs are charged, for computing the charge of any interval. */

#define FSI_RATE_OF_ROW UINT64_MAX

struct fsi_rate {
	/* job id; FSI_RATE_OF_ROW: the rate does not come from a job; the caller of fs_usage_begin supplied it for
	 * the association */
	uint64_t job;
	uint32_t row;       /* row of the association */
	int64_t start, end; /* `end`: INT64_MAX if the job runs */
	double rate;        /* TRES seconds per second, times the UsageFactor of the job's QOS */
};

struct fsi_rates {
	struct fsi_decay decay;
	/* rates of jobs by ascending job id, then the rates of associations that the caller of fs_usage_begin
	 * supplied */
	struct fsi_rate *v;
	size_t n;
};

/* Fills *r with the rates of jobs that run at the time of u, of jobs that ended after `from`, and of associations with
 * a rate in u's options. If u is NULL, the time is the snapshot's time. Leaves out jobs without a known association. If
 * the snapshot has no configuration, there are no rates. Memory comes from the arena. Returns -1 if out of memory. */
int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *u, int64_t from, struct fsi_arena *arena);

/* Returns the charge of one decay run at time `to` for the seconds since `from`, or since rate->start if that is
 * later. */
double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to);

#endif
