#include "top/load/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct task {
	void (*run)(void *);
	void *ctx;
};

static void *run_task(void *arg)
{
	struct task *e = arg;

	e->run(e->ctx);
	free(e);
	return NULL;
}

void worker_leave_to(void (*run)(void *), void *ctx)
{
	struct task *e = malloc(sizeof(*e));
	sigset_t all, before;
	pthread_t thread;
	bool left = false;

	if (e) {
		*e = (struct task){ run, ctx };
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		left = !pthread_create(&thread, NULL, run_task, e);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (left) {
		pthread_detach(thread);
		return;
	}
	free(e);
	run(ctx);
}

int worker_open(struct worker *w)
{
	*w = (struct worker){ .busy = false };
	if (pipe(w->ends))
		return -1;
	fcntl(w->ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(w->ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

void worker_close(struct worker *w)
{
	close(w->ends[0]);
	close(w->ends[1]);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	ssize_t n;

	w->run(w->ctx);
	do
		n = write(w->ends[1], "", 1);
	while (n < 0 && errno == EINTR);
	return NULL;
}

bool worker_start(struct worker *w, void (*run)(void *), void *ctx)
{
	sigset_t all, before;

	w->run = run;
	w->ctx = ctx;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	w->busy = !pthread_create(&w->thread, NULL, work, w);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return w->busy;
}

void worker_join(struct worker *w)
{
	char byte;
	ssize_t n;

	do
		n = read(w->ends[0], &byte, 1);
	while (n < 0 && errno == EINTR);
	pthread_join(w->thread, NULL);
	w->busy = false;
}
