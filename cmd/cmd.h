/* What every command has: its place in the dispatch table, exit statuses, messages. */
#ifndef CMD_H
#define CMD_H

#include "fs.h"

#include <stdio.h>

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

/* EXIT_USAGE, or 1 under an emulated name. */
int usage_status(const struct invocation *inv);

#endif
