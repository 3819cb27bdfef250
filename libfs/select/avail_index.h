/* The availability index, the request cache, and the search for the earliest start of a request.
 *
 * Availability index (struct fsi_avail_index): for each node, the moment from which on it has capacity for a request.
 * With the index, nodes without capacity at a moment need not be queried. One moment per node is enough, since a node's
 * capacity only grows as jobs end. Two requests share an index entry if each node has the same capacity for both
 * requests. An index entry goes through these steps:
 *   fsi_avail_index_find_entry        finds or makes the entry, makes its lists, and brings the entry up to date
 *   fsi_avail_index_note_change       notes that the plan started a job now on a node: the node loses capacity
 *   catching up                       fsi_avail_index_find_entry queries changed nodes again; these nodes are stored in
 *                                     `recent` and override the lists
 *   merging                           more than FSI_AVAIL_INDEX_RECENT recent nodes are merged into the lists
 *   fsi_avail_index_restore_changes   is called when a plan goes back to a checkpoint. If the lists include later
 *                                     changes, discards the lists; otherwise discards only the recent nodes.
 * The table owns its entries (fsi_avail_index_release). If out of memory, fsi_avail_index_find_entry returns NULL; the
 * caller then queries the nodes themselves.
 *
 * Request cache (struct fsi_request_cache): results of searches. They are reused for later requests that have equal
 * keys.
 *
 * Search (struct fsi_earliest_search): finds the earliest start in a plan by priority. Such a plan ignores all
 * parameters of the scheduler. */
#ifndef FSI_SELECT_AVAIL_INDEX_H
#define FSI_SELECT_AVAIL_INDEX_H

#include "select/choose.h"

enum { FSI_AVAIL_INDEX_RECENT = 128, FSI_AVAIL_INDEX_STEP = 128 };

/* The moments from which on a node has capacity. `any_from`: from this moment on the node can give at least one CPU;
 * `share_from`: from this moment on it can give at least min_share CPUs. any_from.when or share_from.when INT64_MAX:
 * never. */
struct fsi_avail_index_node {
	uint32_t node;
	struct fsi_end_moment any_from, share_from;
};

/* A list of nodes in the order of the moments from which on they have capacity. */
struct fsi_avail_index_list {
	struct fsi_avail_index_item {
		struct fsi_end_moment from;
		uint32_t node;
	} *v;          /* sorted by `from`, earliest first */
	uint32_t n;
	uint64_t *set; /* node sets: the k-th set has the first k * FSI_AVAIL_INDEX_STEP nodes of the list */
};

/* The number of CPUs that a node gives at any time after `from` and before `until`. */
struct fsi_avail_index_answer {
	int64_t from, until, cpus;
	uint32_t holds; /* number of jobs on the node, for the work counter */
};

/* An index entry: the availability of all nodes for requests with the same key. */
struct fsi_avail_index {
	int64_t key[20]; /* all members of a request on which a node's capacity depends */
	/* `any_list`: nodes that can give CPUs; `share_list`: nodes that can give at least min_share CPUs, unused if
	 * `has_one_list` */
	struct fsi_avail_index_list any_list, share_list;
	/* `min_share`: number of CPUs that at least one of the request's nodes must give; `max_cpus`: largest number of
	 * CPUs that any node can ever give */
	int64_t min_share, max_cpus;
	/* only `any_list` is used, since each node with capacity gives at least min_share CPUs */
	bool has_one_list;
	/* nodes that changed since the lists were made; the moments stored here override those in the lists */
	struct fsi_avail_index_node recent[FSI_AVAIL_INDEX_RECENT];
	uint32_t nrecent;
	uint64_t *is_recent; /* set of the nodes in `recent` */
	/* answers[node]: answer to the last query of the node; NULL: answers are not stored, because for this request
	 * an answer needs more than the number of CPUs */
	struct fsi_avail_index_answer *answers;
	/* `nlisted_changes`: number of changes that the lists include; `nseen_changes`: number of changes that the
	 * lists and the recent nodes include */
	uint32_t nlisted_changes, nseen_changes;
	/* upper bound of the number of changes that the lists include; above `nlisted_changes` if some nodes were
	 * queried after more changes than others */
	uint32_t max_listed_changes;
};

/* A change of a node: a job that the plan started now on this node. Each change has its own number, which is not reused
 * even after the plan goes back to a checkpoint. */
struct fsi_avail_index_change {
	uint64_t number;
	uint32_t node;
};

/* Hash table of index entries, and the list of changes that the entries must include. */
struct fsi_avail_index_table {
	struct fsi_avail_index **v;
	uint32_t size, n; /* size: a power of 2 */
	FSI_VEC(struct fsi_avail_index_change) change; /* in the order in which the changes were made */
	uint64_t changes;			/* number of changes ever made, including discarded ones */
};

/* Returns the index entry of the request, brought up to date; NULL: the request is not indexed, or out of memory. */
const struct fsi_avail_index *fsi_avail_index_find_entry(struct fsi_avail_index_table *t, const struct fsi_cluster *c,
							 const struct fsi_request *q);
void fsi_avail_index_release(struct fsi_avail_index_table *t);

/* Adds a change to the table: the plan started a job now on the node. Returns -1 if out of memory. */
int fsi_avail_index_note_change(struct fsi_avail_index_table *t, uint32_t node);

/* A copy of the changes made up to a checkpoint. */
struct fsi_avail_index_checkpoint {
	struct fsi_avail_index_change *change;
	uint32_t n;
};
/* Copies the changes made so far to *mark. Returns -1 if out of memory. */
int fsi_avail_index_save_changes(struct fsi_avail_index_checkpoint *mark, const struct fsi_avail_index_table *t);
void fsi_avail_index_release_checkpoint(struct fsi_avail_index_checkpoint *mark);
/* Restores the list of changes of a checkpoint. Discards recent nodes and lists that include later changes. */
void fsi_avail_index_restore_changes(struct fsi_avail_index_table *t, const struct fsi_avail_index_checkpoint *mark,
				     uint32_t words);

/* Removes from `set` the nodes that have no capacity at the moment `when`. Returns false if too few nodes are left for
 * the request, or if a required node has no capacity. `scratch`: memory for a node set. */
bool fsi_avail_index_restrict_nodes(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				    const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
				    uint64_t *scratch);

/* Returns false if the nodes of `set` together cannot give enough CPUs at the moment `when`. All nodes of `set` must
 * have capacity at that moment. `scratch`: memory for a node set. */
bool fsi_avail_index_may_suffice(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, struct fsi_end_moment when, const uint64_t *set,
				 uint64_t *scratch);

/* Removes nodes as fsi_avail_index_restrict_nodes does. Returns true if both that function and
 * fsi_avail_index_may_suffice would return true. */
bool fsi_avail_index_restrict_and_check(const struct fsi_avail_index *f, const struct fsi_cluster *c,
					const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
					uint64_t *scratch);

/* Returns the number of CPUs that the node gives at the moment `when`. f->answers must not be NULL. */
int64_t fsi_avail_index_get_cpus(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, uint32_t node, struct fsi_end_moment when);

/* Returns the moments from which on the node has capacity for the request. Raises f->max_cpus to the largest number of
 * CPUs that the node gives. */
struct fsi_avail_index_node fsi_avail_index_query_node(struct fsi_avail_index *f, const struct fsi_cluster *c,
						       const struct fsi_request *q, uint32_t node);

/* Returns a lower bound of the number of nodes that the request needs: the number of nodes that would be needed if each
 * gave f->max_cpus CPUs, or the request's minimum number of nodes if that is larger. */
uint32_t fsi_avail_index_get_min_nodes(const struct fsi_avail_index *f, const struct fsi_request *q);

/* ---- request cache */

/* A range of starts without success: a search that tries any start in this range finds no start before `until`. */
struct fsi_failed_try {
	int64_t start, until; /* the tried starts: [start, until) */
	bool too_few_nodes;
};

/* Failed tries, sorted by start, earliest first. The list has a maximum length; further tries are not stored. */
struct fsi_failed_tries {
	struct fsi_failed_try *v;
	size_t n, cap;
};

/* A request and the results of searches for its start. */
struct fsi_cached_request {
	int64_t key[25];        /* all members of a request on which its start and its nodes depend */
	/* used by the simulation of likely starts: no start is possible before this time; INT64_MAX: never */
	int64_t no_start_before;
	struct fsi_failed_tries tries; /* failed tries of the last search (backfill) */
	/* start that the request would have without planned jobs and reservations; valid if `start_round` is the
	 * cache's round */
	int64_t unconstrained_start;
	/* `start_round`: round in which `unconstrained_start` was computed, UINT32_MAX: not computed; `node`: the
	 * `nnodes` nodes selected for `unconstrained_start` */
	uint32_t start_round, nnodes, *node;
	/* `wait`: resource that the request lacks (enum fs_plan_wait); `wait_round`: round in which `wait` was
	 * computed, UINT32_MAX: not computed */
	uint32_t wait, wait_round;
	bool used; /* this slot of the hash table has an entry */
};

/* Hash table of requests. */
struct fsi_request_cache {
	struct fsi_cached_request *v;
	uint32_t size, n; /* size: a power of 2 */
	/* current round; increased each time the plan starts a job now, so that every stored `unconstrained_start`
	 * becomes invalid */
	uint32_t round;
};

/* Returns the cache entry of the request, and makes an empty one if there is none. Returns NULL if the request is not
 * cached, or if out of memory. */
struct fsi_cached_request *fsi_request_cache_find_entry(struct fsi_request_cache *m, const struct fsi_request *q);
/* Appends a failed try to the list. Does nothing if the list is full or if out of memory. */
void fsi_request_cache_add_try(struct fsi_failed_tries *t, struct fsi_failed_try tried);
/* Returns the last try whose range includes `start`; NULL: none. *at is the index at which the last lookup ended; the
 * caller sets *at to 0 before the first lookup. `start` must not decrease from lookup to lookup. */
const struct fsi_failed_try *fsi_request_cache_find_try(const struct fsi_failed_tries *t, int64_t start, size_t *at);

/* Copies the cache without failed tries and without unconstrained starts. Returns -1 if out of memory. */
int fsi_request_cache_copy(struct fsi_request_cache *to, const struct fsi_request_cache *m);
void fsi_request_cache_release(struct fsi_request_cache *m);

/* ---- the earliest start of a request in a plan by priority */

/* The next change of a node in a search for the earliest start. */
struct fsi_avail_change {
	int64_t when;
	uint32_t node;
	/* true: from `when` on the node cannot hold the request; false: from `when` on the node can hold the request,
	 * or can give it more CPUs */
	bool is_stop;
};

/* Working memory of a search for the earliest start; the next search reuses it. */
struct fsi_earliest_search {
	struct fsi_avail_change *heap;
	uint32_t nheap;
	/* current_cpus[node]: CPUs that the node gives at the time that the search has reached; last_start[node]: last
	 * possible start before the node's next block */
	int64_t *current_cpus, *last_start;
};

/* Allocates the memory of *s. Returns -1 if out of memory. */
int fsi_earliest_search_init(struct fsi_earliest_search *s,
			     const struct fsi_cluster *c);
void fsi_earliest_search_release(struct fsi_earliest_search *s);

/* Returns the earliest start of the request at or after `from`, and sets the selected nodes in *choice. Returns
 * INT64_MAX if even all nodes of the partition together never suffice. `constraints`: what the search must respect. */
int64_t fsi_select_find_earliest_start(struct fsi_earliest_search *s, struct fsi_selection *choice,
				       const struct fsi_cluster *c, const struct fsi_request *q, int64_t from,
				       enum fsi_avail_constraints constraints);

#endif
