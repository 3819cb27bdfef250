/* Which CPUs of a node a job has, where CPUs are given out more than once: one bit each, 64 to a word, nodes one after
 * the other. Those that run have those that their cpu_ids tell. The others are taken to have got, one after the other
 * as they started, the first that were free, or if there were too few those of the first row. */
#ifndef FSI_PLAN_OVERSUBSCRIBE_H
#define FSI_PLAN_OVERSUBSCRIBE_H

#include "plan/plan.h"
#include "plan/run.h"

/* Rows of a partition that are looked at, at most. */
enum { FSI_CORES_ROWS = 64 };

/* Makes room for the sets where CPUs are shared, and gives all holds theirs. -1 without memory. */
int fsi_cores_init(struct fsi_plan_cluster *c);

static inline void fsi_cores_add(uint64_t *to, const uint64_t *more, uint32_t words)
{
	for (uint32_t w = 0; more && w < words; w++)
		to[w] |= more[w];
}

/* Nodes for a job that may get CPUs which others have too: one step after the other, each with other CPUs taken. */

/* Do CPUs that others have count as free for the request? */
bool fsi_plan_by_steps(const struct fsi_select *sel, const struct fsi_plan_request *q);

/* Chooses as fsi_plan_choose does among `nodes`, when the jobs that end by then have ended. */
bool fsi_plan_choose_by_steps(struct fsi_select *sel, const struct fsi_plan_request *q, const uint64_t *nodes,
			      struct fsi_plan_moment when, struct fsi_plan_choice *s);

/* The CPUs of a node, by number, for so many of the start found last; NULL where they are not kept. *ok: false without
 * memory. */
uint64_t *fsi_plan_cores_found(struct fsi_select *sel, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
			       bool *ok);

int fsi_plan_steps_init(struct fsi_select *sel); /* -1 without memory */

/* ---- between the steps and their rows (libfs/plan/oversubscribe.c) */

struct fsi_steps {
	struct fsi_select *sel;
	const struct fsi_plan_request *q;
	const uint64_t *nodes;
	struct fsi_plan_moment when;
	struct fsi_plan_choice *s;
};

/* Is the hold there: has it not ended by then, and does it not give way? */
static inline bool fsi_steps_there(const struct fsi_steps *t, const struct fsi_plan_alloc *h)
{
	return !fsi_plan_ended(h, t->when) && !fsi_plan_gives_way(t->q, h);
}

#endif
