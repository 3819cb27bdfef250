/* Internal functions on snapshots: checks of references between records, a copy of a snapshot through its text form,
 * and a stream of usage records. A snapshot owns all memory of its records. Functions that return int return 0 or a
 * negative error code. */
#ifndef FSI_SNAPSHOT_SNAPSHOT_H
#define FSI_SNAPSHOT_SNAPSHOT_H

#include "model/tables.h"

/* Checks for references to records that do not exist; each scheduler has its own (struct fsi_scheduler, member check).
 * Each function reports problems by calling `note` and returns the number of problems, as fs_snapshot_check does. */

/* Checks the partitions, QOS and associations that jobs refer to. */
size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* Same as fsi_check_references, preceded by notes on settings for which the capture contains no value, so that Slurm's
 * defaults apply. The notes are not counted. */
size_t fsi_check_slurm_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* Same as fsi_check_references, preceded by a note on jobs whose priority a Flux capture leaves unknown. The note is
 * not counted. */
size_t fsi_check_flux_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* A check in progress. */
struct fsi_checker {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;    /* for note */
	size_t count; /* references noted that lead nowhere */
};

/* Notes and counts a reference of the job that leads nowhere: no `what` has that name. */
void fsi_check_note_job(struct fsi_checker *c, const struct fsi_job *job, const char *what, const char *name);

/* Writes a snapshot to memory and reads it again. The copy has sorted and linked tables, and contains only names that
 * its records use. */

/* Returns FS_ENOMEM if out of memory, or the errors of reading. */
int fsi_snapshot_copy_through_text(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

/* Streams the usage records of a snapshot without storing them. */

/* Callback for one usage record. m contains only the names and sets of recent records and is valid during the call
 * only. A negative code returned by the callback ends the stream; the callback has then filled *err. */
typedef int (*fsi_usage_fn)(void *ctx, const fs_snapshot *m, const struct fsi_usage *rec, struct fs_error *err);

/* Calls fn for each usage record and sets *n_records to their number. Returns FS_EIO, FS_EDATA for an invalid record,
 * or the callback's code. */
int fsi_stream_usage_records(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
			     uint64_t *n_records, struct fs_error *err);

#endif
