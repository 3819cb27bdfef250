/* The parts of the start-time simulation. Amounts of a node: CPUs, MiB of memory, then the generic resources
 * that occur. Node-level like Slurm's backfill: what starts at once shares nodes, what is planned for later
 * takes its nodes whole. */
#ifndef FSI_PLAN_H
#define FSI_PLAN_H

#include "model/model.h"

enum { FSI_RES_CPU, FSI_RES_MEM, FSI_RES_GRES, FSI_RES_MAX = 8 };

/* SchedulerParameters (man/fs-showq.1 lists them). */
struct fsi_plan_params {
	int64_t window_s, resolution_s;
	uint32_t max_test, max_user, max_part, max_assoc; /* 0: no limit, but for max_test */
	uint32_t max_array_resv, part_reserve;
	int64_t min_age_reserve_s;
	double min_prio_reserve;
	bool one_resv, assoc_limit_stop;
	bool round_up;	  /* the end of what is planned, to resolution_s; else down */
	bool stops_short; /* as in the cluster */
};
void fsi_plan_params(const fs_snapshot *m, struct fsi_plan_params *p);

struct fsi_plan_hold {
	int64_t end;
	uint32_t job; /* row, FSI_NO_INDEX: in use by something that is not known */
	int64_t amount[FSI_RES_MAX];
};

struct fsi_plan_block {
	int64_t start, end; /* [start, end) */
	uint32_t job;	    /* row; FSI_NO_INDEX: an advance reservation */
	uint32_t reservation; /* then its row */
};

struct fsi_plan_node {
	uint32_t row; /* of the model */
	uint32_t weight, threads;
	bool up;
	int64_t total[FSI_RES_MAX], free[FSI_RES_MAX]; /* free: now */
	int64_t from;				       /* plan by priority: not before */
	uint32_t from_job;
	FSI_VEC(struct fsi_plan_hold) hold;   /* by rising end */
	FSI_VEC(struct fsi_plan_block) block; /* by rising start, apart from each other but for reservations' */
};

/* Rising times with a count that is not 0. */
struct fsi_plan_edge {
	int64_t when;
	int count;
};
struct fsi_plan_edges {
	struct fsi_plan_edge *v;
	size_t n, cap;
};

struct fsi_plan_part {
	uint32_t *node; /* indices into the cluster's nodes */
	uint32_t n;
	bool *has;			  /* by node index */
	struct fsi_plan_edges free_again; /* how many of its nodes are free after a planned job, at each end of one */
};

struct fsi_plan_cluster {
	const fs_snapshot *m;
	int64_t now;
	struct fsi_plan_node *node; /* by weight, then name */
	uint32_t nnodes, nres;
	uint32_t res_name[FSI_RES_MAX]; /* "gres/gpu", ... from FSI_RES_GRES on */
	struct fsi_plan_part *part;	/* by partition row */
	uint32_t *node_of;		/* by name id: node index + 1 */
	bool memory_counts;		/* is memory consumed? */
	uint32_t unplaced;		/* running jobs whose nodes are not known */
	uint32_t vague_reservations;	/* whose nodes are not known */
	bool stops_short;		/* looks ahead only as far as fsi_plan_reach */
	int64_t ends_window_s;		/* running jobs that end within it are first taken off together */
	struct fsi_plan_edges change;	/* how many nodes planned jobs take or leave, but for each other */
	struct fsi_arena arena;
};

/* At most what sums can bear. */
int64_t fsi_plan_amount(int64_t n);

/* -1 without memory. */
int fsi_plan_cluster_init(struct fsi_plan_cluster *c, const fs_snapshot *m);
void fsi_plan_cluster_release(struct fsi_plan_cluster *c);

/* Indices of the known nodes of a list (a name) into v, which has room for all nodes; how many. */
uint32_t fsi_plan_nodes_of(const struct fsi_plan_cluster *c, uint32_t list, uint32_t *v);

/* A job on a node. */
struct fsi_plan_piece {
	uint32_t job, node; /* row; index in the cluster */
	int64_t amount[FSI_RES_MAX];
};

/* Is it known how much of a resource is in use on a node? Then *used says. */
bool fsi_plan_used(const struct fsi_plan_cluster *c, uint32_t node, uint32_t r, int64_t *used);

/* Shares the amounts of each job among its nodes (libfs/queue/plan_split.c). The pieces of a job stand together and
 * their amounts add up to the job's, before and after. -1 without memory. */
int fsi_plan_split(const struct fsi_plan_cluster *c, struct fsi_plan_piece *piece, uint32_t n);

/* Puts running jobs and reservations on the nodes; v: room for all node indices. -1 without memory. */
int fsi_plan_place(struct fsi_plan_cluster *c, uint32_t *v);

/* -1 without memory. */
int fsi_plan_add_hold(struct fsi_plan_node *n, const struct fsi_plan_hold *h, uint32_t nres);
int fsi_plan_add_block(struct fsi_plan_node *n, struct fsi_plan_block b);

/* ---- how far it looks (libfs/queue/plan_reach.c) */

/* Before the block is added to the node. -1 without memory. */
int fsi_plan_note_block(struct fsi_plan_cluster *c, uint32_t node, const struct fsi_plan_block *b);

/* What a record asks for. */
struct fsi_plan_request {
	uint32_t job, partition, reservation; /* rows; reservation FSI_NO_INDEX: none */
	int64_t limit_s;
	uint32_t min_nodes, max_nodes; /* max 0: no limit */
	int64_t cpus, step, least;     /* if shared out: in all, in steps of so many (CPUs per task), fewest on a node */
	int64_t cpus_per_node;	       /* most on a node */
	int64_t mem_per_cpu;	       /* MiB, if shared out */
	int64_t per_node[FSI_RES_MAX]; /* else a fixed share for each of min_nodes */
	bool shared_out;	       /* tasks go wherever CPUs are free */
	bool whole;		       /* takes nodes for itself */
	bool impossible;	       /* its partition never takes it */
	unsigned unmodelled;	       /* bits FS_UNMODELLED_ */
	bool *required, *allowed;      /* by node index; NULL: none required, all allowed */
	uint32_t nrequired;
	int64_t reach; /* the last end of a planned job at which it is tried */
};

/* Reads it from the job, into an arena for what is pointed to. -1 without memory. */
int fsi_plan_request(struct fsi_plan_request *q, const struct fsi_plan_cluster *c, uint32_t job,
		     uint32_t partition, struct fsi_arena *arena);

/* ---- one node (libfs/queue/plan_node.c) */

/* Units the request could take on a node at a time: CPUs if it is shared out, else 1; 0 if it does not fit. */
int64_t fsi_plan_units(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		       uint32_t nres, int64_t when);

/* Amounts that so many units on a node are. */
void fsi_plan_amounts(const struct fsi_plan_node *n, const struct fsi_plan_request *q,
		      uint32_t nres, int64_t units, int64_t *amount);

/* From which time at or after `from` on running jobs leave it room; INT64_MAX never. */
int64_t fsi_plan_fit(const struct fsi_plan_node *n, const struct fsi_plan_request *q, uint32_t nres,
		     int64_t from);

/* What may stand in the way of a request. */
enum fsi_plan_obey { FSI_OBEY_ALL, FSI_OBEY_RESERVATIONS, FSI_OBEY_HOLDS };

/* The first gap from `from` on in which it can run; *last is the last start in it. INT64_MAX: none. */
int64_t fsi_plan_gap(const struct fsi_plan_node *n, const struct fsi_plan_request *q, int64_t from,
		     enum fsi_plan_obey obey, int64_t *last);

/* CPUs free at a time, before what is planned. */
int64_t fsi_plan_cpus(const struct fsi_plan_node *n, uint32_t nres, int64_t when);

/* When the next hold ends after `when`, INT64_MAX if none does; when the last does not after it, INT64_MIN. */
int64_t fsi_plan_release(const struct fsi_plan_node *n, int64_t when);
int64_t fsi_plan_last_release(const struct fsi_plan_node *n, int64_t when);

/* ---- the search (libfs/queue/plan_search.c) */

struct fsi_plan_event {
	int64_t when;
	uint32_t node;
	bool stop; /* from here on the node cannot take it; else: it can take more */
};

/* A run of neighbours among candidates: places in the search's order, and CPUs in all. */
struct fsi_plan_neighbours {
	uint32_t first, end;
	int64_t cpus;
};

/* Room for a search, used again and again, and what it found. */
struct fsi_plan_search {
	struct fsi_plan_event *heap;
	uint32_t nheap;
	int64_t *now_units, *last; /* by node index: units at the sweep's time; last start of the gap it is in */
	int64_t *fit;		   /* by node index: from when on running jobs leave room; INT64_MAX never */
	int64_t *sorted, *given;
	uint32_t *order;
	struct fsi_plan_neighbours *run;
	bool *mask;
	int64_t began; /* where the last search did: what fit is of */
	/* found: */
	int64_t start; /* INT64_MAX: never, on the nodes there are */
	uint32_t nnodes;
	uint32_t *node; /* chosen */
	int64_t *units; /* on each */
};

int fsi_plan_search_init(struct fsi_plan_search *s, const struct fsi_plan_cluster *c); /* -1 without memory */
void fsi_plan_search_release(struct fsi_plan_search *s);

/* The earliest start at or after `from`; among the nodes that can take it then, the first by weight and name. */
void fsi_plan_earliest(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		       const struct fsi_plan_request *q, int64_t from, enum fsi_plan_obey obey);

/* The next time after `from` at which nodes of the partition come free after planned jobs, INT64_MAX if none. */
int64_t fsi_plan_next_end(const struct fsi_plan_cluster *c, uint32_t partition, int64_t from);

/* How far ahead a request is looked for from `from` on; s: room for a search (libfs/queue/plan_reach.c). */
int64_t fsi_plan_reach(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		       const struct fsi_plan_request *q, int64_t from);

/* Puts the nodes that Slurm would pick for what fsi_plan_earliest has just found in the place of those, by index, and
 * gives the time at which it finds that running jobs leave room on them; INT64_MAX when it does not until a time (less
 * than that), and they stay (libfs/queue/plan_pick.c). */
int64_t fsi_plan_pick(struct fsi_plan_search *s, const struct fsi_plan_cluster *c,
		      const struct fsi_plan_request *q, int64_t until);

/* What fsi_plan_earliest(s, c, q, from, FSI_OBEY_HOLDS) would find, for the request that `before` has just been used
 * for; where that began at `from` too, mostly from what it saw of the nodes. */
void fsi_plan_without_plans(struct fsi_plan_search *s, const struct fsi_plan_search *before,
			    const struct fsi_plan_cluster *c, const struct fsi_plan_request *q, int64_t from);

#endif
