/* Declarations for all commands: the command table, exit statuses, messages to the caller, threads and growing
 * arrays. */
#ifndef CMD_H
#define CMD_H

#include "fs/snapshot.h"

#include <stdio.h>
#include <stdlib.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,   /* run-time error: I/O, out of memory, or a command of the scheduler failed */
	EXIT_USAGE = 2,    /* invalid command line */
	EXIT_SNAPSHOT = 3, /* the input is not a valid snapshot */
	EXIT_NOTHING = 4   /* nothing matched the request, or a verification found a difference */
};

/* How the command was started. */
struct invocation {
	const char *name; /* program name in messages, such as "fs-share" or "sshare" */
	bool emulated;    /* the command was started under the name of the scheduler tool that it emulates */
	/* only the options of the emulated tool are accepted; true if `emulated` and command.strict are true, and
	 * $FS_EXTENSIONS is unset, empty or 0 */
	bool only_emulated_options;
	/* prefix of messages: under an emulated name the prefix of the emulated tool, such as "error: "; else "" */
	const char *message_prefix;
	/* print only the table of options for shell completion (options_parse_command_line) */
	bool lists_options;
	bool quiet;	  /* print no messages */
};

struct command {
	const char *name;     /* name of the program, such as "fs-share", under which the command runs */
	const char *emulates; /* scheduler tool that the command emulates, such as "sshare"; NULL: none */
	const char *summary;
	const char *message_prefix; /* prefix of the emulated tool's error messages; "": none */
	bool strict;      /* the command has a list of the emulated tool's options (option_table.emulated_rows) */
	int (*run)(const struct invocation *inv, int argc, char **argv);
};

/* Applies the macro X to the name of each command, in the order of fs-tools --help. The variable NAME_command describes
 * the command NAME. */
#define COMMANDS(X) X(share) X(prio) X(showq) X(explain) X(diff) X(top) X(snap)
#define COMMAND_DECLARED(name) extern const struct command name##_command;
COMMANDS(COMMAND_DECLARED)

/* Prints "name: message" on standard error. Prints nothing if inv->quiet is set. */
void cmd_print_message(const struct invocation *inv, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* An fs_note_fn that prints the sentence as a message. `invocation` points to a const struct invocation. */
void cmd_print_note_sentence(void *invocation, const char *sentence);

/* Prints the error message. Returns the exit status for err->code: EXIT_SNAPSHOT, EXIT_USAGE or EXIT_FAILED; under an
 * emulated name always EXIT_FAILED. */
int cmd_report_error(const struct invocation *inv, const struct fs_error *err);

/* Prints "out of memory". Returns EXIT_FAILED. */
int cmd_report_no_memory(const struct invocation *inv);
int out_of_memory(struct fs_error *err); /* sets *err to FS_ENOMEM and returns FS_ENOMEM */

/* Returns the exit status for an invalid command line: EXIT_USAGE, or EXIT_FAILED (1) under an emulated name. */
int cmd_get_usage_status(const struct invocation *inv);

/* ---- completion of names (of jobs, users, accounts) in the shell */

/* Runs fs-tools --complete KIND [-f FILE] [--demo]. Returns the exit status. */
int complete_print_kind_names(const struct invocation *inv, int argc, char **argv);

/* ---- threads */

/* Returns the number of threads that the library may use: the value of $FS_THREADS if it is a positive number, else the
 * number of online processors; at most 256. */
unsigned threads_get_usable_count(void);

/* Does the work of call i (0-based) of threads_run_in_parallel. */
typedef void (*task_fn)(void *arg, size_t i);

/* Calls task(arg, i) for each i below n, and returns when all calls are done. Call 0 runs on the caller's thread, each
 * other call on a thread of its own. Calls for which no thread can be started run on the caller's thread. */
void threads_run_in_parallel(size_t n, task_fn task, void *arg);

/* ---- long work, such as planning starts */

typedef void (*work_fn)(void *arg);

/* Calls work(arg). If standard error is a terminal and the work takes longer than two seconds, shows `what` and the
 * seconds there. Returns true when the work is done. If `may_stop` is true and the user presses Ctrl-C on a terminal,
 * returns false while the work continues in a thread of its own. The caller must then neither free nor change what the
 * work uses, and must end the process without freeing it. */
bool work_run(const char *what, bool may_stop, work_fn work, void *arg);
bool work_was_stopped(void); /* returns true if work_run has returned false */
/* From now on, work_run only calls work(arg): the caller has a screen of its own. */
void work_hide_progress(void);

/* ---- arrays that grow by one element at a time */

/* Makes space for one more element in the array v, which has n elements of `size` bytes and space for *capacity
 * elements. The allocation doubles when it is full. Returns the array, or NULL if out of memory; v is then
 * unchanged. */
static inline void *array_grow_by_one(void *v, size_t n, size_t *capacity, size_t size)
{
	const size_t more = *capacity ? 2 * *capacity : 32;
	void *grown = v;

	if (n == *capacity) {
		grown = realloc(v, more * size);
		*capacity = grown ? more : *capacity;
	}
	return grown;
}

#endif
