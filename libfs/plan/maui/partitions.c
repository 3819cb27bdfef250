/* Partitions of nodes: a job runs in one (src/MJob.c:MJobGetEStartTime, MJobSelectMNL). Jobs that may span them are not
 * modelled, nor are lists of those that a credential may use (PLIST, PDEF). */
#include "plan/maui/maui.h"

#include <stdlib.h>

static int add(struct fsi_maui_run *x, uint32_t name)
{
	uint32_t *more = realloc(x->part, (x->nparts + 1) * sizeof(*x->part));

	if (!more)
		return -1;
	x->part = more;
	x->part[x->nparts++] = name;
	return 0;
}

int fsi_maui_find_partitions(struct fsi_maui_run *x, const fs_snapshot *m)
{
	bool any_default = !m->node.n;
	int rc = 0;

	for (size_t i = 0; i < m->node.n; i++)
		any_default = any_default || !fsi_maui_partition(&m->node.v[i]);
	if (any_default)
		rc = add(x, 0);
	for (size_t i = 0; i < m->node.n && !rc; i++)
		if (fsi_maui_partition(&m->node.v[i]) && fsi_maui_begins_partition(m, i))
			rc = add(x, fsi_maui_partition(&m->node.v[i]));
	x->at_part = x->nparts;
	x->entry = calloc((m->job.n + 1) * (size_t)(x->nparts + 1), sizeof(*x->entry));
	return rc || !x->entry ? -1 : 0;
}

uint32_t fsi_maui_partition_at(const struct fsi_maui_run *x, uint32_t node)
{
	const uint32_t name = fsi_maui_partition(&x->view.node.v[x->line.node[node].row]);
	uint32_t k = 0;

	while (x->part[k] != name)
		k++;
	return k;
}

bool fsi_maui_in_partition(const struct fsi_maui_run *x, const struct fsi_node *node)
{
	return x->at_part == x->nparts || fsi_maui_partition(node) == x->part[x->at_part];
}

/* A job waits in a partition's way only where its class is on a node there, and there are so many processors. */
static enum fsi_maui_entry entry(const struct fsi_maui_run *x, uint32_t job)
{
	const struct fsi_job *j = &x->view.job.v[job];
	int64_t cpus = 0;
	bool class = false;

	for (uint32_t i = 0; i < x->line.n; i++) {
		const struct fsi_node *node = &x->view.node.v[x->line.node[i].row];

		if (!fsi_maui_in_partition(x, node))
			continue;
		cpus += x->line.node[i].up ? x->line.node[i].total[FSI_LINE_CPU] : 0;
		class = class || fsi_maui_has_class(&x->view, j, node);
	}
	return j->cpus > cpus ? FSI_MAUI_TOO_WIDE : class ? FSI_MAUI_ENTERS : FSI_MAUI_NO_CLASS;
}

void fsi_maui_note_entry(struct fsi_maui_run *x, uint32_t job)
{
	x->entry[job * (size_t)x->nparts + x->at_part] = (uint8_t)entry(x, job);
}

enum fsi_maui_entry fsi_maui_entry_of(const struct fsi_maui_run *x, uint32_t job)
{
	return (enum fsi_maui_entry)x->entry[job * (size_t)x->nparts + x->at_part];
}
