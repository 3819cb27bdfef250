#include "model/job/wish.h"

#include "base/num.h"

#include <string.h>

/* ---- what the record says */

uint64_t fsi_request_asked(const struct fsi_requests *r, const struct fsi_job *j)
{
	return FSI_HAS(j, JOB, cpus) || !r->cpu
		       ? j->cpus
		       : (uint64_t)fsi_amount_of(r->m, j->tres_req, r->cpu);
}

static bool is(const fs_snapshot *m, uint32_t text, const char *word)
{
	const char *s = fsi_str(m, text);

	return *s == *word && !strcmp(s, word);
}

/* A part of the topology that one job has alone consists of whole nodes too. */
static bool whole_word(const fs_snapshot *m, uint32_t text)
{
	return is(m, text, "NODE") || is(m, text, "TOPO");
}

bool fsi_request_whole(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	const bool by_field = fs_slurm_has(m->info.version, FS_SLURM_EXCLUSIVE_FIELD);

	return fsi_job_rare(m, j)->whole_nodes || whole_word(m, j->oversubscribe) || (!by_field && is(m, j->oversubscribe, "NO")) ||
	       (p && (whole_word(m, p->oversubscribe) || is(m, p->oversubscribe, "EXCLUSIVE")));
}

bool fsi_request_own_user(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p)
{
	return is(m, j->oversubscribe, "USER") ||
	       (p && (p->exclusive_user || is(m, p->oversubscribe, "USER")));
}

/* ---- memory */

static uint64_t mem_on_node(const struct fsi_requests *r, const struct fsi_job *j, uint64_t nodes)
{
	const int64_t all = r->mem ? fsi_amount_of(r->m, j->tres_req, r->mem) : 0;

	return all > 0 && nodes ? (uint64_t)all / nodes : 0;
}

static void raise_for_memory(struct fsi_wish *w, const struct fsi_requests *r,
			     const struct fsi_job *j, uint64_t nodes, uint64_t limit_mb)
{
	if (w->mem_per_cpu_mb > limit_mb) {
		const uint64_t times = fsi_divide_up(w->mem_per_cpu_mb, limit_mb);

		w->per_task *= (uint32_t)times;
		w->mem_per_cpu_mb = (uint32_t)fsi_divide_up(w->mem_per_cpu_mb, times);
		if (j->tasks)
			w->cpus = (uint64_t)j->tasks * w->per_task;
		else if (w->per_task > w->on_node)
			w->on_node = w->per_task;
		w->memory = true;
	} else if (!w->mem_per_cpu_mb) {
		const uint64_t need = fsi_divide_up(mem_on_node(r, j, nodes), limit_mb);

		if (need > w->on_node)
			w->on_node = need;
		w->memory = w->on_node > 1 && need >= w->on_node;
	}
}

/* ---- GPUs */

static uint32_t default_cpus_per_gpu(const struct fsi_requests *r, const struct fsi_partition *p)
{
	return p->cpus_per_gpu ? p->cpus_per_gpu : r->defaults.cpus_per_gpu;
}

/* GPUs that each task asks for; 0: it asks for them in another way. */
static uint32_t gpus_of_task(const struct fsi_requests *r, const struct fsi_job *j)
{
	const int64_t all = is(r->m, fsi_job_rare(r->m, j)->gres_per, "task") && j->tasks ? fsi_job_asks(r->m, j, r->gpu) : 0;

	return all > 0 && all / j->tasks <= UINT32_MAX ? (uint32_t)(all / j->tasks) : 0;
}

/* Did it ask for more CPUs than one for a task, which those of its GPUs in one of its partitions may have raised? */
static bool asks_for_cpus(const struct fsi_requests *r, const struct fsi_job *j)
{
	const uint64_t gpus = gpus_of_task(r, j);
	size_t n;
	const uint32_t *names = fsi_list(r->m, j->partitions, &n);

	for (size_t i = 0; gpus && i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && gpus * default_cpus_per_gpu(r, p) == j->cpus_per_task)
			return false;
	}
	return j->cpus_per_task > 1;
}

/* A partition's, or else the cluster's, are for jobs that say neither how many they want for a GPU nor for a task
 * (cons_common/job_test.c: _set_gpu_defaults). */
static uint32_t cpus_per_gpu(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_partition *p,
				     bool asks)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);

	return rare->cpus_per_gpu || asks ? rare->cpus_per_gpu : default_cpus_per_gpu(r, p);
}

/* The default raises the CPUs of each task that asks for GPUs, also where the job says how many it wants for a GPU
 * (cons_common/gres_select_util.c: gres_select_util_job_set_defs). */
static uint32_t cpus_of_task(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_partition *p,
				     bool asks)
{
	const uint32_t asked = asks ? j->cpus_per_task : 1;
	const uint64_t by_gpus = asked > 1 ? 0 : (uint64_t)gpus_of_task(r, j) * default_cpus_per_gpu(r, p);

	return by_gpus > asked && by_gpus <= UINT32_MAX ? (uint32_t)by_gpus : asked;
}

static uint32_t default_mem_per_gpu(const struct fsi_requests *r, const struct fsi_partition *p)
{
	return p->mem_per_gpu_mb ? p->mem_per_gpu_mb : r->defaults.mem_per_gpu_mb;
}

/* Is it what one of its partitions gives for its GPUs? Its TRES may count that once it was tried there. */
static bool is_memory_of_gpus(const struct fsi_requests *r, const struct fsi_job *j, int64_t mem)
{
	const int64_t gpus = fsi_job_asks(r->m, j, r->gpu);
	size_t n;
	const uint32_t *names = fsi_list(r->m, j->partitions, &n);

	for (size_t i = 0; gpus > 0 && i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && default_mem_per_gpu(r, p) && mem % gpus == 0 && mem / gpus == default_mem_per_gpu(r, p))
			return true;
	}
	return false;
}

/* That it asked for memory is not told (JOB_MEM_SET, src/slurmctld/job_mgr.c: _job_create): what it asks for by CPU and
 * what the cluster gives by default look alike. */
static bool asks_for_memory(const struct fsi_requests *r, const struct fsi_job *j)
{
	const int64_t mem = r->mem ? fsi_amount_of(r->m, j->tres_req, r->mem) : 0;

	if (FSI_HAS(j, JOB, mem_per_cpu_mb))
		return (int64_t)j->mem_per_cpu_mb != r->default_mem_mb;
	if (fsi_job_rare(r->m, j)->all_memory)
		return r->default_mem_mb && mem != r->default_mem_mb * (int64_t)fsi_request_asked(r, j) &&
		       !is_memory_of_gpus(r, j, mem);
	return mem > 0;
}

/* A partition's, or else the cluster's, is for jobs that ask for no memory (cons_common/job_test.c:
 * _set_gpu_defaults, _verify_node_state). */
static uint32_t mem_per_gpu(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_partition *p,
				    bool asks)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);

	if (rare->mem_per_gpu_mb || asks)
		return rare->mem_per_gpu_mb;
	return default_mem_per_gpu(r, p);
}

/* One partition's memory for GPUs clears what the job has by default, in those of its partitions tried after it; none
 * by node then means all (cons_common/job_test.c: _verify_node_state). Each making of a queue gives it its default
 * anew (src/slurmctld/job_mgr.c: job_limits_check). */
static bool loses_memory(const struct fsi_requests *r, const struct fsi_job *j, bool asks)
{
	const uint32_t own = fsi_job_rare(r->m, j)->mem_per_gpu_mb;
	size_t n;
	const uint32_t *names = fsi_list(r->m, j->partitions, &n);

	for (size_t i = 0; i < n && (own || !asks); i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && (own || default_mem_per_gpu(r, p)))
			return true;
	}
	return false;
}

/* How many GPUs are on a node is not told of a job that asks for a number in all: they are shared out evenly here. */
static void raise_for_gpus(struct fsi_wish *w, const struct fsi_requests *r, const struct fsi_job *j,
			   const struct fsi_partition *p, uint64_t nodes, const struct fsi_wish_own *own)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);
	const int64_t all = fsi_job_asks(r->m, j, r->gpu);
	const uint64_t gpus = all > 0 && all < UINT32_MAX ? (uint64_t)all : 0,
		       here = gpus > nodes && nodes ? gpus / nodes : gpus > 0,
		       told = fsi_divide_up(rare->gpu_cpus, nodes),
		       cpus = FSI_HAS(j, JOB, gpu_cpus) ? told : here * cpus_per_gpu(r, j, p, own->asks_for_cpus);

	w->gpu_cpus = cpus;
	w->gpus = cpus > w->on_node;
	w->gpus_in_all = w->gpus && is(r->m, rare->gres_per, "job");
	w->on_node = w->gpus ? cpus : w->on_node;
	w->mem_per_gpu_mb = gpus ? mem_per_gpu(r, j, p, own->asks_for_memory) : 0;
	w->lost_mem_mb = gpus && !w->mem_per_gpu_mb && own->loses_memory ? (uint32_t)r->default_mem_mb : 0;
	w->all_memory = !r->linear && !w->mem_per_gpu_mb &&
			(w->lost_mem_mb || (rare->all_memory && (!r->default_mem_mb || own->asks_for_memory)));
	if (w->mem_per_gpu_mb || w->all_memory)
		w->mem_per_cpu_mb = 0;
}

/* ---- cores */

static uint32_t tasks_per_core(const struct fsi_requests *r, const struct fsi_job *j)
{
	const uint32_t tasks = fsi_job_rare(r->m, j)->ntasks_per_core;

	return tasks ? tasks : r->task_per_core ? 1 : 0;
}

static uint32_t core_threads(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_wish *w)
{
	const uint32_t by_task = j->tasks ? w->core_tasks * w->per_task : 0,
		       threads = fsi_job_rare(r->m, j)->threads_per_core;

	if (!r->whole_cores || (r->task_per_core && w->gpu_cpus))
		return 0;
	return threads && (!by_task || threads < by_task) ? threads : by_task;
}

/* ---- all of it */

struct fsi_wish_own fsi_request_own(const struct fsi_requests *r, const struct fsi_job *j)
{
	const bool asks = asks_for_memory(r, j);

	return (struct fsi_wish_own){ asks_for_cpus(r, j), asks,
				      fsi_job_asks(r->m, j, r->gpu) > 0 && loses_memory(r, j, asks) };
}

struct fsi_wish fsi_request_wish(const struct fsi_requests *r, const struct fsi_job *j,
				 uint32_t partition, uint64_t nodes)
{
	const struct fsi_wish_own own = fsi_request_own(r, j);

	return fsi_request_wish_by(r, j, partition, nodes, &own);
}

struct fsi_wish fsi_request_wish_by(const struct fsi_requests *r, const struct fsi_job *j,
				    uint32_t partition, uint64_t nodes, const struct fsi_wish_own *own)
{
	const struct fsi_partition *p = &r->m->partition.v[partition];
	struct fsi_wish w = { .cpus = fsi_request_asked(r, j),
			      .on_node = j->min_cpus_per_node ? j->min_cpus_per_node : 1,
			      .per_task = cpus_of_task(r, j, p, own->asks_for_cpus),
			      .mem_per_cpu_mb = j->mem_per_cpu_mb,
			      .core_tasks = tasks_per_core(r, j),
			      .whole = r->linear || fsi_request_whole(r->m, j, p) };
	const uint64_t limit_mb = p->max_mem_per_cpu_mb ? p->max_mem_per_cpu_mb
							: (uint64_t)r->max_mem_per_cpu_mb;

	if (limit_mb)
		raise_for_memory(&w, r, j, nodes, limit_mb);
	raise_for_gpus(&w, r, j, p, nodes, own);
	w.core_threads = core_threads(r, j, &w);
	w.own_cores = w.core_threads && j->tasks && w.core_tasks == 1;
	return w;
}
