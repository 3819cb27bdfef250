/* The availability index, the request cache, and the search for the earliest start of a request.
 *
 * The availability index (struct fsi_avail_index) stores for each node the moment from which it has capacity for a
 * request. A node without capacity at a moment need not be queried. One moment per node is enough, because the capacity
 * of a node only grows as jobs end. Two requests share an index entry if each node has the same capacity for both
 * requests. These steps change an index entry:
 *   fsi_avail_index_find_entry        finds or makes the entry, makes its lists, and brings the entry up to date
 *   fsi_avail_index_note_change       records that the plan started a job on a node: the node loses capacity
 *   catching up                       fsi_avail_index_find_entry queries changed nodes again, and stores their moments
 *                                     in `recent`, which overrides the lists
 *   merging                           moves the moments in `recent` to the lists when `recent` is full
 *   fsi_avail_index_restore_changes   is called when the plan goes back to a checkpoint. If the lists include changes
 *                                     made after the checkpoint, discards the lists. If only `recent` includes such
 *                                     changes, discards only `recent`.
 * struct fsi_avail_index_table owns the index entries (fsi_avail_index_release). If out of memory,
 * fsi_avail_index_find_entry returns NULL. The caller then queries each node directly.
 *
 * The request cache (struct fsi_request_cache) stores the results of searches for later requests with equal keys.
 *
 * The search (struct fsi_earliest_search) finds the earliest start in a plan by priority. Such a plan ignores all
 * parameters of the scheduler. */
#ifndef FSI_SELECT_AVAIL_INDEX_H
#define FSI_SELECT_AVAIL_INDEX_H

#include "select/choose.h"

enum { FSI_AVAIL_INDEX_RECENT = 128, FSI_AVAIL_INDEX_STEP = 128 };

/* The two moments from which a node has capacity for a request. `any_from`: the node can give at least one CPU;
 * `share_from`: the node can give at least `min_share` CPUs (struct fsi_avail_index). If the node can never give that
 * many CPUs, member `when` of the moment is INT64_MAX. */
struct fsi_avail_index_node {
	uint32_t node;
	struct fsi_end_moment any_from, share_from;
};

/* A list of nodes, sorted by the moment from which each node has capacity. */
struct fsi_avail_index_list {
	struct fsi_avail_index_item {
		struct fsi_end_moment from;
		uint32_t node;
	} *v;          /* the nodes, sorted by `from`, earliest first */
	uint32_t n;
	uint64_t *set; /* array of node sets; set k has the first k * FSI_AVAIL_INDEX_STEP nodes of `v` */
};

/* The answer to a query about a node: at all times after `from` and before `until`, the request can get `cpus` CPUs on
 * the node. */
struct fsi_avail_index_answer {
	int64_t from, until, cpus;
	uint32_t holds; /* number of jobs on the node; the counted work of a query depends on it */
};

/* An index entry: the availability of all nodes for requests with the same key. */
struct fsi_avail_index {
	/* `any_list`: nodes that can give at least one CPU; `share_list`: nodes that can give at least min_share CPUs,
	 * empty if `has_one_list` is true */
	struct fsi_avail_index_list any_list, share_list;
	/* `min_share`: CPUs of the request divided by its maximum number of nodes, rounded up, since one node must give
	 * at least this number; `max_cpus`: largest number of CPUs that any node can ever give */
	int64_t min_share, max_cpus;
	/* true: each node with capacity gives at least min_share CPUs, so `share_list` is not needed */
	bool has_one_list;
	/* Recent nodes: nodes that changed after the last update of the lists. The moments that `recent` has for a node
	 * replace the moments that the lists have for this node. */
	struct fsi_avail_index_node recent[FSI_AVAIL_INDEX_RECENT];
	uint32_t nrecent;
	uint64_t *is_recent; /* set of the nodes in `recent` */
	/* answers[node]: the last answer for the node; NULL: answers are not stored, because they depend on GPUs or
	 * shared CPUs */
	struct fsi_avail_index_answer *answers;
	/* `nlisted_changes`: number of node changes that `any_list` and `share_list` include; `nseen_changes`: number
	 * of node changes that either these lists or `recent` include */
	uint32_t nlisted_changes, nseen_changes;
	/* upper bound of the number of changes that the lists include. The bound exceeds `nlisted_changes` if a node
	 * was queried before all changes in the table were processed, because the answer includes later changes of that
	 * node. */
	uint32_t max_listed_changes;
};

/* A change of a node: the plan started a job on it immediately. The number of a change is unique: it is not reused even
 * after the plan goes back to a checkpoint. */
struct fsi_avail_index_change {
	uint64_t number;
	uint32_t node;
};

/* Index entries, and the changes of nodes from which the entries are updated. */
struct fsi_avail_index_table {
	/* keys of the entries: all members of a request on which a node's capacity depends */
	struct fsi_intern keys;
	FSI_VEC(struct fsi_avail_index *) entry; /* element i has the key with the id i + 1; NULL: out of memory */
	/* changes of nodes (struct fsi_avail_index_change), oldest first */
	FSI_VEC(struct fsi_avail_index_change) change;
	/* number of changes that were ever added to `change`, including discarded ones */
	uint64_t changes;
};

/* Updates the index entry of the request with the changes of nodes that the table t has recorded, and returns the
 * entry. Returns NULL if the request cannot be indexed, or if out of memory. */
const struct fsi_avail_index *fsi_avail_index_find_entry(struct fsi_avail_index_table *t, const struct fsi_cluster *c,
							 const struct fsi_request *q);
void fsi_avail_index_release(struct fsi_avail_index_table *t);

/* Adds a change to the table: the plan started a job on the node immediately. Returns -1 if out of memory. */
int fsi_avail_index_note_change(struct fsi_avail_index_table *t, uint32_t node);

/* A copy of the table's list of changes (nodes on which the plan started jobs), made at a checkpoint of the plan. */
struct fsi_avail_index_checkpoint {
	struct fsi_avail_index_change *change;
	uint32_t n;
};
/* Stores a copy of the table's list of changes in *mark. Returns -1 if out of memory. */
int fsi_avail_index_save_changes(struct fsi_avail_index_checkpoint *mark, const struct fsi_avail_index_table *t);
void fsi_avail_index_release_checkpoint(struct fsi_avail_index_checkpoint *mark);
/* Restores the list of changes from *mark. If the lists of an index entry include changes made after the checkpoint,
 * discards the lists. If only the recent nodes of the entry include such changes, discards the recent nodes. */
void fsi_avail_index_restore_changes(struct fsi_avail_index_table *t, const struct fsi_avail_index_checkpoint *mark,
				     uint32_t words);

/* Removes from `set` the nodes that have no capacity at the moment `when`. Returns false if fewer nodes remain than the
 * request's minimum number of nodes, or if a required node has no capacity. `scratch`: memory for a node set. */
bool fsi_avail_index_restrict_nodes(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				    const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
				    uint64_t *scratch);

/* Returns false if the nodes of `set` together cannot give enough CPUs at the moment `when`. All nodes of `set` must
 * have capacity at that moment. `scratch`: memory for a node set. */
bool fsi_avail_index_may_suffice(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, struct fsi_end_moment when, const uint64_t *set,
				 uint64_t *scratch);

/* Combines fsi_avail_index_restrict_nodes and fsi_avail_index_may_suffice: returns true if both return true. If the
 * result is false, `set` may still contain nodes without capacity. */
bool fsi_avail_index_restrict_and_check(const struct fsi_avail_index *f, const struct fsi_cluster *c,
					const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
					uint64_t *scratch);

/* Returns the number of CPUs that the request can get on the node at the moment `when`. f->answers must not be NULL. */
int64_t fsi_avail_index_get_cpus(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, uint32_t node, struct fsi_end_moment when);

/* Returns the first moment from which the node can give at least one CPU to the request, and the first moment from
 * which it can give f->min_share CPUs. Raises f->max_cpus if the node can give more CPUs than f->max_cpus at any
 * moment. */
struct fsi_avail_index_node fsi_avail_index_query_node(struct fsi_avail_index *f, const struct fsi_cluster *c,
						       const struct fsi_request *q, uint32_t node);

/* Returns a lower bound of the number of nodes that the request needs: the number of nodes that would suffice with
 * f->max_cpus CPUs on each node, but at least the request's minimum number of nodes. */
uint32_t fsi_avail_index_get_min_nodes(const struct fsi_avail_index *f, const struct fsi_request *q);

/* ---- request cache */

/* A range of start times that a search tried without success. A search from any time in this range finds no start
 * before `until`. */
struct fsi_failed_try {
	int64_t start, until; /* range [start, until) of the tried start times, seconds since the epoch */
	bool too_few_nodes;
};

/* Failed tries, sorted by start, earliest first. The list has a maximum length; further tries are not stored. */
struct fsi_failed_tries {
	struct fsi_failed_try *v;
	size_t n, cap;
};

/* A request and the results of searches for its start. */
struct fsi_cached_request {
	/* used only in the simulations of libfs/backfill/likely.c: time before which a search found no start, seconds
	 * since the epoch; INT64_MAX: no start is possible */
	int64_t no_start_before;
	struct fsi_failed_tries tries; /* failed tries of the last backfill search for this request */
	/* start of the request if planned jobs and reservations are ignored, seconds since the epoch; valid if
	 * `start_round` equals `round` of struct fsi_request_cache */
	int64_t unconstrained_start;
	/* `start_round`: the cache's `round` when `unconstrained_start` was computed, UINT32_MAX: not computed; `node`:
	 * the `nnodes` nodes that were selected for that start */
	uint32_t start_round, nnodes, *node;
	/* `wait`: resource that the request lacks at present (enum fs_plan_wait); `wait_round`: the cache's `round`
	 * when `wait` was computed, UINT32_MAX: not computed */
	uint32_t wait, wait_round;
};

struct fsi_request_cache {
	/* keys of the entries: all members of a request on which its start and its nodes depend */
	struct fsi_intern keys;
	FSI_VEC(struct fsi_cached_request) entry; /* element i has the key with the id i + 1 */
	/* number of the current round; a new round begins when the plan starts a job immediately, which makes every
	 * stored `unconstrained_start` invalid */
	uint32_t round;
};

/* Returns the cache entry of the request, and makes an empty entry if there is none. Returns NULL if the request cannot
 * be cached, or if out of memory. */
struct fsi_cached_request *fsi_request_cache_find_entry(struct fsi_request_cache *m, const struct fsi_request *q);
/* Adds a failed try to the list, unless the list is full or memory runs out. If `tried` and the last try of the list
 * both failed because of too few nodes, and no time lies between their ranges of start times, joins the two ranges
 * instead. */
void fsi_request_cache_add_try(struct fsi_failed_tries *t, struct fsi_failed_try tried);
/* Returns the last try whose range includes `start`; NULL: there is none. *at is the index at which the previous lookup
 * ended, and 0 before the first lookup. `start` must not be earlier than in the previous lookup. */
const struct fsi_failed_try *fsi_request_cache_find_try(const struct fsi_failed_tries *t, int64_t start, size_t *at);

void fsi_request_cache_release(struct fsi_request_cache *m);

/* ---- the earliest start of a request in a plan by priority */

/* The next change of a node's capacity in a search for the earliest start. */
struct fsi_avail_change {
	int64_t when;
	uint32_t node;
	/* true: at `when` the node stops being available for the request; false: at `when` the node becomes available,
	 * or can give more CPUs */
	bool is_stop;
};

/* Working memory of a search for the earliest start; the next search reuses it. */
struct fsi_earliest_search {
	struct fsi_avail_change *heap;
	uint32_t nheap;
	/* current_cpus[node]: CPUs that the node gives at the current time of the search; last_start[node]: last time
	 * at which the request can start on the node before a planned job or a reservation blocks it */
	int64_t *current_cpus, *last_start;
};

/* Allocates the memory of *s. Returns -1 if out of memory. */
int fsi_earliest_search_init(struct fsi_earliest_search *s,
			     const struct fsi_cluster *c);
void fsi_earliest_search_release(struct fsi_earliest_search *s);

/* Returns the earliest start of the request at or after `from`, and stores the selected nodes in *choice. Returns
 * INT64_MAX if there is no such start. */
int64_t fsi_select_find_earliest_start(struct fsi_earliest_search *s, struct fsi_selection *choice,
				       const struct fsi_cluster *c, const struct fsi_request *q, int64_t from,
				       enum fsi_avail_constraints constraints);

#endif
