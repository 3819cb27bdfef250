/* Which of the candidate nodes a request gets.
 *
 * The caller fills the input of struct fsi_selection: the candidates, what each can give, and the order rules.
 * fsi_select_choose_nodes then selects nodes by the rules of select/cons_tres or select/linear. The nodes found stay
 * valid until the next selection. The choice owns its memory (fsi_selection_init, fsi_selection_release) and reuses it.
 *
 * Reproduces select/cons_tres/job_test.c: choose_nodes, _eval_nodes; from 24.11 topology/common/eval_nodes.c, and
 * src/plugins/select/linear/select_linear.c: _job_test. libfs/select/choose.c has the rules. */
#ifndef FSI_SELECT_CHOOSE_H
#define FSI_SELECT_CHOOSE_H

#include "nodes/avail.h"

struct fsi_selection;

/* Sets amount[] to what the k-th node of the choice gives if the job starts at `start`. In contrast to
 * fsi_avail_compute_amounts, GPUs asked for in total are split among the nodes, and CPUs come in whole sockets under
 * CR_Socket. */
void fsi_select_compute_amounts(const struct fsi_cluster *c, const struct fsi_request *q, const struct fsi_selection *s,
				uint32_t k, int64_t start, int64_t *amount);

/* ---- selection of nodes */

/* A run of neighbouring nodes among the candidates. */
struct fsi_node_run {
	uint32_t first, end; /* positions in the list of candidates: [first, end) */
	int64_t cpus, weight; /* CPUs of its nodes that are not required; their weight */
	uint32_t free_nodes;	   /* number of its nodes that are not required and not yet taken; 0: used up */
	uint32_t first_required; /* position of the first required node; FSI_NO_INDEX: none */
};

/* FSI_SELECT_MAX_LISTED_SIZE: candidates are listed by size up to this size. FSI_SELECT_NO_GPUS: the low bits of a
 * node's weight, from which its usable GPUs are subtracted. */
enum { FSI_SELECT_MAX_LISTED_SIZE = 4096, FSI_SELECT_NO_GPUS = 0xff };

/* A switch during a selection. */
struct fsi_switch_state {
	uint64_t *nodes; /* those of its nodes that are candidates */
	int64_t count, cpus; /* number and CPUs of these nodes */
	uint32_t distance;	 /* sum of the distances from the switches in use */
	bool in_use;
};

/* Input, working memory and result of a selection. */
struct fsi_selection {
	uint32_t *candidates, ncandidates; /* in: node indices in rising order */
	int64_t *cpus;          /* in, by node: CPUs that it can give, above 0; lowered by the selection */
	int64_t *gpus;          /* in, by node: free GPUs, if the request wants GPUs */
	int64_t *weight;	/* by node: its weight and, in the low bits, FSI_SELECT_NO_GPUS less its usable GPUs */
	bool keeps_weights;	/* in: the weights of the last request for GPUs stay for requests without GPUs */
	bool busy_first;        /* in: nodes in use before idle ones */
	/* by node: what it could give before any evaluation: CPUs, times GPUs if GPUs are wanted */
	int64_t *size;
	int64_t *limited_cpus;          /* by node: CPUs that it may give to a request for generic resources */
	int64_t *taken_cpus;         /* by node: CPUs taken; -1: the node is not taken */
	uint32_t *taken, ntaken; /* nodes taken so far, in that order */
	struct fsi_switch_state *switch_state; /* by switch; NULL: no topology */
	uint64_t *node_sets[3];	 /* sets of nodes, if there is a topology */
	struct fsi_node_run *runs, *split_runs; /* runs of neighbours; memory for the runs after a split */
	uint32_t *remaining; /* candidates left after the smallest were dropped */
	int64_t *cpus_before;  /* by position: CPUs of the candidates before it */
	uint32_t *next_of_size;	  /* by position: 1 + position of the next candidate of the same size; 0: none */
	/* by number of CPUs, at most FSI_SELECT_MAX_LISTED_SIZE: how many candidates, or 1 + position of the first
	 * one */
	uint32_t *candidates_by_size;
	/* result: */
	uint32_t nnodes;
	uint32_t *node; /* node indices in rising order */
	int64_t *node_cpus; /* CPUs on each node */
};
int fsi_selection_init(struct fsi_selection *s, const struct fsi_cluster *c); /* returns -1 if out of memory */
void fsi_selection_release(struct fsi_selection *s);
/* Selects the nodes that Slurm would select. Returns false if the candidates do not suffice. */
bool fsi_select_choose_nodes(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q);

/* Sets the node's weight by the GPUs that it could give at the moment if none of its CPUs were in use. A node that
 * could not give any CPUs keeps its weight (_job_test, test 0). */
void fsi_select_weigh_unused_node(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q,
				  uint32_t node, struct fsi_end_moment at);

/* Resets the weights of the partition's nodes that the request may use, as when the controller tries to start the job
 * selected last. The last candidates of a request for GPUs keep their weights (src/slurmctld/node_scheduler.c:
 * _sync_node_weight). */
void fsi_select_reset_weights(struct fsi_selection *s, const struct fsi_cluster_partition *part,
			      const struct fsi_request *q);

/* The order of nodes that have the same weight: nodes in use before idle ones, the least loaded first, or the last
 * first. */
enum fsi_node_rank { FSI_RANK_BUSY, FSI_RANK_LEAST_LOADED, FSI_RANK_LAST };

#endif
