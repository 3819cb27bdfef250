/* Parts of reading a snapshot: checks of references, joining of parts, streams of usage records. */
#ifndef FSI_SNAPSHOT_SNAPSHOT_H
#define FSI_SNAPSHOT_SNAPSHOT_H

#include "model/tables.h"

/* Checks for references between records that lead nowhere, for the schedulers to choose from. Each as
 * fs_snapshot_check. */

/* Of jobs to partitions, QOS and associations. */
size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* As fsi_check_references, after a note of what a capture leaves to Slurm's defaults, which does not count. */
size_t fsi_check_slurm(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* As fsi_check_references, after a note of what a capture of Flux leaves open, which does not count. */
size_t fsi_check_flux(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* A check in progress. */
struct fsi_checker {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;    /* for note */
	size_t count; /* references noted that lead nowhere */
};

/* Notes and counts a reference of the job that leads nowhere: no `what` has that name. */
void fsi_check_note_job(struct fsi_checker *c, const struct fsi_job *job, const char *what, const char *name);

/* A snapshot written and read again in memory: its tables in order and linked, and no name but those they have. */

/* Errors: FS_ENOMEM, and those of reading. */
int fsi_snapshot_again(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

/* The usage records of a snapshot one after the other, without keeping them. */

/* m is a model that holds nothing but the names of this record, and only until fn returns. A negative code
 * from fn, which then has filled *err, ends the stream. */
typedef int (*fsi_usage_fn)(void *ctx, const fs_snapshot *m, const struct fsi_usage *rec, struct fs_error *err);

/* *found is how many records there were. Errors: FS_EIO, FS_EDATA for a record that is not valid; those of fn. */
int fsi_usage_stream(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
		     uint64_t *found, struct fs_error *err);

#endif
