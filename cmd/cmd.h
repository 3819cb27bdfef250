/* What every command has: its place in the dispatch table, exit statuses, messages. */
#ifndef CMD_H
#define CMD_H

#include "fs/snapshot.h"

#include <stdio.h>
#include <stdlib.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,   /* at run time */
	EXIT_USAGE = 2,    /* the command line */
	EXIT_SNAPSHOT = 3, /* not a valid snapshot */
	EXIT_NOTHING = 4   /* nothing matched, or a verification found a mismatch */
};

/* How the command was called. */
struct invocation {
	const char *name; /* for messages: "fs-share", "sshare" */
	bool emulated;    /* under the name of the tool it stands in for */
	bool strict;      /* that, and FS_EXTENSIONS does not ask for what the tool has not: its options alone */
	const char *mark; /* before messages under that name: "error: " */
	bool listed;	  /* asked for its options alone: see options_list */
	bool quiet;	  /* says nothing: what is tried may fail */
};

struct command {
	const char *name;     /* "fs-share" */
	const char *emulates; /* "sshare", or NULL */
	const char *summary;
	const char *mark; /* what that tool has before its messages, "" nothing */
	bool strict;      /* the options of this command say which are that tool's */
	int (*run)(const struct invocation *inv, int argc, char **argv);
};

/* X(name): struct command name_command, in the order of fs-tools --help. */
#define COMMANDS(X) X(share) X(prio) X(showq) X(explain) X(diff) X(top) X(snap)
#define COMMAND_DECLARED(name) extern const struct command name##_command;
COMMANDS(COMMAND_DECLARED)

/* "name: message" on standard error. */
void complain(const struct invocation *inv, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* An fs_note_fn: complains of the sentence; invocation: of the command. */
void complain_note(void *invocation, const char *sentence);

/* Prints the error and gives the exit status that goes with its code (1 under an emulated name). */
int report(const struct invocation *inv, const struct fs_error *err);

/* Says that memory is out; EXIT_FAILED. */
int no_memory(const struct invocation *inv);
int out_of_memory(struct fs_error *err); /* fills *err with FS_ENOMEM, which is returned */

/* EXIT_USAGE, or 1 under an emulated name. */
int usage_status(const struct invocation *inv);

/* Names for the shells' completions. */

/* fs-tools --complete KIND [-f FILE]: the exit status. */
int complete(const struct invocation *inv, int argc, char **argv);

/* How many threads the library may use, and how they are started. */

/* FS_THREADS, where it is a number from 1 to 256; else the processors there are. */
unsigned threads_wanted(void);

/* Does part i of some work. */
typedef void (*task_fn)(void *arg, size_t i);

/* Runs task(arg, i) for each i below n and returns when all are done: one on the caller's thread, the others on threads
 * of their own. */
void threads_run(size_t n, task_fn task, void *arg);

/* Arrays that grow. */

/* v, which has n elements of `size` bytes and room for *room, with room for one more, which is twice as much where
 * there was none left. NULL: no memory; v is as it was. */
static inline void *room_for_one(void *v, size_t n, size_t *room, size_t size)
{
	const size_t more = *room ? 2 * *room : 32;
	void *grown = v;

	if (n == *room) {
		grown = realloc(v, more * size);
		*room = grown ? more : *room;
	}
	return grown;
}

#endif
