/* --if: what would be if commands of the scheduler were given. */
#ifndef INPUT_EDITS_H
#define INPUT_EDITS_H

#include "cmd.h"

enum { MAX_EDITS = 256 };

struct edits {
	const char *command[MAX_EDITS]; /* in order */
	size_t n;
};

/* Takes the value of --if: 1, or -1 for one too many (reported). */
int edits_option(const struct invocation *inv, struct edits *e, const char *arg);

/* Makes the changes as that user would; remarks about them go to standard error. 0, or the exit status (reported). */
int edits_apply(const struct invocation *inv, const struct edits *e, const char *viewer, fs_snapshot *s);

/* The same without messages: 0 or an error code. */
int edits_try(const struct edits *e, const char *viewer, fs_snapshot *s, struct fs_error *err);

#endif
