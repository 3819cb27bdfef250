/* What a queue record asks for: a job in one of its partitions.
 *
 * fsi_request_read_job reads the job and the partition; fsi_request_apply_reservation then restricts the request to a
 * reservation. Its sets are in the arena that the caller gives. The caller adds which jobs the request may preempt, and
 * what reservations of cores leave to it, as arrays of its own. What the plan does not model is noted in `unmodelled`.
 *
 * Reproduces how the controller prepares a job for a try (src/plugins/sched/backfill/backfill.c: _attempt_backfill). */
#ifndef FSI_NODES_REQUEST_H
#define FSI_NODES_REQUEST_H

#include "nodes/cluster.h"

/* CPUs of a request. */
struct fsi_request_cpus {
	int64_t total; /* CPUs on all nodes together */
	int64_t tasks;		  /* number of tasks; 0: unknown */
	int64_t per_task, min_per_node; /* CPUs for each task; fewest CPUs on a node */
	int64_t max_per_node;	  /* MaxCPUsPerNode of the partition; INT64_MAX: no limit */
	int64_t max_for_tasks;	  /* most CPUs on a node by --ntasks-per-node; 0: no limit */
	int64_t max_per_socket;	  /* most CPUs on a socket by --ntasks-per-socket; 0: no limit */
	int64_t max_core_threads; /* most threads of a core that it may use; 0: no limit */
	bool one_task_per_core; /* no two of its tasks share a core */
	bool needs_all_free_cpus; /* cannot use a node that has more free CPUs than max_per_node leaves */
};

/* Memory of a request in MiB, besides per_node[FSI_RES_MEM]. */
struct fsi_request_memory {
	int64_t per_cpu;       /* 0: memory is asked for by node */
	bool whole_node;       /* wants all memory of each node, none of which may be in use */
	/* memory per CPU that the job lost in another partition, if whole_node is set for that reason; else 0 */
	uint32_t lost_per_cpu;
};

/* GPUs of a request. */
struct fsi_request_gpus {
	uint32_t per_node;  /* on each node: the largest number asked for of gres/gpu and its types */
	uint32_t total;	    /* on all nodes together, at least one on each; 0: not asked for as a total */
	uint32_t per_task;  /* for each task on its node; 0: not asked for by task */
	uint32_t cpus_per_gpu; /* CPUs that each GPU brings, with `total` or per_task; 0: GPUs bring no CPUs */
	/* the job itself asked for cpus_each and gets no other CPUs; else cpus_each is a default */
	bool cpus_per_gpu_requested;
	bool memory_by_gpu;	  /* memory is asked for by GPU */
	int64_t mem_per_gpu; /* MiB for each GPU, with `total` or per_task */
	int64_t max_cpus; /* CPUs that its nodes may give in total, if more than it asks for */
};

/* Nodes of a request. */
struct fsi_request_nodes {
	uint32_t min, max; /* max 0: no limit */
	uint32_t wanted;	   /* as many nodes as possible are allocated, up to this number */
	uint32_t max_switches; /* most leaf switches for its nodes; 0: no limit */
	bool contiguous;
	bool least_loaded_first; /* nodes with the greatest share of free CPUs first */
};

/* Candidate nodes of a request, as sets. */
struct fsi_request_sets {
	uint64_t *required; /* nodes that it must get; NULL: none */
	uint64_t *allowed;  /* nodes that it may use; NULL: all */
	uint64_t *named;    /* nodes left by excluded nodes and by the reservation alone; NULL: all */
	uint32_t nrequired; /* number of nodes in `required` */
};

/* Feature sets that are tried one by one. The others only restrict the allowed nodes. */
struct fsi_request_features {
	struct fsi_feature_set *set;
	uint32_t n;
	bool wants_each; /* wants nodes of each set; else of any one of the sets */
};

/* With which jobs a request shares its nodes and CPUs. */
struct fsi_request_sharing {
	bool whole_nodes;	   /* no other job runs on its nodes */
	bool exclusive_user;	   /* shares nodes only with jobs of its user */
	bool exclusive_partition;  /* its partition has OverSubscribe=EXCLUSIVE */
	uint32_t oversubscribe;	   /* how often its CPUs may be allocated; 0: it does not share CPUs (fsi_oversubscribe_get_for_job) */
	bool partition_oversubscribes;		   /* its partition oversubscribes its CPUs */
	/* running jobs that share their CPUs do not exclude it from a node (libfs/select/will_run.c) */
	bool ignores_shared_cpus;
};

/* Running jobs that the request may preempt. */
struct fsi_request_preempt {
	const bool *jobs;     /* by job row; NULL: it may preempt none */
	/* by job row, if `jobs` is set: preempting suspends the job, which frees nothing but its CPUs */
	const bool *suspends;
	/* the rest of a suspended job never becomes free within a try; else it does when the job has ended */
	bool suspends_for_good;
};

/* The request of a job in one partition. */
struct fsi_request {
	uint32_t job, partition, reservation; /* rows; reservation FSI_NO_INDEX: none */
	int64_t limit_s;   /* TimeMin of the job if it has one, else its time limit */
	int64_t full_limit_s; /* time limit */
	struct fsi_request_nodes nodes;
	struct fsi_request_cpus cpu;
	struct fsi_request_memory mem;
	struct fsi_request_gpus gpu;
	int64_t per_node[FSI_RES_MAX]; /* by resource: memory and generic resources on each node */
	struct fsi_request_sharing sharing;
	struct fsi_request_sets set;
	struct fsi_request_features features;
	struct fsi_request_preempt preempt;
	const int64_t *unreserved_cpus; /* by node: CPUs that reservations of cores leave to it; NULL: all */
	bool wants_gres; /* asks for a generic resource */
	bool impossible;     /* never starts: the partition's limits exclude it, or its required nodes are unknown */
	unsigned unmodelled; /* FS_UNMODELLED_ bits */
};

/* Fills the request of the job in the partition (rows). Allocates in the arena. Returns -1 if out of memory. */
int fsi_request_read_job(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
			 struct fsi_arena *arena);

/* Fills the request as fsi_request_read_job does, but with these features (name id of a text; 0: none). */
int fsi_request_read_with_features(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
				   uint32_t features, struct fsi_arena *arena);

/* Restricts the request to a reservation (a row). Returns -1 if out of memory. */
int fsi_request_apply_reservation(struct fsi_request *q, const struct fsi_cluster *c, uint32_t row,
				  struct fsi_arena *arena);

/* Returns true if the hold is one of a job that the request may preempt. */
static inline bool fsi_request_may_preempt_hold(const struct fsi_request *q, const struct fsi_node_hold *h)
{
	return q->preempt.jobs && h->job != FSI_NO_INDEX && q->preempt.jobs[h->job];
}

/* Returns the largest number of nodes that the request may get, at least 1; INT64_MAX: no limit. */
int64_t fsi_request_get_max_nodes(const struct fsi_request *q);

/* A feature set of a request that is tried by itself: a name, or names in parentheses, of --constraint. Alternatives in
 * brackets and items with a number of nodes are tried so (src/slurmctld/job_scheduler.c: _feature_string2list; from
 * 24.11 a | in brackets is MOR, in earlier versions XOR). */
struct fsi_feature_set {
	uint64_t *nodes;
	uint32_t count; /* number of nodes wanted of the set; 0: not given */
};

#endif
