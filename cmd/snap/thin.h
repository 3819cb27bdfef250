/* Which snapshots of a history stay: all of the last day, of the week before it the first of each hour, of the year
 * before that the first of each day (UTC). Ages count from the newest that is not astray. What is thinned again loses
 * nothing more. */
#ifndef SNAP_THIN_H
#define SNAP_THIN_H

#include "cmd.h"

/* "20261122T233810Z.jsonl.zst" */
enum { KEPT_NAME = 40 };
int kept_name(char out[KEPT_NAME], int64_t time); /* -1: the time has none */
int kept_time(const char *name, int64_t *time);	  /* -1: it is no such name */

/* How many at the end come a year and more after all before them: one clock that was wrong must not empty the
 * folder. */
size_t astray(const int64_t *time, size_t n);

/* keep[i]: does the snapshot of time[i] stay? Times rise. */
void thin(const int64_t *time, size_t n, bool *keep);

/* Removes the others, and digests without a snapshot. Files of other names are left alone. 0, or the exit status
 * (reported). */
int thin_folder(const struct invocation *inv, const char *dir);

#endif
