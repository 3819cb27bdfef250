#include "nodes/avail.h"

#include "nodes/oversubscribe.h"
#include "model/find.h"

#include <string.h>

/* How the capacity of a node is computed (select/cons_common/job_test.c: _verify_node_state, _block_whole_nodes;
 * cons_common.c: _allocate_sc; select/cons_tres/job_test.c: can_job_run_on_node, _select_cores).
 *
 * CPUs come in whole cores. The node gives its free CPUs, at most MaxCPUsPerNode of the partition less what jobs of the
 * partition have there. It gives none if the minimum of the request or one task does not fit; for a job of one node,
 * all tasks must fit. If memory is asked for by CPU, the node gives fewer CPUs until its memory suffices, rounded down
 * to a multiple of the CPUs per task. --ntasks-per-node limits the CPUs unless the job gets whole nodes.
 * --ntasks-per-socket limits the CPUs of each socket; all sockets are assumed to be equally free. Memory by node and
 * generic resources must be free in full. A job that asks for whole nodes gets only unused ones. */

/* Returns how many CPUs the request can use of `cpus` free ones: in whole cores, and the threads that it uses of
 * each. */
static int64_t usable(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t cpus)
{
	const int64_t used = fsi_plan_used_threads(n, q), each = fsi_plan_cores_of_task(n, q),
		      cores = cpus / n->threads, tasks = each ? cores / each : 0;

	return tasks * q->cpu.per_task + (cores - tasks * each) * used;
}

/* Returns the number of CPUs, at most `cpus`, for which free[FSI_RES_MEM] suffices; 0: none. */
static int64_t with_memory(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
			   const struct fsi_plan_request *q, const int64_t *free, int64_t cpus)
{
	const int64_t first = q->cpu.min_per_node > q->cpu.per_task ? q->cpu.min_per_node : q->cpu.per_task,
		      step = c->rules.whole_cores ? n->threads : 1, mem = free[FSI_RES_MEM];

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

int64_t fsi_plan_free_gpus(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, const int64_t *free)
{
	int64_t least = INT64_MAX;

	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && fsi_plan_is_gpu(c, r) && free[r] < least)
			least = free[r];
	if (q->gpu.mem_each && free[FSI_RES_MEM] / q->gpu.mem_each < least)
		least = free[FSI_RES_MEM] / q->gpu.mem_each;
	return least == INT64_MAX || least < 0 ? 0 : least;
}

/* Returns the CPUs of the tasks for which there are GPUs, at most `cpus`, if GPUs are asked for by task. If these are
 * fewer than min_per_node, returns `cpus` (gres_select_filter_sock_core: max_tasks_this_node). */
static int64_t for_gpus(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, const int64_t *free,
			int64_t cpus)
{
	const int64_t max = fsi_plan_free_gpus(c, q, free) / q->gpu.per_task * q->cpu.per_task;

	return cpus > max && max >= q->cpu.min_per_node ? max : cpus;
}

/* Returns the fewest tasks that must fit on a node, besides min_per_node: all tasks of a job of one node, or the tasks
 * of one socket (select/cons_tres/job_test.c: _select_cores, min_tasks_this_node). */
static int64_t least_tasks(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q)
{
	if (q->nodes.max == 1 && q->cpu.tasks && !c->requests.linear)
		return q->cpu.tasks;
	return q->cpu.max_per_socket > q->cpu.per_task && q->cpu.min_per_node <= q->cpu.per_task
		       ? q->cpu.max_per_socket / q->cpu.per_task
		       : 1;
}

int64_t fsi_plan_room_of(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
		       const struct fsi_plan_request *q, const int64_t *free, const struct fsi_plan_there *there)
{
	const int64_t most = q->cpu.max_per_node - there->of_partition;
	int64_t cpus = free[FSI_RES_CPU], tasks = least_tasks(c, q);

	if (n->threads > 1) /* avoids a slow division: this runs for each node at each moment */
		cpus = usable(n, q, cpus);

	if ((q->sharing.whole_nodes && there->any) || (q->cpu.all_of_node && most < cpus))
		return 0;
	if (cpus > most)
		cpus = most;
	if (q->cpu.max_for_tasks && cpus > q->cpu.max_for_tasks)
		cpus = q->cpu.max_for_tasks;
	if (q->cpu.max_per_socket && n->sockets && cpus > n->sockets * q->cpu.max_per_socket)
		cpus = n->sockets * q->cpu.max_per_socket;
	if (q->gpu.per_task)
		cpus = for_gpus(c, q, free, cpus);
	if (cpus <= 0 || cpus < q->cpu.min_per_node || cpus < tasks * q->cpu.per_task)
		return 0;
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (q->per_node[r] && q->per_node[r] > free[r])
			return 0;
	cpus = with_memory(c, n, q, free, cpus);
	return cpus < tasks * q->cpu.per_task ? 0 : cpus;
}

/* Returns how many of the resources, in their order, the hold frees: CPUs alone if its job is suspended to preempt it,
 * else all. */
static uint32_t gives(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      const struct fsi_plan_alloc *h, struct fsi_plan_moment at)
{
	const bool stays = (q->preempt.suspends_for_good || !fsi_plan_ended(h, at)) && h->job != FSI_NO_INDEX &&
			   q->preempt.suspends && q->preempt.suspends[h->job] && q->preempt.jobs &&
			   q->preempt.jobs[h->job];

	return stays ? FSI_RES_CPU + 1 : c->nres;
}

int64_t fsi_plan_room(const struct fsi_plan_cluster *c, uint32_t node,
		      const struct fsi_plan_request *q, struct fsi_plan_moment at)
{
	return fsi_plan_room_at(c, node, q, at).cpus;
}

static const struct fsi_plan_moment always = { INT64_MIN, 0 }, never = { INT64_MAX, UINT64_MAX };

/* Sets free[] and *there for the moment room->from, hold by hold: for preemption and for jobs that must not meet. Sets
 * room->until to the end of the first hold that remains. Returns false if a job remains from which the request is kept
 * apart; room->until is then the end of that job. */
static bool leave(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		  struct fsi_plan_room *room, int64_t *free, struct fsi_plan_there *there)
{
	memcpy(free, n->free, sizeof(n->free));
	*there = (struct fsi_plan_there){ .any = false };
	for (size_t i = 0; i < n->hold.n; i++) {
		const struct fsi_plan_alloc *h = &n->hold.v[i];

		if (!fsi_plan_ended(h, room->from) && !fsi_plan_gives_way(q, h)) {
			if (room->until.when == INT64_MAX)
				room->until = fsi_plan_end_of(h);
			there->any = true;
			if (h->partition == q->partition && h->job != FSI_NO_INDEX)
				there->of_partition += h->amount[FSI_RES_CPU];
			if (c->rules.any_oversubscribe && fsi_plan_apart(q, h)) {
				room->until = fsi_plan_end_of(h);
				return false;
			}
			continue;
		}
		for (uint32_t r = 0; r < gives(c, q, h, room->from); r++)
			free[r] += h->amount[r];
	}
	return true;
}

/* Returns true if all generic resources of the node are free. */
static bool gres_is_free(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n, const int64_t *free)
{
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++)
		if (free[r] < n->total[r])
			return false;
	return true;
}

/* Returns the row of the reservation in which the hold's job runs, if it reserves cores of the node; else
 * FSI_NO_INDEX. */
static uint32_t cores_of(const struct fsi_plan_cluster *c, const struct fsi_plan_alloc *h, uint32_t node)
{
	const uint32_t name = h->job == FSI_NO_INDEX ? 0 : c->m->job.v[h->job].reservation;
	const struct fsi_reservation *r = name ? fsi_reservation_find(c->m, name) : NULL;
	const uint32_t row = r ? (uint32_t)(r - c->m->reservation.v) : FSI_NO_INDEX;

	return r && c->reserved.cpus[row] && c->reserved.cpus[row][node] ? row : FSI_NO_INDEX;
}

/* Limits `cpus` to those that reservations of cores leave to the request and no job uses. Which cores a job has is
 * unknown. A job in such a reservation is assumed to have the reservation's cores, any other job to have none of
 * them. */
static int64_t within_open(const struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_request *q,
			   struct fsi_plan_moment at, int64_t cpus)
{
	const struct fsi_plan_node *n = &c->node[node];
	const uint32_t own = q->reservation != FSI_NO_INDEX && c->reserved.cpus[q->reservation] ? q->reservation
												: FSI_NO_INDEX;
	int64_t open = q->open[node];

	for (size_t i = 0; i < n->hold.n; i++)
		if (!fsi_plan_ended(&n->hold.v[i], at) && !fsi_plan_gives_way(q, &n->hold.v[i]) &&
		    cores_of(c, &n->hold.v[i], node) == own)
			open -= n->hold.v[i].amount[FSI_RES_CPU];
	return cpus < open ? cpus : open;
}

struct fsi_plan_room fsi_plan_room_beside(const struct fsi_plan_cluster *c, uint32_t node,
					  const struct fsi_plan_request *q, struct fsi_plan_moment at, int64_t taken)
{
	const struct fsi_plan_node *n = &c->node[node];
	struct fsi_plan_room room = { .from = at, .until = never };
	struct fsi_plan_there there;
	int64_t left[FSI_RES_MAX];

	if (c->looks)
		*c->looks += fsi_plan_looks(n->hold.n);
	if (!leave(c, n, q, &room, left, &there))
		return room;
	left[FSI_RES_CPU] = n->total[FSI_RES_CPU] - taken;
	there.any = taken || !gres_is_free(c, n, left);
	room.cpus = fsi_plan_room_of(c, n, q, left, &there);
	room.gpus = q->gpu.per_node ? fsi_plan_free_gpus(c, q, left) : 0;
	return room;
}

/* Returns the capacity from the number of holds that have ended, if nothing else about the holds matters. */
static struct fsi_plan_room room_of_ended(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
					  const struct fsi_plan_request *q, struct fsi_plan_moment at)
{
	const size_t gone = fsi_plan_ended_by(n, at);
	const struct fsi_plan_there there = { .any = gone < n->hold.n };
	const int64_t *free = fsi_plan_free_after(n, gone);

	return (struct fsi_plan_room){
		.from = gone ? fsi_plan_end_of(&n->hold.v[gone - 1]) : always,
		.until = !there.any ? never : gone ? fsi_plan_end_of(&n->hold.v[gone]) : n->first,
		.cpus = fsi_plan_room_of(c, n, q, free, &there),
		.gpus = q->gpu.per_node ? fsi_plan_free_gpus(c, q, free) : 0,
	};
}

/* Returns the capacity from all holds of the node. */
static struct fsi_plan_room room_of_left(const struct fsi_plan_cluster *c, uint32_t node,
					 const struct fsi_plan_request *q, struct fsi_plan_moment at)
{
	const struct fsi_plan_node *n = &c->node[node];
	struct fsi_plan_room room = { .from = at, .until = never };
	struct fsi_plan_there there;
	int64_t left[FSI_RES_MAX];

	if (!leave(c, n, q, &room, left, &there))
		return room;
	if (c->rules.any_oversubscribe)
		left[FSI_RES_CPU] = fsi_plan_with_shared(n, q, at, left[FSI_RES_CPU]);
	if (q->open)
		left[FSI_RES_CPU] = within_open(c, node, q, at, left[FSI_RES_CPU]);
	room.cpus = fsi_plan_room_of(c, n, q, left, &there);
	room.gpus = q->gpu.per_node ? fsi_plan_free_gpus(c, q, left) : 0;
	return room;
}

/* Returns the capacity without counting work. */
static struct fsi_plan_room room_then(const struct fsi_plan_cluster *c, uint32_t node,
				      const struct fsi_plan_request *q, struct fsi_plan_moment at)
{
	const bool by_job =
		q->preempt.jobs || c->rules.any_oversubscribe || q->cpu.max_per_node != INT64_MAX || q->open;

	return by_job ? room_of_left(c, node, q, at) : room_of_ended(c, &c->node[node], q, at);
}

struct fsi_plan_room fsi_plan_room_at(const struct fsi_plan_cluster *c, uint32_t node,
				      const struct fsi_plan_request *q, struct fsi_plan_moment at)
{
	if (c->looks)
		*c->looks += fsi_plan_looks(c->node[node].hold.n);
	return room_then(c, node, q, at);
}

int64_t fsi_plan_fit(const struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_request *q, int64_t from)
{
	const struct fsi_plan_node *n = &c->node[node];
	size_t i = 0;

	for (;;) {
		while (i < n->hold.n && n->hold.v[i].end <= from)
			i++;
		if (room_then(c, node, q, (struct fsi_plan_moment){ from, UINT64_MAX }).cpus)
			return from;
		if (i == n->hold.n || n->hold.v[i].end == INT64_MAX)
			return INT64_MAX;
		from = n->hold.v[i].end;
	}
}

/* Returns true if the block excludes the request, by what the search must respect. */
static bool in_the_way(const struct fsi_plan_block *b, const struct fsi_plan_request *q, enum fsi_plan_obey obey)
{
	if (obey == FSI_OBEY_HOLDS)
		return false;
	if (b->job != FSI_NO_INDEX)
		return obey == FSI_OBEY_ALL;
	return b->reservation != q->reservation && (!b->cpus || q->sharing.whole_nodes);
}

int64_t fsi_plan_gap(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t from,
		     enum fsi_plan_obey obey, int64_t *last)
{
	for (size_t i = 0; i < n->block.n; i++) {
		const struct fsi_plan_block *b = &n->block.v[i];
		const int64_t max = b->start - q->limit_s - (b->job != FSI_NO_INDEX);

		if (b->end <= from || !in_the_way(b, q, obey))
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

int64_t fsi_plan_release(const struct fsi_plan_node *n, int64_t when)
{
	for (size_t i = 0; i < n->hold.n; i++)
		if (n->hold.v[i].end > when)
			return n->hold.v[i].end;
	return INT64_MAX;
}

/* ---- amounts that go with the CPUs */

/* Returns the CPUs that are allocated for `cpus` used ones: those of whole cores. */
static int64_t in_cores(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t cpus)
{
	const int64_t used = fsi_plan_used_threads(n, q), each = fsi_plan_cores_of_task(n, q),
		      tasks = each ? cpus / q->cpu.per_task : 0;

	return (tasks * each + fsi_plan_divide_up(cpus - tasks * q->cpu.per_task, used)) * n->threads;
}

/* Returns the memory of a job that gets all CPUs of the node: what it asked for, for each CPU if by CPU. A job that
 * asked for none gets all memory. */
static int64_t memory_of_whole(const struct fsi_plan_node *n, const struct fsi_plan_request *q)
{
	const int64_t all = n->total[FSI_RES_MEM],
		      by_cpu = q->mem.per_cpu && n->total[FSI_RES_CPU] < all / q->mem.per_cpu
				       ? n->total[FSI_RES_CPU] * q->mem.per_cpu
				       : all;

	return q->mem.per_cpu ? by_cpu : q->per_node[FSI_RES_MEM] ? q->per_node[FSI_RES_MEM] : all;
}

void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t cpus, int64_t *amount)
{
	memcpy(amount, q->per_node, FSI_RES_MAX * sizeof(*amount));
	if (q->sharing.whole_nodes) {
		memcpy(amount, n->total, nres * sizeof(*amount));
		amount[FSI_RES_MEM] = memory_of_whole(n, q);
		return;
	}
	amount[FSI_RES_CPU] = in_cores(n, q, cpus) < n->total[FSI_RES_CPU]
				      ? in_cores(n, q, cpus)
				      : n->total[FSI_RES_CPU];
	if (q->mem.per_cpu)
		amount[FSI_RES_MEM] = cpus * q->mem.per_cpu;
	else if (q->mem.whole_node)
		amount[FSI_RES_MEM] = n->total[FSI_RES_MEM];
}
