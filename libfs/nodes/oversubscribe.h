/* CPUs that several jobs share: OverSubscribe=FORCE or YES, and PreemptMode=GANG.
 *
 * A partition with OverSubscribe=FORCE:N or YES:N allocates each CPU up to N times. The partition therefore has N rows.
 * Each row has all CPUs of the partition's nodes, and within one row each CPU is allocated to at most one job. The
 * functions find the nodes that a request may share with other jobs, and the number of CPUs that are free for the
 * request.
 *
 * If a partition oversubscribes its CPUs or PreemptMode is GANG, fsi_cores_init_sets stores which CPUs each job uses on
 * each of its nodes (fsi_node_hold.cores). A CPU set of a node has one bit for each CPU of the node. A CPU set for all
 * nodes is the concatenation of one CPU set for each node. All CPU sets are in the cluster's arena.
 *
 * Reproduces src/plugins/select/cons_tres: _verify_node_state, _is_node_busy, part_data_build_row_bitmaps. */
#ifndef FSI_NODES_OVERSUBSCRIBE_H
#define FSI_NODES_OVERSUBSCRIBE_H

#include "nodes/request.h"

/* Returns the number of jobs that may share each CPU of job `j` in partition `p`; 0: the job does not share CPUs. */
uint32_t fsi_oversubscribe_get_for_job(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* Returns true if each node of the partition runs at most one job (OverSubscribe=EXCLUSIVE or NODE). */
bool fsi_oversubscribe_is_exclusive(const fs_snapshot *m, const struct fsi_partition *p);

/* Returns the number of jobs to which the partition may allocate each CPU, at least 1. */
uint32_t fsi_oversubscribe_count_rows(const fs_snapshot *m, const struct fsi_partition *p);

/* Returns true if the job h->job excludes the request from the nodes on which the job runs. */
bool fsi_oversubscribe_must_avoid_hold(const struct fsi_request *q, const struct fsi_node_hold *h);

/* Returns the number of CPUs of the node that are free for the request at the moment `at`. `cpus`: number of CPUs of
 * the node minus the CPUs of each job that remains on it. A CPU that several jobs share is thus subtracted several
 * times. The function corrects this repeated subtraction, and adds the CPUs that the request may share. */
int64_t fsi_oversubscribe_add_shared_cpus(const struct fsi_cluster_node *n, const struct fsi_request *q,
					  struct fsi_end_moment at, int64_t cpus);

/* maximum number of rows of a partition (the N of OverSubscribe=FORCE:N); a larger number counts as this maximum */
enum { FSI_CORES_MAX_ROWS = 64 };

/* If CPUs are shared, sets c->core_offset, and the CPU set of each job on each of its nodes. Returns -1 if out of
 * memory. */
int fsi_cores_init_sets(struct fsi_cluster *c);

/* Returns a pointer to the node's first word in `set`, a CPU set for all nodes. */
static inline uint64_t *fsi_cores_get_node_set(const struct fsi_cluster *c, uint64_t *set, uint32_t node)
{
	return &set[c->core_offset[node]];
}

/* Returns the number of words that the node has in a CPU set. */
static inline uint32_t fsi_cores_count_words(const struct fsi_cluster *c, uint32_t node)
{
	return (uint32_t)(c->core_offset[node + 1] - c->core_offset[node]);
}

/* Returns a new set of n CPUs of the node. `in_use` is a CPU set of this node; NULL: no CPUs are in use. CPUs that are
 * in use are chosen only if too few other CPUs are left. Returns NULL if out of memory. */
uint64_t *fsi_cores_choose_cpus(struct fsi_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n);

/* Adds the CPUs of `more` to the set `to`. `more` NULL: adds nothing. */
static inline void fsi_cores_add_set(uint64_t *to, const uint64_t *more, uint32_t words)
{
	for (uint32_t w = 0; more && w < words; w++)
		to[w] |= more[w];
}

/* Returns true if at least one partition of the snapshot oversubscribes its CPUs. */
bool fsi_cluster_has_oversubscribe(const fs_snapshot *m);

#endif
