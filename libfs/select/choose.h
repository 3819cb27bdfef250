/* Which of the candidate nodes a request gets. */
#ifndef FSI_SELECT_CHOOSE_H
#define FSI_SELECT_CHOOSE_H

#include "nodes/avail.h"

struct fsi_plan_choice;

/* Those on the k-th node of a choice for that start, where GPUs that are asked for in all are shared out too, and CPUs
 * come in sockets if they do. */
void fsi_plan_amounts_chosen(const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
			     const struct fsi_plan_choice *s, uint32_t k, int64_t start, int64_t *amount);

/* ---- which nodes (libfs/select/choose.c) */

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

/* Which of two nodes of one weight goes first: one in use before an idle one, the less loaded, or the last. */
enum fsi_plan_rank { FSI_RANK_BUSY, FSI_RANK_LEAST_LOADED, FSI_RANK_LAST };

#endif
