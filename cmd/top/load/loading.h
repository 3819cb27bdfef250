/* Before there is anything to show: the terminal is taken over, says how far the reading is, and keeps what is
 * typed. */
#ifndef TOP_LOAD_LOADING_H
#define TOP_LOAD_LOADING_H

#include "top/run.h"

/* Runs `load` with ctx in a thread of its own and returns its status. What takes no longer than one sees leaves the
 * terminal alone. Else *seen has it afterwards: it is open, if it can be, with the keys typed meanwhile, and what was
 * said on standard error waits until loading_close. When somebody quits, seen->ends is set: the thread goes on, end
 * without freeing anything. */
int loading_run(struct run *r, int (*load)(void *ctx), void *ctx, const char *what);

/* Gives the terminal back if it is open, and prints what was said. */
void loading_close(struct run *r);

#endif
