/* From when on running jobs leave a request room on each node: the same for all requests that ask nodes for the same,
 * so that nodes which cannot be had at a moment are never looked at. Room only grows as jobs end. A job that starts now
 * takes room away: its nodes are asked again, and kept as recent ones, apart from the lists, until they are many. */
#ifndef FSI_SELECT_AVAIL_INDEX_H
#define FSI_SELECT_AVAIL_INDEX_H

#include "select/choose.h"

enum { FSI_FITS_RECENT = 128, FSI_FITS_STEP = 128 };

/* The moment from which on a node has any room, and the one from which on it has at least the share; `when`
 * INT64_MAX: never. */
struct fsi_fits_node {
	uint32_t node;
	struct fsi_plan_moment any, much;
};

/* Nodes by the moment from which on they can be had. */
struct fsi_fits_list {
	struct fsi_fits_from {
		struct fsi_plan_moment from;
		uint32_t node;
	} *v;          /* by rising moment */
	uint32_t n;
	uint64_t *set; /* sets of nodes: the first 0, FSI_FITS_STEP, 2 * FSI_FITS_STEP, ... of them */
};

/* What a node gives at moments after the one and before the other. */
struct fsi_fits_room {
	int64_t from, until, cpus;
	uint32_t holds; /* on the node */
};

struct fsi_fits {
	int64_t key[20];
	struct fsi_fits_list any, much; /* nodes with any room; nodes with at least `share` CPUs, unless all have them */
	int64_t share, max;		/* max: CPUs that any node can ever give it */
	bool all;			/* no node gives fewer CPUs than the share: there is one list */
	struct fsi_fits_node recent[FSI_FITS_RECENT]; /* they count in place of what the lists say of these nodes */
	uint32_t nrecent;
	uint64_t *is_recent; /* a set of nodes */
	struct fsi_fits_room *room; /* by node, as it was asked last; NULL: CPUs are not all that is asked for */
	uint32_t listed, seen; /* how many changes the lists take into account, and how many the recent nodes do */
	uint32_t heeded;       /* the lists take so many changes into account for some nodes */
};

/* A job that started now on a node. No two changes have the same number, also on another way of the plan. */
struct fsi_fits_change {
	uint64_t number;
	uint32_t node;
};

struct fsi_fits_table {
	struct fsi_fits **v;
	uint32_t size, n; /* size: a power of 2 */
	FSI_VEC(struct fsi_fits_change) change; /* in their order */
	uint64_t changes;			/* ever made */
};

/* The lists for the request as things are now; NULL when it is not kept, or without memory. */
const struct fsi_fits *fsi_fits_of(struct fsi_fits_table *t, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q);
void fsi_fits_release(struct fsi_fits_table *t);

/* Notes that a job started now on the node. -1 without memory. */
int fsi_fits_changed(struct fsi_fits_table *t, uint32_t node);

/* A point of a run to which it goes back: lists that take other changes into account than those until then are
 * forgotten. */
struct fsi_fits_mark {
	struct fsi_fits_change *change;
	uint32_t n;
};
int fsi_fits_mark(struct fsi_fits_mark *mark, const struct fsi_fits_table *t); /* -1 without memory */
void fsi_fits_mark_release(struct fsi_fits_mark *mark);
void fsi_fits_back(struct fsi_fits_table *t, const struct fsi_fits_mark *mark, uint32_t words);

/* Leaves in `set` the nodes that may have room at a moment; false when they are too few. scratch: room for a set. */
bool fsi_fits_any(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		  struct fsi_plan_moment when, uint64_t *set, uint64_t *scratch);

/* False when what the nodes in `set`, which have room at that moment, can give then cannot suffice. */
bool fsi_fits_enough(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		     struct fsi_plan_moment when, const uint64_t *set, uint64_t *scratch);

/* Both in one: leaves those with room, when they can suffice. */
bool fsi_fits_suffice(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      struct fsi_plan_moment when, uint64_t *set, uint64_t *scratch);

/* The CPUs that a node gives at a moment; only where `room` is not NULL. */
int64_t fsi_fits_room(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      uint32_t node, struct fsi_plan_moment when);

/* From when on a node has room for the request; f->max becomes what it gives at most, if that is more. */
struct fsi_fits_node fsi_fits_node(struct fsi_fits *f, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q, uint32_t node);

/* The fewest nodes that can suffice. */
uint32_t fsi_fits_least(const struct fsi_fits *f, const struct fsi_plan_request *q);

/* What was found for a request is kept for requests like it that follow. */

/* Starts that were tried in vain, or would be. None is found for them by `until`; where it is `never`, too few nodes
 * are left for any. */
struct fsi_plan_tried {
	int64_t start, until; /* [start, until) */
	bool never;
};

/* By rising start; more than there is room for are not kept. */
struct fsi_plan_tries {
	struct fsi_plan_tried *v;
	size_t n, cap;
};

struct fsi_plan_alike {
	int64_t field[25];        /* all of a request that decides when and where it starts */
	int64_t from;             /* plan by priority: it was tried in vain before that; INT64_MAX: always */
	struct fsi_plan_tries tries; /* backfill: of the last search */
	int64_t alone;            /* its start if nothing were planned, as of `round` */
	uint32_t round, n, *node; /* and the nodes of that start */
	uint32_t wait, wait_round; /* enum fs_plan_wait: what it is short of, as of that round */
	bool used;
};

struct fsi_plan_memo {
	struct fsi_plan_alike *v;
	uint32_t size, n; /* size: a power of 2 */
	uint32_t
		round; /* counted on when a job starts now: it takes room from what was found alone */
};

/* The entry for the request, which begins as one never tried; NULL when it may not be kept, or without memory. */
struct fsi_plan_alike *fsi_plan_alike(struct fsi_plan_memo *m, const struct fsi_plan_request *q);
/* Adds one behind the others; without memory it is not kept. */
void fsi_plan_note_tried(struct fsi_plan_tries *t, struct fsi_plan_tried tried);
/* The last one that has that start, or NULL. *at: place of the last one asked for, 0 at first. */
const struct fsi_plan_tried *fsi_plan_tried(const struct fsi_plan_tries *t, int64_t start, size_t *at);

/* A copy without what was found alone or tried. -1 without memory. */
int fsi_plan_memo_copy(struct fsi_plan_memo *to, const struct fsi_plan_memo *m);
void fsi_plan_memo_release(struct fsi_plan_memo *m);

/* The earliest start, whatever the scheduler would see: plans by priority. */

struct fsi_plan_event {
	int64_t when;
	uint32_t node;
	bool stop; /* from here on the node cannot take the request; else: it can take more */
};

/* Memory for a search, used again and again. */
struct fsi_plan_search {
	struct fsi_plan_event *heap;
	uint32_t nheap;
	int64_t *now_cpus,
		*last; /* by node index: CPUs at the sweep's time; last start of the gap that this is in */
};

int fsi_plan_search_init(struct fsi_plan_search *s,
			 const struct fsi_plan_cluster *c); /* -1 without memory */
void fsi_plan_search_release(struct fsi_plan_search *s);

/* The earliest start at or after `from`, and the nodes for it; INT64_MAX: the nodes that there are never suffice. */
int64_t fsi_plan_earliest(struct fsi_plan_search *s, struct fsi_plan_choice *choice, const struct fsi_plan_cluster *c,
			  const struct fsi_plan_request *q, int64_t from, enum fsi_plan_obey obey);

#endif
