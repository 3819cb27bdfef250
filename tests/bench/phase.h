/* Common code of measuring programs: CPU time, and a phase run in a child process, which starts with a small heap each
 * time. */
#ifndef PHASE_H
#define PHASE_H

#include <stddef.h>
#include <stdio.h>

void die(const char *what); /* prints `what` and the text of errno, then exits with status 1 */
double now(void);	    /* seconds of CPU time of this process */
FILE *open_file(const char *name);
ptrdiff_t read_stream(void *stream, void *buf, size_t size); /* an fs_read_fn */

/* CPU seconds for parsing each line with cJSON and freeing it, nothing else. */
double bare_pass(const char *name);

/* Fills size bytes at result with the output of the phase. If the child fails, this process ends. */
void in_child(void (*phase)(const char *name, void *result), const char *name, void *result, size_t size);

#endif
