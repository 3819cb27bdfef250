/* What the parts of the verdict share. */
#ifndef FSI_VERDICT_H
#define FSI_VERDICT_H

#include "model/job/word.h"
#include "queue/limits/limits.h"

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

/* libfs/queue/verdict/verdict.c: before the queue is sorted. -1 without memory. */
int fsi_verdicts_begin(struct fs_queue *q);
void fsi_verdicts_end(struct fs_queue *q);

/* The verdict on a job whose bars are known already. bars NULL: they are looked up, without who uses what. What it
 * points to comes from the arena. -1 without memory. */
int fsi_verdict(const struct fs_queue *q, uint32_t job_row, const struct fsi_bars *bars,
		struct fsi_arena *arena, struct fs_verdict *out);

/* libfs/queue/verdict/bars.c: takes records that something bars out of their lines. -1 without memory. */
int fsi_slurm_bars(struct fs_queue *q);

/* Fills the array's own limit and how many of its tasks run: `1-9%2`. Is the limit reached? Where none is recorded
 * the scheduler's word counts. */
bool fsi_verdict_array_full(const struct fs_queue *q, const struct fsi_job *j,
			    const struct fs_reason *reason, struct fs_verdict *out);

/* As fsi_queue_scheduler.verdict: libfs/queue/verdict/slurm.c, verdict_other.c. */
int fsi_slurm_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		      struct fsi_arena *arena, struct fs_verdict *out);
int fsi_flux_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out);
int fsi_maui_verdict(const struct fs_queue *q, const struct fsi_queue_record *first,
		     struct fsi_arena *arena, struct fs_verdict *out);

/* libfs/queue/verdict/nodes.c: counts the nodes of a partition row. */
void fsi_verdict_count_nodes(const fs_snapshot *m, uint32_t partition, struct fs_verdict_nodes *out);

/* Are too few of the nodes that the job asks for up and unreserved? Then *out says so. */
bool fsi_verdict_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r,
			     struct fs_verdict_nodes *out);

/* Returns true if fewer nodes of the partition suit the job than it asks for, down and drained ones included. Returns
 * false if the partition's nodes are not known. */
bool fsi_verdict_misfits(const struct fs_queue *q, const struct fsi_queue_record *r);

/* Is there room on nodes of the partition now, by what the job counts for (model/job/request.h), until its limit ends,
 * and none before it that waits for any of these nodes? False where it is not known. */
bool fsi_verdict_room(const struct fs_queue *q, const struct fsi_queue_record *r);

/* libfs/queue/verdict/needs.c: finds what the job depends on. -1 without memory. */
int fsi_verdict_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_job *j,
		      struct fsi_arena *arena, struct fs_verdict *out);
/* The same in a queue. */
int fsi_verdict_depends(const struct fs_queue *q, const struct fsi_job *j, struct fsi_arena *arena,
			struct fs_verdict *out);

/* Does no wait give the job what it asks for? out: what the nodes do not have; class, features, mem_each, swap_each
 * and disk_each of a task, cpu, or partition_cpu, with the best partition as its name. Unknown nodes lack nothing. */
bool fsi_maui_never(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out);

/* Likewise for a job of Flux; the cores of its nodes are known. libfs/queue/flux/nodes.c; what: class, features,
 * node, cpu, node_cpu or node_gpu, cores or GPUs of one node. */
bool fsi_flux_never(const struct fs_queue *q, uint32_t job_row, struct fs_explain_obstacle *out);

/* As fsi_queue_scheduler.lacks_nodes. */
bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r,
			  struct fs_verdict_nodes *out);

#endif
