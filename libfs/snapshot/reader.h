/* The reader of a snapshot's lines: by itself, or one of several that each read a part into a model of their own. */
#ifndef FSI_READER_H
#define FSI_READER_H

#include "base/text.h"
#include "snapshot/field.h"

enum {
	FSI_COUNTED = FSI_RECORD_COUNT + 1, /* the tables and "config" */
	FSI_WARNINGS_MAX = 100
};

/* The value of a field in the row that had it last: as it was written, and as it is in the record. */
enum { FSI_BEFORE_MAX = 160 };
struct fsi_before {
	uint8_t len; /* 0: not kept */
	bool special;
	char text[FSI_BEFORE_MAX];
	char member[sizeof(uint64_t)];
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
	struct fsi_before before[FSI_FIELDS_MAX];

	FSI_VEC(uint32_t) unknown; /* names of unknown types and keys already warned of */

	bool stands_in; /* fsi_recorded_stands_in: known from the header on, or the configuration */

	/* Of a reader of a part. What only that of the whole may do, a warning, the configuration or a refusal, is a
	 * plain failure here: then that one reads the part itself. */
	bool part;
};

/* Takes one line, which is written to; it may be blank. */
int fsi_reader_line(struct fsi_reader *r, char *line, size_t len);

/* Takes the rest of the lines. */
int fsi_reader_lines(struct fsi_reader *r, struct fsi_lines *lines);

/* Takes all lines of the stream in parts on o.threads threads, as fsi_reader_lines would read them. */
int fsi_reader_parts(struct fsi_reader *r, struct fsi_lines *lines);

/* Takes a record that stands as a value of its own into a new row of its table r->type. */
int fsi_reader_row(struct fsi_reader *r, const struct fsi_json *root, const struct fsi_json *type_item);

/* Takes the line as it is into a row of the table of the last record, without a parsed value in between, where all in
 * it is as writers write it. False: it is not, and the line and the model are as they were. */
bool fsi_reader_quick_row(struct fsi_reader *r, char *line, size_t len);

/* A new row of the table r->type, or NULL without memory; then what rc says of its fields, to end it: unless that is 0,
 * or the row is no valid one after all, it is dropped. */
struct fsi_rec *fsi_reader_begin_row(struct fsi_reader *r);
int fsi_reader_end_row(struct fsi_reader *r, int rc);

/* May jobs be left out? Settled once, when the first of them comes, by the reader of the whole. */
bool fsi_reader_without_jobs(struct fsi_reader *r);

/* Field of the key in r->table, or nfields: the one guessed, or else searched for from `from` on and guessed next
 * time. */
unsigned fsi_reader_find_field(const struct fsi_reader *r, const char *key, size_t len, uint8_t *guess, unsigned from);

/* Warns of what the capture lacked, whoever reads the snapshot. -1 without memory. */
int fsi_warn_incomplete(fs_snapshot *m);

/* Frees what is not in the model. */
void fsi_reader_release(struct fsi_reader *r);

/* Does the line begin with this? */
bool fsi_line_begins(const char *line, size_t len, const char *start);

#endif
