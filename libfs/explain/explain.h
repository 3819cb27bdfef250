/* What the parts of an explanation share. Nothing here computes a factor, share or priority: all numbers come from
 * fs_shares, fs_prios, fs_queue, fs_accrue and the records. */
#ifndef FSI_EXPLAIN_H
#define FSI_EXPLAIN_H

#include "fairshare/fairshare.h"
#include "model/viewer.h"
#include "priority/flux.h"
#include "queue/queue.h"

struct fs_explain {
	struct fsi_arena arena;
	struct fs_explain_from from;
	const fs_snapshot *m;
	struct fsi_viewer viewer;
};

/* Rows of a job's priorities: *first and how many; none without priorities. */
size_t fsi_explain_prio_rows(const fs_explain *x, uint32_t job_row, size_t *first);

/* A copy that lasts as long as x; never NULL but without memory. */
static inline void *fsi_explain_keep(fs_explain *x, const void *v, size_t n, size_t size)
{
	return n ? fsi_arena_copy(&x->arena, v, n * size) : fsi_arena_alloc(&x->arena, 1);
}

/* libfs/explain/sums.c: fills out->sums. -1 without memory, like those below. */
int fsi_explain_sums(fs_explain *x, struct fs_explain_job *out);

/* libfs/explain/ahead.c: of the first sum. */
int fsi_explain_ahead(fs_explain *x, struct fs_explain_job *out);

/* libfs/explain/rivals.c: partitions that share nodes with this one; by row of the partition table, borrowed from
 * the arena. NULL without memory. */
const bool *fsi_explain_overlaps(fs_explain *x, uint32_t partition);

/* libfs/explain/choices.c: choices, limits and obstacles of a pending job of Slurm. */
int fsi_explain_choices(fs_explain *x, struct fs_explain_job *out);

/* Its parts, libfs/explain/limits.c and obstacles.c; they mark the choices, of which those of a partition, nqos of
 * them, stand together. */
int fsi_explain_limits(fs_explain *x, struct fs_explain_job *out, struct fs_explain_choice *choices, size_t nqos);
int fsi_explain_obstacles(fs_explain *x, struct fs_explain_job *out, struct fs_explain_choice *choices);

/* Does waiting not help? By its choices, and by what the scheduler says. */
bool fsi_explain_never(const struct fs_explain_job *job);

/* The association a job is charged to: Flux knows a default bank. FSI_NO_INDEX: none. */
static inline uint32_t fsi_explain_charged(const fs_snapshot *m, const struct fsi_job *j)
{
	return m->info.kind == FS_FLUX ? fsi_flux_assoc(m, j) : fsi_job_assoc(m, j);
}

static inline bool fsi_explain_holds(const struct fsi_job *j)
{
	return j->state == FSI_STATE_RUNNING || j->state == FSI_STATE_SUSPENDED ||
	       j->state == FSI_STATE_CONFIGURING || j->state == FSI_STATE_STOPPED;
}

#endif
