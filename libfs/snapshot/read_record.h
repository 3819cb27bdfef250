/* Reader of snapshot records: stores JSON values in the members of C structs as the field tables of model/tables.h
 * describe. The reader borrows the snapshot and its options; fsi_reader_release frees the reader's own memory.
 * Functions that return int return 0 or a negative error code, and fill *err. */
#ifndef FSI_SNAPSHOT_READ_RECORD_H
#define FSI_SNAPSHOT_READ_RECORD_H

#include "base/json.h"
#include "base/text.h"
#include "model/tables.h"

/* A record that is being read. last holds, for each field, the id of the string or set that was read last for this
 * field, or 0. Consecutive rows often repeat it, so that no lookup is needed. */
struct fsi_record_input {
	fs_snapshot *m;
	struct fsi_rec *rec;
	uint32_t *last;
	struct fsi_input_position where;
	struct fs_error *err;
};

/* Reader of the lines of a snapshot. */

enum {
	FSI_RECORD_COUNTS = FSI_RECORD_COUNT + 1, /* the record tables and "config" */
	FSI_WARNINGS_MAX = 100
};

struct fsi_reader {
	fs_snapshot *m;
	struct fsi_input_position where; /* position of the current line */
	struct fsi_json_pool pool;
	struct fs_error *err;
	uint64_t record_counts[FSI_RECORD_COUNTS], expected_counts[FSI_RECORD_COUNTS];
	bool has_expected_counts; /* whether the first line has record counts ("records") */
	struct fs_read_options options;
	/* which jobs are loaded; undecided before the first job. Skipped jobs are only counted. */
	enum { FSI_JOBS_UNDECIDED, FSI_JOBS_LOADED, FSI_JOBS_SKIPPED, FSI_JOBS_ENDED_ONLY } jobs;

	/* Prediction of the next table and field. Records of a table are usually consecutive, with keys in a fixed
	 * order. */
	enum fsi_record_type type;            /* type of the row read last */
	const struct fsi_record_table *table; /* table of the record read last */
	struct fsi_fields required;           /* fields that must be present */
	/* predicted first field of a record, and predicted successor of each field */
	uint8_t first_field, next_field[FSI_FIELDS_MAX];
	uint8_t key_len[FSI_FIELDS_MAX];
	uint32_t last[FSI_FIELDS_MAX];        /* by field: id of the string or set read last; 0: none */

	FSI_VEC(uint32_t) warned_names; /* ids of the unknown types and keys for which a warning was given */

	/* result of fsi_uses_recorded_values; known after the header, and updated after the configuration */
	bool uses_recorded_values;
};

/* Reads the remaining lines. */
int fsi_reader_read_lines(struct fsi_reader *r, struct fsi_lines *lines);

/* Adds the header's list of missing parts of the capture to the warnings. Returns -1 if out of memory. */
int fsi_warn_incomplete(fs_snapshot *m);

/* Frees the memory of the reader that does not belong to the snapshot. */
void fsi_reader_release(struct fsi_reader *r);

#endif
