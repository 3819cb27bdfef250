/* What a job costs a second: its TRES weighted by the partition's TRESBillingWeights.
 *
 * Source: src/slurmctld/job_mgr.c:calc_job_billable_tres, src/common/assoc_mgr.c:assoc_mgr_tres_weighted.
 *   no weights         allocated CPUs
 *   weights            sum of amount * weight over the TRES named; others cost nothing
 *   MAX_TRES           the greatest of cpu, mem, node and each gres, plus the sum of the rest
 *   MAX_TRES_GRES      the greatest of cpu, mem, node, plus the sum of gres, plus the rest
 * energy and billing never count.
 *
 * Flux: node_weight * nodes + core_weight * cores + gpu_weight * GPUs, whatever the queue
 * (fluxacct/accounting/job_usage_calculation.py). */
#ifndef FSI_USAGE_BILLING_H
#define FSI_USAGE_BILLING_H

#include "model/slurm.h"

#include "fs/usage.h"
#include "model/tables.h"

struct fsi_billing_weights {
	struct fsi_tres_weight *w; /* in the cluster's TRES order */
	size_t n;
	bool set; /* the partition has weights that can be read */
};

enum fsi_bill_mode { FSI_BILL_SUM, FSI_BILL_MAX, FSI_BILL_MAX_GRES, FSI_BILL_MODES };

struct fsi_billing {
	const fs_snapshot *m;
	enum fsi_bill_mode mode; /* configured */
	struct fsi_billing_weights *partition; /* by row of the model; NULL: the scheduler has none */
	struct fsi_billing_weights everywhere; /* Flux's; else not set */
	uint32_t cpu, mem, node, energy, billing; /* names, 0 when the cluster has none */
};

/* In the arena. -1 without memory. */
int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);

/* Returns the weights that a job in the partition of that row is billed by (FSI_NO_INDEX: no partition). Never NULL;
 * `set` is false if there are none. */
const struct fsi_billing_weights *fsi_billing_weights_in(const struct fsi_billing *b, size_t partition);

/* Fills terms and rate for n amounts in the partition of that row; FSI_NO_INDEX: they cost what their CPUs do. */
void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out);

/* UsageFactor of a QOS; 1 without one (NULL) and where it is not known. */
double fsi_usage_factor(const struct fsi_qos *q);

/* TRES seconds charged for so many seconds at that rate (priority_multifactor.c:_apply_new_usage). */
static inline double fsi_charged_tres_s(double rate, double factor, double seconds)
{
	return rate * factor * seconds;
}

/* TRES seconds that a pending job is charged if it runs to its time limit in the partition (NULL: unknown). NAN: not
 * known; INFINITY: no time limit. -1 without memory. */
int fsi_bill_to_limit(double *tres_s, const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* How a scheduler charges for jobs: what a second of one costs, when it is charged, and how that decays. Each has a row
 * in a file of its own here, which struct fsi_scheduler points to. */

struct fsi_arena;
struct fsi_billing;
struct fsi_decay;

struct fsi_charging {
	const char *who;       /* its name as people write it */
	enum fs_decay decay;   /* its model of decay */
	const char *half_life; /* name of the configuration's half-life, in seconds */
	bool while_running;    /* a job is charged while it runs; else when it is over */
	/* Fills in the weights of billing: those of each partition, or those that hold everywhere. -1 without
	 * memory. */
	int (*weights)(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);
	/* Fills in when usage was last reset; the rest of *d is complete. Errors as fsi_decay_init. */
	int (*reset)(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_charging fsi_charging_slurm, fsi_charging_flux;

#endif
