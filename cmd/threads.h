/* How many threads the library may use, and how they are started. */
#ifndef THREADS_H
#define THREADS_H

#include "fs.h"

/* FS_THREADS, where it is a number from 1 to 256; else the processors there are. */
unsigned threads_wanted(void);

/* An fs_parallel_fn without context: one task on the caller's thread, the others on threads of their own. */
void threads_run(void *ctx, size_t n, fs_task_fn task, void *arg);

#endif
