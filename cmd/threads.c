#define _GNU_SOURCE /* declares sched_getaffinity, CPU_SET and pthread_attr_setaffinity_np */
#include "cmd.h"

#include "render/emit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
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

/* ---- long work on a terminal */

struct work {
	work_fn run;
	void *arg;
	_Atomic bool done;
};

static volatile sig_atomic_t is_stop_requested;
static bool is_work_stopped, is_progress_hidden;

static void request_stop(int signal)
{
	(void)signal;
	is_stop_requested = 1;
}

static void *run_work(void *arg)
{
	struct work *w = arg;

	w->run(w->arg);
	atomic_store(&w->done, true);
	return NULL;
}

/* Waits until the work is done or the user stops it, and shows the seconds. Returns true if the work is done. */
static bool wait_for_work(struct work *w, const char *what, bool may_stop)
{
	enum { STEP_MS = 5, LATER_STEP_MS = 100, SHOWN_MS = 2000 };
	static const char blank[] = "                                                                      ";
	bool shown = false;
	long ms = 0;

	while (!atomic_load(&w->done) && !is_stop_requested) {
		const long step = ms < SHOWN_MS ? STEP_MS : LATER_STEP_MS;

		nanosleep(&(struct timespec){ .tv_nsec = step * 1000000 }, NULL);
		ms += step;
		if (ms < SHOWN_MS)
			continue;
		emit_to_stream(stderr, "\r%s, %ld s%s ", what, ms / 1000, may_stop ? "; Ctrl-C: answer without it" : "");
		shown = true;
	}
	if (shown)
		emit_to_stream(stderr, "\r%s\r", blank);
	return atomic_load(&w->done);
}

bool work_was_stopped(void)
{
	return is_work_stopped;
}

void work_hide_progress(void)
{
	is_progress_hidden = true;
}

bool work_run(const char *what, bool may_stop, work_fn work, void *arg)
{
	const bool shows_progress = !is_progress_hidden && !is_work_stopped && isatty(STDERR_FILENO);
	struct work *w = shows_progress ? malloc(sizeof(*w)) : NULL;
	struct sigaction before, stop = { .sa_handler = request_stop };
	pthread_t thread;

	if (!w) {
		if (!is_work_stopped)
			work(arg);
		return !is_work_stopped;
	}
	*w = (struct work){ work, arg, false };
	if (pthread_create(&thread, NULL, run_work, w)) {
		free(w);
		work(arg);
		return true;
	}
	if (may_stop)
		sigaction(SIGINT, &stop, &before);
	is_work_stopped = !wait_for_work(w, what, may_stop);
	if (may_stop)
		sigaction(SIGINT, &before, NULL);
	if (is_work_stopped)
		return false;
	pthread_join(thread, NULL);
	free(w);
	return true;
}
