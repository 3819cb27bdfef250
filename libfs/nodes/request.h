/* What a queue record asks for. */
#ifndef FSI_NODES_REQUEST_H
#define FSI_NODES_REQUEST_H

#include "nodes/cluster.h"

/* What a queue record asks for. */

/* CPUs. */
struct fsi_request_cpus {
	int64_t total;
	int64_t tasks;		  /* 0: unknown */
	int64_t per_task, min_per_node;
	int64_t max_per_node;	  /* INT64_MAX: no limit */
	int64_t max_for_tasks;	  /* most CPUs on a node for its tasks; 0: all */
	int64_t max_per_socket;	  /* 0: all */
	int64_t max_core_threads; /* threads of each core that it may use; 0: all */
	bool one_task_per_core;
	bool all_of_node; /* takes no node of which max_per_node would leave CPUs */
};

/* Memory in MiB, beside request.per_node[FSI_RES_MEM]. */
struct fsi_request_memory {
	int64_t per_cpu;       /* 0: memory by node */
	bool whole_node;       /* all memory of each node, which must be unused */
	uint32_t lost_per_cpu; /* whole_node because another partition cleared so much per CPU; 0: not for that reason */
};

struct fsi_request_gpus {
	uint32_t per_node;  /* of all types */
	uint32_t total;	    /* of all nodes together, each of which gives at least one; 0: per_node */
	uint32_t per_task;  /* on each node for the tasks that run there; 0: not by task */
	uint32_t cpus_each; /* with total or per_task; 0: GPUs bring no CPUs */
	bool cpus_each_requested; /* the job asked for cpus_each and has no other CPUs; else the partition's default */
	bool brings_memory;	  /* its memory is that of its GPUs */
	int64_t mem_each; /* MiB, with total or per_task */
	int64_t max_cpus; /* CPUs that its nodes may give in total, if more than it asks for */
};

struct fsi_request_nodes {
	uint32_t min, max; /* max 0: no limit */
	uint32_t want;	   /* as many as possible up to this */
	uint32_t max_switches; /* leaf switches that its nodes may be on; 0: any number */
	bool contiguous;
	bool least_loaded_first; /* nodes with most free CPUs first */
};

/* Candidate nodes, as sets. */
struct fsi_request_sets {
	uint64_t *required; /* NULL: none */
	uint64_t *allowed;  /* NULL: all */
	uint64_t *named;    /* allowed by excluded nodes and by its reservation; NULL: all */
	uint32_t nrequired;
};

/* Features that are tried separately (libfs/nodes/request.c). */
struct fsi_request_features {
	struct fsi_plan_kind *set;
	uint32_t n;
	bool each; /* it wants nodes of each set; else of one of them */
};

struct fsi_request_sharing {
	bool whole_nodes;	   /* its nodes run no other job */
	bool exclusive_user;	   /* shares nodes only with jobs of its user */
	bool exclusive_partition;  /* its partition has OverSubscribe=EXCLUSIVE */
	uint32_t oversubscribe;	   /* fsi_plan_share */
	bool in_rows;		   /* its partition gives CPUs out more than once */
	bool ignores_shared_cpus; /* shared CPUs do not exclude it from a node (libfs/backfill/job_start.c) */
};

/* Running jobs that it may preempt. */
struct fsi_request_preempt {
	const bool *jobs;     /* by job row; NULL: none */
	const bool *suspends; /* by job row: the job is suspended, and gives its CPUs only; as long as jobs */
	bool suspends_for_good; /* a suspended job never gives the rest in a try; else once it has ended */
};

struct fsi_plan_request {
	uint32_t job, partition, reservation; /* rows; reservation FSI_NO_INDEX: none */
	int64_t limit_s;   /* its time_min where it has one */
	int64_t longest_s; /* its time limit */
	struct fsi_request_nodes nodes;
	struct fsi_request_cpus cpu;
	struct fsi_request_memory mem;
	struct fsi_request_gpus gpu;
	int64_t per_node[FSI_RES_MAX]; /* memory and generic resources on each node */
	struct fsi_request_sharing sharing;
	struct fsi_request_sets set;
	struct fsi_request_features features;
	struct fsi_request_preempt preempt;
	const int64_t *open; /* by node: CPUs that reservations of cores leave to jobs like it; NULL: all */
	bool wants_gres;
	bool impossible;     /* its partition never takes it */
	unsigned unmodelled; /* bits FS_UNMODELLED_ */
};

/* Reads the request from the job, into an arena for what is pointed to. -1 without memory. */
int fsi_plan_request(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, uint32_t job,
		     uint32_t partition, struct fsi_arena *arena);

/* Likewise with other features than its own (a text; 0 none). */
int fsi_plan_request_with(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, uint32_t job,
			  uint32_t partition, uint32_t features, struct fsi_arena *arena);

/* Tries it in a reservation, a row. -1 without memory. */
int fsi_plan_in_reservation(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, uint32_t row,
			    struct fsi_arena *arena);

static inline bool fsi_plan_gives_way(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h)
{
	return q->preempt.jobs && h->job != FSI_NO_INDEX && q->preempt.jobs[h->job];
}

/* How many nodes it may have, at least 1. */
int64_t fsi_plan_max_nodes(const struct fsi_plan_request *q);

/* The features that a job asks for: names with & and |, groups in parentheses, kinds in brackets, numbers of nodes
 * (src/slurmctld/job_scheduler.c: _feature_string2list; from 24.11 a | in brackets is MOR, before that XOR). */

/* A part of the features that is tried by itself. */
struct fsi_plan_kind {
	uint64_t *nodes;
	uint32_t count; /* nodes of it, 0 not told */
};

/* Nodes that are too small for a job, whatever is in use on them. */

#endif
