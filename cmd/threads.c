#define _GNU_SOURCE /* declares sched_getaffinity, CPU_SET and pthread_attr_setaffinity_np */
#include "cmd.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { MAX_THREADS = 256 };

#ifdef __GLIBC__ /* musl has no pthread_attr_setaffinity_np */
typedef cpu_set_t processor_set;
#else
typedef char processor_set;
#endif

struct thread_task {
	task_fn task;
	void *arg;
	size_t i;
	/* processors on which the thread may run; the thread sets them when it starts; NULL: the thread does not change
	 * its processors */
	const processor_set *allowed;
};

unsigned threads_get_usable_count(void)
{
	const char *env = getenv("FS_THREADS");
	char *end;
	long n = env ? strtol(env, &end, 10) : 0;

	if (!env || end == env || *end || n < 1)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

#ifdef __GLIBC__
/* Sets `attr` so that a new thread starts on a processor other than the caller's. Without this attribute, Linux often
 * queues the thread on the caller's processor for some milliseconds, although other processors are idle. Fills *allowed
 * with the processors that the caller may use; run_thread_task then allows the thread to use all these processors.
 * Returns `allowed`, or NULL if attr was not changed. */
static const processor_set *avoid_current_processor(pthread_attr_t *attr, processor_set *allowed)
{
	const int here = sched_getcpu();
	processor_set others;

	if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof(*allowed), allowed))
		return NULL;
	others = *allowed;
	CPU_CLR((size_t)here, &others);
	return CPU_COUNT(&others) && !pthread_attr_setaffinity_np(attr, sizeof(others), &others) ? allowed : NULL;
}

static void restore_thread_affinity(const processor_set *allowed)
{
	sched_setaffinity(0, sizeof(*allowed), allowed);
}
#else
static const processor_set *avoid_current_processor(pthread_attr_t *attr, processor_set *allowed)
{
	(void)attr;
	(void)allowed;
	return NULL;
}

static void restore_thread_affinity(const processor_set *allowed)
{
	(void)allowed;
}
#endif

static void *run_thread_task(void *arg)
{
	const struct thread_task *e = arg;

	if (e->allowed)
		restore_thread_affinity(e->allowed);
	e->task(e->arg, e->i);
	return NULL;
}

void threads_run_in_parallel(size_t n, task_fn task, void *arg)
{
	pthread_t thread[MAX_THREADS];
	struct thread_task tasks[MAX_THREADS];
	size_t started = 0, i;
	pthread_attr_t attr;
	processor_set allowed;

	const bool kind = !pthread_attr_init(&attr);
	const processor_set *elsewhere = kind && n > 1 ? avoid_current_processor(&attr, &allowed) : NULL;
	for (i = 1; i < n && i < MAX_THREADS; i++, started++) {
		tasks[i] = (struct thread_task){ task, arg, i, elsewhere };
		if (pthread_create(&thread[i], kind ? &attr : NULL, run_thread_task, &tasks[i]))
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
