/* In a simulation of Maui's the memory of a node grows. What an ended job gives back is raised to the node's memory
 * where it should be cut to it (src/MNode.c:MCResAdd, as src/MSim.c calls it), and what is more than that is the
 * node's from then on (src/MRM.c:MRMNodePostUpdate):
 *
 *   a job starts   free = max(0, free - min(own, what its tasks there ask for))
 *   a job ends     free = max(own, free + min(own, that))
 *   after the ends own = max(own, free)
 *
 * So memory is gained where jobs that ask for some were on a node together. Those that ended before the snapshot count
 * as far as the nodes of their tasks are told. */
#include "plan/maui/maui.h"

#include "base/hostlist.h"
#include "model/maui/maui.h"

#include <stdlib.h>

struct event {
	int64_t time;
	uint32_t job;
	bool ends;
};

static int64_t *own(struct fsi_maui_run *x, uint32_t node)
{
	return &x->line.node[node].total[FSI_LINE_MEM];
}

static void change(struct fsi_maui_run *x, uint32_t node, int64_t mb, bool ends)
{
	const int64_t all = *own(x, node), its = mb < all ? mb : all, after = x->free_mb[node] + (ends ? its : -its);
	const int64_t least = ends ? all : 0;

	if (mb > 0)
		x->free_mb[node] = after > least ? after : least;
}

static void raise_to_free(struct fsi_maui_run *x)
{
	for (uint32_t i = 0; i < x->line.n; i++)
		if (x->free_mb[i] > *own(x, i))
			*own(x, i) = x->free_mb[i];
}

/* ---- what was before the snapshot */

struct past {
	struct fsi_maui_run *x;
	const uint32_t *node_of; /* by name id: node index + 1 */
	int64_t mb;		 /* on each node of the job */
	bool ends;
};

static int change_node(void *ctx, const char *name, size_t len)
{
	const struct past *p = ctx;
	const uint32_t id = fsi_name_find(&p->x->view, name), node = id ? p->node_of[id] : 0;

	(void)len;
	if (node)
		change(p->x, node - 1, p->mb, p->ends);
	return 0;
}

/* Replays a job that has all its tasks on one node, or one on each: else it is not told how many are where. */
static void replay(struct fsi_maui_run *x, const struct event *e, const uint32_t *node_of)
{
	const struct fsi_job *j = &x->view.job.v[e->job];
	const char *list = fsi_str(&x->view, j->node_list);
	const int64_t hosts = fsi_hostlist_count(list, FSI_MAX_HOSTS), tasks = fsi_maui_tasks(j);
	const int64_t mb = fsi_maui_per_task(&x->view, j, "mem");
	struct past p = { .x = x, .node_of = node_of, .mb = hosts == 1 ? mb * tasks : mb, .ends = e->ends };

	if (j->state == FSI_STATE_RUNNING) {
		for (uint32_t i = 0; i < x->line.n; i++)
			for (size_t k = 0; k < x->line.node[i].hold.n; k++)
				if (x->line.node[i].hold.v[k].job == e->job)
					change(x, i, x->line.node[i].hold.v[k].amount[FSI_LINE_MEM], false);
	} else if (hosts == 1 || hosts == tasks) {
		fsi_hostlist_each(list, FSI_MAX_HOSTS, change_node, &p);
	}
}

static int in_time(const void *a, const void *b, const void *ctx)
{
	const struct event *e = a, *f = b;

	(void)ctx;
	if (e->time != f->time)
		return e->time < f->time ? -1 : 1;
	if (e->ends != f->ends)
		return e->ends ? -1 : 1;
	return (e->job > f->job) - (e->job < f->job);
}

static size_t gather(const struct fsi_maui_run *x, struct event *v)
{
	const fs_snapshot *m = &x->view;
	size_t n = 0;

	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool over = j->state == FSI_STATE_COMPLETED && FSI_HAS(j, JOB, end_time);

		if (!FSI_HAS(j, JOB, start_time) || !fsi_maui_per_task(m, j, "mem") || (!over && j->state != FSI_STATE_RUNNING))
			continue;
		v[n++] = (struct event){ j->start_time, i, false };
		if (over)
			v[n++] = (struct event){ j->end_time, i, true };
	}
	return n;
}

static int replay_all(struct fsi_maui_run *x, struct event *v, uint32_t *node_of)
{
	const size_t n = gather(x, v);

	for (uint32_t i = 0; i < x->line.n; i++) {
		node_of[x->view.node.v[x->line.node[i].row].name] = i + 1;
		x->free_mb[i] = *own(x, i);
	}
	if (fs_sort(v, n, sizeof(*v), in_time, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		replay(x, &v[i], node_of);
		if (v[i].ends && (i + 1 == n || v[i + 1].time != v[i].time || !v[i + 1].ends))
			raise_to_free(x);
	}
	return 0;
}

int fsi_maui_memory_init(struct fsi_maui_run *x)
{
	struct event *v = NULL;
	uint32_t *node_of = NULL;
	int rc = 0;

	if (!x->rules.simulated)
		return 0;
	x->free_mb = calloc((size_t)x->line.n + 1, sizeof(*x->free_mb));
	v = calloc(2 * x->view.job.n + 1, sizeof(*v));
	node_of = calloc((size_t)x->view.names.count + 1, sizeof(*node_of));
	rc = x->free_mb && v && node_of ? replay_all(x, v, node_of) : -1;
	free(v);
	free(node_of);
	return rc;
}

/* ---- what is planned */

void fsi_maui_memory_starts(struct fsi_maui_run *x, const struct fsi_line_want *w)
{
	for (uint32_t k = 0; x->free_mb && k < x->line.npieces; k++)
		change(x, x->line.piece[k].node, x->line.piece[k].tasks * w->task[FSI_LINE_MEM], false);
}

void fsi_maui_memory_ends(struct fsi_maui_run *x, uint32_t job)
{
	for (uint32_t i = 0; x->free_mb && i < x->line.n; i++)
		for (size_t k = 0; k < x->line.node[i].hold.n; k++)
			if (x->line.node[i].hold.v[k].job == job)
				change(x, i, x->line.node[i].hold.v[k].amount[FSI_LINE_MEM], true);
}

void fsi_maui_memory_ended(struct fsi_maui_run *x)
{
	if (x->free_mb)
		raise_to_free(x);
}
