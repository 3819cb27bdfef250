/* A job of Slurm asks for another size (src/slurmctld/job_mgr.c: _update_job, _figure_out_num_tasks). */
#include "scenario/slurm/slurm.h"

#include <string.h>

static void set_tasks(struct fsi_job *j, uint32_t tasks)
{
	j->tasks = tasks;
	FSI_SET(j, JOB, tasks);
}

/* The CPUs that its tasks, at least one a node, and its nodes need at least. */
static uint64_t needed(const struct fsi_job *j, uint32_t nodes)
{
	const uint32_t each = j->cpus_per_task ? j->cpus_per_task : 1, tasks = j->tasks > nodes ? j->tasks : nodes;
	const uint64_t by_task = (uint64_t)tasks * each, by_node = (uint64_t)j->min_cpus_per_node * nodes;

	return by_task > by_node ? by_task : by_node;
}

/* Who asks for all memory of a node is measured by that of the partition's first one
 * (src/slurmctld/job_mgr.c: job_get_tres_mem, _mem_per_node_part). */
static int64_t all_memory(const fs_snapshot *m, const struct fsi_job *j)
{
	size_t n;
	const uint32_t *partitions = fsi_list(m, j->partitions, &n);

	for (size_t i = 0; n && i < m->node.n; i++)
		if (fsi_list_has(m, m->node.v[i].partitions, fsi_str(m, partitions[0])))
			return (int64_t)m->node.v[i].mem_mb;
	return 0;
}

static int set_memory(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z, uint32_t nodes_before)
{
	const uint32_t mem = fsi_name(s->m, "mem"), nodes = fsi_slurm_nodes(s->m, j);
	const bool whole = z->mem_by_node && !z->mem_mb;
	int64_t all;

	if (mem == FSI_INTERN_FAILED)
		return fsi_nomem(s->err);
	if (z->mem_said && whole != fsi_job_rare(s->m, j)->all_memory && FSI_SET_RARE(s->m, j, all_memory, whole))
		return fsi_nomem(s->err);
	if (z->mem_said && !whole && fsi_job_rare(s->m, j)->no_memory)
		FSI_CLEAR_RARE(s->m, j, no_memory);
	if (z->mem_said && z->mem_by_node) {
		FSI_FORGET(j, JOB, mem_per_cpu_mb);
	} else if (z->mem_said) {
		j->mem_per_cpu_mb = z->mem_mb;
		FSI_SET(j, JOB, mem_per_cpu_mb);
	}
	if (FSI_HAS(j, JOB, mem_per_cpu_mb))
		all = (int64_t)j->mem_per_cpu_mb * j->cpus;
	else if (z->mem_said)
		all = (whole ? all_memory(s->m, j) : (int64_t)z->mem_mb) * nodes;
	else
		all = fsi_scenario_share(fsi_amount_of(s->m, j->tres_req, mem), nodes, nodes_before);
	return fsi_slurm_ask(s, j, mem, all);
}

/* Takes over what stands in fields of its own. */
static void take_fields(struct fsi_job *j, const struct fsi_slurm_size *z)
{
	if (z->tasks)
		set_tasks(j, z->tasks);
	if (z->cpus_per_task) {
		j->cpus_per_task = z->cpus_per_task;
		FSI_SET(j, JOB, cpus_per_task);
	}
	if (z->min_cpus_said) {
		j->min_cpus_per_node = z->min_cpus_per_node;
		FSI_SET(j, JOB, min_cpus_per_node);
	}
	if (z->max_nodes) {
		j->max_nodes = z->max_nodes;
		FSI_SET(j, JOB, max_nodes);
	}
}

int fsi_slurm_resize(struct fsi_scenario *s, struct fsi_job *j, const struct fsi_slurm_size *z)
{
	const uint32_t tasks = j->tasks, nodes = fsi_slurm_nodes(s->m, j);
	const bool sets_size = fs_slurm_has(s->m->info.version, FS_SLURM_TASKS_SET_CPUS),
		   by_tasks = sets_size && z->tasks && z->tasks != tasks;
	uint64_t cpus = z->cpus, least = 0;
	int rc = 0;

	take_fields(j, z);
	if (z->nodes)
		least = needed(j, z->nodes);
	if (j->tasks && j->tasks < z->nodes && (by_tasks || !sets_size))
		set_tasks(j, z->nodes); /* from 23.02 on only where the command sets them too */
	const bool raised = least > (cpus ? cpus : j->cpus);

	if (raised)
		cpus = least;
	else if (!cpus)
		cpus = z->min_cpus_per_node ? (uint64_t)z->min_cpus_per_node * (z->nodes ? z->nodes : nodes)
		       : by_tasks           ? j->tasks
					    : 0;
	if (cpus > INT32_MAX)
		return fsi_scenario_refuse(s, "%llu CPUs are too many", (unsigned long long)cpus);
	if (z->nodes)
		rc = fsi_slurm_set_nodes(s, j, z->nodes);
	if (!rc && cpus)
		rc = fsi_slurm_set_cpus(s, j, (uint32_t)cpus);
	if (!rc && (raised || z->mem_said))
		rc = set_memory(s, j, z, nodes);
	if (!rc && by_tasks && tasks && !strcmp(fsi_str(s->m, fsi_job_rare(s->m, j)->gres_per), "task"))
		rc = fsi_slurm_scale_gres(s, j, j->tasks, tasks);
	return rc;
}
