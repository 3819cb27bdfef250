/* What a job asks for: arrays, job words, size, request, defaults of the configuration. */
#ifndef FSI_MODEL_JOBS_H
#define FSI_MODEL_JOBS_H

#include "fs/priority.h"
#include "model/tables.h"

/* What a cluster's settings and nodes say of what jobs ask for. */

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

#define FSI_JOB_DEFAULTS "DefCpuPerGPU=N, DefMemPerGPU=N, or both"

/* Reads JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=12000". -1: Slurm refuses it, and *out is all zero. */
int fsi_slurm_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out);

/* Reads them; in the arena. -1 without memory. */
int fsi_requests_init(struct fsi_requests *r, const fs_snapshot *m, struct fsi_arena *arena);

/* What a pending job of Slurm asks for as the controller rewrites it, which may be more than its user did.
 *
 *   whole nodes    OverSubscribe=NO of the job, EXCLUSIVE of the partition, from 26.05 Exclusive=NODE or TOPO of either
 *                  (src/scontrol/info_job.c, src/api/partition_info.c), select/linear
 *                  Before 23.11.6 a job that was tried in a partition with FORCE says YES from then on
 *                  (src/slurmctld/node_scheduler.c: _resolve_shared_status, f25e28ba60): libfs/import/slurm/jobs.c
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

/* The part of a job's request that is the same in every partition. */
struct fsi_wish_own {
	bool asks_for_cpus, asks_for_memory, loses_memory;
};

/* The CPUs that a pending job of Slurm counts for once the controller has tested it, which may be more than it asks
 * for: what its wish came to (model/jobs.h), and
 *
 *   whole nodes    all CPUs of the nodes (src/plugins/select/cons_common/job_test.c: common_job_test, total_cpus)
 *   whole cores    CR_Core, CR_Socket: threads of a core go together; --ntasks-per-core and --threads-per-core
 *                  leave some of them idle (select/cons_common/dist_tasks.c)
 *
 * JOBSIZE and the limits tested after nodes were chosen count these (src/slurmctld/node_scheduler.c: select_nodes,
 * acct_policy_job_runnable_post_select). */

struct fsi_request {
	uint32_t nodes;	      /* at least */
	uint64_t asked;	      /* CPUs as the job's record has them */
	uint64_t min, max; /* CPUs it counts for; UINT64_MAX: any number */
	uint32_t mem_per_cpu_mb; /* as rewritten; 0: memory is asked for by node, or not at all */
	enum fs_grows why;    /* why more than asked; NOT: it counts for what it asks */
};

/* What the job counts for in the partition, by row, on the nodes that the controller now plans for it where there
 * are such; FSI_NO_INDEX: in any of the job's, on any of their nodes. */
struct fsi_request fsi_request_of(const struct fsi_requests *r, const struct fsi_job *job, uint32_t partition);

/* How much of a generic resource, by the name of its TRES, the job counts for in the partition, by row: where it
 * takes whole nodes all that they have counts, also what was not asked for (src/slurmctld/node_scheduler.c:
 * _handle_exclusive_gres). It is a lower bound, on the nodes that the controller now plans for the job where there
 * are such; 0 unless the job takes whole nodes and theirs are known. */
int64_t fsi_request_whole_gres(const struct fsi_requests *r, const struct fsi_job *job,
			       uint32_t partition, uint32_t tres);

/* The job-size factor, and the CPUs of which one that was printed is made
 * (src/plugins/priority/multifactor/priority_multifactor.c: set_priority_factors).
 * With C and N CPUs and nodes of the cluster, c and n of the job:
 *   by_time  max(n C/N, c) / limit in minutes / C; small: 1 - that
 *   small    mean of (N - n)/N and (C - c)/C
 *   else     mean of n/N and c/C
 * without the CPU half when c is 0, and clamped to 0..1. */

struct fsi_job_size {
	double nodes, of_nodes, cpus, of_cpus, minutes; /* NAN unknown */
	bool by_time, small; /* SMALL_RELATIVE_TO_TIME, PriorityFavorSmall */
};

double fsi_job_size_factor(const struct fsi_job_size *s);

/* The whole number of CPUs (whatever s->cpus is) that gives the factor, 0: none. It has seven digits, which of a
 * cluster of less than five million CPUs tell them all apart. */
double fsi_job_size_cpus(const struct fsi_job_size *s, double factor);

/* The fewest nodes, at most s->nodes, that give the factor; 0: none do. */
double fsi_job_size_nodes(const struct fsi_job_size *s, double factor);

/* Nodes and CPUs of the cluster, NAN unknown. */
void fsi_job_size_of_cluster(const fs_snapshot *m, struct fsi_job_size *s);

/* A job as a command line names it: "12", "28_3", "28_[1-20]", of a het job "31+1", of Flux in base 58. */

struct fsi_job_word {
	uint64_t id, task, offset;
	bool of_array, has_task, has_offset;
};

/* -1: it names no job. */
int fsi_job_word_parse(const fs_snapshot *m, const char *text, struct fsi_job_word *w);

/* How well a job fits: 3 the very one, 2 the rest of the array it belongs to, 1 some task of the array; 0 not. */
int fsi_job_word_fit(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_job_word *w);

/* The row of the job whose id alone is what the word says; FSI_NO_INDEX. The table is in order. */
uint32_t fsi_job_word_row(const fs_snapshot *m, const struct fsi_job_word *w);

/* The row of the job that fits best; FSI_NO_INDEX. */
uint32_t fsi_job_word_find(const fs_snapshot *m, const struct fsi_job_word *w);

/* The jobs of arrays by array, task and row, for whoever looks up many words; the rest of an array comes last in it. */
struct fsi_job_arrays {
	struct fsi_job_array {
		uint64_t id, task;
		uint32_t row, first; /* the array's first row */
	} *v;
	size_t n;
};

/* -1 without memory. */
int fsi_job_arrays_init(struct fsi_job_arrays *a, const fs_snapshot *m);
void fsi_job_arrays_release(struct fsi_job_arrays *a);

/* As fsi_job_word_find; the word names no component of a het job. */
uint32_t fsi_job_arrays_find(const struct fsi_job_arrays *a, const fs_snapshot *m, const struct fsi_job_word *w);

/* The runs of the controller's priority thread, as far as its start and period tell. */

/* Words of the field priority_time_from. */
#define FSI_RUN_FROM_AGES "ages"       /* the ages that were printed agree on it */
#define FSI_RUN_FROM_PROMISES "promises" /* the minutes promised to running jobs agree on it */
#define FSI_RUN_FROM_AGELESS "no ages" /* not later: jobs that should have aged have not */
#define FSI_RUN_FROM_START "start"     /* the controller's start and whole periods since */
#define FSI_RUN_FROM_SHARES "shares"   /* the classic shares that were printed come out by it */

/* Words of the field priority_time_before, besides "shares". */
#define FSI_RUN_FROM_PERIOD "period" /* a period before priority_time */

/* PriorityCalcPeriod in seconds, 300 where it is not known. */
int64_t fsi_calc_period(const fs_snapshot *m);

/* BOOT_TIME, when it is not later than the snapshot; else false. */
bool fsi_start_time(const fs_snapshot *m, int64_t *out);

/* The last run not after the snapshot's time, a whole number of periods after the start; false without one. */
bool fsi_run_by_start(const fs_snapshot *m, int64_t *out);

/* Fills the times of m->info from the header; those that it does not tell follow from the controller's start. */
void fsi_set_last_run(fs_snapshot *m);

/* Has a job of Slurm no QOS any more? Of those that had ended when the controller started it looks none up
 * (src/slurmctld/job_mgr.c: job_mgr_load_job_state); one that ended since keeps its own. */
bool fsi_job_lost_qos(const fs_snapshot *m, const struct fsi_job *job);

#endif
