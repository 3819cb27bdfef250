/* What an explanation needs beside shares, priorities and the queue. */
#ifndef EXPLAIN_BESIDE_H
#define EXPLAIN_BESIDE_H

#include "fs.h"

struct explain_beside {
	fs_accrue *accrue; /* Slurm */
	fs_holds *holds;   /* Flux */
	fs_shares *other;  /* by the algorithm beside which those of Flux are shown */
};

/* o as the shares were computed, by the algorithm named. What the snapshot does not allow to compute stays NULL. Error
 * codes of fs_shares_compute; release it in any case. */
int explain_beside_compute(struct explain_beside *b, const fs_snapshot *s,
			   const struct fs_shares_options *o, const char *algorithm,
			   struct fs_error *err);
void explain_beside_release(struct explain_beside *b);

#endif
