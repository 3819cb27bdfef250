/* One errand at a time in a thread of its own. */
#ifndef TOP_WORKER_H
#define TOP_WORKER_H

#include <pthread.h>
#include <stdbool.h>

struct worker {
	pthread_t thread;
	void (*run)(void *);
	void *ctx;
	int ends[2]; /* ends[0] can be read when the errand is done */
	bool busy;
};

/* Runs it with ctx in a thread that nobody waits for, or here where there is none. */
void worker_leave_to(void (*run)(void *), void *ctx);

int worker_open(struct worker *w); /* -1: errno says why */
void worker_close(struct worker *w);

/* Signals stay with the thread that calls. False: there is no thread, nothing was begun. */
bool worker_start(struct worker *w, void (*run)(void *), void *ctx);

/* Waits for the end of the errand; not long, once ends[0] can be read. */
void worker_join(struct worker *w);

#endif
