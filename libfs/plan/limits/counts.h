/* What a backfill cycle counts against bf_max_job_user, _part, _assoc and _user_part
 * (src/plugins/sched/backfill/backfill.c: _job_exceeds_max_bf_param). */
#ifndef FSI_PLAN_LIMITS_COUNTS_H
#define FSI_PLAN_LIMITS_COUNTS_H

#include "plan/plan.h"

struct fsi_plan_pair {
	uint32_t user, partition, n; /* user, partition: names; n 0: there is no entry */
};

struct fsi_plan_counts {
	uint32_t *of_user; /* by name id, of jobs in default accounts; then the same of those in others */
	uint32_t *of_part, *reserved_part; /* by name id */
	uint32_t *of_assoc;                          /* by association row */
	struct fsi_plan_pair *pair;                  /* by user and partition */
	uint32_t names, assocs, size, npairs;                /* size of pair: 0 or a power of 2 */
};

/* -1 without memory. */
int fsi_plan_counts_init(struct fsi_plan_counts *n, const fs_snapshot *m);
int fsi_plan_counts_copy(struct fsi_plan_counts *to, const struct fsi_plan_counts *n);
void fsi_plan_counts_release(struct fsi_plan_counts *n);

/* Counts a record, or one more task of its array, of a job in a partition (a name), unless as many as the parameters
 * admit were counted before it: then it is not counted, nor tried. It is only asked for unless `counts`. Returns 0 if
 * it was counted, what fsi_plan_count_limit takes if not, -1 if out of memory. */
int fsi_plan_count(struct fsi_plan_counts *n, const fs_snapshot *m, const struct fsi_plan_params *p,
		   const struct fsi_job *j, uint32_t partition, bool counts);

/* Returns the parameter for which fsi_plan_count did not count a record; full: what it returned, above 0. */
struct fsi_plan_cycle_limit fsi_plan_count_limit(const struct fsi_plan_params *p, int full);

/* How many records have nodes kept for them in a partition (a name). */
uint32_t *fsi_plan_reserved_in(const struct fsi_plan_counts *n, uint32_t partition);

#endif
