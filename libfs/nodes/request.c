#include "nodes/request.h"

#include "nodes/oversubscribe.h"
#include "base/num.h"
#include "model/find.h"

#include <string.h>

/* If *set is NULL, sets *set to a new node set with all nodes. Returns *set; NULL if out of memory. */
static uint64_t *make_full_node_set(uint64_t **set, const struct fsi_cluster *c, struct fsi_arena *arena)
{
	if (!*set) {
		*set = fsi_arena_array(arena, c->words, sizeof(**set));
		if (*set)
			memset(*set, 0xff, c->words * sizeof(**set));
	}
	return *set;
}

int64_t fsi_request_get_max_nodes(const struct fsi_request *q)
{
	const int64_t limit = q->nodes.max ? q->nodes.max : INT64_MAX;

	return !q->cpu.tasks || q->cpu.tasks >= limit ? limit
	       : q->cpu.tasks > q->nodes.min          ? q->cpu.tasks
						      : q->nodes.min;
}

/* The amounts that a node must have in total to be a candidate node. The amounts in use do not matter. The memory
 * minimum applies even if memory is not consumable (src/slurmctld/node_scheduler.c: job_req_node_filter). */

struct node_minimum {
	uint32_t cpus, sockets, cores_per_socket, disk_mb;
	int64_t mem_mb;
};

/* Returns the memory in MiB that a node must have in total. If memory is requested per CPU, this is the memory for the
 * minimum number of CPUs per node, as in the controller. */
static int64_t get_min_node_memory(const struct fsi_cluster *c, const struct fsi_request *q, const struct fsi_job *j)
{
	const int64_t by_cpu = !c->rules.memory_is_consumable || q->mem.per_cpu ? j->mem_per_cpu_mb : 0,
		      cpus = j->min_cpus_per_node ? j->min_cpus_per_node : 1;
	const uint32_t mem = fsi_name_find(c->m, "mem");

	if (by_cpu)
		return by_cpu * cpus;
	if (c->rules.memory_is_consumable)
		return q->per_node[FSI_RES_MEM];
	return mem && fsi_job_memory_is_requested(c->m, j)
		       ? fsi_cluster_divide_up(fsi_cluster_limit_amount(fsi_amount_of_tres(c->m, j->tres_req, mem)),
					       q->nodes.min)
		       : 0;
}

static bool is_node_too_small(const struct fsi_cluster *c, uint32_t node, const struct node_minimum *w)
{
	const uint32_t row = c->node[node].row;
	const struct fsi_node *n = &c->m->node.v[row];

	return fsi_node_get_total_cpus(c->m, row) < w->cpus || fsi_node_get_total_memory(c->m, row) < w->mem_mb ||
	       (FSI_HAS(n, NODE, sockets) && n->sockets < w->sockets) ||
	       (FSI_HAS(n, NODE, cores_per_socket) && n->cores_per_socket < w->cores_per_socket) ||
	       (FSI_HAS(n, NODE, tmp_disk_mb) && n->tmp_disk_mb < w->disk_mb);
}

/* Removes from q->set.allowed the nodes that are too small for the request even when they are idle. The members of *q
 * for CPUs, memory, nodes and the partition must already be set. Returns -1 if out of memory. */
static int exclude_small_nodes(struct fsi_request *q, const struct fsi_cluster *c, struct fsi_arena *arena)
{
	const struct fsi_job *j = &c->m->job.v[q->job];
	const struct fsi_job_ext *ext = fsi_job_ext(c->m, j);
	const struct node_minimum w = { .cpus = j->min_cpus_per_node,
					.sockets = ext->sockets_per_node,
					.cores_per_socket = ext->cores_per_socket,
					.disk_mb = ext->tmp_disk_mb,
					.mem_mb = get_min_node_memory(c, q, j) };

	if (w.cpus <= c->smallest.cpus && w.mem_mb <= c->smallest.mem_mb && !w.sockets && !w.cores_per_socket &&
	    !w.disk_mb)
		return 0;
	if (!make_full_node_set(&q->set.allowed, c, arena))
		return -1;
	for (uint32_t i = 0; i < c->nnodes; i++)
		if (is_node_too_small(c, i, &w))
			fsi_bit_clear(q->set.allowed, i);
	return 0;
}

/* ---- features of a job
 *
 * The features of a job determine the allowed nodes (src/slurmctld/node_scheduler.c: valid_feature_counts), and the
 * feature sets that the backfill scheduler tries one by one (backfill.c: _num_feature_count, _try_sched).
 *
 * The text of --constraint is parsed into a list of features. Each feature is stored with the operator that follows it.
 * In a group in parentheses, the member `group` is true for all features except the last. Rules:
 *   The list is evaluated from left to right.
 *   An operator in brackets does not change the set of allowed nodes.
 *   If at least one feature has a number of nodes, the features do not restrict the allowed nodes.
 *   Each feature outside parentheses, and each group in parentheses, makes one feature set. */

enum feature_op { OP_END, OP_AND, OP_OR, OP_ONE_SET, OP_EACH_SET };

struct feature_item {
	const char *name;
	uint32_t len, count;
	enum feature_op op;
	bool group, in_brackets;
};

struct feature_parser {
	struct feature_item *item;
	uint32_t n;
	struct feature_item current; /* feature that is being read; name NULL: no feature is being read */
	bool group, in_brackets, brackets_seen;
};

static bool is_feature_on_node(const struct fsi_cluster *c, const struct fsi_cluster_node *n,
			       const struct feature_item *it)
{
	const uint32_t id = fsi_intern_find_id(&c->m->names, it->name, it->len);
	size_t count;
	const uint32_t *list = fsi_list_items(c->m, c->m->node.v[n->row].features, &count);

	for (size_t i = 0; id && i < count; i++)
		if (list[i] == id)
			return true;
	return false;
}

/* ---- parsing the text of --constraint */

/* Appends the current feature to r->item. `by`: the character at which the feature ends. Returns false if no name
 * precedes that character. */
static bool end_feature_item(struct feature_parser *r, char by)
{
	const bool any = by == '|';

	if (!r->current.name)
		return by == '\0';
	r->current.group = r->group;
	r->current.in_brackets = r->in_brackets;
	r->current.op = by == '\0'			? OP_END
		    : r->group || !r->in_brackets ? (any ? OP_OR : OP_AND)
						: (any ? OP_ONE_SET : OP_EACH_SET);
	r->item[r->n++] = r->current;
	r->current = (struct feature_item){ 0 };
	return true;
}

/* Processes the bracket or parenthesis `c`. Returns false if `c` is misplaced. */
static bool parse_feature_bracket(struct feature_parser *r, char c)
{
	const bool opens = c == '[' || c == '(';
	bool *const in = c == '(' || c == ')' ? &r->group : &r->in_brackets;

	if (opens == (r->current.name != NULL) || opens == *in || (c == '[' && r->brackets_seen) ||
	    (in == &r->in_brackets && r->group))
		return false;
	*in = opens;
	r->brackets_seen = r->brackets_seen || c == '[';
	return true;
}

/* Reads a number of nodes such as "*4". Returns the length of the text read; 0 if the number is not valid. */
static size_t parse_node_count(struct feature_parser *r, const char *s)
{
	const size_t len = strspn(s + 1, "0123456789");
	int64_t n;

	if (!r->current.name || r->group || fsi_parse_i64(s + 1, len, &n) || n <= 0 || n > UINT32_MAX)
		return 0;
	r->current.count = (uint32_t)n;
	return len + 1;
}

static bool parse_feature_items(struct feature_parser *r, const char *s)
{
	for (;;) {
		const size_t len = strcspn(s, "&,|[]()*");

		if (len && r->current.name)
			return false;
		if (len)
			r->current = (struct feature_item){ .name = s, .len = (uint32_t)len };
		s += len;
		if (*s == '*') {
			const size_t digits = parse_node_count(r, s);

			if (!digits)
				return false;
			s += digits;
			continue;
		}
		if (*s && strchr("[]()", *s)) {
			if (!parse_feature_bracket(r, *s++))
				return false;
			continue;
		}
		if (!end_feature_item(r, *s))
			return false;
		if (!*s++)
			return !r->group && !r->in_brackets && r->n;
	}
}

/* ---- evaluating the list of features */

struct feature_evaluation {
	const struct fsi_cluster *c;
	/* `all`: nodes that match the features evaluated so far; `group`: nodes that match the features evaluated so
	 * far of the current group (features in parentheses or brackets) */
	uint64_t *all, *group;
};

static void apply_feature_item(const struct feature_evaluation *s, const struct feature_item *it, enum feature_op op,
			       uint64_t *to)
{
	for (uint32_t i = 0; i < s->c->nnodes; i++) {
		const bool has = is_feature_on_node(s->c, &s->c->node[i], it);

		if (op == OP_AND && !has)
			fsi_bit_clear(to, i);
		else if (op == OP_OR && has)
			fsi_bit_set(to, i);
	}
}

static void join_feature_group(const struct feature_evaluation *s, enum feature_op op)
{
	for (uint32_t w = 0; w < s->c->words; w++) {
		if (op == OP_AND)
			s->all[w] &= s->group[w];
		else if (op == OP_OR)
			s->all[w] |= s->group[w];
	}
}

/* Sets s->all to the nodes that match the `n` features of the list `item`. */
static void evaluate_feature_items(const struct feature_evaluation *s, const struct feature_item *item, uint32_t n)
{
	const size_t size = s->c->words * sizeof(uint64_t);
	enum feature_op last = OP_AND, before_group = OP_AND;
	bool group = false;

	memset(s->all, 0xff, size);
	for (uint32_t k = 0; k < n; k++) {
		const struct feature_item *it = &item[k];

		if (it->group && !group) {
			before_group =
				it->in_brackets && last != OP_EACH_SET && last != OP_ONE_SET ? OP_EACH_SET : last;
			last = OP_AND;
			memset(s->group, 0xff, size);
		}
		if (it->op != OP_ONE_SET && it->op != OP_EACH_SET)
			apply_feature_item(s, it, last, it->group || group ? s->group : s->all);
		if (group && !it->group)
			join_feature_group(s, before_group);
		last = it->op;
		group = it->group;
	}
}

/* ---- feature sets */

static int add_feature_set(struct fsi_request *q, const struct feature_evaluation *s, struct feature_item *item,
			   uint32_t n, struct fsi_arena *arena)
{
	struct fsi_feature_set *kind = &q->features.set[q->features.n];

	for (uint32_t k = 0; k < n; k++)
		item[k].group = item[k].in_brackets = false;
	kind->count = item[n - 1].count;
	item[n - 1].op = OP_END;
	kind->nodes = fsi_arena_array(arena, s->c->words, sizeof(*kind->nodes));
	if (!kind->nodes)
		return -1;
	evaluate_feature_items(s, item, n);
	memcpy(kind->nodes, s->all, s->c->words * sizeof(*kind->nodes));
	q->features.n++;
	return 0;
}

static int make_feature_sets(struct fsi_request *q, const struct feature_evaluation *s, struct feature_parser *r,
			     struct fsi_arena *arena)
{
	q->features.set = fsi_arena_array(arena, r->n, sizeof(*q->features.set));
	if (!q->features.set)
		return -1;
	for (uint32_t k = 0, end; k < r->n; k = end) {
		for (end = k; end + 1 < r->n && r->item[end].group;)
			end++;
		if (add_feature_set(q, s, &r->item[k], ++end - k, arena))
			return -1;
	}
	return 0;
}

/* Restricts the allowed nodes to the nodes that match the text of --constraint, and makes the feature sets that are
 * tried one by one. If the text cannot be parsed, sets FS_UNMODELLED_FEATURES in q->unmodelled. Returns -1 if out of
 * memory. */
static int read_job_features(struct fsi_request *q, const struct fsi_cluster *c, const char *text,
			     struct fsi_arena *arena)
{
	struct feature_evaluation s = { c, fsi_arena_array(arena, c->words, sizeof(*s.all)),
					fsi_arena_array(arena, c->words, sizeof(*s.group)) };
	struct feature_parser r = { .item = fsi_arena_array(arena, strlen(text) + 1, sizeof(*r.item)) };
	bool counted = false, one = false, each = false;

	if (!s.all || !s.group || !r.item || !make_full_node_set(&q->set.allowed, c, arena))
		return -1;
	if (!parse_feature_items(&r, text)) {
		q->unmodelled |= FS_UNMODELLED_FEATURES;
		return 0;
	}
	for (uint32_t k = 0; k < r.n; k++) {
		counted = counted || r.item[k].count;
		one = one || r.item[k].op == OP_ONE_SET;
		each = each || r.item[k].op == OP_EACH_SET;
	}
	if (!counted) {
		evaluate_feature_items(&s, r.item, r.n);
		fsi_bits_and(q->set.allowed, s.all, c->words);
	}
	q->features.wants_each = counted || each;
	return q->features.wants_each || one ? make_feature_sets(q, &s, &r, arena) : 0;
}

/* ---- sizes of a request, amounts of its resources, and time limits */

static const int64_t year_s = 365 * INT64_C(86400);

/* Returns the time limit of the job or of the partition in seconds, whichever is shorter. A limit of one year is
 * assumed for a partition without a limit. If `shortest` is true, the job's TimeMin, if set, is used instead of the
 * job's time limit. Sets *too_long to true if the job's limit exceeds the partition's limit, else to false. */
static int64_t compute_time_limit(const fs_snapshot *m, const struct fsi_partition *p, const struct fsi_job *j,
				  bool shortest, bool *too_long)
{
	const bool part = FSI_HAS(p, PARTITION, max_time_s) && !FSI_SPECIAL(p, PARTITION, max_time_s);
	const int64_t max = part ? p->max_time_s : year_s;
	int64_t limit = max;

	if (shortest && FSI_HAS(j, JOB, time_min_s) && fsi_job_ext(m, j)->time_min_s > 0)
		limit = fsi_job_ext(m, j)->time_min_s;
	else if (FSI_HAS(j, JOB, time_limit_s) && !FSI_SPECIAL(j, JOB, time_limit_s))
		limit = j->time_limit_s;
	*too_long = part && limit > max;
	return limit < max ? (limit > 0 ? limit : 1) : max;
}

static int64_t get_requested_amount(const struct fsi_cluster *c, const struct fsi_job *j, const char *name)
{
	const uint32_t id = fsi_name_find(c->m, name);

	return id ? fsi_cluster_limit_amount(fsi_amount_of_tres(c->m, j->tres_req, id)) : 0;
}

/* Returns the number of GPUs that the job requests. Returns 0 if it requests no GPUs, or if it requests several GPU
 * types in different numbers. */
static uint32_t count_requested_gpus(const struct fsi_cluster *c, const struct fsi_job *j)
{
	int64_t all = 0;

	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++) {
		const int64_t n = fsi_cluster_is_gpu_resource(c, r)
					  ? fsi_cluster_get_requested_amount(c->m, j, c->res_name[r])
					  : 0;

		if (n >= UINT32_MAX || (n && all && n != all))
			return 0;
		all = n ? n : all;
	}
	return (uint32_t)all;
}

/* Sets members of q->gpu and q->cpu if the job requests GPUs as a total or per task, and may run on several nodes.
 * Each node must then give at least one GPU, or the GPUs of one task, with the CPUs for these GPUs
 * (select/cons_common/gres_select_util.c: gres_select_util_job_min_cpu_node). Returns a number by which the caller
 * divides the job's total number of GPUs. The quotient is the minimum number of GPUs on each node. */
static uint32_t read_spread_gpus(struct fsi_request *q, const struct fsi_cluster *c, const struct fsi_job *j,
				 const struct fsi_partition_request *w)
{
	const struct fsi_job_ext *ext = fsi_job_ext(c->m, j);
	const uint32_t nodes = q->nodes.min, all = fsi_request_get_max_nodes(q) == 1 ? 0 : count_requested_gpus(c, j),
		       here = all > nodes ? all / nodes : 1;
	const bool in_all = all && !strcmp(fsi_name_text(c->m, ext->gres_per), "job"),
		   by_task = all && !strcmp(fsi_name_text(c->m, ext->gres_per), "task") && q->cpu.tasks &&
			     all % q->cpu.tasks == 0;

	if (!in_all && !by_task)
		return nodes;
	q->gpu.total = in_all ? all : 0;
	q->gpu.per_task = in_all ? 0 : (uint32_t)(all / q->cpu.tasks);
	/* the CPUs requested per GPU may have raised q->cpu.per_task */
	if (by_task && q->cpu.total < q->cpu.tasks * q->cpu.per_task)
		q->cpu.total = q->cpu.tasks * q->cpu.per_task;
	q->gpu.mem_per_gpu = c->rules.memory_is_consumable ? w->mem_per_gpu_mb : 0;
	if (w->raised_for_gpus) {
		const int64_t cpus = (int64_t)w->min_cpus_on_node / here,
			      least = in_all ? cpus : cpus * q->gpu.per_task;

		q->gpu.cpus_per_gpu = (uint32_t)cpus;
		q->gpu.cpus_per_gpu_requested = ext->cpus_per_gpu && !ext->cpus_per_gpu_default;
		q->cpu.min_per_node = least > q->cpu.per_task ? least : q->cpu.per_task;
		q->gpu.max_cpus = in_all ? cpus * all : least * nodes;
	}
	return in_all ? all : (uint32_t)q->cpu.tasks;
}

/* Sets the memory and the generic resources that the request needs on each node. */
static void read_node_amounts(struct fsi_request *q, const struct fsi_cluster *c, const struct fsi_job *j,
			      const struct fsi_partition_request *w)
{
	const int64_t mem = get_requested_amount(c, j, "mem");
	const uint32_t parts = read_spread_gpus(q, c, j, w);

	q->mem.whole_node = c->rules.memory_is_consumable && w->all_memory;
	q->mem.lost_per_cpu = w->lost_mem_mb;
	q->gpu.memory_by_gpu = w->mem_per_gpu_mb;
	if (mem && c->rules.memory_is_consumable && w->mem_per_cpu_mb)
		q->mem.per_cpu = w->mem_per_cpu_mb;
	else if (c->rules.memory_is_consumable && !q->mem.whole_node)
		q->per_node[FSI_RES_MEM] = fsi_cluster_divide_up(mem, q->nodes.min);
	for (uint32_t r = FSI_RES_GRES; r < c->nres; r++) {
		q->per_node[r] = fsi_cluster_divide_up(fsi_cluster_get_requested_amount(c->m, j, c->res_name[r]),
						       fsi_cluster_is_gpu_resource(c, r) ? parts : q->nodes.min);
		q->wants_gres = q->wants_gres || q->per_node[r];
		if (fsi_cluster_is_gpu_resource(c, r) && q->per_node[r] > q->gpu.per_node)
			q->gpu.per_node = (uint32_t)(q->per_node[r] < UINT32_MAX ? q->per_node[r] : UINT32_MAX);
	}
	if (c->rules.memory_is_consumable && w->mem_per_gpu_mb)
		q->per_node[FSI_RES_MEM] = (int64_t)q->gpu.per_node * w->mem_per_gpu_mb;
}

/* Returns true if the job is assumed to have requested no maximum number of nodes, because its maximum equals its
 * number of tasks (get_node_cnts, JOB_IMPLICIT_MAX_NODES). The assumption is wrong for a job that requested 1 to 8
 * nodes and 8 tasks. */
static bool is_max_nodes_implicit(const struct fsi_request *q, unsigned version)
{
	return fs_slurm_has(version, FS_SLURM_TASKS_SET_MOST) && (int64_t)q->nodes.max == q->cpu.tasks &&
	       q->nodes.min < q->nodes.max;
}

/* Returns true if the job requested --exclusive=user or --exclusive=mcs: its nodes may be used only by jobs of the same
 * user, or only by jobs with the same MCS label. */
static bool is_exclusive_to_user(const fs_snapshot *m, const struct fsi_job *j)
{
	const char *s = fsi_name_text(m, j->oversubscribe);

	return !strcmp(s, "USER") || !strcmp(s, "MCS");
}

/* Returns the number of CPUs of the partition's largest node; at least 1. */
static int64_t get_most_cpus(const struct fsi_cluster *c, const struct fsi_cluster_partition *p)
{
	int64_t most = 1;

	for (uint32_t k = 0; k < p->nnodes; k++)
		if (most < c->node[p->node[k]].total[FSI_RES_CPU])
			most = c->node[p->node[k]].total[FSI_RES_CPU];
	return most;
}

/* Returns true if the controller computed NumNodes from the number of tasks. The controller does so for a job that was
 * not tested since the controller's start or the job's last update. It then prints the number of nodes that the tasks
 * need on the largest nodes, both as minimum and as maximum (src/slurmctld/job_mgr.c: _pack_pending_job_details).
 * `nodes`: number of nodes in the TRES of the job. */
static bool is_size_computed(const struct fsi_request *q, const struct fsi_cluster *c, const struct fsi_job *j,
			     int64_t nodes)
{
	size_t n;
	const uint32_t *names = fsi_list_items(c->m, j->partitions, &n);

	if (nodes <= 0 || j->nodes <= nodes || q->nodes.max != j->nodes)
		return false;
	for (size_t i = 0; i < n; i++) {
		const uint32_t row = fsi_partition_row(c->m, fsi_partition_find(c->m, names[i]));

		if (row != FSI_NO_INDEX &&
		    j->nodes == fsi_cluster_divide_up(q->cpu.tasks, get_most_cpus(c, &c->partition[row])))
			return true;
	}
	return false;
}

/* Returns true if the job is assumed to request a range of nodes, but no number of tasks. scontrol then prints the
 * minimum number of nodes as NumTasks (src/slurmctld/job_mgr.c: _pack_pending_job_details), and the tasks do not limit
 * the number of nodes (src/plugins/topology/common/common_topo.c: common_topo_choose_nodes). A job that requests as
 * many tasks as its minimum number of nodes looks the same. `nodes`: number of nodes in the TRES of the job. */
static bool are_tasks_nodes(const struct fsi_request *q, int64_t nodes)
{
	return nodes > 0 && q->cpu.tasks == nodes && q->nodes.max > nodes;
}

/* Sets the numbers of CPUs and nodes of the request. From 24.05 on (FS_SLURM_NODE_SIZES), NumNodes of a pending job is
 * the number of nodes that it requested. A job with NumNodes above 1 gets exactly this number of nodes. NumNodes=1
 * means one node, or as many nodes as the job needs; from 26.05 on (FS_SLURM_TASKS_SET_MOST), it means one node. If the
 * number of tasks is unknown, the job is assumed to need exactly NumNodes nodes. */
static void read_request_sizes(struct fsi_request *q, const struct fsi_cluster *c, const struct fsi_job *j)
{
	const unsigned version = c->m->info.version;
	const int64_t nodes = get_requested_amount(c, j, "node");
	const struct fsi_partition_request w =
		fsi_request_in_partition(&c->requests, j, q->partition, nodes > 0 ? (uint64_t)nodes : 1);

	q->sharing.whole_nodes = w.whole_nodes;
	q->cpu.needs_all_free_cpus =
		w.whole_nodes || (!fs_slurm_has(version, FS_SLURM_USERS_NODES_CUT) && is_exclusive_to_user(c->m, j));
	q->cpu.max_core_threads = w.max_threads_per_core;
	q->cpu.one_task_per_core = w.one_task_per_core;
	q->cpu.max_for_tasks = c->requests.linear || w.whole_nodes || fsi_job_ext(c->m, j)->cpus_per_gpu ||
					       fs_slurm_has(c->release, FS_SLURM_TASKS_LEAVE_CPUS)
			     ? 0
			     : (int64_t)fsi_job_ext(c->m, j)->ntasks_per_node * w.cpus_per_task;
	q->cpu.max_per_socket =
		c->requests.linear ? 0 : (int64_t)fsi_job_ext(c->m, j)->ntasks_per_socket * w.cpus_per_task;
	q->cpu.total = w.cpus ? fsi_cluster_limit_amount((int64_t)w.cpus) : 1;
	q->cpu.per_task = w.cpus_per_task;
	q->cpu.min_per_node =
		(int64_t)w.min_cpus_on_node > q->cpu.per_task ? (int64_t)w.min_cpus_on_node : q->cpu.per_task;
	q->cpu.tasks = FSI_HAS(j, JOB, tasks) ? j->tasks : 0;
	q->nodes.min = nodes > 0 && nodes <= UINT32_MAX ? (uint32_t)nodes : j->nodes ? j->nodes : 1;
	q->nodes.max = FSI_HAS(j, JOB, max_nodes) ? j->max_nodes : 0;
	if (are_tasks_nodes(q, nodes))
		q->cpu.tasks = 0;
	if (is_size_computed(q, c, j, nodes)) {
		q->nodes.max = 0;
		q->unmodelled |= FS_UNMODELLED_MAX_NODES;
	}
	if (!q->nodes.max && !q->cpu.tasks) {
		if (FSI_HAS(j, JOB, nodes) && j->nodes > q->nodes.min)
			q->nodes.min = j->nodes;
		q->nodes.max = q->nodes.min;
	}
	if (!q->nodes.max && fs_slurm_has(version, FS_SLURM_NODE_SIZES) && j->nodes == q->nodes.min) {
		if (q->nodes.min > 1 || fs_slurm_has(version, FS_SLURM_TASKS_SET_MOST))
			q->nodes.max = q->nodes.min;
		else if (q->cpu.tasks > 1)
			q->unmodelled |= FS_UNMODELLED_MAX_NODES;
	}
	if (!q->cpu.tasks && q->nodes.max == 1)
		q->cpu.tasks = fsi_cluster_divide_up(q->cpu.total, q->cpu.per_task);
	q->nodes.wanted = q->nodes.max && !is_max_nodes_implicit(q, version) ? q->nodes.max : q->nodes.min;
	read_node_amounts(q, c, j, &w);
}

/* ---- required and excluded nodes, and nodes of reservations */

static void restrict_node_set(uint64_t *set, const uint64_t *in, bool keep, uint32_t words)
{
	if (keep)
		fsi_bits_and(set, in, words);
	else
		fsi_bits_and_not(set, in, words);
}

/* If `keep` is true, restricts the request to the nodes of the host list `list` (a name id). Otherwise excludes these
 * nodes. Returns -1 if out of memory. */
static int restrict_to_nodes(struct fsi_request *q, const struct fsi_cluster *c, uint32_t list, bool keep,
			     struct fsi_arena *arena)
{
	uint32_t *v = fsi_arena_array(arena, (size_t)c->nnodes + 1, sizeof(*v));
	uint64_t *in = fsi_arena_array(arena, c->words, sizeof(*in));
	uint32_t n;

	if (!v || !in || !make_full_node_set(&q->set.allowed, c, arena) || !make_full_node_set(&q->set.named, c, arena))
		return -1;
	n = fsi_cluster_list_nodes(c, list, v);
	for (uint32_t i = 0; i < n; i++)
		fsi_bit_set(in, v[i]);
	restrict_node_set(q->set.allowed, in, keep, c->words);
	restrict_node_set(q->set.named, in, keep, c->words);
	return 0;
}

static int require_listed_nodes(struct fsi_request *q, const struct fsi_cluster *c, uint32_t list,
				struct fsi_arena *arena)
{
	uint32_t *v = fsi_arena_array(arena, (size_t)c->nnodes + 1, sizeof(*v)), n;

	q->set.required = fsi_arena_array(arena, c->words, sizeof(*q->set.required));
	if (!v || !q->set.required)
		return -1;
	n = fsi_cluster_list_nodes(c, list, v);
	for (uint32_t i = 0; i < n; i++) {
		q->set.nrequired += !fsi_bit_is_set(q->set.required, v[i]);
		fsi_bit_set(q->set.required, v[i]);
	}
	if (!n)
		q->impossible = true; /* the snapshot has none of the required nodes */
	return 0;
}

int fsi_request_apply_reservation(struct fsi_request *q, const struct fsi_cluster *c, uint32_t row,
				  struct fsi_arena *arena)
{
	const struct fsi_reservation *r = &c->m->reservation.v[row];

	q->reservation = row;
	if (!r->nodes || fsi_list_has_word(c->m, r->flags, "FLEX") || fsi_list_has_word(c->m, r->flags, "ANY_NODES"))
		return 0;
	return restrict_to_nodes(q, c, r->nodes, true, arena);
}

static int apply_job_reservation(struct fsi_request *q, const struct fsi_cluster *c, uint32_t name,
				 struct fsi_arena *arena)
{
	const struct fsi_reservation *r = fsi_reservation_find(c->m, name);

	if (r)
		return fsi_request_apply_reservation(q, c, (uint32_t)(r - c->m->reservation.v), arena);
	q->unmodelled |= FS_UNMODELLED_RESERVATION;
	return 0;
}

static void apply_partition_limits(struct fsi_request *q, const fs_snapshot *m, const struct fsi_partition *p,
				   const struct fsi_job *j)
{
	bool too_long;

	q->full_limit_s = compute_time_limit(m, p, j, false, &too_long);
	q->limit_s = compute_time_limit(m, p, j, true, &too_long);
	q->impossible =
		q->impossible || too_long ||
		(FSI_HAS(p, PARTITION, min_nodes) && q->nodes.max && q->nodes.max < p->min_nodes) ||
		(FSI_HAS(p, PARTITION, max_nodes) && q->nodes.min > p->max_nodes);
	if (FSI_HAS(p, PARTITION, min_nodes) && p->min_nodes > q->nodes.min)
		q->nodes.min = p->min_nodes;
	if (FSI_HAS(p, PARTITION, max_nodes) && (!q->nodes.max || p->max_nodes < q->nodes.max))
		q->nodes.max = p->max_nodes;
	if (q->nodes.max && q->nodes.wanted > q->nodes.max)
		q->nodes.wanted = q->nodes.max;
	q->cpu.max_per_node = FSI_HAS(p, PARTITION, max_cpus_per_node) ? (int64_t)p->max_cpus_per_node : INT64_MAX;
}

/* Sets the maximum number of switches, unless the job has waited so long that this maximum no longer applies. The
 * controller measures the wait from its first try of the job. The snapshot does not have the time of that try; the
 * job's eligible time is used instead. */
static void apply_switch_limit(struct fsi_request *q, const struct fsi_cluster *c, const struct fsi_job *j)
{
	const struct fsi_job_ext *ext = fsi_job_ext(c->m, j);
	const bool in_time = FSI_HAS(j, JOB, eligible_time) && FSI_HAS(j, JOB, switches_wait_s) &&
			     c->now - j->eligible_time >= ext->switches_wait_s;

	if (FSI_HAS(j, JOB, switches) && !in_time)
		q->nodes.max_switches = ext->switches;
}

static void note_unmodelled_gres(struct fsi_request *q, const struct fsi_cluster *c, uint32_t set)
{
	size_t n;
	const struct fsi_amount *a = fsi_amount_items(c->m, set, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t r = FSI_RES_GRES;

		while (r < c->nres && c->res_name[r] != a[i].tres)
			r++;
		if (r == c->nres && !strncmp(fsi_name_text(c->m, a[i].tres), "gres/", 5))
			q->unmodelled |= FS_UNMODELLED_GRES;
	}
}

int fsi_request_read_job(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
			 struct fsi_arena *arena)
{
	return fsi_request_read_with_features(q, c, job, partition, c->m->job.v[job].features, arena);
}

int fsi_request_read_with_features(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
				   uint32_t features, struct fsi_arena *arena)
{
	const fs_snapshot *m = c->m;
	const struct fsi_job *j = &m->job.v[job];
	const struct fsi_job_ext *ext = fsi_job_ext(m, j);
	const struct fsi_partition *p = &m->partition.v[partition];
	int rc = 0;

	*q = (struct fsi_request){ .job = job, .partition = partition, .reservation = FSI_NO_INDEX };
	q->sharing.exclusive_user = fsi_request_excludes_other_users(m, j, p);
	q->nodes.contiguous = j->contiguous;
	q->unmodelled = ext->spread_job ? FS_UNMODELLED_SPREAD : 0;
	q->sharing.oversubscribe = fsi_oversubscribe_get_for_job(m, j, p);
	q->sharing.partition_oversubscribes = fsi_oversubscribe_count_rows(m, p) > 1;
	q->sharing.exclusive_partition = fsi_oversubscribe_is_exclusive(m, p);
	q->nodes.least_loaded_first = p->least_loaded || c->rules.least_loaded_first;
	read_request_sizes(q, c, j);
	apply_switch_limit(q, c, j);
	note_unmodelled_gres(q, c, j->tres_req);
	note_unmodelled_gres(q, c, ext->gres_req);
	apply_partition_limits(q, m, p, j);
	if (features)
		rc = read_job_features(q, c, fsi_name_text(m, features), arena);
	if (!rc)
		rc = exclude_small_nodes(q, c, arena);
	if (!rc && ext->exc_nodes)
		rc = restrict_to_nodes(q, c, ext->exc_nodes, false, arena);
	if (!rc && ext->req_nodes)
		rc = require_listed_nodes(q, c, ext->req_nodes, arena);
	if (!rc && j->reservation)
		rc = apply_job_reservation(q, c, j->reservation, arena);
	if (q->set.nrequired > q->nodes.min)
		q->nodes.min = q->set.nrequired;
	return rc;
}
