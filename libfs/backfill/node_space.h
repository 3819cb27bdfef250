/* node_space: the free nodes and licenses in each time slot of a backfill cycle.
 *
 * The table divides the time from now to the end of bf_window into slots. Each slot has the set of the nodes that are
 * free during the whole slot. With bf_licenses, a slot also has the amounts of free licenses. At first there is one
 * slot. When nodes are taken, slots are split. Neighboring slots with the same content may then be merged.
 *
 * Without bf_running_job_reserve and bf_licenses, running jobs are not in the table. Their nodes count as free, and the
 * select plugin checks when running jobs end. With bf_running_job_reserve or bf_licenses, some running jobs take nodes
 * or licenses in the table (libfs/backfill/setup.c: enter_running_job).
 *
 * Reproduces node_space of src/plugins/sched/backfill/backfill.c (_add_reservation, _test_resv_overlap, parts of
 * _attempt_backfill) and the licenses of src/slurmctld/licenses.c.
 *
 * Invariants: slot i ends where slot i + 1 begins. A slot may be empty. Nodes and licenses are taken from slots and
 * never returned to them. Taken nodes and licenses become free again only if a saved table is loaded.
 *
 * Memory: struct fsi_node_space owns its slots; fsi_node_space_release frees them. Functions that return int return -1
 * if out of memory; then the table can only be released. */
#ifndef FSI_BACKFILL_NODE_SPACE_H
#define FSI_BACKFILL_NODE_SPACE_H

#include "select/select.h"

/* Computes the time interval that a job occupies in node_space if it runs from `start` for limit_s seconds. Returns the
 * beginning of the interval, and sets *end to its end. Both are rounded to multiples of bf_resolution: the beginning is
 * rounded down; the end is rounded up from 24.11 on, and down in earlier versions. */
int64_t fsi_node_space_round_run(const struct fsi_select *sel, int64_t start, int64_t limit_s, int64_t *end);

/* ---- licenses of a slot
 *
 * A slot has 1 + nowners rows of n license amounts. Row 0 has the amounts that are free for all jobs. Row k has the
 * amounts that are free only for jobs in the k-th reservation with licenses. */

struct fsi_node_space_licenses {
	uint32_t n;	   /* number of different licenses of the cluster; 0 without bf_licenses */
	uint32_t nowners;   /* number of reservations that have licenses */
	/* true: two slots are equal only if all their license rows are equal. false (Slurm before 25.05): only row 0 is
	 * compared, and a slot in which a reservation has licenses never equals the next slot */
	bool compares_reserved;
};

/* Initializes the license rows of a slot: sets row 0 to the amounts `all`; reservations have no licenses yet. */
void fsi_node_space_licenses_init(const struct fsi_node_space_licenses *l, int64_t *row, const int64_t *all);

/* Returns true if enough licenses are free for the amounts w.amount. Adds up the amounts that are free for all jobs
 * and the amounts of the reservation w.owner_position (0: no reservation). `row`: the license rows of a slot. */
bool fsi_node_space_licenses_suffice(const struct fsi_node_space_licenses *l, const int64_t *row,
				     struct fsi_license_demand w);
/* Subtracts the license amounts w.amount from the free licenses of a slot: first from the licenses of the reservation
 * w.owner_position (0: no reservation), then from row 0, the licenses that are free for all jobs. `row`: the license
 * rows of the slot. */
void fsi_node_space_licenses_take(const struct fsi_node_space_licenses *l, int64_t *row, struct fsi_license_demand w);

/* Reserves the license amounts w.amount for the reservation w.owner_position: moves them from row 0 of the slot to the
 * reservation's row. If row 0 has less than the amount of a license, moves the whole amount of this license in row 0.
 * `row`: the license rows of a slot. */
void fsi_node_space_licenses_reserve(const struct fsi_node_space_licenses *l, int64_t *row,
				     struct fsi_license_demand w);

/* ---- the node_space table */

struct fsi_node_space_slot {
	int64_t begin, end; /* time of the slot, [begin, end), seconds since the epoch */
	uint64_t *nodes;    /* content of the slot: set of free nodes, followed by the rows of free licenses */
	/* cache: index of a node that is free in this slot but not in the previous slot; GAINS_NONE: there is no such
	 * node; GAIN_UNKNOWN: not computed (libfs/backfill/node_space.c) */
	uint32_t gained_node;
};

struct fsi_node_space {
	struct fsi_node_space_slot *v; /* `n` slots in order of time */
	uint32_t n, cap, words; /* `n`: number of slots; `cap`: capacity of `v`; `words`: words in a node set */
	struct fsi_node_space_licenses licenses;
	/* number of slots made for this table so far; the cycle ends when this number reaches bf_node_space_size */
	uint32_t slots_made;
	int64_t step_s; /* bf_resolution, s */
	/* list of unused slot contents; the first word of each content points to the next content */
	uint64_t *spare_content;
	struct fsi_node_space_blocks *blocks; /* blocks of neighboring slots, for fast queries */
};

/* Makes a table with one slot from `begin` to `end`, in which `nodes` and the license amounts `all` are free. Returns
 * -1 if out of memory. */
int fsi_node_space_init(struct fsi_node_space *m, int64_t begin, int64_t end, int64_t step_s, const uint64_t *nodes,
			uint32_t words, const struct fsi_node_space_licenses *lics, const int64_t *all);
void fsi_node_space_release(struct fsi_node_space *m);

/* A saved copy of the node_space table. */
struct fsi_node_space_copy {
	struct fsi_node_space_slot *v; /* `n` slots; their member `nodes` is not used */
	uint64_t *content; /* the contents of all slots, one after the other */
	uint32_t n, slots_made;
};

/* Saves the table m in *s. Returns -1 if out of memory; then *s need not be released. */
int fsi_node_space_save(struct fsi_node_space_copy *s, const struct fsi_node_space *m);
/* Restores the table m from the copy *s, which was saved from m. Returns -1 if out of memory. */
int fsi_node_space_load(struct fsi_node_space *m, const struct fsi_node_space_copy *s);
void fsi_node_space_copy_release(struct fsi_node_space_copy *s);
/* Returns the approximate size of a saved copy in bytes. */
size_t fsi_node_space_estimate_bytes(const struct fsi_node_space *m);

/* Takes the nodes and licenses out of the slots from `start` to `end`. If this time is shorter than m->step_s seconds,
 * takes them for m->step_s seconds. Returns -1 if out of memory. */
int fsi_node_space_take_nodes(struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
			      struct fsi_license_demand lic);

/* Reserves the licenses for the reservation lic.owner_position from `start` to `end`. If this time is shorter than
 * m->step_s seconds, reserves them for m->step_s seconds. Takes no nodes. Returns -1 if out of memory. */
int fsi_node_space_reserve_licenses(struct fsi_node_space *m, int64_t start, int64_t end,
				    struct fsi_license_demand lic);

/* Returns true if any of the nodes is taken, or too few of the licenses are free, at any time from `start` to `end`. */
bool fsi_node_space_has_overlap(const struct fsi_node_space *m, int64_t start, int64_t end, const uint64_t *nodes,
				struct fsi_license_demand lic);

/* One try of a job at a given start, and its results. */
struct fsi_node_space_query {
	/* `start`: tried start of the job; `end`: end of the job with this start. A slot that begins at `end` is also
	 * checked. */
	int64_t start, end;
	bool rules_24_11;      /* `next_try` is computed as in Slurm 24.11 and later */
	struct fsi_license_demand licenses; /* licenses that the job requests */
	uint32_t min_nodes;	    /* minimum number of nodes of the job */
	int64_t next_try;      /* out: next time to try, 0: none */
	bool lacks_licenses;  /* out: too few licenses are free at some time from `start` to `end` */
};

/* Sets l->next_try and l->lacks_licenses for a job that may use the nodes in `nodes`. */
void fsi_node_space_find_next_try(struct fsi_node_space *m, struct fsi_node_space_query *l, const uint64_t *nodes);

/* Returns the last time, after `from` and at or before `until`, at which one of the nodes becomes free in the table.
 * Returns `from` if there is no such time. */
int64_t fsi_node_space_find_last_gain(struct fsi_node_space *m, const uint64_t *nodes, int64_t from, int64_t until);

/* Finds the slot that contains the time `from`, and returns the end of the slot that is `slots` positions after that
 * slot. If there is no such position, returns the end of the last slot. */
int64_t fsi_node_space_find_end_ahead(const struct fsi_node_space *m, int64_t from, uint32_t slots);

/* Removes from `nodes` the nodes that are not free for the whole time from l->start to l->end. Returns the number of
 * nodes left. If this number is less than l->min_nodes, the function may have stopped early; `nodes` may then still
 * have nodes that are not free. */
uint32_t fsi_node_space_narrow_nodes(const struct fsi_node_space *m, const struct fsi_node_space_query *l,
				     uint64_t *nodes);

#endif
