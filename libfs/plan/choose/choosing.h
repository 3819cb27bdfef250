/* A choice of nodes as it is made: what is still missing, and how a node is taken (_cpus_to_use). */
#ifndef FSI_PLAN_CHOOSE_CHOOSING_H
#define FSI_PLAN_CHOOSE_CHOOSING_H

#include "plan/plan.h"

struct fsi_choosing {
	struct fsi_plan_choice *s;
	const struct fsi_plan_cluster *c;
	const struct fsi_plan_request *q;
	const uint32_t *cand;
	const int64_t *left; /* by node: what it may give while it is not taken */
	int64_t most;	     /* of all nodes */
	bool reduced;	     /* has a node less than before the last evaluation? */
	int64_t want;	     /* nodes wanted */
	bool too_spread;     /* it failed by being on more switches than it asks for */
	uint32_t n, nruns;
	uint32_t stay; /* how many candidates are not left out */
	uint32_t leave; /* so many more may be left out at a time */
	bool parts;    /* cand has those too that are left out, and runs are parted where they were */
	int64_t smallest; /* with parts: no node that stays has fewer */
	int64_t cpus_left, room_cpus;       /* CPUs missing; CPUs to give at most */
	int64_t per_node;                   /* most to give on a node, for a job that wants generic resources */
	int64_t nodes_left, min_left, room; /* nodes wanted; of the least number; at most */
	int64_t gpus_left;		    /* missing of those asked for in all */
};

static inline bool fsi_choosing_done(const struct fsi_choosing *g)
{
	return g->nodes_left <= 0 && g->cpus_left <= 0 && g->gpus_left <= 0;
}

/* Are so many nodes enough, where more than the least are wanted? (_enough_nodes) */
bool fsi_choosing_enough(const struct fsi_choosing *g, int64_t n);

/* Takes candidates until they suffice; do they? Nodes may give less after it: `reduced`. */
bool fsi_choosing_try(struct fsi_choosing *g);
/* The same without the smallest ones, after a try in vain (libfs/plan/choose/without.c). */
bool fsi_choosing_without(struct fsi_choosing *g);
/* Do runs of neighbours of one weight decide, and nothing else? */
bool fsi_choosing_by_runs(const struct fsi_choosing *g);

bool fsi_choosing_required(const struct fsi_choosing *g, uint32_t i);

/* libfs/plan/choose/runs.c: makes the runs of neighbours among the candidates anew; does one suffice; the one to be
 * taken next, NULL if there is none. */
void fsi_runs_make(struct fsi_choosing *g);
bool fsi_runs_suffice(const struct fsi_choosing *g, const struct fsi_plan_run *r);
struct fsi_plan_run *fsi_runs_best(struct fsi_choosing *g);

/* Weighs the candidates. */
void fsi_choosing_weigh(struct fsi_choosing *g);

/* The size by which nodes are left out: CPUs, and GPUs for a job that wants some; or fsi_plan_choice.size. */
int64_t fsi_choosing_size(const struct fsi_choosing *g, uint32_t i);

/* Parts the runs that were made last where nodes are left out; false when that cannot be done: only weights may part
 * them, and no node may be required. Then: leaves out nodes of at most that size, until only the least number stays,
 * and returns the next size by which some can be left out; the runs are as before an evaluation when there were any. */
bool fsi_runs_part(struct fsi_choosing *g);
int64_t fsi_runs_leave_out(struct fsi_choosing *g, int64_t max);
/* Leaves out so many of the smallest size at most, the first ones. */
void fsi_runs_leave_smallest(struct fsi_choosing *g, uint32_t most);
/* The candidates in runs, which are those not left out, by rising place; returns how many. */
uint32_t fsi_runs_join(struct fsi_choosing *g, uint32_t *kept);

/* Gives back what an evaluation before this one took; the other keeps what was taken as what was found, and is true. */
void fsi_choice_give_back(struct fsi_plan_choice *s);
bool fsi_choice_keep(struct fsi_plan_choice *s);

/* Chooses by the rules of select/linear (libfs/plan/choose/linear.c). */
bool fsi_plan_choose_linear(struct fsi_plan_choice *s, const struct fsi_plan_request *q);

/* Takes node i, which was not taken. */
void fsi_choosing_take(struct fsi_choosing *g, uint32_t i);

/* Chooses by the switches of the cluster (libfs/plan/choose/topology.c); required nodes were taken before. */
bool fsi_choosing_by_switches(struct fsi_choosing *g);

#endif
