/* The details of Slurm's jobs. */
#ifndef FSI_IMPORT_SLURM_DETAILS_H
#define FSI_IMPORT_SLURM_DETAILS_H

#include "import/import.h"

/* Fills sluid, node_cpus, cpu_ids and node_gres of the jobs in the index. Returns as fsi_import_lines. */
int fsi_slurm_details(struct fsi_import *imp, const struct fsi_id_index *index);

#endif
