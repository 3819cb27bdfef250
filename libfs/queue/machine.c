/* How much of a cluster its running jobs use, as Maui counts it (src/moab/MPar.c, src/moab/moab.h: MNODEISUP): nodes
 * that are down or drained are not up, and a job uses the processors that are dedicated to it.
 *
 * Nodes in use: at least as many as the processors need, the largest first, and those that are known by name; at most
 * those with a node more for each further task. Where the two meet the number is known; elsewhere it is the one the
 * scheduler printed, if it did. */
#include "base/hostlist.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static bool is_up(const fs_snapshot *m, const struct fsi_node *n)
{
	const char *state = fsi_str(m, n->state);

	return strncmp(state, "DOWN", 4) != 0 && strncmp(state, "DRAINED", 7) != 0;
}

static int larger_first(const void *x, const void *y, const void *ctx)
{
	const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	(void)ctx;
	return (a < b) - (a > b);
}

/* Processors of each node that is up, the largest first; NULL without memory. */
static uint32_t *up_nodes(const fs_snapshot *m, struct fs_machine *out)
{
	uint32_t *procs = malloc((m->node.n + 1) * sizeof(*procs));
	size_t n = 0;

	out->procs = 0;
	for (size_t i = 0; procs && i < m->node.n; i++)
		if (is_up(m, &m->node.v[i])) {
			procs[n++] = m->node.v[i].cpus;
			out->procs += m->node.v[i].cpus;
		}
	out->nodes = (int64_t)n;
	if (procs && fs_sort(procs, n, sizeof(*procs), larger_first, NULL)) {
		free(procs);
		return NULL;
	}
	return procs;
}

static int64_t fewest_nodes(const uint32_t *procs, const struct fs_machine *machine)
{
	int64_t left = machine->busy_procs, n = 0;

	for (; left > 0 && n < machine->nodes; n++)
		left -= procs[n];
	return n;
}

struct hosts {
	struct fsi_intern names;
	int64_t of_job;
};

static int take_host(void *ctx, const char *name, size_t len)
{
	struct hosts *h = ctx;

	h->of_job++;
	return fsi_intern(&h->names, name, len) == FSI_INTERN_FAILED ? -2 : 0;
}

static bool runs(const struct fsi_job *job)
{
	return job->state == FSI_STATE_RUNNING;
}

/* Counts the nodes known by name, and how many tasks may be on others. */
static int count_hosts(const fs_snapshot *m, int64_t *named, int64_t *others)
{
	struct hosts h = { .of_job = 0 };
	int rc = 0;

	*others = 0;
	for (struct fsi_begun b = { 0 }; rc != -2 && fsi_begun_next(m, &b);) {
		const struct fsi_job *job = &m->job.v[b.row];
		const int64_t tasks = FSI_HAS(job, JOB, tasks) ? job->tasks : job->cpus;

		if (!runs(job))
			continue;
		h.of_job = 0;
		if (job->node_list)
			rc = fsi_hostlist_each(fsi_str(m, job->node_list), FSI_MAX_HOSTS, take_host, &h);
		if (tasks > h.of_job)
			*others += tasks - h.of_job;
	}
	*named = h.names.count ? (int64_t)h.names.count - 1 : 0;
	fsi_intern_release(&h.names);
	return rc == -2 ? -1 : 0;
}

static int count_busy_nodes(const fs_snapshot *m, const uint32_t *procs, struct fs_machine *out)
{
	int64_t min = fewest_nodes(procs, out), max, named, others;

	if (count_hosts(m, &named, &others))
		return -1;
	min = named > min ? named : min;
	max = named + others < out->nodes ? named + others : out->nodes;
	out->busy_nodes = min == max ? min : FS_UNKNOWN;
	if (min != max && FSI_HAS(&m->head, SNAPSHOT, active_nodes))
		out->busy_nodes = m->head.active_nodes;
	return 0;
}

int fs_snapshot_machine(const fs_snapshot *m, struct fs_machine *out)
{
	uint32_t *procs;
	int rc;

	*out = (struct fs_machine){ .procs = FS_UNKNOWN, .nodes = FS_UNKNOWN, .busy_nodes = FS_UNKNOWN };
	for (struct fsi_begun b = { 0 }; fsi_begun_next(m, &b);)
		out->busy_procs += runs(&m->job.v[b.row]) ? m->job.v[b.row].cpus : 0;
	if (!m->node.n)
		return 0;
	procs = up_nodes(m, out);
	if (!procs)
		return -1;
	if (out->busy_procs > out->procs)
		out->busy_procs = out->procs;
	rc = count_busy_nodes(m, procs, out);
	free(procs);
	return rc;
}
