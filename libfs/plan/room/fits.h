/* From when on running jobs leave a request room on each node: the same for all requests that ask nodes for the same,
 * so that nodes which cannot be had at a moment are never looked at. Room only grows as jobs end. A job that starts now
 * takes room away: its nodes are asked again, and kept as recent ones, apart from the lists, until they are many. */
#ifndef FSI_PLAN_ROOM_FITS_H
#define FSI_PLAN_ROOM_FITS_H

#include "plan/plan.h"

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

/* How many nodes of a list can be had at the moment. */
uint32_t fsi_fits_until(const struct fsi_fits_list *l, struct fsi_plan_moment when);

/* Leaves in `set` the nodes that may have room at a moment; false when they are too few. scratch: room for a set. */
bool fsi_fits_any(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		  const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		  uint64_t *scratch);

/* False when what the nodes in `set`, which have room at that moment, can give then cannot suffice. */
bool fsi_fits_enough(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		     const struct fsi_plan_request *q, struct fsi_plan_moment when, const uint64_t *set,
		     uint64_t *scratch);

/* Both in one: leaves those with room, when they can suffice. */
bool fsi_fits_suffice(const struct fsi_fits *f, const struct fsi_plan_cluster *c,
		      const struct fsi_plan_request *q, struct fsi_plan_moment when, uint64_t *set,
		      uint64_t *scratch);

/* The CPUs that a node gives at a moment; only where `room` is not NULL. */
int64_t fsi_fits_room(const struct fsi_fits *f, const struct fsi_plan_cluster *c, const struct fsi_plan_request *q,
		      uint32_t node, struct fsi_plan_moment when);

/* From when on a node has room for the request; f->max becomes what it gives at most, if that is more. */
struct fsi_fits_node fsi_fits_node(struct fsi_fits *f, const struct fsi_plan_cluster *c,
				   const struct fsi_plan_request *q, uint32_t node);

/* The fewest nodes that can suffice. */
uint32_t fsi_fits_least(const struct fsi_fits *f, const struct fsi_plan_request *q);

#endif
