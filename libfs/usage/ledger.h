/* Charges of jobs, booked to associations: the inside of fs_usage. */
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
	struct fs_bill bill; /* of the job at hand */
	long double *leaf;   /* TRES seconds of each association itself, later with all below */
	double *tres_s;      /* seconds of each TRES, m->tres.n for each association itself */
	/* by name id of the model that records are read into: the id in the ledger's model; 0: not there */
	FSI_VEC(uint32_t) names;
	bool *seen;          /* by row of m->job: there was a record of this run, with its end */
	struct fs_usage_info info;
	bool tres_known, overflow;
};

/* A run of a job, named by ids of the ledger's model. */
struct fsi_run {
	uint64_t job;
	uint32_t user, account, partition, qos, association; /* association: row */
	int64_t submit, eligible;                            /* FS_UNKNOWN */
	int64_t start, end;                                  /* end INT64_MAX: it runs on */
	const char *state;
	bool running;
	const struct fsi_amount *tres;
	size_t n;
};

/* Books what the run is charged from `from` on. 0, or FS_ENOMEM when the callback stopped. */
int fsi_ledger_book(fs_usage *u, const struct fsi_run *run, int64_t from);

enum { FSI_LEDGER_RUNNING = 1, FSI_LEDGER_ENDED = 2 };

/* Books the runs of the snapshot's own jobs: those of the given kinds that have no record and run after `from`. */
int fsi_ledger_jobs(fs_usage *u, unsigned kinds, int64_t from);

/* Books what the caller's rates charge. */
void fsi_ledger_rates(fs_usage *u);

/* The seconds of one TRES that association i itself used; NAN unknown. */
double fsi_ledger_tres(const fs_usage *u, uint32_t i, size_t tres);

/* What each of the snapshot's own jobs is charged a second, for whoever asks what was charged when. */

#define FSI_RATE_OF_ROW UINT64_MAX

struct fsi_rate {
	uint64_t job;       /* id; FSI_RATE_OF_ROW: what of the usage's own rates is the row's */
	uint32_t row;       /* of the association */
	int64_t start, end; /* end INT64_MAX while it runs */
	double rate;        /* TRES seconds a second, times the UsageFactor of its QOS */
};

struct fsi_rates {
	struct fsi_decay decay;
	struct fsi_rate *v; /* rising job ids */
	size_t n;
};

/* Fills the rates of the jobs that run at the time of u, with what else it assumes to run (NULL: at the snapshot's),
 * and of those that ended after `from`, whose association is known; none without a configuration. In the arena. -1
 * without memory. */
int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *u, int64_t from, struct fsi_arena *arena);

/* What the job of `rate` is charged at once at time `to` for the seconds since `from`, or since its start. */
double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to);

#endif
