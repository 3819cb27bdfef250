/* How long jobs ran before: the usage records of a snapshot by user, account and partition. A running job may run as
 * long as those did that ran for longer than it has, and no longer than its time limit. */
#ifndef FSI_PLAN_LIKELY_PAST_H
#define FSI_PLAN_LIKELY_PAST_H

#include "model/model.h"

enum { FSI_PAST_ENOUGH = 20 }; /* a class with fewer records tells nothing */

struct fsi_past;

struct fsi_past *fsi_past_new(const fs_snapshot *m); /* NULL without memory */
void fsi_past_free(struct fsi_past *p);

/* How many records the smallest class has that has enough of them which the job could have been: its user's in the
 * account and the partition (a name), else in the account. 0: none has enough. */
size_t fsi_past_records(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			int64_t limit_s);

/* How long one of them ran, more than ran_s; it is chosen by a number drawn from 0 to 2^32 - 1. */
int64_t fsi_past_run(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
		     int64_t limit_s, uint32_t drawn);

#endif
