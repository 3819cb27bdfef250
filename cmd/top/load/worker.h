/* A thread that does one task at a time. */
#ifndef TOP_LOAD_WORKER_H
#define TOP_LOAD_WORKER_H

#include <pthread.h>
#include <stdbool.h>

struct worker {
	pthread_t thread;
	void (*run)(void *);
	void *ctx;
	int ends[2]; /* ends[0] can be read when the task is done */
	bool busy;
};

/* Runs it with ctx in a thread that nobody waits for, or in this one if there can be no other. */
void worker_leave_to(void (*run)(void *), void *ctx);

int worker_open(struct worker *w); /* -1: errno says why */
void worker_close(struct worker *w);

/* Signals stay with the thread that calls. False: there is no thread, nothing was begun. */
bool worker_start(struct worker *w, void (*run)(void *), void *ctx);

/* Waits for the end of the task; not long, once ends[0] can be read. */
void worker_join(struct worker *w);

#endif
