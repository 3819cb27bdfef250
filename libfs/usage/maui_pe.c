/* Processor equivalents: what a job keeps from others, in processors.
 *
 *   PE = tasks * max(share of processors, memory, disk, swap that one task takes of the cluster) * processors
 *
 * Source: src/moab/MJob.c:MJobGetPE. */
#include "usage/maui_pe.h"

#include <math.h>

double fsi_maui_request(const fs_snapshot *m, const struct fsi_job *job, const char *tres)
{
	return (double)fsi_amount_of(m, job->tres_req, fsi_name_find(m, tres));
}

struct fsi_maui_totals fsi_maui_totals(const fs_snapshot *m)
{
	const uint32_t swap = fsi_name_find(m, "swap"), disk = fsi_name_find(m, "disk");
	struct fsi_maui_totals t = { 0 };

	for (size_t i = 0; i < m->node.n; i++) {
		const struct fsi_node *node = &m->node.v[i];

		t.procs += node->cpus;
		t.mem_mb += (double)node->mem_mb;
		t.swap_mb += swap ? (double)fsi_amount_of(m, node->tres, swap) : 0;
		t.disk_mb += disk ? (double)fsi_amount_of(m, node->tres, disk) : 0;
	}
	if (fsi_hidden(m, "node") || !m->node.n)
		t = (struct fsi_maui_totals){ NAN, NAN, NAN, NAN };
	return t;
}

static double larger_share(double share, double amount, double total)
{
	return amount > 0 && total > 0 && amount / total > share ? amount / total : share;
}

double fsi_maui_pe(const fs_snapshot *m, const struct fsi_maui_totals *t, const struct fsi_job *job)
{
	const double tasks = job->tasks;
	double share;

	if (!(t->procs > 0) || tasks <= 0)
		return isnan(t->procs) ? NAN : 0;
	share = (double)job->cpus_per_task / t->procs;
	share = larger_share(share, fsi_maui_request(m, job, "mem") / tasks, t->mem_mb);
	share = larger_share(share, fsi_maui_request(m, job, "disk") / tasks, t->disk_mb);
	share = larger_share(share, fsi_maui_request(m, job, "swap") / tasks, t->swap_mb);
	return tasks * share * t->procs;
}
