/* What a pending job of Slurm asks for as the controller rewrites it, which may be more than its user did.
 *
 *   whole nodes    OverSubscribe=NO of the job, EXCLUSIVE of the partition, from 26.05 Exclusive=NODE or TOPO of either
 *                  (src/scontrol/info_job.c, src/api/partition_info.c), select/linear
 *                  Before 23.11.6 a job that was tried in a partition with FORCE says YES from then on
 *                  (src/slurmctld/node_scheduler.c: _resolve_shared_status, f25e28ba60): libfs/import/slurm/whole.c
 *   memory         MaxMemPerCPU of the partition, else of the cluster: a job that wants more for a CPU gets more CPUs
 *                  for a task, one that wants more on a node gets more CPUs there (src/slurmctld/job_mgr.c:
 *                  _valid_pn_min_mem, by job_limits_check: the record then shows it rewritten)
 *   GPUs           CPUs for each of them (src/plugins/select/cons_common/gres_select_util.c:
 *                  gres_select_util_job_min_cpus; 24.11: src/plugins/select/cons_tres/gres_select_util.c), which then
 *                  use all threads of a core even with CR_ONE_TASK_PER_CORE (cons_common.c: common_cpus_per_core); and
 *                  memory for each, unless the job asks for some (job_test.c: common_job_test, JOB_MEM_SET).
 *                  The CPUs are those that GPUs brought when the job was first tested, whatever is updated since
 *                  (job_test.c: common_job_test makes gres_list_req_accum where there is none; nothing makes it anew).
 */
#ifndef FSI_MODEL_JOB_WISH_H
#define FSI_MODEL_JOB_WISH_H

#include "model/job/settings.h"

/* Before nodes are chosen. */
struct fsi_wish {
	uint64_t cpus, on_node; /* in all, and at least on each node */
	uint64_t gpu_cpus;	/* that GPUs bring on each node, also if it asks for as many */
	uint32_t per_task;	/* CPUs */
	uint32_t mem_per_cpu_mb; /* 0: memory is asked for by node, or not at all */
	uint32_t core_tasks;	/* its tasks on a core; 0: as many as fit */
	uint32_t core_threads;	/* of each core it uses at most so many; 0: all */
	bool own_cores;		/* no two of its tasks are on one core */
	uint32_t mem_per_gpu_mb; /* 0: GPUs bring no memory */
	bool all_memory;	 /* all of its nodes, none of which may be in use */
	uint32_t lost_mem_mb;	 /* so because it lost so much for each CPU in another partition, 0: it did not */
	bool memory, gpus;	/* it was raised for memory, for GPUs */
	bool gpus_in_all;	/* for those, and it asks for a number of them on all its nodes together */
	bool whole;		/* it takes nodes whole */
};

/* Does the job take whole nodes there? part may be NULL. */
bool fsi_request_whole(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* Does it share nodes only with jobs of its user there? */
bool fsi_request_own_user(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* What the job asks for in the partition, by row, on so many nodes. */
struct fsi_wish fsi_request_wish(const struct fsi_requests *r, const struct fsi_job *job,
				 uint32_t partition, uint64_t nodes);

/* What of a wish is the same in every partition of the job. */
struct fsi_wish_own {
	bool asks_for_cpus, asks_for_memory, loses_memory;
};
struct fsi_wish_own fsi_request_own(const struct fsi_requests *r, const struct fsi_job *job);
struct fsi_wish fsi_request_wish_by(const struct fsi_requests *r, const struct fsi_job *job, uint32_t partition,
				    uint64_t nodes, const struct fsi_wish_own *own);

/* The CPUs that the job's record has. */
uint64_t fsi_request_asked(const struct fsi_requests *r, const struct fsi_job *job);

#endif
