/* Billing: the rate at which a job is charged, in TRES seconds per second.
 *
 * Slurm: the allocated TRES weighted by the partition's TRESBillingWeights
 * (src/slurmctld/job_mgr.c:calc_job_billable_tres, src/common/assoc_mgr.c:assoc_mgr_tres_weighted).
 *   no weights         allocated CPUs
 *   weights            sum of amount * weight of the TRES that have a weight
 *   MAX_TRES           maximum over cpu, mem, node and each gres, plus the sum of the other TRES
 *   MAX_TRES_GRES      maximum over cpu, mem and node, plus the sum of gres, plus the sum of the other TRES
 * energy and billing are never charged.
 *
 * Flux: node_weight * nodes + core_weight * cores + gpu_weight * GPUs, in every queue
 * (fluxacct/accounting/job_usage_calculation.py).
 *
 * The weights belong to the caller's arena. Functions that return int return 0, or -1 if out of memory. */
#ifndef FSI_USAGE_BILLING_H
#define FSI_USAGE_BILLING_H

#include "model/slurm.h"

#include "fs/usage.h"
#include "model/tables.h"

struct fsi_billing_weights {
	struct fsi_tres_weight *w; /* in the cluster's TRES order */
	size_t n;
	bool set; /* true if the partition has weights and they can be parsed */
};

enum fsi_bill_mode { FSI_BILL_TRES_SUM, FSI_BILL_MAX, FSI_BILL_MAX_GRES, FSI_BILL_MODES };

struct fsi_billing {
	const fs_snapshot *m;
	enum fsi_bill_mode mode; /* mode that the configuration selects */
	struct fsi_billing_weights *partition; /* by partition row; NULL: the scheduler has no weights by partition */
	struct fsi_billing_weights everywhere; /* weights of all queues in Flux; not set for other schedulers */
	uint32_t cpu, mem, node, energy, billing; /* name ids of TRES; 0: the cluster has no such TRES */
};

/* Sets up the scheduler's billing weights. Memory comes from the arena. */
int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);

/* Returns the weights for jobs in the partition with that row (FSI_NO_INDEX: no partition). Never returns NULL; if
 * there are no weights, `set` is false. */
const struct fsi_billing_weights *fsi_billing_weights_in(const struct fsi_billing *b, size_t partition);

/* Fills the terms and the rate of a bill for n amounts in the partition with that row. Without weights (also for
 * FSI_NO_INDEX) the rate is the number of CPUs. */
void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out);

/* Returns the UsageFactor of a QOS; 1 if q is NULL or its UsageFactor is unknown. */
double fsi_usage_factor(const struct fsi_qos *q);

/* Returns the charge for `seconds` at `rate`, in TRES seconds (priority_multifactor.c:_apply_new_usage). */
static inline double fsi_compute_charge(double rate, double factor, double seconds)
{
	return rate * factor * seconds;
}

/* Sets *tres_s to the charge of a pending job that runs to its time limit in partition p (NULL: unknown). NAN: unknown;
 * INFINITY: the job has no time limit. */
int fsi_bill_job_to_limit(double *tres_s, const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* How a scheduler charges for jobs: what a second of one costs, when it is charged, and how that decays. Each has a row
 * in a file of its own here, which struct fsi_scheduler points to. */

struct fsi_arena;
struct fsi_billing;
struct fsi_decay;

struct fsi_charging {
	const char *who;       /* name of the scheduler for messages */
	enum fs_decay decay;   /* the scheduler's own decay model */
	const char *half_life; /* name of the configuration parameter for the half-life in seconds */
	bool while_running;    /* true: a job is charged while it runs; false: when it has ended */
	/* Fills in the weights in *b, by partition or for all queues. Returns -1 if out of memory. */
	int (*weights)(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);
	/* Fills in the last reset of usage in *d; all other members are set already. Returns the errors of
	 * fsi_decay_init. */
	int (*reset)(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_charging fsi_charging_slurm, fsi_charging_flux;

#endif
