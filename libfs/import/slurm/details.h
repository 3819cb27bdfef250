/* What other answers than scontrol -o show job tell of Slurm's jobs. Both return as fsi_import_lines. */
#ifndef FSI_IMPORT_SLURM_DETAILS_H
#define FSI_IMPORT_SLURM_DETAILS_H

#include "import/import.h"

/* Fills sluid, node_cpus, cpu_ids and node_gres of the jobs in the index. */
int fsi_slurm_details(struct fsi_import *imp, const struct fsi_id_index *index);

/* How many ids "0-5,8" are; 0 if it is not such a list. */
uint64_t fsi_slurm_count_ids(struct fsi_span ids);

/* Fills association. */
int fsi_slurm_squeue(struct fsi_import *imp, const struct fsi_id_index *index);

#endif
