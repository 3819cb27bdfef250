/* Do two snapshots, the same but for names, give the same numbers? */
#ifndef SNAP_SAME_NUMBERS_H
#define SNAP_SAME_NUMBERS_H

#include "cmd.h"

/* Shares, priorities with their terms, places and verdicts in the queue, planned starts: rows are matched by ids, names
 * are not looked at. 0 and *what NULL: all the same; *what: what differs ("priorities"); *n: how many rows were
 * compared. A negative enum fs_code (without memory). */
int same_numbers(const fs_snapshot *a, const fs_snapshot *b, const char **what, size_t *n, struct fs_error *err);

#endif
