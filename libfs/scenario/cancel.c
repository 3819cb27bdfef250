/* A job is taken out of the snapshot, and off its nodes. */
#include "base/hostlist.h"
#include "base/num.h"
#include "scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

struct moved {
	struct fsi_scenario *s;
	const struct fsi_job *job;
	uint32_t nodes, i;
	bool cpus_alone, back; /* cpus_alone: its CPUs and nothing else; back: it takes again what it had */
	bool failed;
};

static int64_t part_of(const struct moved *f, int64_t all)
{
	const int64_t part = fsi_even_part(all, f->nodes, f->i);

	return f->back ? part : -part;
}

static uint64_t plus(uint64_t have, int64_t by)
{
	if (by >= 0)
		return have + (uint64_t)by;
	return have > (uint64_t)-by ? have - (uint64_t)-by : 0;
}

static void move_one(struct moved *f, struct fsi_node *node, const struct fsi_amount *a)
{
	fs_snapshot *m = f->s->m;
	const char *tres = fsi_str(m, a->tres);
	const int64_t by = part_of(f, a->n);

	if (f->cpus_alone && strcmp(tres, "cpu") != 0)
		return;
	if (!strcmp(tres, "cpu"))
		node->alloc_cpus = (uint32_t)plus(node->alloc_cpus, by);
	if (!strcmp(tres, "mem"))
		node->alloc_mem_mb = plus(node->alloc_mem_mb, by);
	if (FSI_HAS(node, NODE, alloc_tres)) {
		const int64_t left = (int64_t)plus((uint64_t)fsi_amount_of(m, node->alloc_tres, a->tres), by);
		const uint32_t set = fsi_scenario_amount(m, node->alloc_tres, a->tres, left);

		f->failed = f->failed || set == FSI_INTERN_FAILED;
		node->alloc_tres = set == FSI_INTERN_FAILED ? 0 : set;
	}
}

/* What a job had on several nodes is taken to be spread evenly, as the plan does. */
static int move_node(void *ctx, const char *name, size_t len)
{
	struct moved *f = ctx;
	fs_snapshot *m = f->s->m;
	const uint32_t id = fsi_intern_find(&m->names, name, len);
	size_t row = 0, n;

	while (row < m->node.n && m->node.v[row].name != id)
		row++;
	for (size_t k = 0; id && row < m->node.n; k++) {
		const struct fsi_amount *a = fsi_amounts(m, f->job->tres_alloc, &n);

		if (k == n)
			break;
		const struct fsi_amount own = a[k]; /* the sets may move */

		move_one(f, &m->node.v[row], &own);
	}
	f->i++;
	return 0;
}

static int move(struct moved *f)
{
	const char *list = fsi_str(f->s->m, f->job->node_list);
	const int64_t n = *list ? fsi_hostlist_count(list, f->s->m->node.n + 1) : 0;

	f->nodes = n > 0 ? (uint32_t)n : 0;
	if (n > 0)
		fsi_hostlist_each(list, (uint64_t)n, move_node, f);
	return f->failed ? fsi_nomem(f->s->err) : 0;
}

int fsi_scenario_free_nodes(struct fsi_scenario *s, const struct fsi_job *j)
{
	struct moved f = { .s = s, .job = j };

	return move(&f);
}

int fsi_scenario_move_cpus(struct fsi_scenario *s, const struct fsi_job *j, bool back)
{
	struct moved f = { .s = s, .job = j, .cpus_alone = true, .back = back };

	return move(&f);
}

int fsi_scenario_cancel(struct fsi_scenario *s, struct fsi_job *j)
{
	if (!s->gone)
		s->gone = calloc(s->m->job.n, sizeof(*s->gone));
	if (!s->gone)
		return fsi_nomem(s->err);
	if (j->state != FSI_STATE_PENDING && fsi_scenario_free_nodes(s, j))
		return FS_ENOMEM;
	fsi_scenario_forget(s, j->id);
	s->gone[j - s->m->job.v] = true;
	return 0;
}

void fsi_scenario_close_up(struct fsi_scenario *s)
{
	fs_snapshot *m = s->m;
	size_t kept = 0;

	for (size_t i = 0; s->gone && i < m->job.n; i++)
		if (!s->gone[i])
			m->job.v[kept++] = m->job.v[i];
	if (s->gone)
		m->info.jobs = m->job.n = kept;
	free(s->gone);
	s->gone = NULL;
}
