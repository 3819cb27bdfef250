/* The sources of a snapshot, one by one; which of them it is: input.h. */
#ifndef INPUT_READ_H
#define INPUT_READ_H

#include "cmd.h"
#include "fs.h"

/* NULL: it cannot be opened (reported). */
FILE *input_stream(const struct invocation *inv, const char *file);

/* A file, "-" for standard input. Where it is read for its own sake, its index is left alone. progress: how far it has
 * come. Error codes of fs_snapshot_read. */
int input_file(const char *file, struct fs_read_options o, bool indexed, bool progress, fs_snapshot **out,
	       struct fs_error *err);
int input_demo(fs_snapshot **out, struct fs_error *err);

/* Reads a file that will be read again for its usage records; the bytes of a pipe are kept in *spool. 0, or the exit
 * status (reported). */
int input_twice(const struct invocation *inv, const char *file, struct fs_read_options o, FILE **spool,
		fs_snapshot **out);

/* Reads a snapshot, compressed or in a ticket too, from what `read` gives: 0 or an error code. */
int input_read_with(fs_read_fn read, void *ctx, const char *name, fs_snapshot **out, struct fs_error *err);

/* Feeds job records: of an open file, of the demo. */
int input_stream_records(fs_usage *usage, FILE *stream, const char *name, struct fs_error *err);
int input_demo_records(fs_usage *usage, struct fs_error *err);

/* Feeds those of a file, without messages: 0 or an error code. */
int input_try_records(const char *file, fs_usage *usage, struct fs_error *err);

#endif
