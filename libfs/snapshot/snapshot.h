/* Internal functions on snapshots: checks of references between records, copying a snapshot by writing and reading it
 * as text, and a stream of usage records. A snapshot owns all memory of its records. Functions that return int return 0
 * or a negative error code. */
#ifndef FSI_SNAPSHOT_SNAPSHOT_H
#define FSI_SNAPSHOT_SNAPSHOT_H

#include "model/tables.h"
#include "base/json.h"
#include "base/text.h"

/* Checks for references to records that do not exist. The member check_references of struct fsi_scheduler points to the
 * scheduler's check. Each check calls `note` for every problem and returns the number of problems. */

/* Checks that the partitions, QOS and associations of jobs exist. */
size_t fsi_check_references(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* Same as fsi_check_references, but first calls `note` for each setting that the capture does not contain and for which
 * Slurm's default is therefore used. These notes are not counted. */
size_t fsi_check_slurm_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* Same as fsi_check_references, but first calls `note` if a Flux capture leaves the priority of jobs unknown. This note
 * is not counted. */
size_t fsi_check_flux_snapshot(const fs_snapshot *m, fs_note_fn note, void *ctx);

/* State of a running check for references to missing records. */
struct fsi_checker {
	const fs_snapshot *m;
	fs_note_fn note;
	void *ctx;    /* passed to `note` as its first argument */
	size_t count; /* number of references to missing records so far */
};

/* Notes and counts a reference of the job to a missing record. `what` is the type of the record, such as "partition";
 * `name` is its name. */
void fsi_check_note_job(struct fsi_checker *c, const struct fsi_job *job, const char *what, const char *name);

/* Copies a snapshot: writes it to memory and reads it again. The tables of the copy are sorted and linked. The copy
 * contains only names that its records use. */

/* Sets *out to a copy of the snapshot. Returns 0, FS_ENOMEM, or the error code of reading the written text. */
int fsi_snapshot_copy_through_text(fs_snapshot **out, const fs_snapshot *s, struct fs_error *err);

/* Streams the usage records of a snapshot without storing them. */

/* Callback for one usage record. `m` has the names and sets whose ids the record contains. `m` is valid during the call
 * only. A negative return value ends the stream, and fsi_stream_usage_records returns this value. Before the callback
 * returns a negative value, the callback must fill *err. */
typedef int (*fsi_usage_fn)(void *ctx, const fs_snapshot *m, const struct fsi_usage *rec, struct fs_error *err);

/* Calls `fn` for each usage record and sets *n_records to their number. Returns 0; FS_EIO if `read` fails; FS_EDATA if
 * a record is invalid; FS_ENOMEM; or the negative value that `fn` returned. */
int fsi_stream_usage_records(fs_read_fn read, void *read_ctx, const char *name, fsi_usage_fn fn, void *ctx,
			     uint64_t *n_records, struct fs_error *err);

/* Reader of snapshot records: stores JSON values in the members of C structs as the field tables of model/tables.h
 * describe. The reader borrows the snapshot and its options; fsi_reader_release frees the reader's own memory.
 * Functions that return int return 0 or a negative error code, and fill *err. */

/* A record that is being read. `last` is indexed by field: id of the string or set read last for this field, or 0.
 * Consecutive records often have the same string or set; the reader then needs no lookup. */
struct fsi_record_input {
	fs_snapshot *m;
	struct fsi_rec *rec;
	uint32_t *last;
	struct fsi_input_position where;
	struct fs_error *err;
};

/* Reader of the lines of a snapshot. */

enum {
	/* number of counters: one for each record type, and one for "config" */
	FSI_RECORD_COUNTS = FSI_RECORD_COUNT + 1,
	FSI_WARNINGS_MAX = 100
};

struct fsi_reader {
	fs_snapshot *m;
	struct fsi_input_position where; /* file and line number of the current line */
	struct fsi_json_pool pool;
	struct fs_error *err;
	uint64_t record_counts[FSI_RECORD_COUNTS], expected_counts[FSI_RECORD_COUNTS];
	bool has_expected_counts; /* the first line has record counts ("records") */
	struct fs_read_options options;
	/* which jobs are loaded; FSI_JOBS_UNDECIDED until a job is read; skipped jobs are only counted */
	enum { FSI_JOBS_UNDECIDED, FSI_JOBS_LOADED, FSI_JOBS_SKIPPED, FSI_JOBS_ENDED_ONLY } jobs;

	/* Prediction of the next table and field. Records of a table are usually consecutive, with keys in a fixed
	 * order. */
	enum fsi_record_type type;            /* type of the record read last */
	const struct fsi_record_table *table; /* table of the record read last */
	struct fsi_fields required;           /* fields that must be present */
	/* predicted first field of a record, and predicted successor of each field */
	uint8_t first_field, next_field[FSI_FIELDS_MAX];
	uint8_t key_len[FSI_FIELDS_MAX];
	uint32_t last[FSI_FIELDS_MAX];        /* indexed by field: id of the string or set read last; 0: none */

	FSI_VEC(uint32_t) warned_names; /* name ids of the unknown types and keys for which a warning was added */

	/* recorded values replace missing inputs (fsi_uses_recorded_values). The reader sets this member when it has
	 * read the header, and again when it has read the configuration. */
	bool uses_recorded_values;
};

/* Reads all remaining lines into the snapshot r->m. */
int fsi_reader_read_lines(struct fsi_reader *r, struct fsi_lines *lines);

/* Adds a warning for each part of the capture that the header lists as missing. Returns -1 if out of memory. */
int fsi_warn_incomplete(fs_snapshot *m);

/* Frees the reader's own memory. The memory of the snapshot is not freed. */
void fsi_reader_release(struct fsi_reader *r);

#endif
