/* The parts of the start-time simulation. Amounts of a node: CPUs, MiB of memory, then the generic resources
 * that occur. Node-level like Slurm's backfill: what starts at once shares nodes, what is planned for later
 * takes its nodes whole. */
#ifndef FSI_PLAN_H
#define FSI_PLAN_H

#include "base/num.h"
#include "fs/plan.h"
#include "model/jobs.h"
#include "plan/bits.h"

enum { FSI_RES_CPU, FSI_RES_MEM, FSI_RES_GRES, FSI_RES_MAX = 8 };

/* SchedulerParameters (man/fs-showq.1 lists them). */
struct fsi_plan_params {
	int64_t window_s, resolution_s, interval_s;
	int64_t main_interval_s; /* of the main scheduler */
	uint32_t max_test, max_user, max_part, max_assoc,
		max_user_part;                             /* 0: no limit, but for max_test */
	uint32_t max_array_resv, part_reserve, max_slots; /* max_slots: of the map */
	uint32_t max_start; /* jobs that a cycle starts, 0: any number */
	int64_t min_age_reserve_s;
	double min_prio_reserve;
	int64_t window_grows_s; /* by so much, 0: to twice as much (bf_window_linear) */
	bool one_resv, assoc_limit_stop, busy_nodes, licenses, running_reserve, serial_at_end, magnetic_slot;
	bool stops_behind_window; /* ends at a start that reservations put behind it: from 23.11.2 */
	bool forgets; /* FS_SLURM_SHARING_FORGOTTEN */
	bool last_on_nodes, ended_by_start; /* FS_SLURM_LAST_ON_NODES, FS_SLURM_ENDED_BY_START */
	bool looks_on; /* as versions from 24.11 do: looks further, rounds ends up, takes nodes of the time tried */
};

/* The parameter that keeps a cycle from a job: its name, NULL none, and its value. */
struct fsi_plan_cycle_limit {
	const char *name;
	uint32_t value;
};
void fsi_plan_params(const fs_snapshot *m, unsigned version, struct fsi_plan_params *p);

/* When the job of that row is planned to start; FS_UNKNOWN where the plan has none for it or knows no more than that it
 * is not before a time, or there is no plan. */
int64_t fsi_plan_start(const fs_plan *p, uint32_t job_row);

/* The i-th of the parameters that are set and change a plan, and are left out; NULL past the end. */
const char *fsi_plan_left_out(const fs_snapshot *m, size_t i);

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
	uint64_t *cores; /* which CPUs of the node, where they are shared: libfs/plan/oversubscribe.h; else NULL */
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

/* ---- generic resources (libfs/plan/cluster.c) */

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

/* Shares the amounts of each job among its nodes (libfs/plan/cluster.c). The pieces of a job stand together and
 * their amounts add up to the job's, before and after. -1 without memory. */
int fsi_plan_split(const struct fsi_plan_cluster *c, struct fsi_plan_piece *piece, uint32_t n);

/* Puts running jobs and reservations on the nodes. -1 without memory. */
int fsi_plan_place(struct fsi_plan_cluster *c);

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

/* Features that are tried separately (libfs/plan/features.c). */
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
	bool ignores_shared_cpus; /* shared CPUs do not exclude it from a node (libfs/plan/cycle.c) */
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

/* How often CPUs may be given out where the job runs in the partition, 0: it does not share them
 * (libfs/plan/cluster.c). */
uint32_t fsi_plan_share(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* Does the partition give nodes to one job alone? */
bool fsi_plan_reserves(const fs_snapshot *m, const struct fsi_partition *p);

/* How often the partition's CPUs may be given out, at least 1. */
uint32_t fsi_plan_rows(const fs_snapshot *m, const struct fsi_partition *p);

/* Does the request get no node on which that job runs? */
bool fsi_plan_apart(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h);

struct fsi_plan_choice;

/* ---- one node (libfs/plan/node_room.c) */

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

static inline bool fsi_plan_gives_way(const struct fsi_plan_request *q, const struct fsi_plan_alloc *h)
{
	return q->preempt.jobs && h->job != FSI_NO_INDEX && q->preempt.jobs[h->job];
}

/* CPUs that are free to the request, where `cpus` counts those of all jobs: some are given out more than once
 * (libfs/plan/cluster.c). */
int64_t fsi_plan_with_shared(const struct fsi_plan_node *n, const struct fsi_plan_request *q, struct fsi_plan_moment at,
			     int64_t cpus);

/* Who is on a node: is anybody; CPUs that jobs of the request's partition have. */
struct fsi_plan_there {
	bool any;
	int64_t of_partition;
};

/* CPUs that the request could take on a node of which so much is free. 0 if it does not fit. */
int64_t fsi_plan_room_of(const struct fsi_plan_cluster *c, const struct fsi_plan_node *n,
			 const struct fsi_plan_request *q, const int64_t *free, const struct fsi_plan_there *there);

/* CPUs that the request could take on a node at a moment, but for what is planned; 0 if it does not fit. */
int64_t fsi_plan_room(const struct fsi_plan_cluster *c, uint32_t node,
		      const struct fsi_plan_request *q, struct fsi_plan_moment at);

/* What asking a node with so many holds costs: looks, and as many in the functions that ask. */
static inline uint64_t fsi_plan_looks(size_t holds)
{
	return 4 * (1 + holds);
}

/* The room on a node and until when it stays so: a later moment, at which the next job has ended. gpus: free then,
 * of the types that the request wants. */
struct fsi_plan_room {
	struct fsi_plan_moment from, until; /* from then on, which may be before it was asked for, and no longer then */
	int64_t cpus, gpus;
};
struct fsi_plan_room fsi_plan_room_at(const struct fsi_plan_cluster *c, uint32_t node,
				      const struct fsi_plan_request *q, struct fsi_plan_moment at);

/* The room if so many of its CPUs were taken and the others free, whoever has them. */
struct fsi_plan_room fsi_plan_room_beside(const struct fsi_plan_cluster *c, uint32_t node,
					  const struct fsi_plan_request *q, struct fsi_plan_moment at, int64_t taken);

/* The GPUs of the types that the request wants, among what is free on a node. */
int64_t fsi_plan_free_gpus(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, const int64_t *free);

/* Fills the amounts that come with so many CPUs on a node. */
void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t cpus, int64_t *amount);

/* Those on the k-th node of a choice for that start, where GPUs that are asked for in all are shared out too, and CPUs
 * come in sockets if they do. */
void fsi_plan_amounts_chosen(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			     const struct fsi_plan_choice *s, uint32_t k, int64_t start, int64_t *amount);

/* The first time at or after `from` at which running jobs leave it room; INT64_MAX: never. */
int64_t fsi_plan_fit(const struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_request *q, int64_t from);

/* What may stand in the way of a request. */
enum fsi_plan_obey { FSI_OBEY_ALL, FSI_OBEY_RESERVATIONS, FSI_OBEY_HOLDS };

/* The first gap from `from` on in which it can run; *last is the last start in it. INT64_MAX: there is none. */
int64_t fsi_plan_gap(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t from,
		     enum fsi_plan_obey obey, int64_t *last);

/* When the next hold ends after `when`, INT64_MAX if none does. */
int64_t fsi_plan_release(const struct fsi_plan_node *n, int64_t when);

/* ---- which nodes (libfs/plan/choose.c) */

/* A run of neighbours among candidates. */
struct fsi_plan_run {
	uint32_t first, end; /* places in the order of candidates */
	int64_t cpus, weight;
	uint32_t left;	   /* nodes not yet taken, 0: used up */
	uint32_t required; /* place of the first required one, FSI_NO_INDEX none */
};

enum { FSI_PLAN_COUNTED = 4096, FSI_PLAN_NO_GPUS = 0xff /* the last bits of a node's weight, less its GPUs */ };

/* A switch in a choice. */
struct fsi_plan_at_switch {
	uint64_t *nodes; /* those of its nodes that count */
	int64_t count, cpus;
	uint32_t dist;	 /* from the switches in use */
	bool in_use;
};

/* Memory for a choice, used again and again, and what it found. */
struct fsi_plan_choice {
	uint32_t *candidate, n; /* in: node indices in rising order */
	int64_t *cpus;          /* in, by node: what each could give, above 0; changed */
	int64_t *gpus;          /* in, by node: free, where the request wants some */
	int64_t *weight;	/* by node: its own, and less than that by GPUs at hand */
	bool keeps_weights;	/* in: those of the last request for GPUs stay for others that have none */
	bool busy_first;        /* in: nodes in use before idle ones */
	int64_t *size;		/* by node: what it could give before any evaluation, CPUs times GPUs */
	int64_t *left;          /* by node of a run: what it may still give */
	int64_t *given;         /* by node: CPUs taken, -1 not taken */
	uint32_t *taken, ntaken; /* those taken, in that order */
	struct fsi_plan_at_switch *at; /* by switch; NULL without topology */
	uint64_t *set[3];	 /* sets of nodes, with topology */
	struct fsi_plan_run *run, *parted;
	uint32_t *kept;
	int64_t *before;  /* by place: CPUs of the candidates before it */
	uint32_t *same;	  /* by place: 1 + the next of that size, 0 none */
	uint32_t *of_cpus;      /* by CPUs, at most FSI_PLAN_COUNTED: how many candidates, or 1 + the place of the first */
	/* found: */
	uint32_t nnodes;
	uint32_t *node; /* in rising order */
	int64_t *units; /* CPUs on each */
};
int fsi_plan_choice_init(struct fsi_plan_choice *s,
			 const struct fsi_plan_cluster *c); /* -1 without memory */
void fsi_plan_choice_release(struct fsi_plan_choice *s);
/* Finds the nodes that Slurm would choose; false if they do not suffice. */
bool fsi_plan_choose(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q);

/* Likewise by its room then as if nobody had CPUs there; without room it weighs what it did (_job_test, test 0). */
void fsi_plan_weigh_unused(struct fsi_plan_choice *s, const struct fsi_plan_cluster *c,
			   const struct fsi_plan_request *q, uint32_t node, struct fsi_plan_moment at);

/* The controller tries to start the job that was chosen for last: nodes of its partition weigh what they do by
 * themselves again, but for what its own GPUs make of it (src/slurmctld/node_scheduler.c: _sync_node_weight). */
void fsi_plan_weigh_anew(struct fsi_plan_choice *s, const struct fsi_plan_part *part, const struct fsi_plan_request *q);

/* How many nodes it may have, at least 1. */
int64_t fsi_plan_max_nodes(const struct fsi_plan_request *q);

/* Which of two nodes of one weight goes first: one in use before an idle one, the less loaded, or the last. */
enum fsi_plan_rank { FSI_RANK_BUSY, FSI_RANK_LEAST_LOADED, FSI_RANK_LAST };

#endif
