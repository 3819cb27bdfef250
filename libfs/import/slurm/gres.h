/* Generic resources of Slurm's jobs that are no TRES of the cluster. */
#ifndef FSI_IMPORT_SLURM_GRES_H
#define FSI_IMPORT_SLURM_GRES_H

#include "import/import.h"

/* Fills gres_req from a line of scontrol -o show job, after tres_req, nodes and tasks. */
int fsi_slurm_gres_asked(struct fsi_import *imp, struct fsi_job *job, const struct fsi_kv *kv);

/* Is `gpu:a100:2(IDX:0-1)` some, and no TRES of the cluster or of the job? */
bool fsi_slurm_gres_apart(const fs_snapshot *m, const struct fsi_job *job, struct fsi_span item);

#endif
