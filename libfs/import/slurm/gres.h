/* Generic resources of Slurm's jobs that are no TRES of the cluster. */
#ifndef FSI_IMPORT_SLURM_GRES_H
#define FSI_IMPORT_SLURM_GRES_H

#include "import/import.h"

/* TresPerJob and the like in a line of scontrol -o show job. */
struct fsi_slurm_tres_per {
	struct fsi_span job, node, task, socket;
};

/* Fills gres_req, after tres_req, nodes and tasks. */
int fsi_slurm_gres_asked(struct fsi_import *imp, struct fsi_job *job, const struct fsi_slurm_tres_per *asked);

/* Fills cpus_per_gpu and mem_per_gpu_mb from CpusPerTres and MemPerTres. */
int fsi_slurm_per_gpu(struct fsi_import *imp, struct fsi_job *job, struct fsi_span cpus, struct fsi_span memory);

/* Is `gpu:a100:2(IDX:0-1)` kept: of a job on several nodes, or no TRES of the cluster or of the job? */
bool fsi_slurm_gres_kept(const fs_snapshot *m, const struct fsi_job *job, struct fsi_span item, bool several);

#endif
