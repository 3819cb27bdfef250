/* Nodes that have less in all than a job wants on each are no candidates, also where the scheduler gives out CPUs alone
 * and no memory (src/slurmctld/node_scheduler.c: job_req_node_filter). */
#include "plan/cluster/small.h"

#include "plan/bits.h"
#include "plan/cluster/features.h"

struct least {
	uint32_t cpus, sockets, cores_per_socket, disk_mb;
	int64_t mem_mb;
};

/* The controller looks at what was asked for; by CPU it is that of the fewest CPUs on a node. */
static int64_t least_memory(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, const struct fsi_job *j)
{
	const int64_t by_cpu = !c->memory_counts || q->mem_per_cpu ? j->mem_per_cpu_mb : 0,
		      cpus = j->min_cpus_per_node ? j->min_cpus_per_node : 1;
	const uint32_t mem = fsi_name_find(c->m, "mem");

	if (by_cpu)
		return by_cpu * cpus;
	if (c->memory_counts)
		return q->per_node[FSI_RES_MEM];
	return mem && fsi_job_memory_is_its_own(c->m, j)
		       ? fsi_plan_divide_up(fsi_plan_amount(fsi_amount_of(c->m, j->tres_req, mem)), q->min_nodes)
		       : 0;
}

static bool too_small(const struct fsi_plan_cluster *c, uint32_t node, const struct least *w)
{
	const uint32_t row = c->node[node].row;
	const struct fsi_node *n = &c->m->node.v[row];

	return fsi_plan_cpus_in_all(c->m, row) < w->cpus || fsi_plan_mem_in_all(c->m, row) < w->mem_mb ||
	       (FSI_HAS(n, NODE, sockets) && n->sockets < w->sockets) ||
	       (FSI_HAS(n, NODE, cores_per_socket) && n->cores_per_socket < w->cores_per_socket) ||
	       (FSI_HAS(n, NODE, tmp_disk_mb) && n->tmp_disk_mb < w->disk_mb);
}

int fsi_plan_leave_small_out(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, struct fsi_arena *arena)
{
	const struct fsi_job *j = &c->m->job.v[q->job];
	const struct fsi_job_rare *rare = fsi_job_rare(c->m, j);
	const struct least w = { .cpus = j->min_cpus_per_node,
				 .sockets = rare->sockets_per_node,
				 .cores_per_socket = rare->cores_per_socket,
				 .disk_mb = rare->tmp_disk_mb,
				 .mem_mb = least_memory(c, q, j) };

	if (w.cpus <= c->least_cpus && w.mem_mb <= c->least_mem && !w.sockets && !w.cores_per_socket && !w.disk_mb)
		return 0;
	if (!fsi_plan_all_nodes(&q->allowed, c, arena))
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (too_small(c, i, &w))
			fsi_bit_clear(q->allowed, i);
	return 0;
}
