#include "model/job/request.h"

#include "base/hostlist.h"
#include "base/num.h"

/* ---- nodes */

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
	fsi_node_span_add(&l->span, n);
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

/* ---- CPUs */

/* The CPUs of the cores that give n, of each at most so many. */
static uint64_t cores_of(uint64_t n, uint32_t used, uint32_t threads)
{
	return fsi_divide_up(n, used < threads ? used : threads) * threads;
}

/* CPUs that a job takes in cores of so many threads, if they need not be spread. */
static uint64_t in_cores(const struct fsi_requests *r, const struct fsi_job *j,
			 const struct fsi_wish *w, uint32_t threads)
{
	const uint32_t per_core = w->core_tasks, used = fsi_job_rare(r->m, j)->threads_per_core;
	uint64_t cores = fsi_divide_up(w->cpus, threads);

	if (used && used < threads)
		cores = fsi_divide_up(w->cpus, used);
	if (per_core && j->tasks) {
		const uint64_t by_task =
			fsi_divide_up(j->tasks, per_core) *
			fsi_divide_up((uint64_t)w->per_task * per_core, threads);

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
	const uint64_t few = fsi_divide_up(w->cpus, span->max_cpus),
		       many = fsi_divide_up(w->cpus, span->min_cpus);

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
				       uint32_t partition, bool as_planned, const struct fsi_wish_own *own)
{
	const int64_t asked_nodes = r->node ? fsi_amount_of(r->m, j->tres_req, r->node) : 0;
	const uint32_t nodes = asked_nodes > 0 ? (uint32_t)asked_nodes : 1;
	const struct fsi_wish w = fsi_request_wish_by(r, j, partition, nodes, own);
	const bool whole = w.whole;
	const struct listed_nodes planned = as_planned && (whole || r->whole_cores)
						    ? planned_nodes(r, j, 0)
						    : (struct listed_nodes){ 0 };
	const struct fsi_node_span *span = planned.span.nodes ? &planned.span
							      : &r->span[partition];
	struct fsi_request q = { .nodes = nodes,
				 .asked = fsi_request_asked(r, j),
				 .min = fsi_request_asked(r, j),
				 .max = UINT64_MAX };

	/* what GPUs asked for in all bring does not grow with the nodes that they are spread over */
	if (planned.span.nodes > q.nodes && !w.gpus_in_all)
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
	const struct fsi_wish_own own = fsi_request_own(r, job);
	const uint64_t asked = fsi_request_asked(r, job);
	struct fsi_request all = { .asked = asked, .min = asked, .max = asked };
	size_t n;
	const uint32_t *names = fsi_list(r->m, job->partitions, &n);
	bool any = false;

	if (partition != FSI_NO_INDEX)
		return in_partition(r, job, partition, true, &own);
	for (size_t i = 0; i < n; i++) {
		const struct fsi_partition *p = fsi_partition_find(r->m, names[i]);
		struct fsi_request q;

		if (!p)
			continue;
		q = in_partition(r, job, (uint32_t)(p - r->m->partition.v), false, &own);
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
