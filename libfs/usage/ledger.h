/* Ledger: charges of jobs, booked to associations. Contains the inside of struct fs_usage, which owns its arena and
 * name list and borrows the snapshot; usage/usage.h describes the steps. Reproduces Slurm's
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
	struct fs_bill bill; /* bill of the run that is being booked */
	/* by association: TRES seconds of the association itself; after fs_usage_finish also of all below it */
	long double *assoc_tres_s;
	double *tres_s;      /* by association and TRES: seconds of the association itself, m->tres.n per association */
	/* by name id in the snapshot that records are read into: name id in m; 0: m has no such name */
	FSI_VEC(uint32_t) record_name_ids;
	/* by job row: the run of the job has a usage record with its end, so it is already booked */
	bool *job_is_booked;
	struct fs_usage_info info;
	bool tres_known, overflow;
};

/* One run of a job. Names are ids of the ledger's snapshot. */
struct fsi_job_run {
	uint64_t job;
	uint32_t user, account, partition, qos, association; /* association: row */
	int64_t submit, eligible;                            /* FS_UNKNOWN: not known */
	int64_t start, end;                                  /* end: INT64_MAX if the run has no known end */
	const char *state;
	bool running;
	const struct fsi_amount *tres;
	size_t n;
};

/* Books the charges of the run from time `from` on. Returns 0, or FS_ENOMEM if the caller's charge callback asks to
 * stop. */
int fsi_ledger_book_run(fs_usage *u, const struct fsi_job_run *run, int64_t from);

enum { FSI_LEDGER_RUNNING = 1, FSI_LEDGER_ENDED = 2 };

/* Books the jobs of the snapshot that are of the given kinds, have no usage record and run after `from`. Returns as
 * fsi_ledger_book_run. */
int fsi_ledger_book_jobs(fs_usage *u, unsigned kinds, int64_t from);

/* Books the charges that follow from the rates in the caller's options. */
void fsi_ledger_book_rates(fs_usage *u);

/* Returns the seconds that association i itself used of one TRES (by row); NAN: unknown. */
double fsi_ledger_tres_seconds(const fs_usage *u, uint32_t i, size_t tres);

/* Charges of the snapshot's jobs per second, for computing the charge of any interval. */

#define FSI_RATE_OF_ROW UINT64_MAX

struct fsi_rate {
	/* job id; FSI_RATE_OF_ROW: the rate is one that the caller of fs_usage_begin supplied for the association */
	uint64_t job;
	uint32_t row;       /* row of the association */
	int64_t start, end; /* end: INT64_MAX if the job runs */
	double rate;        /* TRES seconds per second, times the UsageFactor of the job's QOS */
};

struct fsi_rates {
	struct fsi_decay decay;
	struct fsi_rate *v; /* ascending job ids, then the rates of associations */
	size_t n;
};

/* Fills the rates of the jobs that run at the time of u (NULL: the snapshot's time), of jobs that ended after `from`,
 * and the rates that u's options assume. Jobs without a known association are left out. Without a configuration there
 * are no rates. Memory comes from the arena. Returns -1 if out of memory. */
int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *u, int64_t from, struct fsi_arena *arena);

/* Returns the charge, at time `to`, for the seconds of `rate` since `from` or since its start. They are charged at
 * once. */
double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to);

#endif
