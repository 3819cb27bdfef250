/* The CPUs that a pending job of Slurm counts for once the controller has tested it, which may be more than it asks
 * for.
 *
 *   whole nodes    OverSubscribe=NO of the job, EXCLUSIVE of the partition, from 26.05 Exclusive=NODE or TOPO of either
 *                  (src/scontrol/info_job.c, src/api/partition_info.c), select/linear: all CPUs of the nodes
 *                  (src/plugins/select/cons_common/job_test.c: common_job_test, total_cpus)
 *                  Before 23.11.6 a job that was tried in a partition with FORCE says YES from then on
 *                  (src/slurmctld/node_scheduler.c: _resolve_shared_status, f25e28ba60): libfs/import/slurm/whole.c
 *   memory         MaxMemPerCPU of the partition, else of the cluster: a job that wants more for a CPU gets more CPUs
 *                  for a task, one that wants more on a node gets more CPUs there (src/slurmctld/job_mgr.c:
 *                  _valid_pn_min_mem, by job_limits_check: the record then shows it rewritten)
 *   whole cores    CR_Core, CR_Socket: threads of a core go together; --ntasks-per-core and --threads-per-core
 *                  leave some of them idle (select/cons_common/dist_tasks.c)
 *
 *   GPUs           CPUs for each of them (src/plugins/select/cons_common/gres_select_util.c:
 *                  gres_select_util_job_min_cpus; 24.11: src/plugins/select/cons_tres/gres_select_util.c), which then
 *                  use all threads of a core even with CR_ONE_TASK_PER_CORE (cons_common.c: common_cpus_per_core); and
 *                  memory for each, unless the job asks for some (job_test.c: common_job_test, JOB_MEM_SET).
 *                  The CPUs are those that GPUs brought when the job was first tested, whatever is updated since
 *                  (job_test.c: common_job_test makes gres_list_req_accum where there is none; nothing makes it anew)
 *
 * JOBSIZE and the limits tested after nodes were chosen count these (src/slurmctld/node_scheduler.c: select_nodes,
 * acct_policy_job_runnable_post_select). */
#ifndef FSI_MODEL_JOB_REQUEST_H
#define FSI_MODEL_JOB_REQUEST_H

#include "model/model.h"

/* The fewest and the most CPUs that a node has, and that a core has, among the nodes. */
struct fsi_node_span {
	uint32_t nodes; /* 0: none known */
	uint32_t min_cpus, max_cpus, min_threads, max_threads;
};

/* What jobs get with each GPU that do not say it; 0: not named. */
struct fsi_job_defaults {
	uint32_t cpus_per_gpu, mem_per_gpu_mb;
};

struct fsi_requests {
	const fs_snapshot *m;
	struct fsi_node_span *span; /* by partition */
	uint32_t *node_row;	    /* by name, from 1 */
	uint32_t node, mem, cpu, gpu; /* names of TRES */
	struct fsi_job_defaults defaults; /* of the cluster */
	bool whole_cores, whole_sockets, linear, task_per_core;
	int64_t max_mem_per_cpu_mb, default_mem_mb; /* for a CPU, 0: none */
};

struct fsi_request {
	uint32_t nodes;	      /* at least */
	uint64_t asked;	      /* CPUs as the job's record has them */
	uint64_t min, max; /* CPUs it counts for; UINT64_MAX: any number */
	uint32_t mem_per_cpu_mb; /* as rewritten; 0: memory is asked for by node, or not at all */
	enum fs_grows why;    /* why more than asked; NOT: it counts for what it asks */
};

/* What a job asks for as the controller rewrites it, before nodes are chosen. */
struct fsi_wish {
	uint64_t cpus, on_node; /* in all, and at least on each node */
	uint64_t gpu_cpus;	/* that GPUs bring on each node, also if it asks for as many */
	uint32_t per_task;	/* CPUs */
	uint32_t mem_per_cpu_mb; /* 0: memory is asked for by node, or not at all */
	uint32_t core_threads;	/* of each core it uses at most so many; 0: all */
	bool own_cores;		/* no two of its tasks are on one core */
	uint32_t mem_per_gpu_mb; /* 0: GPUs bring no memory */
	bool all_memory;	 /* all of its nodes, none of which may be in use */
	uint32_t lost_mem_mb;	 /* so because it lost so much for each CPU in another partition, 0: it did not */
	bool memory, gpus;	/* it was raised for memory, for GPUs */
	bool whole;		/* it takes nodes whole */
};

#define FSI_JOB_DEFAULTS "DefCpuPerGPU=N, DefMemPerGPU=N, or both"

/* Reads JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=12000". -1: Slurm refuses it, and *out is all zero. */
int fsi_slurm_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out);

/* In the arena. -1 without memory. */
int fsi_requests_init(struct fsi_requests *r, const fs_snapshot *m, struct fsi_arena *arena);

/* How much of a generic resource, by the name of its TRES, the job counts for in the partition, by row: where it
 * takes whole nodes all that they have counts, also what was not asked for (src/slurmctld/node_scheduler.c:
 * _handle_exclusive_gres). It is a lower bound, on the nodes that the controller now plans for the job where there
 * are such; 0 unless the job takes whole nodes and theirs are known. */
int64_t fsi_request_whole_gres(const struct fsi_requests *r, const struct fsi_job *job,
			       uint32_t partition, uint32_t tres);

/* Does the job take whole nodes there? part may be NULL. */
bool fsi_request_whole(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* Does it share nodes only with jobs of its user there? */
bool fsi_request_own_user(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* What the job asks for in the partition, by row, on so many nodes. */
struct fsi_wish fsi_request_wish(const struct fsi_requests *r, const struct fsi_job *job,
				 uint32_t partition, uint64_t nodes);

/* What the job counts for in the partition, by row, on the nodes that the controller now plans for it where there
 * are such; FSI_NO_INDEX: in any of the job's, on any of their nodes. */
struct fsi_request fsi_request_of(const struct fsi_requests *r, const struct fsi_job *job,
				  uint32_t partition);

#endif
