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
	struct fsi_tres_weight *w; /* weights in the cluster's TRES order */
	size_t n;
	bool set; /* true if the partition has weights and they can be parsed */
};

enum fsi_bill_mode { FSI_BILL_TRES_SUM, FSI_BILL_MAX, FSI_BILL_MAX_GRES, FSI_BILL_MODES };

struct fsi_billing {
	const fs_snapshot *m;
	enum fsi_bill_mode mode; /* billing mode that the configuration selects */
	/* weights of each partition, indexed by partition row; NULL: the scheduler has no weights per partition */
	struct fsi_billing_weights *partition;
	/* Flux: weights that apply to all queues; `set` is false for other schedulers */
	struct fsi_billing_weights all_queues;
	uint32_t cpu, mem, node, energy, billing; /* name ids of TRES; 0: the cluster has no such TRES */
};

/* Fills *b with the scheduler's billing mode and weights. Memory comes from the arena. */
int fsi_billing_init(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);

/* Returns the weights for jobs in a partition. `partition`: partition row; FSI_NO_INDEX: no partition. Never returns
 * NULL; if there are no weights, `set` is false. */
const struct fsi_billing_weights *fsi_billing_weights_in(const struct fsi_billing *b, size_t partition);

/* Fills *out with the rate at which a job with the n TRES amounts at `a` is charged in a partition, and with the terms
 * of this rate. `partition`: as for fsi_billing_weights_in. If that function finds no weights, the rate is the number
 * of CPUs. */
void fsi_billing_compute(const struct fsi_billing *b, enum fsi_bill_mode mode, uint32_t partition,
			 const struct fsi_amount *a, size_t n, struct fs_bill *out);

/* Returns the UsageFactor of a QOS; 1 if q is NULL or its UsageFactor is unknown. */
double fsi_usage_factor(const struct fsi_qos *q);

/* Returns the charge for `seconds` at `rate` with UsageFactor `factor`, in TRES seconds
 * (priority_multifactor.c:_apply_new_usage). */
static inline double fsi_compute_charge(double rate, double factor, double seconds)
{
	return rate * factor * seconds;
}

/* Sets *tres_s to the charge that pending job j will have if it runs to its time limit in partition p (NULL: unknown
 * partition). The charge is NAN if it is unknown, INFINITY if the job has no time limit. */
int fsi_bill_job_to_limit(double *tres_s, const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* How a scheduler charges jobs: the billing weights, the times of charges, and the decay and resets of usage. The
 * member `charging` of struct fsi_scheduler points to this struct. */

struct fsi_arena;
struct fsi_billing;
struct fsi_decay;

struct fsi_charging {
	const char *who;       /* name of the scheduler for messages */
	enum fs_decay decay;   /* decay model of the scheduler */
	const char *half_life; /* name of the configuration parameter for the half-life in seconds */
	bool while_running;    /* true: jobs are charged while they run; false: jobs are charged when they have ended */
	/* Fills in the weights of *b: the weights of each partition, or the weights that apply to all queues. Returns
	 * -1 if out of memory. */
	int (*weights)(struct fsi_billing *b, const fs_snapshot *m, struct fsi_arena *arena);
	/* Fills in the members of *d that describe resets of usage; all other members are already set. Returns the
	 * error codes of fsi_decay_init. */
	int (*reset)(struct fsi_decay *d, const fs_snapshot *m, struct fs_error *err);
};

extern const struct fsi_charging fsi_charging_slurm, fsi_charging_flux;

#endif
