/* Maui's processor equivalents and the totals of the cluster they are parts of. */
#ifndef FSI_MAUI_PE_H
#define FSI_MAUI_PE_H

#include "model/model.h"

/* What the whole cluster has, which processor equivalents are parts of. NAN: unknown. */
struct fsi_maui_totals {
	double procs, mem_mb, swap_mb, disk_mb;
};

/* Processor equivalents (src/moab/MJob.c:MJobGetPE): tasks * the largest share of processors, memory, disk or swap
 * that one takes of the cluster, * processors. NAN when unknown. */
double fsi_maui_pe(const fs_snapshot *m, const struct fsi_maui_totals *t,
		   const struct fsi_job *job);
struct fsi_maui_totals fsi_maui_totals(const fs_snapshot *m);

/* The amount of the named TRES that the job asks for, for all tasks. */
double fsi_maui_request(const fs_snapshot *m, const struct fsi_job *job, const char *tres);

#endif
