/* Nodes for a job that may get CPUs which others have too: one step after the other, each with other CPUs taken. */
#ifndef FSI_PLAN_OVERSUBSCRIBE_STEPS_H
#define FSI_PLAN_OVERSUBSCRIBE_STEPS_H

#include "plan/run.h"

/* Do CPUs that others have count as free for the request? */
bool fsi_plan_by_steps(const struct fs_plan *p, const struct fsi_plan_request *q);

/* Chooses as fsi_plan_choose does among `nodes`, when the jobs that end by then have ended. */
bool fsi_plan_choose_by_steps(struct fs_plan *p, const struct fsi_plan_request *q, const uint64_t *nodes,
			      struct fsi_plan_moment when, struct fsi_plan_choice *s);

/* The CPUs of a node, by number, for so many of the start found last; NULL where they are not kept. *ok: false without
 * memory. */
uint64_t *fsi_plan_cores_found(struct fs_plan *p, const struct fsi_plan_request *q, uint32_t node, int64_t cpus,
			       bool *ok);

int fsi_plan_steps_init(struct fs_plan *p); /* -1 without memory */

/* ---- between the steps and their rows (libfs/plan/oversubscribe/rows.c) */

struct fsi_steps {
	struct fs_plan *p;
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

/* Empties a set of CPUs. */
void fsi_steps_clear(const struct fsi_steps *t, uint64_t *set);

/* Fills the first n of p->steps.row, those of the request's partition, in the order in which they are tried. False
 * without memory. */
bool fsi_steps_make_rows(const struct fsi_steps *t, uint32_t n);

/* Notes, once, when a job of each partition ended last. -1 without memory. */
int fsi_steps_note_ends(struct fs_plan *p);

#endif
