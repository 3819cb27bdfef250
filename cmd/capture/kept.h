/* The last live capture of this user, kept for half a minute: one command after another asks the scheduler once. */
#ifndef CAPTURE_KEPT_H
#define CAPTURE_KEPT_H

#include "cmd.h"

enum { KEPT_S = 30 };

/* The capture kept of the scheduler that would be asked now, and how old it is; NULL if there is none so young. shares:
 * one of shares alone will do where there is no whole one. */
fs_snapshot *kept_read(bool shares, int *age_s);

/* Keeps it as a whole one, or as one of shares; where that cannot be done, nothing is kept. */
void kept_write(const fs_snapshot *s, bool shares);

#endif
