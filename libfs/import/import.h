/* State and functions shared by all importers. An importer turns a folder of captured command outputs (fs_source) into
 * a snapshot.
 *
 * Contract. struct fsi_import is the state of one import. The importer creates the snapshot imp->m with
 * fsi_model_create, calls the importer's readers one after the other, and ends with fsi_import_finish, which hands the
 * snapshot over or frees it. All texts that the snapshot needs are interned in the snapshot. An fsi_span is valid only
 * while the line that it points into is being read. Functions return 0, or a negative FS_E... code with imp->err
 * filled; readers of a file return 1 if the file does not exist. A file that is absent or incomplete is not an error:
 * the record types read from the file are marked as hidden in the snapshot's header, and a warning says what is
 * missing.
 *
 * Steps of an importer:
 *   1. read the files        fsi_import_read_lines, fsi_import_read_json; fields of records with fsi_import_set_field
 *   2. check each file       fsi_import_check_signatures: empty file, error message; import/outputs.h: missing keys
 *   3. mark what is missing  fsi_import_hide_type, fsi_import_warn_incomplete, fsi_import_warn_zone
 *   4. finish                fsi_import_list_sources, fsi_import_finish
 *
 * Slurm's steps are in import/slurm/main.c. */
#ifndef FSI_IMPORT_IMPORT_H
#define FSI_IMPORT_IMPORT_H

#include "base/json.h"
#include "base/text.h"
#include "fs/import.h"
#include "model/model.h"

struct fsi_outputs;
struct fsi_output_check;

struct fsi_import {
	fs_snapshot *m;
	const struct fs_source *source;
	struct fs_error *err;
	struct fsi_input_position where; /* file and line number of the line that is being read */
	int64_t utc_offset_s;
	/* UTC offsets of the files' time zone, used instead of utc_offset_s; NULL: unknown */
	const struct fs_utc_offset *zone;
	size_t nzone;
	struct {
		/* number of local times that were read and are ambiguous or impossible because of a clock change: the
		 * clock showed these times twice (repeated_times) or not at all (skipped_times) */
		size_t n;
		struct fsi_input_position first;
	} repeated_times, skipped_times;
	/* table for which the capture was made; the capture may lack data that only other tables need */
	enum fs_import_asked asked_table;
	unsigned opened_files; /* number of files opened so far */
	struct fsi_output_check *checks; /* indexed by row of `outputs`; NULL: the files are not checked */
	const struct fsi_outputs *outputs; /* the files of a capture of this scheduler, at most 64 (import/outputs.h) */
	uint64_t searched; /* one bit for each row of `outputs`: the importer looked for the file */
	uint64_t existing;   /* one bit for each row of `outputs`: the file exists */
	uint64_t incomplete; /* one bit for each row of `outputs`: the file is incomplete */
};

/* String view; not NUL-terminated. */
struct fsi_span {
	const char *s;
	size_t len;
};

/* Callback for one line of a file, without the newline. Returns 0 to continue; any other value ends the reading of the
 * file. */
typedef int (*fsi_line_fn)(struct fsi_import *imp, void *ctx, struct fsi_span line);

/* Calls fn for each line of the file, with imp->where set to the line. If fn returns a value that is not 0, stops and
 * returns this value. Otherwise returns 0, or a negative code, or 1 if the file does not exist. */
int fsi_import_read_lines(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx);

/* Line callback for the file `caller`, whose first line is the login name of the capturing user. `ctx` is the
 * snapshot's header; its member captured_by is set to this name. */
int fsi_import_read_caller(struct fsi_import *imp, void *ctx, struct fsi_span line);

/* Passes the objects of a JSON file to the callbacks of `split`. The bare word Infinity, which json-c writes, is read
 * as null. Returns 0, or a negative code, or 1 if the file does not exist. For an empty file, warns and returns 1: a
 * command without the option --json prints nothing. */
int fsi_import_read_json(struct fsi_import *imp, const char *file, const struct fsi_json_split *split);

/* Calls the listed functions one after the other, until one of them returns a nonzero result. Each function takes the
 * argument ctx of type T and returns int. Sets rc to the last result. Calls no function if rc is already nonzero. */
#define FSI_CALL_UNTIL_ERROR(rc, T, ctx, ...) \
	do { \
		int (*const in_turn[])(T) = { __VA_ARGS__ }; \
		for (size_t turn = 0; turn < sizeof(in_turn) / sizeof(*in_turn) && !(rc); turn++) \
			(rc) = in_turn[turn](ctx); \
	} while (0)

/* If fsi_model_is_out_of_memory returns true, sets the error FS_ENOMEM and returns it; otherwise returns rc.
 * fsi_import_read_lines and fsi_import_read_json call the function at the end of a file. A line callback therefore need
 * not test whether names, sets, warnings and optional fields of jobs could be stored. */
int fsi_import_check_memory(struct fsi_import *imp, int rc);

/* Adds a setting to the configuration, or changes the setting if it exists. `value`: kind and value of the setting.
 * Without memory, fsi_model_is_out_of_memory returns true. */
void fsi_import_store_setting(struct fsi_import *imp, const char *name, struct fsi_config_entry value);
void fsi_import_store_int(struct fsi_import *imp, const char *name, int64_t value);
void fsi_import_store_double(struct fsi_import *imp, const char *name, double value);
void fsi_import_store_text(struct fsi_import *imp, const char *name, const char *value);

/* Ends an import: if rc is 0, sets *out to the snapshot, otherwise frees the snapshot. Returns rc. */
int fsi_import_finish(struct fsi_import *imp, int rc, fs_snapshot **out);

/* Sets the error "expected WANT, got VALUE" for the text `value` of the field `field`. `want` describes a valid value.
 * Returns FS_EDATA. */
int fsi_import_reject_value(struct fsi_import *imp, const char *field, struct fsi_span value, const char *want);

/* Sets the error "expected a number from MIN to MAX, got VALUE" for the text `value` of the field. Returns FS_EDATA. */
int fsi_import_reject_number(struct fsi_import *imp, const char *field, struct fsi_span value, int64_t min,
			     int64_t max);

/* Returns a view of a NUL-terminated string. */
static inline struct fsi_span fsi_string_to_span(const char *text)
{
	return (struct fsi_span){ text, strlen(text) };
}

/* Returns the string view v without its first n bytes; v.len must be at least n. */
static inline struct fsi_span fsi_span_skip_bytes(struct fsi_span v, size_t n)
{
	return (struct fsi_span){ v.s + n, v.len - n };
}

/* Returns true if the text is one of the ways in which scheduler commands print "no value": "", "(null)", "N/A". */
bool fsi_span_is_unset(struct fsi_span v);
/* Returns true for the texts that fsi_span_is_unset accepts, and for "None" and "Unknown". Do not use the function for
 * names, because a name may be "None" or "Unknown". */
bool fsi_span_is_none(struct fsi_span v);
/* returns true if both texts are equal, ignoring ASCII case */
bool fsi_span_is_word(struct fsi_span v, const char *word);
bool fsi_span_equals(struct fsi_span v, struct fsi_span other);
bool fsi_span_starts_with(struct fsi_span v, const char *with);
bool fsi_span_contains_text(struct fsi_span v, const char *text);
/* Returns the first occurrence of `text` in v, or NULL. `rarest` is the index in `text` of the byte that is least
 * frequent in captured files. The search looks for this byte first. */
const char *fsi_span_find_text(struct fsi_span v, const char *text, size_t rarest);
/* Removes blanks and tabs at both ends, and carriage returns at the end. */
struct fsi_span fsi_span_trim_blanks(struct fsi_span v);
/* Splits the line at blanks, tabs and carriage returns. Returns the number of words; stores only the first max of
 * them. */
size_t fsi_span_split_words(struct fsi_span line, struct fsi_span *word, size_t max);

/* Sets *part to the text of *rest before the first `sep`, and removes this text and the `sep` from *rest. Without a
 * `sep`, *part becomes all of *rest, and rest->s becomes NULL. Returns false, with an empty *part, if rest->s is
 * NULL. */
bool fsi_span_cut_part(struct fsi_span *rest, char sep, struct fsi_span *part);

/* ---- setting record fields from the texts that scheduler commands print */

/* Sets field `bit` of the record from a text. Table t describes the fields of the record. Parses numbers,
 * comma-separated lists, durations, local times, TRES ("cpu=4,mem=16G") and yes/no. A text that means "no value"
 * (fsi_span_is_unset, or fsi_span_is_none for fields that are not strings) leaves the field unknown. Error: FS_EDATA,
 * FS_ENOMEM. */
int fsi_import_set_field(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit, struct fsi_rec *rec,
			 struct fsi_span value);

/* Marks a record type as missing or incomplete, in the list `hidden` of the snapshot's header. */
int fsi_import_hide_type(struct fsi_import *imp, const char *record_type);
/* Marks all types in the array record_types as missing or incomplete; the array ends with NULL. */
int fsi_import_hide_types(struct fsi_import *imp, const char *const *record_types);

/* Warns that part of the capture is missing, and adds the message to the header's list `incomplete`. Also marks
 * record_type as hidden, unless record_type is NULL. If the message begins with FOLDER/FILE:, also marks that file as
 * partial. */
int fsi_import_warn_incomplete(struct fsi_import *imp, const char *record_type, const char *fmt, ...) FSI_PRINTF(3, 4);

/* Fills the list `sources` of the snapshot's header at the end of an import. Adds an item "TYPE FILE STATE" for each
 * file of imp->outputs that the importer looked for. STATE is "whole", "partial" or "missing". */
int fsi_import_list_sources(struct fsi_import *imp);

/* Returns FS_EDATA if the record lacks a field that its type requires, otherwise 0. */
int fsi_import_check_required(struct fsi_import *imp, enum fsi_record_type type, const struct fsi_rec *rec);

/* Sets a field of the record *row from the text `value`. TAG is the record type in capitals, `member` is the field's
 * name. */
#define FSI_IMPORT_SET_FIELD(imp, TAG, row, member, value)                                               \
	fsi_import_set_field(imp, fsi_record_table(FSI_RECORD_##TAG), FSI_##TAG##_##member, &(row)->rec, \
		       value)

/* Maps the name of a column or key to a field of a record. */
struct fsi_field_map {
	const char *key;
	unsigned bit;
};

/* Returns the interned text, or FSI_INTERN_FAILED if out of memory. */
uint32_t fsi_import_intern_name(struct fsi_import *imp, struct fsi_span v);

/* Parses a Flux job id, `ƒmtUD79eo`, `fmtUD79eo` or decimal. Returns -1 if the text is not a job id. */
int fsi_import_parse_flux_id(struct fsi_span v, uint64_t *id);
/* Converts a local time from the captured files to UTC, both in seconds since 1970. Counts local times in a repeated or
 * skipped hour in imp->repeated_times and imp->skipped_times. */
int64_t fsi_import_local_to_utc(struct fsi_import *imp, int64_t local);

/* Writes the UTC offsets of the capture's time zone into the snapshot's header. Call it after head.time is set. The
 * offsets come from imp->zone or, if imp->zone is NULL, from the captured file `zone`. If `offset_known` is set,
 * imp->utc_offset_s was derived from the files, and the function returns FS_EDATA if imp->zone has a different offset
 * at head.time. */
int fsi_import_set_zone(struct fsi_import *imp, bool offset_known);

/* Warns of local times in a repeated or skipped hour. Call it after all times are read. */
int fsi_import_warn_zone(struct fsi_import *imp);

/* Parses a local time and converts it to UTC. Returns -1 if the time is invalid or out of range. */
int fsi_import_parse_local_time(struct fsi_import *imp, struct fsi_span v, int64_t *out);

/* Parses `type[/name]=amount,...` into an interned TRES set. If used_in_parens is set, reads the amounts in
 * parentheses: 64 in `cpu=N(64)` and `cpu=10(64)`. Skips amounts that are "N" (no limit) or "N/A". */
int fsi_import_parse_tres(struct fsi_import *imp, const char *field, struct fsi_span v, bool used_in_parens,
			  uint32_t *set);

/* ---- keys and values of a record, if the keys are not known in advance */

/* Maximum number of keys of a record. */
enum { FSI_KV_MAX = 160 };

/* Keys and values in the order of the record. */
struct fsi_kv {
	struct fsi_span key[FSI_KV_MAX], value[FSI_KV_MAX];
	size_t n;
};

/* Returns the value of the first key with this name; {NULL, 0} if there is none. */
struct fsi_span fsi_kv_get_value(const struct fsi_kv *kv, const char *key);

/* ---- `a|b|c` tables of sacctmgr -P, with a header line ---- */

/* FSI_COLUMNS_MAX: maximum number of columns that are read. FSI_COLUMN_HINTS: size of the cache of column positions. */
enum { FSI_COLUMNS_MAX = 160, FSI_COLUMN_HINTS = 61 };

/* State of reading one table: its columns and the cells of the current row. The caller zeroes the struct before use. */
struct fsi_pipe_table {
	char names[FSI_COLUMNS_MAX][32];
	size_t columns; /* number of columns; 0: the header line has not been read */
	struct fsi_span cell[FSI_COLUMNS_MAX];
	/* Cache of column numbers, indexed by (address of a column's name) % FSI_COLUMN_HINTS: number of the column
	 * that was last found by this name. */
	uint8_t hint[FSI_COLUMN_HINTS];
};

/* Reads the header line on the first call, and one row on each further call. Returns false for the header. Cells
 * missing at the end of a row are empty. */
bool fsi_pipe_read_row(struct fsi_pipe_table *p, struct fsi_span line);
/* Returns the number of the first column with this name; p->columns if there is none. */
size_t fsi_pipe_find_column(struct fsi_pipe_table *p, const char *name);
/* Returns the cell of the current row in this column; {NULL, 0} if there is no such column. */
struct fsi_span fsi_pipe_get_cell(struct fsi_pipe_table *p, const char *column);

/* ---- readers of fs_import_slurm */

int fsi_slurm_read_accounting(struct fsi_import *imp);   /* reads TRES, QOS, users and associations from sacctmgr */
int fsi_slurm_read_assoc_mgr(struct fsi_import *imp);    /* reads user ids and usage from scontrol show assoc_mgr */
/* Replaces the usage of associations with the values from fs_import_options.exact_usage. Does nothing if exact_usage is
 * NULL. */
int fsi_slurm_read_exact_usage(struct fsi_import *imp, const struct fs_import_options *o);
/* reads jobs from scontrol show job and squeue */
int fsi_slurm_read_jobs(struct fsi_import *imp);
/* reads partitions, nodes, switches and reservations from scontrol */
int fsi_slurm_read_machine(struct fsi_import *imp);
int fsi_slurm_read_sacct(struct fsi_import *imp);        /* reads usage records from sacct --json or -P */
/* Reads recorded shares from sshare -P. If no other file lists associations, also makes the associations. */
int fsi_slurm_read_sshare(struct fsi_import *imp);
int fsi_slurm_read_sprio(struct fsi_import *imp);        /* reads recorded priorities from sprio -h -o */
struct fsi_request_settings;
/* Derives whole_nodes, gpu_cpus and size_factor of the job from the job-size factor of its sprio row. Returns -1 if out
 * of memory. */
int fsi_slurm_infer_job_size(fs_snapshot *m, struct fsi_job *job, const struct fsi_request_settings *requests,
			     const struct fsi_recorded *r);
/* Derives from the rows of sprio the QOS with which the scheduler last tried each job. Call it after
 * fsi_slurm_read_sprio. */
int fsi_slurm_infer_tried_qos(struct fsi_import *imp);
/* Reads recorded shares with all their digits, and usage by TRES, from sshare --json. Call it after
 * fsi_slurm_read_sshare. */
int fsi_slurm_read_sshare_json(struct fsi_import *imp);

/* Computes each association's own usage: the usage of its subtree minus the usage of its children's subtrees. `shown`,
 * indexed by association row, is the usage of the subtree (NAN: the command printed no usage). `error` is the maximum
 * rounding error of the printed numbers. `source` becomes the header's usage_source. */
int fsi_slurm_set_own_usage(struct fsi_import *imp, const double *shown, double error, const char *source);

/* Maps the record ids of one table of the snapshot to row numbers. The caller frees v. */
struct fsi_id_index {
	struct fsi_id_index_entry {
		uint64_t id;
		uint32_t row;
	} *v;
	size_t n;
};
/* Builds the index of the jobs, or of the associations, that have been read so far. Returns -1 if out of memory. */
int fsi_id_index_init_jobs(struct fsi_id_index *x, const fs_snapshot *m);
int fsi_id_index_init_associations(struct fsi_id_index *x, const fs_snapshot *m);
/* Returns the row of the record with this id; FSI_NO_INDEX if there is none. */
uint32_t fsi_id_index_find_row(const struct fsi_id_index *x, uint64_t id);

/* ---- text that every successful output of a command contains */

/* Text that identifies successful output: at least one line begins, after blanks, with `text` or `alternative` (NULL:
 * no alternative). */
struct fsi_signature {
	const char *file; /* name of the captured file, without folders */
	const char *text, *alternative;
	/* record type to mark as hidden if the file is not the output of a successful command; NULL: mark no type */
	const char *type;
};

/* Checks each existing file named in `signatures`. Warns if the file is empty, contains an error message, or has no
 * line with its signature. */
int fsi_import_check_signatures(struct fsi_import *imp, const struct fsi_signature *signatures, size_t n);

/* ---- records that one file has and another lacks */

/* Counts of the records of one type that a file should have, and of the records that are missing from the file. */
struct fsi_missing_records {
	size_t n; /* number of missing records */
	size_t total; /* number of records that the file should have */
	char first[101]; /* name of the first missing record */
};

/* Counts one record, given by name or id, that the file should have. `present`: the file has the record. */
void fsi_missing_add_name(struct fsi_missing_records *x, bool present, const char *name);
void fsi_missing_add_id(struct fsi_missing_records *x, bool present, uint64_t id);

/* Warns of the missing records, if any: "FILE: 3 of 40 WHAT not there, the first: x". `what` is text such as
 * "associations are". type: record type to mark as hidden; NULL: mark no type. Error: FS_ENOMEM. */
int fsi_missing_warn(struct fsi_import *imp, const char *type, const struct fsi_missing_records *x, const char *file,
		     const char *what);

/* Returns a viewer with the permissions of the user who made the capture. Records that this viewer must not see may be
 * missing from the capture, because of PrivateData. If the user is unknown, the viewer sees everything. */
struct fsi_viewer fsi_import_get_viewer(const fs_snapshot *m);

/* ---- `Key=Value Key=Value` lines of scontrol -o, with many keys
 *
 * A struct fsi_kv_table holds the values of one record. A value extends to the next ` Key=`. The values point into the
 * line, and are valid only until the line callback returns. Free text comes last in a line. If free text contains a
 * word like `Key=`, the table has the value of the real key, which comes first. A struct fsi_kv_table need not be
 * freed. The caller's array of key names must outlive the struct. */

enum { FSI_KV_TABLE_MAX = 128 }; /* maximum number of keys */

/* Values of a record's keys. Key number i is names[i]; the number n means any key that is not in `names`. */
struct fsi_kv_table {
	const char *const *names; /* n distinct keys */
	size_t n;
	/* Chains of keys with the same hash. first[hash] is the first key of the chain; next[i] is the key that follows
	 * key number i in its chain. Both are stored as key number + 1; 0 ends the chain. */
	uint8_t first[256], next[FSI_KV_TABLE_MAX];
	/* length of each key's name, in bytes */
	uint8_t len[FSI_KV_TABLE_MAX];
	/* Guess of the next key, stored as key number + 1; 0: unknown. usual_successor[i] is the key that last followed
	 * key number i. usual_successor[n] is the key that last began a line. */
	uint8_t usual_successor[FSI_KV_TABLE_MAX + 1];
	/* indexed by key number; `s` is NULL if the record lacks the key. value[n] is the value of an unknown name: its
	 * `s` is always NULL. */
	struct fsi_span value[FSI_KV_TABLE_MAX + 1];
};

/* Initializes k for n keys, at most FSI_KV_TABLE_MAX. */
void fsi_kv_table_init(struct fsi_kv_table *k, const char *const *names, size_t n);

/* Returns the number of the key with this name; k->n if the name is NULL or not among k->names. */
size_t fsi_kv_table_find_key(const struct fsi_kv_table *k, const char *name);

/* Removes all values. Call it before the next record is read. */
void fsi_kv_table_clear(struct fsi_kv_table *k);

/* Adds the values of a line, which may be part of a record. If a key occurs twice, its first value is stored. */
void fsi_kv_table_read_line(struct fsi_kv_table *k, struct fsi_span line);

/* ---- records that a newline in a job's name splits: scontrol -o and squeue -O do not escape the newline */

/* Calls fn for each record of scontrol_job_o.txt, as fsi_import_read_lines does. If a line ends within the job's name,
 * the next lines are joined to this line with newlines, up to and including the line with UserId=. A line that begins
 * with JobId= always begins a record, because the line before it may be truncated. */
int fsi_import_read_job_records(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* Calls fn for each row of squeue_O.txt, as fsi_import_read_lines does. If a row ends before the column ASSOC_ID, the
 * next lines are joined to the row, as long as the result is not longer than the heading line. squeue pads every row to
 * the length of the heading line. */
int fsi_import_read_squeue_rows(struct fsi_import *imp, fsi_line_fn fn, void *ctx);

/* A column of squeue -O. Columns have fixed widths. If a cell fills its column, no blank follows the cell. */
struct fsi_fixed_column {
	/* at: offset of the column's first byte; width: number of bytes of the column, 0: no such column */
	size_t at, width;
};

/* Returns the column with this name in the heading line. Cannot find the first column, because offset 0 means "no such
 * column". */
struct fsi_fixed_column fsi_squeue_find_column(struct fsi_span heading, const char *name);

#endif
