/* FILE.digest beside a kept snapshot: its lines (history/lines.h), sorted, in blocks that are unpacked one by one, so
 * that a question of one user or job reads some kilobytes of each snapshot of a history.
 *
 *	"fs-digest" "\n", blocks (a frame of zstd each), the table, and 48 digits: where the table begins, its size
 *	and checksum
 *	table: a line of the digest itself: form, version of fs-tools, size and checksum of the snapshot, its time, is
 *	part of it private; then a line for each block: where it begins, its size packed and unpacked, its first key */
#ifndef HISTORY_DIGEST_H
#define HISTORY_DIGEST_H

#include "history/lines.h"

/* FILE.digest: yours to free, NULL without memory. */
char *digest_name(const char *file);

/* Of the snapshot in `file`, which was read as s, into an open file. 0 or an error. */
int digest_write(const fs_snapshot *s, const char *file, FILE *to, struct fs_error *err);

struct digest;

/* NULL: there is none, or none of that snapshot as it is, made by this version, by the snapshot's owner. */
struct digest *digest_open(const char *file);
void digest_close(struct digest *d);

/* Of the snapshot, and what local time is more than UTC then. */
int64_t digest_time(const struct digest *d);
int32_t digest_utc_offset(const struct digest *d);

/* Returns whether PrivateData hides anything of the snapshot from anybody: the digest has those lines, too. */
bool digest_private(const struct digest *d);

/* The lines that begin with key. 0, what fn gave, or -1: it is damaged. */
int digest_find(struct digest *d, const char *key, line_fn fn, void *ctx);

#endif
