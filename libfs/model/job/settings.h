/* What a cluster's settings and nodes say of what jobs ask for. */
#ifndef FSI_MODEL_JOB_SETTINGS_H
#define FSI_MODEL_JOB_SETTINGS_H

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

#define FSI_JOB_DEFAULTS "DefCpuPerGPU=N, DefMemPerGPU=N, or both"

/* Reads JobDefaults, "DefCpuPerGPU=4,DefMemPerGPU=12000". -1: Slurm refuses it, and *out is all zero. */
int fsi_slurm_job_defaults(const char *text, size_t len, struct fsi_job_defaults *out);

/* Reads them; in the arena. -1 without memory. */
int fsi_requests_init(struct fsi_requests *r, const fs_snapshot *m, struct fsi_arena *arena);

/* Takes a node among those of the span. */
void fsi_node_span_add(struct fsi_node_span *s, const struct fsi_node *n);

#endif
