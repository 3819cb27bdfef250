/* The map of a backfill cycle: which nodes and licenses are free in which time slot (node_space in Slurm). */
#ifndef FSI_BACKFILL_NODE_SPACE_H
#define FSI_BACKFILL_NODE_SPACE_H

#include "select/select.h"

/* The slots of the map that a job takes: returns their start, *end their end. */
int64_t fsi_plan_slot(const struct fsi_select *sel, int64_t start, int64_t limit_s, int64_t *end);

/* The licences of a slot of the map: a row of amounts that all may have, then one for each reservation of licences. */

/* Licences of a map. */
struct fsi_map_lics {
	uint32_t n;	   /* kinds */
	uint32_t owners;   /* reservations of licences */
	bool compared; /* may slots be alike in which a reservation has licences? */
};

/* The rows of a slot: to begin with `all`, none of which a reservation has. */
void fsi_map_lics_init(const struct fsi_map_lics *l, int64_t *row, const int64_t *all);

bool fsi_map_lics_have(const struct fsi_map_lics *l, const int64_t *row, struct fsi_map_want w);
void fsi_map_lics_take(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w);

/* Moves what is wanted, or what there is of it, from the first row to its owner's. */
void fsi_map_lics_keep(const struct fsi_map_lics *l, int64_t *row, struct fsi_map_want w);

/* The backfill scheduler's map: which nodes are left to jobs not yet tried, over the time from now to the end of the
 * window, in slots of constant content. Licences too, where the scheduler keeps them there. */

struct fsi_plan_slot {
	int64_t begin, end; /* [begin, end) */
	uint64_t *nodes;    /* nodes left, and behind them the licences left */
	uint32_t gain;	    /* one of those left that were not in the slot before: map.c */
};

struct fsi_plan_map {
	struct fsi_plan_slot *v; /* a slot ends where the next one begins */
	uint32_t n, cap, words;
	struct fsi_map_lics lics;
	uint32_t made; /* how many slots were ever made */
	int64_t step_s;
	uint64_t *spare; /* contents no longer used, each pointing to the next */
	struct fsi_map_blocks *blocks;
};

/* Makes one slot from begin to end. all: how many there are of each licence. -1 without memory. */
int fsi_map_init(struct fsi_plan_map *m, int64_t begin, int64_t end, int64_t step_s, const uint64_t *nodes,
		 uint32_t words, const struct fsi_map_lics *lics, const int64_t *all);
void fsi_map_release(struct fsi_plan_map *m);

/* The map as it is, in one piece. */
struct fsi_map_saved {
	struct fsi_plan_slot *v; /* their contents stand in `content`, one after the other */
	uint64_t *content;
	uint32_t n, made;
};

/* -1 without memory. What is loaded must have been saved from this map. */
int fsi_map_save(struct fsi_map_saved *s, const struct fsi_plan_map *m);
int fsi_map_load(struct fsi_plan_map *m, const struct fsi_map_saved *s);
void fsi_map_saved_release(struct fsi_map_saved *s);
size_t fsi_map_bytes(const struct fsi_plan_map *m); /* about what saving takes */

/* Takes nodes and licences from start to end, at least one step. -1 without memory. */
int fsi_map_take(struct fsi_plan_map *m, int64_t start, int64_t end, const uint64_t *nodes, struct fsi_map_want lic);

/* Keeps licences for their owner, likewise. */
int fsi_map_keep(struct fsi_plan_map *m, int64_t start, int64_t end, struct fsi_map_want lic);

/* Is any of the nodes or licences taken at some time from start to end? */
bool fsi_map_overlaps(const struct fsi_plan_map *m, int64_t start, int64_t end, const uint64_t *nodes,
		      struct fsi_map_want lic);

struct fsi_map_look {
	int64_t start, end; /* of the job, were it to start then */
	bool looks_on;      /* as versions from 24.11 do */
	struct fsi_map_want lic;
	uint32_t min;	    /* nodes; fewer are as good as none */
	int64_t later;      /* out: when to try again, 0 never */
	bool short_of_lic;  /* out */
};

/* Sets what is found of licences, and when to try again, for `nodes` that may be used at all. */
void fsi_map_next(struct fsi_plan_map *m, struct fsi_map_look *l, const uint64_t *nodes);

/* The last time from then on, up to the other, at which one of the nodes is left that was not left before; `from` if
 * there is none. */
int64_t fsi_map_last_gain(struct fsi_plan_map *m, const uint64_t *nodes, int64_t from, int64_t until);

/* The end of the slot that is so many behind that of the time, or of the last slot. */
int64_t fsi_map_ahead(const struct fsi_plan_map *m, int64_t from, uint32_t slots);

/* Leaves in `nodes` those that are free all the time; returns how many. When they are fewer than `min`, which ones
 * they are may be wrong. */
uint32_t fsi_map_narrow(const struct fsi_plan_map *m, const struct fsi_map_look *l, uint64_t *nodes);

#endif
