/* The nodes of a cluster, with the resources that running jobs and advance reservations use on each node.
 *
 * A node hold is the part of a node's resources that one running job uses until it ends. A node block is a time
 * interval in which a planned job or an advance reservation occupies a node.
 *
 * struct fsi_cluster describes the nodes of a snapshot at the time of a scheduling cycle. Its functions:
 *   fsi_cluster_init             makes the nodes, partitions and switches; all nodes are idle
 *   fsi_cluster_place_jobs       adds the running jobs (as node holds) and the reservations (as node blocks)
 *   fsi_node_add_hold, fsi_cluster_add_running_job
 *                                add a job that the plan starts now
 *   fsi_node_add_block           adds a node block
 *   fsi_cluster_release          frees all memory of the cluster
 *
 * The cluster owns its memory: nodes, partitions, running jobs and the vectors of each node are allocated one by one;
 * all other memory is in the cluster's arena. The snapshot is borrowed. Functions that allocate return -1 if out of
 * memory.
 *
 * Invariants: the nodes are sorted by name. The holds of a node are sorted by end, then job id. The free[] amounts of a
 * node are its total[] amounts minus the amounts of all its holds. The blocks of a node are sorted by start. The
 * running jobs of the cluster (fsi_cluster.end) are sorted by end, then job id.
 *
 * Represents Slurm's node table and the select plugin's record of each node's usage (select/cons_tres/node_data.c). */
#ifndef FSI_NODES_CLUSTER_H
#define FSI_NODES_CLUSTER_H

#include "base/num.h"
#include "fs/plan.h"
#include "model/jobs.h"
#include "nodes/bits.h"

enum { FSI_RES_CPU, FSI_RES_MEM, FSI_RES_GRES, FSI_RES_MAX = 8 };

/* A moment in the sequence of job ends, which is sorted by end time, then by job id. A job has ended at this moment if
 * it ends before `when`, or if it ends at `when` and its job id is at most `id`. */
struct fsi_end_moment {
	int64_t when;
	uint64_t id; /* job id; UINT64_MAX: every job that ends at `when` counts as ended */
};

/* A node hold: the resources of one node that are in use by one job, until the job ends. */
struct fsi_node_hold {
	int64_t end; /* end of the job, seconds since the epoch; INT64_MAX: never */
	uint64_t id;  /* job id; among holds with equal ends, the lowest id is first */
	/* amount of each resource that is free on the node once this job, and all jobs on the node that end before it,
	 * have ended; set by fsi_node_add_hold */
	int64_t free_after[FSI_RES_MAX];
	/* row of the job; FSI_NO_INDEX: the resources are in use, but no known job uses them */
	uint32_t job;
	/* `partition`: row of the partition in which the job runs; `oversubscribe`: number of jobs that may share a CPU
	 * of this job (fsi_oversubscribe_get_for_job) */
	uint32_t partition, oversubscribe;
	/* the job's partition oversubscribes its CPUs (OverSubscribe=FORCE:N or YES:N with N > 1) */
	bool partition_oversubscribes;
	int64_t amount[FSI_RES_MAX]; /* amount of each resource that the job uses on this node */
	/* set of the CPUs that the job uses on this node; NULL if no CPUs are shared (libfs/nodes/oversubscribe.h) */
	uint64_t *cores;
};

/* A time interval in which a planned job or an advance reservation occupies a node. */
struct fsi_node_block {
	int64_t start, end;   /* the node is occupied from `start` until just before `end`, seconds since the epoch */
	uint32_t job;         /* row of the planned job; FSI_NO_INDEX: an advance reservation */
	uint32_t reservation; /* row of the advance reservation, if `job` is FSI_NO_INDEX */
	int64_t cpus; /* number of CPUs of the node that the reservation takes; 0: it takes the whole node */
};

/* A node, and the jobs and reservations that occupy it. */
struct fsi_cluster_node {
	/* resources in use by jobs; sorted by end (earliest first), then by job id */
	FSI_VEC(struct fsi_node_hold) hold;
	/* copy of the end of hold.v[0], so that most queries need not read the array `hold`; not set if the node has no
	 * job */
	struct fsi_end_moment first_end;
	uint32_t row; /* row of the node in the snapshot */
	/* `threads_per_core`: threads per core; `sockets`: number of sockets of the node, 0: unknown */
	uint32_t threads_per_core, sockets;
	/* `free`: amount of each resource that no job uses now; `total`: amount of each resource that the node has */
	int64_t free[FSI_RES_MAX], total[FSI_RES_MAX];
	/* Slurm's node weight, raised for powered-down nodes; nodes with the lowest weight are allocated first */
	int64_t weight;
	/* `accepts_jobs`: the node accepts jobs; `is_completing`: the epilog of an ended job still runs on the node */
	bool accepts_jobs, is_completing;
	uint32_t closed_by_job; /* row of the planned job that determines `closed_until` */
	/* FS_PLAN_BY_PRIORITY: jobs after `closed_by_job` in the queue may not start on the node before this time */
	int64_t closed_until;
	FSI_VEC(struct fsi_node_block)
	block; /* when planned jobs or reservations occupy the node, earliest first; two reservations may overlap */
};

/* The nodes of a partition. */
struct fsi_cluster_partition {
	uint32_t *node; /* indices of the partition's `nnodes` nodes in fsi_cluster.node, lowest first */
	uint32_t nnodes;
	uint64_t *node_set; /* set of the partition's nodes */
};

/* A switch of topology/tree, with the set of nodes below it. */
struct fsi_topology_switch {
	/* `name`: name id; `level`: 0 for a leaf; `parent`: index of the switch above, FSI_NO_INDEX: none */
	uint32_t name, level, parent;
	uint64_t *nodes;
};

/* A job that is running, or that the plan starts now. */
struct fsi_running_job {
	int64_t when; /* expected end of the job, seconds since the epoch */
	uint64_t id; /* job id; among jobs with equal ends, the lowest id is first */
	uint32_t job, nnodes; /* `job`: row of the job; `nnodes`: number of its nodes */
	uint32_t *node; /* indices of its `nnodes` nodes in fsi_cluster.node */
	uint32_t first_node; /* copy of node[0], so that tests of jobs with one node need not read the array `node` */
};

/* Returns true if the job runs on at least one node of the set `nodes`. */
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
	uint32_t nswitches;	/* number of switches; 0: no topology, or a topology that is not modelled */
	/* distance[a * nswitches + b]: number of steps from switch a to switch b; FSI_NO_INDEX: not connected */
	uint32_t *distance;
	/* TopoOptional: switches matter only for jobs that request a maximum number of switches */
	bool optional;
	bool unknown;		/* the topology is unknown or not modelled */
	bool counts_cpus;	 /* a switch must have enough CPUs as well as nodes (from 23.02) */
	/* the nodes chosen for a job are subtracted from the node counts of their switches (from 24.05.3) */
	bool subtracts_taken_nodes;
};

/* The nodes and CPUs of advance reservations. */
struct fsi_reserved_nodes {
	/* nodes[reservation row]: set of the reservation's nodes; NULL: the nodes are unknown, or the reservation has
	 * ended */
	uint64_t **nodes;
	/* cpus[reservation row][node]: number of CPUs reserved on the node; cpus[reservation row] is NULL if the
	 * reservation takes whole nodes */
	int64_t **cpus;
	bool any_cores;	  /* at least one reservation reserves cores instead of whole nodes */
	uint32_t nunplaced; /* number of active or future reservations whose nodes are unknown */
};

/* The configuration of the select plugin, and its rules that depend on the simulated version. */
struct fsi_select_rules {
	/* pack_serial_at_end: jobs that request one CPU get the last nodes of the partition */
	bool serial_at_end;
	/* If the selection from all candidate nodes fails, it is repeated without the smallest nodes (by CPUs and
	 * GPUs). true: one node is dropped at a time; false: all nodes of the same size
	 * (FS_SLURM_LEAVES_OUT_SINGLY). */
	bool drops_nodes_singly;
	/* a job that requests one node gets the node of lowest weight that can hold the job (FS_SLURM_FIRST_OF_ONE) */
	bool first_node_for_one;
	/* a job with generic resources gets no more CPUs on a node than its tasks need (FS_SLURM_TASKS_BOUND_GRES) */
	bool tasks_limit_gres_cpus;
	bool memory_is_consumable;	  /* memory is a consumable resource (SelectTypeParameters) */
	bool least_loaded_first;  /* CR_LLN: nodes with the largest fraction of free CPUs are allocated first */
	bool any_oversubscribe;	  /* at least one partition oversubscribes its CPUs (OverSubscribe=FORCE or YES) */
	bool gang;		  /* PreemptMode=GANG: jobs are time-sliced */
	/* CR_Core: if a node has too little memory per CPU, it gives fewer CPUs, in steps of whole cores */
	bool whole_cores;
	bool whole_sockets;	  /* CR_Socket: CPUs are allocated in whole sockets */
	bool packs_sockets;	  /* CR_CORE_DEFAULT_DIST_BLOCK: one socket is filled before the next socket is used */
};

struct fsi_cluster {
	const fs_snapshot *m; /* the snapshot; borrowed */
	/* time of the cycle, not later than the time of the snapshot; the caller sets `now` before fsi_cluster_init */
	int64_t now;
	/* simulated Slurm version (FS_SLURM_RELEASE); the caller sets `release` before fsi_cluster_init */
	unsigned release;
	/* number of computation steps so far, which fs_plan limits. NULL: steps are not counted. The caller sets `work`
	 * before fsi_cluster_init */
	uint64_t *work;
	/* sorted by name; numbers in names are compared by value: n9 precedes n10 */
	struct fsi_cluster_node *node;
	/* `nnodes`: number of nodes; `nres`: number of resources; `words`: number of words in a node set */
	uint32_t nnodes, nres, words;
	uint32_t res_name[FSI_RES_MAX]; /* name id of each resource's TRES: "cpu", "mem", then "gres/gpu", ... */
	/* the first `ntres_resources` resources are TRES of the cluster; for these, node records have the amounts in
	 * use */
	uint32_t ntres_resources;
	struct fsi_request_settings requests;
	struct fsi_cluster_partition *partition;     /* the partitions, indexed by partition row */
	uint64_t *up_nodes;                   /* set of the nodes that accept jobs */
	/* nodes whose base state is not DOWN, UNKNOWN or FUTURE; drained and not responding nodes are included */
	uint64_t *not_down_nodes;
	uint32_t *node_index;           /* indexed by name id: 1 + index in `node`; 0: no node has this name */
	struct fsi_topology topology;
	struct fsi_reserved_nodes reserved;
	struct fsi_select_rules rules;
	struct fsi_smallest_node {
		uint32_t cpus;	/* smallest known number of CPUs of a node; UINT32_MAX: unknown for all nodes */
		int64_t mem_mb; /* smallest known memory of a node, MiB; FSI_AMOUNT_MAX: unknown for all nodes */
	} smallest;
	/* at least one running job excludes jobs of other users from its nodes (ExclusiveUser) */
	bool any_exclusive_user;
	/* core_offset[node]: index of the node's first word in a set of all CPUs; core_offset[nnodes]: number of words
	 * in a set of all CPUs. `core_offset` is NULL if no CPUs are shared */
	size_t *core_offset;
	uint32_t nunplaced;           /* number of running jobs whose nodes are unknown */
	FSI_VEC(struct fsi_running_job) end; /* running jobs, sorted by end time (earliest first), then by job id */
	struct fsi_arena arena;
};

/* Maximum amount of a resource. Larger amounts are reduced to this maximum. The maximum is far above the amount of any
 * node, and sums of amounts up to the maximum cannot overflow. */
#define FSI_AMOUNT_MAX (INT64_C(1) << 40)

/* Returns n, but at most FSI_AMOUNT_MAX. */
static inline int64_t fsi_cluster_limit_amount(int64_t n)
{
	return n < FSI_AMOUNT_MAX ? n : FSI_AMOUNT_MAX;
}

/* Makes nodes, partitions and switches from the snapshot. c->now, c->release and c->work must be set. Returns -1 if out
 * of memory; the cluster must be released in any case. */
int fsi_cluster_init(struct fsi_cluster *c, const fs_snapshot *m);
void fsi_cluster_release(struct fsi_cluster *c);

/* Returns true if resource r is gres/gpu or a GPU type such as gres/gpu:a100. */
bool fsi_cluster_is_gpu_resource(const struct fsi_cluster *c, uint32_t r);

/* Returns the number of CPUs of the node in snapshot row `row`, including CPUs that no job can get; UINT32_MAX:
 * unknown. */
static inline uint32_t fsi_node_get_total_cpus(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, cpus) ? m->node.v[row].cpus : UINT32_MAX;
}

/* Returns the memory of the node in snapshot row `row` in MiB, even if memory is not consumable; FSI_AMOUNT_MAX:
 * unknown. */
static inline int64_t fsi_node_get_total_memory(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, mem_mb) && m->node.v[row].mem_mb < (uint64_t)FSI_AMOUNT_MAX
		       ? (int64_t)m->node.v[row].mem_mb
		       : FSI_AMOUNT_MAX;
}

/* ---- generic resources */

/* Returns the total amount of the TRES `tres` (a name id) that the job requests, at most FSI_AMOUNT_MAX. */
int64_t fsi_cluster_get_requested_amount(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* Returns true if the snapshot lists the generic resources of the running job on each of its `nodes` nodes. */
bool fsi_cluster_has_listed_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t nodes);

/* Returns the amount of resource r that the running job has on the i-th of its `nodes` nodes. If the snapshot does not
 * list amounts by node, the job's total is assumed to be split evenly among its nodes. */
int64_t fsi_cluster_get_held_gres(const struct fsi_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
				  uint32_t i);

/* Sets v to the indices of the nodes in the host list `list` (a name id), in the order of the list, and returns their
 * number. Hosts that are not nodes of the cluster are skipped. v must have space for all nodes of the cluster. */
uint32_t fsi_cluster_list_nodes(const struct fsi_cluster *c, uint32_t list, uint32_t *v);

/* A job piece: the resources that one running job has on one of its nodes. */
struct fsi_job_piece {
	uint32_t job, node; /* `job`: row of the job; `node`: index of the node */
	uint32_t listed;	    /* bit r is set if the snapshot lists amount[r] */
	int64_t amount[FSI_RES_MAX]; /* amounts that the job uses on the node, indexed by resource */
};

/* Sets *used to the amount of resource r in use on the node. Returns false if the snapshot does not have that
 * amount. */
bool fsi_cluster_get_node_usage(const struct fsi_cluster *c, uint32_t node, uint32_t r, int64_t *used);

/* Returns the time at which a running job is expected to release its resources. This is its recorded end; if none is
 * recorded, its start plus its time limit; if these are unknown, a year from now. If the time found is not after now,
 * returns one second from now. */
int64_t fsi_cluster_get_job_end(const struct fsi_cluster *c, const struct fsi_job *j);

/* Inserts *h into the array n->hold, which stays sorted by the ends of the jobs. Updates the free amounts of the node.
 * Returns -1 if out of memory. */
int fsi_node_add_hold(struct fsi_cluster_node *n, const struct fsi_node_hold *h, uint32_t nres);
/* Removes the element of n->hold that belongs to `job` (a row), and copies it to *h. Updates the free amounts of the
 * node. Sets h->job to FSI_NO_INDEX if n->hold has no such element. */
void fsi_node_drop_hold(struct fsi_cluster_node *n, uint32_t job, uint32_t nres, struct fsi_node_hold *h);
/* Inserts `b` into the array n->block, which stays sorted by start time. Returns -1 if out of memory. */
int fsi_node_add_block(struct fsi_cluster_node *n, struct fsi_node_block b);
/* Inserts *e into the array c->end, which stays sorted by the expected ends of the jobs. Copies the array e->node.
 * Returns -1 if out of memory. */
int fsi_cluster_add_running_job(struct fsi_cluster *c, const struct fsi_running_job *e);

/* Returns n / by, rounded up. `n` must be at least 0, and `by` at least 1. */
static inline int64_t fsi_cluster_divide_up(int64_t n, int64_t by)
{
	return (int64_t)fsi_divide_rounding_up((uint64_t)n, (uint64_t)by);
}

/* ---- order of the moments at which jobs end */

/* Returns true if moment a precedes moment b. */
static inline bool fsi_moment_is_before(struct fsi_end_moment a, struct fsi_end_moment b)
{
	return a.when < b.when || (a.when == b.when && a.id < b.id);
}

/* Returns the moment at which the job h->job ends. */
static inline struct fsi_end_moment fsi_hold_get_end(const struct fsi_node_hold *h)
{
	return (struct fsi_end_moment){ h->end, h->id };
}

/* Updates n->first_end. Must be called after each change of n->hold. */
static inline void fsi_node_update_first_end(struct fsi_cluster_node *n)
{
	if (n->hold.n)
		n->first_end = fsi_hold_get_end(&n->hold.v[0]);
}

/* Returns true if the job h->job has ended by the moment `at`. */
static inline bool fsi_hold_has_ended(const struct fsi_node_hold *h, struct fsi_end_moment at)
{
	return h->end < at.when || (h->end == at.when && h->id <= at.id);
}

/* Returns the number of steps that one computation of a node's capacity adds to *c->work. `holds`: number of jobs on
 * the node. The factor 4 accounts for the steps of the callers. */
static inline uint64_t fsi_node_get_query_work(size_t holds)
{
	return 4 * (1 + holds);
}

/* Adds the snapshot's running jobs to c->end and to the arrays `hold` of their nodes. Adds its reservations to the
 * arrays `block` of their nodes. Returns -1 if out of memory. */
int fsi_cluster_place_jobs(struct fsi_cluster *c);

#endif
