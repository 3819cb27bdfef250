/* The nodes of a cluster, and what running jobs and reservations hold of them. */
#ifndef FSI_NODES_CLUSTER_H
#define FSI_NODES_CLUSTER_H

#include "base/num.h"
#include "fs/plan.h"
#include "model/jobs.h"
#include "nodes/bits.h"

enum { FSI_RES_CPU, FSI_RES_MEM, FSI_RES_GRES, FSI_RES_MAX = 8 };

/* A moment among the ends of jobs: jobs that end before it are gone and, of those that end then, the ids up to this
 * one. */
struct fsi_plan_moment {
	int64_t when;
	uint64_t id; /* UINT64_MAX: all */
};

struct fsi_plan_alloc {
	int64_t end;
	uint64_t id;  /* of the job */
	int64_t after[FSI_RES_MAX]; /* free on its node when it has ended, and all before it: fsi_plan_add_hold */
	uint32_t job; /* row, FSI_NO_INDEX: in use by something that is not known */
	uint32_t partition, share; /* row of the job's; fsi_plan_share */
	bool in_rows;		   /* its partition gives CPUs out more than once, whether the job asks for that or not */
	int64_t amount[FSI_RES_MAX];
	uint64_t *cores; /* which CPUs of the node, where they are shared: libfs/nodes/oversubscribe.h; else NULL */
};

struct fsi_plan_block {
	int64_t start, end;   /* [start, end) */
	uint32_t job;         /* row; FSI_NO_INDEX: an advance reservation */
	uint32_t reservation; /* then its row */
	int64_t cpus; /* of that: CPUs that it keeps, 0: the node */
};

struct fsi_plan_node {
	FSI_VEC(struct fsi_plan_alloc) hold; /* by rising end, then id */
	struct fsi_plan_moment first;	     /* the end of the first, if there is any: read where the others need not be */
	uint32_t row; /* of the model */
	uint32_t threads, sockets; /* sockets 0: not known */
	int64_t free[FSI_RES_MAX], total[FSI_RES_MAX]; /* free: now */
	int64_t weight; /* its own, and whether it is powered down; the least goes first */
	bool up, completing;
	uint32_t from_job;
	int64_t from; /* plan by priority: not before */
	FSI_VEC(struct fsi_plan_block)
	block; /* by rising start; only reservations' may overlap */
};

struct fsi_plan_part {
	uint32_t *node; /* indices into the cluster's nodes */
	uint32_t n;
	uint64_t *has; /* the same as a set */
};

/* A switch of topology/tree. */
struct fsi_plan_switch {
	uint32_t name, level, parent; /* level 0: a leaf; parent FSI_NO_INDEX: none */
	uint64_t *nodes;
};

/* A running job, or one that starts now. */
struct fsi_plan_end {
	int64_t when;
	uint64_t id; /* of the job: those that end at once go by it */
	uint32_t job, n;
	uint32_t *node; /* n of them */
	uint32_t node0; /* the first of them: most have one alone */
};

/* Does it hold any node of the set? */
static inline bool fsi_plan_ends_on(const struct fsi_plan_end *e, const uint64_t *nodes)
{
	if (e->n && fsi_bit(nodes, e->node0))
		return true;
	for (uint32_t k = 1; k < e->n; k++)
		if (fsi_bit(nodes, e->node[k]))
			return true;
	return false;
}

/* The network of topology/tree. */
struct fsi_topology {
	struct fsi_plan_switch *sw;
	uint32_t nswitches;	/* 0: no topology, or one that is not modelled */
	uint32_t *distance;	/* from switch to switch; FSI_NO_INDEX: none */
	bool optional;		/* only for jobs that ask for switches */
	bool unknown;		/* there is a topology that is not modelled */
	bool compares_cpus;	 /* switches are compared by their CPUs too: from 23.02 */
	bool compares_free_cpus; /* and by what is left of their nodes: from 24.05.3 */
};

/* Advance reservations. */
struct fsi_reserved {
	uint64_t **nodes; /* by reservation row: its nodes, NULL: unknown */
	int64_t **cpus;	  /* by reservation row, by node: CPUs that it reserves; NULL: whole nodes */
	bool any_cores;	  /* any of them reserves less than whole nodes */
	uint32_t unplaced; /* reservations whose nodes are unknown */
};

/* How the select plugin is configured, and which version's rules it follows. */
struct fsi_select_rules {
	bool serial_at_end;	  /* jobs of one CPU go to the last nodes (pack_serial_at_end) */
	bool leaves_out_singly;	  /* FS_SLURM_LEAVES_OUT_SINGLY */
	bool first_of_one;	  /* FS_SLURM_FIRST_OF_ONE */
	bool tasks_bound_gres;	  /* FS_SLURM_TASKS_BOUND_GRES */
	bool memory_counts;	  /* memory is consumed */
	bool least_loaded_first;  /* nodes with most CPUs free first (CR_LLN) */
	bool any_oversubscribe;	  /* some partition gives CPUs out more than once */
	bool gang;		  /* PreemptMode=GANG: jobs are time-sliced */
	bool whole_cores;	  /* memory by CPU is given up by the core */
	bool whole_sockets;	  /* CPUs come in sockets (CR_Socket) */
	bool packs_sockets;	  /* one socket is filled before the next (CR_CORE_DEFAULT_DIST_BLOCK) */
};

struct fsi_plan_cluster {
	const fs_snapshot *m;
	int64_t now; /* of the cycle: at or before the snapshot's */
	unsigned compat; /* FS_SLURM_RELEASE whose rules count; set before fsi_plan_cluster_init, as now is */
	uint64_t *looks; /* holds looked at so far, which fs_plan counts; NULL: they are not counted */
	struct fsi_plan_node
		*node; /* by name, numbers in it by value: neighbours are so in this order */
	uint32_t nnodes, nres, words;   /* words: of a set of nodes */
	uint32_t res_name[FSI_RES_MAX]; /* "gres/gpu", ... from FSI_RES_GRES on */
	uint32_t ncounted; /* the first so many are TRES of the cluster, of which nodes tell what is in use */
	struct fsi_requests requests;
	struct fsi_plan_part *part;     /* by partition row */
	uint64_t *up;                   /* nodes that take jobs */
	uint64_t *not_down; /* nodes that are not DOWN: those in `up`, drained and not responding ones */
	uint32_t *node_of;           /* by name id: node index + 1 */
	struct fsi_topology topology;
	struct fsi_reserved reserved;
	struct fsi_select_rules rules;
	struct fsi_smallest_node {
		uint32_t cpus;	/* least fsi_plan_cpus_in_all of all nodes */
		int64_t mem_mb; /* least fsi_plan_mem_in_all of all nodes */
	} smallest;
	bool users_own; /* running jobs keep their nodes from other users (ExclusiveUser) */
	size_t *core_at; /* if CPUs are shared, by node: its first word in sets of CPUs; after the last node: their number */
	uint32_t unplaced;           /* running jobs whose nodes are not known */
	FSI_VEC(struct fsi_plan_end) end; /* by rising end */
	struct fsi_arena arena;
};

/* Far more than any node has, so that sums of them cannot overflow. */
#define FSI_PLAN_MOST (INT64_C(1) << 40)

/* At most what sums can bear. */
static inline int64_t fsi_plan_amount(int64_t n)
{
	return n < FSI_PLAN_MOST ? n : FSI_PLAN_MOST;
}

/* Makes empty nodes and partitions at c->now, which is set. -1 without memory. */
int fsi_plan_cluster_init(struct fsi_plan_cluster *c, const fs_snapshot *m);
void fsi_plan_cluster_release(struct fsi_plan_cluster *c);

/* Is it "gres/gpu", or a type of it? */
bool fsi_plan_is_gpu(const struct fsi_plan_cluster *c, uint32_t r);

/* The CPUs of a node, by row, also those that no job gets; UINT32_MAX: they are not known. */
static inline uint32_t fsi_plan_cpus_in_all(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, cpus) ? m->node.v[row].cpus : UINT32_MAX;
}

/* The memory of a node in MiB, by row, also where none is given out; FSI_PLAN_MOST: it is not known. */
static inline int64_t fsi_plan_mem_in_all(const fs_snapshot *m, uint32_t row)
{
	return FSI_HAS(&m->node.v[row], NODE, mem_mb) && m->node.v[row].mem_mb < (uint64_t)FSI_PLAN_MOST
		       ? (int64_t)m->node.v[row].mem_mb
		       : FSI_PLAN_MOST;
}

/* ---- generic resources (libfs/nodes/cluster.c) */

/* How many of a resource, by the name of its TRES, the job asks for in all. */
int64_t fsi_plan_asked(const fs_snapshot *m, const struct fsi_job *j, uint32_t tres);

/* Is it told what a running job has on each of its nodes, of which there are so many? */
bool fsi_plan_gres_told(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t nodes);

/* How many of a resource it has on the i-th of them; an even part where that is not told. */
int64_t fsi_plan_gres_held(const struct fsi_plan_cluster *c, const struct fsi_job *j, uint32_t r, uint32_t nodes,
			   uint32_t i);

/* Fills v, which has room for all nodes, with the indices of the known nodes of a list (a name); returns how many. */
uint32_t fsi_plan_nodes_of(const struct fsi_plan_cluster *c, uint32_t list, uint32_t *v);

/* A job on a node. */
struct fsi_plan_piece {
	uint32_t job, node; /* row; index in the cluster */
	uint32_t told;	    /* bits: amounts that are known */
	int64_t amount[FSI_RES_MAX];
};

/* Is it known how much of a resource is in use on a node? Then *used says. */
bool fsi_plan_used(const struct fsi_plan_cluster *c, uint32_t node, uint32_t r, int64_t *used);

/* When a job that holds resources gives them back: its start plus its time limit, in a year where it has none; one past
 * it is about to end. */
int64_t fsi_plan_job_end(const struct fsi_plan_cluster *c, const struct fsi_job *j);

/* Adds a hold and keeps the order of ends. -1 without memory. */
int fsi_plan_add_hold(struct fsi_plan_node *n, const struct fsi_plan_alloc *h, uint32_t nres);
/* Takes the job's hold off; *h is of FSI_NO_INDEX when it has none. */
void fsi_plan_drop_hold(struct fsi_plan_node *n, uint32_t job, uint32_t nres, struct fsi_plan_alloc *h);
int fsi_plan_add_block(struct fsi_plan_node *n, struct fsi_plan_block b);
int fsi_plan_add_end(struct fsi_plan_cluster *c, const struct fsi_plan_end *e);

/* fsi_divide_up of amounts; n >= 0, by > 0. */
static inline int64_t fsi_plan_divide_up(int64_t n, int64_t by)
{
	return (int64_t)fsi_divide_up((uint64_t)n, (uint64_t)by);
}

/* ---- one node (libfs/nodes/avail.c) */

static inline bool fsi_plan_before(struct fsi_plan_moment a, struct fsi_plan_moment b)
{
	return a.when < b.when || (a.when == b.when && a.id < b.id);
}

static inline struct fsi_plan_moment fsi_plan_end_of(const struct fsi_plan_alloc *h)
{
	return (struct fsi_plan_moment){ h->end, h->id };
}

/* Sets n->first, after each change of its holds. */
static inline void fsi_plan_note_first(struct fsi_plan_node *n)
{
	if (n->hold.n)
		n->first = fsi_plan_end_of(&n->hold.v[0]);
}

/* Is the hold gone by then; does its job give way to the request? */
static inline bool fsi_plan_ended(const struct fsi_plan_alloc *h, struct fsi_plan_moment at)
{
	return h->end < at.when || (h->end == at.when && h->id <= at.id);
}

/* What asking a node with so many holds costs: looks, and as many in the functions that ask. */
static inline uint64_t fsi_plan_looks(size_t holds)
{
	return 4 * (1 + holds);
}

/* Puts running jobs and reservations on the nodes. -1 without memory. */
int fsi_plan_place(struct fsi_plan_cluster *c);

#endif
