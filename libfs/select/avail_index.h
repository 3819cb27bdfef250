/* Availability index, request cache, and search for the earliest start: what is remembered about requests.
 *
 * Availability index (struct fsi_avail_index): from which moment on each node has capacity for a request. Requests
 * that a node answers alike share an entry of the table, so that nodes without capacity at a moment are never
 * queried. A node's capacity only grows as jobs end; one moment per node is therefore enough. An entry goes through
 * these steps:
 *   fsi_avail_index_find_entry        finds or makes the entry, fills its lists, and brings it up to date
 *   fsi_avail_index_note_change   notes that a job started now on a node, which takes capacity away
 *   catching up        fsi_avail_index_find_entry queries changed nodes again; they are `recent` and override the lists
 *   merging            more than FSI_AVAIL_INDEX_RECENT recent nodes are merged into the lists
 *   fsi_avail_index_restore_changes      when a plan goes back to a checkpoint, later changes are discarded, or the
 *                                        whole entry
 * The table owns its entries (fsi_avail_index_release). If memory runs out, fsi_avail_index_find_entry returns NULL;
 * the caller then queries the nodes themselves.
 *
 * Request cache (struct fsi_request_cache): results of searches, for later requests that are equal in all that matters.
 *
 * Search (struct fsi_earliest_search): the earliest start for plans by priority, which no scheduler parameter limits.
 *  */
#ifndef FSI_SELECT_AVAIL_INDEX_H
#define FSI_SELECT_AVAIL_INDEX_H

#include "select/choose.h"

enum { FSI_AVAIL_INDEX_RECENT = 128, FSI_AVAIL_INDEX_STEP = 128 };

/* The moments from which on a node has any capacity, and at least the share of CPUs; `when` INT64_MAX: never. */
struct fsi_avail_index_node {
	uint32_t node;
	struct fsi_end_moment any_from, share_from;
};

/* Nodes by the moment from which on they have capacity. */
struct fsi_avail_index_list {
	struct fsi_avail_index_item {
		struct fsi_end_moment from;
		uint32_t node;
	} *v;          /* by rising moment */
	uint32_t n;
	uint64_t *set; /* sets of the first 0, FSI_AVAIL_INDEX_STEP, 2 * FSI_AVAIL_INDEX_STEP, ... nodes of the list */
};

/* The CPUs that a node gives at times after `from` and before `until`. */
struct fsi_avail_index_answer {
	int64_t from, until, cpus;
	uint32_t holds; /* number of holds on the node, for the work counter */
};

/* Availability of all nodes for requests with the same key. */
struct fsi_avail_index {
	int64_t key[20]; /* everything in a request that decides what a node can give it */
	/* nodes with any capacity; nodes with at least the share, unused if there is one list */
	struct fsi_avail_index_list any_list, share_list;
	/* CPUs that at least one of the request's nodes must give; most CPUs that any node can ever give */
	int64_t min_share, max_cpus;
	bool has_one_list;			/* there is one list, since any node with capacity has at least the share */
	/* nodes that changed since the lists were made; override the lists */
	struct fsi_avail_index_node recent[FSI_AVAIL_INDEX_RECENT];
	uint32_t nrecent;
	uint64_t *is_recent; /* set of the recent nodes */
	/* by node: its last answer; NULL: the answer is more than a number of CPUs */
	struct fsi_avail_index_answer *answers;
	/* number of changes that the lists reflect; that the lists and the recent nodes reflect */
	uint32_t nlisted_changes, nseen_changes;
	uint32_t max_listed_changes;       /* number of changes that the lists reflect for some of their nodes */
};

/* A job that started now on a node. A number is never used again, even after the plan goes back to a checkpoint. */
struct fsi_avail_index_change {
	uint64_t number;
	uint32_t node;
};

/* Hash table of the entries, and the changes that they have to catch up with. */
struct fsi_avail_index_table {
	struct fsi_avail_index **v;
	uint32_t size, n; /* size: a power of 2 */
	FSI_VEC(struct fsi_avail_index_change) change; /* in the order in which they were made */
	uint64_t changes;			/* number of changes ever made */
};

/* Returns the up-to-date entry of the request; NULL: the request is not indexed, or out of memory. */
const struct fsi_avail_index *fsi_avail_index_find_entry(struct fsi_avail_index_table *t, const struct fsi_cluster *c,
							 const struct fsi_request *q);
void fsi_avail_index_release(struct fsi_avail_index_table *t);

/* Notes that a job started now on the node. Returns -1 if out of memory. */
int fsi_avail_index_note_change(struct fsi_avail_index_table *t, uint32_t node);

/* The changes up to a checkpoint. */
struct fsi_avail_index_checkpoint {
	struct fsi_avail_index_change *change;
	uint32_t n;
};
/* Copies the changes made so far. Returns -1 if out of memory. */
int fsi_avail_index_save_changes(struct fsi_avail_index_checkpoint *mark, const struct fsi_avail_index_table *t);
void fsi_avail_index_release_checkpoint(struct fsi_avail_index_checkpoint *mark);
/* Restores the changes of a checkpoint. Discards recent nodes and lists that reflect later changes. */
void fsi_avail_index_restore_changes(struct fsi_avail_index_table *t, const struct fsi_avail_index_checkpoint *mark,
				     uint32_t words);

/* Removes the nodes that have no capacity at the moment from `set`. Returns false if too few are left, or if a required
 * node is not. scratch: memory for a set. */
bool fsi_avail_index_restrict_nodes(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				    const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
				    uint64_t *scratch);

/* Returns false if the nodes of `set`, which have capacity at the moment, cannot give enough CPUs together. */
bool fsi_avail_index_may_suffice(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, struct fsi_end_moment when, const uint64_t *set,
				 uint64_t *scratch);

/* Removes nodes as fsi_avail_index_restrict_nodes does. Returns false if the nodes left cannot give enough, as
 * fsi_avail_index_may_suffice. */
bool fsi_avail_index_restrict_and_check(const struct fsi_avail_index *f, const struct fsi_cluster *c,
					const struct fsi_request *q, struct fsi_end_moment when, uint64_t *set,
					uint64_t *scratch);

/* Returns the CPUs that a node gives at the moment. Only for entries that store answers. */
int64_t fsi_avail_index_get_cpus(const struct fsi_avail_index *f, const struct fsi_cluster *c,
				 const struct fsi_request *q, uint32_t node, struct fsi_end_moment when);

/* Returns from when on a node has capacity for the request. Raises the entry's maximum to the most that the node
 * gives. */
struct fsi_avail_index_node fsi_avail_index_query_node(struct fsi_avail_index *f, const struct fsi_cluster *c,
						       const struct fsi_request *q, uint32_t node);

/* Returns the smallest number of nodes that can give enough CPUs. */
uint32_t fsi_avail_index_get_min_nodes(const struct fsi_avail_index *f, const struct fsi_request *q);

/* ---- request cache */

/* Starts without success. A search that tries any start in [start, until) finds none before `until`. never: too few
 * nodes are left for any of these starts. */
struct fsi_failed_try {
	int64_t start, until; /* [start, until) */
	bool too_few_nodes;
};

/* Tries without success, by rising start. The list has a maximum length; further tries are not stored. */
struct fsi_failed_tries {
	struct fsi_failed_try *v;
	size_t n, cap;
};

/* A request and the results of its searches. */
struct fsi_cached_request {
	int64_t key[25];        /* everything in a request that decides when and where it starts */
	/* simulation of likely starts: no start is possible before this time; INT64_MAX: never */
	int64_t no_start_before;
	struct fsi_failed_tries tries; /* tries without success of the last search (backfill) */
	int64_t unconstrained_start;            /* start if nothing were planned or reserved; valid in the round below */
	uint32_t start_round, nnodes, *node; /* round of that start, UINT32_MAX: not computed; number and indices of its nodes */
	/* enum fs_plan_wait: what the request is short of; round in which that was computed */
	uint32_t wait, wait_round;
	bool used; /* the slot of the table has an entry */
};

/* Hash table of requests. */
struct fsi_request_cache {
	struct fsi_cached_request *v;
	uint32_t size, n; /* size: a power of 2 */
	/* increased when a job starts now, which invalidates the starts if nothing were planned */
	uint32_t round;
};

/* Returns the cache entry of the request, empty at first; NULL: the request is not cached, or out of memory. */
struct fsi_cached_request *fsi_request_cache_find_entry(struct fsi_request_cache *m, const struct fsi_request *q);
/* Appends a try without success. Drops it if the list is full or out of memory. */
void fsi_request_cache_add_try(struct fsi_failed_tries *t, struct fsi_failed_try tried);
/* Returns the last try that covers the start; NULL: none. *at: position of the last lookup, 0 at first. The starts
 * looked up must rise. */
const struct fsi_failed_try *fsi_request_cache_find_try(const struct fsi_failed_tries *t, int64_t start, size_t *at);

/* Copies the cache without tries and without starts if nothing were planned. Returns -1 if out of memory. */
int fsi_request_cache_copy(struct fsi_request_cache *to, const struct fsi_request_cache *m);
void fsi_request_cache_release(struct fsi_request_cache *m);

/* ---- earliest start in a plan by priority */

/* The next change of a node in a search. */
struct fsi_avail_change {
	int64_t when;
	uint32_t node;
	bool is_stop; /* true: from `when` on the node cannot take the request; false: it can, or it can give more */
};

/* Memory of a search, reused by the next one. */
struct fsi_earliest_search {
	struct fsi_avail_change *heap;
	uint32_t nheap;
	/* by node: CPUs at the current time of the search; last start in the node's current gap */
	int64_t *current_cpus, *last_start;
};

int fsi_earliest_search_init(struct fsi_earliest_search *s,
			     const struct fsi_cluster *c); /* returns -1 if out of memory */
void fsi_earliest_search_release(struct fsi_earliest_search *s);

/* Returns the earliest start at or after `from`, and sets the nodes in *choice; INT64_MAX: all nodes together never
 * suffice. */
int64_t fsi_select_find_earliest_start(struct fsi_earliest_search *s, struct fsi_selection *choice,
				       const struct fsi_cluster *c, const struct fsi_request *q, int64_t from,
				       enum fsi_avail_constraints constraints);

#endif
