/* The form of a digest, for its writer and its reader. */
#ifndef HISTORY_DIGEST_FORM_H
#define HISTORY_DIGEST_FORM_H

#include <inttypes.h>
#include <sys/types.h>

#define DIGEST_MAGIC "fs-digest\n"
enum {
	DIGEST_FORM = 1,
	DIGEST_BLOCK = 64 * 1024,	   /* a block is closed by the line that makes it longer */
	DIGEST_BLOCK_MAX = 128 * 1024,
	DIGEST_TABLE_MAX = 64 * 1024 * 1024,
	DIGEST_TRAILER = 48
};

/* What tells the snapshot it is of. */
struct digest_stamp {
	uint64_t size, end;
	uid_t owner;
};
int digest_stamp(const char *file, struct digest_stamp *out);

/* Of the table: form, version, size, end, time, its offset from UTC, private. */
#define DIGEST_HEAD "digest %u %31s %" SCNu64 " %" SCNx64 " %" SCNd64 " %" SCNd32 " %u"
/* where, packed, unpacked; a blank and the key follow. */
#define DIGEST_ROW "%" SCNu64 " %" SCNu32 " %" SCNu32

#endif
