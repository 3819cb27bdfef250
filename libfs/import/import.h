/* What all importers use: files line by line, setting fields of records, ids, local times, and notes on missing
 * files. */
#ifndef FSI_IMPORT_IMPORT_H
#define FSI_IMPORT_IMPORT_H

#include "base/json.h"
#include "base/text.h"
#include "fs/import.h"
#include "model/viewer.h"

/* Shared by the importers: a source's files line by line, and setting fields of records. */

struct fsi_import {
	fs_snapshot *m;
	const struct fs_source *source;
	struct fs_error *err;
	struct fsi_where where; /* of the line at hand */
	int64_t utc_offset_s;
	const struct fs_utc_offset *zone; /* of the files' local times, in place of it; NULL: not told */
	size_t nzone;
	struct {
		size_t n; /* times of an hour that came twice, or not at all */
		struct fsi_where first;
	} twice, never;
	enum fs_import_asked only; /* as asked for */
	unsigned files; /* found so far */
	const struct fsi_import_source *sources; /* at most 64; the last has no type */
	uint64_t asked, found, partial;		 /* of them, by bit */
};

/* A file that records of a type are made from, by its name without folders; what stands behind the * of `showq*` is
 * any. */
struct fsi_import_source {
	const char *type, *file;
};

/* A stretch of text; not NUL-terminated. */
struct fsi_span {
	const char *s;
	size_t len;
};

typedef int (*fsi_line_fn)(struct fsi_import *imp, void *ctx, struct fsi_span line);

/* Calls fn for each line of the file. Returns 0, 1 when there is no such file, or a negative code. */
int fsi_import_lines(struct fsi_import *imp, const char *file, fsi_line_fn fn, void *ctx);

/* For fsi_import_lines of the file `caller`, whose first line is who captured; ctx is the header. */
int fsi_import_caller(struct fsi_import *imp, void *ctx, struct fsi_span line);

/* Hands the objects of a JSON file to the split's callbacks; returns as above. Infinity, which json-c writes as a bare
 * word, is read as null. An empty file, of a command that does not know the option, is as good as none. */
int fsi_import_json(struct fsi_import *imp, const char *file, const struct fsi_json_split *split);

/* Calls int f(T) of each name with ctx while rc is 0, which becomes what the last one returned. */
#define FSI_IN_TURN(rc, T, ctx, ...)                                                                           \
	do {                                                                                                   \
		int (*const in_turn[])(T) = { __VA_ARGS__ };                                                   \
		for (size_t turn = 0; turn < sizeof(in_turn) / sizeof(*in_turn) && !(rc); turn++)              \
			(rc) = in_turn[turn](ctx);                                                             \
	} while (0)

/* The end of an importer: hands over the snapshot, or frees it where rc is not 0; rc. */
int fsi_import_end(struct fsi_import *imp, int rc, fs_snapshot **out);

int fsi_import_bad(struct fsi_import *imp, const char *field, struct fsi_span value, const char *want);

static inline struct fsi_span fsi_span_of(const char *text)
{
	return (struct fsi_span){ text, strlen(text) };
}

/* What stands behind the first n bytes, of which there are as many. */
static inline struct fsi_span fsi_span_from(struct fsi_span v, size_t n)
{
	return (struct fsi_span){ v.s + n, v.len - n };
}

/* Is it one of the ways scheduler commands say "nothing": "", "(null)", "N/A"? For anything that is not
 * a name also "None" and "Unknown". */
bool fsi_span_unset(struct fsi_span v);
bool fsi_span_none(struct fsi_span v);
bool fsi_span_is(struct fsi_span v, const char *word); /* ASCII case does not matter */
bool fsi_span_equals(struct fsi_span v, struct fsi_span other);
bool fsi_span_begins(struct fsi_span v, const char *with);
bool fsi_span_holds(struct fsi_span v, const char *text);
/* Where the text stands first, or NULL; rare is the place in it of the letter that is least found elsewhere. */
const char *fsi_span_find(struct fsi_span v, const char *text, size_t rare);
struct fsi_span fsi_span_trim(struct fsi_span v);
/* How many words there are between blanks; of them the first max. */
size_t fsi_span_words(struct fsi_span line, struct fsi_span *word, size_t max);

/* Cuts the part up to sep off the front of *rest; false, and *part empty, when *rest is used up. */
bool fsi_span_cut(struct fsi_span *rest, char sep, struct fsi_span *part);

/* ---- setting fields; value texts as the scheduler's commands print them ---- */

/* Field `bit` of the record by its table, from text: numbers, lists (comma separated), durations,
 * local times, TRES ("cpu=4,mem=16G"), yes/no. Text that says "nothing" leaves the field unknown.
 * Error: FS_EDATA. */
int fsi_import_set(struct fsi_import *imp, const struct fsi_record_table *t, unsigned bit,
		   struct fsi_rec *rec, struct fsi_span value);

/* Marks a record type as missing or incomplete in the snapshot's header; or each of the types up to NULL. */
int fsi_import_hide(struct fsi_import *imp, const char *record_type);
int fsi_import_hide_all(struct fsi_import *imp, const char *const *record_types);

/* Warns that something in the capture is not whole, and keeps the sentence in the header. record_type as above, or
 * NULL where records are not missing. */
int fsi_import_incomplete(struct fsi_import *imp, const char *record_type, const char *fmt, ...) FSI_PRINTF(3, 4);

/* Writes the header's sources at the end: each of imp->sources that was looked for, with "whole", "partial" or
 * "missing". */
int fsi_import_sources(struct fsi_import *imp);

/* Refuses a record that lacks a required field. */
int fsi_import_complete(struct fsi_import *imp, enum fsi_record_type type, const struct fsi_rec *rec);

#define FSI_IMPORT_SET(imp, TAG, row, member, value)                                               \
	fsi_import_set(imp, fsi_record_table(FSI_RECORD_##TAG), FSI_##TAG##_##member, &(row)->rec, \
		       value)

/* Names of columns or keys on one side, fields of a record on the other. */
struct fsi_import_map {
	const char *key;
	unsigned bit;
};

uint32_t fsi_import_name(struct fsi_import *imp, struct fsi_span v); /* interned */

/* The number of a job of Flux, `ƒmtUD79eo`, `fmtUD79eo` or decimal. -1: it is none. */
int fsi_import_flux_id(struct fsi_span v, uint64_t *id);
/* Local time of the files as seconds since 1970 in UTC. */
int64_t fsi_import_utc(struct fsi_import *imp, int64_t local);

/* Writes the zone of the capture into the header, once its time is known; offset_known: utc_offset_s was learned
 * from the files. */
int fsi_import_zone(struct fsi_import *imp, bool offset_known);

/* Warns, after all times are read in a zone, of those that the zone leaves open. */
int fsi_import_zone_told(struct fsi_import *imp);

int fsi_import_local_time(struct fsi_import *imp, struct fsi_span v, int64_t *out);

/* `type[/name]=amount,...` into an interned set; with used_in_parens the numbers of `cpu=N(64)` or
 * `cpu=10(64)` that stand in the parentheses. Amounts that are not numbers ("N") are left out. */
int fsi_import_tres(struct fsi_import *imp, const char *field, struct fsi_span v, bool used_in_parens, uint32_t *set);

/* ---- `Key=Value Key=Value` lines of scontrol -o ---- */

enum { FSI_KV_MAX = 160 };

struct fsi_kv {
	struct fsi_span key[FSI_KV_MAX], value[FSI_KV_MAX];
	size_t n;
};

/* A value runs to the next ` Key=`. Of a key that stands twice the first counts (free text comes last). */
void fsi_kv_split(struct fsi_kv *kv, struct fsi_span line);
struct fsi_span fsi_kv_get(const struct fsi_kv *kv, const char *key); /* {NULL, 0} if it is not there */

int fsi_kv_set_all(struct fsi_import *imp, const struct fsi_kv *kv, const struct fsi_import_map *map, size_t n,
		   enum fsi_record_type type, struct fsi_rec *rec);

/* ---- `a|b|c` tables of sacctmgr -P, with a header line ---- */

enum { FSI_COLUMNS_MAX = 160, FSI_COLUMN_HINTS = 61 };

struct fsi_pipe {
	char names[FSI_COLUMNS_MAX][32];
	size_t columns; /* 0: header not seen yet */
	struct fsi_span cell[FSI_COLUMNS_MAX];
	uint8_t hint[FSI_COLUMN_HINTS]; /* by where the name stood that was asked for: the column it was last */
};

/* Takes the header line, later a row; false after the header. Cells missing at the end are empty. */
bool fsi_pipe_row(struct fsi_pipe *p, struct fsi_span line);
size_t fsi_pipe_column(struct fsi_pipe *p, const char *name); /* the first of that name; p->columns if absent */
struct fsi_span fsi_pipe_get(struct fsi_pipe *p, const char *column); /* {NULL, 0} if absent */

int fsi_pipe_set_all(struct fsi_import *imp, struct fsi_pipe *p, const struct fsi_import_map *map, size_t n,
		     enum fsi_record_type type, struct fsi_rec *rec);

/* ---- the parts of fs_import_slurm ---- */

/* Reads Exclusive= of a job or a partition into that field, where it is not NO; Slurm before 26.05 has no such word. */
int fsi_slurm_exclusive(struct fsi_import *imp, struct fsi_span exclusive, enum fsi_record_type type,
			unsigned bit, struct fsi_rec *rec);

int fsi_slurm_accounting(struct fsi_import *imp);   /* sacctmgr: tres, qos, users, associations */
int fsi_slurm_assoc_mgr(struct fsi_import *imp);    /* scontrol show assoc_mgr: uids, usage */
int fsi_slurm_exact_usage(struct fsi_import *imp, const struct fs_import_options *o);
int fsi_slurm_machine(struct fsi_import *imp);      /* partitions, nodes, reservations */
int fsi_slurm_sacct(struct fsi_import *imp);        /* sacct -P: usage records */
int fsi_slurm_sshare(struct fsi_import *imp);       /* sshare -P */
int fsi_slurm_sprio(struct fsi_import *imp);        /* sprio -h -o */
struct fsi_requests;
int fsi_slurm_note_size(fs_snapshot *m, struct fsi_job *job, const struct fsi_requests *requests,
			const struct fsi_recorded *r); /* what a row's job-size factor tells: slurm/whole.c */
int fsi_slurm_tried(struct fsi_import *imp);        /* what the rows of sprio tell, after them */
int fsi_slurm_sshare_json(struct fsi_import *imp);  /* sshare --json, after the text */

/* Turns usage as shown on every row (NAN: not shown) into what belongs to the row itself; a shown number
 * is off by at most `error`. source names where it came from. */
int fsi_slurm_leaf_usage(struct fsi_import *imp, const double *shown, double error, const char *source);

/* Rows of the records read so far in a table of the model, by id; FSI_NO_INDEX if there is none. */
struct fsi_id_index {
	struct fsi_id_index_entry {
		uint64_t id;
		uint32_t row;
	} *v;
	size_t n;
};
int fsi_index_jobs(struct fsi_id_index *x, const fs_snapshot *m); /* -1 without memory */
int fsi_index_associations(struct fsi_id_index *x, const fs_snapshot *m);
uint32_t fsi_index_find(const struct fsi_id_index *x, uint64_t id);

/* What every good output of a command has, so that one is warned of which lacks it, or has an error in it. */

/* Some line of the file begins with the mark, or with the other (NULL: none), blanks aside. */
struct fsi_mark {
	const char *file, *mark, *other;
	const char *type; /* of the records that are incomplete without it; NULL: of none */
};

/* Looks through the files that are there. */
int fsi_import_marks(struct fsi_import *imp, const struct fsi_mark *marks, size_t n);

/* Records that one file has and another lacks are counted, and warned of. */

/* How many records of one kind are not there, and the first of them. */
struct fsi_missing {
	size_t n, of;
	char first[101];
};

void fsi_missing_note(struct fsi_missing *x, bool there, const char *name);
void fsi_missing_note_id(struct fsi_missing *x, bool there, uint64_t id);

/* Warns of what is not there: "3 of 40 associations are not there, the first: x". type: the records that are then
 * not whole; NULL: the capture is not. Error: FS_ENOMEM. */
int fsi_missing_warn(struct fsi_import *imp, const char *type, const struct fsi_missing *x, const char *file,
		     const char *what);

/* The viewer that PrivateData=usage keeps associations from: who captured. */
struct fsi_viewer fsi_missing_viewer(const fs_snapshot *m);

#endif
