#include "nodes/avail.h"

#include "nodes/oversubscribe.h"
#include "model/find.h"

#include <string.h>

/* How the capacity of a node is computed (select/cons_common/job_test.c: _verify_node_state, _block_whole_nodes;
 * cons_common.c: _allocate_sc; select/cons_tres/job_test.c: can_job_run_on_node, _select_cores).
 *
 * The request can get the free CPUs of the node, in whole cores, with these limits:
 *   MaxCPUsPerNode limits the CPUs that all jobs of the partition together get on the node.
 *   --ntasks-per-node limits the CPUs, unless the job gets whole nodes.
 *   --ntasks-per-socket limits the CPUs of each socket; all sockets are assumed to be equally free.
 *   If memory is requested per CPU, the number of CPUs is reduced until the node's memory suffices, and rounded down
 *   to a multiple of the CPUs per task.
 * The request can get no CPUs on the node in these cases:
 *   The limits leave fewer CPUs than the request's minimum per node, or too few for one task.
 *   The job gets only one node, and the CPUs do not suffice for all its tasks.
 *   The memory requested per node, or a requested generic resource, is not free in full.
 *   The job asks for whole nodes, and another job uses the node. */

/* Returns the number of CPUs that the request can use if `cpus` CPUs are free. Only whole free cores are used, and only
 * the threads of each core that the request allows. */
static int64_t count_usable_cpus(const struct fsi_cluster_node *n, const struct fsi_request *q, int64_t cpus)
{
	const int64_t used = fsi_avail_get_used_threads(n, q), each = fsi_avail_get_task_cores(n, q),
		      cores = cpus / n->threads_per_core, tasks = each ? cores / each : 0;

	return tasks * q->cpu.per_task + (cores - tasks * each) * used;
}

/* Returns the number of CPUs, at most `cpus`, for which the free memory free[FSI_RES_MEM] suffices. */
static int64_t limit_cpus_by_memory(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
				    const struct fsi_request *q, const int64_t *free, int64_t cpus)
{
	const int64_t first = q->cpu.min_per_node > q->cpu.per_task ? q->cpu.min_per_node : q->cpu.per_task,
		      step = c->rules.whole_cores ? n->threads_per_core : 1, mem = free[FSI_RES_MEM];

	if (!q->mem.per_cpu)
		return (q->mem.whole_node ? n->total[FSI_RES_MEM] : q->per_node[FSI_RES_MEM]) > mem ? 0 : cpus;
	if (q->mem.per_cpu * first > mem)
		return 0;
	if (q->mem.per_cpu * cpus > mem) {
		if (q->sharing.whole_nodes)
			return 0;
		cpus -= (cpus - mem / q->mem.per_cpu + step - 1) / step * step;
	}
	if (cpus <= 0)
		return 0;
	return q->cpu.per_task == 1 ? cpus : cpus - cpus % q->cpu.per_task;
}

int64_t fsi_avail_count_gpus(const struct fsi_cluster *c, const struct fsi_request *q, const int64_t *free)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && fsi_cluster_is_gpu_resource(c, r) && free[r] < least)
			least = free[r];
	if (q->gpu.mem_per_gpu && free[FSI_RES_MEM] / q->gpu.mem_per_gpu < least)
		least = free[FSI_RES_MEM] / q->gpu.mem_per_gpu;
	return least == INT64_MAX || least < 0 ? 0 : least;
}

/* For a request of GPUs per task: limits `cpus` to the CPUs of the tasks for which the free GPUs suffice. If this limit
 * is below q->cpu.min_per_node, returns `cpus` unchanged (gres_select_filter_sock_core: max_tasks_this_node). */
static int64_t limit_cpus_by_gpus(const struct fsi_cluster *c, const struct fsi_request *q, const int64_t *free,
				  int64_t cpus)
{
	const int64_t max = fsi_avail_count_gpus(c, q, free) / q->gpu.per_task * q->cpu.per_task;

	return cpus > max && max >= q->cpu.min_per_node ? max : cpus;
}

/* Returns the minimum number of tasks that must fit on a node: all tasks if the job gets only one node; the tasks of
 * one socket if tasks per socket are limited; else 1 (select/cons_tres/job_test.c: _select_cores,
 * min_tasks_this_node). */
static int64_t get_min_node_tasks(const struct fsi_cluster *c, const struct fsi_request *q)
{
	if (q->nodes.max == 1 && q->cpu.tasks && !c->requests.linear)
		return q->cpu.tasks;
	return q->cpu.max_per_socket > q->cpu.per_task && q->cpu.min_per_node <= q->cpu.per_task
		       ? q->cpu.max_per_socket / q->cpu.per_task
		       : 1;
}

int64_t fsi_avail_compute_cpus(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
			       const struct fsi_request *q, const int64_t *free,
			       const struct fsi_node_occupancy *occupancy)
{
	const int64_t most = q->cpu.max_per_node - occupancy->partition_cpus;
	int64_t cpus = free[FSI_RES_CPU], tasks = get_min_node_tasks(c, q);

	if (n->threads_per_core > 1) /* avoids a slow division; this function is called very often */
		cpus = count_usable_cpus(n, q, cpus);

	if ((q->sharing.whole_nodes && occupancy->any_job) || (q->cpu.needs_all_free_cpus && most < cpus))
		return 0;
	if (cpus > most)
		cpus = most;
	if (q->cpu.max_for_tasks && cpus > q->cpu.max_for_tasks)
		cpus = q->cpu.max_for_tasks;
	if (q->cpu.max_per_socket && n->sockets && cpus > n->sockets * q->cpu.max_per_socket)
		cpus = n->sockets * q->cpu.max_per_socket;
	if (q->gpu.per_task)
		cpus = limit_cpus_by_gpus(c, q, free, cpus);
	if (cpus <= 0 || cpus < q->cpu.min_per_node || cpus < tasks * q->cpu.per_task)
		return 0;
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && q->per_node[r] > free[r])
			return 0;
	cpus = limit_cpus_by_memory(c, n, q, free, cpus);
	return cpus < tasks * q->cpu.per_task ? 0 : cpus;
}

/* Returns the number of kinds of resources, counted from the first kind, that the job h->job frees for the request. The
 * job has ended or is preempted. A job that counts as suspended at the moment `at` frees only its CPUs: the kinds up to
 * FSI_RES_CPU. Any other job frees all c->nres kinds. */
static uint32_t count_freed_resources(const struct fsi_cluster *c, const struct fsi_request *q,
				      const struct fsi_node_hold *h, struct fsi_end_moment at)
{
	const bool stays = (q->preempt.suspends_for_good || !fsi_hold_has_ended(h, at)) && h->job != FSI_NO_INDEX &&
			   q->preempt.suspends && q->preempt.suspends[h->job] && q->preempt.jobs &&
			   q->preempt.jobs[h->job];

	return stays ? FSI_RES_CPU + 1 : c->nres;
}

int64_t fsi_avail_get_cpus(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
			   struct fsi_end_moment at)
{
	return fsi_avail_get_at_moment(c, node, q, at).cpus;
}

static const struct fsi_end_moment before_all_ends = { INT64_MIN, 0 }, after_all_ends = { INT64_MAX, UINT64_MAX };

/* Sets free[] to the amounts of the node that are free at the moment avail->from, and *occupancy to the use of the node
 * by the remaining jobs. A job remains if it has not ended by avail->from and the request may not preempt it. Sets
 * avail->until to the earliest end of a remaining job. If a remaining job excludes the request from the node, returns
 * false, and sets avail->until to the end of that job. */
static bool sum_remaining_holds(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
				const struct fsi_request *q, struct fsi_node_avail *avail, int64_t *free,
				struct fsi_node_occupancy *occupancy)
{
	memcpy(free, n->free, sizeof(n->free));
	*occupancy = (struct fsi_node_occupancy){ .any_job = false };
	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_node_hold *h = &n->hold.v[i];

		if (!fsi_hold_has_ended(h, avail->from) && !fsi_request_may_preempt_hold(q, h)) {
			if (avail->until.when == INT64_MAX)
				avail->until = fsi_hold_get_end(h);
			occupancy->any_job = true;
			if (h->partition == q->partition && h->job != FSI_NO_INDEX)
				occupancy->partition_cpus += h->amount[FSI_RES_CPU];
			if (c->rules.any_oversubscribe && fsi_oversubscribe_must_avoid_hold(q, h)) {
				avail->until = fsi_hold_get_end(h);
				return false;
			}
			continue;
		}
		for (uint32_t r = 0; r < count_freed_resources(c, q, h, avail->from); r++)
			free[r] += h->amount[r];
	}
	return true;
}

/* Returns true if all generic resources of the node are free. */
static bool is_node_gres_free(const struct fsi_cluster *c, const struct fsi_cluster_node *n, const int64_t *free)
{
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (free[r] < n->total[r])
			return false;
	return true;
}

/* Returns the row of the reservation in which the job h->job runs, if that reservation reserves cores of the node;
 * otherwise FSI_NO_INDEX. */
static uint32_t find_core_reservation(const struct fsi_cluster *c, const struct fsi_node_hold *h, uint32_t node)
{
	const uint32_t name = h->job == FSI_NO_INDEX ? 0 : c->m->job.v[h->job].reservation;
	const struct fsi_reservation *r = name ? fsi_reservation_find(c->m, name) : NULL;
	const uint32_t row = r ? (uint32_t)(r - c->m->reservation.v) : FSI_NO_INDEX;

	return r && c->reserved.cpus[row] && c->reserved.cpus[row][node] ? row : FSI_NO_INDEX;
}

/* Limits `cpus` to the CPUs that reservations of cores leave to the request and that no job uses. The cores of each job
 * are unknown. A job in a reservation of cores is assumed to use that reservation's cores; any other job is assumed to
 * use no reserved cores. */
static int64_t limit_to_unreserved_cores(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
					 struct fsi_end_moment at, int64_t cpus)
{
	const struct fsi_cluster_node *n = &c->node[node];
	const uint32_t own = q->reservation != FSI_NO_INDEX && c->reserved.cpus[q->reservation] ? q->reservation
												: FSI_NO_INDEX;
	int64_t open = q->unreserved_cpus[node];

	for (size_t i = 0; i < n->hold.n; i++)
		if (!fsi_hold_has_ended(&n->hold.v[i], at) && !fsi_request_may_preempt_hold(q, &n->hold.v[i]) &&
		    find_core_reservation(c, &n->hold.v[i], node) == own)
			open -= n->hold.v[i].amount[FSI_RES_CPU];
	return cpus < open ? cpus : open;
}

struct fsi_node_avail fsi_avail_get_beside_cpus(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
						struct fsi_end_moment at, int64_t taken)
{
	const struct fsi_cluster_node *n = &c->node[node];
	struct fsi_node_avail avail = { .from = at, .until = after_all_ends };
	struct fsi_node_occupancy occupancy;
	int64_t remaining[FSI_RES_MAX];

	if (c->work)
		*c->work += fsi_node_get_query_work(n->hold.n);
	if (!sum_remaining_holds(c, n, q, &avail, remaining, &occupancy))
		return avail;
	remaining[FSI_RES_CPU] = n->total[FSI_RES_CPU] - taken;
	occupancy.any_job = taken || !is_node_gres_free(c, n, remaining);
	avail.cpus = fsi_avail_compute_cpus(c, n, q, remaining, &occupancy);
	avail.gpus = q->gpu.per_node ? fsi_avail_count_gpus(c, q, remaining) : 0;
	return avail;
}

/* Returns the capacity of a node. Finds the free amounts in n->hold (member `free_after`), without a loop over all jobs
 * on the node. Must not be used with preemption, shared CPUs, MaxCPUsPerNode or reservations of cores. */
static struct fsi_node_avail compute_avail_by_ends(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
						   const struct fsi_request *q, struct fsi_end_moment at)
{
	const size_t ended = fsi_avail_count_ended_holds(n, at);
	const struct fsi_node_occupancy occupancy = { .any_job = ended < n->hold.n };
	const int64_t *free = fsi_avail_get_free_after(n, ended);

	return (struct fsi_node_avail){
		.from = ended ? fsi_hold_get_end(&n->hold.v[ended - 1]) : before_all_ends,
		.until = !occupancy.any_job ? after_all_ends
			 : ended            ? fsi_hold_get_end(&n->hold.v[ended])
					    : n->first_end,
		.cpus = fsi_avail_compute_cpus(c, n, q, free, &occupancy),
		.gpus = q->gpu.per_node ? fsi_avail_count_gpus(c, q, free) : 0,
	};
}

/* Returns the capacity of a node, computed by examining each job on the node. */
static struct fsi_node_avail compute_avail_by_holds(const struct fsi_cluster *c, uint32_t node,
						    const struct fsi_request *q, struct fsi_end_moment at)
{
	const struct fsi_cluster_node *n = &c->node[node];
	struct fsi_node_avail avail = { .from = at, .until = after_all_ends };
	struct fsi_node_occupancy occupancy;
	int64_t remaining[FSI_RES_MAX];

	if (!sum_remaining_holds(c, n, q, &avail, remaining, &occupancy))
		return avail;
	if (c->rules.any_oversubscribe)
		remaining[FSI_RES_CPU] = fsi_oversubscribe_add_shared_cpus(n, q, at, remaining[FSI_RES_CPU]);
	if (q->unreserved_cpus)
		remaining[FSI_RES_CPU] = limit_to_unreserved_cores(c, node, q, at, remaining[FSI_RES_CPU]);
	avail.cpus = fsi_avail_compute_cpus(c, n, q, remaining, &occupancy);
	avail.gpus = q->gpu.per_node ? fsi_avail_count_gpus(c, q, remaining) : 0;
	return avail;
}

/* Returns the capacity of a node for the request. Does not change *c->work. */
static struct fsi_node_avail compute_node_avail(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
						struct fsi_end_moment at)
{
	const bool by_job =
		q->preempt.jobs || c->rules.any_oversubscribe || q->cpu.max_per_node != INT64_MAX || q->unreserved_cpus;

	return by_job ? compute_avail_by_holds(c, node, q, at) : compute_avail_by_ends(c, &c->node[node], q, at);
}

struct fsi_node_avail fsi_avail_get_at_moment(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q,
					      struct fsi_end_moment at)
{
	if (c->work)
		*c->work += fsi_node_get_query_work(c->node[node].hold.n);
	return compute_node_avail(c, node, q, at);
}

int64_t fsi_avail_find_first_fit(const struct fsi_cluster *c, uint32_t node, const struct fsi_request *q, int64_t from)
{
	const struct fsi_cluster_node *n = &c->node[node];
	size_t i = 0;

	for (;;) {
		while (i < n->hold.n && n->hold.v[i].end <= from)
			i++;
		if (compute_node_avail(c, node, q, (struct fsi_end_moment){ from, UINT64_MAX }).cpus)
			return from;
		if (i == n->hold.n || n->hold.v[i].end == INT64_MAX)
			return INT64_MAX;
		from = n->hold.v[i].end;
	}
}

/* Returns true if the request must not run on the node during the time interval `b` of a planned job or a
 * reservation. */
static bool is_block_in_way(const struct fsi_node_block *b, const struct fsi_request *q,
			    enum fsi_avail_constraints constraints)
{
	if (constraints == FSI_RESPECT_HOLDS)
		return false;
	if (b->job != FSI_NO_INDEX)
		return constraints == FSI_RESPECT_ALL;
	return b->reservation != q->reservation && (!b->cpus || q->sharing.whole_nodes);
}

int64_t fsi_avail_find_gap(const struct fsi_cluster_node *n, const struct fsi_request *q, int64_t from,
			   enum fsi_avail_constraints constraints, int64_t *last)
{
	for (size_t i = 0; i < n->block.n; i++) {
		const struct fsi_node_block *b = &n->block.v[i];
		const int64_t max = b->start - q->limit_s - (b->job != FSI_NO_INDEX);

		if (b->end <= from || !is_block_in_way(b, q, constraints))
			continue;
		if (max >= from) {
			*last = max;
			return from;
		}
		if (b->end == INT64_MAX)
			return INT64_MAX;
		from = b->end;
	}
	*last = INT64_MAX;
	return from;
}

int64_t fsi_avail_find_next_end(const struct fsi_cluster_node *n, int64_t when)
{
	for (size_t i = 0; i < n->hold.n; i++)
		if (n->hold.v[i].end > when)
			return n->hold.v[i].end;
	return INT64_MAX;
}

/* ---- amounts of memory and other resources that a request gets on a node */

/* Returns the number of CPUs that are allocated if the request uses `cpus` CPUs: all CPUs of the used cores. */
static int64_t round_up_to_cores(const struct fsi_cluster_node *n, const struct fsi_request *q, int64_t cpus)
{
	const int64_t used = fsi_avail_get_used_threads(n, q), each = fsi_avail_get_task_cores(n, q),
		      tasks = each ? cpus / q->cpu.per_task : 0;

	return (tasks * each + fsi_cluster_divide_up(cpus - tasks * q->cpu.per_task, used)) * n->threads_per_core;
}

/* Returns the memory allocated to a job that gets the whole node: its memory per CPU times all CPUs of the node, or its
 * memory per node. A job that requested no memory gets all memory of the node. */
static int64_t get_whole_node_memory(const struct fsi_cluster_node *n, const struct fsi_request *q)
{
	const int64_t all = n->total[FSI_RES_MEM],
		      by_cpu = q->mem.per_cpu && n->total[FSI_RES_CPU] < all / q->mem.per_cpu
				       ? n->total[FSI_RES_CPU] * q->mem.per_cpu
				       : all;

	return q->mem.per_cpu ? by_cpu : q->per_node[FSI_RES_MEM] ? q->per_node[FSI_RES_MEM] : all;
}

void fsi_avail_compute_amounts(const struct fsi_cluster_node *n, const struct fsi_request *q, uint32_t nres,
			       int64_t cpus, int64_t *amount)
{
	memcpy(amount, q->per_node, FSI_RES_MAX * sizeof(*amount));
	if (q->sharing.whole_nodes) {
		memcpy(amount, n->total, nres * sizeof(*amount));
		amount[FSI_RES_MEM] = get_whole_node_memory(n, q);
		return;
	}
	amount[FSI_RES_CPU] = round_up_to_cores(n, q, cpus) < n->total[FSI_RES_CPU]
				      ? round_up_to_cores(n, q, cpus)
				      : n->total[FSI_RES_CPU];
	if (q->mem.per_cpu)
		amount[FSI_RES_MEM] = cpus * q->mem.per_cpu;
	else if (q->mem.whole_node)
		amount[FSI_RES_MEM] = n->total[FSI_RES_MEM];
}
