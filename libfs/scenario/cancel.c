/* A job that is taken out of the snapshot, and the nodes that it had. */
#include "base/hostlist.h"
#include "scenario/scenario.h"

#include <string.h>

struct freed {
	struct fsi_scenario *s;
	const struct fsi_job *job;
	uint32_t nodes, i;
	bool failed;
};

static int64_t part_of(const struct freed *f, int64_t all)
{
	return all / f->nodes + (f->i < all % f->nodes);
}

static void less(uint64_t *have, int64_t by)
{
	*have = *have > (uint64_t)by ? *have - (uint64_t)by : 0;
}

/* What a job had on several nodes is taken to be spread evenly, as the plan does. */
static int free_node(void *ctx, const char *name, size_t len)
{
	struct freed *f = ctx;
	fs_snapshot *m = f->s->m;
	const uint32_t id = fsi_intern_find(&m->names, name, len);
	size_t row = 0, n;
	struct fsi_node *node;

	while (row < m->node.n && m->node.v[row].name != id)
		row++;
	for (size_t k = 0; id && row < m->node.n; k++) {
		const struct fsi_amount *a = fsi_amounts(m, f->job->tres_alloc, &n);
		uint64_t cpus;
		int64_t by;

		if (k == n)
			break;
		node = &m->node.v[row];
		by = part_of(f, a[k].n);
		cpus = node->alloc_cpus;
		if (!strcmp(fsi_str(m, a[k].tres), "cpu"))
			less(&cpus, by);
		node->alloc_cpus = (uint32_t)cpus;
		if (!strcmp(fsi_str(m, a[k].tres), "mem"))
			less(&node->alloc_mem_mb, by);
		if (FSI_HAS(node, NODE, alloc_tres)) {
			const int64_t left = fsi_amount_of(m, node->alloc_tres, a[k].tres) - by;
			const uint32_t set = fsi_scenario_amount(m, node->alloc_tres, a[k].tres, left > 0 ? left : 0);

			f->failed = f->failed || set == FSI_INTERN_FAILED;
			node->alloc_tres = set == FSI_INTERN_FAILED ? 0 : set;
		}
	}
	f->i++;
	return 0;
}

int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *j)
{
	const char *list = fsi_str(s->m, j->node_list);
	const int64_t n = *list ? fsi_hostlist_count(list, s->m->node.n + 1) : 0;
	struct freed f = { .s = s, .job = j, .nodes = n > 0 ? (uint32_t)n : 0 };

	if (n > 0)
		fsi_hostlist_each(list, (uint64_t)n, free_node, &f);
	return f.failed ? fsi_nomem(s->err) : 0;
}

int fsi_scenario_cancel(struct fsi_scenario *s, struct fsi_job *j)
{
	fs_snapshot *m = s->m;
	const size_t row = (size_t)(j - m->job.v);

	if (j->state != FSI_STATE_PENDING && fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	fsi_scenario_forget(m, j->id);
	memmove(j, j + 1, (m->job.n - row - 1) * sizeof(*j));
	m->info.jobs = --m->job.n;
	return 0;
}
