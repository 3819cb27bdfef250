/* What a history tells of a snapshot, as lines of text: the shares of each account and user, the priority of each job.
 * Tabs stand between the fields; the first of them are the key, by whose bytes the lines are sorted:
 *
 *	s USER ACCOUNT PARTITION             name=number ...
 *	j JOB (20 digits) PARTITION QOS USER ACCOUNT STATE  name=number ...
 *
 * A number has 17 digits and reads back as it was; one that is unknown has none. */
#ifndef HISTORY_LINES_H
#define HISTORY_LINES_H

#include "cmd.h"

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

#endif
