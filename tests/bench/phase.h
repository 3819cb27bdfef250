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

/* Returns the CPU seconds for parsing each line of the file with cJSON and freeing the result. */
double bare_pass(const char *name);

/* Runs phase(name, result) in a child process, and copies the `size` bytes that it stores in its result to `result`. If
 * the child process fails, this process exits. */
void in_child(void (*phase)(const char *name, void *result), const char *name, void *result, size_t size);

#endif
