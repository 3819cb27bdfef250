/* What the parts of an explanation share. Nothing here computes a factor, share or priority: all numbers come from
 * fs_shares, fs_prios, fs_queue, fs_accrue and the records. */
#ifndef FSI_EXPLAIN_EXPLAIN_H
#define FSI_EXPLAIN_EXPLAIN_H

#include "fairshare/fairshare.h"
#include "fs/explain.h"
#include "model/scheduler.h"
#include "model/viewer.h"
#include "priority/priority.h"
#include "queue/queue.h"

/* What an explanation asks of a scheduler. */
struct fsi_explain_scheduler {
	bool nodes_elsewhere; /* a partition without a node list may have nodes all the same */
	/* What the job gains by waiting, and on how many of those ahead; or NULL. */
	void (*waiting)(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out);
};

struct fs_explain {
	struct fsi_arena arena;
	struct fs_eval from;
	const fs_snapshot *m;
	struct fsi_viewer viewer;
	uint32_t *prio_row; /* by job row: its first row of prios, or FSI_NO_INDEX; NULL without priorities */
};

/* The first record of a job in the queue; NULL: it does not wait, or there is no queue. */
static inline const struct fsi_queue_record *fsi_explain_record(const fs_explain *x, uint32_t job_row)
{
	const fs_queue *q = x->from.queue;

	return q && q->record_of[job_row] != FSI_NO_INDEX ? &q->record.v[q->record_of[job_row]] : NULL;
}

/* The section of a job and the reason for it, as fs_queue_row has them, from the queue if it has the job. */
static inline enum fs_section fsi_explain_section(const fs_explain *x, uint32_t job_row,
						  const struct fs_reason **reason)
{
	const struct fsi_queue_record *r = fsi_explain_record(x, job_row);

	if (!r)
		return fs_job_section(x->m, job_row, reason);
	*reason = fsi_queue_reason(r);
	return (enum fs_section)r->section;
}

/* A copy that lasts as long as x; NULL without memory alone. */
static inline void *fsi_explain_keep(fs_explain *x, const void *v, size_t n, size_t size)
{
	return n ? fsi_arena_copy(&x->arena, v, n * size) : fsi_arena_alloc(&x->arena, 1);
}

/* libfs/explain/job.c: tells of a job of Maui what it gains by waiting, and on how many of those ahead. */
void fsi_explain_waiting(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out);

/* Is it recorded which nodes a partition has? */
static inline bool fsi_explain_nodes_known(const fs_snapshot *m, uint32_t partition)
{
	return !m->scheduler->explain->nodes_elsewhere || FSI_HAS(&m->partition.v[partition], PARTITION, nodes);
}

/* The association a job is charged to; FSI_NO_INDEX: none. */
static inline uint32_t fsi_explain_charged(const fs_snapshot *m, const struct fsi_job *j)
{
	return m->scheduler->charged_to(m, j);
}

#endif
