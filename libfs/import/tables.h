/* Quick reading of lines with many keys (scontrol -o show job), and of records that a newline in free text splits.
 *
 * Contract. A struct fsi_kv_table holds the values of one record as fsi_span, which point into the line: they are valid
 * only until the line callback returns. It owns no memory; the array of key names must outlive it. The result for a
 * line is that of fsi_kv_split_line (import/import.h), only faster. */
#ifndef FSI_IMPORT_TABLES_H
#define FSI_IMPORT_TABLES_H

#include "import/import.h"

/* FSI_KV_TABLE_WORDS: number of 64-bit words of a set of keys. FSI_KV_TABLE_MAX: maximum number of keys. */
enum { FSI_KV_TABLE_WORDS = 2, FSI_KV_TABLE_MAX = 64 * FSI_KV_TABLE_WORDS };

/* Values of a record's keys, by key number: 0 is the first of `names`, n means "none of them". */
struct fsi_kv_table {
	const char *const *names; /* n distinct keys; only the values of the first nread are stored */
	size_t n, nread;
	/* hash chains: first[hash] and next[key number] are 1 + the number of the next key in the chain; 0 ends the
	 * chain */
	uint8_t first[256], next[FSI_KV_TABLE_MAX];
	/* length of each key's name */
	uint8_t len[FSI_KV_TABLE_MAX];
	/* by number of a key, [n] for the beginning of a line: 1 + the number of the key that followed it last; 0: not
	 * known */
	uint8_t usual_successor[FSI_KV_TABLE_MAX + 1];
	/* values by key number; s is NULL if the record lacks the key; value[n].s is always NULL */
	struct fsi_span value[FSI_KV_TABLE_MAX + 1];
	uint64_t has[FSI_KV_TABLE_WORDS]; /* one bit per key number: the record has the key */
};

/* Initialises k for n keys, at most FSI_KV_TABLE_MAX. */
void fsi_kv_table_init(struct fsi_kv_table *k, const char *const *names, size_t n, size_t nread);

/* Returns the number of a key; n if it is not among the names or is NULL. */
size_t fsi_kv_table_find_key(const struct fsi_kv_table *k, const char *name);

/* Removes all values before the next record is read. */
void fsi_kv_table_clear(struct fsi_kv_table *k);

/* Adds the values of a line, which may be part of a record. If a key occurs twice, its first value counts. */
void fsi_kv_table_read_line(struct fsi_kv_table *k, struct fsi_span line);

/* Sets the fields of the keys numbered `from` to `end` - 1 from their values. map[i] belongs to key number i. */
int fsi_kv_table_set_fields(struct fsi_import *imp, const struct fsi_kv_table *k, const struct fsi_field_map *map,
			    size_t from, size_t end, enum fsi_record_type type, struct fsi_rec *rec);

/* ---- records that a newline in a job's name splits: scontrol -o and squeue -O print it as it is */

/* Calls fn for each record of scontrol_job_o.txt, as fsi_import_read_lines does. A line that ends within the job's
 * name is joined, by newlines, with the lines after it, up to and including the one with UserId. A line that begins
 * with JobId= always begins a record: the line before it may simply be truncated. */
int fsi_import_read_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* Calls fn for each row of squeue_O.txt, as fsi_import_read_lines does. A row that ends before the column ASSOC_ID is
 * joined with the lines after it, as long as the result is no longer than the heading line. squeue pads each row to
 * that width. */
int fsi_import_read_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* A column of squeue -O: fixed width, with no blank between a full column and the next. */
struct fsi_fixed_column {
	size_t at, width; /* first byte and number of bytes; width 0: there is no such column */
};

/* Finds a column by its name in the heading line. Cannot find the first column, whose position is 0 anyway. */
struct fsi_fixed_column fsi_squeue_find_column(struct fsi_span heading, const char *name);

#endif
