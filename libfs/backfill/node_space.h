/* node_space: which nodes and licenses are free in which time slot of a backfill cycle.
 *
 * The table covers the time from now to the end of the window in slots, each with constant content: the nodes that are
 * left to the records not yet tried, and with bf_licenses the licenses. At first there is one slot. Reserving nodes
 * splits slots, and merges neighbours that have become equal. Running jobs are not in the table, except with
 * bf_running_job_reserve: the select plugin knows when they end.
 *
 * Reproduces node_space of src/plugins/sched/backfill/backfill.c (_add_reservation, _test_resv_overlap, and the part of
 * _attempt_backfill that narrows the nodes of a job and determines when to try it again), and the licenses of
 * src/slurmctld/licenses.c.
 *
 * Invariants: slot i ends where slot i + 1 begins. A slot may be empty. Nodes and licenses are only taken, and become
 * free again only by loading a saved table.
 *
 * Memory: struct fsi_node_space owns its slots; fsi_node_space_release frees them. Functions that return int return
 * -1 if out of memory; then the table can only be released. */
#ifndef FSI_BACKFILL_NODE_SPACE_H
#define FSI_BACKFILL_NODE_SPACE_H

#include "select/select.h"

/* Returns the begin, and in *end the end, of the time that a job takes in node_space if it runs from `start` for
 * limit_s seconds. Both are multiples of bf_resolution: the begin is rounded down, the end is rounded down, from 24.11
 * up. */
int64_t fsi_node_space_round_run(const struct fsi_select *sel, int64_t start, int64_t limit_s, int64_t *end);

/* ---- licenses of a slot
 *
 * A slot has 1 + nowners rows of n amounts each: row 0 is free to all jobs, row k is free to jobs in the k-th
 * reservation that has licenses. */

struct fsi_node_space_licenses {
	uint32_t n;	   /* number of licenses of the cluster; 0 without bf_licenses */
	uint32_t nowners;   /* number of reservations that have licenses */
	bool compares_reserved; /* two slots in which a reservation has licenses may be equal (from 25.05) */
};

/* Sets the rows of a slot: row 0 to the amounts `all`; the reservations have none yet. */
void fsi_node_space_licenses_init(const struct fsi_node_space_licenses *l, int64_t *row, const int64_t *all);

/* Returns true if the amounts w are free to jobs in the reservation w.owner; 0: to jobs in none. */
bool fsi_node_space_licenses_suffice(const struct fsi_node_space_licenses *l, const int64_t *row,
				     struct fsi_license_demand w);
/* Takes the amounts w, first from the row of w.owner, then from row 0. */
void fsi_node_space_licenses_take(const struct fsi_node_space_licenses *l, int64_t *row, struct fsi_license_demand w);

/* Moves the amounts w, or what is left of them, from row 0 to the row of w.owner. */
void fsi_node_space_licenses_reserve(const struct fsi_node_space_licenses *l, int64_t *row,
				     struct fsi_license_demand w);

/* ---- the table */

struct fsi_node_space_slot {
	int64_t begin, end; /* time of the slot: [begin, end) */
	uint64_t *nodes;    /* set of free nodes, followed by the rows of free licenses */
	uint32_t gained_node; /* cache: a node that is free in this slot and not in the one before, or a special value */
};

struct fsi_node_space {
	struct fsi_node_space_slot *v; /* n slots in the order of time */
	uint32_t n, cap, words; /* slots; capacity; words in a set of nodes */
	struct fsi_node_space_licenses licenses;
	uint32_t slots_made; /* number of slots ever made, for bf_node_space_size */
	int64_t step_s; /* length of a step: bf_resolution, seconds */
	uint64_t *spare_content; /* unused contents of slots; the first word of each points to the next */
	struct fsi_node_space_blocks *blocks; /* blocks of slots (libfs/backfill/node_space.c) */
};

/* Makes a table with one slot from begin to end, in which `nodes` and the license amounts `all` are free. Returns -1 if
 * out of memory. */
int fsi_node_space_init(struct fsi_node_space *m, int64_t begin, int64_t end, int64_t step_s, const uint64_t *nodes,
			uint32_t words, const struct fsi_node_space_licenses *lics, const int64_t *all);
void fsi_node_space_release(struct fsi_node_space *m);

/* A saved copy of the table. */
struct fsi_node_space_copy {
	struct fsi_node_space_slot *v; /* n slots; their member nodes is not used */
	uint64_t *content; /* the contents of the slots, one after the other */
	uint32_t n, slots_made;
};

/* Saves the table. Returns -1 if out of memory; then s is released. */
int fsi_node_space_save(struct fsi_node_space_copy *s, const struct fsi_node_space *m);
/* Restores a table that was saved from m. Returns -1 if out of memory. */
int fsi_node_space_load(struct fsi_node_space *m, const struct fsi_node_space_copy *s);
void fsi_node_space_copy_release(struct fsi_node_space_copy *s);
/* Returns approximately how many bytes a saved copy takes. */
size_t fsi_node_space_estimate_bytes(const struct fsi_node_space *m);

/* Takes the nodes and licenses from start to end, for at least one step. Returns -1 if out of memory. */
int fsi_node_space_take_nodes(struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
			      struct fsi_license_demand lic);

/* Reserves the licenses for lic.owner from start to end, for at least one step. Takes no nodes. Returns -1 if out
 * of memory. */
int fsi_node_space_reserve_licenses(struct fsi_node_space *m, int64_t start, int64_t end,
				    struct fsi_license_demand lic);

/* Returns true if any of the nodes is taken, or too few of the licenses are free, at some time from start to end. */
bool fsi_node_space_has_overlap(const struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
				struct fsi_license_demand lic);

/* A query about a run of a job that starts at the time to try. */
struct fsi_node_space_query {
	int64_t start, end; /* the run of the job if it starts then; a slot that begins at `end` counts too */
	bool rules_24_11;      /* the rules of Slurm 24.11 apply */
	struct fsi_license_demand licenses; /* licenses that the job requests */
	uint32_t min_nodes;	    /* fewest nodes that are useful to the job */
	int64_t next_try;      /* out: next time to try, 0: none */
	bool lacks_licenses;  /* out: too few licenses are free at some time of the run */
};

/* Sets l->next_try and l->lacks_licenses for a job that may use `nodes`. */
void fsi_node_space_find_next_try(struct fsi_node_space *m, struct fsi_node_space_query *l, const uint64_t *nodes);

/* Returns the last time after `from` and up to `until` at which one of the nodes becomes free; `from` if there is
 * none. */
int64_t fsi_node_space_find_last_gain(struct fsi_node_space *m, const uint64_t *nodes, int64_t from, int64_t until);

/* Returns the end of the slot that is `slots` slots after the one at time `from`; the end of the last slot if there are
 * fewer. */
int64_t fsi_node_space_find_end_ahead(const struct fsi_node_space *m, int64_t from, uint32_t slots);

/* Narrows `nodes` to those that are free for the whole run. Returns their number. If the number is less than
 * l->min_nodes, the narrowing may be incomplete, and the number too high. */
uint32_t fsi_node_space_narrow_nodes(const struct fsi_node_space *m, const struct fsi_node_space_query *l,
				     uint64_t *nodes);

#endif
