/* Which queue's priority counts for the jobs of a user in a bank. */
#include "model/flux/flux.h"

#include "model/scheduler.h"

#include <math.h>

uint32_t *fsi_flux_last_jobs_of(const fs_snapshot *m, struct fsi_arena *arena)
{
	uint32_t *last = fsi_arena_array(arena, m->association.n + 1, sizeof(*last));

	for (size_t i = 0; last && i < m->association.n; i++)
		last[i] = FSI_NO_INDEX;
	for (uint32_t i = 0; last && i < m->job.n; i++) {
		const uint32_t a = m->scheduler->charged_to(m, &m->job.v[i]);

		if (a != FSI_NO_INDEX && (last[a] == FSI_NO_INDEX || m->job.v[last[a]].id < m->job.v[i].id))
			last[a] = i;
	}
	return last;
}

double fsi_flux_queue_priority(const fs_snapshot *m, uint32_t name)
{
	const struct fsi_partition *q = name ? fsi_partition_find(m, name) : NULL;

	if (q)
		return FSI_HAS(q, PARTITION, priority) ? q->priority : (double)NAN;
	return name && fsi_hidden(m, "partition") ? (double)NAN : 0;
}

/* In a paste not all jobs of an owner need be there. */
static struct fsi_flux_counts_queue by_last_job(const fs_snapshot *m, const uint32_t *last, uint32_t a,
						const struct fsi_job *job)
{
	const bool told = a != FSI_NO_INDEX && !fsi_hidden(m, FSI_HIDDEN_JOB_FIELDS);
	const struct fsi_association *assoc = told ? &m->association.v[a] : NULL;
	const struct fsi_job *listed = assoc && last[a] != FSI_NO_INDEX ? &m->job.v[last[a]] : job;
	struct fsi_flux_counts_queue c = { listed ? fsi_flux_queue(m, listed) : 0, FS_LAST_JOB_KNOWN, NAN, false };

	if (!assoc || !fsi_flux_queues_differ(m))
		return c;
	if (!FSI_HAS(assoc, ASSOCIATION, last_job))
		c.last = fsi_hidden(m, FSI_HIDDEN_LAST_JOBS) ? FS_LAST_JOB_UNKNOWN : FS_LAST_JOB_ACTIVE;
	else if (!listed || listed->id <= assoc->last_job)
		c.queue = assoc->last_queue;
	return c;
}

/* The queue that has the number, in the order in which they are likely; none: the priority of a queue was changed
 * after the last job was submitted there. */
static void name_holder(const fs_snapshot *m, const struct fsi_job *job, struct fsi_flux_counts_queue *c)
{
	c->last = FS_LAST_JOB_KNOWN;
	if (fsi_flux_queue_priority(m, c->queue) == c->priority)
		return;
	c->queue = job ? fsi_flux_queue(m, job) : 0;
	if (fsi_flux_queue_priority(m, c->queue) == c->priority)
		return;
	for (size_t i = 0; i <= m->partition.n; i++) {
		const uint32_t name = i < m->partition.n ? m->partition.v[i].name : 0;

		if (fsi_flux_queue_priority(m, name) != c->priority)
			continue;
		c->queue = name;
		return;
	}
	c->last = FS_LAST_JOB_HELD;
}

struct fsi_flux_counts_queue fsi_flux_latest_queue(const fs_snapshot *m, const uint32_t *last, uint32_t assoc,
					      const struct fsi_job *job)
{
	const struct fsi_association *a = assoc == FSI_NO_INDEX ? NULL : &m->association.v[assoc];
	struct fsi_flux_counts_queue c = by_last_job(m, last, assoc, job);

	if (a && FSI_HAS(a, ASSOCIATION, queue_factor)) {
		c.priority = a->queue_factor;
		c.asked = true;
		name_holder(m, job, &c);
	} else if (c.last != FS_LAST_JOB_UNKNOWN) {
		c.priority = fsi_flux_queue_priority(m, c.queue);
	}
	return c;
}
