/* How far a long reading has come, on a terminal. */
#ifndef INPUT_PROGRESS_H
#define INPUT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* After a second of reading a line on standard error says how much has been read and, if it is a file, which part
 * that is and about how long the rest takes. */
struct progress {
	FILE *from;
	uint64_t size, done; /* size 0: not known */
	struct timespec begun, told;
	bool wanted, shown;
};

/* Prints nothing if `wanted` is false, or while standard error is not a terminal. */
void progress_begin(struct progress *p, FILE *from, bool wanted);

/* An fs_read_fn. */
ptrdiff_t progress_read(void *progress, void *buf, size_t size);

/* How far the readings of this process are, whatever thread does them; size 0: not known. */
struct progress_seen {
	uint64_t done, size;
};
struct progress_seen progress_seen(void);

/* Takes the line away. */
void progress_end(const struct progress *p);

#endif
