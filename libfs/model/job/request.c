#include "model/job/request.h"

#include "base/hostlist.h"
#include "base/num.h"
#include "base/text.h"

#include <string.h>

static uint64_t divide_up(uint64_t n, uint64_t by)
{
	return by ? n / by + (n % by != 0) : n;
}

/* The CPUs of the cores that give n, of each at most so many. */
static uint64_t cores_of(uint64_t n, uint32_t used, uint32_t threads)
{
	return divide_up(n, used < threads ? used : threads) * threads;
}

/* ---- nodes */

static void widen(struct fsi_node_span *s, const struct fsi_node *n)
{
	const uint32_t cpus = FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;
	const uint32_t threads = n->threads_per_core ? n->threads_per_core : 1;

	if (!s->nodes || cpus < s->min_cpus)
		s->min_cpus = cpus;
	if (!s->nodes || threads < s->min_threads)
		s->min_threads = threads;
	if (cpus > s->max_cpus)
		s->max_cpus = cpus;
	if (threads > s->max_threads)
		s->max_threads = threads;
	s->nodes++;
}

static int map_nodes(struct fsi_requests *r, struct fsi_arena *arena)
{
	const fs_snapshot *m = r->m;
	uint32_t *part = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*part));

	r->node_row = fsi_arena_array(arena, (size_t)m->names.count + 1, sizeof(*r->node_row));
	r->span = fsi_arena_array(arena, m->partition.n + 1, sizeof(*r->span));
	if (!part || !r->node_row || !r->span)
		return -1;
	for (uint32_t i = 0; i < m->partition.n; i++)
		part[m->partition.v[i].name] = i + 1;
	for (uint32_t i = 0; i < m->node.n; i++) {
		size_t n;
		const uint32_t *in = fsi_list(m, m->node.v[i].partitions, &n);

		r->node_row[m->node.v[i].name] = i + 1;
		for (size_t k = 0; k < n; k++)
			if (part[in[k]])
				widen(&r->span[part[in[k]] - 1], &m->node.v[i]);
	}
	return 0;
}

struct listed_nodes {
	const struct fsi_requests *r;
	struct fsi_node_span span;
	uint64_t cpus;
	uint32_t tres; /* 0: none */
	int64_t amount;
};

static int listed_node(void *ctx, const char *name, size_t len)
{
	struct listed_nodes *l = ctx;
	const uint32_t id = fsi_intern_find(&l->r->m->names, name, len);
	const uint32_t row = id ? l->r->node_row[id] : 0;
	const struct fsi_node *n;

	if (!row)
		return 1;
	n = &l->r->m->node.v[row - 1];
	widen(&l->span, n);
	l->cpus += FSI_HAS(n, NODE, effective_cpus) ? n->effective_cpus : n->cpus;
	l->amount += l->tres ? fsi_amount_of(l->r->m, n->tres, l->tres) : 0;
	return 0;
}

/* The nodes that the controller planned for the job; all is 0 where there are none. */
static struct listed_nodes planned_nodes(const struct fsi_requests *r, const struct fsi_job *j, uint32_t tres)
{
	struct listed_nodes l = { .r = r, .tres = tres };

	if (j->sched_nodes && fsi_hostlist_each(fsi_str(r->m, j->sched_nodes), r->m->node.n, listed_node, &l))
		l = (struct listed_nodes){ .r = r };
	return l;
}

/* ---- settings */

/* The words of SelectTypeParameters, in any case: CR_CORE_MEMORY holds CORE. */
static bool selects(const fs_snapshot *m, const char *word)
{
	const char *told = fs_snapshot_config_text(m, "SelectTypeParameters"), *s = told ? told : "";
	const size_t len = strlen(word);

	for (; *s; s++) {
		size_t i = 0;

		while (i < len && (s[i] == word[i] || s[i] == word[i] + ('a' - 'A')))
			i++;
		if (i == len)
			return true;
	}
	return false;
}

static int job_default(const char *word, size_t len, struct fsi_job_defaults *out)
{
	const char *const names[] = { "DefCpuPerGPU=", "DefMemPerGPU=" };
	uint32_t *const into[] = { &out->cpus_per_gpu, &out->mem_per_gpu_mb };
	uint64_t n;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const size_t name = strlen(names[i]);

		if (len <= name || !fsi_same_any_case(word, name, names[i]))
			continue;
		if (fsi_parse_u64(word + name, len - name, &n) || n >= UINT32_MAX)
			return -1;
		*into[i] = (uint32_t)n;
		return 0;
	}
	return -1;
}

/* src/common/read_config.c: job_defaults_list. */
int fsi_slurm_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out)
{
	struct fsi_job_defaults d = { 0 };

	*out = d;
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && text[end] != ','; end++)
			;
		if (end > at && job_default(text + at, end - at, &d))
			return -1;
	}
	*out = d;
	return 0;
}

int fsi_requests_init(struct fsi_requests *r, const fs_snapshot *m, struct fsi_arena *arena)
{
	const struct fsi_config_entry *type = fsi_config_find(m, "SelectType");
	const char *defaults = fs_snapshot_config_text(m, "JobDefaults");

	*r = (struct fsi_requests){ .m = m,
				    .node = fsi_name_find(m, "node"),
				    .mem = fsi_name_find(m, "mem"),
				    .cpu = fsi_name_find(m, "cpu"), .gpu = fsi_name_find(m, "gres/gpu") };
	r->whole_sockets = selects(m, "CR_SOCKET");
	r->whole_cores = r->whole_sockets || selects(m, "CR_CORE");
	r->task_per_core = selects(m, "ONE_TASK_PER_CORE");
	r->linear = type && type->kind == FSI_CONFIG_STR &&
		    !strcmp(fsi_str(m, (uint32_t)type->i), "select/linear");
	if (defaults)
		fsi_slurm_job_defaults(defaults, strlen(defaults), &r->defaults); /* libfs/model/finish.c checks it */
	r->default_mem_mb = fsi_config_int(m, "DefMemPerCPU", 0);
	r->max_mem_per_cpu_mb = fsi_config_int(m, "MaxMemPerCPU", 0);
	return map_nodes(r, arena);
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

/* ---- what a job counts for */

static uint64_t asked_cpus(const struct fsi_requests *r, const struct fsi_job *j)
{
	return FSI_HAS(j, JOB, cpus) || !r->cpu
		       ? j->cpus
		       : (uint64_t)fsi_amount_of(r->m, j->tres_req, r->cpu);
}

static uint64_t mem_on_node(const struct fsi_requests *r, const struct fsi_job *j, uint64_t nodes)
{
	const int64_t all = r->mem ? fsi_amount_of(r->m, j->tres_req, r->mem) : 0;

	return all > 0 && nodes ? (uint64_t)all / nodes : 0;
}

static void raise_for_memory(struct fsi_wish *w, const struct fsi_requests *r,
			     const struct fsi_job *j, uint64_t nodes, uint64_t limit_mb)
{
	if (w->mem_per_cpu_mb > limit_mb) {
		const uint64_t times = divide_up(w->mem_per_cpu_mb, limit_mb);

		w->per_task *= (uint32_t)times;
		w->mem_per_cpu_mb = (uint32_t)divide_up(w->mem_per_cpu_mb, times);
		if (j->tasks)
			w->cpus = (uint64_t)j->tasks * w->per_task;
		else if (w->per_task > w->on_node)
			w->on_node = w->per_task;
		w->memory = true;
	} else if (!w->mem_per_cpu_mb) {
		const uint64_t need = divide_up(mem_on_node(r, j, nodes), limit_mb);

		if (need > w->on_node)
			w->on_node = need;
		w->memory = w->on_node > 1 && need >= w->on_node;
	}
}

/* A partition's, or else the cluster's, are for jobs that say neither how many they want for a GPU nor for a task
 * (cons_common/job_test.c: _set_gpu_defaults). */
static uint32_t cpus_per_gpu(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_partition *p)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);

	if (rare->cpus_per_gpu || j->cpus_per_task > 1)
		return rare->cpus_per_gpu;
	return p->cpus_per_gpu ? p->cpus_per_gpu : r->defaults.cpus_per_gpu;
}

/* That it asked for memory is not told (JOB_MEM_SET, src/slurmctld/job_mgr.c: _job_create): what it asks for by CPU and
 * what the cluster gives by default look alike. */
static bool asks_for_memory(const struct fsi_requests *r, const struct fsi_job *j)
{
	const int64_t mem = r->mem ? fsi_amount_of(r->m, j->tres_req, r->mem) : 0;

	if (FSI_HAS(j, JOB, mem_per_cpu_mb))
		return (int64_t)j->mem_per_cpu_mb != r->default_mem_mb;
	if (fsi_job_rare(r->m, j)->all_memory)
		return r->default_mem_mb && mem != r->default_mem_mb * (int64_t)asked_cpus(r, j);
	return mem > 0;
}

/* A partition's, or else the cluster's, is for jobs that ask for no memory (cons_common/job_test.c:
 * _set_gpu_defaults, _verify_node_state). */
static uint32_t mem_per_gpu(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_partition *p)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);

	if (rare->mem_per_gpu_mb || asks_for_memory(r, j))
		return rare->mem_per_gpu_mb;
	return p->mem_per_gpu_mb ? p->mem_per_gpu_mb : r->defaults.mem_per_gpu_mb;
}

/* One partition's memory for GPUs clears what the job has by default, in those of its partitions tried after it; none
 * by node then means all (cons_common/job_test.c: _verify_node_state). Each making of a queue gives it its default
 * anew (src/slurmctld/job_mgr.c: job_limits_check). */
static bool loses_memory(const struct fsi_requests *r, const struct fsi_job *j)
{
	size_t n;
	const uint32_t *names = fsi_list(r->m, j->partitions, &n);

	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);

		if (p && mem_per_gpu(r, j, p))
			return true;
	}
	return false;
}

/* How many GPUs are on a node is not told of a job that asks for a number in all: they are shared out evenly here. */
static void raise_for_gpus(struct fsi_wish *w, const struct fsi_requests *r, const struct fsi_job *j,
			   const struct fsi_partition *p, uint64_t nodes)
{
	const struct fsi_job_rare *rare = fsi_job_rare(r->m, j);
	const int64_t all = fsi_job_asks(r->m, j, r->gpu);
	const uint64_t gpus = all > 0 && all < UINT32_MAX ? (uint64_t)all : 0,
		       here = gpus > nodes && nodes ? gpus / nodes : gpus > 0, told = divide_up(rare->gpu_cpus, nodes),
		       cpus = FSI_HAS(j, JOB, gpu_cpus) ? told : here * cpus_per_gpu(r, j, p);

	w->gpu_cpus = cpus;
	w->gpus = cpus > w->on_node;
	w->on_node = w->gpus ? cpus : w->on_node;
	w->mem_per_gpu_mb = gpus ? mem_per_gpu(r, j, p) : 0;
	w->lost_mem_mb = gpus && !w->mem_per_gpu_mb && loses_memory(r, j) ? (uint32_t)r->default_mem_mb : 0;
	w->all_memory = !r->linear && !w->mem_per_gpu_mb &&
			(w->lost_mem_mb || (rare->all_memory && (!r->default_mem_mb || asks_for_memory(r, j))));
	if (w->mem_per_gpu_mb || w->all_memory)
		w->mem_per_cpu_mb = 0;
}

/* Tasks on a core, 0: as many as fit. */
static uint32_t tasks_per_core(const struct fsi_requests *r, const struct fsi_job *j)
{
	const uint32_t tasks = fsi_job_rare(r->m, j)->ntasks_per_core;

	return tasks ? tasks : r->task_per_core ? 1 : 0;
}

static uint32_t core_threads(const struct fsi_requests *r, const struct fsi_job *j, const struct fsi_wish *w)
{
	const uint32_t by_task = j->tasks ? tasks_per_core(r, j) * w->per_task : 0,
		       threads = fsi_job_rare(r->m, j)->threads_per_core;

	if (!r->whole_cores || (r->task_per_core && w->gpu_cpus))
		return 0;
	return threads && (!by_task || threads < by_task) ? threads : by_task;
}

struct fsi_wish fsi_request_wish(const struct fsi_requests *r, const struct fsi_job *j,
				 uint32_t partition, uint64_t nodes)
{
	const struct fsi_partition *p = &r->m->partition.v[partition];
	struct fsi_wish w = { .cpus = asked_cpus(r, j),
			      .on_node = j->min_cpus_per_node ? j->min_cpus_per_node : 1,
			      .per_task = j->cpus_per_task ? j->cpus_per_task : 1,
			      .mem_per_cpu_mb = j->mem_per_cpu_mb,
			      .whole = r->linear || fsi_request_whole(r->m, j, p) };
	const uint64_t limit_mb = p->max_mem_per_cpu_mb ? p->max_mem_per_cpu_mb
							: (uint64_t)r->max_mem_per_cpu_mb;

	if (limit_mb)
		raise_for_memory(&w, r, j, nodes, limit_mb);
	raise_for_gpus(&w, r, j, p, nodes);
	w.core_threads = core_threads(r, j, &w);
	w.own_cores = w.core_threads && j->tasks && tasks_per_core(r, j) == 1;
	return w;
}

/* CPUs that a job takes in cores of so many threads, if they need not be spread. */
static uint64_t in_cores(const struct fsi_requests *r, const struct fsi_job *j,
			 const struct fsi_wish *w, uint32_t threads)
{
	const uint32_t per_core = tasks_per_core(r, j), used = fsi_job_rare(r->m, j)->threads_per_core;
	uint64_t cores = divide_up(w->cpus, threads);

	if (used && used < threads)
		cores = divide_up(w->cpus, used);
	if (per_core && j->tasks) {
		const uint64_t by_task =
			divide_up(j->tasks, per_core) *
			divide_up((uint64_t)w->per_task * per_core, threads);

		cores = by_task > cores ? by_task : cores;
	}
	return cores * threads;
}

static void in_shared_nodes(struct fsi_request *q, const struct fsi_requests *r,
			    const struct fsi_job *j, const struct fsi_wish *w,
			    const struct fsi_node_span *span)
{
	const bool one = q->nodes == 1 && (j->tasks <= 1 || j->max_nodes == 1 || span->nodes == 1);
	const uint64_t parts = one ? 1 : j->tasks > q->nodes ? j->tasks : q->nodes;
	uint64_t min = w->cpus, max = w->cpus, node_min = w->on_node, node_max = w->on_node;

	if (r->whole_cores) {
		const uint32_t used = w->core_threads ? w->core_threads : UINT32_MAX;
		const uint64_t few = in_cores(r, j, w, span->min_threads),
			       many = in_cores(r, j, w, span->max_threads);

		min = few < many ? few : many;
		max = few > many ? few : many;
		max += (parts - 1) * (span->max_threads - 1);
		node_min = cores_of(w->on_node, used, span->min_threads);
		node_max = cores_of(w->on_node, used, span->max_threads);
	}
	q->min = min > q->nodes * node_min ? min : q->nodes * node_min;
	q->max = max > parts * node_max ? max : parts * node_max;
	if (q->max < q->min)
		q->max = q->min;
	if (r->whole_sockets)
		q->max = UINT64_MAX;
}

static void in_whole_nodes(struct fsi_request *q, const struct fsi_wish *w, const struct fsi_node_span *span)
{
	const uint64_t few = divide_up(w->cpus, span->max_cpus),
		       many = divide_up(w->cpus, span->min_cpus);

	q->min = (few > q->nodes ? few : q->nodes) * span->min_cpus;
	q->max = (many > q->nodes ? many : q->nodes) * span->max_cpus;
	if (q->min < w->cpus)
		q->min = w->cpus;
}

static enum fs_grows reason(const struct fsi_request *q, const struct fsi_wish *w, bool whole)
{
	if (q->min == q->asked && q->max == q->asked)
		return FS_GROWS_NOT;
	return whole ? FS_GROWS_NODES : w->gpus ? FS_GROWS_GPUS : w->memory ? FS_GROWS_MEMORY : FS_GROWS_CORES;
}

static struct fsi_request in_partition(const struct fsi_requests *r, const struct fsi_job *j,
				       uint32_t partition, bool as_planned)
{
	const int64_t asked_nodes = r->node ? fsi_amount_of(r->m, j->tres_req, r->node) : 0;
	const uint32_t nodes = asked_nodes > 0 ? (uint32_t)asked_nodes : 1;
	const struct fsi_wish w = fsi_request_wish(r, j, partition, nodes);
	const bool whole = w.whole;
	const struct listed_nodes planned = as_planned && (whole || r->whole_cores)
						    ? planned_nodes(r, j, 0)
						    : (struct listed_nodes){ 0 };
	const struct fsi_node_span *span = planned.span.nodes ? &planned.span
							      : &r->span[partition];
	struct fsi_request q = { .nodes = nodes,
				 .asked = asked_cpus(r, j),
				 .min = asked_cpus(r, j),
				 .max = UINT64_MAX };

	if (planned.span.nodes > q.nodes)
		q.nodes = planned.span.nodes;
	if (span->nodes && whole)
		in_whole_nodes(&q, &w, span);
	else if (span->nodes)
		in_shared_nodes(&q, r, j, &w, span);
	else if (!whole && !r->whole_cores && !w.memory && w.on_node * q.nodes <= q.asked)
		q.max = q.asked;
	if (whole && planned.cpus)
		q.min = q.max = planned.cpus;
	q.mem_per_cpu_mb = w.mem_per_cpu_mb;
	q.why = reason(&q, &w, whole);
	return q;
}

struct fsi_request fsi_request_of(const struct fsi_requests *r, const struct fsi_job *job, uint32_t partition)
{
	const uint64_t asked = asked_cpus(r, job);
	struct fsi_request all = { .asked = asked, .min = asked, .max = asked };
	size_t n;
	const uint32_t *names = fsi_list(r->m, job->partitions, &n);
	bool any = false;

	if (partition != FSI_NO_INDEX)
		return in_partition(r, job, partition, true);
	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);
		struct fsi_request q;

		if (!p)
			continue;
		q = in_partition(r, job, (uint32_t)(p - r->m->partition.v), false);
		if (any && q.min > all.min)
			q.min = all.min;
		if (any && q.max < all.max)
			q.max = all.max;
		if (any && all.why)
			q.why = all.why;
		all = q;
		any = true;
	}
	return all;
}

int64_t fsi_request_whole_gres(const struct fsi_requests *r, const struct fsi_job *j,
			       uint32_t partition, uint32_t tres)
{
	const fs_snapshot *m = r->m;
	const int64_t nodes = r->node ? fsi_amount_of(m, j->tres_req, r->node) : 0,
		      many = nodes > 0 ? nodes : 1,
		      asked = fsi_amount_of(m, j->tres_req, tres) / many;
	struct listed_nodes planned;
	int64_t min = INT64_MAX;

	if (!r->linear && !fsi_request_whole(m, j, &m->partition.v[partition]))
		return 0;
	planned = planned_nodes(r, j, tres);
	if (planned.span.nodes)
		return planned.amount;
	for (size_t i = 0; i < m->node.n; i++) {
		const int64_t has = fsi_amount_of(m, m->node.v[i].tres, tres);

		if (has >= asked && has < min && fsi_node_in(m, &m->node.v[i], partition))
			min = has;
	}
	return min == INT64_MAX ? 0 : min * many;
}
