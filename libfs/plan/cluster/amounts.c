/* What one node gives a request: CPUs in whole cores or sockets, their memory, generic resources, or all of it. */
#include "plan/cluster/cores.h"

#include <string.h>

/* The CPUs that are given for those used: they come in cores. */
static int64_t in_cores(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t cpus)
{
	const int64_t used = fsi_plan_used_threads(n, q), each = fsi_plan_cores_of_task(n, q),
		      tasks = each ? cpus / q->step : 0;

	return (tasks * each + fsi_plan_divide_up(cpus - tasks * q->step, used)) * n->threads;
}

/* Memory of a job that takes all CPUs: as it asked for, by CPU for all of them; all of the node's where it asked for
 * none. */
static int64_t memory_of_whole(const struct fsi_plan_node *n, const struct fsi_plan_request *q)
{
	const int64_t all = n->total[FSI_RES_MEM],
		      by_cpu = q->mem_per_cpu && n->total[FSI_RES_CPU] < all / q->mem_per_cpu
				       ? n->total[FSI_RES_CPU] * q->mem_per_cpu
				       : all;

	return q->mem_per_cpu ? by_cpu : q->per_node[FSI_RES_MEM] ? q->per_node[FSI_RES_MEM] : all;
}

void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t cpus, int64_t *amount)
{
	memcpy(amount, q->per_node, FSI_RES_MAX * sizeof(*amount));
	if (q->whole) {
		memcpy(amount, n->total, nres * sizeof(*amount));
		amount[FSI_RES_MEM] = memory_of_whole(n, q);
		return;
	}
	amount[FSI_RES_CPU] = in_cores(n, q, cpus) < n->total[FSI_RES_CPU]
				      ? in_cores(n, q, cpus)
				      : n->total[FSI_RES_CPU];
	if (q->mem_per_cpu)
		amount[FSI_RES_MEM] = cpus * q->mem_per_cpu;
	else if (q->all_memory)
		amount[FSI_RES_MEM] = n->total[FSI_RES_MEM];
}

/* A node has all that is still missing, less one for each of those that follow
 * (select/cons_common/gres_select_filter.c: _set_job_bits1). */
static int64_t gpus_chosen(const struct fsi_plan_request *q, const struct fsi_plan_choice *s, uint32_t k)
{
	int64_t left = q->gpus_in_all, here = 0;

	for (uint32_t i = 0; i <= k; i++) {
		const int64_t max = left - (s->nnodes - 1 - i), free = s->gpus[s->node[i]];

		here = max < free ? max : free;
		here = here > 0 ? here : 1;
		left -= here;
	}
	return here;
}

/* The CPUs that are free then. */
static int64_t free_from(const struct fsi_plan_node *n, int64_t from)
{
	const struct fsi_plan_moment at = { from, UINT64_MAX };

	return fsi_plan_free_after(n, fsi_plan_ended_by(n, at))[FSI_RES_CPU];
}

/* The CPUs that are given where sockets are given whole: those of each socket that the CPUs are spread over, a core on
 * each in turn, or as many tasks of several CPUs or tasks by socket as it holds (select/cons_common/dist_tasks.c:
 * _cyclic_sync_core_bitmap; with CR_CORE_DEFAULT_DIST_BLOCK _block_sync_core_bitmap). */
static int64_t in_sockets(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
			  const struct fsi_plan_request *q, int64_t cpus, int64_t from)
{
	const int64_t all = n->total[FSI_RES_CPU] / n->sockets, free = free_from(n, from) / all;
	int64_t each = c->packs_sockets ? all : fsi_plan_used_threads(n, q), sockets;

	if (q->on_socket > each)
		each = q->on_socket < all ? q->on_socket : all;
	else if (q->step > 1 && q->step <= all)
		each = all - all % q->step;
	sockets = fsi_plan_divide_up(cpus, each);
	if (sockets > free)
		sockets = free;
	return (sockets < n->sockets ? sockets : n->sockets) * all;
}

/* Nodes behind those that have a task each give no CPU (select/cons_tres/dist_tasks.c: dist_tasks_compute_c_b). */
static bool has_no_task(const struct fsi_plan_request *q, uint32_t k)
{
	return q->tasks && k >= (uint64_t)q->tasks;
}

void fsi_plan_amounts_chosen(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			     const struct fsi_plan_choice *s, uint32_t k, int64_t start, int64_t *amount)
{
	const struct fsi_plan_node *n = &c->node[s->node[k]];
	int64_t gpus;

	fsi_plan_amounts(n, q, c->nres, s->units[k], amount);
	if (c->whole_sockets && n->sockets && n->total[FSI_RES_CPU] >= n->sockets && !q->whole) {
		amount[FSI_RES_CPU] = has_no_task(q, k) ? 0 : in_sockets(c, n, q, s->units[k], start);
		if (q->mem_per_cpu)
			amount[FSI_RES_MEM] = amount[FSI_RES_CPU] * q->mem_per_cpu;
	}
	if ((!q->gpus_in_all && !q->gpus_per_task) || q->whole)
		return;
	gpus = q->gpus_in_all ? gpus_chosen(q, s, k) : fsi_plan_divide_up(s->units[k], q->step) * q->gpus_per_task;
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && fsi_plan_is_gpu(c, r))
			amount[r] = gpus;
	if (q->mem_per_gpu)
		amount[FSI_RES_MEM] = gpus * q->mem_per_gpu;
}
