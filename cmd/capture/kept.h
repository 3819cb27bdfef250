/* The last live capture of this user, kept for half a minute: one command after another asks the scheduler once. */
#ifndef CAPTURE_KEPT_H
#define CAPTURE_KEPT_H

#include "capture/need.h"
#include "cmd.h"

enum { KEPT_S = 30 };

/* The capture kept of the scheduler that would be asked now, and how old it is; NULL if there is none so young. Where
 * there is no whole one, one that was made for this will do. */
fs_snapshot *kept_read(enum capture_need need, int *age_s);

/* Keeps it as one that was made for this; where that cannot be done, nothing is kept. */
void kept_write(const fs_snapshot *s, enum capture_need need);

#endif
