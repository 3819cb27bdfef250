/* Slurm's multifactor priority: its configuration, and the factors of a job. */
#ifndef FSI_PRIORITY_SLURM_H
#define FSI_PRIORITY_SLURM_H

#include "model/job/request.h"
#include "priority/priority.h"
#include "priority/recorded.h"

/* What the factors are normalised by. NAN: unknown. */
struct fsi_slurm_totals {
	double cpus, nodes; /* of the cluster */
	double max_assoc, max_partition, max_qos;
};

struct fsi_slurm_prio {
	const fs_snapshot *m;
	struct fsi_slurm_conf conf;
	struct fsi_slurm_totals totals;
	uint32_t node; /* name of the TRES, 0 none */
	int64_t last_run; /* as in struct fs_prios */
	const fs_accrue *accrue; /* of the snapshot where the clock is past it; else NULL */
	const double *fairshare; /* by association, NULL without any */
	bool as_printed;
	bool told; /* sprio's rows are all that is known, so that every number is as it printed it */
	bool keeps_ended; /* fsi_slurm_keeps_ended */
	struct fsi_prio_recorded recorded; /* stands in for what was hidden */
	struct fsi_requests requests;
	/* What jobs in many partitions count for, which is the same in each of their rows; by job row its place in
	 * `many` plus 1, 0: not kept. NULL if there are no such jobs. */
	const uint32_t *many_of;
	const struct fsi_request *many;
};

/* The fs_prios' own data when its scheduler is Slurm. */
static inline struct fsi_slurm_prio *fsi_slurm_of(const struct fs_prios *p)
{
	return p->own;
}

/* Factors of each row: those of enum fs_factor up to QOS, then one for each TRES weight. */
enum { FSI_ROW_FACTORS = FS_FACTOR_QOS + 1 };

/* Rows of the jobs that sprio lists. -1 without memory. */
int fsi_slurm_add_jobs(struct fs_prios *p, const struct fs_prios_options *o);

/* libfs/priority/slurm_factors.c: what the factors of a job are made of, and the factors before weights; NAN where
 * an input is unknown. */
struct fsi_slurm_totals fsi_slurm_totals(const fs_snapshot *m);
double fsi_slurm_value(const struct fs_prio_inputs *in);
struct fs_prio_inputs fsi_inputs_age(const struct fsi_slurm_prio *p, const struct fsi_job *job);
struct fs_prio_inputs fsi_inputs_assoc(const struct fsi_slurm_prio *p, uint32_t assoc);
struct fs_prio_inputs fsi_inputs_jobsize(const struct fsi_slurm_prio *p, const struct fsi_job *job);
struct fs_prio_inputs fsi_inputs_partition(const struct fsi_slurm_prio *p, uint32_t partition);
struct fs_prio_inputs fsi_inputs_qos(const struct fsi_slurm_prio *p, const struct fsi_job *job,
				     uint32_t qos);
struct fs_prio_inputs fsi_inputs_tres(const struct fsi_slurm_prio *p, const struct fsi_job *job,
				      uint32_t partition, uint32_t tres);

#endif
