#define _GNU_SOURCE /* sched_getaffinity, CPU_SET, pthread_attr_setaffinity_np */
#include "cmd.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX = 256 };

#ifdef __GLIBC__ /* musl has no pthread_attr_setaffinity_np */
typedef cpu_set_t processors;
#else
typedef char processors;
#endif

struct errand {
	task_fn task;
	void *arg;
	size_t i;
	const processors *allowed; /* processors to allow once the thread runs; NULL: its affinity is right from the
				    * start */
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

#ifdef __GLIBC__
/* Sets attr so that the new thread starts on any processor except the caller's; run_errand resets the affinity.
 * Otherwise Linux often queues a new thread on the processor of its creator for some milliseconds, although other
 * processors are idle. Returns the processors that the thread may use later (*allowed), or NULL if attr was not
 * changed. */
static const processors *begin_elsewhere(pthread_attr_t *attr, processors *allowed)
{
	const int here = sched_getcpu();
	processors others;

	if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof(*allowed), allowed))
		return NULL;
	others = *allowed;
	CPU_CLR((size_t)here, &others);
	return CPU_COUNT(&others) && !pthread_attr_setaffinity_np(attr, sizeof(others), &others) ? allowed : NULL;
}

static void go_anywhere(const processors *allowed)
{
	sched_setaffinity(0, sizeof(*allowed), allowed);
}
#else
static const processors *begin_elsewhere(pthread_attr_t *attr, processors *allowed)
{
	(void)attr;
	(void)allowed;
	return NULL;
}

static void go_anywhere(const processors *allowed)
{
	(void)allowed;
}
#endif

static void *run_errand(void *arg)
{
	const struct errand *e = arg;

	if (e->allowed)
		go_anywhere(e->allowed);
	e->task(e->arg, e->i);
	return NULL;
}

void threads_run(size_t n, task_fn task, void *arg)
{
	pthread_t thread[MAX];
	struct errand errand[MAX];
	size_t started = 0, i;
	pthread_attr_t attr;
	processors allowed;

	const bool kind = !pthread_attr_init(&attr);
	const processors *elsewhere = kind && n > 1 ? begin_elsewhere(&attr, &allowed) : NULL;
	for (i = 1; i < n && i < MAX; i++, started++) {
		errand[i] = (struct errand){ task, arg, i, elsewhere };
		if (pthread_create(&thread[i], kind ? &attr : NULL, run_errand, &errand[i]))
			break;
	}
	if (kind)
		pthread_attr_destroy(&attr);
	for (; i < n; i++)
		task(arg, i);
	if (n)
		task(arg, 0);
	for (i = 1; i <= started; i++)
		pthread_join(thread[i], NULL);
}
