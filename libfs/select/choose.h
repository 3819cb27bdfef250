/* The selection of nodes for a request among its candidate nodes.
 *
 * The caller sets the input members of struct fsi_selection: the candidates, the CPUs and GPUs that each can give, and
 * the order rules. fsi_select_choose_nodes then selects nodes by the rules of select/cons_tres or select/linear. The
 * selected nodes stay valid until the next selection. struct fsi_selection owns its memory (fsi_selection_init,
 * fsi_selection_release) and reuses it.
 *
 * Reproduces select/cons_tres/job_test.c: choose_nodes, _eval_nodes; from 24.11 topology/common/eval_nodes.c, and
 * src/plugins/select/linear/select_linear.c: _job_test. libfs/select/choose.c has the rules. */
#ifndef FSI_SELECT_CHOOSE_H
#define FSI_SELECT_CHOOSE_H

#include "nodes/avail.h"

struct fsi_selection;

/* Sets amount[r] to the amount of each resource r that the k-th selected node gives if the job starts at `start`. In
 * contrast to fsi_avail_compute_amounts, GPUs requested as a total are split among the nodes, and CPUs are allocated in
 * whole sockets under CR_Socket. */
void fsi_select_compute_amounts(const struct fsi_cluster *c, const struct fsi_request *q, const struct fsi_selection *s,
				uint32_t k, int64_t start, int64_t *amount);

/* ---- selection of nodes */

/* A node run: neighbouring nodes among the candidates. */
struct fsi_node_run {
	uint32_t first, end; /* positions of the run's nodes in the list of candidates: `first` to `end` - 1 */
	/* `cpus`: total CPUs of the nodes of the run that are not required; `weight`: weight of the last node (without
	 * --contiguous, all nodes of a run have the same weight) */
	int64_t cpus, weight;
	/* number of nodes in the run that are neither required nor taken yet; 0: all nodes of the run are required or
	 * taken */
	uint32_t free_nodes;
	uint32_t first_required; /* position of the first required node of the node run; FSI_NO_INDEX: none */
};

/* FSI_SELECT_MAX_LISTED_SIZE: candidates are listed by size (fsi_selection.size) only if all sizes are below this
 * limit.
 * FSI_SELECT_NO_GPUS: value of the low 8 bits of a node's weight if the node has no usable GPUs. For other nodes, the
 * number of usable GPUs is subtracted from this value. */
enum { FSI_SELECT_MAX_LISTED_SIZE = 4096, FSI_SELECT_NO_GPUS = 0xff };

/* The state of a switch during a selection of nodes. */
struct fsi_switch_state {
	uint64_t *nodes; /* candidates below the switch */
	int64_t count, cpus; /* number of candidates below the switch, and their CPUs in total */
	/* sum of the distances of this switch from all switches in use; FSI_NO_INDEX: at least one switch in use cannot
	 * be reached from this switch */
	uint32_t distance;
	bool in_use;
};

/* Input, working memory and result of a selection of nodes. */
struct fsi_selection {
	uint32_t *candidates, ncandidates; /* in: indices of the candidate nodes, lowest first, and their number */
	/* in; cpus[node]: number of CPUs that the request can get on the candidate, above 0; the selection may lower
	 * this number */
	int64_t *cpus;
	int64_t *gpus;          /* in: gpus[node]: free GPUs of the candidate; used only if the request wants GPUs */
	/* weight[node]: the node's weight; the low 8 bits are FSI_SELECT_NO_GPUS minus the number of its usable GPUs */
	int64_t *weight;
	/* in; true: a selection for a request without GPUs does not set weights, but uses the weights from the last
	 * selection for a request with GPUs */
	bool keeps_weights;
	bool busy_first;        /* in; true: nodes in use are taken before idle nodes */
	/* size[node]: number of CPUs that the node could give at the beginning of the selection. If the request wants
	 * GPUs, this number is multiplied by the node's free GPUs. When candidates are dropped, the smallest are
	 * dropped first. */
	int64_t *size;
	/* limited_cpus[node]: number of CPUs that a request for generic resources can get on the node */
	int64_t *limited_cpus;
	int64_t *taken_cpus;         /* taken_cpus[node]: CPUs taken on the node; -1: the node is not taken */
	uint32_t *taken, ntaken; /* nodes taken so far, in the order in which they were taken, and their number */
	struct fsi_switch_state *switch_state; /* states of the switches, indexed by switch; NULL: no topology */
	uint64_t *node_sets[3];	 /* node sets (SET_TAKEN, ... in choose.c); used only if there is a topology */
	/* `runs`: runs of neighboring nodes; `split_runs`: buffer for the runs that result if `runs` are split at
	 * dropped candidates */
	struct fsi_node_run *runs, *split_runs;
	uint32_t *remaining; /* candidates that remain after the candidates with the smallest `size` are dropped */
	int64_t *cpus_before;  /* cpus_before[position]: CPUs of all candidates before that position */
	/* next_of_size[position]: 1 + position of the next candidate of the same size; 0: none */
	uint32_t *next_of_size;
	/* used with two meanings. In is_request_too_large, indexed by number of CPUs: number of candidates with that
	 * many CPUs; the last element also counts larger candidates. In list_candidates_by_size, indexed by size: 1 +
	 * position of the first candidate of that size; 0: none. */
	uint32_t *candidates_by_size;
	/* result of the selection: number of selected nodes */
	uint32_t nnodes;
	uint32_t *node; /* indices of the selected nodes, lowest first */
	int64_t *node_cpus; /* node_cpus[k]: CPUs on node[k] */
};
/* Allocates the memory of *s. Returns -1 if out of memory. */
int fsi_selection_init(struct fsi_selection *s, const struct fsi_cluster *c);
void fsi_selection_release(struct fsi_selection *s);
/* Selects the nodes that Slurm would select for the request. Returns false if the candidates do not suffice. */
bool fsi_select_choose_nodes(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q);

/* Sets the node's weight from the number of GPUs that the request could get on the node at the moment `at`. All CPUs of
 * the node are assumed to be free. Does not change the weight if the request could not get any CPUs there (_job_test,
 * test 0). */
void fsi_select_weigh_unused_node(struct fsi_selection *s, const struct fsi_cluster *c, const struct fsi_request *q,
				  uint32_t node, struct fsi_end_moment at);

/* Resets the weights of the partition's nodes that the request may use, as the controller does when it tries to start
 * the job after the selection *s. If the request wants GPUs, the candidates of *s keep their weights
 * (src/slurmctld/node_scheduler.c: _sync_node_weight). */
void fsi_select_reset_weights(struct fsi_selection *s, const struct fsi_cluster_partition *part,
			      const struct fsi_request *q);

/* The order of nodes that have the same weight. FSI_RANK_BUSY: nodes in use before idle nodes; FSI_RANK_LEAST_LOADED:
 * nodes with the largest fraction of free CPUs first; FSI_RANK_LAST: the last node first. */
enum fsi_node_rank { FSI_RANK_BUSY, FSI_RANK_LEAST_LOADED, FSI_RANK_LAST };

#endif
