/* fs-snap: its options, the functions that its verbs share, and the history folder that fs-snap keep maintains. A verb
 * takes the arguments after its name and returns the exit status; errors are reported. The caller frees the
 * snapshots. */
#ifndef SNAP_SNAP_H
#define SNAP_SNAP_H

#include "cmd.h"
#include "files/files.h"
#include "input/input.h"
#include "render/json.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- verbs */

struct snap_options {
	const char *output;      /* output file (-o); NULL: standard output */
	const char *exact_usage; /* value of --exact-usage, a file; NULL: not given */
	/* value of --raw, a folder in which the captured files are stored; NULL: the files are not stored */
	const char *raw;
	const char *timeout, *limit, *records;
	unsigned mode; /* value of --mode, permissions of the output file; 0: SNAP_MODE */
	const char *zone; /* value of --tz, a time zone; NULL: derived from the captured files */
	const char *at; /* value of --at, a time; NULL: derived from the captured files */
	bool outside; /* --outside is given */
	const char *key; /* value of --key, a key file; NULL: a random key that is not stored */
	bool index;   /* --index is given */
	bool anonymise; /* --anonymise is given, or --key is given for a ticket */
	bool checked; /* the output file is replaced only if the new snapshot is valid */
	enum json_form json; /* value of --json (check, verify) */
};

/* Reads the snapshot file that is the only argument of the verb. Returns 0, or the exit status; errors are reported. */
int snap_read_one(const struct invocation *inv, const char *verb, int argc, char **argv, fs_snapshot **out);

/* Notes about a snapshot. If `store_all` is true, all notes are stored for a JSON document. Otherwise the first 20
 * notes are printed. snap_add_note is an fs_note_fn; its `notes` points to a struct snap_notes. */
struct snap_notes {
	const char *prefix; /* prefix of each printed note */
	size_t count;
	bool store_all;
	struct names stored;
	bool failed; /* memory ran out, so notes are missing */
};
void snap_add_note(void *notes, const char *sentence);
void snap_print_notes_end(const struct snap_notes *notes); /* prints how many notes were left out */
void snap_write_notes_json(const struct snap_notes *notes,
			   struct fs_json *j); /* writes the stored notes as the JSON member "notes" */

/* Sets *bytes to the value of --limit, or to `usual` if --limit is not given. Returns 0, or the exit status; errors are
 * reported. */
int snap_parse_limit(const struct invocation *inv, const struct snap_options *o, uint64_t usual, uint64_t *bytes);

int snap_run_check(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_capture(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_keep(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_index(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_anonymise(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_ticket(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);
int snap_run_verify(const struct invocation *inv, const struct snap_options *o, int argc, char **argv);

/* snap_make_anonymised makes an anonymised copy of the snapshot. `file` contains the key; NULL: a random key that is
 * not stored. Compares the values computed from the snapshot with those computed from the copy, which must be equal,
 * and sets *n to the number of compared rows. Returns 0, or the exit status; errors are reported.
 * snap_warn_of_identifiers prints n and a list of the data that may still identify somebody. */
int snap_make_anonymised(const struct invocation *inv, const fs_snapshot *s, const char *file, fs_snapshot **out,
			 size_t *n);
void snap_warn_of_identifiers(const struct invocation *inv, size_t n);

/* Captures the live cluster. `scheduler`: "slurm" or "flux"; NULL: the scheduler whose commands are installed. Returns
 * 0, or the exit status; errors are reported. */
int snap_capture_cluster(const struct invocation *inv, const struct snap_options *o, const char *scheduler,
			 fs_snapshot **out);

/* Default permissions of output files. Only the owner may read them, because a snapshot may show private data. */
enum { SNAP_MODE = 0600 };

/* Writes the snapshot to o->output (NULL: standard output) and prints the warnings of the snapshot. A regular file is
 * replaced atomically. Returns the exit status; errors are reported. */
int snap_write_output(const struct invocation *inv, const fs_snapshot *s, const struct snap_options *o);

/* Returns 0 if all commands of fs-tools accept the snapshot, else the error code of the first command that refuses
 * it. */
int snap_try_commands(const fs_snapshot *s, struct fs_error *err);

/* A snapshot that is checked when it is written: the new file is read back and checked before it replaces the old
 * file. */
struct snap_checked {
	const struct invocation *inv;
	const fs_snapshot *s;
	save_put_fn put;
	const char *name; /* name of the output file */
};

/* ---- the history folder. The age of a snapshot is counted back from the newest snapshot that is not an outlier
 * (history_count_outlier_times). All snapshots up to a day old are kept. The first snapshot of each hour is kept up to
 * an age of a week, the first of each day (UTC) up to an age of a year. Other snapshots are removed. Applying this rule
 * a second time removes nothing more. */

/* Size of a buffer for a file name such as "20261122T233810Z.jsonl.zst". */
enum { HISTORY_NAME_SIZE = 40 };
int history_format_file_name(char out[HISTORY_NAME_SIZE],
			     int64_t time);                       /* returns -1 if the time cannot be formatted */
/* returns -1 if `name` is not the name of a snapshot in a history folder */
int history_parse_file_name(const char *name, int64_t *time);

/* Returns the number of outliers at the end of `time`. An outlier was captured a year or more after the snapshot before
 * it. Ages are not counted from an outlier, because a wrong clock would make all other snapshots seem too old to keep.
 * The times ascend. */
size_t history_count_outlier_times(const int64_t *time, size_t n);

/* Sets keep[i] to true if the history folder keeps the snapshot captured at time[i], else to false. The times
 * ascend. */
void history_choose_retained_times(const int64_t *time, size_t n, bool *keep);

/* ---- comparison of an anonymised snapshot with its original */

/* Compares the results computed from two snapshots that differ only in names. The results are shares, fair-share
 * windows, priorities with their terms, queue positions with verdicts, and planned starts. Sets *what to the name of
 * the first kind of results that differs ("priorities"), or to NULL if all are equal. Sets *n to the number of rows
 * compared. Returns 0 or an error code. */
int snap_compare_computed_values(const fs_snapshot *a, const fs_snapshot *b, const char **what, size_t *n,
				 struct fs_error *err);

#endif
