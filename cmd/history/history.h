/* The course of a factor or priority over a folder of snapshots: fs-share --history, fs-prio --history. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "input/input.h"
#include "render/json.h"
#include "cmd.h"

#include <inttypes.h>
#include <sys/types.h>

enum course_form { COURSE_TABLE, COURSE_JSON, COURSE_CSV, COURSE_PLOT, COURSE_SVG };

/* What is asked for. */
struct course {
	const struct invocation *inv;
	const struct input *input; /* whose viewer it is */
	const char *folder;
	const struct names *users, *accounts; /* of shares; no name at all: the viewer's */
	bool all;			      /* of shares: every row */
	const struct names *jobs;	      /* NULL: shares. Ids as typed */
	enum course_form form;
	enum json_form json;
	const char *svg; /* the file of COURSE_SVG */
	bool no_header;
};

/* The forms that an option asks for. */
struct course_forms {
	bool json, csv, plot, svg, other; /* other: one that no history has */
};
enum course_form course_form(const struct course_forms *f);

/* For a command with --history, --csv or --plot: checks that its options go together. -1 to go on, or the exit
 * status after a complaint. folder: NULL without --history; wrong: which of the command's own options does not go with
 * it, NULL if all do. */
int course_check(const struct invocation *inv, const struct input *in, const char *folder, const struct course_forms *f,
		 const char *wrong);

/* Prints it: exit status, EXIT_NOTHING if nothing of it is in the folder. */
int course_show(const struct course *c);

/* ---- between the two halves of it */

struct line;

struct course_point {
	int64_t time;
	int32_t utc_offset_s;
	const char *file;
	char *text;	   /* the text that `line` points into */
	struct line *line;
	size_t order; /* in which they were found */
};

/* In the order of time, then of ids and names. */
struct course_points {
	struct course_point *v;
	size_t n, room;
	char cluster[64], scheduler[64];
	uint64_t *job; /* the ids asked for, as many as the course has jobs */
};

int course_print(const struct course *c, const struct course_points *p);

/* A folder of snapshots. */

/* Names of the snapshots in it (*.jsonl, *.jsonl.zst), sorted. Links and what is no regular file are left out, and so
 * is what belongs neither to the folder's owner nor to the caller nor to root. */
struct folder {
	char *path;
	struct names file; /* with the path */
	size_t foreign; /* left out as another user's */
};

/* What a history tells of a snapshot, as lines of text: the shares of each account and user, the priority of each job.
 * Tabs stand between the fields; the first of them are the key, by whose bytes the lines are sorted:
 *
 *	s USER ACCOUNT PARTITION             name=number ...
 *	j JOB (20 digits) PARTITION QOS USER ACCOUNT STATE  name=number ...
 *
 * A number has 17 digits and reads back as it was; one that is unknown has none. */

enum { LINE_VALUES = 64 };

struct line_value {
	const char *name;
	double value;
};

struct line {
	bool of_job;
	uint64_t job;
	const char *user, *account, *partition, *qos, *state; /* "" when there is none */
	struct line_value value[LINE_VALUES];
	size_t n;
};

/* A text as a field has it: 0, or -1 where buf is too small. */
int line_field(char *buf, size_t size, const char *text);

/* Takes the text of a line apart, which is changed and pointed into. -1: it is none. */
int line_parse(char *text, struct line *out);

/* An order of what lines are of: by job, then by names. */
int line_order(const struct line *a, const struct line *b);

/* NAN: the line has no such value. */
double line_value(const struct line *l, const char *name);

/* 0 to go on. text is the caller's no longer than the call. */
typedef int (*line_fn)(void *ctx, const char *text);

/* All lines that the view's viewer may see, in no order; of jobs, or of shares, or both. 0, what fn gave, or an
 * error. */
enum { LINES_OF_SHARES = 1, LINES_OF_JOBS = 2 };
int lines_gather(const fs_snapshot *s, const struct fs_view *view, unsigned which, line_fn fn, void *ctx,
		 struct fs_error *err);

/* What the forms of a course share. */

enum { POINT_TIME = 20, POINT_NUMBER = 400, POINT_NAME = 600 };

const char *point_time(char out[POINT_TIME], const struct course_point *p); /* local, "?" beyond all calendars */
const char *point_number(char buf[POINT_NUMBER], double v);		    /* "" of NAN */

/* Calls fn for each line of the course, in the order of their first points, with its points by time. Returns 0, or the
 * exit status. */
typedef void (*series_fn)(void *ctx, const struct course *c, const struct course_point *const *v, size_t n);
int course_each(const struct course *c, const struct course_points *p, series_fn fn, void *ctx);
/* course_measure: which number of a line is drawn: of shares the factor, where there is one. The other words it:
 * "fairshare of dana at quantum". */
const char *course_measure(const struct course *c, const struct line *l);
const char *course_name(char buf[POINT_NAME], const struct line *l, const char *measure);

/* Draws a picture of each line; prints the greatest change between neighbouring points of each line, with the command
 * that shows its causes. Both return 0, or the exit status. */
int course_pictures(const struct course *c, const struct course_points *p);
int course_steps(const struct course *c, const struct course_points *p);

/* FILE.digest beside a kept snapshot: its lines (history/history.h), sorted, in blocks that are unpacked one by one, so
 * that a question of one user or job reads some kilobytes of each snapshot of a history.
 *
 *	"fs-digest" "\n", blocks (a frame of zstd each), the table, and 48 digits: where the table begins, its size
 *	and checksum
 *	table: a line of the digest itself: form, version of fs-tools, size and checksum of the snapshot, its time, is
 *	part of it private; then a line for each block: where it begins, its size packed and unpacked, its first key */

/* FILE.digest: yours to free, NULL without memory. */
char *digest_name(const char *file);

/* Of the snapshot in `file`, which was read as s, into an open file. 0 or an error. */
int digest_write(const fs_snapshot *s, const char *file, FILE *to, struct fs_error *err);

struct digest;

/* NULL: there is none, or none of that snapshot as it is, made by this version, by the snapshot's owner. */
struct digest *digest_open(const char *file);
void digest_close(struct digest *d);

/* Of the snapshot, and what local time is more than UTC then. */
int64_t digest_time(const struct digest *d);
int32_t digest_utc_offset(const struct digest *d);

/* Returns whether PrivateData hides anything of the snapshot from anybody: the digest has those lines, too. */
bool digest_private(const struct digest *d);

/* The lines that begin with key. 0, what fn gave, or -1: it is damaged. */
int digest_find(struct digest *d, const char *key, line_fn fn, void *ctx);

/* The form of a digest, for its writer and its reader. */

#define DIGEST_MAGIC "fs-digest\n"
enum {
	DIGEST_FORM = 1,
	DIGEST_BLOCK = 64 * 1024,	   /* a block is closed by the line that makes it longer */
	DIGEST_BLOCK_MAX = 128 * 1024,
	DIGEST_TABLE_MAX = 64 * 1024 * 1024,
	DIGEST_TRAILER = 48
};

/* What tells the snapshot it is of. */
struct digest_stamp {
	uint64_t size, end;
	uid_t owner;
};

/* Of the table: form, version, size, end, time, its offset from UTC, private. */
#define DIGEST_HEAD "digest %u %31s %" SCNu64 " %" SCNx64 " %" SCNd64 " %" SCNd32 " %u"
/* where, packed, unpacked; a blank and the key follow. */
#define DIGEST_ROW "%" SCNu64 " %" SCNu32 " %" SCNu32

#endif
