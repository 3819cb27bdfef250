/* The CPUs that a pending job of Slurm counts for once the controller has tested it, which may be more than it asks
 * for: what its wish came to (model/job/wish.h), and
 *
 *   whole nodes    all CPUs of the nodes (src/plugins/select/cons_common/job_test.c: common_job_test, total_cpus)
 *   whole cores    CR_Core, CR_Socket: threads of a core go together; --ntasks-per-core and --threads-per-core
 *                  leave some of them idle (select/cons_common/dist_tasks.c)
 *
 * JOBSIZE and the limits tested after nodes were chosen count these (src/slurmctld/node_scheduler.c: select_nodes,
 * acct_policy_job_runnable_post_select). */
#ifndef FSI_MODEL_JOB_REQUEST_H
#define FSI_MODEL_JOB_REQUEST_H

#include "model/job/wish.h"

struct fsi_request {
	uint32_t nodes;	      /* at least */
	uint64_t asked;	      /* CPUs as the job's record has them */
	uint64_t min, max; /* CPUs it counts for; UINT64_MAX: any number */
	uint32_t mem_per_cpu_mb; /* as rewritten; 0: memory is asked for by node, or not at all */
	enum fs_grows why;    /* why more than asked; NOT: it counts for what it asks */
};

/* What the job counts for in the partition, by row, on the nodes that the controller now plans for it where there
 * are such; FSI_NO_INDEX: in any of the job's, on any of their nodes. */
struct fsi_request fsi_request_of(const struct fsi_requests *r, const struct fsi_job *job,
				  uint32_t partition);

/* How much of a generic resource, by the name of its TRES, the job counts for in the partition, by row: where it
 * takes whole nodes all that they have counts, also what was not asked for (src/slurmctld/node_scheduler.c:
 * _handle_exclusive_gres). It is a lower bound, on the nodes that the controller now plans for the job where there
 * are such; 0 unless the job takes whole nodes and theirs are known. */
int64_t fsi_request_whole_gres(const struct fsi_requests *r, const struct fsi_job *job,
			       uint32_t partition, uint32_t tres);

#endif
