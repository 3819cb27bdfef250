/* Slurm's multifactor priority. A row keeps only the factors; points and sum follow from them in one
 * place (fs_prios_row). */
#ifndef FSI_PRIORITY_H
#define FSI_PRIORITY_H

#include "fairshare/fairshare.h"
#include "model/slurm_conf.h"

/* What the factors are normalised by. NAN: unknown. */
struct fsi_prio_totals {
	double cpus, nodes; /* of the cluster */
	double max_assoc, max_partition, max_qos;
};

struct fsi_prio_row {
	uint32_t job, partition; /* rows of the model; partition FSI_NO_INDEX: not in the snapshot */
	uint32_t qos;            /* name */
	uint32_t partition_name;
};

/* Factors kept for each row: those of enum fs_factor up to QOS, then one for each TRES weight. */
enum { FSI_ROW_FACTORS = FS_FACTOR_QOS + 1 };

struct fs_prios {
	struct fsi_arena arena;
	const fs_snapshot *m;
	struct fsi_slurm_conf conf;
	struct fsi_prio_totals totals;
	struct fs_prio_term *weights, *terms; /* nterms each; terms is for the row last asked for */
	size_t nterms, nvalues;               /* nvalues factors a row */
	FSI_VEC(struct fsi_prio_row) row;
	double *values;
	struct fsi_viewer *viewer;
	unsigned compat;
	bool as_printed;
};

/* libfs/priority/slurm_factors.c: the factors of a job, before weights; NAN when an input is unknown. */
struct fsi_prio_totals fsi_prio_totals(const fs_snapshot *m);
double fsi_factor_age(const struct fs_prios *p, const struct fsi_job *job);
double fsi_factor_assoc(const struct fs_prios *p, uint32_t assoc);
double fsi_factor_jobsize(const struct fs_prios *p, const struct fsi_job *job);
double fsi_factor_partition(const struct fs_prios *p, uint32_t partition);
double fsi_factor_qos(const struct fs_prios *p, const struct fsi_job *job, uint32_t qos);
double fsi_factor_tres(const struct fs_prios *p, const struct fsi_job *job, uint32_t partition,
		       uint32_t tres);

#endif
