/* What measuring programs share: CPU time, and a phase run in a child, which starts with a small heap each time. */
#ifndef PHASE_H
#define PHASE_H

#include <stddef.h>
#include <stdio.h>

void die(const char *what); /* with errno's words */
double now(void);	    /* seconds of CPU time of this process */
FILE *open_file(const char *name);
ptrdiff_t read_stream(void *stream, void *buf, size_t size); /* an fs_read_fn */

/* CPU seconds that each line takes to be parsed by cJSON and freed, nothing else. */
double bare_pass(const char *name);

/* Fills size bytes at result with what the phase puts there. A child that fails ends this process. */
void in_child(void (*phase)(const char *name, void *result), const char *name, void *result, size_t size);

#endif
