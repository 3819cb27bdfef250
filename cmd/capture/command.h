/* Runs the commands of a capture: several at a time, and with limits on time and output. No process is left behind when
 * a signal arrives. */
#ifndef CAPTURE_COMMAND_H
#define CAPTURE_COMMAND_H

#include "cmd.h"

#include <signal.h>

/* ---- signals while commands run */

/* After capture_block_signals, signals that would end this process only interrupt the running commands.
 * capture_restore_signals restores the previous signal handling and raises the last caught signal again. */
void capture_block_signals(void);
void capture_restore_signals(void);

/* ---- running commands */

/* Returns the path of a program on PATH, which the caller frees. Returns NULL if there is no such program (errno is
 * ENOENT) or it cannot be examined (other errno). Skips this binary itself, which may be installed under the names of
 * the tools that it emulates. */
char *capture_find_program(const char *program);

struct capture_limits {
	unsigned timeout_s;
	uint64_t output; /* maximum size of a command's standard output, in bytes */
};

enum capture_result {
	CAPTURE_DONE,
	CAPTURE_REFUSED, /* the command exited with an error status; it may succeed with other arguments */
	CAPTURE_FAILED,
	CAPTURE_BROKEN, /* a local failure (memory, disk, processes); the output of the command is lost */
	CAPTURE_INTERRUPTED
};

enum { CAPTURE_MAX_PARALLEL = 16, CAPTURE_WHY_SIZE = 900 };

/* A command to run. `why`: the reason for a failure; after success, the last line of the command's standard error. */
struct capture_command {
	const char *const *argv;
	int fd; /* descriptor that receives the command's standard output */
	enum capture_result result;
	char why[CAPTURE_WHY_SIZE];
};

/* Runs up to CAPTURE_MAX_PARALLEL commands in parallel, each in its own session, and sets the `result` and `why` of
 * each. Then kills all processes that the commands started, including processes that have moved to another session.
 * Must be called between capture_block_signals and capture_restore_signals. */
void capture_run_commands(struct capture_command *orders, size_t n, const struct capture_limits *limits);

#endif
