/* Jobs of a snapshot: resource requests as Slurm's controller rewrites them, job-size factor, job ids on command lines,
 * arrays, and the times of priority calculations.
 *
 * Steps of a request: fsi_request_settings_init reads the cluster's settings; fsi_request_in_partition computes the
 * request in one partition; fsi_request_count_cpus computes the CPUs that the controller counts for the job. The
 * structs borrow from the snapshot and the arena. */
#ifndef FSI_MODEL_JOBS_H
#define FSI_MODEL_JOBS_H

#include "fs/priority.h"
#include "model/tables.h"

/* Smallest and largest numbers of CPUs and threads among the nodes of a partition. */
struct fsi_node_span {
	uint32_t nodes; /* number of nodes of the partition; 0: none is known */
	/* minimum and maximum number of CPUs of a node, and of threads of a core */
	uint32_t min_cpus, max_cpus, min_threads, max_threads;
};

/* Defaults for jobs that ask for GPUs without CPUs or memory; 0: no default. */
struct fsi_job_defaults {
	uint32_t cpus_per_gpu, mem_per_gpu_mb;
};

/* Settings of the cluster that affect requests, and lookup tables of its nodes. */
struct fsi_request_settings {
	const fs_snapshot *m;
	struct fsi_node_span *span_of_partition; /* node sizes of each partition, indexed by partition row */
	uint32_t *node_row; /* indexed by name id: 1 + row of the node with this name; 0: no node has this name */
	/* name ids of the TRES node, mem, cpu and gres/gpu; 0: the cluster has no such TRES */
	uint32_t node, mem, cpu, gpu;
	struct fsi_job_defaults defaults; /* the cluster's defaults of CPUs and memory per GPU */
	/* `whole_cores`: CR_Core or CR_Socket is set; `whole_sockets`: CR_Socket is set; `linear`: the plugin is
	 * select/linear; `task_per_core`: CR_ONE_TASK_PER_CORE is set */
	bool whole_cores, whole_sockets, linear, task_per_core;
	int64_t max_mem_per_cpu_mb, default_mem_mb; /* MaxMemPerCPU and DefMemPerCPU, MiB; 0: not set */
};

#define FSI_JOB_DEFAULTS "DefCpuPerGPU=N, DefMemPerGPU=N, or both"

/* Parses JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=12000". Returns -1 if Slurm refuses the text; *out is all zero
 * then. */
int fsi_slurm_parse_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out);

/* Reads the settings and nodes. Allocates memory in the arena. Returns -1 if out of memory. */
int fsi_request_settings_init(struct fsi_request_settings *r, const fs_snapshot *m, struct fsi_arena *arena);

/* ---- request of a pending Slurm job, as the controller rewrites it (it may exceed the user's request)
 *
 *   whole nodes    A job gets whole nodes if the job has OverSubscribe=NO (before 26.05), if the partition is
 *                  EXCLUSIVE, if the job or the partition has Exclusive=NODE or TOPO (from 26.05), or under
 *                  select/linear (src/scontrol/info_job.c, src/api/partition_info.c).
 *                  In versions older than 23.11.6, a job that was tried in a partition with FORCE shows
 *                  OverSubscribe=YES afterwards (src/slurmctld/node_scheduler.c: _resolve_shared_status, f25e28ba60).
 *                  libfs/import/slurm/jobs.c infers whether such a job gets whole nodes.
 *   memory         MaxMemPerCPU of the partition, or else of the cluster, limits the memory per CPU. A job that asks
 *                  for more memory per CPU gets more CPUs per task. A job that asks for memory per node gets enough
 *                  CPUs on each node for that memory. The job record then shows the raised values
 *                  (src/slurmctld/job_mgr.c: _valid_pn_min_mem, called by job_limits_check).
 *   GPUs           Each GPU adds CPUs to the request (src/plugins/select/cons_common/gres_select_util.c:
 *                  gres_select_util_job_min_cpus; 24.11: src/plugins/select/cons_tres/gres_select_util.c). These CPUs
 *                  use all threads of a core even with CR_ONE_TASK_PER_CORE (cons_common.c: common_cpus_per_core).
 *                  The number of the added CPUs is fixed when the job is first tested; later updates do not change it
 *                  (job_test.c: common_job_test creates gres_list_req_accum only if there is none).
 *                  Each GPU also adds memory, unless the job asks for memory (job_test.c: common_job_test,
 *                  JOB_MEM_SET). */

/* The request in one partition, before nodes are chosen. */
struct fsi_partition_request {
	/* total number of CPUs that the job requests, and minimum number on each node */
	uint64_t cpus, min_cpus_on_node;
	/* number of CPUs that the job needs on each node for its GPUs; at most min_cpus_on_node */
	uint64_t gpu_cpus;
	uint32_t cpus_per_task;	/* CPUs of a task */
	uint32_t mem_per_cpu_mb; /* memory per CPU, MiB; 0: the job requests memory by node, or no memory */
	uint32_t max_tasks_per_core;	/* maximum number of the job's tasks on one core; 0: no limit */
	uint32_t max_threads_per_core;	/* maximum number of threads that the job uses on a core; 0: all threads */
	bool one_task_per_core;		/* each task of the job has a core of its own */
	uint32_t mem_per_gpu_mb; /* memory per GPU, MiB; 0: GPUs add no memory */
	/* the job needs all memory of its nodes, so no other job may use their memory */
	bool all_memory;
	/* default memory (DefMemPerCPU), MiB, that the controller cleared when it tested the job in another partition;
	 * 0: not cleared */
	uint32_t lost_mem_mb;
	/* raised_for_memory: CPUs were added because of memory; raised_for_gpus: CPUs were added because of GPUs */
	bool raised_for_memory, raised_for_gpus;
	/* CPUs were added because of GPUs, and the job asks for a total number of GPUs */
	bool asks_for_total_gpus;
	bool whole_nodes;		/* the job uses whole nodes */
};

/* Returns true if the job uses whole nodes in the partition. `part`: NULL if the partition is not known. */
bool fsi_request_uses_whole_nodes(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* Returns true if, in the partition, the job shares nodes only with other jobs of its user. `part`: NULL if the
 * partition is not known. */
bool fsi_request_excludes_other_users(const fs_snapshot *m, const struct fsi_job *job,
				      const struct fsi_partition *part);

/* Returns the request of a job in a partition, if the job gets `nodes` nodes. `partition`: partition row. */
struct fsi_partition_request fsi_request_in_partition(const struct fsi_request_settings *r, const struct fsi_job *job,
						      uint32_t partition, uint64_t nodes);

/* Properties of a job's request that are the same in every partition. */
struct fsi_request_traits {
	/* `asks_for_cpus`: the job asks for more than one CPU per task; `asks_for_memory`: the job asks for memory;
	 * `loses_memory`: a partition with memory per GPU clears the job's default memory */
	bool asks_for_cpus, asks_for_memory, loses_memory;
};

/* ---- CPUs that the controller counts for a pending Slurm job, once it has tested the job
 *
 * These CPUs may exceed the request (struct fsi_partition_request):
 *   whole nodes    all CPUs of the nodes (src/plugins/select/cons_common/job_test.c: common_job_test, total_cpus)
 *   whole cores    CR_Core, CR_Socket: all threads of a core count; --ntasks-per-core and --threads-per-core leave
 *                  some of them idle (select/cons_common/dist_tasks.c)
 *
 * JOBSIZE and the limits tested after nodes are chosen use these CPUs (src/slurmctld/node_scheduler.c: select_nodes,
 * acct_policy_job_runnable_post_select). */

/* CPUs and nodes that the controller counts for a job. */
struct fsi_counted_request {
	uint32_t nodes;	      /* minimum number of nodes that the controller counts for the job */
	uint64_t asked_cpus;	      /* number of CPUs in the job's record */
	/* minimum and maximum number of CPUs that the controller counts for the job; max_cpus UINT64_MAX: no maximum */
	uint64_t min_cpus, max_cpus;
	/* memory per CPU as the controller rewrites it, MiB; 0: the job requests memory by node, or no memory */
	uint32_t mem_per_cpu_mb;
	/* reason why more CPUs than asked_cpus may be counted; FS_CPU_GROWTH_NONE: at most asked_cpus are counted */
	enum fs_cpu_growth growth_reason;
};

/* Returns the CPUs and nodes that the controller counts for the job in the partition (row). If the controller has
 * planned nodes for the job, only the planned nodes are considered. If `partition` is FSI_NO_INDEX, all nodes of all
 * partitions of the job are considered. */
struct fsi_counted_request fsi_request_count_cpus(const struct fsi_request_settings *r, const struct fsi_job *job,
						  uint32_t partition);

/* Returns the minimum amount of a generic resource (name id of its TRES) that the controller counts for a job with
 * whole nodes in the partition (row). All of the resource on the nodes is counted, even if the job did not ask for the
 * resource (src/slurmctld/node_scheduler.c: _handle_exclusive_gres). If the controller has not planned nodes for the
 * job, nodes with the smallest amount that satisfies the job's request are assumed. Returns 0 for a job without whole
 * nodes, or if no node satisfies the request. */
int64_t fsi_request_count_gres(const struct fsi_request_settings *r, const struct fsi_job *job, uint32_t partition,
			       uint32_t tres);

/* ---- job-size factor (src/plugins/priority/multifactor/priority_multifactor.c: set_priority_factors)
 *
 * C and N are the numbers of CPUs and nodes of the cluster; c and n are the numbers of CPUs and nodes of the job.
 * `by_time` and `small` are members of struct fsi_job_size. The factor is:
 *   by_time             max(n C/N, c) / time limit in minutes / C
 *   by_time and small   1 - max(n C/N, c) / time limit in minutes / C
 *   small               mean of (N - n)/N and (C - c)/C
 *   neither             mean of n/N and c/C
 * If c is 0, only the term with n is used, not a mean. The factor is clamped to 0..1. */

/* Inputs of the job-size factor. */
struct fsi_job_size {
	/* `nodes`, `cpus`: size of the job; `of_nodes`, `of_cpus`: size of the cluster; `minutes`: time limit of the
	 * job. NAN: unknown. */
	double nodes, of_nodes, cpus, of_cpus, minutes;
	bool by_time, small; /* `by_time`: PriorityFlags has SMALL_RELATIVE_TO_TIME; `small`: PriorityFavorSmall is set */
};

/* Returns the job-size factor; NAN: an input is unknown. */
double fsi_job_size_factor(const struct fsi_job_size *s);

/* Returns the whole number of CPUs for which the job-size factor is `factor`; 0: no such number. s->cpus is ignored.
 * `factor` has seven digits, which distinguish all numbers of CPUs in a cluster of less than five million CPUs. */
double fsi_job_size_cpus(const struct fsi_job_size *s, double factor);

/* Returns the smallest number of nodes, at most s->nodes, for which the job-size factor is `factor`; 0: no such
 * number. */
double fsi_job_size_nodes(const struct fsi_job_size *s, double factor);

/* Sets of_nodes and of_cpus to the size of the cluster; NAN: unknown. */
void fsi_job_size_set_cluster(const fs_snapshot *m, struct fsi_job_size *s);

/* ---- jobs as named on a command line: "12", "28_3", "28_[1-20]", "31+1" (het job), in Flux also base 58 */

/* A parsed job id. */
struct fsi_job_ref {
	/* id: id of the job or array; task: number of the array task; offset: offset in a het job */
	uint64_t id, task, offset;
	/* of_array: "_" follows the id; has_task: `task` is given; has_offset: `offset` is given */
	bool of_array, has_task, has_offset;
};

/* Parses a job id into *w. Returns -1 if the text is not a job id. */
int fsi_job_ref_parse(const fs_snapshot *m, const char *text, struct fsi_job_ref *w);

/* Compares a job with the parsed id. Returns a number that is greater if the match is better. 3: the id names this job.
 * 2: the id names a task that is not split off from its array, and this job's record represents such tasks. 1: the job
 * is another task of the same array. 0: no match. */
int fsi_job_ref_match(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ref *w);

/* Returns the row of the job that is named by an id without task or offset; FSI_NO_INDEX: none. Jobs are sorted by
 * id. */
uint32_t fsi_job_ref_row_by_id(const fs_snapshot *m, const struct fsi_job_ref *w);

/* Returns the row of the job that matches best (fsi_job_ref_match); FSI_NO_INDEX: none. */
uint32_t fsi_job_ref_find(const fs_snapshot *m, const struct fsi_job_ref *w);

/* Array jobs sorted by array id, task and row, for many lookups. The job that represents the tasks not split off comes
 * after the split-off tasks. */
struct fsi_job_arrays {
	struct fsi_job_array {
		uint64_t id, task;
		uint32_t row, first; /* `row`: row of the job; `first`: lowest row of all jobs of the array */
	} *v;
	size_t n;
};

/* Fills the index. Returns -1 if out of memory. */
int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m);
void fsi_job_arrays_release(struct fsi_job_arrays *a);

/* Returns the row of the job that matches best, as fsi_job_ref_find does. The parsed id must have no het job offset. */
uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_ref *w);

/* ---- times of the controller's priority calculations */

/* Values of the header field priority_time_from, which says how priority_time was found. Earlier versions also wrote
 * "shares": the time for which the computed NormUsage agrees best with the printed NormUsage (classic fair share). */
#define FSI_CALC_FROM_AGES "ages"       /* priority_time agrees with the ages that sprio printed */
#define FSI_CALC_FROM_RUN_MINUTES "promises" /* priority_time is computed from the run minutes of associations */
#define FSI_CALC_FROM_NO_AGES "no ages" /* priority_time is the earliest AccrueTime of the jobs with the age 0 */
/* priority_time is the controller's start plus the largest multiple of PriorityCalcPeriod that is not after the
 * snapshot */
#define FSI_CALC_FROM_START "start"
/* Value of the header field priority_time_before_from: priority_time_before was computed as priority_time minus
 * PriorityCalcPeriod. */
#define FSI_CALC_FROM_PERIOD "period"

/* Returns PriorityCalcPeriod in seconds; 300 if it is unknown. */
int64_t fsi_priority_calc_period(const fs_snapshot *m);

/* Returns the time of the first priority calculation after `after`; INT64_MAX: the last calculation is unknown. */
int64_t fsi_priority_next_calculation(const fs_snapshot *m, int64_t after);

/* Sets *out to the controller's start (BOOT_TIME). Returns false if the start is unknown or later than the snapshot. */
bool fsi_controller_start_time(const fs_snapshot *m, int64_t *out);

/* Sets *out to the time of the last priority calculation, not later than the snapshot's time. Assumes that the
 * controller calculates priorities when it starts, and then once in each PriorityCalcPeriod. Returns false if the
 * controller's start is unknown. */
bool fsi_last_calc_by_start(const fs_snapshot *m, int64_t *out);

/* Sets the times of priority calculations in m->info from the header, or else from the controller's start. */
void fsi_set_calc_times(fs_snapshot *m);

/* Returns true if a Slurm job no longer has a QOS. When the controller starts, it does not look up the QOS of ended
 * jobs (src/slurmctld/job_mgr.c: job_mgr_load_job_state). A job that ends after the controller's start keeps its
 * QOS. */
bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job);

#endif
