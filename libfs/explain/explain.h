/* Internal interface of explanations (struct fs_explain). Explanations compute no factors, shares or priorities. All
 * numbers come from the tables of struct fs_eval and from the snapshot's records.
 *
 * struct fs_explain borrows the tables and the snapshot from the caller of fs_explain_new. Its arena owns everything
 * that the explanations refer to, until fs_explain_free. Internal functions return -1 or NULL only if out of memory.
 *
 * fs_explain_job explains a job (libfs/explain/job.c): its priority sums, one for each partition and QOS; the jobs
 * ahead of it, by group; its limits and obstacles; and the verdict. libfs/explain/explain.c explains paths through the
 * share tree, finds credentials and counts jobs. */
#ifndef FSI_EXPLAIN_EXPLAIN_H
#define FSI_EXPLAIN_EXPLAIN_H

#include "fairshare/fairshare.h"
#include "fs/explain.h"
#include "model/scheduler.h"
#include "model/model.h"
#include "priority/priority.h"
#include "queue/queue.h"

/* The properties and functions of a scheduler that explanations need. */
struct fsi_explain_scheduler {
	bool may_lack_node_lists; /* true: a partition without a node list in the snapshot may still have nodes */
	/* Sets out->gain to the points per hour that the job gains by waiting. Adds to out->all.passed the number of
	 * jobs that the job will overtake while it waits. If this function is NULL, out->gain stays NAN, and nothing is
	 * added. */
	void (*explain_waiting)(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out);
};

struct fs_explain {
	struct fsi_arena arena;
	struct fs_eval from;
	const fs_snapshot *m;
	struct fsi_viewer viewer;
	/* indexed by job row: index of the job's first row in the priorities, or FSI_NO_INDEX if it has none. The array
	 * is NULL if there are no priorities. */
	uint32_t *prio_row;
};

/* Returns the job's first record in the queue; NULL if the job is not in the queue or there is no queue. */
static inline const struct fsi_queue_record *fsi_explain_find_record(const fs_explain *x, uint32_t job_row)
{
	const fs_queue *q = x->from.queue;

	return q && q->first_record[job_row] != FSI_NO_INDEX ? &q->record.v[q->first_record[job_row]] : NULL;
}

/* Returns the section of a job (member `section` of struct fs_queue_row), and sets *reason to the pending reason. Both
 * come from the job's first queue record. If the job is not in the queue, both come from the snapshot. */
static inline enum fs_section fsi_explain_get_section(const fs_explain *x, uint32_t job_row,
						      const struct fs_reason **reason)
{
	const struct fsi_queue_record *r = fsi_explain_find_record(x, job_row);

	if (!r)
		return fs_job_section(x->m, job_row, reason);
	*reason = fsi_queue_get_reason(r);
	return (enum fs_section)r->section;
}

/* Copies n elements of `size` bytes from v to the arena of x. Returns NULL only if out of memory. */
static inline void *fsi_explain_copy_array(fs_explain *x, const void *v, size_t n, size_t size)
{
	return n ? fsi_arena_copy(&x->arena, v, n * size) : fsi_arena_alloc(&x->arena, 1);
}

/* Implements the function `explain_waiting` of struct fsi_explain_scheduler for Maui. Sets out->gain to the points per
 * hour that the job gains by waiting; NAN: unknown. Adds to out->all.passed the number of jobs ahead that gain fewer
 * points. */
void fsi_explain_add_waiting_jobs(const fs_explain *x, const struct fs_explain_job *job, struct fs_explain_ahead *out);

/* Returns true if the nodes of the partition are known. They are unknown if the snapshot has no node list of the
 * partition and may_lack_node_lists of the scheduler is true. */
static inline bool fsi_explain_has_node_list(const fs_snapshot *m, uint32_t partition)
{
	return !m->scheduler->explain->may_lack_node_lists || FSI_HAS(&m->partition.v[partition], PARTITION, nodes);
}

/* Returns the row of the association to which the job is charged; FSI_NO_INDEX: none. */
static inline uint32_t fsi_explain_find_association(const fs_snapshot *m, const struct fsi_job *j)
{
	return m->scheduler->charged_to(m, j);
}

#endif
