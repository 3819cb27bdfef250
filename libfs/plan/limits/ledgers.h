/* What jobs that run, and those given a start in a simulation, take of each limit of associations and QOS, and when
 * that lets another start (src/slurmctld/acct_policy.c: _validate_tres_usage_limits, _qos_job_runnable_pre_select; the
 * controller keeps no account of what it plans). Limits on what was used up (minutes, wall time) are given back by
 * decay alone, which is not told here. */
#ifndef FSI_PLAN_LIMITS_LEDGERS_H
#define FSI_PLAN_LIMITS_LEDGERS_H

#include "plan/run.h"

struct fsi_ledgers;

struct fsi_ledgers *fsi_ledgers_new(const struct fs_plan *p); /* NULL without memory */
void fsi_ledgers_free(struct fsi_ledgers *l);

/* Begins anew with the jobs that run. end_of: by job row, when those that hold resources end; borrowed. */
void fsi_ledgers_begin(struct fsi_ledgers *l, const int64_t *end_of);

/* The first time from `from` on at which all limits of the job (a row) let it start in the partition (a name);
 * INT64_MAX: never. Sets *why to the limit that keeps it longest, if one does. -1 without memory. */
int fsi_ledgers_open(struct fsi_ledgers *l, uint32_t job, uint32_t partition, int64_t from, int64_t *out,
		     struct fsi_plan_limit *why);

/* Enters the start of that job in the partition. -1 without memory. */
int fsi_ledgers_take(struct fsi_ledgers *l, uint32_t job, uint32_t partition, int64_t start, int64_t end);

/* Has each limit room for the record now, if only the first so many of the jobs that the cycle started count? -1
 * without memory. */
int fsi_ledgers_room(struct fs_plan *p, const struct fsi_queue_record *r, size_t started, bool *room);

/* Does a limit bar the start in p->found, where the request takes nodes whole, has too much on each, or they are too
 * many? Limits are taken as they are now, without what the cycle started behind it. -1 without memory. */
int fsi_ledgers_bar(struct fs_plan *p, const struct fsi_plan_request *q, bool *bars);

#endif
