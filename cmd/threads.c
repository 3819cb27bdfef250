#include "threads.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX = 256 };

struct task {
	fs_task_fn task;
	void *arg;
	size_t i;
};

unsigned threads_wanted(void)
{
	const char *env = getenv("FS_THREADS");
	char *end;
	long n = env ? strtol(env, &end, 10) : 0;

	if (!env || end == env || *end || n < 1)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > MAX ? MAX : (unsigned)n;
}

static void *run_task(void *arg)
{
	const struct task *e = arg;

	e->task(e->arg, e->i);
	return NULL;
}

void threads_run(void *ctx, size_t n, fs_task_fn task, void *arg)
{
	pthread_t thread[MAX];
	struct task tasks[MAX];
	size_t started = 0, i;

	(void)ctx;
	for (i = 1; i < n && i < MAX; i++, started++) {
		tasks[i] = (struct task){ task, arg, i };
		if (pthread_create(&thread[i], NULL, run_task, &tasks[i]))
			break;
	}
	for (; i < n; i++)
		task(arg, i);
	if (n)
		task(arg, 0);
	for (i = 1; i <= started; i++)
		pthread_join(thread[i], NULL);
}
