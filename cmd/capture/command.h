/* Runs the commands of a capture: several at a time, with limits of time and size, and stopped by signals. */
#ifndef CAPTURE_COMMAND_H
#define CAPTURE_COMMAND_H

#include "cmd.h"

#include <signal.h>

/* Signals while commands run: they are noted, and have their way when all is put away. */

/* Until capture_end, signals that would end this process only interrupt the command that runs;
 * capture_end then lets the signal have its way. */
void capture_begin(void);
void capture_end(void);

/* Runs commands. */

/* Path of a program on PATH, NULL if there is none (errno is ENOENT) or it cannot be told; yours to free. Leaves out
 * this binary itself, which may be there under the names of the tools it stands in for. */
char *capture_find(const char *program);

struct capture_limits {
	unsigned timeout_s;
	uint64_t output; /* bytes */
};

enum capture_result {
	CAPTURE_DONE,
	CAPTURE_REFUSED, /* ended with an error: other arguments may do better */
	CAPTURE_FAILED,
	CAPTURE_BROKEN, /* by what failed here, not there: what it would have said is lost */
	CAPTURE_INTERRUPTED
};

enum { CAPTURE_AT_ONCE = 16, CAPTURE_WHY = 900 };

/* why: the reason when it did not work, otherwise the last line of its standard error. */
struct capture_order {
	const char *const *argv;
	int fd; /* gets standard output */
	enum capture_result result;
	char why[CAPTURE_WHY];
};

/* Runs up to CAPTURE_AT_ONCE commands side by side, each in a session of its own; nothing that they started survives,
 * whatever session that is in. To be called between capture_begin and capture_end. */
void capture_commands(struct capture_order *orders, size_t n, const struct capture_limits *limits);

#endif
