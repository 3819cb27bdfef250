/* What each of the snapshot's own jobs is charged a second, for whoever asks what was charged when. */
#ifndef FSI_RATES_H
#define FSI_RATES_H

#include "usage/decay.h"

#define FSI_RATE_OF_ROW UINT64_MAX

struct fsi_rate {
	uint64_t job;       /* id; FSI_RATE_OF_ROW: what of the usage's own rates is the row's */
	uint32_t row;       /* of the association */
	int64_t start, end; /* end INT64_MAX while it runs */
	double rate;        /* TRES seconds a second, times the UsageFactor of its QOS */
};

struct fsi_rates {
	struct fsi_decay decay;
	struct fsi_rate *v; /* rising job ids */
	size_t n;
};

/* Fills the rates of the jobs that run at the time of u, with what else it assumes to run (NULL: at the snapshot's),
 * and of those that ended after `from`, whose association is known; none without a configuration. In the arena. -1
 * without memory. */
int fsi_rates_init(struct fsi_rates *r, const fs_snapshot *m, const fs_usage *u, int64_t from,
		   struct fsi_arena *arena);

/* What the job of `rate` is charged at once at time `to` for the seconds since `from`, or since its start. */
double fsi_rate_charge(const struct fsi_rates *r, const struct fsi_rate *rate, int64_t from, int64_t to);

#endif
