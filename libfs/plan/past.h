/* How long jobs ran before: the usage records of a snapshot by user, account and partition. A job may still run as long
 * as those ran that ran for longer than it has, and no longer than its time limit. */
#ifndef FSI_PLAN_PAST_H
#define FSI_PLAN_PAST_H

#include "model/model.h"

enum { FSI_PAST_ENOUGH = 20 }; /* records from which on a class tells something */

struct fsi_past;

struct fsi_past *fsi_past_new(const fs_snapshot *m); /* NULL without memory */
void fsi_past_free(struct fsi_past *p);

/* Records of the smallest class that has enough of them that the job could have been: its user's in the account and the
 * partition (a name), else in the account. 0: none has. */
size_t fsi_past_records(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
			int64_t limit_s);

/* One of them, by a number drawn from 0 to 2^32 - 1: how long it ran, more than ran_s. */
int64_t fsi_past_run(const struct fsi_past *p, const struct fsi_job *j, uint32_t partition, int64_t ran_s,
		     int64_t limit_s, uint32_t drawn);

#endif
