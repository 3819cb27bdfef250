/* What a command started and left behind in a session of its own: on Linux such processes become ours, and are ended.
 * Elsewhere nothing is done. */
#ifndef CAPTURE_STRAYS_H
#define CAPTURE_STRAYS_H

#include <sys/types.h>

enum { STRAYS_KNOWN = 256 };

struct strays {
	int adopted_before;
	unsigned n;
	pid_t known[STRAYS_KNOWN]; /* children that were there before */
};

void strays_begin(struct strays *s);

/* Ends all children but those that were there and the commands themselves. */
void strays_end(struct strays *s, const pid_t *commands, size_t n);

#endif
