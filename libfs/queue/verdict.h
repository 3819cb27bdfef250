/* What the parts of the verdict share. */
#ifndef FSI_QUEUE_VERDICT_H
#define FSI_QUEUE_VERDICT_H

#include "limits/limits.h"
#include "model/jobs.h"
#include "queue/bars.h"

/* Facts that are found once for all jobs of a queue. */
struct fsi_verdicts {
	struct fsi_limit_totals totals;
	struct fsi_arena kept; /* of requests */
	struct fsi_requests requests;
	struct fsi_billing billing;
	uint64_t *running;     /* array ids of tasks that hold resources, sorted */
	size_t nrunning;
	struct fs_verdict_nodes *nodes; /* by partition row, without wants */
	struct fsi_job_arrays arrays; /* empty until the first job with a dependency */
};

/* libfs/queue/verdict.c: before the queue is sorted. -1 without memory. */
int fsi_verdicts_begin(struct fs_queue *q);
void fsi_verdicts_end(struct fs_queue *q);

/* The verdict on a job whose bars are known already. bars NULL: they are looked up, without who uses what. What it
 * points to comes from the arena. -1 without memory. */
int fsi_verdict(const struct fs_queue *q, uint32_t job_row, const struct fsi_bars *bars,
		struct fsi_arena *arena, struct fs_verdict *out);

/* libfs/queue/verdict.c: takes records that something bars out of their lines. -1 without memory. */
int fsi_slurm_bars(struct fs_queue *q);

/* As fsi_queue_scheduler.verdict. */
int fsi_slurm_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		      struct fsi_arena *arena, struct fs_verdict *out);
int fsi_flux_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out);

/* Sets the verdict's limit to a copy in the arena. fsi_verdict_block_by_limit also sets kind and cause to those of a
 * job that the limit blocks. Both return -1 if out of memory. */
int fsi_verdict_add_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);
int fsi_verdict_block_by_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);

/* Are too few of the nodes that the job asks for up and unreserved? Then *out says so. */
bool fsi_verdict_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

/* libfs/queue/verdict.c: finds what the job depends on. -1 without memory. */
int fsi_verdict_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_job *j,
		      struct fsi_arena *arena, struct fs_verdict *out);

/* As fsi_queue_scheduler.lacks_nodes. */
bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

#endif
