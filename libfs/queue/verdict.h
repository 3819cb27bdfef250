/* Verdict: the one answer to why a job waits, and the evidence for it.
 *
 * The verdict on a job follows from its records in the queue. Each scheduler has a function that finds why a job can
 * never start or is not eligible (fsi_queue_scheduler.verdict); otherwise the position of the job decides. For Slurm
 * the records that something blocks are found before the queue is sorted (fsi_slurm_bars), because they affect the
 * positions of other jobs.
 *
 *   obstacles.c   Slurm: requests that a partition cannot satisfy or does not allow
 *   verdict.c     all else: dependencies, nodes of the job's partitions, blocked records, the verdicts
 *
 * Names in a verdict are strings of the snapshot; everything else that it points to belongs to the arena of the
 * caller, or to fs_verdict.own if fs_queue_verdict filled it.
 *
 * Functions that return int return 0, or -1 if out of memory. */
#ifndef FSI_QUEUE_VERDICT_H
#define FSI_QUEUE_VERDICT_H

#include "limits/limits.h"
#include "model/jobs.h"
#include "queue/bars.h"

/* Facts that are computed once for all jobs of a queue. Except `arrays`, they are set only for Slurm. */
struct fsi_verdicts {
	struct fsi_limit_totals totals; /* use of limits */
	struct fsi_arena kept;		/* owns the memory of `requests` and `billing` */
	struct fsi_requests requests;	/* settings that affect requests */
	struct fsi_billing billing;	/* billing weights */
	uint64_t *running; /* array id of each array task that holds resources, rising */
	size_t nrunning;   /* number of such tasks */
	struct fs_verdict_nodes *nodes; /* by partition row: counts of its nodes; `wants` is not set */
	struct fsi_job_arrays arrays;	/* index of array jobs; empty until the first job with a dependency */
};

/* Allocates q->verdicts, and finds the records that something blocks if the scheduler does so before the queue is
 * sorted. Returns -1 if out of memory. */
int fsi_verdicts_begin(struct fs_queue *q);
/* Frees q->verdicts. */
void fsi_verdicts_end(struct fs_queue *q);

/* Sets *out to the verdict on a job; its kind is NONE if the job is not in the queue. bars: what blocks the job;
 * NULL: it is computed, without the holders of limits. The arena owns what *out points to. Returns -1 if out of
 * memory. */
int fsi_verdict(const struct fs_queue *q, uint32_t job_row, const struct fsi_bars *bars,
		struct fsi_arena *arena, struct fs_verdict *out);

/* Performs fsi_queue_scheduler.bar for Slurm, and sets the facts in q->verdicts. Returns -1 if out of memory. */
int fsi_slurm_bars(struct fs_queue *q);

/* Perform fsi_queue_scheduler.verdict for Slurm and Flux. */
int fsi_slurm_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		      struct fsi_arena *arena, struct fs_verdict *out);
int fsi_flux_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out);

/* Set out->limit to a copy of *l in the arena. fsi_verdict_block_by_limit also sets kind and cause: the limit blocks
 * the job. Both return -1 if out of memory. */
int fsi_verdict_add_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);
int fsi_verdict_block_by_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);

/* Performs fsi_queue_scheduler.lacks_nodes for Slurm: counts the nodes that are up and not reserved for others. */
bool fsi_verdict_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

/* Sets out->needs to what the job depends on, in the arena. arrays: index of the snapshot's array jobs. Returns -1 if
 * out of memory. */
int fsi_verdict_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_job *j,
		      struct fsi_arena *arena, struct fs_verdict *out);

/* Performs fsi_queue_scheduler.lacks_nodes for Flux. */
bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

#endif
