/* The history of shares or job priorities over a folder of snapshots: fs-share --history, fs-prio --history.
 *
 * A history is computed in four steps:
 *	1. history_print_query lists the snapshots of the folder (struct history_folder).
 *	2. It reads the history lines of each snapshot, either from the digest beside the snapshot (digest_find_lines)
 *	   or by evaluating the snapshot itself (history_gather_lines).
 *	3. Each line that the query asks for is parsed and becomes a point: one share row or one job queue record at
 *	   the time of one snapshot (struct history_point).
 *	4. history_print_points prints the points as a table, CSV, JSON, text plots or an SVG picture.
 *
 * A series is all points of one share row or of one job in one partition and QOS, by time. The points own their line
 * texts and records; they borrow the file names from the folder. A query borrows everything from its caller. A function
 * that returns an exit status has printed the message of an error. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "input/input.h"
#include "render/json.h"
#include "cmd.h"

#include <inttypes.h>
#include <sys/types.h>

/* Output formats of a history. */
enum history_format { HISTORY_TABLE, HISTORY_JSON, HISTORY_CSV, HISTORY_PLOT, HISTORY_SVG };

/* A history that the command line requests. */
struct history_query {
	const struct invocation *inv;
	const struct input *input; /* input options, which also determine the viewer */
	const char *folder;
	/* users and accounts whose share rows are printed; if both lists are empty, the share rows of the viewer are
	 * printed */
	const struct names *users, *accounts;
	bool all;                             /* print every share row */
	/* ids of the requested jobs as typed; NULL: the history is of shares, not of jobs */
	const struct names *jobs;
	enum history_format form;
	enum json_form json;
	const char *svg; /* output file of the SVG picture; used only if `form` is HISTORY_SVG */
	bool no_header;
};

/* Output formats requested by the options of a command. */
struct history_requested_formats {
	/* `unsupported`: a format that a history does not support is requested */
	bool json, csv, plot, svg, unsupported;
};

/* Returns the requested format; HISTORY_TABLE if none is requested. */
enum history_format history_select_format(const struct history_requested_formats *f);

/* Checks the options of a command that was called with --history, --csv or --plot. `folder` is NULL without --history.
 * `wrong` is the error message about an option that conflicts with --history; NULL if there is no such option. Returns
 * -1 to continue, or the exit status after an error message. */
int history_check_options(const struct invocation *inv, const struct input *in, const char *folder,
			  const struct history_requested_formats *f, const char *wrong);

/* Prints the history. Returns the exit status. The status is EXIT_NOTHING if the folder has no snapshots, or if no
 * snapshot contains a requested row. */
int history_print_query(const struct history_query *c);

/* ---- points of a history: declarations for the files of cmd/history */

struct history_record;

/* One share row, or one job in one partition and QOS, at the time of one snapshot. */
struct history_point {
	int64_t time;         /* time of the snapshot, seconds since the epoch */
	int32_t utc_offset_s; /* local time minus UTC at `time`, in seconds */
	const char *file;     /* path of the snapshot file */
	char *text;           /* text of the history line; the strings of `record` point into it */
	struct history_record *record;
	size_t sequence; /* number of points read before this point */
};

/* All points of a history, sorted by time, then by job id, names and sequence number. */
struct history_points {
	struct history_point *v;
	size_t n, capacity;
	char cluster[64], scheduler[64]; /* names of the cluster and of the scheduler in the newest snapshot */
	/* ids of the requested jobs, in the order of the query's `jobs`; NULL for a history of shares */
	uint64_t *job_ids;
};

/* Prints the points in the format of the query. Returns the exit status. */
int history_print_points(const struct history_query *c, const struct history_points *p);

/* ---- folders of snapshots */

/* The snapshot files (*.jsonl, *.jsonl.zst) of a folder. Symbolic links and other non-regular files are left out. Files
 * are also left out if they belong neither to the owner of the folder nor to the caller nor to root. */
struct history_folder {
	char *path;
	struct names files;   /* paths (folder/name), sorted by name */
	size_t foreign_files; /* number of files left out because of their owner */
};

/* ---- history lines
 *
 * The rows of a snapshot as lines of text: the shares of each account and user, the priority of each job. The fields
 * are separated by tabs. The fields before the numbers are the key. The lines of a digest are sorted by the bytes of
 * the key:
 *
 *	s USER ACCOUNT PARTITION             name=number ...
 *	j JOB (20 digits) PARTITION QOS USER ACCOUNT STATE  name=number ...
 *
 * Numbers have 17 significant digits and are read back without loss. An unknown number is empty ("name="). */

enum { RECORD_VALUES_MAX = 64 }; /* maximum number of values in a history line */

/* A named number of a history line. The name is the key of a share column, "priority", "position" or the name of a
 * priority term. */
struct history_value {
	const char *name;
	double value; /* the number; NAN: unknown */
};

/* A parsed history line. The strings point into the text of the line. */
struct history_record {
	/* true: the line has values of a job in one partition and QOS; false: the line has values of a share row */
	bool of_job;
	uint64_t job;                                         /* job id; 0 for a share row */
	const char *user, *account, *partition, *qos, *state; /* "": the history line does not have this field */
	struct history_value value[RECORD_VALUES_MAX];
	size_t n;
};

/* Copies text to buf, with control characters and backslashes written as \xHH. Returns 0, or -1 if buf is too small. */
int history_escape_field(char *buf, size_t size, const char *text);

/* Parses the text of a history line. The function modifies the text, and *out points into the text. Returns 0, or -1 if
 * the text is not a valid line. */
int history_parse_line(char *text, struct history_record *out);

/* Compares two records by job id, then by user, account, partition and QOS. Returns 0 if both records belong to the
 * same series. */
int history_compare_records(const struct history_record *a, const struct history_record *b);

/* Returns the value with this name; NAN if the value is unknown or the record does not contain it. */
double history_get_value(const struct history_record *l, const char *name);

/* Receives one history line, whose text is valid only during the call. Returns 0 to continue. */
typedef int (*history_line_fn)(void *ctx, const char *text);

/* Calls fn for the history lines of a snapshot, in no particular order. Skips lines that view->viewer may not see.
 * `which` selects share lines, job lines or both. Returns 0, the first non-zero value that fn returned, or an error
 * code. */
enum { HISTORY_SHARE_LINES = 1, HISTORY_JOB_LINES = 2 };
int history_gather_lines(const fs_snapshot *s, const struct fs_view *view, unsigned which, history_line_fn fn,
			 void *ctx, struct fs_error *err);

/* ---- series: the points of one share row, or of one job in one partition and QOS */

/* Sizes of the buffers for a formatted time, a number and the name of a series, in bytes. */
enum { POINT_TIME_SIZE = 20, POINT_NUMBER_SIZE = 400, SERIES_NAME_SIZE = 600 };

/* Formats the local time of a point; "?" if the time cannot be converted. */
const char *history_format_time(char out[POINT_TIME_SIZE], const struct history_point *p);

/* Formats a number; "" for NAN. */
const char *history_format_number(char buf[POINT_NUMBER_SIZE], double v);

/* Receives one series: its n points, ordered by time. */
typedef void (*history_series_fn)(void *ctx, const struct history_query *c, const struct history_point *const *v,
				  size_t n);

/* Calls fn once for each series, in the order in which the first points of the series are in `p`. Returns 0, or
 * EXIT_FAILED if out of memory. */
int history_visit_series(const struct history_query *c, const struct history_points *p, history_series_fn fn,
			 void *ctx);

/* Returns the name of the value that text plots and pictures draw for a record. For a job the name is "priority". For a
 * share row the name is "fairshare", or "effective_usage" if the record has no known fair-share factor. */
const char *history_select_value_name(const struct history_query *c, const struct history_record *l);

/* Formats the name of a series: "fairshare of dana at quantum". */
const char *history_format_series_name(char buf[SERIES_NAME_SIZE], const struct history_record *l, const char *measure);

/* Prints a text plot of each series. Returns 0, or EXIT_FAILED if out of memory. */
int history_print_plots(const struct history_query *c, const struct history_points *p);

/* Prints for each series the greatest change between two successive points, and the fs-diff command that shows the
 * causes of that change. Returns 0, or EXIT_FAILED if out of memory. */
int history_print_greatest_changes(const struct history_query *c, const struct history_points *p);

/* ---- digests
 *
 * FILE.digest is written beside the snapshot FILE by fs-snap keep. It contains the history lines of the snapshot for
 * all users, sorted, in separately compressed blocks. A query about one user or job therefore reads only a few
 * kilobytes of each snapshot. The file consists of:
 *
 *	the magic string "fs-digest\n"
 *	the blocks, one zstd frame each
 *	the table: one line about the digest (DIGEST_HEAD), then one line for each block (DIGEST_ROW and first key)
 *	the trailer: offset, size and checksum of the table, 16 hexadecimal digits each
 *
 * A digest is used only if it belongs to the unchanged snapshot, has the same owner, cannot be written by others and
 * was made by this version of fs-tools. Otherwise the snapshot itself is read. */

/* Returns "FILE.digest", which the caller frees; NULL if out of memory. */
char *digest_format_file_name(const char *file);

/* Writes the digest of snapshot s, which was read from `file`, to an open file. Returns 0 or an error code. */
int digest_write_file(const fs_snapshot *s, const char *file, FILE *to, struct fs_error *err);

/* A digest that is open for reading. */
struct digest;

/* Opens the digest of a snapshot file. The caller calls digest_close_file. Returns NULL if there is no digest that may
 * be used for the snapshot, or if out of memory. */
struct digest *digest_open_file(const char *file);
void digest_close_file(struct digest *d); /* frees the digest; d may be NULL */

/* digest_get_time returns the time of the snapshot, seconds since the epoch. digest_get_utc_offset returns local time
 * minus UTC at that time, in seconds. */
int64_t digest_get_time(const struct digest *d);
int32_t digest_get_utc_offset(const struct digest *d);

/* Returns true if PrivateData hides part of the snapshot from some users. The digest contains the hidden lines too. */
bool digest_has_private_lines(const struct digest *d);

/* Calls fn for each line that begins with `key`. Returns 0, the first non-zero value that fn returned, or -1 if out of
 * memory or if the digest is damaged. */
int digest_find_lines(struct digest *d, const char *key, history_line_fn fn, void *ctx);

/* ---- format of a digest file */

#define DIGEST_MAGIC "fs-digest\n"
enum {
	DIGEST_FORMAT_VERSION = 1,           /* version of the file format */
	/* a block ends with the line that brings its uncompressed size to at least this number of bytes */
	DIGEST_BLOCK_SIZE = 64 * 1024,
	DIGEST_BLOCK_MAX = 128 * 1024,       /* maximum size of a block, compressed or uncompressed, in bytes */
	DIGEST_TABLE_MAX = 64 * 1024 * 1024, /* maximum size of the table of blocks, in bytes */
	DIGEST_TRAILER_SIZE = 48             /* size of the trailer at the end of the file, in bytes */
};

/* Identifies the snapshot that a digest belongs to. */
struct snapshot_stamp {
	uint64_t size;          /* size of the snapshot file, in bytes */
	uint64_t tail_checksum; /* checksum of the last 4096 bytes of the snapshot file */
	uid_t owner;            /* owner of the snapshot file */
};

/* First line of the table: format version, version of fs-tools, size and checksum of the snapshot, time of the
 * snapshot, UTC offset, and 1 if the snapshot has private lines (else 0). */
#define DIGEST_HEAD_FORMAT "digest %u %31s %" SCNu64 " %" SCNx64 " %" SCNd64 " %" SCNd32 " %u"

/* Format of the line of one block in the table: offset, compressed size, uncompressed size. A blank and the first key
 * of the block follow. */
#define DIGEST_ROW_FORMAT "%" SCNu64 " %" SCNu32 " %" SCNu32

#endif
