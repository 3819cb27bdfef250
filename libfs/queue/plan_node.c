/* What one node can give a request, and when. What running jobs leave only grows with time; what is planned or
 * reserved on it cuts that into gaps. */
#include "queue/plan.h"

#include <string.h>

/* CPUs come in cores. */
static int64_t in_cores(const struct fsi_plan_node *n, int64_t cpus)
{
	return (cpus + n->threads - 1) / n->threads * n->threads;
}

static int64_t units_of(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
			uint32_t nres, const int64_t *free, bool untouched)
{
	int64_t cpus = free[FSI_RES_CPU] < q->cpus_per_node ? free[FSI_RES_CPU] : q->cpus_per_node;

	if (q->whole && !untouched)
		return 0;
	if (q->shared_out) {
		if (q->mem_per_cpu && free[FSI_RES_MEM] / q->mem_per_cpu < cpus)
			cpus = free[FSI_RES_MEM] / q->mem_per_cpu;
		cpus -= cpus % q->step;
		return cpus >= q->least ? cpus : 0;
	}
	if (in_cores(n, q->per_node[FSI_RES_CPU]) > cpus)
		return 0;
	for (uint32_t r = FSI_RES_MEM; r < nres; r++)
		if (q->per_node[r] > free[r])
			return 0;
	return 1;
}

/* Walks the node's holds: free amounts at `when`, and the index of the first hold still there. */
static size_t free_at(const struct fsi_plan_node *n, uint32_t nres, int64_t when, int64_t *free)
{
	size_t i = 0;

	memcpy(free, n->free, FSI_RES_MAX * sizeof(*free));
	for (; i < n->hold.n && n->hold.v[i].end <= when; i++)
		for (uint32_t r = 0; r < nres; r++)
			free[r] += n->hold.v[i].amount[r];
	return i;
}

int64_t fsi_plan_units(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		       uint32_t nres, int64_t when)
{
	int64_t free[FSI_RES_MAX];
	const size_t left = free_at(n, nres, when, free);

	return units_of(n, q, nres, free, left == n->hold.n);
}

int64_t fsi_plan_cpus(const struct fsi_plan_node *n, uint32_t nres, int64_t when)
{
	int64_t free[FSI_RES_MAX];

	free_at(n, nres, when, free);
	return free[FSI_RES_CPU];
}

void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t units, int64_t *amount)
{
	memset(amount, 0, FSI_RES_MAX * sizeof(*amount));
	if (q->whole) {
		memcpy(amount, n->total, nres * sizeof(*amount));
	} else if (q->shared_out) {
		amount[FSI_RES_CPU] =
			in_cores(n, units) < n->total[FSI_RES_CPU] ? in_cores(n, units) : units;
		amount[FSI_RES_MEM] = units * q->mem_per_cpu;
	} else {
		memcpy(amount, q->per_node, nres * sizeof(*amount));
		amount[FSI_RES_CPU] = in_cores(n, q->per_node[FSI_RES_CPU]);
	}
}

int64_t fsi_plan_fit(const struct fsi_plan_node *n, const struct fsi_plan_request *q, uint32_t nres,
		     int64_t from)
{
	int64_t free[FSI_RES_MAX];
	size_t i;

	if (!units_of(n, q, nres, n->total, true))
		return INT64_MAX;
	if ((!n->hold.n || n->hold.v[0].end > from) && units_of(n, q, nres, n->free, !n->hold.n))
		return from;
	i = free_at(n, nres, from, free);
	while (!units_of(n, q, nres, free, i == n->hold.n)) {
		if (i == n->hold.n || n->hold.v[i].end == INT64_MAX)
			return INT64_MAX;
		from = n->hold.v[i].end;
		for (; i < n->hold.n && n->hold.v[i].end == from; i++)
			for (uint32_t r = 0; r < nres; r++)
				free[r] += n->hold.v[i].amount[r];
	}
	return from;
}

static bool in_the_way(const struct fsi_plan_block *b, const struct fsi_plan_request *q,
		       enum fsi_plan_obey obey)
{
	if (obey == FSI_OBEY_HOLDS)
		return false;
	if (b->job != FSI_NO_INDEX)
		return obey == FSI_OBEY_ALL;
	return b->reservation != q->reservation;
}

int64_t fsi_plan_gap(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t from,
		     enum fsi_plan_obey obey, int64_t *last)
{
	for (size_t i = 0; i < n->block.n; i++) {
		const struct fsi_plan_block *b = &n->block.v[i];
		const int64_t most = b->start - q->limit_s - (b->job != FSI_NO_INDEX);

		if (b->end <= from || !in_the_way(b, q, obey))
			continue;
		if (most >= from) {
			*last = most;
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

int64_t fsi_plan_last_release(const struct fsi_plan_node *n, int64_t when)
{
	for (size_t i = n->hold.n; i-- > 0;)
		if (n->hold.v[i].end <= when)
			return n->hold.v[i].end;
	return INT64_MIN;
}
