/* The verbs of fs-snap, and the folder of snapshots that fs-snap keep maintains. */
#ifndef SNAP_SNAP_H
#define SNAP_SNAP_H

#include "cmd.h"
#include "files/files.h"
#include "input/input.h"
#include "render/json.h"

#include <stdbool.h>
#include <stdint.h>

/* The verbs of fs-snap, one file each. */

struct snap_options {
	const char *output;      /* -o, NULL: standard output */
	const char *exact_usage; /* --exact-usage */
	const char *raw;         /* --raw, NULL: captured files are not kept */
	const char *timeout, *limit, *records;
	unsigned mode; /* --mode, 0: SNAP_MODE */
	const char *zone; /* --tz, NULL: an offset told by the files */
	const char *at; /* --at, NULL: told by the files */
	bool outside; /* --outside */
	const char *key; /* --key, NULL: one that nobody keeps */
	bool index;   /* --index */
	bool anonymise; /* --anonymise: so does a key */
	bool checked; /* write nothing that is not valid */
	enum json_form json; /* --json: of check and verify */
};

/* That snapshot: 0, or the exit status (reported). */
int snap_read_one(const struct invocation *inv, const char *verb, int argc, char **argv, fs_snapshot **out);

/* Sentences said of a snapshot, of which the first few are printed, or all are kept for a document: an fs_note_fn, and
 * what it was told. */
struct snap_notes {
	const char *begin; /* before each */
	size_t count;
	bool keep;
	struct names kept;
	bool failed; /* out of memory: not all were kept */
};
void snap_note(void *notes, const char *sentence);
void snap_notes_end(const struct snap_notes *notes); /* how many more there were */
void snap_notes_json(const struct snap_notes *notes, struct fs_json *j); /* "notes": those kept */

/* --limit in bytes, `usual` where it is not given. 0, or the exit status (reported). */
int snap_limit(const struct invocation *inv, const struct snap_options *o, uint64_t usual, uint64_t *bytes);

int snap_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_keep(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_index(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_anonymise(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_ticket(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);

/* The snapshot under other names, by the key in that file (NULL: one that nobody keeps), and how many rows of numbers
 * were found the same. 0, or the exit status (reported); what stays and may identify is told apart. */
int snap_rename(const struct invocation *inv, const fs_snapshot *s, const char *file, fs_snapshot **out, size_t *n);
void snap_warn_what_identifies(const struct invocation *inv, size_t n);

/* Captures the live cluster; scheduler: NULL for the one that is there. 0, or the exit status (reported). */
int snap_take(const struct invocation *inv, const struct snap_options *o, const char *scheduler, fs_snapshot **out);

/* Permissions of what is written, where nothing else is asked for: a snapshot shows what its owner may see. */
enum { SNAP_MODE = 0600 };

/* Writes the snapshot to o->output whole or not at all, or to standard output. Prints its warnings. */
int snap_write(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o);

/* Returns 0 if all commands accept the snapshot, else the error of the first that refuses it. */
int snap_try_commands(const fs_snapshot *s, struct fs_error *err);

/* A snapshot that is read back from the file before the file gets its name. */
struct snap_checked {
	const struct invocation *inv;
	const fs_snapshot *s;
	save_put_fn put;
	const char *name; /* of the file */
};

/* Which snapshots of a history stay: all of the last day, of the week before it the first of each hour, of the year
 * before that the first of each day (UTC). Ages count from the newest that is not astray. What is thinned again loses
 * nothing more. */

/* "20261122T233810Z.jsonl.zst" */
enum { KEPT_NAME = 40 };
int kept_name(char out[KEPT_NAME], int64_t time); /* -1: the time has none */
int kept_time(const char *name, int64_t *time);	  /* -1: it is no such name */

/* How many at the end come a year and more after all before them: one clock that was wrong must not empty the
 * folder. */
size_t astray(const int64_t *time, size_t n);

/* keep[i]: does the snapshot of time[i] stay? Times rise. */
void thin(const int64_t *time, size_t n, bool *keep);

/* Do two snapshots, the same but for names, give the same numbers? */

/* Shares, priorities with their terms, places and verdicts in the queue, planned starts: rows are matched by ids, names
 * are not looked at. 0 and *what NULL: all the same; *what: what differs ("priorities"); *n: how many rows were
 * compared. A negative enum fs_code (without memory). */
int same_numbers(const fs_snapshot *a, const fs_snapshot *b, const char **what, size_t *n, struct fs_error *err);

#endif
