/* The cluster as it fills up when run times are what one says, and not the time limits: jobs take what they ask for of
 * their nodes and share them with others, from the first time on at which that is free for as long as they run. */
#ifndef FSI_PLAN_LIKELY_SIM_H
#define FSI_PLAN_LIKELY_SIM_H

#include "plan/run.h"

struct fsi_sim;

struct fsi_sim *fsi_sim_new(const struct fs_plan *p); /* NULL without memory */
void fsi_sim_free(struct fsi_sim *s);

/* Empties it but for what runs and is reserved. end_of: by job row, when those that hold resources end. -1 without
 * memory. */
int fsi_sim_begin(struct fsi_sim *s, const int64_t *end_of);

/* The first start from `from` on; INT64_MAX: never. The nodes found are kept until the next call. */
int64_t fsi_sim_find(struct fsi_sim *s, const struct fsi_plan_request *q, int64_t from, int64_t run_s);

/* Puts the request on the nodes found last. -1 without memory. */
int fsi_sim_take(struct fsi_sim *s, const struct fsi_plan_request *q, int64_t start, int64_t run_s);

/* Nodes asked for room since it was made: what it costs, the same on every machine. */
uint64_t fsi_sim_work(const struct fsi_sim *s);

#endif
