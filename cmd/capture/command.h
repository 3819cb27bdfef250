/* Runs one command. */
#ifndef CAPTURE_COMMAND_H
#define CAPTURE_COMMAND_H

#include "cmd.h"

/* Path of a program on PATH, NULL if there is none; yours to free. Leaves out this binary itself,
 * which may be there under the names of the tools it stands in for. */
char *capture_find(const char *program);

struct capture_limits {
	unsigned timeout_s;
	uint64_t output; /* bytes */
};

enum capture_result {
	CAPTURE_DONE,
	CAPTURE_REFUSED, /* ended with an error: other arguments may do better */
	CAPTURE_FAILED,
	CAPTURE_INTERRUPTED
};

/* Runs argv with standard output into fd, in a session of its own; nothing that it started survives, whatever session that is in.
 * why gets the reason when it did not work, otherwise the last line of its standard error. To be
 * called between capture_begin and capture_end. */
enum capture_result capture_command(const char *const *argv, int fd,
				    const struct capture_limits *limits, char *why, size_t size);

/* Until capture_end, signals that would end this process only interrupt the command that runs;
 * capture_end then lets the signal have its way. */
void capture_begin(void);
void capture_end(void);

#endif
