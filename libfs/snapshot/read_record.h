/* One field of a record between JSON and its C member, driven by the tables of model/records/records.h. */
#ifndef FSI_SNAPSHOT_READ_RECORD_H
#define FSI_SNAPSHOT_READ_RECORD_H

#include "base/json.h"
#include "base/text.h"
#include "model/tables.h"

/* A record being read. last holds, by field, the string or set that was read last into it, or 0: rows often repeat
 * it, and then need no look-up. */
struct fsi_reading {
	fs_snapshot *m;
	struct fsi_rec *rec;
	uint32_t *last;
	struct fsi_where where;
	struct fs_error *err;
};

/* The reader of a snapshot's lines. */

enum {
	FSI_COUNTED = FSI_RECORD_COUNT + 1, /* the tables and "config" */
	FSI_WARNINGS_MAX = 100
};

struct fsi_reader {
	fs_snapshot *m;
	struct fsi_where where; /* of the line being read */
	struct fsi_json_pool pool;
	struct fs_error *err;
	uint64_t found[FSI_COUNTED], expected[FSI_COUNTED];
	bool counted; /* the first line had "records" */
	struct fs_read_options options;
	enum { FSI_JOBS_UNSETTLED, FSI_JOBS_KEPT, FSI_JOBS_LEFT_OUT, FSI_JOBS_ENDED_ALONE } jobs;

	/* Records of a table come together and their writer keeps an order: */
	enum fsi_record_type type;            /* of the last row read */
	const struct fsi_record_table *table; /* of the last record read */
	struct fsi_fields required;           /* those that may not be absent */
	uint8_t first, after[FSI_FIELDS_MAX]; /* the field that began it, and the one that followed each field */
	uint8_t key_len[FSI_FIELDS_MAX];
	uint32_t last[FSI_FIELDS_MAX];        /* by field: its string or set read last, or 0 */

	FSI_VEC(uint32_t) unknown; /* names of unknown types and keys already warned of */

	bool stands_in; /* fsi_recorded_stands_in: known from the header on, or the configuration */
};

/* Takes the rest of the lines. */
int fsi_reader_lines(struct fsi_reader *r, struct fsi_lines *lines);

/* Warns of what the capture lacked, whoever reads the snapshot. -1 without memory. */
int fsi_warn_incomplete(fs_snapshot *m);

/* Frees what is not in the model. */
void fsi_reader_release(struct fsi_reader *r);

#endif
