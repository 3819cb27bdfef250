/* The nodes of a cluster, and what running jobs and advance reservations hold of them.
 *
 * struct fsi_cluster holds the nodes of a snapshot at the time of a scheduling cycle:
 *   fsi_cluster_init      makes the nodes, partitions and switches; all nodes are idle
 *   fsi_cluster_place_jobs             adds the running jobs (holds and ends) and the reservations (blocks)
 *   fsi_node_add_hold, fsi_cluster_add_running_job   add a job that the plan starts now
 *   fsi_node_add_block         adds an interval in which a planned job or a reservation has a node
 *   fsi_cluster_release   frees everything
 *
 * The cluster owns its memory: nodes, partitions, ends and the vectors of each node are allocated one by one, the rest
 * is in its arena. The snapshot is borrowed. Functions that allocate return -1 if out of memory.
 *
 * Invariants: the nodes are sorted by name. The holds of a node are sorted by end, then job id; its free[] is total[]
 * less the amounts of all holds. The blocks of a node are sorted by start, the ends of the cluster by end, then job id.
 *
 * Represents Slurm's node table and the select plugin's record of each node's usage (select/cons_tres/node_data.c). */
#ifndef FSI_NODES_CLUSTER_H
#define FSI_NODES_CLUSTER_H

#include "base/num.h"
#include "fs/plan.h"
#include "model/jobs.h"
#include "nodes/bits.h"

enum { FSI_RES_CPU, FSI_RES_MEM, FSI_RES_GRES, FSI_RES_MAX = 8 };

/* A moment in the sequence of job ends. Jobs that end before `when` have ended. Of the jobs that end at `when`, those
 * with an id up to `id` have ended. */
struct fsi_end_moment {
	int64_t when;
	uint64_t id; /* UINT64_MAX: all jobs that end at `when` have ended */
};

/* What a job holds of a node until it ends. */
struct fsi_node_hold {
	int64_t end; /* seconds since the epoch; INT64_MAX: never */
	uint64_t id;  /* job id; orders holds that end at the same time */
	/* free on the node once this hold and all earlier ones have ended: fsi_node_add_hold */
	int64_t free_after[FSI_RES_MAX];
	uint32_t job; /* row of the job; FSI_NO_INDEX: in use by something unknown */
	/* row of the partition in which the job runs; how often its CPUs may be allocated
	 * (fsi_oversubscribe_get_for_job) */
	uint32_t partition, oversubscribe;
	bool partition_oversubscribes;		   /* the partition oversubscribes its CPUs, whether or not the job shares them */
	int64_t amount[FSI_RES_MAX]; /* by resource */
	uint64_t *cores; /* set of the node's CPUs, if CPUs are shared (libfs/nodes/oversubscribe.h); else NULL */
};

/* An interval in which a planned job or an advance reservation has a node. */
struct fsi_node_block {
	int64_t start, end;   /* [start, end), seconds since the epoch */
	uint32_t job;         /* row of the planned job; FSI_NO_INDEX: an advance reservation */
	uint32_t reservation; /* row of the advance reservation, if `job` is FSI_NO_INDEX */
	int64_t cpus; /* CPUs that the reservation takes of the node; 0: the whole node */
};

/* A node and what is held of it. */
struct fsi_cluster_node {
	FSI_VEC(struct fsi_node_hold) hold; /* by rising end, then job id */
	/* end of hold.v[0], if there is a hold: a copy, so that most queries need not read the holds */
	struct fsi_end_moment first_end;
	uint32_t row; /* row in the snapshot */
	uint32_t threads_per_core, sockets; /* threads per core; number of sockets, 0: unknown */
	int64_t free[FSI_RES_MAX], total[FSI_RES_MAX]; /* by resource: free now; in total */
	/* Slurm's node weight, raised for powered-down nodes; nodes with the lowest weight are allocated first */
	int64_t weight;
	bool accepts_jobs, is_completing; /* accepts jobs; a job's epilog still runs on it */
	uint32_t closed_by_job; /* row of the planned job for which the node is closed */
	int64_t closed_until; /* planning by priority: no job starts before this time */
	FSI_VEC(struct fsi_node_block)
	block; /* by rising start; only blocks of reservations may overlap */
};

/* The nodes of a partition. */
struct fsi_cluster_partition {
	uint32_t *node; /* indices of its n nodes in fsi_cluster.node, rising */
	uint32_t nnodes;
	uint64_t *node_set; /* the same nodes as a set */
};

/* A switch of topology/tree, with the set of nodes below it. */
struct fsi_topology_switch {
	uint32_t name, level, parent; /* name id; level, 0: a leaf; index of the switch above, FSI_NO_INDEX: none */
	uint64_t *nodes;
};

/* A job that runs, or that the plan starts now. */
struct fsi_running_job {
	int64_t when; /* expected end of the job, seconds since the epoch */
	uint64_t id; /* job id; orders jobs that end at the same time */
	uint32_t job, nnodes; /* row of the job; number of its nodes */
	uint32_t *node; /* indices of its n nodes */
	uint32_t first_node; /* copy of node[0], since most jobs have one node */
};

/* Returns true if the job holds a node of the set. */
static inline bool fsi_running_job_is_on_nodes(const struct fsi_running_job *e, const uint64_t *nodes)
{
	if (e->nnodes && fsi_bit_is_set(nodes, e->first_node))
		return true;
	for (uint32_t k = 1; k < e->nnodes; k++)
		if (fsi_bit_is_set(nodes, e->node[k]))
			return true;
	return false;
}

/* The switches of topology/tree. */
struct fsi_topology {
	struct fsi_topology_switch *switches;
	uint32_t nswitches;	/* 0: no topology, or one that is not modelled */
	/* steps from switch a to switch b at [a * nswitches + b]; FSI_NO_INDEX: not connected */
	uint32_t *distance;
	bool optional;		/* TopoOptional: switches count only for jobs that ask for them */
	bool unknown;		/* the topology is unknown or not modelled */
	bool counts_cpus;	 /* switches must have enough CPUs as well as nodes: from 23.02 */
	bool subtracts_taken_nodes; /* nodes already taken no longer count for their switches: from 24.05.3 */
};

/* What advance reservations hold, by reservation row. */
struct fsi_reserved_nodes {
	uint64_t **nodes; /* set of its nodes; NULL: unknown, or the reservation has ended */
	int64_t **cpus;	  /* by node: CPUs that it reserves; NULL: it reserves whole nodes */
	bool any_cores;	  /* a reservation reserves less than whole nodes */
	uint32_t nunplaced; /* number of reservations whose nodes are unknown */
};

/* How the select plugin is configured, and which rules the simulated version follows. */
struct fsi_select_rules {
	bool serial_at_end;	  /* pack_serial_at_end: one-CPU jobs get the last nodes */
	/* candidates are dropped one by one if they do not suffice (FS_SLURM_LEAVES_OUT_SINGLY) */
	bool drops_nodes_singly;
	/* a job of one node gets the first node by weight that fits (FS_SLURM_FIRST_OF_ONE) */
	bool first_node_for_one;
	/* a node gives a job with generic resources no more CPUs than for the job's tasks
	 * (FS_SLURM_TASKS_BOUND_GRES) */
	bool tasks_limit_gres_cpus;
	bool memory_is_consumable;	  /* memory is a consumable resource */
	bool least_loaded_first;  /* CR_LLN: nodes with the greatest share of free CPUs first */
	bool any_oversubscribe;	  /* a partition oversubscribes its CPUs (OverSubscribe=FORCE or YES) */
	bool gang;		  /* PreemptMode=GANG: jobs are time-sliced */
	bool whole_cores;	  /* CR_Core: a node short of memory per CPU gives fewer CPUs in steps of whole cores */
	bool whole_sockets;	  /* CR_Socket: CPUs are allocated by the socket */
	bool packs_sockets;	  /* CR_CORE_DEFAULT_DIST_BLOCK: one socket is filled before the next */
};

struct fsi_cluster {
	const fs_snapshot *m; /* borrowed */
	/* time of the cycle, at or before the snapshot's; the caller sets it before fsi_cluster_init */
	int64_t now;
	unsigned release; /* FS_SLURM_RELEASE whose rules apply; the caller sets it before fsi_cluster_init */
	uint64_t *work; /* work counter of fs_plan; NULL: work is not counted; set before fsi_cluster_init */
	/* by name, with numbers in names compared by value, so that neighbours are adjacent */
	struct fsi_cluster_node *node;
	uint32_t nnodes, nres, words;   /* number of nodes, resources, and words in a set of nodes */
	uint32_t res_name[FSI_RES_MAX]; /* TRES of each resource (name id): "gres/gpu", ... from FSI_RES_GRES on */
	/* number of leading resources that are TRES of the cluster: nodes report how much of them is in use */
	uint32_t ntres_resources;
	struct fsi_request_settings requests;
	struct fsi_cluster_partition *partition;     /* by partition row */
	uint64_t *up_nodes;                   /* nodes that accept jobs */
	uint64_t *not_down_nodes; /* nodes that are not DOWN: those that accept jobs, and drained or not responding ones */
	uint32_t *node_index;           /* by name id: 1 + node index; 0: not a node */
	struct fsi_topology topology;
	struct fsi_reserved_nodes reserved;
	struct fsi_select_rules rules;
	struct fsi_smallest_node {
		uint32_t cpus;	/* smallest fsi_node_get_total_cpus of all nodes */
		int64_t mem_mb; /* smallest fsi_node_get_total_memory of all nodes */
	} smallest;
	bool any_exclusive_user; /* a running job keeps its nodes from jobs of other users (ExclusiveUser) */
	/* if CPUs are shared, by node: index of its first word in a set of CPUs; after the last node: number of
	 * words */
	size_t *core_offset;
	uint32_t nunplaced;           /* number of running jobs whose nodes are unknown */
	FSI_VEC(struct fsi_running_job) end; /* by rising end, then job id */
	struct fsi_arena arena;
};

/* Far above what any node has, so that sums of such amounts cannot overflow. */
#define FSI_AMOUNT_MAX (INT64_C(1) << 40)

/* Returns n, but at most FSI_AMOUNT_MAX. */
static inline int64_t fsi_cluster_limit_amount(int64_t n)
{
	return n < FSI_AMOUNT_MAX ? n : FSI_AMOUNT_MAX;
}

/* Makes nodes, partitions and switches from the snapshot. Its time, release and work counter must be set. Returns -1 if
 * out of memory; the cluster must be released in any case. */
int fsi_cluster_init(struct fsi_cluster *c, const fs_snapshot *m);
void fsi_cluster_release(struct fsi_cluster *c);

/* Returns true if resource r is gres/gpu or a type of it. */
bool fsi_cluster_is_gpu_resource(const struct fsi_cluster *c, uint32_t r);

/* Returns all CPUs of the node (a row), also those that no job can get; UINT32_MAX: unknown. */
static inline uint32_t fsi_node_get_total_cpus(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, cpus) ? m->node.v[row].cpus : UINT32_MAX;
}

/* Returns the memory of the node (a row) in MiB, also if memory is not consumable; FSI_AMOUNT_MAX: unknown. */
static inline int64_t fsi_node_get_total_memory(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, mem_mb) && m->node.v[row].mem_mb < (uint64_t)FSI_AMOUNT_MAX
		       ? (int64_t)m->node.v[row].mem_mb
		       : FSI_AMOUNT_MAX;
}

/* ---- generic resources */

/* Returns the total amount of a TRES (a name id) that the job asks for, at most FSI_AMOUNT_MAX. */
int64_t fsi_cluster_get_requested_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* Returns true if the snapshot lists the generic resources of a running job for each of its `nodes` nodes. */
bool fsi_cluster_has_listed_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t nodes);

/* Returns how much of resource r the running job has on the i-th of its `nodes` nodes; an even share of its total if
 * the snapshot does not list that. */
int64_t fsi_cluster_get_held_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
				  uint32_t i);

/* Sets v to the indices of the known nodes in a host list (a name id), in the order of the list, and returns their
 * number. v must have space for all nodes. */
uint32_t fsi_cluster_list_nodes(const struct fsi_cluster *c, uint32_t list, uint32_t *v);

/* What one running job has on one node. */
struct fsi_job_piece {
	uint32_t job, node; /* row of the job; index of the node */
	uint32_t listed;	    /* bit r: the snapshot lists the amount of resource r */
	int64_t amount[FSI_RES_MAX]; /* by resource */
};

/* Sets *used to the amount of resource r in use on the node. Returns false if the snapshot does not have it. */
bool fsi_cluster_get_node_usage(const struct fsi_cluster *c, uint32_t node, uint32_t r, int64_t *used);

/* Returns when a running job is expected to release its resources: its recorded end, or its start plus its time limit,
 * or a year from now. A job past that time is expected to end in one second. */
int64_t fsi_cluster_get_job_end(const struct fsi_cluster *c, const struct fsi_job *j);

/* Adds a hold in the order of ends, and updates what is free. Returns -1 if out of memory. */
int fsi_node_add_hold(struct fsi_cluster_node *n, const struct fsi_node_hold *h, uint32_t nres);
/* Removes the job's hold and copies it to *h. Sets h->job to FSI_NO_INDEX if the job has none. */
void fsi_node_drop_hold(struct fsi_cluster_node *n, uint32_t job, uint32_t nres, struct fsi_node_hold *h);
/* Adds a block in the order of starts. Returns -1 if out of memory. */
int fsi_node_add_block(struct fsi_cluster_node *n, struct fsi_node_block b);
/* Adds a job in the order of ends; copies its list of nodes. Returns -1 if out of memory. */
int fsi_cluster_add_running_job(struct fsi_cluster *c, const struct fsi_running_job *e);

/* Returns n / by, rounded up. n must be at least 0, by at least 1. */
static inline int64_t fsi_cluster_divide_up(int64_t n, int64_t by)
{
	return (int64_t)fsi_divide_rounding_up((uint64_t)n, (uint64_t)by);
}

/* ---- moments and holds */

/* Returns true if moment a precedes moment b. */
static inline bool fsi_moment_is_before(struct fsi_end_moment a, struct fsi_end_moment b)
{
	return a.when < b.when || (a.when == b.when && a.id < b.id);
}

/* Returns the moment at which the hold ends. */
static inline struct fsi_end_moment fsi_hold_get_end(const struct fsi_node_hold *h)
{
	return (struct fsi_end_moment){ h->end, h->id };
}

/* Updates the copy of the first end; to be called after each change of the node's holds. */
static inline void fsi_node_update_first_end(struct fsi_cluster_node *n)
{
	if (n->hold.n)
		n->first_end = fsi_hold_get_end(&n->hold.v[0]);
}

/* Returns true if the hold has ended at the moment. */
static inline bool fsi_hold_has_ended(const struct fsi_node_hold *h, struct fsi_end_moment at)
{
	return h->end < at.when || (h->end == at.when && h->id <= at.id);
}

/* Returns the work charged for a query of a node with so many holds; the factor covers the calling functions. */
static inline uint64_t fsi_node_get_query_work(size_t holds)
{
	return 4 * (1 + holds);
}

/* Adds the snapshot's running jobs and reservations to the nodes. Returns -1 if out of memory. */
int fsi_cluster_place_jobs(struct fsi_cluster *c);

#endif
