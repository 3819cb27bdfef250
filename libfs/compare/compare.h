/* What the files of a comparison share. */
#ifndef FSI_COMPARE_H
#define FSI_COMPARE_H

#include "base/memory/arena.h"
#include "base/error.h"
#include "base/memory/vec.h"

#include <fs/compare.h>

struct fs_comparison;

/* Jobs of neighbouring ids, which are compared by one thread. */
struct fsi_compared_part {
	const struct fs_comparison *c;
	FSI_VEC(struct fs_compared_job) job;
	struct fsi_arena arena; /* terms */
	size_t pending;
	size_t prio_at[2]; /* where the job at hand begins in the priorities of either side */
};

enum { FSI_COMPARED_PARTS = 4 };

struct fs_comparison {
	struct fs_compared side[2];
	double left; /* fs_comparison_left */
	fs_parallel_fn parallel; /* NULL: one thread */
	void *parallel_ctx;
	struct fsi_compared_part part[FSI_COMPARED_PARTS];
	size_t parts;
	const struct fs_compared_job **order; /* the jobs in the order in which they are shown */
	size_t jobs;
	FSI_VEC(struct fs_compared_share) share;
	struct fsi_arena arena;
	/* A term of either side by its name: its index among that side's terms, or FS_NO_ROW. */
	struct fsi_compared_term {
		const char *name;
		size_t at[2];
	} *term;
	size_t nterms;
	/* The siblings of one side's share tree; NULL: not listed yet. */
	struct fsi_compared_tree {
		const uint32_t *below; /* users at or below each row */
		const struct fs_share_row **row; /* those that have siblings, by parent and name */
		/* by the parent's row: where its children begin in `row`; one more ends the last */
		const uint32_t *first;
	} tree[2];
};

enum { FSI_COMPARED_SOON = 8 }; /* so many are looked at while the next is fetched */

/* Calls task for each i below n, in several threads where that is possible. */
static inline void fsi_compare_each(const struct fs_comparison *c, size_t n, fs_task_fn task, void *arg)
{
	if (c->parallel) {
		c->parallel(c->parallel_ctx, n, task, arg);
		return;
	}
	for (size_t i = 0; i < n; i++)
		task(arg, i);
}

/* Puts the rows of all parts in order. -1 without memory. */
int fsi_compare_order(struct fs_comparison *c);

/* Each fills its rows; -1 without memory. */
int fsi_compare_jobs(struct fs_comparison *c);
int fsi_compare_shares(struct fs_comparison *c);

int fsi_compare_terms_init(struct fs_comparison *c);
/* Fills the terms of a row of a job that both sides have a sum for. Priorities are taken as computed on both sides,
 * since what a scheduler recorded may be of another moment; where the two differ the terms follow. Rows come by
 * rising jobs. -1 without memory. */
int fsi_compare_terms(struct fsi_compared_part *p, const uint32_t job_row[2], struct fs_compared_job *row);

/* Causes of the change of a classic factor, FSI_CLASSIC_CAUSES of them; 0 where the factor is not classic in both. */
enum { FSI_CLASSIC_CAUSES = 5 };
size_t fsi_compare_classic(const struct fs_comparison *c, const struct fs_compared_share *s,
			   struct fs_rank_cause out[FSI_CLASSIC_CAUSES]);

/* Is it the same number, unknown or not? */
static inline bool fsi_same_number(double a, double b)
{
	return a == b || (a != a && b != b);
}

#endif
