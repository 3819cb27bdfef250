/* The request of a job in one of its partitions: the resources that the job requests, and the nodes that it may use.
 *
 * fsi_request_read_job reads the job and the partition; fsi_request_apply_reservation then restricts the request to a
 * reservation. The node sets of the request are in the caller's arena. The caller sets the members `preempt` and
 * `unreserved_cpus`, and owns their arrays. Each bit in `unmodelled` names a part of the request that the plan does not
 * model.
 *
 * Reproduces how the controller prepares a job before it searches for a start (src/plugins/sched/backfill/backfill.c:
 * _attempt_backfill). */
#ifndef FSI_NODES_REQUEST_H
#define FSI_NODES_REQUEST_H

#include "nodes/cluster.h"

/* CPUs of a request. */
struct fsi_request_cpus {
	int64_t total; /* number of CPUs on all nodes in total */
	int64_t tasks;		  /* number of tasks; 0: unknown */
	/* `per_task`: CPUs for each task; `min_per_node`: minimum number of CPUs on a node */
	int64_t per_task, min_per_node;
	int64_t max_per_node;	  /* MaxCPUsPerNode of the partition; INT64_MAX: no limit */
	int64_t max_for_tasks;	  /* maximum number of CPUs on a node because of --ntasks-per-node; 0: no limit */
	int64_t max_per_socket;	  /* maximum number of CPUs on a socket because of --ntasks-per-socket; 0: no limit */
	int64_t max_core_threads; /* maximum number of threads of a core that the request may use; 0: no limit */
	bool one_task_per_core; /* no two tasks of the request share a core */
	/* a node is excluded if it has more free CPUs than `max_per_node` lets the request use */
	bool needs_all_free_cpus;
};

/* Memory of a request, MiB. Memory requested per node is in fsi_request.per_node[FSI_RES_MEM] instead. */
struct fsi_request_memory {
	int64_t per_cpu;       /* memory per CPU; 0: memory is requested per node */
	/* the request needs all memory of each of its nodes; no other job may use memory there */
	bool whole_node;
	/* default memory per CPU that the controller cleared when it tested the job in another partition; 0: not
	 * cleared. If it is cleared, the request needs all memory of its nodes (`whole_node`) */
	uint32_t lost_per_cpu;
};

/* GPUs of a request. */
struct fsi_request_gpus {
	uint32_t per_node;  /* GPUs on each node; if several GPU types are requested, the largest of their numbers */
	/* GPUs on all nodes in total, at least one on each node; 0: GPUs are not requested as a total */
	uint32_t total;
	uint32_t per_task;  /* GPUs for each task, on the task's node; 0: GPUs are not requested per task */
	uint32_t cpus_per_gpu; /* CPUs requested for each GPU, if `total` or `per_task` is set; 0: none */
	/* true: the job itself requested `cpus_per_gpu`, and gets exactly that many CPUs for each GPU; false:
	 * `cpus_per_gpu` is a default */
	bool cpus_per_gpu_requested;
	bool memory_by_gpu;	  /* memory is requested per GPU */
	int64_t mem_per_gpu; /* memory for each GPU, MiB, if `total` or `per_task` is set */
	/* maximum number of CPUs on all nodes in total; used only if it is above the number of CPUs that the request
	 * asks for */
	int64_t max_cpus;
};

/* Nodes of a request. */
struct fsi_request_nodes {
	uint32_t min, max; /* `min`, `max`: minimum and maximum number of nodes; `max` 0: no limit */
	/* number of nodes wanted: as many nodes as possible up to this number are allocated */
	uint32_t wanted;
	uint32_t max_switches; /* maximum number of leaf switches of the allocated nodes; 0: no limit */
	bool contiguous;
	bool least_loaded_first; /* nodes with the largest fraction of free CPUs are allocated first */
};

/* Node sets that determine the candidate nodes of a request. */
struct fsi_request_sets {
	uint64_t *required; /* nodes that the request must get; NULL: none */
	uint64_t *allowed;  /* nodes that the request may use; NULL: all nodes */
	/* nodes of the job's reservation (without a reservation: all nodes), minus the nodes that --exclude names;
	 * NULL: all nodes */
	uint64_t *named;
	uint32_t nrequired; /* number of nodes in `required` */
};

/* The feature sets of a request, which are tried one by one. A feature that is in none of the sets only restricts the
 * allowed nodes. */
struct fsi_request_features {
	struct fsi_feature_set *set;
	uint32_t n;
	/* true: the request needs nodes of each feature set; false: all its nodes must be of one feature set */
	bool wants_each;
};

/* How a request may share nodes and CPUs with other jobs. */
struct fsi_request_sharing {
	bool whole_nodes;	   /* no other job may run on the request's nodes */
	bool exclusive_user;	   /* the request shares nodes only with jobs of the same user */
	bool exclusive_partition;  /* the request's partition has OverSubscribe=EXCLUSIVE */
	/* number of jobs that may share a CPU of the request; 0: the request does not share CPUs
	 * (fsi_oversubscribe_get_for_job) */
	uint32_t oversubscribe;
	bool partition_oversubscribes;		   /* the request's partition oversubscribes its CPUs */
	/* true: a node on which jobs share CPUs may be given to the request (libfs/select/will_run.c) */
	bool ignores_shared_cpus;
};

/* Running jobs that the request may preempt. */
struct fsi_request_preempt {
	const bool *jobs;     /* jobs[job row]: the request may preempt that running job; NULL: it may preempt no job */
	/* suspends[job row]: that running job would be suspended, so its preemption frees only its CPUs; not valid
	 * if `jobs` is NULL */
	const bool *suspends;
	/* true: the memory and generic resources of a suspended job never count as free; false: they count as free
	 * after the job's end */
	bool suspends_for_good;
};

/* The request of a job in one partition. */
struct fsi_request {
	/* rows of the job, the partition and the reservation; `reservation` FSI_NO_INDEX: none */
	uint32_t job, partition, reservation;
	int64_t limit_s;   /* TimeMin of the job, s; its time limit if it has no TimeMin */
	int64_t full_limit_s; /* time limit of the job, s */
	struct fsi_request_nodes nodes;
	struct fsi_request_cpus cpu;
	struct fsi_request_memory mem;
	struct fsi_request_gpus gpu;
	/* requested amount of each resource (memory and generic resources) on each node */
	int64_t per_node[FSI_RES_MAX];
	struct fsi_request_sharing sharing;
	struct fsi_request_sets set;
	struct fsi_request_features features;
	struct fsi_request_preempt preempt;
	/* unreserved_cpus[node]: CPUs that reservations of cores leave to the request; NULL: all CPUs */
	const int64_t *unreserved_cpus;
	bool wants_gres;
	/* the request can never start: the partition's limits exclude it, or none of its required nodes is known */
	bool impossible;
	unsigned unmodelled; /* bits FS_UNMODELLED_... of the parts of the request that the plan does not model */
};

/* Sets *q to the request of the job (a row) in the partition (a row). Allocates memory in the arena. Returns -1 if out
 * of memory. */
int fsi_request_read_job(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
			 struct fsi_arena *arena);

/* Sets *q as fsi_request_read_job does, but with `features` instead of the job's features (name id of the text; 0:
 * none). */
int fsi_request_read_with_features(struct fsi_request *q, const struct fsi_cluster *c, uint32_t job, uint32_t partition,
				   uint32_t features, struct fsi_arena *arena);

/* Restricts the request to the reservation in row `row`. Returns -1 if out of memory. */
int fsi_request_apply_reservation(struct fsi_request *q, const struct fsi_cluster *c, uint32_t row,
				  struct fsi_arena *arena);

/* Returns true if the request may preempt the job h->job. */
static inline bool fsi_request_may_preempt_hold(const struct fsi_request *q, const struct fsi_node_hold *h)
{
	return q->preempt.jobs && h->job != FSI_NO_INDEX && q->preempt.jobs[h->job];
}

/* Returns the maximum number of nodes that the request may get, at least 1; INT64_MAX: no limit. */
int64_t fsi_request_get_max_nodes(const struct fsi_request *q);

/* A feature set of a request: one name of --constraint, or a group of names in parentheses. Each feature set is tried
 * separately. A request has feature sets if its --constraint has operators in brackets or numbers of nodes
 * (src/slurmctld/job_scheduler.c: _feature_string2list). Slurm calls a | in brackets MOR from 24.11 on, and XOR in
 * earlier versions. */
struct fsi_feature_set {
	uint64_t *nodes;
	uint32_t count; /* number of nodes with these features that the job requests; 0: the job gives no number */
};

#endif
