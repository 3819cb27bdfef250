/* The usage records of a snapshot one after the other, without keeping them. */
#ifndef FSI_STREAM_H
#define FSI_STREAM_H

#include "model/model.h"

/* m is a model that holds nothing but the names of this record, and only until fn returns. A negative code
 * from fn, which then has filled *err, ends the stream. */
typedef int (*fsi_usage_fn)(void *ctx, const fs_snapshot *m, const struct fsi_usage *rec,
			    struct fs_error *err);

/* *found is how many records there were. Errors: FS_EIO, FS_EDATA for a record that is not valid; those of fn. */
int fsi_usage_stream(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
		     uint64_t *found, struct fs_error *err);

#endif
