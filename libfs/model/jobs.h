/* Jobs of a snapshot: resource requests as Slurm's controller rewrites them, job-size factor, job ids on command lines,
 * arrays, and the times of priority calculations.
 *
 * Steps of a request: fsi_request_settings_init reads the cluster's settings; fsi_request_in_partition computes the
 * request in one partition; fsi_request_count_cpus computes the CPUs that the job counts for. The objects borrow from
 * the snapshot and the arena. */
#ifndef FSI_MODEL_JOBS_H
#define FSI_MODEL_JOBS_H

#include "fs/priority.h"
#include "model/tables.h"

/* Minimum and maximum sizes of the nodes of a partition. */
struct fsi_node_span {
	uint32_t nodes; /* number of nodes; 0: none known */
	uint32_t min_cpus, max_cpus, min_threads, max_threads; /* CPUs of a node, and CPUs (threads) of a core */
};

/* Defaults for jobs that ask for GPUs without CPUs or memory; 0: no default. */
struct fsi_job_defaults {
	uint32_t cpus_per_gpu, mem_per_gpu_mb;
};

/* Settings of the cluster that affect requests, and its nodes. */
struct fsi_request_settings {
	const fs_snapshot *m;
	struct fsi_node_span *span_of_partition; /* by partition: sizes of its nodes */
	uint32_t *node_row;	    /* by name id: row of the node + 1; 0: not a node */
	uint32_t node, mem, cpu, gpu; /* name ids of TRES; 0: none */
	struct fsi_job_defaults defaults; /* defaults of the cluster */
	/* CR_CORE or CR_SOCKET; CR_SOCKET; select/linear; CR_ONE_TASK_PER_CORE */
	bool whole_cores, whole_sockets, linear, task_per_core;
	int64_t max_mem_per_cpu_mb, default_mem_mb; /* MaxMemPerCPU and DefMemPerCPU; 0: none */
};

#define FSI_JOB_DEFAULTS "DefCpuPerGPU=N, DefMemPerGPU=N, or both"

/* Parses JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=12000". Returns -1 if Slurm refuses the text; *out is all zero
 * then. */
int fsi_slurm_parse_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out);

/* Reads the settings and nodes; memory is from the arena. Returns -1 if out of memory. */
int fsi_request_settings_init(struct fsi_request_settings *r, const fs_snapshot *m, struct fsi_arena *arena);

/* ---- request of a pending Slurm job, as the controller rewrites it (it may exceed the user's request)
 *
 *   whole nodes    OverSubscribe=NO of the job, EXCLUSIVE of the partition, from 26.05 Exclusive=NODE or TOPO of either
 *                  (src/scontrol/info_job.c, src/api/partition_info.c), select/linear
 *                  In versions older than 23.11.6, a job that was tried in a partition with FORCE shows
 *                  OverSubscribe=YES afterwards (src/slurmctld/node_scheduler.c: _resolve_shared_status, f25e28ba60):
 *                  libfs/import/slurm/jobs.c
 *   memory         MaxMemPerCPU of the partition, else of the cluster: a job with more memory per CPU gets more CPUs
 *                  per task, a job with more memory per node gets more CPUs on the node (src/slurmctld/job_mgr.c:
 *                  _valid_pn_min_mem, called by job_limits_check; the job record then shows the rewritten values)
 *   GPUs           CPUs for each GPU (src/plugins/select/cons_common/gres_select_util.c:
 *                  gres_select_util_job_min_cpus; 24.11: src/plugins/select/cons_tres/gres_select_util.c). These use
 *                  all threads of a core even with CR_ONE_TASK_PER_CORE (cons_common.c: common_cpus_per_core). Memory
 *                  for each GPU, unless the job asks for memory (job_test.c: common_job_test, JOB_MEM_SET).
 *                  The CPUs are those for the GPUs when the job was first tested, even after updates (job_test.c:
 *                  common_job_test creates gres_list_req_accum only if there is none). */

/* The request in one partition, before nodes are chosen. */
struct fsi_partition_request {
	uint64_t cpus, min_cpus_on_node; /* CPUs in total, and minimum on each node */
	uint64_t gpu_cpus;	/* CPUs for the GPUs of a node, even if the job asks for as many itself */
	uint32_t cpus_per_task;	/* CPUs of a task */
	uint32_t mem_per_cpu_mb; /* memory per CPU, MiB; 0: memory is requested by node, or not at all */
	uint32_t max_tasks_per_core;	/* maximum number of its tasks on a core; 0: no limit */
	uint32_t max_threads_per_core;	/* maximum number of threads it uses on a core; 0: all */
	bool one_task_per_core;		/* each of its tasks has a core of its own */
	uint32_t mem_per_gpu_mb; /* memory per GPU, MiB; 0: GPUs add no memory */
	bool all_memory;	 /* needs all memory of its nodes, none of which may be in use */
	uint32_t lost_mem_mb; /* memory per CPU lost in another partition, which made all_memory true, MiB; 0: none */
	bool raised_for_memory, raised_for_gpus;	/* CPUs were raised because of memory, because of GPUs */
	bool asks_for_total_gpus;	/* gpus is set, and the job asks for a total number of GPUs */
	bool whole_nodes;		/* uses whole nodes */
};

/* Returns true if the job uses whole nodes in the partition. part may be NULL. */
bool fsi_request_uses_whole_nodes(const fs_snapshot *m, const struct fsi_job *job, const struct fsi_partition *part);

/* Returns true if the job shares nodes only with jobs of its user in the partition. part may be NULL. */
bool fsi_request_excludes_other_users(const fs_snapshot *m, const struct fsi_job *job,
				      const struct fsi_partition *part);

/* Returns the job's request in the partition (row) on a number of nodes. */
struct fsi_partition_request fsi_request_in_partition(const struct fsi_request_settings *r, const struct fsi_job *job,
						      uint32_t partition, uint64_t nodes);

/* Properties of a job's request that are the same in every partition. */
struct fsi_request_traits {
	/* asks for more CPUs than one per task; asks for memory; loses its default memory in a partition with memory
	 * per GPU */
	bool asks_for_cpus, asks_for_memory, loses_memory;
};

/* ---- CPUs that a pending Slurm job counts for, once the controller has tested it
 *
 * They may exceed the request (struct fsi_partition_request):
 *   whole nodes    all CPUs of the nodes (src/plugins/select/cons_common/job_test.c: common_job_test, total_cpus)
 *   whole cores    CR_Core, CR_Socket: all threads of a core count; --ntasks-per-core and --threads-per-core leave
 *                  some of them idle (select/cons_common/dist_tasks.c)
 *
 * JOBSIZE and the limits tested after nodes are chosen use these CPUs (src/slurmctld/node_scheduler.c: select_nodes,
 * acct_policy_job_runnable_post_select). */

/* CPUs and nodes that a job counts for. */
struct fsi_counted_request {
	uint32_t nodes;	      /* minimum number of nodes */
	uint64_t asked_cpus;	      /* CPUs in the job's record */
	uint64_t min_cpus, max_cpus; /* minimum and maximum CPUs it counts for; max UINT64_MAX: no maximum */
	uint32_t mem_per_cpu_mb; /* memory per CPU after rewriting, MiB; 0: requested by node, or not at all */
	/* reason why it may count for more than `asked`; FS_CPU_GROWTH_NONE: it does not */
	enum fs_cpu_growth growth_reason;
};

/* Returns what the job counts for in the partition (row), on the nodes planned by the controller if there are any.
 * FSI_NO_INDEX: in any of the job's partitions, on any of their nodes. */
struct fsi_counted_request fsi_request_count_cpus(const struct fsi_request_settings *r, const struct fsi_job *job,
						  uint32_t partition);

/* Returns the minimum amount of a generic resource (name id of its TRES) that the job counts for in the partition
 * (row), on the nodes planned by the controller if there are any. A job with whole nodes counts for all of their
 * resources, even those it did not ask for (src/slurmctld/node_scheduler.c: _handle_exclusive_gres). Returns 0 for a
 * job without whole nodes, or if its nodes are unknown. */
int64_t fsi_request_count_gres(const struct fsi_request_settings *r, const struct fsi_job *job, uint32_t partition,
			       uint32_t tres);

/* ---- job-size factor (src/plugins/priority/multifactor/priority_multifactor.c: set_priority_factors)
 *
 * With C and N: CPUs and nodes of the cluster, c and n: of the job,
 *   by_time  max(n C/N, c) / limit in minutes / C; with small 1 minus that
 *   small    mean of (N - n)/N and (C - c)/C
 *   else     mean of n/N and c/C
 * The CPU half is left out if c is 0. The factor is clamped to 0..1. */

/* Inputs of the job-size factor. */
struct fsi_job_size {
	/* of the job and the cluster; time limit in minutes; NAN: unknown */
	double nodes, of_nodes, cpus, of_cpus, minutes;
	bool by_time, small; /* SMALL_RELATIVE_TO_TIME, PriorityFavorSmall */
};

/* Returns the job-size factor; NAN: an input is unknown. */
double fsi_job_size_factor(const struct fsi_job_size *s);

/* Returns the whole number of CPUs (s->cpus is ignored) that gives the factor; 0: none. The factor has seven digits,
 * enough to distinguish all numbers in a cluster of less than five million CPUs. */
double fsi_job_size_cpus(const struct fsi_job_size *s, double factor);

/* Returns the smallest number of nodes, at most s->nodes, that gives the factor; 0: none. */
double fsi_job_size_nodes(const struct fsi_job_size *s, double factor);

/* Sets the nodes and CPUs of the cluster; NAN: unknown. */
void fsi_job_size_set_cluster(const fs_snapshot *m, struct fsi_job_size *s);

/* ---- jobs as named on a command line: "12", "28_3", "28_[1-20]", "31+1" (het job), in Flux also base 58 */

/* A parsed job id. */
struct fsi_job_ref {
	uint64_t id, task, offset; /* id of the job or array; task number; het job offset */
	bool of_array, has_task, has_offset; /* "_" follows the id; a task number is given; a het job offset is given */
};

/* Parses a job id. Returns -1 if the text is not one. */
int fsi_job_ref_parse(const fs_snapshot *m, const char *text, struct fsi_job_ref *w);

/* Returns how well a job matches: 3 the job itself, 2 the rest of its array, 1 another task of the array, 0 no
 * match. */
int fsi_job_ref_match(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_ref *w);

/* Returns the row of the job named by its id alone; FSI_NO_INDEX: none. Jobs are sorted by id. */
uint32_t fsi_job_ref_row_by_id(const fs_snapshot *m, const struct fsi_job_ref *w);

/* Returns the row of the best match; FSI_NO_INDEX: none. */
uint32_t fsi_job_ref_find(const fs_snapshot *m, const struct fsi_job_ref *w);

/* Array jobs sorted by array id, task and row, for many lookups. The rest of an array comes after its tasks. */
struct fsi_job_arrays {
	struct fsi_job_array {
		uint64_t id, task;
		uint32_t row, first; /* first: lowest row of the array */
	} *v;
	size_t n;
};

/* Fills the index. Returns -1 if out of memory. */
int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m);
void fsi_job_arrays_release(struct fsi_job_arrays *a);

/* Returns the row of the best match, as fsi_job_ref_find does, for a word without a het job offset. */
uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_ref *w);

/* ---- times of the controller's priority calculations */

/* Values of the field priority_time_from, and of priority_time_before_from for "shares". */
#define FSI_CALC_FROM_AGES "ages"       /* the time on which the printed ages agree */
#define FSI_CALC_FROM_RUN_MINUTES "promises" /* the time on which the run minutes of running jobs agree */
#define FSI_CALC_FROM_NO_AGES "no ages" /* upper bound: jobs that should have aged have not */
#define FSI_CALC_FROM_START "start"     /* the controller's start plus whole periods */
#define FSI_CALC_FROM_SHARES "shares"   /* the time that reproduces the printed classic shares */

/* Additional value of the field priority_time_before_from. */
#define FSI_CALC_FROM_PERIOD "period" /* one period before priority_time */

/* Returns PriorityCalcPeriod in seconds, 300 if unknown. */
int64_t fsi_priority_calc_period(const fs_snapshot *m);

/* Sets *out to BOOT_TIME. Returns false if it is unknown or later than the snapshot. */
bool fsi_controller_start_time(const fs_snapshot *m, int64_t *out);

/* Sets *out to the last calculation up to the snapshot's time, a whole number of periods after the controller's start.
 * Returns false if the start is unknown. */
bool fsi_last_calc_by_start(const fs_snapshot *m, int64_t *out);

/* Sets the calculation times in m->info, from the header, or else from the controller's start. */
void fsi_set_calc_times(fs_snapshot *m);

/* Returns true if a Slurm job no longer has a QOS. When the controller starts, it does not look up the QOS of ended
 * jobs (src/slurmctld/job_mgr.c: job_mgr_load_job_state). A job that ended later keeps its QOS. */
bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job);

#endif
