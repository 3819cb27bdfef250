/* Whose order is one: jobs of partitions that share nodes, directly or through others, and are of one tier. That of
 * others is their tiers', or is of no consequence (src/slurmctld/job_scheduler.c:sort_job_queue2 asks for the tier
 * before the priority; its main loop and backfill take nodes in that order). Where there is one order for all, as
 * Maui has it, all are of one line. */
#include "priority/lines.h"

#include "model/scheduler.h"

static uint32_t root_of(uint32_t *line, uint32_t i)
{
	while (line[i] != i)
		i = line[i] = line[line[i]];
	return i;
}

/* Joins those of a node that are of one tier. */
static void join(const fs_snapshot *m, const struct fsi_node *node, uint32_t *line)
{
	size_t n;
	const uint32_t *names = fsi_list(m, node->partitions, &n);

	for (size_t i = 1; i < n; i++) {
		const struct fsi_partition *a = fsi_partition_find(m, names[i]), *b = NULL;

		for (size_t k = 0; a && k < i && !b; k++) {
			b = fsi_partition_find(m, names[k]);
			b = b && b->tier == a->tier ? b : NULL;
		}
		if (b) /* those of its tier before it are joined already */
			line[root_of(line, fsi_partition_row(m, a))] = root_of(line, fsi_partition_row(m, b));
	}
}

void fsi_prio_lines(const fs_snapshot *m, uint32_t *line)
{
	for (uint32_t i = 0; i < m->partition.n; i++)
		line[i] = i;
	for (size_t i = 0; i < m->node.n; i++)
		if (!i || m->node.v[i].partitions != m->node.v[i - 1].partitions)
			join(m, &m->node.v[i], line);
	for (uint32_t i = 0; i < m->partition.n; i++)
		line[i] = root_of(line, i);
}

uint64_t fsi_prio_line(const fs_snapshot *m, const uint32_t *line, const struct fsi_prio_row *row)
{
	const uint64_t unknown = UINT64_C(1) << 32;

	if (m->scheduler->one_line)
		return 0;
	return row->partition == FSI_NO_INDEX ? unknown + row->partition_name : line[row->partition];
}
