/* Verdict: the reason why a job waits, and the facts that show this reason.
 *
 * The verdict on a job follows from its records in the queue. Each scheduler has a function that determines why a job
 * can never start or is not eligible (fsi_queue_scheduler.find_verdict). For all other jobs, the verdict follows from
 * the job's position in the queue. Slurm's blocked records affect the positions of other jobs. fsi_slurm_block_records
 * therefore finds the blocked records before the queue is sorted.
 *
 *   libfs/queue/obstacles.c   Slurm: requests that a partition cannot satisfy or does not allow
 *   libfs/queue/verdict.c     dependencies, nodes of the job's partitions, blocked records, the verdicts
 *
 * Names in a verdict are strings of the snapshot. All other memory that a verdict points to belongs to the arena of the
 * caller, or to fs_verdict.memory if fs_queue_verdict filled the verdict.
 *
 * Functions that return int return 0, or -1 if out of memory. */
#ifndef FSI_QUEUE_VERDICT_H
#define FSI_QUEUE_VERDICT_H

#include "limits/limits.h"
#include "model/jobs.h"
#include "queue/queue.h"

/* ---- what blocks a pending job of Slurm in each partition and with each QOS that it may use */

/* The limits and obstacles that block a job of Slurm. The arena of struct fsi_limits_context owns the arrays. */
struct fsi_blockers {
	uint32_t job_row;
	const struct fs_reason *reason; /* pending reason of the job; NULL: not a known reason */
	/* the pairs of partition and QOS that the job may use, sorted by the job's list of partitions, and then by its
	 * list of QOS */
	const struct fs_explain_choice *choices;
	size_t nchoices;
	const struct fs_explain_limit *limits; /* limits that block the job, and limits that its pending reason names */
	size_t nlimits;
	/* requests of the job that its partitions cannot satisfy or do not allow */
	const struct fs_explain_obstacle *obstacles;
	size_t nobstacles;
};

/* Sets *out to the limits and obstacles that block the job; the arrays are empty if the job is not pending. `reason`:
 * the job's pending reason. Returns -1 if out of memory. */
int fsi_blockers_find(struct fsi_blockers *out, const struct fsi_limits_context *from, uint32_t job_row,
		      const struct fs_reason *reason);

/* Adds the obstacles of the job to *out. Updates `never`, `untried` and `passed_over` of the pairs of partition and QOS
 * for which an obstacle excludes the job (libfs/queue/obstacles.c). `choices`: the same array as out->choices, but
 * writable. Returns -1 if out of memory. */
int fsi_blockers_add_obstacles(const struct fsi_limits_context *from, struct fsi_blockers *out,
			       struct fs_explain_choice *choices);

/* ---- verdicts */

/* Facts that are computed once for all jobs of a queue. Schedulers other than Slurm set only `job_arrays`. */
struct fsi_verdict_facts {
	struct fsi_limit_totals limit_totals;	  /* usage that is compared with limits; the same for all jobs */
	struct fsi_arena request_arena;		  /* owns the memory that `requests` and `billing` point to */
	struct fsi_request_settings requests;		  /* settings of the cluster that affect job requests */
	struct fsi_billing billing;		  /* billing weights */
	/* list of array ids with one entry for each array task that has allocated resources; sorted */
	uint64_t *running_arrays;
	size_t nrunning;			  /* number of entries of `running_arrays` */
	/* node counts of each partition, indexed by partition row; member `wants` is not set */
	struct fs_verdict_nodes *partition_nodes;
	struct fsi_job_arrays job_arrays; /* index of array jobs; empty until a verdict needs it for a dependency */
};

/* Allocates q->verdict_facts, and finds the blocked records if the scheduler has such a function
 * (fsi_queue_scheduler.block_records). Returns -1 if out of memory. */
int fsi_verdict_prepare_facts(struct fs_queue *q);
/* Frees q->verdict_facts. */
void fsi_verdict_release_facts(struct fs_queue *q);

/* Sets *out to the verdict on a job; kind FS_VERDICT_NONE: the job is not in the queue. `blockers`: limits and
 * obstacles of the job; NULL: the function computes these limits and obstacles, but not the list of the largest users
 * of each limit. The arena owns the memory that *out points to. Returns -1 if out of memory. */
int fsi_verdict_find_for_job(const struct fs_queue *q, uint32_t job_row, const struct fsi_blockers *blockers,
			     struct fsi_arena *arena, struct fs_verdict *out);

/* Implements fsi_queue_scheduler.block_records for Slurm. Also sets q->stops_at_limit and Slurm's members of
 * q->verdict_facts. Returns -1 if out of memory. */
int fsi_slurm_block_records(struct fs_queue *q);

/* Implement fsi_queue_scheduler.find_verdict for Slurm and Flux. */
int fsi_slurm_find_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			   struct fs_verdict *out);
int fsi_flux_find_verdict(const struct fs_queue *q, const struct fsi_queue_record *first, struct fsi_arena *arena,
			  struct fs_verdict *out);

/* Set out->limit to a copy of *l in the arena. fsi_verdict_block_by_limit also sets kind and cause, because the limit
 * blocks the job. Return -1 if out of memory. */
int fsi_verdict_add_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);
int fsi_verdict_block_by_limit(struct fs_verdict *out, struct fsi_arena *arena, const struct fs_explain_limit *l);

/* Implements fsi_queue_scheduler.lacks_nodes for Slurm. Nodes that are down, drained or reserved count as not
 * available. For a job that asks for a reservation, reserved nodes count as available. */
bool fsi_slurm_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

/* Sets out->needs to the conditions of the job's dependency; the arena owns them. `arrays`: index of the snapshot's
 * array jobs; `viewer`: sets the member `hidden`, NULL: no job is hidden. Returns -1 if out of memory. */
int fsi_verdict_parse_needs(const fs_snapshot *m, const struct fsi_job_arrays *arrays, const struct fsi_viewer *viewer,
			    const struct fsi_job *j, struct fsi_arena *arena, struct fs_verdict *out);

/* Implements fsi_queue_scheduler.lacks_nodes for Flux. */
bool fsi_flux_lacks_nodes(const struct fs_queue *q, const struct fsi_queue_record *r, struct fs_verdict_nodes *out);

#endif
