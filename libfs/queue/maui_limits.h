/* MAXJOB and its like of Maui's credentials, with what running jobs use of them. */
#ifndef FSI_MAUI_LIMITS_H
#define FSI_MAUI_LIMITS_H

#include "queue/queue.h"

struct fsi_maui_limits;

/* *out NULL where no credential has a limit. 0 or FS_ENOMEM. */
int fsi_maui_limits_load(struct fsi_maui_limits **out, const fs_snapshot *m, struct fs_error *err);
void fsi_maui_limits_free(struct fsi_maui_limits *x);

/* Would a pending job pass a limit on what runs? First the hard ones, then with soft_too the soft ones, each in Maui's
 * order; a job with a reservation is held to none. out: that limit, named as checkjob does, "active HARD MAXJOB". */
bool fsi_maui_limited(const struct fs_queue *q, uint32_t job_row, bool soft_too,
		      struct fs_explain_limit *out);

#endif
