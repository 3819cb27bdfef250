/* The verbs of fs-snap, one file each. */
#ifndef SNAP_SNAP_H
#define SNAP_SNAP_H

#include "cmd.h"
#include "files/save.h"
#include "input/names.h"
#include "render/json.h"

struct snap_options {
	const char *output;      /* -o, NULL: standard output */
	const char *exact_usage; /* --exact-usage */
	const char *raw;         /* --raw, NULL: captured files are not kept */
	const char *timeout, *limit, *records;
	unsigned mode; /* --mode, 0: SNAP_MODE */
	const char *zone; /* --tz, NULL: an offset told by the files */
	const char *at; /* --at, NULL: told by the files */
	enum fs_maui_dialect maui_dialect;
	bool outside; /* --outside */
	const char *key; /* --key, NULL: one that nobody keeps */
	bool index;   /* --index */
	bool anonymise; /* --anonymise: so does a key */
	bool checked; /* write nothing that is not valid */
	bool small;	/* --small: a ticket with what its page needs alone */
	enum json_form json; /* --json: of check and verify */
};

/* Was it given one file? 0, or the exit status (reported). */
int snap_one_file(const struct invocation *inv, const char *verb, int argc);

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

/* A table of where the records come from that the scheduler's snapshots have, and what is not known without them. */
void snap_print_sources(const fs_snapshot *s);
/* The same as "rows", behind which a document has no more members. */
void snap_json_sources(const fs_snapshot *s, struct fs_json *j);

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

/* A save_put_fn for a struct snap_checked: puts the snapshot, and fails if what it wrote is not valid. */
int snap_put_checked(const void *checked, FILE *stream, struct fs_error *err);

/* A save_put_fn: a snapshot, compressed. */
int snap_put_packed(const void *what, FILE *stream, struct fs_error *err);

/* Makes the file's index anew from what it holds: exit status (reported). */
int snap_make_index(const struct invocation *inv, const char *file);

#endif
