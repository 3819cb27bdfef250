/* In a simulation of Maui's the memory of a node grows, and so do swap and disk. What an ended job gives back, were it
 * nothing, raises what is free to all that the node has, where it should be cut to that (src/MNode.c:MCResAdd, as
 * src/MSim.c:MSimJobTerminate calls it); and what is more than that is the node's from the next iteration on
 * (src/MRM.c:MRMNodePostUpdate):
 *
 *   an iteration begins   own = max(own, free)
 *   then a job ends       free = max(own, free + min(own, what its tasks there asked for))
 *   a job starts          free = max(0, free - min(own, that))
 *
 * So memory is gained where a job that asked for some outlasts another on its node. Those that ended before the
 * snapshot count as far as the nodes of their tasks are told. */
#include "plan/maui/maui.h"

#include "base/hostlist.h"
#include "model/maui/maui.h"

#include <stdlib.h>
#include <string.h>

struct event {
	int64_t time, deadline; /* those that end at once do so in the order of their limits (src/MQueue.c:MQueueAddAJob) */
	uint32_t job;
	bool ends;
};

static const int grows[] = { FSI_LINE_MEM, FSI_LINE_SWAP, FSI_LINE_DISK };

static void change(struct fsi_maui_run *x, uint32_t node, const int64_t *asked_mb, bool ends)
{
	for (size_t k = 0; k < sizeof(grows) / sizeof(*grows); k++) {
		const int r = grows[k];
		const int64_t all = x->line.node[node].total[r], its = asked_mb[r] < all ? asked_mb[r] : all;
		const int64_t after = x->free_mb[node][r] + (ends ? its : -its), least = ends ? all : 0;

		x->free_mb[node][r] = after > least ? after : least;
	}
}

void fsi_maui_memory_begin(struct fsi_maui_run *x)
{
	for (uint32_t i = 0; x->free_mb && i < x->line.n; i++)
		for (size_t k = 0; k < sizeof(grows) / sizeof(*grows); k++)
			if (x->free_mb[i][grows[k]] > x->line.node[i].total[grows[k]])
				x->line.node[i].total[grows[k]] = x->free_mb[i][grows[k]];
}

bool fsi_maui_memory_grows(const struct fsi_maui_run *x)
{
	for (uint32_t i = 0; x->free_mb && i < x->line.n; i++)
		for (size_t k = 0; k < sizeof(grows) / sizeof(*grows); k++)
			if (x->free_mb[i][grows[k]] > x->line.node[i].total[grows[k]])
				return true;
	return false;
}

/* ---- what was before the snapshot */

struct past {
	struct fsi_maui_run *x;
	const uint32_t *node_of; /* by name id: node index + 1 */
	int64_t mb[FSI_LINE_RES]; /* on each node of the job */
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

static void replay_running(struct fsi_maui_run *x, uint32_t job)
{
	for (uint32_t i = 0; i < x->line.n; i++)
		for (size_t k = 0; k < x->line.node[i].hold.n; k++)
			if (x->line.node[i].hold.v[k].job == job)
				change(x, i, x->line.node[i].hold.v[k].amount, false);
}

/* Of a job that has several tasks on some of its nodes it is only known that it raised what they have free. */
static void replay(struct fsi_maui_run *x, const struct event *e, const uint32_t *node_of)
{
	static const char *const names[] = { "mem", "swap", "disk" };
	const struct fsi_job *j = &x->view.job.v[e->job];
	const char *list = fsi_str(&x->view, j->node_list);
	const int64_t hosts = fsi_hostlist_count(list, FSI_MAX_HOSTS), tasks = fsi_maui_tasks(j);
	struct past p = { .x = x, .node_of = node_of, .ends = e->ends };
	bool any = false;

	if (j->state == FSI_STATE_RUNNING) {
		replay_running(x, e->job);
		return;
	}
	for (size_t k = 0; k < sizeof(grows) / sizeof(*grows); k++) {
		p.mb[grows[k]] = fsi_maui_per_task(&x->view, j, names[k]) * (hosts == 1 ? tasks : 1);
		any = any || p.mb[grows[k]];
	}
	if (any && hosts != 1 && hosts != tasks) { /* it is not told how many are where */
		if (!e->ends)
			return;
		memset(p.mb, 0, sizeof(p.mb));
	}
	fsi_hostlist_each(list, FSI_MAX_HOSTS, change_node, &p);
}

static int in_time(const void *a, const void *b, const void *ctx)
{
	const struct event *e = a, *f = b;

	(void)ctx;
	if (e->time != f->time)
		return e->time < f->time ? -1 : 1;
	if (e->ends != f->ends)
		return e->ends ? -1 : 1;
	if (e->deadline != f->deadline)
		return e->deadline < f->deadline ? -1 : 1;
	return (e->job > f->job) - (e->job < f->job);
}

static int64_t deadline(const struct fsi_job *j)
{
	return j->start_time + (FSI_SPECIAL(j, JOB, time_limit_s) ? FSI_MAUI_FOR_EVER : (int64_t)j->time_limit_s);
}

static size_t gather(const struct fsi_maui_run *x, struct event *v)
{
	const fs_snapshot *m = &x->view;
	size_t n = 0;

	for (uint32_t i = 0; i < m->job.n; i++) {
		const struct fsi_job *j = &m->job.v[i];
		const bool over = j->state == FSI_STATE_COMPLETED && FSI_HAS(j, JOB, end_time);

		if (!FSI_HAS(j, JOB, start_time) || (!over && j->state != FSI_STATE_RUNNING))
			continue;
		v[n++] = (struct event){ j->start_time, deadline(j), i, false };
		if (over)
			v[n++] = (struct event){ j->end_time, deadline(j), i, true };
	}
	return n;
}

static int replay_all(struct fsi_maui_run *x, struct event *v, uint32_t *node_of)
{
	const size_t n = gather(x, v);

	for (uint32_t i = 0; i < x->line.n; i++) {
		node_of[x->view.node.v[x->line.node[i].row].name] = i + 1;
		memcpy(x->free_mb[i], x->line.node[i].total, sizeof(x->free_mb[i]));
	}
	if (fs_sort(v, n, sizeof(*v), in_time, NULL))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (i && v[i].time != v[i - 1].time)
			fsi_maui_memory_begin(x);
		replay(x, &v[i], node_of);
	}
	if (n && v[n - 1].time < x->now)
		fsi_maui_memory_begin(x);
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
	for (uint32_t k = 0; x->free_mb && k < x->line.npieces; k++) {
		int64_t mb[FSI_LINE_RES];

		for (int r = 0; r < FSI_LINE_RES; r++)
			mb[r] = x->line.piece[k].tasks * w->task[r];
		change(x, x->line.piece[k].node, mb, false);
	}
}

static void give_back(struct fsi_maui_run *x, uint32_t job)
{
	for (uint32_t i = 0; i < x->line.n; i++)
		for (size_t k = 0; k < x->line.node[i].hold.n; k++)
			if (x->line.node[i].hold.v[k].job == job)
				change(x, i, x->line.node[i].hold.v[k].amount, true);
}

int fsi_maui_memory_ends(struct fsi_maui_run *x)
{
	struct event *v = x->free_mb ? calloc(x->view.job.n + 1, sizeof(*v)) : NULL;
	size_t n = 0;
	int rc = 0;

	if (!x->free_mb)
		return 0;
	for (uint32_t i = 0; v && i < x->view.job.n; i++)
		if (fsi_maui_has_ended(x, i))
			v[n++] = (struct event){ x->now, deadline(&x->view.job.v[i]), i, true };
	rc = !v || fs_sort(v, n, sizeof(*v), in_time, NULL) ? -1 : 0;
	for (size_t i = 0; !rc && i < n; i++)
		give_back(x, v[i].job);
	free(v);
	return rc;
}
