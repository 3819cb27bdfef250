/* CPUs that several jobs share: OverSubscribe=FORCE or YES, and PreemptMode=GANG.
 *
 * A partition with OverSubscribe=FORCE:N or YES:N allocates each CPU up to N times. Its nodes have N rows, each with
 * all of their CPUs; jobs in the same row have different CPUs. The functions tell which nodes a request may share, and
 * how many CPUs are free to it.
 *
 * If a partition oversubscribes its CPUs or PreemptMode is GANG, fsi_cores_init_sets gives each hold a set of CPUs
 * with one bit per CPU of its node. A set for all nodes consists of the words of each node, one node after the other.
 * All sets are in the cluster's arena.
 *
 * Reproduces src/plugins/select/cons_tres: _verify_node_state, _is_node_busy, part_data_build_row_bitmaps. */
#ifndef FSI_NODES_OVERSUBSCRIBE_H
#define FSI_NODES_OVERSUBSCRIBE_H

#include "nodes/request.h"

/* Returns how often the job's CPUs may be allocated in the partition; 0: the job does not share CPUs. */
uint32_t fsi_oversubscribe_get_for_job(const fs_snapshot *m, const struct fsi_job *j, const struct fsi_partition *p);

/* Returns true if the partition gives each node to one job alone (OverSubscribe=EXCLUSIVE or NODE). */
bool fsi_oversubscribe_is_exclusive(const fs_snapshot *m, const struct fsi_partition *p);

/* Returns how often the partition may allocate each CPU, at least 1. */
uint32_t fsi_oversubscribe_count_rows(const fs_snapshot *m, const struct fsi_partition *p);

/* Returns true if the request may not use a node on which the hold's job runs. */
bool fsi_oversubscribe_must_avoid_hold(const struct fsi_request *q, const struct fsi_node_hold *h);

/* Returns the CPUs of the node that are free to the request at the moment. `cpus` is what is free if the CPUs of all
 * holds count in full; CPUs that are allocated several times are added back. */
int64_t fsi_oversubscribe_add_shared_cpus(const struct fsi_cluster_node *n, const struct fsi_request *q,
					  struct fsi_end_moment at, int64_t cpus);

/* most rows of a partition that are simulated */
enum { FSI_CORES_MAX_ROWS = 64 };

/* Allocates the sets of CPUs and fills those of all holds, if CPUs are shared. Returns -1 if out of memory. */
int fsi_cores_init_sets(struct fsi_cluster *c);

/* Returns the first word of the node in a set of CPUs for all nodes. */
static inline uint64_t *fsi_cores_get_node_set(const struct fsi_cluster *c, uint64_t *set, uint32_t node)
{
	return &set[c->core_offset[node]];
}

/* Returns the number of words of the node in a set of CPUs. */
static inline uint32_t fsi_cores_count_words(const struct fsi_cluster *c, uint32_t node)
{
	return (uint32_t)(c->core_offset[node + 1] - c->core_offset[node]);
}

/* Returns a new set of n CPUs of the node. CPUs that are not in `in_use` (a set for this node; NULL: none are in use)
 * are chosen before others. Returns NULL if out of memory. */
uint64_t *fsi_cores_choose_cpus(struct fsi_cluster *c, uint32_t node, const uint64_t *in_use, int64_t n);

/* Adds the CPUs of `more`, which may be NULL, to the set `to`. */
static inline void fsi_cores_add_set(uint64_t *to, const uint64_t *more, uint32_t words)
{
	for (uint32_t w = 0; more && w < words; w++)
		to[w] |= more[w];
}

/* Returns true if a partition of the snapshot oversubscribes its CPUs. */
bool fsi_cluster_has_oversubscribe(const fs_snapshot *m);

#endif
